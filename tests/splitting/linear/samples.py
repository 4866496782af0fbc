"""Small samples of points, with classes or numbers, on which searches are tried."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import count, pairwise
from math import ceil, floor
from typing import Any, NamedTuple

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


# The line search once more, over planes as lists of fractions: what is tried is a plane in each interval of the way.


class Tried(NamedTuple):
    """A plane, a_1, ..., a_d, a_0, with the points at most on it and their score."""

    plane: list[Fraction]
    side: int
    score: Any


def tried(judge: SideScores, places: Sequence[Any], plane: Sequence[Any]) -> Tried | None:
    """A plane as it divides the points, with a last coordinate of 1 each; none if it does not."""
    heights = [sum(a * x for a, x in zip(plane, place, strict=True)) for place in places]
    side = sum(2**j for j, height in enumerate(heights) if height <= 0)
    score = judge.score(side)
    return None if score is None else Tried([Fraction(a) for a in plane], side, score)


def best_on_the_way(judge: SideScores, places: Sequence[Any], plane: Sequence[Any], turn: Sequence[Any]) -> list[Tried]:
    """The best of all plane + α·turn, α ascending; of each interval its simplest fraction."""
    v, s = ([sum(a * x for a, x in zip(each, place, strict=True)) for place in places] for each in (plane, turn))
    ends = [None, *sorted({-Fraction(height) / slope for height, slope in zip(v, s, strict=True) if slope}), None]
    alphas = [simplest(low, high) for low, high in pairwise(ends)]
    found = [tried(judge, places, [a + alpha * b for a, b in zip(plane, turn, strict=True)]) for alpha in alphas]
    return best_of([one for one in found if one is not None])


def best_of(found: Sequence[Tried]) -> list[Tried]:
    """Those of the largest score, in their order."""
    return [one for one in found if not any(other.score > one.score for other in found)]


def best_of_one_coordinate(judge: SideScores, places: Sequence[Any]) -> Tried | None:
    """The best plane a_m = 1 with any constant; of equals the first coordinate and the lowest threshold."""
    width = len(places[0])
    downward = [0] * (width - 1) + [-1]
    axes = [[int(m == other) for other in range(width)] for m in range(width - 1)]
    found = best_of([one for axis in axes for one in best_on_the_way(judge, places, axis, downward)])
    return found[0] if found else None


def simplest(low: Fraction | None, high: Fraction | None) -> Fraction:
    """Denominator by denominator, the number nearest to 0 between the two."""
    for q in count(1):
        n = 0
        if low is not None and low >= 0:
            n = floor(low * q) + 1
        elif high is not None and high <= 0:
            n = ceil(high * q) - 1
        if (low is None or low < Fraction(n, q)) and (high is None or Fraction(n, q) < high):
            return Fraction(n, q)
    raise AssertionError
