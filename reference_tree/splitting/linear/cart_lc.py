r"""CART-LC: the linear combinations of Breiman, Friedman, Olshen and Stone.

Their search begins with the best cut of a single attribute and changes one coefficient at a time, while that helps:

1. `standardised`: from each coordinate its median is subtracted, and it is divided by its interquartile range. Then one
   and the same step means about as much in each of them.
2. A *cycle* goes through the coordinates. With the current split v ≤ c, it looks for the best split of the form
   v - δ·(x_m + γ) ≤ c, for γ = -1/4, 0 and 1/4 and every δ; then for the best c. Cycles go on while they gain.
3. *Backward deletion*: a coordinate is left out if that costs little, compared with the cost of leaving out the
   one that matters most; its coefficient is set to 0, and c is looked for again.
4. The best cut of a single attribute is taken if the outcome is no better than that.

It is a heuristic: it ends where no single coefficient can be improved, which need not be the best hyperplane.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from reference_tree.data.points import Points, Vector
from reference_tree.data.questions import Coordinate
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting.linear.line_search import (
    Plane,
    ScoredPlane,
    best_along,
    best_cut,
    better,
    extended,
    lower,
    unit,
)
from reference_tree.splitting.linear.side_scores import LinearSplit, Score, SideScores

SHIFTS = (Fraction(-1, 4), 0, Fraction(1, 4))
"""The γ of the search."""

DELETION = Fraction(1, 5)
"""The most that leaving a coordinate out may cost, as a share of the cost of leaving out the most important one."""


def cart_lc(
    points: Points,
    score: Score = information_gain,
    minimum: Rational = 0,
    deletion: Rational | None = DELETION,
) -> LinearSplit | None:
    r"""The split that CART's search for linear combinations ends with.

    $$v - \delta\,(x_m + \gamma) \leq c$$

    Args:
        points: the sample, as points.
        score: the measure of the rows of a partition.
        minimum: the least weight of a side.
        deletion: the share β of backward deletion; 0 leaves out only what can be left out without loss. None: nothing
            is left out.

    Returns:
        A split along the direction that was found; none if no cut of a single coordinate is allowed to start from.

    Example:
        >>> from reference_tree.data.linear_tests import Coordinate
        >>> from reference_tree.data.targets import Classes
        >>> places, rows = ((0, 1), (1, 0), (1, 2), (2, 1)), ((1, 0), (0, 1), (1, 0), (0, 1))
        >>> points = Points((Coordinate("x"), Coordinate("y")), places, rows, (1,) * 4, (0, 0), Classes(("no", "yes")))
        >>> cart_lc(points).test.name
        'x-y<=0'

    Source:
        [Breiman1984 §5.2], [MurthyKasifSalzberg1994 §2]. The book searches in floating point and stops when a cycle
        gains less than a small number; here every number is a fraction, and the search stops when a cycle gains
        nothing. δ and c are the simplest fractions of their interval. The book has one case a row, here equal rows are
        one point of their weight; and it leaves categorical attributes out, which here are coordinates that are 0 or 1.
    """
    taken = [step.split for step in search(points, score, minimum, deletion) if step.taken]
    return taken[-1] if taken else None


class SearchStep(NamedTuple):
    """A step of the search: the best split that it finds."""

    kind: str
    """`cut`: of a single coordinate; `cycle`: a coefficient or c is changed; `without`: a coordinate is left out."""
    coordinate: Coordinate | None
    """Which one is changed or left out; none: a cut is taken, or c is changed."""
    split: LinearSplit
    score: Number
    taken: bool
    """Whether the search goes on from there."""


def search(
    points: Points,
    score: Score = information_gain,
    minimum: Rational = 0,
    deletion: Rational | None = DELETION,
) -> Iterator[SearchStep]:
    """The steps of the search, one after another; the arguments are those of `cart_lc`.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.measures.gini_index import gini_decrease
        >>> from reference_tree.splitting.multivariate_nodes import points_of
        >>> for step in search(points_of(textbook("watermelon-3.0a")), gini_decrease):
        ...     if step.taken:
        ...         print(step.kind, step.split.test.name, float(step.score))
        cut 含糖率<=0.2045 0.21232218377547096
        cycle 328*密度-1143*含糖率<=-11.6785 0.31003460207612454

    Source:
        [Breiman1984 §5.2]
    """
    scores = SideScores(points, score, minimum)
    # The search is in standardised coordinates, for the shifts γ mean the same in each. A direction is taken back by
    # dividing its coefficients by the spreads; the threshold is found again in the coordinates of the table.
    centre, spread = standardised(points)
    scaled = extended(
        tuple(Fraction(x - m) / s for x, m, s in zip(point, centre, spread, strict=True)) for point in points.values
    )

    def step(kind: str, place: int | None, found: ScoredPlane, *, taken: bool = True) -> SearchStep:
        direction = tuple(Fraction(a) / s for a, s in zip(found.plane[:-1], spread, strict=True))
        coordinate = None if place is None else points.coordinates[place]
        return SearchStep(kind, coordinate, scores.split(found.side, direction), found.score, taken)

    cut = best_cut(scores, scaled)
    if cut is None:
        return
    yield step("cut", None, cut)
    current = cut
    for place, found, taken in _climbed(scores, scaled, cut):
        yield step("cycle", place, found, taken=taken)
        current = found if taken else current
    for place, found, taken in () if deletion is None else _shortened(scores, scaled, current, deletion):
        yield step("without", place, found, taken=taken)
        current = found if taken else current
    # Deletion may have given back all that the cycles gained: then the cut of one attribute is the better test, as it
    # is simpler.
    if current is not cut and not current.score > cut.score:
        yield step("cut", None, cut)


def standardised(points: Points) -> tuple[Vector, Vector]:
    """The median of each coordinate, and its interquartile range.

    A quantile is the lowest value up to which at least that share of the weight lies. Where the range is 0, as it often
    is of a coordinate that is 0 or 1, the distance of the extreme values takes its place; where that is 0 too, 1 does.

    Example:
        >>> from reference_tree.data.linear_tests import Coordinate
        >>> from reference_tree.data.targets import Classes
        >>> points = Points((Coordinate("x"),), ((0,), (1,), (5,), (9,)), ((1,),) * 4, (1,) * 4, (0,), Classes(("a",)))
        >>> standardised(points)
        ((1,), (5,))

    Source:
        [Breiman1984 §5.2]
    """
    found = [_centre_and_spread(column, points.weights) for column in zip(*points.values, strict=True)]
    return tuple(centre for centre, _ in found), tuple(spread for _, spread in found)


def _centre_and_spread(column: Sequence[Rational], weights: Sequence[Rational]) -> tuple[Rational, Rational]:
    ordered = sorted(zip(column, weights, strict=True))
    cumulated = list(accumulate(weight for _, weight in ordered))

    def quantile(share: Fraction) -> Rational:
        return next(x for (x, _), below in zip(ordered, cumulated, strict=True) if below >= share * cumulated[-1])

    lower_quartile, median, upper_quartile = (quantile(Fraction(i, 4)) for i in (1, 2, 3))
    return median, upper_quartile - lower_quartile or ordered[-1][0] - ordered[0][0] or 1


_Tried: TypeAlias = tuple[int | None, ScoredPlane, bool]
"""Which coordinate is changed, or c; the best split that is found; and whether it is taken."""


def _climbed(scores: SideScores, points: Sequence[Vector], current: ScoredPlane) -> Iterator[_Tried]:
    """Cycles through the coordinates, and c, until one of them gains nothing."""
    width, before = len(points[0]), None
    while before is None or current.score > before:
        before = current.score
        # The score never falls, and a cycle without a gain ends the search. There are finitely many sides, so it ends.
        for place in (*range(width - 1), None):
            # What a plane is turned by is a plane, too: x_m + γ, or 1 alone, which moves the threshold.
            turns = [lower(width)] if place is None else [(*unit(place, width)[:-1], shift) for shift in SHIFTS]
            placed = [one for turn in turns for one in best_along(scores, points, current.plane, turn)]
            for found in best(placed, attrgetter("score"))[:1]:
                yield place, found, found.score > current.score
                current = better(current, [found])


def _shortened(
    scores: SideScores, points: Sequence[Vector], current: ScoredPlane, deletion: Rational
) -> Iterator[_Tried]:
    """Backward deletion: coordinates left out one by one, while the cheapest costs at most its share of the dearest."""
    while True:
        # An unused coordinate costs nothing to leave out, and would always be the cheapest.
        used = [place for place, weight in enumerate(current.plane[:-1]) if weight]
        shorter = [(place, found) for place in used for found in _without(scores, points, current.plane, place)]
        if len(used) < 2 or not shorter:
            return
        cheapest, *_ = best([found for _, found in shorter], attrgetter("score"))
        dearest = min(found.score for _, found in shorter)
        is_cheap = current.score - cheapest.score <= deletion * (current.score - dearest)
        for place, found in sorted(shorter, key=lambda one: one[1] is cheapest):  # what may be taken comes last
            yield place, found, is_cheap and found is cheapest
        if not is_cheap:
            return
        current = cheapest


def _without(scores: SideScores, points: Sequence[Vector], plane: Plane, place: int) -> list[ScoredPlane]:
    """The best plane with one coefficient set to 0 and the others as they are, if it divides anything."""
    shorter = (*plane[:place], 0, *plane[place + 1 :])
    return best_along(scores, points, shorter, lower(len(plane)))[:1]
