"""Small samples of points, with classes or numbers, on which searches are tried."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from reference_tree.data.points import Points
from reference_tree.data.questions import Coordinate
from reference_tree.data.targets import Classes, Moments
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.linear.side_scores import SideScores
from tests.splitting.linear.separating import clouds

NAMES = "xyz"


def points_with(values: Sequence[tuple[Any, ...]], rows: Sequence[Sequence[int]]) -> Points:
    """Points with the weights of classes."""
    coordinates = tuple(Coordinate(name) for name, _ in zip(NAMES, values[0], strict=False))
    width = len(rows[0])
    counted = tuple(map(tuple, rows))
    return Points(
        coordinates, tuple(values), counted, tuple(map(sum, counted)), (0,) * width, Classes(tuple("abc"[:width]))
    )


@st.composite
def classified(draw: st.DrawFn, d: int = 2, most: int = 7, classes: int = 2) -> Points:
    """Points of few classes; a point may have rows of several."""
    values = draw(clouds(d, most))
    row = st.lists(st.integers(0, 2), min_size=classes, max_size=classes).filter(any)
    return points_with(values, draw(st.lists(row, min_size=len(values), max_size=len(values))))


@st.composite
def measured(draw: st.DrawFn, d: int = 2, most: int = 6) -> Points:
    """Points with a number each, some of them of a larger weight."""
    values = draw(clouds(d, most))
    numbers = draw(st.lists(st.integers(0, 4), min_size=len(values), max_size=len(values)))
    weight: st.SearchStrategy[Rational] = st.sampled_from([1, 2, Fraction(1, 3)])
    weights = draw(st.lists(weight, min_size=len(values), max_size=len(values)))
    rows = tuple((w, w * y, w * y * y) for y, w in zip(numbers, weights, strict=True))
    coordinates = tuple(Coordinate(name) for name in NAMES[:d])
    return Points(coordinates, tuple(values), rows, tuple(weights), (0, 0, 0), Moments())


def scores_along(judge: SideScores, v: list[Any], step: list[Any]) -> list[Any]:
    """The score at a δ between each two at which a point changes sides, and beyond them."""
    turns = sorted({Fraction(height) / slope for height, slope in zip(v, step, strict=True) if slope})
    deltas = [t - 1 for t in turns[:1]] + [(t + u) / 2 for t, u in pairwise(turns)] + [t + 1 for t in turns[-1:]]
    sides = [
        sum(1 << j for j, (height, slope) in enumerate(zip(v, step, strict=True)) if height - delta * slope <= 0)
        for delta in deltas
    ]
    return [score for side in sides if (score := judge.score(side)) is not None]
