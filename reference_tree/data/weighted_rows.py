"""Weighted rows: the textbook form of a sample, rows with their weights that are counted one by one.

This store answers each question of a `Sample` by a walk over its rows: slow, but complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.missing import REFUSED, Missing, child_weight
from reference_tree.data.points import Points, coordinates_of, gathered
from reference_tree.data.questions import Row, Test, UnseenValueError
from reference_tree.data.sample import Counts, Data, Ordered, Partition, Sample, sample_text
from reference_tree.data.schema import Schema
from reference_tree.data.targets import Target, added, target_of
from reference_tree.exact.rationals import Rational
from reference_tree.twins import twin

Weighted: TypeAlias = tuple[Row, Rational]
"""A row, attribute → value, and its weight."""


@twin
def whole_sample(table: Data) -> Sample:
    """All rows of a table, as the sample that reaches the root."""
    return WeightedRows(table.schema, target_of(table.schema), list(zip(table.rows(), table.weighted(), strict=True)))


class WeightedRows:
    """A sample; see `reference_tree.data.sample.Sample` for what its methods mean.

    Args:
        schema: the columns of the table.
        target: the target whose columns are counted.
        rows: the rows with their weights, none of which is 0.

    Example:
        >>> from reference_tree.data.questions import Multiway
        >>> from reference_tree.data.textbook import textbook
        >>> table = textbook("play-tennis")
        >>> sample = WeightedRows(table.schema, target_of(table.schema), [(row, 1) for row in table.rows()])
        >>> sample.total(), sample.partition(Multiway.on(table.schema.attribute("outlook"))).rows
        ((5, 9), ((0, 4), (2, 3), (3, 2)))

    Source:
        [N0 EN §1 table], [N2 §4.2 summary step 1]
    """

    def __init__(self, schema: Schema, target: Target, rows: Sequence[Weighted]) -> None:
        self.schema, self.target, self._rows = schema, target, rows

    def __repr__(self) -> str:
        return sample_text(self)

    def total(self) -> Counts:
        """The counts of the whole sample."""
        return self._count(self._rows)

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a question."""
        *answers, unknown = self._answers(test, self._rows)
        return Partition(test.outcomes, tuple(map(self._count, answers)), self._count(unknown))

    def ordered(self, attribute: str) -> Ordered:
        """The sample partition of a continuous attribute, value by value.

        Raises:
            InputError: the attribute is categorical.
        """
        if self.schema.attribute(attribute).values is not None:
            raise InputError(f"the attribute {attribute} is categorical: its values have no order")
        by_value: dict[object, list[Weighted]] = {}
        for row, weight in self._rows:
            by_value.setdefault(row[attribute], []).append((row, weight))
        unknown = by_value.pop(None, [])
        values = sorted(by_value)  # type: ignore[type-var]
        return Ordered(values, [self._count(by_value[value]) for value in values], self._count(unknown))  # type: ignore[arg-type]

    def points(self, attributes: Sequence[str]) -> Points:
        """The sample as points."""
        return gathered(coordinates_of(self.schema, attributes), self._counted(self._rows), self.target)

    def split(self, test: Test, missing: Missing = REFUSED) -> list[WeightedRows]:
        """The parts that give each answer, in branch order."""
        *answers, unknown = self._answers(test, self._rows)
        routes = missing.routes(unknown, len(answers), self._answers)
        return [
            self._with([*part, *((row, child_weight(w, share)) for rows, share in route if share for row, w in rows)])
            for part, route in zip(answers, routes, strict=True)
        ]

    def against(self, target: Target) -> WeightedRows:
        """The same rows counted by another target, without the rows that have no value there."""
        name = self.schema.target.name
        rows = [(row, weight) for row, weight in self._rows if target.counted(row, name, weight) is not None]
        return WeightedRows(self.schema, target, rows)

    def _with(self, rows: Sequence[Weighted]) -> WeightedRows:
        return WeightedRows(self.schema, self.target, rows)

    def _answers(self, test: Test, rows: Iterable[Weighted]) -> list[list[Weighted]]:
        """The rows that give each answer, then the rows without one; a row whose value has no branch is in no part."""
        parts: list[list[Weighted]] = [[] for _ in (*test.outcomes, None)]
        for row, weight in rows:
            try:
                branch = test.branch(row)
            except UnseenValueError:
                continue
            parts[-1 if branch is None else branch].append((row, weight))
        return parts

    def _count(self, rows: Iterable[Weighted]) -> Counts:
        """The row of s_ij that sums up some rows of the data."""
        return added(counts for _, counts in self._counted(rows)) or (0,) * len(self.target.columns)

    def _counted(self, rows: Iterable[Weighted]) -> Iterator[tuple[Row, Counts]]:
        """Each row of the data with its counts."""
        for row, weight in rows:
            counts = self.target.counted(row, self.schema.target.name, weight)
            if counts is not None:
                yield row, counts


__all__ = ["WeightedRows", "whole_sample"]
