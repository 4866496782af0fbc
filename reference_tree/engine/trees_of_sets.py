"""Trees of sets: CART on categories, perhaps beside numbers of few values, grown without an object for each decision.

For two classes and for numbers the best set of values is a cut of their order (`splitting.ordered_subsets`), so a node
needs one number for each value of each attribute: the weight of its rows and the sum of their targets, added up as a
single integer. The cuts of all attributes are compared at once, by squares or by logarithms (`subsets`). Where these
leave more than ties, and where three classes meet, the learner decides the node.

The classes are numbers, too, their places. Of two classes the decrease of Gini is the variance reduction of any two
numbers, but for a factor that is the same for all tests of a node.

A number among the categories has the cuts of its own order, which are added up and compared with the sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import ceil
from operator import or_
from typing import NamedTuple

from reference_tree.data.questions import Subset, Test
from reference_tree.data.sample import Sample
from reference_tree.data.targets import Classes
from reference_tree.engine.integer_columns import Rows
from reference_tree.engine.store import Store
from reference_tree.engine.subsets import best_by_logarithms, best_by_squares
from reference_tree.engine.trees_of_cuts import Column, Growing, PendingNode, Sides, grown_as, takes_the_best
from reference_tree.learners.cart import CART
from reference_tree.learners.criteria import criterion_for
from reference_tree.learners.decision import Learner
from reference_tree.learners.place import Place
from reference_tree.node import Node
from reference_tree.splitting.branching import SUBSET
from reference_tree.splitting.missing_rules import with_gaps
from reference_tree.splitting.ordered_subsets import VARIANCE

FEW = 8
"""Every set of at most so many values is tried where a rule bars small branches. The learner tries those of more."""

MOST_NUMBERS = 64
"""The most values of a number among categories, whose cuts are counted as those of an order are."""


def grown(
    learner: Learner, sample: Sample, place: Place, progress: Callable[[int], None] | None = None
) -> Sequence[Node] | None:
    """The nodes that CART grows from rows at a place; None if there is a reason to leave them to the book."""
    return grown_as(GrowingSets, lambda *node: not left_to_the_book(*node), learner, sample, place, progress)


def left_to_the_book(learner: CART, sample: Store, place: Place) -> str:
    """The reason why a tree is grown by the book; empty if there is none."""
    if not takes_the_best(learner, sample, place):
        return "the learner does more than take the first of the best tests"
    if learner.branching != SUBSET.name:
        return "its tests are other than sets of values"
    measure = criterion_for(learner.criterion, sample.schema.target).name
    if measure != VARIANCE and measure not in ("gini_decrease", "gain"):
        return "the order of the values holds for no other criterion"
    numbers = [attribute.name for attribute in sample.schema.attributes if attribute.values is None]
    if len(numbers) == len(sample.schema.attributes):
        return "all attributes are numbers"
    if any(len(sample.columns.domain(name)) > MOST_NUMBERS for name in numbers):
        return "a number has many values"
    if with_gaps(sample):
        return "a value is missing"
    if sample.weights is not None and any(type(weight) is not int for weight in sample.weights.values()):
        return "a weight is not multiplied out"
    return ""


def best_of_two(lefts: Sequence[tuple[int, int]], weight: int, total: int, by_squares: bool) -> list[int]:
    """The places of the best cuts of two classes, or of numbers; none if they are not known. See `subsets`.

    Example:
        >>> best_of_two([(1, 0), (2, 0), (3, 1)], 4, 2, by_squares=False)
        [1]
    """
    if by_squares:
        return best_by_squares(lefts, weight, total)
    # Equal sides gain the same. Whether other sides do, logarithms do not tell.
    near = best_by_logarithms(lefts, weight, total)
    found = map(lefts.__getitem__, near)
    return near if len({frozenset(((w, s), (weight - w, total - s))) for w, s in found}) == 1 else []


class Cuts(NamedTuple):
    """Some of the ways to part the values of the attributes of a node."""

    lefts: list[tuple[int, int]]
    """For each the weight of one side, and the sum of the targets there."""
    sides: list[tuple[int, int]]
    """For each the number of the attribute, and the bit mask of the codes of this side."""


class GrowingSets(Growing):
    """A tree of sets while it grows.

    Args:
        whole: the learner that grows the tree.
        learner: CART, which decides, perhaps among some of the attributes.
        sample: the rows of the first node.
        place: the place of the first node.
    """

    sorts = False

    def __init__(self, whole: Learner, learner: CART, sample: Store, place: Place) -> None:
        super().__init__(whole, learner, sample, place)
        rows, of = sample.rows, sample.counted.of
        targets, weights = [of[row] for row in rows], sample.multiples(sample.rows) or [1] * len(rows)
        # No score depends on the zero of the targets. Above it a weight and a sum of targets are one integer.
        zero, weight = min(targets), sum(weights)
        self.shift, self.digits = (weight * (max(targets) - zero)).bit_length(), 2 * weight.bit_length()
        pairs = zip(rows, weights, targets, strict=True)
        self.both = {row: (w << self.shift) + w * (target - zero) for row, w, target in pairs}
        self.low = (1 << self.shift) - 1
        self.least, self.zero = ceil(Fraction(self.minimum) / sample.unit), zero
        self.numbers = {attribute.name for attribute in sample.schema.attributes if attribute.values is None}
        self.classes, self.by_squares = isinstance(sample.target, Classes), self.measure != "gain"

    def test(self, column: Column, left: Rows, right: Rows) -> Test:
        """The test whether a value is one of those of the first rows, or up to the largest of them."""
        name, codes, values = column
        if name in self.numbers:
            return super().test(column, [max(left, key=codes.__getitem__)], [min(right, key=codes.__getitem__)])
        return Subset(name, tuple([values[code] for code in sorted({codes[row] for row in left})]))

    def best_sides(self, part: PendingNode) -> Sides | None:
        """The first of the best tests, and the rows on each side; None if it is not known."""
        rows, columns = part.rows, self.drawn(part)
        if len(rows) <= self.alike:
            return self.of_two(columns, *rows)
        present = [place for place, weight in enumerate(part.whole) if weight] if self.classes else []
        cuts = None if len(present) > 2 else self.cuts(columns, rows)
        if cuts is None or not (near := self.best(cuts.lefts, sum(map(self.both.__getitem__, rows)), present)):
            return None
        column = columns[first := cuts.sides[near[0]][0]]
        name, codes, _ = column
        # Of a set the side without the last value is named. Of equal cuts of the attribute, that of the lowest mask
        # comes first.
        last = 0 if name in self.numbers else 1 << max(map(codes.__getitem__, rows))
        all_codes = reduce(or_, (1 << code for code in {codes[row] for row in rows}))
        masks = [mask for number, mask in map(cuts.sides.__getitem__, near) if number == first]
        named = min(all_codes ^ mask if mask & last else mask for mask in masks)
        left = [row for row in rows if named >> codes[row] & 1]
        right = [row for row in rows if not named >> codes[row] & 1]
        return self.test(column, left, right), left, right

    def best(self, lefts: Sequence[tuple[int, int]], both: int, present: Sequence[int]) -> list[int]:
        """The numbers of the best cuts; none if they are not known, or separate nothing."""
        weight, total = both >> self.shift, both & self.low
        if not self.by_squares:
            # Logarithms are of the counts of the second class.
            one, step = present[0] - self.zero, present[1] - present[0]
            lefts, total = [(w, (s - one * w) // step) for w, s in lefts], (total - one * weight) // step
        near = best_of_two(lefts, weight, total, self.by_squares) if lefts else []
        return near if near and lefts[near[0]][1] * weight != total * lefts[near[0]][0] else []

    def cuts(self, columns: Sequence[Column], rows: Rows) -> Cuts | None:
        """The cuts of all attributes; None if there are too many sets to try."""
        found, of_rows = Cuts([], []), [self.both[row] for row in rows]
        for number, (name, codes, _) in enumerate(columns):
            sums = dict[int, int]()
            for row, both in zip(rows, of_rows, strict=True):
                sums[codes[row]] = sums.get(codes[row], 0) + both
            if len(sums) < 2:
                continue
            is_barred = min(sums.values()) >> self.shift < self.least
            if name in self.numbers:
                cuts = self.ascending(sums)
            elif is_barred and len(sums) > FEW:
                return None
            else:
                cuts = self.every(sums) if is_barred else self.in_order(sums)
            for both, mask in cuts:
                found.lefts.append((both >> self.shift, both & self.low))
                found.sides.append((number, mask))
        return found

    def in_order(self, sums: Mapping[int, int]) -> Iterator[tuple[int, int]]:
        """The cuts of the values by their means: what is added up on one side, and the mask of its codes."""
        # Means of different fractions differ by at least 1/W², for W rows; so their floors in a finer unit differ, too.
        means = (
            (((both & self.low) << self.digits) // (both >> self.shift), code, both) for code, both in sums.items()
        )
        left = mask = 0
        for (mean, code, both), (above, _, _) in pairwise(sorted(means)):
            left, mask = left + both, mask | 1 << code
            if mean < above:
                yield left, mask

    def ascending(self, sums: Mapping[int, int]) -> Iterator[tuple[int, int]]:
        """The cuts of numbers with enough weight on both sides."""
        left, mask, whole = 0, 0, sum(sums.values()) >> self.shift
        for code in sorted(sums)[:-1]:
            left, mask = left + sums[code], mask | 1 << code
            if self.least <= left >> self.shift <= whole - self.least:
                yield left, mask

    def every(self, sums: Mapping[int, int]) -> Iterator[tuple[int, int]]:
        """The sets of values with enough weight on both sides."""
        sets, whole = [(0, 0)], sum(sums.values()) >> self.shift
        for code in sorted(sums)[:-1]:
            sets += [(left + sums[code], mask | 1 << code) for left, mask in sets]
        return ((left, mask) for left, mask in sets if self.least <= left >> self.shift <= whole - self.least and mask)
