"""Columns: a table as integers, which all its samples share.

1. `Columns` holds the codes of the table's columns; the code of a continuous value is its rank, by which rows are
   sorted.
2. `CellCounts` numbers the cells of the multiway partitions on all categorical attributes.
3. `multiples` turns weights or numbers into integers, and `taker` takes the cells of some rows from a column.
4. `SortedRun` has the rows of a sample, sorted by one continuous attribute after the other.
5. `counted` gives the class of each row, or its y as a multiple of the largest common unit. `Counted.sums` counts some
   rows, in whole units.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate, compress, pairwise, starmap
from operator import add, itemgetter, mul
from struct import unpack
from typing import Any, NamedTuple

from reference_tree.data.questions import Threshold
from reference_tree.data.schema import Schema, SortedNumbers
from reference_tree.data.targets import Classes, Gradients, Moments, Target, Values
from reference_tree.engine.whole_rows import Places
from reference_tree.exact.rationals import Rational, simplest

Rows = Sequence[int]
"""Some rows, by their numbers in the table."""


class Columns:
    """All rows of a table, as integers that all samples of the table share.

    Args:
        schema: the schema of the table.
        codes: for each column, the code or the rank of each row's value; the number of values if it is missing.
    """

    def __init__(self, schema: Schema, codes: Mapping[str, Sequence[int]]) -> None:
        self.schema, self.codes = schema, codes
        self.size = len(codes[schema.target.name])
        self._domains: dict[str, Sequence[Any]] = {}
        self._cuts: dict[tuple[str, int, int, bool], int] = {}
        self._reach: dict[str, tuple[Rational, Sequence[int], frozenset[int]]] = {}

    def domain(self, name: str) -> Sequence[Any]:
        """The values of a column, in the order of their codes."""
        if name not in self._domains:
            attribute = self.schema.attribute(name)
            self._domains[name] = self.schema.numbers[name] if attribute.values is None else attribute.values
        return self._domains[name]

    @cached_property
    def cells(self) -> CellCounts:
        """The cells of the multiway partitions on all categorical attributes."""
        return CellCounts(self)

    @cached_property
    def distinct(self) -> frozenset[str]:
        """The columns in which no two rows have the same value."""
        return frozenset(name for name, codes in self.codes.items() if len(set(codes)) == self.size)

    @cached_property
    def complete(self) -> frozenset[str]:
        """The columns in which every row has a value."""
        return frozenset(name for name, codes in self.codes.items() if len(self.domain(name)) not in codes)

    @cached_property
    def values(self) -> Values:
        """The target that has a column for each distinct number of a numeric target."""
        return Values(tuple(self.schema.numbers[self.schema.target.name]))

    @cached_property
    def whole_values(self) -> list[int]:
        """These numbers as integers, in multiples of a common unit."""
        return multiples(self.values.numbers)[0]

    def reach(self, attribute: str, width: Rational) -> tuple[Sequence[int], frozenset[int]]:
        """For each number of a continuous attribute, the largest number that is close to it.

        Args:
            attribute: the attribute of the numbers.
            width: numbers that lie no further apart than this are close; not below 0.

        Returns:
            For each rank the largest rank whose number is close, and the rows for which that is not their own rank. The
            last result is kept.
        """
        if attribute not in self._reach or width not in self._reach[attribute][:1]:  # the same object equals itself
            numbers, unit = multiples(self.schema.numbers[attribute])
            reach, above, wide = [], 0, Fraction(width) // unit
            for number in numbers:
                while above < len(numbers) and numbers[above] - number <= wide:
                    above += 1
                reach.append(above - 1)
            near = {rank for rank, most in enumerate(reach) if most > rank}
            rows = frozenset(row for row, rank in enumerate(self.codes[attribute]) if rank in near)
            self._reach[attribute] = width, reach, rows
        return self._reach[attribute][1:]

    def cut(self, test: Threshold) -> int:
        """The lowest rank above a threshold."""
        # A walk down a tree asks for the same cuts again and again. The hash of a fraction would take as long.
        key = test.attribute, *test.threshold.as_integer_ratio(), test.strict
        if key not in self._cuts:
            self._cuts[key] = place_of(test, self.schema.numbers[test.attribute])
        return self._cuts[key]


def place_of(test: Threshold, numbers: Sequence[Rational]) -> int:
    """How many of some ascending numbers take the first branch of a test, without making exact numbers of them.

    Example:
        >>> tenths = SortedNumbers.of([1, 2, 3], 10)
        >>> [place_of(Threshold("x", Fraction(1, 5), strict=strict), tenths) for strict in (False, True)]
        [2, 1]
    """
    if not isinstance(numbers, SortedNumbers) or not isinstance(numbers.multiples, array):
        return test.place_in(numbers)
    if numbers.multiples.typecode != "q":
        return test.place_in(numbers) if test.strict else numbers.up_to(test.threshold)
    # A multiple m is at most t·d if it is at most the floor, and below t·d if it is below the ceiling.
    top, bottom = test.threshold.as_integer_ratio()
    if test.strict:
        return bisect_left(numbers.multiples, -(-top * numbers.denominator // bottom))
    return bisect_right(numbers.multiples, top * numbers.denominator // bottom)


PACKED = 1 << 9
"""Rows are packed if all attributes together have at most this many values: see `counting`."""


class CellCounts:
    """The cells of the multiway partitions of a table: each pair of a value and a class has a number.

    Args:
        columns: the columns of the table, whose target is categorical.
    """

    def __init__(self, columns: Columns) -> None:
        self.labels, self.classes = columns.codes[columns.schema.target.name], len(columns.schema.target.domain)
        self._columns, self._of = columns, dict[str, list[int]]()
        values = {a.name: len(a.domain) for a in columns.schema.attributes if a.values is not None}
        ends = list(accumulate(values.values(), initial=0))
        self.spans = dict(zip(values, starmap(slice, pairwise(ends)), strict=True))
        """For each attribute the slice of its values among those of all attributes, one attribute after the other."""
        self.unpack = partial(unpack, f"<{ends[-1]}H")
        """Turns bytes into numbers of two bytes each."""
        self.size = 2 * ends[-1]
        """The number of these bytes."""
        self.packed: list[int] = []
        """For each row a long integer with a 1 in the two bytes of each of its values; empty if there are too many
        values, or some are missing."""
        # Two bytes for each value: sums of fewer than 2^16 rows carry nothing into the neighbour.
        if ends[-1] <= PACKED and columns.complete >= values.keys():
            bits = [[1 << 16 * place for place in range(first, last)] for first, last in pairwise(ends)]
            of_each = [map(of.__getitem__, columns.codes[name]) for of, name in zip(bits, values, strict=True)]
            self.packed = list(map(sum, zip(*of_each, strict=True)))

    def of(self, name: str) -> list[int]:
        """The number of each row's cell in the partition on an attribute."""
        if name not in self._of:
            first = [code * self.classes for code in range(len(self._columns.domain(name)) + 1)]
            self._of[name] = list(map(add, map(first.__getitem__, self._columns.codes[name]), self.labels))
        return self._of[name]


