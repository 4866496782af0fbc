"""Two tables: held against NumPy's own rounding, and against the way of each row."""

from __future__ import annotations

import struct
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.auditing.rounded import Moved, moved_rows
from reference_tree.data.questions import Threshold
from reference_tree.tree import Program

decimals = st.decimals(-(10**6), 10**6, places=9).map(str)


@given(
    st.lists(st.one_of(decimals, st.none()), min_size=1, max_size=8).filter(any), st.sampled_from(["double", "float32"])
)
def test_numbers_are_rounded_as_python_and_c_do(cells: list[str | None], form: str) -> None:
    table = rt.Table.from_columns({"x": cells, "y": ["n" for _ in cells]}, continuous=["x"]).rounded(form)
    doubles = [None if cell is None else float(cell) for cell in cells]
    if form == "float32":
        doubles = [None if one is None else struct.unpack("<f", struct.pack("<f", one))[0] for one in doubles]
    assert list(table.columns["x"]) == [None if one is None else Fraction(one) for one in doubles]
    assert list(table.schema.numbers["x"]) == sorted({Fraction(one) for one in doubles if one is not None})


def test_what_is_predicted_stays_a_double() -> None:
    table = rt.Table.from_columns({"x": ["0.1", "0.2"], "y": ["0.1", "0.2"]}).rounded("float32")
    assert table.columns["y"][0] == Fraction(0.1)
    assert table.columns["x"][0] != Fraction(0.1)


def test_equal_floats_are_one_value() -> None:
    table = rt.Table.from_columns({"x": ["1.00000001", "1", "2"], "y": [*"abc"]}).rounded("float32")
    assert list(table.schema.numbers["x"]) == [1, 2]
    assert table.sample().ordered("x").rows == [(1, 1, 0), (0, 0, 1)]


def test_what_no_float_holds_is_refused() -> None:
    table = rt.Table.from_columns({"x": ["1e300", "1"], "y": [*"ab"]})
    with pytest.raises(rt.InputError, match=r"column x: .* is too large for a float32"):
        table.rounded("float32")
    assert table.rounded("double").columns["x"][0] == Fraction(1e300)
    with pytest.raises(rt.InputError, match="there is no form of numbers 'single'"):
        table.rounded("single")
    assert table.rounded("exact") is table


def test_the_rows_that_change_sides_and_where() -> None:
    table = rt.Table.from_columns({"x": ["0.8", "0.1", "2.5", "0.7"], "y": [*"abba"]})
    tree = rt.CART().grow(table)
    root = replace(tree.nodes[0], test=Threshold("x", Fraction(8, 10)))
    below = next(n for n, node in enumerate(tree.nodes) if n and node.test is not None)
    inner = replace(tree.nodes[below], test=Threshold("x", Fraction(7, 10)))
    nodes = [root, *tree.nodes[1:]]
    nodes[below] = inner
    by_hand = replace(tree, nodes=tuple(nodes))
    spoilt = replace(by_hand, program=Program("p", numbers="float32"))
    ways = [[(s.number, s.ways) for s in by_hand.way(row)] for row in table.rows()]
    seen = [[(s.number, s.ways) for s in spoilt.way(row)] for row in table.rows()]
    expected = []
    for row, (one, other) in enumerate(zip(ways, seen, strict=True), start=1):
        if one != other:
            node = next(a[0] for a, b in zip(one, other, strict=False) if a != b)
            expected.append(Moved(row, node))
    assert expected
    assert list(moved_rows(spoilt, table)) == expected
    assert list(moved_rows(tree, table)) == []
