r"""CART: Breiman, Friedman, Olshen and Stone's trees of yes-or-no questions, for classes and for numbers.

At each node:

1. If the rows have one target value, or a stopping rule forbids a split, the node is a leaf.
2. Otherwise try every question: for a continuous attribute, whether it is at most t; for a categorical one, whether its
   value is in a set; or, if the option says so, whether a weighted sum of all attributes is at most t. Each is scored
   by the decrease of the node's impurity (`criteria`).
3. Choose the best one. If it is not good enough, the node is a leaf after all.
4. Choose the rule for rows that do not answer (`missing_rules`).
5. Do the same with the rows on each side.

A leaf answers with the class of least expected cost (`costs`), which is the most common one if no costs are given, or
with the mean or the median of the numbers. The differences of rpart, scikit-learn and SimpleCart are in
`reference_tree.dialects`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from operator import attrgetter
from typing import ClassVar, Final, Literal, TypeAlias

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError, columns_option, option
from reference_tree.data.missing import Missing
from reference_tree.data.questions import Multiway, Test
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.schema import Attribute, Kind
from reference_tree.data.targets import Values
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.learners.criteria import (
    CRITERIA,
    LOSS,
    LOSSES,
    PRIORS,
    Criterion,
    LossRule,
    NodeCriterion,
    by_values,
    criterion_for,
    deviations,
)
from reference_tree.learners.decision import Decision, OnDemand, Winners, placed, too_small
from reference_tree.learners.missing_rules import MISSING, ChosenTest, MissingName, StandIns, with_gaps
from reference_tree.learners.options import Options, Profile, choice, depth, flag, number, seed
from reference_tree.learners.place import Answer, Place, answer_of, cheapest, path_text
from reference_tree.measures.measure import Measure
from reference_tree.measures.misclassification import Costs, Loss, Priors
from reference_tree.splitting.binary_subsets import (
    LIMIT,
    all_subsets,
    number_of_values,
    one_vs_rest,
    partition_of_present,
)
from reference_tree.splitting.candidate import Asking, Candidate, RuleId
from reference_tree.splitting.continuous_bisection import CutSearch, cuts, promising_cuts
from reference_tree.splitting.linear.side_scores import LinearSplit
from reference_tree.splitting.multivariate_nodes import SEARCHES, LinearCandidate, SearchName, linear_splits, regret
from reference_tree.splitting.ordered_subsets import listed_subsets, promising_subsets, subset_splits

Search: TypeAlias = Callable[[str, Partition], Iterable[Asking]]
"""A function that gives the sets of values to try, from an attribute and the partition of its values."""


def multiway(attribute: Attribute, sample: Sample, search: Search) -> Iterable[Asking]:
    """A branch for each value: the tree of Gini indices that Zhou and N2 call CART.

    Source:
        [N2 §2.3 choice], [Zhou2016 §4.2.3]
    """
    return [(test := Multiway.on(attribute), sample.partition(test))]


def single_values(attribute: Attribute, sample: Sample, search: Search) -> Iterable[Asking]:
    """One value against all others.

    Source:
        [LiHang2019 §5.5.1], [N3 Attributes with Many Values: binary splits]
    """
    return one_vs_rest(attribute.name, partition_of_present(sample, attribute))


def sets_of_values(attribute: Attribute, sample: Sample, search: Search) -> Iterable[Asking]:
    """Sets of values against the rest.

    Source:
        [Breiman1984 §2.4], [N3 Attributes with Many Values: binary splits]
    """
    return search(attribute.name, partition_of_present(sample, attribute))


Branching: TypeAlias = Literal["subset", "one-vs-rest", "multiway"]

BRANCHINGS: Mapping[str, Callable[[Attribute, Sample, Search], Iterable[Asking]]] = {
    "subset": sets_of_values,
    "one-vs-rest": single_values,
    "multiway": multiway,
}
"""The rules for questions about a categorical attribute, by the names that a tree document records."""

LINEAR: Final = "linear"
"""The rule by which all attributes are tested together."""


@dataclass(frozen=True, kw_only=True)
class CART(Options):
    """The learner.

    Args:
        epsilon: a split needs a score of at least this.
        max_depth: no node lies deeper; the root has depth 0. None: no limit.
        min_samples_split: a node with less weight is a leaf.
        min_samples_leaf: a split that leaves less weight in a branch that is not empty is no candidate.
        criterion: what questions are judged by: `gini`, `entropy`, `misclassification`, `twoing` or `mantaras` for
            classes, `squared_error`, `variance_n_minus_1` or `absolute_error` for numbers; `auto` is `gini` or
            `squared_error`.
        branching: how a categorical attribute is asked: `subset`, `one-vs-rest` or `multiway`. `linear`: all attributes
            are asked at once, a continuous one as a number, a categorical one as a number for each value, 1 or 0.
        search: how a linear test is looked for: `exhaustive`, `cart-lc`, `oc1` or `lda`.
        seed: the seed of the draws of `oc1`, which begin anew at each node.
        min_impurity_decrease: a split has to take at least this from the impurity of the whole tree.
        missing: the rule for rows that do not answer.
        max_surrogates: how many a node may have. None: no limit.
        always_surrogates: whether they are sought also where every row of the node answers its question.
        priors: class → how common it is. None: as common as in the sample.
        loss: class → answer → what that costs. None: every mistake costs 1.
        losses: how losses are heeded in the choice of a question: `altered-priors`, `generalized-gini`, `labels-only`.
        ties: overrides for exact ties.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> tree = CART().grow(textbook("golf"))
        >>> tree.nodes[0].test.name, tree.predict({"outlook": "sunny", "humidity": 77, "temperature": 80})
        ('outlook in {overcast}', 'no')

    Source:
        [Breiman1984 §2.4], [Breiman1984 §5.3], [Breiman1984 §8.3], [N1 §1.1 uses], [N2 §2.3 choice], [N4 Regression
        Tree]
    """

    name: ClassVar[str] = "cart"
    predicts = frozenset[Kind]({"categorical", "continuous"})
    profiles: ClassVar[dict[str, Profile]] = {}
    spelled_out: ClassVar[dict[str, object]] = {}

    min_samples_split: Rational = number(2)
    min_samples_leaf: Rational = number(1)
    criterion: Criterion = choice("auto", ["auto", *CRITERIA])
    branching: Branching | Literal["linear"] = choice("subset", [*BRANCHINGS, LINEAR])
    search: SearchName = choice("exhaustive", SEARCHES)
    seed: int = seed()
    min_impurity_decrease: Rational = number(0)
    missing: MissingName = choice("surrogates", MISSING)
    max_surrogates: int | None = depth()
    always_surrogates: bool = flag()
    priors: Priors | None = field(default=None, metadata=PRIORS)
    loss: Loss | None = field(default=None, metadata=LOSS)
    losses: LossRule = choice("altered-priors", LOSSES)

    @placed
    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """The decision at a node: steps 1 to 4.

        Source:
            [N2 §2.3 choice], [N4 Regression Tree], [Breiman1984 §2.4]
        """
        place, total = place or Place.root(sample), sample.total()
        answer = self.ties.labelled(place, self.answer(sample, total, place))
        counts, by = answer.counts if any(total) else total, self.criterion_for(sample).name
        if stop := self.stops.before(sample.target, total, place):  # step 1
            return Decision(counts, answer, stop, judged_by=by)
        criterion = self.node_criterion(sample, place)
        candidates, unlisted = partial(self.candidates, criterion, place), partial(self.unlisted, criterion, place)
        winners = self.winners(criterion, place)  # step 2
        if not winners:
            return Decision(counts, answer, self.nothing_found(criterion, place), candidates, judged_by=by)
        if stop := self.stops.after(winners[0], *map(criterion.weight, (total, place.everyone))):  # step 3
            return Decision(counts, answer, stop, candidates, winners, judged_by=by, unlisted=unlisted)
        chosen = self.ties.chosen(place, winners, winners[0])
        way = self.way(criterion, sample, chosen)  # step 4
        evidence = OnDemand(partial(self.figures, criterion, chosen))
        return Decision(counts, answer, None, candidates, winners, chosen, by, way, evidence, unlisted)

    # The answer of a node, and the criterion of its questions.

    def answer(self, sample: Sample, total: Counts, place: Place) -> Answer:
        """The prediction of a node as a leaf: the cheapest class, the mean, or the median.

        Source:
            [N4 Regression Tree: prediction], [N4 figure: regression tree], [Breiman1984 §2.4], [Breiman1984 §8.3]
        """
        target, criterion = sample.schema.target, self.criterion_for(sample)
        if self.priors is not None or self.loss is not None:
            return cheapest(target, total, self.costs(target, place), place.inherited)
        if criterion.counted != "numbers" or not any(total):
            return answer_of(target, total, place.inherited)
        found = deviations(sample)
        return Answer(found.median, found)

    def costs(self, target: Attribute, place: Place) -> Costs:
        """Priors and losses for the classes of the table."""
        return Costs.of(target, place.everyone, self.priors, self.loss)

    def criterion_for(self, sample: Sample) -> Measure:
        """The criterion that scores the questions.

        Raises:
            InputError: the criterion, the priors or the losses are not for a target of this kind.
        """
        target = sample.schema.target
        if target.values is None and (self.priors is not None or self.loss is not None):
            raise InputError(f"the target {target.name} is continuous: only classes have priors and losses")
        return criterion_for(self.criterion, target)

    def node_criterion(self, sample: Sample, place: Place) -> NodeCriterion:
        """The criterion at a node, with everything that affects a score."""
        criterion, rule = self.criterion_for(sample), MISSING[self.missing]
        minimum = max(self.min_samples_leaf, criterion.least)
        if place.parent is None:
            rule.check(sample)
            if criterion.two_sides and self.branching == "multiway":
                raise InputError(f"{criterion.criterion} compares two sides; say {option('branching', 'subset')}")
            if self.branching == LINEAR:
                _check_complete(sample)
        if criterion.counted == "numbers":
            sample = by_values(sample)
        if self.priors is None and self.loss is None:
            return NodeCriterion(criterion, sample, minimum, rule)
        costs = self.costs(sample.schema.target, place)
        in_weights = costs.altered() if self.losses == "altered-priors" else costs
        in_gini = self.losses == "generalized-gini" and self.loss is not None and criterion is CRITERIA["gini"]
        return NodeCriterion(criterion, sample, minimum, rule, in_weights, in_gini)

    # The questions, and the best of them.

    def candidates(self, criterion: NodeCriterion, place: Place) -> Iterator[Candidate]:
        """Every candidate: the questions about each available attribute, in table order, or about all at once."""
        if self.branching == LINEAR:
            yield from map(criterion.line, self.lines(criterion, place, every=True))
            return
        for attribute in place.attributes(criterion.sample.schema):
            for test, table in self.questions(criterion, attribute, every=True):
                yield criterion.candidate(test, table)

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One question as a candidate."""
        criterion = self.node_criterion(sample, place)
        return criterion.candidate(test, criterion.sample.partition(test))

    def winners(self, criterion: NodeCriterion, place: Place) -> Sequence[Candidate]:
        """All candidates of largest score, decided exactly.

        Source:
            [N2 §2.3 choice], [N4 Regression Tree: variance reduction], [Breiman1984 §2.4]. N2 takes the smallest Gini
            index, which at one node is the largest decrease.
        """
        if self.branching == LINEAR:  # a search makes its own comparisons, and never returns a barred candidate
            return tuple(map(criterion.line, self.lines(criterion, place)))

        order = [attribute.name for attribute in criterion.sample.schema.attributes]

        def winning(ties: bool) -> Sequence[Candidate]:
            found = self.promising(criterion, place, ties=ties)
            equal = best([candidate for candidate in found if candidate.barred is None], attrgetter("score"))
            return sorted(equal, key=lambda winner: order.index(winner.test.attribute))

        return Winners.of(winning)

    def promising(self, criterion: NodeCriterion, place: Place, *, ties: bool) -> Iterator[Candidate]:
        """Candidates that include every winner, or without `ties` the first winner: cuts, then other questions."""
        attributes = place.attributes(criterion.sample.schema)
        bisected = [a.name for a in attributes if a.values is None and not criterion.counts_in(a)]
        weights = None if criterion.costs is None else criterion.costs.weights
        search = CutSearch(criterion.by, criterion.minimum, class_weights=weights, ties=ties)
        for test, table in promising_cuts(criterion.sample, bisected, search):
            yield criterion.candidate(self.asked(test), table)
        for attribute in attributes:
            if attribute.name not in bisected:
                for question in self.questions(criterion, attribute):
                    yield criterion.candidate(*question)

    def questions(self, criterion: NodeCriterion, attribute: Attribute, *, every: bool = False) -> Iterable[Asking]:
        """The questions about an attribute with their sample partitions: all, or those that may be the best."""
        if attribute.values is None:
            return ((self.asked(test), table) for test, table in cuts(criterion.sample, attribute.name))
        search = partial(self.subsets_of, criterion, every=every)
        return BRANCHINGS[self.branching](attribute, criterion.sample, search)

    def subsets_of(self, criterion: NodeCriterion, attribute: str, table: Partition, every: bool) -> Iterable[Asking]:
        """The sets of values that are tried: all, or those that may be the best.

        Source:
            [Breiman1984 §4.2]
        """
        if criterion.counted(table) is not table:  # the order holds only among rows that answer
            return all_subsets(attribute, table)
        # Priors and losses weigh the classes, of which a search among tables knows nothing.
        target = criterion.sample.target
        numbers = target.numbers if isinstance(target, Values) else ()
        promising = subset_splits if criterion.costs else partial(promising_subsets, numbers=numbers)
        search = listed_subsets if every else promising
        return search(attribute, table, criterion.by, criterion.minimum)

    def asked(self, test: Test) -> Test:
        """The form in which a cut is asked: whether the value is at most the threshold."""
        return test

    def lines(self, criterion: NodeCriterion, place: Place, *, every: bool = False) -> Iterable[LinearSplit]:
        """The best linear splits that the search finds; with `every`, all splits of an exhaustive search.

        Source:
            [N2 §5], [Breiman1984 §5.2]
        """
        points = criterion.sample.points([a.name for a in place.attributes(criterion.sample.schema)])
        if every and self.search == "exhaustive":
            return linear_splits(points)
        chance = Chance(self.seed, path_text(place).encode())
        return SEARCHES[self.search](points, criterion.score, criterion.minimum, chance)

    def unlisted(self, criterion: NodeCriterion, place: Place) -> Iterator[str]:
        """The attributes with more than `LIMIT` values at the node: not every subset of these values is listed."""
        for attribute in place.attributes(criterion.sample.schema) if self.branching == "subset" else ():
            if attribute.values is not None:
                table = partition_of_present(criterion.sample, attribute)
                yield from [attribute.name] if number_of_values(table) > LIMIT else []

    def nothing_found(self, criterion: NodeCriterion, place: Place) -> RuleId:
        """The rule that makes a node without any eligible question a leaf."""
        if self.branching == LINEAR:  # a search returns no barred candidates
            unbounded = self.lines(replace(criterion, minimum=0), place)
            return "min-samples-leaf" if any(True for _ in unbounded) else "no-candidates"
        return too_small(self.candidates(criterion, place))

    def figures(self, criterion: NodeCriterion, chosen: Candidate) -> Mapping[RuleId, Number]:
        """The regret of a linear test that a heuristic found, if the best linear test can be found."""
        if not isinstance(chosen, LinearCandidate) or self.search == "exhaustive":
            return {}
        try:
            return {"regret": regret(chosen.split, criterion.score, criterion.minimum)}
        except InputError:  # there are too many to go through
            return {}

    # Rows that do not answer.

    @cached_property
    def stand_ins(self) -> StandIns:
        """The parameters of the search for surrogates."""
        return StandIns(most=self.max_surrogates, always=self.always_surrogates)

    def way(self, criterion: NodeCriterion, sample: Sample, chosen: Candidate) -> Missing:
        """The rule for rows that do not answer the chosen question."""
        counted = criterion.counted(chosen.table)
        test = ChosenTest(sample, chosen.test, chosen.table, counted, criterion.sample.target.weight, self.stand_ins)
        return MISSING[self.missing].way(test)


def _check_complete(sample: Sample) -> None:
    """Refuse missing values where a linear test adds up all attributes."""
    if names := with_gaps(sample):
        raise InputError(
            f"values of {', '.join(names)} are missing, and a linear test adds up all of them; "
            f"say another {option('branching')}, or {columns_option('without', names[0])}"
        )


CART.profiles["cart-1984"] = Profile(
    CART, {"min_samples_split": 6, "losses": "generalized-gini", "always_surrogates": True}
)
