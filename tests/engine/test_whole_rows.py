"""Whole rows: the same rows, as with the units put in."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.engine.whole_rows import WholeRows
from tests import strategies

units = st.one_of(st.integers(1, 5), strategies.weights)
rows = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=4)


@given(rows, units)
def test_units_are_put_in_when_somebody_looks(whole: list[tuple[int, int]], unit: Any) -> None:
    found = WholeRows(whole, (unit, unit))
    expected = tuple(tuple(cell * unit for cell in row) for row in whole)
    assert tuple(found) == found.rows == expected == found
    assert hash(found) == hash(expected)
    assert (len(found), found[0], repr(found)) == (len(expected), expected[0], repr(found.rows))
    assert found != expected[:-1]
    assert found == WholeRows(whole, (unit, unit))
