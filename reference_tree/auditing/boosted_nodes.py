r"""The nodes of a boosted tree, judged by derivatives that are enclosed between bounds.

The score of a question is the part of its gain that differs from question to question:

$$S = \frac{G_L^2}{H_L + \lambda} + \frac{G_R^2}{H_R + \lambda}$$

1. A node scans each attribute once: `Arrival` holds the rows that come down to it in the order of every attribute, and
   G and H of a side are running sums. So the time grows with the rows times the attributes.
2. `Judge.scored` compares scores as whole numbers, by quotients rounded outward. Only scores that these do not settle,
   such as exact ties, are compared as fractions; there, two questions that divide the rows alike count as one.
3. `Judge.question` and `Judge.leaf` give a verdict that follows from the enclosures alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import floor
from typing import Any, NamedTuple, cast

from reference_tree.auditing.boosters import Booster
from reference_tree.auditing.finding import WITHIN_ROUNDING, shown
from reference_tree.auditing.program_derivatives import BITS, OPERATIONS, ULP, Ends, Known, Sums
from reference_tree.auditing.sums_of_doubles import ROUNDED
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.rounding import significant

Bins = Mapping[str, Sequence[Any]]
"""Attribute → the bin of each row; a histogram learner cuts only between bins."""


class Cut(NamedTuple):
    """A question that a node might ask: a cut of an attribute above some value, with the sums of its left side."""

    attribute: str
    rows: int
    """The number of rows with a value that go left: the first ones in the order of the attribute."""
    takes_unknown: bool
    """Whether the rows without a value go left, too."""
    sums: Sums


class Arrival(NamedTuple):
    """The rows that arrive at a node, and for each attribute the rows with a value, sorted by it."""

    number: int
    depth: int
    rows: Sequence[int]
    orders: Mapping[str, Sequence[int]]
    cause: int | None = None
    """The node above whose question is at fault."""
    dropped: frozenset[str] = frozenset()
    """The attributes that the program may no longer use."""

    def side(self, cut: Cut) -> frozenset[int]:
        """The rows that a question sends left."""
        order = self.orders[cut.attribute]
        left = frozenset(order[: cut.rows])
        return left | (frozenset(self.rows) - frozenset(order)) if cut.takes_unknown else left

    def part(
        self, left: frozenset[int], branches: Sequence[int], cause: int | None, dropped: frozenset[str]
    ) -> Iterator[Arrival]:
        """The two parts of the rows, the second one first, each sorted by every attribute."""
        for number, goes in zip(reversed(branches), (False, True), strict=True):
            orders = {name: [row for row in order if (row in left) == goes] for name, order in self.orders.items()}
            rows = [row for row in self.rows if (row in left) == goes]
            yield Arrival(number, self.depth + 1, rows, orders, cause, dropped)


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


class Judge:
    """Judges the nodes of one tree."""

    def __init__(self, booster: Booster, table: Table, of: Known, bias: Ends, bins: Bins | None) -> None:
        self.booster, self.table, self.known, self.bias = booster, table, of, bias
        self.columns = columns_of(table)
        self.bins = self.columns if bins is None else {**self.columns, **bins}
        self.reg_lambda = simplest(Fraction(booster.reg_lambda * of.scale))
        self.least = simplest(Fraction(booster.min_child_weight * of.scale))
        if not self.reg_lambda + self.least > 0:
            raise InputError("either λ or the least H of a side has to be above 0")
        self.enough = (
            self.least * (1 + ROUNDED) if booster.rows_by_h else self.least
        )  # its H is the remainder of a sum of doubles
        self.slack = OPERATIONS * ULP[booster.gains]
        self.fewest = max(1, booster.min_samples_leaf)
        self.rows_by_h = booster.rows_by_h and booster.loss != "squared_error"

    def root(self) -> Arrival:
        """All rows."""
        everyone = range(len(self.table))
        orders = {
            name: sorted((row for row in everyone if column[row] is not None), key=column.__getitem__)
            for name, column in self.columns.items()
        }
        return Arrival(0, 0, everyone, orders)

    # Every question of a node.

    def cuts(self, at: Arrival, only: str | None = None) -> Iterator[Cut]:
        """The questions that a node can ask, of all attributes or of one; rows without a value may go either way."""
        for name, order in at.orders.items() if only is None else [(only, at.orders[only])]:
            bins, sums = self.bins[name], self.known.prefixes(order)
            ends = [end for end, (one, other) in enumerate(pairwise(order), start=1) if bins[one] != bins[other]]
            if len(order) == len(at.rows):
                for end in ends:
                    yield Cut(name, end, False, Sums._make(sums[end - 1]))
                continue
            there = set(order)
            unknown = self.known.sums([row for row in at.rows if row not in there])
            for end in [*ends, len(order)] if order else []:
                yield Cut(name, end, False, Sums._make(sums[end - 1]))
                if end < len(order):
                    yield Cut(name, end, True, Sums._make(sums[end - 1]) + unknown)

    def scored(self, at: Arrival, whole: Sums, only: str | None = None) -> Iterator[tuple[int, int, bool, Cut]]:
        """Every question that may be allowed: the lower and upper bound of S, and whether some bound may forbid it.

        S is in units of 2^-BITS/scale, rounded outward.
        """
        n, least, enough = len(at.rows), self.least, self.enough
        lowest = floor(least)
        p, q = self.reg_lambda.numerator, self.reg_lambda.denominator
        unknown, values = {name: n - len(order) for name, order in at.orders.items()}, dict[str, Sequence[int]]()
        g_low, g_high, h_low, h_high = whole
        for cut in self.cuts(at, only):
            rows = cut.rows + unknown[cut.attribute] * cut.takes_unknown
            if cut.attribute not in values:
                values[cut.attribute] = self._values(at, cut.attribute)
            count = values[cut.attribute]
            most = max(count[cut.rows - 1], count[-1] - count[cut.rows - 1]) + 1
            is_small, may_be_small = self.few((rows, n - rows), cut.sums, whole, most)
            if is_small:
                continue
            low = high = 0
            may_be_barred = may_be_small or cut.attribute in at.dropped
            a, b, c, d = cut.sums
            for gl, gh, hl, hh in ((a, b, c, d), (g_low - a, g_high - b, h_low - c, h_high - d)):
                if hh < least:
                    break
                if hl < enough:
                    may_be_barred, hl = True, max(hl, lowest)
                one, other = gl * gl, gh * gh
                if one > other:
                    one, other = other, one
                high += (other * q << BITS) // (hl * q + p) + 1
                if not gl <= 0 <= gh:
                    low += (one * q << BITS) // (hh * q + p)
            else:
                yield low, high, may_be_barred, cut

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

    def _values(self, at: Arrival, name: str) -> Sequence[int]:
        """The number of different values of an attribute among the first row, the first two rows, and so on."""
        column, order = self.columns[name], at.orders[name]
        return list(accumulate((column[one] != column[other] for one, other in pairwise(order)), initial=1))

    def dropped(self, at: Arrival) -> frozenset[str]:
        """The attributes that a program may drop below a node, because none of their questions certainly gains."""
        if not self.booster.drops:
            return frozenset()
        whole = self.known.sums(at.rows)
        parent = self.score(whole)[1]
        names = (name for name in at.orders if name not in at.dropped)
        return at.dropped | {name for name in names if not self._gains_by(at, name, whole, parent)}

    def _gains_by(self, at: Arrival, name: str, whole: Sums, parent: Fraction) -> bool:
        """Whether some question about an attribute certainly gains enough and certainly is allowed."""
        allowed = (Fraction(low, 1 << BITS) for low, _, barred, _ in self.scored(at, whole, name) if not barred)
        return any(low - parent - self.slack * (low + parent) > self._enough() for low in allowed)

    def score(self, *sides: Sums) -> tuple[Fraction, Fraction]:
        """The exact bounds of S for some sides."""
        return score(sides, self.reg_lambda, self.least)

    def exactly(self, cut: Cut, whole: Sums) -> tuple[Fraction, Fraction]:
        """The exact bounds of S for a question."""
        return self.score(cut.sums, whole - cut.sums)

    def name(self, at: Arrival, cut: Cut) -> str:
        """The name of a question, as it is printed."""
        value = self.columns[cut.attribute][at.orders[cut.attribute][cut.rows - 1]]
        return f"{cut.attribute} cut above {_shown(value)}"

    # The node itself.

    def question(self, at: Arrival, test: Threshold, left: frozenset[int], *, has_leaves: bool) -> tuple[str, str]:
        """The verdict on a question, and a message about it."""
        if self.booster.max_depth is not None and at.depth >= self.booster.max_depth:
            return "split-too-far", f"it lies {at.depth} questions deep, and max_depth is {self.booster.max_depth}"
        whole, own = self.known.sums(at.rows), self.known.sums(list(left))
        if bound := self._bound(at, test, left, whole):
            return "not-a-candidate", f"{shown(test).name} {bound}"
        low, high = self.score(own, whole - own)
        parent = self.score(whole)
        at_least, best, rivals = floor(low * (1 << BITS)), None, list[Cut]()
        for its_low, its_high, may_be_barred, cut in self.scored(at, whole):
            if its_high > at_least:
                rivals.append(cut)
            if not may_be_barred and (best is None or its_low > best[0]):
                best = its_low, cut
        if best is not None:
            worth = self.exactly(best[1], whole)[0]
            if worth > high + self.slack * (worth + high + 2 * parent[1]):
                loss = significant((worth - high) / self.known.scale, 6)
                return "suboptimal", f"{self.name(at, best[1])} gains at least {loss} more"
        if has_leaves and high - parent[0] + self.slack * (high + parent[1]) < self._enough():
            gained = significant((high - parent[0]) / self.known.scale, 6)
            return "split-too-far", f"it gains {gained} at most, and has to gain {_shown(self._floor())}"
        right = frozenset(at.rows) - left
        better = (cut for cut in rivals if self.exactly(cut, whole)[1] > low)
        return (WITHIN_ROUNDING if any(at.side(cut) not in (left, right) for cut in better) else "optimal"), ""

    def _bound(self, at: Arrival, test: Threshold, left: frozenset[int], whole: Sums) -> str:
        """The bound that certainly forbids a question; empty if none does."""
        rows, own = (len(left), len(at.rows) - len(left)), self.known.sums(list(left))
        fewer, values = min(rows), len({self.columns[test.attribute][row] for row in at.rows})
        if self.few(rows, own, whole, values)[0]:
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

    def leaf(self, at: Arrival, value: Fraction, *, may_split: bool) -> tuple[str, str]:
        """The verdict on a leaf, and a message about it."""
        is_idle = self.booster.idle_root and at.number == 0 and self._is_start(value)
        if not is_idle and (ends := self.worth(at.rows)) and not ends[0] <= value <= ends[1]:
            bounds = " to ".join(dict.fromkeys(significant(end, 9) for end in ends))
            return "wrong-leaf", f"it adds {significant(value, 9)}; its rows say {bounds}"
        if may_split:
            whole = self.known.sums(at.rows)
            parent = self.score(whole)[1]
            allowed = ((low, cut) for low, _, may_be_barred, cut in self.scored(at, whole) if not may_be_barred)
            best = max(allowed, key=lambda one: one[0], default=None)
            if best is not None:
                cut = best[1]
                low = self.exactly(cut, whole)[0]
                gain = low - parent - self.slack * (low + parent)
                if gain > self._enough():
                    gained = significant(gain / self.known.scale, 6)
                    return "stopped-early", f"{self.name(at, cut)} gains at least {gained}"
        return "optimal", ""

    def worth(self, rows: Sequence[int]) -> Ends | None:
        """The lower and upper bound of the value of a leaf of some rows; None if the rows do not determine it."""
        if not rows:
            return None
        whole, rate = self.known.sums(rows), self.booster.rate
        spare = OPERATIONS * ULP["float32"]
        below, above = (Fraction(max(h, self.least) + self.reg_lambda) for h in (whole.h_low, whole.h_high))
        ends = [-rate * g / h for g in (whole.g_low, whole.g_high) for h in (below, above)]
        low, high = min(ends), max(ends)
        start = self._start()
        return low - spare * abs(low) + start[0], high + spare * abs(high) + start[1]

    def _start(self) -> Ends:
        """The bounds of the start that the value of a leaf contains."""
        near = ULP["double"] * 4 * max(map(abs, self.bias))
        return self.bias[0] - near, self.bias[1] + near

    def _is_start(self, value: Fraction) -> bool:
        """Whether a leaf value is the start alone."""
        low, high = self._start()
        return low <= value <= high


def columns_of(table: Table) -> dict[str, Sequence[Any]]:
    """The columns of a table of numbers.

    Raises:
        InputError: one holds categories.
    """
    for one in table.schema.attributes:
        if one.values is not None:
            raise InputError(f"boosted trees are judged on tables of numbers, and {one.name} has categories")
    return {one.name: cast(Sequence[Any], table.columns[one.name]) for one in table.schema.attributes}


def left_of(test: Threshold, default: int | None, column: Sequence[Any], rows: Sequence[int]) -> frozenset[int]:
    """The rows that take the first branch of a question."""
    found = set()
    for row in rows:
        value = column[row]
        if value is None:
            goes = default == 0
        elif test.strict:
            goes = value < test.threshold
        else:
            goes = value <= test.threshold
        if goes:
            found.add(row)
    return frozenset(found)


def _shown(number: Rational) -> str:
    return str(significant(number, 9))
