"""Numbering: the rows of a table by number, and what there is to know of each.

1. `Columns` are the codes and numbers of all rows of a table. They are never copied.
2. A `Numbering` says what the numbers of some rows mean: at first their places in the table; once there are few, places
   among these few, so that each number fits in a byte.
3. `Digits` say what is counted of each row, `Ranks` where its value stands among all values of an attribute.

`Orders` is built on them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, TypeAlias, cast, overload

from reference_tree.data.columns import Codes, Numbers
from reference_tree.data.sample import Counts, gaps, multiples
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.targets import Classes, Moments, Target
from reference_tree.exact.rationals import Rational

Numbered: TypeAlias = Sequence[int]
"""Some rows, by their numbers; bytes where there are at most 256 of them."""

NARROW = 256
"""The most rows that can be numbered in a byte."""


class Digits(NamedTuple):
    """What is counted of each row."""

    target: Target
    of: Mapping[int, int] | Sequence[int]
    """Of a numbered row the column of the target in which it stands; or y, as a multiple of `grain`."""
    width: int
    """The number of columns; 0 where y is summed up."""
    grain: Rational = 1
    """What all y are multiples of."""
    table: bytes | None = None
    """The same as `of` for `bytes.translate`."""

    @property
    def nothing(self) -> Counts:
        """The row of no rows."""
        return (0,) * (self.width or len(self.target.columns))

    def among(self, rows: Numbered) -> Numbered:
        """The digits of some rows, in their order; as bytes if there are few columns."""
        if self.table is not None and isinstance(rows, bytes):
            return rows.translate(self.table)
        of = self.of
        found = [of[row] for row in rows]
        return bytes(found) if 0 < self.width <= NARROW else found

    def renumbered(self, rows: Numbered) -> Digits:
        """The digits of these rows, which are numbered from 0 on from now."""
        found = self.among(rows)
        return self._replace(of=found, table=found.ljust(NARROW) if isinstance(found, bytes) else None)


class Columns:
    """All rows of a table.

    Args:
        schema: what the columns are.
        cells: for each column the code or the number of each row; none is missing.
    """

    def __init__(self, schema: Schema, cells: Mapping[str, Codes | Numbers]) -> None:
        self.schema = schema
        self.size = len(cells[schema.target.name])
        self.codes: dict[str, Sequence[int]] = {
            attribute.name: list(codes_of(attribute, schema, cells[attribute.name]))
            for attribute in (*schema.attributes, schema.target)
        }

    def missing(self, attribute: str) -> int:
        """The code that stands for a missing value: the number of the values that there are."""
        return len(self.domain(attribute))

    def domain(self, attribute: str) -> Sequence[str] | Sequence[Rational]:
        """The values of an attribute, each at the place of its code."""
        numbers = self.schema.numbers.get(attribute)
        return self.schema.attribute(attribute).domain if numbers is None else numbers

    @cached_property
    def digits(self) -> Digits:
        """What is counted: classes, or the moments of a numeric target."""
        target, codes = self.schema.target, self.codes[self.schema.target.name]
        if target.values is not None:
            return Digits(Classes(target.domain), codes, len(target.domain))
        whole, grain = multiples(self.schema.numbers[target.name])
        return Digits(Moments(), [whole[code] for code in codes], 0, grain)


class Numbering(NamedTuple):
    """How the rows of a sample are numbered: as in the table, or anew from 0 on."""

    columns: Columns
    rows: Numbered | None
    """The row of the table behind each number; none: it is the number itself."""
    distinct: frozenset[str]
    """The attributes in which no two rows have the same value."""
    ranks: Mapping[str, bytes]
    """For each other attribute, where the numbers fit in a byte, a table from row to rank within these rows."""

    def code(self, attribute: str, row: int) -> int:
        """The code of a row's value."""
        return self.columns.codes[attribute][row if self.rows is None else self.rows[row]]

    def codes(self, attribute: str, rows: Iterable[int]) -> list[int]:
        """The codes of some rows."""
        column, names = self.columns.codes[attribute], self.rows
        return [column[row] for row in rows] if names is None else [column[names[row]] for row in rows]


class Ranks(Sequence[int]):
    """The ranks of some rows in their order, looked up when they are asked for."""

    __slots__ = ("_attribute", "_numbering", "_order")

    def __init__(self, numbering: Numbering, attribute: str, order: Numbered) -> None:
        self._numbering, self._attribute, self._order = numbering, attribute, order

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> list[int]: ...
    def __getitem__(self, place: int | slice) -> int | list[int]:
        if isinstance(place, slice):
            return self._numbering.codes(self._attribute, self._order[place])
        return self._numbering.code(self._attribute, self._order[place])

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbering.codes(self._attribute, self._order))


def codes_of(attribute: Attribute, schema: Schema, cells: Codes | Numbers) -> Iterable[int]:
    """The code or rank of each cell; the number of values for one that is missing."""
    if attribute.values is not None:
        return (len(attribute.values) if cell is None else int(cell) for cell in cells)
    numbers = schema.numbers[attribute.name]
    # To hash a fraction takes a microsecond. Most cells are the very objects that stand among the numbers; of the other
    # objects a few are searched for, and many are found by numerator and denominator.
    rank = dict(zip(map(id, numbers), range(len(numbers)), strict=True))
    rank[id(None)] = len(numbers)
    found = list(map(rank.get, map(id, cells)))
    if None not in found:
        return cast(list[int], found)
    others = {id(cell): cell for cell in cells if id(cell) not in rank}
    if 8 * len(others) < len(numbers):
        rank.update((name, bisect_left(numbers, cast(Rational, cell))) for name, cell in others.items())
    else:
        known = {(number.numerator, number.denominator): index for index, number in enumerate(numbers)}
        rank.update(
            (name, known[cell.numerator, cell.denominator]) for name, cell in others.items() if cell is not None
        )
    return map(rank.__getitem__, map(id, cells))


def rank_table(order: Numbered, codes: Sequence[int]) -> bytes:
    """For `bytes.translate`: from the rows in their order to ranks, the smallest code among them being rank 0."""
    table = bytearray(NARROW)
    for row, rank in zip(order, accumulate(gaps(codes), initial=0), strict=False):  # of no rows there is rank 0 too
        table[row] = rank
    return bytes(table)
