r"""Boosted trees of other programs: judged by the derivatives that the program had, as far as they can be known.

A boosted tree is fitted to the derivatives of a loss at the margins of the trees before it, and a program rounds both.

1. `margins_before` replays the margins, addition by addition, in the floats of the program. They are known exactly.
2. `derivatives` encloses g and h of each row at its margin. Those of squared error are one subtraction, and exact. A
   probability is enclosed, with all the rounding that the program may have done.
3. `boosted_findings` judges each node. The score of a question is what of its gain is not the same for all:

$$S = \frac{G_L^2}{H_L + \lambda} + \frac{G_R^2}{H_R + \lambda}$$

   It is enclosed, and the verdict is what follows from the enclosures alone:

| verdict | of a question | of a leaf |
|:--|:--|:--|
| `optimal` | no other one is better, whatever the roundings were | its value is a rounding of -η·G/(H + λ) |
| `within-rounding` | one or the other, depending on the roundings | - |
| `suboptimal` | another one is better, whatever the roundings were | - |
| `not-a-candidate` | a bound forbids it | - |
| `stopped-early` | - | a question gains more than ε, and no bound forbids it |
| `wrong-leaf` | - | its value is none, whatever the roundings were |

A histogram learner asks among the edges of its bins alone. With the bin of each row (`bins`) it is judged among these;
without them among all gaps, which shows what binning cost.

A node's rows are a set of bits of a whole number, and so are those of a side: that two questions part them alike is
seen at once, and what they are worth is then the same, whatever was rounded. It is meant for tables of thousands of
rows, for the time grows with their square.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple, cast

from reference_tree.auditing.finding import Fault, Finding, shown
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.losses import LOSSES, Case, share_against
from reference_tree.exact.intervals import Interval
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.rounding import nearest_single, significant
from reference_tree.tree import Tree

BITS = 64
"""A probability is enclosed to so many bits before the rounding of the program is added."""

ULP = {"float32": Fraction(1, 2**24), "double": Fraction(1, 2**53)}
"""The relative error of one rounding."""

OPERATIONS = 8
"""So many roundings may lie between a margin and its probability: an exponential that is off by some units in the last
place, a sum, a quotient."""

LEAST_H = Fraction(1, 10**16)
"""A program may raise a second derivative to so much."""


@dataclass(frozen=True, kw_only=True)
class Booster:
    """What a program was told, and how it calculates.

    Args:
        loss: `squared_error`, `logistic` or `softmax`.
        reg_lambda: λ.
        rate: η.
        min_child_weight: the least H of a side.
        min_samples_leaf: the least number of rows of a side.
        epsilon: a split needs a gain above this.
        max_depth: no node lies deeper; none: no limit.
        max_leaves: a tree with so many leaves may have any leaf; none: no limit.
        margins: the floats in which margins are added up: `float32` or `double`.
        gains: the floats in which gains are compared.
    """

    loss: str
    reg_lambda: Rational = 1
    rate: Rational = Fraction(3, 10)
    min_child_weight: Rational = 1
    min_samples_leaf: int = 1
    epsilon: Rational = Fraction(1, 10**6)
    max_depth: int | None = 6
    max_leaves: int | None = None
    margins: str = "float32"
    gains: str = "float32"


class Known(NamedTuple):
    """The derivatives of all rows, from below and from above, in whole units of 1/scale."""

    g: Sequence[tuple[int, int]]
    h: Sequence[tuple[int, int]]
    scale: int

    def sums(self, rows: int) -> Sums:
        """Of a set of rows."""
        places = bits_of(rows)
        ends = [(*self.g[place], *self.h[place]) for place in places]
        return Sums(*map(sum, zip(*ends, strict=True))) if ends else Sums(0, 0, 0, 0)


class Sums(NamedTuple):
    """G and H of some rows, from below and from above."""

    g_low: int
    g_high: int
    h_low: int
    h_high: int

    def __sub__(self, other: Sums) -> Sums:
        return Sums(*(one - its for one, its in zip(self, other, strict=True)))


class Side(NamedTuple):
    """A question as the rows that it sends left, with its name, for a person."""

    rows: int
    attribute: str
    threshold: Rational


def bits_of(rows: int) -> list[int]:
    """The places of the bits of a whole number, ascending.

    Example:
        >>> bits_of(0b1011)
        [0, 1, 3]
    """
    found = []
    while rows:
        lowest = rows & -rows
        found.append(lowest.bit_length() - 1)
        rows ^= lowest
    return found


def known(pairs: Sequence[tuple[Interval, Interval]]) -> Known:
    """Enclosed derivatives in whole units: exactly, where the ends are rationals of any common denominator.

    Example:
        >>> half = Interval(Fraction(1, 2), Fraction(1, 2))
        >>> known([(half, Interval(Fraction(1, 8), Fraction(1, 4)))])
        Known(g=[(4, 4)], h=[(1, 2)], scale=8)
    """
    ends = {Fraction(end).denominator for pair in pairs for one in pair for end in (one.low, one.high)}
    scale = math.lcm(*ends)
    g, h = ([(int(one.low * scale), int(one.high * scale)) for one in column] for column in zip(*pairs, strict=True))
    return Known(g, h, scale)


# What the program had.


def rounded(number: Rational, floats: str) -> Fraction:
    """The nearest float; of a sum or a difference of two of them, which a double holds without harm.

    Example:
        >>> rounded(Fraction(1, 3), "float32")
        Fraction(11184811, 33554432)
    """
    double = number.numerator / number.denominator
    return Fraction(nearest_single(double) if floats == "float32" else double)


def margins_before(ensemble: Ensemble, table: Table, floats: str) -> Iterator[list[tuple[Fraction, ...]]]:
    """For each tree in turn the margins of all rows before it was grown; of several classes, before its round.

    Args:
        ensemble: the model.
        table: the rows, as the program saw them.
        floats: in which margins are added up.

    Raises:
        InputError: the start is no rational number.
    """
    if not all(isinstance(one, int | Fraction) for one in ensemble.start):
        raise InputError("where the sums start is no rational number; train the model with base_score 0.5")
    first = tuple(rounded(cast(Rational, one), floats) for one in ensemble.start)
    now = [list(first) for _ in range(len(table))]
    before = [tuple(row) for row in now]
    for number, member in enumerate(ensemble.members):
        place = number % len(first)
        if place == 0:
            before = [tuple(row) for row in now]
        yield before
        for row, step in zip(now, member.tree.predict(table), strict=True):
            row[place] = rounded(row[place] + Fraction(cast(Any, step)), floats)


def derivatives(booster: Booster, cases: Sequence[Case], of: int = 0) -> Known:
    """What is known of g and h of each row: the derivatives themselves, and how they may have been rounded.

    Args:
        booster: what the program was told.
        cases: for each row what is to be said of it, and its margins.
        of: the class whose margin the derivatives are taken by.
    """
    found: dict[Case, tuple[Interval, Interval]] = {}
    for case in cases:
        if case not in found:
            found[case] = _enclosed(booster, case, of)
    return known([found[case] for case in cases])


def _enclosed(booster: Booster, case: Case, of: int) -> tuple[Interval, Interval]:
    term = LOSSES[booster.loss].term(case, of)
    if term.symbol is None:
        held = [rounded(Fraction(one), "float32") for one in (term.constant, term.h)]
        is_exact = booster.loss == "squared_error" or held == [term.constant, term.h]
        first, second = (_near(Interval(one, one), 0 if is_exact else OPERATIONS * ULP["float32"]) for one in held)
        return first, second
    p = _near(share_against(cast(Any, term.symbol), BITS), OPERATIONS * ULP[booster.margins])
    p = Interval(max(p.low, Fraction(0)), min(p.high, Fraction(1)))
    g, h = p * term.coefficient + term.constant, _near(p * (1 - p) * term.h, 4 * ULP["float32"])
    off = ULP["float32"] * max(-Fraction(g.low), Fraction(g.high))
    return _outward(Interval(g.low - off, g.high + off)), _outward(Interval(max(h.low, Fraction(0)), h.high + LEAST_H))


def _near(it: Interval, relative: Rational) -> Interval:
    """An interval, widened by a relative error."""
    ends = sorted(
        (it.low * (1 - relative), it.low * (1 + relative), it.high * (1 - relative), it.high * (1 + relative))
    )
    return Interval(ends[0], ends[-1])


def _outward(it: Interval) -> Interval:
    unit = 1 << BITS
    return Interval(Fraction(math.floor(it.low * unit), unit), Fraction(math.ceil(it.high * unit), unit))


# Judging.


def score(sides: Iterable[Sums], reg_lambda: Rational, least: Rational) -> tuple[Fraction, Fraction]:
    """S, from below and from above, in units of 1/scale.

    Args:
        sides: the sums of either side; or of all rows, of what the question is about.
        reg_lambda: λ, in these units.
        least: what the H of a side is at least, or else a bound forbids it.

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


