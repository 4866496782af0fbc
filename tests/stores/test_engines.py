"""What an engine refuses is one line, and a name stays a name."""

from __future__ import annotations

import sqlite3

import pytest

import reference_tree as rt
from reference_tree.stores.engines import ENGINES, Asked, Database, joined


@pytest.mark.parametrize("module", ENGINES)
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


def test_what_the_engine_says_is_one_line() -> None:
    with pytest.raises(rt.InputError) as error:
        Database(sqlite3.connect(":memory:"), "t").asked(Asked("SELECT\nnonsense"))
    assert str(error.value) == "t: sqlite3 says: no such column: nonsense"


def test_an_error_of_python_is_none_of_the_engine() -> None:
    class Connection(sqlite3.Connection):
        def execute(self, *_: object) -> sqlite3.Cursor:
            raise KeyboardInterrupt

    Connection.__module__ = "sqlite3"
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
