r"""CART: Breiman, Friedman, Olshen and Stone's trees of tests with two outcomes, for classes and for numbers.

At each node:

1. If the rows have one target value, or a stopping rule forbids a split, the node is a leaf.
2. Otherwise try every test: for a continuous attribute, whether it is at most t; for a categorical one, whether its
   value is in a set; or, if the option says so, whether a weighted sum of all attributes is at most t. Each is scored
   by the decrease of the node's impurity (`criteria`).
3. Choose the best one. If it is not good enough, the node is a leaf after all.
4. Choose the rule for rows without the value of the test (`missing_rules`).
5. Do the same with the rows on each side.

A leaf predicts the class of least expected cost (`costs`), which is the most common one if no costs are given, or
with the mean or the median of the numbers. `reference_tree.programs` has the differences of programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import starmap
from operator import attrgetter
from typing import ClassVar, Literal

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError, columns_option, option
from reference_tree.data.points import Points
from reference_tree.data.questions import Missing, Test, Threshold
from reference_tree.data.sample import Partition, Sample
from reference_tree.data.schema import Attribute, Kind
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.learners.criteria import (
    CRITERIA,
    LOSS,
    LOSSES,
    PRIORS,
    AbsoluteErrorCriterion,
    CostCriterion,
    Criterion,
    LossRule,
    NodeCriterion,
    criterion_for,
)
from reference_tree.learners.decision import Decision, OnDemand, Winners, none_eligible, placed
from reference_tree.learners.options import Options, Profile
from reference_tree.learners.place import Place, path_text
from reference_tree.learners.recorded import AMOUNT, DEPTH, SEED, TRUTH, Conflict, described, word
from reference_tree.measures.misclassification import Costs, Loss, Priors
from reference_tree.splitting.binary_subsets import (
    LIMIT,
    all_subsets,
    number_of_values,
    partition_of_present,
)
from reference_tree.splitting.branching import LINEAR, Branching, BranchingName, branchings
from reference_tree.splitting.candidate import Asking, Candidate, RuleId
from reference_tree.splitting.continuous_bisection import Cuts, cuts, listed_cuts, promising_cuts
from reference_tree.splitting.linear.side_scores import LinearSplit
from reference_tree.splitting.missing_rules import ChosenTest, MissingName, StandIns, known, missing_rules, with_gaps
from reference_tree.splitting.multivariate_nodes import SEARCHES, LinearCandidate, SearchName, linear_splits, regret


@dataclass(frozen=True, kw_only=True)
class CART(Options):
    """The learner.

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
    follows_rules: ClassVar[bool] = True

    conflicts = (
        Conflict(
            ("criterion", "branching"),
            lambda cart: (
                branchings()[cart.branching].kind == "multiway"
                and cart.criterion in CRITERIA
                and CRITERIA[cart.criterion].two_sides
            ),
            lambda cart: f"{cart.criterion} compares two sides; say {option('branching', 'subset')}",
        ),
        Conflict(
            ("search", "branching"),
            lambda cart: cart.branching != LINEAR.name and cart.search != "exhaustive",
            lambda cart: (
                f"{option('search', cart.search)} is for linear tests; say {option('branching', 'linear')}, too"
            ),
        ),
    )

    min_samples_split: Rational = 2
    min_samples_leaf: Rational = 1
    criterion: Criterion = described(
        "auto",
        word("auto", CRITERIA),
        "the score of a test. `auto`: `gini` for classes, `squared_error` for numbers",
        flag=True,
    )
    branching: BranchingName | Literal["linear"] = described(
        "subset", word(branchings()), "the tests of a categorical attribute", flag=True
    )
    search: SearchName = described("exhaustive", word(SEARCHES), "the search for a linear test", flag=True)
    seed: int = described(
        0, SEED, "the seed of the random draws. The draws of `oc1` begin anew at each node", flag=True
    )
    min_impurity_decrease: Rational = described(
        0, AMOUNT, "a split has to reduce the impurity of the whole tree by at least this", flag=True
    )
    missing: MissingName = described("surrogates", word(missing_rules()), "the rule for missing values", flag=True)
    max_surrogates: int | None = described(None, DEPTH, "the most surrogates of a node. None: no limit")
    always_surrogates: bool = described(
        False, TRUTH, "whether surrogates are sought also where no value is missing at the node"
    )
    priors: Priors | None = described(None, PRIORS, "class → how common it is. None: as common as in the sample")
    loss: Loss | None = described(None, LOSS, "class → prediction → its cost. None: every error costs 1")
    losses: LossRule = described("altered-priors", word(LOSSES), "how losses are used in the choice of a test")

    # The counts of a leaf are those from which its prediction was computed: moments have no median, so under the
    # absolute error they are the weight, the median and the deviation.
    @placed
    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """The decision at a node: steps 1 to 4.

        Raises:
            InputError: the criterion is not for a target of this kind; at the root, a rule refuses missing values.

        Source:
            [N2 §2.3 choice], [N4 Regression Tree], [Breiman1984 §2.4]
        """
        place, total = place or Place.root(sample), sample.total()
        criterion = self.node_criterion(sample, place)
        answer = self.ties.labelled(place, criterion.answer(total, place.inherited))
        counts, by = answer.counts if any(total) else total, criterion.measure.name
        if stop := self.stops.before(sample.target, total, place):  # step 1
            return Decision(counts, answer, stop, judged_by=by)
        questions = self.questions(criterion, place)
        winners = questions.winners()  # step 2
        candidates, unlisted, beside = questions.candidates, questions.unlisted, partial(questions.beside, winners)
        decision = Decision(counts, answer, None, candidates, winners, None, by, unlisted=unlisted, beside=beside)
        if not winners:
            return replace(decision, stop=questions.nothing_found())
        chosen = self.ties.chosen(place, winners, winners[0])
        if stop := self.stops.after(chosen, criterion.weight(total), criterion.weight(place.everyone)):  # step 3
            return replace(decision, stop=stop)
        evidence = OnDemand(partial(questions.figures, chosen))
        return replace(decision, chosen=chosen, missing=self.way(criterion, chosen), evidence=evidence)  # step 4

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One test as a candidate."""
        criterion = self.node_criterion(sample, place)
        return criterion.candidate(test, criterion.sample.partition(test))

    def node_criterion(self, sample: Sample, place: Place) -> NodeCriterion:
        """The criterion at a node, with everything that affects a prediction or a score.

        Raises:
            InputError: the criterion is not for a target of this kind.
        """
        target, measure = sample.schema.target, criterion_for(self.criterion, sample.schema.target)
        # A measure may need more of a branch than the option: with n - 1, a branch that weighs less than 1 has no
        # variance.
        given = (measure, sample, max(self.min_samples_leaf, measure.least), missing_rules()[self.missing])
        if self.priors is not None or self.loss is not None:
            costs = Costs.of(target, place.everyone, self.priors, self.loss)
            return CostCriterion(*given, costs, "labels-only" if self.loss is None else self.losses)
        return AbsoluteErrorCriterion(*given) if measure.counted == "numbers" else NodeCriterion(*given)

    def questions(self, criterion: NodeCriterion, place: Place) -> AttributeTests | LinearTests:
        """The tests of a node: about each attribute that may still be tested, or about all of them at once.

        Raises:
            InputError: at the root, the rule for missing values refuses them.
        """
        if place.parent is None:  # a property of all rows holds below
            criterion.rule.check(criterion.rows)
        attributes = place.attributes(criterion.rows.schema)
        if self.branching == LINEAR.name:
            return LinearTests(criterion, attributes, self.search, self.seed, path_text(place).encode())
        return AttributeTests(criterion, attributes, branchings()[self.branching])

    @cached_property
    def stand_ins(self) -> StandIns:
        """The parameters of the search for surrogates."""
        return StandIns(most=self.max_surrogates, always=self.always_surrogates)

    def way(self, criterion: NodeCriterion, chosen: Candidate) -> Missing:
        """The rule for rows without the value of the chosen test."""
        rows, weight, counted = criterion.rows, criterion.sample.target.weight, criterion.counted(chosen.table)
        return criterion.rule.way(ChosenTest(rows, chosen.test, chosen.table, counted, weight, self.stand_ins))


# The tests of a node, and the best of them.


@dataclass(frozen=True)
class AttributeTests:
    """The tests of a node that are each about one attribute.

    Args:
        criterion: the criterion at the node.
        attributes: the attributes that may be tested, in table order.
        branching: the rule for categorical attributes.
    """

    criterion: NodeCriterion
    attributes: Sequence[Attribute]
    branching: Branching

    def candidates(self) -> Iterator[Candidate]:
        """Every test as a candidate, in table order."""
        return (self.candidate(*asking) for one in self.attributes for asking in self.about(one, every=True))

    def winners(self) -> Sequence[Candidate]:
        """All candidates of largest score, decided exactly.

        Source:
            [N2 §2.3 choice], [N4 Regression Tree: variance reduction], [Breiman1984 §2.4]. N2 takes the smallest Gini
            index, which at one node is the largest decrease.
        """
        return Winners(lambda ties: best([one for one in self.promising(ties) if not one.barred], attrgetter("score")))

    def beside(self, winners: Sequence[Candidate]) -> Iterator[Candidate]:
        """Candidates that include every best one beside some winners."""
        # The cuts that won are left out of another search, which so finds the next best; of the other attributes every
        # test is a candidate anyway.
        asked = (one.test for one in winners if isinstance(one.test, Threshold))
        return self.promising(
            True, frozenset((one.attribute, one.interval) for one in asked if one.interval), every=True
        )

    def promising(self, ties: bool, without: Cuts = frozenset(), *, every: bool = False) -> Iterator[Candidate]:
        """Candidates that include every winner, or without `ties` the first winner, in table order.

        Args:
            ties: whether every winner is wanted.
            without: cuts that are no longer looked for.
            every: whether every set of values is wanted that is listed.
        """
        # The search for cuts scores the rows with a value. Where a rule counts others in, every cut is tried.
        bisected = (one for one in self.attributes if one.values is None and not self.criterion.counts_in(one))
        # One search for the cuts of all attributes: a fast form may then bound the cuts of one by the best score of
        # another.
        cuts_of: dict[str, list[Asking]] = {one.name: [] for one in bisected}
        for cut in promising_cuts(self.criterion.sample, [*cuts_of], self.criterion.cut_search(ties, without)):
            cuts_of[cut.test.attribute].append(cut)
        for one in self.attributes:
            yield from starmap(self.candidate, cuts_of[one.name] if one.name in cuts_of else self.about(one, every))

    def about(self, attribute: Attribute, every: bool = False) -> Iterable[Asking]:
        """The tests of an attribute with their sample partitions: all, or those that may be the best."""
        if attribute.values is None:
            sample, search = self.criterion.sample, self.criterion.cut_search(True)
            in_part = every and not self.criterion.counts_in(attribute)
            return listed_cuts(sample, attribute.name, search) if in_part else cuts(sample, attribute.name)
        return self.branching.askings(attribute, self.criterion.sample, partial(self.subsets, every=every))

    def subsets(self, attribute: str, table: Partition, *, every: bool) -> Iterable[Asking]:
        """The sets of values that are tried: all, or those that may be the best.

        Source:
            [Breiman1984 §4.2]
        """
        # The order holds only among rows with a value. (Nothing is scored here: the table has a row for each value.)
        if self.criterion.rule.join is not known and any(table.unknown):
            return all_subsets(attribute, table)
        return self.criterion.subsets(attribute, table, every)

    def candidate(self, test: Test, table: Partition) -> Candidate:
        """A test as a candidate."""
        return self.criterion.candidate(test, table)

    def unlisted(self) -> Iterator[str]:
        """The attributes with more than `LIMIT` values, whose tests are not all listed."""
        for attribute in self.attributes:
            if attribute.values is not None and self.branching.searches:
                table = partition_of_present(self.criterion.sample, attribute)
                yield from [attribute.name] if number_of_values(table) > LIMIT else []

    def nothing_found(self) -> RuleId:
        """The rule that makes a node without any eligible test a leaf."""
        every = partial(self.about, every=True)
        return none_eligible(self.criterion.sample, self.attributes, lambda one: starmap(self.candidate, every(one)))

    def figures(self, chosen: Candidate) -> Mapping[RuleId, Number]:
        """No figures beside the scores."""
        return {}


@dataclass(frozen=True)
class LinearTests:
    """The tests of a node that are about all attributes at once. A search makes its own comparisons.

    Args:
        criterion: the criterion at the node.
        attributes: the attributes that may be tested.
        search: the name of the search.
        seed: the seed of its draws.
        key: the path of the node, on which the draws depend beside the seed.
    """

    criterion: NodeCriterion
    attributes: Sequence[Attribute]
    search: SearchName
    seed: int
    key: bytes

    def splits(self, minimum: Rational) -> list[LinearSplit]:
        """The best splits that the search finds, whose sides weigh at least a minimum.

        Source:
            [N2 §5], [Breiman1984 §5.2]
        """
        # The draws of a node depend on the seed and its path, and not on the nodes that were grown before it.
        return SEARCHES[self.search](self.points, self.criterion.score, minimum, Chance(self.seed, self.key))

    @cached_property
    def points(self) -> Points:
        """The rows as points.

        Raises:
            InputError: values are missing; a linear test adds up all of them.
        """
        if names := with_gaps(self.criterion.rows):
            raise InputError(
                f"values of {', '.join(names)} are missing, and a linear test adds up all of them; "
                f"say another {option('branching')}, or {columns_option('without', names[0])}"
            )
        return self.criterion.sample.points([attribute.name for attribute in self.attributes])

    def candidates(self) -> Iterator[Candidate]:
        """All splits as candidates; of a heuristic search only the best it finds."""
        exhaustive = self.search == "exhaustive"
        return map(
            self.criterion.line, linear_splits(self.points) if exhaustive else self.splits(self.criterion.minimum)
        )

    def beside(self, winners: Sequence[Candidate]) -> Iterator[Candidate]:
        """All splits as candidates."""
        return self.candidates()

    def winners(self) -> Sequence[Candidate]:
        """The best splits as candidates."""
        return tuple(map(self.criterion.line, self.splits(self.criterion.minimum)))

    def unlisted(self) -> Iterator[str]:
        """No attribute: a test is not about one."""
        return iter(())

    def nothing_found(self) -> RuleId:
        """The rule that makes a node without any eligible test a leaf; a search returns no barred candidate."""
        # A search sees no barred sides. So it runs again without a minimum: any split that it finds now was too small.
        return "min-samples-leaf" if self.splits(minimum=0) else "no-candidates"

    def figures(self, chosen: Candidate) -> Mapping[RuleId, Number]:
        """The regret of a test that a heuristic found, if the best test can be found."""
        if not isinstance(chosen, LinearCandidate) or self.search == "exhaustive":
            return {}
        try:
            return {"regret": regret(chosen.split, self.criterion.score, self.criterion.minimum)}
        except InputError:  # there are too many to go through
            return {}


# Surrogates of every split, also without a gap in training: the book measures the importance of a variable by them, and
# a row to be predicted may lack a value [Breiman1984 §5.3].
CART.profiles["cart-1984"] = Profile(
    CART, {"min_samples_split": 6, "losses": "generalized-gini", "always_surrogates": True}
)
