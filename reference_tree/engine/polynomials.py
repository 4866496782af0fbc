r"""Polynomials in factors: sums of products that are not multiplied out.

A weight that has been divided again and again is a product of many numbers, each of which is a sum of such products: as
integers they would double in length from level to level. Here

1. a `Factor` stands for a polynomial of several terms, and a *monomial* is a product of powers of factors;
2. *terms* map each monomial to its coefficient, and `content_of` takes out their common divisor;
3. `vanishes` shows that terms add up to 0: it replaces factors by their polynomials, the latest factor first;
4. `worked_out` multiplies everything out, if the result is not too long.

`enclosed` gives an enclosure by integers, and `residue` the number modulo a prime: two numbers with different residues
differ. The numbers of `deferred` are made of these.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import count
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

from reference_tree.data.errors import option
from reference_tree.exact.rationals import Rational, UndecidedError

MODULUS = (1 << 61) - 1
"""The prime modulo which Python hashes numbers on 64-bit machines."""

LONGEST = 1 << 22
"""The most bits of a number that is worked out."""

_MOST_TERMS = 3000
"""The most terms of a polynomial that `vanishes` works with."""

Monomial: TypeAlias = "tuple[tuple[Factor, int], ...]"
"""A product of powers of factors, earlier ones first; exponents are not 0, and may be negative."""
Terms: TypeAlias = Mapping[Monomial, Rational]
"""A polynomial: the coefficient of each monomial; no coefficient is 0."""

_serial = count()


class Factor:
    """A positive polynomial in earlier factors, with at least two terms that have no divisor in common."""

    __slots__ = ("__weakref__", "_enclosures", "_value", "bits", "residue", "serial", "terms")

    def __init__(self, terms: Terms) -> None:
        self.terms, self.serial = terms, next(_serial)
        self.bits, self.residue = bits_of(terms), residue(terms)
        self._enclosures: dict[int, tuple[int, int, int, int]] = {}
        self._value: Fraction | None = None

    def enclosure(self, places: int) -> tuple[int, int, int, int]:
        """Integers that enclose 2^places·x, and two that enclose 2^places/x."""
        if places not in self._enclosures:
            for factor in _earlier(self, lambda one: places in one._enclosures):
                low, high = enclosed(factor.terms, places)
                least, most, at = low, high, places
                while least <= 0:  # the factor is positive, and more places show it
                    at *= 2
                    least, most = enclosed(factor.terms, at)
                inverse = (1 << at + places) // most, -(-(1 << at + places) // least)
                factor._enclosures[places] = max(low, 0), high, *inverse
        return self._enclosures[places]

    def value(self) -> Fraction:
        """The number itself."""
        if self._value is None:
            for factor in _earlier(self, lambda one: one._value is not None):
                factor._value = worked_out(factor.terms)
        assert self._value is not None
        return self._value


def _earlier(factor: Factor, is_done: Callable[[Factor], bool]) -> list[Factor]:
    """The factor and the factors it is made of that are not done yet, earlier ones first."""
    found, pending = {factor.serial: factor}, [factor]
    while pending:
        for other in {other for monomial in pending.pop().terms for other, _ in monomial}:
            if other.serial not in found and not is_done(other):
                found[other.serial] = other
                pending.append(other)
    return [found[serial] for serial in sorted(found)]


_FACTORS: WeakValueDictionary[Any, Factor] = WeakValueDictionary()


def factor_of(terms: Terms) -> Factor:
    """The one factor that stands for a polynomial."""
    key = frozenset(terms.items())
    found = _FACTORS.get(key)
    if found is None:
        found = _FACTORS[key] = Factor(terms)
    return found


def added(one: Terms, other: Terms) -> Terms:
    """The sum of two polynomials."""
    found = dict(one)
    for monomial, c in other.items():
        if left := found.get(monomial, 0) + c:
            found[monomial] = left
        else:
            del found[monomial]
    return found


def multiplied(one: Terms, other: Terms) -> Terms:
    """The product of two polynomials."""
    found: dict[Monomial, Rational] = {}
    for monomial, c in one.items():
        for factor, d in other.items():
            product = merged(monomial, factor)
            found[product] = found.get(product, 0) + c * d
    return {monomial: c for monomial, c in found.items() if c}


def merged(one: Monomial, other: Monomial) -> Monomial:
    """The product of two monomials."""
    if not one or not other:
        return one or other
    if one[-1][0].serial < other[0][0].serial:
        return one + other
    powers = dict(one)
    for factor, power in other:
        powers[factor] = powers.get(factor, 0) + power
    return tuple(sorted([pair for pair in powers.items() if pair[1]], key=_by_serial))


def inverted(monomial: Monomial) -> Monomial:
    """1 over a monomial."""
    return tuple([(factor, -power) for factor, power in monomial])


def _by_serial(pair: tuple[Factor, int]) -> int:
    return pair[0].serial


def content_of(terms: Terms) -> tuple[Fraction, Monomial, Terms]:
    """The rational and the monomial that divide a polynomial, and the rest: whole coefficients without divisor."""
    monomials = iter(terms)
    common = dict(next(monomials))
    for monomial in monomials:
        powers = dict(monomial)
        # The monomial that divides all terms has the least power of each factor, 0 where a term lacks it.
        for factor in [*common, *powers]:
            common[factor] = min(common.get(factor, 0), powers.get(factor, 0))
    shared = tuple(sorted([pair for pair in common.items() if pair[1]], key=_by_serial))
    over = math.lcm(*(c.denominator for c in terms.values()))
    whole = [c.numerator * (over // c.denominator) for c in terms.values()]
    divisor = math.gcd(*whole)
    inverse = inverted(shared)
    rest = {merged(monomial, inverse): c // divisor for monomial, c in zip(terms, whole, strict=True)}
    return Fraction(divisor, over), shared, rest


def enclosed(terms: Terms, places: int) -> tuple[int, int]:
    """Integers low and high with low ≤ 2^places·x ≤ high."""
    below = above = 0
    for monomial, c in terms.items():
        low = high = 1 << places
        for factor, power in monomial:  # all of them are positive
            least, most, *inverse = factor.enclosure(places)
            if power < 0:
                least, most = inverse
            for _ in range(abs(power)):
                low, high = low * least >> places, -(-high * most >> places)
        if c < 0:
            low, high = high, low
        below += low * c.numerator // c.denominator
        above -= -high * c.numerator // c.denominator
    return below, above


def residue_of(number: Rational) -> int | None:
    """The number modulo the prime; None if its denominator is a multiple of the prime."""
    top, bottom = number.numerator % MODULUS, number.denominator % MODULUS
    if bottom == 1:
        return top
    return top * pow(bottom, -1, MODULUS) % MODULUS if bottom else None


def residue(terms: Terms) -> int | None:
    """The number modulo the prime; None if the prime divides a denominator."""
    found = 0
    for monomial, c in terms.items():
        product = residue_of(c)
        for factor, power in monomial:
            if product is None or factor.residue is None or (not factor.residue and power < 0):
                return None
            product = product * pow(factor.residue, power, MODULUS) % MODULUS
        if product is None:
            return None
        found += product
    return found % MODULUS


def _powers(terms: Terms) -> dict[Factor, tuple[int, int]]:
    """The least and the largest exponent of each factor."""
    found: dict[Factor, tuple[int, int]] = {}
    for monomial in terms:
        for factor, power in monomial:
            least, most = found.get(factor, (0, 0))
            found[factor] = min(least, power), max(most, power)
    return found


def bits_of(terms: Terms) -> int:
    """An upper bound of the bits of numerator and denominator together."""
    own = sum(c.numerator.bit_length() + c.denominator.bit_length() for c in terms.values())
    return own + sum(factor.bits * (most - least) for factor, (least, most) in _powers(terms).items())


def vanishes(terms: Terms) -> bool:
    """Whether a polynomial is shown to be 0 by replacing its factors by their polynomials, the latest one first."""
    while len(terms) > 1:
        terms = content_of(terms)[2]  # no factor is 0; no exponent is negative now
        latest = max((monomial[-1] for monomial in terms if monomial), key=_by_serial, default=(None, 0))[0]
        if latest is None:
            break
        by_power: dict[int, dict[Monomial, Rational]] = {}
        for monomial, c in terms.items():
            power = monomial[-1][1] if monomial and monomial[-1][0] is latest else 0
            by_power.setdefault(power, {})[monomial[:-1] if power else monomial] = c
        if sum(len(part) * len(latest.terms) ** power for power, part in by_power.items()) > _MOST_TERMS:
            return False
        found: Terms = {}
        for power, part in by_power.items():
            product: Terms = part
            for _ in range(power):
                product = multiplied(product, latest.terms)
            found = added(found, product)
        terms = found
    return not terms


def worked_out(terms: Terms) -> Fraction:
    """The number as a fraction.

    Raises:
        UndecidedError: on the way there, a number is longer than `LONGEST`.
    """
    powers = _powers(terms)
    values = {factor: factor.value() for factor in powers}
    # Factors are far shorter than the bound of `bits_of`, as fractions are reduced.
    lengths = {one: n.numerator.bit_length() + n.denominator.bit_length() for one, n in values.items()}
    if sum(lengths[factor] * (most - least) for factor, (least, most) in powers.items()) > LONGEST:
        raise UndecidedError(
            f"a weight of more than {LONGEST} bits is not worked out: rows with missing values have been divided too "
            f"often on the way; say a smaller {option('max_depth')}"
        )
    over = math.lcm(*(c.denominator for c in terms.values()))
    above = 0
    for monomial, c in terms.items():
        here, product = dict(monomial), c.numerator * (over // c.denominator)
        for factor, (least, most) in powers.items():
            power = here.get(factor, 0)
            product *= values[factor].numerator ** (power - least) * values[factor].denominator ** (most - power)
        above += product
    # The product of n^(p - least)·d^(most - p) is (n/d)^p times n^-least·d^most.
    below = Fraction(over)
    for factor, (least, most) in powers.items():
        below *= Fraction(values[factor].numerator ** -least * values[factor].denominator ** most)
    return above / below
