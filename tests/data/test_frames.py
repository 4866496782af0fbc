"""Frames: by hand-made ones that have just what is asked for, and by those of pandas and Polars where installed."""

from __future__ import annotations

import datetime
import importlib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.frames import frame_columns, is_frame
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.learners.c45 import C45
from reference_tree.learners.id3 import ID3
from tests.every import of_every

NAN = float("nan")


class NotAvailable:
    """As pandas has it: a comparison with it is itself, and that is neither true nor false."""

    def __ne__(self, other: object) -> Any:
        return self

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")


class Array(list[Any]):
    """As numpy has it: it compares cell by cell."""

    def __ne__(self, other: object) -> Any:
        return Array()

    def __bool__(self) -> bool:
        raise ValueError("the truth value of an array is ambiguous")

    __hash__ = None


class Dtype:
    def __init__(self, categories: Sequence[object] | None = None) -> None:
        if categories is not None:
            self.categories = categories


class Series:
    def __init__(self, cells: Sequence[object], dtype: Dtype) -> None:
        self.cells, self.dtype = cells, dtype

    def to_list(self) -> list[object]:
        return list(self.cells)


class Frame:
    """The least that is a frame."""

    def __init__(self, columns: Mapping[Any, Sequence[object]], **categories: Sequence[object]) -> None:
        self.series = {name: Series(cells, Dtype(categories.get(str(name)))) for name, cells in columns.items()}

    @property
    def columns(self) -> list[Any]:
        return list(self.series)

    def __getitem__(self, name: Any) -> Series:
        return self.series[name]


def cells(table: Table, name: str) -> list[Any]:
    return [row[name] for row in table.rows()]


def test_a_frame_is_the_table_of_its_columns() -> None:
    columns: dict[str, list[Any]] = {"wind": ["weak", "strong", "weak"], "t": [1, 2.5, 3], "play": ["no", "yes", "no"]}
    assert Table.from_frame(Frame(columns)) == Table.from_columns(columns)
    assert Table.from_frame(Frame(columns), "wind", name="days").schema.target.name == "wind"
    weighted = Table.from_frame(Frame(columns), "play", weights="t", categorical=["wind"])
    assert weighted.weights == [1, Fraction(5, 2), 3]


def test_what_is_missing() -> None:
    nothing = [None, NAN, Decimal("nan"), NotAvailable(), Decimal("snan"), "x"]
    assert cells(Table.from_frame(Frame({"a": nothing, "y": [*"nynyny"]})), "a") == [None] * 5 + ["x"]
    assert cells(Table.from_frame(Frame({"a": [*nothing[:5], 1], "y": [*"nynyny"]})), "a") == [None] * 5 + [1]


def test_a_missing_target_leaves_a_row_out() -> None:
    assert Table.from_frame(Frame({"a": [1, 2, 3], "y": ["n", NotAvailable(), "y"]})).left_out == 1


def test_numbers_are_exact() -> None:
    numbers: list[Any] = [2**60 + 1, 0.1, Decimal("0.1"), Fraction(1, 3)]
    assert cells(Table.from_frame(Frame({"a": numbers, "y": [*"nyny"]})), "a") == [
        2**60 + 1, Fraction(1, 10), Fraction(1, 10), Fraction(1, 3),
    ]  # fmt: skip


def test_booleans_are_categories() -> None:
    table = Table.from_frame(Frame({"windy": [True, False], "y": ["n", "y"]}))
    assert table.schema.attribute("windy") == Attribute("windy", ("False", "True"))


def test_categories_are_declared_in_their_order_with_those_that_do_not_occur() -> None:
    frame = Frame({"size": ["L", "S"], "code": [2, 1], "y": ["n", "y"]}, size=["S", "M", "L"], code=[3, 2, 1])
    table = Table.from_frame(frame)
    assert table.schema.attribute("size").values == ("S", "M", "L")
    assert table.schema.attribute("code").values == ("3", "2", "1")
    assert Table.from_frame(frame, continuous=["code"]).schema.attribute("code").kind == "continuous"


@of_every(
    [
        (Frame({"a": [datetime.date(2026, 1, 2)], "y": ["n"]}), "row 1: '2026-01-02' is a date; make it a number"),
        (Frame({"a": ["x", [1]], "y": [*"ny"]}), r"column a: row 2: '\[1\]' is a list"),
        (Frame({"a": [1, Array([1])], "y": [*"ny"]}), "is a Array"),
        (Frame({"a": [b"x"], "y": ["n"]}), "is a bytes"),
        (Frame({"a": [1j], "y": ["n"]}), "is a complex"),
        (Frame({"a": [1, float("inf")], "y": [*"ny"]}), "inf is not a finite number"),
        (Frame({"a": ["q"], "y": ["n"]}, a=["p"]), "'q' is not among the declared values"),
        (Frame({"a": ["1"], "y": ["n"]}, a=["1", 1]), "column a: has two categories that read the same"),
        (Frame({"a": [], "y": []}), "there are no rows"),
        (Frame({1: [1], "1": ["n"]}), "column 1: occurs twice"),
    ]
)
def test_what_no_table_can_hold_is_refused(frame: Frame, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Table.from_frame(frame)


class Twice(Frame):
    @property
    def columns(self) -> list[Any]:
        return ["a", "a"]


class Lazy(Frame):
    def collect(self) -> Frame:
        raise AssertionError("nobody asked for that")


def test_what_is_no_frame() -> None:
    assert is_frame(Frame({}))
    for thing in ({"a": [1]}, [1], "a", 3, None):
        assert not is_frame(thing)
        with pytest.raises(InputError, match="is no frame"):
            frame_columns(thing)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="column a: occurs twice"):
        frame_columns(Twice({"a": [1]}))
    with pytest.raises(InputError, match="the frame is lazy, and has no cells yet; collect it first"):
        frame_columns(Lazy({"a": [1]}))
    with pytest.raises(InputError, match=r"Table\.from_frame reads it"):
        Table.from_columns(Frame({"a": [1]}))  # type: ignore[arg-type]


