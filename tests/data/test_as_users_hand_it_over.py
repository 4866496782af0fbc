"""Frames and lists as people hand them over: floats as they are written, labels in the type that came in."""

from __future__ import annotations

import io
import struct
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.held import shortest
from reference_tree.data.readers import read
from reference_tree.data.writers import to_csv

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

CSV = "x,y,play\n2.4,1e-7,no\n2.5,0.3,yes\n,1250000000000000000000.5,yes\n-7.35,4,no\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "days.csv"
    file.write_text(CSV, encoding="utf-8")
    return file


@pytest.mark.parametrize("library", [pandas.read_csv, polars.read_csv])
def test_a_frame_read_from_a_file_is_the_table_of_that_file(library: Any, path: Path) -> None:
    table, framed = read(path, continuous=["x"]), rt.Table.from_frame(library(path))
    assert list(framed.rows())[:2] + list(framed.rows())[3:] == list(table.rows())[:2] + list(table.rows())[3:]
    # The third y has more digits than a float can hold: what is written there is the shortest that names the float.
    assert list(framed.rows())[2]["y"] == int(float("1250000000000000000000.5"))
    assert rt.to_text(rt.CART(max_depth=1).grow(framed)) == rt.to_text(rt.CART(max_depth=1).grow(table))


def test_the_exact_value_of_a_float_is_there_on_demand(path: Path) -> None:
    frame = pandas.read_csv(path)
    exact = rt.Table.from_frame(frame, numbers="exact")
    assert next(exact.rows())["x"] == Fraction(2.4) != Fraction("2.4")
    with pytest.raises(rt.InputError, match="numbers is 'written' or 'exact', not 'rounded'"):
        rt.Table.from_frame(frame, numbers="rounded")  # type: ignore[arg-type]


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_single_is_written_so_that_it_reads_back(number: float) -> None:
    text = shortest(number, "f")
    assert struct.pack("f", float(text)) == struct.pack("f", number)
    digits = len(text.partition("e")[0].lstrip("-0.").replace(".", "").rstrip("0")) or 1
    for fewer in range(1, digits):
        assert struct.pack("f", max(min(float(f"{number:.{fewer}g}"), 3.4e38), -3.4e38)) != struct.pack("f", number)


def test_floats_among_other_objects_are_written_too() -> None:
    numpy = pytest.importorskip("numpy")
    for other in (numpy.float64(0.2), numpy.float32(0.2), Decimal("0.2"), Fraction(1, 5), numpy.float16(0.2)):
        frame = pandas.DataFrame({"x": pandas.Series([0.1, other, numpy.int64(3)], dtype=object), "y": list("aba")})
        table = rt.Table.from_frame(frame)
        assert [row["x"] for row in table.rows()] == [Fraction("0.1"), Fraction("0.2"), 3]
        tree = rt.CART().grow(table)
        assert tree.predict(frame) == tree.predict(frame.to_dict("records")) == ["a", "b", "a"]


def test_columns_of_half_precision_are_written_as_such() -> None:
    frame = pandas.DataFrame({"x": pandas.Series([0.1, 0.7], dtype="float16"), "y": ["a", "b"]})
    assert [row["x"] for row in rt.Table.from_frame(frame).rows()] == [Fraction("0.1"), Fraction("0.7")]


def test_columns_of_single_precision_are_written_as_such() -> None:
    frame = pandas.DataFrame({"x": pandas.Series([0.1, 0.7], dtype="float32"), "y": ["a", "b"]})
    assert [row["x"] for row in rt.Table.from_frame(frame).rows()] == [Fraction("0.1"), Fraction("0.7")]
    single = polars.DataFrame({"x": [0.1, 0.7], "y": ["a", "b"]}, schema={"x": polars.Float32, "y": polars.String})
    assert [row["x"] for row in rt.Table.from_frame(single).rows()] == [Fraction("0.1"), Fraction("0.7")]


