r"""Ratios of sums of logarithms: gain ratios, compared without rounding.

The quotient g/s of two sums is compared with a rational r by the sign of g - r·s. Every equality of two quotients that
is found is *proved*, and so is an order that enclosures show. That one of the two always happens is known only if the
four exponentials conjecture holds. So the precision has a cap, and passing it raises `UndecidedError`: nothing is
guessed.

1. `LogRatio` is the quotient of two `LogSum`s, which `/` makes.
2. `LogRatioDifference` is the difference of two such quotients.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from reference_tree.exact.linear_sums import LinearSum
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import CAP_BITS, Number, Real, UndecidedError
from reference_tree.exact.rounding import START_BITS


class LogRatio(Real):
    """The quotient of two `LogSum`s, exact.

    Args:
        numerator: any sum of logarithms.
        denominator: a sum of logarithms that is not 0.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> log(8) / log(2) == 3, log(9) / log(3) == log(25) / log(5), log(3) / log(2) < log(5) / log(3) * 2
        (True, True, True)
    """

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Number, denominator: Number) -> None:
        # The denominator is kept positive, so that a comparison may multiply by it.
        sign = denominator.sign()
        if not sign:
            raise ZeroDivisionError(f"division of {numerator!r} by {denominator!r}, which is 0")
        self.numerator, self.denominator = (numerator, denominator) if sign > 0 else (-numerator, -denominator)

    def __mul__(self, factor: Rational) -> LogRatio:
        if not isinstance(factor, int | Fraction):
            return NotImplemented
        return type(self)(self.numerator * factor, self.denominator)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Rational) -> LogRatio:
        return self * (Fraction(1) / divisor) if isinstance(divisor, int | Fraction) else NotImplemented

    def __neg__(self) -> LogRatio:
        return self * -1

    def __sub__(self, other: LogRatio) -> LogRatioDifference:
        return LogRatioDifference(self, other) if isinstance(other, LogRatio) else NotImplemented

    def compare(self, other: Number) -> int:
        """As `Real.compare` says."""
        if isinstance(other, LogRatioDifference):
            return -other.compare(self)
        if isinstance(other, LinearSum):
            other = LogRatio(other, other.one())
        if not isinstance(other, LogRatio):  # g/s is compared with r as g with r·s
            r = Fraction(other) if isinstance(other, float) else other
            return (self.numerator - self.denominator * r).sign()  # type: ignore[no-any-return]
        return _order(self, other, lambda: self._equals(other))

    def _equals(self, other: LogRatio) -> bool:
        return are_equal(self.numerator, self.denominator, other.numerator, other.denominator)

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        """(low, high, scale) with low/scale ≤ x ≤ high/scale."""
        small, large, scale = self.denominator.enclosure(bits)
        while small <= 0:  # the denominator is positive, but the enclosure is too wide to show that
            bits *= 2
            small, large, scale = self.denominator.enclosure(bits)
        low, high, top_scale = self.numerator.enclosure(bits)
        low, high = low * scale << bits, high * scale << bits
        return (
            low // (top_scale * (large if low > 0 else small)),
            -(-high // (top_scale * (small if high > 0 else large))),
            1 << bits,
        )

    def as_rational(self) -> Fraction | None:
        """The value as a fraction; None if it is irrational."""
        value: Fraction | None = self.numerator.proportion_to(self.denominator)
        return value

    def __repr__(self) -> str:
        value = self.as_rational()
        return f"({self.numerator!r}) / ({self.denominator!r})" if value is None else str(value)


class LogRatioDifference(Real):
    """The difference of two `LogRatio`s: the lead of one gain ratio over another.

    Its sign comes from a comparison, and its digits from enclosures.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> difference = log(3) / log(2) - log(5) / log(3)
        >>> difference > 0, float(difference)
        (True, 0.11998898000322901)
    """

    __slots__ = ("first", "second")

    def __init__(self, first: LogRatio, second: LogRatio) -> None:
        self.first, self.second = first, second

    def compare(self, other: Number) -> int:
        """As `Real.compare` says."""
        one = self.first.denominator.one()
        if not isinstance(other, Real):
            if not other:
                return (self.first > self.second) - (self.first < self.second)
            other = one * (Fraction(other) if isinstance(other, float) else other)
        if isinstance(other, LinearSum):
            other = LogRatio(other, other.one())
        if isinstance(other, LogRatio):
            other = other - LogRatio(one - 1, one)
        return _order(self, other, lambda: self._equals(other))

    def _equals(self, other: LogRatioDifference) -> bool:
        # Equal parts prove equal differences. Otherwise both have to be rational, or no proof is known, and the cap of
        # the precision decides that it is given up.
        if self.first == other.first and self.second == other.second:
            return True
        return (value := self.as_rational()) is not None and value == other.as_rational()

    def __bool__(self) -> bool:
        return self.compare(0) != 0

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        """(low, high, scale) with low/scale ≤ x ≤ high/scale.

        Raises:
            UndecidedError: more than `CAP_BITS` bits are needed. That happens only if the difference may be a certain
                rational, but no proof of that is known.
        """
        if bits > CAP_BITS:
            raise UndecidedError(f"the difference of two ratios could not be rounded with {CAP_BITS} bits")
        low, high, scale = self.first.enclosure(bits)
        other_low, other_high, other_scale = self.second.enclosure(bits)
        return low * other_scale - other_high * scale, high * other_scale - other_low * scale, scale * other_scale

    def as_rational(self) -> Fraction | None:
        """The value as a fraction, if it is known to be one.

        That is so if both ratios are rational, if they are equal, or if their denominators are proportional and the
        difference of the scaled numerators is a rational multiple of them. No other rational difference is known.
        """
        first, second = self.first.as_rational(), self.second.as_rational()
        if first is not None and second is not None:
            return first - second
        g1, s1, g2, s2 = self.first.numerator, self.first.denominator, self.second.numerator, self.second.denominator
        scale = (s1 / s2).as_rational() if g1.base == g2.base else None
        if scale is not None:  # g1/(q·s) - g2/s = (g1 - q·g2)/(q·s)
            value: Fraction | None = ((g1 - g2 * scale) / s1).as_rational()
            return value
        return None if self else Fraction(0)

    def __repr__(self) -> str:
        return f"{self.first!r} - {self.second!r}"


def _order(x: Real, y: Real, are_equal: Callable[[], bool]) -> int:
    """The order of two numbers: 0 if they are proved equal, -1 or 1 once their enclosures do not meet."""
    bits = START_BITS
    while bits <= CAP_BITS:
        low, high, scale = x.enclosure(bits)
        other_low, other_high, other_scale = y.enclosure(bits)
        if low * other_scale > other_high * scale:
            return 1
        if high * other_scale < other_low * scale:
            return -1
        if bits == START_BITS and are_equal():
            return 0
        bits *= 2
    raise UndecidedError(
        f"two ratios of {float(x)} agree to {CAP_BITS} bits, and no proof that they are equal is known"
    )


def are_equal(g1: Number, s1: Number, g2: Number, s2: Number) -> bool:
    """Whether g1/s1 = g2/s2 can be proved, for sums of logarithms."""
    # g1/s1 = g2/s2 means g1·s2 = g2·s1. These are products of linear forms in independent logarithms, and linear forms
    # are irreducible: if the logarithms satisfy no other relation, the factors agree up to a rational factor, one way
    # or the other. Each test below is a proof of equality on its own.
    if not (g1 and g2):
        return not g1 and not g2
    across = g1.proportion_to(g2)
    if across is not None and across == s1.proportion_to(s2):
        return True
    value = g1.proportion_to(s1)
    return value is not None and value == g2.proportion_to(s2)
