r"""The linear discriminant: the direction in which least squares tell the classes apart.

Instead of being searched for, a direction can be computed. Give each row the number z = 1 if it is of a class and 0 if
not, and fit a linear function of the coordinates to z by least squares:

$$\min_{w, w_0} \sum_x \left( w \cdot x + w_0 - z(x) \right)^2.$$

For two classes w is the direction of Fisher's linear discriminant. The threshold is then found as for any attribute, by
the measure of the tree:

1. `least_squares` is the direction for one target z.
2. `directions` has one for each class (for two classes they are opposite, so there is only one), or the one of the
   regression on a numeric target.
3. `linear_discriminant` cuts along each of them and takes the best.

The sum of squares looks at all points, those far from the border most of all, and knows nothing of the measure: the cut
can be far from the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import attrgetter

from reference_tree.data.points import Points, Vector
from reference_tree.data.targets import Moments, Values
from reference_tree.exact.choosing import best
from reference_tree.exact.rationals import Rational
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting.linear.algebra import Integers, coprime, dot, independent, solve
from reference_tree.splitting.linear.line_search import best_along, extended, lower
from reference_tree.splitting.linear.side_scores import LinearSplit, Score, SideScores


def least_squares(values: Sequence[Vector], weights: Sequence[Rational], sums: Sequence[Rational]) -> Vector:
    r"""The coefficients of the linear function that fits best.

    $$\Big( \sum_j n_j\, (x_j - \bar x)(x_j - \bar x)^\top \Big)\, w = \sum_j n_j\, (x_j - \bar x)(z_j - \bar z)$$

    Args:
        values: the points x_j.
        weights: the weight n_j of each.
        sums: n_j·z_j: the sum of the target over the rows of each.

    Returns:
        w, one coefficient for each coordinate. A coordinate that depends on those before it has 0.

    Example:
        >>> least_squares([(0, 0), (1, 1), (2, 5), (3, 2)], [1, 1, 1, 1], [1, 2, 0, 5])       # z = 2·x_1 - x_2 + 1
        (2, -1)

    Source:
        [Fisher1936], [Zhou2016 §3.4], [HastieTibshiraniFriedman2009 §4.3]
    """
    n = sum(weights)
    # Dependent coordinates make the equations singular. They add nothing to a linear function on the hull, and get the
    # coefficient 0.
    kept = independent(values)
    mean = [Fraction(dot(column, weights)) / n for column in zip(*values, strict=True)]
    centred = [[point[place] - mean[place] for place in kept] for point in values]
    # Centred, so that the constant drops out of the equations; a threshold is searched for afterwards anyway.
    scatter = [
        [sum(w * x[i] * x[j] for w, x in zip(weights, centred, strict=True)) for j in range(len(kept))]
        for i in range(len(kept))
    ]
    right = [sum(s * x[i] for s, x in zip(sums, centred, strict=True)) for i in range(len(kept))]
    coefficients = dict(zip(kept, solve(scatter, right), strict=True))
    return tuple(coefficients.get(place, 0) for place in range(len(mean)))


def directions(points: Points) -> list[Integers]:
    """The directions of the discriminant, each once; none where it would be 0.

    Source:
        [Fisher1936], [Zhou2016 §3.4]. For K > 2 classes there are K directions, one for each class against the rest;
        for a numeric target there is the one of its regression.
    """
    # The two classes of a sample have opposite directions, which `coprime` makes one.
    found = (coprime(least_squares(points.values, points.weights, sums)) for sums in _sums_to_fit(points))
    return [direction for direction in dict.fromkeys(found) if any(direction)]


def _sums_to_fit(points: Points) -> list[tuple[Rational, ...]]:
    """Σz over the rows of each point, for each target z that a function is fitted to."""
    columns = list(zip(*points.rows, strict=True))
    if isinstance(points.target, Moments):
        return columns[1:2]
    if isinstance(points.target, Values):
        return [tuple(dot(points.target.numbers, row) for row in points.rows)]
    return columns


def linear_discriminant(points: Points, score: Score = information_gain, minimum: Rational = 0) -> LinearSplit | None:
    """The best cut along a direction of the discriminant.

    Args:
        points: the sample, as points.
        score: the measure of the rows of a partition.
        minimum: the least weight of a side.

    Returns:
        The split; of equals the first direction and the lowest threshold. None if there is no direction, as for equal
        means, or no cut along it is allowed.

    Example:
        >>> from reference_tree.data.linear_tests import Coordinate
        >>> from reference_tree.data.targets import Classes
        >>> places, rows = ((0, 1), (1, 0), (1, 2), (2, 1)), ((1, 0), (0, 1), (1, 0), (0, 1))
        >>> points = Points((Coordinate("x"), Coordinate("y")), places, rows, (1,) * 4, (0, 0), Classes(("no", "yes")))
        >>> linear_discriminant(points).test.name
        'x-y<=0'

    Source:
        [N2 §5], [Zhou2016 §3.4], [LohShih1997]
    """
    if len(points.values) < 2:
        return None
    scores, places = SideScores(points, score, minimum), extended(points.values)
    planes = [
        placed
        for direction in directions(points)
        for placed in best_along(scores, places, (*direction, 0), lower(len(direction) + 1))
    ]
    chosen = next(iter(best(planes, attrgetter("score"))), None)
    return None if chosen is None else scores.split(chosen.side, chosen.plane[:-1])
