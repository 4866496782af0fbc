"""Targets: what the columns of a partition are, and when a sample has but one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Multiway
from reference_tree.data.targets import Branches, Classes, Moments, Values
from tests.strategies import fractions

ys = st.lists(st.tuples(fractions(-3, 3, max_denominator=4), fractions(Fraction(1, 9), 2)), max_size=6)


@given(ys)
def test_moments_know_whether_all_numbers_are_the_same(rows: list[tuple[Fraction, Fraction]]) -> None:
    row = (sum(w for _, w in rows), sum(w * y for y, w in rows), sum(w * y * y for y, w in rows))
    assert Moments().is_pure(row) == (len({y for y, _ in rows}) == 1)
    assert Moments().weight(row) == sum(w for _, w in rows)


@given(st.lists(st.integers(0, 2), min_size=2, max_size=4))
def test_counted_columns(row: list[Any]) -> None:
    for target in (Classes(("a",) * len(row)), Values(tuple(range(len(row))))):
        assert target.weight(tuple(row)) == sum(row)
        assert target.is_pure(tuple(row)) == (len([cell for cell in row if cell]) == 1)


def test_the_names_of_the_columns() -> None:
    assert Classes(("no", "yes")).columns == ("no", "yes")
    assert Moments().columns == ("w", "wy", "wyy")
    assert Values((Fraction(1, 2), 3, Fraction(1, 3))).columns == ("0.5", "3", "1/3")
    assert Branches(Multiway("wind", ("weak", "strong"))).columns == ("weak", "strong")
