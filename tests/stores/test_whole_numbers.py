"""Sums of numbers, by whole numbers that a database adds up: those of the exact numbers."""

from __future__ import annotations

import sqlite3
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.stores.columns import exact
from reference_tree.stores.sql import sql
from tests.every import of_every

numbers = st.one_of(
    st.lists(st.integers(-(10**6), 10**6), min_size=3, max_size=9),
    st.lists(st.decimals(-99, 99, places=3).map(float), min_size=3, max_size=9),
    st.lists(st.sampled_from([0.1, 1e-4, 1234.567, -7]), min_size=3, max_size=9),
)


@given(numbers)
def test_the_moments_are_those_of_the_exact_numbers(cells: list[Any]) -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (y REAL)")
    database.executemany("INSERT INTO t VALUES (?)", [(cell,) for cell in cells])
    data = sql(database, "t", "y", continuous=["y"])
    total = data.sample().total()
    exactly = [Fraction(exact(float(cell))) for cell in cells]
    assert total == (len(cells), sum(exactly), sum(one**2 for one in exactly))
    assert data.whole_numbers is not None


@of_every([[1 / 3, 0.1, 0.2], [1e300, 1.0, 2.0], [1e-300, 1.0, 2.0], [2**53, 1, 2]])
def test_numbers_of_too_many_digits_are_counted_one_by_one(cells: list[float]) -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (y REAL)")
    database.executemany("INSERT INTO t VALUES (?)", [(cell,) for cell in cells])
    data = sql(database, "t", "y", continuous=["y"])
    assert data.whole_numbers is None
    assert data.sample().total()[1] == sum(Fraction(exact(float(cell))) for cell in cells)


@given(st.lists(st.integers(1, 10**4), min_size=3, max_size=9), st.integers(0, 4), st.booleans())
def test_weights_are_added_up_in_one_unit(units: list[int], places: int, is_class: bool) -> None:
    database, weights = sqlite3.connect(":memory:"), [one / 10**places for one in units]
    database.execute("CREATE TABLE t (w REAL, y)")
    rows = [(weight, "ab"[row % 2] if is_class else row / 8) for row, weight in enumerate(weights)]
    database.executemany("INSERT INTO t VALUES (?, ?)", rows)
    data = sql(database, "t", "y", weights="w")
    assert data.whole_weights is not None
    exactly = [Fraction(exact(weight)) for weight in weights]
    if is_class:
        assert data.sample().total() == (sum(exactly[::2]), sum(exactly[1::2]))
    else:
        y = [Fraction(row, 8) for row in range(len(units))]
        moments = [sum(w * one**power for w, one in zip(exactly, y, strict=True)) for power in range(3)]
        assert data.sample().total() == tuple(moments)


def test_weights_of_too_many_digits_are_counted_one_by_one() -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (w REAL, y TEXT)")
    database.executemany("INSERT INTO t VALUES (?, ?)", [(1 / 3, "a"), (0.1, "b"), (2.0, "a")])
    data = sql(database, "t", "y", weights="w")
    assert data.whole_weights is None
    assert data.sample().total() == (exact(1 / 3) + 2, Fraction(1, 10))
