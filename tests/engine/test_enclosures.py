"""Bounds of gain and ratio: they hold, they are narrow, and weights of any length do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.sample import Partition
from reference_tree.exact.choosing import Bounds
from reference_tree.splitting.missing_values import (
    gain_with_missing,
    split_information_of_known,
    split_information_with_unknown,
)
from reference_tree.splitting.ratio_bounds import UNBOUNDED, UNIT, cost_bounds, gain_bounds, quotient, x_log_x
from tests import strategies
from tests.oracles import exact_value, real

lengthy = st.one_of(
    st.integers(0, 10**6),
    st.integers(2**63, 2**90),
    st.fractions(0, 50),
    st.builds(Fraction, st.integers(0, 3**400), st.integers(2**400, 2**700)),
)


def holds(bounds: Bounds, value: Any) -> bool:
    """Whether the value lies in the bounds, in their unit."""
    with mpmath.workdps(250):
        return bool(bounds.low <= value * UNIT < bounds.high)


@given(lengthy)
def test_a_term_lies_within_its_bounds(x: Fraction) -> None:
    with mpmath.workdps(250):
        value = real(x) * mpmath.log(real(x), 2) if x else mpmath.mpf(0)
        assert x == 0 or holds(x_log_x(x), value)


@pytest.mark.parametrize(
    "x", [1, 2, 2**64, 2**64 + 1, 2**96, Fraction(1, 2**64), Fraction(1, 2**65), Fraction(1, 3**200)]
)
def test_where_the_cut_to_size_begins_and_ends(x: Fraction) -> None:
    test_a_term_lies_within_its_bounds.hypothesis.inner_test(x)  # type: ignore[attr-defined]


def test_bounds_of_a_usual_weight_are_narrow() -> None:
    for x in (7, 10**6, Fraction(7, 3), Fraction(3**300, 2**470)):
        low, high = x_log_x(x)
        assert high - low < 8 + 4 * x


rows = strategies.partitions(cells=st.one_of(st.just(0), strategies.weights))


@given(rows, st.data())
def test_gain_and_cost_lie_within_their_bounds(table: list[list[Any]], data: st.DataObject) -> None:
    unknown = data.draw(
        st.lists(st.one_of(st.just(0), strategies.weights), min_size=len(table[0]), max_size=len(table[0]))
    )
    partition = Partition((), tuple(map(tuple, table)), tuple(unknown))
    with mpmath.workdps(250):
        weight = real(sum(map(sum, table)) + sum(unknown))
        assert holds(gain_bounds(partition), exact_value(gain_with_missing(table, unknown)) * weight)
        for with_unknown, cost in ((False, split_information_of_known), (True, split_information_with_unknown)):
            bounds = cost_bounds(partition, with_unknown=with_unknown)
            assert holds(bounds, exact_value(cost(table, unknown)) * weight)


positive = st.builds(lambda low, width: Bounds(low, low + width), st.integers(-5, 10**6), st.integers(1, 99))
any_sign = st.builds(lambda low, width: Bounds(low, low + width), st.integers(-(10**6), 10**6), st.integers(1, 99))


@given(any_sign, positive, st.fractions(0, 1), st.fractions(0, 1))
def test_a_quotient_lies_within_its_bounds(gain: Bounds, cost: Bounds, here: Fraction, there: Fraction) -> None:
    top = gain.low + here * (gain.high - gain.low)
    bottom = cost.low + there * (cost.high - cost.low)
    found = quotient(gain, cost)
    if cost.low <= 0:
        assert found == UNBOUNDED
    else:
        assert found.low <= top / bottom * UNIT < found.high
