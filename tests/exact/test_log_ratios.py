"""Ratios of sums of logarithms, and their differences: against high precision, and where they tie."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import count, islice
from typing import Any

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_tree.exact import log_ratios
from reference_tree.exact.log_ratios import LogRatio, LogRatioDifference
from reference_tree.exact.log_sums import CAP_BITS, LogSum, UndecidedError, log
from reference_tree.exact.rounding import decimal
from tests import oracles
from tests.every import of_every
from tests.exact.test_log_sums import coefficients, convergents_of_log2_3, nonzero, sign, sums

# Ratios.


@pytest.mark.slow
@given(sums, nonzero, sums, nonzero)
def test_ratios_are_ordered_as_their_values(a: LogSum, b: LogSum, c: LogSum, d: LogSum) -> None:
    with mpmath.workdps(oracles.DIGITS):
        difference = oracles.exact_value(a) / oracles.exact_value(b) - oracles.exact_value(c) / oracles.exact_value(d)
        expected = sign(difference) if abs(difference) > mpmath.mpf(10) ** -200 else 0
    x, y = a / b, c / d
    assert (x < y, x <= y, x == y, x >= y, x > y) == (
        expected < 0, expected <= 0, expected == 0, expected >= 0, expected > 0,
    )  # fmt: skip


@given(sums, nonzero, coefficients)
def test_a_ratio_against_a_rational_or_a_sum(a: LogSum, b: LogSum, q: Fraction) -> None:
    with mpmath.workdps(oracles.DIGITS):
        value = oracles.exact_value(a) / oracles.exact_value(b)
        expected = sign(value - oracles.real(q)) if abs(value - oracles.real(q)) > mpmath.mpf(10) ** -200 else 0
        beyond = sign(value - oracles.exact_value(log(3) + q))
    x = a / b
    assert (x < q, x == q, x > q, q < x, q > x) == (
        expected < 0, expected == 0, expected > 0, expected > 0, expected < 0,
    )  # fmt: skip
    assert (x > log(3) + q) == (log(3) + q < x) == (beyond > 0)
    assert -x == (-a) / b == a / -b
    assert bool(x) == bool(a)
    assert x * 2 / 2 == x == 2 * x / 2


@given(nonzero, nonzero, coefficients.filter(bool))
def test_the_three_ways_in_which_ratios_tie(a: LogSum, b: LogSum, q: Fraction) -> None:
    zero = LogSum({})
    assert zero / a == zero / b == 0
    assert a / b == (a * q) / (b * q)
    assert (a * q) / a == (b * q) / b == q
    assert (log(9) * q) / log(3) == (b * 2 * q) / b
    assert (a / b == b / a) == (a == b or a == -b)


@given(nonzero, nonzero)
def test_ratios_tie_across_bases(a: LogSum, b: LogSum) -> None:
    """log_b x / log_b y is the same in every base."""
    for base in (3, 6, 10):
        a_there, b_there = (LogSum({**x.terms}, 0, base) + x.constant * log(2, base) for x in (a, b))
        assert a_there / b_there == a / b
        assert hash(a_there / b_there) == hash(a / b)


@of_every([*islice(convergents_of_log2_3(), 20, 120, 25)])
def test_near_ties_of_ratios(p: int, q: int) -> None:
    """As log2 3 and p/q are apart by less than 1/q², so are their quotients by log2 5."""
    with mpmath.workdps(500):
        expected = sign(mpmath.log(3, 2) - mpmath.mpf(p) / q)
    x, y = (q * log(3)) / log(5), LogSum({}, p) / log(5)
    assert (x > y, x < y) == (expected > 0, expected < 0)


def test_near_ties_of_ratios_of_one_numerator_or_one_denominator() -> None:
    a, b, hair = log(3), log(5), Fraction(1, 2**300)
    assert a / b > a / (b + hair)
    assert (a * 2) / (b * 2 - hair) > a / b
    assert a / b < (a + hair) / b
    assert (2 * b) / b < (2 * a + hair) / a
    assert (log(6) - log(3) - 1 + hair) / b > 0


@pytest.mark.slow
def test_huge_numerators() -> None:
    """Weights of missing values: numerators and denominators of thousands of bits."""
    chance = random.Random(7)
    big = [Fraction(chance.getrandbits(4000), chance.getrandbits(3900) | 1) for _ in range(3)]
    x = LogSum({3: big[0], 5: -big[1]}, big[2])
    nudge = Fraction(1, 2**9000)
    assert x == LogSum({9: big[0] / 2, 25: -big[1] / 2}, big[2])
    assert x < x + nudge
    assert x / log(3) < (x + nudge) / log(3)
    assert x / log(3) == (x * big[1]) / (log(9) * big[1] / 2)
    with mpmath.workdps(oracles.DIGITS):
        assert abs(mpmath.mpf(float(x)) - oracles.exact_value(x)) <= abs(oracles.exact_value(x)) / 2**53


def test_ratios_beyond_the_cap_are_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two differ by about 2^-200: seen at 320 bits, not at 80."""
    x, y = log(3) / log(5), (log(3) + Fraction(1, 2**200)) / log(5)
    assert x < y
    assert x == (2 * log(3)) / (2 * log(5))
    monkeypatch.setattr(log_ratios, "CAP_BITS", 80)
    acts: list[Callable[[], Any]] = [lambda: x < y, lambda: x == y, lambda: y >= x]
    for act in acts:
        with pytest.raises(UndecidedError, match="agree to 80 bits"):
            act()
    assert x == (2 * log(3)) / (2 * log(5))  # proved, at whatever precision
    assert x < log(3) / log(4)
    assert x < Fraction(69, 100)
    assert log(3) < log(3) + Fraction(1, 2**200)


