r"""Sums of roots that compare without rounding.

A confidence limit contains square roots, and N-th roots of a probability. So an estimate of errors is a number

$$x = q + \sum_k c_k \, a_k^{e_k}$$

with rational q, c_k, e_k and positive rational a_k. Two of them can be compared with certainty, as sums of logarithms
can (`reference_tree.exact.log_sums`):

1. Whether x is 0 is decided by arithmetic. Each radical is written as a rational times a product of powers of
   pairwise coprime integers that are no perfect powers, with exponents from 0 up to 1. Two radicals have a rational
   ratio exactly if these products are the same, and radicals without rational ratios are linearly independent over the
   rationals (Besicovitch 1940). So x is 0 exactly when, for each product, the coefficients add up to 0.
2. If x is not 0, its sign shows as soon as it is enclosed narrowly enough. `power_bounds` encloses a radical to any
   number of bits with integers alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache, singledispatch
from math import floor, isqrt
from typing import TypeAlias

from reference_tree.exact.linear_sums import EnclosedSum
from reference_tree.exact.logarithms import coprime_base, log2_floor_remembered, multiplicity
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import Number

Radical: TypeAlias = tuple[Fraction, Fraction]
"""A positive rational and its exponent."""

# Proof that radicals without rational ratios are independent. Suppose Σ c_k·r_k = 0 with all c_k ≠ 0. Divide by
# r_1: the first term is c_1, and every other ρ = r_k/r_1 is a positive real radical that is irrational. Let m be the
# least number with ρ^m rational, so m > 1. The conjugates of ρ are roots of x^m - ρ^m, so all have the absolute value
# ρ; their product, the norm of ρ, is rational, and so is ρ^d, d being the degree of ρ. Hence d ≥ m, so x^m - ρ^m is the
# minimal polynomial of ρ; it has no term of degree m - 1, and the trace of ρ is 0. Taking traces on both sides of the
# sum leaves c_1 = 0.


class RadicalSum(EnclosedSum[Radical]):
    """The number q + Σ c_k · a_k^e_k, exact.

    Args:
        terms: (a_k, e_k) → c_k: positive rationals with their exponents, and rational coefficients.
        constant: q.

    Example:
        >>> root(2) + root(8) == root(18), root(2) + root(3) > root(10), root(Fraction(1, 4), Fraction(1, 2)) == 0.5
        (True, False, True)
        >>> root(2) - 1, float(root(2) - 1)
        (-1 + 2^(1/2), 0.41421356237309503)
    """

    __slots__ = ()

    def _bounds(self, term: Radical, bits: int) -> tuple[int, int]:
        return power_bounds(*term, bits)

    def as_rational(self) -> Fraction | None:
        """The value as a fraction; None if it is irrational."""
        value, roots = Fraction(self.constant), _products(self.terms)
        for product, c in roots.items():
            if product:
                if c:
                    return None
            else:
                value += c
        return value

    def __repr__(self) -> str:
        terms = [str(self.constant)] if self.constant or not self.terms else []
        for (base, exponent), c in self.terms.items():
            shown = f"{base}^({exponent})" if base.denominator == 1 else f"({base})^({exponent})"
            terms.append(shown if c == 1 else f"{c}·{shown}")
        return " + ".join(terms)


@singledispatch
def root(x: Number, exponent: Number = Fraction(1, 2)) -> Number:
    """A rational power of a positive rational: by default its square root.

    Args:
        x: at least 0; an int, a Fraction or a `Worked` number.
        exponent: above 0.

    Raises:
        ValueError: x is negative, or the exponent is not positive.

    Example:
        >>> root(9), root(9) == 3, float(root(Fraction(1, 4), Fraction(1, 6)))
        (9^(1/2), True, 0.7937005259840998)
    """
    raise TypeError(f"{x!r} has no root here")


@root.register(int)
@root.register(Fraction)
def _root_of_rational(x: Rational, exponent: Rational = Fraction(1, 2)) -> RadicalSum:
    if x < 0 or exponent <= 0:
        raise ValueError(f"a real root is that of a number not below 0, to a power above 0, not {x}^{exponent}")
    return RadicalSum({(Fraction(x), Fraction(exponent)): Fraction(1)} if x else {})


@lru_cache(maxsize=1 << 14)
def power_bounds(base: Fraction, exponent: Fraction, bits: int) -> tuple[int, int]:
    r"""Integers that enclose 2^bits · a^e, for a positive a.

    A square root is computed as that of an integer. Any other power is 2 to the power e·log2 a, which is computed bit
    by bit: 2^0.101 (binary) is the product of the first and the third of the roots $\sqrt{2}, \sqrt{\sqrt{2}}, \dots$

    Example:
        >>> power_bounds(Fraction(2), Fraction(1, 2), 10)       # 1024·√2 = 1448.15...
        (1448, 1449)
        >>> low, high = power_bounds(Fraction(2), Fraction(1, 3), 10)       # 1024·∛2 = 1290.15...
        >>> low <= 1290 < 1291 <= high <= low + 12
        True
    """
    if exponent == Fraction(1, 2):
        below = isqrt((base.numerator << 2 * bits) // base.denominator)
        return below, below + 1
    # log2 a, and so e·log2 a, in units of 2^-width. A unit of error there is less than one part in 2^width of the
    # result, which is below 2^(whole + 1); the width makes up for `whole`.
    width = bits
    while True:
        top, bottom = (log2_floor_remembered(n, width) for n in (base.numerator, base.denominator))
        low = floor((top - bottom - 2) * exponent)
        high = floor((top + 2 - bottom) * exponent) + 1
        whole = high >> width
        if width >= bits + max(whole, 0) + 2:
            break
        width = bits + max(whole, 0) + 3
    shift, miss = width - bits, 1 << max(whole, 0)  # exp2_floor(high) is too small by less than `miss` + 1
    return exp2_floor(low, width) >> shift, (exp2_floor(high, width) + miss >> shift) + 1


def exp2_floor(y: int, bits: int) -> int:
    r"""2^bits · 2^(y/2^bits) from below: an integer E with E ≤ 2^bits · 2^(y/2^bits) < E + 1 + 2^k.

    k is the integer part of the exponent, or 0 if that is negative.

    Example:
        >>> exp2_floor(0, 10), exp2_floor(-512, 10)       # 1024·2^-0.5 = 724.07...
        (1024, 724)
    """
    # Every root of two is cut to `width` bits. If r_i is too small by less than 2 units, so is its root: the difference
    # of the two roots is that of the numbers, below 2 units, divided by the sum of the roots, which is above 2, so it
    # is below 1 unit; and cutting takes less than 1 more. A product of k roots, cut each time, is too small by less
    # than 3k parts in 2^width, and is below 2; so its error is below 6k ≤ 6·bits units, which is below 2^spare units,
    # that is, one unit of 2^-bits. Cutting to `bits` takes less than one more.
    whole, fraction = y >> bits, y & (1 << bits) - 1
    spare = bits.bit_length() + 4
    width = bits + spare
    product = 1 << width
    for place, two in enumerate(_roots_of_two(bits, width), start=1):
        if fraction >> (bits - place) & 1:
            product = product * two >> width
    shift = spare - whole
    return product >> shift if shift >= 0 else product << -shift


@lru_cache(maxsize=32)
def _roots_of_two(count: int, width: int) -> tuple[int, ...]:
    """2^(1/2), 2^(1/4), 2^(1/8), ..., in units of 2^-width, each rounded down."""
    roots = [isqrt(2 << 2 * width)]
    while len(roots) < count:
        roots.append(isqrt(roots[-1] << width))
    return tuple(roots)


def _products(terms: Mapping[Radical, Fraction]) -> dict[tuple[tuple[int, Fraction], ...], Fraction]:
    """The coefficients of a sum whose radicals are written as rationals times products of powers, exponents below 1.

    The empty product represents the rationals.
    """
    integers = sorted({n for base, _ in terms for n in (base.numerator, base.denominator)})
    basis = [_without_power(n) for n in coprime_base(integers)]
    found: dict[tuple[tuple[int, Fraction], ...], Fraction] = {}
    for (base, exponent), c in terms.items():
        product = []
        for factor in basis:
            power = exponent * (multiplicity(factor, base.numerator) - multiplicity(factor, base.denominator))
            c *= Fraction(factor) ** floor(power)
            if power % 1:
                product.append((factor, power % 1))
        key = tuple(product)
        found[key] = found.get(key, Fraction(0)) + c
    return found


def _without_power(n: int) -> int:
    """The c of n = c^k for the largest k."""
    k = 2
    while n >> k:  # c is at least 2
        found = integer_root(n, k)
        if found**k == n:
            n = found
        else:
            k += 1
    return n


def integer_root(n: int, k: int) -> int:
    """The largest integer whose k-th power is at most n, for an n of at least 1.

    Example:
        >>> integer_root(26, 3), integer_root(27, 3)
        (2, 3)
    """
    # Newton's method from above: by the inequality of the means no step falls below the root, so the guesses descend
    # to it.
    guess = 1 << -(-n.bit_length() // k)
    while True:
        following = ((k - 1) * guess + n // guess ** (k - 1)) // k
        if following >= guess:
            return guess
        guess = following
