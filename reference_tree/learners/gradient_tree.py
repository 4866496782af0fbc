r"""The gradient tree: the learner that XGBoost boosts, after Chen and Guestrin (2016).

It fits a tree to the derivatives of a loss. At each node, with n, G and H the weight and the sums of the first and
second derivatives of its rows:

1. If a bound forbids a split, the node is a leaf.
2. Otherwise try every question (`splitting.default_side`): of a continuous attribute, whether it is at most t; of a
   categorical one, whether it is a certain value. Rows that do not answer take the side for which the question is worth
   more. A side needs an H of at least `min_child_weight`.
3. Let the question of largest gain win (`gradient_gain`). If it gains no more than ε, the node is a leaf after all.
4. Do the same with the rows on either side.

A leaf adds -η·G/(H + λ) to the sum (`leaf_weight`). What γ prunes is pruned when the tree is there
(`reference_tree.ensembles.gradient_boosting.pruned`).

Where the derivatives are irrational, so are the gains. They are enclosed, and refined until a comparison is settled.
Ties are proved by what the gains are made of (`made_alike`): two questions that part rows of the same cases in the same
way gain the same, for instance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice
from operator import attrgetter, itemgetter
from typing import Any, ClassVar, NamedTuple, cast

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.missing import Missing
from reference_tree.data.questions import Test, Threshold
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.schema import Attribute, Kind
from reference_tree.data.targets import Classes, Gradients, Term
from reference_tree.exact.choosing import best
from reference_tree.exact.intervals import Interval, Refined
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.rounding import nearest_multiple
from reference_tree.learners.decision import Decision
from reference_tree.learners.made_alike import made_of_gain, made_of_h
from reference_tree.learners.options import Options, Profile, choice, depth, field_of, number, seed
from reference_tree.learners.place import Answer, Place
from reference_tree.measures.gradient_gain import gradient_gain, leaf_weight
from reference_tree.node import Derivatives
from reference_tree.splitting.candidate import Candidate, RuleId, two_branches
from reference_tree.splitting.default_side import LEFT, RIGHT, promising_splits, sent, splits

GAIN = "gradient_gain"
"""The name of the score."""


def _bits(value: Any) -> Any:
    if value is not None and (type(value) is not int or value < 0):
        raise ValueError(f"a grid is a whole number of binary digits, or None, not {value!r}")
    return value


def _not_negative(value: Rational) -> None:
    if value < 0:
        raise ValueError(f"it is not negative, but {value} is")


def _above_0_to_1(value: Rational) -> None:
    if not 0 < value <= 1:
        raise ValueError(f"a share is above 0 and at most 1, not {value}")


def amount(default: Rational) -> Any:
    """A field that holds a number that is not negative."""
    return number(default, _not_negative, "a number from 0")


def share() -> Any:
    """A field that holds a share, above 0 and at most 1."""
    return number(1, _above_0_to_1, "a number above 0, and at most 1")


@dataclass(frozen=True, kw_only=True)
class GradientTree(Options):
    """The learner.

    Args:
        epsilon: a split needs a gain above this.
        max_depth: no node lies deeper; the root has depth 0. None: no limit.
        min_samples_split: a node with less weight is a leaf.
        min_samples_leaf: the least weight of a side.
        min_child_weight: the least H of a side.
        reg_lambda: λ, the penalty on large leaves.
        gamma: γ; a split that gains less is taken back, unless one below it stays. XGBoost's γ, twice the paper's.
        rate: η, the learning rate.
        grid: leaf values are rounded to a multiple of 2^-grid. None: they are exact, which needs rational derivatives.
        threshold: whether a number is asked to be `at-most` t, or `below` it.
        colsample_bytree: the share of the attributes that a tree may ask.
        colsample_bylevel: of these, the share that the nodes of one depth may ask.
        colsample_bynode: of these, the share that a node may ask.
        tree: the number of the tree, from 0, on which these draws depend.
        seed: and so they do on the seed.
        ties: overrides for exact ties.

    Source:
        [ChenGuestrin2016 §3.1 algorithm 1], [ChenGuestrin2016 §3.4 algorithm 3], [ChenGuestrin2016 §2.3]. The names and
        the defaults of the options are XGBoost's. What it needs of H is its own, and so is that a split has to gain
        more than ε.
    """

    name: ClassVar[str] = "gradient-tree"
    predicts: ClassVar[frozenset[Kind]] = frozenset({"categorical", "continuous"})
    profiles: ClassVar[dict[str, Profile]] = {}

    max_depth: int | None = depth(6)
    min_child_weight: Rational = amount(1)
    reg_lambda: Rational = amount(1)
    gamma: Rational = amount(0)
    rate: Rational = amount(Fraction(3, 10))
    grid: int | None = field_of(48, _bits, _bits, _bits, "a whole number from 0, or `null`")
    threshold: str = choice("at-most", ["at-most", "below"])
    colsample_bytree: Rational = share()
    colsample_bylevel: Rational = share()
    colsample_bynode: Rational = share()
    tree: int = seed()
    seed: int = seed()

    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """What to do at a node: steps 1 to 3.

        Raises:
            InputError: the sample is not counted by derivatives; or they are irrational, and there is no grid.
            UndecidedError: a comparison is settled neither by enclosures nor by what the numbers are made of.

        Source:
            [ChenGuestrin2016 §3.1 algorithm 1], [ChenGuestrin2016 §3.4 algorithm 3]
        """
        if not isinstance(sample.target, Gradients):
            raise InputError("a gradient tree is fitted to derivatives; gradient boosting works them out")
        place, node = place or Place.root(sample), Judge(self, sample)
        answer = node.answer()
        if stop := self.stops.before(sample.target, sample.total(), place):  # step 1
            return Decision(answer.counts, answer, stop, judged_by=GAIN)
        attributes = self.attributes(sample, place)
        candidates = partial(node.candidates, attributes)
        winners = node.winners(attributes)  # step 2
        if not winners:
            return Decision(answer.counts, answer, nothing_to_ask(candidates()), candidates, judged_by=GAIN)
        if not winners[0].score > self.epsilon:  # step 3
            return Decision(answer.counts, answer, "epsilon", candidates, winners, judged_by=GAIN)
        chosen = self.ties.chosen(place, winners, winners[0])
        way = Missing(to=node.side(chosen.test, chosen.table))
        return Decision(answer.counts, answer, None, candidates, winners, chosen, GAIN, way)

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One question as a candidate."""
        return Judge(self, sample).candidate(test, sample.partition(test))

    def attributes(self, sample: Sample, place: Place) -> list[Attribute]:
        """The attributes that may be asked at a node, in table order: drawn for the tree, the level, and the node.

        Source:
            [ChenGuestrin2016 §2.3]. The paper does not say how often columns are drawn; XGBoost has all three ways.
        """
        found = place.attributes(sample.schema)
        draws = (
            (self.colsample_bytree, b"tree"),
            (self.colsample_bylevel, b"level %d" % place.depth),
            (self.colsample_bynode, b"node " + place.key),
        )
        for part, what in draws:
            if part != 1:
                chance = Chance(self.seed, b"columns of tree %d, " % self.tree + what)
                found = drawn(found, part, chance)
        return found


