"""The programs that run SQL: SQLite, DuckDB, PostgreSQL, MariaDB."""

from __future__ import annotations

import atexit
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.peers.seen.record import RELEASES, package, says
from tests.views.trees.engines import Server, started


def _server(name: str, program: Callable[[], str | None], driver: str) -> Callable[[], str | None]:
    """The release of a server, where it and its driver are installed."""

    @cache
    def found() -> str | None:
        path, has_driver = program(), package(driver)()
        if path is None or has_driver is None:
            return None
        words = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout.split()
        return next((word.split("-")[0] for word in words if word[0].isdigit()), name)

    return found


def _postgres() -> str | None:
    return next((str(path) for path in sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))[::-1]), None)


RELEASES["SQLite"] = lambda: sqlite3.sqlite_version
RELEASES["DuckDB"] = package("duckdb")
RELEASES["PostgreSQL"] = _server("PostgreSQL", _postgres, "psycopg")
RELEASES["MariaDB"] = _server("MariaDB", lambda: shutil.which("mariadbd"), "pymysql")

TWO_CASES = "SELECT * FROM (SELECT 1 AS {0}a{0}, 2 AS {0}A{0}) AS t"


def _names(cursor: Any) -> list[str]:
    return [column[0] for column in cursor.description]


@says(
    "SQLite",
    "stores: Two of its columns whose names differ in case alone have new names in SQLite (`A:1`) and DuckDB (`A_1`)",
)
def _sqlite_renames_a_column() -> bool:
    return _names(sqlite3.connect(":memory:").execute(TWO_CASES.format('"'))) == ["a", "A:1"]


@says("SQLite", "stores: | booleans | categories; in SQLite, which stores 0 and 1, numbers |")
def _sqlite_has_no_booleans() -> bool:
    return sqlite3.connect(":memory:").execute("SELECT TRUE, typeof(TRUE)").fetchall() == [(1, "integer")]


@says("SQLite", "stores: SQLite, which lacks the type, cannot compare them")
def _sqlite_has_no_float32() -> bool:
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE t (x REAL, y FLOAT)")
    base.execute("INSERT INTO t VALUES (0.1, 0.1)")
    return bool(base.execute("SELECT x = 0.1 AND y = 0.1 AND CAST(0.1 AS FLOAT) = 0.1 FROM t").fetchone()[0] == 1)


@says("SQLite", "stores: numbers and texts in one column of SQLite, which has no types")
def _a_column_of_sqlite_has_no_type() -> bool:
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE t (x)")
    base.execute("INSERT INTO t VALUES (1), ('a')")
    return base.execute("SELECT typeof(x) FROM t").fetchall() == [("integer",), ("text",)]


@says("SQLite", "stores: `BEGIN` in SQLite and DuckDB, `REPEATABLE READ` in PostgreSQL.")
def _a_transaction_of_sqlite_is_a_snapshot() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "t.db")
        writer = sqlite3.connect(path, isolation_level=None)
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE t (x)")
        reader = sqlite3.connect(path, isolation_level=None)
        return _sees_old(reader.execute, writer.execute, "BEGIN")


def _sees_old(read: Callable[[str], Any], write: Callable[[str], Any], begin: str) -> bool:
    """Whether rows that another connection adds are not seen after a transaction began, and are without it."""
    counts = []
    for first in ("SELECT 1", begin):
        read(first)
        before = read("SELECT COUNT(*) FROM t").fetchone()[0]
        write("INSERT INTO t VALUES (1)")
        counts.append(read("SELECT COUNT(*) FROM t").fetchone()[0] - before)
    return counts == [1, 0]


def _nested(levels: int, form: str) -> str:
    text = "0"
    for level in range(levels):
        text = form.format(level, text)
    return f"SELECT {text} FROM (SELECT 5 AS x) AS t"


@says("SQLite", "views: SQLite 3.40 takes about twenty levels of `CASE` within one another")
def _sqlite_nests_few_cases() -> bool:
    taken = []
    for levels in (17, 25):
        for form in ("CASE WHEN x <= {} THEN {} ELSE 1 END", "CASE WHEN x <= {} THEN 1 ELSE {} END"):
            try:
                taken.append(bool(sqlite3.connect(":memory:").execute(_nested(levels, form))))
            except sqlite3.OperationalError:
                taken.append(False)
    return taken == [True, True, False, False]


