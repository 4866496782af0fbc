"""Outcomes: the conditions on branches."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.outcomes import Outcome, cell_of, number_in
from tests.every import of_every
from tests.strategies import fractions

numbers = st.one_of(st.integers(-9, 9), fractions(-9, 9, max_denominator=12))


@given(numbers)
def test_relations(value: Fraction) -> None:
    holds = {relation: Outcome(relation, 0).holds(value) for relation in ("le", "gt", "lt", "ge")}
    assert holds == {"le": value <= 0, "gt": value > 0, "lt": value < 0, "ge": value >= 0}


@of_every(
    [
        (Outcome("is", "sunny"), "sunny", "rainy", "a=sunny"),
        (Outcome("in", ("sunny", "rainy")), "rainy", "overcast", "a in {sunny, rainy}"),
        (Outcome("not_in", ("sunny", "rainy")), "overcast", "sunny", "a not in {sunny, rainy}"),
        (Outcome("lt", Fraction(1, 2)), 0, Fraction(1, 2), "a<0.5"),
    ]
)
def test_what_holds_and_how_it_is_written(outcome: Outcome, holds: str | int, not_for: str | int, step: str) -> None:
    assert outcome.holds(holds)
    assert not outcome.holds(not_for)
    assert outcome.step("a") == step


def test_what_a_row_has() -> None:
    assert cell_of({"a": None}, "a") is None
    assert cell_of({"a": "x"}, "a") == "x"
    with pytest.raises(InputError, match="the row has no value for b"):
        cell_of({"a": "x"}, "b")
    assert number_in("0.1", "a<=1") == Fraction(1, 10)
    with pytest.raises(InputError, match="'x' is not a number; the tree asks for a<=1"):
        number_in("x", "a<=1")


def test_an_empty_category_is_still_to_be_seen() -> None:
    assert Outcome("is", "").step("a") == "a=''"
    assert Outcome("in", ("", "b")).step("a") == "a in {'', b}"
    assert Outcome("is", "").holds("")
