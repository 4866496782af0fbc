r"""Criteria: what a question of CART is judged by.

1. `CRITERIA` lists them: Gini and entropy for classes, three kinds of error for numbers. Each names the scores that a
   candidate gets, by the last of which it is judged: the larger, the better.
2. `by_values` and `deviations` are for the criterion that sums over the rows do not serve.
3. `Judge` is a criterion at a node: it knows how rows are to be counted, what they weigh, and what happens to the rows
   that do not answer. It makes a candidate of a question and its table, and, where integers can tell, estimates its
   score before anybody computes it.

Scores say what a question takes away from the impurity of the node, per unit of weight. So a Gini index is at hand for
those who look for the smallest one, and the decrease is what ε is held against.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Test
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.schema import Attribute, Kind
from reference_tree.data.targets import Values
from reference_tree.exact.choosing import Bounds, best, multiset, near_best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.learners.missing_rules import MissingRule, known
from reference_tree.measures.absolute_error import absolute_deviation, absolute_error_reduction, median
from reference_tree.measures.misclassification import Costs, generalized_gini_decrease
from reference_tree.node import Deviations
from reference_tree.splitting.candidate import MEASURES, Candidate, Measure, barring_rule, of_known
from reference_tree.splitting.linear.judging import Bounding, LinearSplit
from reference_tree.splitting.multivariate_nodes import LinearCandidate
from reference_tree.splitting.scanning import Finalist
from reference_tree.splitting.score_bounds import table_bounds


class Criterion(NamedTuple):
    """What questions are judged by."""

    kind: Kind
    """Of the target that it is for."""
    scores: tuple[str, ...]
    """What a candidate is given; the last one decides."""
    signed: bool = False
    """Whether a score can be negative."""
    least: Rational = 0
    """The least weight for which it is defined."""
    by_values: bool = False
    """Whether sums over the rows are not enough, so that the weight of each number is needed."""


CRITERIA: Mapping[str, Criterion] = {
    "gini": Criterion("categorical", ("gini_index", "gini_decrease")),
    "entropy": Criterion("categorical", ("gain",)),
    "squared_error": Criterion("continuous", ("split_error", "variance_reduction")),
    "variance_n_minus_1": Criterion("continuous", ("sample_variance_reduction",), signed=True, least=1),
    "absolute_error": Criterion("continuous", ("absolute_error_reduction",), by_values=True),
}
"""The criteria by the names under which a tree document records them."""

ESTIMATED = frozenset({"gini_decrease", "gain", "variance_reduction"})
"""The scores that integers bound; questions judged by others are all compared exactly."""

USUAL: Mapping[Kind, str] = {"categorical": "gini", "continuous": "squared_error"}
"""The criterion for each kind of target, unless one is named."""


def criterion_for(name: str, target: Attribute) -> Criterion:
    """The criterion of this name, or for `auto` the usual one for a target.

    Raises:
        InputError: it is for another kind of target.

    Example:
        >>> criterion_for("auto", Attribute("weight")).scores
        ('split_error', 'variance_reduction')
    """
    criterion = CRITERIA[USUAL[target.kind] if name == "auto" else name]
    if criterion.kind != target.kind:
        others = " or ".join(other for other, one in CRITERIA.items() if one.kind == target.kind)
        raise InputError(f"the target {target.name} is {target.kind}, which {name} does not judge; say {others}")
    return criterion


def by_values(sample: Sample) -> Sample:
    """The same rows, counted by their number: the weight of each that occurs in the table."""
    return sample.against(Values(sample.schema.numbers[sample.schema.target.name]))


def deviations(sample: Sample) -> Deviations:
    """What a node of absolute error holds, of rows counted `by_values`.

    Source:
        [Breiman1984 §8.11]
    """
    assert isinstance(sample.target, Values)
    weights, numbers = sample.total(), sample.target.numbers
    middle, error = median(weights, numbers), absolute_deviation(weights, numbers)
    return Deviations(sample.target.weight(weights), simplest(Fraction(middle)), simplest(Fraction(error)))


class CutCandidate(Candidate):
    """A cut as a candidate. Its question and its table are written down when somebody asks for them.

    Args:
        finalist: the cut.
        strict: whether it is asked as `< t`.
        measured: the names of the scores it is judged by.
        measures: what these names mean; none: what they mean to everybody.
    """

    finalist: Finalist
    strict: bool

    def __init__(
        self, finalist: Finalist, strict: bool, measured: tuple[str, ...], measures: Mapping[str, Measure] | None
    ) -> None:
        # It is frozen.
        self.__dict__.update(finalist=finalist, strict=strict, measured=measured, measures=measures)

    @cached_property
    def test(self) -> Test:
        """The question."""
        test = self.finalist.cut.test
        return replace(test, strict=True) if self.strict else test

    @cached_property
    def table(self) -> Partition:
        """Its sample partition."""
        return self.finalist.cut.table


@dataclass(frozen=True)
class Judge:
    """A criterion at a node.

    Args:
        criterion: what questions are judged by.
        sample: the rows at the node, counted as the criterion counts them.
        minimum: the least weight of a branch that is not empty.
        rule: what happens to rows that do not answer.
        costs: priors and losses, heeded in the weights of classes; none: every row counts as what it weighs.
        in_gini: whether the losses are also heeded in the Gini value itself.
    """

    criterion: Criterion
    sample: Sample
    minimum: Rational
    rule: MissingRule
    costs: Costs | None = None
    in_gini: bool = False

    @property
    def by(self) -> str:
        """The name of the score that decides."""
        return self.criterion.scores[-1]

    @property
    def measured(self) -> str:
        """The same, as one who wants to know what kind of measure it is calls it."""
        return "generalized_gini_decrease" if self.in_gini else self.by

    def weight(self, row: Counts) -> Rational:
        """What the rows behind a row of the table weigh, priors and losses considered."""
        return row[0] if self.criterion.kind == "continuous" else sum(self.costs.weighed(row) if self.costs else row)

    @property
    def scale(self) -> tuple[int, ...] | None:
        """What the columns are multiplied by, if they are."""
        return None if self.costs is None else self.costs.weights

    @property
    def estimates(self) -> bool:
        """Whether there are integers that bound the scores."""
        return self.by in ESTIMATED and not self.in_gini

    def bounds(self, table: Partition) -> Bounds:
        """Integers between which the score of a table lies, in a unit that all questions of the node share."""
        return table_bounds(self.judged(table), self.by, self.scale)

    def counts_in(self, attribute: str) -> bool:
        """Whether rows that do not say a number are counted in, so that its cuts cannot be scanned."""
        return self.rule.join is not known and any(self.sample.ordered(attribute).unknown)

    def candidate(self, test: Test, table: Partition) -> Candidate:
        """A question as a candidate, with the rule that bars it, if one does."""
        barred = barring_rule(self.judged(table), self.minimum, self.sample.target.weight)
        return Candidate(test, table, self.criterion.scores, barred, self._measures)

    def cut(self, finalist: Finalist, strict: bool) -> CutCandidate:
        """A cut as a candidate, asked as `< t` where that is wanted. No rule bars it: such cuts were left out."""
        return CutCandidate(finalist, strict, self.criterion.scores, self._measures)

    def line(self, split: LinearSplit) -> LinearCandidate:
        """A split of points as a candidate."""
        barred = barring_rule(self._of(split.rows), self.minimum, self.sample.target.weight)
        return LinearCandidate(split, self.criterion.scores, barred, self._measures)

    def score(self, rows: Sequence[Counts]) -> Number:
        """What the rows of a partition are worth in which every row answers."""
        return self._plain(self.by)(self._of(rows))

    @property
    def bounding(self) -> Bounding | None:
        """The bounds of that score; none if there are no integers that bound it."""
        return (lambda rows: self.bounds(self._of(rows))) if self.estimates else None

    def _of(self, rows: Sequence[Counts]) -> Partition:
        return Partition((), tuple(rows), (0,) * len(self.sample.target.columns))

    def judged(self, table: Partition) -> Partition:
        """What a question with this table is judged by: the rows that do not answer may be counted in."""
        if not any(table.unknown) or not any(map(any, table.rows)):
            return table
        return self.rule.join(table, self._better, self.sample.target.weight, self.minimum)

    def _better(self, tables: Sequence[Partition]) -> Partition:
        """The table of largest score, the first of equals; integers tell most of them apart."""
        if self.estimates:
            tables = near_best(tables, lambda table: table_bounds(table, self.by, self.scale))
        return tables[0] if len(tables) == 1 else best(tables, self._plain(self.by))[0]

    def signature(self, candidate: Candidate) -> Hashable:
        """Candidates of one node with the same signature have the same score, without any arithmetic."""
        if isinstance(candidate, CutCandidate):
            return candidate.finalist.key
        table = candidate.table
        if self.costs is None and self.criterion.kind == "categorical" and not any(table.unknown):
            return multiset(table.rows)  # no class differs from another
        # Where rows are left out, the classes of those that answer differ from question to question.
        return tuple(sorted(table.rows)), table.unknown

    @cached_property
    def _measures(self) -> Mapping[str, Measure] | None:
        """The scores of this node; none if they are what everybody means by their names."""
        if self.costs is None and self.rule.join is known and self.by in MEASURES:
            return None
        return {name: partial(self._score, name) for name in self.criterion.scores}

    def _score(self, name: str, table: Partition) -> Number:
        return self._plain(name)(self.judged(table))

    def _plain(self, name: str) -> Measure:
        """A score that leaves rows alone that do not answer."""
        if self.by == "absolute_error_reduction":
            assert isinstance(self.sample.target, Values)
            return of_known(partial(absolute_error_reduction, numbers=self.sample.target.numbers))
        if self.costs is None:
            return MEASURES[name]
        costs = self.costs
        if self.in_gini and name == self.by:
            measure = of_known(partial(generalized_gini_decrease, loss=costs.loss))
        else:
            measure = MEASURES[name]
        return lambda table: measure(costs.weighed_table(table))
