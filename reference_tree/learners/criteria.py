r"""Criteria: the measures by which CART scores a question.

1. `CRITERIA` has them: every measure whose record has a name as a criterion. Its score decides: the larger, the better.
2. `by_values` and `deviations` are for the absolute error, which cannot be computed from sums over the rows.
3. `NodeCriterion` is a criterion at a node, with the counting of the rows, their weights, and the rule for rows that do
   not answer. It makes a candidate of a question and its table.
4. `PRIORS` and `LOSS` are options. By default the classes are as common in the population as among the rows, and every
   mistake costs the same. *Priors* π_j state how common each class is instead, and a *loss matrix* C(i|j) states the
   cost of answering i where j is right. Both are given by the names of the classes; all numbers are exact. A
   question is chosen by losses in one of three ways (`LOSSES`): in altered priors, in the Gini value, or not at all.

The deciding score is the decrease of the node's impurity, per unit of weight; ε is compared with it. Some books look
for the smallest Gini index instead, so a candidate has that score, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from reference_tree.learners.missing_rules import MissingRule, known, without_value
from reference_tree.learners.options import Codec
from reference_tree.measures.absolute_error import absolute_deviation, median
from reference_tree.measures.measure import Measure, measures
from reference_tree.measures.misclassification import Costs, Loss, Priors, generalized_gini_decrease
from reference_tree.node import Deviations
from reference_tree.splitting.candidate import (
    MEASURES,
    AbsoluteErrorReduction,
    Candidate,
    TableScore,
    barring_rule,
    decisive_score,
    of_known,
)
from reference_tree.splitting.linear.side_scores import LinearSplit
from reference_tree.splitting.multivariate_nodes import LinearCandidate
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

CRITERIA: Mapping[str, Measure] = {measure.criterion: measure for measure in measures().values() if measure.criterion}
"""The measures that CART has as a criterion, by the names that a tree document records."""


def kind_of(criterion: Measure) -> Kind:
    """The kind of target that a criterion is for."""
    return "categorical" if criterion.counted == "classes" else "continuous"


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
    criterion = CRITERIA[USUAL[target.kind] if name == "auto" else name]
    if kind_of(criterion) != target.kind:
        others = " or ".join(other for other, one in CRITERIA.items() if kind_of(one) == target.kind)
        raise InputError(f"the target {target.name} is {target.kind}, which {name} does not judge; say {others}")
    return criterion


@twin
def by_values(sample: Sample) -> Sample:
    """The same rows, counted by their number: a column of weights for each number of the table."""
    return sample.against(Values(tuple(sample.schema.numbers[sample.schema.target.name])))


@twin
def deviations(sample: Sample) -> Deviations:
    """The weight, the median and the sum of absolute deviations of the numbers in a sample.

    Source:
        [Breiman1984 §8.11]
    """
    numbers, rows, _ = sample.ordered(sample.schema.target.name)
    weights = [sample.target.weight(row) for row in rows]
    middle, error = median(weights, numbers), absolute_deviation(weights, numbers)
    return Deviations(sum(weights), simplest(Fraction(middle)), simplest(Fraction(error)))


@dataclass(frozen=True)
class NodeCriterion:
    """A criterion at a node.

    Args:
        criterion: the measures by which questions are scored.
        sample: the rows at the node, counted as the criterion requires.
        minimum: the least weight of a branch that is not empty.
        rule: the rule for rows that do not answer.
        costs: priors and losses, which change the weights of classes; None if classes keep their weights.
        in_gini: whether the Gini value itself uses the losses, too.
    """

    criterion: Measure
    sample: Sample
    minimum: Rational
    rule: MissingRule
    costs: Costs | None = None
    in_gini: bool = False

    @property
    def by(self) -> str:
        """The name of the measure that decides."""
        return "generalized_gini_decrease" if self.in_gini else self.criterion.name

    @cached_property
    def measures(self) -> Mapping[str, TableScore]:
        """The measure of each score, by name."""
        if self.in_gini:
            assert self.costs is not None
            measure: TableScore = of_known(partial(generalized_gini_decrease, loss=self.costs.loss))
        elif isinstance(self.sample.target, Values):
            measure = AbsoluteErrorReduction(self.sample.target.numbers)
        else:
            return MEASURES
        return {**MEASURES, self.criterion.name: measure}

    def weight(self, row: Counts) -> Rational:
        """The weight of the rows that a row of the table sums up, adjusted by priors and losses."""
        return (
            row[0] if kind_of(self.criterion) == "continuous" else sum(self.costs.weighed(row) if self.costs else row)
        )

    def counts_in(self, attribute: Attribute) -> bool:
        """Whether rows that do not answer are included when a question about the attribute is scored."""
        return self.rule.join is not known and any(without_value(self.sample, attribute))

    def candidate(self, test: Test, table: Partition) -> Candidate:
        """A question as a candidate, with the rule that bars it, if one does."""
        counted = self.counted(table)
        barred = barring_rule(counted, self.minimum, self.sample.target.weight)
        weighed = self._weighed(counted)
        counted_in = None if weighed is table else weighed
        return Candidate(test, table, self.criterion.scores, barred, counted_in, self.measures)

    def line(self, split: LinearSplit) -> LinearCandidate:
        """A split of points as a candidate."""
        table = self._table(split.rows)
        barred = barring_rule(table, self.minimum, self.sample.target.weight)
        return LinearCandidate(split, self.criterion.scores, barred, self._weighed(table), self.measures)

    def score(self, rows: Sequence[Counts]) -> Number:
        """The score of a partition without missing values, from its rows."""
        return self._worth(self._table(rows))

    def counted(self, table: Partition) -> Partition:
        """The table by which a question is scored, which may include the rows that do not answer."""
        if not any(table.unknown) or not any(map(any, table.rows)):
            return table
        return self.rule.join(table, self._better, self.sample.target.weight, self.minimum)

    def _better(self, tables: Sequence[Partition]) -> Partition:
        """The table of largest score, the first of equal ones."""
        return best(tables, self._worth)[0]

    def _worth(self, table: Partition) -> Number:
        return decisive_score(self.measures[self.criterion.name], self._weighed(table))

    def _weighed(self, table: Partition) -> Partition:
        """The table, with the classes weighted by priors and losses."""
        return table if self.costs is None else self.costs.weighed_table(table)

    def _table(self, rows: Sequence[Counts]) -> Partition:
        return Partition((), tuple(rows), (0,) * len(self.sample.target.columns))


# Priors and losses.

LossRule: TypeAlias = Literal["altered-priors", "generalized-gini", "labels-only"]

LOSSES: tuple[LossRule, ...] = get_args(LossRule)
"""The ways in which the choice of a question uses losses, by the names that a tree document records."""


# Priors and losses as options: checked, written to a document, read from one.


def _numbers(named: Priors, what: str) -> Priors:
    if not isinstance(named, Mapping):
        raise InputError(f"{what} is given for each class by its name, not as {named!r}")
    numbers = {str(label): _number(number, f"{what} of {label}") for label, number in named.items()}
    for label, number in numbers.items():
        if number < 0:
            raise InputError(f"{what} is not negative, but that of {label} is {number}")
    return numbers


def _number(number: object, what: str) -> Rational:
    """The exact value of a number, or of a number as text: a text can say 1/3, a float cannot."""
    try:
        return rational(number) if isinstance(number, str) else exactly(number)
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
