"""The cells of a column as values, and a threshold as a number that the column can hold."""

from __future__ import annotations

import math
import sqlite3
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.held import held
from reference_tree.data.schema import Attribute
from reference_tree.stores import columns, engines
from reference_tree.stores.columns import StoredColumn, exact
from reference_tree.stores.engines import ENGINES
from reference_tree.stores.sql import sql
from tests.strategies import fractions

doubles = st.one_of(st.sampled_from([0.1, 0.2, 0.30000000000000004, 5e-324, -0.0, 1e300]), st.floats(-9, 9))
thresholds = st.one_of(fractions(-9, 9), doubles.map(exact))
cells: st.SearchStrategy[list[Any]] = st.one_of(
    st.lists(doubles, min_size=1, max_size=6),
    st.lists(st.integers(-9, 9), min_size=1, max_size=6),
    st.lists(st.decimals(-9, 9, places=2), min_size=1, max_size=6),
    st.lists(st.one_of(doubles, st.integers(-9, 9)), min_size=1, max_size=6),
)


def column_of(raws: list[Any], form: Any = "written") -> StoredColumn:
    kinds = set(map(type, raws))
    places = {2} if kinds == {Decimal} else {0} if kinds == {int} else set()
    return StoredColumn(
        "x", Attribute("x", held=form), raws, None, has_gaps=False, kinds=kinds, places=max(places, default=None)
    )


@given(cells, thresholds, st.booleans())
def test_a_cell_is_below_a_threshold_if_it_is_not_above_what_is_asked_with(
    raws: list[Any], threshold: Any, strict: bool
) -> None:
    last = column_of(raws).last(threshold, strict=strict)
    for raw in raws:
        is_below = exact(raw) < threshold if strict else exact(raw) <= threshold
        assert (last is not None and raw <= last) == is_below


@given(st.lists(doubles, min_size=1, max_size=6), thresholds, st.booleans())
def test_doubles_that_a_tree_holds_are_compared_as_they_are(raws: list[float], threshold: Any, strict: bool) -> None:
    last = column_of(raws, "double").last(threshold, strict=strict)
    for raw in raws:
        is_below = Fraction(raw) < threshold if strict else Fraction(raw) <= threshold
        assert (last is not None and raw <= last) == is_below


@given(
    st.lists(st.one_of(doubles, st.floats(-1e300, 1e300), st.integers(-(2**62), 2**62)), min_size=1, max_size=30),
    st.sampled_from([1, 100, 10**6]),
)
def test_a_bin_does_not_fall_where_the_column_rises(raws: list[Any], count: int) -> None:
    """Only some cells are known, and the ends."""
    raws = sorted(raws)
    column = replace(column_of(raws), some=raws[::3], ends=(raws[0], raws[-1]))
    query = f"SELECT {column.bins('CAST(v AS REAL)', count, ENGINES['sqlite3'])} FROM (SELECT ? AS v)"
    database = sqlite3.connect(":memory:")
    bins = [database.execute(query, (raw,)).fetchone()[0] for raw in raws]
    assert bins == sorted(bins)
    assert -1 < bins[0] <= bins[-1] < 2**31


def test_a_column_of_many_numbers_is_not_read_whole() -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (x REAL, word TEXT, y TEXT)")
    rows = [(number / 7, str(number), "yn"[number % 2]) for number in range(5000)]
    database.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
    data = sql(database, "t", without=["word"])
    assert data.stored["x"].rest is not None
    assert data.database.fetched < 3000
    assert len(data.schema.numbers["x"]) == 5000
    assert len(sql(database, "t").schema.attribute("word").domain) == 5000, "names of categories are"


def test_missing_values_are_none_of_the_numbers_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "KNOWN", 2)
    rows = [(None, "n"), (0.5, "n"), (1.5, "y"), (2.5, "y"), (3.5, "n")]
    numbers = [Fraction(2 * number + 1, 2) for number in range(4)]
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (x REAL, y TEXT)")
    database.executemany("INSERT INTO t VALUES (?, ?)", rows)
    assert sql(database, "t").schema.numbers["x"] == numbers
    other = pytest.importorskip("duckdb").connect()
    other.execute("CREATE TABLE t (x DOUBLE, y TEXT)")
    other.executemany("INSERT INTO t VALUES (?, ?)", [(math.nan, "n"), *rows])
    assert sql(other, "t").schema.numbers["x"] == numbers


