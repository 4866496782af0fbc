"""Numbering: codes of cells, whatever objects they are, and tables that fit in bytes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.numbering import NARROW, Columns, Digits, Numbering, Ranks, codes_of, rank_table
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.targets import Classes

numbers = st.one_of(st.none(), st.integers(-3, 3), st.fractions(-2, 2, max_denominator=3), st.just(2**60 + 1))


@given(st.lists(numbers, min_size=1, max_size=40))
def test_a_code_is_the_place_among_the_numbers(cells: list[Any]) -> None:
    """Equal numbers have one code, be they the same object or not."""
    table = Table.from_columns({"x": cells, "y": ["a"] * len(cells)}, continuous=["x"])
    found = list(codes_of(Attribute("x"), table.schema, table.columns["x"]))
    domain = table.schema.numbers["x"]
    assert found == [len(domain) if cell is None else domain.index(cell) for cell in cells]
    copies: list[Any] = [None if cell is None else Fraction(cell) for cell in cells]
    assert list(codes_of(Attribute("x"), table.schema, copies)) == found


def test_the_code_of_a_category() -> None:
    table = Table.from_columns({"a": ["q", None, "p"], "y": ["n"] * 3})
    assert list(codes_of(table.schema.attribute("a"), table.schema, table.columns["a"])) == [1, 2, 0]
    columns = Columns(table.schema, table.columns)
    assert (columns.size, columns.missing("a"), columns.domain("a")) == (3, 2, ("p", "q"))


@given(st.lists(st.integers(0, 5), max_size=30))
def test_ranks_in_bytes(codes: list[int]) -> None:
    order = bytes(sorted(range(len(codes)), key=codes.__getitem__))
    table = rank_table(order, [codes[row] for row in order])
    assert len(table) == NARROW
    distinct = sorted(set(codes))
    assert [distinct[table[row]] for row in range(len(codes))] == codes


def test_ranks_are_looked_up_through_the_numbers() -> None:
    table = Table.from_columns({"x": [30, 10, 20], "y": list("abc")})
    columns = Columns(table.schema, table.columns)
    anew = Ranks(Numbering(columns, [2, 0], frozenset(), {}), "x", bytes([1, 0]))
    assert (list(anew), anew[0], anew[1:], len(anew)) == ([2, 1], 2, [1], 2)


def test_digits_of_rows_that_are_numbered_anew() -> None:
    digits = Digits(Classes(("a", "b", "c")), [2, 0, 1, 2], 3)
    anew = digits.renumbered([3, 1])
    assert (digits.among([3, 1]), anew.among(bytes([0, 1, 1])), digits.nothing) == (
        bytes([2, 0]),
        bytes([2, 0, 0]),
        (0,) * 3,
    )
