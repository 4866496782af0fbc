"""Continuous bisection, against the figures of the textbooks and a count of the rows themselves."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Threshold
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting.continuous_bisection import (
    CutSearch,
    allowed_cuts,
    best_cuts,
    cut_points,
    cuts,
    gap_around,
    midpoint,
    number_of_cuts,
    promising_cuts,
)
from reference_tree.twins import by_the_book
from tests.every import of_every
from tests.strategies import fractions, mixed_tables

numbers = st.one_of(st.integers(-20, 20), fractions(-5, 5, max_denominator=12))


@pytest.mark.covers(
    "N2 §4.1 order",
    "N2 §4.1 T_a",
    "N4 Continuous valued features: midpoints",
    "N3 Continuous Attributes: while growing",
)
@given(st.lists(numbers, max_size=12))
def test_a_cut_lies_halfway_in_every_gap(values: list[Any]) -> None:
    points = cut_points(values)
    distinct = sorted(set(values))
    assert len(points) == max(0, len(distinct) - 1)
    for point, (a, b) in zip(points, pairwise(distinct), strict=True):
        assert a < point < b
        assert point - a == b - point


@pytest.mark.covers("N2 §4.1 order")
@given(st.lists(numbers, max_size=12), st.randoms())
def test_neither_order_nor_repetition_matters(values: list[Any], random: Any) -> None:
    shuffled = values * 2
    random.shuffle(shuffled)
    assert cut_points(shuffled) == cut_points(values)


@pytest.mark.covers("N2 §4.1 T_i")
def test_a_midpoint_is_exact_and_whole_where_it_can_be() -> None:
    third = midpoint(0, Fraction(2, 3))
    assert third == Fraction(1, 3)
    assert midpoint(7, 11) == 9
    assert isinstance(midpoint(7, 11), int)
    # As floats, neighbours have no midpoint between them.
    assert 1 < midpoint(1, Fraction(1 + 2**-52)) < 1 + 2**-52


def sizes(table: Table) -> list[tuple[Any, Any, Any]]:
    """Size, class and weight of each row; no size where it is missing."""
    rows = zip(table.rows(), table.weighted(), strict=True)
    return [(row["size"], row["class"], weight) for row, weight in rows]


@pytest.mark.covers("N2 §4.1 bisection", "N2 §4.1 D_t")
@given(mixed_tables())
def test_a_cut_parts_the_rows_by_their_values(table: Table) -> None:
    for test, partition in cuts(table.sample(), "size"):
        for above, counted in enumerate(partition.rows):
            side = [row for row in sizes(table) if row[0] is not None and (row[0] > test.threshold) == above]
            for label, weight in zip(table.schema.target.domain, counted, strict=True):
                assert weight == sum(weight for _, of_row, weight in side if of_row == label)
        assert sum(map(sum, partition.rows)) + sum(partition.unknown) == sum(table.weighted())


@given(mixed_tables())
def test_any_threshold_of_the_interval_parts_them_in_the_same_way(table: Table) -> None:
    known = [size for size, *_ in sizes(table) if size is not None]
    for test, partition in cuts(table.sample(), "size"):
        assert test.interval is not None
        low, high = test.interval
        assert {low, high} <= set(known), "the interval is as wide as it can be"
        below = [size for size in known if size <= test.threshold]
        assert below == [size for size in known if size <= low] == [size for size in known if size < high]
        assert all(any(row) for row in partition.rows), "a cut has something on both sides"


@pytest.mark.covers("N2 §4.1 Gain")
@given(mixed_tables())
def test_the_best_cuts_are_all_those_that_nothing_beats(table: Table) -> None:
    found = {cut.test.threshold: information_gain(cut.table.rows) for cut in cuts(table.sample(), "size")}
    wanted = [threshold for threshold, gain in found.items() if all(gain >= other for other in found.values())]
    assert [cut.test.threshold for cut in best_cuts(table.sample(), "size")] == wanted


@pytest.mark.covers("N4 Continuous valued features: weight", "N4 figure: weight splits")
def test_the_cats_by_weight() -> None:
    """N4's figure has the cuts at 8, 9 and 13; its best one has an equal."""
    sample = textbook("cats").sample()
    gains = {float(cut.test.threshold): float(information_gain(cut.table.rows)) for cut in cuts(sample, "weight")}
    assert gains[8] == pytest.approx(0.24, abs=0.005)
    assert gains[9] == pytest.approx(0.61, abs=0.005)
    assert gains[13] == pytest.approx(0.40, abs=0.005)
    assert [cut.test.name for cut in best_cuts(sample, "weight")] == ["weight<=9", "weight<=10.6"]


