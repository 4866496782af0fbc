"""Losses: their derivatives by numerical differentiation, from the losses as they are written."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.ensembles.losses import LOSSES, LossCase, Margins, share_against
from reference_tree.exact.intervals import Interval
from reference_tree.exact.rationals import Rational
from tests import boosting_by_the_book as book
from tests.strategies import fractions

margins = st.one_of(st.just(0), st.integers(-3, 3), fractions(-4, 4, max_denominator=2**20))
ORACLES = {"squared_error": book.squared, "logistic": book.logistic, "softmax": book.softmax}


def holds(value: mpmath.mpf, found: Interval) -> None:
    low, high = book.number(found.low), book.number(found.high)
    assert low - book.EQUAL <= value <= high + book.EQUAL
    assert high - low <= mpmath.mpf(2) ** -70


@pytest.mark.parametrize("name", LOSSES)
@given(st.lists(margins, min_size=3, max_size=3), st.integers(0, 2), st.integers(0, 2))
def test_a_term_is_both_derivatives(name: str, fs: list[Rational], y: int, of: int) -> None:
    if name != "softmax":
        fs, y, of = fs[:1], y % 2, 0
    with mpmath.workdps(book.DIGITS):
        g, h = ORACLES[name](y, fs, of)
        term = LOSSES[name].term(LossCase(y, tuple(fs)), of)
        p = None if term.symbol is None else share_against(term.symbol, 80)
        for value, found in zip((g, h), term.at(p), strict=True):
            holds(value, found if isinstance(found, Interval) else Interval(found, found))


@given(st.lists(margins, min_size=1, max_size=4))
def test_a_share_is_that_of_its_exponential(others: list[Rational]) -> None:
    with mpmath.workdps(book.DIGITS):
        p = 1 / (1 + mpmath.fsum(mpmath.exp(book.number(d)) for d in others))
        holds(p, share_against(tuple(others), 80))


@pytest.mark.parametrize(
    ("one", "other", "of"),
    [((1, 2, 3), (1, 3, 2), 0), ((1, 2, 3), (2, 3, 4), 2)],
    ids=["the others exchanged", "all of them moved"],
)
def test_margins_that_mean_the_same_have_one_symbol(one: Margins, other: Margins, of: int) -> None:
    loss = LOSSES["softmax"]
    assert loss.term(LossCase(0, one), of) == loss.term(LossCase(0, other), of)


def test_either_sign_of_a_margin_has_one_symbol() -> None:
    loss = LOSSES["logistic"]
    up, down = (loss.term(LossCase(y, (f,)), 0) for y, f in ((1, Fraction(1, 3)), (0, Fraction(-1, 3))))
    assert up.symbol == down.symbol
    assert (up.constant, up.coefficient) == (-down.constant, -down.coefficient)
