"""Sums of logarithms of long numbers, held against the same sums multiplied out."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.deferred import deferred, quotient
from reference_tree.exact.log_sums import LogRatio, log
from reference_tree.exact.long_logarithms import factors

PLAIN = [Fraction(3**200, 7**150), Fraction(5**130, 11**100), Fraction(2**300 + 1, 13**90), Fraction(2, 3)]
LONG = [deferred(number) for number in PLAIN]
coefficients = st.lists(st.integers(-3, 3), min_size=4, max_size=4)


def summed(numbers: list[Any], times: list[int], base: float) -> Any:
    """Σ c·x·log x and Σ c·log x together: long numbers are coefficients as well."""
    return sum(c * (x + 1) * log(x, base) for c, x in zip(times, numbers, strict=True))


@pytest.mark.parametrize("base", [2, 10, math.e])
@given(times=coefficients, others=coefficients)
def test_sums_are_those_of_plain_numbers(base: float, times: list[int], others: list[int]) -> None:
    found, plain = summed(LONG, times, base), summed(PLAIN, times, base)
    assert found == plain
    if any(times):
        assert found.sign() == plain.sign()
        assert float(found) == float(plain)
        assert found.over() == plain.over()
        assert repr(found.worked_out()) == repr(plain)
        low, high, scale = found.enclosure(100)
        least, most, over = plain.enclosure(100)
        assert low * over <= most * scale
        assert least * scale <= high * over
    other = summed(PLAIN, others, base)
    assert (found > other) == (plain > other)


def test_a_number_is_the_product_of_its_factors() -> None:
    for number in (*LONG, LONG[0] + LONG[1], quotient(LONG[0], LONG[0] + LONG[2])):
        assert math.prod([part**power if power > 0 else 1 / part for part, power in factors(number)]) == number


def test_ratios_of_numbers_that_nobody_could_write_down_are_proved_equal() -> None:
    x, y = LONG[:2]
    for _ in range(40):
        share = quotient(x, x + y)
        x, y = x * share + y, y * share
    one = LogRatio(log(x) + log(y), log(x * y) * 2)
    assert one == LogRatio(log(x), log(x) * 2)
    assert one == Fraction(1, 2)
    assert one < LogRatio(log(y), log(x))  # about 71.9 / 30.6
