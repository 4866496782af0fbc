"""Line search: held against any place on the way."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.points import Points
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.splitting.linear.line_search import (
    best_along,
    best_cut,
    better,
    extended,
    intervals,
    simplest_between,
)
from reference_tree.splitting.linear.side_scores import SideScores
from tests.splitting.linear.samples import classified, points_with, simplest
from tests.strategies import fractions

small = fractions(-3, 3, max_denominator=4)
pairs = st.lists(st.tuples(small, small), min_size=1, max_size=6)
planes = st.tuples(small, small, small)


def side_at(values: Sequence[Any], slopes: Sequence[Any], alpha: Fraction) -> int:
    return sum(1 << j for j, (v, s) in enumerate(zip(values, slopes, strict=True)) if v + alpha * s <= 0)


@given(pairs, small)
def test_stretches_tell_who_is_below_anywhere(way: list[tuple[Fraction, Fraction]], alpha: Fraction) -> None:
    values, slopes = zip(*way, strict=True)
    found = list(intervals(values, slopes))
    assert [interval.high for interval in found[:-1]] == [interval.low for interval in found[1:]]
    assert found[0].low is None
    assert found[-1].high is None
    for low, high, side in found:
        if (low is None or low < alpha) and (high is None or alpha < high):
            assert side == side_at(values, slopes, alpha)
    assert len(found) == 1 + len({-v / s for v, s in way if s})


def test_a_point_that_never_moves_is_below_only_if_it_is_so_now() -> None:
    heights: list[Any] = [Fraction(-1, 2), 0, Fraction(1, 2), 1]
    assert [interval.side for interval in intervals(heights, [0] * 4)] == [0b0011]


@given(classified(2, 7), planes, planes, small)
def test_no_place_on_the_way_is_better(points: Points, plane: Any, turn: Any, alpha: Fraction) -> None:
    judge, places = SideScores(points, gini_decrease), extended(points.values)
    found = best_along(judge, places, plane, turn)
    values = [sum(a * x for a, x in zip(plane, point, strict=True)) for point in places]
    slopes = [sum(a * x for a, x in zip(turn, point, strict=True)) for point in places]
    for placed in found:
        heights = [sum(a * x for a, x in zip(placed.plane, point, strict=True)) for point in places]
        assert placed.side == sum(1 << j for j, height in enumerate(heights) if height <= 0)
        assert placed.score == judge.score(placed.side)
    if all(v + alpha * s for v, s in zip(values, slopes, strict=True)):  # between two turns
        reached = judge.score(side_at(values, slopes, alpha))
        assert reached is None or reached <= found[0].score


@given(classified(2, 7))
def test_the_best_cut_is_that_of_one_attribute(points: Points) -> None:
    judge = SideScores(points, gini_decrease)
    scores: dict[Any, tuple[Any, int]] = {}
    for place in (0, 1):
        for t in sorted({point[place] for point in points.values})[:-1]:
            side = sum(1 << j for j, point in enumerate(points.values) if point[place] <= t)
            scores[place, t] = judge.score(side), side
    cut = best_cut(judge, extended(points.values))
    if not scores:
        assert cut is None
        return
    best = max(score for score, _ in scores.values())
    assert cut is not None
    assert (cut.score, cut.side) == next(found for found in scores.values() if found[0] == best)
    assert sum(1 for weight in cut.plane[:-1] if weight) == 1


def test_of_equal_cuts_the_lowest_is_the_best_and_its_parameter_the_threshold() -> None:
    """Between 2 and 6 the simplest number is 3, and a cut between 7 and 9 is as good."""
    points = points_with([(2,), (6,), (7,), (9,)], [(1, 0), (0, 1), (0, 1), (1, 0)])
    judge = SideScores(points, gini_decrease)
    cut = best_cut(judge, extended(points.values))
    assert cut is not None
    assert (cut.plane, cut.side) == ((1, -3), 0b0001)
    assert better(cut, [cut._replace(plane=(1, -4))]) is cut  # as good is not better


@given(fractions(-5, 5, max_denominator=20), fractions(-5, 5, max_denominator=20))
def test_the_simplest_fraction_between_two(a: Fraction, b: Fraction) -> None:
    if a == b:
        return
    low, high = min(a, b), max(a, b)
    found = Fraction(simplest_between(low, high))
    assert low < found < high
    for denominator in range(1, found.denominator + 1):  # none is simpler, and of the same denominator none nearer 0
        inside = [n for n in range(-6 * denominator, 6 * denominator) if low < Fraction(n, denominator) < high]
        assert bool(inside) == (denominator == found.denominator)
        if inside:
            assert abs(found.numerator) == min(map(abs, inside))


def test_the_simplest_fraction_between_any_two_of_small_denominators() -> None:
    ends = sorted({Fraction(n, q) for q in range(1, 13) for n in range(3 * q)})
    for place, low in enumerate(ends):
        for high in ends[place + 1 : place + 12]:
            assert simplest_between(low, high) == simplest(low, high)


@given(small)
def test_the_simplest_number_on_one_side(a: Fraction) -> None:
    below, above = simplest_between(None, a), simplest_between(a, None)
    assert below < a < above
    assert isinstance(below, int)
    assert isinstance(above, int)
    assert (below == 0) == (a > 0)
    assert (above == 0) == (a < 0)
    assert simplest_between(None, None) == 0
