r"""Sums of logarithms that compare without rounding.

Every entropy of counts is a number of the form

$$x = q + \sum_k c_k \log_b n_k$$

with rational q and c_k and integers n_k > 1, and so is every information gain. Two such numbers can be compared
*with certainty*:

1. Whether x is 0 is decided by arithmetic. `coprime_base` writes all n_k as products of pairwise coprime integers;
   the logarithms of those are linearly independent over the rationals (a relation between them would be an equation
   between products of coprime powers), so x is 0 exactly when every coefficient is.
2. If x is not 0, its sign shows as soon as it is enclosed narrowly enough. `log2_floor` encloses a logarithm to any
   number of bits with integers alone, and the precision is doubled until the sign shows. This always ends.

A gain ratio is the quotient of two such sums: `log_ratios` compares these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, singledispatch
from typing import Any, Self

from reference_tree.exact.linear_sums import LinearSum
from reference_tree.exact.log_ratios import LogRatio, LogRatioDifference
from reference_tree.exact.logarithms import (
    Base,
    check_base,
    coprime_base,
    log2_floor_remembered,
    log2_of_base,
    multiplicity,
)
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import CAP_BITS, Number, UndecidedError


class LogSum(LinearSum[int]):
    r"""The number q + Σ c_k · log_b n_k, exact.

    Args:
        terms: n_k → c_k, integers above 1 with rational coefficients.
        constant: q.
        base: b, an integer above 1 or `math.e`.

    Example:
        >>> log(6) - log(3) == 1, log(9) == 2 * log(3), log(3) > Fraction(19, 12)
        (True, True, True)
        >>> log(3), float(log(3))
        (log2(3), 1.584962500721156)
    """

    __slots__ = ("base",)

    def __init__(self, terms: Mapping[Any, Fraction], constant: Rational = 0, base: Base = 2) -> None:
        super().__init__(terms, constant)
        self.base = base

    def _like(self, terms: dict[int, Fraction], constant: Rational) -> Self:
        found = super()._like(terms, constant)
        found.base = self.base
        return found

    def __add__(self, other: Number) -> Number:
        self._check_base(other)
        return super().__add__(other)

    def __truediv__(self, divisor: Number) -> Number:
        self._check_base(divisor)
        return LogRatio(self, divisor) if isinstance(divisor, LogSum) else super().__truediv__(divisor)

    def __rtruediv__(self, dividend: Rational) -> Number:
        if not isinstance(dividend, int | Fraction):
            return NotImplemented
        return LogRatio(LogSum({}, dividend, self.base), self)

    def _check_base(self, other: Number) -> None:
        if isinstance(other, LogSum) and self.base != other.base:
            raise ValueError(f"logarithms to base {self.base} and to base {other.base} do not mix")

    # Comparison: exact.

    def compare(self, other: Number) -> int:
        """As `Real.compare` says."""
        if isinstance(other, LogRatio | LogRatioDifference):
            return -other.compare(self)
        return super().compare(other)

    # Evaluation.

    def _bounds(self, term: int, bits: int) -> tuple[int, int]:
        low, high = self._log2_bounds(term, bits)
        if self.base == 2:
            return low, high
        small, large = log2_of_base(self.base, bits)  # log_b n = log2 n / log2 b
        return (low << bits) // large, -((-high << bits) // small)

    def _log2_bounds(self, term: int, bits: int) -> tuple[int, int]:
        floor = log2_floor_remembered(term, bits)
        return floor, floor + 2

    def as_rational(self) -> Fraction | None:
        """The value as a fraction; None if it is irrational."""
        return self.proportion_to(self.one())

    def proportion_to(self, other: LogSum) -> Fraction | None:
        """The rational q such that this sum is q times another one, which is not 0; None if there is no such q.

        Example:
            >>> log(8).proportion_to(log(4)), log(3).proportion_to(log(4))
            (Fraction(3, 2), None)
        """
        (x, own), (y, its) = _coordinates([self, other])
        pivot = next((index for index, coordinate in enumerate(y) if coordinate), None)
        if pivot is None or any(s * y[pivot] != t * x[pivot] for s, t in zip(x, y, strict=True)):
            return None
        return Fraction(its, own) * x[pivot] / y[pivot]

    def over(self) -> tuple[int, list[tuple[int, int]]]:
        """The sum over one denominator: (d, [(n, c), ...]) for Σ c·log n / d, positive terms first.

        The constant is included as (1, c).

        Example:
            >>> (log(14) - Fraction(9, 14) * log(9) - Fraction(5, 14) * log(5)).over()
            (14, [(14, 14), (9, -9), (5, -5)])
        """
        denominator = math.lcm(self.constant.denominator, *(c.denominator for c in self.terms.values()))
        terms = [(n, c) for n, c in [*self.terms.items(), (1, self.constant)] if c]
        whole = sorted(((n, int(c * denominator)) for n, c in terms), key=lambda term: (term[1] < 0, -term[0]))
        return denominator, whole

    def __repr__(self) -> str:
        name = "ln" if self.base == math.e else f"log{self.base}"
        terms = [(c, f"{name}({n})") for n, c in self.terms.items()]
        written = "".join(_signed(c, factor) for c, factor in [(self.constant, ""), *terms] if c)
        return "-" + written[3:] if written.startswith(" - ") else written[3:] or "0"


def _coordinates(sums: Sequence[LogSum]) -> list[tuple[list[Rational], int]]:
    """The multiples x·ln b of sums x, in a basis of numbers that are linearly independent over the rationals.

    Those of plain fractions are whole numbers over one denominator for each sum.
    """
    # A rational q is q·log_b b. To base e it is a coordinate of its own: ln n is transcendental for every integer
    # n > 1, and so is every sum of such logarithms that is not 0 (Lindemann, Weierstrass).
    numbers = {n for x in sums for n in (*x.terms, *((x.base,) if isinstance(x.base, int) else ()))}
    basis, powers = _powers(tuple(sorted(numbers)))
    result = []
    for x in sums:
        terms: list[tuple[Base, Rational]] = [*x.terms.items(), (x.base, x.constant)]
        denominator, row = 1, list[Rational]([0] * (basis + 1))
        if all(type(c) is Fraction for _, c in terms):
            denominator = math.lcm(*(c.denominator for _, c in terms))
            terms = [(n, c.numerator * (denominator // c.denominator)) for n, c in terms]
        for n, c in terms:
            for at, exponent in powers.get(n, [(0, 1)]):
                row[at] += c * exponent
        result.append((row, denominator))
    return result


@lru_cache(maxsize=1 << 10)
def _powers(numbers: tuple[int, ...]) -> tuple[int, Mapping[Base, Sequence[tuple[int, int]]]]:
    """The size of a coprime base of some numbers, and for each the places from 1 in it, with the exponents there."""
    basis = coprime_base(numbers)
    return len(basis), {
        n: [(at, e) for at, factor in enumerate(basis, 1) if (e := multiplicity(factor, n))] for n in numbers
    }


def _signed(coefficient: Fraction, factor: str) -> str:
    """A term with the sign that joins it to the term before: ` + 5/14·log2(5)`."""
    size = abs(coefficient)
    shown = str(size) if not factor else factor if size == 1 else f"{size}·{factor}"
    return f" {'-' if coefficient < 0 else '+'} {shown}"


@singledispatch
def log(x: Number, base: Base = 2) -> Number:
    """The logarithm of a positive number: exact for an exact one, a float for a float.

    Args:
        x: a positive int, Fraction, float or `Worked` number.
        base: an integer above 1, or `math.e`; 2 gives bits.

    Raises:
        ValueError: x is not positive, or the base is not one of these.

    Example:
        >>> log(8), log(Fraction(9, 14)), log(0.25), log(10, base=10)
        (3, log2(9) - log2(14), -2.0, 1)
    """
    raise TypeError(f"{x!r} has no logarithm here")


@log.register
def _log_of_float(x: float, base: Base = 2) -> float:
    return math.log2(x) if check_base(base) == 2 else math.log(x) / math.log(base)


@log.register(int)
@log.register(Fraction)
def _log_of_rational(x: Rational, base: Base = 2) -> LogSum:
    check_base(base)
    if x <= 0:
        raise ValueError(f"the logarithm of {x} is not a number")
    top, bottom = _log_of_integer(x.numerator, base), _log_of_integer(x.denominator, base)
    return LogSum({**top.terms, **{n: -c for n, c in bottom.terms.items()}}, top.constant - bottom.constant, base)


def _log_of_integer(n: int, base: Base) -> LogSum:
    # A power of the base is rational: as a constant it needs no enclosure, and takes part in exact sums.
    exponent = multiplicity(base, n) if isinstance(base, int) and n > 1 else 0
    if isinstance(base, int) and n == base**exponent:  # a power of the base: a whole number
        return LogSum({}, exponent, base)
    return LogSum({n: Fraction(1)} if n > 1 else {}, 0, base)


__all__ = ["CAP_BITS", "LogSum", "Number", "UndecidedError", "log"]
