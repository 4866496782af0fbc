"""The columns of a table as a boosted tree asks them: by ranks, so that nothing but whole numbers is compared.

1. `Column` has the rank of each row's value among the different values of the column, and the bin of each value.
2. `left_of` sends rows by a question.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from math import lcm
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Subset, Test, Threshold
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational

LONGEST = 4096
"""The most bits of a common denominator of a column."""

Bins = Mapping[str, Sequence[Any]]
"""Attribute → the bin of each row; a histogram learner cuts only between bins."""


class Column(NamedTuple):
    """A column of numbers, or of categories, which have no cuts."""

    ranks: Sequence[int]
    """The place of each row's value among the values; -1 where it has none."""
    values: Sequence[Any]
    """The different values: of numbers in increasing order, of categories in the order of the table."""
    bins: Sequence[Any]
    """The bin of each value."""
    order: Sequence[int]
    """The rows with a value, in the order of their values."""
    asks: bool
    """Whether cuts between the values are compared: they are numbers."""


def columns_of(table: Table, bins: Bins | None = None) -> dict[str, Column]:
    """The columns of a table.

    Args:
        table: the rows, as the program saw them.
        bins: the bin of each row; None if every value is a bin.

    Example:
        >>> columns_of(Table.from_columns({"x": [4, 1, None, 4], "y": [0, 0, 1, 1]}, "y"))["x"]
        Column(ranks=[1, 0, -1, 1], values=[1, 4], bins=range(0, 2), order=[1, 0, 3], asks=True)
    """
    found = {}
    for attribute in table.schema.attributes:
        column: list[Any] = list(table.columns[attribute.name])
        if attribute.values is not None:
            values: list[Any] = list(attribute.domain)
            ranks = [-1 if code is None else int(code) for code in column]
        else:
            whole = _whole(column)
            different = {number: value for number, value in zip(whole, column, strict=True) if value is not None}
            places = {number: place for place, number in enumerate(sorted(different))}
            values = [different[number] for number in places]
            ranks = [places.get(number, -1) for number in whole]
        order = sorted((row for row, rank in enumerate(ranks) if rank >= 0), key=ranks.__getitem__)
        known: Sequence[Any] = range(len(values))
        if bins is not None and attribute.name in bins:
            of = {ranks[row]: each for row, each in enumerate(bins[attribute.name])}
            known = [of.get(rank) for rank in known]
        found[attribute.name] = Column(ranks, values, known, order, attribute.values is None)
    return found


def _whole(column: Sequence[Rational | None]) -> Sequence[Any]:
    """Numbers as whole multiples of the same unit, which are compared fast; as they are if the unit would be tiny."""
    scale = 1
    for denominator in {value.denominator for value in column if value is not None}:
        scale = lcm(scale, denominator)
        if scale.bit_length() > LONGEST:
            return column
    return [None if value is None else value.numerator * (scale // value.denominator) for value in column]


def left_of(test: Test, default: int | None, column: Column, rows: Iterable[int]) -> frozenset[int]:
    """The rows that take the first branch of a question.

    Args:
        test: the question.
        default: the place of the branch for rows without a value.
        column: the column of its attribute.
        rows: the rows that are asked.

    Raises:
        InputError: it is no question about one number, or about the set of values of one category.
    """
    ranks, unknown = column.ranks, default == 0
    if isinstance(test, Threshold):
        bound = (bisect_left if test.strict else bisect_right)(column.values, test.threshold)
        if unknown:
            return frozenset([row for row in rows if ranks[row] < bound])
        return frozenset([row for row in rows if 0 <= ranks[row] < bound])
    if not isinstance(test, Subset):
        raise InputError("boosted trees are judged where they ask of a number, or of a set of categories")
    chosen = {place for place, value in enumerate(column.values) if value in test.values} | ({-1} if unknown else set())
    return frozenset(row for row in rows if ranks[row] in chosen)
