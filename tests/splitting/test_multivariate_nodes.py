"""Multivariate nodes: the optimum against brute force, the searches against the optimum, and the watermelons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.points import Points
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.variance import variance_reduction
from reference_tree.splitting.continuous_bisection import best_cuts, cuts
from reference_tree.splitting.linear.side_scores import SideScores
from reference_tree.splitting.multivariate_nodes import (
    SEARCHES,
    best_linear_splits,
    linear_splits,
    points_of,
    regret,
)
from tests import oracles
from tests.splitting.linear.samples import classified, measured, points_with
from tests.splitting.linear.separating import best_sides
from tests.strategies import at_most

MELONS = textbook("watermelon-3.0a")


# The optimum.


def purity(parts: Sequence[Sequence[int]]) -> Fraction:
    """The less impurity, the more gain; in whole numbers."""
    return oracles.purity(parts)


def squares(parts: Sequence[Sequence[int]]) -> Fraction:
    """Σ over the sides and classes of c²/n: the larger, the less the Gini index."""
    return sum((Fraction(c * c, sum(part)) for part in parts for c in part), Fraction(0))


def explained(parts: Sequence[Sequence[Any]]) -> Fraction:
    """Σ over the sides of (Σwy)²/w: the larger, the less the squared error."""
    return sum((Fraction(wy * wy) / w for w, wy, _ in parts), Fraction(0))


@pytest.mark.parametrize(("score", "oracle"), [(information_gain, purity), (gini_decrease, squares)])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_optimum_is_that_of_all_sets(d: int, score: Callable[..., Any], oracle: Callable[..., Any]) -> None:
    @at_most(40)
    @given(classified(d, 8 - d, 2), st.integers(0, 3))
    def holds(points: Points, minimum: int) -> None:
        found = best_linear_splits(points, score, minimum)
        assert {split.inside for split in found} == best_sides(points.values, points.rows, oracle, minimum)

    holds()


@at_most(40)
@given(classified(2, 6, 3))
def test_of_three_classes_too(points: Points) -> None:
    found = {split.inside for split in best_linear_splits(points)}
    assert found == best_sides(points.values, points.rows, purity)


@at_most(40)
@given(measured(2, 6))
def test_and_of_numbers(points: Points) -> None:
    found = {split.inside for split in best_linear_splits(points, variance_reduction)}
    assert found == best_sides(points.values, points.rows, explained)


@given(classified(2, 7))
def test_equal_splits_are_different_tests_in_order(points: Points) -> None:
    found = best_linear_splits(points, gini_decrease)
    assert [split.order for split in found] == sorted({split.order for split in found})
    assert len({split.test.name for split in found}) == len(found)
    assert all(regret(split, gini_decrease) == 0 for split in found)


@given(st.lists(st.tuples(st.integers(-3, 3), st.sampled_from("ab")), min_size=1, max_size=9))
def test_on_a_line_it_is_bisection(rows: list[tuple[int, str]]) -> None:
    """The same thresholds, intervals and partitions, in the same order; and the same winners."""
    table = Table.from_columns({"x": [x for x, _ in rows], "y": [y for _, y in rows]}, continuous=["x"])
    expected = list(cuts(table.sample(), "x"))
    found = list(linear_splits(points_of(table)))
    assert [(split.test.threshold, split.test.interval) for split in found] == [
        (cut.test.threshold, cut.test.interval) for cut in expected
    ]
    assert [split.table for split in found] == [cut.table for cut in expected]
    assert [split.test.name for split in found] == [cut.test.name for cut in expected]
    winners = best_linear_splits(points_of(table))
    assert [split.test.name for split in winners] == [cut.test.name for cut in best_cuts(table.sample(), "x")]


# The searches.


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHES)
def test_no_search_is_better_than_the_optimum(name: str) -> None:
    @at_most(15)
    @given(classified(2, 6, 2), st.integers(0, 3))
    def holds(points: Points, seed: int) -> None:
        for split in SEARCHES[name](points, gini_decrease, 0, Chance(seed)):
            assert regret(split, gini_decrease) >= 0
            assert name != "exhaustive" or regret(split, gini_decrease) == 0

    holds()


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 2), min_size=2, max_size=8, unique=True), st.integers(0, 99))
def test_what_a_line_can_separate_the_optimum_separates(values: list[tuple[int, int]], seed: int) -> None:
    values = sorted(values)
    a, b, t = seed % 7 - 3, seed % 5 - 2, seed % 11 - 5
    rows = [(1, 0) if a * x + b * y <= t else (0, 1) for x, y in values]
    points = points_with(values, rows)
    if len(set(rows)) == 2:
        for split in best_linear_splits(points):
            assert sorted(split.rows) == [(0, rows.count((0, 1))), (rows.count((1, 0)), 0)]


@pytest.mark.slow
def test_a_minimum_bars_small_sides() -> None:
    points = points_of(MELONS)
    for name, search in SEARCHES.items():
        for split in search(points, information_gain, 8, Chance(0)):
            assert min(map(sum, split.rows)) >= 8, name
    assert all(search(points, information_gain, 9, Chance(0)) == [] for search in SEARCHES.values())
    with pytest.raises(InputError, match="is lighter than the minimum"):
        regret(best_linear_splits(points)[0], minimum=8)


def test_unless_a_minimum_is_said_a_side_may_weigh_anything() -> None:
    columns: dict[str, list[object]] = {"x": [1, 2], "w": ["1/3", "1/3"], "y": ["no", "yes"]}
    (best,) = best_linear_splits(points_of(Table.from_columns(columns, continuous=["x"], weights="w"), ["x"]))
    assert regret(best) == 0
    with pytest.raises(InputError, match="is lighter than the minimum"):
        regret(best, minimum=1)


# Tables.


def test_rows_become_points() -> None:
    columns: dict[str, list[object]] = {
        "ear": ["oval", "pointy", None, "oval"], "x": ["0.5", "1/3", "2", "0.5"], "cat": ["no", "yes", "yes", "yes"],
    }  # fmt: skip
    points = points_of(Table.from_columns(columns, continuous=["x"]))
    assert [c.name for c in points.coordinates] == ["[ear=oval]", "[ear=pointy]", "x"]
    assert points.values == ((0, 1, Fraction(1, 3)), (1, 0, Fraction(1, 2)))
    assert (points.rows, points.weights, points.unknown) == (((0, 1), (1, 1)), (1, 2), (0, 1))


def test_weights_and_numbers() -> None:
    columns: dict[str, list[object]] = {"x": [1, 2, 2], "w": [1, 2, Fraction(1, 3)], "y": [10, 20, 30]}
    points = points_of(Table.from_columns(columns, weights="w"), ["x"])
    assert points.rows == ((1, 10, 100), (Fraction(7, 3), 50, 1100))
    assert points.weights == (1, Fraction(7, 3))


def test_one_hot_columns_depend_on_one_another_and_that_is_no_harm() -> None:
    """Three ears are the corners of a triangle: any of them can be cut off, with one coordinate."""
    ears = {"ear": ["oval", "pointy", "floppy"], "cat": ["no", "yes", "no"]}
    names = [split.test.name for split in linear_splits(points_of(Table.from_columns(ears)))]
    assert names == ["[ear=pointy]<=0.5", "[ear=oval]<=0.5", "[ear=floppy]<=0.5"]


def test_a_partition_counts_what_is_unknown() -> None:
    table = Table.from_columns({"x": [1, 2, None], "y": ["no", "yes", "yes"]}, continuous=["x"])
    (split,) = best_linear_splits(points_of(table))
    assert split.table.unknown == (0, 1)
    assert split.table.rows == ((1, 0), (0, 1))


# Watermelon 3.0α.


def grown_by_cuts(rows: list[dict[str, Any]]) -> list[list[str]]:
    """The winners at each node of the axis-parallel tree, in preorder; the first is taken."""
    table = Table.from_rows(rows, "好瓜", categorical=["好瓜"])
    if len(table.schema.target.domain) == 1:
        return []
    found = [cut for name in ("密度", "含糖率") for cut in best_cuts(table.sample(), name)]
    gains = [information_gain(cut.table.rows) for cut in found]
    winners = [cut.test for cut, gain in zip(found, gains, strict=True) if gain == max(gains)]
    parts: list[list[dict[str, Any]]] = [[], []]
    for row in rows:
        branch = winners[0].branch(row)
        assert branch is not None
        parts[branch].append(row)
    return [[test.name for test in winners], *grown_by_cuts(parts[0]), *grown_by_cuts(parts[1])]


def grown_by_lines(rows: list[dict[str, Any]]) -> list[list[str]]:
    """The same with the best lines."""
    table = Table.from_rows(rows, "好瓜", categorical=["好瓜"])
    if len(table.schema.target.domain) == 1:
        return []
    winners = [split.test for split in best_linear_splits(points_of(table))]
    parts = [[row for row in rows if winners[0].branch(row) == branch] for branch in (0, 1)]
    return [[test.name for test in winners], *grown_by_lines(parts[0]), *grown_by_lines(parts[1])]


def test_the_watermelons_parted_parallel_to_the_axes() -> None:
    """Zhou's figures 4.10 and 4.11: 0.126, 0.381(5), 0.205 (0.2045), and at the last node a tie."""
    assert grown_by_cuts(list(MELONS.rows())) == [
        ["含糖率<=0.126"],
        ["密度<=0.3815"],
        ["含糖率<=0.2045"],
        ["密度<=0.56", "含糖率<=0.155"],
    ]


