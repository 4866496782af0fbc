r"""Deferred numbers: rationals that are known exactly, but multiplied out only on demand.

If a row with missing values goes down every branch, its weight is a product of shares, and each share is a quotient of
sums of such weights. Their numerators and denominators double in length from level to level: at depth 30 a weight would
have a billion bits. These are not needed. A `Deferred` number keeps

1. its *enclosure*, two integers of some 200 digits over a power of two, computed along with it, which settle nearly
   every comparison: its length does not depend on how small or large the number is;
2. its *origin*: the sum, product or quotient that it is, of numbers that were there before.

Few numbers are asked for more. From their origins are then found

3. the *residue* modulo the prime 2^61 - 1, which is also Python's hash of a fraction. Numbers with different residues
   differ: that is a proof, and it costs little;
4. the *terms*: a polynomial with rational coefficients in `Factor`s and their inverses, each of which stands for a
   polynomial in earlier factors, such as the known weight of a node.

Two numbers of equal residue whose enclosures overlap are almost certainly equal, but that is no proof. Algebra proves
or refutes their equality: most are the same polynomial, as factors cancel; others become the same when factors are
replaced by their polynomials, the latest factor first (`vanishes`). Only if these grow too long are numerator and
denominator worked out. A number that would be longer than `polynomials.LONGEST` is refused with `UndecidedError`, so
nothing is ever guessed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import count
from typing import Any, NamedTuple, TypeAlias

from reference_tree.engine.polynomials import (
    MODULUS,
    Monomial,
    Terms,
    bits_of,
    content_of,
    enclosed,
    factor_of,
    inverted,
    merged,
    multiplied,
    residue_of,
    vanishes,
    worked_out,
)
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import nearest_double

PLACES = 320
"""The binary places of an enclosure that is computed from terms, unless more are asked for."""

DIGITS = 192
"""The binary digits of the enclosure that a number carries; a third more are kept until they are cut off."""

SHORT = 2048
"""The most bits of numerator and denominator together for which a rational is not deferred."""

_FINEST = 1 << 15
"""The most binary places that are tried before a number is worked out."""

_UNKNOWN = -1
"""In the place of a residue that nobody has asked for."""

_serial = count()


# Origins.


class LinearOrigin(NamedTuple):
    """A sum of multiples of numbers."""

    numbers: tuple[Rational, ...]
    times: tuple[Rational, ...]
    """The factor of each number."""

    def terms(self) -> Terms:
        """The terms of the sum."""
        found: dict[Monomial, Rational] = {}
        for number, times in zip(self.numbers, self.times, strict=True):
            for monomial, c in _terms_of(number).items():
                found[monomial] = found.get(monomial, 0) + c * times
        return {monomial: c for monomial, c in found.items() if c}

    def residue(self) -> int | None:
        """The residue of the sum; None if one of its numbers has none."""
        found = 0
        for number, times in zip(self.numbers, self.times, strict=True):
            own, factor = _residue_of(number), residue_of(times)
            if own is None or factor is None:
                return None
            found += own * factor
        return found % MODULUS


class Product(NamedTuple):
    """A product of two numbers."""

    numbers: tuple[Deferred, Deferred]

    def terms(self) -> Terms:
        """The terms of the product."""
        one, other = self.numbers
        return multiplied(one.terms, other.terms)

    def residue(self) -> int | None:
        """The residue of the product; None if a factor has none."""
        one, other = map(_residue_of, self.numbers)
        return None if one is None or other is None else one * other % MODULUS


class Quotient(NamedTuple):
    """A quotient of two numbers."""

    numbers: tuple[Rational, Rational]
    is_spread: bool = False
    """Whether each term of a short dividend is divided alone."""

    def terms(self) -> Terms:
        """The terms of the quotient: a single one, unless it is spread, as numbers are made products of few factors."""
        above, below = self.numbers
        content_below, monomial_below = _factors_of(below)
        inverse, terms = inverted(monomial_below), _terms_of(above)
        if self.is_spread and 1 < len(terms) <= 40 and terms.keys() != _terms_of(below).keys():
            return multiplied(terms, {inverse: 1 / Fraction(content_below)})
        # Common factors cancel before anything is multiplied out.
        content, monomial = _factors_of(above)
        return {merged(monomial, inverse): Fraction(content) / content_below}

    def residue(self) -> int | None:
        """The residue of the quotient; None if there is none."""
        above, below = map(_residue_of, self.numbers)
        return None if above is None or not below else above * pow(below, -1, MODULUS) % MODULUS


class Plain(NamedTuple):
    """A rational that is long and positive."""

    number: Fraction
    numbers: tuple[Rational, ...] = ()

    def terms(self) -> Terms:
        """A product of two factors, which stand for the numerator and for the denominator."""
        # Both are scaled to about 1, so that few places enclose them and their inverses well.
        content: Rational = 1
        monomial: Monomial = ()
        for n, power in ((self.number.numerator, 1), (self.number.denominator, -1)):
            size = Fraction(2) ** n.bit_length()
            scaled: Terms = {(): n / size}
            content, monomial = content * size**power, merged(monomial, ((factor_of(scaled), power),))
        return {monomial: content}

    def residue(self) -> int | None:
        """The residue of the number; None if its denominator is a multiple of the prime."""
        return residue_of(self.number)


Origin: TypeAlias = LinearOrigin | Product | Quotient | Plain


class Deferred(Fraction):
    """A rational number that is multiplied out only if its numerator or denominator is asked for.

    It is made by `deferred`, and by arithmetic with such numbers; 0 is a plain fraction again.

    Example:
        >>> share = deferred(Fraction(3**800, 7**488))
        >>> type(share).__name__, share / (share + share) == Fraction(1, 2), share > Fraction(1, 3), share - share
        ('Deferred', True, False, Fraction(0, 1))
    """

    __slots__ = ("_exact", "_high", "_low", "_places", "_residue", "_serial", "_terms", "origin")

    origin: Origin
    _low: int
    _high: int
    _places: int
    _serial: int
    _terms: Terms | None
    _residue: int | None
    _exact: Fraction | None

    def __new__(cls, origin: Origin, low: int, high: int, places: int) -> Deferred:
        """The number with this origin, which lies between two integers over 2^places."""
        # An enclosure of more digits than anybody needs is cut; the low end is rounded down, the high end up.
        if (excess := high.bit_length() - DIGITS) > DIGITS // 3:
            low, high, places = low >> excess, -(-high >> excess), places - excess
        found = object.__new__(cls)
        found.origin, found._low, found._high, found._places, found._serial = origin, low, high, places, next(_serial)
        found._terms = found._exact = None
        found._residue = _UNKNOWN
        return found

    @property
    def terms(self) -> Terms:
        """The number as a polynomial in factors."""
        if self._terms is None:
            for number in _earlier(self, lambda one: one._terms is not None):
                number._terms = number.origin.terms()
        assert self._terms is not None
        return self._terms

    @property
    def residue(self) -> int | None:
        """The number modulo the prime; None if that is not defined for a number on the way."""
        if self._residue == _UNKNOWN:
            for number in _earlier(self, lambda one: one._residue != _UNKNOWN):
                number._residue = number.origin.residue()
        return self._residue

    # Arithmetic.

    def __add__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) + other
        if not isinstance(other, int | Fraction):
            return NotImplemented
        return total_of((self, other), (1, 1)) if other else self

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self * -1

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self.sign() < 0 else self

    def __sub__(self, other: Any) -> Any:
        if not isinstance(other, int | Fraction):
            return float(self) - other if isinstance(other, float) else NotImplemented
        return total_of((self, other), (1, -1)) if other else self

    def __rsub__(self, other: Any) -> Any:
        return -self + other if isinstance(other, int | Fraction | float) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        if type(other) is Deferred:
            places = self._places + other._places
            if self._low > 0 and other._low > 0:
                return Deferred(Product((self, other)), self._low * other._low, self._high * other._high, places)
            # The product of two intervals lies between the least and the largest product of their ends.
            corners = [a * b for a in (self._low, self._high) for b in (other._low, other._high)]
            return _known(Deferred(Product((self, other)), min(corners), max(corners), places))
        if isinstance(other, float):
            return float(self) * other
        if not isinstance(other, int | Fraction):
            return NotImplemented
        if not other or other == 1:
            return self if other else Fraction(0)
        return total_of((self,), (other,))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) / other
        if not isinstance(other, int | Fraction):
            return NotImplemented
        return _divided(self, other, is_spread=True) if isinstance(other, Deferred) else self * (1 / Fraction(other))

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
        places = PLACES // 2
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

    def _apart(self, other: Rational) -> int:
        """1 if the enclosures of both numbers prove that this is larger, -1 if smaller, 0 if they prove nothing."""
        low, high, places = enclosure_near(other)
        by = self._places - places
        mine_low, mine_high = (self._low, self._high) if by >= 0 else (self._low << -by, self._high << -by)
        low, high = (low << by, high << by) if by > 0 else (low, high)
        return (mine_low > high) - (mine_high < low)

    def _compared(self, other: Rational) -> int:
        if apart := self._apart(other):
            return apart
        difference = self - other
        return difference.sign() if isinstance(difference, Deferred) else (difference > 0) - (difference < 0)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | Fraction):
            return self._pair() == other
        if self is other or self._apart(other):
            return self is other
        mine, residue = self.residue, _residue_of(other)
        if mine is not None and residue is not None and mine != residue:
            return False
        return self.terms == _terms_of(other) or self._compared(other) == 0

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

    def near(self, digits: int = 0) -> tuple[int, int, int]:
        """(low, high, places) with low ≤ 2^places·x ≤ high, of a number that is positive, good to some digits."""
        if digits and self._high.bit_length() - (self._high - self._low).bit_length() <= digits:
            places = max(PLACES, digits)
            return *enclosed(self.terms, places), places
        return self._low, self._high, self._places

    def bounds(self, places: int = PLACES) -> tuple[int, int]:
        """Integers low and high with low ≤ 2^places·x ≤ high, from the enclosure that the number carries."""
        by = places - self._places
        return (self._low << by, self._high << by) if by >= 0 else (self._low >> -by, -(-self._high >> -by))

    def finer(self, places: int) -> tuple[int, int]:
        """Such integers, which lie as near to each other as so many places allow."""
        low, high = self.bounds(places)
        return (low, high) if high - low < 3 else enclosed(self.terms, places)

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        """(low, high, scale) with low/scale ≤ x ≤ high/scale."""
        if bits > _FINEST:
            return self.numerator, self.numerator, self.denominator
        if self._high - self._low <= 1 << max(0, self._places - bits):
            low, high = self.bounds(at := max(0, self._places))
            return low, high, 1 << at
        places = max(bits, PLACES)
        return *enclosed(self.terms, places), 1 << places

    def as_rational(self) -> Fraction | None:
        """The number as a plain fraction, or None if that is not short."""
        near = self.limit_denominator(1 << PLACES)
        return near if near == self else None

    def limit_denominator(self, max_denominator: int = 1_000_000) -> Fraction:
        """The nearest fraction with at most this denominator, as `Fraction.limit_denominator` gives it."""
        places = PLACES
        while places <= _FINEST:
            below, above = (Fraction(n, 1 << places).limit_denominator(max_denominator) for n in self.finer(places))
            if below == above:
                return below
            places *= 2
        return self._pair().limit_denominator(max_denominator)

    def floor_of(self, places: int) -> int:
        """The floor of 2^places·x."""
        below, above = (n >> at if (at := self._places - places) >= 0 else n << -at for n in (self._low, self._high))
        at = max(PLACES, places)
        while below != above:
            below, above = (n >> at - places for n in enclosed(self.terms, at))
            if above == below + 1 and at > PLACES:  # the number may be whole, or a little below a whole number
                return above if self >= Fraction(above) / Fraction(2) ** places else below
            at *= 2
        return below

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


# What every number has.


def enclosure_near(number: Rational) -> tuple[int, int, int]:
    """(low, high, places) with low ≤ 2^places·x ≤ high: the enclosure that a deferred number carries, or as good a one.

    Example:
        >>> low, high, places = enclosure_near(Fraction(1, 3))
        >>> high - low, places
        (1, 193)
    """
    if type(number) is Deferred:
        return number._low, number._high, number._places
    top, bottom = number.numerator, number.denominator
    if bottom == 1:
        return top, top, 0
    places = DIGITS + bottom.bit_length() - top.bit_length()
    low = (top << places) // bottom if places >= 0 else (top >> -places) // bottom
    return low, low + 1, places


def _terms_of(number: Rational) -> Terms:
    return number.terms if isinstance(number, Deferred) else {(): number} if number else {}


def _residue_of(number: Rational) -> int | None:
    return number.residue if isinstance(number, Deferred) else residue_of(number)


def _factors_of(number: Rational) -> tuple[Rational, Monomial]:
    return number.factors() if isinstance(number, Deferred) else (number, ())


def _earlier(number: Deferred, is_done: Callable[[Deferred], bool]) -> list[Deferred]:
    """The number and the numbers it is made of that are not done yet, earlier ones first."""
    found, pending = {number._serial: number}, [number]
    while pending:
        for other in pending.pop().origin.numbers:
            if type(other) is Deferred and other._serial not in found and not is_done(other):
                found[other._serial] = other
                pending.append(other)
    return [found[serial] for serial in sorted(found)]


# Making numbers.


def total_of(numbers: tuple[Rational, ...], times: tuple[Rational, ...]) -> Any:
    """The sum of multiples of numbers, at least one of which is deferred: one number, however many are added.

    Example:
        >>> x = deferred(Fraction(3**800, 7**488))
        >>> total_of((x, Fraction(1, 3)), (2, 3)) == x + x + 1
        True
    """
    parts = [_multiple(number, by) for number, by in zip(numbers, times, strict=True)]
    # The ends are added up with a few more digits of the largest number than an enclosure keeps.
    at = DIGITS + 16 - max([max(-low, high).bit_length() - places for low, high, places in parts])
    below = above = 0
    for low, high, places in parts:
        if (by := places - at) > 0:
            below, above = below + (low >> by), above - (-high >> by)
        else:
            below, above = below + (low << -by), above + (high << -by)
    return _known(Deferred(LinearOrigin(numbers, times), below, above, at))


def _multiple(number: Rational, by: Rational) -> tuple[int, int, int]:
    """The enclosure of a multiple of a number."""
    low, high, places = enclosure_near(number)
    if by == 1:
        return low, high, places
    top, bottom = by.numerator, by.denominator
    if top < 0:  # a negative factor turns the interval round
        low, high = high, low
    if bottom == 1:
        return low * top, high * top, places
    more = max(0, bottom.bit_length() - top.bit_length())
    return (low * top << more) // bottom, -((-high * top << more) // bottom), places + more


def _known(number: Deferred) -> Any:
    """The number; as a plain fraction if its enclosure does not show its sign and no factor is left in its terms."""
    if number._low > 0 or number._high < 0:
        return number
    if not number.terms:
        return Fraction(0)
    return Fraction(number.terms[()]) if number.terms.keys() == {()} else number


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
    return Deferred(Plain(Fraction(number)), *enclosure_near(number))


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
    return _divided(above, below)


def _divided(above: Rational, below: Rational, is_spread: bool = False) -> Any:
    """The quotient of two numbers, at least one of them deferred."""
    if not below:
        raise ZeroDivisionError("the divisor is 0")
    if not above:
        return Fraction(0)
    (low, high, places), (least, most, places_below) = enclosure_near(above), enclosure_near(below)
    if least <= 0 <= most:  # the divisor is not 0, and more places show it
        least, most, places_below = _away_from_zero(below)
    more = max(0, DIGITS + least.bit_length() - low.bit_length())
    # The quotient of two intervals lies between the least and the largest quotient of their ends.
    ends = [(n << more, d) for n in (low, high) for d in (least, most)]
    below_all, above_all = min([n // d for n, d in ends]), max([-(-n // d) for n, d in ends])
    return _known(Deferred(Quotient((above, below), is_spread), below_all, above_all, places - places_below + more))


def _away_from_zero(number: Any) -> tuple[int, int, int]:
    """The enclosure of a number that is not 0, which does not have 0 in it."""
    places = PLACES
    while True:
        low, high = enclosed(number.terms, places)
        if low > 0 or high < 0:
            return low, high, places
        places *= 2
