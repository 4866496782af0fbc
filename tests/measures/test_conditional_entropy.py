"""Conditional entropy: the chain rule, bounds, another formula in high precision, and figures of the books."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given

from reference_tree.data.textbook import textbook
from reference_tree.exact.rounding import decimal
from reference_tree.measures.conditional_entropy import (
    by_class,
    by_outcome,
    conditional_distribution,
    conditional_entropy,
    joint_distribution,
    joint_entropy,
)
from reference_tree.measures.entropy import entropy
from tests import oracles, strategies
from tests.laws import is_independent, transposed
from tests.strategies import Partition


@given(strategies.partitions(), strategies.bases)
def test_the_chain_rule(table: Partition, base: int) -> None:
    """H(X, Y) = H(X) + H(Y|X) = H(Y) + H(X|Y)."""
    joint = joint_entropy(table, base)
    assert joint == entropy(by_outcome(table), base) + conditional_entropy(table, base)
    assert joint == entropy(by_class(table), base) + conditional_entropy(transposed(table), base)


@given(strategies.partitions())
def test_an_answer_never_makes_the_class_less_certain_on_average(table: Partition) -> None:
    assert 0 <= conditional_entropy(table) <= entropy(by_class(table))
    assert (conditional_entropy(table) == entropy(by_class(table))) == is_independent(table)


def test_one_answer_may_leave_the_class_less_certain_than_before() -> None:
    sunny, overcast, rainy = (3, 2), (0, 4), (2, 3)  # of play tennis: no, yes
    assert decimal(entropy([5, 9])) == "0.940286"
    assert [decimal(entropy(part)) for part in (sunny, overcast, rainy)] == ["0.970951", "0.000000", "0.970951"]
    assert conditional_entropy([sunny, overcast, rainy]) < entropy([5, 9]) < entropy(sunny)


@given(strategies.partitions())
def test_it_is_0_exactly_if_the_answer_determines_the_class(table: Partition) -> None:
    assert (conditional_entropy(table) == 0) == all(sum(1 for cell in row if cell) <= 1 for row in table)


@given(strategies.partitions())
def test_the_two_together_are_at_most_as_uncertain_as_each_alone(table: Partition) -> None:
    apart = entropy(by_outcome(table)) + entropy(by_class(table))
    assert joint_entropy(table) <= apart
    assert (joint_entropy(table) == apart) == is_independent(table)


@pytest.mark.covers("N0 CN §2 (4)", "N0 EN §2 eq. (2)", "N1 §1.3 eq. (7)", "N2 §2.1 step 5")
@given(strategies.partitions())
def test_it_is_what_another_formula_gives(table: Partition) -> None:
    with mpmath.workdps(60):  # -Σ p_ij·log2(p_ij/p_i)
        n = sum(map(sum, table))
        terms = (
            -oracles.real(Fraction(cell, n)) * mpmath.log(oracles.real(Fraction(cell, sum(row))), 2)
            for row in table
            for cell in row
            if cell
        )
        assert abs(oracles.exact_value(conditional_entropy(table)) - mpmath.fsum(terms)) < mpmath.mpf(10) ** -50


@given(strategies.partitions(), strategies.bases)
def test_floats_agree(table: Partition, base: int) -> None:
    floats = [[float(cell) for cell in row] for row in table]
    for measure in (conditional_entropy, joint_entropy):
        assert math.isclose(measure(floats, base), float(measure(table, base)), abs_tol=1e-12)


@pytest.mark.covers("N0 CN §2 (1)", "N0 CN §2 (2)")
@given(strategies.partitions())
def test_distributions(table: Partition) -> None:
    """p_ij = p_i · P(y_j|x_i), and each distribution adds up to 1."""
    joint = joint_distribution(table)
    assert sum(map(sum, joint)) == 1
    for row, shares in zip(table, joint, strict=True):
        if any(row):
            given_answer = conditional_distribution(row)
            assert sum(given_answer) == 1
            assert [sum(shares) * p for p in given_answer] == shares
            assert conditional_distribution(shares) == given_answer


@pytest.mark.covers("N0 EN §1")
@given(strategies.partitions())
def test_margins(table: Partition) -> None:
    assert by_class(table) == [sum(row[j] for row in table) for j in range(len(table[0]))]
    assert by_outcome(table) == by_class(transposed(table))


def test_what_is_no_partition_is_refused() -> None:
    for table in ([], [[0]], [[1, -1], [1, 1]]):
        with pytest.raises(ValueError, match=r"no rows|no count is positive|a count is negative"):
            conditional_entropy(table)
    with pytest.raises(ValueError, match="different lengths"):
        conditional_entropy([[1], [1, 2]])


def test_play_tennis() -> None:
    assert decimal(conditional_entropy(oracles.crosstab(textbook("play-tennis"), "outlook"))) == "0.693536"


@pytest.mark.covers("N0 CN §3")
def test_the_examples_of_the_notes() -> None:
    """N0: a visitor that determines the weather, and an ID that determines everything, leave nothing uncertain."""
    for name, attribute in (("visitor", "visitor"), ("play-tennis-id", "day")):
        assert conditional_entropy(oracles.crosstab(textbook(name), attribute)) == 0
