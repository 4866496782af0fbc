"""Sums of roots: enclosed by integers, compared without rounding, and known where they are rational."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.log_sums import log
from reference_tree.exact.radicals import RadicalSum, exp2_floor, integer_root, power_bounds, root
from reference_tree.exact.rounding import decimal
from tests.every import of_every
from tests.strategies import fractions

positive = fractions(Fraction(1, 1000), 1000, max_denominator=1000)
exponents = fractions(Fraction(1, 40), 3, max_denominator=40)
coefficients = fractions(-5, 5, max_denominator=7)
sums = st.lists(st.tuples(coefficients, positive, exponents), max_size=5).map(
    lambda terms: sum((c * root(a, e) for c, a, e in terms), RadicalSum({}))
)


def value(x: RadicalSum) -> mpmath.mpf:
    """The number by mpmath, at its working precision."""
    terms = [_mpf(c) * mpmath.power(_mpf(base), _mpf(exponent)) for (base, exponent), c in x.terms.items()]
    return mpmath.fsum([_mpf(x.constant), *terms])


def _mpf(q: Fraction) -> mpmath.mpf:
    return mpmath.mpf(q.numerator) / q.denominator


# Enclosures.


@given(positive, exponents, st.integers(4, 300))
def test_a_power_lies_between_its_bounds_and_these_close_in(base: Fraction, exponent: Fraction, bits: int) -> None:
    low, high = power_bounds(base, exponent, bits)
    with mpmath.workprec(600):
        exact = mpmath.power(_mpf(base), _mpf(exponent)) * 2**bits
        assert low <= exact <= high
        assert high - low <= 4 + 8 * mpmath.power(_mpf(base), _mpf(exponent))


@given(st.integers(-2000, 2000), st.integers(4, 120))
def test_two_to_a_dyadic_power(y: int, bits: int) -> None:
    found = exp2_floor(y, bits)
    with mpmath.workprec(5000):
        exact = mpmath.power(2, mpmath.mpf(y) / 2**bits) * 2**bits
        whole = max(y >> bits, 0)
        assert found <= exact < found + 1 + 2**whole


@given(st.integers(1, 10**30), st.integers(2, 12))
def test_an_integer_root_is_the_largest_whose_power_is_not_above(n: int, k: int) -> None:
    found = integer_root(n, k)
    assert found**k <= n < (found + 1) ** k


@given(sums)
def test_a_sum_lies_in_its_enclosure_and_is_rounded_correctly(x: RadicalSum) -> None:
    with mpmath.workprec(800):
        exact = value(x)
        for bits in (10, 80, 200):
            low, high, scale = x.enclosure(bits)
            assert low <= exact * scale <= high
        nearest = float(x)
        assert nearest == float(exact)


# Comparisons.


@given(sums, sums)
def test_the_order_is_that_of_the_numbers(x: RadicalSum, y: RadicalSum) -> None:
    with mpmath.workprec(1500):
        difference = value(x) - value(y)
        if abs(difference) > mpmath.mpf(2) ** -1000:
            assert (x < y) == (difference < 0)
            assert x != y
        else:
            assert x == y


@given(positive, exponents, st.integers(2, 5), positive)
def test_what_is_written_in_two_ways_is_equal(base: Fraction, exponent: Fraction, k: int, factor: Fraction) -> None:
    assert root(base**k, exponent / k) == root(base, exponent)
    assert root(factor**k * base, Fraction(1, k)) == factor * root(base, Fraction(1, k))
    assert root(base, exponent + 1) == base * root(base, exponent)
    assert root(base, exponent) - root(base, exponent) == 0


@of_every(
    [
        (root(2) + root(8), root(18)),
        (root(Fraction(1, 4), Fraction(1, 2)), Fraction(1, 2)),
        (root(Fraction(1, 4), Fraction(1, 6)), root(Fraction(1, 2), Fraction(1, 3))),
        (root(12) * Fraction(1, 2), root(3)),
        (root(5, Fraction(1, 2)) * 2 - root(20) + 7, 7),
        (root(0) + 1, 1),
    ]
)
def test_equal_numbers(x: RadicalSum, y: RadicalSum) -> None:
    assert x == y
    assert hash(x) == hash(y)
    assert not x < y
    assert x.as_rational() == (y.as_rational() if isinstance(y, RadicalSum) else y)


def test_near_misses_are_told_apart() -> None:
    printed = Fraction(31462643699419723423, 10**19)  # √2 + √3 = 3.14626436994197234232|9...
    assert printed < root(2) + root(3) < printed + Fraction(1, 10**19)
    # (√2 + √3)² = 5 + 2√6; convergents of √6 come as near as one likes
    p, q = 5, 2
    for _ in range(60):
        p, q = 5 * p + 12 * q, 2 * p + 5 * q
        assert root(6) * q != p
        assert (root(6) * q < p) == (6 * q * q < p * p)


def test_rational_values_are_found() -> None:
    assert root(Fraction(9, 4)).as_rational() == Fraction(3, 2)
    assert root(2).as_rational() is None
    assert (root(2) - root(2) + Fraction(1, 3)).as_rational() == Fraction(1, 3)
    assert (root(8) - 2 * root(2)).as_rational() == 0
    assert root(64, Fraction(1, 3)).as_rational() == 4


@pytest.mark.slow
def test_long_weights_are_no_hindrance() -> None:
    """Weights of rows with missing values have numerators of thousands of bits."""
    long = Fraction(3**3000 + 1, 5**2000)
    assert root(long * long) == long
    assert root(Fraction(1, 4), 1 / long) < 1


def test_arithmetic_with_what_is_no_rational_is_refused() -> None:
    with pytest.raises(TypeError):
        root(2) * root(3)
    with pytest.raises(TypeError):
        root(2) < log(3)  # noqa: B015
    with pytest.raises(ValueError, match="a real root is that of a number not below 0"):
        root(-1)
    with pytest.raises(ValueError, match="to a power above 0"):
        root(2, 0)


def test_how_it_is_written() -> None:
    assert repr(Fraction(1, 2) + root(Fraction(7, 4)) * 3) == "1/2 + 3·(7/4)^(1/2)"
    assert repr(RadicalSum({})) == "0"
    assert decimal(root(2), 20) == "1.41421356237309504880"
