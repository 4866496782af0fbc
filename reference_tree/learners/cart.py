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

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Final, Literal, TypeAlias, get_args

from reference_tree.data.errors import InputError, columns_option, option
from reference_tree.data.missing import Missing
from reference_tree.data.questions import Test
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute, Kind
from reference_tree.exact.rationals import Rational, decimal_text, exactly, rational
from reference_tree.learners.criteria import (
    BRANCHINGS,
    CRITERIA,
    AttributeQuestions,
    Branching,
    Criterion,
    LinearQuestions,
    NodeCriterion,
    criterion_for,
)
from reference_tree.learners.decision import Decision, OnDemand, placed
from reference_tree.learners.missing_rules import MISSING, ChosenTest, MissingName, StandIns, with_gaps
from reference_tree.learners.options import Codec, Options, Profile, choice, depth, flag, number, seed
from reference_tree.learners.place import Place, path_text
from reference_tree.measures.measure import Measure
from reference_tree.measures.misclassification import Costs, Loss, Priors
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.multivariate_nodes import SEARCHES, SearchName

LINEAR: Final = "linear"
"""The rule by which all attributes are tested together."""

LossRule: TypeAlias = Literal["altered-priors", "generalized-gini", "labels-only"]

LOSSES: tuple[LossRule, ...] = get_args(LossRule)
"""The ways in which the choice of a question uses losses, by the names that a tree document records."""


# Priors and losses as options: checked, written to a document, read from one.


def _numbers(named: Priors, what: str) -> Priors:
    if not isinstance(named, Mapping):
        raise InputError(f"{what} is given for each class by its name, not as {named!r}")
    numbers = {str(label): _number(given, f"{what} of {label}") for label, given in named.items()}
    for label, found in numbers.items():
        if found < 0:
            raise InputError(f"{what} is not negative, but that of {label} is {found}")
    return numbers


def _number(given: object, what: str) -> Rational:
    """The exact value of a number, or of a number as text: a text can say 1/3, a float cannot."""
    try:
        return rational(given) if isinstance(given, str) else exactly(given)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what}: {error}") from None


def _checked_priors(priors: Priors | None) -> Priors | None:
    return None if priors is None else _numbers(priors, "a prior")


def _checked_loss(loss: Loss | None) -> Loss | None:
    if not (loss is None or isinstance(loss, Mapping)):
        raise InputError(f"a loss is given for each class and answer by their names, not as {loss!r}")
    return None if loss is None else {str(right): _numbers(row, "a loss") for right, row in loss.items()}


def _written(value: Any) -> Any:
    """Numbers as text, at any depth of nested mappings."""
    if isinstance(value, Mapping):
        return {name: _written(each) for name, each in value.items()}
    return None if value is None else decimal_text(value)


def _read(written: Any) -> Any:
    if isinstance(written, Mapping):
        return {name: _read(each) for name, each in written.items()}
    if not (written is None or isinstance(written, str)):
        raise InputError(f"{written!r} is not the text of a number")
    return None if written is None else rational(written)


