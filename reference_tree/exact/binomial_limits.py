r"""Binomial limits: upper bounds of an error rate, given the errors that were observed.

If each of N rows is an error with probability p, E errors or fewer occur with the probability

$$B(p) = \sum_{k=0}^{E} \binom{N}{k} p^k (1 - p)^{N - k}$$

which falls from 1 to 0 as p grows. The upper confidence limit (Clopper and Pearson) is the p at which this equals a
given confidence CF: for a larger error rate, so few errors would be less likely than CF.

1. `upper_limit` is that p, an algebraic number.
2. `LimitSum` is a sum of such numbers with rational coefficients. Its terms can be enclosed as narrowly as needed:
   integers that enclose B at a dyadic number, or B itself, decide whether p is above that number. Sums of the same
   terms are equal; if two other sums agree up to the cap of precision, `UndecidedError` is raised, and nothing is
   guessed.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import count
from math import comb
from typing import NamedTuple

from reference_tree.exact.linear_sums import EnclosedSum
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import CAP_BITS, UndecidedError


class Limit(NamedTuple):
    """The limit p for E errors among N rows at a confidence."""

    errors: int
    """The number of errors E, below N."""
    rows: int
    """The number of rows N."""
    confidence: Fraction
    """The confidence CF, between 0 and 1."""


class LimitSum(EnclosedSum[Limit]):
    """The number q + Σ c_k · p_k, where the p_k are binomial limits.

    Args:
        terms: p_k → c_k, with rational coefficients.
        constant: q.

    Example:
        >>> quarter = Fraction(1, 4)
        >>> float(6 * upper_limit(0, 6, quarter) + 9 * upper_limit(0, 9, quarter))
        2.522600998417746
        >>> upper_limit(1, 16, quarter) * 2 > upper_limit(1, 8, quarter), upper_limit(3, 3, quarter) == 1
        (True, True)
    """

    __slots__ = ()

    def _bounds(self, term: Limit, bits: int) -> tuple[int, int]:
        if bits > CAP_BITS:
            raise UndecidedError(
                f"two sums of binomial limits agree to {CAP_BITS} bits, and no proof of equality is known"
            )
        below = _floor(term, bits)
        return below, below + 1

    def as_rational(self) -> Fraction | None:
        """The value as a fraction, if it contains no limit; otherwise None."""
        return None if self.terms else self.constant

    def __repr__(self) -> str:
        terms = [str(self.constant)] if self.constant or not self.terms else []
        shown = [f"{c}·U({limit.errors}, {limit.rows}; {limit.confidence})" for limit, c in self.terms.items()]
        return " + ".join([*terms, *shown])


def upper_limit(errors: int, rows: int, confidence: Rational) -> LimitSum:
    r"""The upper confidence limit of an error rate: the p at which E errors or fewer have the probability CF.

    $$\sum_{k=0}^{E} \binom{N}{k} p^k (1 - p)^{N - k} = \mathrm{CF}$$

    Args:
        errors: E, the observed errors, from 0 to N. If all rows are errors the limit is 1.
        rows: N, at least 1.
        confidence: CF, between 0 and 1; the smaller it is, the higher the limit.

    Raises:
        ValueError: an argument is out of range.

    Example:
        >>> float(upper_limit(0, 1, Fraction(1, 4))), float(upper_limit(1, 16, Fraction(1, 4)))
        (0.75, 0.1596...)

    Source:
        [Quinlan1993 §4.2]
    """
    if not 0 <= errors <= rows or rows < 1 or not 0 < confidence < 1:
        raise ValueError(f"there is no binomial limit for {errors} errors among {rows} rows at {confidence}")
    if errors == rows:
        return LimitSum({}, 1)
    return LimitSum({Limit(errors, rows, Fraction(confidence)): Fraction(1)})


@lru_cache(maxsize=1 << 14)
def _floor(limit: Limit, bits: int) -> int:
    """The integer part of 2^bits · p, by Newton's method.

    A guess is only the next number to compare. The result is proved, as it lies between two compared neighbours.
    """
    low, high = 0, 1 << bits  # B(0) = 1 and B(1) = 0
    guess = ((limit.errors + 1) << bits) // (limit.rows + 1)
    for round_ in count(1):
        if high - low == 1:
            break
        if round_ % 4 == 0 or not 0 < guess < 1 << bits:  # so there are at most four rounds for each bit
            guess = low + high >> 1
        a = min(max(guess, low + 1), high - 1)
        is_at_most, step = _newton_step(a, bits, limit)
        low, high = (a, high) if is_at_most else (low, a)
        guess = a + step
    return low


def _newton_step(a: int, bits: int, limit: Limit) -> tuple[bool, int]:
    r"""Whether a/2^bits ≤ p, that is, B(a/2^bits) ≥ CF; and the approximate distance to p by Newton's method.

    In the derivative of B all terms but one cancel, and a multiple of the last term of B is left:

    $$B'(p) = -\frac{N - E}{1 - p} \, t_E \qquad p - \frac{B(p) - \mathrm{CF}}{B'(p)} = p +
    \Bigl(1 - \frac{\mathrm{CF}}{B}\Bigr) \frac{B}{t_E} \, \frac{1 - p}{N - E}$$
    """
    errors, rows, confidence = limit
    low, high, exponent, terms, precision = _so_few(a, bits, limit)
    # B and CF are compared as integers: both are multiplied by the denominator of CF and by 2^-exponent, which is an
    # integer as B ≤ 1.
    goal = confidence.numerator << -exponent
    low, high = low * confidence.denominator, high * confidence.denominator
    part = ((low - goal) << bits) // low
    step = (part * terms >> precision) * ((1 << bits) - a) // (rows - errors) >> bits
    if low < goal <= high:
        return _is_at_most_exactly(a, bits, limit), step
    return low >= goal, step


def _so_few(a: int, bits: int, limit: Limit) -> tuple[int, int, int, int, int]:
    r"""(low, high, exponent, terms, precision) with low·2^exponent ≤ B(a/2^bits) ≤ high·2^exponent.

    B/t_E is about terms/2^precision; a is above 0 and below 2^bits. The last term, k = E, is a binomial coefficient
    times two powers. Every other term follows from the next one:

    $$\frac{t_{k-1}}{t_k} = \frac{k}{N - k + 1} \cdot \frac{1 - p}{p}$$
    """
    errors, rows, _ = limit
    rest = (1 << bits) - a
    precision = bits + rows.bit_length() + _SPARE
    # The bounds of t_k/t_E are in units of 2^-precision: in the lower one each quotient is rounded down, in the upper
    # one it is rounded up.
    low = high = total_low = total_high = 1 << precision
    for k in range(errors, 0, -1):
        above, below = k * rest, (rows - k + 1) * a
        if high <= 1 and above <= below:
            # The ratios fall with k. So none of the remaining ratios is above 1, and none of the k remaining terms is
            # above 1 unit.
            total_high += k
            break
        low, high = low * above // below, -(-high * above // below)
        total_low, total_high = total_low + low, total_high + high
    p_low, p_high, p_exponent = _power(a, errors, precision)
    q_low, q_high, q_exponent = _power(rest, rows - errors, precision)
    ways = _ways(rows, errors)
    exponent = p_exponent + q_exponent - bits * rows - precision
    return ways * p_low * q_low * total_low, ways * p_high * q_high * total_high, exponent, total_low, precision


_SPARE = 64
"""Extra bits of precision. If these are not enough, the comparison is made exactly."""


@lru_cache(maxsize=64)
def _ways(rows: int, errors: int) -> int:
    """The binomial coefficient, kept for all comparisons with the same limit."""
    return comb(rows, errors)


def _power(base: int, exponent: int, precision: int) -> tuple[int, int, int]:
    """(low, high, shift) with low·2^shift ≤ base^exponent ≤ high·2^shift, both shortened to this many bits."""
    low, high, shift = 1, 1, 0
    for digit in bin(exponent)[2:]:  # from the highest digit: square, and for a 1 multiply by the base
        low, high, shift = low * low, high * high, 2 * shift
        if digit == "1":
            low, high = low * base, high * base
        if (excess := high.bit_length() - precision) > 0:
            low, high, shift = low >> excess, -(-high >> excess), shift + excess
    return low, high, shift


def _is_at_most_exactly(a: int, bits: int, limit: Limit) -> bool:
    """Whether a/2^bits ≤ p, decided exactly: both sides times 2^(bits·N) are integers, which are long."""
    errors, rows, confidence = limit
    rest = (1 << bits) - a
    total, term = 0, 1  # the binomial coefficient times a^k
    for k in range(errors + 1):  # Horner's rule, from the highest power of 1 - p
        total = total * rest + term
        term = term * a * (rows - k) // (k + 1)
    return bool(total * rest ** (rows - errors) * confidence.denominator >= confidence.numerator << bits * rows)
