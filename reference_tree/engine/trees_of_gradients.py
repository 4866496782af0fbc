"""Trees of gradients: the trees of boosting on a table of numbers, grown without an object for each decision.

A node is kept as its rows, sorted by each attribute. Its best cut is found by the estimates of `gradient_scans`. The
values of a leaf are rounded from integers that enclose its sums. Where estimates or enclosures are not enough, the
learner decides the node, or answers for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from reference_tree.data.questions import REFUSED, Missing, Test
from reference_tree.data.sample import Sample
from reference_tree.data.targets import Gradients
from reference_tree.engine.derivative_columns import Doubles
from reference_tree.engine.gradient_scans import CutScores, bounds_of, doubles_of, scanned
from reference_tree.engine.integer_columns import Rows, SortedRun
from reference_tree.engine.store import Store
from reference_tree.engine.whole_rows import times
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.learners.decision import Learner
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.place import Answer, Place, key_below
from reference_tree.node import Derivatives, Node
from reference_tree.splitting.candidate import RuleId
from reference_tree.splitting.missing_rules import LEFT, RIGHT


class GradientNode(NamedTuple):
    """The rows at a node that has not been visited yet."""

    rows: Rows
    runs: Sequence[SortedRun]
    """The rows that have values, sorted by each attribute in turn."""
    depth: int
    key: bytes
    """The key of its place."""
    siblings: list[int]
    """The parent's list of branches, to which the number of the node is added."""


class Division(NamedTuple):
    """A test, the rule for rows without a value, and the rows on each side."""

    test: Test
    missing: Missing
    sides: tuple[Rows, Rows]


def grown(
    learner: Learner, sample: Sample, place: Place, progress: Callable[[int], None] | None = None
) -> Sequence[Node] | None:
    """The nodes that a gradient tree grows from the rows at a place; None for another learner, or other attributes."""
    if type(learner) is not GradientTree or not isinstance(sample, Store) or learner.ties.any:
        return None
    attributes = sample.schema.attributes
    if any(attribute.values is not None or attribute.name not in place.available for attribute in attributes):
        return None
    if not attributes or learner.threshold != "at-most" or learner.min_samples_leaf > sample.unit:
        return None
    if learner.grid is None or (doubles := doubles_of(sample, bounds_of(learner))) is None:
        return None
    return GrowingGradients(learner, sample, place, doubles).nodes(progress)


