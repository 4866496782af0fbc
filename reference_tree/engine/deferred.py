r"""Deferred numbers: rationals that are known exactly, but multiplied out only on demand.

If a row with missing values goes down every branch, its weight is a product of shares, and each share is a quotient of
sums of such weights. Their numerators and denominators double in length from level to level: at depth 30 a weight would
have a billion bits. These are not needed. A `Deferred` number keeps

1. its *terms*: a polynomial with rational coefficients in `Factor`s and their inverses, each of which stands for a
   polynomial in earlier factors, such as the known weight of a node;
2. its *enclosure*, two integers over 2^320, computed along with it, which settle nearly every comparison;
3. its *residue* modulo the prime 2^61 - 1, which is also Python's hash of a fraction. Numbers with different residues
   differ: that is a proof, and it costs nothing.

Two numbers of equal residue whose enclosures overlap are almost certainly equal, but that is no proof. Algebra proves
or refutes their equality: most are the same polynomial, as factors cancel; others become the same when factors are
replaced by their polynomials, the latest factor first (`vanishes`). Only if these grow too long are numerator and
denominator worked out. A number that would be longer than `polynomials.LONGEST` is refused with `UndecidedError`, so
nothing is ever guessed.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from reference_tree.engine.polynomials import (
    MODULUS,
    Monomial,
    Terms,
    added,
    bits_of,
    content_of,
    enclosed,
    factor_of,
    inverted,
    merged,
    multiplied,
    residue,
    residue_of,
    vanishes,
    worked_out,
)
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import nearest_double

PLACES = 320
"""The binary places of an enclosure, unless more are asked for."""

SHORT = 2048
"""The most bits of numerator and denominator together for which a rational is not deferred."""

_FINEST = 1 << 15
"""The most binary places that are tried before a number is worked out."""


class Deferred(Fraction):
    """A rational number that is multiplied out only if its numerator or denominator is asked for.

    It is made by `deferred`, and by arithmetic with such numbers; a result without factors is a plain fraction again.

    Example:
        >>> share = deferred(Fraction(3**800, 7**488))
        >>> type(share).__name__, share / (share + share), share > Fraction(1, 3), share - share
        ('Deferred', Fraction(1, 2), False, Fraction(0, 1))
    """

    __slots__ = ("_exact", "_high", "_low", "residue", "terms")

    terms: Terms
    _low: int
    _high: int
    residue: int | None
    _exact: Fraction | None

    def __new__(cls, terms: Terms, low: int, high: int, residue: int | None) -> Deferred:
        """The number with these terms, this enclosure and this residue."""
        found = object.__new__(cls)
        found.terms, found._low, found._high, found.residue, found._exact = terms, low, high, residue, None
        return found

    # Arithmetic.

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Deferred):
            terms = added(self.terms, other.terms)
            residue = None if self.residue is None or other.residue is None else self.residue + other.residue
            return number_of(terms, self._low + other._low, self._high + other._high, residue)
        if isinstance(other, float):
            return float(self) + other
        if not isinstance(other, int | Fraction):
            return NotImplemented
        return self + _lifted(other) if other else self

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self * -1

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self.sign() < 0 else self

    def __sub__(self, other: Any) -> Any:
        return self + -other if isinstance(other, int | Fraction | float) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return -self + other if isinstance(other, int | Fraction | float) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Deferred):
            terms = multiplied(self.terms, other.terms)
            residue = None if self.residue is None or other.residue is None else self.residue * other.residue
            # The product of two intervals lies between the least and the largest product of their ends.
            corners = [a * b for a in (self._low, self._high) for b in (other._low, other._high)]
            return number_of(terms, min(corners) >> PLACES, -(-max(corners) >> PLACES), residue)
        if isinstance(other, float):
            return float(self) * other
        if not isinstance(other, int | Fraction):
            return NotImplemented
        if not other or other == 1:
            return self if other else Fraction(0)
        top, bottom = other.numerator, other.denominator
        # A negative factor turns the interval round.
        low, high = (self._low, self._high) if top > 0 else (self._high, self._low)
        factor = residue_of(other)
        residue = None if self.residue is None or factor is None else self.residue * factor
        terms = {monomial: Fraction(c * other) for monomial, c in self.terms.items()}
        return number_of(terms, low * top // bottom, -(-high * top // bottom), residue)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) / other
        if not isinstance(other, int | Fraction):
            return NotImplemented
        if not isinstance(other, Deferred):
            return self * (1 / Fraction(other))
        common = self.terms.keys() == other.terms.keys()
        if len(self.terms) == 1 or common or len(self.terms) > 40:
            return quotient(self, other)
        return self * quotient(1, other)

    def __rtruediv__(self, other: Any) -> Any:
        if isinstance(other, float):
            return other / float(self)
        return quotient(other, self) if isinstance(other, int | Fraction) else NotImplemented

    def __pow__(self, exponent: Any) -> Any:
        if not isinstance(exponent, int) or not 0 < exponent < 4:
            return self._pair() ** exponent
        return math.prod([self] * exponent)

    # Comparison.

    def sign(self) -> int:
        """The sign of the number: -1, 0 or 1."""
        if self._low > 0 or self._high < 0:
            return 1 if self._low > 0 else -1
        places = PLACES
        # The precision doubles, so the last step costs about as much as all before it. A residue other than 0 proves
        # that the number is not 0: then some precision decides.
        while places < (_FINEST if self.residue else 2 * PLACES):
            places *= 2
            low, high = enclosed(self.terms, places)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
        # Enclosures never prove that a number is 0; the polynomial does.
        if not self.residue and vanishes(self.terms):
            return 0
        exact = self._pair()
        return (exact > 0) - (exact < 0)

    def _compared(self, other: Rational) -> int:
        one = other if isinstance(other, Deferred) else _lifted(other)
        if self._low > one._high or self._high < one._low:
            return 1 if self._low > one._high else -1
        difference = self - other
        return difference.sign() if isinstance(difference, Deferred) else (difference > 0) - (difference < 0)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | Fraction):
            return self._pair() == other
        if isinstance(other, Deferred) and self.terms == other.terms:
            return True
        residue = other.residue if isinstance(other, Deferred) else residue_of(other)
        if self.residue is not None and residue is not None and self.residue != residue:
            return False
        return self._compared(other) == 0

    def __lt__(self, other: Any) -> bool:
        return self._compared(other) < 0 if isinstance(other, int | Fraction) else self._pair().__lt__(other)

    def __le__(self, other: Any) -> bool:
        return self._compared(other) <= 0 if isinstance(other, int | Fraction) else self._pair().__le__(other)

    def __gt__(self, other: Any) -> bool:
        return self._compared(other) > 0 if isinstance(other, int | Fraction) else self._pair().__gt__(other)

    def __ge__(self, other: Any) -> bool:
        return self._compared(other) >= 0 if isinstance(other, int | Fraction) else self._pair().__ge__(other)

    def __bool__(self) -> bool:
        return bool(self._low > 0 or self.residue or self.sign())

    def __hash__(self) -> int:  # type: ignore[override]
        if self.residue is None:
            return hash(self._pair())
        if self._low >= 0 or self.sign() >= 0:
            return self.residue
        negative = -(-self.residue % MODULUS)
        return -2 if negative == -1 else negative

    # Evaluation.

    def bounds(self, places: int = PLACES) -> tuple[int, int]:
        """Integers low and high with low ≤ 2^places·x ≤ high."""
        return (self._low, self._high) if places == PLACES else enclosed(self.terms, places)

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        """(low, high, scale) with low/scale ≤ x ≤ high/scale."""
        if bits > _FINEST:
            return self.numerator, self.numerator, self.denominator
        places = max(bits, PLACES)
        return (*self.bounds(places), 1 << places)

    def as_rational(self) -> Fraction | None:
        """The number as a plain fraction, or None if that is not short."""
        near = self.limit_denominator(1 << PLACES)
        return near if near == self else None

    def limit_denominator(self, max_denominator: int = 1_000_000) -> Fraction:
        """The nearest fraction with at most this denominator, as `Fraction.limit_denominator` gives it."""
        places = PLACES
        while places <= _FINEST:
            below, above = (Fraction(n, 1 << places).limit_denominator(max_denominator) for n in self.bounds(places))
            if below == above:
                return below
            places *= 2
        return self._pair().limit_denominator(max_denominator)

    def floor_of(self, places: int) -> int:
        """The floor of 2^places·x."""
        at = PLACES
        while True:
            low, high = self.bounds(at)
            below, above = (n >> at - places if at >= places else n << places - at for n in (low, high))
            if below == above:
                return below
            if above == below + 1 and at > PLACES:  # the number may be whole, or a little below a whole number
                return above if self >= Fraction(above) / Fraction(2) ** places else below
            at *= 2

    def __floor__(self) -> int:
        return self.floor_of(0)

    def __ceil__(self) -> int:
        below: Rational = -self
        return -math.floor(below)

    def bit_length(self) -> int:
        """The length of the number's floor in bits."""
        return self.floor_of(0).bit_length()

    def __rshift__(self, places: int) -> int:
        return self.floor_of(-places)

    def __float__(self) -> float:
        return nearest_double(self)

    def __repr__(self) -> str:
        return f"Deferred({float(self)})"

    def _pair(self) -> Fraction:
        """The number as a plain fraction."""
        if self._exact is None:
            self._exact = worked_out(self.terms)
        return self._exact

    @property
    def _numerator(self) -> int:
        return self._pair().numerator

    @property
    def _denominator(self) -> int:
        return self._pair().denominator

    @property
    def bits(self) -> int:
        """An upper bound of the bits of numerator and denominator together."""
        return bits_of(self.terms)

    def __reduce__(self) -> Any:
        return Fraction, (self._numerator, self._denominator)

    def __copy__(self) -> Deferred:
        return self

    def __deepcopy__(self, memo: Any) -> Deferred:
        return self

    # As a product.

    def factors(self) -> tuple[Rational, Monomial]:
        """A rational and a monomial whose product is this number."""
        if len(self.terms) == 1:
            [(monomial, c)] = self.terms.items()
            return c, monomial
        content, common, rest = content_of(self.terms)
        if any(c < 0 for c in rest.values()) and self.sign() < 0:
            content, rest = -content, {monomial: -c for monomial, c in rest.items()}
        # The rest is scaled to about 1, so that few places enclose it and its inverse well.
        size = Fraction(2) ** (enclosed(rest, PLACES)[1].bit_length() - PLACES)
        scaled = {monomial: c / size for monomial, c in rest.items()}
        return content * size, merged(common, ((factor_of(scaled), 1),))


