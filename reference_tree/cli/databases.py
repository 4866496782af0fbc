"""Databases on the command line: a file of SQLite or DuckDB, Parquet files, or the address of a PostgreSQL server.

SQLite is part of Python. The drivers of the others are optional; where one is missing, the message names it. What is
opened is opened for reading alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from reference_tree.data.errors import InputError, listed, no_such, shown
from reference_tree.data.held import BINARY
from reference_tree.data.questions import Row
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.stores.columns import ColumnReader
from reference_tree.stores.engines import ASCENDING, Asked, Database
from reference_tree.stores.sql import SQLTable, opened, sql

SUFFIXES: Mapping[str, str] = {".db": "sqlite3", ".sqlite": "sqlite3", ".sqlite3": "sqlite3", ".duckdb": "duckdb"}
"""The engine of a file, by the end of its name."""

ADDRESSES = ("postgresql://", "postgres://")

TABLES: Mapping[str, str] = {
    "sqlite3": "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*'",
    "duckdb": "SELECT table_name AS name FROM information_schema.tables",
    "psycopg": "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()",
}
"""The query that lists the tables, by engine."""


def engine_of(source: str) -> str | None:
    """The engine that a source needs; None if it is no database.

    Example:
        >>> [engine_of(source) for source in ("shop.db", "data/*.parquet", "postgresql://host/shop", "shop.csv", "-")]
        ['sqlite3', 'duckdb', 'psycopg', None, None]
    """
    if source.startswith(ADDRESSES):
        return "psycopg"
    if source.lower().endswith(".parquet") and "*" in source:
        return "duckdb"
    return SUFFIXES.get(Path(source).suffix.lower())


def stored(source: str, table: str | None, **how: Any) -> SQLTable:
    """The table of a database.

    Args:
        source: the file or the address.
        table: the table, the view or the SELECT; None if there is one table alone.
        how: the other arguments of `sql`.

    Raises:
        InputError: it cannot be opened, its driver is not installed, or it is not said which table is meant.
    """
    return sql(*_located(source, table), **how)


def stored_under(
    source: str, table: str | None, known: Sequence[Attribute], weights: str | None, *, complete: bool
) -> SQLTable | Table:
    """The table of a database, read under a schema that is known; arguments as for `cli.tables.table_under`.

    The rows are fetched if a tree holds its numbers as floats.
    """
    as_written = [replace(one, held="written") for one in known]
    found = stored(source, table, weights=weights, known=as_written)
    for wanted in (one.name for one in known if complete):
        if wanted not in found.stored:
            raise InputError(no_such("column", wanted, found.stored), path=source)
    return found if all(one.held not in BINARY for one in known) else found.in_memory()


def stored_rows(source: str, table: str | None, known: Sequence[Attribute]) -> Iterator[tuple[int, Row]]:
    """The rows of a table in a database, each with its number, for the columns that are known and there."""
    connection, name = _located(source, table)
    database, rows = opened(connection, name)
    as_written = {one.name: replace(one, held="written") for one in known}
    there = [name for name in database.names(rows) if name in as_written]
    reader = ColumnReader(database, rows, known=as_written)
    columns = reader.columns(there, "1 = 1")
    cells = database.asked(Asked(f"SELECT {', '.join(one.sql for one in columns.values()) or '1'} FROM {rows}"))
    found = ({name: one.value(cell) for (name, one), cell in zip(columns.items(), row, strict=False)} for row in cells)
    return enumerate(found, start=1)


def _located(source: str, table: str | None) -> tuple[Any, str]:
    """A connection, and the table, the view or the SELECT in it."""
    engine = engine_of(source)
    assert engine is not None
    if engine == "duckdb" and "*" in source:
        if table is not None:
            raise InputError("is Parquet, and has one table alone; leave out --table", path=source)
        quoted = source.replace("'", "''")
        return _driver(engine, source).connect(), f"SELECT * FROM read_parquet('{quoted}')"
    connection = _opened(engine, source)
    database = Database(connection, source)
    found = [
        str(name)
        for (name,) in database.asked(Asked(f"SELECT name FROM ({TABLES[engine]}) AS found ORDER BY name {ASCENDING}"))
    ]
    if table is None:
        if len(found) != 1:
            there = f"has the tables {listed(found)}" if found else "has no table"
            raise InputError(f"{there}; say --table NAME", path=source)
        (table,) = found
    if table in found and opened(connection, table)[1] != database.quoted(table):  # it looks like a SELECT or a schema
        quoted = table.replace('"', '""')
        table = f'SELECT * FROM "{quoted}"'
    return connection, table


def _opened(engine: str, source: str) -> Any:
    """A connection that reads, and in one transaction, so that it sees no change of the rows."""
    if engine != "psycopg" and not Path(source).is_file():
        raise InputError("there is no such file", path=source)
    driver = _driver(engine, source)
    try:
        if engine == "sqlite3":
            connection = sqlite3.connect(f"{Path(source).resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
            connection.execute("BEGIN")
            connection.set_progress_handler(lambda: 0, 1_000_000)  # so that Ctrl-C is seen within a query
        elif engine == "duckdb":
            connection = driver.connect(source, read_only=True)
            connection.begin()
        else:
            connection = driver.connect(source)
            connection.read_only, connection.isolation_level = True, driver.IsolationLevel.REPEATABLE_READ
        return connection
    except driver.Error as error:
        raise InputError(str(error).strip().splitlines()[0], path=source) from None


def _driver(engine: str, source: str) -> Any:
    try:
        return import_module(engine)
    except ImportError:
        raise InputError(f"needs {engine}: pip install 'reference-tree[sql]'", path=shown(source)) from None
