"""Rows as columns."""

from __future__ import annotations

import re
from collections.abc import Collection

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.readers.raw import RawRow, marks, raw_table
from reference_tree.data.schema import Attribute
from tests.every import of_every

WIND = Attribute("wind", ("weak", "strong"))


def test_rows_become_columns_with_their_lines() -> None:
    raw = raw_table([RawRow(2, ["weak", "1"]), RawRow(4, [None, "2"])], ["wind", "n"], "weather.csv", [WIND, None])
    assert [(column.name, column.cells, column.declared) for column in raw.columns] == [
        ("wind", ("weak", None), WIND),
        ("n", ("1", "2"), None),
    ]
    assert (raw.origin.path, raw.origin.lines) == ("weather.csv", [2, 4])
    assert (raw.target, raw.weights) == (None, None)


def test_no_rows_are_columns_without_cells() -> None:
    assert [list(column.cells) for column in raw_table([], ["a", "b"], "weather.csv").columns] == [[], []]


@of_every(
    [
        (["1"], "the row has 1 value for 2 columns; write ? for a missing value"),
        ([], "the row has 0 values for 2 columns; write ? for a missing value"),
        (["1", "2", "3"], "the row has 3 values for 2 columns; put a value that holds a comma in quotes"),
        (["# done"], "the row has 1 value for 2 columns; it looks like a comment; take it out"),
    ]
)
def test_a_ragged_row_is_named_by_its_line(cells: list[str | None], message: str) -> None:
    with pytest.raises(InputError) as error:
        raw_table([RawRow(2, ["1", "2"]), RawRow(7, cells)], ["a", "b"], "weather.csv")
    assert str(error.value) == f"weather.csv, line 7: {message}"


def test_a_comment_in_the_place_of_a_header_is_said() -> None:
    message = "the row has 2 values for 1 column; the header, '# of 2024', looks like a comment; take it out"
    with pytest.raises(InputError, match=re.escape(message)):
        raw_table([RawRow(2, ["a", "b"])], ["# of 2024"], "weather.csv")


@of_every([(None, {"?", "NA"}), ([], set()), (["-"], {"-"}), ("n/a", {"n/a"}), (("?", "."), {"?", "."})])
def test_the_caller_can_name_other_marks(missing: Collection[str] | None, found: set[str]) -> None:
    assert marks(missing, ("?", "NA")) == found
