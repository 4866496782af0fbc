r"""The nodes of a boosted tree, judged by derivatives that are enclosed between bounds.

The score of a question is the part of its gain that differs from question to question:

$$S = \frac{G_L^2}{H_L + \lambda} + \frac{G_R^2}{H_R + \lambda}$$

1. A node scans each attribute once: `Arrival` holds the rows that come down to it in the order of every attribute, and
   G and H of a side are running sums. So the time grows with the rows times the attributes.
2. `Judge.scored` gives the questions that may be better than a limit. Most questions are far from the best one: a bound
   of their scores in short whole numbers leaves them out. The others are compared by quotients rounded outward. Only
   scores that these do not settle, such as exact ties, are compared as fractions; there, two questions that divide the
   rows alike count as one.
3. `Judge.question`, `Judge.leaf` and `Judge.stop` give a verdict that follows from the enclosures alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, compress, pairwise, product
from math import floor
from operator import itemgetter, not_
from typing import NamedTuple

from reference_tree.auditing.boosted_columns import Column, left_of
from reference_tree.auditing.boosters import Booster
from reference_tree.auditing.finding import shown
from reference_tree.auditing.program_derivatives import BITS, OPERATIONS, ULP, Ends, Known, Short, Sums
from reference_tree.auditing.stated import ROUNDED
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Test
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.rounding import significant

FEW, STRETCHES = 8, 8
"""The most neighbouring cuts that are bounded one by one, and the number of stretches into which more are divided."""


class Cut(NamedTuple):
    """A question that a node might ask: a cut of an attribute above some value, with the sums of its left side."""

    attribute: str
    rows: int
    """The number of rows with a value that go left: the first ones in the order of the attribute."""
    takes_unknown: bool
    """Whether the rows without a value go left, too."""
    sums: Sums
    is_edge: bool
    """Whether it is the edge of a bin."""
    values: int
    """The number of different values that a side has at most."""


class Arrival(NamedTuple):
    """The rows that arrive at a node, and for each attribute the rows with a value, sorted by it."""

    number: int
    depth: int
    rows: Sequence[int]
    orders: Mapping[str, Sequence[int]]
    whole: Sums
    """The sums of the rows."""
    cause: int | None = None
    """The node above whose question is at fault."""
    dropped: frozenset[str] = frozenset()
    """The attributes that the program may no longer use."""

    def side(self, cut: Cut) -> frozenset[int]:
        """The rows that a question sends left."""
        order = self.orders[cut.attribute]
        left = frozenset(order[: cut.rows])
        return left | (frozenset(self.rows) - frozenset(order)) if cut.takes_unknown else left

    def rest(self, left: frozenset[int]) -> frozenset[int]:
        """The rows that a question sends right."""
        return frozenset(self.rows) - left

    def part(
        self, left: frozenset[int], own: Sums, branches: Sequence[int], cause: int | None, dropped: frozenset[str]
    ) -> Iterator[Arrival]:
        """The two parts of the rows, the second one first, each sorted by every attribute."""
        chosen = {name: list(map(left.__contains__, order)) for name, order in self.orders.items()}
        for number, goes in zip(reversed(branches), (False, True), strict=True):
            orders = {name: _those(order, chosen[name], goes) for name, order in self.orders.items()}
            sums = own if goes else self.whole - own
            rows = _those(self.rows, map(left.__contains__, self.rows), goes)
            yield Arrival(number, self.depth + 1, rows, orders, sums, cause, dropped)


def _those(rows: Sequence[int], goes_left: Iterable[bool], goes: bool) -> list[int]:
    """The rows that go left, or the others, in their order."""
    return list(compress(rows, goes_left if goes else map(not_, goes_left)))


def score(sides: Iterable[Sums], reg_lambda: Rational, least: Rational) -> tuple[Fraction, Fraction]:
    """S, from below and from above, in units of 1/scale.

    Args:
        sides: the sums of both sides of a question; for the node itself, the sums of all rows.
        reg_lambda: λ, in these units.
        least: the least H of a side that is allowed.

    Example:
        >>> score([Sums(-3, -3, 2, 2), Sums(3, 4, 2, 2)], 1, 0)
        (Fraction(6, 1), Fraction(25, 3))
    """
    low = high = Fraction(0)
    for side in sides:
        ends = side.g_low**2, side.g_high**2
        low += Fraction(0 if side.g_low <= 0 <= side.g_high else min(ends)) / (max(side.h_high, least) + reg_lambda)
        high += Fraction(max(ends)) / (max(side.h_low, least) + reg_lambda)
    return low, high


class Judged(NamedTuple):
    """The verdict on a question or a leaf."""

    verdict: str
    message: str = ""
    among_gaps: str = ""
    """What is better among all gaps, if nothing is among the edges of bins; empty if nothing is there either."""
    about: Fraction = Fraction(0)
    """What the best question of a leaf gains about: not every edge is known, or not whether a bound forbids it."""


class Judge:
    """Judges the nodes of one tree."""

    def __init__(self, booster: Booster, columns: Mapping[str, Column], of: Known, bias: Ends) -> None:
        self.booster, self.columns, self.bias, self.leaves = booster, columns, bias, of
        self.known = of if booster.newton else replace(of, h=[(of.scale, of.scale)] * len(of.h))
        self.reg_lambda = simplest(Fraction(booster.reg_lambda * of.scale))
        self.least = simplest(Fraction(booster.min_child_weight * of.scale))
        if not self.reg_lambda + self.least > 0:
            raise InputError("either λ or the least H of a side has to be above 0")
        self.enough = (
            self.least * (1 + ROUNDED) if booster.rows_by_h else self.least
        )  # its H is the remainder of a sum of doubles
        self.slack = OPERATIONS * ULP[booster.gains]
        self.fewest = max(1, booster.min_samples_leaf)
        self.rows_by_h = booster.rows_by_h and not (booster.loss == "squared_error" and of.is_alike)

    @cached_property
    def _short(self) -> tuple[Short, Short]:
        return Short.of(self.known.g), Short.of(self.leaves.h)

    def root(self) -> Arrival:
        """All rows."""
        orders = {name: column.order for name, column in self.columns.items() if column.asks}
        return Arrival(0, 0, range(len(self.known.g)), orders, self.whole)

    # Every question of a node.

    def scored(
        self, at: Arrival, above: Rational = -1, only: str | None = None
    ) -> Iterator[tuple[int, int, bool, Cut]]:
        """The questions that may be allowed: the lower and upper bound of S, and whether some bound may forbid it.

        Args:
            at: the node.
            above: questions whose S is certainly at most this may be left out, in units of 1/scale.
            only: the attribute that is asked; None for all.

        Returns:
            For each question the bounds of S, in units of 2^-BITS/scale, rounded outward.
        """
        limit = floor(above * (1 << BITS))
        for name in at.orders if only is None else [only]:
            for cut in self.cuts(at, name, above):
                found = self._bounded(at, cut)
                if found is not None and found[1] > limit:
                    yield *found, cut

    def cuts(self, at: Arrival, name: str, above: Rational = -1) -> Iterator[Cut]:
        """The questions about an attribute whose S may be above a limit; rows without a value may go either way."""
        order, ranks, bins = at.orders[name], self.columns[name].ranks, self.columns[name].bins
        unknown: list[int] = []
        if 0 < len(order) < len(at.rows):
            there = frozenset(order)
            unknown = [row for row in at.rows if row not in there]
        counted: list[int] = []
        if self.rows_by_h:
            counted = list(accumulate((ranks[one] != ranks[other] for one, other in pairwise(order)), initial=0))
        for takes in (False, True) if unknown else (False,):
            last = len(order) + (bool(unknown) and not takes)
            ends = [
                end
                for end in self._filtered(at, order, range(1, last), takes, above)
                if end == len(order) or ranks[order[end - 1]] != ranks[order[end]]
            ]
            first = self.known.sums(unknown) if takes else Sums(0, 0, 0, 0)
            for end, own in zip(ends, self.known.prefixes(order, ends), strict=True):
                is_edge = end == len(order) or bins[ranks[order[end - 1]]] != bins[ranks[order[end]]]
                below = counted[end - 1] + 1 if counted else 0
                most = max(below, counted[-1] + 1 - below) + 1 if counted else 0
                yield Cut(name, end, takes, own + first if takes else own, is_edge, most)

    def matching(self, at: Arrival, name: str, n: Rational | None, h: Ends | None) -> Iterator[Cut]:
        """The questions about an attribute that send n rows left, with an H between bounds, as far as given."""
        unknown = len(at.rows) - len(at.orders[name])
        for cut in self.cuts(at, name):
            if n in (None, cut.rows + unknown * cut.takes_unknown) and (
                h is None or (cut.sums.h_low <= h[1] and h[0] <= cut.sums.h_high)
            ):
                yield cut

    def _filtered(self, at: Arrival, order: Sequence[int], ends: range, takes: bool, above: Rational) -> Iterable[int]:
        """The places of cuts whose S may be above a limit.

        With |G| ≤ |a| + e for a short sum a, G² ≤ a² + e(2m + e), where m is the largest |a|; and H is at least its
        short sum. So S is at most (a² + k)/(c + λ) + (b² + k)/(d + λ). That is convex in a and c, and so largest at a
        corner of the bounds of a and c in a stretch of neighbouring cuts, which is left out at once if all four corners
        are below the limit.
        """
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
        off = g_off * len(at.rows)
        k = off * (2 * (max(max(g_sums), -min(g_sums)) + abs(g_all) + abs(g_first)) + off)
        reg = floor(self.reg_lambda) >> h_drop
        limit = floor(above * (1 << h_drop) / (1 << 2 * g_drop))
        b_first, c_first, d_first = g_all - g_first, h_first + reg, h_all - h_first + reg

        def may_be_above(a: int, c: int) -> bool:
            left, right = c + c_first, d_first - c
            if not left * right:
                return True
            return ((a + g_first) ** 2 + k) * right + ((b_first - a) ** 2 + k) * left > limit * left * right

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
            if any(may_be_above(a, c) for a, c in corners):
                size = -(-(end - begin) // STRETCHES)
                pending += [(at, min(at + size, end)) for at in range(begin, end, size)][::-1]

    def _bounded(self, at: Arrival, cut: Cut) -> tuple[int, int, bool] | None:
        """The bounds of S of a question, and whether some bound may forbid it; None if one certainly does."""
        n, whole, least, enough = len(at.rows), at.whole, self.least, self.enough
        rows = cut.rows + (n - len(at.orders[cut.attribute])) * cut.takes_unknown
        is_small, may_be_small = self.few((rows, n - rows), cut.sums, whole, cut.values)
        if is_small:
            return None
        p, q = self.reg_lambda.numerator, self.reg_lambda.denominator
        low = high = 0
        may_be_barred = may_be_small or cut.attribute in at.dropped
        for gl, gh, hl, hh in (cut.sums, whole - cut.sums):
            if hh < least:
                return None
            if hl < enough:
                may_be_barred, hl = True, max(hl, floor(least))
            one, other = gl * gl, gh * gh
            if one > other:
                one, other = other, one
            high += (other * q << BITS) // (hl * q + p) + 1
            if not gl <= 0 <= gh:
                low += (one * q << BITS) // (hh * q + p)
        return low, high, may_be_barred

    def few(self, rows: tuple[int, int], own: Sums, whole: Sums, values: int) -> tuple[bool, bool]:
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
        if not self.rows_by_h or whole.h_low <= 0:
            return fewer < self.fewest, fewer < self.fewest
        n, off = sum(rows), Fraction(values, 2)
        low, high = Fraction(n * own.h_low, whole.h_high), Fraction(n * own.h_high, whole.h_low)
        surely = high + off < self.fewest or n - low + off < self.fewest
        return surely, min(low, n - high) - off < self.fewest or fewer < self.fewest

    def dropped(self, at: Arrival) -> frozenset[str]:
        """The attributes that a program may drop below a node, because none of their questions certainly gains."""
        if not self.booster.drops:
            return frozenset()
        parent = self.score(at.whole)[1]
        names = (name for name in at.orders if name not in at.dropped)
        return at.dropped | {name for name in names if not self._gains_by(at, name, parent)}

    def _gains_by(self, at: Arrival, name: str, parent: Fraction) -> bool:
        """Whether some question about an attribute certainly gains enough and certainly is allowed."""
        found = self.scored(at, parent + self._enough(), name)
        allowed = (Fraction(low, 1 << BITS) for low, _, barred, cut in found if cut.is_edge and not barred)
        return any(low - parent - self.slack * (low + parent) > self._enough() for low in allowed)

    def score(self, *sides: Sums) -> tuple[Fraction, Fraction]:
        """The exact bounds of S for some sides."""
        return score(sides, self.reg_lambda, self.least)

    def exactly(self, cut: Cut, whole: Sums) -> tuple[Fraction, Fraction]:
        """The exact bounds of S for a question."""
        return self.score(cut.sums, whole - cut.sums)

    def name(self, at: Arrival, cut: Cut) -> str:
        """The name of a question, as it is printed."""
        return f"{cut.attribute} cut above {_shown(self.ends(at, cut)[0])}"

    def ends(self, at: Arrival, cut: Cut) -> Sequence[Rational]:
        """The values between which a question cuts: the largest that goes left, and the next one, if there is one."""
        column, order = self.columns[cut.attribute], at.orders[cut.attribute]
        rank = column.ranks[order[cut.rows - 1]]
        return column.values[rank : rank + 2]

    def left(self, at: Arrival, test: Test, default: int | None) -> frozenset[int]:
        """The rows that a question sends to its first branch; those without a value go to the branch `default`."""
        return left_of(test, default, self.columns[test.attributes[0]], at.rows)

    def distinct(self, at: Arrival, name: str) -> int:
        """The number of values that an attribute has at a node."""
        return len(set(map(self.columns[name].ranks.__getitem__, at.rows)))

    # The node itself.

    def question(self, at: Arrival, test: Test, left: frozenset[int], own: Sums, *, has_leaves: bool) -> Judged:
        """The verdict on a question, which sends these rows to the first branch."""
        if self.booster.max_depth is not None and at.depth >= self.booster.max_depth:
            return Judged(
                "split-too-far", f"it lies {at.depth} questions deep, and max_depth is {self.booster.max_depth}"
            )
        whole = at.whole
        if bound := self._bound(at, test, left, own):
            return Judged("not-a-candidate", f"{shown(test).name} {bound}")
        low, high = self.score(own, whole - own)
        parent = self.score(whole)
        rivals = list(self.scored(at, low))
        better = [
            self._better(at, whole, high, parent[1], [one for one in rivals if one[3].is_edge or gaps])
            for gaps in (False, True)
        ]
        if better[0]:
            return Judged("suboptimal", better[0])
        if has_leaves and high - parent[0] + self.slack * (high + parent[1]) < self._enough():
            gained = significant((high - parent[0]) / self.known.scale, 6)
            return Judged("split-too-far", f"it gains {gained} at most, and has to gain {_shown(self._floor())}")
        right = at.rest(left)
        rounded = any(
            self.exactly(cut, whole)[1] > low and at.side(cut) not in (left, right) for *_, cut in rivals if cut.is_edge
        )
        return Judged("within-rounding" if rounded else "optimal", among_gaps=better[1])

    def _better(
        self, at: Arrival, whole: Sums, high: Fraction, parent: Fraction, rivals: Sequence[tuple[int, int, bool, Cut]]
    ) -> str:
        """The question that certainly is allowed and gains more than one of score `high`; empty if none is known."""
        best = max((one for one in rivals if not one[2]), key=itemgetter(0), default=None)
        if best is None:
            return ""
        worth = self.exactly(best[3], whole)[0]
        if worth <= high + self.slack * (worth + high + 2 * parent):
            return ""
        return f"{self.name(at, best[3])} gains at least {significant((worth - high) / self.known.scale, 6)} more"

    def _bound(self, at: Arrival, test: Test, left: frozenset[int], own: Sums) -> str:
        """The bound that certainly forbids a question; empty if none does."""
        rows, whole = (len(left), len(at.rows) - len(left)), at.whole
        (name,) = test.attributes
        fewer = min(rows)
        if self.few(rows, own, whole, self.distinct(at, name) if self.rows_by_h else 0)[0]:
            return f"leaves {fewer} row{'s' * (fewer != 1)} on a side, of which there have to be {self.fewest}"
        h = min(own.h_high, (whole - own).h_high)
        if h < self.least:
            return f"leaves an H of {_shown(Fraction(h, self.known.scale))}, and min_child_weight is more"
        return ""

    def _floor(self) -> Rational:
        return max(self.booster.gamma, self.booster.epsilon)

    def _enough(self) -> Fraction:
        """The gain that a question needs, in units of 1/scale."""
        return Fraction(self._floor() * self.known.scale)

    def leaf(self, at: Arrival, value: Fraction, more: Rational = 0) -> Judged:
        """The verdict on the value of a leaf; `more` may have been added to λ."""
        is_idle = self.booster.idle_root and at.number == 0 and self.is_start(value)
        if (
            not is_idle
            and at.rows
            and (ends := self.worth_of(self.leaves.sums(at.rows), more=more))
            and not ends[0] <= value <= ends[1]
        ):
            bounds = " to ".join(dict.fromkeys(significant(end, 9) for end in ends))
            return Judged("wrong-leaf", f"it adds {significant(value, 9)}; its rows give {bounds}")
        return Judged("optimal")

    def stop(self, at: Arrival) -> Judged:
        """The verdict on a leaf that may still be split, and what its best question gains about."""
        parent = self.score(at.whole)[1]
        found = list(self.scored(at, parent + self._enough()))
        n, whole = len(at.rows), at.whole
        likely = (
            Fraction(low, 1 << BITS)
            for low, _, _, cut in found
            if not self.rows_by_h
            or 2 * n * min(cut.sums.h_low, (whole - cut.sums).h_low) >= (2 * self.fewest - 1) * whole.h_low
        )
        about = max(likely, default=parent) - parent
        allowed = ((low, cut) for low, _, may_be_barred, cut in found if cut.is_edge and not may_be_barred)
        best = max(allowed, key=itemgetter(0), default=None)
        if best is not None:
            low = self.exactly(best[1], at.whole)[0]
            gain = low - parent - self.slack * (low + parent)
            if gain > self._enough():
                gained = significant(gain / self.known.scale, 6)
                return Judged("stopped-early", f"{self.name(at, best[1])} gains at least {gained}", about=about)
        return Judged("optimal", about=about)

    def worth_of(self, whole: Sums, rate: Rational | None = None, more: Rational = 0) -> Ends:
        """The lower and upper bound of the value of a leaf of rows with these sums.

        Args:
            whole: the sums.
            rate: the factor of the value, which then has no start in it; None for the learning rate and the start.
            more: what may have been added to λ.
        """
        start = self._start() if rate is None else (Fraction(0), Fraction(0))
        rate = self.booster.rate if rate is None else rate
        below, above = (Fraction(max(h, self.least) + self.reg_lambda) for h in (whole.h_low, whole.h_high))
        above += more * self.known.scale
        ends = [-rate * g / h for g in (whole.g_low, whole.g_high) for h in (below, above)]
        low, high = min(ends), max(ends)
        spare, lost = OPERATIONS * ULP["float32"], rate * self._lost / below
        return low - spare * abs(low) - lost + start[0], high + spare * abs(high) + lost + start[1]

    @cached_property
    def whole(self) -> Sums:
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


def _shown(number: Rational) -> str:
    return str(significant(number, 9))