@says("SQLite", "views: between double quotes it would be a text if there is no such column")
def _sqlite_takes_an_unknown_name_for_a_text() -> bool:
    return sqlite3.connect(":memory:").execute('SELECT "nowhere"').fetchall() == [("nowhere",)]


RUNNING = ExitStack()
"""The servers, which end with this process."""
atexit.register(RUNNING.close)


@cache
def _asked(dialect: str) -> Server:
    """A server, started once."""
    server = RUNNING.enter_context(started(dialect))
    assert isinstance(server, Server)
    return server


def _duck() -> Any:
    return import_module("duckdb").connect()


@says(
    "DuckDB",
    "stores: Two of its columns whose names differ in case alone have new names in SQLite (`A:1`) and DuckDB (`A_1`)",
)
def _duckdb_renames_a_column() -> bool:
    return _names(_duck().execute(TWO_CASES.format('"'))) == ["a", "A_1"]


@says("DuckDB", "stores: DuckDB has one result at a time: fetch yours before you open a store.")
def _duckdb_has_one_result() -> bool:
    base = _duck()
    first = base.execute("SELECT 1 FROM range(3)")
    base.execute("SELECT 2 FROM range(2)")
    return bool(first.fetchall() == [(2,)] * 2)


@says("DuckDB", "stores: `BEGIN` in SQLite and DuckDB, `REPEATABLE READ` in PostgreSQL.")
def _a_transaction_of_duckdb_is_a_snapshot() -> bool:
    base = _duck()
    base.execute("CREATE TABLE t (x INTEGER)")
    return _sees_old(base.cursor().execute, base.cursor().execute, "BEGIN")


@says("DuckDB", "views: in DuckDB, by the decimal by which it is written.")
def _duckdb_compares_a_float_by_its_decimal() -> bool:
    base = _duck()
    base.execute("CREATE TABLE t AS SELECT CAST(0.1 AS FLOAT) AS x")
    return bool(base.execute("SELECT x <= 0.1, x > 0.1 FROM t").fetchone() == (True, False))


@says("PostgreSQL", "stores: PostgreSQL tells them apart.")
def _postgresql_tells_cases_apart() -> bool:
    server = _asked("postgresql")
    return _names(server.run(TWO_CASES.format('"'))) == ["a", "A"]


@says("PostgreSQL", "stores: of PostgreSQL they come as bytes, since as text a double can lose digits.")
def _postgresql_loses_digits_of_a_text() -> bool:
    server = _asked("postgresql")
    server.run("SET extra_float_digits = 0")
    query = "SELECT CAST(0.1 AS DOUBLE PRECISION) + CAST(0.2 AS DOUBLE PRECISION)"
    texts, data = (server.connection.cursor(binary=binary).execute(query).fetchone()[0] for binary in (False, True))
    return (texts, data) == (0.3, 0.1 + 0.2)


@says("PostgreSQL", "stores: `BEGIN` in SQLite and DuckDB, `REPEATABLE READ` in PostgreSQL.")
def _a_transaction_of_postgresql_is_a_snapshot() -> bool:
    server = _asked("postgresql")
    server.run("DROP TABLE IF EXISTS t")
    server.run("CREATE TABLE t (x INTEGER)")
    info = server.connection.info
    other = import_module("psycopg").connect(host=info.host, user=info.user, dbname=info.dbname, autocommit=True)
    try:
        return _sees_old(server.run, other.execute, "BEGIN ISOLATION LEVEL REPEATABLE READ")
    finally:
        server.run("ROLLBACK")
        other.close()


@says("PostgreSQL", "views: in PostgreSQL `CAST(CAST(x AS text) AS numeric)`.")
def _postgresql_compares_a_float_exactly() -> bool:
    server = _asked("postgresql")
    query = "SELECT x <= 0.1, CAST(CAST(x AS text) AS numeric) <= 0.1 FROM (SELECT CAST(0.1 AS REAL) AS x) AS t"
    return bool(server.run(query).fetchone() == (False, True))


@says("MariaDB", "views: which no setting changes | as bytes |")
def _mariadb_has_no_case() -> bool:
    server = _asked("mysql")
    return bool(server.run("SELECT 'a' = 'A', 'a' = BINARY 'A'").fetchone() == (1, 0))
