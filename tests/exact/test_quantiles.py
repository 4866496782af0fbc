"""The quantile of the normal distribution: the nearest double, and proved to be that."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.quantiles import NormalQuantile, normal_quantile, pi_bounds
from tests.every import of_every
from tests.strategies import fractions

probabilities = fractions(Fraction(1, 2), Fraction(999999, 1000000), max_denominator=10**6)


def phi(z: mpmath.mpf) -> mpmath.mpf:
    return (1 + mpmath.erf(z / mpmath.sqrt(2))) / 2


@given(probabilities)
def test_between_the_neighbouring_midpoints_lies_the_quantile(p: Fraction) -> None:
    found = float(normal_quantile(p))
    with mpmath.workprec(300):
        goal = mpmath.mpf(p.numerator) / p.denominator
        below = (mpmath.mpf(math.nextafter(found, -1)) + found) / 2
        above = (mpmath.mpf(math.nextafter(found, 100)) + found) / 2
        assert phi(below) <= goal <= phi(above)


@given(probabilities, st.integers(4, 200))
def test_the_enclosure(p: Fraction, bits: int) -> None:
    low, high, scale = NormalQuantile(p).enclosure(bits)
    assert high == low + 1
    with mpmath.workprec(400):
        assert phi(mpmath.mpf(low) / scale) <= mpmath.mpf(p.numerator) / p.denominator <= phi(mpmath.mpf(high) / scale)


def test_well_known_deviates() -> None:
    assert normal_quantile(Fraction(1, 2)) == 0
    assert float(normal_quantile(Fraction(975, 1000))) == pytest.approx(1.959963984540054, abs=1e-15)
    assert float(normal_quantile(Fraction(3, 4))) == pytest.approx(statistics.NormalDist().inv_cdf(0.75), abs=1e-15)
    assert float(normal_quantile(1 - Fraction(1, 10**9))) == pytest.approx(5.997807015007687, abs=1e-14)


@given(st.integers(4, 2000))
def test_pi(bits: int) -> None:
    low, high = pi_bounds(bits)
    with mpmath.workprec(2200):
        assert low <= mpmath.pi * 2**bits <= high <= low + 3


@of_every([Fraction(49, 100), Fraction(1), Fraction(0)])
def test_other_probabilities_are_refused(p: Fraction) -> None:
    with pytest.raises(ValueError, match="from 1/2 to below 1"):
        normal_quantile(p)


@given(probabilities, probabilities, fractions(-1, 4, max_denominator=50))
def test_quantiles_compare(p: Fraction, q: Fraction, z: Fraction) -> None:
    one, other = NormalQuantile(p), NormalQuantile(q)
    assert (one < other, one == other) == (p < q, p == q)
    with mpmath.workprec(300):
        below = phi(mpmath.mpf(z.numerator) / z.denominator) < mpmath.mpf(p.numerator) / p.denominator
    assert (one > z) == ((below and z != 0) or z < 0 or (z == 0 and p > Fraction(1, 2)))
    assert one > float("-inf")
    assert (NormalQuantile(Fraction(1, 2)) == 0, one == "much") == (True, False)
