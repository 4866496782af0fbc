"""Rows to be predicted: read as the tree has its attributes, without a target and with whatever values come."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path

import pytest

from reference_tree.data.errors import InputError, InputWarning
from reference_tree.data.readers.rows import read_rows
from reference_tree.data.schema import Attribute

ATTRIBUTES = (Attribute("outlook", ("rainy", "sunny")), Attribute("humidity"), Attribute("code", ("1", "2")))


def rows(folder: Path, text: str) -> list[dict[str, object]]:
    path = folder / "rows.csv"
    path.write_text(text, encoding="utf-8")
    return [dict(row) for _, row in read_rows(path, ATTRIBUTES)]


def test_a_category_is_known_by_its_number_and_one_that_is_new_is_said(tmp_path: Path) -> None:
    with pytest.warns(InputWarning) as said:
        found = rows(tmp_path, "code,outlook\n1.0,sunny\n02,foggy\n?,icy\n7.0,rainy\n")
    assert [row["code"] for row in found] == ["1", "2", None, "7.0"]
    assert [str(one.message).partition("rows.csv: ")[2] for one in said] == [
        "column code: 02, 1.0 are read as 2, 1, the same numbers",
        "column code: 7.0 was not seen in training",
        "column outlook: foggy, icy were not seen in training",
    ]


@pytest.mark.filterwarnings("ignore:.*not seen in training")
def test_each_column_is_read_as_the_tree_has_it(tmp_path: Path) -> None:
    assert rows(tmp_path, "code,humidity,outlook\n1,75.5,sunny\n2,?,foggy\n") == [
        {"code": "1", "humidity": Fraction(151, 2), "outlook": "sunny"},
        {"code": "2", "humidity": None, "outlook": "foggy"},
    ]


def test_other_columns_are_passed_over(tmp_path: Path) -> None:
    assert rows(tmp_path, "remark,outlook\nfine,sunny\n") == [{"outlook": "sunny"}]


def test_rows_of_which_the_tree_knows_nothing_are_rows_still(tmp_path: Path) -> None:
    assert rows(tmp_path, "remark\nfine\nbad\n") == [{}, {}]


def test_no_rows_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rows.csv: there are no rows"):
        rows(tmp_path, "outlook,humidity\n")


def test_a_word_for_a_number_is_an_error_that_says_where(tmp_path: Path) -> None:
    with pytest.raises(
        InputError,
        match=r"line 3, column humidity: 'wet' is not a number; correct it, or make it \? where it is missing$",
    ):
        rows(tmp_path, "humidity\n75\nwet\n")


def test_each_row_knows_the_line_on_which_it_begins(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text('outlook,note\nsunny,"two\nlines"\n\nrainy,one\n', encoding="utf-8")
    assert [(line, row["outlook"]) for line, row in read_rows(path, ATTRIBUTES)] == [(2, "sunny"), (5, "rainy")]
    path.write_text("note\na\n\nb\n", encoding="utf-8")
    assert [line for line, _ in read_rows(path, ATTRIBUTES)] == [2, 4]


def test_a_code_in_rows_that_are_asked_is_missing_and_said() -> None:
    with pytest.warns(
        InputWarning, match=r"^the open file: column size: '\.' among numbers, 1 cell, is read as a missing value$"
    ):
        rows = list(
            read_rows(
                io.StringIO("size,wind\n.,weak\n3,strong\n"), [Attribute("size"), Attribute("wind", ("strong", "weak"))]
            )
        )
    assert [row["size"] for _, row in rows] == [None, 3]
