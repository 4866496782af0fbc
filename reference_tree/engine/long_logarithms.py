r"""Logarithms of deferred numbers, whose numerators and denominators are not known.

`log` makes a `LongLogSum` of such a number; sums with one are a `LongLogSum` too, and quotients a `LongLogRatio`.
Enclosures settle nearly every comparison. To prove that a sum is 0 or that two quotients are equal, there are two ways:

1. by *symbols*. As log xy = log x + log y, the logarithm of a deferred number is a sum of the logarithms of its
   factors. Each factor is replaced by an integer that has no divisor in common with any other. So these logarithms are
   independent, and an equation that holds for them holds for any values of the factors.
2. *worked out*, if the numbers are not too long.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count
from typing import Any

from reference_tree.engine.deferred import Deferred
from reference_tree.engine.polynomials import Factor
from reference_tree.exact.log_ratios import LogRatio, are_equal
from reference_tree.exact.log_sums import LogSum, log
from reference_tree.exact.logarithms import Base, check_base, log2_floor_remembered
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import Number
from reference_tree.exact.rounding import START_BITS


class LongLogSum(LogSum):
    """A sum of logarithms of integers and of deferred numbers, all of them above 1.

    Example:
        >>> from reference_tree.engine.deferred import deferred
        >>> x, y = deferred(Fraction(3**800, 7**488)), deferred(Fraction(5**520, 11**361))
        >>> log(x * y) - log(y) == log(x) < log(x / y), type(log(x)).__name__
        (True, 'LongLogSum')
    """

    __slots__ = ()

    def __add__(self, other: Number) -> Number:
        self._check_base(other)
        return super().__add__(self._like(other.terms, other.constant) if type(other) is LogSum else other)

    __radd__ = __add__

    def __truediv__(self, divisor: Number) -> Number:
        self._check_base(divisor)
        return LongLogRatio(self, divisor) if isinstance(divisor, LogSum) else super().__truediv__(divisor)

    def __rtruediv__(self, dividend: Number) -> Number:
        self._check_base(dividend)
        return LongLogRatio(dividend if isinstance(dividend, LogSum) else self.one() * dividend, self)

    def _is_zero(self) -> bool:
        as_symbols, worked_out = _forms(self)
        if as_symbols()[0]._is_zero():
            return True
        low, high, _ = self.enclosure(START_BITS << 3)
        return low <= 0 <= high and worked_out()[0]._is_zero()

    def proportion_to(self, other: LogSum) -> Fraction | None:
        """As `LogSum.proportion_to` says."""
        return _proportion(self, other)

    def over(self) -> tuple[int, list[tuple[int, int]]]:
        """As `LogSum.over` says.

        Raises:
            UndecidedError: a number is too long to be worked out.
        """
        return _worked_out(self).over()

    def _log2_bounds(self, term: Any, bits: int) -> tuple[int, int]:
        if not isinstance(term, Deferred):
            return super()._log2_bounds(term, bits)
        low, high, places = term.near(2 * bits)
        scale = places << bits
        return log2_floor_remembered(low, bits) - scale, log2_floor_remembered(high, bits) + 2 - scale


class LongLogRatio(LogRatio):
    """A quotient of two sums of logarithms, at least one of them a `LongLogSum`."""

    __slots__ = ()

    def _equals(self, other: LogRatio) -> bool:
        forms = _forms(self.numerator, self.denominator, other.numerator, other.denominator)
        return any(are_equal(*form()) for form in forms)

    def as_rational(self) -> Fraction | None:
        """The value as a fraction; None if it is irrational."""
        return _proportion(self.numerator, self.denominator)


@log.register
def _log_of_deferred(x: Deferred, base: Base = 2) -> LongLogSum:
    check_base(base)
    if x <= 0:
        raise ValueError(f"the logarithm of {x!r} is not a number")
    return LongLogSum({x: Fraction(1)} if x > 1 else {1 / x: Fraction(-1)} if x < 1 else {}, 0, base)


def _proportion(x: LogSum, y: LogSum) -> Fraction | None:
    return next((q for form in _forms(x, y) if (q := LogSum.proportion_to(*form())) is not None), None)


def _forms(*sums: LogSum) -> tuple[Callable[[], list[LogSum]], Callable[[], list[LogSum]]]:
    """Functions that give the same sums with logarithms of integers only: by symbols, and worked out."""
    return lambda: _by_symbols(sums), lambda: [_worked_out(x) for x in sums]


def _worked_out(x: LogSum) -> LogSum:
    return _of_parts(x, lambda n: [(Fraction(n), 1)])


def _by_symbols(sums: Sequence[LogSum]) -> list[LogSum]:
    numbers: dict[Rational, None] = dict.fromkeys(n for x in sums for n in x.terms)
    taken_apart = {n: n.factors() if isinstance(n, Deferred) else (n, ()) for n in numbers}
    product = math.prod(content.numerator * content.denominator for content, _ in taken_apart.values())
    product *= math.prod(x.base for x in sums if isinstance(x.base, int))
    symbols: dict[Factor, int] = {}
    integers = count(2)
    for factor in dict.fromkeys(factor for _, monomial in taken_apart.values() for factor, _ in monomial):
        symbols[factor] = next(n for n in integers if math.gcd(n, product) == 1)
        product *= symbols[factor]

    def parts(n: Rational) -> list[tuple[Rational, int]]:
        content, monomial = taken_apart[n]
        return [(content, 1), *((symbols[factor], power) for factor, power in monomial)]

    return [_of_parts(x, parts) for x in sums]


def _of_parts(x: LogSum, parts: Callable[[Rational], Sequence[tuple[Rational, int]]]) -> LogSum:
    """A sum in which the logarithm of each number is replaced by those of its parts, whose powers multiply to it."""
    found: LogSum = LogSum({}, x.constant, x.base)
    for n, c in x.terms.items():
        for part, power in parts(n):
            found += log(part, x.base) * (c * power)
    return found
