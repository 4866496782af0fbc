"""The gain of derivatives: by the loss that it is the fall of, and as XGBoost prints it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.textbook import textbook
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import decimal
from reference_tree.measures.gradient_gain import gradient_gain, leaf_weight, structure_score
from reference_tree.measures.variance import moments, split_error, sse
from tests.strategies import fractions

small = fractions(-4, 4, max_denominator=9)
sums = st.tuples(st.just(1), small, fractions(Fraction(1, 9), 5, max_denominator=9))
penalties = fractions(0, 3, max_denominator=4)


def expanded(row: tuple[Rational, ...], penalty: Rational, w: Rational) -> Rational:
    """The loss of a leaf that adds w, but for a constant."""
    _, g, h = row
    return g * w + Fraction(1, 2) * (h + penalty) * w * w


@given(sums, penalties, small)
def test_no_value_makes_the_loss_smaller_than_the_weight_of_the_leaf(
    row: tuple[Rational, ...], penalty: Rational, other: Rational
) -> None:
    least = expanded(row, penalty, leaf_weight(row, penalty))
    assert least <= expanded(row, penalty, other)
    assert structure_score(row, penalty) == -2 * least


@given(sums, sums, penalties)
def test_the_gain_is_twice_what_a_split_takes_from_the_loss(
    left: tuple[Rational, ...], right: tuple[Rational, ...], penalty: Rational
) -> None:
    whole = tuple(a + b for a, b in zip(left, right, strict=True))
    before, *after = (expanded(row, penalty, leaf_weight(row, penalty)) for row in (whole, left, right))
    assert gradient_gain([left, right], penalty) == 2 * (before - sum(after))


def test_the_rate_scales_a_leaf() -> None:
    assert leaf_weight((2, 3, 2), 1, Fraction(3, 10)) == Fraction(-3, 10)


@pytest.mark.parametrize(("penalty", "printed"), [(0, "24.2736"), (1, "20.2280")])
def test_exercise_5_2_as_xgboost_prints_it(penalty: int, printed: str) -> None:
    rows = list(textbook("li-hang-5.2").rows())
    xs, ys = ([Fraction(str(row[name])) for row in rows] for name in "xy")
    mean = sum(ys) / len(ys)
    sides = [[mean - y for x, y in zip(xs, ys, strict=True) if (x <= 5) == left] for left in (True, False)]
    assert decimal(gradient_gain([(len(g), sum(g), len(g)) for g in sides], penalty), 4) == printed


@given(st.lists(small, min_size=1, max_size=5), st.lists(small, min_size=1, max_size=5))
def test_without_a_penalty_it_is_the_squared_error_that_a_split_takes_away(
    left: list[Rational], right: list[Rational]
) -> None:
    table = [(len(ys), -sum(ys), len(ys)) for ys in (left, right)]
    assert gradient_gain(table) == sse(moments(left + right)) - split_error([moments(left), moments(right)])
