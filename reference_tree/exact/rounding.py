r"""Rounding: once, at the very end, and correctly.

An exact number is rounded *once*, when it is printed: to the nearest double, or to a number of decimals. Correctly
rounded means that no other double (decimal) is nearer to the exact value, so the figure is the same on every platform
and in every language.

The method needs only an *enclosure*: integers low ≤ high and a scale with low/scale ≤ x ≤ high/scale, as narrow as
needed. Rounding is monotone, so if low and high round to the same result, x does too. If they do not, the enclosure is
narrowed; a value that lies exactly between two results is rational, and is rounded as a fraction.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from struct import Struct
from typing import Protocol, TypeVar, cast

from reference_tree.exact.rationals import Rational, integer_text

Result = TypeVar("Result")

START_BITS = 80
"""The precision of the first enclosure: a double has 53 bits, and most near ties are settled with fewer than 80."""


class Enclosable(Protocol):
    """A real number that can be enclosed as narrowly as needed."""

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        """(low, high, scale) with low/scale ≤ x ≤ high/scale; each further bit halves the width."""

    def as_rational(self) -> Fraction | None:
        """The value, if it is rational."""


Roundable = Rational | Enclosable


def nearest_double(number: Roundable) -> float:
    """The double nearest to a number, ties to even.

    The division of two integers is correctly rounded in Python, so it serves as the rounding of a fraction.

    Example:
        >>> nearest_double(Fraction(1, 3))
        0.3333333333333333
    """
    return _settle(number, lambda numerator, denominator: numerator / denominator)


_TO_SINGLE, _FROM_SINGLE = Struct("<f").pack, Struct("<f").unpack


def nearest_single(double: float) -> float:
    """The float32 nearest to a double, ties to even.

    Raises:
        OverflowError: the double is too large for a float32.

    Example:
        >>> nearest_single(0.8)
        0.800000011920929
    """
    return float(_FROM_SINGLE(_TO_SINGLE(double))[0])  # with a stated byte order, a number that is too large is refused


def decimal(number: Roundable, places: int = 6) -> str:
    """A number with this many decimals, correctly rounded, ties to even.

    Example:
        >>> decimal(Fraction(2, 3)), decimal(-1, places=2), decimal(Fraction(1, 8), places=2)
        ('0.666667', '-1.00', '0.12')
    """
    scaled = _settle(number, lambda numerator, denominator: round(Fraction(numerator * 10**places, denominator)))
    digits = integer_text(abs(scaled)).rjust(places + 1, "0")
    sign = "-" if scaled < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def significant(number: Roundable, digits: int = 20) -> str:
    """A number to this many significant digits, correctly rounded, ties to even; without trailing zeros.

    Example:
        >>> significant(Fraction(2, 3)), significant(Fraction(1, 800), digits=2), significant(1200, digits=2)
        ('0.66666666666666666667', '0.0012', '1200')
    """
    return _settle(number, lambda numerator, denominator: _significant(Fraction(numerator, denominator), digits))


def nearest_multiple(number: Roundable, bits: int) -> Fraction:
    """The multiple of 2^-bits nearest to a number, ties to even.

    Example:
        >>> nearest_multiple(Fraction(1, 3), 4), nearest_multiple(Fraction(3, 32), 4)
        (Fraction(5, 16), Fraction(1, 8))
    """
    whole = _settle(number, lambda numerator, denominator: round(Fraction(numerator << bits, denominator)))
    return Fraction(whole, 1 << bits)


def _significant(value: Fraction, digits: int) -> str:
    # Rounding up may add a digit, as 9.99 becomes 10.0; the zeros at the end are cut off anyway.
    places = digits - _magnitude(value)
    rounded = round(value * Fraction(10) ** places)
    if places <= 0:
        return integer_text(rounded * 10**-places)
    text = decimal(Fraction(rounded, 10**places), places)
    return text.rstrip("0").rstrip(".")


def _magnitude(value: Fraction) -> int:
    """The m with 10^(m-1) ≤ |value| < 10^m; 1 for zero."""
    if not value:
        return 1
    # A first guess from the lengths in bits, as log10 2 ≈ 0.30103. Texts are avoided, as Python limits their length.
    magnitude = (value.numerator.bit_length() - value.denominator.bit_length()) * 30103 // 100000
    while abs(value) >= Fraction(10) ** magnitude:
        magnitude += 1
    while abs(value) < Fraction(10) ** (magnitude - 1):
        magnitude -= 1
    return magnitude


def _settle(number: Roundable, rounding: Callable[[int, int], Result]) -> Result:
    """A monotone rounding of a number, from ever narrower enclosures."""
    if isinstance(number, int | Fraction) and not hasattr(number, "enclosure"):
        return rounding(number.numerator, number.denominator)
    enclosed, bits = cast(Enclosable, number), START_BITS
    while True:
        low, high, scale = enclosed.enclosure(bits)
        below, above = rounding(low, scale), rounding(high, scale)
        if below == above:
            return below
        # The two results differ. Either the value is a point where the rounding jumps, and all such points are
        # rational; or it is not, and then an enclosure exists that is narrow enough to exclude that point.
        if bits == START_BITS and (value := enclosed.as_rational()) is not None:
            return rounding(value.numerator, value.denominator)
        bits *= 2
