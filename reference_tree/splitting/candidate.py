"""Candidates: a test, its sample partition, and the scores of that partition.

Scores are computed on demand. Each has a name, which goldens and derivations use (`MEASURES`). All treat missing values
alike: a decrease of impurity is that of the rows with a value, multiplied by ρ, their share of the weight.

The condition for a split is the same for every learner and every measure (`two_branches`): without it a constant
column, whose gain is 0, would tie with an attribute of an exclusive or, and win.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeAlias

from reference_tree.data.questions import Test
from reference_tree.data.sample import Counts, Partition
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import significant
from reference_tree.measures.absolute_error import absolute_error_reduction
from reference_tree.measures.measure import Measure, measures
from reference_tree.measures.variance import Moments
from reference_tree.splitting.missing_values import (
    gain_with_missing,
    known_fraction,
    ratio_with_missing,
    split_information_of_known,
    split_information_with_unknown,
)
from reference_tree.twins import twin

RuleId: TypeAlias = str
TableScore: TypeAlias = Callable[[Partition], Number]
"""A measure as a function of a sample partition."""

Asking: TypeAlias = tuple[Test, Partition]
"""A test and its sample partition."""


def of_known(decrease: Callable[..., Number]) -> TableScore:
    """The decrease of impurity among the rows with a value, multiplied by their share ρ of the weight.

    Example:
        >>> table = Partition((), ((1, 0), (0, 1)), (1, 1))
        >>> of_known(measures()["gini_decrease"].of)(table)
        Fraction(1, 4)

    Source:
        [N2 §4.2 Gain], [Zhou2016 §4.4.2]. They say it of the gain; it is the same for any other impurity.
    """

    def score(table: Partition) -> Number:
        # Then ρ is 1, and is left out: the derivation has no factor that a reader would look for.
        if not any(table.unknown):
            return decrease(table.rows)
        return known_fraction(table.rows, table.unknown) * decrease(table.rows)

    return score


def of_moments(decrease: Callable[[Sequence[Moments]], Number]) -> TableScore:
    """As `of_known`, for a table whose rows are moments.

    Example:
        >>> table = Partition((), ((2, 3, 5), (1, 6, 36)), (0, 0, 0))       # of 1, 2 | 6
        >>> of_moments(measures()["variance_reduction"].of)(table)
        Fraction(9, 2)
    """

    def score(table: Partition) -> Number:
        rows = [Moments(*row) for row in table.rows]
        if not table.unknown[0]:
            return decrease(rows)
        # Only the weights are shares of the sample; sums of values may be 0, or negative.
        return known_fraction([row[:1] for row in rows], table.unknown[:1]) * decrease(rows)

    return score


WITH_MISSING: Mapping[str, Callable[..., Number]] = {
    "gain": gain_with_missing,
    "split_information": split_information_of_known,
    "ratio": ratio_with_missing,
}
"""The scores for which the textbooks have a formula of their own where some rows have no value."""


def score_of(measure: Measure) -> TableScore:
    """A measure as a function of a sample partition, in which some rows may have no value.

    Example:
        >>> score_of(measures()["gini_decrease"])(Partition((), ((1, 0), (0, 1)), (1, 1)))
        Fraction(1, 4)
    """
    # The books define these three for missing values themselves [N2 §4]. Every other decrease is treated as the gain
    # is, by the same argument: a row without the value contributes no decrease.
    if measure.name in WITH_MISSING:
        plain, missing = measure.of, WITH_MISSING[measure.name]
        return lambda table: missing(table.rows, table.unknown) if any(table.unknown) else plain(table.rows)
    if measure.counted == "moments":
        moments = of_moments(measure.of)
        return moments if measure.decreases else lambda table: measure.of([Moments(*row) for row in table.rows])
    return of_known(measure.of) if measure.decreases else lambda table: measure.of(table.rows)


# A measure of `numbers` needs the numbers of the columns, which a partition does not have (`AbsoluteErrorReduction`).
MEASURES: Mapping[str, TableScore] = {
    **{name: score_of(measure) for name, measure in measures().items() if measure.counted != "numbers"},
    "split_information_with_unknown": lambda table: split_information_with_unknown(table.rows, table.unknown),
}
"""Every score that depends only on the table of a candidate, by the name that goldens and derivations use."""


@dataclass(frozen=True, eq=False)
class AbsoluteErrorReduction:
    """The measure `absolute_error_reduction`, for rows that are counted by their number.

    Args:
        numbers: the numbers of the columns, ascending.

    Example:
        >>> AbsoluteErrorReduction((1, 2, 6))(Partition((), ((1, 1, 0), (0, 0, 1)), (0, 0, 0)))
        Fraction(4, 3)
    """

    numbers: Sequence[Rational]

    def __call__(self, table: Partition) -> Number:
        """The reduction by a test, from its table."""
        return of_known(partial(absolute_error_reduction, numbers=self.numbers))(table)


UNSCORED = frozenset({"candidate", "min-samples-leaf", "min-child-weight", "cut-gap"})
"""The rules that bar a test before it is scored: it cannot split, or may not be tried."""


@twin
def decisive_score(measure: TableScore, table: Partition) -> Number:
    """The score by which a candidate is compared with others: the exact measure of its table.

    Example:
        >>> decisive_score(MEASURES["gini_decrease"], Partition((), ((2, 0), (0, 2)), (0, 0)))
        Fraction(1, 2)
    """
    return measure(table)


class Scores(Mapping[str, Number]):
    """The scores of a table by name, each computed when it is first read: of most candidates a page shows one.

    Args:
        names: the names of the scores.
        measures: the measure of each name.
        table: what is scored.
    """

    def __init__(self, names: Sequence[str], measures: Mapping[str, TableScore], table: Partition) -> None:
        self._names, self._measures, self._table = names, measures, table
        self._found: dict[str, Number] = {}

    def __getitem__(self, name: str) -> Number:
        if name not in self._found:
            if name not in self._names:
                raise KeyError(name)
            self._found[name] = self._measures[name](self._table)
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> Any:
        """A copy has the numbers: measures are functions, which cannot be stored."""
        return dict, (dict(self),)


@dataclass(frozen=True, eq=False, repr=False)
class Candidate:
    """A test that a node could have. Two are equal if they are the same test of the same rows, however they were made.

    Args:
        test: the test.
        table: its sample partition.
        measured: the names of its scores; the last one decides.
        barred: the rule that excludes it, if one does.
        counted_in: the table that is scored, in which rows without the value may be included or classes weighted; None
            for `table`.
        measures: the measure of each name; None for `MEASURES`.
    """

    test: Test
    table: Partition
    measured: tuple[str, ...]
    barred: RuleId | None = None
    counted_in: Partition | None = None
    measures: Mapping[str, TableScore] | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Candidate):
            return NotImplemented
        # The test, the rows and the names of the scores determine everything else. Measures are functions made for a
        # node, and would make equal candidates of two explanations differ.
        mine, its = ((one.test, one.table, one.measured, one.barred) for one in (self, other))
        return mine == its

    def __hash__(self) -> int:
        return hash(self.test)

    def __repr__(self) -> str:
        """The candidate as a line of text, however many branches it has."""
        if self.barred in UNSCORED:
            return f"<Candidate {self.test.name}: barred by {self.barred}>"
        barred = f", barred by {self.barred}" if self.barred else ""
        name = self.measured[-1]
        return f"<Candidate {self.test.name}: {name} {significant(self.scores[name], 6)}{barred}>"

    @property
    def key(self) -> Hashable:
        """Its identity among the candidates of its node."""
        return self.test

    @property
    def counted(self) -> Partition:
        """The table that is scored."""
        return self.table if self.counted_in is None else self.counted_in

    @cached_property
    def score(self) -> Number:
        """The score that decides."""
        return decisive_score((self.measures or MEASURES)[self.measured[-1]], self.counted)

    @cached_property
    def scores(self) -> Mapping[str, Number]:
        """Name → exact score; empty for a candidate that cannot split, whose scores may be undefined."""
        if self.barred in UNSCORED:
            return {}
        # Exact, and not those that decided: an explanation shows these.
        return Scores(self.measured, self.measures or MEASURES, self.counted)


# By weight, and not by declared values: a test all of whose rows have one value leaves the node as it is, and growing
# below it would not end.
def two_branches(weights: Iterable[Rational]) -> bool:
    """Whether at least two branches get any weight: the rule `candidate`.

    Example:
        >>> two_branches([5, 0, 9]), two_branches([14, 0])
        (True, False)

    Source:
        [N2 §1 case 2]. Where no attribute has two branches, all rows are equal on all attributes.
    """
    return sum(1 for weight in weights if weight) >= 2


def large_enough(weights: Iterable[Rational], minimum: Rational) -> bool:
    """Whether every branch that gets any weight gets at least the minimum: the rule `min-samples-leaf`.

    Example:
        >>> large_enough([5, 0, 9], 5), large_enough([5, 0, 9], 6)
        (True, False)

    Source:
        [Quinlan1993 §2.3]. Quinlan asks it of two branches only.
    """
    return all(weight >= minimum for weight in weights if weight)


def barring_rule(table: Partition, minimum: Rational, weight: Callable[[Counts], Rational] = sum) -> RuleId | None:
    """The rule that excludes a candidate with this table; None if it may compete.

    Args:
        table: its sample partition.
        minimum: the least weight of a branch that is not empty.
        weight: gives the weight of a row of the table; for class counts it is their sum.

    Example:
        >>> table = Partition((), ((3, 2), (0, 1)), (0, 0))
        >>> barring_rule(table, 1), barring_rule(table, 2), barring_rule(Partition((), ((3, 2), (0, 0)), (0, 0)), 1)
        (None, 'min-samples-leaf', 'candidate')
    """
    # `candidate` comes first: a test that cannot split is no test, and is not said to be too small.
    weights = [weight(row) for row in table.rows]
    if not two_branches(weights):
        return "candidate"
    return None if large_enough(weights, minimum) else "min-samples-leaf"
