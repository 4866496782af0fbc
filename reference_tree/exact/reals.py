"""Real numbers that compare without rounding: the base of all exact numbers.

An exact number can be enclosed between two rationals as narrowly as needed, and compared with another one with
certainty. Everything else follows: the relations, a hash, and the nearest double.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from reference_tree.exact.rationals import UndecidedError, simplest
from reference_tree.exact.rounding import START_BITS, nearest_double

Number: TypeAlias = Any
"""A number of the formulas: it adds, subtracts, multiplies, divides, compares and has a `log`.

Exact numbers (int, Fraction, `LogSum`, `LogRatio`) make decisions, floats are for probabilities given as floats, and
`Worked` numbers record their derivation."""

CAP_BITS = START_BITS << 7
"""The precision, 10 240 bits, up to which two numbers are compared that are not proved equal."""


def simplified(number: Number) -> Number:
    """The same number, as an `int` if it is whole; integers are faster to add."""
    # The denominator of a subclass of Fraction may be too long to compute.
    return simplest(number) if type(number) is Fraction else number


class Real:
    """The base of exact real numbers: they compare without rounding, and are rounded once."""

    __slots__ = ()

    def compare(self, other: Number) -> int:
        """A number below 0, 0 or above 0, if this number is less than, equal to or greater than the other one."""
        raise NotImplementedError

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        """(low, high, scale) with low/scale ≤ x ≤ high/scale."""
        raise NotImplementedError

    def as_rational(self) -> Fraction | None:
        """The value as a fraction; None if it is irrational."""
        raise NotImplementedError

    def _holds(self, relation: Callable[[Any, Any], bool], other: object) -> bool:
        if not isinstance(other, int | float | Fraction | Real):
            return NotImplemented  # type: ignore[no-any-return]
        if isinstance(other, float) and not math.isfinite(other):
            return relation(0.0, other)  # all finite numbers compare alike with an infinity or a NaN
        return relation(self.compare(other), 0)

    def __eq__(self, other: object) -> bool:
        return self._holds(operator.eq, other)

    def __lt__(self, other: Number) -> bool:
        return self._holds(operator.lt, other)

    def __le__(self, other: Number) -> bool:
        return self._holds(operator.le, other)

    def __gt__(self, other: Number) -> bool:
        return self._holds(operator.gt, other)

    def __ge__(self, other: Number) -> bool:
        return self._holds(operator.ge, other)

    def __hash__(self) -> int:
        value = self.as_rational()
        return hash(float(self) if value is None else value)

    def __float__(self) -> float:
        """The nearest double."""
        return nearest_double(self)


__all__ = ["CAP_BITS", "Number", "Real", "UndecidedError", "simplified"]
