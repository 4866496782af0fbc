r"""OC1: hill climbing with random jumps and restarts, by Murthy, Kasif and Salzberg.

A search that changes one coefficient at a time gets stuck where no single coefficient helps. OC1 gets away from there
by chance, twice:

1. `_climbed`: the coefficients, the constant among them, are perturbed in sequence. With the others fixed, the best
   value of one is found exactly (a line search). If it is better, it is taken; if it is only *equally* good, it is
   taken with a probability that begins at 1 and falls by a tenth each time, so that the search crosses a plateau, but
   not for ever. This goes on while a round of all coefficients gains.
2. Then up to `jumps` times a direction is drawn, and the best place along it is looked for. As soon as that gains, the
   search goes back to 1.
3. All of it is done `restarts` times: first from the best cut of a single attribute, then from hyperplanes that are
   drawn. The best outcome is kept.

Draws come from a generator that is passed in, so a search can be repeated. They are integers: a coefficient is drawn
from -1, -0.999, ..., 0.999, 1, on coordinates that are brought to the range from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from reference_tree.data.points import Points, Vector
from reference_tree.exact.rationals import Rational
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting.linear.algebra import dot
from reference_tree.splitting.linear.line_search import Plane, ScoredPlane, best_along, best_cut, better, extended, unit
from reference_tree.splitting.linear.side_scores import LinearSplit, Score, SideScores

RESTARTS = 20
"""How often the search is run: once from the best cut, then from hyperplanes that are drawn. The paper's default."""

JUMPS = 5
"""How many directions are drawn before the search gives up. The paper's default."""

GRAIN = 1000
"""A coefficient is drawn from the multiples of 1/GRAIN between -1 and 1."""

MOVES = 10
"""The probability of a move that gains nothing is 1, then 1 - 1/MOVES, and so on down to 0."""


class DrawGenerator(Protocol):
    """A generator of draws, such as `reference_tree.chance.Chance`."""

    def below(self, n: int, /) -> int:
        """One of 0, ..., n - 1, each as likely as the others."""


def oc1(
    points: Points,
    chance: DrawGenerator,
    score: Score = information_gain,
    minimum: Rational = 0,
    restarts: int = RESTARTS,
    jumps: int = JUMPS,
) -> LinearSplit | None:
    """The split that OC1's search ends with.

    Args:
        points: the sample, as points.
        chance: where its draws come from; none are made that are not needed.
        score: the measure of the rows of a partition.
        minimum: the least weight of a side.
        restarts: how often it is run, the first time from the best cut.
        jumps: how many directions are tried where no coefficient helps.

    Returns:
        A split along the direction that was found, never worse than the best cut; none if neither a cut nor a line that
        was drawn divides the points into sides of the least weight.

    Example:
        >>> from reference_tree.chance import Chance
        >>> from reference_tree.data.linear_tests import Coordinate
        >>> from reference_tree.data.targets import Classes
        >>> places, rows = ((0, 1), (1, 0), (1, 2), (2, 1)), ((1, 0), (0, 1), (1, 0), (0, 1))
        >>> points = Points((Coordinate("x"), Coordinate("y")), places, rows, (1,) * 4, (0, 0), Classes(("no", "yes")))
        >>> oc1(points, Chance(1)).test.name
        '1151*x-1580*y<=-429'

    Source:
        [MurthyKasifSalzberg1994 §3]. The paper takes the middle between two neighbouring values of a coefficient, in
        floating point; here it is the simplest fraction between them. In the paper a point that has 0 where a
        coefficient is perturbed has no such value, for it would be divided by 0; here it stays where it is. Where a
        node has fewer rows than twice its coordinates, their program does not look beyond single attributes unless it
        is told to; this search does.
    """
    scores = SideScores(points, score, minimum)
    # Every coordinate is scaled to run from 0 to 1; one that does not vary stays as it is.
    columns = list(zip(*points.values, strict=True))
    low, spread = tuple(map(min, columns)), tuple(max(column) - min(column) or 1 for column in columns)
    scaled = extended(
        tuple(Fraction(x - a) / s for x, a, s in zip(point, low, spread, strict=True)) for point in points.values
    )
    found: ScoredPlane | None = None
    for run in range(max(restarts, 1) if len(points.values) > 1 else 0):
        # The first run starts from the best cut, so that the result is never worse than a test of one attribute.
        start = _drawn(scores, scaled, chance) if run else best_cut(scores, scaled)
        if start is not None:
            reached = _searched(scores, scaled, start, chance, jumps)
            found = better(found, [reached]) if found else reached
    if found is None:
        return None
    return scores.split(found.side, tuple(Fraction(a) / s for a, s in zip(found.plane[:-1], spread, strict=True)))


def _drawn(scores: SideScores, points: Sequence[Vector], chance: DrawGenerator) -> ScoredPlane | None:
    """A hyperplane that is drawn, moved in parallel to where it divides best; none if it cannot divide anything."""
    plane = _direction(len(points[0]), chance)
    side = sum(1 << place for place, point in enumerate(points) if dot(plane, point) <= 0)
    if (score := scores.score(side)) is not None:
        return ScoredPlane(plane, side, score)
    return next(iter(best_along(scores, points, plane, unit(len(plane) - 1, len(plane)))), None)


def _direction(width: int, chance: DrawGenerator) -> Plane:
    return tuple(Fraction(chance.below(2 * GRAIN + 1) - GRAIN, GRAIN) for _ in range(width))


def _searched(
    scores: SideScores, points: Sequence[Vector], start: ScoredPlane, chance: DrawGenerator, jumps: int
) -> ScoredPlane:
    """Climbing, and jumping where that ends, until no jump helps."""
    current = _climbed(scores, points, start, chance)
    tries = jumps
    while tries:
        # A jump that helps gives the search all its tries back: it ends after `jumps` failures in a row.
        tries -= 1
        turn = _direction(len(current.plane), chance)
        jumped = better(current, best_along(scores, points, current.plane, turn))
        if jumped is not current:
            current, tries = _climbed(scores, points, jumped, chance), jumps
    return current


def _climbed(scores: SideScores, points: Sequence[Vector], start: ScoredPlane, chance: DrawGenerator) -> ScoredPlane:
    """Rounds through the coefficients, until one of them gains nothing."""
    # Each sideways move makes the next one rarer, and after ten there is none until a gain: a plateau is left at last.
    current, before, moves = start, None, MOVES
    while before is None or current.score > before:
        before = current.score
        for place in range(len(current.plane)):
            # The best value of one coefficient; of equally good ones the lowest that changes anything.
            found = best_along(scores, points, current.plane, unit(place, len(current.plane)))
            perturbed = next((one for one in found if one.side != current.side), current)
            if perturbed.score > current.score:
                current, moves = perturbed, MOVES
            elif perturbed.side != current.side and chance.below(MOVES) < moves:
                current, moves = perturbed, moves - 1
    return current
