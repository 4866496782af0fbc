r"""The rules of C4.5: where the books, Quinlan's program and Weka's differ, each difference by itself.

The books say how a gain ratio is computed and leave the rest open. The programs settle it, not always in the same way:

1. How much has to lie on each side of a cut: `as_in_any_branch`, `tenth_of_a_class`.
2. What a cut is charged for having been chosen among many: `no_charge`, `log_of_tries`.
3. How many branches have to be large enough: `every_branch`, `two_large_branches`.
4. Where in its gap the threshold is put: `at_midpoint`, `at_observed_value`.
5. Between which values there is no cut, as they lie too close: `WideGaps`.
6. At which cuts a walk can end in which each has to be better by more than some slack: `cuts_in_reach`.

Quinlan's program is known as *release 8* (profile `c45-r8`), Weka's as *J48* (`weka-j48`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import compress
from math import ceil
from operator import gt
from typing import TypeAlias

from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Ordered, Sample
from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.rationals import Rational
from reference_tree.splitting.candidate import large_enough
from reference_tree.splitting.continuous_bisection import Cut
from reference_tree.splitting.cut_scores import PLACES
from reference_tree.splitting.missing_values import (
    SplitInformation,
    split_information_of_known,
    split_information_with_unknown,
)
from reference_tree.splitting.scanning import Finalists, scanned_cuts

CutMinimum: TypeAlias = Callable[[Rational, Rational, int], Rational]
"""The least weight on each side of a cut, from that of a branch, the known weight and the number of classes."""
Penalty: TypeAlias = Callable[[int, Rational], Number | None]
"""What a cut is charged, from the number of cuts tried and the weight of the node."""
BranchMinimum: TypeAlias = Callable[[Sequence[Rational], Rational], bool]
"""Whether the branches are large enough, from their weights and the least weight of a branch."""
Position: TypeAlias = Callable[[Threshold, Sequence[Rational], Rational], Threshold]
"""A cut with its threshold in its place, from the cut, all values of the attribute in the table, and the slack."""

MOST = 25
"""What release 8 and J48 demand at most on each side of a cut, unless every branch needs more."""


def as_in_any_branch(minimum: Rational, known: Rational, classes: int) -> Rational:
    """The sides of a cut have to be as large as any branch.

    Source:
        [N4 Learning Process: few examples]
    """
    return minimum


def tenth_of_a_class(minimum: Rational, known: Rational, classes: int) -> Rational:
    r"""On each side of a cut a tenth of what is known per class, within bounds.

    $$m = \max\left(\mathrm{minimum},\ \min\left(\frac{|\tilde D|}{10\,K},\ 25\right)\right)$$

    A single row can always be split off, and that foretells little.

    Args:
        minimum: the least weight of a branch.
        known: |D̃|, the weight of the rows that have a value.
        classes: K, as declared, those without rows included.

    Example:
        >>> [str(tenth_of_a_class(2, known, 3)) for known in (30, 150, 155, 6000)]
        ['2', '5', '31/6', '25']

    Source:
        [Quinlan1993 §2.4]; the figures are those of the programs, release 8 and J48. Where the minimum is above 25, and
        the tenth larger still, J48 is content with 25; release 8 refuses such a cut, and so does this rule.
    """
    tenth = min(known * Fraction(1, 10 * classes), Fraction(MOST))
    return tenth if tenth > minimum else minimum


def no_charge(tries: int, weight: Rational) -> Number | None:
    """A cut costs nothing.

    Source:
        [N2 §4.1 Gain], [Quinlan1993 §2.4]
    """
    return None


@lru_cache(maxsize=1 << 12)
def log_of_tries(tries: int, weight: Rational) -> Number | None:
    r"""What it takes to say which of the cuts was chosen, spread over the rows.

    $$\mathrm{penalty} = \frac{\log_2 (N - 1)}{|D|}$$

    Args:
        tries: N - 1, the number of cuts tried.
        weight: |D|, of all rows at the node, those without a value included.

    Example:
        >>> log_of_tries(8, 14), log_of_tries(1, 14)
        (3/14, 0)

    Source:
        [Quinlan1996 §3]. He writes N for the number of distinct values; the programs count the cuts that they try.
    """
    return log(tries) / weight


def every_branch(weights: Sequence[Rational], minimum: Rational) -> bool:
    """Every branch that gets any weight gets at least the minimum.

    Source:
        [N4 Learning Process: few examples]
    """
    return large_enough(weights, minimum)


def two_large_branches(weights: Sequence[Rational], minimum: Rational) -> bool:
    """At least two branches get at least the minimum; the others may be as small as they like.

    It is what saves C4.5 from a column that numbers the rows.

    Example:
        >>> two_large_branches([1] * 14, 2), two_large_branches([5, 4, 1], 2)
        (False, True)

    Source:
        [Quinlan1993 §2.3]
    """
    return sum(1 for weight in weights if weight and weight >= minimum) >= 2


def at_midpoint(cut: Threshold, values: Sequence[Rational], slack: Rational) -> Threshold:
    """The threshold halfway between the two values.

    Source:
        [N2 §4.1 T_i], [N4 Continuous valued features: midpoints]
    """
    return cut


def at_observed_value(cut: Threshold, values: Sequence[Rational], slack: Rational) -> Threshold:
    """The threshold at the largest value of the whole table that is not above the midpoint.

    A tree then shows only numbers that occur in the data. It parts the rows of the node as before; but it may be a
    value that no row of the node has.

    Args:
        cut: at the midpoint.
        values: of the attribute in the whole table, ascending.
        slack: how far above the midpoint a value still counts as not above it.

    Example:
        >>> at_observed_value(Threshold("humidity", Fraction(155, 2), (75, 80)), (65, 70, 75, 77, 80), 0).threshold
        77

    Source:
        [Quinlan1993 §2.4]
    """
    place = bisect_right(values, cut.threshold + slack if slack else cut.threshold)
    if slack and cut.interval is not None:  # whatever the slack, the value above the cut stays above it
        place = min(place, bisect_left(values, cut.interval[1]))
    return Threshold(cut.attribute, values[place - 1], cut.interval, cut.strict)


def cuts_in_reach(sample: Sample, found: Finalists, slack: Rational) -> list[Cut]:
    """The cuts at which a walk can end in which each has to gain more than the one before by more than a slack.

    Args:
        sample: the rows at the node.
        found: the cuts of an attribute, all of them judged (`boundaries` off), at least one.
        slack: in bits, more than 0.

    Returns:
        Thresholds ascending. If they alone are walked along, the end is the same.
    """
    # The cuts are taken from the best one down, as far as each is within the slack of the one before; an estimate may
    # be off by its own slack on either side. All others gain less than any of these by more than the slack. So the
    # first of these that the walk meets is taken, whatever was kept before it, and none of the others is taken after.
    ordered, scores = sample.ordered(found.attribute), found.scores
    (top, bottom), weight = scores.rate, sum(sample.total()) / Fraction(ordered.unit)
    step = 2 * scores.slack + ceil(slack * weight * (bottom << PLACES) / top)
    floor, lower = max(scores.estimates) + 1, max(scores.estimates)
    while lower < floor:
        floor = lower
        lower = min(estimate for estimate in scores.estimates if estimate >= floor - step)
    reached = {p for p, estimate in zip(scores.places, scores.estimates, strict=True) if estimate >= floor}
    if reached == {finalist.place for finalist in found}:
        return [finalist.cut for finalist in found]
    places = compress(range(1, len(ordered.targets)), ordered.gaps)
    return [cut for p, cut in zip(places, scanned_cuts(sample, found.attribute), strict=True) if p in reached]


class WideGaps:
    """A sample in whose orders two values that lie close together have no gap between them.

    Everything else is as in the sample itself.

    Args:
        sample: the rows at a node.
        width: values that lie no further apart than this are close; more than 0.
    """

    def __init__(self, sample: Sample, width: Rational) -> None:
        self._sample, self._width = sample, width
        self.schema, self.target, self.total = sample.schema, sample.target, sample.total
        self.partition, self.packed, self.points = sample.partition, sample.packed, sample.points
        self.split, self.against = sample.split, sample.against

    def ordered(self, attribute: str) -> Ordered:
        """The sample in the order of a continuous attribute."""
        ordered = self._sample.ordered(attribute)
        reach = self.schema.reach(attribute, self._width)
        if reach is None:
            return ordered
        ranks = list(ordered.values)
        return ordered._replace(gaps=bytes(map(gt, ranks[1:], map(reach.__getitem__, ranks))))

    def joined(self, attributes: Sequence[str]) -> None:
        """No: each order is looked at by itself."""


CUT_MINIMUM: Mapping[str, CutMinimum] = {"same": as_in_any_branch, "tenth-of-a-class": tenth_of_a_class}
PENALTY: Mapping[str, Penalty] = {"none": no_charge, "log-of-tries": log_of_tries}
BRANCH_MINIMUM: Mapping[str, BranchMinimum] = {"every": every_branch, "two": two_large_branches}
POSITION: Mapping[str, Position] = {"midpoint": at_midpoint, "observed-value": at_observed_value}
SPLIT_INFORMATION: Mapping[str, SplitInformation] = {
    "of-known": split_information_of_known,
    "with-unknown": split_information_with_unknown,
}
