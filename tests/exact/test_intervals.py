"""Intervals hold the results of what they are made of; refined numbers compare as the numbers they enclose."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.intervals import Interval, Refined, UndecidedError
from reference_tree.exact.rounding import nearest_multiple
from tests.strategies import fractions

numbers = fractions(-9, 9, max_denominator=12)


@st.composite
def held(draw: st.DrawFn) -> tuple[Fraction, Interval]:
    """A number, and an interval with it inside."""
    number, below, above = draw(numbers), draw(numbers), draw(numbers)
    return number, Interval(number - abs(below), number + abs(above))


OPERATIONS: list[Callable[[Any, Any], Any]] = [
    lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b, lambda a, b: a**2 - b**3,
    lambda a, b: 3 - a, lambda a, b: 2 * b, lambda a, b: 1 / a,
]  # fmt: skip


@pytest.mark.parametrize("operation", OPERATIONS)
@given(held(), held())
def test_the_result_is_inside(
    operation: Callable[[Any, Any], Any], one: tuple[Fraction, Interval], other: tuple[Fraction, Interval]
) -> None:
    try:
        found = operation(one[1], other[1])
    except ZeroDivisionError:
        return
    assert found.low <= operation(one[0], other[0]) <= found.high


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS[:5])
@given(numbers, numbers)
def test_points_are_as_their_numbers(operation: Callable[[Any, Any], Any], a: Fraction, b: Fraction) -> None:
    if b:
        found = operation(Interval(a, a), Interval(b, b))
        assert found.low == operation(a, b) == found.high


def root_of(n: int, made: str | None = None) -> Refined:
    def narrow(bits: int) -> Interval:
        low = isqrt(n << 2 * bits)
        return Interval(Fraction(low, 1 << bits), Fraction(low + 1, 1 << bits))

    return Refined(narrow, None if made is None else lambda: made)


def test_refined_numbers_are_told_apart() -> None:
    near = root_of(2**400 + 1)  # 2^200, but for less than 2^-200
    assert near > 2**200
    assert not near < 2**200
    assert root_of(2) < root_of(3)
    assert root_of(2) != Fraction(141421356237, 10**11)
    assert float(root_of(2)) == 2**0.5
    assert nearest_multiple(root_of(2), 3) == Fraction(11, 8)


def test_numbers_made_alike_are_equal_and_others_are_given_up() -> None:
    assert root_of(2, "two") == root_of(2, "two")
    with pytest.raises(UndecidedError, match="10240 bits"):
        assert root_of(2, "two") == root_of(2, "the root of four, halved")
    with pytest.raises(UndecidedError):
        assert root_of(2) == root_of(2)


def test_exact_enclosures_settle_equality() -> None:
    assert Refined(lambda bits: Interval(3, 3)) == 3


def test_a_divisor_next_to_0_is_told_from_it() -> None:
    far = Refined(lambda bits: 1 / Interval(Fraction((1 << bits) // 3**100, 1 << bits), Fraction(1, 3**100)))
    assert nearest_multiple(far, 0) == 3**100
    assert far > 3**99
    with pytest.raises(UndecidedError):
        assert Refined(lambda bits: 1 / Interval(0, Fraction(1, 1 << bits))) > 0
