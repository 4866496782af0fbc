"""CSV, held against the writer and the reader of the standard library."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.readers import csv_files, read_raw
from reference_tree.data.readers.csv_files import csv_table, separator_of
from tests.every import of_every


def table(text: str, **options: Any) -> dict[str, list[object]]:
    raw = csv_table(text, "weather.csv", **options)
    return {column.name: list(column.cells) for column in raw.columns}


def lines(text: str) -> list[int]:
    return list(csv_table(text, "weather.csv").origin.lines or ())


def fault(text: str, separator: str = ",") -> str:
    with pytest.raises(InputError) as error:
        csv_table(text, "weather.csv", separator=separator)
    assert len(str(error.value).splitlines()) == 1
    return str(error.value)


def test_a_header_and_rows() -> None:
    assert table("wind,play\nweak,yes\nstrong,no\n") == {"wind": ["weak", "strong"], "play": ["yes", "no"]}


def test_the_last_line_need_not_end() -> None:
    assert table("wind,play\nweak,yes") == table("wind,play\nweak,yes\n") == table("wind,play\nweak,yes\n\n\n")


def test_one_column() -> None:
    assert table("play\nyes\n\nno\n") == {"play": ["yes", "no"]}


def test_a_header_alone_has_no_rows() -> None:
    assert table("wind,play\n") == {"wind": [], "play": []}


@of_every(
    [
        ('"a,b"', "a,b"),
        ('"a ""b"" c"', 'a "b" c'),
        ('""""', '"'),
        ('"a\nb"', "a\nb"),
        ('"a\n\n b,"', "a\n\n b,"),
        (' "a" ', "a"),
        ('" a "', " a "),
        ('" "', " "),
        (" a ", "a"),
        ("\ta b\t", "a b"),
        ("a'b", "a'b"),
        ("3.10", "3.10"),
        ("'a'", "'a'"),
        ("\u3000a\xa0", "a"),
    ]
)
def test_quotes_and_blanks(cell: str, value: str) -> None:
    assert table(f"a,b,c\n1,{cell},2\n") == {"a": ["1"], "b": [value], "c": ["2"]}
    assert table(f"b\n{cell}") == {"b": [value]}


def test_quoted_names() -> None:
    assert list(table('"a,b", c d ,"e ""f"""\n1,2,3\n')) == ["a,b", "c d", 'e "f"']


@of_every(["?", "", "NA", " ? ", " ", '""', '"?"', '"NA"'])
def test_missing_values(cell: str) -> None:
    assert table(f"a,b\n{cell},1\n") == {"a": [None], "b": ["1"]}


@of_every(["na", "N/A", "nan", "NULL", "-", "??", '" ?"'])
def test_values_that_are_not_missing(cell: str) -> None:
    assert table(f"a,b\n{cell},1\n")["a"] == [cell.strip('"')]


def test_other_marks_of_missing_values() -> None:
    assert table("a,b\n-,?\n,n/a\n", missing=["-", "n/a"]) == {"a": [None, ""], "b": ["?", None]}


def test_tabs() -> None:
    assert table("a\tb\n1, 2\t 3 \n\t\n", separator="\t") == {"a": ["1, 2", None], "b": ["3", None]}


def test_the_line_is_the_one_on_which_a_row_begins() -> None:
    assert lines('\na,b\n1,2\n\n"x\ny",3\n \n4,"\n"\n5,6') == [3, 5, 8, 10]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n3\n", "weather.csv, line 3: the row has 1 value for 2 columns; write ? for a missing value"),
        ('a,b\n"1\n1",2\n3,4,5\n', "weather.csv, line 4: the row has 3 values for 2 columns; put a value that holds"),
        ("a,b\n1,2,\n3,4\n", "weather.csv, line 2: the row has 3 values for 2 columns"),
        ('a,b\n1,"2\n3,4\n', "weather.csv, line 2, column 3: the quote that opens here is never closed"),
        ('"a,b\n1,2\n', "weather.csv, line 1, column 1: the quote that opens here is never closed"),
        ('a,b\n1,  "2', "weather.csv, line 2, column 5: the quote that opens here is never closed"),
        ('a,b\n1,"2\n3,"4"\n', "weather.csv, line 2, column 3: the quote that opens here closes on line 3 before more"),
        ('a,b\n1,"2"x\n', "weather.csv, line 2, column 3: the quote that opens here closes on line 2 before more text"),
        ('a,b\n1,5" pipe\n', "weather.csv, line 2, column 4: a quote within a cell; put the whole cell in quotes and"),
        ("a,b,a\n1,2,3\n", "weather.csv, line 1, column a: occurs twice in the header; rename one, or say"),
        ('a,b,"a"\n1,2,3\n', "weather.csv, line 1, column a: occurs twice in the header; rename one, or say"),
        ("\n\na, ,b\n1,2,3\n", "weather.csv, line 3: cell 2 of the header is empty; name the column"),
        ("a,,b\n0,1,2\n", "weather.csv, line 1: cell 2 of the header is empty; name the column"),
        ("a;b\n1;2\n", "weather.csv, line 1: the header is one cell, 'a;b', with ';' in it; separate cells by commas"),
        ("a\tb\n1\t2\n", r"weather.csv, line 1: the header is one cell, 'a\tb', with '\t' in it; separate cells by"),
    ],
)
def test_bad_input_names_the_line(text: str, message: str) -> None:
    assert fault(text).startswith(message)


