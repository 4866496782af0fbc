"""Trees of cuts: CART on a table of numbers without missing values, grown without an object for each decision.

A node is kept as its rows, sorted by each attribute, and their counts. The learner's stopping rules say whether it is a
leaf; its best cut is found by the estimates of `scans` and `square_scans`, which are exact for few rows. Where these do
not single out the first of the best cuts, the learner decides the node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import sub
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.questions import REFUSED, Missing, Test, Threshold
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.targets import Classes
from reference_tree.engine.bisection import ESTIMATED, first_of, places, scan
from reference_tree.engine.integer_columns import Rows, SortedRun
from reference_tree.engine.medians import counted_by_value, deviations
from reference_tree.engine.store import Store
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.learners.cart import CART
from reference_tree.learners.criteria import criterion_for
from reference_tree.learners.decision import AmongSome, Learner
from reference_tree.learners.place import Answer, Place, key_below, majority
from reference_tree.node import Node
from reference_tree.splitting.branching import LINEAR
from reference_tree.splitting.candidate import RuleId
from reference_tree.splitting.continuous_bisection import midpoint
from reference_tree.splitting.missing_rules import ChosenTest, missing_rules

Summary: TypeAlias = tuple[Counts, Answer, RuleId | None]
"""The counts of a node, its answer, and the stopping rule that makes it a leaf before any test is tried."""


def is_plain(learner: CART, sample: Store, place: Place) -> bool:
    """Whether the learner is the textbook CART that splits by the best cuts, and all attributes are known numbers."""
    if not takes_the_best(learner, sample, place) or learner.branching == LINEAR.name:
        return False
    if criterion_for(learner.criterion, sample.schema.target).name not in ESTIMATED:
        return False
    if any(attribute.values is not None for attribute in sample.schema.attributes):
        return False
    return len(sample.runs) == 1 and sample.runs[0].size == len(sample.rows)


def takes_the_best(learner: CART, sample: Store, place: Place) -> bool:
    """Whether the learner is the textbook CART that takes the first of the best tests of all attributes."""
    if type(learner) is not CART or len(sample.rows) < 2 or learner.ties.any or learner.always_surrogates:
        return False
    if learner.stops.asks_for_more or learner.priors is not None or learner.loss is not None:
        return False
    attributes = sample.schema.attributes
    return bool(attributes) and all(attribute.name in place.available for attribute in attributes)


def grown(
    learner: Learner, sample: Sample, place: Place, progress: Callable[[int], None] | None = None
) -> Sequence[Node] | None:
    """The nodes that CART grows from the rows at a place; None if `is_plain` does not hold."""
    return grown_as(Growing, is_plain, learner, sample, place, progress)


def grown_as(
    kind: type[Growing],
    suits: Callable[[CART, Store, Place], bool],
    learner: Learner,
    sample: Sample,
    place: Place,
    progress: Callable[[int], None] | None,
) -> Sequence[Node] | None:
    """The nodes of a tree that grows as a kind; None for another learner or store, or where the kind does not suit."""
    base = learner.base if isinstance(learner, AmongSome) else learner
    if not isinstance(base, CART) or not isinstance(sample, Store) or not suits(base, sample, place):
        return None
    return kind(learner, base, sample, place).nodes(progress)


Column: TypeAlias = tuple[str, Sequence[int], Sequence[Any]]
"""An attribute, with the codes of its rows and the values of the codes."""
Sides: TypeAlias = tuple[Test, Rows, Rows]
"""A test, and the rows on each side of it."""


class PendingNode(NamedTuple):
    """The rows at a node that has not been visited yet."""

    rows: Rows
    whole: Counts
    """Their counts, in whole units."""
    summary: Summary
    run: SortedRun | None
    """The rows, sorted by each attribute in turn; None where no sorted order is needed."""
    depth: int
    key: bytes
    """The key of its place."""
    siblings: list[int]
    """The parent's list of branches, to which the number of the node is added."""