def multiples(weights: Iterable[Rational]) -> tuple[list[int], Rational]:
    """Weights as whole multiples of their largest common unit, and that unit.

    Example:
        >>> multiples([1, Fraction(2, 3), Fraction(1, 2)])
        ([6, 4, 3], Fraction(1, 6))
        >>> multiples([4, 6])
        ([2, 3], 2)
    """
    given, over = (weights.multiples, weights.denominator) if isinstance(weights, SortedNumbers) else (weights, 1)
    ratios = [weight.as_integer_ratio() for weight in given]
    common = math.lcm(*{below for _, below in ratios})
    whole = [above * (common // below) for above, below in ratios]
    divisor = math.gcd(*whole) or 1
    return [weight // divisor for weight in whole], simplest(Fraction(divisor, common * over))


def taker(rows: Rows) -> Callable[[Any], Sequence[Any]]:
    """A function that takes the cells of some rows from a column.

    Example:
        >>> taker([2, 0])("abc"), taker([1])("abc"), taker([])("abc")
        (('c', 'a'), ('b',), ())
    """
    if len(rows) > 1:
        return itemgetter(*rows)
    return lambda column: tuple([column[row] for row in rows])


class SortedRun(NamedTuple):
    """Rows of a sample, sorted by the ascending values of one continuous attribute after the other."""

    names: Sequence[str]
    """The attributes, all of them known for these rows."""
    rows: list[int]
    """These rows sorted by the first attribute, followed by the same rows sorted by the second, and so on."""
    ranks: list[int] | None
    """The rank of each of their values; None if no two rows of the table have the same value."""

    @property
    def size(self) -> int:
        """The number of rows of each attribute."""
        return len(self.rows) // len(self.names)

    def of(self, name: str) -> SortedRun:
        """The run of one of the attributes."""
        return self.at(self.names.index(name))

    def at(self, at: int) -> SortedRun:
        """The run of the attribute at a place."""
        if len(self.names) == 1:
            return self
        here = slice(at * self.size, (at + 1) * self.size)
        return SortedRun((self.names[at],), self.rows[here], self.ranks and self.ranks[here])

    def within(self, some: Collection[int]) -> SortedRun:
        """The run of some of its rows."""
        return self._picked(bytes(map(some.__contains__, self.rows)))

    def parted(self, some: Collection[int]) -> tuple[SortedRun, SortedRun]:
        """The run of some of its rows, and the run of its other rows."""
        mine = bytes(map(some.__contains__, self.rows))
        return self._picked(mine), self._picked(mine.translate(_OTHER))

    def _picked(self, picks: bytes) -> SortedRun:
        """The run of the rows at whose places there is a 1."""
        ranks = None if self.ranks is None else list(compress(self.ranks, picks))
        return SortedRun(self.names, list(compress(self.rows, picks)), ranks)


_OTHER = bytes([1]) + bytes(255)
"""For `bytes.translate`: 0 becomes 1, and 1 becomes 0."""


class Counted(NamedTuple):
    """The counted value of each row."""

    target: Target
    of: Any
    """For each row the column of the target that counts it; or y, as a multiple of `y_unit`; or g and h in one."""
    y_unit: Rational = 1
    """The unit that all y are multiples of."""

    width: int = 0
    """The number of columns that are counted."""
    units: Sequence[Rational] = ()
    """The unit of each column, for rows that weigh 1; empty if all units are 1."""
    shift: int = 0
    """For derivatives, g and h are one number, g·2^shift + h."""
    places: Places | None = None
    """The columns of the target that are counted, None for all. The other columns are 0 in every row."""
    rows: Any = None
    """For derivatives, those of each row (`derivative_columns`)."""

    def sums(self, cells: Sequence[int], weights: Sequence[int] | None) -> list[int]:
        """The row of s_ij of some rows of the data, in whole units.

        Args:
            cells: the counted value of each row.
            weights: the weight of each row; None if all weigh one unit.
        """
        # One integer holds both derivatives, the second one in the low bits. Their sums do not run into one another, as
        # the shift leaves room for all rows.
        if isinstance(self.target, Gradients):
            weight = len(cells) if weights is None else sum(weights)
            both = sum(cells) if weights is None else sum(map(mul, weights, cells))
            return [weight, both >> self.shift, both & (1 << self.shift) - 1]
        if isinstance(self.target, Moments):
            products = cells if weights is None else list(map(mul, weights, cells))
            weight = len(cells) if weights is None else sum(weights)
            return [weight, sum(products), sum(map(mul, products, cells))]
        width = self.width
        # For few classes `count` of bytes is the fastest of all: each walk over the rows runs in C.
        if weights is None and width <= 8:
            return list(map((cells if isinstance(cells, bytes) else bytes(cells)).count, range(width)))
        found = [0] * width
        if weights is None:
            for cell, count in Counter(cells).items():
                found[cell] = count
        else:
            for cell, weight in zip(cells, weights, strict=True):
                found[cell] += weight
        return found


def counted(columns: Columns, target: Target) -> Counted:
    """The counted value of each row of a table: its class, or its number."""
    codes = columns.codes[columns.schema.target.name]
    if isinstance(target, Classes):
        return Counted(target, codes, 1, len(target.columns))
    whole, y_unit = multiples(columns.schema.numbers[columns.schema.target.name])
    units = (1, y_unit, simplest(Fraction(y_unit * y_unit)))
    return Counted(target, [whole[code] for code in codes], y_unit, len(units), () if y_unit == 1 else units)
