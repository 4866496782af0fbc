"""Trees of bits: CART on a table of classes whose attributes are numbers of few values, one bit for each row.

The rows of a node are one long integer, and so are the rows of each value and of each class. A bitwise "and" has the
rows of a node with a value, or of a class, and its bits are counted at once, some thousands in a microsecond. As nodes
get smaller, their integers would have ever more zeros; so where only a few of the bits are set, the rows get new bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import compress
from math import ceil
from operator import sub
from typing import Any, NamedTuple

from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.targets import Classes
from reference_tree.engine.bisection import CLASSES
from reference_tree.engine.integer_columns import Rows, taker
from reference_tree.engine.store import Store
from reference_tree.engine.terms import n_log_n
from reference_tree.engine.trees_of_cuts import Column, Growing, PendingNode, Sides, grown_as, takes_the_best
from reference_tree.engine.trees_of_sets import best_of_two
from reference_tree.learners.cart import CART
from reference_tree.learners.criteria import criterion_for
from reference_tree.learners.decision import Learner
from reference_tree.learners.place import Place
from reference_tree.node import Node
from reference_tree.splitting.branching import LINEAR
from reference_tree.splitting.continuous_bisection import midpoint
from reference_tree.splitting.missing_rules import with_gaps

MOST_VALUES = 16
"""Of an attribute; with more of them, rows are faster sorted than counted value by value."""
MOST_CLASSES = 8
LEAST_ROWS = 64
SPARSE = 8
"""Rows get new bits where less than one of so many bits is set."""


def grown(
    learner: Learner, sample: Sample, place: Place, progress: Callable[[int], None] | None = None
) -> Sequence[Node] | None:
    """The nodes that CART grows from rows at a place; None if there is a reason to grow them otherwise."""
    return grown_as(GrowingBits, lambda *node: not left_to_others(*node), learner, sample, place, progress)


def left_to_others(learner: CART, sample: Store, place: Place) -> str:
    """The reason why a tree is grown without bits; empty if there is none."""
    if not takes_the_best(learner, sample, place) or learner.branching == LINEAR.name:
        return "the learner does more than take the first of the best tests of an attribute"
    if not isinstance(sample.target, Classes) or sample.counted.width > MOST_CLASSES:
        return "the target is a number, or has many classes"
    if criterion_for(learner.criterion, sample.schema.target).name not in CLASSES:
        return "the criterion counts mistakes, or pairs of groups"
    if sample.weights is not None or len(sample.rows) < LEAST_ROWS:
        return "the rows are few, or some weigh more than others"
    columns, attributes = sample.columns, sample.schema.attributes
    if any(one.values is not None or len(columns.domain(one.name)) > MOST_VALUES for one in attributes):
        return "an attribute is categorical, or has many values"
    return "a value is missing" if with_gaps(sample) else ""


class Space(NamedTuple):
    """Some rows, which have a bit each."""

    rows: Rows
    """The row of each bit, from the lowest on."""
    classes: Sequence[int]
    """For each class the bits of its rows."""
    columns: Sequence[tuple[Column, Sequence[tuple[int, int]]]]
    """For each attribute that tells rows apart, its codes, ascending, and the bits of their rows."""


class BitRows(Sequence[int]):
    """Some rows of a space, as bits."""

    __slots__ = ("bits", "size", "space")

    def __init__(self, space: Space, bits: int, size: int) -> None:
        self.space, self.bits, self.size = space, bits, size

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[int]:
        return compress(self.space.rows, format(self.bits, "b").encode().translate(_FLAGS)[::-1])

    def __getitem__(self, place: Any) -> Any:
        return list(self)[place]


_FLAGS = bytes.maketrans(b"01", b"\0\1")
_DIGITS = [bytes(48 + (byte == code) for byte in range(256)) for code in range(MOST_VALUES)]


class GrowingBits(Growing):
    """A tree of bits while it grows.

    Args:
        whole: the learner that grows the tree.
        learner: CART, which decides, perhaps among some of the attributes.
        sample: the rows of the first node.
        place: the place of the first node.
    """

    sorts = False

    def __init__(self, whole: Learner, learner: CART, sample: Store, place: Place) -> None:
        super().__init__(whole, learner, sample, place)
        self.by_squares, self.least = self.measure != "gain", ceil(Fraction(self.minimum) / sample.unit)

    def in_bits(self, rows: Rows) -> BitRows:
        """Rows with a bit each; those that have bits keep them, unless they are few among many."""
        if isinstance(rows, BitRows) and rows.size * SPARSE > len(rows.space.rows):
            return rows
        rows = list(rows)
        take = taker(rows)
        classes = dict(_bits_of(take(self.sample.counted.of)))
        columns = [(column, _bits_of(take(column[1]))) for column in self.columns]
        of_classes = [classes.get(code, 0) for code in range(self.sample.counted.width)]
        told = [(column, values) for column, values in columns if len(values) > 1]
        return BitRows(Space(rows, of_classes, told), (1 << len(rows)) - 1, len(rows))

    def count(self, rows: Rows) -> Counts:
        """The counts of some rows, in whole units."""
        if not isinstance(rows, BitRows):
            return super().count(rows)
        return tuple([(rows.bits & bits).bit_count() for bits in rows.space.classes])

    def best_sides(self, part: PendingNode) -> Sides | None:
        """The first of the best tests, and the rows on each side; None if it is not known."""
        if len(part.rows) <= self.alike:
            return self.of_two(self.drawn(part), *part.rows)
        rows, present = self.in_bits(part.rows), [place for place, count in enumerate(part.whole) if count]
        of_classes = [rows.bits & rows.space.classes[place] for place in present[1:]]
        columns = rows.space.columns
        if self.seen:
            drawn = {name for name, _, _ in self.drawn(part)}
            columns = [one for one in columns if one[0][0] in drawn]
        cuts = [cut for column, values in columns for cut in self.cuts(rows, column, values, of_classes)]
        whole = (rows.size, *[bits.bit_count() for bits in of_classes])
        if not cuts or not (near := self.best([counts for counts, *_ in cuts], whole)):
            return None
        (size, *_), (name, _, numbers), low, high, left = cuts[near[0]]
        below, above = numbers[low], numbers[high]
        sides = BitRows(rows.space, left, size), BitRows(rows.space, rows.bits ^ left, rows.size - size)
        return Threshold(name, midpoint(below, above), (below, above)), *sides

    def cuts(
        self, rows: BitRows, column: Column, values: Sequence[tuple[int, int]], of_classes: Sequence[int]
    ) -> Iterator[tuple[tuple[int, ...], Column, int, int, int]]:
        """The cuts of an attribute: the size of the left side and its counts of some classes; the codes; its rows."""
        bits, size, least, left, low = rows.bits, rows.size, max(self.least, 1), 0, -1
        for code, of in values:
            if here := of & bits:
                if left and least <= (w := left.bit_count()) <= size - least:
                    yield (w, *[(left & one).bit_count() for one in of_classes]), column, low, code, left
                left, low = left | here, code
                if left == bits:
                    return

    def best(self, lefts: Sequence[Any], whole: Sequence[int]) -> list[int]:
        """The places of the best cuts, of which the first wins; none if they are not known."""
        if len(whole) == 2:
            return best_of_two(lefts, whole[0], whole[1], self.by_squares)
        sides = [(_cells(left), _cells(tuple(map(sub, whole, left)))) for left in lefts]
        return first_by_squares(sides) if self.by_squares else alike_by_logarithms(sides)


def _bits_of(codes: Sequence[int]) -> list[tuple[int, int]]:
    """The codes of some rows, ascending, each with the bits of its rows."""
    data = bytes(codes)[::-1]
    return [(code, int(data.translate(_DIGITS[code]), 2)) for code in sorted(set(data))]


def _cells(side: Sequence[int]) -> tuple[int, ...]:
    """The counts of all classes of a side, from its size and the counts of all but the first."""
    return side[0] - sum(side[1:]), *side[1:]


def first_by_squares(sides: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[int]:
    """The place of the first of the best cuts by Gini, whose weighted index is least where Σ c²/|D_v| is largest.

    Example:
        >>> first_by_squares([((1, 1, 0), (1, 0, 2)), ((2, 0, 0), (0, 1, 2)), ((0, 1, 2), (2, 0, 0))])
        [1]
    """
    found, above, below = 0, -1, 1
    for place, (one, other) in enumerate(sides):
        n, m = sum(one), sum(other)
        top, bottom = sum([c * c for c in one]) * m + sum([c * c for c in other]) * n, n * m
        if top * below > above * bottom:
            found, above, below = place, top, bottom
    return [found]


def alike_by_logarithms(sides: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[int]:
    """The places of the best cuts by the information gain; none if logarithms do not tell which these are.

    Example:
        >>> alike_by_logarithms([((1, 1, 0), (1, 0, 2)), ((2, 0, 0), (0, 1, 2)), ((0, 1, 2), (2, 0, 0))])
        [1, 2]
    """
    # Of |D| times the gain only Σ t(c) - Σ t(|D_v|) differs, with t(n) = n·log2 n. Each term is short by less than 2:
    # those of the classes make it less by at most 4 for each class, those of the two sides more by at most 4.
    values = [
        sum(map(n_log_n, one)) + sum(map(n_log_n, other)) - n_log_n(sum(one)) - n_log_n(sum(other))
        for one, other in sides
    ]
    least = max(values) - 4 * len(sides[0][0]) - 4
    near = [place for place, value in enumerate(values) if value >= least]
    return near if len({frozenset(sides[place]) for place in near}) == 1 else []