PRIORS = {"codec": Codec(_checked_priors, _written, _read, "class → a number, as text; or `null`")}
"""The metadata of a field that holds priors, or None if the classes are as common as in the sample."""
LOSS = {"codec": Codec(_checked_loss, _written, _read, "class → answer → a number, as text; or `null`")}
"""The metadata of a field that holds a loss matrix, or None if every mistake costs 1."""


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

        Raises:
            InputError: at the root, a rule refuses the missing values, or the criterion compares two sides alone.

        Source:
            [N2 §2.3 choice], [N4 Regression Tree], [Breiman1984 §2.4]
        """
        place, total = place or Place.root(sample), sample.total()
        criterion = self.node_criterion(sample, place)
        answer = self.ties.labelled(place, criterion.answer(total, place.inherited))
        counts, by = answer.counts if any(total) else total, criterion.measure.name
        if stop := self.stops.before(sample.target, total, place):  # step 1
            return Decision(counts, answer, stop, judged_by=by)
        if place.parent is None:
            self.check(criterion)
        questions = self.questions(criterion, place)
        winners = questions.winners()  # step 2
        decision = Decision(counts, answer, None, questions.candidates, winners, None, by, unlisted=questions.unlisted)
        if not winners:
            return replace(decision, stop=questions.nothing_found())
        if stop := self.stops.after(winners[0], criterion.weight(total), criterion.weight(place.everyone)):  # step 3
            return replace(decision, stop=stop)
        chosen = self.ties.chosen(place, winners, winners[0])
        evidence = OnDemand(partial(questions.figures, chosen))
        return replace(decision, chosen=chosen, missing=self.way(criterion, chosen), evidence=evidence)  # step 4

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One question as a candidate."""
        criterion = self.node_criterion(sample, place)
        return criterion.candidate(test, criterion.sample.partition(test))

    def criterion_for(self, target: Attribute) -> Measure:
        """The measure that scores the questions.

        Raises:
            InputError: the criterion, the priors or the losses are not for a target of this kind.
        """
        if target.values is None and (self.priors is not None or self.loss is not None):
            raise InputError(f"the target {target.name} is continuous: only classes have priors and losses")
        return criterion_for(self.criterion, target)

    def node_criterion(self, sample: Sample, place: Place) -> NodeCriterion:
        """The criterion at a node, with everything that affects an answer or a score."""
        target, rule = sample.schema.target, MISSING[self.missing]
        measure = self.criterion_for(target)
        minimum = max(self.min_samples_leaf, measure.least)
        if self.priors is None and self.loss is None:
            return NodeCriterion(measure, sample, minimum, rule)
        costs = Costs.of(target, place.everyone, self.priors, self.loss)
        in_weights = costs.altered() if self.losses == "altered-priors" else costs
        in_gini = self.losses == "generalized-gini" and self.loss is not None and measure is CRITERIA["gini"]
        return NodeCriterion(measure, sample, minimum, rule, in_weights, in_gini, costs)

    def check(self, criterion: NodeCriterion) -> None:
        """Refuse a sample that the options are not for. The check at the root is enough for all nodes below.

        Raises:
            InputError: values are missing without a rule for them, or the criterion compares two sides alone.
        """
        criterion.rule.check(criterion.rows)
        if criterion.measure.two_sides and self.branching == "multiway":
            raise InputError(f"{criterion.measure.criterion} compares two sides; say {option('branching', 'subset')}")
        if self.branching == LINEAR and (names := with_gaps(criterion.rows)):
            raise InputError(
                f"values of {', '.join(names)} are missing, and a linear test adds up all of them; "
                f"say another {option('branching')}, or {columns_option('without', names[0])}"
            )

    def questions(self, criterion: NodeCriterion, place: Place) -> AttributeQuestions | LinearQuestions:
        """The questions of a node: about each attribute that may still be tested, or about all of them at once."""
        attributes = place.attributes(criterion.rows.schema)
        if self.branching == LINEAR:
            return LinearQuestions(criterion, attributes, self.search, self.seed, path_text(place).encode())
        return AttributeQuestions(criterion, attributes, self.branching)

    @cached_property
    def stand_ins(self) -> StandIns:
        """The parameters of the search for surrogates."""
        return StandIns(most=self.max_surrogates, always=self.always_surrogates)

    def way(self, criterion: NodeCriterion, chosen: Candidate) -> Missing:
        """The rule for rows that do not answer the chosen question."""
        counted, weight = criterion.counted(chosen.table), criterion.sample.target.weight
        return criterion.rule.way(
            ChosenTest(criterion.rows, chosen.test, chosen.table, counted, weight, self.stand_ins)
        )


CART.profiles["cart-1984"] = Profile(
    CART, {"min_samples_split": 6, "losses": "generalized-gini", "always_surrogates": True}
)
