"""JSON in the forms that programs write it is the table that it says."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError, InputWarning
from reference_tree.data.readers import read
from reference_tree.data.readers.json_files import json_table
from reference_tree.data.table import Table
from tests.every import of_every

ROWS: list[dict[str, Any]] = [{"wind": "weak", "speed": 7.5, "rain": True}, {"wind": None, "speed": 12, "rain": False}]
FORMS = {
    "lines": "\n".join(map(json.dumps, ROWS)),
    "rows": json.dumps(ROWS),
    "indented rows": json.dumps(ROWS, indent=2),
    "columns": json.dumps({name: [row[name] for row in ROWS] for name in ROWS[0]}),
    "columns of pandas": json.dumps({name: {str(n): row[name] for n, row in enumerate(ROWS)} for name in ROWS[0]}),
    "split": json.dumps({"columns": list(ROWS[0]), "index": [0, 1], "data": [list(row.values()) for row in ROWS]}),
    "among others": json.dumps({"count": 2, "next": None, "results": ROWS}),
}


@of_every(FORMS)
def test_every_form_is_the_same_table(form: str) -> None:
    columns = {column.name: column.cells for column in json_table(FORMS[form], "a.json").columns}
    assert columns == {"wind": ("weak", None), "speed": ("7.5", "12"), "rain": ("true", "false")}


def test_lines_are_counted() -> None:
    assert json_table(FORMS["lines"], "a.jsonl").origin.lines == [1, 2]
    assert json_table(FORMS["indented rows"], "a.json").origin.lines == [2, 7]
    text = FORMS["indented rows"].replace("12", '"fast"').replace("null", '"strong"')
    with pytest.raises(InputError, match=r"the open file, line 7, column speed: 'fast' is not a number"):
        read(io.StringIO(text), target="wind", continuous=["speed"])


def test_numbers_are_the_decimals_that_are_written() -> None:
    table = read(io.StringIO('[{"x": 0.1, "y": "a"}, {"x": 1e2, "y": "b"}, {"x": NaN, "y": "b"}]'))
    assert [None if x is None else float(x) for x in table.columns["x"]] == [0.1, 100, None]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1}\n{"a": }\n', "a.json, line 2, column 7: is no JSON: Expecting value"),
        ('[{"a": 1} {"a": 2}]', "a.json, line 1: is no JSON: a comma or ] is expected here"),
        ('{"a": [1, 2], "b": [1]}', "a.json: the columns have different lengths: 1 and 2"),
        ('[{"a": 1},\n {"a": [1, 2]}]', "a.json, line 2, column a: ['1', '2'] is a list, and no cell"),
        (
            '{"train": [{"a": 1}], "test": [{"a": 2}]}',
            "a.json: there are several lists of rows: train, test; give one of",
        ),
        ('[{"a": 1}] [{"a": 2}]', "a.json, line 1: is no JSON: there is more behind the list"),
        ("[1, 2]", "a.json, line 1: '1' is no row; a row is an object"),
        ("[]", "a.json: there are no rows"),
        ("[" * 200_000, "a.json, line 1: is nested too deeply for a table"),
    ],
)
def test_what_is_no_table_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        json_table(text, "a.json")
    assert str(error.value).startswith(message)


CELLS = st.none() | st.booleans() | st.integers() | st.text('ab "\\,é风', min_size=1)


@given(st.lists(st.dictionaries(st.text("xyz", min_size=1), CELLS, min_size=1), min_size=1))
def test_rows_are_read_as_the_standard_library_reads_them(rows: list[dict[str, Any]]) -> None:
    absent = {"?", "", "NA"}

    def cell(value: Any) -> str | None:
        if value is None or (isinstance(value, str) and value.strip() in absent):
            return None
        return value.strip() if isinstance(value, str) else json.dumps(value)

    for text in (json.dumps(rows), json.dumps(rows, indent=1, ensure_ascii=False), "\n".join(map(json.dumps, rows))):
        raw = json_table(text, "a.json")
        names = list(dict.fromkeys(name for row in rows for name in row))
        assert {one.name: list(one.cells) for one in raw.columns} == {
            name: [cell(row.get(name)) for row in rows] for name in names
        }


def test_a_column_that_the_first_row_lacks_is_not_predicted_in_silence() -> None:
    rows = '{"a": 1, "y": "p"}\n{"a": 2, "b": null, "y": "q"}\n{"a": 3, "b": 4, "y": "p"}\n'
    table = read(io.StringIO(rows))
    assert (list(table.columns), table.schema.target.name) == (["a", "b", "y"], "y")
    last = '{"a": 1, "y": "p"}\n{"a": 2, "y": "q", "b": 5}\n{"y": "q", "a": 3}\n'
    with pytest.warns(InputWarning, match=r"y, the last column of the first row, is .*; other rows have b behind it"):
        assert read(io.StringIO(last)).schema.target.name == "y"
    assert read(io.StringIO(last), "b").schema.target.name == "b"
    assert list(Table.from_rows(map(json.loads, rows.splitlines())).columns) == ["a", "b", "y"]
    assert Table.of(list(map(json.loads, last.splitlines()))).schema.target.name == "y"


@of_every(
    [
        '[["x", "y"], [1, "p"], [2, "q"]]',
        '{"0": {"x": 1, "y": "p"}, "1": {"x": 2, "y": "q"}}',
        '{"x": {"0": 1, "1": 2}, "y": {"0": "p", "1": "q"}}',
        '{"schema": {"fields": [{"name": "x"}]}, "data": [{"x": 1, "y": "p"}, {"x": 2, "y": "q"}]}',
        '{"data": {"items": [{"x": 1, "y": "p"}, {"x": 2, "y": "q"}]}, "meta": {}, "next": null}',
    ]
)
def test_rows_of_programs_that_answer_on_the_web(text: str) -> None:
    assert list(read(io.StringIO(text)).rows()) == [{"x": 1, "y": "p"}, {"x": 2, "y": "q"}]


def test_the_cells_of_an_object_are_columns() -> None:
    features = [{"type": "Feature", "properties": {"x": n % 2, "in": {"y": "pq"[n % 2]}}} for n in range(4)]
    table = read(io.StringIO(json.dumps({"type": "FeatureCollection", "features": features})))
    assert list(table.columns) == ["type", "properties.x", "properties.in.y"]
    assert table["properties.in.y"] == ["p", "q", "p", "q"]
