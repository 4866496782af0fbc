"""Sums of logarithms of long numbers, held against the same sums multiplied out."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference_tree.engine.deferred import deferred, quotient
from reference_tree.engine.long_logarithms import LongLogRatio, LongLogSum
from reference_tree.exact.log_sums import LogSum, log

PLAIN = [Fraction(3**800, 7**488), Fraction(5**520, 11**361), Fraction(2**1200 + 1, 13**360), Fraction(2, 3)]
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
        low, high, scale = found.enclosure(100)
        least, most, over = plain.enclosure(100)
        assert low * over <= most * scale
        assert least * scale <= high * over
    other = summed(PLAIN, others, base)
    assert (found > other) == (plain > other)


@pytest.mark.slow
@settings(max_examples=10)
@given(times=coefficients, others=coefficients)
def test_what_meets_a_long_sum_becomes_one(times: list[int], others: list[int]) -> None:
    long, plain = log(LONG[0]) + summed(LONG, times, 2), summed(PLAIN, others, 2) + log(3)
    exact = log(PLAIN[0]) + summed(PLAIN, times, 2)
    assert type(plain) is LogSum
    for mixed, expected in [
        (long + plain, exact + plain),
        (plain + long, plain + exact),
        (long - plain, exact - plain),
        (plain - long, plain - exact),
    ]:
        assert type(mixed) is LongLogSum
        assert mixed == expected
        assert (mixed < plain, plain < mixed) == (expected < plain, plain < expected)
    if exact and plain:
        for above, below, expected in [
            (long, plain, exact / plain),
            (plain, long, plain / exact),
            (1, long, 1 / exact),
        ]:
            assert type(above / below) is LongLogRatio
            assert above / below == expected == above / below
            assert (above / below).as_rational() == expected.as_rational()
            assert float(above / below - plain / log(3)) == float(expected - plain / log(3))
    with pytest.raises(ValueError, match="do not mix"):
        long + log(3, 10)
    with pytest.raises(ValueError, match="do not mix"):
        log(3, 10) / long


@pytest.mark.slow
def test_ratios_of_numbers_that_nobody_could_write_down_are_proved_equal() -> None:
    x, y = LONG[:2]
    for _ in range(40):
        share = quotient(x, x + y)
        x, y = x * share + y, y * share
    one = (log(x) + log(y)) / (log(x * y) * 2)
    assert one == log(x) / (log(x) * 2)
    assert one == Fraction(1, 2)
    assert one < log(y) / log(x)  # about 71.9 / 30.6
    assert log(quotient(x, y)) / log(y) == (log(x) - log(y)) / log(y)
