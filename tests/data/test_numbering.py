"""Numbering: codes of cells, whatever objects they are, and tables that fit in bytes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.numbering import (
    DIGIT_OF_MARK,
    MARKS,
    NARROW,
    ON_SIDE,
    Columns,
    Digits,
    Numbering,
    Ranks,
    codes_of,
    rank_table,
)
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


@given(st.lists(numbers, min_size=1, max_size=40), st.booleans())
def test_all_rows_in_order(cells: list[Any], distinct: bool) -> None:
    """Be it a permutation, or with equal values, or with missing ones; the domain may have values that no row has."""
    cells = list(dict.fromkeys(cells)) if distinct else cells
    table = Table.from_columns({"x": [*cells, 99], "y": ["a"] * len(cells) + ["b"]}, continuous=["x"])
    for some in (table.columns, {name: column[:-1] for name, column in table.columns.items()}):
        columns = Columns(table.schema, some)
        order, codes = columns.order("x", list(range(columns.size))), columns.codes["x"]
        known = [row for row in range(columns.size) if codes[row] < columns.missing("x")]
        assert sorted(order) == known
        assert [codes[row] for row in order] == sorted(codes[row] for row in known)


def test_a_mark_tells_the_side_and_the_digit() -> None:
    digits = Digits(Classes(("a", "b", "c")), [2, 0, 1, 2], 3, doubled=[4, 0, 2, 4])
    assert digits.marks([0, 2], 4) == [5, 0, 3, 4]
    assert bytes(digits.marks([0, 2], 4)).translate(DIGIT_OF_MARK) == bytes([2, 0, 1, 2])
    assert bytes(digits.marks([0, 2], 4)).translate(ON_SIDE[1]) == bytes([1, 0, 1, 0])
    assert bytes(digits.marks([0, 2], 4)).translate(DIGIT_OF_MARK, MARKS[1]) == bytes([0, 2])
    assert digits._replace(doubled=()).marks([0, 2], 4) == [1, 0, 1, 0]


@pytest.mark.parametrize(("classes", "fits"), [(128, True), (129, False)])
def test_a_mark_fits_in_a_byte(classes: int, fits: bool) -> None:
    names = [f"c{place:03}" for place in range(classes)]
    table = Table.from_columns({"x": list(range(classes)), "y": names})
    assert bool(Columns(table.schema, table.columns).digits.doubled) == fits
