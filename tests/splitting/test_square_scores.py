"""Scores of cuts by squares: those of numbers here, those of classes together with those of the gain."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_tree.splitting.square_scores import gini_judge, reciprocals, squares_of_numbers
from tests.splitting.test_cut_scores import check

from reference_tree.measures.variance import moments, variance_reduction
from tests import oracles


@given(st.lists(st.one_of(st.integers(-9, 9), st.integers(-(2**70), 2**70)), min_size=2, max_size=20))
def test_squares_of_numbers(numbers: list[int]) -> None:
    flags = b"\1" * (len(numbers) - 1)
    found = [variance_reduction([moments(numbers[:k]), moments(numbers[k:])]) for k in range(1, len(numbers))]
    with mpmath.workdps(oracles.DIGITS):
        exact = [oracles.real(len(numbers) * score) for score in found]
    check(squares_of_numbers(numbers, flags), exact)


@pytest.mark.parametrize("n", [1, 2, 9, 1024, 5000])
def test_reciprocals_are_fine_enough(n: int) -> None:
    found, bits = reciprocals(n)
    assert len(found) == n + 1
    assert found[0] == found[n] == 0
    for k in range(1, n):
        exact = Fraction(1 << bits, k * (n - k))
        assert found[k] <= exact < found[k] * (1 + Fraction(1, 2**24))


def test_equal_estimates_of_equal_tables() -> None:
    """Mirrored classes tie, and their estimates are the same to the last unit."""
    judge = gini_judge((3, 3, 3))
    estimates = judge.estimates(bytes([0, 1, 2, 0, 1, 2, 0, 1, 2]), b"\1" * 8)
    assert estimates == judge.estimates(bytes([2, 1, 0, 2, 1, 0, 2, 1, 0]), b"\1" * 8)
