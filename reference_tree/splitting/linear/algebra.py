r"""Linear algebra on exact numbers, as far as the geometry of linear tests needs it.

1. `reduced` brings integer rows to reduced echelon form by Gauss-Jordan elimination. Rows are multiplied crosswise
   instead of divided, and then divided by their common factor, so that all numbers stay integers.
2. `null_vector` is the direction that is orthogonal to some rows, where there is only one.
3. `solve` solves as many equations as unknowns.
4. `integral` and `flattened` make coordinates whole, and leave out those that depend on others: the *affine hull* of
   points in d coordinates can have a smaller dimension, as that of one-hot columns has, whose sum is always 1.
5. `coprime` is the one form of a direction: coprime integers, the first that is not 0 being positive.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from reference_tree.exact.rationals import Rational, simplest

Integers: TypeAlias = tuple[int, ...]
"""A vector of integers."""


def dot(a: Sequence[Rational], b: Sequence[Rational]) -> Rational:
    """The scalar product.

    Example:
        >>> dot((2, 3), (4, -1))
        5
    """
    return sum(x * y for x, y in zip(a, b, strict=True))


def reduced(matrix: Sequence[Sequence[int]]) -> tuple[list[list[int]], list[int]]:
    """The reduced echelon form: in a column with a pivot all other entries are 0.

    Args:
        matrix: rows of integers.

    Returns:
        The rows that are not 0, each without common factor, and the column of the pivot of each.

    Example:
        >>> reduced([[2, 4, 2], [1, 2, 3], [3, 6, 5]])
        ([[1, 2, 0], [0, 0, 1]], [0, 2])
    """
    rows = [list(row) for row in matrix]
    pivots: list[int] = []
    for column in range(len(rows[0]) if rows else 0):
        rank = len(pivots)
        # Any pivot that is not 0 will do: the numbers are exact, and none is small by rounding.
        place = next((place for place in range(rank, len(rows)) if rows[place][column]), None)
        if place is None:
            continue
        rows[rank], rows[place] = rows[place], rows[rank]
        pivot = rows[rank] = _without_factor(rows[rank], column)
        for other, row in enumerate(rows):
            if other != rank and row[column]:
                # Crosswise, so that integers stay integers; the common factor goes at once, or the numbers would double
                # their length with each pivot.
                p, f = pivot[column], row[column]
                rows[other] = _without_factor([p * x - f * y for x, y in zip(row, pivot, strict=True)])
        pivots.append(column)
    return rows[: len(pivots)], pivots


def _without_factor(row: list[int], positive: int | None = None) -> list[int]:
    common = gcd(*row) or 1
    if positive is not None and row[positive] < 0:
        common = -common
    return [x // common for x in row] if common != 1 else row


def null_vector(matrix: Sequence[Sequence[int]]) -> Integers | None:
    """A vector that is orthogonal to all rows, which have one more entry than there are rows.

    Args:
        matrix: r rows of r + 1 integers.

    Returns:
        A vector of integers; it is unique up to its length. None if the rows are dependent, for then there are several.

    Example:
        >>> null_vector([[1, 0, 1], [0, 2, 1]]), null_vector([[1, 2, 3], [2, 4, 6]])
        ((-2, -1, 2), None)
    """
    rows, pivots = reduced(matrix)
    # The rows are dependent: more than one direction is orthogonal to them.
    if len(pivots) < len(matrix):
        return None
    # With the free entry set to the common multiple m of the pivots, each row gives the entry at its own pivot.
    free = next(column for column in range(len(pivots) + 1) if column not in pivots)
    m = lcm(*(row[pivot] for row, pivot in zip(rows, pivots, strict=True)))
    entries = {pivot: -row[free] * (m // row[pivot]) for row, pivot in zip(rows, pivots, strict=True)}
    return tuple(entries.get(column, m) for column in range(len(pivots) + 1))


def solve(matrix: Sequence[Sequence[Rational]], right: Sequence[Rational]) -> tuple[Rational, ...]:
    """The solution of as many equations as unknowns.

    Raises:
        ValueError: the equations are dependent.

    Example:
        >>> solve([[2, 1], [1, 3]], [3, Fraction(13, 2)])
        (Fraction(1, 2), 2)
    """
    rows, pivots = reduced([_whole([*row, value]) for row, value in zip(matrix, right, strict=True)])
    if pivots != list(range(len(matrix))):
        raise ValueError("the equations have no solution, or several")
    return tuple(simplest(Fraction(row[-1], row[pivot])) for row, pivot in zip(rows, pivots, strict=True))


def _whole(row: Sequence[Rational]) -> list[int]:
    common = lcm(*(value.denominator for value in row))
    return [int(value * common) for value in row]


def coprime(direction: Sequence[Rational]) -> Integers:
    """The one form of a direction and its opposite: coprime integers, the first that is not 0 being positive.

    Example:
        >>> coprime([0, Fraction(-1, 2), Fraction(1, 3)])
        (0, 3, -2)
    """
    whole = _whole(direction)
    first = next((place for place, value in enumerate(whole) if value), None)
    return tuple(_without_factor(whole, first))


def integral(points: Sequence[Sequence[Rational]]) -> list[Integers]:
    """The points with each coordinate multiplied by its common denominator; hyperplanes divide them just as before.

    Example:
        >>> integral([(Fraction(1, 2), 1), (Fraction(1, 3), 2)])
        [(3, 1), (2, 2)]
    """
    return list(zip(*(_whole(column) for column in zip(*points, strict=True)), strict=True))


def flattened(points: Sequence[Integers]) -> list[Integers]:
    """The points in as many coordinates as their affine hull has dimensions: the others depend on these.

    Args:
        points: at least one.

    Returns:
        The same points with the first coordinates that are independent on them. The projection is one to one on the
        hull and keeps lines straight, so hyperplanes divide the points just as before.

    Example:
        >>> flattened([(0, 1, 5), (1, 0, 5), (2, -1, 5)])       # on a line
        [(0,), (1,), (2,)]
    """
    kept = independent(points)
    return [tuple(point[column] for column in kept) for point in points]


def independent(points: Sequence[Sequence[Rational]]) -> list[int]:
    """The places of the first coordinates that are independent on the affine hull of some points.

    Example:
        >>> independent([(0, 1, 5), (1, 0, 5), (0, 3, 5)])      # the third is always the same
        [0, 1]
    """
    # Differences from one point span the directions of the hull, so that independent columns of these are coordinates
    # of it.
    first = points[0]
    _, kept = reduced([_whole([x - y for x, y in zip(point, first, strict=True)]) for point in points])
    return kept
