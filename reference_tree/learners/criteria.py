r"""Criteria: the questions that CART asks at a node, and the measures by which it scores them.

1. `CRITERIA` has them: every measure whose record has a name as a criterion. Its score decides: the larger, the better.
2. `by_values` and `deviations` are for the absolute error, which cannot be computed from sums over the rows.
3. `NodeCriterion` is a criterion at a node, with the counting of the rows, their weights, and the rule for rows that do
   not answer. It makes a candidate of a question and its table.
4. `AttributeQuestions` are the questions of a node about one attribute each, and the best of them; `LinearQuestions`
   are those about all attributes at once.

The deciding score is the decrease of the node's impurity, per unit of weight; ε is compared with it. Some books look
for the smallest Gini index instead, so a candidate has that score, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import groupby
from operator import attrgetter
from typing import Literal, TypeAlias

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.points import Points
from reference_tree.data.questions import Multiway, Test
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.schema import Attribute, Kind
from reference_tree.data.targets import Values
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.learners.decision import Winners, too_small
from reference_tree.learners.missing_rules import MissingRule, known, without_value
from reference_tree.learners.place import Answer, answer_of, cheapest
from reference_tree.measures.absolute_error import absolute_deviation, median
from reference_tree.measures.measure import Measure, measures
from reference_tree.measures.misclassification import Costs, generalized_gini_decrease
from reference_tree.node import Deviations
from reference_tree.splitting.binary_subsets import (
    LIMIT,
    all_subsets,
    number_of_values,
    one_vs_rest,
    partition_of_present,
)
from reference_tree.splitting.candidate import (
    MEASURES,
    AbsoluteErrorReduction,
    Asking,
    Candidate,
    RuleId,
    TableScore,
    barring_rule,
    decisive_score,
    of_known,
)
from reference_tree.splitting.continuous_bisection import CutSearch, cuts, promising_cuts
from reference_tree.splitting.linear.side_scores import LinearSplit
from reference_tree.splitting.multivariate_nodes import SEARCHES, LinearCandidate, SearchName, linear_splits, regret
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
        measure: the measure by which questions are scored.
        rows: the rows at the node.
        minimum: the least weight of a branch that is not empty.
        rule: the rule for rows that do not answer.
        costs: priors and losses, which change the weights of classes; None if classes keep their weights.
        in_gini: whether the Gini value itself uses the losses, too.
        stated: priors and losses as they are stated, by which a leaf answers; None if there are none.
    """

    measure: Measure
    rows: Sample
    minimum: Rational
    rule: MissingRule
    costs: Costs | None = None
    in_gini: bool = False
    stated: Costs | None = None

    @cached_property
    def sample(self) -> Sample:
        """The rows, counted as the measure requires."""
        return by_values(self.rows) if self.measure.counted == "numbers" else self.rows

    @property
    def by(self) -> str:
        """The name of the measure that decides."""
        return "generalized_gini_decrease" if self.in_gini else self.measure.name

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
        return {**MEASURES, self.measure.name: measure}

    def answer(self, total: Counts, inherited: Answer | None) -> Answer:
        """The prediction of the node as a leaf: the cheapest class, the mean, or the median.

        Args:
            total: the counts of its rows.
            inherited: the answer of the node above, for a node without rows.

        Source:
            [N4 Regression Tree: prediction], [N4 figure: regression tree], [Breiman1984 §2.4], [Breiman1984 §8.3]
        """
        if self.stated is not None:
            return cheapest(self.rows.schema.target, total, self.stated, inherited)
        if self.measure.counted == "numbers" and any(total):
            found = deviations(self.rows)
            return Answer(found.median, found)
        return answer_of(self.rows.schema.target, total, inherited)

    def weight(self, row: Counts) -> Rational:
        """The weight of the rows that a row of the table sums up, adjusted by priors and losses."""
        if kind_of(self.measure) == "continuous":
            return row[0]
        return sum(row if self.costs is None else self.costs.weighed(row))

    def candidate(self, test: Test, table: Partition) -> Candidate:
        """A question as a candidate, with the rule that bars it, if one does."""
        counted = self.counted(table)
        barred = barring_rule(counted, self.minimum, self.sample.target.weight)
        weighed = self._weighed(counted)
        return Candidate(test, table, self.measure.scores, barred, None if weighed is table else weighed, self.measures)

    def line(self, split: LinearSplit) -> LinearCandidate:
        """A split of points as a candidate."""
        table = self._table(split.rows)
        barred = barring_rule(table, self.minimum, self.sample.target.weight)
        return LinearCandidate(split, self.measure.scores, barred, self._weighed(table), self.measures)

    def score(self, rows: Sequence[Counts]) -> Number:
        """The score of a partition without missing values, from its rows."""
        return self._worth(self._table(rows))

    def counted(self, table: Partition) -> Partition:
        """The table by which a question is scored, which may include the rows that do not answer."""
        if not any(table.unknown) or not any(map(any, table.rows)):
            return table
        # A rule may send them to the branch where the question is best; the first of equal ones is taken.
        return self.rule.join(
            table, lambda tables: best(tables, self._worth)[0], self.sample.target.weight, self.minimum
        )

    def _worth(self, table: Partition) -> Number:
        return decisive_score(self.measures[self.measure.name], self._weighed(table))

    def _weighed(self, table: Partition) -> Partition:
        """The table, with the classes weighted by priors and losses."""
        return table if self.costs is None else self.costs.weighed_table(table)

    def _table(self, rows: Sequence[Counts]) -> Partition:
        return Partition((), tuple(rows), (0,) * len(self.sample.target.columns))


# The questions of a node, and the best of them.


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


