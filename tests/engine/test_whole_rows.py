"""Whole rows: the same rows, and the same rule, as with the units put in."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.sample import Partition
from reference_tree.engine.whole_rows import WholeRows, barring_rule
from reference_tree.splitting import candidate
from tests import strategies

units = st.one_of(st.integers(1, 5), strategies.weights)
rows = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=4)
textbook: Any = candidate.barring_rule.__wrapped__  # type: ignore[attr-defined]


def first(row: Any) -> Any:
    return row[0]


@given(rows, units)
def test_units_are_put_in_when_somebody_looks(whole: list[tuple[int, int]], unit: Any) -> None:
    found = WholeRows(whole, (unit, unit))
    expected = tuple(tuple(cell * unit for cell in row) for row in whole)
    assert tuple(found) == found.rows == expected == found
    assert hash(found) == hash(expected)
    assert (len(found), found[0], repr(found)) == (len(expected), expected[0], repr(found.rows))
    assert found != expected[:-1]
    assert found == WholeRows(whole, (unit, unit))


@given(rows, units, st.one_of(st.integers(0, 9), strategies.weights), st.sampled_from([sum, first]))
def test_the_rule_that_bars_is_that_of_the_book(
    whole: list[tuple[int, int]], unit: Any, minimum: Any, weight: Any
) -> None:
    plain = Partition((), tuple(tuple(cell * unit for cell in row) for row in whole), (0, 0))
    in_units = Partition((), WholeRows(whole, (unit, unit)), (0, 0))
    least = [each for row in plain.rows if (each := Fraction(weight(row)))]
    for bound in [minimum, *least]:  # a branch that is just as large is large enough
        assert barring_rule(in_units, bound, weight) == barring_rule(plain, bound, weight)
        assert barring_rule(in_units, bound, weight) == textbook(plain, bound, weight)
