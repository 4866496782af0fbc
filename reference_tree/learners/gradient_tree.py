r"""The gradient tree: the learner that XGBoost boosts, after Chen and Guestrin (2016).

It fits a tree to the derivatives of a loss. At each node, with n, G and H the weight and the sums of the first and
second derivatives of its rows:

1. If a stopping rule forbids a split, the node is a leaf.
2. Otherwise try every test (`missing_rules.splits`): for a continuous attribute, whether it is at most t; for a
   categorical one, whether it has a certain value. Rows without the value take the side that gives the test the
   larger gain. A side needs an H of at least `min_child_weight`.
3. Choose the test of largest gain (`gradient_gain`). If it gains no more than ε, the node is a leaf after all.
4. Do the same with the rows on each side.

A leaf adds -η·G/(H + λ) to the sum (`leaf_weight`). Pruning by γ follows when the tree is grown
(`reference_tree.ensembles.gradient_boosting.pruned`).

If the derivatives are irrational, so are the gains. They are enclosed, and refined until a comparison is settled. Ties
are proved by keys of the gains (`gradient_sums`): for instance, two tests that divide rows of the same cases in the
same way gain the same.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice
from operator import attrgetter, itemgetter
from typing import ClassVar, Literal, TypeAlias, cast

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing, Test, Threshold
from reference_tree.data.sample import Partition, Sample
from reference_tree.data.schema import Attribute, Kind
from reference_tree.data.targets import Gradients
from reference_tree.exact.choosing import best
from reference_tree.exact.intervals import Refined
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.rounding import nearest_multiple
from reference_tree.learners.decision import Decision
from reference_tree.learners.gradient_sums import Sides, of_rows
from reference_tree.learners.options import Options, Profile
from reference_tree.learners.place import Answer, Place
from reference_tree.learners.recorded import AMOUNT, SEED, SHARE, described, whole, word
from reference_tree.measures.gradient_gain import leaf_weight
from reference_tree.node import Derivatives
from reference_tree.splitting.candidate import Asking, Candidate, RuleId, two_branches
from reference_tree.splitting.missing_rules import LEFT, RIGHT, splits
from reference_tree.twins import twin

GAIN = "gradient_gain"
"""The name of the score."""

NumberTest: TypeAlias = Literal["at-most", "below", "next"]


@dataclass(frozen=True, kw_only=True)
class GradientTree(Options):
    """The learner.

    Source:
        [ChenGuestrin2016 §3.1 algorithm 1], [ChenGuestrin2016 §3.4 algorithm 3], [ChenGuestrin2016 §2.3]. The names and
        the defaults of the options are XGBoost's. What it needs of H is its own, and so is that a split has to gain
        more than ε.
    """

    name: ClassVar[str] = "gradient-tree"
    predicts = frozenset[Kind]({"categorical", "continuous"})
    profiles: ClassVar[dict[str, Profile]] = {}

    epsilon: Rational = described(0, words="a split needs a gain above this")
    max_depth: int | None = 6
    min_samples_leaf: Rational = described(0, words="the least weight of a side")
    min_child_weight: Rational = described(
        1, AMOUNT, "the least H of a side, the sum of the second derivatives of its rows"
    )
    reg_lambda: Rational = described(1, AMOUNT, "λ, the penalty on large leaves")
    gamma: Rational = described(
        0,
        AMOUNT,
        "γ; a split that gains less is taken back, unless one below it stays; where the `next` number is asked, it is "
        "not made. XGBoost's γ, twice the paper's",
    )
    rate: Rational = described(Fraction(3, 10), AMOUNT, "η, the learning rate of gradient boosting", flag=True)
    grid: int | None = described(
        48,
        whole(0, or_none=True),
        "leaf values are rounded to a multiple of 2^-grid. None: they are exact, which needs rational derivatives",
    )
    reg_alpha: Rational = described(0, AMOUNT, "α, the penalty on leaves that are not 0", since="2026-11-26")
    threshold: NumberTest = described(
        "at-most",
        word(NumberTest),
        "whether a number is tested to be `at-most` t, or `below` it; or below the `next` number of its column",
    )
    colsample_bytree: Rational = described(1, SHARE, "the share of the attributes drawn for a tree")
    colsample_bylevel: Rational = described(1, SHARE, "the share of a tree's attributes drawn for each depth")
    colsample_bynode: Rational = described(1, SHARE, "the share of the attributes of its depth drawn for a node")
    tree: int = described(0, SEED, "the number of the tree, from 0; the draws of attributes depend on it")
    seed: int = described(0, SEED, "the seed of these draws")

    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """The decision at a node: steps 1 to 3.

        Raises:
            InputError: the sample is not counted by derivatives; or they are irrational, and there is no grid.
            UndecidedError: a comparison is settled neither by enclosures nor by keys of the numbers.

        Source:
            [ChenGuestrin2016 §3.1 algorithm 1], [ChenGuestrin2016 §3.4 algorithm 3]
        """
        if not isinstance(sample.target, Gradients):
            raise InputError("a gradient tree is fitted to derivatives; gradient boosting works them out")
        # The prediction comes first: even a node that is split records what it would add as a leaf, which it becomes if
        # γ takes the split back.
        place, answer = place or Place.root(sample), self.answer(sample)
        if stop := self.stops.before(sample.target, sample.total(), place):  # step 1
            return Decision(answer.counts, answer, stop, judged_by=GAIN)
        attributes = self.attributes(sample, place)
        candidates = partial(self.candidates, sample, attributes)
        winners = self.winners(sample, attributes)  # step 2
        if not winners:
            return Decision(answer.counts, answer, nothing_to_ask(candidates()), candidates, judged_by=GAIN)
        too_little = self.threshold == "next" and winners[0].score < self.gamma  # a histogram does not wait for below
        if too_little or not winners[0].score > self.epsilon:  # step 3
            return Decision(answer.counts, answer, "epsilon", candidates, winners, judged_by=GAIN)
        chosen = self.ties.chosen(place, winners, self.first(sample, winners))
        way = Missing(to=self.sides(sample, chosen.test, chosen.table).side)
        return Decision(answer.counts, answer, None, candidates, winners, chosen, GAIN, way)

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One test as a candidate."""
        return self.candidate(sample, test, sample.partition(test))

    def candidates(self, sample: Sample, attributes: Sequence[Attribute]) -> Iterator[Candidate]:
        """Every test, in table order."""
        return (self.candidate(sample, *asking) for attribute in attributes for asking in splits(sample, attribute))

    def winners(self, sample: Sample, attributes: Sequence[Attribute]) -> list[Candidate]:
        """The tests of largest gain, decided exactly.

        Source:
            [ChenGuestrin2016 §3.1 algorithm 1]
        """
        return best_splits(self, sample, attributes)

    def first(self, sample: Sample, winners: Sequence[Candidate]) -> Candidate:
        """The winner that is chosen: the first, lowest thresholds first.

        If the `next` numbers are tested, tests with the rows without the value on the right go before, and of those
        with them on the left the highest thresholds, as of one who goes through a column up and then down.
        """
        if self.threshold != "next" or len(winners) == 1:
            return winners[0]

        def turn(candidate: Candidate) -> tuple[bool, Rational]:
            test, left = candidate.test, self.sides(sample, candidate.test, candidate.table).side == LEFT
            at = test.threshold if isinstance(test, Threshold) else 0
            return left, -at if left else at

        return min((one for one in winners if one.test.attributes == winners[0].test.attributes), key=turn)

    def best_of(self, sample: Sample, askings: Iterable[Asking]) -> list[Candidate]:
        """The given tests that have the largest gain; barred ones are left out."""
        candidates = [self.candidate(sample, *asking) for asking in askings]
        return best([candidate for candidate in candidates if candidate.barred is None], attrgetter("score"))

    def candidate(self, sample: Sample, test: Test, table: Partition) -> Candidate:
        """A test as a candidate, with the rule that bars it, if one does."""
        sides = self.sides(sample, test, table)
        # The score does not read the table: an irrational gain is computed from the rows, as finely as a comparison
        # needs.
        measures = {GAIN: lambda _: sides.gain(self.reg_lambda, self.reg_alpha)}
        return Candidate(self.asked(sample, test, sides), table, (GAIN,), self.barred(sides), sides.table, measures)

    def asked(self, sample: Sample, test: Test, sides: Sides) -> Test:
        """The form of a cut: whether the value is at most the threshold, or below it.

        The `next` number of a column is the one above those on the left, in all rows; or, if the rows without the value
        go left, the lowest of the node's rows on the right. Whether there is a value is tested below t + |t| and a
        little more, where t is the largest number.
        """
        # A cut is a gap between two values, and every number of it divides the rows of the node in the same way; the
        # forms differ for rows that are predicted later.
        if self.threshold == "at-most" or not isinstance(test, Threshold):
            return test
        if test.interval is None and (test.strict or any(sides.parted.rows[RIGHT])):
            return test
        threshold = test.threshold
        if self.threshold == "next":
            low, high = test.interval or (threshold, threshold)
            numbers = sample.schema.numbers[test.attribute]
            place = bisect_right(numbers, low)
            left = test.interval is not None and any(sides.parted.unknown) and sides.side == LEFT
            above = numbers[place] if place < len(numbers) else low + max(low, -low) + Fraction(1, 10**5)
            threshold = high if left else above
        elif test.interval is None:
            threshold += max(threshold, -threshold) + Fraction(1, 10**6)
        return replace(test, threshold=threshold, strict=True)

    def sides(self, sample: Sample, test: Test, table: Partition) -> Sides:
        """The sides of a test; rows without the value take the better side, or the right one if both are equal.

        Source:
            [ChenGuestrin2016 §3.4 algorithm 3]. It tries the right side first, and keeps the larger score.
        """
        # A side must be stated even if no row needs it now: a row to be predicted may.
        if not any(table.unknown):
            return Sides(sample, test, table, RIGHT if self.threshold == "next" else LEFT)
        ways = [Sides(sample, test, table, side) for side in (RIGHT, LEFT)]
        free = [way for way in ways if self.barred(way) is None]
        return best(free, lambda way: way.gain(self.reg_lambda, self.reg_alpha))[0] if free else ways[0]

    def barred(self, sides: Sides) -> RuleId | None:
        """The rule that excludes a test; None if it may compete."""
        # The rules about weights come first: they are rational, and an H may have to be enclosed.
        weights = [row[0] for row in sides.table.rows]
        if not two_branches(weights):
            return "candidate"
        if min(weights) < self.min_samples_leaf:
            return "min-samples-leaf"
        for h in map(sides.h, (LEFT, RIGHT)):
            # Without a penalty and with H = 0 the quotient G²/(H + λ) is undefined, so that the side has no score.
            if h < self.min_child_weight or (h == 0 == self.reg_lambda):
                return "min-child-weight"
        return None

    def answer(self, sample: Sample) -> Answer:
        """The value that a node adds to the sum as a leaf, with n, G and H. Irrational numbers are rounded to the grid.

        Source:
            [ChenGuestrin2016 §2.2 eq. (5)]
        """

        def weight(sums: Sequence[Number]) -> Number:
            return leaf_weight(sums, self.reg_lambda, self.rate, self.reg_alpha) if sums[2] + self.reg_lambda else 0

        value, *sums = (of_rows(sample, part) for part in (weight, itemgetter(1), itemgetter(2)))
        known = (self.on_grid(one) if isinstance(one, Refined) else one for one in sums)
        return Answer(self.on_grid(value), Derivatives(sample.total()[0], *known))

    def on_grid(self, value: Number) -> Rational:
        """A number rounded to the grid; without a grid, a rational number unchanged.

        Raises:
            InputError: it is irrational, and there is no grid.
        """
        if self.grid is not None:
            return simplest(nearest_multiple(value, self.grid))
        if isinstance(value, Refined):
            raise InputError("the derivatives of this loss are irrational; say a grid, so that leaves can be rounded")
        return cast(Rational, value)

    def attributes(self, sample: Sample, place: Place) -> list[Attribute]:
        """The attributes that may be tested at a node, in table order: drawn for the tree, the level, and the node.

        Source:
            [ChenGuestrin2016 §2.3]. The paper does not say how often columns are drawn; XGBoost draws at all three.
        """
        # Each draw narrows the one before. Its key names the tree, the depth or the node, and nothing more: so all
        # nodes of a depth share one draw, and no draw depends on the order of growth.
        attributes = place.attributes(sample.schema)
        draws = (
            (self.colsample_bytree, b"tree"),
            (self.colsample_bylevel, b"level %d" % place.depth),
            (self.colsample_bynode, b"node " + place.key),
        )
        for part, what in draws:
            if part != 1:
                chance = Chance(self.seed, b"columns of tree %d, " % self.tree + what)
                attributes = drawn(attributes, part, chance)
        return attributes


