"""Bounds of scores: held against the exact score."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_tree.splitting.score_bounds import table_bounds

from reference_tree.data.sample import Partition
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.variance import Moments, variance, variance_reduction
from tests import oracles, strategies

SCORES: dict[str, Any] = {"gain": information_gain, "gini_decrease": gini_decrease}
cells = st.one_of(st.integers(0, 12), st.just(0), strategies.weights, st.integers(0, 10**40))


@pytest.mark.parametrize("measure", SCORES)
@given(strategies.partitions(rows=5, columns=4, cells=cells), st.data())
def test_a_score_lies_between_its_bounds(measure: str, table: list[list[Any]], data: st.DataObject) -> None:
    scale = data.draw(st.one_of(st.none(), st.lists(st.integers(1, 9), min_size=len(table[0]), max_size=len(table[0]))))
    unknown = tuple(data.draw(st.integers(0, 3)) for _ in table[0])
    bounds = table_bounds(Partition((), tuple(map(tuple, table)), unknown), measure, scale)
    multiplied = [[a * b for a, b in zip(row, scale or [1] * len(row), strict=True)] for row in table]
    with mpmath.workdps(oracles.DIGITS):
        weight = oracles.real(sum(map(sum, multiplied)))
        exact = weight * oracles.exact_value(SCORES[measure](multiplied)) * 2**64
        hair = mpmath.mpf(10) ** -100
        assert bounds.low <= exact + hair
        assert exact - hair < bounds.high
        assert bounds.high - bounds.low < 300 * (1 + weight)


numbers = st.lists(
    st.tuples(st.fractions(-5, 5, max_denominator=9), st.one_of(st.just(1), strategies.weights)), max_size=5
)


@given(st.lists(numbers, min_size=1, max_size=4), numbers)
def test_a_reduction_lies_between_its_bounds(parts: list[list[Any]], unknown: list[Any]) -> None:
    """In units of the squared error of the whole sample, so that the scale of the numbers does not matter."""
    rows = [tuple(sum(w * y**power for y, w in part) for power in range(3)) for part in (*parts, unknown)]
    *known, rest = rows
    bounds = table_bounds(Partition((), tuple(known), rest), "variance_reduction")
    whole = Moments(*map(sum, zip(*rows, strict=True)))
    present = [Moments(*row) for row in known if row[0]]
    if not present or not variance(whole):
        assert bounds == (0, 1)
        return
    weight = sum(part.w for part in present)
    exact = Fraction(weight * variance_reduction(present)) / Fraction(whole.w * variance(whole)) * 2**64
    assert bounds.low <= exact < bounds.high
    assert bounds.high - bounds.low < 100


def test_an_empty_table() -> None:
    for measure in (*SCORES, "variance_reduction"):
        assert table_bounds(Partition((), ((0, 0, 0), (0, 0, 0)), (1, 2, 5)), measure).low <= 0
    assert table_bounds(Partition((), ((0, 0), (0, 0)), (1, 2)), "gini_decrease") == (0, 1)


def test_an_unknown_measure_is_refused() -> None:
    with pytest.raises(ValueError, match="no bounds for the measure 'ratio'"):
        table_bounds(Partition((), ((1, 0),), (0, 0)), "ratio")
