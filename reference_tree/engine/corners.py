"""Corners: the sets of values that a plane separates, and the best of them, found with integers.

1. `corners` ends the textbook's recursion one dimension earlier: in the plane, a line that turns about 0 meets the
   vectors in the order of their angles, and each time one of them changes its side.
2. `best_sets` scores sets by integers, from the sums of all sets of eight values at a time, and keeps the best.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from operator import add, mul, sub

from reference_tree.engine.terms import n_log_n
from reference_tree.splitting import corner_subsets
from reference_tree.splitting.corner_subsets import Vector, lines_of, projected
from reference_tree.twins import fast_form_of


@fast_form_of(corner_subsets.corners)
def corners(vectors: Sequence[Vector]) -> set[int]:
    """The sets of vectors that lie on one side of a plane through 0, none of the vectors on the plane."""
    lines = lines_of(vectors)
    if len(lines) == 1:
        return set(*lines.values())
    if len(vectors[0]) == 2:
        return _by_angle(lines.items())
    found = set[int]()
    for n, (along, against) in lines.items():
        others = [place for place in range(len(vectors)) if not (along | against) >> place & 1]
        bits = [1 << place for place in others]
        for mask in corners([projected(vectors[place], n) for place in others]):
            rest = sum([bit for at, bit in enumerate(bits) if mask >> at & 1])
            found.add(rest | along)
            found.add(rest | against)
    return found


def _by_angle(lines: Iterable[tuple[Vector, tuple[int, int]]]) -> set[int]:
    """The sides of a line that turns about 0 by half a turn; the other half has their complements."""
    ranked = []
    for (x, y), (along, against) in lines:
        # Pointed into the upper half of the plane, lines come in the order of their angles: by -x/y, and y = 0 first.
        upper = y >= 0
        ranked.append((y != 0, Fraction(-x, y) if y else 0, *((along, against) if upper else (against, along))))
    ranked.sort()
    mask, found = sum(above for *_, above, _ in ranked), set[int]()
    for *_, above, below in ranked:
        found.add(mask)
        mask = mask & ~above | below
    return found


def best_sets(rows: Sequence[Sequence[int]], masks: Iterable[int], measure: str) -> list[int]:
    """The masks of the sets that can be the best; by Gini exactly the best.

    Args:
        rows: the class counts of each value.
        masks: the sets that are compared.
        measure: `gini_decrease` or `gain`.

    Example:
        >>> best_sets([(3, 0, 0), (2, 0, 1), (0, 3, 0)], [1, 2, 3], "gini_decrease")
        [3]
    """
    eights = [_sums(rows[place : place + 8]) for place in range(0, len(rows), 8)]
    whole = list(map(sum, zip(*rows, strict=True)))
    score = _information if measure == "gain" else _squares
    scored = [(mask, *score(_sum_of(mask, eights), whole)) for mask in masks]
    if measure == "gain":
        # With t(n) = n·log2 n, |D| times the gain is a sum of 2k terms less 2, each of which is short by less than 2.
        least = max(top for _, top, _ in scored) - 4 * len(whole) - 4
        return [mask for mask, top, _ in scored if top >= least]
    found, above, below = list[int](), -1, 1
    for mask, top, bottom in scored:
        if (ahead := top * below - above * bottom) > 0:
            found, above, below = [], top, bottom
        if ahead >= 0:
            found.append(mask)
    return found


def _sums(rows: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The sum of each set of rows, by its mask."""
    found = [(0,) * len(rows[0])]
    for row in rows:
        found += [tuple(map(add, other, row)) for other in found]
    return found


def _sum_of(mask: int, eights: Sequence[Sequence[tuple[int, ...]]]) -> Sequence[int]:
    """The sum of the rows of a mask, from the sums of each eight of them."""
    found: Sequence[int] = eights[0][mask & 255]
    for sums in eights[1:]:
        mask >>= 8
        found = list(map(add, found, sums[mask & 255]))
    return found


def _squares(left: Sequence[int], whole: Sequence[int]) -> tuple[int, int]:
    """The sum of the squares of each side over its weight, which falls with Gini: one quotient of integers."""
    right = list(map(sub, whole, left))
    inside, outside = sum(left), sum(right)
    return sum(map(mul, left, left)) * outside + sum(map(mul, right, right)) * inside, inside * outside


def _information(left: Sequence[int], whole: Sequence[int]) -> tuple[int, int]:
    right = list(map(sub, whole, left))
    terms = sum(map(n_log_n, left)) + sum(map(n_log_n, right))
    return terms - n_log_n(sum(left)) - n_log_n(sum(right)), 1