@dataclass(frozen=True)
class AttributeQuestions:
    """The questions of a node that are each about one attribute.

    Args:
        criterion: the criterion at the node.
        attributes: the attributes that may be tested, in table order.
        branching: the name of the rule for categorical attributes.
    """

    criterion: NodeCriterion
    attributes: Sequence[Attribute]
    branching: str

    def candidates(self) -> Iterator[Candidate]:
        """Every question as a candidate, in table order."""
        return (self.candidate(*asking) for one in self.attributes for asking in self.about(one, every=True))

    def winners(self) -> Sequence[Candidate]:
        """All candidates of largest score, decided exactly.

        Source:
            [N2 §2.3 choice], [N4 Regression Tree: variance reduction], [Breiman1984 §2.4]. N2 takes the smallest Gini
            index, which at one node is the largest decrease.
        """
        return Winners.of(
            lambda ties: best([one for one in self.promising(ties) if one.barred is None], attrgetter("score"))
        )

    def promising(self, ties: bool) -> Iterator[Candidate]:
        """Candidates that include every winner, or without `ties` the first winner, in table order."""
        rows, counts_in = self.criterion.sample, self.criterion.rule.join is not known
        # The search for cuts scores the rows that answer; where others are counted in, every cut is tried.
        bisected = [
            one.name
            for one in self.attributes
            if one.values is None and not (counts_in and any(without_value(rows, one)))
        ]
        weights = None if self.criterion.costs is None else self.criterion.costs.weights
        search = CutSearch(self.criterion.by, self.criterion.minimum, class_weights=weights, ties=ties)
        found = groupby(promising_cuts(rows, bisected, search), key=lambda cut: cut.test.attribute)
        cuts_of = {name: list(group) for name, group in found}
        for attribute in self.attributes:
            name = attribute.name
            askings = cuts_of.get(name, ()) if name in bisected else self.about(attribute)
            yield from (self.candidate(test, table) for test, table in askings)

    def about(self, attribute: Attribute, *, every: bool = False) -> Iterable[Asking]:
        """The questions about an attribute with their sample partitions: all, or those that may be the best."""
        if attribute.values is None:
            return cuts(self.criterion.sample, attribute.name)
        return BRANCHINGS[self.branching](attribute, self.criterion.sample, partial(self.subsets, every=every))

    def subsets(self, attribute: str, table: Partition, *, every: bool) -> Iterable[Asking]:
        """The sets of values that are tried: all, or those that may be the best.

        Source:
            [Breiman1984 §4.2]
        """
        if self.criterion.counted(table) is not table:  # the order holds only among rows that answer
            return all_subsets(attribute, table)
        if every:
            return listed_subsets(attribute, table, self.criterion.by, self.criterion.minimum)
        if self.criterion.costs:  # priors and losses weigh the classes, of which the next search knows nothing
            return subset_splits(attribute, table, self.criterion.by, self.criterion.minimum)
        target = self.criterion.sample.target
        numbers = target.numbers if isinstance(target, Values) else ()
        return promising_subsets(attribute, table, self.criterion.by, self.criterion.minimum, numbers)

    def candidate(self, test: Test, table: Partition) -> Candidate:
        """A question as a candidate."""
        return self.criterion.candidate(test, table)

    def unlisted(self) -> Iterator[str]:
        """The attributes with more than `LIMIT` values at the node: not every subset of these values is listed."""
        for attribute in self.attributes if self.branching == "subset" else ():
            if attribute.values is not None:
                table = partition_of_present(self.criterion.sample, attribute)
                yield from [attribute.name] if number_of_values(table) > LIMIT else []

    def nothing_found(self) -> RuleId:
        """The rule that makes a node without any eligible question a leaf."""
        return too_small(self.candidates())

    def figures(self, chosen: Candidate) -> Mapping[RuleId, Number]:
        """No figures beside the scores."""
        return {}


@dataclass(frozen=True)
class LinearQuestions:
    """The questions of a node that are about all attributes at once. A search makes its own comparisons.

    Args:
        criterion: the criterion at the node.
        attributes: the attributes that may be tested.
        search: the name of the search.
        seed: the seed of its draws.
        key: what the draws depend on beside the seed: the path of the node.
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
        return SEARCHES[self.search](self.points, self.criterion.score, minimum, Chance(self.seed, self.key))

    @cached_property
    def points(self) -> Points:
        """The rows as points."""
        return self.criterion.sample.points([attribute.name for attribute in self.attributes])

    def candidates(self) -> Iterator[Candidate]:
        """All splits as candidates; of a heuristic search only the best it finds."""
        exhaustive = self.search == "exhaustive"
        return map(
            self.criterion.line, linear_splits(self.points) if exhaustive else self.splits(self.criterion.minimum)
        )

    def winners(self) -> Sequence[Candidate]:
        """The best splits as candidates."""
        return tuple(map(self.criterion.line, self.splits(self.criterion.minimum)))

    def unlisted(self) -> Iterator[str]:
        """No attribute: a test is not about one."""
        return iter(())

    def nothing_found(self) -> RuleId:
        """The rule that makes a node without any eligible question a leaf; a search returns no barred candidate."""
        return "min-samples-leaf" if self.splits(minimum=0) else "no-candidates"

    def figures(self, chosen: Candidate) -> Mapping[RuleId, Number]:
        """The regret of a test that a heuristic found, if the best test can be found."""
        if not isinstance(chosen, LinearCandidate) or self.search == "exhaustive":
            return {}
        try:
            return {"regret": regret(chosen.split, self.criterion.score, self.criterion.minimum)}
        except InputError:  # there are too many to go through
            return {}