def test_whole_numbers_and_doubles_in_one_column_are_told_apart_however_late_they_come() -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (x, y)")
    rows = [(number, "yn"[number > 2500]) for number in range(3000)]
    database.executemany("INSERT INTO t VALUES (?, ?)", [*rows, (2500.5, "n")])
    assert sql(database, "t").stored["x"].kinds == {int, float}
    database.execute("INSERT INTO t VALUES ('many', 'n')")
    with pytest.raises(rt.InputError, match="holds texts, which are not ordered as numbers"):
        sql(database, "t", continuous=["x"])


def test_numbers_are_held_as_the_tree_holds_them() -> None:
    duckdb = pytest.importorskip("duckdb").connect()
    duckdb.execute(
        "CREATE TABLE t AS FROM (VALUES (0.1::DOUBLE, 'n'), (0.10000000149011612, 'y'), (0.3, 'y')) AS v (x, y)"
    )
    known = [Attribute("x", held="float32"), Attribute("y", ("n", "y"))]
    found = sql(duckdb, "t", known=known).sample().ordered("x")
    assert found.values == [held(0.1, "float32"), held(0.3, "float32")]
    assert found.rows == [(1, 1), (0, 1)]
    assert not math.isnan(float(found.values[0]))
    lite = sqlite3.connect(":memory:")
    lite.execute("CREATE TABLE t AS SELECT 0.1 AS x, 'n' AS y")
    with pytest.raises(rt.InputError, match="float32, which this engine lacks"):
        sql(lite, "t", known=known)


def test_an_infinity_is_refused() -> None:
    duckdb = pytest.importorskip("duckdb").connect()
    duckdb.execute("CREATE TABLE t AS SELECT 'inf'::DOUBLE AS x, 'n' AS y")
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t AS SELECT 9e999 AS x, 'n' AS y")
    for connection in (duckdb, database):
        with pytest.raises(rt.InputError, match="inf is no finite number"):
            sql(connection, "t")


def test_json_is_no_category_and_whole_numbers_beside_doubles_are_small() -> None:
    duckdb = pytest.importorskip("duckdb").connect()
    duckdb.execute("CREATE TABLE t (x JSON, y TEXT)")
    duckdb.execute("INSERT INTO t VALUES ('1', 'n'), ('{}', 'y')")
    with pytest.raises(rt.InputError, match="t, column x: JSON is neither a number nor a category; cast it in"):
        sql(duckdb, "t")
    assert sql(duckdb, "SELECT x::VARCHAR AS x, y FROM t").schema.attribute("x").values == ("1", "{}")
    lite = sqlite3.connect(":memory:")
    lite.execute("CREATE TABLE t (x, y)")
    lite.executemany("INSERT INTO t VALUES (?, ?)", [(2**60 + 4, "n"), (2.0**60, "y"), (0, "y")])
    with pytest.raises(rt.InputError, match=r"holds whole numbers and doubles, of 2\^53 or more; cast them to one"):
        sql(lite, "t")
    assert sql(lite, "SELECT * FROM t WHERE x < 9").schema.attribute("x").values is None


def test_what_an_engine_cannot_read_is_said_of_the_column() -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t AS SELECT '{' AS a, 1 AS y")
    with pytest.raises(rt.InputError, match=r"^a query, column a: sqlite3 says: malformed JSON$"):
        rt.sql(database, "SELECT json(a) AS a, y FROM t")


def test_columns_that_are_read_together_stay_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of numbers one asks more often than of categories."""
    connection = pytest.importorskip("duckdb").connect()
    connection.execute("CREATE TABLE t AS SELECT n / 4 AS a, 'ab'[1 + n % 2] AS b, n AS c FROM range(9) AS numbers(n)")
    alone = rt.sql(connection, "t")
    monkeypatch.setattr(engines, "ENGINES", {"duckdb": ENGINES["duckdb"]._replace(packed="[*COLUMNS(*)]")})
    together = rt.sql(connection, "t")
    assert (alone.database.queries, together.database.queries) == (7, 3)
    assert together.schema == alone.schema
    assert [*together.stored] == ["a", "b", "c"]


@pytest.mark.parametrize("kind", ["", "INTEGER", "REAL", "NUMERIC"])
@pytest.mark.parametrize("text", ["", "n/a"])
def test_numbers_beside_texts_are_no_categories_unless_that_is_said(kind: str, text: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute(f'CREATE TABLE t ("the size" {kind}, y TEXT)')
    rows = [(1, "a"), (2.5, "b"), (text, "a"), (4, "b")]
    connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
    with pytest.raises(InputError, match=f"t, column the size: holds numbers and texts, such as '{text}'; say cat"):
        sql(connection, "t")
    assert sql(connection, "t", categorical=["the size"]).schema.attributes[0].values is not None
    (attribute,) = sql(connection, f"SELECT NULLIF(`the size`, '{text}') AS size, y FROM t").schema.attributes
    assert attribute.values is None
