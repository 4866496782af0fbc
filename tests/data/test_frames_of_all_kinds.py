"""What holds a table in memory is one: the same rows, whatever library holds them."""

from __future__ import annotations

import sqlite3
from collections import namedtuple
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError

ROWS: list[dict[str, Any]] = [
    {"a": 0.1, "n": 1, "y": "p"},
    {"a": 2.5, "n": 2, "y": "q"},
    {"a": None, "n": 4, "y": "p"},
]
EXPECTED = list(rt.Table.from_rows(ROWS).rows())
Point = namedtuple("Point", "a n y")


def query() -> sqlite3.Cursor:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (a REAL, n INTEGER, y TEXT)")
    database.executemany("INSERT INTO t VALUES (:a, :n, :y)", ROWS)
    return database.execute("SELECT * FROM t")


def test_rows_columns_and_queries_are_the_same_table() -> None:
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    lists = [list(row.values()) for row in ROWS]
    for thing in (ROWS, iter(ROWS), columns, query(), query().fetchall() and query(), [Point(**row) for row in ROWS]):
        assert list(rt.Table.of(thing).rows()) == EXPECTED
    assert list(rt.Table.of(lists, names=["a", "n", "y"]).rows()) == EXPECTED
    assert [one.name for one in rt.Table.of(lists).schema.attributes] == ["c1", "c2"]
    table = rt.Table.of(ROWS)
    assert rt.Table.of(table) is table
    assert rt.Table.of(table, "n").schema.target.name == "n"


@pytest.mark.oracles
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "duckdb", "numpy"])
def test_what_a_library_holds_is_the_same_table(library: str) -> None:
    pd: Any = pytest.importorskip("pandas")
    held: Any = pytest.importorskip(library)
    frame = pd.DataFrame(ROWS)
    things = {
        "pandas": lambda: [frame, frame.to_dict("list"), frame.to_dict("records")],
        "polars": lambda: [held.from_dicts(ROWS), held.DataFrame(frame.to_dict("list"))],
        "pyarrow": lambda: [held.Table.from_pandas(frame), held.RecordBatch.from_pandas(frame)],
        "duckdb": lambda: [held.from_df(frame), held.connect().from_df(frame).query("f", "SELECT * FROM f")],
        "numpy": lambda: [frame.to_records(index=False), held.asarray(frame.to_records(index=False))],
    }[library]()
    for thing in things:
        assert list(rt.Table.of(thing).rows()) == EXPECTED


@pytest.mark.oracles
def test_a_number_of_single_precision_is_the_shortest_decimal_of_it() -> None:
    np: Any = pytest.importorskip("numpy")
    pa: Any = pytest.importorskip("pyarrow")
    single = np.array([[0.1, 0], [0.3, 1], [2, 1]], dtype="float32")
    assert [float(x) for x in rt.Table.of(single).columns["c1"] if x is not None] == [0.1, 0.3, 2]
    arrow = pa.table({"a": pa.array([0.1, 0.3], pa.float32()), "y": ["p", "q"]})
    assert [float(x) for x in rt.Table.of(arrow).columns["a"] if x is not None] == [0.1, 0.3]


@pytest.mark.parametrize(
    ("thing", "says"),
    [
        (3, "3 is no table: a frame, an array, the result of a query, or rows"),
        (
            "iris.csv",
            "'iris.csv' is no table: a frame, an array, the result of a query, or rows; read makes one of a file",
        ),
        ([], "there are no rows"),
        ([1, 2], "row 1: 1 is no row; a row is a mapping of column to value, or a list"),
        ([(1, 2), (1,)], "row 2 has 1 cells for 2 columns"),
        ([{"a": 1}, (1,)], "row 2: (1,) is no mapping of column to value"),
        (
            sqlite3.connect(":memory:").execute("CREATE TABLE u (a)"),
            "no query was run that has rows; run a SELECT first",
        ),
        (sqlite3.connect(":memory:").execute("SELECT 1 AS a, 2 AS a"), "column a: occurs twice"),
    ],
)
def test_what_is_no_table_is_refused_in_one_line(thing: Any, says: str) -> None:
    with pytest.raises(InputError) as error:
        rt.Table.of(thing)
    assert str(error.value).startswith(says)


def test_names_are_for_what_has_none() -> None:
    with pytest.raises(InputError, match="these columns have names of their own"):
        rt.Table.of(ROWS, names=["a", "b", "c"])
    with pytest.raises(InputError, match="there are 1 names for 2 columns"):
        rt.Table.of([(1, 2)], names=["a"])


def test_two_numbers_are_classes_that_are_predicted_as_they_were_handed_over() -> None:
    for zero, one in ((0, 1), (0.0, 1.0), (-1, 1), (False, True)):
        table = rt.Table.of({"x": [1, 2, 3], "y": [zero, one, zero]})
        assert table.schema.target.kind == "categorical"
        predicted: Any = rt.CART().grow(table).predict({"x": 2})
        assert predicted == one
        assert type(predicted) is type(one)
    assert rt.Table.of({"x": [1, 2, 3], "y": [0, 1, 0]}, continuous=["y"]).schema.target.kind == "continuous"


def test_a_table_of_arrow_and_a_relation_are_frames_and_rows_to_be_predicted() -> None:
    pandas, pyarrow, duckdb = map(pytest.importorskip, ("pandas", "pyarrow", "duckdb"))
    days = rt.textbook("play-tennis")
    frame = pandas.DataFrame(list(days.rows()))
    tree = rt.ID3().grow(days)
    base = duckdb.connect()
    base.register("days", frame)
    for other in (pyarrow.Table.from_pandas(frame), base.sql("SELECT * FROM days")):
        assert rt.Table.from_frame(other) == rt.Table.from_frame(frame)
        assert tree.predict(other) == tree.predict(days)
