r"""CART: Breiman, Friedman, Olshen and Stone's trees of yes-or-no questions, for classes and for numbers.

At each node:

1. If the rows agree in what is to be predicted, or a bound forbids a split, the node is a leaf.
2. Otherwise try every question: of a continuous attribute, whether it is at most t; of a categorical one, whether its
   value is one of a set; or, if that is asked for, whether a weighted sum of all of them is at most t. Each is judged
   by what it takes away from the impurity of the node (`criteria`).
3. Let the best one win. If it is not good enough, the node is a leaf after all.
4. Say where a row goes that does not answer (`missing_rules`).
5. Do the same with the rows on either side.

A leaf answers with the class of least expected cost (`costs`), which is the most common one if nothing else is said, or
with the mean of the numbers. Everything that programs settle in different ways is a rule with a name, in a field of its
own; a profile is a bundle of such rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from operator import itemgetter
from typing import ClassVar

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.missing import Missing
from reference_tree.data.questions import Multiway, Threshold
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.schema import Attribute, Kind
from reference_tree.exact import choosing
from reference_tree.exact.choosing import Bounds
from reference_tree.exact.log_sums import Number
from reference_tree.learners.cart_options import BRANCHINGS, LINEAR, LISTED, SUBSETS, Asking, CARTOptions
from reference_tree.learners.costs import cheapest
from reference_tree.learners.criteria import CRITERIA, Criterion, Judge, by_values, criterion_for, deviations
from reference_tree.learners.decision import Decision, answer_of, too_small
from reference_tree.learners.missing_rules import MISSING, Asked, StandIns, with_gaps
from reference_tree.learners.place import Answer, Place, path_text
from reference_tree.learners.stopping import decreases_too_little, gains_nothing
from reference_tree.measures.misclassification import Costs
from reference_tree.splitting.binary_subsets import LIMIT, all_subsets, number_of_values
from reference_tree.splitting.candidate import Candidate, RuleId
from reference_tree.splitting.linear.judging import LinearSplit
from reference_tree.splitting.multivariate_nodes import SEARCHES, LinearCandidate, Shortfall, linear_splits
from reference_tree.splitting.scanning import leaders, scanned_cuts
from reference_tree.splitting.surrogates import DENOMINATORS


@dataclass(frozen=True, kw_only=True)
class CART(CARTOptions):
    """The learner; its options are those of `CARTOptions`.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> tree = CART().grow(textbook("golf"))
        >>> tree.nodes[0].test.name, tree.predict({"outlook": "sunny", "humidity": 77, "temperature": 80})
        ('outlook in {overcast}', 'no')

    Source:
        [Breiman1984 §2.4], [Breiman1984 §8.3], [N1 §1.1 uses], [N2 §2.3 choice], [N4 Regression Tree]
    """

    name: ClassVar[str] = "cart"
    predicts: ClassVar[frozenset[Kind]] = frozenset({"categorical", "continuous"})

    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """What to do at a node: steps 1 to 4.

        Source:
            [N2 §2.3 choice], [N4 Regression Tree], [Breiman1984 §2.4]
        """
        place, total = place or Place.root(sample), sample.total()
        answer = self.ties.labelled(place, self.answer(sample, total, place))
        counts, by = answer.counts if any(total) else total, self.criterion_for(sample).scores[-1]
        if stop := self.stops.reason(sample.target, total, place):  # step 1
            return Decision(counts, answer, stop, judged_by=by)
        judge = self.judge(sample, place)
        considered, unlisted = partial(self.candidates, judge, place), partial(self.unlisted, judge, place)
        winners = self.winners(judge, place)  # step 2
        if not winners:
            return Decision(counts, answer, self.nothing_found(judge, place), considered, judged_by=by)
        if stop := self.not_good_enough(judge, winners[0], total, place):  # step 3
            return Decision(counts, answer, stop, considered, winners, judged_by=by, unlisted=unlisted)
        chosen = self.ties.chosen(place, winners, winners[0])
        way = self.way(judge, sample, chosen)  # step 4
        evidence = self.evidence(judge, chosen)
        return Decision(counts, answer, None, considered, winners, chosen, by, way, evidence, unlisted)

    def criterion_for(self, sample: Sample) -> Criterion:
        """What the questions are judged by.

        Raises:
            InputError: the criterion, the priors or the losses are not for a target of this kind.
        """
        target = sample.schema.target
        if target.values is None and (self.priors is not None or self.loss is not None):
            raise InputError(f"the target {target.name} is continuous: only classes have priors and losses")
        return criterion_for(self.criterion, target)

    def judge(self, sample: Sample, place: Place) -> Judge:
        """The criterion at a node, with everything that bears on a score."""
        criterion, rule = self.criterion_for(sample), MISSING[self.missing]
        minimum = max(self.min_samples_leaf, criterion.least)
        if place.parent is None:
            rule.check(sample)
            if self.branching == LINEAR and (names := with_gaps(sample)):
                raise InputError(
                    f"values of {', '.join(names)} are missing, and a linear test adds up all of them; "
                    f"say another --branching, or --without {names[0]}"
                )
        if criterion.by_values:
            sample = by_values(sample)
        if self.priors is None and self.loss is None:
            return Judge(criterion, sample, minimum, rule)
        costs = Costs.of(sample.schema.target, place.everyone, self.priors, self.loss)
        in_weights = costs.altered() if self.losses == "altered-priors" else costs
        in_gini = self.losses == "generalized-gini" and self.loss is not None
        return Judge(criterion, sample, minimum, rule, in_weights, in_gini and criterion is CRITERIA["gini"])

    def answer(self, sample: Sample, total: Counts, place: Place) -> Answer:
        """What a node says if it is a leaf: the cheapest class, the mean, or the median.

        Source:
            [N4 Regression Tree: prediction], [N4 figure: regression tree], [Breiman1984 §2.4], [Breiman1984 §8.3]
        """
        target, criterion = sample.schema.target, self.criterion_for(sample)
        if self.priors is not None or self.loss is not None:
            costs = Costs.of(target, place.everyone, self.priors, self.loss)
            return cheapest(target, total, costs, place.inherited)
        if not criterion.by_values or not any(total):
            return answer_of(target, total, place.inherited)
        found = deviations(by_values(sample))
        return Answer(found.median, found)

    def questions(self, judge: Judge, attribute: Attribute, *, every: bool = True) -> Iterable[Asking]:
        """The questions about an attribute, with the sample partitions they make: every one, or as many as it takes."""
        if attribute.values is None:
            return ((self._asked_so(test), table) for test, table in scanned_cuts(judge.sample, attribute.name))
        table = judge.sample.partition(Multiway.on(attribute))
        return BRANCHINGS[self.branching](attribute, table, partial(self._sets, judge, every=every))

    def _sets(self, judge: Judge, attribute: str, table: Partition, *, every: bool) -> Iterable[Asking]:
        if judge.judged(table) is not table:  # the order holds for rows that answer, not for those that are counted in
            return all_subsets(attribute, table)
        return (LISTED if every else SUBSETS)[self.subsets](attribute, table, judge.measured, judge.minimum)

    def _asked_so(self, test: Threshold) -> Threshold:
        return replace(test, strict=True) if self.threshold == "below" else test

    def candidates(self, judge: Judge, place: Place) -> Iterator[Candidate]:
        """Every candidate: the questions about each attribute that is left, in table order; or those about all."""
        if self.branching == LINEAR:
            yield from map(judge.line, self.lines(judge, place, every=True))
            return
        for attribute in judge.sample.schema.attributes:
            if attribute.name in place.available:
                for test, table in self.questions(judge, attribute):
                    yield judge.candidate(test, table)

    def unlisted(self, judge: Judge, place: Place) -> Iterator[str]:
        """The attributes of so many values that not every subset of them is a candidate, though any might be asked."""
        asked = judge.sample.schema.attributes if self.branching == "subset" and self.subsets == "best" else ()
        for attribute in asked:
            if attribute.values is not None and attribute.name in place.available:
                table = judge.sample.partition(Multiway.on(attribute))
                yield from [attribute.name] if number_of_values(table) > LIMIT else []

    def winners(self, judge: Judge, place: Place) -> tuple[Candidate, ...]:
        """All candidates of largest score, decided exactly.

        Source:
            [N2 §2.3 choice], [N4 Regression Tree: variance reduction], [Breiman1984 §2.4]. N2 takes the smallest Gini
            index, which at one node is the largest decrease.
        """
        if self.branching == LINEAR:  # a search compares by itself, and knows nothing of those that are barred
            return tuple(map(judge.line, self.lines(judge, place)))
        found = self.near_best(judge, place) if judge.estimates else self.candidates(judge, place)
        allowed = [candidate for candidate in found if candidate.barred is None]
        if len(allowed) > 1:
            allowed = choosing.best(allowed, lambda candidate: candidate.scores[judge.by], judge.signature)
        return tuple(allowed)

    def nothing_found(self, judge: Judge, place: Place) -> RuleId:
        """Why a node without any question that may compete is a leaf."""
        if self.branching == LINEAR and self.search != "exhaustive":  # a search gives no candidate that is barred
            unbounded = self.lines(replace(judge, minimum=0), place)
            return "min-samples-leaf" if any(True for _ in unbounded) else "no-candidates"
        return too_small(self.candidates(judge, place))

    def lines(self, judge: Judge, place: Place, *, every: bool = False) -> Iterable[LinearSplit]:
        """The best linear splits as far as the search knows; or every one that it might have found best.

        Source:
            [N2 §5], [Breiman1984 §5.2]
        """
        points = judge.sample.points([a.name for a in judge.sample.schema.attributes if a.name in place.available])
        if every and self.search == "exhaustive":
            return linear_splits(points)
        chance = Chance(self.seed, path_text(place).encode())
        return SEARCHES[self.search](points, judge.score, judge.minimum, chance, judge.bounding)

    def evidence(self, judge: Judge, chosen: Candidate) -> Mapping[RuleId, Number]:
        """By how much a linear test that was searched for falls short of the best one, where that can be found."""
        if not isinstance(chosen, LinearCandidate) or self.search == "exhaustive":
            return {}
        return Shortfall(chosen.split, judge.score, judge.minimum, judge.bounding)

    def near_best(self, judge: Judge, place: Place) -> list[Candidate]:
        """The candidates that can be the best, as integers tell that bound their scores; all winners are among them."""
        here = [attribute for attribute in judge.sample.schema.attributes if attribute.name in place.available]
        scanned = [a.name for a in here if a.values is None and not judge.counts_in(a.name)]
        leading = leaders(judge.sample, scanned, judge.by, judge.minimum, judge.scale)
        cuts = [judge.cut(finalist, self.threshold == "below") for finalist in leading]
        if len(scanned) == len(here):  # nothing else to compare them with
            return list(cuts)
        contenders: dict[str, list[tuple[Bounds, Candidate]]] = {attribute.name: [] for attribute in here}
        for cut in cuts:
            contenders[cut.finalist.among.attribute].append((cut.finalist.bounds, cut))
        for attribute in here:
            if attribute.name not in scanned:
                asked = (judge.candidate(*asking) for asking in self.questions(judge, attribute, every=False))
                contenders[attribute.name] += [(judge.bounds(c.table), c) for c in asked if c.barred is None]
        every = [contender for each in contenders.values() for contender in each]
        return [candidate for _, candidate in choosing.near_best(every, itemgetter(0))]

    def not_good_enough(self, judge: Judge, winner: Candidate, total: Counts, place: Place) -> RuleId | None:
        """The rule that makes a leaf of a node whose best question takes too little away; none if it splits.

        Source:
            [N4 Learning Process: threshold]
        """
        if not (judge.criterion.signed or self.epsilon or self.min_impurity_decrease or self.zero_gain == "stops"):
            return None  # the score need not be computed
        score = winner.scores[judge.by]
        if score < self.epsilon or (self.zero_gain == "stops" and gains_nothing(score)):
            return "epsilon"
        share = Fraction(judge.weight(total)) / Fraction(judge.weight(place.everyone))
        return "min-impurity-decrease" if decreases_too_little(score, share, self.min_impurity_decrease) else None

    @cached_property
    def stand_ins(self) -> StandIns:
        """How surrogates are looked for."""
        return StandIns(
            DENOMINATORS[self.agreement],
            self.surrogate_minimum,
            self.max_surrogates,
            self.surrogate_errors,
            self.threshold == "below",
            self.always_surrogates,
            self.surrogate_unseen == "nothing",
        )

    def way(self, judge: Judge, sample: Sample, chosen: Candidate) -> Missing:
        """Where a row goes that does not answer the question that was chosen."""
        judged = judge.judged(chosen.table)
        asked = Asked(sample, chosen.test, chosen.table, judged, judge.sample.target.weight, self.stand_ins)
        return MISSING[self.missing].way(asked)
