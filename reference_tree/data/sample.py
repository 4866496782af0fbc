"""The sample: the weighted part of a table that reaches a node, and the only door to its data.

What a measure, a splitter or a learner may know of the data is the *sample partition*: a table with a row for each
outcome of a question and a column for each class, the weight of the rows that gave that answer in the cells; or the
same in the order of a continuous attribute. Loops above this door run over outcomes and values; a row of the data has
no identity there. Whoever can answer `GROUP BY answer` and `GROUP BY value ORDER BY value` can take the place of
`Sample`.

The notation: A_1, ..., A_V are the outcomes, C_1, ..., C_K the classes, s_ij = |A_i ∩ C_j| the weight in cell (i, j).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import compress, islice
from operator import mul, ne
from typing import NamedTuple, Protocol, TypeAlias

from reference_tree.data.missing import REFUSED, Missing
from reference_tree.data.points import Points
from reference_tree.data.questions import Multiway, Outcome, Test
from reference_tree.data.schema import Schema
from reference_tree.data.targets import Moments, Target
from reference_tree.exact.long_numbers import any_deferred, is_deferred, total_of
from reference_tree.exact.rationals import Rational, simplest

Counts: TypeAlias = tuple[Rational, ...]
"""One row of s_ij, exact and additive: the weight of each class, or what else the target counts."""


class Partition(NamedTuple):
    """The sample partition of one question.

    Source:
        [N0 EN §1 table], [N0 EN §1 s_ij]. N0 lets s_ij stand for a sample, a set and a count; here it is the count.
    """

    outcomes: tuple[Outcome, ...]
    """In branch order, empty ones included."""
    rows: tuple[Counts, ...]
    """For each outcome, the weight of each class."""
    unknown: Counts
    """The weight of each class whose answer is missing."""


class PackedTables(NamedTuple):
    """The sample partitions of the multiway splits on all attributes, each a string of bytes: see `packed_rows`."""

    total: Counts
    """The row of the whole sample."""
    tests: Sequence[Multiway]
    """The questions, in table order."""
    tables: Sequence[bytes]
    """Their partitions, without the rows that do not answer: the cells of the first row, then those of the next."""
    whole: bytes
    """The partition of a question that parts nothing: the row of the whole sample."""
    wide: int
    """How many bytes each cell takes: 1, 2 or 4, the lowest first."""


class Ordered(NamedTuple):
    """A sample in the order of a continuous attribute: parallel sequences, without any row's identity.

    The rows that have a value, by ascending values; equal values stand in any order.
    """

    values: Sequence[int]
    """Ranks; `schema.value(attribute, rank)` is the exact number."""
    targets: Sequence[int]
    """What is predicted, of each: the number of its column, or, of numeric targets, y as a multiple of `grain`."""
    gaps: bytes
    """For each place between two neighbours whether their values differ, so that there is a cut between: 1 or 0."""
    multiples: Sequence[int] | None
    """The weight of each as a multiple of `unit`; none: all are one unit."""
    unit: Rational
    """What all weights of the sample are multiples of, whatever the attribute."""
    grain: Rational
    """What all numbers of a numeric target are multiples of, whatever the attribute; 1 for other targets."""
    unknown: Counts
    """The row of those whose value is missing."""

    @property
    def weights(self) -> Sequence[Rational]:
        """The weight of each."""
        if self.multiples is None:
            return [self.unit] * len(self.targets)
        return [multiple * self.unit for multiple in self.multiples]


def gaps(values: Sequence[int]) -> bytes:
    """For each place between two neighbours whether they differ: 1 or 0.

    Example:
        >>> list(gaps([3, 3, 5, 6])), list(gaps(b"aabc"))
        ([0, 1, 1], [0, 1, 1])
    """
    if not isinstance(values, bytes):
        return bytes(map(ne, values, islice(values, 1, None)))
    # As one long integer, a byte string is compared with itself, shifted by one place, all at once.
    whole = int.from_bytes(values, "big")
    return (whole ^ whole >> 8).to_bytes(len(values), "big")[1:].translate(_TRUTH)


_TRUTH = bytes([0]) + bytes([1]) * 255
# For `bytes.translate`: 0 for 0 and 1 for all others.


def multiples(weights: Sequence[Rational]) -> tuple[list[int], Rational]:
    """Weights as whole multiples of the largest unit that there is, and that unit.

    Example:
        >>> multiples([1, Fraction(2, 3), Fraction(1, 2)])
        ([6, 4, 3], Fraction(1, 6))
        >>> multiples([4, 6])
        ([2, 3], 2)
    """
    common = math.lcm(*(weight.denominator for weight in weights))
    whole = [weight.numerator * (common // weight.denominator) for weight in weights]
    divisor = math.gcd(*whole) or 1
    return [weight // divisor for weight in whole], simplest(Fraction(divisor, common))


def sums(target: Target, digits: Sequence[int], weights: Sequence[int] | None) -> list[int]:
    """The row of s_ij that some rows of the data make together, in whole units of weight and of a numeric target.

    Args:
        target: what is counted.
        digits: of each row the number of its column, or y.
        weights: of each row; none: all are one unit.

    Example:
        >>> from reference_tree.data.targets import Classes, Moments
        >>> sums(Classes(("no", "maybe", "yes")), [2, 0, 2], [5, 2, 4]), sums(Moments(), [3, 5], None)
        ([2, 0, 9], [2, 8, 34])
    """
    if not isinstance(target, Moments):
        return tally(digits, weights, len(target.columns))
    products = digits if weights is None else list(map(mul, weights, digits))
    return [len(digits) if weights is None else sum(weights), sum(products), sum(map(mul, products, digits))]


def in_units(target: Target, whole: Sequence[int], unit: Rational, grain: Rational) -> Counts:
    """Such a row with its units put in.

    Args:
        target: what is counted.
        whole: the row, in whole units.
        unit: of weight.
        grain: the unit of a numeric target.

    Example:
        >>> from reference_tree.data.targets import Moments
        >>> in_units(Moments(), [2, 8, 34], 1, Fraction(1, 2))
        (2, 4, Fraction(17, 2))
    """
    if isinstance(target, Moments):
        w, wy, wyy = whole
        return times(w, unit), times(wy, unit * grain), times(wyy, unit * grain * grain)
    return tuple(whole) if unit == 1 else tuple(times(cell, unit) for cell in whole)


def times(whole: int, unit: Rational) -> Rational:
    """So many units, as an integer where the product is one.

    Example:
        >>> times(4, Fraction(1, 2)), times(3, Fraction(1, 2))
        (2, Fraction(3, 2))
    """
    if isinstance(unit, int) or is_deferred(whole):
        return whole * unit
    return simplest(Fraction(whole * unit.numerator, unit.denominator))


def tally(digits: Sequence[int], weights: Sequence[int] | None, width: int) -> list[int]:
    """The weight of each digit.

    Example:
        >>> tally(bytes([1, 0, 1]), None, 3), tally([1, 0, 1], [5, 2, 4], 2)
        ([1, 2, 0], [2, 9])
    """
    if weights is None and isinstance(digits, bytes) and width <= 16:
        return [digits.count(digit) for digit in range(width)]
    found = [0] * width
    if weights is None:
        for digit, count in Counter(digits).items():
            found[digit] = count
    elif any_deferred(weights):
        return [total_of(compress(weights, map(digit.__eq__, digits))) for digit in range(width)]
    else:
        for digit, weight in zip(digits, weights, strict=True):
            found[digit] += weight
    return found


class Joined(NamedTuple):
    """The orders of some attributes, one behind the other. In each stand all rows, which all weigh the same."""

    attributes: Sequence[str]
    """Whose orders these are; at least one."""
    labels: bytes
    """The class of each row."""
    gaps: bytes
    """As in `Ordered`; there is one between two orders too."""
    unit: Rational
    """What each row weighs."""


class Sample(Protocol):
    """The weighted rows that reach a node. How they are stored is nobody else's affair."""

    @property
    def schema(self) -> Schema:
        """What the columns are."""

    @property
    def target(self) -> Target:
        """What is counted: the columns of every row below."""

    def total(self) -> Counts:
        """The row of the whole sample: |C_1|, ..., |C_K|, or what else the target counts."""

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a question: GROUP BY answer, target."""

    def packed(self) -> PackedTables | None:
        """The multiway partitions on all attributes at once; none where the rows are kept in another form."""

    def ordered(self, attribute: str) -> Ordered:
        """The sample in the order of a continuous attribute: GROUP BY value, target ORDER BY value."""

    def joined(self, attributes: Sequence[str]) -> Joined | None:
        """The orders of some continuous attributes, one behind the other; of those for which that is easily had."""

    def points(self, attributes: Sequence[str]) -> Points:
        """The sample as a linear test sees it: GROUP BY the values of all these attributes at once."""

    def split(self, test: Test, missing: Missing = REFUSED) -> tuple[Sample, ...]:
        """The parts of the sample that give each answer, in branch order.

        Args:
            test: the question.
            missing: where a row without an answer goes. Its weight is multiplied by its share of each branch; or the
                first surrogate that it answers says the branch; or it takes the one branch for all such rows. Where
                there is no way for it, it is in no part.
        """

    def against(self, target: Target) -> Sample:
        """The same rows with other columns. Rows that have nothing to count there are left out."""
