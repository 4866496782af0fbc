"""What an engine refuses is one line, and a name stays a name."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.stores.engines import ENGINES, Asked, Database, joined
from tests.every import of_every
from tests.views.trees.engines import started


@of_every(ENGINES)
def test_a_name_is_quoted_as_the_engine_does(module: str) -> None:
    quote = ENGINES[module].quote
    database = Database(sqlite3.connect(":memory:"), "t")
    database.engine = ENGINES[module]
    percent = "%%" if ENGINES[module].mark == "%s" else "%"
    assert database.quoted(f"a{quote}b%") == f"{quote}a{quote * 2}b{percent}{quote}"


def test_queries_and_their_rows_are_counted() -> None:
    database = Database(sqlite3.connect(":memory:"), "t")
    query = "SELECT * FROM " + Asked("(VALUES (?), (?))", (1, 2)) + " AS two"
    assert database.asked(query) == [(1,), (2,)]
    assert (database.queries, database.fetched) == (1, 2)
    assert joined(" OR ", []) == Asked("")


def test_queries_are_asked_together_where_one_is_dear() -> None:
    database = Database(pytest.importorskip("duckdb").connect(), "t")
    database.engine = database.engine._replace(packed="[*COLUMNS(*)]")
    query = "SELECT n, 2 * n FROM range(3) AS numbers(n) WHERE n > " + Asked("?", (0,))
    queries = {"a": query, "none": query + " AND n > 5", "b": Asked("SELECT 7")}
    rows = {"a": [(1, 2), (2, 4)], "none": [], "b": [(7,)]}
    assert (database.together(queries), database.queries) == (rows, 1)
    assert (database.together({"a": query}), database.queries) == ({"a": rows["a"]}, 2)


def test_of_queries_that_are_asked_together_the_one_that_is_refused_is_named() -> None:
    database = Database(sqlite3.connect(":memory:"), "t")
    database.engine = database.engine._replace(packed="nonsense")
    assert database.together({"a": Asked("SELECT 1"), "b": Asked("SELECT 2")}) == {"a": [(1,)], "b": [(2,)]}
    with pytest.raises(rt.InputError, match="t, column b: sqlite3 says: no such column: z"):
        database.together({"a": Asked("SELECT 1"), "b": Asked("SELECT z")})


def test_what_the_engine_says_is_one_line() -> None:
    with pytest.raises(rt.InputError) as error:
        Database(sqlite3.connect(":memory:"), "t").asked(Asked("SELECT\nnonsense"))
    assert str(error.value) == "t: sqlite3 says: no such column: nonsense"


def test_an_error_of_python_is_none_of_the_engine() -> None:
    class Connection(sqlite3.Connection):
        def cursor(self, *_: object) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Database(sqlite3.connect(":memory:", factory=Connection), "t").asked(Asked("SELECT 1"))


def test_an_interrupted_query_is_an_interruption() -> None:
    connection = sqlite3.connect(":memory:")
    connection.set_progress_handler(lambda: 1, 1)  # as after Ctrl-C
    with pytest.raises(KeyboardInterrupt):
        Database(connection, "t").asked(Asked("SELECT 1 UNION SELECT 2"))


def test_a_connection_that_closes_midway_is_one_line() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t AS SELECT 1 AS a, 'x' AS y UNION SELECT 2, 'z'")
    there = rt.sql(connection, "t")
    connection.close()
    with pytest.raises(rt.InputError, match="t: sqlite3 says: Cannot operate on a closed database"):
        rt.CART().grow(there)


def test_a_session_of_spark_that_is_stopped_midway_is_one_line() -> None:
    """What Spark itself raises then depends on what it was asked; see `test_wrong_use_of_spark_is_one_line`."""

    class SparkSession:
        _sc = SimpleNamespace(_jsc=None)

        def sql(self, *_: object, **__: object) -> None:
            raise AssertionError

    SparkSession.__module__ = "pyspark.sql"
    with pytest.raises(rt.InputError, match="t: the session of Spark was stopped"):
        Database(SparkSession(), "t").asked(Asked("SELECT 1"))


def interrupt(context: Any) -> None:
    """Ctrl-C, as soon as Spark has a job."""
    while not context.statusTracker().getActiveJobsIds():
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.oracles
@pytest.mark.spark
def test_wrong_use_of_spark_is_one_line() -> None:
    with started("spark", parts=4) as server:
        session = server.session  # type: ignore[union-attr]
        views = {
            "t": "id AS a", "arrays": "array(id) AS a", "maps": "map('a', id) AS a", "structs": "struct(id) AS a",
            "blobs": "CAST('a' AS BINARY) AS a", "dates": "current_date() AS a",
            "infinite": "CAST('inf' AS DOUBLE) AS a", "names": "id AS `x``; DROP VIEW t; --`",
        }  # fmt: skip
        for name, column in views.items():
            session.sql(f"SELECT {column}, id % 2 > 0 AS y FROM range(9)").createOrReplaceTempView(name)
        session.sql("SELECT a, CAST(NULL AS STRING) AS y FROM t").createOrReplaceTempView("nulls")
        session.sql("SELECT * FROM t WHERE a < 0").createOrReplaceTempView("empty")
        cases = {
            "nope": "pyspark says: .TABLE_OR_VIEW_NOT_FOUND",
            "SELECT nonsense FROM t": "pyspark says: .UNRESOLVED_COLUMN",
            "SELECT * FROM t; DROP VIEW t": "pyspark says: .PARSE_SYNTAX_ERROR",
            "nulls": "no row has a value here",
            "empty": "no row has a value here",
            **dict.fromkeys(["arrays", "maps", "structs", "blobs", "dates"], "is neither a number nor a category"),
            "infinite": "is no finite number",
        }
        for source, says in cases.items():
            with pytest.raises(rt.InputError, match=says) as error:
                rt.sql(session, source)
            assert "\n" not in str(error.value)
        with pytest.raises(rt.InputError, match="there is no column 'z'"):
            rt.sql(session, "t", "z")
        columns = "id / 7D AS a, IF(id = 3, DOUBLE('NaN'), id) AS b, STRING(id % 2) AS c, id AS d, NULLIF(id, 4) AS e"
        data = rt.sql(session, f"SELECT {columns}, id % 2 > 0 AS y FROM range(9)", "y")
        assert data.database.queries == 3, "distinct cells, NaN, ends"
        assert [one.name for one in data.schema.attributes] == [*"abcde"], "though others end after fewer queries"
        assert [column.has_gaps for column in data.stored.values()] == [False, True, False, False, True, False]
        assert [len(column.values) for column in data.stored.values()] == [9, 8, 2, 9, 8, 2]
        rt.CART(max_depth=1).grow(data)
        assert data.database.queries <= 9
        tree = rt.CART(max_depth=1).grow(rt.sql(session, "names"))
        assert tree.nodes[0].test is not None
        assert tree.nodes[0].test.name.startswith("x`; DROP VIEW t; --")
        there = rt.sql(session, "t")
        context = session.sparkContext
        session.sql("SELECT id % 9 AS a, id % 2 > 0 AS y FROM range(1000000000)").createOrReplaceTempView("t")
        ctrl_c = Thread(target=interrupt, args=(context,))
        ctrl_c.start()
        with pytest.raises(KeyboardInterrupt):
            rt.CART().grow(there)
        ctrl_c.join()
        assert not context.statusTracker().getActiveJobsIds()
    for work in (lambda: rt.CART().grow(there), lambda: rt.sql(session, "t")):
        with pytest.raises(rt.InputError, match="the session of Spark was stopped"):
            work()
