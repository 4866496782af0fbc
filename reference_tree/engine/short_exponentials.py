r"""Short exponentials: powers of e, and the probabilities made of them, as integers of 80 binary places.

Boosting asks for thousands of them in each round. Those of the book (`exact.exponentials`) have any number of places;
these have a fixed number, which settles nearly every comparison, and take a tenth of the time.

1. `exp_floor` is e^-x: 2 to a power whose twelve bytes are looked up in twelve tables, and multiplied.
2. `logistic_floor` and `softmax_floors` are shares of such powers in their sum.

Each function states how much its result may be too small.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from reference_tree.exact.logarithms import log2_of_base
from reference_tree.exact.radicals import exp2_floor

PLACES = 80
"""The binary places of all results: as many as an enclosure of the book has at first (`exact.rounding.START_BITS`)."""
ONE = 1 << PLACES
LOGISTIC_OFF = 3
"""By how much `logistic_floor` may be too small, in its unit."""

_EXPONENT = 96
"""The binary places of an exponent of 2."""
_WIDTH = 112
"""The binary places of a power of 2."""
_LARGEST = 60
"""e^-60 is less than 2^-86."""


@cache
def _tables() -> tuple[int, list[list[int]]]:
    """log2 e, rounded up, with 8 places more than an exponent; and 2^(b·256^-j) for each byte b at each place j."""
    powers = []
    for first in range(0, _EXPONENT, 8):
        table = [1 << _WIDTH]
        for place in range(first + 8, first, -1):  # each bit doubles the table
            root = exp2_floor(1 << _WIDTH - place, _WIDTH)
            table += [power * root >> _WIDTH for power in table]
        powers.append(table)
    return log2_of_base(math.e, _EXPONENT + 8)[1], powers


def exp_floor(top: int, bottom: int) -> int:
    """2^80 · e^(-top/bottom) from below: too small by less than 2 units.

    Args:
        top: the numerator, not negative.
        bottom: the denominator, positive.

    Example:
        >>> import math
        >>> exp_floor(1, 2) / 2**80 - math.exp(-0.5)
        0.0
    """
    # The exponent of 2 is taken too far from 0, in units of 2^-96: by log2 e, which is too large by less than a unit of
    # 2^-104 and is multiplied by at most 60, and by a last unit. Two units of the exponent are less than 2^-95 of the
    # power. Each root of 2 lacks less than 2 of its units, and each product is cut: of 96 roots, less than 96·3 parts
    # in 2^112. Together this is less than 2^-94 of a power that is at most 1, so less than a unit; the shift cuts
    # another.
    if top > _LARGEST * bottom:
        return 0
    log2_e, tables = _tables()
    exponent = -((top * log2_e // bottom >> 8) + 1)
    product = 0
    for table, byte in zip(tables, (exponent & (1 << _EXPONENT) - 1).to_bytes(_EXPONENT // 8, "big"), strict=True):
        product = product * table[byte] >> _WIDTH if product else table[byte]
    return product >> _WIDTH - PLACES - (exponent >> _EXPONENT)


def logistic_floor(top: int, bottom: int) -> int:
    """2^80 / (1 + e^-x) from below, for an x of at least 0: too small by less than 3 units.

    Example:
        >>> logistic_floor(0, 1) / 2**80
        0.5
    """
    # With e ≤ E < e + 2 the quotients of both ends differ by less than 2 units, for their divisors are above 2^80; and
    # the lower one is cut by less than 1.
    return (ONE << PLACES) // (ONE + exp_floor(top, bottom) + 2)


def softmax_floors(tops: Sequence[int], bottom: int) -> list[int]:
    """2^80 times the share of each e^(top/bottom) in their sum, from below: too small by less than `softmax_off` units.

    Example:
        >>> [round(share / 2**80, 9) for share in softmax_floors([7, 7, 7, 7], 3)]
        [0.25, 0.25, 0.25, 0.25]
    """
    most = max(tops)
    powers = [exp_floor(most - top, bottom) for top in tops]
    whole = sum(powers) + 2 * len(tops)
    return [(power << PLACES) // whole for power in powers]


def softmax_off(classes: int) -> int:
    """By how much `softmax_floors` may be too small, in its unit."""
    # Each power lacks less than 2, the sum of the floors is at least 2^80 - 1, and at least as large as each of them:
    # numerator and denominator move a share by less than 2 + 1 and 2K + 1 units, and it is cut by less than 1.
    return 2 * classes + 5
