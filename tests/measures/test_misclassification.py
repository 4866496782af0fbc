"""Misclassification: costs written out pair by pair, and what unit costs come down to."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.sample import Partition
from reference_tree.data.schema import Attribute
from reference_tree.measures.gini_index import gini, gini_decrease
from reference_tree.measures.misclassification import (
    Costs,
    Loss,
    altered_priors,
    expected_costs,
    generalized_gini,
    generalized_gini_decrease,
    misclassification_decrease,
    misclassification_error,
    misclassification_rate,
    prior_weights,
)
from tests import strategies
from tests.every import of_every
from tests.strategies import fractions

Matrix = list[list[Any]]


@st.composite
def samples_with_costs(draw: st.DrawFn) -> tuple[list[Any], Matrix]:
    counts = draw(strategies.counts(1, 4, st.one_of(st.just(0), strategies.weights)))
    row = st.lists(st.integers(0, 5), min_size=len(counts), max_size=len(counts))
    matrix = draw(st.lists(row, min_size=len(counts), max_size=len(counts)))
    return counts, [[0 if i == j else cost for i, cost in enumerate(row)] for j, row in enumerate(matrix)]


def unit(k: int) -> Matrix:
    return [[int(i != j) for i in range(k)] for j in range(k)]


@given(samples_with_costs())
def test_an_answer_costs_what_each_row_loses_by_it(case: tuple[list[Any], Matrix]) -> None:
    counts, loss = case
    found = expected_costs(counts, loss)
    for answer in range(len(counts)):
        lost = Fraction(0)
        for right, count in enumerate(counts):
            lost += Fraction(count) * loss[right][answer]
        assert found[answer] == lost


@given(strategies.fractional_counts)
def test_at_unit_costs_the_majority_is_cheapest(counts: list[Any]) -> None:
    costs = expected_costs(counts, unit(len(counts)))
    cheapest = {answer for answer, cost in enumerate(costs) if cost == min(costs)}
    assert cheapest == {answer for answer, count in enumerate(counts) if count == max(counts)}


@given(strategies.partitions())
def test_the_rate_of_mistakes_is_that_of_the_best_constant_answer_to_each_part(table: Matrix) -> None:
    whole = [Fraction(sum(column)) for column in zip(*table, strict=True)]
    left = sum((min(expected_costs(row, unit(len(row)))) for row in table), Fraction(0))
    assert misclassification_rate(table) * sum(whole) == left
    assert misclassification_error(whole) * sum(whole) == min(expected_costs(whole, unit(len(whole))))
    assert misclassification_decrease(table) >= 0


def test_of_table_8_1_two_cuts_make_three_mistakes_in_ten() -> None:
    left, right = misclassification_rate([[0, 3], [4, 3]]), misclassification_rate([[3, 6], [1, 0]])
    assert left == right == Fraction(3, 10)


@given(samples_with_costs())
def test_the_gini_value_with_costs_is_an_average_over_pairs_of_draws(case: tuple[list[Any], Matrix]) -> None:
    counts, loss = case
    p = [Fraction(count) / sum(map(Fraction, counts)) for count in counts]
    pairs = product(range(len(counts)), repeat=2)
    assert generalized_gini(counts, loss) == sum((p[i] * p[j] * loss[j][i] for i, j in pairs), Fraction(0))


@given(strategies.partitions())
def test_unit_costs_give_the_plain_gini(table: Matrix) -> None:
    whole = [sum(column) for column in zip(*table, strict=True)]
    assert generalized_gini(whole, unit(len(whole))) == gini(whole)
    assert generalized_gini_decrease(table, unit(len(whole))) == gini_decrease(table)


@given(strategies.partitions(columns=2).filter(lambda table: len(table[0]) == 2), st.integers(0, 5), st.integers(0, 5))
def test_of_two_classes_it_knows_only_the_sum_of_the_costs(table: Matrix, a: int, b: int) -> None:
    assert generalized_gini_decrease(table, [[0, a], [b, 0]]) == Fraction(a + b, 2) * gini_decrease(table)


def test_it_can_grow_by_a_split() -> None:
    """The price of a metric: to take the first for the third is dearer than two steps over the second."""
    loss = [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    assert generalized_gini_decrease([[1, 0, 1], [0, 2, 0]], loss) < 0


def test_priors_make_classes_as_common_as_they_say() -> None:
    weights = prior_weights([Fraction(9), Fraction(1), Fraction(0)], [1, 2, 5])
    assert [w * n for w, n in zip(weights, [9, 1, 0], strict=True)] == [1, 2, 0]


@given(samples_with_costs(), st.lists(st.integers(1, 4), min_size=4, max_size=4))
def test_altered_priors_make_two_classes_cheap_as_the_costs_would(
    case: tuple[list[Any], Matrix], priors: list[int]
) -> None:
    """With two classes, the cheapest answer under costs is the majority under altered priors."""
    counts, loss = case
    if len(counts) != 2:
        return
    altered = altered_priors(priors[:2], loss)
    plain = expected_costs([c * p for c, p in zip(counts, altered, strict=True)], unit(2))
    assert plain == expected_costs([c * p for c, p in zip(counts, priors, strict=False)], loss)


@pytest.mark.parametrize("counts", [[], [0, 0], [1, -1]])
def test_what_is_no_sample_is_refused(counts: list[int]) -> None:
    with pytest.raises(ValueError, match=r"no count is positive|a count is negative"):
        generalized_gini(counts, unit(len(counts)))


@of_every([(expected_costs, unit(2)), (prior_weights, [1, 1]), (altered_priors, unit(2))])
def test_each_class_has_its_own(measure: Any, of_two: Any) -> None:
    with pytest.raises(ValueError, match="zip"):
        measure([1, 2, 3], of_two)


# By the names of classes.

CREDIT = Attribute("credit", ("bad", "fair", "good"))
LOSS: Loss = {"bad": {"good": 5, "fair": 2}, "good": {"bad": Fraction(1, 2)}}


def test_pairs_that_are_not_named_cost_1() -> None:
    costs = Costs.of(CREDIT, (1, 1, 1), None, LOSS)
    assert costs.loss == ((0, 2, 5), (1, 0, 1), (Fraction(1, 2), 1, 0))
    assert costs.weights == (1, 1, 1)


@given(strategies.counts(3, 3, st.integers(1, 9)), st.lists(fractions(Fraction(1, 9), 5), min_size=3, max_size=3))
def test_classes_are_as_common_as_the_priors_say(counts: list[int], priors: list[Fraction]) -> None:
    costs = Costs.of(CREDIT, tuple(counts), dict(zip(CREDIT.domain, priors, strict=True)), None)
    weighed = costs.weighed(tuple(counts))
    assert [Fraction(w) / sum(weighed) for w in weighed] == [p / sum(priors) for p in priors]
    assert all(isinstance(weight, int) and weight > 0 for weight in costs.weights)


def test_a_class_without_rows_may_have_no_prior() -> None:
    assert all(Costs.of(CREDIT, (3, 0, 4), {"bad": 1, "good": 1, "fair": 0}, None).weights)
    assert Costs.of(CREDIT, (3, 0, 4), {"bad": 1, "good": 1}, None).weights == (4, 12, 3)  # 1/3, 1 and 1/4


def test_altered_priors_multiply_each_class_by_what_it_costs_to_miss_it() -> None:
    assert Costs.of(CREDIT, (1, 1, 1), None, LOSS).altered().weights == (14, 4, 3)


def test_what_is_not_known_is_weighed_too() -> None:
    table = Partition((), ((1, 2), (3, 4)), (5, 6))
    assert Costs((10, 1), ()).weighed_table(table) == Partition((), ((10, 2), (30, 4)), (50, 6))


@of_every(
    [
        ({"terrible": 1}, None, "credit has no class 'terrible'; it has bad, fair, good"),
        ({"bad": 1, "good": 1}, None, "the class fair has rows, and needs a prior above 0"),
        (None, {"bad": {"terrible": 1}}, "no class 'terrible'"),
        (None, {"bad": {"good": 0, "fair": 0}}, "no mistake with the class bad costs anything"),
    ]
)
def test_what_does_not_fit_the_classes_is_refused(priors: Any, loss: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Costs.of(CREDIT, (1, 1, 1), priors, loss)


def test_costs_are_of_as_many_classes_as_there_are() -> None:
    two = Costs((1, 1), ((0, 1), (1, 0)))
    for ask in (lambda: two.weighed((1, 2, 3)), lambda: two.cheapest(CREDIT, (1, 2))):
        with pytest.raises(ValueError, match="zip"):
            ask()


def test_one_class_alone_has_no_mistakes() -> None:
    alone = Costs.of(Attribute("y", ("k",)), (3,), None, None)
    assert alone.loss == ((0,),)
    assert alone.altered().weights == (0,)


def test_of_two_classes_the_one_mistake_has_to_cost_something() -> None:
    with pytest.raises(InputError, match="no mistake with the class no costs anything"):
        Costs.of(Attribute("y", ("no", "yes")), (1, 1), None, {"no": {"yes": 0}})


def test_weights_are_as_small_as_can_be() -> None:
    assert Costs((1, 1), ((0, 2), (4, 0))).altered().weights == (1, 2)