class _Judge:
    """Who judges the nodes of one tree."""

    def __init__(self, booster: Booster, table: Table, of: Known, bins: Mapping[str, Sequence[Any]] | None) -> None:
        self.booster, self.table, self.known = booster, table, of
        self.bins = bins or {}
        self.reg_lambda = simplest(Fraction(booster.reg_lambda * of.scale))
        self.least = simplest(Fraction(booster.min_child_weight * of.scale))
        if not self.reg_lambda + self.least > 0:
            raise InputError("either λ or the least H of a side has to be above 0")
        self.slack = OPERATIONS * ULP[booster.gains]
        self.columns = {
            one.name: cast(Sequence[Any], table.columns[one.name])
            for one in table.schema.attributes
            if one.values is None
        }
        if len(self.columns) < len(table.schema.attributes):
            raise InputError("boosted trees are judged on tables of numbers")
        self.order = {
            name: sorted((place for place, one in enumerate(column) if one is not None), key=column.__getitem__)
            for name, column in self.columns.items()
        }

    def sides(self, rows: int) -> Iterator[tuple[Side, Sums]]:
        """Every question of a node: the rows on its left, and their sums. Rows without a value go either way."""
        for name, order in self.order.items():
            column, bins = self.columns[name], self.bins.get(name, self.columns[name])
            here = [place for place in order if rows >> place & 1]
            present = sum(1 << place for place in here)
            ways = [0] if present == rows else [0, rows & ~present]
            starts = [(way, self.known.sums(way)) for way in ways]
            left, sums = 0, Sums(0, 0, 0, 0)
            groups = [list(group) for _, group in groupby(here, key=lambda place: bins[place])]
            for group in groups[: len(groups) if len(ways) > 1 else -1]:
                for place in group:
                    left |= 1 << place
                    g, h = self.known.g[place], self.known.h[place]
                    sums = Sums(sums[0] + g[0], sums[1] + g[1], sums[2] + h[0], sums[3] + h[1])
                for way, start in starts:
                    if left | way != rows:
                        side = Side(left | way, name, column[group[-1]])
                        yield side, Sums(*(one + its for one, its in zip(sums, start, strict=True)))

    def score(self, *sides: Sums) -> tuple[Fraction, Fraction]:
        """S of some sides."""
        return score(sides, self.reg_lambda, self.least)

    def is_barred(self, rows: int, left: int, sums: Sums, whole: Sums, *, surely: bool) -> bool:
        """Whether a bound forbids a question: surely, or perhaps."""
        counts = left.bit_count(), rows.bit_count() - left.bit_count()
        if min(counts) < self.booster.min_samples_leaf:
            return True
        return any((one.h_high if surely else one.h_low) < self.least for one in (sums, whole - sums))

    def question(self, rows: int, test: Threshold, left: int) -> tuple[str, str]:
        """The verdict on a question, and what is to be said about it."""
        whole, own = self.known.sums(rows), self.known.sums(left)
        if left in (0, rows) or self.is_barred(rows, left, own, whole, surely=True):
            return "not-a-candidate", f"a bound forbids {shown(test).name}"
        low, high = self.score(own, whole - own)
        parent, best, verdict = self.score(whole)[1], None, "optimal"
        for side, sums in self.sides(rows):
            if side.rows in (left, rows ^ left) or self.is_barred(rows, side.rows, sums, whole, surely=True):
                continue
            its = self.score(sums, whole - sums)
            if its[1] > low:
                verdict = "within-rounding"
            if not self.is_barred(rows, side.rows, sums, whole, surely=False) and (best is None or its[0] > best[0]):
                best = its[0], side
        if best is not None and best[0] > high + self.slack * (best[0] + high + 2 * parent):
            side = best[1]
            loss = significant((best[0] - high) / self.known.scale, 6)
            return "suboptimal", f"{side.attribute} cut above {_shown(side.threshold)} gains at least {loss} more"
        return verdict, ""

    def leaf(self, rows: int, value: Fraction, *, may_split: bool) -> tuple[str, str]:
        """The verdict on a leaf, and what is to be said about it."""
        whole, rate = self.known.sums(rows), self.booster.rate
        scale, spare = self.known.scale, OPERATIONS * ULP["float32"]
        floor, ceiling = (Fraction(max(h, self.least) + self.reg_lambda) for h in (whole.h_low, whole.h_high))
        ends = [-rate * g / h for g in (whole.g_low, whole.g_high) for h in (floor, ceiling)]
        if not min(ends) - spare * abs(min(ends)) <= value <= max(ends) + spare * abs(max(ends)):
            told = significant(value, 9)
            return (
                "wrong-leaf",
                f"it adds {told}; its rows say {significant(min(ends), 9)} to {significant(max(ends), 9)}",
            )
        if may_split:
            parent = self.score(whole)[1]
            for side, sums in self.sides(rows):
                if not self.is_barred(rows, side.rows, sums, whole, surely=False):
                    low = self.score(sums, whole - sums)[0]
                    gain = low - parent - self.slack * (low + parent)
                    if gain > self.booster.epsilon * scale:
                        name = f"{side.attribute} cut above {_shown(side.threshold)}"
                        return "stopped-early", f"{name} gains at least {significant(gain / scale, 6)}"
        return "optimal", ""


