r"""The simplest form of a sum of logarithms: with the logarithms of primes alone.

Entropies and gains are such sums, and one number can be written as many of them: 2·log2 12 is 4 + 2·log2 3. In primes
there is one form of each number, because the logarithms of primes are linearly independent over the rationals. So an
exact tie *looks* like
one: two gains are equal exactly when they are written alike.

1. `in_primes` brings a sum to this form.
2. `exact_text` and `exact_tex` write it over one denominator.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from reference_tree.exact.log_sums import LogSum
from reference_tree.exact.logarithms import Base
from reference_tree.exact.rationals import Rational

TRIAL = 1 << 16
"""The largest divisor that is tried to take a number apart. What is left then is shown as it is, which is as true,
though it may not be the only form."""


def in_primes(number: LogSum) -> LogSum:
    """The same sum with the logarithms of primes alone, and a whole number for those of the base.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> in_primes(2 * log(12)), in_primes(log(9) - 2 * log(3))
        (4 + 2·log2(3), 0)
    """
    number, base = number.worked_out(), number.base
    if not isinstance(base, int):
        return LogSum(_split(number.terms), number.constant, base)
    terms = _split({**number.terms, base: number.terms.get(base, 0) + number.constant})  # q is q·log_b b
    whole = terms.pop(base, 0)  # where the base is no prime, it has come apart as well
    return LogSum(terms, whole, base)


def _split(terms: Mapping[Rational, Rational]) -> dict[Rational, Fraction]:
    split: dict[Rational, Fraction] = {}
    for n, c in terms.items():
        for prime in prime_factors(int(n)):
            split[prime] = split.get(prime, Fraction(0)) + c
    return split


@lru_cache(maxsize=1 << 14)
def prime_factors(n: int) -> tuple[int, ...]:
    """The primes whose product is n, ascending, each as often as it divides n; what is left at `TRIAL` stays whole.

    Example:
        >>> prime_factors(12), prime_factors(97)
        ((2, 2, 3), (97,))
    """
    found, divisor = [], 2
    while divisor * divisor <= n and divisor < TRIAL:
        while n % divisor == 0:
            found.append(divisor)
            n //= divisor
        divisor += 1
    return (*found, n) if n > 1 else tuple(found)


def exact_text(number: LogSum) -> str:
    """A sum of logarithms over one denominator, as text. Numbers that are equal are written alike.

    Example:
        >>> from reference_tree.measures.entropy import entropy
        >>> print(exact_text(entropy([9, 5])))
        (14·log2 7 + 14 − 5·log2 5 − 18·log2 3) / 14
    """
    over, terms = in_primes(number).over()
    name = log_name(number.base)
    written = _joined([(c, f"{name} {n}" if n > 1 else "") for n, c in terms], "·", "−")
    return f"({written}) / {over}" if over != 1 else written


def exact_tex(number: LogSum) -> str:
    r"""A sum of logarithms over one denominator, as TeX. Numbers that are equal are written alike.

    Example:
        >>> from reference_tree.measures.entropy import entropy
        >>> print(exact_tex(entropy([9, 5])))
        \tfrac{1}{14} \bigl(14 \log_2 7 + 14 - 5 \log_2 5 - 18 \log_2 3\bigr)
    """
    over, terms = in_primes(number).over()
    name = log_tex(number.base)
    written = _joined([(c, f"{name} {n}" if n > 1 else "") for n, c in terms], " ", "-")
    return rf"\tfrac{{1}}{{{over}}} \bigl({written}\bigr)" if over != 1 else written


def _joined(terms: list[tuple[int, str]], times: str, minus: str) -> str:
    written = ""
    for coefficient, factor in terms:
        size = abs(coefficient)
        sign = minus if coefficient < 0 else "+"
        term = str(size) if not factor else factor if size == 1 else f"{size}{times}{factor}"
        written += f" {sign} {term}" if written else minus * (coefficient < 0) + term
    return written or "0"


def log_name(base: Base) -> str:
    """The logarithm to a base, as text.

    Example:
        >>> log_name(2), log_name(math.e)
        ('log2', 'ln')
    """
    return "ln" if base == math.e else f"log{base}"


def log_tex(base: Base) -> str:
    """The logarithm to a base, as TeX."""
    return r"\ln" if base == math.e else r"\log_2" if base == 2 else rf"\log_{{{base}}}"
