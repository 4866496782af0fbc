"""`read`: one table, whatever the format."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.readers import read
from reference_tree.data.readers.arff_files import arff_table
from reference_tree.data.readers.c45_files import c45_table
from reference_tree.data.readers.csv_files import csv_table
from reference_tree.data.readers.raw import Raw
from reference_tree.data.schema import Attribute
from reference_tree.data.table import assemble

ROWS = ["sunny, 85, true, no", "rain, 70.5, ?, yes", "sunny, ?, false, yes", "rain, 65, true, ?"]
FILES = {
    "weather.csv": "outlook, humidity, windy, play\n" + "\n".join(ROWS),
    "weather.tsv": "outlook\thumidity\twindy\tplay\n" + "\n".join(ROWS).replace(", ", "\t"),
    "weather.arff": "@relation weather\n@attribute outlook {rain, sunny}\n@attribute humidity real\n"
    "@attribute windy {false, true}\n@attribute play {no, yes}\n@data\n" + "\n".join(ROWS),
    "golf.names": "no, yes.\noutlook: rain, sunny.\nhumidity: continuous.\nwindy: false, true.\n",
    "golf.data": "\n".join(ROWS),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_table(folder: Path, name: str) -> None:
    table = read(folder / name)
    assert table.name == name.split(".")[0]
    assert (len(table), table.left_out) == (3, 1)
    assert table.schema.attributes == (
        Attribute("outlook", ("rain", "sunny")),
        Attribute("humidity"),
        Attribute("windy", ("false", "true")),
    )
    assert table.schema.target.values == ("no", "yes")
    assert table.schema.target.name == ("class" if name.startswith("golf") else "play")
    assert [list(row.values()) for row in table.rows()] == [
        ["sunny", 85, "true", "no"],
        ["rain", Fraction(141, 2), None, "yes"],
        ["sunny", None, "false", "yes"],
    ]


@pytest.mark.parametrize("name", FILES)
def test_the_options_hold_for_every_format(folder: Path, name: str) -> None:
    table = read(folder / name, "outlook", categorical=["humidity"], missing=["?", "true"])
    assert table.schema.target == Attribute("outlook", ("rain", "sunny"))
    assert table.schema.attribute("humidity") == Attribute("humidity", ("65", "70.5", "85"))
    assert [row["windy"] for row in table.rows()] == [None, None, "false", None]


@pytest.mark.parametrize("name", FILES)
def test_a_column_can_weigh_the_rows(folder: Path, name: str) -> None:
    for each, text in FILES.items():
        (folder / each).write_text(text.replace("sunny, ?", "sunny, 1").replace("y\t?", "y\t1"), encoding="utf-8")
    table = read(folder / name, "outlook", weights="humidity")
    assert [attribute.name for attribute in table.schema.attributes][:1] == ["windy"]
    assert table.weighted() == [85, Fraction(141, 2), 1, 65]


def test_the_weights_of_an_arff_file(folder: Path) -> None:
    path = folder / "weather.arff"
    path.write_text(FILES["weather.arff"] + ", {2}\nrain, 1, true, no, {0.25}\n", encoding="utf-8")
    table = read(path)
    assert [attribute.name for attribute in table.schema.attributes] == ["outlook", "humidity", "windy"]
    assert table.schema.target.name == "play"
    assert table.weighted() == [1, 1, 1, Fraction(1, 4)]
    with pytest.raises(InputError, match="column humidity: the rows state weights of their own; name no other"):
        read(path, weights="humidity")


def test_a_path_can_be_text(folder: Path) -> None:
    assert read(str(folder / "weather.csv")).columns == read(folder / "weather.csv").columns


def test_a_suffix_in_capitals(folder: Path) -> None:
    (folder / "A.CSV").write_text(FILES["weather.csv"], encoding="utf-8")
    assert read(folder / "A.CSV").name == "A"


BAD = {
    "empty.csv": ("", "empty.csv: is empty; a header and at least one row are needed"),
    "header.csv": ("a,b\n", "header.csv: there are no rows; at least one is needed"),
    "header.arff": ("@attribute a {x}\n@data\n", "header.arff: there are no rows; at least one is needed"),
    "ragged.csv": ("a,b\n1,2\n\n3\n", "ragged.csv, line 4: the row has 1 value for 2 columns"),
    "twice.csv": ("a,b,a\n1,2,3\n", "twice.csv, line 1, column a: occurs twice in the header"),
    "targetless.csv": ("a,b\n1,?\n2,\n", "targetless.csv, column b: the target is missing in every row"),
    "nan.csv": ("a,b\n1,x\nNaN,y\n", "nan.csv, line 3, column a: NaN is not a finite number"),
    "inf.arff": ("@attribute a real\n@data\n1\n-Infinity\n", "inf.arff, line 4, column a: '-Infinity' is not a finite"),
    "word.arff": ("@attribute a real\n@data\n1\nx\n", "word.arff, line 4, column a: 'x' is not a number"),
    "domain.arff": (
        "@attribute a {x, y}\n@data\nx\nz\n",
        "domain.arff, line 4, column a: 'z' is not among the declared",
    ),
    "long.csv": (f"a,b\n1,x\n{'9' * 500},y\n", "long.csv, line 3, column a: '9999999999999"),
    "big.csv": ("a,b\n1,x\n1e999,y\n", "big.csv, line 3, column a: '1e999' has more than 400 digits or an exponent"),
    "weather.ods": (
        "{}",
        "weather.ods: files of this kind are not read; a table is one of .csv, .tsv, .tab, .psv, .txt, .dat, .arff, "
        ".names, .data, .test, .json, .jsonl, .ndjson, .xlsx, .parquet; save it as one",
    ),
    "weather.json": ("{}", "weather.json: there are no rows"),
    "weather": ("a,b\n1,2\n", "weather: files of this kind are not read"),
    "lonely.names": ("a, b.\nx: continuous.\n", "lonely.names: has no lonely.data beside it; both are needed"),
    "lonely.data": ("1, a\n", "lonely.data: has no lonely.names beside it; both are needed"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_that_names_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    text, message = BAD[name]
    Path(name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read(name)
    assert str(error.value).startswith(message)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    "name", ["nowhere.csv", "nowhere.arff", "nowhere.names", "nowhere.data", "nowhere", "now.here"]
)
def test_a_missing_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        read(name)
    assert str(error.value) == f"{name}: there is no such file"


@pytest.mark.parametrize("name", ["folder.csv", "folder"])
def test_a_directory(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(InputError, match="is a directory; name a file in it"):
        read(tmp_path / name)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("wind", "there is no column 'wind' (did you mean windy?); there are outlook, humidity, windy, play"),
        ("", "there is no column ''"),
    ],
)
def test_an_unknown_target(folder: Path, target: str, message: str) -> None:
    with pytest.raises(InputError, match=r"weather\.csv: ") as error:
        read(folder / "weather.csv", target)
    assert message in str(error.value)


nonsense = st.text(st.sampled_from("ab1.,:;|'\"\\{}%? \t\n@") | st.characters(codec="utf-8"), max_size=60)
arff = st.builds("@attribute a {}\n@attribute b real\n@data\n{}".format, nonsense, nonsense)
PARSERS: list[Callable[[str], Raw]] = [
    lambda text: csv_table(text, "a.csv"),
    lambda text: arff_table(text, "a.arff"),
    lambda text: c45_table("a, b.\nx: " + text, "1, a", "a.names", "a.data"),
    lambda text: c45_table("a, b.\nx: continuous.", text, "a.names", "a.data"),
]


def complaint(parse: Callable[[str], Raw], text: str) -> str:
    """The message of the error in a text; nothing, if it is a table."""
    try:
        raw = parse(text)
        assemble(raw.columns, raw.target, raw.weights, (), (), "a", raw.origin)
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("parse", PARSERS)
@given(text=nonsense | arff)
def test_whatever_the_text_is_it_is_a_table_or_an_error_in_one_line(parse: Callable[[str], Raw], text: str) -> None:
    content = text.replace("\r", "\n").replace("\0", "")
    assert len(complaint(parse, content if content.strip() else "a\n1").splitlines()) <= 1


def test_a_line_is_named_after_rows_that_were_left_out(tmp_path: Path) -> None:
    path = tmp_path / "left.csv"
    path.write_text("n,y\n1,?\n\n2,a\n0,b\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"left.csv, line 5, column n: a weight is a positive number"):
        read(path, weights="n")
