r"""Terms n·log2 n as integers, from which entropies are estimated.

Entropies are differences of such terms: $nH = n\log_2 n - \sum_j c_j\log_2 c_j$. As the terms are integers, their sums
are exact, the same in any order and on any machine, and only the error of each term has to be known.

1. `n_log_n` gives the term of a whole number, in units of 2^-64.
2. `x_log_x` encloses the term of any weight.
3. `short_terms` gives a table of terms, and `estimated` the term of a long number, both in units of 2^-32.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from threading import Lock
from typing import NamedTuple

from reference_tree.engine.deferred import Deferred, enclosure_near
from reference_tree.engine.whole_rows import floor_of
from reference_tree.exact.logarithms import log2_floor, log2_floor_remembered, log2_of_base
from reference_tree.exact.rationals import Rational

BITS = 64
"""Terms are integers in units of 2^-64."""

PLACES = 32
"""Estimates of many terms are in units of 2^-32."""

LIMIT = 1 << 20
"""Below this n, n·log2 n is read from a table, which grows on demand."""

_LOG_BITS = 96
_logs = [0, 0]
_terms = [0, 0]
# For each n of the table, 2^96·log2 n and 2^64·n·log2 n, both from below.
_LENGTHENING = Lock()
# All threads share the table; one at a time makes it longer.


class IntegerBounds(NamedTuple):
    """Integers around a number: low ≤ x < high, in a unit that both share."""

    low: int
    high: int


def n_log_n(n: int) -> int:
    """2^64 · n·log2 n from below: an integer T with T ≤ 2^64 · n·log2 n < T + 2; 0 for n = 0.

    Example:
        >>> n_log_n(4) == 8 << 64, n_log_n(1), n_log_n(0)
        (True, 0, 0)
    """
    if n < len(_terms):
        return _terms[n]
    if n < LIMIT:
        _extend(min(2 * n, LIMIT))
        return _terms[n]
    # With `extra` more bits, log2_floor is short of 2^(64+extra)·log2 n by less than 2. Multiplied by n and divided by
    # 2^extra, that is less than 2n/2^extra, at most 1; and the rounding at the end loses less than 1 more.
    extra = n.bit_length() + 1
    return n * log2_floor(n, BITS + extra) >> extra


def term_table(n: int) -> list[int]:
    """A table of `n_log_n` of 0, ..., n and perhaps more, for an n below `LIMIT`. Callers must not change it.

    Example:
        >>> term_table(2)[:3] == [0, 0, 2 << 64]
        True
    """
    n_log_n(n)
    return _terms


def _extend(size: int) -> None:
    r"""Lengthen the table to this many entries.

    $$\log_2 2k = 1 + \log_2 k, \qquad
    \log_2 (2k+1) = \log_2 2k + \frac{2}{\ln 2} \operatorname{artanh} \frac{1}{4k+1}$$
    """
    # The series of artanh x is x + x³/3 + x⁵/5 + ... Each power is a quotient rounded down, and short by less than 2;
    # as the squares are at least 25, at most 22 powers are above 0. So the sum is short by less than
    # 2·(1 + 1/3 + 1/5 + ...) < 6 for the powers, 22 for the rounding after dividing by 3, 5, ..., and 1 for the terms
    # left out. Nothing is lost by doubling: the logarithm of n < 2^20 is short by less than 20·29 units of 2^-96, and
    # n·log2 n by less than 2^20·580·2^-96 < 2^-66. The cut to 64 places loses less than 1 unit more.
    factor = 2 * log2_of_base(math.e, _LOG_BITS)[0]
    with _LENGTHENING:
        for n in range(len(_logs), size):
            if n % 2 == 0:
                log = _logs[n // 2] + (1 << _LOG_BITS)
            else:
                log, power, odd, square = _logs[n - 1], factor // (2 * n - 1), 1, (2 * n - 1) ** 2
                while power:
                    log += power // odd
                    power, odd = power // square, odd + 2
            _logs.append(log)
            _terms.append(n * log >> _LOG_BITS - BITS)


def x_log_x(x: Rational) -> IntegerBounds:
    r"""Bounds of $2^{64} \cdot x \log_2 x$ for a weight x; the term of 0 is 0.

    Args:
        x: a weight, not negative. Its length does not matter: a weight of thousands of digits is cut to 64 binary
            places first.

    Example:
        >>> x_log_x(4) == IntegerBounds(8 << 64, (8 << 64) + 2)
        True
        >>> from fractions import Fraction
        >>> low, high = x_log_x(Fraction(1, 2))        # 1/2 · log2 1/2 = -1/2
        >>> low <= -(1 << 63) < high, high - low < 9
        (True, True)
    """
    if isinstance(x, int) and x < 1 << 64:
        term = n_log_n(x)
        return IntegerBounds(term, term + 2)
    if type(x) is Deferred:
        return _of_deferred(x)
    # With y = floor(2^64·x), x lies in [y, y + 1)·2^-64. The logarithm of the lower end is enclosed by L ≤ 2^64·log2 y
    # < L + 2, and that of the upper end is larger by less than 1/(y·ln 2) < 3/(2y). The product of two intervals has
    # its extremes at the corners.
    y = floor_of(x, BITS)
    if not y:  # x < 2^-64, and 0 ≥ x·log2 x ≥ -64·2^-64 there, as -x·log2 x grows with x below 1/e
        return IntegerBounds(-64, 1)
    least = log2_floor_remembered(y, BITS) - (BITS << BITS)
    most = least + 3 + (3 << BITS - 1) // y
    corners = [factor * logarithm for factor in (y, y + 1) for logarithm in (least, most)]
    return IntegerBounds(min(corners) >> BITS, (max(corners) >> BITS) + 1)


def _of_deferred(x: Deferred) -> IntegerBounds:
    """Bounds of the term of a weight that is not worked out."""
    # As for a short weight, with digits y of the weight instead of its floor. It lies in [y, z], and the logarithm of z
    # is larger than that of y by less than (z - y)/(y·ln 2) < 3(z - y)/(2y).
    low, high, places = enclosure_near(x)
    excess = max(0, low.bit_length() - BITS - PLACES)
    y, z, places = low >> excess, -(-high >> excess), places - excess
    least = log2_floor_remembered(y, BITS)
    most = least + 3 + (3 * (z - y) << BITS - 1) // y
    corners = [factor * (logarithm - (places << BITS)) for factor in (y, z) for logarithm in (least, most)]
    if places < 0:
        return IntegerBounds(min(corners) << -places, max(corners) << -places)
    return IntegerBounds(min(corners) >> places, (max(corners) >> places) + 1)


def short_terms(n: int) -> list[int]:
    """The terms of 0, ..., n and perhaps more, in units of 2^-32: each is short by less than 2.

    Example:
        >>> [term >> 32 for term in short_terms(4)[:5]]
        [0, 0, 2, 4, 8]
    """
    return _short_terms(n.bit_length())


@cache
def _short_terms(length: int) -> list[int]:
    # `n_log_n` is short by less than 2 units of 2^-64, and the cut to 32 places by less than 1.
    return [term >> BITS - PLACES for term in term_table((1 << length) - 1)[: 1 << length]]


@lru_cache(maxsize=1 << 12)  # a node needs the same few terms again for each attribute
def estimated(n: int) -> int:
    r"""2^32 · n·log2 n from below: short by less than 2 for n < 2^13, and by less than n·2^7 otherwise.

    Example:
        >>> estimated(8) >> 32, estimated(8 << 90) // (8 << 90) >> 32
        (24, 93)
    """
    length = n.bit_length()
    if length <= 13:
        return n_log_n(n) >> BITS - PLACES
    # Thirteen digits are looked up, and the table is interpolated linearly. The logarithm is above the line by less
    # than (2^-12)²/(8·ln 2) < 2^-26; 24 more digits are used, and the rest is worth less than 2^-35.
    digits = n >> length - 37 if length > 37 else n << 37 - length
    head, tail = digits >> 24, digits & 0xFFFFFF
    logs = _log_table()
    log = logs[head - 4096] + ((logs[head - 4095] - logs[head - 4096]) * tail >> 24)
    return n * (((length - 13) << PLACES) + log)


@cache
def _log_table() -> list[int]:
    """2^32 times the logarithms of 4096, ..., 8192: each is short by less than 1."""
    return [n_log_n(n) // n >> BITS - PLACES for n in range(4096, 8193)]