# The libraries themselves.


def library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        pytest.skip(f"{name} is not installed (extra `oracles`)")


COLUMNS: dict[str, list[Any]] = {
    "outlook": ["sunny", None, "rainy", "sunny"],
    "temperature": [85, 80, 83, 70],
    "humidity": [85.5, None, 0.1, 90.0],
    "windy": [False, True, False, True],
    "play": ["no", "no", "yes", "yes"],
}
EXPECTED = Table.from_columns({**COLUMNS, "humidity": [85.5, None, Fraction(1, 10), 90.0]})


def test_a_frame_of_pandas() -> None:
    pandas = library("pandas")
    frame = pandas.DataFrame(COLUMNS, index=[7, 7, 8, 9])
    assert Table.from_frame(frame) == EXPECTED
    assert (
        Table.from_frame(frame.astype({"temperature": "Int64", "humidity": "Float64", "windy": "boolean"})) == EXPECTED
    )
    assert ID3().grow(Table.from_frame(frame[["windy", "play"]])).accuracy(Table.from_frame(frame)) == Fraction(1, 2)


def test_a_row_of_a_frame_is_predicted_with_its_gaps() -> None:
    """What is missing in a frame is missing in a row that is taken from it."""
    columns: dict[str, list[Any]] = {"a": [1.0, 2.0, NAN, 4.0], "b": ["x", "x", "z", NotAvailable()], "y": [*"nnyy"]}
    table = Table.from_frame(Frame(columns))
    tree = C45().grow(table)
    for cells, row in zip(zip(columns["a"], columns["b"], strict=True), table.rows(), strict=True):
        taken: dict[str, Any] = dict(zip("ab", cells, strict=True))
        assert tree.distribution(taken) == tree.distribution(row)
        assert tree.predict(taken, unseen="majority") == tree.predict(row)


def test_missing_values_of_every_kind_of_pandas() -> None:
    pandas = library("pandas")
    frame = pandas.DataFrame(
        {"a": pandas.array([1, None], dtype="Int64"), "b": [NAN, 2.0], "c": ["x", NAN], "y": [*"ny"]}
    )
    frame["d"] = pandas.Categorical(["S", None], categories=["S", "M"], ordered=True)
    table = Table.from_frame(frame, "y")
    assert [cells(table, name) for name in "abcd"] == [[1, None], [None, 2], ["x", None], ["S", None]]
    assert table.schema.attribute("d").values == ("S", "M")


def test_dates_of_pandas_are_refused() -> None:
    pandas = library("pandas")
    frame = pandas.DataFrame({"day": pandas.to_datetime(["2026-01-02", None]), "y": ["n", "y"]})
    with pytest.raises(InputError, match="column day: row 1: '2026-01-02 00:00:00' is a Timestamp") as caught:
        Table.from_frame(frame)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="column a: occurs twice"):
        Table.from_frame(pandas.DataFrame([[1, 2]], columns=["a", "a"]))


def test_a_frame_of_polars() -> None:
    polars = library("polars")
    frame = polars.DataFrame(COLUMNS)
    assert Table.from_frame(frame) == EXPECTED
    exact = polars.DataFrame({"a": polars.Series([Decimal("0.1"), None]), "b": [NAN, 0.5], "y": ["n", "y"]})
    table = Table.from_frame(exact)
    assert [cells(table, name) for name in "ab"] == [[Fraction(1, 10), None], [None, Fraction(1, 2)]]


def test_categories_of_polars() -> None:
    polars = library("polars")
    sizes = polars.Series("size", ["L", "S", None], dtype=polars.Enum(["S", "M", "L"]))
    colours = polars.Series("colour", ["red", "blue", "red"], dtype=polars.Categorical)
    table = Table.from_frame(polars.DataFrame([sizes, colours, polars.Series("y", ["n", "y", "y"])]))
    assert table.schema.attribute("size").values == ("S", "M", "L")
    assert table.schema.attribute("colour").values == ("blue", "red")


def test_what_polars_has_beyond_a_table_is_refused() -> None:
    polars = library("polars")
    for cell in (datetime.date(2026, 1, 2), datetime.timedelta(1), [1], {"b": 1}):
        with pytest.raises(InputError, match=r"column a: row 1: .* make it a number, or a text for a category"):
            Table.from_frame(polars.DataFrame({"a": [cell], "y": ["n"]}))
    with pytest.raises(InputError, match="the frame is lazy"):
        Table.from_frame(polars.DataFrame(COLUMNS).lazy())
