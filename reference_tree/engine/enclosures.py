r"""Enclosures: exact numbers that are worked out only if integers around them do not settle a comparison.

An exact gain is a sum of logarithms, and two of them take thousands of times longer to compare than two integers. Each
of its terms is easily enclosed by integers, and so is the whole gain. An `Enclosed` number is such an interval, and a
way to work the number out. Compared, it answers by the interval where it can, and exactly where it cannot: so it is
the exact number to whoever compares it, and no learner has to know.

1. `Enclosed` compares; sums, multiples and quotients are enclosed in turn.
2. `gain`, `cost`, `gini` and `variance` enclose the measures of a sample partition.
3. `decisive_score` is the fast form of the textbook function of this name.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from reference_tree.data.sample import Partition
from reference_tree.engine.terms import BITS, Bounds, n_log_n, x_log_x
from reference_tree.exact.log_sums import Number
from reference_tree.exact.long_numbers import is_deferred, ratio_of
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import Real
from reference_tree.splitting import candidate
from reference_tree.splitting.candidate import MEASURES, Measure
from reference_tree.twins import fast_form_of


class Enclosed:
    """A number between two integers, in units of 2^-bits.

    Args:
        low: at most the number.
        high: at least the number.
        work_out: gives the exact number.
        signature: numbers with the same signature are known to be equal; none: nothing is known.
        bits: of the unit.

    Example:
        >>> third = Enclosed(5, 6, lambda: Fraction(1, 3), bits=4)
        >>> third < Fraction(1, 2), third > Fraction(1, 3), (third + third).exact
        (True, False, Fraction(2, 3))
    """

    __slots__ = ("_exact", "_signature", "_work_out", "bits", "high", "low")

    def __init__(
        self,
        low: int,
        high: int,
        work_out: Callable[[], Number],
        signature: Callable[[], Hashable] | None = None,
        bits: int = BITS,
    ) -> None:
        self.low, self.high, self.bits = low, high, bits
        self._work_out, self._signature, self._exact = work_out, signature, None

    @property
    def exact(self) -> Number:
        """The number itself."""
        if self._exact is None:
            self._exact = self._work_out()
        return self._exact

    def _compared(self, other: Number, relation: Callable[[Any, Any], bool]) -> bool:
        low, high = _enclosure(other, self.bits)
        if self.high < low or self.low > high:
            return relation(self.low, high)
        if isinstance(other, Enclosed):
            if self is other or self._is_like(other):
                return relation(0, 0)
            other = other.exact
        return relation(self.exact, other)

    def _is_like(self, other: Enclosed) -> bool:
        return (
            self._exact is None
            and self._signature is not None
            and other._signature is not None
            and self._signature() == other._signature()
        )

    def __lt__(self, other: Number) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: Number) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: Number) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Number) -> bool:
        return self._compared(other, operator.ge)

    def __eq__(self, other: object) -> bool:
        return self._compared(other, operator.eq)

    def __hash__(self) -> int:
        return hash(self.exact)

    def __float__(self) -> float:
        return float(self.exact)

    def __add__(self, other: Number) -> Enclosed:
        low, high = _enclosure(other, self.bits)
        return Enclosed(self.low + low, self.high + high, lambda: self.exact + _exact(other), bits=self.bits)

    __radd__ = __add__

    def __sub__(self, other: Number) -> Number:
        if isinstance(other, Enclosed):  # a margin, which is shown
            return self.exact - other.exact
        low, high = _enclosure(other, self.bits)
        return Enclosed(self.low - high, self.high - low, lambda: self.exact - other, bits=self.bits)

    def __rsub__(self, other: Number) -> Number:
        return other - self.exact

    def __mul__(self, factor: Rational) -> Enclosed:
        ends = [end * factor.numerator for end in (self.low, self.high)]
        low, high = min(ends) // factor.denominator, -(-max(ends) // factor.denominator)
        return Enclosed(low, high, lambda: self.exact * factor, bits=self.bits)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Enclosed) -> Enclosed:
        def work_out() -> Number:
            return self.exact / divisor.exact

        def signature() -> Hashable:
            return self._signature and self._signature(), divisor._signature and divisor._signature()

        known = signature if self._signature and divisor._signature else None
        if divisor.low <= 0:  # it is positive, but nobody can see that yet
            return Enclosed(-1 << 2 * BITS, 1 << 2 * BITS, work_out, known)
        low = (self.low << BITS) // (divisor.high if self.low > 0 else divisor.low)
        high = -((-self.high << BITS) // (divisor.low if self.high > 0 else divisor.high))
        return Enclosed(low, high, work_out, known)


def _exact(number: Number) -> Number:
    return number.exact if isinstance(number, Enclosed) else number


def _enclosure(number: Any, bits: int) -> tuple[int, int]:
    """Integers around a number, in units of 2^-bits."""
    if isinstance(number, Enclosed):
        if number.bits == bits:
            return number.low, number.high
        by = bits - number.bits
        return (number.low << by, number.high << by) if by > 0 else (number.low >> -by, -(-number.high >> -by))
    if isinstance(number, int):
        return number << bits, number << bits
    if isinstance(number, Real):
        low, high, scale = number.enclosure(bits)
    elif is_deferred(number):
        low, high = number.enclosure(bits)
        return low, high
    else:
        low, high, scale = number.numerator, number.numerator, number.denominator
    return (low << bits) // scale, -((-high << bits) // scale)


# The measures of a partition. Bounds of terms are of |D| times the measure; |D| is divided by at the end.


def terms_of(weights: Iterable[Rational]) -> Bounds:
    """The sum of the terms of some weights, enclosed."""
    low = high = 0
    for weight in weights:
        if type(weight) is int and weight < 1 << 64:
            term = n_log_n(weight)
            low, high = low + term, high + term + 2
        else:
            term_low, term_high = x_log_x(weight)
            low, high = low + term_low, high + term_high
    return Bounds(low, high)


def gain(table: Partition) -> Enclosed:
    r"""The information gain of a question, rows without an answer included.

    $$|D|\,\mathrm{Gain}(D, A) = |\tilde D| \left( H(\tilde D) - H(\tilde D|A) \right)
    = t(|\tilde D|) - \sum_j t(|\tilde C_j|) - \sum_i t(|A_i|) + \sum_{i,j} t(s_{ij}), \qquad t(x) = x \log_2 x$$

    Example:
        >>> outlook = Partition((), ((0, 4), (2, 3), (3, 2)), (0, 0))
        >>> found = gain(outlook)
        >>> f"{found.low / 2**64:.6f}", found.high - found.low < 4
        ('0.246750', True)

    Source:
        [N0 EN §2 eq. (3)], [N2 §4.2 Gain]
    """
    branches = [sum(row) for row in table.rows]
    known = sum(branches)
    plus = terms_of([known, *(cell for row in table.rows for cell in row if cell)])
    minus = terms_of([*map(sum, zip(*table.rows, strict=True)), *branches])
    low, high = _over(plus.low - minus.high, plus.high - minus.low, known + sum(table.unknown))
    return Enclosed(max(low, 0), high, lambda: MEASURES["gain"](table), lambda: _signature(table))


def cost(table: Partition) -> Enclosed:
    r"""The split information of the known answers.

    $$|\tilde D|\,H(\tilde r_1, \dots) = t(|\tilde D|) - \sum_i t(|A_i|)$$

    Example:
        >>> found = cost(Partition((), ((0, 4), (2, 3), (3, 2)), (0, 0)))
        >>> f"{found.low / 2**64:.6f}"
        '1.577406'

    Source:
        [N0 EN §2 eq. (4)]
    """
    return _cost(table, [sum(row) for row in table.rows], "split_information")


def cost_with_unknown(table: Partition) -> Enclosed:
    r"""The split information in which "unknown" is one more outcome.

    $$|D|\,H(r_1, \dots) = t(|D|) - \sum_i t(|A_i|) - t(|D| - |\tilde D|)$$

    Source:
        [Quinlan1993 §3.1]
    """
    return _cost(table, [*(sum(row) for row in table.rows), sum(table.unknown)], "split_information_with_unknown")


def _cost(table: Partition, weights: Sequence[Rational], name: str) -> Enclosed:
    whole = sum(weights)
    plus, minus = terms_of([whole]), terms_of(weights)
    low, high = _over(plus.low - minus.high, plus.high - minus.low, whole)
    return Enclosed(max(low, 0), high, lambda: MEASURES[name](table), lambda: _multiset([weights]))


def ratio(table: Partition) -> Enclosed:
    """The gain ratio, of which the split information is that of the known answers."""
    return gain(table) / cost(table)


def gini(table: Partition) -> Enclosed:
    r"""The decrease of Gini: $|D|$ times it is $\sum_i \sum_j s_{ij}^2 / s_{i\cdot} - \sum_j c_j^2 / n$.

    Example:
        >>> f"{gini(Partition((), ((0, 4), (2, 3), (3, 2)), (0, 0))).low / 2**64:.6f}"
        '0.116327'
    """
    classes = tuple(map(sum, zip(*table.rows, strict=True)))
    bounds = [_quotient(sum(c * c for c in row), sum(row)) for row in table.rows if any(row)]
    whole = _quotient(sum(c * c for c in classes), sum(classes)) if any(classes) else Bounds(0, 0)
    low, high = sum(b.low for b in bounds) - whole.high, sum(b.high for b in bounds) - whole.low
    low, high = _over(low, high, sum(classes) + sum(table.unknown))
    return Enclosed(max(low, 0), high, lambda: MEASURES["gini_decrease"](table), lambda: _signature(table))


def variance(table: Partition) -> Enclosed:
    r"""The reduction of the variance: $|D|$ times it is $\sum_i (wy)_i^2 / w_i - (wy)^2 / w$.

    The unit is so small that the variance of the sample has 64 bits.
    """
    rows = [row for row in table.rows if row[0]]
    w, wy, wyy = (sum(column) for column in zip(*table.rows, table.unknown, strict=True))
    spread = Fraction(w * wyy - wy * wy)
    bits = max(BITS, BITS + (spread.denominator * Fraction(w).numerator ** 2).bit_length() - spread.numerator.bit_length())
    known, known_sum = sum(row[0] for row in rows), sum(row[1] for row in rows)
    bounds = [_quotient(row[1] * row[1], row[0], bits) for row in rows]
    whole = _quotient(known_sum * known_sum, known, bits) if known else Bounds(0, 0)
    low, high = sum(b.low for b in bounds) - whole.high, sum(b.high for b in bounds) - whole.low
    low, high = _over(low, high, w)
    rows_alike = frozenset((row[0], row[1]) for row in table.rows)
    return Enclosed(
        max(low, 0), high, lambda: MEASURES["variance_reduction"](table), lambda: (rows_alike, table.unknown), bits
    )


def _quotient(top: Rational, bottom: Rational, bits: int = BITS) -> Bounds:
    """A quotient of two rationals, enclosed."""
    if type(top) is int and type(bottom) is int:
        low = (top << bits) // bottom
        return Bounds(low, low + 1)
    if is_deferred(top) or is_deferred(bottom):
        low, high, scale = ratio_of(top, bottom)
        return Bounds((low << bits) // scale, (high << bits) // scale + 1)
    low = ((top.numerator * bottom.denominator) << bits) // (top.denominator * bottom.numerator)
    return Bounds(low, low + 1)


def _over(low: int, high: int, weight: Rational) -> Bounds:
    """What encloses a number over a weight."""
    if type(weight) is int:
        return Bounds(low // weight, -(-high // weight))
    if is_deferred(weight):
        least, most = weight.enclosure(BITS)  # type: ignore[attr-defined]
        return Bounds((low << BITS) // (most if low > 0 else least), -((-high << BITS) // (least if high > 0 else most)))
    top, bottom = weight.denominator, weight.numerator
    return Bounds(low * top // bottom, -(-high * top // bottom))


def _signature(table: Partition) -> Hashable:
    """What the gain and the decrease of Gini follow from, without any arithmetic."""
    unknown = sum(table.unknown)
    classes = _multiset([tuple(map(sum, zip(*table.rows, strict=True)))])
    return _multiset(table.rows), classes, unknown


def _multiset(rows: Sequence[Sequence[Rational]]) -> Hashable:
    """Rows up to their order and that of the cells in each; cells that are 0 say nothing."""
    return tuple(sorted(tuple(sorted(filter(None, row))) for row in rows))


ENCLOSURES: Mapping[Measure, Callable[[Partition], Enclosed]] = {
    MEASURES["gain"]: gain,
    MEASURES["split_information"]: cost,
    MEASURES["split_information_with_unknown"]: cost_with_unknown,
    MEASURES["ratio"]: ratio,
    MEASURES["gini_decrease"]: gini,
    MEASURES["variance_reduction"]: variance,
}
"""The measures that can be enclosed."""


@fast_form_of(candidate.decisive_score)
def decisive_score(measure: Measure, table: Partition) -> Number:
    """The score by which a candidate is compared with others, enclosed if its measure can be."""
    enclosed = ENCLOSURES.get(measure)
    return measure(table) if enclosed is None else enclosed(table)
