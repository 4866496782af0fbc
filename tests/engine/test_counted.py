"""What is counted: sums in whole units are the rows of s_ij that the targets count, row by row."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.table import Table
from reference_tree.data.targets import DerivativeTerm, Gradients, Target, target_of
from reference_tree.engine.counted import Counted, counted, derivatives
from reference_tree.engine.integer_columns import Columns
from tests.strategies import fractions

NUMBERS = st.lists(fractions(-9, 9, max_denominator=12), min_size=1, max_size=12)


def columns_of(table: Table) -> Columns:
    name = table.schema.target.name
    return Columns(table.schema, {name: table.codes(name)})


def one_by_one(table: Table, target: Target, weights: list[int] | None) -> list[Any]:
    """The sums, by the formulas of the target alone."""
    sums = [Fraction(0)] * len(target.columns)
    for row, weight in zip(table.rows(), weights or [1] * len(table), strict=True):
        found = target.counted(row, table.schema.target.name, weight)
        assert found is not None
        sums = [one + other for one, other in zip(sums, found, strict=True)]
    return sums


def assert_sums(table: Table, target: Target, how: Counted, weights: list[int] | None) -> None:
    whole = how.sums(how.of, weights)
    assert all(isinstance(one, int) for one in whole)
    units = how.units or (1,) * how.width
    assert [one * unit for one, unit in zip(whole, units, strict=True)] == one_by_one(table, target, weights)


def weights_of(size: int) -> st.SearchStrategy[list[int] | None]:
    return st.none() | st.lists(st.integers(1, 7), min_size=size, max_size=size)


@given(st.lists(st.integers(0, 11), min_size=1, max_size=20), st.data())
def test_classes(labels: list[int], data: st.DataObject) -> None:
    """Up to eight classes are counted as bytes, more by a dictionary."""
    table = Table.from_columns({"x": [0] * len(labels), "y": [f"c{label:02}" for label in labels]}, target="y")
    target = target_of(table.schema)
    assert_sums(table, target, counted(columns_of(table), target), data.draw(weights_of(len(table))))


@given(NUMBERS, st.data())
def test_numbers(numbers: list[Fraction], data: st.DataObject) -> None:
    table = Table.from_columns({"x": [0] * len(numbers), "y": numbers}, target="y")
    target = target_of(table.schema)
    assert_sums(table, target, counted(columns_of(table), target), data.draw(weights_of(len(table))))


@given(NUMBERS, st.lists(fractions(0, 5, max_denominator=9), min_size=12, max_size=12), st.data())
def test_derivatives(g: list[Fraction], h: list[Fraction], data: st.DataObject) -> None:
    """Both are in one number, whatever the sign of the first."""
    labels = [f"c{row:02}" for row in range(len(g))]
    table = Table.from_columns({"x": [0] * len(g), "y": labels}, target="y")
    terms = {label: DerivativeTerm(one, 0, other) for label, one, other in zip(labels, g, h, strict=False)}
    weights = data.draw(weights_of(len(table)))
    target = Gradients(terms)
    how = derivatives(columns_of(table), target, len(table) if weights is None else sum(weights))
    assert_sums(table, target, how, weights)
