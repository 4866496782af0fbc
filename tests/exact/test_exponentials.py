"""Exponentials: held against those of mpmath, at any precision."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.exponentials import exp_bounds, softmax_bounds
from reference_tree.exact.rationals import Rational
from tests.oracles import real
from tests.strategies import fractions

exponents = st.one_of(
    st.integers(-40, 0), fractions(-5, 0, max_denominator=10**6), fractions(-(10**4), 0, max_denominator=7)
)
margins = st.one_of(st.integers(-30, 30), fractions(-6, 6, max_denominator=2**48))
bits = st.sampled_from([1, 10, 80, 160, 641])


def holds(value: mpmath.mpf, low: int, high: int, bits: int, width: int) -> None:
    scaled = value * mpmath.mpf(2) ** bits
    assert low <= scaled <= high <= low + width


@given(exponents, bits)
def test_the_exponential_lies_between_its_bounds(x: Rational, bits: int) -> None:
    with mpmath.workdps(260):
        holds(mpmath.exp(real(x)), *exp_bounds(x, bits), bits, 3)


def test_positive_exponents_are_refused() -> None:
    with pytest.raises(ValueError, match=r"not e\^1/2"):
        exp_bounds(Fraction(1, 2), 10)


@given(margins, bits)
def test_the_logistic_function_lies_between_its_bounds(x: Rational, bits: int) -> None:
    with mpmath.workdps(260):
        holds(1 / (1 + mpmath.exp(-real(x))), *softmax_bounds([0, x], bits)[1], bits, 8)


@given(st.lists(margins, min_size=1, max_size=5), bits)
def test_shares_lie_between_their_bounds(xs: list[Rational], bits: int) -> None:
    with mpmath.workdps(260):
        powers = [mpmath.exp(real(x)) for x in xs]
        for power, (low, high) in zip(powers, softmax_bounds(xs, bits), strict=True):
            holds(power / mpmath.fsum(powers), low, high, bits, 5 + 4 * len(xs))


def test_what_is_rational_is_exact() -> None:
    assert exp_bounds(0, 7) == (128, 128)
    assert softmax_bounds([3, 3], 7) == [(64, 64), (64, 64)]


@pytest.mark.parametrize("x", [-(10**9), -(10**3000)])
def test_a_power_that_is_next_to_nothing_costs_nothing(x: int) -> None:
    assert exp_bounds(x, 10240) == (0, 1)
    assert softmax_bounds([0, x], 64) == [((1 << 64) - 1, 1 << 64), (0, 1)]
