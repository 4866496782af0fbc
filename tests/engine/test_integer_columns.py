"""Columns: a table as integers, its sorted runs and its counted values, against the rows themselves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Threshold
from reference_tree.data.schema import Attribute, Schema, SortedNumbers
from reference_tree.data.table import Table
from reference_tree.data.targets import Target, target_of
from reference_tree.engine.integer_columns import Columns, Counted, SortedRun, counted, multiples, place_of
from tests.strategies import fractions

HUMIDITY, PLAY = Attribute("humidity"), Attribute("play", ("no", "yes"))
NUMBERS = st.sets(fractions(0, 3, max_denominator=4), min_size=1).map(lambda numbers: tuple(sorted(numbers)))


def columns(numbers: tuple[Fraction, ...]) -> Columns:
    """A row for each number."""
    codes = list(range(len(numbers)))
    return Columns(Schema((HUMIDITY,), PLAY, {"humidity": numbers}), {"humidity": codes, "play": [0] * len(codes)})


@given(NUMBERS, fractions(0, 2, max_denominator=4))
def test_how_far_close_numbers_reach(numbers: tuple[Fraction, ...], width: Fraction) -> None:
    close = [[rank for rank, other in enumerate(numbers) if abs(other - number) <= width] for number in numbers]
    reach, rows = columns(numbers).reach("humidity", width)
    assert reach == [max(ranks) for ranks in close]
    assert rows == {row for row, ranks in enumerate(close) if max(ranks) > row}


@given(NUMBERS, fractions(-1, 4, max_denominator=8), st.booleans())
def test_the_lowest_rank_above_a_threshold(numbers: tuple[Fraction, ...], threshold: Fraction, strict: bool) -> None:
    below = [n for n in numbers if (n < threshold if strict else n <= threshold)]
    assert columns(numbers).cut(Threshold("humidity", threshold, strict=strict)) == len(below)


@given(st.lists(fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=60), min_size=1))
def test_multiples_are_the_weights_in_the_largest_unit(weights: list[Fraction]) -> None:
    whole, unit = multiples(weights)
    assert [multiple * unit for multiple in whole] == weights
    assert all(isinstance(multiple, int) for multiple in whole)
    assert not any(all(multiple % p == 0 for multiple in whole) for p in (2, 3, 5, 7))


BOTH = SortedRun(("x", "z"), [3, 1, 2, 2, 3, 1], [0, 0, 4, 1, 2, 2])


def test_the_rows_of_one_attribute() -> None:
    assert BOTH.size == 3
    assert BOTH.of("x") == SortedRun(("x",), [3, 1, 2], [0, 0, 4])
    assert BOTH.of("z") == SortedRun(("z",), [2, 3, 1], [1, 2, 2])


@pytest.mark.parametrize("ranked", [False, True])
def test_some_of_the_rows(ranked: bool) -> None:
    run = BOTH if ranked else BOTH._replace(ranks=None)
    assert run.within({2, 3}) == SortedRun(("x", "z"), [3, 2, 2, 3], [0, 4, 1, 2] if ranked else None)
    assert run.within({2, 3}).of("z").rows == [2, 3]
    assert run.within(()).size == 0


@pytest.mark.parametrize("ranked", [False, True])
def test_some_of_the_rows_and_the_others(ranked: bool) -> None:
    run = BOTH if ranked else BOTH._replace(ranks=None)
    assert run.parted({2, 3}) == (run.within({2, 3}), run.within({1}))
    assert run.parted(()) == (run.within(()), run)


FRACTIONS = st.lists(fractions(-9, 9, max_denominator=12), min_size=1, max_size=12)


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


@given(FRACTIONS, st.data())
def test_numbers(numbers: list[Fraction], data: st.DataObject) -> None:
    table = Table.from_columns({"x": [0] * len(numbers), "y": numbers}, target="y")
    target = target_of(table.schema)
    assert_sums(table, target, counted(columns_of(table), target), data.draw(weights_of(len(table))))


@given(
    st.one_of(st.sets(st.integers(-9, 9)), st.sets(st.sampled_from([0.1, 0.25, 0.5, 0.7])), st.sets(st.just(1 << 70))),
    st.sampled_from([1, 4, 10]),
    fractions(-1, 1, max_denominator=12),
    st.booleans(),
)
def test_the_place_of_a_threshold(numbers: set[Any], over: int, threshold: Fraction, strict: bool) -> None:
    """Among integers, doubles and long numbers, each over a denominator: as the exact numbers compare."""
    among, test = SortedNumbers.of(sorted(numbers), over), Threshold("x", threshold, strict=strict)
    assert place_of(test, among) == sum(test.branch({"x": number}) == 0 for number in among)
    assert place_of(test, tuple(among)) == place_of(test, among)
