r"""The widest margin: which hyperplane stands for a dichotomy.

All hyperplanes that divide points alike are equally good for the sample, as all thresholds in a gap between
two values are. A cut is put in the middle of its gap; in more dimensions the same idea is the hyperplane *furthest from
the points on either side*. There is exactly one, and it depends on no order and no search.

Its direction is that of the shortest path between the convex hulls of the two sides, so it is found as a point of
smallest norm:

1. `shortest_way` is the vector between the hulls, by Philip Wolfe's algorithm of 1976. It ends after finitely many
   steps, and on rational points it needs no rounding at all.
2. `simplest_direction` uses as few coordinates as possible: if one attribute can divide the sides, only that one is
   used.

A margin is a distance, so it is measured in the units of the data: in other units another hyperplane may be the one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.points import Vector
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.splitting.linear.algebra import Integers, coprime, dot, solve

Pair: TypeAlias = tuple[Vector, Rational]
"""A vector between the sides, and its weight in a convex combination."""

MOST_COORDINATES = 10
"""The most coordinates whose subsets are all tried: 1 023 subsets."""


def shortest_way(a: Sequence[Vector], b: Sequence[Vector]) -> Vector:
    r"""The shortest vector from the convex hull of some points to that of others.

    $$\arg\min_z \{\, \lVert z \rVert : z = q - p,\; p \in \mathrm{conv}(A),\; q \in \mathrm{conv}(B) \,\}$$

    Args:
        a: at least one point.
        b: at least one.

    Returns:
        It points from a to b, and is 0 exactly if the hulls have a point in common: if no hyperplane divides a and b.

    Example:
        >>> shortest_way([(0, 0), (2, 0)], [(1, 1), (1, 3)]), shortest_way([(0,), (2,)], [(1,)])
        ((0, 1), (0,))

    Source:
        [HastieTibshiraniFriedman2009 §4.5.2]. Wolfe's algorithm goes through the vectors b_j - a_i, of whose hull this
        is the point of smallest norm.
    """
    # Wolfe's algorithm keeps affinely independent vectors S and their convex combination z. Outer loop: the vector v
    # that reaches least far along z is added to S; if even that one reaches as far as z does, z·v = z·z, then all do,
    # and z is the shortest. Inner loop: go towards the shortest vector y of the affine hull of S; if y lies outside the
    # convex hull, stop at its border and drop what has no weight left there. The norm of z falls with each y that is
    # reached, so no S comes twice, and there are finitely many.
    kept: list[Pair] = [(_minus(b[0], a[0]), 1)]
    z = kept[0][0]
    while True:
        v = _minus(min(b, key=lambda q: dot(z, q)), max(a, key=lambda p: dot(z, p)))
        if dot(z, v) >= dot(z, z):
            return z
        kept.append((v, 0))
        while True:
            # The weights, of sum 1, with which the vectors make the shortest vector of their affine hull. With the
            # multiplier λ of the constraint: Σ_j (v_i·v_j)·μ_j + λ = 0 for each i, and Σ_j μ_j = 1.
            vectors = [vector for vector, _ in kept]
            equations = [[*(dot(v, w) for w in vectors), 1] for v in vectors] + [[1] * len(vectors) + [0]]
            goal = solve(equations, [0] * len(vectors) + [1])[:-1]
            if min(goal) > 0:
                kept = [(vector, weight) for (vector, _), weight in zip(kept, goal, strict=True)]
                break
            kept = _as_far_as(kept, goal)
        vectors, weights = [vector for vector, _ in kept], [weight for _, weight in kept]
        z = tuple(simplest(Fraction(dot(column, weights))) for column in zip(*vectors, strict=True))


def _minus(q: Vector, p: Vector) -> Vector:
    return tuple(x - y for x, y in zip(q, p, strict=True))


def _as_far_as(kept: Sequence[Pair], goal: Vector) -> list[Pair]:
    """The combination where the path to the goal leaves the convex hull; what has no weight there is dropped."""
    step = min(
        Fraction(weight) / (weight - aim)
        for (_, weight), aim in zip(kept, goal, strict=True)
        if aim <= 0 < weight - aim
    )
    moved = [(vector, weight + step * (aim - weight)) for (vector, weight), aim in zip(kept, goal, strict=True)]
    return [(vector, weight) for vector, weight in moved if weight]


def varying_coordinates(points: Sequence[Vector]) -> list[int]:
    """The coordinates that are not the same in all points.

    Raises:
        InputError: there are more than `MOST_COORDINATES` of them, too many for the sets of them to be gone through.

    Example:
        >>> varying_coordinates([(0, 1, 2), (3, 1, 2), (0, 1, 4)])
        [0, 2]
    """
    varying = [place for place, column in enumerate(zip(*points, strict=True)) if len(set(column)) > 1]
    if len(varying) > MOST_COORDINATES:
        raise InputError(
            f"a linear test of {len(varying)} coordinates is too wide for an exhaustive search (at most "
            f"{MOST_COORDINATES}); name fewer attributes, or search with cart-lc, oc1 or lda"
        )
    return varying


def simplest_direction(a: Sequence[Vector], b: Sequence[Vector]) -> Integers:
    """The direction in which two sides are told apart by as few coordinates as possible, with the widest margin.

    Args:
        a: the points of one side.
        b: those of the other.

    Returns:
        A weight for each coordinate: coprime integers, the first that is not 0 positive. The coordinates are those of
        the smallest set that suffices, the first such set in their order.

    Raises:
        InputError: no hyperplane divides them, or there are more than `MOST_COORDINATES` coordinates.

    Example:
        >>> simplest_direction([(0, 0), (1, 5)], [(2, 5), (4, 0)])      # the first coordinate is enough
        (1, 0)
        >>> simplest_direction([(0, 0), (1, 2)], [(1, 1), (2, 2)])
        (2, -1)

    Source:
        [N2 §5], [HastieTibshiraniFriedman2009 §4.5.2]
    """
    width = len(a[0])
    # A coordinate that is the same in all points adds the same to each sum, so any set suffices without it, too.
    varying = varying_coordinates([*a, *b])
    for size in range(1, len(varying) + 1):
        for chosen in combinations(varying, size):
            one, other = ({tuple(x[place] for place in chosen) for x in side} for side in (a, b))
            if one.isdisjoint(other) and any(way := shortest_way(sorted(one), sorted(other))):
                weights = dict(zip(chosen, way, strict=True))
                return coprime([weights.get(place, 0) for place in range(width)])
    raise InputError("the points cannot be divided so by a linear test: the convex hulls of the sides meet")
