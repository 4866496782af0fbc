r"""Enclosures: exact numbers that are worked out only if integers around them do not decide a comparison.

An exact gain is a sum of logarithms, and comparing two of these takes thousands of times longer than comparing two
integers. Each term is easily enclosed by integers, and so is the whole gain. An `Enclosed` number is such an interval
with a way to work the number out. The interval decides a comparison if it can, and the exact number does otherwise. So
every comparison has the exact result, and learners treat an `Enclosed` number as any other. Its sums, multiples and
quotients are enclosed in turn.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable
from typing import Any

from reference_tree.engine.deferred import Deferred
from reference_tree.engine.terms import BITS
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import Real


class Enclosed:
    """A number between two integers, in units of 2^-bits.

    Args:
        enclose: gives integers around the number, and the bits of their unit.
        work_out: gives the exact number, as the textbook computes it.
        decide: gives the same number in a shorter way, for comparisons; None if there is no shorter way.
        signature: gives a key; numbers with the same key are equal. None if there is none.
        least: a lower bound of the number; None if none is known.

    Example:
        >>> from fractions import Fraction
        >>> third = Enclosed(lambda: (5, 6, 4), lambda: Fraction(1, 3))
        >>> third < Fraction(1, 2), third > Fraction(1, 3), (third + third).exact
        (True, False, Fraction(2, 3))
    """

    __slots__ = ("_decided", "_enclose", "_enclosed", "_settle", "_signature", "_signed", "_work_out", "least")

    def __init__(
        self,
        enclose: Callable[[], tuple[int, int, int]],
        work_out: Callable[[], Number],
        signature: Callable[[], Hashable] | None = None,
        least: int | None = None,
        decide: Callable[[], Number] | None = None,
    ) -> None:
        self._enclose, self._work_out, self._signature = enclose, work_out, signature
        self.least = least
        self._settle = decide or work_out
        self._decided: Number = None
        self._signed: Hashable = None
        self._enclosed: tuple[int, int, int] | None = None

    @property
    def exact(self) -> Number:
        """The number itself, as the textbook computes it."""
        return self._work_out()

    @property
    def decided(self) -> Number:
        """The number itself, for comparisons."""
        if self._decided is None:
            self._decided = self._settle()
        return self._decided

    @property
    def enclosed(self) -> tuple[int, int, int]:
        """(low, high, bits) with low ≤ 2^bits·x ≤ high."""
        if self._enclosed is None:
            self._enclosed = self._enclose()
        return self._enclosed

    @property
    def signature(self) -> Hashable:
        """A key that determines the number; None if there is none."""
        if self._signature is not None and self._signed is None:
            self._signed = self._signature()
        return self._signed

    def _compared(self, other: Number, relation: Callable[[Any, Any], bool]) -> bool:
        # Candidates that get compared have scores near each other, and most of these are equal.
        if isinstance(other, Enclosed) and (self is other or self._is_like(other)):
            return relation(0, 0)
        mine_low, mine_high, bits = self.enclosed
        low, high = enclosure(other, bits)
        if mine_high < low or mine_low > high:
            return relation(mine_low, high)
        return relation(self.decided, _decided(other))

    def _is_like(self, other: Enclosed) -> bool:
        return self.signature is not None and self.signature == other.signature

    def __lt__(self, other: Number) -> bool:
        if self.least is not None and type(other) is int and other <= self.least:
            return False
        return self._compared(other, operator.lt)

    def __le__(self, other: Number) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: Number) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Number) -> bool:
        return self._compared(other, operator.ge)

    def __eq__(self, other: object) -> bool:
        return self._compared(other, operator.eq)

    def __hash__(self) -> int:
        return hash(self.decided)

    def __repr__(self) -> str:
        return repr(self.exact)

    def __str__(self) -> str:
        return str(self.exact)

    def __float__(self) -> float:
        return float(self.exact)

    def __add__(self, other: Number) -> Enclosed:
        return _Sum(self, other)

    __radd__ = __add__

    def __sub__(self, other: Number) -> Number:
        if isinstance(other, Enclosed):  # a margin between candidates, which is printed
            return self.exact - other.exact

        def enclose() -> tuple[int, int, int]:
            mine_low, mine_high, bits = self.enclosed
            low, high = enclosure(other, bits)
            return mine_low - high, mine_high - low, bits

        def signature() -> Hashable:
            return self.signature, other

        known = signature if self._signature else None
        return Enclosed(enclose, lambda: self.exact - other, known, decide=lambda: self.decided - other)

    def __mul__(self, factor: Rational) -> Enclosed:
        def enclose() -> tuple[int, int, int]:
            low, high, bits = self.enclosed
            ends = (low * factor.numerator, high * factor.numerator)
            return min(ends) // factor.denominator, -(-max(ends) // factor.denominator), bits

        return Enclosed(enclose, lambda: self.exact * factor, decide=lambda: self.decided * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Enclosed) -> Enclosed:
        def enclose() -> tuple[int, int, int]:
            low, high, bits = self.enclosed
            least, most = enclosure(divisor, bits)
            if least <= 0:  # the divisor is positive, but its enclosure is too wide to show that
                return *enclosure(self.decided / divisor.decided, BITS), BITS
            return (
                (low << BITS) // (most if low > 0 else least),
                -((-high << BITS) // (least if high > 0 else most)),
                BITS,
            )

        def signature() -> Hashable:
            return self.signature, divisor.signature

        known = signature if self._signature and divisor._signature else None
        return Enclosed(
            enclose,
            lambda: self.exact / divisor.exact,
            known,
            self.least,
            decide=lambda: self.decided / divisor.decided,
        )


class _Sum(Enclosed):
    """The sum of a number and another one, which may be a sum in turn: as many numbers as a table has attributes."""

    __slots__ = ("_left", "_right")

    def __init__(self, left: Enclosed, right: Number) -> None:
        super().__init__(self._enclose_all, self._add_all, decide=self._decide_all)
        self._left, self._right = left, right

    def _addends(self) -> list[Number]:
        """The numbers that are added up, found without recursion; none is a sum, and the first is `Enclosed`."""
        found: list[Number] = []
        ahead: list[Number] = [self]
        while ahead:
            number = ahead.pop()
            if isinstance(number, _Sum):
                ahead += (number._right, number._left)
            else:
                found.append(number)
        return found

    def _enclose_all(self) -> tuple[int, int, int]:
        addends = self._addends()
        bits = addends[0].enclosed[2]
        lows, highs = zip(*(enclosure(number, bits) for number in addends), strict=True)
        return sum(lows), sum(highs), bits

    def _add_all(self) -> Number:
        return sum(map(_exact, self._addends()))

    def _decide_all(self) -> Number:
        return sum(map(_decided, self._addends()))


def _exact(number: Number) -> Number:
    return number.exact if isinstance(number, Enclosed) else number


def _decided(number: Number) -> Number:
    return number.decided if isinstance(number, Enclosed) else number


def enclosure(number: Any, bits: int) -> tuple[int, int]:
    """Integers around a number, in units of 2^-bits."""
    if isinstance(number, Enclosed):
        low, high, own_bits = number.enclosed
        by = bits - own_bits
        return (low << by, high << by) if by >= 0 else (low >> -by, -(-high >> -by))
    if isinstance(number, int):
        return number << bits, number << bits
    if isinstance(number, Real | Deferred):
        low, high, scale = number.enclosure(bits)
    else:
        low, high, scale = number.numerator, number.numerator, number.denominator
    # The low end is rounded down, the high end up: the number stays inside.
    return (low << bits) // scale, -((-high << bits) // scale)
