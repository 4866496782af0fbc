"""Numbers given one by one, held against the standard library; three of them are no moments."""

from __future__ import annotations

import statistics
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.exact.rationals import Rational
from tests.every import of_every
from tests.strategies import fractions

numbers = st.one_of(st.integers(-50, 50), fractions(-20, 20, max_denominator=40))


@given(st.lists(numbers, min_size=1, max_size=8))
def test_the_variance_of_values(values: list[Rational]) -> None:
    fractions = [Fraction(value) for value in values]
    assert rt.variance(values) == rt.variance(rt.moments(values)) == statistics.pvariance(fractions)
    if len(values) > 1:
        assert rt.variance(values, unbiased=True) == statistics.variance(fractions)


@given(st.lists(st.lists(numbers, max_size=4), min_size=1, max_size=4).filter(any))
def test_what_a_question_takes_away(parts: list[list[Rational]]) -> None:
    whole = [Fraction(value) for part in parts for value in part]
    left = sum(len(part) * statistics.pvariance(map(Fraction, part)) for part in parts if part)
    assert rt.variance_reduction(parts) == statistics.pvariance(whole) - left / len(whole)


@pytest.mark.parametrize("values", [[1, 2, 6], (1, 2, 6)])
def test_three_numbers_are_three_values(values: Any) -> None:
    assert rt.variance(values) == Fraction(14, 3)


@of_every([None, 5, "abc"])
def test_what_is_no_sample(values: Any) -> None:
    with pytest.raises(TypeError, match="where the numbers of a sample are summed up"):
        rt.variance(values)
    with pytest.raises(TypeError, match="where the numbers of a sample are summed up"):
        rt.variance_reduction([values])


@of_every([None, "a", [1]])
def test_what_is_no_number(value: Any) -> None:
    with pytest.raises(TypeError, match="where a number of a sample is summed up"):
        rt.variance([1, value])


def test_the_numbers_of_numpy_do_not_overflow() -> None:
    numpy = pytest.importorskip("numpy")
    assert rt.variance(numpy.array([2**62, 2**62 + 1])) == Fraction(1, 4)


def test_no_values() -> None:
    nothing: list[list[list[int]]] = [[], [[]]]
    for empty in nothing:
        with pytest.raises(ValueError, match="an empty sample"):
            rt.variance_reduction(empty)
    with pytest.raises(ValueError, match="an empty sample"):
        rt.variance([])
