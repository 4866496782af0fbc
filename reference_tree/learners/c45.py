r"""C4.5: ID3's successor, for categorical and continuous attributes and for missing values.

It works as ID3 does, with three differences at each node:

1. The score is the gain *ratio*. It can be large only because the split information is small, even if the gain is
   small. So only attributes whose gain is at least the average are eligible (`above_average`).
2. A continuous attribute is cut in two. The cut of largest *gain* represents it; the ratio compares attributes.
3. Where values are missing, the gain is multiplied by the share of the rows with a value. A row without one goes
   down every branch, divided in proportion to the rows that took each branch.

This is the textbook learner. `reference_tree.programs` has the differences of programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain
from operator import attrgetter
from typing import ClassVar, TypeAlias

from reference_tree.data.questions import Missing, Multiway, Test
from reference_tree.data.sample import Partition, Sample
from reference_tree.data.schema import Attribute
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.learners.decision import Decision, OnDemand, none_eligible, placed
from reference_tree.learners.options import Options, Profile
from reference_tree.learners.place import Place, majority
from reference_tree.learners.recorded import described, rule
from reference_tree.splitting.candidate import MEASURES, Candidate, RuleId, barring_rule, decisive_score
from reference_tree.splitting.continuous_bisection import CutSearch, listed_cuts, promising_cuts
from reference_tree.splitting.missing_values import branch_shares

MEASURED = ("gain", "split_information", "ratio")
"""The scores of a candidate; the last one decides between attributes."""


class RatioCandidate(Candidate):
    """A candidate with two scores: the gain chooses the test of an attribute, the ratio chooses the attribute."""

    @cached_property
    def gain(self) -> Number:
        """The information gain, multiplied by the share of the rows with a value."""
        # It is compared, and never shown: a fast form may give anything here that compares as the gain does. The gain
        # itself is among the scores.
        return decisive_score(MEASURES["gain"], self.counted)

    @property
    def net_gain(self) -> Number:
        """The gain as an exact number."""
        return self.scores["gain"]


TiedTests: TypeAlias = Sequence[RatioCandidate]
"""The equally good tests of one attribute; the first of them is chosen unless `Ties` names another."""

Eligible: TypeAlias = Callable[[Sequence[TiedTests]], Sequence[TiedTests]]
"""A rule that selects, from the best tests of each attribute, the attributes that may compete by their ratio."""


def average_gain(gains: Iterable[Number]) -> Number:
    r"""The mean of the attributes' gains, each counted once.

    $$\overline{g} = \frac{1}{m} \sum_{a} \mathrm{Gain}(D, a)$$

    Source:
        [N0 EN §3.2 notice], [N2 §2.2 average], [Quinlan1993 §2.2]
    """
    # Times 1/m, and not divided by m: where all gains are the whole number 0, a quotient would be a float.
    found = list(gains)
    return sum(found) * Fraction(1, len(found))


# Tied tests of an attribute have one gain, so the first stands for all. The largest gain is at least the average: some
# attribute is always left, and a lone one competes with itself.
def above_average(attributes: Sequence[TiedTests]) -> Sequence[TiedTests]:
    """The attributes whose gain is at least the average.

    Source:
        [N0 EN §3.2 notice], [N2 §2.2 average], [Quinlan1993 §2.2]. N0, N2 and Zhou say *above* the average, which lets
        no attribute through when all gains are equal; Quinlan says at least (decision c45.average). N0 takes the larger
        of the ratios, where the largest is meant.
    """
    average = average_gain(tied[0].gain for tied in attributes)
    return [tied for tied in attributes if tied[0].gain >= average]


def everyone(attributes: Sequence[TiedTests]) -> Sequence[TiedTests]:
    """All attributes: the plain gain ratio.

    Source:
        [N1 §1.5 step 3], [LiHang2019 §5.3.2]. N0 gives both rules, this one first, and does not choose.
    """
    return attributes


ELIGIBLE: Mapping[str, Eligible] = {"above-average": above_average, "everyone": everyone}
"""The rules by the names under which a tree document records them."""


@dataclass(frozen=True, kw_only=True)
class C45(Options):
    """The learner.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> tree = C45().grow(textbook("golf"))
        >>> tree.predict({"outlook": "sunny", "humidity": 77})
        'yes'

    Source:
        [N0 EN §3.2], [N1 §1.5], [N1 §1.5 step 6], [N1 §1.5 maximum likelihood], [N2 §2.2], [Quinlan1993 §2]. N1 returns
        the tree before it recurs. It repeats what it says of ID3, that it selects by maximum likelihood; of a choice by
        the *ratio* that is not so.
    """

    name: ClassVar[str] = "c45"
    profiles: ClassVar[dict[str, Profile]] = {}
    follows_rules: ClassVar[bool] = True

    epsilon: Rational = described(0, words="a split needs a gain ratio of at least this")
    contenders: Eligible = described(
        above_average, rule(ELIGIBLE), "the rule that says which attributes may compete by their ratio"
    )

    # Two scores in two stages. Among the cuts of one attribute the ratio favours uneven ones, whose split information
    # is small, so the gain chooses the cut; the ratio only compares attributes. Winners may have ratios that differ
    # (see `winners`): each has to pass the rules for the best test by itself.
    @placed
    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """The decision at a node.

        Source:
            [N0 EN §3.2 ratio], [N1 §1.5 step 1], [N1 §1.5 step 2], [N1 §1.5 step 3], [N1 §1.5 step 4], [N1 §1.5 step
            5]. ε is compared with the *ratio* of the winner (decision c45.epsilon).
        """
        place, total = place or Place.root(sample), sample.total()
        answer = self.ties.labelled(place, majority(sample.schema.target, total, place.inherited))
        if stop := self.stops.before(sample.target, total, place):
            return Decision(total, answer, stop, judged_by="ratio")
        best_of_each = self.best_of_each(sample, place)
        eligible = self.eligible(best_of_each, sample, place)
        winners = self.winners(eligible)
        candidates = partial(self.considered, sample, place, best_of_each, eligible)
        evidence = OnDemand(partial(self.figures, sample, place, best_of_each))
        beside = partial(chain.from_iterable, eligible)
        decision = Decision(total, answer, None, candidates, winners, None, "ratio", evidence=evidence, beside=beside)
        if not winners:
            return replace(decision, stop=self.nothing_to_ask(sample, place, best_of_each))
        chosen = self.ties.chosen(place, winners, winners[0])
        if stop := self.stops.after(chosen):
            return replace(decision, stop=stop)
        enough = tuple(winner for winner in winners if not self.stops.after(winner))
        missing = Missing(shares=tuple(branch_shares(chosen.table.rows)))
        return replace(decision, winners=enough, chosen=chosen, missing=missing)

    def questions(self, sample: Sample, attribute: Attribute) -> Iterator[RatioCandidate]:
        """All tests of an attribute: a branch for each category, or every cut that is listed.

        Source:
            [N2 §4.1 T_a], [N1 §1.5 step 5]
        """
        if attribute.kind == "categorical":
            yield self.candidate(Multiway.on(attribute), sample.partition(Multiway.on(attribute)))
        else:
            for test, table in listed_cuts(sample, attribute.name, CutSearch("gain", self.min_samples_leaf)):
                yield self.candidate(test, table)

    def candidate(self, test: Test, table: Partition) -> RatioCandidate:
        """A test as a candidate, with the rule that bars it, if one does."""
        return RatioCandidate(test, table, MEASURED, barring_rule(table, self.min_samples_leaf))

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One test as a candidate; whether its attribute may compete is not checked."""
        return self.candidate(test, sample.partition(test))

    # All tests of largest gain are kept, and not the first: their ratios may differ, so that the choice among them can
    # decide which attribute wins.
    def best_questions(self, sample: Sample, attribute: Attribute) -> TiedTests:
        """The tests that represent an attribute: all those of largest gain that no rule bars.

        Source:
            [N2 §4.1 Gain], [N2 §4.1 choice], [Quinlan1993 §2.4]. The gain chooses the cut, not the ratio (decision
            c45.threshold).
        """
        if attribute.kind == "categorical":
            candidates = self.questions(sample, attribute)
        else:
            promising = promising_cuts(sample, [attribute.name], CutSearch("gain", self.min_samples_leaf))
            candidates = (self.candidate(test, table) for test, table in promising)
        return best([candidate for candidate in candidates if candidate.barred is None], attrgetter("gain"))

    def best_of_each(self, sample: Sample, place: Place) -> Sequence[TiedTests]:
        """The tests that represent each attribute that may still be tested; attributes without any are left out."""
        # An attribute whose tests are all barred has no gain, not even 0: it must not lower the average.
        tests = [self.best_questions(sample, attribute) for attribute in place.attributes(sample.schema)]
        return [tied for tied in tests if tied]

    def eligible(self, best_of_each: Sequence[TiedTests], sample: Sample, place: Place) -> Sequence[TiedTests]:
        """The attributes that may compete by their ratio."""
        return self.contenders(best_of_each) if best_of_each else []

    def winners(self, eligible: Sequence[TiedTests]) -> tuple[RatioCandidate, ...]:
        """The tests that have the largest ratio for some choice among the tied tests of each attribute.

        A test can win if its ratio is at least the smallest ratio of the tied tests of every other attribute.
        The first test returned is the one that is chosen. To find it, each attribute is represented by its first
        test, and the first attribute is taken among equal ones.

        Source:
            [N0 EN §3.2 ratio], [N1 §1.5 step 3], [N2 §2.2 average]
        """
        if not eligible:
            return ()
        first, *_ = best((tied[0] for tied in eligible), attrgetter("score"))
        candidates = [candidate for tied in eligible for candidate in tied]
        if len(candidates) > 1:
            # The bound of a test's own attribute is no obstacle: its ratio is at least the smallest of its ties. So one
            # bound serves for the tests of all attributes.
            least = max(min(candidate.score for candidate in tied) for tied in eligible)
            candidates = [candidate for candidate in candidates if candidate.score >= least]
        return (first, *(winner for winner in candidates if winner is not first))

    def figures(self, sample: Sample, place: Place, best_of_each: Sequence[TiedTests]) -> Mapping[RuleId, Number]:
        """The figures behind a decision: the average gain, if attributes are compared with it."""
        # Evidence is made of exact gains, as a reader will add them up; the decision has compared them already.
        averaged = self.averaged(best_of_each, sample, place)
        return {"average": average_gain(tied[0].net_gain for tied in averaged)} if averaged else {}

    def averaged(self, best_of_each: Sequence[TiedTests], sample: Sample, place: Place) -> Sequence[TiedTests]:
        """The attributes whose gains are averaged, if any are."""
        return [] if self.contenders is everyone else best_of_each

    def nothing_to_ask(self, sample: Sample, place: Place, best_of_each: Sequence[TiedTests]) -> RuleId:
        """The rule that makes a node a leaf because no test may win."""
        return none_eligible(sample, place.attributes(sample.schema), partial(self.questions, sample))

    def considered(
        self,
        sample: Sample,
        place: Place,
        best_of_each: Sequence[TiedTests],
        eligible: Sequence[TiedTests],
        questions: Iterable[RatioCandidate] | None = None,
    ) -> Iterator[RatioCandidate]:
        """Every test, or some, with the rule that excluded it; those that could win are the objects that competed.

        Args:
            sample: the rows at the node.
            place: the node's place in the tree.
            best_of_each: the tests that represent each attribute.
            eligible: those of them that may compete by their ratio.
            questions: the tests; None for all.
        """
        best_ones = {candidate.test for tied in best_of_each for candidate in tied}
        # The tests that competed are yielded as the same objects, whose scores are computed. Every other test is
        # barred, each by the stage in which it was left: a worse cut of its attribute, or an attribute below the
        # average.
        competing = {candidate.test: candidate for tied in eligible for candidate in tied}
        every = (q for attribute in place.attributes(sample.schema) for q in self.questions(sample, attribute))
        for candidate in every if questions is None else questions:
            if candidate.barred is None and candidate.test not in competing:
                candidate = replace(candidate, barred="average" if candidate.test in best_ones else "not-best")
            yield competing.get(candidate.test, candidate)


C45.profiles |= {"zhou": Profile(C45, {}), "li-hang": Profile(C45, {"contenders": everyone})}
