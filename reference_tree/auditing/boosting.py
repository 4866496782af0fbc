r"""Boosted trees of other programs: judged by the derivatives that the program had, as far as they can be known.

`derivatives` encloses them, with all the roundings of the program. Here each node is held against what follows from the
enclosures alone. The score of a question is what of its gain is not the same for all:

$$S = \frac{G_L^2}{H_L + \lambda} + \frac{G_R^2}{H_R + \lambda}$$

| verdict | of a question | of a leaf |
|:--|:--|:--|
| `optimal` | no other one is better, whatever the roundings were | its value is a rounding of -η·G/(H + λ) |
| `within-rounding` | one or the other, depending on the roundings | - |
| `suboptimal` | another one is better, whatever the roundings were | - |
| `not-a-candidate` | a bound forbids it | - |
| `split-too-far` | it lies too deep, or gains less than γ and nothing below it asks | - |
| `stopped-early` | - | a question gains more than γ and ε, and no bound forbids it |
| `wrong-leaf` | - | its value is none, whatever the roundings were |
| `wrong-counts` | says another number of rows than arrive | the same |

A histogram learner asks among the edges of its bins alone. It is judged among these, to see whether it was right, and
among all gaps, to see what binning cost. Where a model does not tell its edges, those are taken that it asks somewhere.

1. `BoostedAudit` goes through the trees. A wrong leaf spoils the margins of all trees after it, so what is wrong in
   these counts as a consequence.
2. A node scans each attribute once: the rows that arrive are carried down in the order of every attribute, and G and H
   of a side are running sums. So the time grows with the rows times the attributes times the depth.
3. Scores are compared in whole numbers, by quotients rounded outward. Only what these do not settle, as exact ties, is
   compared as fractions, and there two questions that part the rows alike are one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import floor
from typing import Any, ClassVar, NamedTuple, cast

from reference_tree.auditing.boosters import Booster
from reference_tree.auditing.derivatives import (
    BITS,
    OPERATIONS,
    ULP,
    Ends,
    Known,
    Sums,
    derivatives,
    known,
    margins_before,
    start_of,
    targets_of,
)
from reference_tree.auditing.finding import VERDICTS, WITHIN_ROUNDING, Fault, Finding, Findings, shown
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.data.table import Table
from reference_tree.ensembles.ensemble import COMBINATIONS, Ensemble
from reference_tree.ensembles.learner import side_by_side
from reference_tree.exact.intervals import Interval
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.rounding import significant
from reference_tree.tree import Tree
from reference_tree.tree_document.form import FOREIGN

SURE = ("optimal", WITHIN_ROUNDING)
"""The verdicts that find no fault."""

RULE = "measure.gradient-gain"
"""The id of the rule by which questions and leaves are judged."""

Bins = Mapping[str, Sequence[Any]]
"""Attribute → the bin of each row, by which alone a histogram learner divides."""
Given = Sequence[Sequence[tuple[Rational, Rational]]]
"""For each tree the derivatives of each row."""


def is_boosted(found: object) -> bool:
    """Whether it is a boosted model of another program."""
    return isinstance(found, Ensemble) and COMBINATIONS[found.combine].adds and found.grower.name == FOREIGN


class Cut(NamedTuple):
    """A question that a node might ask: a value of an attribute above which it cuts, and the sums of its left side."""

    attribute: str
    rows: int
    """How many of the rows that have a value go left: the first ones, in their order."""
    takes_unknown: bool
    """Whether the rows without a value go left, too."""
    sums: Sums


class _Arrival(NamedTuple):
    """The rows that come down to a node, and those that have a value in the order of each attribute."""

    number: int
    depth: int
    rows: Sequence[int]
    orders: Mapping[str, Sequence[int]]
    cause: int | None = None
    """The node above whose question is at fault."""

    def side(self, cut: Cut) -> frozenset[int]:
        """The rows that a question sends left."""
        order = self.orders[cut.attribute]
        left = frozenset(order[: cut.rows])
        return left | (frozenset(self.rows) - frozenset(order)) if cut.takes_unknown else left

    def part(self, left: frozenset[int], branches: Sequence[int], cause: int | None) -> Iterator[_Arrival]:
        """The two parts of the rows, the second one first, each in all orders."""
        for number, goes in zip(reversed(branches), (False, True), strict=True):
            orders = {name: [row for row in order if (row in left) == goes] for name, order in self.orders.items()}
            yield _Arrival(number, self.depth + 1, [r for r in self.rows if (r in left) == goes], orders, cause)


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

    def __init__(self, booster: Booster, table: Table, of: Known, bias: Ends, bins: Bins | None) -> None:
        self.booster, self.table, self.known, self.bias = booster, table, of, bias
        self.columns = columns_of(table)
        self.bins = self.columns if bins is None else {**self.columns, **bins}
        self.reg_lambda = simplest(Fraction(booster.reg_lambda * of.scale))
        self.least = simplest(Fraction(booster.min_child_weight * of.scale))
        if not self.reg_lambda + self.least > 0:
            raise InputError("either λ or the least H of a side has to be above 0")
        self.slack = OPERATIONS * ULP[booster.gains]
        self.fewest = max(1, booster.min_samples_leaf)

    def root(self) -> _Arrival:
        """All rows."""
        everyone = range(len(self.table))
        orders = {
            name: sorted((row for row in everyone if column[row] is not None), key=column.__getitem__)
            for name, column in self.columns.items()
        }
        return _Arrival(0, 0, everyone, orders)

    # Every question of a node.

    def cuts(self, at: _Arrival) -> Iterator[Cut]:
        """Every question of a node. Rows without a value go either way."""
        for name, order in at.orders.items():
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

    def scored(self, at: _Arrival, whole: Sums) -> Iterator[tuple[int, int, bool, Cut]]:
        """Every question that no bound surely forbids: S from below and above, and whether a bound may forbid it.

        S is in units of 2^-BITS/scale, rounded outward.
        """
        n, least, fewest = len(at.rows), self.least, self.fewest
        lowest = floor(least)
        p, q = self.reg_lambda.numerator, self.reg_lambda.denominator
        unknown = {name: n - len(order) for name, order in at.orders.items()}
        g_low, g_high, h_low, h_high = whole
        for cut in self.cuts(at):
            rows = cut.rows + unknown[cut.attribute] * cut.takes_unknown
            if rows < fewest or n - rows < fewest:
                continue
            low = high = 0
            may_be_barred = False
            a, b, c, d = cut.sums
            for gl, gh, hl, hh in ((a, b, c, d), (g_low - a, g_high - b, h_low - c, h_high - d)):
                if hh < least:
                    break
                if hl < least:
                    may_be_barred, hl = True, lowest
                one, other = gl * gl, gh * gh
                if one > other:
                    one, other = other, one
                high += (other * q << BITS) // (hl * q + p) + 1
                if not gl <= 0 <= gh:
                    low += (one * q << BITS) // (hh * q + p)
            else:
                yield low, high, may_be_barred, cut

    def score(self, *sides: Sums) -> tuple[Fraction, Fraction]:
        """S of some sides, exactly."""
        return score(sides, self.reg_lambda, self.least)

    def exactly(self, cut: Cut, whole: Sums) -> tuple[Fraction, Fraction]:
        """S of a question, exactly."""
        return self.score(cut.sums, whole - cut.sums)

    def name(self, at: _Arrival, cut: Cut) -> str:
        """A question, for a person."""
        value = self.columns[cut.attribute][at.orders[cut.attribute][cut.rows - 1]]
        return f"{cut.attribute} cut above {_shown(value)}"

    # The node itself.

    def question(self, at: _Arrival, test: Threshold, left: frozenset[int], *, has_leaves: bool) -> tuple[str, str]:
        """The verdict on a question, and what is to be said about it."""
        if self.booster.max_depth is not None and at.depth >= self.booster.max_depth:
            return "split-too-far", f"it lies {at.depth} questions deep, and max_depth is {self.booster.max_depth}"
        whole, own = self.known.sums(at.rows), self.known.sums(list(left))
        if bound := self._bound(len(left), len(at.rows), own, whole):
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

    def _bound(self, left: int, n: int, own: Sums, whole: Sums) -> str:
        """The bound that surely forbids a question; nothing if none does."""
        if (fewer := min(left, n - left)) < self.fewest:
            return f"leaves {fewer} row{'s' * (fewer != 1)} on a side, of which there have to be {self.fewest}"
        h = min(own.h_high, (whole - own).h_high)
        if h < self.least:
            return f"leaves an H of {_shown(Fraction(h, self.known.scale))}, and min_child_weight is more"
        return ""

    def _floor(self) -> Rational:
        return max(self.booster.gamma, self.booster.epsilon)

    def _enough(self) -> Fraction:
        """What a question has to gain, in units of 1/scale."""
        return Fraction(self._floor() * self.known.scale)

    def leaf(self, at: _Arrival, value: Fraction, *, may_split: bool) -> tuple[str, str]:
        """The verdict on a leaf, and what is to be said about it."""
        if (ends := self.worth(at.rows)) and not ends[0] <= value <= ends[1]:
            told = " to ".join(dict.fromkeys(significant(end, 9) for end in ends))
            return "wrong-leaf", f"it adds {significant(value, 9)}; its rows say {told}"
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
        """What a leaf of some rows may add, from below and from above; none if there are no rows to say so."""
        if not rows:
            return None
        whole, rate = self.known.sums(rows), self.booster.rate
        spare = OPERATIONS * ULP["float32"]
        below, above = (Fraction(max(h, self.least) + self.reg_lambda) for h in (whole.h_low, whole.h_high))
        ends = [-rate * g / h for g in (whole.g_low, whole.g_high) for h in (below, above)]
        low, high = min(ends), max(ends)
        near = ULP["double"] * 4 * max(map(abs, self.bias))
        return low - spare * abs(low) + self.bias[0] - near, high + spare * abs(high) + self.bias[1] + near


def columns_of(table: Table) -> dict[str, Sequence[Any]]:
    """The columns of a table of numbers.

    Raises:
        InputError: one holds categories.
    """
    for one in table.schema.attributes:
        if one.values is not None:
            raise InputError(f"boosted trees are judged on tables of numbers, and {one.name} has categories")
    return {one.name: cast(Sequence[Any], table.columns[one.name]) for one in table.schema.attributes}


def edges_of(model: Ensemble, table: Table) -> Bins:
    """The bins of the rows, as far as a model tells them: divided by every threshold that it asks somewhere.

    Args:
        model: the model.
        table: the rows, as the program saw them.
    """
    asked: dict[str, set[tuple[Rational, bool]]] = {}
    for node in (node for member in model.members for node in member.tree.nodes):
        if isinstance(node.test, Threshold):
            asked.setdefault(node.test.attribute, set()).add((node.test.threshold, node.test.strict))
    found = {}
    for name, column in columns_of(table).items():
        strict = any(strict for _, strict in asked.get(name, ()))
        edges, place = sorted(edge for edge, _ in asked.get(name, ())), bisect_right if strict else bisect_left
        found[name] = [None if value is None else place(edges, value) for value in column]
    return found


def asks_values(model: Ensemble, table: Table) -> bool:
    """Whether every threshold of a model is a value of its column, as those of histograms are, or some lie between.

    Args:
        model: the model.
        table: the rows, as the program saw them.
    """
    values = {name: set(column) for name, column in columns_of(table).items()}
    nodes = (node for member in model.members for node in member.tree.nodes)
    asked = [node.test for node in nodes if isinstance(node.test, Threshold)]
    return bool(asked) and all(test.threshold in values[test.attribute] for test in asked)


def _shown(number: Rational) -> str:
    return str(significant(number, 9))


@dataclass(frozen=True)
class BoostedAudit(Findings):
    """Findings about each node of each tree of a boosted model. To go through it is to judge the nodes.

    Args:
        model: whose answers are added up.
        table: the rows that it was trained on, of numbers, without weights.
        booster: what the program was told.
        bins: by which alone a histogram learner divides; none: all gaps.
        given: for each tree the derivatives of each row, where the program was given them: they are exact.
        twice: whether questions that are right among the bins are held against all gaps, too.
        jobs: how many trees are judged at once, each in a process of its own.
        progress: told how many trees were judged, after each of them.
        remarks: what else is said in the last line.
        only: the one node that is judged, and the place of its tree; none: all are.

    Raises:
        InputError: the trees ask of categories, a tree counts more than another one, or rows have weights.

    Example:
        >>> import reference_tree as rt
        >>> table = Table.from_columns({"x": [1, 2, 3, 4], "y": [0, 0, 6, 8]})
        >>> grown = rt.GradientBoosting(trees=1, base_score=0, base=rt.GradientTree(rate=1)).grow(table)
        >>> told = Booster(loss="squared_error", rate=1)
        >>> [(found.verdict, found.said) for found in BoostedAudit(grown, table, told)][:2]
        [('optimal', 'x<=2.5'), ('optimal', '0')]

    Source:
        [ChenGuestrin2016 §2.2 eq. (7)], [Moore1966]
    """

    verdicts: ClassVar[tuple[str, ...]] = ("optimal", WITHIN_ROUNDING, *VERDICTS[2:])

    model: Ensemble
    table: Table
    booster: Booster
    bins: Bins | None = None
    given: Given | None = None
    twice: bool = False
    jobs: int = 1
    progress: Callable[[int], None] | None = None
    remarks: Sequence[str] = ()
    only: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be judged."""
        if self.model.target.values != self.table.schema.target.values:
            raise InputError("the table has other classes than the model, or has them in another order")
        if any(member.weight != 1 for member in self.model.members):
            raise InputError("its trees count differently, and how they were weighed cannot be replayed")
        if any(weight != 1 for weight in self.table.weighted()):
            raise InputError("boosted trees are judged without weights of rows, and these have some")
        if self.only is not None:
            number, place = self.only
            if not 0 <= place < len(self.model.members) or not 0 <= number < len(self.model.members[place].tree.nodes):
                raise InputError(f"there is no node {number}")

    @property
    def trees(self) -> Mapping[int | None, Tree]:
        """The trees by their numbers."""
        return {number: member.tree for number, member in enumerate(self.model.members)}

    @cached_property
    def seen(self) -> Table:
        """The rows as the program saw them."""
        return as_seen(self.model, self.table)

    def __iter__(self) -> Iterator[Finding]:
        """The findings, in preorder, tree by tree."""
        plan = _Plan.of(self)
        if self.only is not None:
            number, place = self.only
            yield from (found for found in plan.findings(place) if found.number == number)
            return
        first: tuple[int, int] | None = None
        for found in side_by_side(plan.findings, len(self.model.members), self.jobs, self.progress):
            tree = found[0].tree
            if first is not None and first[0] != tree:
                found = [_after(one, first) for one in found]
            elif first is None:
                spoilt = next((one for one in found if one.verdict in ("wrong-leaf", "wrong-counts")), None)
                if spoilt is not None and tree is not None:
                    first = tree, spoilt.number if spoilt.cause is None else spoilt.cause
            yield from found

    @property
    def summary(self) -> str:
        """What was found, in a line."""
        asks = [one for one in self.findings if self.trees[one.tree].nodes[one.number].test is not None]
        leaves = len(self.findings) - len(asks)
        counts = {verdict: sum(one.verdict == verdict for one in asks) for verdict in self.verdicts}
        proved = f"of {len(asks)} questions {counts['optimal']} proved optimal"
        proved += f", {counts[WITHIN_ROUNDING]} within rounding, {counts['suboptimal']} proved worse"
        others = sum(counts.values()) - counts["optimal"] - counts[WITHIN_ROUNDING] - counts["suboptimal"]
        proved += f", {others} wrong otherwise" * (others > 0)
        right = leaves - sum(one.verdict == "wrong-leaf" for one in self.findings)
        wrong = [] if self.is_right else [self.told_wrong]
        doubt = ["most leaves are wrong: these may be other rows than it was trained on, or other parameters"]
        told = [*wrong, proved, f"{right} of {leaves} leaves add what their rows say", *self._binned(asks)]
        return "; ".join([*told, *self.remarks, *(doubt if 2 * right < leaves else [])])

    def _binned(self, asks: Sequence[Finding]) -> Iterator[str]:
        if self.twice:
            worse = sum(bool(one.note) for one in asks)
            yield f"judged among the bins; among all gaps {worse} of these questions are proved worse"

    def at(self, number: int, tree: int = 0) -> Finding:
        """What is found at one node.

        Raises:
            InputError: there is no such node.
        """
        return next(iter(replace(self, only=(number, tree))))


