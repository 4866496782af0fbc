"""The linear discriminant: held against other directions, and against Fisher's formula."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given

from reference_tree.data.points import Points
from reference_tree.data.questions import Coordinate
from reference_tree.data.targets import Moments
from reference_tree.data.textbook import textbook
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.variance import variance_reduction
from reference_tree.splitting.linear.algebra import coprime
from reference_tree.splitting.linear.discriminant import directions, least_squares, linear_discriminant
from reference_tree.splitting.multivariate_nodes import points_of, regret
from tests.splitting.linear.samples import classified, measured, points_with

ROWS: list[dict[str, Any]] = list(textbook("watermelon-3.0a").rows())


def error(points: Points, z: Sequence[Any], function: Sequence[Any]) -> Fraction:
    """The squared error of a linear function, where z is the share of the wanted class at each point."""
    heights = [sum(a * x for a, x in zip(function, (*point, 1), strict=True)) for point in points.values]
    return sum((n * (h - t) ** 2 for n, h, t in zip(points.weights, heights, z, strict=True)), Fraction(0))


@given(classified(2, 7))
def test_no_other_linear_function_fits_better(points: Points) -> None:
    """The error is a parabola in each coefficient; at its lowest place it is the same to the left and to the right."""
    sums = [row[1] for row in points.rows]
    z = [Fraction(s, n) for s, n in zip(sums, points.weights, strict=True)]
    w = least_squares(points.values, points.weights, sums)
    n = sum(points.weights)
    means = [Fraction(sum(m * p[i] for m, p in zip(points.weights, points.values, strict=True)), n) for i in (0, 1)]
    best = (*w, Fraction(sum(sums), n) - w[0] * means[0] - w[1] * means[1])
    for place in range(3):
        left, right = ([x + (step if i == place else 0) for i, x in enumerate(best)] for step in (-1, 1))
        assert error(points, z, best) <= error(points, z, left) == error(points, z, right)


def test_two_classes_have_fishers_direction() -> None:
    """S_w^{-1}(μ_1 - μ_0) on watermelon 3.0α, in floating point."""
    parts: list[list[list[Any]]] = [
        [[float(row["密度"]), float(row["含糖率"])] for row in ROWS if row["好瓜"] == label] for label in ("否", "是")
    ]
    means = [mpmath.matrix([mpmath.fsum(column) / len(part) for column in zip(*part, strict=True)]) for part in parts]
    within = mpmath.zeros(2, 2)
    for part, mean in zip(parts, means, strict=True):
        for point in part:
            x = mpmath.matrix(point) - mean
            within += x * x.T
    fisher = mpmath.lu_solve(within, means[1] - means[0])
    (found,) = directions(points_of(textbook("watermelon-3.0a")))
    assert float(fisher[1] / fisher[0]) == pytest.approx(found[1] / found[0], rel=1e-9)


@given(classified(2, 7, 3))
def test_it_is_never_better_than_the_optimum(points: Points) -> None:
    found = linear_discriminant(points, gini_decrease)
    assert found is None or regret(found, gini_decrease) >= 0


@given(measured(2, 6))
def test_of_numbers_it_is_the_regression(points: Points) -> None:
    found = linear_discriminant(points, variance_reduction)
    assert found is None or regret(found, variance_reduction) >= 0


def test_of_moments_it_fits_the_numbers() -> None:
    """They are 2·x - y + 1, with the weights 1, 2, 1 and 3."""
    values, numbers, weights = ((0, 0), (1, 1), (2, 5), (3, 2)), (1, 2, 0, 5), (1, 2, 1, 3)
    rows = tuple((w, w * z, w * z * z) for w, z in zip(weights, numbers, strict=True))
    points = Points((Coordinate("x"), Coordinate("y")), values, rows, weights, (0, 0, 0), Moments())
    assert directions(points) == [(2, -1)]


def test_a_coordinate_that_says_nothing_has_no_weight() -> None:
    points = points_with([(0, 0), (0, 1), (1, 0), (1, 1)], [(1, 0), (1, 0), (0, 1), (0, 1)])
    assert directions(points) == [(1, 0)]


def test_two_light_points_are_cut() -> None:
    halves = (Fraction(1, 2), Fraction(1, 2))
    points = points_with([(0, 0), (1, 2)], [(1, 0), (0, 1)])._replace(
        rows=((halves[0], 0), (0, halves[1])), weights=halves
    )
    found = linear_discriminant(points)
    assert found is not None
    assert found.inside in (0b01, 0b10)


def test_of_a_linear_function_it_finds_the_direction() -> None:
    values = [(x, y) for x in range(3) for y in range(3)]
    assert least_squares(values, [1] * 9, [5 - 2 * x + 3 * y for x, y in values]) == (-2, 3)
    assert coprime((-2, 3)) == (2, -3)


def test_a_coordinate_that_depends_on_the_others_has_no_weight() -> None:
    one_hot = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert least_squares(one_hot, [1, 1, 1], [4, 2, 1]) == (3, 1, 0)


def test_equal_means_have_no_direction() -> None:
    exclusive_or = points_with([(0, 0), (0, 1), (1, 0), (1, 1)], [(1, 0), (0, 1), (0, 1), (1, 0)])
    assert directions(exclusive_or) == []
    assert linear_discriminant(exclusive_or) is None
    assert linear_discriminant(points_with([(1, 1)], [(2, 2)])) is None


def test_two_classes_have_one_direction_and_three_have_three() -> None:
    iris = textbook("iris")
    assert len(directions(points_of(iris, ["petal length", "petal width"]))) == 3
    assert len(directions(points_of(textbook("watermelon-3.0a")))) == 1
