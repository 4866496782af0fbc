r"""Continuous bisection: the tests whether a continuous attribute is at most t.

A continuous attribute has too many values for a branch each, so it is cut in two. The position of the cut between two
neighbouring values does not change the sample partition, so there are only as many cuts to try as gaps between values:

1. `cut_points` are the midpoints between neighbouring distinct values: n - 1 for n values.
2. `cuts` gives for each midpoint the test `a ≤ t`, the interval in which t could lie as well, and the sample partition
   D_t^-, D_t^+.
3. `best_cuts` are the cuts of largest information gain, which represent the attribute; there may be several.

The partition of a cut is computed from the one before: the rows between two thresholds change sides. A value is a
number as it is written in the data, and a midpoint is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeAlias

from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Partition, Sample
from reference_tree.data.targets import added, minus, plus
from reference_tree.exact.choosing import best
from reference_tree.exact.rationals import Rational, ascending, simplest
from reference_tree.measures.information_gain import information_gain
from reference_tree.twins import twin


class Cut(NamedTuple):
    """A cut of a continuous attribute, with its sample partition."""

    test: Threshold
    """The test a ≤ t, with the interval [a, b) of all thresholds that divide the sample alike."""
    table: Partition
    """The sample partition: the weight of each class at most t, and above."""


# One fraction over the common denominator, reduced once.
def midpoint(a: Rational, b: Rational) -> Rational:
    r"""The number halfway between two values.

    $$t = \frac{a + b}{2}$$

    Example:
        >>> midpoint(85, Fraction(855, 10)), midpoint(8, 10)
        (Fraction(341, 4), 9)

    Source:
        [N2 §4.1 T_i], [N4 Continuous valued features: midpoints]. N2 calls it the median point (中位点).
    """
    over = 2 * a.denominator * b.denominator
    return simplest(Fraction(a.numerator * b.denominator + b.numerator * a.denominator, over))


def cut_points(values: Iterable[Rational]) -> tuple[Rational, ...]:
    r"""The candidate cuts of a continuous attribute: the midpoints between neighbouring distinct values.

    $$T_a = \left\{ \frac{a^i + a^{i+1}}{2} \;\middle|\; 1 \leq i \leq n - 1 \right\}$$

    Args:
        values: the values in the sample, in any order, as often as they come.

    Returns:
        Exact numbers, ascending: n - 1 for n distinct values.

    Example:
        >>> cut_points([15, 8, 18, 8])
        (Fraction(23, 2), Fraction(33, 2))
        >>> cut_points([8, 8])
        ()

    Source:
        [N2 §4.1 order], [N2 §4.1 T_a], [N3 Continuous Attributes: while growing], [N4 Continuous valued features:
        midpoints]. N3 leaves open which points are tried. N4 takes a midpoint of each two sorted values; of two equal
        ones there is none.
    """
    return tuple(midpoint(a, b) for a, b in pairwise(ascending(values)))


# The left sides are the running sums of the rows in the order of values, the right sides the differences from all rows.
# Both are exact, so no error grows along the values. The last running sum is the whole sample, and no cut.
def cuts(sample: Sample, attribute: str) -> Iterator[Cut]:
    r"""Every cut of a continuous attribute with its sample partition, thresholds ascending.

    $$D_t^- = \{x \in D \mid a(x) \leq t\}, \qquad D_t^+ = \{x \in D \mid a(x) > t\}$$

    Args:
        sample: the rows at the node; rows whose value is missing are counted in `unknown`.
        attribute: the name of a continuous attribute.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"weight": [7, 9, 9, 12], "cat": ["yes", "yes", "no", "no"]})
        >>> for test, partition in cuts(table.sample(), "weight"):
        ...     print(test.name, test.interval, partition.rows)
        weight<=8 (7, 9) ((0, 1), (2, 1))
        weight<=10.5 (9, 12) ((1, 2), (1, 0))

    Source:
        [N2 §4.1 bisection], [N2 §4.1 D_t], [N4 Continuous valued features: weight]. N2 puts values *smaller* than t
        into D_t^+; it is the greater ones.
    """
    values, rows, unknown = sample.ordered(attribute)
    whole = added(rows)
    below = accumulate(rows, plus)
    for threshold, interval, left in zip(cut_points(values), pairwise(values), below, strict=False):
        test = Threshold(attribute, threshold, interval)
        yield Cut(test, Partition(test.outcomes, (left, minus(whole, left)), unknown))


@twin
def values_around(sample: Sample, test: Threshold) -> tuple[Rational | None, Rational | None]:
    """The values of a sample next to a threshold, below it and above it; None on a side where there is none.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"x": [1, 4, 9], "y": ["no", "yes", "yes"]}).sample()
        >>> values_around(sample, Threshold("x", 4)), values_around(sample, Threshold("x", 9))
        ((4, 9), (9, None))
    """
    values = sample.ordered(test.attribute).values
    place = test.place_in(values)
    return values[place - 1] if place else None, values[place] if place < len(values) else None


def gap_around(sample: Sample, test: Threshold) -> tuple[Rational, Rational] | None:
    """The neighbouring values between which a threshold divides a sample; None if all values are on one side.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"x": [1, 4, 9], "y": ["no", "yes", "yes"]}).sample()
        >>> [gap_around(sample, Threshold("x", 4, strict=strict)) for strict in (False, True)]
        [(4, 9), (1, 4)]
    """
    low, high = values_around(sample, test)
    return None if low is None or high is None else (low, high)


def allowed_cuts(sample: Sample, attribute: str, minimum: Rational = 0, gap: Rational = 0) -> Iterator[Cut]:
    """The cuts that may be made.

    Args:
        sample: the rows at the node.
        attribute: the name of a continuous attribute.
        minimum: the least weight of a side.
        gap: no cut is made between two values that lie no further apart than this.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"x": [1, 2, 9], "y": ["no", "yes", "yes"]}).sample()
        >>> [cut.test.name for cut in allowed_cuts(sample, "x", gap=1)], number_of_cuts(sample, "x")
        (['x<=5.5'], 2)
    """
    for cut in cuts(sample, attribute):
        # Both sides have rows, as every value of the order has some; a minimum and a gap of 0 allow every cut.
        assert cut.test.interval, "a cut lies between two values"
        low, high = cut.test.interval
        if min(map(sample.target.weight, cut.table.rows)) >= minimum and high - low > gap:
            yield cut


@twin
def cuts_of_weight(sample: Sample, attribute: str, low: Rational, high: Rational) -> list[Cut]:
    """The cuts whose lower side weighs as much as wanted, thresholds ascending.

    Args:
        sample: the rows at the node.
        attribute: the name of a continuous attribute.
        low: the least weight of the lower side.
        high: its largest weight.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"x": [1, 2, 2, 9], "y": ["no", "yes", "yes", "no"]}).sample()
        >>> [cut.test.name for cut in cuts_of_weight(sample, "x", 2, 3)]
        ['x<=5.5']
    """
    weigh = sample.target.weight
    return [cut for cut in cuts(sample, attribute) if low <= weigh(cut.table.rows[0]) <= high]


@twin
def number_of_cuts(sample: Sample, attribute: str, minimum: Rational = 0, gap: Rational = 0) -> int:
    """The number of cuts that may be made; arguments as for `allowed_cuts`."""
    return sum(1 for _ in allowed_cuts(sample, attribute, minimum, gap))


Cuts: TypeAlias = frozenset[tuple[str, tuple[Rational, Rational]]]
"""Cuts, each as its attribute and its interval."""


class CutSearch(NamedTuple):
    """The conditions of a search for the best cuts of a node."""

    measure: str
    """The name of the measure that scores a cut."""
    minimum: Rational = 0
    """As for `allowed_cuts`."""
    gap: Rational = 0
    """As for `allowed_cuts`."""
    slack: Rational = 0
    """A cut is also wanted if it is worse than another wanted cut by at most this."""
    class_weights: Sequence[int] | None = None
    """The factors of the columns before a cut is scored; None for no factors."""
    ties: bool = True
    """Whether all of the best cuts are wanted; otherwise the first of equal cuts is enough."""
    without: Cuts = frozenset()
    """Cuts that are no longer looked for: then the next best are found."""


# A cut within a run of values whose rows are all of one class scores below a cut at an end of the run [FayyadIrani1992
# thm. 1]. A fast form may leave such cuts out. This one tries all: it is what the fast forms are held against.
@twin
def promising_cuts(sample: Sample, attributes: Sequence[str], search: CutSearch) -> list[Cut]:
    """The cuts of some attributes that can be the best of all: in the textbook form, every cut that may be made.

    Args:
        sample: the rows at the node.
        attributes: the names of continuous attributes.
        search: the conditions of the search.

    Returns:
        The cuts in the order of the attributes, thresholds ascending.
    """
    return [cut for name in attributes for cut in allowed_cuts(sample, name, search.minimum, search.gap)]


@twin
def lists_all(sample: Sample, attribute: str, search: CutSearch) -> bool:
    """Whether an explanation lists every cut of an attribute; a store of many rows finds the best and the next best."""
    return True


def listed_cuts(sample: Sample, attribute: str, search: CutSearch) -> Iterable[Cut]:
    """The cuts that an explanation lists; the best and the next best are among them. Arguments as for `lists_all`."""
    if lists_all(sample, attribute, search):
        return cuts(sample, attribute)
    # Two searches: the best cuts, and the best without these. The margin needs no other cut.
    near = promising_cuts(sample, [attribute], search)
    winning = frozenset((attribute, cut.test.interval) for cut in near if cut.test.interval)
    beside = promising_cuts(sample, [attribute], search._replace(without=winning))
    return sorted((*near, *beside), key=lambda cut: cut.test.threshold)


def best_cuts(sample: Sample, attribute: str) -> list[Cut]:
    r"""The cuts that represent a continuous attribute: all cuts of largest information gain.

    $$\mathrm{Gain}(D, a) = \max_{t \in T_a} \left(
    \mathrm{Ent}(D) - \sum_{\lambda \in \{-, +\}} \frac{|D_t^\lambda|}{|D|} \mathrm{Ent}(D_t^\lambda) \right)$$

    Args:
        sample: the rows at the node.
        attribute: the name of a continuous attribute.

    Returns:
        The exact winners, thresholds ascending; empty if there is no cut.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"x": [1, 2, 3, 4], "y": ["no", "yes", "yes", "no"]})
        >>> [cut.test.name for cut in best_cuts(table.sample(), "x")]
        ['x<=1.5', 'x<=3.5']

    Source:
        [N2 §4.1 Gain], [N2 §4.1 choice], [N4 figure: weight splits]. N4 has no rule for equal cuts, and its own
        example has two.
    """
    return best(cuts(sample, attribute), lambda cut: information_gain(cut.table.rows))