def as_seen(model: Ensemble, table: Table) -> Table:
    """The rows as the program saw them that wrote a model."""
    program = model.members[0].tree.program
    return table if program is None or program.numbers == "exact" else table.rounded(program.numbers)


def _after(found: Finding, first: tuple[int, int]) -> Finding:
    """A finding in a tree after the one whose leaf spoilt the margins."""
    tree, cause = first
    return replace(found, cause=cause, cause_tree=tree) if found.faults else found


class _Plan(NamedTuple):
    """What is needed to judge any of the trees, and can be sent to another process."""

    model: Ensemble
    table: Table
    booster: Booster
    bins: Bins | None
    given: Given | None
    twice: bool
    steps: Sequence[Sequence[Rational]]
    """For each tree what it adds to each row."""

    @classmethod
    def of(cls, audit: BoostedAudit) -> _Plan:
        seen, members = audit.seen, audit.model.members
        columns_of(seen)
        steps = [[Fraction(cast(Any, step)) for step in member.tree.predict(seen)] for member in members]
        return cls(audit.model, seen, audit.booster, audit.bins, audit.given, audit.twice, steps)

    def findings(self, number: int) -> list[Finding]:
        """The findings about one of the trees, in preorder."""
        booster, table = self.booster, self.table
        start = start_of(booster, self.model, table)
        if self.given is None:
            margins = margins_before(self.model, self.steps, start, booster, number)
            of = derivatives(booster, targets_of(table), margins, number % len(start))
        else:
            of = known([(Interval(g, g), Interval(h, h)) for g, h in self.given[number]])
        bias = start[number] if booster.from_average and number < len(start) else (Fraction(0), Fraction(0))
        among = _Judge(booster, table, of, bias, self.bins)
        gaps = _Judge(booster, table, of, bias, None) if self.twice else None
        return list(_tree_findings(self.model.members[number].tree, number, among, gaps))


