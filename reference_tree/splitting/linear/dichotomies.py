r"""Linear dichotomies: all divisions of points in two by a hyperplane.

There are infinitely many hyperplanes, and only finitely many divisions of n points by one: of n points in general
position in d dimensions

$$\sum_{k=0}^{d} \binom{n-1}{k} = O(n^d),$$

the one that divides nothing among them. For d = 1 these are the cuts between neighbours.

Any hyperplane that divides the points can be moved, without passing any of them, until it rests on as many as fix it: d
of them in d dimensions. So it is enough to look at the hyperplanes through d points:

1. The points off the hyperplane are divided by it.
2. Those on it can be divided by tilting it a little, as each hyperplane *of the hyperplane* divides them: the same
   problem in one dimension less. Of three points on a line the middle one is never alone.

All of this takes place in the affine hull of the points, for in more coordinates than the hull has dimensions no number
of points fixes a hyperplane. With O(n) steps for each of the O(n^d) hyperplanes, it takes O(n^(d+1)) steps in all;
beyond `LIMIT` it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from operator import mul
from typing import TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.linear.algebra import Integers, flattened, integral, null_vector

Side: TypeAlias = int
"""A set of points: bit i is set if it has point i."""

LIMIT = 3_000_000
"""The most `steps` that an enumeration may need: some seconds. That is n = 182 points in the plane, 65 in space, 38 in
four dimensions, 22 in five, 16 in six."""


def dichotomies(points: Sequence[Sequence[Rational]]) -> tuple[Side, ...]:
    r"""Every division of points by a hyperplane.

    $$\{\, i : w \cdot x_i \leq t \,\} \qquad w \in \mathbb{R}^d,\; t \in \mathbb{R}$$

    Args:
        points: distinct, all of the same length.

    Returns:
        The side without the last point, for each division into two sides that are not empty; in ascending order. So
        points in ascending order on a line are divided at ascending places.

    Raises:
        InputError: it would take more than `LIMIT` steps.

    Example:
        >>> [f"{side:03b}" for side in dichotomies([(0, 0), (1, 1), (2, 2)])]       # on a line: never the middle one
        ['001', '011']
        >>> [f"{side:03b}" for side in dichotomies([(0, 0), (1, 1), (2, 0)])]
        ['001', '010', '011']

    Source:
        [N2 §5], [Breiman1984 §5.2]
    """
    if len(points) < 2:
        return ()
    flat = flattened(integral(points))
    _check_size(len(flat), len(flat[0]))
    last = 1 << (len(points) - 1)
    return tuple(sorted(side for side in _sides(flat) if side and not side & last))


def steps(n: int, d: int) -> int:
    """How many steps n points in d dimensions take, about: n for each hyperplane or dichotomy, whichever are more.

    From five dimensions on each further one counts four times: the points that fix a hyperplane are divided in 2^d ways
    themselves, and points in a grid, such as categories make, rest on many hyperplanes, and many on each.

    Example:
        >>> steps(17, 2), steps(182, 2) <= LIMIT < steps(183, 2)
        (2329, True)
    """
    if n == d + 1:  # a simplex: every set of its corners
        return n << d
    return n * max(comb(n, d), sum(comb(n - 1, k) for k in range(d + 1))) << 2 * max(0, d - 4)


def _check_size(n: int, d: int) -> None:
    if steps(n, d) > LIMIT:
        raise InputError(
            f"{n} different points in {d} dimensions can be divided in too many ways to try all of them; "
            "name fewer attributes, or search with cart-lc, oc1 or lda"
        )


def _sides(points: Sequence[Integers]) -> set[Side]:
    """Every side of every dichotomy, the empty one and the full one among them.

    Args:
        points: distinct points whose affine hull has as many dimensions as they have coordinates.
    """
    # Proof that all are found. Let a hyperplane divide the points into A and B. Of the affine functions f on the hull,
    # a space of d + 1 dimensions, those with f ≤ 0 on A and f ≥ 0 on B form a cone. It contains no line, as the points
    # span the hull, so it is made of its extreme rays. An extreme ray is fixed by d independent equations f(x) = 0:
    # its hyperplane goes through d affinely independent points, and every point off it is on its own side. (There f is
    # not constant, for it is 0 somewhere and not everywhere.) The points on it are divided by the hyperplane we began
    # with, so theirs is one of the dichotomies of the points on it.
    # And all that is found is a dichotomy: let f be 0 on the hyperplane and g divide the points on it. Then f + ε·g,
    # with a small ε > 0, divides those as g does and the others as f does.
    n, d = len(points), len(points[0])
    if n == d + 1:  # a simplex: any set of its corners can be cut off
        return set(range(1 << n))
    everyone = (1 << n) - 1
    found = {0, everyone}
    for below, on in _hyperplanes(points, d):
        for side in _sides_within(points, on):
            found |= {below | side, everyone ^ (below | side)}
    return found


def _hyperplanes(points: Sequence[Integers], d: int) -> Iterator[tuple[Side, Side]]:
    """Each hyperplane through d independent points, once: the points below it, and those on it."""
    extended = [(*point, 1) for point in points]
    seen: set[Side] = set()
    for corners in combinations(extended, d):
        f = null_vector(corners)
        if f is None:
            continue
        below, on = _position(extended, f)
        if on not in seen:
            seen.add(on)
            yield below, on


def _position(extended: Sequence[Integers], f: Integers) -> tuple[Side, Side]:
    below, on = 0, 0
    bit = 1
    for point in extended:
        height = sum(map(mul, f, point))
        if height < 0:
            below |= bit
        elif not height:
            on |= bit
        bit <<= 1
    return below, on


def _sides_within(points: Sequence[Integers], on: Side) -> Iterator[Side]:
    """Every side of every dichotomy of the points on a hyperplane, as sets of all the points."""
    places = [place for place in range(len(points)) if on >> place & 1]
    if len(places) == len(points[0]):  # d corners of the hyperplane, and nothing more: a simplex again
        sides = [0]
        for place in places:
            sides += [side | 1 << place for side in sides]
        yield from sides
        return
    for side in _sides(flattened([points[place] for place in places])):
        yield sum(1 << place for bit, place in enumerate(places) if side >> bit & 1)
