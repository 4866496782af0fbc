"""Judging linear splits: sums over sets, scores, and the tests that are written."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.points import Points
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting.linear.dichotomies import dichotomies
from reference_tree.splitting.linear.side_scores import SideScores, in_order
from tests.splitting.linear.samples import classified, points_with


def recounted(points: Points, side: int) -> list[tuple[Any, ...]]:
    """The rows inside and outside, summed up one by one."""
    found: list[list[Any]] = [[0] * len(points.rows[0]), [0] * len(points.rows[0])]
    for place, row in enumerate(points.rows):
        part = found[0 if side >> place & 1 else 1]
        part[:] = [a + b for a, b in zip(part, row, strict=True)]
    return [tuple(part) for part in found]


@given(classified(2, 12, 3), st.integers(0, 4095))
def test_the_rows_of_a_side(points: Points, side: int) -> None:
    """More than eight points, so that sums over several bytes are added."""
    side &= (1 << len(points.values)) - 1
    assert list(SideScores(points).rows(side)) == recounted(points, side)


@given(classified(2, 9), st.integers(0, 511), st.integers(0, 5))
def test_a_side_that_is_empty_or_too_light_has_no_score(points: Points, side: int, minimum: int) -> None:
    side &= (1 << len(points.values)) - 1
    inside, outside = recounted(points, side)
    score = SideScores(points, gini_decrease, minimum).score(side)
    if not any(inside) or not any(outside) or min(sum(inside), sum(outside)) < minimum:
        assert score is None
    else:
        assert score == gini_decrease([inside, outside])


@given(classified(3, 6, 3))
def test_a_test_divides_as_its_side_says(points: Points) -> None:
    """Row by row, asked as a tree asks; the threshold is in the middle of its interval, and both ends are points."""
    judge = SideScores(points)
    for side in dichotomies(points.values):
        split = judge.split(side)
        names = [coordinate.attribute for coordinate in points.coordinates]
        taken = [split.test.branch(dict(zip(names, point, strict=True))) for point in points.values]
        assert len({(branch, side >> place & 1) for place, branch in enumerate(taken)}) == 2
        heights = [
            sum(weight * point[names.index(c.attribute)] for c, weight in split.test.weights) for point in points.values
        ]
        assert split.test.interval is not None
        low, high = split.test.interval
        assert low == max(height for height, branch in zip(heights, taken, strict=True) if branch == 0)
        assert high == min(height for height, branch in zip(heights, taken, strict=True) if branch == 1)
        assert split.test.threshold == Fraction(low + high) / 2
        first = sum(1 << place for place, branch in enumerate(taken) if branch == 0)
        assert list(split.table.rows) == recounted(points, first)
        assert split.table.outcomes == split.test.outcomes


@pytest.mark.parametrize(("direction", "name"), [((1, 1), "x+y<=1.5"), ((-2, Fraction(-3)), "2*x+3*y<=4")])
def test_a_search_that_found_a_direction_keeps_it(direction: tuple[Any, ...], name: str) -> None:
    points = points_with([(0, 0), (0, 1), (1, 0), (1, 1)], [(1, 0), (1, 0), (1, 0), (0, 1)])
    split = SideScores(points).split(0b0111, direction)
    assert (split.test.name, split.table.rows) == (name, ((3, 0), (0, 1)))
    assert split == SideScores(points).split(0b0111)  # the same split, whatever tells its sides apart


@pytest.mark.parametrize("places", [[(0, 0), (1, 1), (2, 0)], [(0, 0), (1, 0)]])
def test_a_direction_that_does_not_divide_so_is_refused(places: list[tuple[int, int]]) -> None:
    """Of the two points of height 0 one is inside."""
    split = SideScores(points_with(places, [(1, 0)] * len(places))).split(0b001, (0, 1))
    with pytest.raises(ValueError, match="no plane of the direction"):
        split.test  # noqa: B018


def test_a_split_is_shown_without_its_points() -> None:
    split = SideScores(points_with([(0,), (1,)], [(1, 0), (0, 1)])).split(0b01)
    assert repr(split) == "LinearSplit(inside=1, rows=((1, 0), (0, 1)), direction=None)"


def test_without_a_bound_light_rows_are_a_side_too() -> None:
    points = points_with([(0,), (1,)], [(1, 0), (0, 1)])._replace(weights=(Fraction(1, 2), Fraction(1, 3)))
    assert SideScores(points).score(0b01) == 1


def test_equal_splits_come_in_order() -> None:
    """Fewest coordinates, the first coordinates, the lowest threshold."""
    points = points_with([(0, 0), (0, 1), (1, 0), (1, 1)], [(1, 0), (0, 1), (0, 1), (1, 0)])
    judge = SideScores(points, information_gain)
    every = in_order(judge.split(side) for side in dichotomies(points.values))
    assert [split.test.name for split in every] == [
        "x<=0.5", "y<=0.5", "x-y<=-0.5", "x-y<=0.5", "x+y<=0.5", "x+y<=1.5",
    ]  # fmt: skip
    assert [split.test.name for split in in_order(judge.best(dichotomies(points.values)))] == [
        "x-y<=-0.5", "x-y<=0.5", "x+y<=0.5", "x+y<=1.5",
    ]  # fmt: skip
