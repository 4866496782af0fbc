r"""The nodes of a boosted tree: what follows for their tests from derivatives that are enclosed between bounds.

The score of a test is the part of its gain that differs from test to test:

$$S = \frac{G_L^2}{H_L + \lambda} + \frac{G_R^2}{H_R + \lambda}$$

1. A node scans each attribute once: `BoostedRows` holds the rows that come down to it in the order of every attribute,
   and G and H of a side are running sums. So the time grows with the rows times the attributes.
2. `Enclosures.scored` gives the tests that may be better than a limit. Most tests are far from the best one: a
   bound of their scores in short whole numbers leaves them out. The others are compared by quotients rounded outward.
   Only scores that these do not settle, such as exact ties, are compared as fractions; there, two tests that divide
   the rows alike count as one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, compress, pairwise, product
from math import ceil, floor, lcm
from operator import not_
from typing import Any, NamedTuple

from reference_tree.auditing.program_derivatives import (
    BITS,
    OPERATIONS,
    ULP,
    EnclosedDerivatives,
    EnclosedSums,
    Ends,
    Short,
)
from reference_tree.auditing.stated import ROUNDED
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Subset, Test, Threshold
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.rounding import significant
from reference_tree.programs.boosters import BoosterParameters
from reference_tree.programs.practices import EPSILON

LONGEST = 4096
"""The most bits of a common denominator of a column."""

Bins = Mapping[str, Sequence[Any]]
"""Attribute → the bin of each row; a histogram learner cuts only between bins."""

FEW, STRETCHES = 8, 8
"""The most neighbouring cuts that are bounded one by one, and the number of stretches into which more are divided."""


# The columns of a table, by ranks, so that nothing but whole numbers is compared.


class RankedColumn(NamedTuple):
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


def columns_of(table: Table, bins: Bins | None = None) -> dict[str, RankedColumn]:
    """The columns of a table.

    Args:
        table: the rows, as the program saw them.
        bins: the bin of each row; None if every value is a bin.

    Example:
        >>> columns_of(Table.from_columns({"x": [4, 1, None, 4], "y": [0, 0, 1, 1]}, "y"))["x"]
        RankedColumn(ranks=[1, 0, -1, 1], values=[1, 4], bins=range(0, 2), order=[1, 0, 3], asks=True)
    """
    found = {}
    for attribute in table.schema.attributes:
        column: list[Any] = list(table.columns[attribute.name])
        # Categories have no order to cut; only their place in the domain is needed.
        if attribute.values is not None:
            values: list[Any] = list(attribute.domain)
            ranks = [-1 if code is None else int(code) for code in column]
        else:
            # Ranks are compared instead of values: whole numbers are equal exactly if the values are.
            whole = _whole(column)
            different = {number: value for number, value in zip(whole, column, strict=True) if value is not None}
            places = {number: place for place, number in enumerate(sorted(different))}
            values = [different[number] for number in places]
            ranks = [places.get(number, -1) for number in whole]
        order = sorted((row for row, rank in enumerate(ranks) if rank >= 0), key=ranks.__getitem__)
        known: Sequence[Any] = range(len(values))
        # A bin is one of values: all rows of a value lie in the same one.
        if bins is not None and attribute.name in bins:
            of = {ranks[row]: each for row, each in enumerate(bins[attribute.name])}
            known = [of.get(rank) for rank in known]
        found[attribute.name] = RankedColumn(ranks, values, known, order, attribute.values is None)
    return found


def _whole(column: Sequence[Rational | None]) -> Sequence[Any]:
    """Numbers as whole multiples of the same unit, which are compared fast; as they are if the unit would be tiny."""
    scale = 1
    for denominator in {value.denominator for value in column if value is not None}:
        scale = lcm(scale, denominator)
        # Unlike denominators multiply, and a common one of thousands of bits would be slower than the fractions.
        if scale.bit_length() > LONGEST:
            return column
    return [None if value is None else value.numerator * (scale // value.denominator) for value in column]


def left_of(test: Test, default: int | None, column: RankedColumn, rows: Iterable[int]) -> frozenset[int]:
    """The rows that take the first branch of a test.

    Args:
        test: the test.
        default: the place of the branch for rows without a value.
        column: the column of its attribute.
        rows: the rows that are asked.

    Raises:
        InputError: it is no test about one number, or about the set of values of one category.
    """
    # A row without a value has the rank -1, which lies below every bound: it goes left exactly if the default is left.
    ranks, unknown = column.ranks, default == 0
    if isinstance(test, Threshold):
        # The values are sorted, so that a threshold is a bound of the ranks.
        bound = (bisect_left if test.strict else bisect_right)(column.values, test.threshold)
        if unknown:
            return frozenset([row for row in rows if ranks[row] < bound])
        return frozenset([row for row in rows if 0 <= ranks[row] < bound])
    if not isinstance(test, Subset):
        raise InputError("boosted trees are judged if their tests are of a number, or of a set of categories")
    chosen = {place for place, value in enumerate(column.values) if value in test.values} | ({-1} if unknown else set())
    return frozenset(row for row in rows if ranks[row] in chosen)


# The tests of a node.


class BoostedCut(NamedTuple):
    """A test that a node might have: a cut of an attribute above some value, with the sums of its left side."""

    attribute: str
    rows: int
    """The number of rows with a value that go left: the first ones in the order of the attribute."""
    takes_unknown: bool
    """Whether the rows without a value go left, too."""
    sums: EnclosedSums
    is_edge: bool
    """Whether it is the edge of a bin."""
    values: int
    """The number of different values that a side has at most."""


class BoostedRows(NamedTuple):
    """The rows that arrive at a node, and for each attribute the rows with a value, sorted by it."""

    number: int
    depth: int
    rows: Sequence[int]
    orders: Mapping[str, Sequence[int]]
    whole: EnclosedSums
    """The sums of the rows."""
    cause: int | None = None
    """The node above whose test is at fault."""
    dropped: frozenset[str] = frozenset()
    """The attributes that the program may no longer use."""
    left: frozenset[int] = frozenset()
    """The rows that its test sends to the first branch."""
    own: EnclosedSums = EnclosedSums(0, 0, 0, 0)
    """The sums of these rows."""

    @property
    def sides(self) -> tuple[EnclosedSums, EnclosedSums]:
        """The sums of both branches."""
        return self.own, self.whole - self.own

    def side(self, cut: BoostedCut) -> frozenset[int]:
        """The rows that a test sends left."""
        order = self.orders[cut.attribute]
        left = frozenset(order[: cut.rows])
        return left | (frozenset(self.rows) - frozenset(order)) if cut.takes_unknown else left

    def rest(self, left: frozenset[int]) -> frozenset[int]:
        """The rows that a test sends right."""
        return frozenset(self.rows) - left

    def parts(self, branches: Sequence[int], cause: int | None, dropped: frozenset[str]) -> Iterator[BoostedRows]:
        """The two parts of the rows, the second one first, each sorted by every attribute."""
        chosen = {name: list(map(self.left.__contains__, order)) for name, order in self.orders.items()}
        for number, goes, sums in zip(reversed(branches), (False, True), reversed(self.sides), strict=True):
            orders = {name: _those(order, chosen[name], goes) for name, order in self.orders.items()}
            rows = _those(self.rows, map(self.left.__contains__, self.rows), goes)
            yield BoostedRows(number, self.depth + 1, rows, orders, sums, cause, dropped)


def _those(rows: Sequence[int], goes_left: Iterable[bool], goes: bool) -> list[int]:
    """The rows that go left, or the others, in their order."""
    return list(compress(rows, goes_left if goes else map(not_, goes_left)))


def score(sides: Iterable[EnclosedSums], reg_lambda: Rational, least: Rational) -> tuple[Fraction, Fraction]:
    """S, from below and from above, in units of 1/scale.

    Args:
        sides: the sums of both sides of a test; for the node itself, the sums of all rows.
        reg_lambda: λ, in these units.
        least: the least H of a side that is allowed.

    Example:
        >>> score([EnclosedSums(-3, -3, 2, 2), EnclosedSums(3, 4, 2, 2)], 1, 0)
        (Fraction(6, 1), Fraction(25, 3))
    """
    low = high = Fraction(0)
    for side in sides:
        # G² is least at 0 if the bounds have it between them, and largest at one of the ends; a quotient is least where
        # its denominator is largest.
        ends = side.g_low**2, side.g_high**2
        low += Fraction(0 if side.g_low <= 0 <= side.g_high else min(ends)) / (max(side.h_high, least) + reg_lambda)
        high += Fraction(max(ends)) / (max(side.h_low, least) + reg_lambda)
    return low, high


class Enclosures:
    """What follows for the nodes of one tree from the bounds of the derivatives of its rows."""

    def __init__(
        self, booster: BoosterParameters, columns: Mapping[str, RankedColumn], of: EnclosedDerivatives, bias: Ends
    ) -> None:
        self.booster, self.columns, self.bias, self.leaves = booster, columns, bias, of
        # A program without second derivatives judges tests by the number of rows, or by their weights: these stand for
        # h.
        counted = of.weights or [of.scale] * of.rows
        self.known = of if booster.newton else replace(of, h=[(weight, weight) for weight in counted])
        self.reg_lambda = simplest(Fraction(booster.reg_lambda * of.scale))
        self.least = simplest(Fraction(booster.min_child_weight * of.scale))
        # Otherwise a side of H = 0 would have no score at all.
        if not self.reg_lambda + self.least > 0:
            raise InputError("either λ or the least H of a side has to be above 0")
        self.enough = (
            self.least * (1 + ROUNDED) if booster.rows_by_h else self.least
        )  # its H is the remainder of a sum of doubles
        self.whole_bounds = ceil(self.least), ceil(self.enough)
        """The same two for sums, which are whole numbers."""
        self.slack = OPERATIONS * ULP[booster.gains]
        self.floor = max(booster.gamma, booster.epsilon)
        """The gain that a test needs."""
        self.enough_gain = Fraction(self.floor * of.scale)
        """The same, in units of 1/scale."""
        self.fewest = max(1, booster.min_samples_leaf)
        self.rows_by_h = booster.rows_by_h and not (booster.loss == "squared_error" and of.is_alike)

    @cached_property
    def _short(self) -> tuple[Short, Short]:
        return Short.of(self.known.g), Short.of(self.leaves.h)

    def root(self) -> BoostedRows:
        """All rows."""
        orders = {name: column.order for name, column in self.columns.items() if column.asks}
        return BoostedRows(0, 0, range(len(self.known.g)), orders, self.whole)

    # Every test of a node.

    def scored(
        self, at: BoostedRows, above: Rational = -1, only: str | None = None
    ) -> Iterator[tuple[int, int, bool, BoostedCut]]:
        """The tests that may be allowed: the lower and upper bound of S, and whether some bound may forbid it.

        Args:
            at: the node.
            above: tests whose S is certainly at most this may be left out, in units of 1/scale.
            only: the attribute that is asked; None for all.

        Returns:
            For each test the bounds of S, in units of 2^-BITS/scale, rounded outward.
        """
        # Everything is compared in whole units of 2^-BITS, rounded outward: a test that is left out is certainly worth
        # no more.
        limit = floor(above * (1 << BITS))
        for name in at.orders if only is None else [only]:
            for cut in self.cuts(at, name, above):
                found = self._bounded(at, cut)
                if found is not None and found[1] > limit:
                    yield *found, cut

    def cuts(self, at: BoostedRows, name: str, above: Rational = -1) -> Iterator[BoostedCut]:
        """The tests about an attribute whose S may be above a limit; rows without a value may go either way."""
        order, ranks, bins = at.orders[name], self.columns[name].ranks, self.columns[name].bins
        # Rows without a value go left or right, whichever is better; so every cut is two tests where there are such
        # rows.
        unknown: list[int] = []
        if 0 < len(order) < len(at.rows):
            there = frozenset(order)
            unknown = [row for row in at.rows if row not in there]
        counted: list[int] = []
        if self.rows_by_h:
            counted = list(accumulate((ranks[one] != ranks[other] for one, other in pairwise(order)), initial=0))
        # With the unknown rows on the right, the cut above the last value divides known from unknown.
        for takes in (False, True) if unknown else (False,):
            last = len(order) + (bool(unknown) and not takes)
            # A cut lies only between two different values.
            ends = [
                end
                for end in self._filtered(at, order, range(1, last), takes, above)
                if end == len(order) or ranks[order[end - 1]] != ranks[order[end]]
            ]
            first = self.known.sums(unknown) if takes else EnclosedSums(0, 0, 0, 0)
            for end, own in zip(ends, self.known.prefixes(order, ends), strict=True):
                is_edge = end == len(order) or bins[ranks[order[end - 1]]] != bins[ranks[order[end]]]
                below = counted[end - 1] + 1 if counted else 0
                most = max(below, counted[-1] + 1 - below) + 1 if counted else 0
                yield BoostedCut(name, end, takes, own + first if takes else own, is_edge, most)

    def matching(self, at: BoostedRows, name: str, n: Rational | None, h: Ends | None) -> Iterator[BoostedCut]:
        """The tests about an attribute that send n rows left, with an H between bounds, as far as given."""
        unknown = len(at.rows) - len(at.orders[name])
        for cut in self.cuts(at, name):
            if n in (None, cut.rows + unknown * cut.takes_unknown) and (
                h is None or (cut.sums.h_low <= h[1] and h[0] <= cut.sums.h_high)
            ):
                yield cut

    def _filtered(
        self, at: BoostedRows, order: Sequence[int], ends: range, takes: bool, above: Rational
    ) -> Iterable[int]:
        """The places of cuts whose S may be above a limit.

        With |G| ≤ |a| + e for a short sum a, G² ≤ a² + e(2m + e), where m is the largest |a|; and H is at least its
        short sum. So S is at most (a² + k)/(c + λ) + (b² + k)/(d + λ). That is convex in a and c, and so largest at a
        corner of the bounds of a and c in a stretch of neighbouring cuts, which is left out at once if all four corners
        are below the limit.
        """
        # Without a limit nothing can be left out.
        if above < 0 or not ends:
            yield from ends
            return
        (g, g_drop, g_off), (h, h_drop, _) = self._short
        g_sums, h_sums = list(accumulate(map(g.__getitem__, order))), list(accumulate(map(h.__getitem__, order)))
        g_all, h_all = g_sums[-1], h_sums[-1]
        g_first = h_first = 0
        if len(order) < len(at.rows):
            g_all, h_all = sum(map(g.__getitem__, at.rows)), sum(map(h.__getitem__, at.rows))
            if takes:
                g_first, h_first = g_all - g_sums[-1], h_all - h_sums[-1]
        # k bounds what the shortening of the numbers may have taken off a square, for both sides at once.
        off = g_off * len(at.rows)
        k = off * (2 * (max(max(g_sums), -min(g_sums)) + abs(g_all) + abs(g_first)) + off)
        reg = floor(self.reg_lambda) >> h_drop
        limit = floor(above * (1 << h_drop) / (1 << 2 * g_drop))
        # H of the left side rises with the cut, for no h is below 0; the right side has the rest.
        b_first, c_first, d_first = g_all - g_first, h_first + reg, h_all - h_first + reg

        def may_be_above(a: int, c: int) -> bool:
            left, right = c + c_first, d_first - c
            if not left * right:
                return True
            return ((a + g_first) ** 2 + k) * right + ((b_first - a) ** 2 + k) * left > limit * left * right

        # Stretches of cuts are divided until they are short, or certainly below the limit.
        pending = [(0, len(ends))]
        while pending:
            begin, end = pending.pop()
            if end - begin <= FEW:
                yield from [
                    place
                    for place, a, c in zip(range(begin + 1, end + 1), g_sums[begin:end], h_sums[begin:end], strict=True)
                    if ((a + g_first) ** 2 + k) * (right := d_first - c)
                    + ((b_first - a) ** 2 + k) * (left := c + c_first)
                    > limit * left * right
                    or not left * right
                ]
                continue
            part = g_sums[begin:end]
            corners = product((min(part), max(part)), (h_sums[begin], h_sums[end - 1]))
            # Convex in a and in c: if no corner of the box is above the limit, no cut in the stretch is.
            if any(may_be_above(a, c) for a, c in corners):
                size = -(-(end - begin) // STRETCHES)
                pending += [(at, min(at + size, end)) for at in range(begin, end, size)][::-1]

    def _bounded(self, at: BoostedRows, cut: BoostedCut) -> tuple[int, int, bool] | None:
        """The bounds of S of a test, and whether some bound may forbid it; None if one certainly does."""
        n, whole, (least, enough) = len(at.rows), at.whole, self.whole_bounds
        rows = cut.rows + (n - len(at.orders[cut.attribute])) * cut.takes_unknown
        is_small, may_be_small = self.few((rows, n - rows), cut.sums, whole, cut.values)
        # A test that is certainly barred is no rival; one that may be barred is a rival that proves nothing.
        if is_small:
            return None
        p, q = self.reg_lambda.numerator, self.reg_lambda.denominator
        low = high = 0
        may_be_barred = may_be_small or cut.attribute in at.dropped
        # The same bounds as those of `score`, in whole numbers: p/q is λ, and each quotient is rounded outward.
        for gl, gh, hl, hh in (cut.sums, whole - cut.sums):
            if hh < least:
                return None
            if hl < enough:
                may_be_barred, hl = True, max(hl, floor(self.least))
            one, other = gl * gl, gh * gh
            if one > other:
                one, other = other, one
            high += (other * q << BITS) // (hl * q + p) + 1
            if not gl <= 0 <= gh:
                low += (one * q << BITS) // (hh * q + p)
        return low, high, may_be_barred

    def few(self, rows: tuple[int, int], own: EnclosedSums, whole: EnclosedSums, values: int) -> tuple[bool, bool]:
        """Whether a side certainly has too few rows, and whether it possibly has.

        LightGBM adds up the rounded n·h/H of the bins of one side, each wrong by at most half a row; the other side has
        the rest of the n rows.

        Args:
            rows: the number of rows of each side.
            own: the sums of the first side.
            whole: the sums of both sides together.
            values: the number of bins that a side may have.
        """
        fewer = min(rows)
        # The plain rule counts rows, and leaves no doubt.
        if not self.rows_by_h or whole.h_low <= 0:
            return fewer < self.fewest, fewer < self.fewest
        n, fewest = 2 * sum(rows), 2 * self.fewest  # all in halves of a row; low/H and high/H are the bounds of n·h/H
        low, high = n * own.h_low, n * own.h_high
        surely = high < (fewest - values) * whole.h_low or low > (n + values - fewest) * whole.h_high
        may_be = low < (fewest + values) * whole.h_high or high > (n - values - fewest) * whole.h_low
        return surely, may_be or fewer < self.fewest

    def dropped(self, at: BoostedRows) -> frozenset[str]:
        """The attributes that a program may drop below a node, because none of their tests certainly gains."""
        if not self.booster.drops:
            return frozenset()
        parent = self.score(at.whole)[1]
        names = (name for name in at.orders if name not in at.dropped)
        return at.dropped | {name for name in names if not self._gains_by(at, name, parent)}

    def _gains_by(self, at: BoostedRows, name: str, parent: Fraction) -> bool:
        """Whether some test about an attribute certainly gains enough and certainly is allowed."""
        enough = (parent * (1 + self.slack) + self.enough_gain) / (1 - self.slack)  # S - parent - slack(S + parent)
        limit = floor(enough * (1 << BITS))
        bounds = (self._bounded(at, cut) for cut in self.cuts(at, name, enough) if cut.is_edge)
        return any(found is not None and found[0] > limit and not found[2] for found in bounds)

    def score(self, *sides: EnclosedSums) -> tuple[Fraction, Fraction]:
        """The exact bounds of S for some sides."""
        return score(sides, self.reg_lambda, self.least)

    def exactly(self, cut: BoostedCut, whole: EnclosedSums) -> tuple[Fraction, Fraction]:
        """The exact bounds of S for a test."""
        return self.score(cut.sums, whole - cut.sums)

    def name(self, at: BoostedRows, cut: BoostedCut) -> str:
        """The name of a test, as it is printed."""
        return f"{cut.attribute} cut above {significant(self.ends(at, cut)[0], 9)}"

    def ends(self, at: BoostedRows, cut: BoostedCut) -> Sequence[Rational]:
        """The values between which a test cuts: the largest that goes left, and the next one, if there is one."""
        column, order = self.columns[cut.attribute], at.orders[cut.attribute]
        rank = column.ranks[order[cut.rows - 1]]
        return column.values[rank : rank + 2]

    def left(self, at: BoostedRows, test: Test, default: int | None) -> frozenset[int]:
        """The rows that a test sends to its first branch; those without a value go to the branch `default`."""
        return left_of(test, default, self.columns[test.attributes[0]], at.rows)

    def distinct(self, at: BoostedRows, name: str) -> int:
        """The number of values that an attribute has at a node."""
        return len(set(map(self.columns[name].ranks.__getitem__, at.rows)))

    # The node itself.

    def no_impurity(self, rows: Sequence[int]) -> Rational:
        """The gain of a node that a program which looks at no h may find to be without impurity, in units of 1/scale.

        Such a program makes a leaf where the weighted variance of g, a difference of sums of doubles, is at most
        `EPSILON`.
        """
        if self.booster.newton:
            return 0
        weight = sum(self.known.h[row][0] for row in rows)
        squares = sum(Fraction(max(map(abs, self.known.g[row])) ** 2, self.known.h[row][0]) for row in rows)
        return EPSILON * weight + len(rows) * 4 * ULP["double"] * squares

    def worth_of(self, whole: EnclosedSums, rate: Rational | None = None, more: Rational = 0) -> Ends:
        """The lower and upper bound of the value of a leaf of rows with these sums.

        Args:
            whole: the sums.
            rate: the factor of the value, which then has no start in it; None for the learning rate and the start.
            more: what may have been added to λ.
        """
        start = self._start() if rate is None else (Fraction(0), Fraction(0))
        rate = self.booster.rate if rate is None else rate
        # The H of a root may be less than what a side needs. Where an H may be 0, it is taken for that of a side.
        least = 0 if whole.h_low + self.reg_lambda > 0 else self.least
        below, above = (Fraction(max(h, least) + self.reg_lambda) for h in (whole.h_low, whole.h_high))
        above += more * self.known.scale
        ends = [-rate * g / h for g in (whole.g_low, whole.g_high) for h in (below, above)]
        low, high = min(ends), max(ends)
        spare, lost = OPERATIONS * ULP["float32"], rate * self._lost / below
        return low - spare * abs(low) - lost + start[0], high + spare * abs(high) + lost + start[1]

    @cached_property
    def whole(self) -> EnclosedSums:
        """The sums of all rows."""
        return self.known.sums(range(self.known.rows))

    def worth_of_any(self, rows: Sequence[int]) -> Ends:
        """The bounds of the value of a leaf of some of the rows: a mean of their -g/h, brought nearer to 0."""
        ends = [Fraction(0)]
        for row in rows:
            for g in self.leaves.g[row]:
                ends += [-g / Fraction(max(h, self.known.scale >> BITS, 1)) for h in self.leaves.h[row]]
        most = sum(max(map(abs, self.known.g[row])) for row in rows) / Fraction(self.reg_lambda + self.least)
        low, high = max(min(ends), -most), min(max(ends), most)
        start = self._start()
        return self.booster.rate * low + start[0], self.booster.rate * high + start[1]

    @cached_property
    def _lost(self) -> Fraction:
        """The error of a sum of doubles: of n numbers, n roundings of at most n times the largest."""
        return self.known.largest * self.known.rows**2 * ULP["double"]

    def _start(self) -> Ends:
        """The bounds of the start that the value of a leaf contains."""
        near = ULP["double"] * 4 * max(map(abs, self.bias))
        return self.bias[0] - near, self.bias[1] + near

    def is_start(self, value: Fraction) -> bool:
        """Whether a leaf value is the start alone."""
        low, high = self._start()
        return low <= value <= high
