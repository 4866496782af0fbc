"""Bisection: which cuts of continuous attributes can be the best, by estimates.

1. `places` are the cuts that may be made: where the value changes, far enough, and with enough weight on both sides.
2. `boundaries` are those of them at which the class changes: no other cut is better than all of these.
3. `scanned` has the estimate of each (`scans`).
4. `promising_cuts` keeps the cuts that can still be the best of all attributes: nearly always a single one. Only these
   are counted exactly.

*Boundary points.* Where a cut has rows of one and the same class on both sides, one of its neighbours is better: as
rows of that class move over it, the gain is a convex function of their number, and no convex function is largest in
the middle. That holds as long as no rule bars any cut, and where some cut gains anything.

Source:
    [FayyadIrani1992 §2]
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, compress, count, pairwise
from math import ceil, isqrt
from operator import add, ne, sub
from typing import NamedTuple

from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Partition, Sample
from reference_tree.data.targets import Classes, Moments, Values
from reference_tree.engine import scans
from reference_tree.engine.columns import Rows
from reference_tree.engine.scans import Estimates
from reference_tree.engine.store import Store, WholePartition
from reference_tree.engine.terms import PLACES
from reference_tree.exact.rationals import Rational
from reference_tree.splitting import continuous_bisection
from reference_tree.splitting.continuous_bisection import Cut, midpoint
from reference_tree.twins import fast_form_of

CLASSES = ("gain", "gini_decrease")
NUMBERS = ("variance_reduction", "sample_variance_reduction")


class Scanned(NamedTuple):
    """The cuts of an attribute that were estimated."""

    attribute: str
    rows: Rows
    """Of the sample, by ascending values."""
    cells: Sequence[int]
    """What is counted of each."""
    weights: Sequence[int] | None
    """What each weighs."""
    flags: bytes
    """For each place between two of them whether there is a cut that was estimated, 1 or 0."""
    estimates: Estimates
    most: int
    """The largest estimate."""

    @property
    def least(self) -> int:
        """What the best cut is worth at least, in units of 2^-32."""
        value, bits = self.most - self.estimates.slack, self.estimates.bits
        return value >> bits - PLACES if bits > PLACES else value << PLACES - bits

    def near(self, least: int) -> list[int]:
        """The places of the cuts that may be worth a number, given in units of 2^-32."""
        values, slack, bits = self.estimates
        floor = (least << bits >> PLACES) - slack
        if self.most < floor:
            return []
        return [place for place, value in zip(compress(count(1), self.flags), values, strict=True) if value >= floor]


# Which cuts there are.


def places(sample: Store, attribute: str, minimum: Rational = 0, gap: Rational = 0) -> tuple[bytes, bool]:
    """For each place between two neighbours whether there is a cut that may be made; and whether a side is too small.

    Args:
        sample: the rows at the node.
        attribute: the name of a continuous attribute.
        minimum: the least weight of a side.
        gap: two values that lie no further apart are not cut between.

    Returns:
        1 or 0 for each place; and whether the minimum bars a cut that the gap does not.
    """
    rows, ranks = sample.order(attribute)
    n = len(rows)
    if n < 2:
        return b"", False
    reach = sample.columns.reach(attribute, gap) if gap else None
    if reach is not None:
        ranks = ranks or sample.values_of(attribute, rows)
        flags = bytes([after > reach[before] for before, after in pairwise(ranks)])
    else:
        flags = b"\1" * (n - 1) if ranks is None else bytes(map(ne, ranks[1:], ranks))
    if minimum <= sample.unit and (sample.weights is None or minimum <= 0):
        return flags, False
    first, last = _allowed(sample, rows, minimum)
    found = bytes(first - 1) + flags[first - 1 : last] + bytes(n - 1 - last) if first <= last else bytes(n - 1)
    return found, found != flags


def _allowed(sample: Store, rows: Rows, minimum: Rational) -> tuple[int, int]:
    """The first and the last place with enough weight on either side."""
    least = Fraction(minimum) / sample.unit
    weights = sample.multiples(rows)
    if weights is None:
        return max(1, ceil(least)), len(rows) - max(1, ceil(least))
    below = list(accumulate(weights))
    return bisect_left(below, least) + 1, bisect_right(below, below[-1] - least)


def boundaries(labels: Sequence[int], cuts: bytes) -> bytes:
    """The cuts at which the class changes, and those next to a value that several rows share.

    If a sample is of one class, all cuts are equal, and all are kept.

    Source:
        [FayyadIrani1992 §2]
    """
    changed = _changes(labels)
    if 1 not in changed:
        return cuts
    if 0 not in cuts:
        return changed
    # On long integers, a byte a place, all at once: there is a cut here, and either the class changes, or there is no
    # cut at the place before (then several rows share the value below), or none at the place after.
    size = len(cuts)
    here = int.from_bytes(cuts, "big")
    before, after = here >> 8 | 1 << 8 * (size - 1), (here << 8 | 1) & (1 << 8 * size) - 1
    found = here & (int.from_bytes(changed, "big") | ~(before & after))
    return found.to_bytes(size, "big") if found else cuts


def _changes(labels: Sequence[int]) -> bytes:
    """For each place between two neighbours whether they differ."""
    if not isinstance(labels, bytes):
        return bytes(map(ne, labels[1:], labels))
    # As one long integer, a byte string is compared with itself, shifted by one place, all at once.
    whole = int.from_bytes(labels, "big")
    return (whole ^ whole >> 8).to_bytes(len(labels), "big")[1:].translate(_TRUTH)


_TRUTH = bytes([0]) + bytes([1]) * 255
# For `bytes.translate`: 0 for 0 and 1 for all others.


# What they are worth.


def scanned(
    sample: Store,
    attribute: str,
    measure: str,
    minimum: Rational = 0,
    gap: Rational = 0,
    every: bool = False,
    class_weights: Sequence[int] | None = None,
) -> Scanned | None:
    """The cuts of an attribute with their estimates; none if no cut may be made.

    Args:
        sample: the rows at the node.
        attribute: the name of a continuous attribute.
        measure: the name of a measure of `CLASSES` or `NUMBERS`, or `absolute_error_reduction`.
        minimum: as for `places`.
        gap: as for `places`.
        every: whether every cut is estimated, and not only those that can be the best.
        class_weights: what the columns are multiplied by.
    """
    flags, some_barred = places(sample, attribute, minimum, gap)
    if 1 not in flags:
        return None
    rows = sample.order(attribute).rows
    weights = sample.multiples(rows)
    cells = sample.labels(rows) if measure in CLASSES else sample.cells(rows)
    if measure in CLASSES:
        if not (every or some_barred):
            flags = boundaries(cells, flags)
        estimates = _of_classes(sample, cells, weights, flags, measure, class_weights)
    elif measure == "variance_reduction":
        estimates = _of_squares(sample, rows, weights, flags)
    elif measure == "sample_variance_reduction":
        estimates = scans.variances(cells, weights, flags, sample.unit.numerator, sample.unit.denominator)
    else:
        estimates = scans.deviations(cells, weights, sample.columns.target_numbers, flags)
    return Scanned(attribute, rows, cells, weights, flags, estimates, max(estimates.values))


def _of_classes(
    sample: Store,
    labels: Sequence[int],
    weights: Sequence[int] | None,
    flags: bytes,
    measure: str,
    class_weights: Sequence[int] | None,
) -> Estimates:
    if class_weights is not None:
        each = map(class_weights.__getitem__, labels)
        weights = list(each) if weights is None else [w * c for w, c in zip(weights, each, strict=True)]
    if weights is not None:
        weighed = scans.entropy_of_weights if measure == "gain" else scans.squares_of_class_weights
        return weighed(labels, weights, flags)
    classes = sample.classes if len(labels) == len(sample.rows) else sample.sums(labels, None)
    alike = scans.entropy_of_classes if measure == "gain" else scans.squares_of_classes
    return alike(labels, flags, classes)


def _of_squares(sample: Store, rows: Rows, weights: Sequence[int] | None, flags: bytes) -> Estimates:
    of, is_cut = sample.short_numbers
    numbers = [of[row] for row in rows]
    if weights is None:
        found = scans.squares_of_numbers(numbers, flags)
    else:
        found = scans.squares_of_weighted_numbers(numbers, weights, flags)
    if not is_cut:
        return found
    # Each number was cut by less than 1. A score times the weight W is the squared length of a projection of the
    # numbers, so that its root changes by less than the root of W.
    weight = len(rows) if weights is None else sum(weights)
    most = (max(found.values) >> found.bits) + 1
    off = 2 * (isqrt(most * weight) + 1) + weight
    return found._replace(slack=found.slack + (off << found.bits))


# The fast forms.


@fast_form_of(continuous_bisection.number_of_cuts)
def number_of_cuts(sample: Sample, attribute: str, minimum: Rational = 0, gap: Rational = 0) -> int:
    """How many cuts may be made."""
    if not isinstance(sample, Store):
        return continuous_bisection.number_of_cuts.__wrapped__(sample, attribute, minimum, gap)  # type: ignore[attr-defined,no-any-return]
    return places(sample, attribute, minimum, gap)[0].count(1)


@fast_form_of(continuous_bisection.promising_cuts)
def promising_cuts(
    sample: Sample,
    attributes: Sequence[str],
    measure: str,
    minimum: Rational = 0,
    gap: Rational = 0,
    slack: Rational = 0,
    class_weights: Sequence[int] | None = None,
) -> list[Cut]:
    """The cuts of some attributes among which the best of all must be."""
    if not isinstance(sample, Store) or not _can_judge(sample, measure):
        textbook = continuous_bisection.promising_cuts.__wrapped__  # type: ignore[attr-defined]
        return textbook(sample, attributes, measure, minimum, gap, slack, class_weights)  # type: ignore[no-any-return]
    every = bool(slack)
    tried = (scanned(sample, name, measure, minimum, gap, every, class_weights) for name in attributes)
    found = [one for one in tried if one is not None]
    if slack:
        return [cut for one in found for cut in _cuts_at(sample, one, _within(sample, one, slack))]
    least = max([one.least for one in found], default=0)
    return [cut for one in found if (near := one.near(least)) for cut in _cuts_at(sample, one, near)]


def _can_judge(sample: Store, measure: str) -> bool:
    if isinstance(sample.target, Classes):
        return measure in CLASSES
    if isinstance(sample.target, Values):
        return measure == "absolute_error_reduction" and sample.counts_every_number
    return isinstance(sample.target, Moments) and measure in NUMBERS


def _within(sample: Store, one: Scanned, slack: Rational) -> list[int]:
    """The places at which a walk can end in which each cut has to be better than the one before by more than a slack.

    The cuts are taken from the best one down, as far as each is within the slack of the one before; an estimate may be
    off by its own slack on either side. All others are worse than any of these by more than the slack. So the first of
    these that the walk meets is taken, whatever was kept before it, and none of the others is taken after it.
    """
    values, off, bits = one.estimates
    weight = sum(sample.total()) / Fraction(sample.unit)
    step = 2 * off + ceil(slack * weight * (1 << bits))
    floor, lower = max(values) + 1, max(values)
    while lower < floor:
        floor = lower
        lower = min(value for value in values if value >= floor - step)
    return [place for place, value in zip(compress(count(1), one.flags), values, strict=True) if value >= floor]


def _cuts_at(sample: Store, one: Scanned, at: Sequence[int]) -> Iterator[Cut]:
    """The cuts at some places, ascending, with their partitions; each is counted from the one before."""
    rows, cells, weights, numbers = one.rows, one.cells, one.weights, sample.schema.numbers[one.attribute]
    unknown = sample.unknown(one.attribute)
    whole = sample.sums(cells, weights)
    scale = sample.unit * sample.counted.square if isinstance(sample.target, Moments) else None
    left = [0] * len(whole)
    for start, place in pairwise((0, *at)):
        moved = sample.sums(cells[start:place], None if weights is None else weights[start:place])
        left = list(map(add, left, moved))
        low, high = (numbers[rank] for rank in sample.values_of(one.attribute, rows[place - 1 : place + 1]))
        test = Threshold(one.attribute, midpoint(low, high), (low, high))
        right = list(map(sub, whole, left))
        table = Partition(test.outcomes, (sample.in_units(left), sample.in_units(right)), unknown)
        yield Cut(test, table if scale is None else WholePartition.of(table, (left, right), scale))
