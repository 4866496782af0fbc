"""Intervals: numbers between two rationals, and real numbers that are enclosed ever more narrowly.

Some numbers have no normal form that shows whether two of them are equal: sums of logistic functions, and quotients of
such sums. They are known only by *enclosures*, which decide everything but an exact tie.

1. `Interval` calculates with enclosures: a formula of intervals gives an interval that contains its value.
2. `Refined` is a number that can be enclosed as narrowly as needed. Two of them differ if their enclosures do not meet.
   They are equal if they have the same key (`Refined.made`). Otherwise they are refined up to `CAP_BITS` bits, and then
   `UndecidedError` is raised: nothing is guessed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import cache, lru_cache

from reference_tree.exact.rationals import Rational, UndecidedError
from reference_tree.exact.reals import CAP_BITS, Number, Real
from reference_tree.exact.rounding import START_BITS, decimal


class Interval:
    """All numbers between two rationals, ends included.

    Args:
        low: the lower end.
        high: the upper end.

    Example:
        >>> (Interval(1, 2) - 3) ** 2, 1 / Interval(2, 4), Interval(-1, 2) ** 2
        (Interval(1, 4), Interval(1/4, 1/2), Interval(0, 4))
    """

    __slots__ = ("high", "low")

    def __init__(self, low: Rational, high: Rational) -> None:
        self.low, self.high = low, high

    def __add__(self, other: Number) -> Interval:
        it = _interval(other)
        return Interval(self.low + it.low, self.high + it.high)

    __radd__ = __add__

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __sub__(self, other: Number) -> Interval:
        return self + -_interval(other)

    def __rsub__(self, other: Number) -> Interval:
        return _interval(other) - self

    def __mul__(self, other: Number) -> Interval:
        it = _interval(other)
        # The usual case, with two products in place of four: weights, H and probabilities are not negative.
        if self.low >= 0 and it.low >= 0:
            return Interval(self.low * it.low, self.high * it.high)
        products = [a * b for a in (self.low, self.high) for b in (it.low, it.high)]
        return Interval(min(products), max(products))

    __rmul__ = __mul__

    def __truediv__(self, other: Number) -> Interval:
        it = _interval(other)
        if it.low <= 0 <= it.high:
            raise ZeroDivisionError(f"{it!r} may be 0")
        return self * Interval(Fraction(1) / it.high, Fraction(1) / it.low)

    def __rtruediv__(self, other: Number) -> Interval:
        return _interval(other) / self

    def __pow__(self, exponent: int) -> Interval:
        # An even power is least at 0 if 0 lies within, and otherwise at an end.
        ends = sorted((self.low**exponent, self.high**exponent))
        return Interval(0 if exponent % 2 == 0 and self.low <= 0 <= self.high else ends[0], ends[1])

    def __repr__(self) -> str:
        return f"Interval({self.low}, {self.high})"


def _interval(number: Number) -> Interval:
    return number if isinstance(number, Interval) else Interval(number, number)


class Refined(Real):
    """A real number that is known by its enclosures.

    Args:
        narrow: gives an enclosure for a number of bits; the more bits, the narrower.
        made: gives a key of the number such that numbers with equal keys are equal; or the number itself, if it is
            rational.

    Example:
        >>> third = Refined(lambda bits: Interval(Fraction((1 << bits) // 3, 1 << bits), Fraction(1, 3)))
        >>> third < Fraction(34, 100), float(third)
        (True, 0.3333333333333333)

    Source:
        [Moore1966]
    """

    __slots__ = ("_made", "_narrow")

    def __init__(self, narrow: Callable[[int], Interval], made: Callable[[], Hashable] | None = None) -> None:
        # the best of many is compared with each of the others
        self._narrow, self._made = lru_cache(1)(narrow), None if made is None else cache(made)

    def __repr__(self) -> str:
        return f"<Refined: {decimal(self, 9)}>"

    def interval(self, bits: int) -> Interval:
        """An enclosure from so many bits, or from more if a divisor may be 0 by what these tell of it.

        Raises:
            UndecidedError: more than `CAP_BITS` bits are wanted.
        """
        while bits <= CAP_BITS:
            try:
                return self._narrow(bits)
            except ZeroDivisionError:
                bits *= 2
        raise UndecidedError(f"two numbers cannot be told apart with {CAP_BITS} bits, nor proved equal")

    def compare(self, other: Number) -> int:
        """As in `Real`.

        Raises:
            UndecidedError: neither enclosures nor keys settle it.
        """
        # The key is asked for only once the first enclosures meet: it takes longer than they do, and most numbers
        # differ early. Without equal keys the enclosures are refined, up to the cap of `interval`.
        bits = START_BITS
        while True:
            mine = self.interval(bits)
            its = other.interval(bits) if isinstance(other, Refined) else _interval(Fraction(other))
            if mine.low > its.high:
                return 1
            if mine.high < its.low:
                return -1
            if mine.low == mine.high == its.low == its.high:
                return 0
            if bits == START_BITS and self.made is not None and self.made == made_of(other):
                return 0
            bits *= 2

    @property
    def made(self) -> Hashable:
        """The key of the number; None if it has none."""
        return None if self._made is None else self._made()

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        """(low, high, scale) with low/scale ≤ x ≤ high/scale."""
        found = self.interval(bits)
        return math.floor(Fraction(found.low) * (1 << bits)), math.ceil(Fraction(found.high) * (1 << bits)), 1 << bits

    def as_rational(self) -> Fraction | None:
        """None: it is not known whether the number is rational."""
        return None


def made_of(number: Number) -> Hashable:
    """The key of a number; a rational is its own key."""
    return number.made if isinstance(number, Refined) else Fraction(number)


__all__ = ["Interval", "Refined", "UndecidedError"]
