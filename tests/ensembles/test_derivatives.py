"""Losses and their derivatives by numerical differentiation of the losses as written; derivatives that are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import hypothesis
import mpmath
import pytest
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.ensembles.derivatives import LOSSES, LossCase, Margins, derived, given, share_against
from reference_tree.exact.intervals import Interval
from reference_tree.exact.rationals import Rational
from reference_tree.learners.gradient_tree import GradientTree
from tests import boosting_by_the_book as book
from tests.every import of_every
from tests.strategies import fractions


def test_rows_of_equal_target_and_margin_are_one_case() -> None:
    table = Table.from_columns({"x": [1, 2, 3, 4], "y": [5, 5, 7, 5]}, continuous=["y"])
    found = derived(table, LOSSES["squared_error"], [(0,), (0,), (0,), (1,)])
    assert len(found.schema.target.domain) == 3
    assert found.sample().total() == (4, (0 - 5) + (0 - 5) + (0 - 7) + (1 - 5), 4)


def test_derivatives_that_are_given_are_exact_and_no_attributes() -> None:
    columns: Mapping[str, list[Any]] = {
        "x": [1, 2, 3, None],
        "g": [-1, Fraction(-1, 3), 2, 2],
        "h": [1, 1, 1, 2],
        "y": [7, 7, 7, 7],
    }
    data = given(Table.from_columns(columns, target="y"), "g", "h")
    tree = GradientTree(reg_lambda=0, max_depth=1, rate=1, grid=None).grow(data)
    assert [attribute.name for attribute in data.schema.attributes] == ["x"]
    assert tree.nodes[0].counts == (4, Fraction(8, 3), 5)
    assert [node.label for node in tree.nodes[1:]] == [Fraction(2, 3), Fraction(-4, 3)]
    assert tree.nodes[0].missing.to == 1


@of_every(
    [
        ({"g": ["a", "b"], "h": [1, 1]}, "the column g holds a derivative for each row"),
        ({"g": [1, None], "h": [1, 1]}, "the column g holds a derivative for each row"),
        ({"g": [1, 2], "h": [1, -1]}, "one of them is negative"),
    ]
)
def test_derivatives_that_are_none_are_refused(columns: Mapping[str, Sequence[Any]], message: str) -> None:
    table = Table.from_columns({"x": [1, 2], **columns, "y": [1, 2]}, target="y")
    with pytest.raises(InputError, match=message):
        given(table, "g", "h")


margins = st.one_of(st.just(0), st.integers(-3, 3), fractions(-4, 4, max_denominator=2**20))
ORACLES = {"squared_error": book.squared, "logistic": book.logistic, "softmax": book.softmax}


def holds(value: mpmath.mpf, found: Interval) -> None:
    low, high = book.number(found.low), book.number(found.high)
    assert low - book.EQUAL <= value <= high + book.EQUAL
    assert high - low <= mpmath.mpf(2) ** -70


@pytest.mark.parametrize("name", LOSSES)
@hypothesis.given(st.lists(margins, min_size=3, max_size=3), st.integers(0, 2), st.integers(0, 2))
def test_a_term_is_both_derivatives(name: str, fs: list[Rational], y: int, of: int) -> None:
    if name != "softmax":
        fs, y, of = fs[:1], y % 2, 0
    with mpmath.workdps(book.DIGITS):
        g, h = ORACLES[name](y, fs, of)
        term = LOSSES[name].term(LossCase(y, tuple(fs)), of)
        p = None if term.symbol is None else share_against(term.symbol, 80)
        for value, found in zip((g, h), term.at(p), strict=True):
            holds(value, found if isinstance(found, Interval) else Interval(found, found))


@hypothesis.given(st.lists(margins, min_size=1, max_size=4))
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