def test_golf() -> None:
    sample = textbook("golf").sample()
    (temperature,), (humidity,) = best_cuts(sample, "temperature"), best_cuts(sample, "humidity")
    assert (temperature.test.threshold, humidity.test.threshold) == (84, Fraction(165, 2))
    assert float(information_gain(temperature.table.rows)) == pytest.approx(0.113401, abs=5e-7)
    assert float(information_gain(humidity.table.rows)) == pytest.approx(0.102244, abs=5e-7)


def test_the_watermelons_by_density_and_sugar() -> None:
    """Zhou has Gain(D, 密度) = 0.262 at 0.381 and Gain(D, 含糖率) = 0.349 at 0.126; all values are different."""
    sample = textbook("watermelon-3.0").sample()
    (density,), (sugar,) = best_cuts(sample, "密度"), best_cuts(sample, "含糖率")
    assert (density.test.threshold, sugar.test.threshold) == (Fraction(3815, 10000), Fraction(126, 1000))
    assert float(information_gain(density.table.rows)) == pytest.approx(0.262, abs=0.0005)
    assert float(information_gain(sugar.table.rows)) == pytest.approx(0.349, abs=0.0005)
    assert len(list(cuts(sample, "密度"))) == 16


def test_a_part_of_the_sample_has_the_cuts_of_its_own_values() -> None:
    sample = textbook("cats").sample()
    below, above = sample.split(best_cuts(sample, "weight")[0].test)
    assert [float(cut.test.threshold) for cut in cuts(below, "weight")] == [7.4, 8.0, 8.6]
    assert [float(cut.test.threshold) for cut in cuts(above, "weight")] == [9.7, 10.6, 13.0, 16.5, 19.0]


@given(mixed_tables(), st.sampled_from([0, Fraction(1, 2), 1, 2]), st.sampled_from([0, 1, Fraction(3, 2)]))
def test_a_cut_may_be_made_where_both_sides_and_the_gap_are_large_enough(table: Table, least: Any, gap: Any) -> None:
    known = [row for row in sizes(table) if row[0] is not None]
    wanted = []
    for low, high in pairwise(sorted({size for size, *_ in known})):
        below, above = (sum(row[2] for row in known if (row[0] > low) == side) for side in (False, True))
        if below >= least and above >= least and high - low > gap:
            wanted.append((low, high))
    sample = table.sample()
    assert [cut.test.interval for cut in allowed_cuts(sample, "size", least, gap)] == wanted
    assert number_of_cuts(sample, "size", least, gap) == len(wanted)
    with by_the_book():  # the engine leaves out what cannot be the best
        assert [cut.test.interval for cut in promising_cuts(sample, ["size"], CutSearch("gain", least, gap))] == wanted


def test_any_cut_may_be_made_unless_something_is_said() -> None:
    table = Table.from_columns({"x": [1, Fraction(3, 2), 2], "y": [*"nyn"], "w": [Fraction(1, 3)] * 3}, weights="w")
    sample = table.sample()
    assert len(list(allowed_cuts(sample, "x"))) == 2
    assert number_of_cuts(sample, "x") == 2
    with by_the_book():
        assert len(promising_cuts(sample, ["x"], CutSearch("gain"))) == 2


@of_every(
    [
        (0, False, None),
        (1, True, None),
        (1, False, (1, 4)),
        (4, True, (1, 4)),
        (9, True, (4, 9)),
        (9, False, None),
        (10, True, None),
    ]
)
def test_the_gap_around_a_threshold(threshold: int, strict: bool, gap: tuple[int, int] | None) -> None:
    sample = Table.from_columns({"x": [1, 4, 9], "y": ["no", "yes", "yes"]}).sample()
    assert gap_around(sample, Threshold("x", threshold, strict=strict)) == gap