@pytest.mark.covers("N2 §5")
def test_the_watermelons_parted_by_lines() -> None:
    """Two lines do what takes four cuts."""
    found = grown_by_lines(list(MELONS.rows()))
    assert len(found) == 2
    assert found[0] == ["99*密度-314*含糖率<=1.852"]


@pytest.mark.slow
def test_the_best_line_of_the_watermelons_is_far_better_than_the_best_cut() -> None:
    points = points_of(MELONS)
    (best,) = best_linear_splits(points)
    assert sorted(best.rows) == [(2, 8), (7, 0)]
    found = {name: SEARCHES[name](points, information_gain, 0, Chance(1))[0].inside for name in SEARCHES}
    scores = {name: float(SideScores(points).score(side) or 0) for name, side in found.items()}
    assert {name: round(score, 6) for name, score in scores.items()} == {
        "exhaustive": 0.572839, "cart-lc": 0.349294, "oc1": 0.572839, "lda": 0.262439,
    }  # fmt: skip


def test_too_large_a_sample_is_refused() -> None:
    iris = points_of(textbook("iris"))
    with pytest.raises(InputError, match="149 different points in 4 dimensions can be divided in too many ways"):
        best_linear_splits(iris)
    with pytest.raises(InputError, match="too many ways"):
        regret(SEARCHES["lda"](iris, gini_decrease, 0, Chance(0))[0], gini_decrease)
