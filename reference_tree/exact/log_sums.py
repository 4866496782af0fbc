r"""Sums of logarithms that compare without rounding.

Every entropy of counts is a number of the form

$$x = q + \sum_k c_k \log_b n_k$$

with rational q and c_k and integers n_k > 1, and so is every information gain. Such a number can be compared with
another one *without any doubt*:

1. Whether x is 0 is a question of arithmetic. `coprime_base` writes all n_k as products of pairwise coprime integers;
   the logarithms of those are linearly independent over the rationals (a relation between them would be an equation
   between products of coprime powers), so x is 0 exactly when every coefficient is.
2. If x is not 0, its sign shows as soon as it is enclosed narrowly enough. `log2_floor` encloses a logarithm to any
   number of bits with integers alone, and the precision is doubled until the sign shows. It always does.

A gain ratio is a ratio of two such sums (`LogRatio`). Against a rational it is decided as above. Two of them that are
equal are *proved* equal, and an order that an enclosure shows is proved too; but that unequal ones can always be told
apart in the end is known only if the four exponentials conjecture holds. So the precision has a cap, and passing it
raises `UndecidedError` rather than guess.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import singledispatch
from typing import Any, Self

from reference_tree.exact import long_logarithms
from reference_tree.exact.deferred import quotient
from reference_tree.exact.linear_sums import LinearSum
from reference_tree.exact.logarithms import (
    Base,
    check_base,
    coprime_base,
    log2_floor_remembered,
    log2_of_base,
    multiplicity,
)
from reference_tree.exact.long_numbers import any_deferred, is_deferred
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import CAP_BITS, Number, Real, UndecidedError
from reference_tree.exact.rounding import START_BITS


class LogSum(LinearSum[Rational]):
    r"""The number q + Σ c_k · log_b n_k, exact.

    Args:
        terms: n_k → c_k, integers above 1 with rational coefficients; or long numbers that are not multiplied out.
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

    def _like(self, terms: dict[Rational, Fraction], constant: Rational) -> Self:
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

    def sign(self) -> int:
        """-1, 0 or 1."""
        if not self._is_long():
            return super().sign()
        # To multiply the numbers out takes so long that it is tried last.
        bits = START_BITS
        while True:
            low, high, _ = self.enclosure(bits)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            if bits == START_BITS and not any(_coordinates([self], LogSum._in_factors)[0]):
                return 0
            if bits == START_BITS << 3 and self._is_zero():
                return 0
            bits *= 2

    def _is_long(self) -> bool:
        """Whether numbers take part that are not multiplied out."""
        return any_deferred((self.constant, *self.terms, *self.terms.values()))

    def _in_factors(self) -> LogSum:
        """The same with the logarithm of each factor by itself, so that equal ones cancel."""
        return self._of_parts(long_logarithms.factors)

    def worked_out(self) -> LogSum:
        """The same with all numbers multiplied out: the terms are those of integers.

        Raises:
            UndecidedError: one of them is too long for that.
        """
        return self._of_parts(lambda n: [(Fraction(n), 1)])._with_plain_coefficients() if self._is_long() else self

    def _of_parts(self, parts: Callable[[Rational], Sequence[tuple[Rational, int]]]) -> LogSum:
        found = LogSum({}, self.constant, self.base)
        for n, c in self.terms.items():
            for part, power in parts(n) if is_deferred(n) else [(n, 1)]:
                found += _log_of_rational(part, self.base) * (c * power)
        return found

    def _with_plain_coefficients(self) -> LogSum:
        return LogSum({n: Fraction(c) for n, c in self.terms.items()}, Fraction(self.constant), self.base)

    def _is_zero(self) -> bool:
        return not any(_coordinates([self], LogSum.worked_out)[0])

    def compare(self, other: Number) -> int:
        """As `Real.compare` says."""
        if isinstance(other, LogRatio | LogRatioDifference):
            return -other.compare(self)
        return super().compare(other)

    # Evaluation.

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        """(low, high, scale) with low/scale ≤ x ≤ high/scale."""
        if self._is_long():
            return long_logarithms.enclosure(self.terms, self.constant, self.base, bits)
        over = math.lcm(self.constant.denominator, *(c.denominator for c in self.terms.values()))
        low = high = 0
        for n, c in self.terms.items():
            weight = c.numerator * (over // c.denominator)
            floor = log2_floor_remembered(n, bits)
            low += weight * (floor if weight > 0 else floor + 2)
            high += weight * (floor + 2 if weight > 0 else floor)
        if self.base != 2:  # log_b n = log2 n / log2 b
            small, large = log2_of_base(self.base, bits)
            low, high = (
                (low << bits) // (large if low > 0 else small),
                -((-high << bits) // (small if high > 0 else large)),
            )
        constant = self.constant.numerator * (over // self.constant.denominator) << bits
        return low + constant, high + constant, over << bits

    def as_rational(self) -> Fraction | None:
        """The value as a fraction; none if it is irrational."""
        return proportion(self, LogSum({}, 1, self.base))

    def over(self) -> tuple[int, list[tuple[int, int]]]:
        """The sum over one denominator: (d, [(n, c), ...]) for Σ c·log n / d, positive terms first.

        The constant stands as (1, c).

        Example:
            >>> (log(14) - Fraction(9, 14) * log(9) - Fraction(5, 14) * log(5)).over()
            (14, [(14, 14), (9, -9), (5, -5)])
        """
        plain = self.worked_out()
        denominator = math.lcm(plain.constant.denominator, *(c.denominator for c in plain.terms.values()))
        terms = [(int(n), c) for n, c in [*plain.terms.items(), (1, plain.constant)] if c]
        whole = sorted(((n, int(c * denominator)) for n, c in terms), key=lambda term: (term[1] < 0, -term[0]))
        return denominator, whole

    def __repr__(self) -> str:
        name = "ln" if self.base == math.e else f"log{self.base}"
        terms = [(c, f"{name}({n})") for n, c in self.terms.items()]
        written = "".join(_signed(c, factor) for c, factor in [(self.constant, ""), *terms] if c)
        return "-" + written[3:] if written.startswith(" - ") else written[3:] or "0"


class LogRatio(Real):
    """The quotient of two `LogSum`s, exact.

    Args:
        numerator: any sum of logarithms.
        denominator: one that is not 0.

    Example:
        >>> log(8) / log(2) == 3, log(9) / log(3) == log(25) / log(5), log(3) / log(2) < log(5) / log(3) * 2
        (True, True, True)
    """

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: LogSum, denominator: LogSum) -> None:
        sign = denominator.sign()
        if not sign:
            raise ZeroDivisionError(f"division of {numerator!r} by {denominator!r}, which is 0")
        self.numerator, self.denominator = (numerator, denominator) if sign > 0 else (-numerator, -denominator)

    def __mul__(self, factor: Rational) -> LogRatio:
        return (
            LogRatio(self.numerator * factor, self.denominator)
            if isinstance(factor, int | Fraction)
            else NotImplemented
        )

    __rmul__ = __mul__

    def __truediv__(self, divisor: Rational) -> LogRatio:
        return self * (1 / Fraction(divisor)) if isinstance(divisor, int | Fraction) else NotImplemented

    def __neg__(self) -> LogRatio:
        return self * -1

    def __sub__(self, other: LogRatio) -> LogRatioDifference:
        return LogRatioDifference(self, other) if isinstance(other, LogRatio) else NotImplemented

    def compare(self, other: Number) -> int:
        """As `Real.compare` says."""
        if isinstance(other, LogRatioDifference):
            return -other.compare(self)
        if isinstance(other, LogSum):
            other = LogRatio(other, LogSum({}, 1, other.base))
        if not isinstance(other, LogRatio):  # g/s against r is g against r·s
            return (self.numerator - self.denominator * Fraction(other)).sign()  # type: ignore[no-any-return]
        return _order(self, other, _are_equal)

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        """(low, high, scale) with low/scale ≤ x ≤ high/scale."""
        small, large, scale = self.denominator.enclosure(bits)
        while small <= 0:  # not yet narrow enough to see that it is positive
            bits *= 2
            small, large, scale = self.denominator.enclosure(bits)
        low, high, top_scale = self.numerator.enclosure(bits)
        low, high = low * scale << bits, high * scale << bits
        return (
            low // (top_scale * (large if low > 0 else small)),
            -(-high // (top_scale * (small if high > 0 else large))),
            1 << bits,
        )

    def as_rational(self) -> Fraction | None:
        """The value as a fraction; none if it is irrational."""
        return proportion(self.numerator, self.denominator)

    def __repr__(self) -> str:
        value = self.as_rational()
        return f"({self.numerator!r}) / ({self.denominator!r})" if value is None else str(value)


class LogRatioDifference(Real):
    """The difference of two `LogRatio`s: by how much one gain ratio beats another.

    Its sign is that of a comparison. Its digits come from enclosures.

    Example:
        >>> difference = log(3) / log(2) - log(5) / log(3)
        >>> difference > 0, float(difference)
        (True, 0.11998898000322901)
    """

    __slots__ = ("first", "second")

    def __init__(self, first: LogRatio, second: LogRatio) -> None:
        self.first, self.second = first, second

    def compare(self, other: Number) -> int:
        """As `Real.compare` says."""
        if not isinstance(other, Real):
            if not other:
                return self.first.compare(self.second)
            other = LogSum({}, Fraction(other))
        if isinstance(other, LogSum):
            other = LogRatio(other, LogSum({}, 1, other.base))
        if isinstance(other, LogRatio):
            other = LogRatioDifference(other, LogRatio(LogSum({}), LogSum({}, 1)))
        return _order(self, other, _are_equal_differences)

    def __bool__(self) -> bool:
        return self.compare(0) != 0

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        """(low, high, scale) with low/scale ≤ x ≤ high/scale.

        Raises:
            UndecidedError: more bits are asked for than `CAP_BITS`. They are needed only to tell the difference
                from a rational that it may well be, though no proof of that is known.
        """
        if bits > CAP_BITS:
            raise UndecidedError(f"the difference of two ratios could not be rounded with {CAP_BITS} bits")
        low, high, scale = self.first.enclosure(bits)
        other_low, other_high, other_scale = self.second.enclosure(bits)
        return low * other_scale - other_high * scale, high * other_scale - other_low * scale, scale * other_scale

    def as_rational(self) -> Fraction | None:
        """The value as a fraction, if it is known to be one.

        It is if both ratios are, if they are equal, or if their denominators are proportional and the difference of the
        numerators is rational to them. No other rational difference is known.
        """
        first, second = self.first.as_rational(), self.second.as_rational()
        if first is not None and second is not None:
            return first - second
        g1, s1, g2, s2 = self.first.numerator, self.first.denominator, self.second.numerator, self.second.denominator
        scale = proportion(s1, s2) if g1.base == g2.base else None
        if scale is not None:  # g1/(q·s) - g2/s = (g1 - q·g2)/(q·s)
            return proportion(g1 - g2 * scale, s1)
        return None if self else Fraction(0)

    def __repr__(self) -> str:
        return f"{self.first!r} - {self.second!r}"


def proportion(x: LogSum, y: LogSum) -> Fraction | None:
    """The rational q with x = q·y, for a y that is not 0; none if there is none.

    Example:
        >>> proportion(log(8), log(4)), proportion(log(3), log(4))
        (Fraction(3, 2), None)
    """
    return next((q for form in _forms(x, y) if (q := _proportion(x, y, form)) is not None), None)


def _forms(*sums: LogSum) -> list[Callable[[LogSum], LogSum]]:
    """The forms of sums in which their coordinates are compared, the one that is had more easily first."""
    return [LogSum._in_factors, LogSum.worked_out] if any(x._is_long() for x in sums) else [LogSum.worked_out]


def _proportion(x: LogSum, y: LogSum, form: Callable[[LogSum], LogSum]) -> Fraction | None:
    a, b = _coordinates([x, y], form)
    pivot = next((index for index, coordinate in enumerate(b) if coordinate), None)
    if pivot is None:
        return None
    q: Fraction = Fraction(1) * quotient(a[pivot], b[pivot])
    return q if all(s == q * t for s, t in zip(a, b, strict=True)) else None


def _order(x: Real, y: Real, are_equal: Callable[[Any, Any], bool]) -> int:
    """Which of two numbers is the larger: 0 if they are proved equal, -1 or 1 once their enclosures lie apart."""
    bits = START_BITS
    while bits <= CAP_BITS:
        low, high, scale = x.enclosure(bits)
        other_low, other_high, other_scale = y.enclosure(bits)
        if low * other_scale > other_high * scale:
            return 1
        if high * other_scale < other_low * scale:
            return -1
        if bits == START_BITS and are_equal(x, y):
            return 0
        bits *= 2
    raise UndecidedError(
        f"two ratios of {float(x)} agree to {CAP_BITS} bits, and no proof that they are equal is known"
    )


def _are_equal(x: LogRatio, y: LogRatio) -> bool:
    # g1/s1 = g2/s2 means g1·s2 = g2·s1. These are products of linear forms in independent logarithms, and linear forms
    # are irreducible: if the logarithms satisfy no other relation, the factors agree up to a rational factor, one way
    # or the other. Each test below is a proof of equality on its own.
    if not (x.numerator and y.numerator):
        return not x.numerator and not y.numerator
    for form in _forms(x.numerator, x.denominator, y.numerator, y.denominator):
        across = _proportion(x.numerator, y.numerator, form)
        if across is not None and across == _proportion(x.denominator, y.denominator, form):
            return True
        value = _proportion(x.numerator, x.denominator, form)
        if value is not None and value == _proportion(y.numerator, y.denominator, form):
            return True
    return False


def _are_equal_differences(x: LogRatioDifference, y: LogRatioDifference) -> bool:
    if x.first == y.first and x.second == y.second:
        return True
    return (value := x.as_rational()) is not None and value == y.as_rational()


def _coordinates(sums: Sequence[LogSum], form: Callable[[LogSum], LogSum]) -> list[list[Fraction]]:
    """The multiples x·ln b of sums x of some form, in a common basis.

    Worked out, the basis consists of numbers that are linearly independent over the rationals. In factors, it may not:
    sums with the same coordinates are equal, but not the other way round.
    """
    # A rational q is q·log_b b. To base e it stands apart: ln n is transcendental for every integer n > 1, and so is
    # every sum of such logarithms that is not 0 (Lindemann, Weierstrass).
    sums = [form(x) for x in sums]
    pairs = [(x.terms, {x.base: x.constant} if isinstance(x.base, int) else {}) for x in sums]
    numbers = dict.fromkeys(n for pair in pairs for terms in pair for n in terms)
    long = [n for n in numbers if is_deferred(n)]
    basis = coprime_base(sorted(int(n) for n in numbers if not is_deferred(n)))
    exponents = {
        n: [int(n is one) for one in long] + [0 if is_deferred(n) else multiplicity(factor, int(n)) for factor in basis]
        for n in numbers
    }
    result = []
    for x, pair in zip(sums, pairs, strict=True):
        row = [Fraction(0) if isinstance(x.base, int) else x.constant] + [Fraction(0)] * (len(long) + len(basis))
        for terms in pair:
            for n, c in terms.items():
                row[1:] = [r + c * e for r, e in zip(row[1:], exponents[n], strict=True)]
        result.append(row)
    return result


def _signed(coefficient: Fraction, factor: str) -> str:
    """A term with the sign that joins it to what stands before: ` + 5/14·log2(5)`."""
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
    if is_deferred(x):
        return LogSum({x: Fraction(1)}, 0, base)
    top, bottom = _log_of_integer(x.numerator, base), _log_of_integer(x.denominator, base)
    return LogSum({**top.terms, **{n: -c for n, c in bottom.terms.items()}}, top.constant - bottom.constant, base)


def _log_of_integer(n: int, base: Base) -> LogSum:
    exponent = multiplicity(base, n) if isinstance(base, int) and n > 1 else 0
    if isinstance(base, int) and n == base**exponent:  # a power of the base: a whole number
        return LogSum({}, exponent, base)
    return LogSum({n: Fraction(1)} if n > 1 else {}, 0, base)


__all__ = [
    "CAP_BITS",
    "LogRatio",
    "LogRatioDifference",
    "LogSum",
    "Number",
    "UndecidedError",
    "log",
    "proportion",
]