def product_of(content: Rational, monomial: Monomial) -> Rational:
    """The product of a rational and a monomial."""
    if not monomial:
        return Fraction(content)
    terms = {monomial: content}
    return Deferred(terms, *enclosed(terms, PLACES), residue(terms))


def deferred(number: Rational) -> Rational:
    """The number, deferred if it is long: factors then stand for its numerator and denominator.

    Example:
        >>> deferred(Fraction(1, 3)), type(deferred(Fraction(3**800, 7**488))).__name__
        (Fraction(1, 3), 'Deferred')
    """
    if isinstance(number, Deferred) or number.numerator.bit_length() + number.denominator.bit_length() <= SHORT:
        return number
    if number < 0:
        return -deferred(-number)
    # Both are scaled to about 1, so that few places enclose them and their inverses well.
    content: Rational = 1
    monomial: Monomial = ()
    for n, power in ((number.numerator, 1), (number.denominator, -1)):
        size = Fraction(2) ** n.bit_length()
        scaled: Terms = {(): n / size}
        content, monomial = content * size**power, merged(monomial, ((factor_of(scaled), power),))
    return product_of(content, monomial)


def quotient(above: Any, below: Any) -> Any:
    """The quotient of two numbers; if both are rational and one is long, as a product of few factors.

    Raises:
        ZeroDivisionError: the divisor is 0.

    Example:
        >>> share = deferred(Fraction(3**800, 7**488))
        >>> quotient(share, share + 1) * (share + 1) == share
        True
    """
    if not isinstance(above, int | Fraction) or not isinstance(below, int | Fraction):
        return above / below
    if not isinstance(above, Deferred) and not isinstance(below, Deferred):
        return deferred(Fraction(above) / below)
    if not below:
        raise ZeroDivisionError("the divisor is 0")
    if not above:
        return Fraction(0)
    # Common factors cancel before anything is multiplied out.
    content, monomial = above.factors() if isinstance(above, Deferred) else (above, ())
    content_below, monomial_below = below.factors() if isinstance(below, Deferred) else (below, ())
    return product_of(Fraction(content) / content_below, merged(monomial, inverted(monomial_below)))


# Making numbers.


def number_of(terms: Terms, low: int, high: int, residue: int | None) -> Any:
    """The number with these terms: a plain fraction if no factor is left in them."""
    if not terms:
        return Fraction(0)
    if len(terms) == 1 and () in terms:
        return Fraction(terms[()])
    return Deferred(terms, low, high, None if residue is None else residue % MODULUS)


def _lifted(number: Rational) -> Deferred:
    """A plain number as a `Deferred` one."""
    top, bottom = number.numerator << PLACES, number.denominator
    return Deferred({(): number} if number else {}, top // bottom, -(-top // bottom), residue_of(number))
