"""The sample: the weighted part of a table that reaches a node, and the only door to its data.

Measures, splitters and learners see only the *sample partition*: a table with a row for each outcome of a test and
a column for each class, whose cells are weights of rows; or the same table with a row for each value of a continuous
attribute, in order. Code above this interface loops over outcomes and values; a row of the data has no identity there.
A store that can answer `GROUP BY answer` and `GROUP BY value ORDER BY value` can be a `Sample`.

`WeightedRows` is the store of the book: rows with their weights that are counted one by one. It answers each query
by a walk over its rows: slow, but complete.

The notation: A_1, ..., A_V are the outcomes, C_1, ..., C_K the classes, s_ij = |A_i ∩ C_j| the weight in cell (i, j).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple, Protocol, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.points import Points, coordinates_of, gathered
from reference_tree.data.questions import REFUSED, Missing, Outcome, Row, Test, UnseenValueError, child_weight
from reference_tree.data.schema import Schema
from reference_tree.data.targets import Counts, Target, added, target_of
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.twins import twin


class Partition(NamedTuple):
    """The sample partition of one test.

    Source:
        [N0 EN §1 table], [N0 EN §1 s_ij]. N0 lets s_ij stand for a sample, a set and a count; here it is the count.
    """

    outcomes: tuple[Outcome, ...]
    """The outcomes in branch order, including those that no row gives."""
    rows: Sequence[Counts]
    """For each outcome, the weight of each class."""
    unknown: Counts
    """The weight of each class among the rows without an answer."""


class Ordered(NamedTuple):
    """The sample partition of a continuous attribute, value by value: parallel sequences."""

    values: Sequence[Rational]
    """The distinct values, ascending."""
    rows: Sequence[Counts]
    """For each value, the weight of each class among the rows that have it."""
    unknown: Counts
    """The weight of each class among the rows without a value."""


class Sample(Protocol):
    """The weighted rows that reach a node, in any store that has these methods."""

    @property
    def schema(self) -> Schema:
        """The columns of the table."""

    @property
    def target(self) -> Target:
        """The target, whose columns are counted in every row below."""

    def total(self) -> Counts:
        """The counts of the whole sample: |C_1|, ..., |C_K|, or the other columns of the target."""

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a test: GROUP BY outcome, target."""

    def ordered(self, attribute: str) -> Ordered:
        """The sample partition of a continuous attribute, value by value: GROUP BY value, target ORDER BY value."""

    def points(self, attributes: Sequence[str]) -> Points:
        """The sample as a linear test sees it: GROUP BY the values of all these attributes at once."""

    def split(self, test: Test, missing: Missing = REFUSED) -> Sequence[Sample]:
        """The parts of the sample that give each answer, in branch order.

        Args:
            test: the test.
            missing: the rule for a row without an answer. Its weight is multiplied by the share of each branch; or the
                first surrogate that it answers decides the branch; or it takes the one branch for all such rows. If no
                rule applies, it is in no part.
        """

    def against(self, target: Target) -> Sample:
        """The rows counted by another target, without the rows that have no value there."""


class Data(Protocol):
    """The part of a table that growing, explaining and pruning need: its columns, and its rows as a sample.

    A store that is no `Table` can implement it. `rows` and `weighted` are needed only to evaluate a tree row by row.
    """

    @property
    def name(self) -> str:
        """The name of the table in messages."""

    @property
    def schema(self) -> Schema:
        """The columns of the table."""

    def sample(self) -> Sample:
        """All rows, as the sample that reaches the root."""

    def rows(self) -> Iterator[Row]:
        """Each row as a mapping of column to value."""

    def weighted(self) -> Sequence[Rational]:
        """The weight of each row."""


class SizedData(Data, Protocol):
    """Data that counts its rows: a table in memory, or one in a database."""

    def __len__(self) -> int:
        """The number of rows."""


# The store of the book.

Weighted: TypeAlias = tuple[Row, Rational]
"""A row, attribute → value, and its weight."""


@twin
def whole_sample(table: Data) -> Sample:
    """All rows of a table, as the sample that reaches the root."""
    return WeightedRows(table.schema, target_of(table.schema), list(zip(table.rows(), table.weighted(), strict=True)))


@dataclass(frozen=True, eq=False, repr=False)
class WeightedRows:
    """A sample; see `reference_tree.data.sample.Sample` for the meaning of its methods.

    Args:
        schema: the columns of the table.
        target: the target whose columns are counted.
        rows: the rows with their weights, none of them 0.

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

    schema: Schema
    target: Target
    rows: Sequence[Weighted]

    def __repr__(self) -> str:
        return sample_text(self)

    def total(self) -> Counts:
        """The counts of the whole sample."""
        return self._count(self.rows)

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a test."""
        *answers, unknown = self._answers(test, self.rows)
        return Partition(test.outcomes, tuple(map(self._count, answers)), self._count(unknown))

    def ordered(self, attribute: str) -> Ordered:
        """The sample partition of a continuous attribute, value by value.

        Raises:
            InputError: the attribute is categorical.
        """
        if self.schema.attribute(attribute).values is not None:
            raise InputError(f"the attribute {attribute} is categorical: its values have no order")
        by_value: dict[object, list[Weighted]] = {}
        for row, weight in self.rows:
            by_value.setdefault(row[attribute], []).append((row, weight))
        unknown = by_value.pop(None, [])
        values = sorted(by_value)  # type: ignore[type-var]
        return Ordered(values, [self._count(by_value[value]) for value in values], self._count(unknown))  # type: ignore[arg-type]

    def points(self, attributes: Sequence[str]) -> Points:
        """The sample as points."""
        counted = ((row, self._count([(row, weight)])) for row, weight in self.rows)
        return gathered(coordinates_of(self.schema, attributes), counted, self.target)

    def split(self, test: Test, missing: Missing = REFUSED) -> list[WeightedRows]:
        """The parts that give each answer, in branch order."""
        *answers, unknown = self._answers(test, self.rows)
        routes = missing.routes(unknown, len(answers), self._answers)
        return [
            replace(self, rows=part + [(row, child_weight(w, r)) for rows, r in route if r for row, w in rows])
            for part, route in zip(answers, routes, strict=True)
        ]

    def against(self, target: Target) -> WeightedRows:
        """The rows counted by another target, without the rows that have no value there."""
        name = self.schema.target.name
        rows = [(row, weight) for row, weight in self.rows if any(target.counted(row, name, weight))]
        return WeightedRows(self.schema, target, rows)

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
        name = self.schema.target.name
        counts = added(self.target.counted(row, name, weight) for row, weight in rows)
        return counts or (0,) * len(self.target.columns)


def sample_text(sample: Sample) -> str:
    """A sample as a line of text, however many rows it has.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> textbook("play-tennis").sample()
        <Sample: no 5, yes 9>
    """
    counts = zip(sample.target.columns, sample.total(), strict=True)
    texts = [f"{name} {decimal_text(count)}" for name, count in islice(counts, _SHOWN)]
    return f"<Sample: {', '.join(texts)}{', ...' * (len(sample.target.columns) > _SHOWN)}>"


_SHOWN = 12
"""The most columns of a sample that its text shows."""


__all__ = [
    "Counts",
    "Data",
    "Ordered",
    "Partition",
    "Sample",
    "SizedData",
    "WeightedRows",
    "sample_text",
    "whole_sample",
]
