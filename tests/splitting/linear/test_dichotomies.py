"""Linear dichotomies: held against every set of points, decided by another method."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.splitting.linear.dichotomies import LIMIT, dichotomies, steps
from tests.every import of_every
from tests.splitting.linear.separating import all_sides, clouds, has_solution, separable
from tests.strategies import at_most, fractions

Cloud = list[tuple[Any, ...]]


def test_the_oracle_itself() -> None:
    assert has_solution([(Fraction(1), Fraction(1)), (Fraction(-1), Fraction(0))])  # 0 ≤ x ≤ 1
    assert not has_solution([(Fraction(1), Fraction(1)), (Fraction(-1), Fraction(-2))])  # 2 ≤ x ≤ 1
    assert separable([(0, 0), (2, 0)], [(1, 1)])
    assert not separable([(0, 0), (2, 0)], [(1, 0)])
    assert not separable([(0, 0), (1, 1)], [(0, 1), (1, 0)])


@given(clouds(1, 8))
def test_on_a_line(points: Cloud) -> None:
    assert list(dichotomies(points)) == all_sides(points) == [(1 << k) - 1 for k in range(1, len(points))]


@given(clouds(2, 7))
@example([(1, 1), (0, 0), (2, 0), (1, 3)])  # the first is inside of the others
@example([(0, 3), (1, 1), (1, 2), (1, 3), (3, 3), (4, 4)])  # a line of which some points are on either side
def test_in_the_plane(points: Cloud) -> None:
    assert list(dichotomies(points)) == all_sides(points)


@at_most(25)
@given(clouds(3, 6, st.integers(0, 2)))
@example([(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 1, 0), (1, 0, 0)])  # the first three fix no plane
def test_in_space(points: Cloud) -> None:
    assert list(dichotomies(points)) == all_sides(points)


@at_most(30)
@given(clouds(2, 6))
def test_a_coordinate_that_depends_on_the_others_changes_nothing(points: Cloud) -> None:
    """As those of one-hot columns do, and a constant one."""
    wider = [(x, 7, 3 - x - y, y) for x, y in points]
    assert list(dichotomies(wider)) == all_sides(points)


@at_most(30)
@given(clouds(2, 6), fractions(Fraction(1, 9), 3, max_denominator=9), fractions(-2, 2, max_denominator=9))
def test_neither_do_other_units(points: Cloud, unit: Fraction, shift: Fraction) -> None:
    moved = [(x * unit + y * shift, y * unit) for x, y in points]
    assert dichotomies(moved) == dichotomies(points)


@of_every([1, 2, 3, 4])
def test_their_number_in_general_position(d: int) -> None:
    """On the curve (x, x², ..., x^d) no d + 1 points share a hyperplane."""
    for n in range(d + 1, d + 8):
        curve = [tuple(x**power for power in range(1, d + 1)) for x in range(n)]
        assert len(dichotomies(curve)) == sum(comb(n - 1, k) for k in range(d + 1)) - 1


def test_of_three_points_on_a_line_the_middle_one_is_never_alone() -> None:
    line = [(0, 0, 0), (1, 2, 3), (2, 4, 6)]
    assert dichotomies(line) == (0b001, 0b011)
    assert 0b0010 not in dichotomies([*line, (2, 4, 7)])


def test_corners_of_a_cube() -> None:
    """Of the 128 ways to divide three switches in two that name the side without the last corner, 51 are linear.

    There are 104 linear threshold functions of three variables, 102 of them not constant.
    """
    cube = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    assert len(dichotomies(cube)) == 51


def test_few_points() -> None:
    assert dichotomies([]) == dichotomies([(3, 4)]) == ()
    assert dichotomies([(3, 4), (3, 5)]) == (1,)


def test_too_many_are_refused() -> None:
    grid = [(x, y * y) for x in range(20) for y in range(20)]
    assert steps(len(grid), 2) > LIMIT
    with pytest.raises(InputError, match="400 different points in 2 dimensions can be divided in too many ways"):
        dichotomies(grid)
    assert len(dichotomies([(x, 0) for x in range(400)])) == 399  # on a line they are few


@of_every([(2, 182), (3, 65), (4, 38), (5, 22), (6, 16)])
def test_the_most_points_of_each_dimension(d: int, most: int) -> None:
    """As the documentation of the limit has them."""
    assert steps(most, d) <= LIMIT
    curve = [tuple(x**power for power in range(1, d + 1)) for x in range(most + 1)]
    with pytest.raises(InputError, match=f"{most + 1} different points in {d} dimensions"):
        dichotomies(curve)


def test_of_a_simplex_every_set_of_corners() -> None:
    def simplex(d: int) -> Cloud:
        return [tuple(int(place == corner) for place in range(d)) for corner in range(d + 1)]

    assert dichotomies(simplex(10)) == tuple(range(1, 2**10))
    assert steps(18, 17) <= LIMIT
    with pytest.raises(InputError, match="19 different points in 18 dimensions"):
        dichotomies(simplex(18))
