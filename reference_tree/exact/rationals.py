"""Rationals: the numbers in files, kept exactly as written.

A number in a file or on the command line is a decimal, and a decimal is a fraction. Reading it as a binary floating
point number would change it (0.1 has no finite binary form), and two distances that are equal on paper would no longer
tie. So a number is read as an `int` or a `fractions.Fraction`, and written back in the same form.

1. `rational` reads a number as the exact value that is written.
2. `exactly` takes a number handed over in Python; a float stands for its exact value.
3. `decimal_text` writes a data value: as a decimal where one terminates, otherwise as p/q. `exact_text` writes any
   other number.
4. `decimals` reads many decimals at once, and `ascending` sorts numbers: as integers over a common denominator.
5. `integer_text` and `integer` are the digits of integers of any length. Python writes and reads up to 4300 digits; as
   the time grows with the square of the length, it refuses longer ones. The weights of rows with missing values are
   fractions whose terms can be far longer. So a long integer is divided into halves until the pieces are short; then
   the time is that of the multiplications, and the limit stays unchanged for other code in the process.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import repeat
from operator import mul, sub
from typing import Any, TypeAlias

Rational: TypeAlias = int | Fraction

DIGITS = 400
"""The most digits, and the largest exponent, of a written number. A longer number is refused when it is read: as an
integer it would be so long that every later step would be slow."""

OWN_DIGITS = 100_000
"""The same for numbers that the package wrote itself: a midpoint has more digits than the data, a fractional weight
many more. Writing or reading a number of this length takes about a tenth of a second."""

_LONG = 4096
"""The most bits of a useful common denominator. All decimals and all floats stay below it."""

_WRITTEN = re.compile(r"([+-]?(?=\.?\d)\d*)(?:/(\d+)|(?:\.(\d*))?(?:[eE]([+-]?\d+))?)", re.ASCII)
# As above, but short enough to become an integer even beside others with the longest exponent.
_DECIMAL = r"[+-]?(?:\d{1,200}+(?:\.\d{0,200}+)?|\.\d{1,200}+)(?:[eE][+-]?\d\d?)?"
_DECIMALS = re.compile(rf"{_DECIMAL}(?:\n{_DECIMAL})*+", re.ASCII)
_NOT_A_NUMBER = re.compile(r"[+-]?(nan|inf|infinity)", re.ASCII | re.IGNORECASE)


class UndecidedError(ArithmeticError):
    """The value of a number, or the order of two numbers, would take too many digits to find out."""


def rational(text: str, digits: int = DIGITS) -> Rational:
    """The exact value of a written number: `5`, `-0.3815`, `1.5e-3` or `17/3`.

    Args:
        text: the number, without surrounding blanks.
        digits: the most digits it may have. An exponent is bounded by `DIGITS`.

    Returns:
        An `int` if the value is whole, otherwise a `Fraction`.

    Raises:
        ValueError: the text is no number, is NaN or infinite, has a zero denominator, or is too long.

    Example:
        >>> rational("0.3815"), rational("2.50e1"), rational("1/3")
        (Fraction(763, 2000), 25, Fraction(1, 3))
    """
    if text.isascii() and text.isdigit() and len(text) <= min(digits, 18):
        return int(text)  # most numbers are of this form
    # The length is checked on the text: a number of a million digits is refused before it is computed.
    match = _WRITTEN.fullmatch(text)
    if match is None:
        raise ValueError(f"{shortened(text)} is {'not a finite' if is_not_a_number(text) else 'not a'} number")
    whole, denominator, decimals, exponent = match.groups("")
    written = whole + decimals
    if max(len(written.lstrip("+-")), len(denominator)) > digits or not _is_small(exponent, DIGITS):
        raise ValueError(f"{shortened(text)} has more than {digits} digits or an exponent beyond {DIGITS}")
    if denominator:
        if not (below := integer(denominator)):
            raise ValueError(f"{shortened(text)} has the denominator 0")
        return simplest(Fraction(integer(written), below))
    scale = int(exponent or 0) - len(decimals)
    if scale >= 0:
        return integer(written) * int(10**scale)
    return simplest(Fraction(integer(written), int(10**-scale)))


def decimals(texts: Sequence[str]) -> tuple[list[int], int] | None:
    """Written decimals as whole multiples of a common 1/n; ten times as fast as reading them one by one.

    Args:
        texts: the decimals, exponents allowed.

    Returns:
        The multiples, and n, a power of ten. None if there are no texts, or if one is no decimal, has more than 200
        digits on a side of its point, or has an exponent beyond 99: these are read one by one.

    Example:
        >>> decimals(["0.25", "-7", "1.5e1"]), decimals(["0.25", "1/3"])
        (([25, -700, 1500], 100), None)
    """
    joined = "\n".join(texts)
    if joined.count("\n") >= len(texts):  # there are no texts, or one contains a line end
        return None
    places = len(texts[0].partition(".")[2])
    alike = rf"[+-]?\d{{0,200}}+\.\d{{{places}}}" if places else r"[+-]?\d{1,200}+"
    if places <= 200 and re.fullmatch(rf"{alike}(?:\n{alike})*+", joined, re.ASCII):
        return list(map(int, joined.replace(".", "").split("\n"))), 10**places
    if not _DECIMALS.fullmatch(joined):
        return None
    texts = joined.split("\n")  # now they are adjacent in memory
    if "e" in joined or "E" in joined:
        texts = [format(Decimal(text), "f") if "e" in text or "E" in text else text for text in texts]
    texts = [text if "." in text else text + "." for text in texts]
    after = list(map(sub, map(len, texts), map(str.index, texts, repeat("."))))  # the point, and the decimals after it
    most = max(after)
    factors = [10 ** (most - count) for count in range(most + 1)]
    written = map(int, "\n".join(texts).replace(".", "").split("\n"))
    return list(map(mul, written, map(factors.__getitem__, after))), factors[1]


def is_number(text: str) -> bool:
    """Whether the text is written as a number, even if it is too long to be used.

    Example:
        >>> is_number("2.50e1"), is_number("1/3"), is_number("sunny"), is_number("NaN")
        (True, True, False, False)
    """
    return _WRITTEN.fullmatch(text) is not None


def is_not_a_number(text: str) -> bool:
    """Whether the text spells NaN or an infinity, which is not a finite number.

    Example:
        >>> is_not_a_number("NaN"), is_not_a_number("-inf"), is_not_a_number("7")
        (True, True, False)
    """
    return _NOT_A_NUMBER.fullmatch(text) is not None


def exactly(number: object) -> Rational:
    """The exact value of a Python number; a float stands for its own binary value.

    Args:
        number: an int, Fraction, Decimal or float, or anything registered as `numbers.Rational` or `numbers.Real`.

    Raises:
        ValueError: the number is NaN or infinite.
        TypeError: it is no real number at all.

    Example:
        >>> exactly(0.5), exactly(3.0), exactly(True)
        (Fraction(1, 2), 3, 1)
        >>> exactly(0.1)
        Fraction(3602879701896397, 36028797018963968)
    """
    if isinstance(number, numbers.Rational):
        return simplest(Fraction(int(number.numerator), int(number.denominator)))
    if isinstance(number, Decimal):
        return rational(str(number), OWN_DIGITS)  # that of a float may have 767 digits
    if isinstance(number, numbers.Real):
        if not math.isfinite(number):
            raise ValueError(f"{number} is not a finite number")
        return simplest(Fraction(float(number)))
    raise TypeError(f"{number!r} is not a number")


def simplest(value: Fraction) -> Rational:
    """The same value, as an `int` if it is whole.

    Example:
        >>> simplest(Fraction(6, 3)), simplest(Fraction(1, 2))
        (2, Fraction(1, 2))
    """
    return value.numerator if value.denominator == 1 else value


def decimal_text(value: Rational) -> str:
    """A data value as text: a decimal if one terminates, otherwise p/q in lowest terms.

    Example:
        >>> decimal_text(Fraction(763, 2000)), decimal_text(-5), decimal_text(Fraction(1, 3))
        ('0.3815', '-5', '1/3')
    """
    places = _decimal_places(Fraction(value).denominator)
    if places is None:
        return exact_text(value)
    scaled = abs(value) * 10**places
    digits = integer_text(int(scaled)).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def exact_text(value: Rational) -> str:
    """A number as text: an integer, or p/q in lowest terms.

    Example:
        >>> exact_text(Fraction(3, 2)), exact_text(Fraction(4, 2)), exact_text(-5)
        ('3/2', '2', '-5')
    """
    whole = integer_text(value.numerator)
    return whole if value.denominator == 1 else f"{whole}/{integer_text(value.denominator)}"


def ascending(values: Iterable[Rational]) -> tuple[Rational, ...]:
    """The distinct values, from the smallest to the largest.

    Example:
        >>> ascending([Fraction(1, 2), 0, Fraction(1, 3), 0])
        (0, Fraction(1, 3), Fraction(1, 2))
    """
    distinct = list(set(values))
    multiples: list[Any] = over_common_denominator(distinct)[0]
    return tuple([distinct[place] for place in sorted(range(len(distinct)), key=multiples.__getitem__)])


def over_common_denominator(values: Sequence[Rational | None]) -> tuple[list[Rational | None], int]:
    """Numbers as whole multiples of a common 1/n, which sort four times as fast.

    Returns:
        The multiples (`None` stays `None`), and n: the least common denominator; or if that is too long to be useful,
        the numbers themselves, and 1.

    Example:
        >>> over_common_denominator([Fraction(1, 2), None, 3, Fraction(1, 3)])
        ([3, None, 18, 2], 6)
    """
    common = 1
    for denominator in {value.denominator for value in values if value is not None}:
        common = math.lcm(common, denominator)
        if common.bit_length() > _LONG:
            return list(values), 1
    return [None if value is None else value.numerator * (common // value.denominator) for value in values], common


def _decimal_places(denominator: int) -> int | None:
    """The number of decimals of a fraction with this denominator; None if it does not terminate."""
    # A fraction in lowest terms terminates if its denominator has the factors 2 and 5 alone.
    twos = (denominator & -denominator).bit_length() - 1
    odd, fives = denominator >> twos, 0
    while odd % 5 == 0:
        odd, fives = odd // 5, fives + 1
    return max(twos, fives) if odd == 1 else None


def _is_small(exponent: str, most: int) -> bool:
    # The length of the text is checked first: an exponent of a thousand digits must not even be converted.
    return not exponent or (len(exponent) <= most and abs(int(exponent)) <= most)


def shortened(text: str) -> str:
    """A text in quotes, as a message shows it: cut if it is long.

    Example:
        >>> shortened("sunny"), len(shortened("9" * 5000))
        ("'sunny'", 42)
    """
    return repr(text if len(text) <= 40 else text[:37] + "...")


_PIECE = 600
"""The most digits of a piece. Python converts these under every limit that can be set (the least is 640)."""


def integer_text(value: int) -> str:
    """The decimal digits of an integer.

    Example:
        >>> integer_text(-75)
        '-75'
    """
    sign, size = "-" if value < 0 else "", abs(value)
    if size.bit_length() < 3 * _PIECE:  # 10 > 2³, so it has fewer than _PIECE digits
        return str(value)
    width = size.bit_length() * 30103 // 100000 + 2  # as log10 2 < 0.30103, 10^width is larger than the integer
    return sign + _padded(size, width).lstrip("0")


def _padded(value: int, width: int) -> str:
    """The digits of a natural number below 10^width, padded with zeros to this width."""
    if width <= _PIECE:
        return str(value).rjust(width, "0")
    half = width // 2
    high, low = divmod(value, 10**half)
    return _padded(high, width - half) + _padded(low, half)


def integer(text: str) -> int:
    """The integer that a text of decimal digits spells; a sign may come first.

    Raises:
        ValueError: the text is no such integer.

    Example:
        >>> integer("-75")
        -75
    """
    if text.startswith(("+", "-")):
        return -_natural(text[1:]) if text[0] == "-" else _natural(text[1:])
    return _natural(text)


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"{text[:40]!r} is not a row of digits")
    if len(text) <= _PIECE:
        return int(text)
    half = len(text) // 2
    return _natural(text[:-half]) * int(10**half) + _natural(text[-half:])