@pytest.mark.parametrize("classes", [[0, 1], [True, False], [1.5, 2.5], ["a", "b"]])
def test_labels_come_back_as_they_were_handed_over(classes: list[Any]) -> None:
    columns = {"x": [1, 2, 3, 4], "y": [classes[place // 2] for place in range(4)]}
    table = rt.Table.from_columns(columns, categorical=["y"])
    tree = rt.CART().grow(table)
    assert tree.predict(table) == columns["y"]
    assert tree.predict([{"x": 1}, {"x": 4}]) == [classes[0], classes[1]]
    assert type(tree.predict({"x": 4})) is type(classes[1])
    assert tree.accuracy(table) == 1
    again = rt.from_json(rt.to_json(tree))  # a document knows names alone
    assert again.predict({"x": 4}) == str(classes[1])


@pytest.mark.parametrize("library", [pandas, polars])
def test_a_frame_is_asked_at_once(library: Any) -> None:
    text = "outlook,wind,humidity,play\nsunny,weak,70,yes\nsunny,weak,90.5,no\nrain,strong,60,no\nrain,weak,65,yes\n"
    table = read(io.StringIO(text))
    tree = rt.CART().grow(table)
    frame = library.read_csv(io.StringIO(text))
    assert tree.predict(frame) == tree.predict(table) == tree.predict(list(table.rows()))
    asked = frame.drop(columns=["play"]) if library is pandas else frame.drop("play")
    assert tree.predict(asked) == tree.predict(table)
    assert tree.distribution(asked) == tree.distribution(table)
    other = library.DataFrame({"outlook": ["fog"], "wind": ["weak"], "humidity": [70.5]})
    with pytest.raises(rt.InputError, match="fog"):
        rt.ID3().grow(rt.textbook("play-tennis")).predict(other)
    with pytest.raises(rt.InputError, match="the row has no value for"):
        tree.predict(library.DataFrame({"nothing": [1]}))


@pytest.mark.parametrize("true", ["TRUE", "True", "true"])
def test_truth_grows_one_tree_through_a_file_and_through_frames_and_is_known_in_all_of_them(true: str) -> None:
    false = {"TRUE": "FALSE", "True": "False", "true": "false"}[true]
    text = f"windy,hot,play\n{true},1,{true}\n{false},2,{false}\n{true},3,{true}\n{false},1,{false}\n"
    frames = [pandas.read_csv(io.StringIO(text)), polars.read_csv(io.StringIO(text))]
    tables = [read(io.StringIO(text)), *map(rt.Table.from_frame, frames)]
    named = rt.Table.from_frame(pandas.read_csv(io.StringIO(text), dtype={"windy": str, "play": str}))
    trees = [rt.CART().grow(table) for table in (*tables, named)]
    assert [tree.target.values for tree in trees] == [(false, true), *[("False", "True")] * 2, (false, true)]
    assert {rt.to_text(tree).replace(true, "True").replace(false, "False") for tree in trees} == {rt.to_text(trees[1])}
    for tree in trees:
        for rows in (*tables, *frames):
            assert [str(answer).lower() for answer in tree.predict(rows)] == ["true", "false"] * 2
            assert not isinstance(rows, rt.Table) or tree.accuracy(rows) == 1
    for table in tables[1:]:
        again = read(io.StringIO(to_csv(table)))
        assert (again.schema, list(again.rows())) == (table.schema, list(table.rows()))


@pytest.mark.parametrize("classes", [[1, 2], [True, False], ["a", "b"]])
def test_the_labels_of_a_pandas_category_are_its_own(classes: list[Any]) -> None:
    y = [classes[place // 2] for place in range(4)]
    frame = pandas.DataFrame({"x": [1, 2, 3, 4], "y": pandas.Categorical(y)})
    assert rt.CART().grow(rt.Table.from_frame(frame)).predict(frame) == y
