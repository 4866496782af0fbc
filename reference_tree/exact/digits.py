"""Digits: integers of any length as decimal text, and back.

Python writes and reads integers of up to 4300 digits; as the time grows with the square of the length, it refuses
longer ones. The weights of rows with missing values are fractions whose terms can be far longer. So a long integer is
divided into halves until the pieces are short; then the time is that of the multiplications, and the limit stays
unchanged for other code in the process.

Example:
    >>> text = integer_text(10**5000 - 1)
    >>> text == "9" * 5000, integer(text) == 10**5000 - 1
    (True, True)
"""

from __future__ import annotations

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
