"""Logarithms by integer arithmetic: enclosed to any number of bits, and decomposed without factoring.

An exact entropy needs only two algorithms on integers. Neither uses floating point, so both give the same result on
every machine.

1. `log2_floor` encloses the logarithm of an integer to any precision; `log2_of_base` that of a base, which may be e.
2. `coprime_base` writes integers as products of pairwise coprime ones, whose logarithms are linearly independent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

Base: TypeAlias = int | float
"""The base of a logarithm: an integer above 1, or `math.e`."""


def log2_floor(n: int, bits: int) -> int:
    r"""2^bits · log2 n from below: an integer L with L ≤ 2^bits · log2 n < L + 2.

    The whole part of log2 n follows from the length of n. The rest is found bit by bit: for a mantissa 1 ≤ m < 2, the
    first binary digit of log2 m is 1 exactly if m² ≥ 2, and the remaining digits are those of log2 m² or log2 m²/2.

    Source:
        [Knuth1997 §1.2.2 exercise 24]

    Example:
        >>> log2_floor(8, 10), log2_floor(5, 10)       # 1024·log2 5 = 2377.6...
        (3072, 2377)
    """
    # Proof of the bound. The mantissa is cut to `width` bits, so it is a little too small, and each squaring cuts it
    # again: a relative error below 2^(1-width), or below 3·2^-width in the logarithm. An error at step i counts 2^-i
    # in the result, so all errors together stay below 6·2^-width, which is less than one unit of 2^-bits as width =
    # bits + 3. The digits not computed are worth less than one unit more.
    width = bits + 3
    whole = n.bit_length() - 1
    mantissa = n << (width - whole) if width >= whole else n >> (whole - width)
    digits = 0
    for _ in range(bits):
        mantissa = mantissa * mantissa >> width
        digits <<= 1
        if mantissa >> (width + 1):
            mantissa >>= 1
            digits |= 1
    return (whole << bits) + digits


log2_floor_remembered = lru_cache(maxsize=1 << 14)(log2_floor)
"""`log2_floor`, which remembers its results."""


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Pairwise coprime integers above 1 such that every given number is a product of their powers.

    They are found by greatest common divisors alone: if a and b share the divisor g, both are products of a/g, b/g and
    g. No number has to be factored.

    Source:
        [Bernstein2005 §1]

    Example:
        >>> sorted(coprime_base([12, 18, 35]))
        [2, 3, 35]
    """
    base: list[int] = []
    pending = list(numbers)
    while pending:
        a = pending.pop()
        divisor, place = next(((g, i) for i, b in enumerate(base) if (g := math.gcd(a, b)) > 1), (1, -1))
        if divisor > 1:
            b = base.pop(place)
            pending += [a // divisor, b // divisor, divisor]
        elif a > 1:
            base.append(a)
    return base


def multiplicity(factor: int, n: int) -> int:
    """The largest e for which factor^e divides n."""
    exponent = 0
    while n % factor == 0:
        n, exponent = n // factor, exponent + 1
    return exponent


@lru_cache(maxsize=256)
def log2_of_base(base: Base, bits: int) -> tuple[int, int]:
    """Integers that enclose 2^bits · log2 b."""
    if isinstance(base, int):
        floor = log2_floor_remembered(base, bits)
        return floor, floor + 2
    # With e_below = Σ m!/k! over k ≤ m, a whole number, m!·e lies between e_below and e_below + 1: the terms left out
    # of e are together below 1/m!.
    m, e_below, scale = 0, 1, 1
    while scale >> bits == 0:
        m += 1
        e_below, scale = e_below * m + 1, scale * m
    floor_of_scale = log2_floor_remembered(scale, bits)
    return log2_floor_remembered(e_below, bits) - floor_of_scale - 2, log2_floor_remembered(
        e_below + 1, bits
    ) + 2 - floor_of_scale


def check_base(base: Base) -> Base:
    """The same base, if it is a valid one.

    Raises:
        ValueError: the base is neither an integer above 1 nor `math.e`.
    """
    if not (base == math.e or (isinstance(base, int) and base > 1)):
        raise ValueError(f"the base of a logarithm is an integer above 1 or math.e, not {base!r}")
    return base
