"""Rounding: proved by the neighbours, and held against the decimal module."""

from __future__ import annotations

import decimal as standard
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.log_sums import LogSum, log
from reference_tree.exact.rounding import decimal, nearest_double, significant
from tests import oracles, strategies
from tests.strategies import fractions

sums = st.builds(
    LogSum,
    st.dictionaries(st.integers(2, 60), fractions(-4, 4, max_denominator=12), min_size=1, max_size=4),
    fractions(-4, 4, max_denominator=12),
)
near_a_double = st.builds(
    lambda number, nudge: Fraction(number) + nudge,
    st.floats(-4, 4).filter(lambda number: number == 0 or abs(number) > 1e-200),
    st.sampled_from([0, Fraction(1, 2**1200), -Fraction(1, 2**1200)]),
)


def assert_nearest(found: float, number: Any) -> None:
    """No double is nearer: the number lies between the two points halfway to the neighbours of what was found."""
    below, above = (Fraction(math.nextafter(found, way)) for way in (-math.inf, math.inf))
    even = struct_is_even(found)
    half_below, half_above = (Fraction(found) + below) / 2, (Fraction(found) + above) / 2
    assert half_below <= number <= half_above
    assert even or half_below < number < half_above


def struct_is_even(number: float) -> bool:
    """Whether the last bit of a double's mantissa is 0."""
    return number == 0 or int(math.frexp(number)[0] * 2**53) % 2 == 0


@given(sums)
def test_no_double_is_nearer(x: LogSum) -> None:
    assert_nearest(float(x), x)
    with mpmath.workdps(oracles.DIGITS):  # without the package's comparisons
        value, found = oracles.exact_value(x), float(x)
        for neighbour in (math.nextafter(found, -math.inf), math.nextafter(found, math.inf)):
            assert abs(value - mpmath.mpf(found)) <= abs(value - mpmath.mpf(neighbour))


@given(sums, sums.filter(bool))
def test_no_double_is_nearer_to_a_ratio(x: LogSum, y: LogSum) -> None:
    with mpmath.workdps(oracles.DIGITS):
        value, found = oracles.exact_value(x) / oracles.exact_value(y), float(x / y)
        for neighbour in (math.nextafter(found, -math.inf), math.nextafter(found, math.inf)):
            assert abs(value - mpmath.mpf(found)) <= abs(value - mpmath.mpf(neighbour))


@given(near_a_double)
def test_no_double_is_nearer_to_a_fraction(value: Fraction) -> None:
    assert_nearest(nearest_double(value), value)
    assert nearest_double(LogSum({}, value)) == nearest_double(value)


@given(st.floats(1, 2, exclude_max=True), st.sampled_from([-1, 0, 1]), st.integers(2, 30))
def test_halfway_between_doubles(number: float, side: int, n: int) -> None:
    """A sum a hair beside the middle of two doubles rounds to the nearer, and the middle to the even one."""
    middle = (Fraction(number) + Fraction(math.nextafter(number, 3))) / 2
    x = log(n) * 5 - log(n**5) + middle + side * Fraction(1, 2**500)
    expected = {-1: number, 1: math.nextafter(number, 3)}
    assert float(x) == expected.get(side, number if struct_is_even(number) else math.nextafter(number, 3))
    beside = log(3) - Fraction(float(log(3))) + Fraction(number)  # an irrational number beside a double
    assert_nearest(float(beside), beside)


@given(fractions(), st.integers(0, 12))
def test_decimals_of_fractions(value: Fraction, places: int) -> None:
    with standard.localcontext(prec=2000):
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        expected = exact.quantize(Decimal(1).scaleb(-places), rounding=standard.ROUND_HALF_EVEN)
    assert Decimal(decimal(value, places)) == expected
    assert len(decimal(value, places).partition(".")[2]) == places


@given(st.integers(-(10**9), 10**9), st.integers(0, 4), st.integers(0, 6))
def test_ties_of_decimals_are_even(digits: int, places: int, more: int) -> None:
    value = Fraction(2 * digits + 1, 2 * 10**places)
    with standard.localcontext(prec=60):
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        expected = exact.quantize(Decimal(1).scaleb(-places), rounding=standard.ROUND_HALF_EVEN)
    assert Decimal(decimal(value, places)) == expected
    assert Fraction(decimal(value, places + 1 + more)) == value


@given(sums, st.integers(0, 40))
def test_decimals_of_sums(x: LogSum, places: int) -> None:
    with mpmath.workdps(oracles.DIGITS):
        scaled = oracles.exact_value(x) * mpmath.mpf(10) ** places
        written = Fraction(decimal(x, places)) * 10**places
        assert written.denominator == 1
        assert abs(written.numerator - scaled) <= mpmath.mpf("0.5") + mpmath.mpf(10) ** -150


@given(st.one_of(fractions(), sums), st.integers(1, 40))
def test_significant_digits(x: Any, digits: int) -> None:
    written = significant(x, digits)
    assert "e" not in written.lower()
    assert len(written.replace(".", "").strip("-0")) <= digits
    assert "." not in written or not written.endswith("0")
    if not x:
        assert written == "0"
        return
    with mpmath.workdps(oracles.DIGITS):
        value = oracles.exact_value(x)
        unit = mpmath.mpf(10) ** (mpmath.floor(mpmath.log10(abs(value))) - digits + 1)
        assert abs(mpmath.mpf(written) - value) <= unit / 2 * (1 + mpmath.mpf(10) ** -150)


def test_how_digits_are_written() -> None:
    assert significant(Fraction(999_999, 1_000_000), 3) == "1"
    assert significant(Fraction(-1, 3), 3) == "-0.333"
    assert significant(123_456, 2) == "120000"
    assert significant(Fraction(25, 2), 2) == "12"
    assert significant(0) == significant(log(6) - log(3) - 1) == "0"
    assert decimal(0, 0) == "0"
    assert decimal(Fraction(-1, 3), 0) == "0"
    assert decimal(Fraction(5, 2), 0) == "2"
    assert decimal(log(2) - 1, 2) == "0.00"
    assert decimal(Fraction(-1, 1000), 2) == "0.00"


@pytest.mark.parametrize("bits", [20_000, 60_000])
def test_weights_of_any_length_can_be_rounded(bits: int) -> None:
    """Python writes no integer of more than 4300 digits; a number made of such is written all the same."""
    big = Fraction(3**bits + 1, 3**bits)
    assert significant(big, 5) == decimal(big, 0) == "1"
    assert significant(log(3) * big, 18) == significant(log(3), 18)
    assert float(log(3) * big) == float(log(3))
    assert significant(Fraction(1, 3**bits), 3).startswith("0.000")


def test_a_number_of_five_thousand_digits_is_written() -> None:
    """The quotient by nine of a row of nines is a row of ones."""
    nines = 10**5000 - 1
    assert significant(nines, 3) == "1" + "0" * 5000
    assert significant(Fraction(-nines, 9), 4) == "-1111" + "0" * 4996
    assert decimal(Fraction(nines, 9), 2) == "1" * 5000 + ".00"


@given(strategies.fractional_counts)
def test_rounding_keeps_the_order(counts: list[Any]) -> None:
    numbers = [log(1 + c) for c in counts if c]
    assert sorted(map(float, numbers)) == [float(x) for x in sorted(numbers)]
