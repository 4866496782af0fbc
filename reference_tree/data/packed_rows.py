"""Packed rows: a sample in memory whose multiway partitions all come out of a single sum.

A sample partition s_ij has a cell for each value and each class. Let every cell be a byte, and put the cells of all
attributes side by side: then a row of the data is a string of bytes with a 1 for each value that it has, and as a long
integer it can be added to others. The *sum* of the rows of a sample is s_ij for every attribute at once, as fast as
Python adds integers.

1. `Packing` are the rows of a table. They are packed once and never copied: a sample is a list of their numbers.
2. A byte counts to 255. The sum of more rows is taken in portions, which are widened before they are added up.
3. What the sum says of an attribute is a slice of its bytes. `unpacked` makes numbers of it, when it is asked for.

Other questions than multiway splits, and rows that divide, are left to the sets of `bit_sets`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import cast

from reference_tree.data.bit_sets import Rows
from reference_tree.data.columns import Codes
from reference_tree.data.missing import REFUSED, Missing
from reference_tree.data.points import Points
from reference_tree.data.questions import Linear, Multiway, SeenSubset, Test
from reference_tree.data.sample import Counts, Ordered, PackedTables, Partition, Sample
from reference_tree.data.schema import Schema
from reference_tree.data.targets import Classes, Target

LONGEST = 1 << 13
"""The most bytes that a packed row has: more values are better counted as sets."""
_LARGEST = 1 << 27
"""The most bytes of all packed rows together."""
_FULL = 255
"""The most that a byte counts to."""

_LEFT_TO_SETS = (Linear, SeenSubset)
"""Questions about several attributes, and such as leave some values open."""

_FORMATS = {1: "B", 2: "H", 4: "I"}
# Numbers by their length in bytes, as `struct` calls them.


def unpacked(table: bytes, classes: int, wide: int) -> list[tuple[int, ...]]:
    """The rows of a packed table.

    Args:
        table: the cells, row by row.
        classes: how many there are in a row.
        wide: how many bytes each takes.

    Example:
        >>> unpacked(bytes([0, 4, 2, 3]), 2, 1)
        [(0, 4), (2, 3)]
    """
    cells = iter(table if wide == 1 else struct.unpack(f"<{len(table) // wide}{_FORMATS[wide]}", table))
    return list(zip(*[cells] * classes, strict=True))


class Packing:
    """The rows of a table, packed.

    Args:
        schema: what the columns are; all are categorical.
        codes: attribute → the code of each row: its value's place in the domain, and the one after the last if the
            value is missing.
        size: how many rows there are.
    """

    def __init__(self, schema: Schema, codes: Mapping[str, Sequence[int]], size: int) -> None:
        self.schema, self.codes, self.size = schema, codes, size
        self.target = Classes(schema.target.domain)
        self.classes = len(self.target.columns)
        self.tests = [Multiway.on(attribute) for attribute in schema.attributes]
        self.place = {test.attribute: place for place, test in enumerate(self.tests)}
        self.with_gaps = {test.attribute for test in self.tests if len(test.values) in codes[test.attribute]}
        """The attributes of which some row lacks the value; there is a row of s_ij for these, behind the others."""
        self._starts, start = [], 1  # before them stands the row of the whole sample
        for test in self.tests:
            self._starts.append(start)
            start += len(test.values) + (test.attribute in self.with_gaps)
        self.length = start * self.classes
        """The number of bytes of a packed row."""

    @cached_property
    def rows(self) -> list[int]:
        """The packed rows."""
        # Each piece is a 1 in the cell of the first class, among the cells of an attribute. As many zeros before all of
        # them as the label says move it to the cell of the row's class.
        labels = self.codes[self.schema.target.name]
        one, nothing = b"\1" + bytes(self.classes - 1), bytes(self.classes)
        pieces = [map([bytes(label) + one for label in range(self.classes)].__getitem__, labels)]
        for test in self.tests:
            places = range(len(test.values) + (test.attribute in self.with_gaps))
            of_code = [nothing * place + one + nothing * (places[-1] - place) for place in places]
            pieces.append(map(of_code.__getitem__, self.codes[test.attribute]))
        return [int.from_bytes(row, "little") for row in map(b"".join, zip(*pieces, strict=True))]

    @cached_property
    def slices(self) -> dict[int, list[slice]]:
        """Where the tables of the attributes stand in a sum, without the rows that do not answer; by cell length."""
        places = [(start, start + len(test.values)) for test, start in zip(self.tests, self._starts, strict=True)]
        units = {wide: wide * self.classes for wide in _FORMATS}
        return {wide: [slice(unit * start, unit * stop) for start, stop in places] for wide, unit in units.items()}

    def added_up(self, rows: Sequence[int]) -> tuple[bytes, int]:
        """The sum of some rows, and how many bytes each cell takes."""
        if len(rows) <= _FULL:
            return sum(map(self.rows.__getitem__, rows)).to_bytes(self.length, "little"), 1
        wide = 2 if len(rows) >> 16 == 0 else 4
        total, portion = 0, bytearray(wide * self.length)
        for start in range(0, len(rows), _FULL):
            portion[::wide] = self.added_up(rows[start : start + _FULL])[0]
            total += int.from_bytes(portion, "little")
        return total.to_bytes(len(portion), "little"), wide


class PackedRows:
    """A sample in memory; see `reference_tree.data.sample.Sample` for what its methods mean.

    Args:
        packing: the rows of the table.
        rows: the numbers of those that belong to the sample.
        total: the row of the whole sample, where it is known.
    """

    # Set when they are asked for: most samples are leaves, of which nobody asks more than the total.
    _sum: tuple[bytes, int] | None = None
    _sets_of_all: Rows | None = None

    def __init__(self, packing: Packing, rows: Sequence[int], total: Counts | None = None) -> None:
        self._packing, self._rows, self._total = packing, rows, total

    @classmethod
    def of(cls, schema: Schema, columns: Mapping[str, Codes]) -> PackedRows | None:
        """All rows of a table without weights; none if they are too long or too many, or if one has no class."""
        size = len(columns[schema.target.name])
        codes = {a.name: _coded(columns[a.name], len(a.domain)) for a in (*schema.attributes, schema.target)}
        packing = Packing(schema, codes, size)
        without_class = len(schema.target.domain) in codes[schema.target.name]
        if without_class or packing.length > LONGEST or packing.length * size > _LARGEST:
            return None
        return cls(packing, range(size))

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self._packing.schema

    @property
    def target(self) -> Target:
        """What is counted: the classes."""
        return self._packing.target

    @property
    def _sets(self) -> Rows:
        """The same rows as sets."""
        if self._sets_of_all is None:
            columns = {name: [codes[row] for row in self._rows] for name, codes in self._packing.codes.items()}
            self._sets_of_all = Rows.coded(self.schema, columns)
        return self._sets_of_all

    # Counting.

    def _cells(self) -> tuple[bytes, int]:
        if self._sum is None:
            self._sum = self._packing.added_up(self._rows)
        return self._sum

    def _unpacked(self, start: int, stop: int) -> list[tuple[int, ...]]:
        """Some rows of s_ij, by where their cells begin and end while each is a byte."""
        cells, wide = self._cells()
        return unpacked(cells[start * wide : stop * wide], self._packing.classes, wide)

    def total(self) -> Counts:
        """|C_1|, ..., |C_K|."""
        if self._total is None:
            (self._total,) = self._unpacked(0, self._packing.classes)
        return self._total

    def packed(self) -> PackedTables:
        """All multiway partitions at once."""
        (cells, wide), packing = self._cells(), self._packing
        tables = list(map(cells.__getitem__, packing.slices[wide]))
        return PackedTables(self.total(), packing.tests, tables, cells[: wide * packing.classes], wide)

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a question."""
        place = self._place(test)
        if place is None:
            return self._sets.partition(test)
        packing = self._packing
        of = packing.slices[1][place]
        unknown = (0,) * packing.classes
        if test.attribute in packing.with_gaps:
            (unknown,) = self._unpacked(of.stop, of.stop + packing.classes)
        return Partition(test.outcomes, tuple(self._unpacked(of.start, of.stop)), unknown)

    def _place(self, test: Test) -> int | None:
        """Which table a question has, if its branches are the codes: in somebody else's tree they may be others."""
        place = self._packing.place.get(test.attribute)
        if place is None:
            return None
        own = self._packing.tests[place]
        return place if own is test or own == test else None

    # Parting.

    def split(self, test: Test, missing: Missing = REFUSED) -> tuple[Sample, ...]:
        """The parts that give each answer, in branch order."""
        packing, name = self._packing, test.attribute
        if isinstance(test, _LEFT_TO_SETS) or (missing.leads_on and name in packing.with_gaps):
            return self._sets.split(test, missing)
        place = self._place(test)
        if place is not None:
            of = packing.slices[1][place]
            totals = self._unpacked(of.start, of.stop)
            return self._parted(packing.codes[name], range(len(totals) + 1), totals)
        nowhere = len(test.outcomes)
        found = map(test.branch_of, self.schema.attribute(name).domain)
        branches = [*(nowhere if branch is None else branch for branch in found), nowhere]
        return self._parted(packing.codes[name], branches, [None] * nowhere)

    def _parted(
        self, codes: Sequence[int], branches: Sequence[int], totals: Sequence[Counts | None]
    ) -> tuple[PackedRows, ...]:
        """The parts of given totals, the branch of each code being given; one more branch leads nowhere."""
        parts: list[list[int]] = [[] for _ in (*totals, None)]
        add = [parts[branch].append for branch in branches]
        for row in self._rows:
            add[codes[row]](row)
        packing = self._packing
        return tuple([PackedRows(packing, part, total) for part, total in zip(parts, totals, strict=False)])

    def against(self, target: Target) -> Sample:
        """The same rows with other columns; those that have nothing to count there are left out."""
        return self._sets.against(target)

    # What sets say of them.

    def ordered(self, attribute: str) -> Ordered:
        """No attribute of such a sample has an order.

        Raises:
            InputError: always.
        """
        return self._sets.ordered(attribute)

    def joined(self, attributes: Sequence[str]) -> None:
        """None: no attribute of such a sample has an order."""

    def points(self, attributes: Sequence[str]) -> Points:
        """The sample as points."""
        return self._sets.points(attributes)


def _coded(cells: Codes, missing: int) -> Sequence[int]:
    """Codes with one for what is missing; in a byte each where they fit."""
    if missing > _FULL:
        return [missing if cell is None else cell for cell in cells]
    try:
        return bytes(cast(list[int], cells))
    except TypeError:  # some are missing
        return bytes([missing if cell is None else cell for cell in cells])


__all__ = ["LONGEST", "PackedRows", "Packing", "unpacked"]