def _shown(number: Rational) -> str:
    return str(significant(number, 9))


def boosted_findings(
    ensemble: Ensemble,
    table: Table,
    booster: Booster,
    *,
    bins: Mapping[str, Sequence[Any]] | None = None,
    given: Sequence[Sequence[tuple[Rational, Rational]]] | None = None,
) -> Iterator[Finding]:
    """The findings about each node of each tree, in preorder.

    Args:
        ensemble: a model whose answers are added up.
        table: the rows that it was trained on, of numbers, without weights.
        booster: what the program was told.
        bins: attribute → the bin of each row, by which alone a histogram learner divides; none: all gaps.
        given: for each tree the derivatives of each row, where the program was given them: they are exact.

    Raises:
        InputError: the trees ask of categories, or their sums start at no rational number.

    Example:
        >>> import reference_tree as rt
        >>> table = Table.from_columns({"x": [1, 2, 3, 4], "y": [0, 0, 6, 8]})
        >>> grown = rt.GradientBoosting(trees=1, base_score=0, base=rt.GradientTree(rate=1)).grow(table)
        >>> told = Booster(loss="squared_error", rate=1)
        >>> [(found.verdict, found.said) for found in boosted_findings(grown, table, told)][:2]
        [('optimal', 'x<=2.5'), ('optimal', '0')]

    Source:
        [ChenGuestrin2016 §2.2 eq. (7)], [Moore1966]
    """
    if ensemble.target.values != table.schema.target.values:
        raise InputError("the table has other classes than the model, or has them in another order")
    seen, program = table, ensemble.members[0].tree.program
    if program is not None and program.numbers != "exact":
        seen = table.rounded(program.numbers)
    targets: Sequence[Any] = list(seen.columns[seen.schema.target.name])
    for number, margins in enumerate(margins_before(ensemble, seen, booster.margins)):
        cases = [Case(y, row) for y, row in zip(targets, margins, strict=True)]
        if given is None:
            of = derivatives(booster, cases, number % len(margins[0]))
        else:
            of = known([(Interval(g, g), Interval(h, h)) for g, h in given[number]])
        tree = ensemble.members[number].tree
        yield from _tree_findings(tree, number, _Judge(booster, seen, of, bins))