class GrowingGradients:
    """A tree of gradients while it grows.

    Args:
        learner: the learner.
        sample: the rows of the first node.
        place: the place of the first node.
        doubles: the derivatives of the rows.
    """

    def __init__(self, learner: GradientTree, sample: Store, place: Place, doubles: Doubles) -> None:
        self.learner, self.sample, self.place, self.doubles = learner, sample, place, doubles
        self.draws = any(
            part != 1 for part in (learner.colsample_bytree, learner.colsample_bylevel, learner.colsample_bynode)
        )
        self.names = {attribute.name: turn for turn, attribute in enumerate(sample.schema.attributes)}
        target, self.units = sample.target, sample.units or (1, 1, 1)
        assert isinstance(target, Gradients)
        # The sums of rows that weigh n lack at most n·off: in the units of G and H, at most so many for each unit of n.
        self.off = [-(-Fraction(target.off) * sample.unit // unit) for unit in self.units[1:]]
        # The value of a leaf, -η·G/(H + λ), is a quotient of integers: g·top/(h·height + penalty).
        exact = [Fraction(-learner.rate * self.units[1]), Fraction(self.units[2]), Fraction(learner.reg_lambda)]
        over = lcm(*(one.denominator for one in exact))
        self.top, self.height, self.penalty = (int(one * over) for one in exact)
        self.cases = sample.columns.codes[sample.schema.target.name]

    def nodes(self, progress: Callable[[int], None] | None) -> list[Node]:
        """The nodes of the tree, in preorder."""
        grown: list[tuple[Answer, RuleId | None, Test | None, list[int], Missing]] = []
        pending = [GradientNode(self.sample.rows, self.sample.runs, self.place.depth, self.place.key, [])]
        while pending:
            node = pending.pop()
            here, place = self.sample.of(node.rows), self.place._replace(depth=node.depth, key=node.key)
            answer, branches = self.answer(here), list[int]()
            stop = self.learner.stops.before(here.target, answer.counts, place)
            parts = None if stop else self.best_parts(node, here, place)
            if isinstance(parts, str):
                stop, parts = parts, None
            elif stop is None and parts is None:
                stop, parts = self.decided(node, here, place)
            node.siblings.append(len(grown))
            grown.append((answer, stop, parts and parts.test, branches, parts.missing if parts else REFUSED))
            if parts:
                pending += self.below(node, parts, branches)
            if progress is not None:
                progress(len(grown))
        return [
            Node(answer.counts, answer.label, test, tuple(branches), stop, missing=missing)
            for answer, stop, test, branches, missing in grown
        ]

    def answer(self, here: Store) -> Answer:
        """The value of a leaf, with n, G and H: the numbers of the book, where enclosures round to them."""
        (weight, g, h), (n_unit, g_unit, h_unit) = here.whole, self.units
        if self.learner.reg_alpha or h * self.height + self.penalty <= 0:
            return self.learner.answer(here)
        # A quotient of two sums is between those of their ends: if these round alike, so does the quotient.
        gs, hs = ({low, low + weight * off} for low, off in zip((g, h), self.off, strict=True))
        value = self.on_grid({(one * self.top, other * self.height + self.penalty) for one in gs for other in hs})
        sums = [(gs, g_unit), (hs, h_unit)]
        if any(self.off):
            of_g, of_h = (self.on_grid({times(end, unit).as_integer_ratio() for end in ends}) for ends, unit in sums)
        else:
            of_g, of_h = times(g, g_unit), times(h, h_unit)
        if value is None or of_g is None or of_h is None:
            return self.learner.answer(here)
        return Answer(value, Derivatives(times(weight, n_unit), of_g, of_h))

    def on_grid(self, ends: set[tuple[int, int]]) -> Rational | None:
        """The multiple of the grid to which some quotients round, ties to even; None if they do not agree."""
        grid, nearest = self.learner.grid or 0, set[int]()
        for top, bottom in ends:
            whole, rest = divmod(top << grid, bottom)
            nearest.add(whole + (2 * rest > bottom or (2 * rest == bottom and whole & 1)))
        return simplest(Fraction(nearest.pop(), 1 << grid)) if len(nearest) == 1 else None

    def best_parts(self, node: GradientNode, here: Store, place: Place) -> Division | RuleId | None:
        """The parts of the best test, or the rule that stops the node; None if it is not known."""
        runs, weight = node.runs, here.whole[0]
        if self.draws:
            drawn = {attribute.name for attribute in self.learner.attributes(here, place)}
            runs = [run.at(at) for run in runs for at, name in enumerate(run.names) if name in drawn]
        scan = scanned(self.sample, self.doubles, node.rows, weight, runs)
        if not scan.cuts:
            # No side weighs too little: what bars a cut is the H of a side.
            return "min-child-weight" if scan.any_cut else "no-candidates"
        epsilon = self.doubles.bounds.epsilon
        if scan.best < 0 or scan.gain[0] <= epsilon * (1 + 2.0**-50):
            return "epsilon" if scan.best >= 0 and scan.gain[1] < epsilon * (1 - 2.0**-50) else None
        near = [(cuts, at) for cuts in scan.cuts for at in cuts.places(scan.floor)]
        near.sort(key=lambda one: (self.names[one[0].name], one[1], one[0].side == LEFT))
        if len(near) > 1 and len({self.mixture(node, *one) for one in near}) > 1:
            return None
        cuts, at = near[0]
        left, right = self.sides(node, cuts, at)
        side = cuts.side if cuts.run.size < len(node.rows) else LEFT
        return Division(cuts.test(self.sample, at), Missing(to=side), (left, right))

    def sides(self, node: GradientNode, cuts: CutScores, at: int) -> tuple[Rows, Rows]:
        """The rows on each side of a cut, those without a value included."""
        left, right = cuts.parts(at)
        if cuts.run.size < len(node.rows):
            known = {*left, *right}
            unknown = [row for row in node.rows if row not in known]
            return (left, [*right, *unknown]) if cuts.side == RIGHT else ([*left, *unknown], right)
        return left, right

    def mixture(self, node: GradientNode, cuts: CutScores, at: int) -> Hashable:
        """A key that two cuts share only if their sides have the same cases, and so the same gain."""
        sides = self.sides(node, cuts, at)
        if self.sample.weights is not None:
            return frozenset(map(frozenset, sides))
        return frozenset(tuple(sorted([self.cases[row] for row in rows])) for rows in sides)

    def decided(self, node: GradientNode, here: Store, place: Place) -> tuple[RuleId | None, Division | None]:
        """The rule by which the learner stops a node, or the parts of the test that it chooses."""
        here._runs = list(node.runs)
        decision = self.learner.decide(here, place)
        if decision.chosen is None:
            return decision.stop, None
        left, right = here.split(decision.chosen.test, decision.missing)
        return None, Division(decision.chosen.test, decision.missing, (left.rows, right.rows))

    def below(self, node: GradientNode, parts: Division, branches: list[int]) -> list[GradientNode]:
        """The nodes below a test, the last branch first."""
        (left, right), depth = parts.sides, node.depth + 1
        keys = [key_below(node.key, branch) if self.draws else node.key for branch in (LEFT, RIGHT)]
        runs: tuple[list[SortedRun], list[SortedRun]] = [], []
        if depth != self.learner.max_depth:  # the deepest nodes need no order
            some = set(left)
            for run in node.runs:
                for kept, part in zip(runs, run.parted(some), strict=True):
                    kept.append(part)
        return [
            GradientNode(right, runs[RIGHT], depth, keys[RIGHT], branches),
            GradientNode(left, runs[LEFT], depth, keys[LEFT], branches),
        ]
