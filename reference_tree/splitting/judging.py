r"""Judging cuts: which cuts of an attribute there are, which may be made, and what each is worth, in estimates.

1. `allowed` are the places that leave enough weight on both sides.
2. `boundaries` are the places at which the class changes: no other cut is better than all of these.
3. `judged` has the estimates of what is left (`cut_scores`, or `weighed_scores` where rows have weights).
4. `judged_together` does all this for several attributes in one go, where every row has a value of each: their orders
   stand one behind the other, as if they were the order of one attribute.

*Boundary points.* Where a cut has rows of one and the same class on both sides, one of its neighbours is better: as
rows of that class move over it, the gain is a convex function of their number, and no convex function is largest in
the middle. That holds as long as no rule bars any cut, and where some cut gains anything.

Source:
    [FayyadIrani1992 §2]
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import ceil
from operator import mul
from typing import NamedTuple, TypeAlias, cast

from reference_tree.data.sample import Joined, Ordered, Sample, gaps, tally
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.cut_scores import Scores, gain_judge
from reference_tree.splitting.square_scores import gini_judge, squares_of_numbers
from reference_tree.splitting.stretches import LARGE, scores_of_promising
from reference_tree.splitting.weighed_scores import weighed_gain, weighed_gini, weighed_squares

Scale: TypeAlias = Sequence[int] | None
"""By what each class is multiplied before it is judged (altered priors); none: by nothing."""

JUDGES = {"gain": gain_judge, "gini_decrease": gini_judge}
"""Who judges by a measure, from the number of rows of each class."""

_TINY = 12
"""Of so few rows each order of the classes is judged only once."""


class Judged(NamedTuple):
    """The cuts of one attribute with their estimates."""

    attribute: str
    ordered: Ordered
    """The sample in its order."""
    cuts: int
    """How many cuts there are."""
    tries: int
    """How many of them leave at least the minimum on both sides."""
    scores: Scores
    """The estimates of those that were judged."""


def judged(
    sample: Sample,
    attribute: str,
    measure: str,
    minimum: Rational = 0,
    scale: Scale = None,
    every: bool = False,
    rival: Judged | None = None,
) -> Judged:
    """The cuts of a continuous attribute, judged.

    Args:
        sample: the rows at the node.
        attribute: the name of a continuous attribute.
        measure: `gain`, `gini_decrease` or `variance_reduction`.
        minimum: the least weight of a side.
        scale: by what each class is multiplied.
        every: judge every cut that may be made, and not only those that can be the best.
        rival: the best of the attributes judged before, which the cuts are up against.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"x": [1, 2, 3, 4], "y": ["no", "no", "yes", "yes"]}).sample()
        >>> judged(sample, "x", "gain").scores.places, judged(sample, "x", "gain", every=True).scores.places
        ([2], [1, 2, 3])
    """
    ordered = sample.ordered(attribute)
    flags, targets = ordered.gaps, ordered.targets
    cuts = tries = flags.count(1)
    if minimum > ordered.unit or (minimum > 0 and ordered.multiples is not None):
        first, last = allowed(ordered, minimum)
        tries = flags.count(1, first - 1, last) if first <= last else 0
        if tries < cuts:
            flags, every = bytes(first - 1) + flags[first - 1 : last] if tries else b"", True
    if measure == "variance_reduction":
        weights = ordered.multiples
        scores = squares_of_numbers(targets, flags) if weights is None else weighed_squares(targets, weights, flags)
        return Judged(attribute, ordered, cuts, tries, scores)
    if scale is not None or ordered.multiples is not None or not isinstance(targets, bytes):
        if not every and isinstance(targets, bytes):
            flags = boundaries(targets, flags)
        return Judged(attribute, ordered, cuts, tries, _weighed(sample, ordered, flags, measure, scale))
    # Where no value is missing, the classes are those of the sample, for every attribute.
    total = sample.total()
    classes = cast(tuple[int, ...], total)
    if ordered.unit != 1 or any(ordered.unknown):
        classes = tuple(tally(targets, None, len(total)))
    if len(targets) <= _TINY:
        scores = _scores_of_tiny(measure, classes, targets, flags, every)
    elif len(targets) < LARGE or every:
        scores = _scores(measure, classes, targets, flags, every)
    else:
        judge = JUDGES[measure](classes)
        floor = rival.scores.most if rival and rival.ordered.unknown == ordered.unknown else 0
        scores = scores_of_promising(judge, targets, boundaries(targets, flags), floor)
    return Judged(attribute, ordered, cuts, tries, scores)


def judged_together(sample: Sample, joined: Joined, measure: str, minimum: Rational = 0) -> list[Judged]:
    """The attributes whose best cut can be the best of all: their orders, one behind the other, are judged as one.

    Args:
        sample: the rows at the node.
        joined: their orders.
        measure: `gain` or `gini_decrease`.
        minimum: the least weight of a side.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"a": [1, 2, 3], "b": [3, 1, 2], "y": ["no", "no", "yes"]}).sample()
        >>> [one.attribute for one in judged_together(sample, sample.joined(["a", "b"]), "gain")]
        ['a']
    """
    labels, m = joined.labels, len(joined.attributes)
    n = len(labels) // m
    least = max(1, -(-minimum // joined.unit))
    cuts = _both(joined.gaps, _with_sides_of(1, n, m))
    open_cuts = cuts if least == 1 else _both(cuts, _with_sides_of(least, n, m))
    # A gap between two orders is no cut. It is a gap, lest the last value of the one seem to be shared with the other.
    flags = _both(cuts, boundaries(labels, joined.gaps)) if open_cuts == cuts else open_cuts
    judge = JUDGES[measure](tuple(tally(labels[:n], None, len(sample.target.columns))))
    if n < LARGE:
        scores = judge.scores(flags, judge.estimates(labels, flags))
    else:
        scores = scores_of_promising(judge, labels, flags)
    found, end = [], 0
    for start, attribute in zip(range(0, m * n, n), joined.attributes, strict=True):
        here = scores.flags[start : start + n - 1]
        begin, end = end, end + here.count(1)
        estimates = scores.estimates[begin:end]
        # The largest estimate and this one may both be off: only who is two slacks behind is beaten for sure.
        if estimates and max(estimates) >= scores.most - 2 * scores.slack:
            tries, every = (places.count(1, start, start + n) for places in (open_cuts, cuts))
            mine = Scores.of(here, estimates, scores.slack, scores.rate)
            found.append(Judged(attribute, sample.ordered(attribute), every, tries, mine))
    return found


def _with_sides_of(least: int, n: int, m: int) -> bytes:
    """In m orders of n rows, one behind the other, the places with at least so many rows on both sides."""
    return ((bytes(least - 1) + b"\1" * (n + 1 - 2 * least)).ljust(n, b"\0")[:n] * m)[:-1]


def _both(some: bytes, others: bytes) -> bytes:
    """The flags that are set in both."""
    return (int.from_bytes(some, "big") & int.from_bytes(others, "big")).to_bytes(len(some), "big")


def _scores(measure: str, classes: tuple[int, ...], labels: bytes, flags: bytes, every: bool) -> Scores:
    """The estimates of the cuts of rows of equal weight."""
    judge = JUDGES[measure](classes)
    flags = flags if every else boundaries(labels, flags)
    return judge.scores(flags, judge.estimates(labels, flags))


_scores_of_tiny = lru_cache(maxsize=1 << 14)(_scores)


def _weighed(sample: Sample, ordered: Ordered, flags: bytes, measure: str, scale: Scale) -> Scores:
    """The estimates of the cuts of rows of different weights, or of more classes than a byte can number."""
    weights = ordered.multiples or [1] * len(ordered.targets)
    if scale is not None:
        weights = list(map(mul, map(scale.__getitem__, ordered.targets), weights))
    weighed = weighed_gain if measure == "gain" else weighed_gini
    return weighed(ordered.targets, weights, len(sample.total()), flags)


def allowed(ordered: Ordered, minimum: Rational) -> tuple[int, int]:
    """The first and the last place with enough weight on both sides."""
    n = len(ordered.targets)
    least = Fraction(minimum) / ordered.unit if minimum > 0 else Fraction(1)  # as a multiple of the unit
    if ordered.multiples is None:
        return max(1, ceil(least)), n - max(1, ceil(least))
    below = list(accumulate(ordered.multiples))
    if not below:
        return 1, 0
    return bisect_left(below, least) + 1, bisect_right(below, below[-1] - least)


def boundaries(labels: bytes, cuts: bytes) -> bytes:
    """The flags of the cuts at which the class changes, and of those next to a value that several rows share.

    If a sample is of one class, all cuts are equal, and all are kept.

    Source:
        [FayyadIrani1992 §2]
    """
    changed = gaps(labels)
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
