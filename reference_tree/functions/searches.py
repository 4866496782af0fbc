r"""Searches: the largest value of a sum of trees, and a row of two different classes, by branch and bound.

Whether two sums are equal needs no search. How far apart they are at most does, and so does whether two sums always
have the same sign, which is what classes depend on: both are NP-hard [Kantchelian2016]. A search holds boxes of
rows. Of each tree it knows the leaves that meet the box, so their largest numbers, added up, bound the sum. It divides
the most promising box where the most uncertain tree does. It ends with a proof, or after a number of steps with the
bounds proved.

1. `summed_trees` are the trees of a sum as whole numbers, `restricted` the leaves of a tree that meet a box.
2. `largest` is the largest value, with the cells where a row has it.
3. `other_class` is a row that two models put into different classes, or the proof that there is none.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from reference_tree.functions.boxes import Score, Sums, numbers_of
from reference_tree.functions.cells import InputDomain

Region: TypeAlias = tuple[int, ...]
"""A set of cells for each attribute: the box of rows that a search looks at."""


class Bounded(NamedTuple):
    """The leaves of a tree that meet a region."""

    low: int
    """The least of their numbers."""
    high: int
    """The largest."""
    asks: int
    """The set of the attributes that still tell them apart."""
    leaves: tuple[tuple[dict[int, int], int], ...]
    """Their boxes with their numbers."""


class Largest(NamedTuple):
    """The result of a search for the largest value."""

    value: Fraction | None
    """The largest value that some row is known to have; None if no row was met."""
    bound: Fraction
    """No row has a larger one."""
    at: list[int] | None
    """The cells of a row that has the value."""
    steps: int
    """The number of boxes that were looked at."""

    @property
    def proved(self) -> bool:
        """Whether the value is the largest."""
        return self.value == self.bound


def bounded(leaves: Sequence[tuple[dict[int, int], int]], region: Region) -> Bounded:
    """Leaves with their bounds."""
    numbers = [number for _, number in leaves]
    low, high, asks = min(numbers), max(numbers), 0
    # A tree of one number asks for nothing any more.
    if low != high:
        for box, _ in leaves:
            for place, cells in box.items():
                if region[place] & ~cells:
                    asks |= 1 << place
    return Bounded(low, high, asks, tuple(leaves))


def restricted(tree: Bounded, place: int, region: Region) -> Bounded:
    """The leaves of a tree that meet a region, one attribute of which has become smaller."""
    # Most trees do not ask for the attribute, and stay as they are.
    if not tree.asks >> place & 1:
        return tree
    here = region[place]
    kept = [leaf for leaf in tree.leaves if leaf[0].get(place, here) & here]
    return bounded(kept, region)


def whole_region(domain: InputDomain) -> Region:
    """All rows."""
    return tuple(cells.all for cells in domain.attributes)


def summed_trees(
    parts: Sequence[tuple[int, Score]], domain: InputDomain, *, pairs: bool = False
) -> tuple[list[Bounded], int]:
    """The trees of some sums, each times a whole number, with the start as a tree of one leaf.

    Args:
        parts: the factors with the sums.
        domain: the cells.
        pairs: whether the i-th trees of two sums are added to one, which is nearly 0 where they are nearly the same.

    Returns:
        The trees in units of a common denominator; and that.
    """
    # Whole numbers: bounds are compared millions of times.
    whole = math.lcm(*{number.denominator for _, score in parts for number in numbers_of(score)})
    region, start = whole_region(domain), sum(factor * int(score.start * whole) for factor, score in parts)
    made = [
        [[(dict(box), factor * int(number * whole)) for box, number in leaves] for leaves in score.trees]
        for factor, score in parts
    ]
    if pairs and len({len(trees) for trees in made}) == 1:
        made = [[summed(one, other) for one, other in zip(*made, strict=True)]]
    trees = [bounded(leaves, region) for trees in made for leaves in trees]
    return [*trees, bounded([({}, start)], region)], whole


def summed(
    first: list[tuple[dict[int, int], int]], second: list[tuple[dict[int, int], int]]
) -> list[tuple[dict[int, int], int]]:
    """The leaves of a sum of two trees: the boxes that meet."""
    met = []
    for box, number in first:
        for other, more in second:
            both = {**box, **other}
            for place in box.keys() & other.keys():
                both[place] = box[place] & other[place]
            # Boxes that meet in each attribute that both name.
            if all(both.values()):
                met.append((both, number + more))
    return met


def parted(region: Region, tree: Bounded) -> list[tuple[int, Region]]:
    """The two parts of a region that a tree tells apart: with its highest leaf, and without."""
    box = max(tree.leaves, key=lambda leaf: leaf[1])[0]
    # The leaves of a tree exclude one another, so the highest does not have all of the region while another meets it.
    place = next(place for place, cells in box.items() if region[place] & ~cells)
    halves = (region[place] & box[place], region[place] & ~box[place])
    return [(place, (*region[:place], half, *region[place + 1 :])) for half in halves if half]


def largest(
    trees: Sequence[Bounded],
    region: Region,
    *,
    steps: int = 10_000,
    enough: int | None = None,
    hopeless: int | None = None,
    whole: int = 1,
) -> Largest:
    """The largest value of a sum of trees on a region, the most promising part of it first.

    Args:
        trees: the trees.
        region: the rows.
        steps: the most boxes to look at.
        enough: the search ends as soon as a larger value is met.
        hopeless: it ends as soon as no larger value is possible.
        whole: the unit is one in so many.
    """
    best: int | None = None
    at: Region | None = None
    count, order = 0, itertools.count()
    # The most promising region first; of equals the one that was met first.
    heap = [(-sum(tree.high for tree in trees), next(order), list(trees), region)]
    while True:
        bound = -heap[0][0] if heap else best
        assert bound is not None
        # Nothing that is left is better: the best is the largest.
        if best is not None and bound <= best:
            bound = best
        ended = count >= steps or bound == best or (hopeless is not None and bound <= hopeless)
        if ended or (enough is not None and best is not None and best > enough):
            cells = None if at is None else [(cells & -cells).bit_length() - 1 for cells in at]
            return Largest(None if best is None else Fraction(best, whole), Fraction(bound, whole), cells, count)
        _, _, some, here = heapq.heappop(heap)
        # Dive: take the better part at once and keep the other, so that a row is met soon.
        while True:
            count += 1
            widest = max(some, key=lambda tree: tree.high - tree.low)
            # Every tree is one number here, so all rows of the region have this value.
            if widest.high == widest.low:
                value = sum(tree.high for tree in some)
                if best is None or value > best:
                    best, at = value, here
                break
            parts = []
            for place, part in parted(here, widest):
                left = [restricted(tree, place, part) for tree in some]
                parts.append((sum(tree.high for tree in left), left, part))
            parts.sort(key=lambda each: each[0])
            high, some, here = parts.pop()
            for other, left, part in parts:
                # A part that cannot beat the best is not kept.
                if best is None or other > best:
                    heapq.heappush(heap, (-other, next(order), left, part))
            # Another region promises more: this one waits.
            if best is not None and (high <= best or (heap and -heap[0][0] > high)):
                if high > best:
                    heapq.heappush(heap, (-high, next(order), some, here))
                break


class ClassSearch(NamedTuple):
    """The result of a search for a row of two classes."""

    at: list[int] | None
    """The cells of such a row; None if none was met."""
    proved: bool
    """Whether there is such a row, or none; else the steps did not suffice."""
    steps: int
    """The number of boxes that were looked at."""


def class_trees(sums: Sums, domain: InputDomain) -> dict[str, list[Bounded]]:
    """Class → the trees of its score; of two classes with one margin, the first has 0."""
    # A margin of two classes speaks for the second; the first has 0.
    if sums.family == "number":
        first, second = sums.classes
        return {
            first: [bounded([({}, 0)], whole_region(domain))],
            second: summed_trees([(1, sums.scores[""])], domain)[0],
        }
    whole = math.lcm(*{number.denominator for score in sums.scores.values() for number in numbers_of(score)})
    trees = {}
    for name, score in sums.scores.items():
        found, own = summed_trees([(1, score)], domain)
        factor = whole // own  # scores are compared with one another, so they have one unit
        trees[name] = [
            Bounded(low * factor, high * factor, asks, tuple((box, number * factor) for box, number in leaves))
            for low, high, asks, leaves in found
        ]
    return trees


def possible(trees: Mapping[str, list[Bounded]]) -> list[str]:
    """The classes that may have the largest score; of equals that cannot be told apart the first."""
    bounds = {name: (sum(tree.low for tree in some), sum(tree.high for tree in some)) for name, some in trees.items()}
    names, left = [*bounds], list[str]()
    for place, name in enumerate(names):
        # A class cannot win where another one is sure to have more.
        high = bounds[name][1]
        # One that comes first in class order wins a tie.
        beaten = any(
            bounds[other][0] > high or (bounds[other][0] == high and before < place)
            for before, other in enumerate(names)
            if other != name
        )
        if not beaten:
            left.append(name)
    return left


def other_class(one: Sums, other: Sums, domain: InputDomain, steps: int = 10_000) -> ClassSearch:
    """A row that two models put into different classes, or the proof that there is none.

    Source:
        [Kantchelian2016], where a smallest change of class is searched, and shown to be NP-hard.
    """
    start = class_trees(one, domain), class_trees(other, domain)
    pending = [(start, whole_region(domain))]
    for count in range(steps):
        if not pending:
            return ClassSearch(None, True, count)
        both, region = pending.pop()
        first, second = map(possible, both)
        # Whichever classes they are, they are not the same.
        if not {*first} & {*second}:
            return ClassSearch([(cells & -cells).bit_length() - 1 for cells in region], True, count)
        # Both are sure of one class here.
        if len(first) == 1 and first == second:
            continue
        # A class that is sure to lose need not be known better.
        unsure = [trees[name] for trees, left in zip(both, (first, second), strict=True) for name in left]
        widest = max((tree for some in unsure for tree in some), key=lambda tree: tree.high - tree.low)
        if widest.high == widest.low:
            widest = max(
                (tree for trees in both for some in trees.values() for tree in some),
                key=lambda tree: tree.high - tree.low,
            )
        for place, part in parted(region, widest):
            halves = tuple(
                {name: [restricted(tree, place, part) for tree in some] for name, some in trees.items()}
                for trees in both
            )
            pending.append(((halves[0], halves[1]), part))
    return ClassSearch(None, False, steps)
