r"""Surrogates: tests that stand in for another one where its value is missing.

A row without the value for the test of a node may well have the value for another test that divides the rows in a
similar manner. The similarity is counted on the rows with both values: the share that both tests send to one side
is their *agreement*. A surrogate is useful only if it beats the blind rule that sends every row to the larger side.

1. `agreement` is the share of rows that a surrogate sends where they belong, and `association` is the part of the blind
   rule's error that it saves: Breiman's measure of predictive association λ.
2. `best_surrogate` is the best test of one attribute: for a continuous one a threshold in either direction, for
   a categorical one the set that sends each value to the side where most of its rows belong.
3. `surrogates` are the best tests of all other attributes, the best of them first.
4. `larger_side` is the branch of a row with the value of no surrogate.

Here a test has two branches. A *table* is the sample partition of the stand-in's outcomes against the branches of
the test it stands in for; its rows are pairs (weight that belongs left, weight that belongs right).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from reference_tree.data.questions import Multiway, SeenSubset, Subset, Surrogate, Test, Threshold
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.targets import Branches
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.splitting.continuous_bisection import Cut, CutSearch, gap_around, midpoint, promising_cuts

Pair: TypeAlias = tuple[Rational, Rational]
"""The weight of rows that belong to the left branch, and to the right one."""
Denominator: TypeAlias = Callable[[Pair, Pair], Pair]
"""A function that gives the denominator of an agreement: the weight of rows by the branch where they belong. Its
arguments are the rows with both values, and the rows with that of the first test alone. The blind rule gets the
larger of the two weights right."""
StandIn: TypeAlias = tuple[Rational, Subset | Threshold, tuple[int, int], Partition]
"""The weight of the rows that a test sends where they belong, the test, the branch of each of its outcomes, and
a table of its attribute."""


class Association(NamedTuple):
    """A surrogate, and how good it is."""

    surrogate: Surrogate
    association: Rational
    """λ: 1 if it is never wrong, 0 if it is no better than the blind rule."""


def both_known(known: Pair, unknown: Pair) -> Pair:
    """The rows with both values: the denominator of Breiman's book.

    Source:
        [Breiman1984 §5.3.1]
    """
    return known


def agreement(right: Rational, counted: Pair) -> Fraction:
    r"""The share of the rows that a surrogate sends where they belong.

    $$p(s^*, \tilde s) = p_{LL} + p_{RR}$$

    Args:
        right: the weight of these rows.
        counted: the weight of the denominator, by the side where the rows belong.

    Example:
        >>> agreement(7, (4, 6))
        Fraction(7, 10)

    Source:
        [Breiman1984 §5.3.1]
    """
    return Fraction(right) / Fraction(sum(counted))


def association(right: Rational, counted: Pair) -> Fraction:
    r"""Predictive association: the share of the blind rule's errors that a surrogate saves.

    $$\lambda(s^* \mid \tilde s) = \frac{\min(p_L, p_R) - (1 - p(s^*, \tilde s))}{\min(p_L, p_R)}$$

    Args:
        right: the weight of the rows that the surrogate sends where they belong.
        counted: the weight of the denominator, by the side where the rows belong; neither is 0.

    Returns:
        λ, at most 1. A surrogate is useful if it is above 0.

    Example:
        >>> association(7, (4, 6)), association(6, (4, 6)) == 0, association(10, (4, 6)) == 1
        (Fraction(1, 4), True, True)

    Source:
        [Breiman1984 §5.3.1]
    """
    smaller = Fraction(min(counted))
    return (smaller - (sum(counted) - right)) / smaller


# The rows are counted by the branch that the test sends them down, as if that were their class: agreement is then the
# accuracy of a stump [Breiman1984 §5.3]. Only rows with both values are compared.
def surrogates(
    sample: Sample,
    test: Test,
    denominator: Denominator = both_known,
    minimum: Rational = 1,
    most: int | None = None,
    errors: Rational = 0,
    seen: bool = False,
) -> tuple[Surrogate, ...]:
    """The tests of all other attributes that can stand in for a test, the best one first.

    Args:
        sample: the rows at the node.
        test: the test, of two branches.
        denominator: the rule for the denominator of an agreement.
        minimum: the least weight that a threshold has to send to each side, among the rows with both values.
        most: the most surrogates; None for no limit.
        errors: the least weight that a set of values has to send to the wrong side: 0 in the book. If it is
            more, a set which is never wrong is no surrogate.
        seen: whether a value that no row with both values has is treated as unseen. If so, a set counts the
            value as missing; and if it occurs in a row with the value of the stand-in alone, the gap of a threshold
            ends at it. Otherwise the value is outside a set, and may lie within a gap.

    Returns:
        At most one test for each attribute, by falling agreement; equal ones in table order.

    Example:
        >>> from reference_tree.data.table import Table
        >>> columns = {"a": [1, 1, 2, 2, None], "b": ["p", "p", "q", "p", "q"], "y": ["n", "n", "y", "y", "y"]}
        >>> sample = Table.from_columns(columns).sample()
        >>> [found] = surrogates(sample, Threshold("a", Fraction(3, 2)))
        >>> found.test.name, found.branches, found.agreement
        ('b in {p}', (0, 1), Fraction(3, 4))

    Source:
        [Breiman1984 §5.3.2]
    """
    against = sample.against(Branches(test))
    found = [
        candidate.surrogate
        for attribute in sample.schema.attributes
        if attribute.name != test.attribute
        for candidate in [best_surrogate(against, attribute, denominator, minimum, errors, sample if seen else None)]
        if candidate is not None and candidate.association > 0
    ]
    found.sort(key=lambda surrogate: -surrogate.agreement)  # a stable sort: equals stay in table order
    return tuple(found[:most])


def best_surrogate(
    against: Sample,
    attribute: Attribute,
    denominator: Denominator = both_known,
    minimum: Rational = 1,
    errors: Rational = 0,
    everyone: Sample | None = None,
) -> Association | None:
    """The test of an attribute that agrees best, the first of equals; None if the attribute divides no rows.

    Args:
        against: the rows, counted by the branches of the test to stand in for.
        attribute: the attribute of the stand-in.
        denominator: the rule for the denominator of an agreement.
        minimum: the least weight that a threshold has to send to each side.
        errors: the least weight that a set of values has to send to the wrong side.
        everyone: all rows, including those without the value of the first test, if values that only these have are
            treated as unseen: `seen` of `surrogates`.

    Source:
        [Breiman1984 §5.3.1]
    """
    if attribute.values is None:
        tried = _thresholds(promising_cuts(against, [attribute.name], CutSearch("agreement", minimum)))
    else:
        tried = _subsets(attribute.name, against.partition(Multiway.on(attribute)), errors, everyone is not None)
    if (best := max(tried, key=itemgetter(0), default=None)) is None:  # the first of equals
        return None
    right, test, branches, table = best
    if everyone is not None and isinstance(test, Threshold) and test.interval is not None:
        gap = gap_around(everyone, replace(test, threshold=test.interval[0]))
        assert gap is not None, "a cut lies between two values"
        test = replace(test, threshold=midpoint(*gap), interval=gap)
    counted = denominator(_sum(table.rows), _pair(table.unknown))
    if not all(counted):
        return None
    surrogate = Surrogate(test, branches, simplest(agreement(right, counted)))
    return Association(surrogate, simplest(association(right, counted)))


def larger_side(table: Partition, weight: Callable[[Counts], Rational] = sum) -> int | None:
    """The branch that most of the known weight takes; None if two branches tie.

    Args:
        table: the sample partition of the test.
        weight: gives the weight of a row of the table; for class counts it is their sum.

    Example:
        >>> larger_side(Partition((), ((3, 1), (2, 4)), (0, 0))), larger_side(Partition((), ((3,), (3,)), (0,)))
        (1, None)

    Source:
        [Breiman1984 §5.3.2]
    """
    weights = [weight(row) for row in table.rows]
    return weights.index(max(weights)) if weights.count(max(weights)) == 1 else None


# Possible stand-ins, each with the weight of the rows that it sends where they belong.


def _thresholds(found: Iterable[Cut]) -> Iterator[StandIn]:
    """Each cut, in the direction that sends more weight where it belongs."""
    for test, table in found:
        # A test and its reverse agree in opposite rows: the direction is free, as a surrogate may send low values to
        # the right.
        (low_left, low_right), (high_left, high_right) = table.rows
        straight, turned = low_left + high_right, low_right + high_left
        yield (straight, test, (0, 1), table) if straight >= turned else (turned, test, (1, 0), table)


def _subsets(attribute: str, table: Partition, errors: Rational, seen: bool) -> Iterator[StandIn]:
    """The one set that sends each value to the side where most of its rows belong, or if tied, to the larger side."""
    # For each value the side of most of its rows: no set of values agrees more, as values add up independently. So
    # there is one candidate, and no search.
    present = {o.value: _pair(row) for o, row in zip(table.outcomes, table.rows, strict=True) if any(row)}
    left, right = _sum(present.values())
    inside = [value for value, (a, b) in present.items() if a > b or (a == b and left > right)]
    outside = [value for value in present if value not in inside]
    agreeing = sum(map(max, present.values()))
    if inside and outside and left + right - agreeing >= errors:
        last_is_left = next(reversed(present)) in inside  # the set without the last value is named
        named, branches = (outside, (1, 0)) if last_is_left else (inside, (0, 1))
        unseen = tuple(outcome.value for outcome in table.outcomes if seen and outcome.value not in present)
        test = SeenSubset(attribute, tuple(named), unseen) if unseen else Subset(attribute, tuple(named))
        yield agreeing, test, branches, table


def _pair(row: Counts) -> Pair:
    left, right = row
    return left, right


def _sum(rows: Iterable[Counts]) -> Pair:
    pairs = [_pair(row) for row in rows]
    return sum(left for left, _ in pairs), sum(right for _, right in pairs)
