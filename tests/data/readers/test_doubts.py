"""Columns that are perhaps not what they seem are said."""

from __future__ import annotations

import io
import random
import warnings

import pytest

from reference_tree.data.errors import InputWarning
from reference_tree.data.readers import read


def doubts(text: str, **options: object) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read(io.StringIO(text), **options)  # type: ignore[arg-type]
    assert all(issubclass(warning.category, InputWarning) for warning in caught)
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize("strange", ["-", "N/A", "null", "1,234", "5%", "."])
def test_one_odd_cell_among_numbers_is_said(strange: str) -> None:
    text = "age,risk\n" + f'31,low\n27,high\n"{strange}",low\n54,low\n'
    (found,) = doubts(text)
    assert found.startswith(f"the open file: column age: 3 of 4 cells are numbers, but for '{strange}'")
    assert doubts(text, missing=["?", strange]) == []
    assert doubts(text, categorical=["age"]) == []


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        (["1.234,50", "12,5", "7"], "1.234,50"),
        (["$12.00", "$1,250.00", "$7.5"], "$1,250.00"),
        (["12 €", "1 250 €", "7,50 €"], "1 250 €"),
        (["5%", "12.5 %", "100%"], "100%"),
        (["EUR 3", "USD -4.5", "3 CHF"], "3 CHF"),
        (["-1'250.00", "12", "3"], "-1'250.00"),
        (["−3", "−4.5", "2"], "−3"),
    ],
)
def test_numbers_that_are_written_for_people_are_said(cells: list[str], shown: str) -> None:
    text = "price;risk\n" + "".join(
        f"{cell};{risk}\n" for cell, risk in zip(cells, ["low", "high", "low"], strict=True)
    )
    (found,) = doubts(text)
    assert repr(shown) in found
    assert "as categories (write numbers as -1234.5, without currencies, percent signs, " in found


@pytest.mark.parametrize("cell", ["2019-01-05", "12.05.2019", "12:30", "1/2/2019", "1.2.3", "A12", "5kg", "-", "%"])
def test_what_is_no_amount_is_not_doubted(cell: str) -> None:
    assert doubts(f"when;risk\n{cell};low\n{cell}x;high\n7;low\n") == []


@pytest.mark.parametrize(
    ("cell", "is_code"), [("00501", True), ("007", True), ("0", False), ("0.5", False), ("10", False)]
)
def test_numbers_that_begin_with_zeros_are_said(cell: str, is_code: bool) -> None:
    text = f"zip,risk\n501,low\n{cell},high\n90210,low\n"
    warning = "column zip: some numbers begin with 0, as codes do, and are read without it (say categorical=['zip'])"
    assert doubts(text) == [f"the open file: {warning}"] * is_code
    assert doubts(text, categorical=["zip"]) == doubts(text, continuous=["zip"]) == []


def test_classes_that_name_the_rows_are_said() -> None:
    rows = [(place % 3, f"c{place}") for place in range(20)]
    (found,) = doubts("x,y\n" + "".join(f"{x},{y}\n" for x, y in rows))
    assert "column y: 20 classes in 20 rows look like names of the rows, which no tree can learn" in found
    assert doubts("x,y\n" + "".join(f"{x},{y[:2]}\n" for x, y in rows)) == []


def test_decimal_commas_that_may_part_thousands_are_said() -> None:
    (found,) = doubts("price;risk\n1,234;low\n2,500;high\n")
    assert found.endswith("signs between thousands; or say decimal=',', if they have decimal commas)")


def test_categories_that_are_no_numbers_are_not_doubted() -> None:
    assert doubts("size,risk\n1,low\nsmall,high\nlarge,low\n") == []
    assert doubts("size,risk\n1,low\n2,high\n?,low\n") == []


def test_columns_that_tell_rows_apart_are_said() -> None:
    draw = random.Random(1)
    rows = [(f"n{place}", place, draw.random(), "ab"[place % 2]) for place in range(1, 21)]
    text = "name,number,x,y\n" + "".join(f"{name},{number},{x},{y}\n" for name, number, x, y in rows)
    one, two = doubts(text)
    assert "column name: 20 values in 20 rows look like names of the rows" in one
    assert "column number: its cells number the rows" in two
    assert doubts(text, categorical=["name"], continuous=["number"]) == []
    few = "name,y\n" + "".join(f"n{place},{'ab'[place % 2]}\n" for place in range(9))
    assert doubts(few) == []


def test_a_header_of_numbers_may_be_a_row() -> None:
    (found,) = doubts("5.1,3.5,setosa\n4.9,3.0,setosa\n")
    assert found.startswith("the open file: most names of the columns are numbers: if the first line is a row, ")
    assert doubts("5.1,3.5,setosa\n4.9,3.0,setosa\n", header=False) == []
    assert doubts("2019,change,y\n1,2,a\n") == []


def test_a_header_of_categories_may_be_a_row() -> None:
    (found,) = doubts("low,small,2,yes\nhigh,small,3,no\nlow,big,2,yes\n")
    assert found == (
        "the open file: each name of a column could be a cell of it: if the first line is a row, there is no header "
        "(header=False)"
    )
    assert doubts("low,small,2,yes\nhigh,small,3,no\nlow,big,2,yes\n", header=False) == []
    assert doubts("low,size,2,yes\nhigh,small,3,no\nlow,big,2,yes\n") == []


def test_a_column_that_is_nearly_numbers_is_not_called_one_of_names() -> None:
    cells = "".join(f"{number}.5,{'low' if number % 2 else 'high'}\n" for number in range(20))
    (found,) = doubts(f"price,risk\n{cells}n/a*,low\n")
    assert "20 of 21 cells are numbers" in found