@pytest.mark.slow
def test_the_cap_is_reached_and_not_passed() -> None:
    beyond = Fraction(1, 2 ** (2 * CAP_BITS))
    with pytest.raises(UndecidedError, match=f"agree to {CAP_BITS} bits"):
        bool(log(3) / log(5) < (log(3) + beyond) / log(5))
    assert log(3) / log(5) < (log(3) + Fraction(1, 2 ** (CAP_BITS - 100))) / log(5)


def test_a_ratio_has_a_denominator() -> None:
    for denominator in (log(6) - log(2) - log(3), LogSum({}), log(4) - 2):
        with pytest.raises(ZeroDivisionError, match="which is 0"):
            log(3) / denominator
        with pytest.raises(ZeroDivisionError, match="which is 0"):
            1 / denominator
    with pytest.raises(ZeroDivisionError):
        log(3) / 0
    with pytest.raises(ZeroDivisionError):
        (log(3) / log(5)) / 0
    assert 1 / log(4) == Fraction(1, 2)
    assert LogRatio(log(3), log(Fraction(1, 3))) == -1


@given(nonzero)
def test_a_denominator_close_to_0_is_still_a_denominator(x: LogSum) -> None:
    """It takes 500 bits to see that it is positive, and the ratio is as precise as any."""
    tiny = log(3) - log(9) / 2 + Fraction(1, 2**500)
    assert float(x / tiny) == float(x * 2**500)


@given(sums)
def test_rationals_are_recognised(x: LogSum) -> None:
    value = x.as_rational()
    if value is not None:
        assert x == value
    else:
        assume(x.terms)
        assert all(x != Fraction(n, d) for n, d in zip(count(-3), range(1, 7), strict=False))


# Differences of ratios: the margin of a gain ratio.

short = st.builds(LogSum, st.dictionaries(st.integers(2, 60), coefficients, max_size=2), coefficients)
ratios = st.builds(LogRatio, short, short.filter(bool))


def value_of(difference: LogRatioDifference) -> Any:
    return oracles.exact_value(difference.first) - oracles.exact_value(difference.second)


@given(ratios, ratios, coefficients)
def test_a_difference_is_ordered_as_its_value(x: LogRatio, y: LogRatio, q: Fraction) -> None:
    difference = x - y
    with mpmath.workdps(oracles.DIGITS):
        value = value_of(difference)
        expected = sign(value - oracles.real(q)) if abs(value - oracles.real(q)) > mpmath.mpf(10) ** -200 else 0
    assert (difference < q, difference == q, difference > q) == (expected < 0, expected == 0, expected > 0)
    assert (q > difference, q == difference, q < difference) == (expected < 0, expected == 0, expected > 0)
    assert (difference > 0, difference == 0, bool(difference)) == (x > y, x == y, x != y)


