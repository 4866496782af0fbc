"""The widest margin: held against all distances in the plane, and against other directions everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.splitting.linear.algebra import dot
from reference_tree.splitting.linear.widest_margin import MOST_COORDINATES, shortest_way, simplest_direction
from tests.splitting.linear.separating import clouds, separable

Cloud = Sequence[tuple[Any, ...]]


def square_distance(point: Sequence[Any], start: Sequence[Any], end: Sequence[Any]) -> Fraction:
    """Of a point from a line segment."""
    along = [b - a for a, b in zip(start, end, strict=True)]
    length = sum(x * x for x in along)
    share = Fraction(sum((p - a) * x for p, a, x in zip(point, start, along, strict=True)), length or 1)
    share = min(max(share, Fraction(0)), Fraction(1))
    return Fraction(sum((p - a - share * x) ** 2 for p, a, x in zip(point, start, along, strict=True)))


def square_distance_of_hulls(a: Cloud, b: Cloud) -> Fraction:
    """In the plane, hulls that do not meet are nearest to each other at a corner of one of them."""
    return min(
        square_distance(point, *segment)
        for points, others in ((a, b), (b, a))
        for point, segment in product(points, [*combinations(others, 2), *((x, x) for x in others)])
    )


def divided(points: Cloud, mask: int) -> tuple[Cloud, Cloud]:
    inside = [point for place, point in enumerate(points) if mask >> place & 1]
    outside = [point for place, point in enumerate(points) if not mask >> place & 1]
    assume(inside and outside)
    return inside, outside


@given(clouds(2, 7, st.integers(-4, 4)), st.integers(0, 127))
@example([(0, 0), (1, 1), (-2, 1), (-1, 0)], 1)  # a vector is dropped for a later one
def test_the_shortest_way_in_the_plane(points: Cloud, mask: int) -> None:
    a, b = divided(points, mask)
    way = shortest_way(a, b)
    assert any(way) == separable(a, b)
    if any(way):
        assert dot(way, way) == square_distance_of_hulls(a, b)
        assert min(dot(way, q) for q in b) - max(dot(way, p) for p in a) == dot(way, way)


@given(clouds(3, 7), st.integers(0, 127), st.tuples(*[st.integers(-9, 9)] * 3))
def test_no_other_direction_has_a_wider_margin(points: Cloud, mask: int, other: tuple[int, ...]) -> None:
    a, b = divided(points, mask)
    way = shortest_way(a, b)
    assert any(way) == separable(a, b)
    # The margin of w is (min w·b - max w·a) / |w|; here both squares, where it is positive.
    gap = min(dot(other, q) for q in b) - max(dot(other, p) for p in a)
    if any(way):
        assert min(dot(way, q) for q in b) - max(dot(way, p) for p in a) == dot(way, way)
        assert gap <= 0 or gap**2 <= dot(way, way) * dot(other, other)


@given(clouds(3, 6), st.integers(1, 62))
def test_as_few_coordinates_as_possible(points: Cloud, mask: int) -> None:
    a, b = divided(points, mask)
    sizes = [len(c) for c in _subsets() if separable([_of(x, c) for x in a], [_of(x, c) for x in b])]
    if not sizes:
        with pytest.raises(InputError, match="the convex hulls of the sides meet"):
            simplest_direction(a, b)
        return
    found = simplest_direction(a, b)
    assert sum(1 for weight in found if weight) == min(sizes)
    heights = [dot(found, x) for x in a], [dot(found, x) for x in b]
    assert max(heights[0]) < min(heights[1]) or max(heights[1]) < min(heights[0])


def _subsets() -> list[tuple[int, ...]]:
    return [c for size in (1, 2, 3) for c in combinations(range(3), size)]


def _of(point: Sequence[Any], chosen: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(point[place] for place in chosen)


def test_on_a_line_it_is_the_middle_of_the_gap() -> None:
    assert shortest_way([(0,), (2,)], [(5,), (9,)]) == (3,)
    assert simplest_direction([(5,), (9,)], [(0,), (2,)]) == (1,)


def test_of_two_coordinates_that_suffice_the_first_is_taken() -> None:
    assert simplest_direction([(0, 0)], [(1, 9)]) == (1, 0)


def test_its_direction_depends_on_the_units() -> None:
    """A margin is a distance: in other units another hyperplane is the one."""
    a, b = [(0, 0), (1, 2)], [(1, 1), (2, 2)]
    wider = [[(10 * x, y) for x, y in side] for side in (a, b)]
    assert simplest_direction(a, b) == (2, -1)
    assert simplest_direction(*wider) == (1, -5)


def test_too_many_coordinates_are_refused() -> None:
    width = MOST_COORDINATES + 1
    with pytest.raises(InputError, match="11 coordinates is too wide for an exhaustive search"):
        simplest_direction([(0,) * width], [(1,) * width])
