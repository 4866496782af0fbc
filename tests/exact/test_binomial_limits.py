"""Binomial limits: against the distribution summed up by another program, and sums of them against each other."""

from __future__ import annotations

import math
import time
from fractions import Fraction
from math import comb

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.binomial_limits import LimitSum, upper_limit
from reference_tree.exact.log_sums import UndecidedError
from reference_tree.exact.radicals import root
from tests.strategies import fractions

confidences = fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100)


@st.composite
def cases(draw: st.DrawFn) -> tuple[int, int, Fraction]:
    rows = draw(st.integers(1, 60))
    return draw(st.integers(0, rows - 1)), rows, draw(confidences)


@given(cases(), st.integers(4, 160))
def test_the_limit_is_where_the_beta_distribution_says(case: tuple[int, int, Fraction], bits: int) -> None:
    errors, rows, confidence = case
    low, high, scale = upper_limit(errors, rows, confidence).enclosure(bits)
    with mpmath.workprec(400):

        def so_few(p: mpmath.mpf) -> mpmath.mpf:
            return mpmath.betainc(rows - errors, errors + 1, 0, 1 - p, regularized=True)

        goal = mpmath.mpf(confidence.numerator) / confidence.denominator
        assert so_few(mpmath.mpf(low) / scale) >= goal - mpmath.mpf(2) ** -300
        assert so_few(mpmath.mpf(high) / scale) <= goal + mpmath.mpf(2) ** -300


@given(st.integers(1, 40), confidences)
def test_without_errors_it_is_a_root(rows: int, confidence: Fraction) -> None:
    found, expected = upper_limit(0, rows, confidence), 1 - root(confidence, Fraction(1, rows))
    assert float(found) == float(expected)


@given(cases())
def test_it_grows_with_the_errors_and_falls_with_the_rows(case: tuple[int, int, Fraction]) -> None:
    errors, rows, confidence = case
    limit = upper_limit(errors, rows, confidence)
    assert limit < upper_limit(errors + 1, rows, confidence)
    assert upper_limit(errors, rows + 1, confidence) < limit
    assert Fraction(errors, rows) < limit or confidence > Fraction(1, 2)


def test_sums_of_the_same_terms_are_equal() -> None:
    a, b = upper_limit(1, 6, Fraction(1, 4)), upper_limit(0, 3, Fraction(1, 4))
    assert 2 * a + b == b + a + a
    assert (a - a).as_rational() == 0
    assert a + b != b + b
    assert a + Fraction(1, 10**20) > a
    assert upper_limit(5, 5, Fraction(1, 4)) == 1


def test_what_cannot_be_told_apart_is_not_guessed() -> None:
    quarter = upper_limit(0, 1, Fraction(3, 4))  # 1/4: a rational in disguise, which no proof here finds
    with pytest.raises(UndecidedError, match="agree to 10240 bits"):
        quarter.__le__(Fraction(1, 4))


def test_out_of_range() -> None:
    for errors, rows, confidence in [(2, 1, Fraction(1, 4)), (0, 0, Fraction(1, 4)), (0, 1, Fraction(1))]:
        with pytest.raises(ValueError, match="there is no binomial limit for"):
            upper_limit(errors, rows, confidence)
    with pytest.raises(TypeError):
        LimitSum({}, 1) < root(2)  # noqa: B015
    assert repr(upper_limit(1, 6, Fraction(1, 4)) * 6) == "6·U(1, 6; 1/4)"


@given(cases(), st.integers(1, 100))
def test_the_digits_are_those_of_the_exact_comparison(case: tuple[int, int, Fraction], bits: int) -> None:
    """B in fractions, at the two neighbours."""
    errors, rows, confidence = case

    def so_few(p: Fraction) -> Fraction:
        return sum((comb(rows, k) * p**k * (1 - p) ** (rows - k) for k in range(errors + 1)), Fraction(0))

    low, high, scale = upper_limit(errors, rows, confidence).enclosure(bits)
    assert so_few(Fraction(low, scale)) >= confidence or low == 0
    assert so_few(Fraction(high, scale)) < confidence or high - low > 1


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("confidence", [Fraction(1, 10**9), Fraction(1, 4), 1 - Fraction(1, 10**9)])
@pytest.mark.parametrize(("errors", "rows"), [(1000, 3000), (0, 5000), (4999, 5000), (2, 5000)])
def test_thousands_of_rows_take_no_time(errors: int, rows: int, confidence: Fraction) -> None:
    start = time.process_time()
    found = float(upper_limit(errors, rows, confidence))
    assert time.process_time() - start < 0.5  # some milliseconds; once it was half a minute
    with mpmath.workprec(300):
        goal = mpmath.mpf(confidence.numerator) / confidence.denominator
        for neighbour, holds in [(math.nextafter(found, 0), 1), (math.nextafter(found, 1), -1)]:
            so_few = mpmath.betainc(rows - errors, errors + 1, 0, 1 - mpmath.mpf(neighbour), regularized=True)
            assert (so_few - goal) * holds > 0
