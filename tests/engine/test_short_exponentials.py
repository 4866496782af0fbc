"""Short exponentials: each is below the true number, and by no more than it states."""

from __future__ import annotations

from collections.abc import Sequence

import mpmath
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.engine.short_exponentials import (
    LOGISTIC_OFF,
    PLACES,
    exp_floor,
    logistic_floor,
    softmax_floors,
    softmax_off,
)

UNIT = mpmath.mpf(2) ** -PLACES
tops = st.integers(0, 70 << 20) | st.integers(0, 70).map(lambda whole: whole << 20) | st.integers(0, 9)
bottoms = st.sampled_from([1 << 20, 10**6, 3])


def holds(value: mpmath.mpf, floor: int, off: int) -> None:
    assert floor <= value / UNIT < floor + off


@given(tops, bottoms)
def test_powers_and_shares_of_two(top: int, bottom: int) -> None:
    with mpmath.workdps(60):
        power = mpmath.exp(mpmath.mpf(-top) / bottom)
        holds(power, exp_floor(top, bottom), 2)
        holds(1 / (1 + power), logistic_floor(top, bottom), LOGISTIC_OFF)


@given(st.lists(tops, min_size=2, max_size=5), bottoms)
def test_shares_of_several(of_classes: Sequence[int], bottom: int) -> None:
    with mpmath.workdps(60):
        powers = [mpmath.exp(mpmath.mpf(top - max(of_classes)) / bottom) for top in of_classes]
        for power, floor in zip(powers, softmax_floors(of_classes, bottom), strict=True):
            holds(power / mpmath.fsum(powers), floor, softmax_off(len(of_classes)))
