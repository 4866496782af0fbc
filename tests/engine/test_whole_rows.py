"""Whole rows and long weights: integers in the place of the rows and weights that they stand for."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.engine.deferred import Deferred, deferred, quotient
from reference_tree.engine.whole_rows import WholeRows, fine_multiples, is_deferred
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import decimal, nearest_double, significant
from reference_tree.views.wording import if_short
from tests import strategies
from tests.strategies import fractions

X, Y = deferred(Fraction(3**800, 7**488)), deferred(Fraction(5**520, 11**361))
short = fractions(-50, 50, max_denominator=500)


def disguised(number: Rational) -> Any:
    """The same number, of which nobody sees that it is short."""
    return quotient(X * number, X + Y) + quotient(Y * number, X + Y)


@given(short.filter(bool), st.integers(1, 600))
def test_what_is_short_in_the_end_is_found(number: Fraction, limit: int) -> None:
    found = disguised(number)
    assert is_deferred(found)
    assert type(found.limit_denominator(500)) is Fraction
    assert found.limit_denominator(500) == found == number
    assert found.limit_denominator(limit) == number.limit_denominator(limit)
    assert (found == math.floor(found)) == (number.denominator == 1)
    assert if_short(found, 20) == if_short(number, 20)


@given(short.filter(bool))
def test_it_is_rounded_as_any_other_number(number: Fraction) -> None:
    for places in (0, 2, 6):
        assert decimal(disguised(number), places) == decimal(number, places)
    assert significant(disguised(number), 3) == significant(number, 3)
    assert nearest_double(disguised(number)) == nearest_double(number)


@pytest.mark.slow
def test_what_is_long_is_rounded_from_its_enclosure() -> None:
    x, y = X, Y
    for _ in range(40):
        share = quotient(x, x + y)
        x, y = x * share + y, y * share
    assert isinstance(x, Deferred)
    assert x.bits > 1 << 40
    assert significant(x, 6) == significant(Fraction(float(x)), 6)
    assert if_short(x, 64) is None


@given(st.lists(fractions(Fraction(1, 9), 9, max_denominator=9), min_size=1, max_size=5))
def test_multiples_of_a_fine_unit(numbers: list[Fraction]) -> None:
    weights = dict(enumerate([*numbers, X]))
    found, unit = fine_multiples(weights, Fraction(2, 3))
    for row, weight in weights.items():
        assert found[row] * unit == weight * Fraction(2, 3)
        assert is_deferred(found[row]) or type(found[row]) is int
        assert math.floor(found[row]) >= 1 << 64


units = st.one_of(st.integers(1, 5), strategies.weights)
rows = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=4)


@given(rows, units)
def test_units_are_put_in_when_somebody_looks(whole: list[tuple[int, int]], unit: Any) -> None:
    found = WholeRows(whole, (unit, unit))
    expected = tuple(tuple(cell * unit for cell in row) for row in whole)
    assert tuple(found) == found.rows == expected == found
    assert hash(found) == hash(expected)
    assert (len(found), found[0], repr(found)) == (len(expected), expected[0], repr(found.rows))
    assert found != expected[:-1]
    assert found == WholeRows(whole, (unit, unit))
