r"""Numerals: exact numbers as they appear in a derivation, in a text for a terminal and in TeX for a page.

1. `NumberFormat` says how figures are written: with some decimals, or exactly. `value_text` and `value_tex` write one.
2. `figure`, `rounded` and `compared` write figures in a sentence or a table of decisions.
3. `exact_text` and `exact_tex` write a sum of logarithms in full, with the logarithms of primes only. This form is
   unique, because the logarithms of primes are linearly independent over the rationals: 2·log2 12 is 4 + 2·log2 3, and
   two gains are equal exactly when they are written alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from reference_tree.exact import rationals
from reference_tree.exact.log_sums import LogSum, Number
from reference_tree.exact.logarithms import Base
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.reals import Real
from reference_tree.exact.rounding import START_BITS, decimal, significant
from reference_tree.views.wording import EXACT, if_short, weight_text

PLACES = 6
"""The decimals of a rounded number, unless another number of them is asked for."""


MOST_PLACES = 1000
"""The most decimals that are printed: each further one takes longer to compute than the one before."""

TRIAL = 1 << 16
"""The largest divisor that is tried in factoring a number. A remaining factor is shown as it is, which is still true,
but perhaps not the only form."""


class NumberFormat(NamedTuple):
    """The form of figures."""

    places: int = PLACES
    """The decimals of a rounded number."""
    exact: bool = False
    """Whether a rational number is never rounded, and a sum of logarithms is also written in full."""
    terms: int = 1000
    """A fraction is written as such if its numerator and its denominator are less than this."""
    fractions: bool = False
    """Whether a short fraction is written as such even if its decimal ends early."""


USUAL = NumberFormat()
"""Six decimals."""


def rational_value(number: Number) -> Fraction | None:
    """The value of an exact number as a fraction, if it is rational and can be written down."""
    if isinstance(number, Real):
        return number.as_rational()
    if type(number) not in (int, Fraction):  # this number is multiplied out only if it is short
        number = if_short(number, 2 * EXACT)
    return None if number is None else Fraction(number)


def decimal_of(number: Number, places: int = PLACES) -> str:
    """The value as a decimal, without trailing zeros if it ends early, and with more digits if it would round to 0.

    It gets one more digit if it ends there, so that no value lies halfway between two printed decimals.

    Example:
        >>> decimal_of(Fraction(1, 2)), decimal_of(0), decimal_of(Fraction(1, 3)), decimal_of(Fraction(2, 3 * 10**9))
        ('0.5', '0', '0.333333', '0.000000000667')
        >>> decimal_of(Fraction(1, 128)), decimal_of(Fraction(1, 256))
        ('0.0078125', '0.003906')
    """
    # Nearly always an enclosure shows that no decimal of a few places is the number; then it ends nowhere near.
    if isinstance(number, Real):
        low, high, scale = number.enclosure(START_BITS)
        under, over = (low * 10 ** (places + 1) - 1) // scale, high * 10 ** (places + 1) // scale
        if under == over:
            return _decimal(number, None, places)
    return _decimal(number, rational_value(number), places)


def _decimal(number: Number, value: Fraction | None, places: int) -> str:
    """The text of a number whose rational value, if there is one, is known."""
    if value is None:
        written = decimal(number, places)
    else:
        written = _stripped(decimal(value, places + _ends(value, places + 1)), value)
    return written if Fraction(written) or value == 0 else significant(number, 3)


def _stripped(written: str, value: Rational | None) -> str:
    """A decimal without trailing zeros, if it ends early."""
    ends = value is not None and "." in written and Fraction(written) == value
    return written.rstrip("0").rstrip(".") if ends else written


def value_text(number: Number, digits: NumberFormat = USUAL) -> str:
    """A figure as written: a decimal if it ends early, a fraction if it is short, otherwise rounded.

    Example:
        >>> from reference_tree.measures.entropy import entropy
        >>> value_text(entropy([1, 1])), value_text(Fraction(12, 35)), value_text(entropy([9, 5]))
        ('1', '12/35', '0.940286')
        >>> exact = NumberFormat(3, True)
        >>> value_text(Fraction(1, 4)), value_text(Fraction(29186, 1225)), value_text(Fraction(1, 3), exact)
        ('0.25', '23.825306', '1/3')
        >>> value_text(Fraction(1, 4), NumberFormat(fractions=True))
        '1/4'
    """
    value = rational_value(number)
    short = is_short(value, digits)
    if value is not None and (digits.exact or _ends(value, digits.places)) and not (short and digits.fractions):
        return decimal_text(value)
    return str(value) if short else _decimal(number, value, digits.places)


def is_short(value: Rational | None, digits: NumberFormat) -> bool:
    """Whether a number has a fraction that is short enough to be written."""
    return value is not None and max(abs(value.numerator), value.denominator) < digits.terms


def _ends(value: Rational | None, places: int) -> bool:
    """Whether a number is a decimal of at most `places` places."""
    return value is not None and 10**places % value.denominator == 0


def value_tex(number: Number, digits: NumberFormat = USUAL) -> str:
    r"""The fraction as TeX: `12/35` is `\frac{12}{35}`."""
    return tex_number(value_text(number, digits))


def tex_number(written: str) -> str:
    """A figure as text, in TeX."""
    above, bar, below = written.replace("−", "-").partition("/")
    sign = "-" if above.startswith("-") else ""
    return rf"{sign}\frac{{{above.removeprefix('-')}}}{{{below}}}" if bar else above


def minus(written: str) -> str:
    """A figure with a true minus sign if it is negative."""
    return written.replace("-", "−")


def in_units(written: str, unit: str) -> str:
    """A figure with its unit: `0.4 bits`, `1 bit`."""
    return f"{written} {unit.removesuffix('s') if written == '1' else unit}".rstrip()


def figure(number: Number) -> str:
    """A figure of a decision: exact if it is rational and short, otherwise rounded.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> figure(Fraction(1, 150)), figure(log(8)), figure(log(3)), figure(Fraction(1, 3) ** 32)
        ('1/150', '3', '1.584963', '≈ 0.00000000000000053966')
    """
    value = number if isinstance(number, int | Fraction) else number.as_rational()
    if value is None:
        return rounded(number)
    short = if_short(value, 2 * EXACT)
    return weight_text(value) if short is None else minus(rationals.exact_text(short))


def rounded(number: Number) -> str:
    """A figure of a decision as a decimal, without trailing zeros if it ends early."""
    value = number if isinstance(number, int | Fraction) else number.as_rational()
    return minus(_stripped(decimal(number, PLACES), value))


def compared(left: Number, right: Number, write: Callable[[Number], str] = figure) -> str:
    """Two numbers with the sign between them, and with enough decimals to see the difference.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> compared(8, log(3)), compared(log(9), 2 * log(3)), compared(log(3), log(3) + log(2) / 10**8)
        ('8 > 1.584963', '3.169925 = 3.169925', '1.584962500721 < 1.584962510721')
    """
    sign = "=" if left == right else "<" if left < right else ">"
    one, other = write(left), write(right)
    if sign != "=" and one.removeprefix("≈ ") == other.removeprefix("≈ "):
        places = places_apart(left, right, 2 * PLACES)
        one, other = decimal(left, places), decimal(right, places)
    return f"{one} {sign} {other}"


def places_apart(left: Number, right: Number, places: int = PLACES) -> int:
    """The number of decimals that shows two different numbers to differ; the given number if they are equal."""
    while left != right and decimal(left, places) == decimal(right, places):
        places *= 2
    return places


def in_primes(number: LogSum) -> LogSum:
    """The sum with the logarithms of primes only; those of the base become a rational number.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> in_primes(2 * log(12)), in_primes(log(9) - 2 * log(3))
        (4 + 2·log2(3), 0)
    """
    over, whole = number.over()
    terms = {n: Fraction(c, over) for n, c in whole}
    constant, base = terms.pop(1, Fraction(0)), number.base
    if not isinstance(base, int):
        return LogSum(_split(terms), constant, base)
    terms = _split({**terms, base: terms.get(base, 0) + constant})  # q is q·log_b b
    constant = terms.pop(base, Fraction(0))  # a base that is no prime was itself factored
    return LogSum(terms, constant, base)


def _split(terms: Mapping[int, Fraction]) -> dict[int, Fraction]:
    split: dict[int, Fraction] = {}
    for n, c in terms.items():
        for prime in prime_factors(n):
            split[prime] = split.get(prime, Fraction(0)) + c
    return split


@lru_cache(maxsize=1 << 14)
def prime_factors(n: int) -> tuple[int, ...]:
    """The prime factors of n, ascending, each as often as it divides n; a factor left at `TRIAL` stays whole."""
    found, divisor = [], 2
    while divisor * divisor <= n and divisor < TRIAL:
        while n % divisor == 0:
            found.append(divisor)
            n //= divisor
        divisor += 1
    return (*found, n) if n > 1 else tuple(found)


def exact_text(number: LogSum) -> str:
    """A sum of logarithms over one denominator, as text. Equal numbers are written alike.

    Example:
        >>> from reference_tree.measures.entropy import entropy
        >>> print(exact_text(entropy([9, 5])))
        (14·log2 7 + 14 − 5·log2 5 − 18·log2 3) / 14
    """
    over, written = _over(number, log_text(number.base), "·", "−")
    return f"({written}) / {over}" if over != 1 else written


def exact_tex(number: LogSum) -> str:
    r"""A sum of logarithms over one denominator, as TeX. Equal numbers are written alike.

    Example:
        >>> from reference_tree.measures.entropy import entropy
        >>> print(exact_tex(entropy([9, 5])))
        \tfrac{1}{14} \bigl(14 \log_2 7 + 14 - 5 \log_2 5 - 18 \log_2 3\bigr)
    """
    over, written = _over(number, log_tex(number.base), " ", "-")
    return rf"\tfrac{{1}}{{{over}}} \bigl({written}\bigr)" if over != 1 else written


def _over(number: LogSum, log: str, times: str, minus: str) -> tuple[int, str]:
    """The common denominator, and the sum in the numerator."""
    over, terms = in_primes(number).over()
    written = ""
    for n, coefficient in terms:
        size, factor = abs(coefficient), f"{log} {n}" if n > 1 else ""
        sign = minus if coefficient < 0 else "+"
        term = str(size) if not factor else factor if size == 1 else f"{size}{times}{factor}"
        written += f" {sign} {term}" if written else minus * (coefficient < 0) + term
    return over, written or "0"


def log_text(base: Base) -> str:
    """The sign of a logarithm: `ln`, or `log` with its base."""
    return "ln" if base == math.e else f"log{base}"


def log_tex(base: Base) -> str:
    """The text as TeX."""
    return r"\ln" if base == math.e else r"\log_2" if base == 2 else rf"\log_{{{base}}}"