class Growing:
    """A tree of cuts while it grows.

    Args:
        whole: the learner that grows the tree.
        learner: CART, which decides, perhaps among some of the attributes.
        sample: the rows of the first node.
        place: the place of the first node.
    """

    sorts = True
    """Whether the rows of a node are kept in order."""

    def __init__(self, whole: Learner, learner: CART, sample: Store, place: Place) -> None:
        criterion, self.rule = criterion_for(learner.criterion, sample.schema.target), missing_rules()[learner.missing]
        if place.parent is None:
            self.rule.check(sample)
        self.learner, self.sample, self.place, self.measure = learner, sample, place, criterion.scores[-1]
        self.decide = whole.decide
        self.seen = whole.seen if isinstance(whole, AmongSome) else None
        if self.seen and self.seen(sample, place).available == place.available:  # so at every node
            self.seen = None
        self.minimum = max(learner.min_samples_leaf, criterion.least)
        self.can_lose = self.measure == "sample_variance_reduction"  # no other measure is ever negative
        self.alike = 2 if self.minimum <= sample.unit else 0
        """The most rows for which all cuts are equal: there is only one split of two rows."""
        names, columns = [attribute.name for attribute in sample.schema.attributes], sample.columns
        self.columns: list[Column] = [(name, columns.codes[name], columns.domain(name)) for name in names]
        self.by_values = criterion.counted == "numbers"
        self.of_all = counted_by_value(sample) if self.by_values else sample
        # The stopping rules compare whole units: whether all y are equal does not depend on the unit of y.
        least = simplest(learner.min_samples_split / Fraction(sample.unit))
        self._stops = learner.stops.but(min_samples_split=least)
        self._deepest = place._replace(depth=learner.max_depth or 0)
        self._y_unit = sample.counted.y_unit.as_integer_ratio()
        self._summaries: dict[tuple[Counts, RuleId | None], Summary] = {}
        self._ways: dict[tuple[Rational, Rational], Missing] = {}

    def nodes(self, progress: Callable[[int], None] | None) -> list[Node]:
        """All nodes, in preorder."""
        grown: list[tuple[Counts, Answer, Test | None, list[int], RuleId | None, Missing]] = []
        sample, depth = self.sample, self.place.depth
        summary = self.summary_of(sample.rows, tuple(sample.whole), depth)
        run = sample.runs[0] if self.sorts else None
        # The stack takes the right side before the left one, so nodes come in preorder, and depth needs no recursion.
        pending = [PendingNode(sample.rows, tuple(sample.whole), summary, run, depth, self.place.key, [])]
        while pending:
            part = pending.pop()
            (counts, answer, stop), test, missing = part.summary, None, REFUSED
            branches: list[int] = []
            sides = None if stop else self.best_sides(part)
            if stop is None and sides is None:
                sides, stop = self.decided(part)
            if sides is not None:
                test, (missing, parts) = sides[0], self.parted(part, sides, branches)
                pending += parts
            part.siblings.append(len(grown))
            grown.append((counts, answer, test, branches, stop, missing))
            if progress is not None:
                progress(len(grown))
        return [
            Node(counts, answer.label, test, tuple(branches), stop, answer.tied, answer.prior, missing)
            for counts, answer, test, branches, stop, missing in grown
        ]

    def store(self, part: PendingNode) -> Store:
        """The rows of a part as a sample."""
        sample = self.sample.part_of(part.rows, part.whole)
        sample._runs = None if part.run is None else [part.run]
        return sample

    def summary_of(self, rows: Rows, whole: Counts, depth: int) -> Summary:
        """The counts, answer and stopping rule of a node before any test is tried; shared by equal counts."""
        sample, most = self.sample, self.learner.max_depth
        stop = self._stops.before(sample.target, whole, self.place if most is None or depth < most else self._deepest)
        if self.by_values:  # such a node keeps the deviations instead of the sums
            found = deviations(sample.part_of(rows, whole))
            return found, Answer(found.median, found), stop
        if (key := (whole, stop)) not in self._summaries:
            total = sample.in_units(whole)
            self._summaries[key] = total, self.answer(whole, total), stop
        return self._summaries[key]

    def answer(self, whole: Counts, total: Counts) -> Answer:
        """The majority class, or the mean, from the counts in whole units and the counts themselves."""
        if isinstance(self.sample.target, Classes):
            return majority(self.sample.schema.target, total, None)
        (top, over), (w, wy, _) = self._y_unit, whole
        return Answer(total[1] if total[0] == 1 else simplest(Fraction(wy * top, w * over)), total)

    def drawn(self, part: PendingNode) -> list[Column]:
        """The columns of the attributes that are drawn at a node; all of them where none are."""
        if not self.seen:
            return self.columns
        drawn = self.seen(self.sample, self.place._replace(key=part.key)).available
        return [column for column in self.columns if column[0] in drawn]

    def test(self, column: Column, left: Rows, right: Rows) -> Test:
        """The test of a cut between some rows, which ascend."""
        name, codes, numbers = column
        low, high = numbers[codes[left[-1]]], numbers[codes[right[0]]]
        return Threshold(name, midpoint(low, high), (low, high))

    def of_two(self, columns: Sequence[Column], one: int, other: int) -> Sides | None:
        """The first test that parts two rows: all of them score alike."""
        for column in columns:
            codes = column[1]
            if codes[one] != codes[other]:
                left, right = ([one], [other]) if codes[one] < codes[other] else ([other], [one])
                return self.test(column, left, right), left, right
        return None

    def best_sides(self, part: PendingNode) -> Sides | None:
        """The first of the best tests, and the rows on each side; None if it is not known."""
        rows, columns = part.rows, self.drawn(part) if self.seen else self.columns
        if len(rows) <= self.alike:
            return self.of_two(columns, *rows)
        run = part.run if columns is self.columns else self.sample.sorted_by([name for name, *_ in columns], rows)
        assert run is not None, "more rows than are alike are put in order"
        sample, n = self.counted(part._replace(run=run)), len(rows)
        if 1 not in (flags := places(sample, run, self.minimum)):
            return None
        found = scan(sample, run, flags, self.measure)
        # A reduction of the sample variance may be negative. Whether it is, the estimate cannot tell within its slack.
        if self.can_lose and found.most <= found.estimates.slack:
            return None
        # A single place left is the winner; among several the learner decides, exactly.
        near = first_of(sample, found)
        if len(near) > 1:
            return None
        which = (near[0] - 1) // n
        left, right = run.rows[which * n : near[0]], run.rows[near[0] : which * n + n]
        return self.test(columns[which], left, right), left, right

    def counted(self, part: PendingNode) -> Store:
        """A sample that counts the rows of a node as the criterion does; any such sample if all rows weigh the same."""
        if self.sample.weights is None:
            return self.of_all
        sample = self.store(part)
        return sample.counting(self.of_all.counted, part.rows) if self.by_values else sample

    def decided(self, part: PendingNode) -> tuple[Sides | None, RuleId | None]:
        """The sides of the test that the learner chooses, or the rule that stops it.

        The learner is given the place of the first node: the depth has been checked already.
        """
        rows = list(part.rows)
        if all(len({codes[row] for row in rows}) < 2 for _, codes, _ in self.columns):
            return None, "no-candidates"
        sample = self.store(part)
        decision = self.decide(sample, self.place._replace(key=part.key))
        if decision.chosen is None:
            return None, decision.stop
        test = decision.chosen.test
        left, right = sample.split(test)
        return (test, left.rows, right.rows), None

    def parted(self, part: PendingNode, sides: Sides, branches: list[int]) -> tuple[Missing, list[PendingNode]]:
        """The rule of a test for rows without a value, and the parts, the last branch first."""
        test, left, right = sides
        whole = self.count(left)
        other, depth = tuple(map(sub, part.whole, whole)), part.depth + 1
        of_left, of_right = self.summary_of(left, whole, depth), self.summary_of(right, other, depth)
        runs = self.runs(part.run, (left, right), (of_left[2] is None, of_right[2] is None))
        parts = [
            PendingNode(right, other, of_right, runs[1], depth, self.key(part, 1), branches),
            PendingNode(left, whole, of_left, runs[0], depth, self.key(part, 0), branches),
        ]
        return self.way(test, (whole, other)), parts

    def count(self, rows: Rows) -> Counts:
        """The counts of some rows, in whole units."""
        return tuple(self.sample.count(rows))

    def key(self, part: PendingNode, branch: int) -> bytes:
        """The key of the place of a branch, if something is drawn there."""
        return key_below(part.key, branch) if self.seen else part.key

    def runs(
        self, run: SortedRun | None, sides: tuple[Rows, Rows], may_split: tuple[bool, bool]
    ) -> Sequence[SortedRun | None]:
        """The rows of each side, sorted by each attribute in turn; None for a side in which no cut is sought.

        If attributes are drawn, both are None: rows are sorted at a node, by the few attributes drawn there.
        """
        of_left, of_right = may_split[0] and len(sides[0]) > self.alike, may_split[1] and len(sides[1]) > self.alike
        if run is None or self.seen or not (of_left or of_right):
            return None, None
        if of_left and of_right:
            return run.parted(set(sides[0]))
        return (run.within(set(sides[0])), None) if of_left else (None, run.within(set(sides[1])))

    def way(self, test: Test, wholes: tuple[Counts, Counts]) -> Missing:
        """The rule for rows that do not answer; as all rows answer, it depends only on the weights of the parts."""
        weight = self.sample.target.weight
        key = weight(wholes[0]), weight(wholes[1])
        if key not in self._ways:
            table = Partition(test.outcomes, wholes, (0,) * len(wholes[0]))
            self._ways[key] = self.rule.way(ChosenTest(self.sample, test, table, table, weight, self.learner.stand_ins))
        return self._ways[key]
