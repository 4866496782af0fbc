r"""Logarithms of long numbers, of which neither numerator nor denominator is known.

A sum of logarithms (`log_sums`) may have deferred numbers among its n_k and c_k. Then

1. `enclosure` encloses all of them first, and after that the sum;
2. `factors` takes a number apart, since log xy = log x + log y: most of what cancels does so factor by factor.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from reference_tree.exact.deferred import PLACES, Deferred, product_of
from reference_tree.exact.logarithms import Base, log2_floor, log2_of_base
from reference_tree.exact.long_numbers import enclosure_of
from reference_tree.exact.rationals import Rational


def enclosure(terms: Mapping[Rational, Fraction], constant: Rational, base: Base, bits: int) -> tuple[int, int, int]:
    r"""An enclosure of $q + \sum_k c_k \log_b n_k$.

    Args:
        terms: n_k → c_k.
        constant: q.
        base: b.
        bits: how many binary places the logarithms have; of numbers that are not multiplied out, twice as many serve.

    Returns:
        (low, high, scale) with low/scale ≤ x ≤ high/scale.

    Example:
        >>> low, high, scale = enclosure({3: Fraction(1, 2)}, 1, 2, 80)         # 1 + log2(3)/2
        >>> f"{low / scale:.6f}", high - low < scale >> 70
        ('1.792481', True)
    """
    # Of a product of two intervals the corners are the extremes.
    places = max(PLACES, 2 * bits)
    least, most = enclosure_of(constant, places)
    low, high = least << bits, most << bits
    small, large = log2_of_base(base, bits) if base != 2 else (1 << bits, 1 << bits)
    whole = places << bits
    for n, c in terms.items():
        least, most = enclosure_of(n, places)
        if least <= 0:  # nothing is known of its logarithm yet: too few places
            return -(1 << 4 * bits + places), 1 << 4 * bits + places, 1 << bits + places
        of_log = log2_floor(least, bits) - whole, log2_floor(most, bits) + 2 - whole
        corners = [of_c * one for of_c in enclosure_of(c, places) for one in of_log]
        low += (min(corners) << bits) // (large if min(corners) > 0 else small)
        high -= (-max(corners) << bits) // (small if max(corners) > 0 else large)
    return low, high, 1 << bits + places


def factors(number: Rational) -> list[tuple[Rational, int]]:
    """Numbers, none of which is a product, and exponents with which their product is the number.

    Example:
        >>> from reference_tree.exact.deferred import deferred
        >>> factors(Fraction(2, 3))
        [(Fraction(2, 3), 1)]
        >>> import math
        >>> number = deferred(Fraction(5**150, 3**200))
        >>> math.prod(part**power if power > 0 else 1 / part for part, power in factors(number)) == number
        True
    """
    if not isinstance(number, Deferred):
        return [(number, 1)]
    content, monomial = number.factors()
    return [(content, 1), *((product_of(1, ((factor, 1),)), power) for factor, power in monomial)]