def drawn(items: Sequence[Attribute], part: Rational, chance: Chance) -> list[Attribute]:
    """A share of the items, rounded down, but at least one; in their own order."""
    kept = set(islice(chance.one_by_one(range(len(items))), max(1, math.floor(part * len(items)))))
    return [item for place, item in enumerate(items) if place in kept]


def nothing_to_ask(candidates: Iterator[Candidate]) -> RuleId:
    """Why a node without any question that may compete is a leaf."""
    barred = {candidate.barred for candidate in candidates}
    return next((rule for rule in ("min-child-weight", "min-samples-leaf") if rule in barred), "no-candidates")


def _h_of(place: int, rows: Sequence[Sequence[Number]]) -> Number:
    return rows[place][2]


class Judge(NamedTuple):
    """What judges the questions of a node."""

    learner: GradientTree
    sample: Sample

    @property
    def target(self) -> Gradients:
        """What is counted."""
        return cast(Gradients, self.sample.target)

    def answer(self) -> Answer:
        """What the node adds to the sum, with n, G and H. What is irrational is rounded to the grid."""
        penalty, grid, (n, g, h) = self.learner.reg_lambda, self.learner.grid, self.sample.total()
        weight = partial(leaf_weight, reg_lambda=penalty, rate=self.learner.rate)
        if not self.target.off:
            value = weight((n, g, h)) if h + penalty else 0
            return Answer(value if grid is None else self._rounded(value), Derivatives(n, g, h))
        if grid is None:
            raise InputError("the derivatives of this loss are irrational; say a grid, so that leaves can be rounded")
        value, g, h = (self._rounded(self._whole(part)) for part in (weight, itemgetter(1), itemgetter(2)))
        return Answer(value, Derivatives(n, g, h))

    def _rounded(self, value: Number) -> Rational:
        return simplest(nearest_multiple(value, cast(int, self.learner.grid)))

    def _whole(self, formula: Callable[[Sequence[Number]], Any]) -> Refined:
        """A number that is made of all rows of the node."""
        return Refined(lambda bits: formula(self.target.at(bits).enclosed(self._counted(bits).total())))

    # Questions.

    def candidates(self, attributes: Sequence[Attribute]) -> Iterator[Candidate]:
        """Every question, in table order."""
        return (self.candidate(*asking) for attribute in attributes for asking in splits(self.sample, attribute))

    def winners(self, attributes: Sequence[Attribute]) -> list[Candidate]:
        """The questions of largest gain, decided exactly.

        Source:
            [ChenGuestrin2016 §3.1 algorithm 1]
        """
        bounds = self.learner.reg_lambda, self.learner.min_child_weight, self.learner.min_samples_leaf
        found = [self.candidate(*asking) for asking in promising_splits(self.sample, attributes, *bounds)]
        return best([candidate for candidate in found if candidate.barred is None], attrgetter("score"))

    def candidate(self, test: Test, table: Partition) -> Candidate:
        """A question as a candidate, with the rule that bars it, if one does."""
        side = self.side(test, table)
        whole = sent(table, side)
        measures = {GAIN: lambda _: self.gain(test, whole, side)}
        return Candidate(self.asked(test), table, (GAIN,), self.barred(test, whole, side), whole, measures)

    def asked(self, test: Test) -> Test:
        """A cut as it is asked: whether the value is at most the threshold, or below it."""
        if self.learner.threshold == "below" and isinstance(test, Threshold) and test.interval is not None:
            return replace(test, strict=True)
        return test

    def side(self, test: Test, table: Partition) -> int:
        """The side of the rows that do not answer: the better one, of equals the right one; the left one without any.

        Source:
            [ChenGuestrin2016 §3.4 algorithm 3]. It tries the right one first, and keeps the larger score.
        """
        if not any(table.unknown):
            return LEFT
        ways = [side for side in (RIGHT, LEFT) if self.barred(test, sent(table, side), side) is None]
        return best(ways, lambda side: self.gain(test, sent(table, side), side))[0] if ways else RIGHT

    def barred(self, test: Test, table: Partition, side: int) -> RuleId | None:
        """The rule that excludes a question whose rows all have a side; none if it may compete."""
        weights = [row[0] for row in table.rows]
        if not two_branches(weights):
            return "candidate"
        if min(weights) < self.learner.min_samples_leaf:
            return "min-samples-leaf"
        for place in (LEFT, RIGHT):
            h = self._number(partial(_h_of, place), partial(made_of_h, place), test, table, side)
            if h < self.learner.min_child_weight or (h == 0 == self.learner.reg_lambda):
                return "min-child-weight"
        return None

    def gain(self, test: Test, table: Partition, side: int) -> Number:
        """What a question gains, whose rows all have a side."""
        gain = partial(gradient_gain, reg_lambda=self.learner.reg_lambda)
        return self._number(gain, partial(made_of_gain, reg_lambda=self.learner.reg_lambda), test, table, side)

    def _number(
        self,
        formula: Callable[[Sequence[Sequence[Number]]], Number],
        made: Callable[[Sequence[Counts], Sequence[Term]], Hashable],
        test: Test,
        table: Partition,
        side: int,
    ) -> Number:
        """A number that is made of the rows on either side: exact, or enclosed as narrowly as is wanted.

        Args:
            formula: makes it of both rows.
            made: says what it is made of, from the weight of each case in both rows.
            test: the question.
            table: its partition, all rows on a side.
            side: of the rows that do not answer.
        """
        if not self.target.off:
            return formula(table.rows)

        def narrow(bits: int) -> Interval:
            target = self.target.at(bits)
            rows = table.rows if target is self.target else self._parted(target, test, side)
            return cast(Interval, formula([target.enclosed(row) for row in rows]))

        def made_so() -> Hashable:
            cases = self.sample.schema.target.domain
            return made(self._parted(Classes(cases), test, side), [self.target.terms[case] for case in cases])

        return Refined(narrow, made_so)

    def _counted(self, bits: int) -> Sample:
        """The rows of the node, with derivatives of so many bits."""
        target = self.target.at(bits)
        return self.sample if target is self.target else self.sample.against(target)

    def _parted(self, target: Gradients | Classes, test: Test, side: int) -> Sequence[Counts]:
        return sent(self.sample.against(target).partition(test), side).rows
