r"""Line search: the best of all hyperplanes on a straight path.

Every heuristic here turns a hyperplane along one parameter α. On the path, the height of a point above it is a linear
function of α,

$$h_j(\alpha) = v_j + \alpha\, s_j,$$

so each point changes sides at most once, at α = -v_j/s_j. Between two neighbouring such places nothing happens, and n
points divide the path into at most n + 1 *intervals*: a continuous attribute -v_j/s_j that is cut in two.

1. `intervals` finds them, each with the side of the points below the hyperplane, h ≤ 0.
2. `best_along` are the planes of the best ones, and `best_cut` is the best that asks for one coordinate only.
3. `simplest_between` is the number that stands for an interval: the fraction with the smallest denominator. Programs
   in floating point take the middle. If middles are taken again and again, they need more and more digits; the simplest
   fraction does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from math import floor
from operator import attrgetter, itemgetter
from typing import NamedTuple, TypeAlias

from reference_tree.data.points import Vector
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.splitting.linear.algebra import dot
from reference_tree.splitting.linear.dichotomies import Side
from reference_tree.splitting.linear.side_scores import SideScores

Plane: TypeAlias = tuple[Rational, ...]
"""The coefficients of a hyperplane, the constant a_0 last: a point is below it if a_1·x_1 + ... + a_d·x_d + a_0 ≤ 0."""


class ParameterInterval(NamedTuple):
    """An open interval of the parameter on which no point changes sides."""

    low: Rational | None
    """Where it begins; none: it has no beginning."""
    high: Rational | None
    """Where it ends; none: it has no end."""
    side: Side
    """The points at most on the hyperplane, h ≤ 0."""


class ScoredPlane(NamedTuple):
    """A plane with the side that it makes, and its score."""

    plane: Plane
    side: Side
    """The points at most on it."""
    score: Number


def intervals(values: Sequence[Rational], slopes: Sequence[Rational]) -> Iterator[ParameterInterval]:
    """The intervals of a path, ascending.

    Args:
        values: v_j, the height of each point where α = 0.
        slopes: s_j, by how much it rises with α.

    Example:
        >>> for interval in intervals([1, -2, 0], [1, 1, 0]):
        ...     print(interval.low, interval.high, f"{interval.side:03b}")
        None -1 111
        -1 2 110
        2 None 100

    Source:
        [Breiman1984 §5.2], [MurthyKasifSalzberg1994 §3]
    """
    # Far to the left a point is below if it rises with α. One that never moves is below if it is so now.
    side = sum(1 << j for j, (v, s) in enumerate(zip(values, slopes, strict=True)) if s > 0 or (not s and v <= 0))
    turns = sorted((-Fraction(v) / s, j) for j, (v, s) in enumerate(zip(values, slopes, strict=True)) if s)
    low: Rational | None = None
    # All points that change sides at one place change together: between them there is no interval.
    for place, group in groupby(turns, key=itemgetter(0)):
        yield ParameterInterval(low, simplest(place), side)
        low = simplest(place)
        for _, j in group:
            side ^= 1 << j
    yield ParameterInterval(low, None, side)


def extended(points: Iterable[Vector]) -> list[Vector]:
    """The points with a last coordinate of 1, which is weighed by the constant of a plane."""
    return [(*point, 1) for point in points]


def best_along(scores: SideScores, points: Sequence[Vector], plane: Plane, turn: Plane) -> list[ScoredPlane]:
    """The best planes among plane + α·turn.

    Args:
        scores: the scores of sides.
        points: extended by a 1.
        plane: the beginning of the path, α = 0.
        turn: the plane that is added along it.

    Returns:
        Those of the intervals of largest score, α ascending; none if all are barred.

    Source:
        [Breiman1984 §5.2], [MurthyKasifSalzberg1994 §3]
    """
    stretches = list(intervals([dot(plane, point) for point in points], [dot(turn, point) for point in points]))
    leading = [(stretches[place], score) for place, score in scores.leading([interval.side for interval in stretches])]
    placed = []
    for (low, high, side), reached in leading:
        # Any α of the interval makes the same side; the one with the smallest denominator keeps the coefficients short
        # over many steps.
        alpha = simplest_between(low, high)
        placed.append(ScoredPlane(tuple(a + alpha * b for a, b in zip(plane, turn, strict=True)), side, reached))
    return placed


def best_cut(scores: SideScores, points: Sequence[Vector]) -> ScoredPlane | None:
    """The best plane that asks for one coordinate only; of equals the first coordinate, the lowest threshold."""
    width = len(points[0]) if points else 0
    planes = [cut for place in range(width - 1) for cut in best_along(scores, points, unit(place, width), lower(width))]
    return next(iter(best(planes, attrgetter("score"))), None)


def unit(place: int, width: int) -> Plane:
    """The plane whose one coefficient that is not 0 is 1, at a place.

    Example:
        >>> unit(1, 3)
        (0, 1, 0)
    """
    return tuple(int(place == other) for other in range(width))


def lower(width: int) -> Plane:
    """The turn that only lowers a plane: its parameter is the threshold."""
    return (*(0,) * (width - 1), -1)


def better(current: ScoredPlane, others: Iterable[ScoredPlane]) -> ScoredPlane:
    """The first of the others that is better than the current one, if any is; else the current one."""
    return next((other for other in others if other.score > current.score), current)


def simplest_between(low: Rational | None, high: Rational | None) -> Rational:
    """The number of an open interval that has the smallest denominator, and of these the one closest to 0.

    Example:
        >>> simplest_between(Fraction(3, 10), Fraction(2, 5)), simplest_between(Fraction(-5, 2), Fraction(1, 3))
        (Fraction(1, 3), 0)
        >>> simplest_between(None, -3), simplest_between(Fraction(7, 2), None), simplest_between(2, 3)
        (-4, 4, Fraction(5, 2))
    """
    if (low is None or low < 0) and (high is None or high > 0):
        return 0
    if high is not None and high <= 0:
        return -simplest_between(-high, None if low is None else -low)
    assert low is not None
    # Both ends share the digits of the continued fraction up to where a whole number fits between them.
    digits = []
    while True:
        whole = floor(low) + 1
        if high is None or whole < high:
            found = Fraction(whole)
            break
        digits.append(floor(low))
        low, high = 1 / Fraction(high - digits[-1]), None if low == digits[-1] else 1 / Fraction(low - digits[-1])
    for digit in reversed(digits):
        found = digit + 1 / found
    return simplest(found)
