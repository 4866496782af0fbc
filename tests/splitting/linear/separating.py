"""An oracle for linear dichotomies: every set of points is tried, by eliminating unknowns from inequalities.

Two finite sets A and B are divided by a hyperplane exactly if some w and t have w·a - t ≤ -1 for all a and
w·b - t ≥ 1 for all b: any hyperplane strictly between them can be scaled so. Whether a system of inequalities has a
solution is decided by Fourier-Motzkin elimination on fractions. Nothing of the package is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from hypothesis import strategies as st

Inequality: TypeAlias = tuple[Fraction, ...]
"""c_1·x_1 + ... + c_m·x_m ≤ c_{m+1}."""


def has_solution(system: Sequence[Inequality]) -> bool:
    """Whether some numbers fulfil all inequalities."""
    found = {tuple(map(Fraction, inequality)) for inequality in system}
    while found and len(next(iter(found))) > 1:
        above = [i for i in found if i[0] > 0]
        below = [i for i in found if i[0] < 0]
        rest = {i[1:] for i in found if i[0] == 0}
        for one, other in product(above, below):
            rest.add(_scaled([a / one[0] - b / other[0] for a, b in zip(one[1:], other[1:], strict=True)]))
        found = rest
    return all(bound >= 0 for (bound,) in found)


def _scaled(inequality: Sequence[Fraction]) -> Inequality:
    """Divided by its largest coefficient, so that equal ones are found equal."""
    largest = max(map(abs, inequality)) or Fraction(1)
    return tuple(coefficient / largest for coefficient in inequality)


def separable(a: Sequence[Sequence[Any]], b: Sequence[Sequence[Any]]) -> bool:
    """Whether a hyperplane divides two sets of points."""
    below = [(*point, -1, -1) for point in a]
    above = [(*(-x for x in point), 1, -1) for point in b]
    return has_solution([tuple(map(Fraction, inequality)) for inequality in (*below, *above)])


def all_sides(points: Sequence[Sequence[Any]]) -> list[int]:
    """Every side of a linear dichotomy that is not empty and is without the last point, as a bit mask, ascending."""
    places = range(len(points))

    def parted(mask: int) -> bool:
        inside = [points[i] for i in places if mask >> i & 1]
        return separable(inside, [points[i] for i in places if not mask >> i & 1])

    return [mask for mask in range(1, 1 << (len(points) - 1)) if parted(mask)]


def clouds(
    d: int, most: int, numbers: st.SearchStrategy[Any] | None = None
) -> st.SearchStrategy[list[tuple[Any, ...]]]:
    """A few distinct points with small coordinates, ascending: many of them on common lines and planes."""
    point = st.tuples(*[st.integers(0, 3) if numbers is None else numbers] * d)
    return st.lists(point, min_size=1, max_size=most, unique=True).map(sorted)


Score: TypeAlias = Callable[[Sequence[Sequence[Any]]], Any]


def best_sides(
    points: Sequence[Sequence[Any]], rows: Sequence[Sequence[Any]], score: Score, minimum: Any = 0
) -> set[int]:
    """The sides of largest score, each counted anew; the first cells of a row, or their sum, are its weight."""
    scored = {}
    for mask in all_sides(points):
        inside = [row for i, row in enumerate(rows) if mask >> i & 1]
        outside = [row for i, row in enumerate(rows) if not mask >> i & 1]
        parts = [[sum(column) for column in zip(*part, strict=True)] for part in (inside, outside)]
        if all(sum(part) >= minimum for part in parts):
            scored[mask] = score(parts)
    return {mask for mask, found in scored.items() if found == max(scored.values())}