def _tree_findings(tree: Tree, number: int, judge: _Judge, gaps: _Judge | None) -> Iterator[Finding]:
    booster = judge.booster
    capped = booster.max_leaves is not None and len(tree.leaves()) >= booster.max_leaves
    pending = [judge.root()]
    while pending:
        at = pending.pop()
        node, note = tree.nodes[at.number], ""
        if node.test is None:
            may_split = not capped and (booster.max_depth is None or at.depth < booster.max_depth)
            value = Fraction(cast(Any, node.label))
            verdict, message = judge.leaf(at, value, may_split=may_split)
            said = str(significant(value, 9))
        else:
            if not isinstance(node.test, Threshold):
                raise InputError("boosted trees are judged where they ask of numbers")
            left = _left(node.test, node.missing.to, judge.columns[node.test.attribute], at.rows)
            has_leaves = all(tree.nodes[branch].test is None for branch in node.branches)
            verdict, message = judge.question(at, node.test, left, has_leaves=has_leaves)
            said = shown(node.test).name
            if gaps is not None and not message:
                found, better = gaps.question(at, node.test, left, has_leaves=has_leaves)
                note = f"among all gaps {found}: {better}" if better else ""
        told = node.counts[0]
        if told and told != len(at.rows) and "counts" not in tree.silent:
            message = f"it says that {told} rows arrive, and {len(at.rows)} do"
            verdict = "wrong-counts"
        if node.test is not None:
            cause = at.number if at.cause is None and verdict not in SURE else at.cause
            pending += at.part(left, node.branches, cause)
        faults = (Fault(verdict, message, RULE),) if message else ()
        cause = at.cause if faults else None
        yield Finding(at.number, verdict, len(at.rows), said, faults, cause=cause, tree=number, note=note)


def _left(test: Threshold, default: int | None, column: Sequence[Any], rows: Sequence[int]) -> frozenset[int]:
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


__all__ = ["BoostedAudit", "is_boosted"]
