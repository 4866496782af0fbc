r"""Long weights: functions of weights that may be deferred.

Most weights are short, and ordinary fractions serve. Where rows with missing values have been divided again and again,
some weights are `Deferred`, and their numerators and denominators are costly. These functions do not need them.

1. `is_deferred` and `any_deferred` tell the two kinds apart.
2. `floor_of` and `enclosure_of` give integers near a weight.
3. `fine_multiples` finds a unit for weights that have no short unit in common.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from reference_tree.engine.deferred import Deferred
from reference_tree.exact.rationals import Rational

_FINE = 256
"""The binary places to which deferred numbers are cut."""

_LONG = 64
"""A deferred weight has more bits than this before the point, in the unit of its sample; estimates use its floor."""


def is_deferred(number: object) -> bool:
    """Whether a number is deferred: not multiplied out.

    Example:
        >>> from reference_tree.engine.deferred import deferred
        >>> is_deferred(Fraction(1, 3)), is_deferred(deferred(Fraction(1, 3**2000)))
        (False, True)
    """
    return type(number) is Deferred


def any_deferred(numbers: Iterable[object]) -> bool:
    """Whether at least one of the numbers is deferred. This is called at every node, so it has to be fast.

    Example:
        >>> any_deferred([Fraction(1, 3), 5])
        False
    """
    return Deferred in set(map(type, numbers))


def floor_of(number: Rational, places: int) -> int:
    """The floor of 2^places times a number.

    Example:
        >>> floor_of(Fraction(1, 3), 4), floor_of(3, 1)
        (5, 6)
    """
    if type(number) is Deferred:
        return number.floor_of(places)
    return (number.numerator << places) // number.denominator


def enclosure_of(number: Rational, places: int) -> tuple[int, int]:
    """Integers low and high with low ≤ 2^places·x ≤ high.

    Example:
        >>> enclosure_of(Fraction(1, 3), 4)
        (5, 6)
    """
    if type(number) is Deferred:
        return number.bounds(places)
    top = number.numerator << places
    return top // number.denominator, -(-top // number.denominator)


def fine_multiples(weights: Mapping[int, Rational], unit: Rational) -> tuple[Any, Rational]:
    """Weights, some of them deferred, as multiples of a unit so small that their fractional parts hardly matter.

    A common unit of all could only be found by multiplying them out. Estimates need only their leading bits.

    Args:
        weights: row → its weight, in multiples of the unit; none of them 0.
        unit: the present unit.

    Returns:
        The weights in the new unit, integers where they are not deferred; and that unit.

    Example:
        >>> fine_multiples({0: 1 << 70, 1: Fraction(1 << 70, 3)}, 1)[0] == {0: 3 << 70, 1: 1 << 70}
        True
    """
    factor = math.lcm(*(weight.denominator for weight in weights.values() if not is_deferred(weight)))
    places = 0
    while min(floor_of(weight, places) for weight in weights.values()) >> _LONG == 0:
        places += 2 * _LONG
    factor <<= places
    found = {row: weight * factor for row, weight in weights.items()} if factor > 1 else weights
    whole = {row: weight if is_deferred(weight) else int(weight) for row, weight in found.items()}
    return whole, unit / Fraction(factor)