def drawn(items: Sequence[Attribute], part: Rational, chance: Chance) -> list[Attribute]:
    """A random share of the items, rounded down, but at least one; in their own order."""
    # In table order again: the first of tied tests is taken, and the order of a draw must not decide which that is.
    kept = set(islice(chance.one_by_one(range(len(items))), max(1, math.floor(part * len(items)))))
    return [item for place, item in enumerate(items) if place in kept]


@twin
def best_splits(learner: GradientTree, sample: Sample, attributes: Sequence[Attribute]) -> list[Candidate]:
    """The tests of some attributes that have the largest gain; barred ones are left out."""
    return learner.best_of(sample, (asking for attribute in attributes for asking in splits(sample, attribute)))


def nothing_to_ask(candidates: Iterator[Candidate]) -> RuleId:
    """The rule that makes a node without any eligible test a leaf.

    Example:
        >>> nothing_to_ask(iter([]))
        'no-candidates'
    """
    # Of several rules that barred tests one is the reason: the bound on H before the bound on weights.
    reason: RuleId = "no-candidates"
    for candidate in candidates:
        if candidate.barred == "min-child-weight":
            return "min-child-weight"  # whatever bars the others
        if candidate.barred == "min-samples-leaf":
            reason = "min-samples-leaf"
    return reason