@pytest.mark.slow
@given(ratios, ratios, ratios, ratios)
def test_differences_are_ordered_among_each_other(a: LogRatio, b: LogRatio, c: LogRatio, d: LogRatio) -> None:
    with mpmath.workdps(oracles.DIGITS):
        gap = value_of(a - b) - value_of(c - d)
    if abs(gap) > mpmath.mpf(10) ** -200:
        assert ((a - b) < (c - d), (a - b) == (c - d), (a - b) > (c - d)) == (gap < 0, False, gap > 0)
    assert a - b == (a * 2) / 2 - b
    assert hash(a - b) == hash((a * 2) / 2 - b)
    assert (a - a) == (b - b) == 0


@given(ratios, sums)
def test_a_difference_compares_with_ratios_and_sums(x: LogRatio, y: LogSum) -> None:
    nothing = LogSum({}) / log(2)
    assert x - nothing == x == x - nothing
    assert y / log(2) - nothing == y == y / log(2) - nothing
    assert x - log(3) / log(2) < x
    assert x > x - log(3) / log(2)
    assert y < y / log(2) - log(3) / LogSum({}, -1)


@given(ratios, ratios, st.sampled_from([4, 80, 300]))
def test_an_enclosure_holds_the_difference(x: LogRatio, y: LogRatio, bits: int) -> None:
    low, high, scale = (x - y).enclosure(bits)
    with mpmath.workdps(oracles.DIGITS):
        assert mpmath.mpf(low) / scale <= value_of(x - y) <= mpmath.mpf(high) / scale


@given(ratios, ratios)
def test_a_difference_is_rounded_correctly(x: LogRatio, y: LogRatio) -> None:
    difference = x - y
    with mpmath.workdps(oracles.DIGITS):
        assert float(difference) == float(value_of(difference))


@given(sums, nonzero, coefficients, coefficients.filter(bool))
def test_a_rational_difference_is_recognised_over_one_denominator(
    x: LogSum, y: LogSum, q: Fraction, scale: Fraction
) -> None:
    """As gains in bits over equal split informations are: both ratios irrational, and their difference is not."""
    difference = x / y - ((x - y * q) * scale) / (y * scale)
    assert difference.as_rational() == q
    assert difference == q
    assert hash(difference) == hash(q)


def test_a_difference_halfway_between_two_decimals_is_rounded_to_even() -> None:
    """1/128 = 0.0078125: no enclosure, however narrow, says which way six decimals go."""
    difference = (log(3) + Fraction(1, 128)) / log(4) - log(3) / log(4)
    assert difference == Fraction(1, 256)
    assert decimal((log(3) + Fraction(1, 128)) / log(2) - log(3) / log(2)) == "0.007812"
    assert float((log(3) + 1 + Fraction(1, 2**53)) / log(2) - log(3) / log(2)) == 1.0


def test_differences_of_other_bases_and_of_other_things() -> None:
    assert log(9, 10) / log(3, 10) - log(5, 7) / log(25, 7) == Fraction(3, 2)
    assert log(3, 10) / log(5, 10) - log(7) / log(11) == log(3) / log(5) - log(7) / log(11)
    for other in (1, Fraction(1, 2), 0.5, "1", None):
        with pytest.raises(TypeError):
            log(3) / log(5) - other
    assert repr(log(3) / log(5) - log(7) / log(5)) == "(log2(3)) / (log2(5)) - (log2(7)) / (log2(5))"
    assert (log(3) / log(5) - log(7) / log(5)) != "1"


def test_differences_beyond_the_cap_are_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, hair = log(3) / log(5), log(7) / log(11), Fraction(1, 2**200)
    nudged = (log(3) + hair) / log(5)
    assert x - y < nudged - y
    assert y - x > y - nudged
    monkeypatch.setattr(log_ratios, "CAP_BITS", 80)
    with pytest.raises(UndecidedError, match="agree to 80 bits"):
        bool(x - y < nudged - y)
    assert x - y == (2 * log(3)) / (2 * log(5)) - y


@pytest.mark.slow
def test_a_rounding_that_cannot_be_proved_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A difference of exactly 1/2 of which nobody knows it: it would be enclosed for ever, and rounds to 0 or to 1."""
    half = log(8) / log(4) - log(3) / log(3)
    assert decimal(half, places=0) == "0"
    monkeypatch.setattr(LogRatioDifference, "as_rational", lambda self: None)
    with pytest.raises(UndecidedError, match="could not be rounded with 10240 bits"):
        decimal(half, places=0)
