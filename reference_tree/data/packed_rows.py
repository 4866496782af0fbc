"""Packed rows: a sample in memory whose multiway partitions all come out of a single sum.

A row of s_ij is packed into one machine word: the weight of the first class in the lowest byte, of the second in the
next one, and so on. The words of all values of all attributes stand side by side in one long integer. A row of the data
is such an integer too, with a 1 for each value that it has. Then the sum of the rows of a sample is s_ij for every
attribute at once, and it is as fast as Python adds integers.

1. `Packing` are the rows of a table. They are packed once and never copied: a sample is a list of their numbers.
2. A byte counts to 255. The sum of more rows is taken in portions, which are widened before they are added up.
3. `PackedTables` is what the sum says, a word for each row of each partition. What a word means, or is worth, is looked
   up: on small samples the same words come up again and again.

Other questions than multiway splits, and rows that divide, are left to the sets of `bit_sets`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property

from reference_tree.data.bit_sets import Rows
from reference_tree.data.columns import Codes
from reference_tree.data.missing import REFUSED, Missing
from reference_tree.data.points import Points
from reference_tree.data.questions import Linear, Multiway, SeenSubset, Test
from reference_tree.data.sample import Counts, Ordered, PackedTables, Partition, Sample, Span
from reference_tree.data.schema import Schema
from reference_tree.data.targets import Classes, Target

_MOST_CLASSES = 8
"""So many classes of a byte each fill the largest machine word."""
_FULL = 255
"""The most that a byte counts to."""
_LONGEST = 1 << 10
"""The most bytes that a packed row has: where there are more values, they are better counted as sets."""
_LARGEST = 1 << 27
"""The most bytes of all packed rows together."""
_REMEMBERED = 1 << 16
"""So many words are looked up; then the memory is emptied."""

_FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}
# The machine words by their length in bytes, as `memoryview.cast` calls them.


class Unpacking(dict[int, tuple[int, ...]]):
    """Word → row, each unpacked when it is met for the first time.

    Example:
        >>> Unpacking(2, 8)[0x0203]
        (3, 2)
    """

    def __init__(self, classes: int, bits: int) -> None:
        super().__init__()
        self._shifts, self._mask = range(0, classes * bits, bits), (1 << bits) - 1

    def __missing__(self, word: int) -> tuple[int, ...]:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[word] = found = tuple([word >> shift & self._mask for shift in self._shifts])
        return found


unpacking = cache(Unpacking)
"""The rows behind the words of so many classes of so many bits."""


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
        self.classes = len(schema.target.domain)
        self.target = Classes(schema.target.domain)
        spans, start = [], 1  # before them stands the word of the whole sample
        for attribute in schema.attributes:
            spans.append(Span(attribute.name, start, start + len(attribute.domain)))
            start = spans[-1].stop + 1
        self.spans = tuple(spans)
        self.span_of = {span.attribute: span for span in spans}
        self.word = 1 << (self.classes - 1).bit_length()
        """The number of bytes of a word: a power of two."""
        self.length = start * self.word
        """The number of bytes of a packed row."""

    @cached_property
    def rows(self) -> list[int]:
        """The packed rows."""
        bits = 8 * self.word
        ones = [[1 << (bits * place) for place in range(span.start, span.stop + 1)] for span in self.spans]
        chosen = [map(one.__getitem__, self.codes[span.attribute]) for one, span in zip(ones, self.spans, strict=True)]
        labels = self.codes[self.schema.target.name]
        sums = map(sum, zip([1] * self.size, *chosen, strict=True))
        return [row << 8 * label for row, label in zip(sums, labels, strict=True)]

    def cells(self, rows: Sequence[int]) -> tuple[bytes, int]:
        """The sum of some rows as bytes, and how many of them each cell takes: 1, 2 or 4."""
        if len(rows) <= _FULL:
            return sum(map(self.rows.__getitem__, rows)).to_bytes(self.length, "little"), 1
        wide = 2 if len(rows) >> 16 == 0 else 4
        total, portion = 0, bytearray(wide * self.length)
        for start in range(0, len(rows), _FULL):
            portion[::wide] = self.cells(rows[start : start + _FULL])[0]
            total += int.from_bytes(portion, "little")
        return total.to_bytes(len(portion), "little"), wide


class PackedRows:
    """A sample in memory; see `reference_tree.data.sample.Sample` for what its methods mean.

    Args:
        packing: the rows of the table.
        rows: the numbers of those that belong to the sample.
        total: the row of the whole sample, where it is known.
    """

    __slots__ = ("_packing", "_rows", "_sets_of_all", "_tables", "_total")

    def __init__(self, packing: Packing, rows: Sequence[int], total: Counts | None = None) -> None:
        self._packing, self._rows, self._total = packing, rows, total
        self._tables: PackedTables | None = None
        self._sets_of_all: Rows | None = None

    @classmethod
    def of(cls, schema: Schema, columns: Mapping[str, Codes]) -> PackedRows | None:
        """All rows of a table without weights; none if they are too long, or too many."""
        if len(schema.target.domain) > _MOST_CLASSES:
            return None
        size = len(columns[schema.target.name])
        codes = {a.name: _coded(columns[a.name], len(a.domain)) for a in (*schema.attributes, schema.target)}
        packing = Packing(schema, codes, size)
        if packing.length > _LONGEST or packing.length * size > _LARGEST:
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

    def total(self) -> Counts:
        """|C_1|, ..., |C_K|."""
        if self._total is None:
            (self._total,) = self._rows_at(0, 1)
        return self._total

    def packed(self) -> PackedTables | None:
        """All multiway partitions at once; none where a row is too long for a word."""
        if self._tables is None:
            cells, wide = self._packing.cells(self._rows)
            form = _FORMATS.get(wide * self._packing.word)
            if form is not None:
                words = memoryview(cells).cast(form).tolist()
                row = unpacking(self._packing.classes, 8 * wide)[words[0]]
                self._tables = PackedTables(row, words, self._packing.spans, 8 * wide)
        return self._tables

    def _rows_at(self, start: int, stop: int) -> list[tuple[int, ...]]:
        """The rows of s_ij at some places."""
        if tables := self.packed():
            row = unpacking(self._packing.classes, tables.bits)
            return [row[word] for word in tables.words[start:stop]]
        cells, wide = self._packing.cells(self._rows)
        word, classes = self._packing.word, self._packing.classes
        found = memoryview(cells).cast(_FORMATS[wide]).tolist()
        return [tuple(found[place : place + classes]) for place in range(start * word, stop * word, word)]

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a question."""
        if not self._is_multiway(test):
            return self._sets.partition(test)
        span = self._packing.span_of[test.attribute]
        *rows, unknown = self._rows_at(span.start, span.stop + 1)
        return Partition(test.outcomes, tuple(rows), unknown)

    def _is_multiway(self, test: Test) -> bool:
        """Whether the branches are the codes; in somebody else's tree they may stand in another order."""
        return isinstance(test, Multiway) and test.values == self.schema.attribute(test.attribute).values

    def split(self, test: Test, missing: Missing = REFUSED) -> tuple[Sample, ...]:
        """The parts that give each answer, in branch order."""
        if isinstance(test, Linear | SeenSubset) or missing.rule not in ("error", "stay"):
            return self._sets.split(test, missing)
        codes, branches = self._packing.codes[test.attribute], len(test.outcomes)
        parts: list[list[int]] = [[] for _ in range(branches + 1)]
        totals: Sequence[Counts | None] = (None,) * branches
        if self._is_multiway(test):
            add = [part.append for part in parts]
            span = self._packing.span_of[test.attribute]
            totals = self._rows_at(span.start, span.stop)
        else:
            found = map(test.branch_of, self.schema.attribute(test.attribute).domain)
            add = [parts[branches if branch is None else branch].append for branch in (*found, None)]
        for row in self._rows:
            add[codes[row]](row)
        return tuple([PackedRows(self._packing, part, row) for part, row in zip(parts, totals, strict=False)])

    def ordered(self, attribute: str) -> Ordered:
        """No attribute of such a sample has an order.

        Raises:
            InputError: always.
        """
        return self._sets.ordered(attribute)

    def points(self, attributes: Sequence[str]) -> Points:
        """The sample as points."""
        return self._sets.points(attributes)

    def against(self, target: Target) -> Sample:
        """The same rows with other columns; those that have nothing to count there are left out."""
        return self._sets.against(target)


def _coded(cells: Codes, missing: int) -> Sequence[int]:
    """Codes with one for what is missing; in a byte each where they fit."""
    found = [missing if cell is None else cell for cell in cells] if None in cells else cells
    return bytes(found) if missing <= _FULL else found  # type: ignore[arg-type,return-value]
