r"""Exponentials by integer arithmetic: enclosures of e^x, and of the probabilities made of them.

Boosting with a logarithmic loss turns a sum of leaf values into a probability, which needs e^x. For a rational x ≠ 0,
e^x is irrational (Lindemann 1882), so it can only be enclosed; integers are enough for that.

1. `exp_bounds` encloses e^x for x ≤ 0. That is enough: a probability is a ratio, so the largest exponent can be
   subtracted from all.
2. `softmax_bounds` encloses the shares of some exponentials in their sum. The share of e^x in 1 + e^x is the logistic
   function of x.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from reference_tree.exact.logarithms import log2_of_base
from reference_tree.exact.radicals import exp2_floor
from reference_tree.exact.rationals import Rational


def exp_bounds(x: Rational, bits: int) -> tuple[int, int]:
    r"""Integers that enclose 2^bits · e^x, for x ≤ 0.

    $$e^x = 2^{x \log_2 e}$$

    Returns:
        L and U with L ≤ 2^bits · e^x ≤ U ≤ L + 3.

    Raises:
        ValueError: x is positive.

    Example:
        >>> exp_bounds(0, 10), exp_bounds(-1, 10)       # 1024/e = 376.70...
        ((1024, 1024), (376, 377))

    Source:
        [Knuth1997 §1.2.2]
    """
    if x > 0:
        raise ValueError(f"only powers of e from 1 downwards are enclosed, not e^{x}")
    if x == 0:
        return 1 << bits, 1 << bits
    if -x > bits:
        return 0, 1  # e^x < 2^-bits, and x may be of any length
    # The exponent of 2 is off by less than 5·|x| + 1 units of 2^-width, and as e^x ≤ 1 so is the power, in the same
    # units; computing the power adds less than 2. With this width the total is a small part of a unit of 2^-bits.
    most = 5 * math.ceil(-x) + 3
    spare = most.bit_length() + 4
    width = bits + spare
    _, above = log2_of_base(math.e, width)
    power = exp2_floor(math.floor(x * above), width)  # x may be a sum of logarithms: log odds
    return power >> spare, (power + most >> spare) + 1


def softmax_bounds(xs: Sequence[Rational], bits: int) -> list[tuple[int, int]]:
    r"""Integers that enclose 2^bits times the share of each exponential in their sum.

    $$p_k = \frac{e^{x_k}}{\sum_j e^{x_j}}$$

    Example:
        >>> softmax_bounds([0, 0], 10), softmax_bounds([5, 5, 5, 5], 4)
        ([(512, 512), (512, 512)], [(4, 4), (4, 4), (4, 4), (4, 4)])

    Source:
        [Friedman2001 §4.6]
    """
    most = max(xs)
    bounds = [exp_bounds(x - most, bits) for x in xs]
    lows, highs = (sum(ends) for ends in zip(*bounds, strict=True))
    return [((low << bits) // highs, -((-high << bits) // lows)) for low, high in bounds]
