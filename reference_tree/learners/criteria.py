r"""Criteria: the measures by which CART scores a test.

1. `CRITERIA` has them: every measure whose record has a name as a criterion. Its score decides: the larger, the better.
2. `by_values` and `deviations` are for the absolute error, which cannot be computed from sums over the rows.
3. `NodeCriterion` is a criterion at a node, with the counting of the rows, their weights, and the rule for rows
   without a value. It makes a candidate of a test and its table. `AbsoluteErrorCriterion` and `CostCriterion` are those
   of the absolute error, and under priors and losses.
4. `PRIORS` and `LOSS` are options. By default the classes are as common in the population as among the rows, and every
   mistake costs the same. *Priors* π_j state how common each class is instead, and a *loss matrix* C(i|j) states the
   cost of predicting i where j is right. Both are given by the names of the classes; all numbers are exact.

The deciding score is the decrease of the node's impurity, per unit of weight; ε is compared with it. Some books look
for the smallest Gini index instead, so a candidate has that score, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias, get_args

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Test
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.schema import Attribute, Kind
from reference_tree.data.targets import Values
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, decimal_text, exactly, rational, simplest
from reference_tree.learners.place import Answer, answer_of, cheapest
from reference_tree.learners.recorded import Domain
from reference_tree.measures.absolute_error import absolute_deviation, median
from reference_tree.measures.measure import Measure, measures
from reference_tree.measures.misclassification import Costs, Loss, Priors, generalized_gini_decrease
from reference_tree.node import Deviations
from reference_tree.splitting.candidate import (
    MEASURES,
    AbsoluteErrorReduction,
    Asking,
    Candidate,
    TableScore,
    barring_rule,
    decisive_score,
    of_known,
)
from reference_tree.splitting.continuous_bisection import Cuts, CutSearch
from reference_tree.splitting.linear.side_scores import LinearSplit
from reference_tree.splitting.missing_rules import MissingRule, known, without_value
from reference_tree.splitting.multivariate_nodes import LinearCandidate
from reference_tree.splitting.ordered_subsets import listed_subsets, promising_subsets, subset_splits
from reference_tree.twins import twin

Criterion: TypeAlias = Literal[
    "auto",
    "gini",
    "entropy",
    "mantaras",
    "misclassification",
    "twoing",
    "squared_error",
    "variance_n_minus_1",
    "absolute_error",
]
"""The names of the criteria for type checkers; `auto` is the default one for the target."""

LossRule: TypeAlias = Literal["altered-priors", "generalized-gini", "labels-only"]

LOSSES: tuple[LossRule, ...] = get_args(LossRule)
"""The uses of losses in the choice of a test, by the names that a tree document records."""

# Read off the records: a new measure with a name as a criterion needs no line here, but one in `Criterion`.
CRITERIA: Mapping[str, Measure] = {measure.criterion: measure for measure in measures().values() if measure.criterion}
"""The measures that CART has as a criterion, by the names that a tree document records."""


KINDS: Mapping[str, Kind] = {
    name: "categorical" if one.counted == "classes" else "continuous" for name, one in CRITERIA.items()
}
"""The kind of target that each criterion is for."""

USUAL: Mapping[Kind, str] = {"categorical": "gini", "continuous": "squared_error"}
"""The default criterion for each kind of target."""


def criterion_for(name: str, target: Attribute) -> Measure:
    """The criterion of this name, or for `auto` the default one for a target.

    Raises:
        InputError: it is for another kind of target.

    Example:
        >>> criterion_for("auto", Attribute("weight")).scores
        ('split_error', 'variance_reduction')
    """
    # The kind is checked, and never guessed from the criterion: numbers that are class labels are classes only if the
    # table says so.
    criterion = USUAL[target.kind] if name == "auto" else name
    if KINDS[criterion] != target.kind:
        others = " or ".join(other for other, kind in KINDS.items() if kind == target.kind)
        raise InputError(f"the target {target.name} is {target.kind}, which {name} does not judge; say {others}")
    return CRITERIA[criterion]


# No sums of numbers determine a median. With a column for each number of the whole table, the rows of a partition are
# additive again, and a split needs no second look at the rows.
@twin
def by_values(sample: Sample) -> Sample:
    """The rows of a sample, counted by their number: a column of weights for each number of the table."""
    return sample.against(Values(tuple(sample.schema.numbers[sample.schema.target.name])))


@twin
def deviations(sample: Sample) -> Deviations:
    """The weight, the median and the sum of absolute deviations of the numbers in a sample.

    Source:
        [Breiman1984 §8.11]
    """
    # The target is read as an attribute would be, ascending: that is one of the questions that every store answers.
    numbers, rows, _ = sample.ordered(sample.schema.target.name)
    weights = [sample.target.weight(row) for row in rows]
    middle, error = median(weights, numbers), absolute_deviation(weights, numbers)
    return Deviations(sum(weights), simplest(Fraction(middle)), simplest(Fraction(error)))


# A learner's search knows a node through this class alone. The subclasses change how rows are counted (`sample`), what
# a class weighs in a score (`weighed`), the measures, and the prediction; everything else holds for all.
@dataclass(frozen=True)
class NodeCriterion:
    """A criterion at a node.

    Args:
        measure: the measure by which tests are scored.
        rows: the rows at the node.
        minimum: the least weight of a branch that is not empty.
        rule: the rule for rows without the value.
    """

    measure: Measure
    rows: Sample
    minimum: Rational
    rule: MissingRule

    @property
    def sample(self) -> Sample:
        """The rows, counted as the measure requires."""
        return self.rows

    @property
    def by(self) -> str:
        """The name of the measure that decides."""
        return self.measure.name

    @property
    def measures(self) -> Mapping[str, TableScore]:
        """The measure of each score, by name."""
        return MEASURES

    def answer(self, total: Counts, inherited: Answer | None) -> Answer:
        """The prediction of the node as a leaf: the most common class, or the mean.

        Args:
            total: the counts of its rows.
            inherited: the prediction of the node above, for a node without rows.

        Source:
            [N4 Regression Tree: prediction], [N4 figure: regression tree], [Breiman1984 §2.4], [Breiman1984 §8.3]
        """
        return answer_of(self.rows.schema.target, total, inherited)

    def weight(self, row: Counts) -> Rational:
        """The weight of some rows of the node, from their counts."""
        return self.rows.target.weight(row)

    def weighed(self, table: Partition) -> Partition:
        """A table with the weights that the classes have in a score."""
        return table

    def cut_search(self, ties: bool, without: Cuts = frozenset()) -> CutSearch:
        """The conditions of a search for the best cuts; without `ties` the first of the best is enough."""
        return CutSearch(self.by, self.minimum, ties=ties, without=without)

    def subsets(self, attribute: str, table: Partition, every: bool) -> Iterable[Asking]:
        """Sets of values of an attribute that include the best of all, or every set that is listed."""
        return (listed_subsets if every else promising_subsets)(attribute, table, self.by, self.minimum)

    def candidate(self, test: Test, table: Partition) -> Candidate:
        """A test as a candidate, with the rule that bars it, if one does."""
        # Barred by the rows themselves, before priors weigh them: a minimum is a weight of rows. `None` says that
        # nothing was weighed or joined, and the candidate is scored by its own partition.
        counted = self.counted(table)
        barred = barring_rule(counted, self.minimum, self.sample.target.weight)
        weighed = self.weighed(counted)
        return Candidate(test, table, self.measure.scores, barred, None if weighed is table else weighed, self.measures)

    def line(self, split: LinearSplit) -> LinearCandidate:
        """A split of points as a candidate."""
        table = self._table(split.rows)
        barred = barring_rule(table, self.minimum, self.sample.target.weight)
        return LinearCandidate(split, self.measure.scores, barred, self.weighed(table), self.measures)

    def score(self, rows: Sequence[Counts]) -> Number:
        """The score of a partition without missing values, from its rows."""
        return self._worth(self._table(rows))

    def counted(self, table: Partition) -> Partition:
        """The table by which a test is scored, which may include the rows without a value."""
        # With every row unknown there is no branch to join them to; the rule `candidate` bars the test.
        if not any(table.unknown) or not any(map(any, table.rows)):
            return table
        # A rule may ask which of several tables is the best; it is the first of equal ones.
        return self.rule.join(table, lambda some: best(some, self._worth)[0], self.sample.target.weight, self.minimum)

    def counts_in(self, attribute: Attribute) -> bool:
        """Whether rows without a value are included when a test of the attribute is scored."""
        return self.rule.join is not known and any(without_value(self.sample, attribute))

    def _worth(self, table: Partition) -> Number:
        # What a rule compares here is scored as a candidate would be, priors and losses included.
        return decisive_score(self.measures[self.measure.name], self.weighed(table))

    def _table(self, rows: Sequence[Counts]) -> Partition:
        # A measure looks at rows alone. A linear search scores sides of points long before any of them has a test, and
        # so outcomes.
        return Partition((), tuple(rows), (0,) * len(self.sample.target.columns))


@dataclass(frozen=True)
class AbsoluteErrorCriterion(NodeCriterion):
    """The absolute error at a node: a leaf predicts the median, and rows are counted by their number."""

    @cached_property
    def sample(self) -> Sample:
        """The rows, counted by their number."""
        return by_values(self.rows)

    @property
    def numbers(self) -> Sequence[Rational]:
        """The numbers of the columns."""
        assert isinstance(self.sample.target, Values)
        return self.sample.target.numbers

    @cached_property
    def measures(self) -> Mapping[str, TableScore]:
        """The measure of each score, by name; that of the absolute error needs the numbers."""
        return {**MEASURES, self.measure.name: AbsoluteErrorReduction(self.numbers)}

    def answer(self, total: Counts, inherited: Answer | None) -> Answer:
        """The prediction of the node as a leaf: the median."""
        # An empty node has no median; it has the prediction of the node above, as under every criterion.
        if not any(total):
            return super().answer(total, inherited)
        spread = deviations(self.rows)
        return Answer(spread.median, spread)

    def subsets(self, attribute: str, table: Partition, every: bool) -> Iterable[Asking]:
        """Sets of values of an attribute that include the best of all, or every set that is listed."""
        if every:
            return super().subsets(attribute, table, every)
        return promising_subsets(attribute, table, self.by, self.minimum, self.numbers)


@dataclass(frozen=True)
class CostCriterion(NodeCriterion):
    """A criterion at a node under priors and losses: a leaf predicts the cheapest class.

    Args:
        measure: the measure by which tests are scored.
        rows: the rows at the node.
        minimum: the least weight of a branch that is not empty.
        rule: the rule for rows without the value.
        stated: priors and losses as they are stated, by which a leaf predicts.
        losses: how losses are heeded in a score.
    """

    stated: Costs
    losses: LossRule

    @cached_property
    def costs(self) -> Costs:
        """Priors and losses as they are heeded in a score: they change the weights of classes."""
        # The prediction pays the losses as they are stated. Altered priors only stand in for them while tests are
        # compared, where classes have weights but no losses [Breiman1984 §4.4].
        return self.stated.altered() if self.losses == "altered-priors" else self.stated

    @property
    def in_gini(self) -> bool:
        """Whether the Gini value itself uses the losses."""
        return self.losses == "generalized-gini" and self.measure is CRITERIA["gini"]

    @property
    def by(self) -> str:
        """The name of the measure that decides."""
        return "generalized_gini_decrease" if self.in_gini else self.measure.name

    @cached_property
    def measures(self) -> Mapping[str, TableScore]:
        """The measure of each score, by name."""
        # Under the name of the measure that it replaces: a candidate is scored by names, and its measure is still the
        # Gini index.
        of_losses = of_known(partial(generalized_gini_decrease, loss=self.costs.loss))
        return {**MEASURES, self.measure.name: of_losses} if self.in_gini else MEASURES

    def answer(self, total: Counts, inherited: Answer | None) -> Answer:
        """The prediction of the node as a leaf: the class of least expected cost."""
        return cheapest(self.rows.schema.target, total, self.stated, inherited)

    def weight(self, row: Counts) -> Rational:
        """The weight of some rows of the node, adjusted by priors and losses."""
        # So a node's share of the sample is its probability under the priors, altered or not, which
        # `min_impurity_decrease` multiplies.
        return sum(self.costs.weighed(row))

    def weighed(self, table: Partition) -> Partition:
        """A table with its classes weighed by priors and losses."""
        return self.costs.weighed_table(table)

    def cut_search(self, ties: bool, without: Cuts = frozenset()) -> CutSearch:
        """The conditions of a search for the best cuts."""
        return CutSearch(self.by, self.minimum, class_weights=self.costs.weights, ties=ties, without=without)

    def subsets(self, attribute: str, table: Partition, every: bool) -> Iterable[Asking]:
        """Sets of values, as above; the faster search knows nothing of the weights of classes."""
        return (listed_subsets if every else subset_splits)(attribute, table, self.by, self.minimum)


# Priors and losses as options: checked, written to a document, read from one.


def _numbers(named: Priors, what: str) -> Priors:
    if not isinstance(named, Mapping):
        raise InputError(f"{what} is given for each class by its name, not as {named!r}")
    # A prior of 0 is no error yet: it is one if the class has rows, which only a table can tell (`Costs.of`).
    numbers = {str(label): _number(given, f"{what} of {label}") for label, given in named.items()}
    for label, number in numbers.items():
        if number < 0:
            raise InputError(f"{what} is not negative, but that of {label} is {number}")
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
        raise InputError(f"a loss is given for each class and prediction by their names, not as {loss!r}")
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


PRIORS = Domain(_checked_priors, _written, _read, "class → a number, as text; or `null`")
"""Priors, or None if the classes are as common as in the sample."""
LOSS = Domain(_checked_loss, _written, _read, "class → prediction → a number, as text; or `null`")
"""A loss matrix, or None if every mistake costs 1."""
