r"""Bounds of gain and gain ratio: integers that settle nearly every comparison before exact arithmetic is asked.

An exact gain is a sum of logarithms, and two of them take thousands of times longer to compare than two integers. But
each term is of one kind, x·log2 x for a weight x, and such a term is easily enclosed by integers. Sums of enclosures
are enclosures, so a whole gain is; only where two of them overlap does the exact comparison have to be made.

1. `x_log_x` encloses one term, in units of 2^-64.
2. `gain_bounds` encloses |D| times the information gain of a question, `cost_bounds` |D| times its split information.
3. `quotient` encloses the ratio of two such numbers.

The factor |D|, the weight of all rows at a node, is there because it spares the divisions. It is the same for all
questions of a node, so what it multiplies is ordered as before.
"""

from __future__ import annotations

from collections.abc import Sequence

from reference_tree.data.sample import Partition
from reference_tree.exact.choosing import ESTIMATE_BITS, Bounds, n_log_n
from reference_tree.exact.logarithms import log2_floor
from reference_tree.exact.long_numbers import floor_of, ratio_of
from reference_tree.exact.rationals import Rational

UNIT = 1 << ESTIMATE_BITS
"""One bit of information, in units of the bounds."""

UNBOUNDED = Bounds(-UNIT * UNIT, UNIT * UNIT)
"""Wider than any gain ratio: says nothing."""

_SHORT = 1 << 64
"""Whole weights up to this have their terms looked up; longer and broken ones are first cut to size."""
_FINE = 64
"""The binary places to which they are cut."""


def x_log_x(x: Rational) -> Bounds:
    r"""$2^{64} \cdot x \log_2 x$ of a weight, enclosed; 0 for no weight.

    Args:
        x: a weight, not negative. Its length does not matter: a weight of thousands of digits is cut to 64 binary
            places first.

    Example:
        >>> x_log_x(4) == Bounds(8 * UNIT, 8 * UNIT + 2)
        True
        >>> from fractions import Fraction
        >>> low, high = x_log_x(Fraction(1, 2))        # 1/2 · log2 1/2 = -1/2
        >>> low <= -UNIT // 2 < high, high - low < 9
        (True, True)
    """
    if isinstance(x, int) and x <= _SHORT:
        term = n_log_n(x)
        return Bounds(term, term + 2)
    # With y = floor(2^64·x), x lies in [y, y + 1)·2^-64. The logarithm of the lower end is enclosed by L ≤ 2^64·log2 y
    # < L + 2, and that of the upper end is larger by less than 1/(y·ln 2) < 3/(2y). Of a product of two intervals the
    # corners are the extremes.
    y = floor_of(x, _FINE)
    if not y:  # x < 2^-64, and 0 ≥ x·log2 x ≥ -64·2^-64 there, as -x·log2 x grows with x below 1/e
        return Bounds(-64, 1)
    least = log2_floor(y, _FINE) - (_FINE << _FINE)
    most = least + 3 + (3 << _FINE - 1) // y
    corners = [factor * logarithm for factor in (y, y + 1) for logarithm in (least, most)]
    surplus = 2 * _FINE - ESTIMATE_BITS
    return Bounds(min(corners) >> surplus, (max(corners) >> surplus) + 1)


def gain_bounds(table: Partition) -> Bounds:
    r"""$2^{64}\,|D|$ times the information gain of a question, rows without an answer included.

    $$|D|\,\mathrm{Gain}(D, A) = |\tilde D| \left( H(\tilde D) - H(\tilde D|A) \right)
    = t(|\tilde D|) - \sum_j t(|\tilde C_j|) - \sum_i t(|A_i|) + \sum_{i,j} t(s_{ij}), \qquad t(x) = x \log_2 x$$

    Args:
        table: the sample partition; where no answer is known, the gain is 0.

    Example:
        >>> outlook = Partition((), ((0, 4), (2, 3), (3, 2)), (0, 0))
        >>> low, high = gain_bounds(outlook)
        >>> f"{low / UNIT / 14:.6f}", high - low < 40
        ('0.246750', True)

    Source:
        [N0 EN §2 eq. (3)], [N2 §4.2 Gain]
    """
    # Of many classes a small sample has few, and terms of 0 are 0.
    classes = [weight for weight in map(sum, zip(*table.rows, strict=True)) if weight]
    branches = [weight for weight in map(sum, table.rows) if weight]
    cells = [cell for row in table.rows for cell in row if cell]
    return _difference([*cells, sum(branches)], [*classes, *branches])


def cost_bounds(table: Partition, *, with_unknown: bool) -> Bounds:
    r"""$2^{64}\,|D|$ times the split information of a question.

    $$|D|\,H(r_1, \dots) = t(|D|) - \sum_i t(|A_i|) - t(|D| - |\tilde D|), \qquad
    |D|\,H(\tilde r_1, \dots) = \frac{|D|}{|\tilde D|} \left( t(|\tilde D|) - \sum_i t(|A_i|) \right)$$

    Args:
        table: the sample partition; some answer has to be known.
        with_unknown: whether "unknown" is one more outcome, as on the left; otherwise only known answers count.

    Example:
        >>> low, high = cost_bounds(Partition((), ((0, 4), (2, 3), (3, 2)), (0, 0)), with_unknown=True)
        >>> f"{low / UNIT / 14:.6f}", high - low < 40
        ('1.577406', True)

    Source:
        [N0 EN §2 eq. (4)], [Quinlan1993 §3.1]
    """
    branches = list(map(sum, table.rows))
    known, unknown = sum(branches), sum(table.unknown)
    if with_unknown:
        return _difference([known + unknown], [*branches, unknown])
    cost = _difference([known], branches)
    if not unknown:
        return cost
    everyone = known + unknown
    least, most, scale = ratio_of(everyone, known)
    return Bounds(min(cost.low * least, cost.low * most) // scale, -(-cost.high * most // scale))


def quotient(gain: Bounds, cost: Bounds) -> Bounds:
    r"""$2^{64}$ times the quotient of two enclosed numbers, of which the second is positive.

    Example:
        >>> quotient(Bounds(3, 4), Bounds(8, 9)) == Bounds(UNIT // 3, UNIT // 2 + 1)
        True
    """
    if cost.low <= 0:
        return UNBOUNDED
    low = (gain.low << ESTIMATE_BITS) // (cost.high if gain.low > 0 else cost.low)
    high = (gain.high << ESTIMATE_BITS) // (cost.low if gain.high > 0 else cost.high)
    return Bounds(low, high + 1)


def _difference(plus: Sequence[Rational], minus: Sequence[Rational]) -> Bounds:
    """The terms of some weights less those of others, enclosed."""
    low, high = _total(plus)
    least, most = _total(minus)
    return Bounds(low - most, high - least)


def _total(weights: Sequence[Rational]) -> tuple[int, int]:
    """The sum of the terms of some weights, enclosed."""
    short = [weight for weight in weights if isinstance(weight, int) and weight <= _SHORT]
    if len(short) == len(weights):
        total = sum(map(n_log_n, short))
        return total, total + 2 * len(short)
    terms = [x_log_x(weight) for weight in weights if weight]
    return sum(term.low for term in terms), sum(term.high for term in terms)
