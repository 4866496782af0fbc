r"""C4.5 with the options of the programs: each difference between a program and the textbooks is one of them.

The learner is that of the textbooks with more options, and no step of it depends on the name of a program. Most options
are named rules of Quinlan's own program (`c45.release8`), which Weka's J48 shares (`SHARED`). A profile is a list of
options, and stands in the folder of its program: `c45.profile` and `weka.profile`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from typing import Any

from reference_tree.data.questions import Multiway, Test, Threshold
from reference_tree.data.sample import Partition, Sample
from reference_tree.data.schema import Attribute
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.learners.c45 import (
    C45,
    ELIGIBLE,
    MEASURED,
    Eligible,
    RatioCandidate,
    TiedTests,
    above_average,
    average_gain,
    everyone,
)
from reference_tree.learners.place import Place
from reference_tree.learners.recorded import AMOUNT, described, rule, word
from reference_tree.programs.c45.release8 import (
    BRANCH_MINIMUM,
    COLLAPSE,
    CUT_MINIMUM,
    PENALTY,
    POSITION,
    SPLIT_INFORMATION,
    BranchMinimum,
    Collapse,
    CutMinimum,
    Penalty,
    Position,
    near_average,
    no_charge,
    ordinary,
    reaching,
)
from reference_tree.splitting.binary_subsets import one_vs_rest
from reference_tree.splitting.candidate import MEASURES, UNSCORED, RuleId, TableScore, decisive_score, two_branches
from reference_tree.splitting.continuous_bisection import (
    Cut,
    CutSearch,
    cuts,
    gap_around,
    number_of_cuts,
    promising_cuts,
)
from reference_tree.splitting.missing_rules import without_value
from reference_tree.splitting.missing_values import (
    SplitInformation,
    split_information_of_known,
    split_information_with_unknown,
)
from reference_tree.tree import Tree


@dataclass(frozen=True, eq=False)
class ChargedCandidate(RatioCandidate):
    r"""A candidate with the penalty of a dialect.

    $$\mathrm{gain}_{\mathrm{net}}(D, A) = \mathrm{Gain}(D, A) - \mathrm{penalty}, \qquad
    \mathrm{ratio}(D, A) = \frac{\mathrm{gain}_{\mathrm{net}}(D, A)}{\mathrm{IV}(A)}$$

    Args:
        split_information: the definition of the split information if answers are missing.
        penalty: the penalty that is subtracted from the gain; None: no penalty, and none among the scores.

    Example:
        >>> from reference_tree.data.sample import Partition
        >>> table = Partition((), ((2, 0), (0, 2)), (0, 0))
        >>> ChargedCandidate(Threshold("x", 2), table, MEASURED, penalty=Fraction(1, 4)).scores["net_gain"]
        3/4

    Source:
        [Quinlan1996 §3]
    """

    split_information: SplitInformation = split_information_of_known
    penalty: Number | None = None

    @cached_property
    def gain(self) -> Number:
        """The gain, minus the penalty if there is one."""
        # Only the order of scores decides, so the cheaper form of each is compared (`decisive_score`).
        gain = decisive_score(MEASURES["gain"], self.table)
        return gain if self.penalty is None else gain - self.penalty

    @cached_property
    def cost(self) -> Number:
        """The split information."""
        return decisive_score(COST[self.split_information], self.table)

    @cached_property
    def score(self) -> Number:
        """The ratio."""
        return self.gain / self.cost

    @cached_property
    def scores(self) -> Mapping[str, Number]:
        """Name → exact score; empty for a candidate that is barred before anything is computed."""
        # A candidate barred before scoring states no numbers, as in the program's own walk.
        if self.barred in UNSCORED:
            return {}
        gain = MEASURES["gain"](self.table)
        cost = self.split_information(self.table.rows, self.table.unknown)
        # Without a penalty the scores are those of the textbook, and have its names alone.
        if self.penalty is None:
            return {"gain": gain, "split_information": cost, "ratio": gain / cost}
        net = gain - self.penalty
        paid = {"penalty": self.penalty, "net_gain": net}
        return {"gain": gain, **paid, "split_information": cost, "ratio": net / cost}

    @property
    def net_gain(self) -> Number:
        """The exact gain, minus the penalty if there is one."""
        return self.scores["gain" if self.penalty is None else "net_gain"]


# As measures they have the two forms of all measures: one that is shown and one that decides.
COST: Mapping[SplitInformation, TableScore] = {
    split_information_of_known: MEASURES["split_information"],
    split_information_with_unknown: MEASURES["split_information_with_unknown"],
}
"""The definitions of the split information, as measures of a partition."""


@dataclass(frozen=True, kw_only=True)
class ProgramC45(C45):
    """The learner.

    Example:
        >>> C45.like("c45-r8").min_samples_leaf, C45.like("c45-r8", min_samples_leaf=1).min_samples_leaf
        (2, 1)

    Source:
        [Quinlan1993 §2], [Quinlan1996 §3]
    """

    contenders: Eligible = described(above_average, rule({**ELIGIBLE, "near-average": near_average}))
    branching: str = described(
        "multiway",
        word("multiway", "one-vs-rest"),
        "the tests of a categorical attribute. `one-vs-rest`: one value against the others; it may be tested again",
    )
    branch_minimum: BranchMinimum = described(
        "every",
        rule(BRANCH_MINIMUM),
        "the branches that may not be too small: every one that is not empty, or two",
    )
    cut_minimum: CutMinimum = described(
        "same", rule(CUT_MINIMUM), "the rule for the least weight of each side of a cut"
    )
    cut_gap: Rational = described(0, AMOUNT, "two values that lie no further apart are not cut between")
    penalty: Penalty = described("none", rule(PENALTY), "the penalty of a cut for the choice among many")
    cut_gain: str = described(
        "any", word("any", "positive"), "the gain that a cut needs. `positive`: above 0 after the penalty"
    )
    zero_gain: str = described(
        "splits", word("splits", "stops"), "whether the best candidate `splits` or `stops` if its ratio is 0"
    )
    split_information: SplitInformation = described(
        "of-known",
        rule(SPLIT_INFORMATION),
        "the definition of the split information where values are missing",
    )
    least_split_information: Rational = described(
        0, AMOUNT, "a ratio is taken only if the split information is above this"
    )
    threshold: Position = described("midpoint", rule(POSITION), "the place of the threshold in its gap")
    slack: Rational = described(
        0, AMOUNT, "a later candidate has to be better by more than this, and what is no more than this counts as 0"
    )
    missing: str = described("fractions", word("fractions"), "the rule for missing values")
    collapse: Collapse = described("never", rule(COLLAPSE), "when a subtree that saves no error is collapsed")

    def finish(self, tree: Tree) -> Tree:
        """The tree after the rule `collapse`."""
        return self.collapse(tree)

    # The tests about an attribute.

    def questions(self, sample: Sample, attribute: Attribute) -> Iterator[RatioCandidate]:
        """All tests about an attribute, with the rule that bars each before the attributes compete.

        Source:
            [N2 §4.1 T_a], [N1 §1.5 step 5], [N3 Attributes with Many Values: binary splits]
        """
        # The penalty depends on the number of cuts, so it is computed once for all of them.
        if attribute.kind == "continuous":
            penalty = self._penalty(sample, attribute, self._least(sample, attribute))
            for cut in cuts(sample, attribute.name):
                yield self._cut(sample, cut, penalty, self._bar_cut(cut))
            return
        table = sample.partition(Multiway.on(attribute))
        tables: Sequence[tuple[Test, Partition]] = [(Multiway.on(attribute), table)]
        # J48 -B. With a single value there is no such test, and the multiway one is listed as barred.
        if self.branching == "one-vs-rest":
            tables = list(one_vs_rest(attribute.name, table)) or tables
        for test, parts in tables:
            yield self._charged(test, parts, self._bar(parts))

    def judge_one(self, sample: Sample, place: Place, test: Test) -> RatioCandidate:
        """One test as a candidate, whether or not its attribute may compete."""
        table = sample.partition(test)
        if not isinstance(test, Threshold):
            return self._charged(test, table, self._bar(table))
        # A test from outside lies somewhere in a gap of these rows, and is judged as the cut of this gap.
        cut = Cut(replace(test, interval=gap_around(sample, test)), table)
        attribute = sample.schema.attribute(test.attribute)
        penalty = self._penalty(sample, attribute, self._least(sample, attribute))
        # Below or above all values, a threshold parts nothing.
        bar = "candidate" if cut.test.interval is None else self._bar_cut(cut)
        return self._charged(test, table, bar, penalty)

    def _charged(
        self, test: Test, table: Partition, barred: RuleId | None, penalty: Number | None = None
    ) -> ChargedCandidate:
        return ChargedCandidate(
            test, table, MEASURED, barred, split_information=self.split_information, penalty=penalty
        )

    def _cut(self, sample: Sample, cut: Cut, penalty: Number | None, barred: RuleId | None = None) -> ChargedCandidate:
        # The threshold moves within the table's values; the rows on its two sides stay the same.
        placed = self.threshold(cut.test, sample.schema.numbers[cut.test.attribute], self.slack)
        return self._charged(placed, cut.table, barred, penalty)

    def _penalty(self, sample: Sample, attribute: Attribute, least: Rational) -> Number | None:
        """The penalty of each cut of an attribute."""
        # None, and not 0: then no penalty stands among the scores.
        if self.penalty is no_charge:
            return None
        tries = number_of_cuts(sample, attribute.name, least, self.cut_gap)
        # A single cut costs log2 1 = 0.
        return self.penalty(max(tries, 1), sum(sample.total()))

    def _least(self, sample: Sample, attribute: Attribute) -> Rational:
        """The least weight on each side of a cut."""
        least, classes, total = self.min_samples_leaf, len(sample.target.columns), sum(sample.total())
        if self.cut_minimum(least, total, classes) == least:  # then the known weight makes it no larger
            return least
        return self.cut_minimum(least, total - sum(without_value(sample, attribute)), classes)

    def _bar(self, table: Partition) -> RuleId | None:
        """The rule that excludes a test with this table."""
        # The textbook's condition first: two branches with any known weight.
        weights = [sum(row) for row in table.rows]
        if not two_branches(weights):
            return "candidate"
        return None if self.branch_minimum(weights, self.min_samples_leaf) else "min-samples-leaf"

    def _bar_cut(self, cut: Cut) -> RuleId | None:
        """The rule that excludes a cut."""
        sides = [sum(row) for row in cut.table.rows]
        assert cut.test.interval is not None
        low, high = cut.test.interval
        # Release 8 and J48 do not cut between values within 1e-5 of one another.
        if high - low <= self.cut_gap:
            return "cut-gap"
        least = self.cut_minimum(self.min_samples_leaf, sum(sides), len(cut.table.unknown))
        return "min-samples-leaf" if min(sides) < least else self._bar(cut.table)

    # The best tests, and the attributes that may compete.

    def best_questions(self, sample: Sample, attribute: Attribute) -> TiedTests:
        """The tests that represent an attribute: those of largest gain, or with a slack the first one within it.

        Source:
            [N2 §4.1 Gain], [Quinlan1993 §2.4]. For one value against the rest, J48 takes the best *ratio*.
        """
        # The fast search gives every cut that can still lead, with the slack counted in.
        if attribute.kind == "continuous":
            least = self._least(sample, attribute)
            penalty = self._penalty(sample, attribute, least)
            search = CutSearch("gain", least, self.cut_gap, self.slack)
            found = promising_cuts(sample, [attribute.name], search)
            allowed: list[RatioCandidate] = [self._cut(sample, cut, penalty) for cut in found]
            # A cut represents its attribute by its gain, not by its ratio [Quinlan1993 §2.4].
            score = attrgetter("gain")
        else:
            # One value against the rest: J48 keeps the best ratio, so the ratio is compared here.
            allowed = [question for question in self.questions(sample, attribute) if question.barred is None]
            score = attrgetter("score")
        leading = best(allowed, score)
        if not leading:
            return leading
        # With a slack the walk decides, and the walk goes in the order of values.
        first = first_kept(allowed, score, self.slack) if self.slack else leading[0]
        # The penalty may have used up the gain; then the attribute sends no cut at all.
        if attribute.kind == "continuous" and self.cut_gain == "positive" and not first.gain > self.slack:
            return []
        return [first, *(question for question in leading if question is not first)]

    def eligible(self, best_of_each: Sequence[TiedTests], sample: Sample, place: Place) -> Sequence[TiedTests]:
        """The attributes that may compete by their ratio, with those of their tests that may win."""
        # Two sieves: the average of the gains, then what a winner must have.
        competing = self._competing(best_of_each, sample, place)
        fit = [[question for question in questions if self._unfit(question) is None] for questions in competing]
        return [questions for questions in fit if questions]

    def _competing(self, best_of_each: Sequence[TiedTests], sample: Sample, place: Place) -> Sequence[TiedTests]:
        # The programs leave attributes of very many values out of the average, so it is computed from the others alone.
        if self.contenders is not near_average:
            return super().eligible(best_of_each, sample, place)
        averaged = self.averaged(best_of_each, sample, place)
        return reaching(best_of_each, average_gain(questions[0].gain for questions in averaged)) if averaged else []

    def averaged(self, best_of_each: Sequence[TiedTests], sample: Sample, place: Place) -> Sequence[TiedTests]:
        """The attributes whose gains are averaged."""
        # Nobody is compared with an average.
        if self.contenders is everyone:
            return []
        if self.contenders is not near_average:
            return best_of_each
        # "Very many" is measured by the weight of the whole table, at every node.
        usual = ordinary(sample.schema, table_weight(place, sample))
        return [questions for questions in best_of_each if questions[0].test.attribute in usual]

    def _unfit(self, question: RatioCandidate) -> RuleId | None:
        """The rule that excludes a test from winning."""
        assert isinstance(question, ChargedCandidate)
        # A ratio with almost nothing below its bar would be as large as one likes.
        if self.least_split_information and not question.cost > self.least_split_information:
            return "split-information"
        # J48 counts a ratio within its slack of 0 as 0.
        if self.zero_gain == "stops" and not question.score > self.slack:
            return "zero-gain"
        return None

    def winners(self, eligible: Sequence[TiedTests]) -> tuple[RatioCandidate, ...]:
        """The tests of largest ratio; with a slack, the first within it comes first, even if it is not the best."""
        winners = super().winners(eligible)
        if not self.slack or not winners:
            return winners
        # The attributes are walked in table order, as the program does.
        usual = first_kept([questions[0] for questions in eligible], attrgetter("score"), self.slack)
        # The one that the walk keeps is chosen; the truly best ones stand behind it, as ties.
        return (usual, *(winner for winner in winners if winner is not usual))

    # The explanation of a decision.

    def nothing_to_ask(self, sample: Sample, place: Place, best_of_each: Sequence[TiedTests]) -> RuleId:
        """The rule that makes a node a leaf if no test may win."""
        # Some attribute sent a test, so a rule of the second half barred it.
        if best_of_each:
            competing = self._competing(best_of_each, sample, place)
            bars = {self._unfit(question) for questions in competing for question in questions} or {"average"}
        else:
            bars = {self._why_not(sample, attribute) for attribute in place.attributes(sample.schema)}
        # Of several reasons the one that is nearest to a split is named.
        return next((bar for bar in ("zero-gain", "average", "min-samples-leaf") if bar in bars), "no-candidates")

    def _why_not(self, sample: Sample, attribute: Attribute) -> RuleId:
        """The reason that an attribute has no test."""
        if attribute.kind == "continuous":
            # No two values lie far enough apart.
            if not number_of_cuts(sample, attribute.name, gap=self.cut_gap):
                return "candidate"
            least = self._least(sample, attribute)
            # Cuts with enough weight on each side exist, so the gain was what lacked.
            tries = number_of_cuts(sample, attribute.name, least, self.cut_gap)
            return "zero-gain" if tries else "min-samples-leaf"
        bars = [question.barred for question in self.questions(sample, attribute)]
        return "min-samples-leaf" if "min-samples-leaf" in bars else "candidate"

    def considered(
        self,
        sample: Sample,
        place: Place,
        best_of_each: Sequence[TiedTests],
        eligible: Sequence[TiedTests],
        questions: Iterable[RatioCandidate] | None = None,
    ) -> Iterator[RatioCandidate]:
        """As for `C45`, with the rules of the programs."""
        # An attribute that sent nothing had no positive gain; the textbook would call its cuts not the best.
        sent = {questions[0].test.attribute for questions in best_of_each}
        competing = {id(q) for questions in self._competing(best_of_each, sample, place) for q in questions}
        for question in super().considered(sample, place, best_of_each, eligible, questions):
            if question.barred == "not-best" and question.test.attribute not in sent:
                yield replace(question, barred="zero-gain")
            # The textbook calls all that did not compete below the average; the second sieve has reasons of its own.
            elif question.barred == "average":
                original = next(q for questions in best_of_each for q in questions if q.test == question.test)
                yield replace(question, barred=self._unfit(original) if id(original) in competing else "average")
            else:
                yield question


def first_kept(questions: Iterable[RatioCandidate], score: Any, slack: Rational) -> RatioCandidate:
    """The test kept at the end of a walk, in which one replaces the kept one if it is better by more than `slack`.

    If the slack is 0, this is the first of the best tests. Otherwise it may be a little worse than the best, and
    which test it is depends on the order of the walk.

    Example:
        >>> tables = [((1, 3), (3, 1)), ((0, 4), (4, 0))]
        >>> walk = [ChargedCandidate(Threshold("x", i), Partition((), t, (0, 0)), ()) for i, t in enumerate(tables)]
        >>> for slack in (0, 1):
        ...     print(first_kept(walk, lambda tried: tried.score, slack).test.threshold)
        1
        0
    """
    walk = iter(questions)
    # As in J48: one that comes later takes the place only if it is better by more than the slack.
    kept = next(walk)
    for question in walk:
        if score(question) - score(kept) > slack:
            kept = question
    return kept


def table_weight(place: Place, sample: Sample) -> Rational:
    """The weight of the whole table.

    Args:
        place: the place of any node.
        sample: the rows there.
    """
    return sum(place.everyone or sample.total())


SHARED: Mapping[str, Any] = {
    # At least the average less 1/1000, over attributes that have not very many values.
    "contenders": "near-average",
    "min_samples_leaf": 2,
    # MINOBJS of release 8, -M of J48: two branches have to be large enough.
    "branch_minimum": "two",
    "cut_minimum": "tenth-of-a-class",
    # 1e-5 in both programs.
    "cut_gap": Fraction(1, 100_000),
    # A cut whose penalty takes all of its gain is none.
    "cut_gain": "positive",
    "penalty": "log-of-tries",
    "split_information": "with-unknown",
    # The largest value of the table that is not above the midpoint.
    "threshold": "observed-value",
    "collapse": "no-fewer-errors",
}
"""The options that release 8 and J48 share."""

C45.widest = ProgramC45