def _tree_findings(tree: Tree, number: int, judge: _Judge) -> Iterator[Finding]:
    booster = judge.booster
    capped = booster.max_leaves is not None and len(tree.leaves()) >= booster.max_leaves
    pending = [(0, 0, (1 << len(judge.table)) - 1)]
    while pending:
        place, depth, rows = pending.pop()
        node, weight = tree.nodes[place], rows.bit_count()
        if node.test is None:
            may_split = not capped and (booster.max_depth is None or depth < booster.max_depth)
            verdict, message = judge.leaf(rows, Fraction(cast(Any, node.label)), may_split=may_split)
            said = significant(Fraction(cast(Any, node.label)), 9)
        else:
            if not isinstance(node.test, Threshold):
                raise InputError("boosted trees are judged where they ask of numbers")
            left = _left(node.test, node.missing.to, judge.columns[node.test.attribute], rows)
            verdict, message = judge.question(rows, node.test, left)
            said = shown(node.test).name
            pending += [(node.branches[1], depth + 1, rows & ~left), (node.branches[0], depth + 1, left)]
        faults = (Fault(verdict, message, "measure.gradient-gain"),) if message else ()
        yield Finding(place, verdict, weight, str(said), faults, tree=number)


def _left(test: Threshold, default: int | None, column: Sequence[Any], rows: int) -> int:
    """The rows that take the first branch of a question."""
    found = 0
    for place in bits_of(rows):
        value = column[place]
        if value is None:
            goes = default == 0
        elif test.strict:
            goes = value < test.threshold
        else:
            goes = value <= test.threshold
        found |= goes << place
    return found


__all__ = ["Booster", "boosted_findings"]
