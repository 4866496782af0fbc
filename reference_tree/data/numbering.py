"""Numbering: the rows of a table by number, and what there is to know of each.

1. `Columns` are the codes and numbers of all rows of a table. They are never copied.
2. A `Numbering` says what the numbers of some rows mean: at first their places in the table; once there are few, places
   among these few, so that each number fits in a byte.
3. `Digits` say what is counted of each row, `Ranks` where its value stands among all values of an attribute.

`Orders` is built on them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, TypeAlias, overload

from reference_tree.data import columns
from reference_tree.data.columns import Codes, Numbers
from reference_tree.data.questions import Linear, Multiway, SeenSubset, Test, Threshold
from reference_tree.data.sample import Counts, gaps, multiples
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.targets import Classes, Moments, Target
from reference_tree.exact.rationals import Rational

Numbered: TypeAlias = Sequence[int]
"""Some rows, by their numbers; bytes where there are at most 256 of them."""

NARROW = 256
"""The most rows that can be numbered in a byte."""


ON_SIDE = (bytes([1, 0] * 128), bytes([0, 1] * 128))
DIGIT_OF_MARK = bytes(mark >> 1 for mark in range(256))
MARKS = (bytes(range(0, 256, 2)), bytes(range(1, 256, 2)))
# For `bytes.translate`, from a mark (see `Digits.marks`): whether the row is on each side; its digit. And which marks
# there are on each side.


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
    doubled: Sequence[int] = ()
    """Of each row of the table twice its digit, if that fits in a byte with 1 to spare."""

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

    def marks(self, second: Numbered, size: int) -> list[int]:
        """A mark for each row of a table of some size: twice its digit, and 1 more for the rows on the second side.

        Thus a single look-up tells both the side of a row and its digit; or the side alone, if not both fit in a byte.
        """
        marks = list(self.doubled) or [0] * size
        for row in second:
            marks[row] += 1
        return marks

    def renumbered(self, rows: Numbered) -> Digits:
        """The digits of these rows, which are numbered from 0 on from now."""
        found = self.among(rows)
        return self._replace(of=found, table=found.ljust(NARROW) if isinstance(found, bytes) else None, doubled=())


class Columns:
    """All rows of a table.

    Args:
        schema: what the columns are.
        cells: for each column the code or the number of each row; none is missing.
    """

    def __init__(self, schema: Schema, cells: Mapping[str, Codes | Numbers]) -> None:
        self.schema = schema
        self.size = len(cells[schema.target.name])
        self.codes: dict[str, list[int]] = {
            attribute.name: codes_of(attribute, schema, cells[attribute.name])
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
    def distinct(self) -> frozenset[str]:
        """The columns in which no two rows have the same value."""
        return frozenset(name for name, codes in self.codes.items() if len(set(codes)) == self.size)

    def order(self, attribute: str, rows: Numbered) -> list[int]:
        """Those of all rows that have a value of an attribute, by ascending values."""
        codes, missing = self.codes[attribute], self.missing(attribute)
        known = self.size - codes.count(missing)
        if attribute in self.distinct and known == missing == self.size:  # a permutation: it is turned round
            order = [0] * self.size
            for row, code in zip(rows, codes, strict=True):
                order[code] = row
            return order
        return sorted(rows, key=codes.__getitem__)[:known]

    def sharing(self, attribute: str, rows: Numbered) -> list[int]:
        """Those of some rows whose value another of them has too."""
        codes = self.codes[attribute]
        rows_of = Counter([codes[row] for row in rows])
        return [row for row in rows if rows_of[codes[row]] > 1]

    @cached_property
    def digits(self) -> Digits:
        """What is counted: classes, or the moments of a numeric target."""
        target, codes = self.schema.target, self.codes[self.schema.target.name]
        if target.values is not None:
            width = len(target.domain)
            doubled = [2 * code for code in codes] if 2 * width <= NARROW else ()
            return Digits(Classes(target.domain), codes, width, doubled=doubled)
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
    joined: Mapping[str, int] = {}
    """The continuous attributes of which every row has a value, and the place of each among the joined orders."""

    def code(self, attribute: str, row: int) -> int:
        """The code of a row's value."""
        return self.columns.codes[attribute][row if self.rows is None else self.rows[row]]

    def codes(self, attribute: str, rows: Iterable[int]) -> list[int]:
        """The codes of some rows."""
        column, names = self.columns.codes[attribute], self.rows
        return [column[row] for row in rows] if names is None else [column[names[row]] for row in rows]

    def branches(self, test: Test, rows: Numbered) -> Iterable[int | None]:
        """The branch of each row; the one after the last if its value is missing, none if no outcome holds."""
        columns, nowhere = self.columns, len(test.outcomes)
        if isinstance(test, Linear):
            return [self._branch_of_sum(test, row) for row in rows]
        codes = self.codes(test.attribute, rows)
        if isinstance(test, Threshold):
            numbers, missing = columns.schema.numbers[test.attribute], columns.missing(test.attribute)
            cut = (bisect_left if test.strict else bisect_right)(numbers, test.threshold)
            return [nowhere if code == missing else int(code >= cut) for code in codes]
        if isinstance(test, Multiway) and test.values == columns.domain(test.attribute):
            return codes
        # What no outcome holds for has no place in a tree; to a surrogate that leaves it open it counts as missing.
        open_ones = nowhere if isinstance(test, SeenSubset) else None
        found = map(test.branch_of, columns.domain(test.attribute))
        branch = [*(open_ones if one is None else one for one in found), nowhere]
        return [branch[code] for code in codes]

    def _branch_of_sum(self, test: Linear, row: int) -> int:
        columns = self.columns
        codes = {name: self.code(name, row) for name in test.attributes}
        cells = {name: None if c == columns.missing(name) else columns.domain(name)[c] for name, c in codes.items()}
        branch = test.branch(cells)
        return len(test.outcomes) if branch is None else branch

    def gaps_of_nearly_all(self, attribute: str, order: Numbered, sharing: Numbered) -> bytes:
        """The gaps where few rows share their value with others. Those that do stand side by side in both orders."""
        found = bytearray(b"\1" * (len(order) - 1))
        codes = self.codes(attribute, sharing)
        for row, code, before in zip(sharing[1:], codes[1:], codes, strict=False):
            if code == before:
                found[order.index(row) - 1] = 0
        return bytes(found)

    def narrowed(self, rows: Numbered, orders: Mapping[str, Numbered]) -> Numbering:
        """These rows, which are numbered from 0 to at most 255 from now; and their orders in the new numbers."""
        anew = Numbering(self.columns, rows, self.distinct, {}, self.joined)
        tied = {name: anew.codes(name, order) for name, order in orders.items() if name not in self.distinct}
        ranks = {name: rank_table(bytes(orders[name]), codes) for name, codes in tied.items()}
        distinct = self.distinct | {name for name in tied if len(set(tied[name])) == len(tied[name])}
        return anew._replace(distinct=distinct, ranks=ranks)


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


def codes_of(attribute: Attribute, schema: Schema, cells: Codes | Numbers) -> list[int]:
    """The code or rank of each cell; the number of values for one that is missing."""
    values = schema.numbers[attribute.name] if attribute.values is None else range(len(attribute.values))
    return list(columns.codes_of(values, cells))


def rank_table(order: bytes, codes: Sequence[int]) -> bytes:
    """For `bytes.translate`: from the rows in their order to ranks, the smallest code among them being rank 0."""
    narrow = bool(codes) and codes[-1] < NARROW  # the last code is the largest, and bytes are compared at once
    ranks = bytes(accumulate(gaps(bytes(codes) if narrow else codes), initial=0))
    return bytes.maketrans(order, ranks[: len(order)])  # of no rows there is rank 0 too
