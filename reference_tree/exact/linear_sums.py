r"""Linear sums: the common base of sums of logarithms, of roots and of binomial limits.

An irrational number that decides something is written

$$x = q + \sum_k c_k \, x_k$$

with rational q and c_k and positive x_k: logarithms (`reference_tree.exact.log_sums`), roots
(`reference_tree.exact.radicals`), or confidence limits (`reference_tree.exact.binomial_limits`). Such numbers are added
and scaled coefficient by coefficient. The values of the x_k matter only for the sign:

1. If all coefficients have one sign, so has x.
2. Otherwise the sign shows as soon as x is enclosed narrowly enough, unless x is 0. The enclosure of x is the sum of
   the enclosures of its terms.
3. Whether x is 0 is decided by arithmetic, for each kind of sum by its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor
from typing import Generic, Self, TypeVar

from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import Number, Real
from reference_tree.exact.rounding import START_BITS

Term = TypeVar("Term")


class LinearSum(Real, Generic[Term]):
    """A number q + Σ c_k · x_k with rational q and c_k; each subclass defines its positive numbers x_k.

    Args:
        terms: x_k → c_k.
        constant: q.
    """

    __slots__ = ("constant", "terms")

    def __init__(self, terms: Mapping[Term, Fraction], constant: Rational = 0) -> None:
        self.terms = {term: c for term, c in terms.items() if c}
        self.constant = constant if isinstance(constant, Fraction) else Fraction(constant)

    def one(self) -> Self:
        """The number 1, as a sum of the same kind."""
        return self._like({}, Fraction(1))

    # Arithmetic: a vector space over the rationals.

    def _like(self, terms: dict[Term, Fraction], constant: Rational) -> Self:
        """A number of the same kind. No coefficient is 0, and terms are never changed: numbers may share them."""
        found = type(self)({}, constant)
        found.terms = terms
        return found

    def __add__(self, other: Number) -> Number:
        if isinstance(other, int | Fraction):
            return self._like(self.terms, self.constant + other)
        if not isinstance(other, type(self)):
            return NotImplemented
        terms = self.terms.copy()
        for term, c in other.terms.items():
            terms[term] = terms.get(term, 0) + c
            if not terms[term]:
                del terms[term]
        return self._like(terms, self.constant + other.constant)

    def __radd__(self, other: Number) -> Number:
        return self.__add__(other)

    def __neg__(self) -> Self:
        return self * -1

    def __abs__(self) -> Self:
        return -self if self.sign() < 0 else self

    def __sub__(self, other: Number) -> Number:
        return self + -other if isinstance(other, int | Fraction | type(self)) else NotImplemented

    def __rsub__(self, other: Number) -> Number:
        return -self + other

    def __mul__(self, factor: Rational) -> Self:
        if not isinstance(factor, int | Fraction):
            return NotImplemented
        terms = {term: c * factor for term, c in self.terms.items()} if factor else {}
        return self._like(terms, self.constant * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Rational) -> Number:
        return self * (Fraction(1) / divisor) if isinstance(divisor, int | Fraction) else NotImplemented

    # Comparison: exact.

    def sign(self) -> int:
        """The sign of the number: -1, 0 or 1."""
        # All x_k are positive: coefficients of one sign tell the sign of the sum without an enclosure.
        coefficients = [self.constant, *self.terms.values()]
        if all(c >= 0 for c in coefficients) or all(c <= 0 for c in coefficients):
            return next((1 if c > 0 else -1 for c in coefficients if c), 0)
        bits = START_BITS
        while True:
            low, high, _ = self.enclosure(bits)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            if bits == START_BITS and self._is_zero():
                return 0
            bits *= 2

    def _is_zero(self) -> bool:
        return self.as_rational() == 0

    def __bool__(self) -> bool:
        return self.sign() != 0

    def compare(self, other: Number) -> int:
        """As `Real.compare` says."""
        return (self - (Fraction(other) if isinstance(other, float) else other)).sign()  # type: ignore[no-any-return]

    # Evaluation.

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        """(low, high, scale) with low/scale ≤ x ≤ high/scale."""
        return (*self._enclosed(bits), 1 << bits)

    def _enclosed(self, bits: int) -> tuple[int, int]:
        low = floor(self.constant * (1 << bits))
        high = low + 1
        for term, c in self.terms.items():
            below, above = self._bounds(term, bits)
            small, large = (below, above) if c > 0 else (above, below)
            # Each term adds at most one unit of rounding at either end, beside the width of its own enclosure.
            low, high = low + _floor(c, small), high - _floor(c, -large)
        return low, high

    def _bounds(self, term: Term, bits: int) -> tuple[int, int]:
        """Integers that enclose 2^bits · x_k."""
        raise NotImplementedError


class EnclosedSum(LinearSum[Term]):
    """A linear sum that stores an enclosure of itself.

    The enclosure of a sum is the sum of the enclosures of its parts, so a sum that grows term by term is not enclosed
    again each time. Two sums whose enclosures do not meet are compared by these alone.
    """

    __slots__ = ("_near",)

    def __init__(self, terms: Mapping[Term, Fraction], constant: Rational = 0) -> None:
        super().__init__(terms, constant)
        self._near: tuple[int, int] | None = None  # integers around 2^START_BITS · x, once they are known

    def __add__(self, other: Number) -> Number:
        found = super().__add__(other)
        if isinstance(found, EnclosedSum):
            (low, high), (less, more) = self._nearly(), _nearly(other)
            found._near = low + less, high + more
        return found

    def compare(self, other: Number) -> int:
        """As `Real.compare` says."""
        if not isinstance(other, int | float | Fraction | type(self)):
            raise TypeError(f"{self!r} does not compare with {other!r}")
        (low, high), (less, more) = self._nearly(), _nearly(other)
        if high < less or more < low:
            return -1 if high < less else 1
        return super().compare(other)

    # Evaluation.

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        """(low, high, scale) with low/scale ≤ x ≤ high/scale."""
        return (*self._nearly(), 1 << bits) if bits == START_BITS else super().enclosure(bits)

    def _nearly(self) -> tuple[int, int]:
        if self._near is None:
            self._near = self._enclosed(START_BITS)
        return self._near


def _floor(c: Rational, n: int) -> int:
    """The floor of c·n."""
    # For a plain fraction it is computed by integers, which is faster.
    return c.numerator * n // c.denominator if type(c) is Fraction else floor(c * n)


def _nearly(x: Number) -> tuple[int, int]:
    """Integers that enclose 2^START_BITS · x."""
    if isinstance(x, EnclosedSum):
        return x._nearly()
    low = floor(Fraction(x) * (1 << START_BITS))
    return low, low + 1
