"""Questions about a weighted sum: every way to divide points of the plane by a line.

1. `points` are the rows: a coordinate for each number, and one for a category of two values, for the other value is
   one less it. There are one or two of them.
2. Along a direction the points have an order, and each gap between two neighbours divides them. The order changes only
   where a direction is at right angles to the line through two points; so one direction between any two of these is
   enough (`directions`).
3. `sums` are the questions, each division once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from tests.conformance.plain_doubles.planting import planted
from tests.conformance.plain_doubles.rows import NOISE, Data, Weighted, answer

Point = tuple[float, ...]
Weights = Mapping[str, Any]


def coordinates(data: Data) -> list[Weights]:
    """What the points are made of, as sums of one term."""
    found = list[Weights]()
    for name in data.names:
        domain = data.domains[name]
        found.append({name: 1.0} if domain is None else {name: {domain[0]: 1.0}})
    return found


def directions(points: Sequence[Point]) -> Iterator[Point]:
    """A direction for each order of the points."""
    if len(points[0]) == 1:
        yield (1.0,)
        return
    if planted("one-attribute-at-a-time"):
        yield from ((1.0, 0.0), (0.0, 1.0))
        return
    through = {math.atan2(b[1] - a[1], b[0] - a[0]) for a, b in combinations(sorted(set(points)), 2)}
    angles = sorted((angle + math.pi / 2) % math.pi for angle in through)
    between = [(low + high) / 2 for low, high in pairwise([*angles, angles[0] + math.pi])]
    for angle in angles if planted("lines-through-two-points") else between:
        x, y = math.cos(angle), math.sin(angle)
        yield (x, y) if x > 0 else (-x, -y)


def sums(rows: Sequence[Weighted], data: Data) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The questions, each with the conditions of its branches."""
    terms = coordinates(data)
    points = [tuple(float(answer({"kind": "linear", "weights": term}, row) or 0) for term in terms) for row, _ in rows]
    seen = set[frozenset[int]]()
    for direction in directions(points) if len(set(points)) > 1 else ():
        along = [dot(direction, point) for point in points]
        for low, high in pairwise(sorted(along)):
            t = 0.0 if planted("no-threshold") else high if planted("line-on-a-point") else (low + high) / 2
            inside = frozenset(place for place, value in enumerate(along) if value <= t)
            other = frozenset(range(len(points))) - inside
            if high - low < NOISE or inside in seen or other in seen:
                continue
            seen.add(inside)
            unit = 3.0 if planted("sums-in-another-unit") else 1.0
            weights: dict[str, Any] = {}
            for weight, term in zip(direction, terms, strict=True):
                weights |= {name: scaled(one, unit * weight) for name, one in term.items()}
            yield {"kind": "linear", "weights": weights, "threshold": unit * t}, [{"le": unit * t}, {"gt": unit * t}]


def dot(one: Point, other: Point) -> float:
    """Their scalar product."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def scaled(term: Any, by: float) -> Any:
    """A weight of 1, or that of a category, multiplied."""
    return dict.fromkeys(term, by) if isinstance(term, Mapping) else by