@of_every(
    [('[{"a": 1}]', "JSON"), ('\n{"a": 1}', "JSON"), ("<!DOCTYPE html>\n", "HTML or XML"), ("<?xml ?>", "HTML or XML")]
)
def test_what_is_no_table_is_said(text: str, kind: str) -> None:
    advice = "end its name in .json" if kind == "JSON" else "save the table as CSV"
    assert fault(text) == f"weather.csv: is {kind}, and no CSV; {advice}"


@of_every(["[a]", "<a>", "{a}"])
def test_names_in_brackets_are_names(name: str) -> None:
    assert list(table(f"{name},b\n1,2\n")) == [name, "b"]


def test_tabs_are_asked_for_where_commas_stand() -> None:
    assert fault("a,b\n1,2\n", "\t").endswith("separate cells by tabs")


def test_a_name_with_a_line_break_does_not_break_the_message() -> None:
    assert fault('"a\nb","a\nb"\n1,2\n').startswith(r"weather.csv, line 1, column a\nb: occurs twice in the header; ")


@pytest.mark.parametrize(("name", "expected"), [("a.csv", "1\t2"), ("a.CSV", "1\t2"), ("a.tsv", "1"), ("a.TSV", "1")])
def test_the_suffix_says_what_separates(tmp_path: Path, name: str, expected: str) -> None:
    (tmp_path / name).write_text("a,b\n1\t2,3\n" if "csv" in name.lower() else "a\tb\n1\t2\n", encoding="utf-8")
    assert read_raw(tmp_path / name).columns[0].cells == (expected,)


def test_a_cell_of_a_megabyte() -> None:
    long = 'x""' * 400_000
    assert table(f'a,b\n1,"{long}"\n')["b"] == ['x"' * 400_000]


cells = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"))
grids = st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1))


@given(grids, st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_what_the_standard_library_writes_is_read(grid: list[list[str]], is_quoted: bool, end: str) -> None:
    names = [f"c{place}" for place in range(len(grid[0]))]
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_ALL if is_quoted else csv.QUOTE_MINIMAL, lineterminator=end).writerows(
        [names, *grid]
    )
    text = file.getvalue().replace("\r\n", "\n")
    read = [list(row) for row in zip(*table(text, missing="\0").values(), strict=True)]
    if is_quoted:
        assert read == grid
    else:  # unquoted blanks do not count, and a row of blanks is no row
        written = [row for row in grid if len(row) > 1 or row == [""] or _as_read(row[0])]
        assert read == [[_as_read(cell) for cell in row] for row in written]


def _as_read(cell: str) -> str:
    """What becomes of a cell that is written in quotes only where `csv` finds them necessary."""
    return cell if any(sign in cell for sign in ',"\n') else cell.strip()


plain = st.text(st.characters(codec="utf-8", exclude_characters='\r\0",\n', exclude_categories=["Z", "C"]), min_size=1)
rows = st.integers(2, 4).flatmap(lambda width: st.lists(st.lists(plain, min_size=width, max_size=width), min_size=1))


@pytest.mark.slow
@given(rows, st.data())
def test_the_standard_library_reads_the_same(grid: list[list[str]], data: st.DataObject) -> None:
    names = [f"c{place}" for place in range(len(grid[0]))]
    blank = data.draw(st.sampled_from(["", " "]))
    text = "\n".join(f",{blank}".join(data.draw(st.sampled_from([c, f'"{c}"'])) for c in row) for row in [names, *grid])
    oracle = list(csv.reader(io.StringIO(text, newline=""), skipinitialspace=True, strict=True))
    assert [list(row) for row in zip(*table(text, missing="\0").values(), strict=True)] == oracle[1:]


simple = st.one_of(st.text("ab1 ?\t\x1c", max_size=3), st.sampled_from(["NA", '"a b"', ' "a"', '""', '"a,b"', '" a"']))
ragged = st.lists(st.lists(simple, min_size=2, max_size=3).map(",".join), min_size=1).map("\n".join)
pairs = st.lists(st.tuples(simple, simple).map(",".join), min_size=1).map("\n".join)


@pytest.mark.filterwarnings("ignore::reference_tree.data.errors.InputWarning")
@given(
    st.one_of(st.text('a1,"\n ?\t', min_size=1), ragged, pairs, pairs.map("name,\tb\n".__add__)),
    st.sampled_from([",", "\t"]),
)
def test_a_table_cut_by_columns_is_the_one_cut_by_rows(text: str, separator: str) -> None:
    def outcome() -> object:
        try:
            raw = csv_table(text, "weather.csv", separator=separator)
        except InputError as error:
            return str(error)
        return raw.columns, list(raw.origin.lines or ()), raw.origin.path, raw.target, raw.weights

    if text.strip():  # others are refused before
        at_once = outcome()
        with mock.patch.object(csv_files, "_columns", return_value=None):
            assert outcome() == at_once


def test_a_plain_table_is_cut_by_columns() -> None:
    with mock.patch.object(csv_files, "_rows", side_effect=AssertionError):
        assert table('x, "y z"\n "1" , NA\n2,"a b"\n\n') == {"x": ["1", "2"], "y z": [None, "a b"]}
        assert lines("x,y\n1,2\n3,4") == [2, 3]


def test_a_last_line_of_quotes_is_a_row_like_any_other() -> None:
    assert "line 4: the row has 1 value for 2 columns" in fault('x,y\n1,a\n2,b\n""\n')


def test_full_width_commas_separate_cells() -> None:
    text = "城市，温度，风\n北京，31.5，弱\n上海，28，强\n"
    assert separator_of(text, "a.csv") == "，"
    assert separator_of("名称（甲，乙）,值\n", "a.csv") == ","
    assert [column.cells for column in csv_table(text, "a.csv", separator="，").columns][1] == ("31.5", "28")
