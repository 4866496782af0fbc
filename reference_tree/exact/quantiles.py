r"""Quantiles of the normal distribution: the deviate that is exceeded with a given probability.

The z with Φ(z) = p has in general no closed form. Each program has its own approximation of it, with about fifteen
correct digits. Here it can be enclosed as narrowly as needed, so the *nearest double* is known: a constant that any
program can use, and that decisions can be based on.

1. `normal_quantile` is that double, as an exact fraction.
2. `NormalQuantile` is the number itself. Its binary digits are found one by one: each is decided by whether Φ at some
   dyadic number is above p.
3. `pi_bounds` encloses π, which the normal distribution needs.

Everything is enclosed by integers; no floating point is used.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt

from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import CAP_BITS, Number, Real, UndecidedError
from reference_tree.exact.rounding import nearest_double


class NormalQuantile(Real):
    r"""The number z with Φ(z) = p.

    Here $\Phi(z) = \frac{1}{2} + \frac{1}{\sqrt{2\pi}} \int_0^z e^{-t^2/2} \, dt$.

    Args:
        p: at least 1/2 and below 1.

    Raises:
        ValueError: p is out of this range.

    Example:
        >>> float(NormalQuantile(Fraction(3, 4))), float(NormalQuantile(Fraction(39, 40)))
        (0.6744897501960817, 1.9599639845400543)
    """

    __slots__ = ("p",)

    def __init__(self, p: Rational) -> None:
        if not Fraction(1, 2) <= p < 1:
            raise ValueError(f"the probability of a deviate that is not negative is from 1/2 to below 1, not {p}")
        self.p = Fraction(p)

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        """(low, high, scale) with low/scale ≤ z ≤ high/scale."""
        low = _floor(self.p, bits)
        return low, low + 1, 1 << bits

    def as_rational(self) -> Fraction | None:
        """0 for p = 1/2; no other rational value is known."""
        return Fraction(0) if self.p == Fraction(1, 2) else None

    def compare(self, other: Number) -> int:
        """As `Real.compare` says."""
        if isinstance(other, NormalQuantile):
            return (self.p > other.p) - (self.p < other.p)  # Φ increases
        if not isinstance(other, int | float | Fraction):
            raise TypeError(f"a quantile of the normal distribution does not compare with {other!r}")
        if other <= 0:  # z is 0 for p = 1/2, and positive otherwise
            return 1 if other < 0 or self.p > Fraction(1, 2) else 0
        return 1 if _is_below(Fraction(other), self.p) else -1


def normal_quantile(p: Rational) -> Fraction:
    """The double nearest to the z with Φ(z) = p, as a fraction.

    Args:
        p: at least 1/2 and below 1.

    Raises:
        ValueError: p is out of this range.

    Example:
        >>> normal_quantile(Fraction(3, 4)) == Fraction(0.6744897501960817)
        True
    """
    return Fraction(nearest_double(NormalQuantile(p)))


@lru_cache(maxsize=256)
def _floor(p: Fraction, bits: int) -> int:
    """The integer part of 2^bits · z."""
    low, step = 0, 1
    while _is_below(Fraction(step), p):
        step *= 2
    size = bits + step.bit_length() - 1  # z < step, which is a power of two
    for place in reversed(range(size)):
        if _is_below(Fraction(low + (1 << place), 1 << bits), p):
            low += 1 << place
    return low


def _is_below(z: Fraction, p: Fraction) -> bool:
    """Whether Φ(z) ≤ p, for z > 0."""
    bits = 96
    while bits <= CAP_BITS:
        low, high = _integral(z, bits)
        small, large = pi_bounds(bits)
        # √(2π)·(p - 1/2), from below and from above
        part = p - Fraction(1, 2)
        goal_low = isqrt(2 * small << bits) * part.numerator // part.denominator
        goal_high = -(-(isqrt(2 * large << bits) + 1) * part.numerator // part.denominator)
        if high <= goal_low:
            return True
        if low >= goal_high:
            return False
        bits *= 2
    raise UndecidedError(f"Φ({z}) and {p} agree to {CAP_BITS} bits")


def _integral(z: Fraction, bits: int) -> tuple[int, int]:
    r"""Integers that enclose 2^bits · ∫ e^(-t²/2) dt from 0 to z.

    $$\int_0^z e^{-t^2/2} \, dt = \sum_{k=0}^{\infty} (-1)^k \frac{z^{2k+1}}{2^k \, k! \, (2k+1)}$$
    """
    # z^(2k+1)/(2^k·k!) is kept as a lower and an upper bound. Once it falls, the rest of the series is smaller than the
    # first term of that rest.
    low = high = (z.numerator << bits) // z.denominator
    high += 1
    square = z * z
    total_low = total_high = k = 0
    while high > 2 * k + 1 or k < square:
        first, last = low // (2 * k + 1), -(-high // (2 * k + 1))
        total_low, total_high = (
            (total_low - last, total_high - first) if k % 2 else (total_low + first, total_high + last)
        )
        k += 1
        low = low * square.numerator // (2 * k * square.denominator)
        high = -(-high * square.numerator // (2 * k * square.denominator))
    return total_low - 1, total_high + 1


@lru_cache(maxsize=64)
def pi_bounds(bits: int) -> tuple[int, int]:
    r"""Integers that enclose 2^bits · π, by Machin's formula: $\pi = 16 \arctan \frac{1}{5} - 4 \arctan \frac{1}{239}$.

    Example:
        >>> pi_bounds(10)       # 1024·π = 3216.99...
        (3216, 3218)
    """
    spare = bits.bit_length() + 8
    small, large = _arctan_of_inverse(5, bits + spare), _arctan_of_inverse(239, bits + spare)
    # Each arctangent is off by at most one unit for each of its fewer than `bits` terms, up or down, 20 times in all.
    middle, error = 16 * small - 4 * large, 20 * (bits + spare)
    return middle - error >> spare, (middle + error >> spare) + 1


def _arctan_of_inverse(x: int, bits: int) -> int:
    """2^bits · arctan(1/x), up to one unit for each term of the series: x^-(2k+1)/(2k+1), signs alternating."""
    power, total, k = (1 << bits) // x, 0, 0
    while power:
        total += power // (2 * k + 1) * (-1) ** k
        power //= x * x
        k += 1
    return total
