"""Tables that a tree, or another table, says how to read: the rows it was grown from, and the rows that judge it.

Nothing is inferred here. A column that is known is read as it is known, with its kind and its values; one that is not
is left out. So a value that the tree has no branch for is reported with its line and column.

A database is a file of SQLite or DuckDB, Parquet files, or the address of a PostgreSQL server. SQLite is part of
Python. The drivers of the others are optional; where one is missing, the message names it. A database is opened
for reading alone.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from reference_tree.cli.output import reading, remark
from reference_tree.data.asked import treated
from reference_tree.data.columns import Column, Origin
from reference_tree.data.errors import InputError, listed, no_such, shown
from reference_tree.data.held import BINARY
from reference_tree.data.questions import Row
from reference_tree.data.readers import read_raw
from reference_tree.data.readers.raw import PLAIN, Layout, Raw
from reference_tree.data.readers.rows import under
from reference_tree.data.readers.text import Source, title_of
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table, assemble, is_in_memory
from reference_tree.data.textbook import is_textbook, textbook
from reference_tree.stores.columns import ColumnReader
from reference_tree.stores.engines import ASCENDING, Asked, Database
from reference_tree.stores.sql import SQLTable, sql
from reference_tree.stores.sql import opened as opened_database
from reference_tree.tree import Tree, TreeError
from reference_tree.tree_document.form import FOREIGN

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
    database, rows = opened_database(connection, name)
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
    # The name of a table may look like a SELECT or a schema.
    if table in found and opened_database(connection, table)[1] != database.quoted(table):
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


STANDARD_INPUT = "-"
"""The name of standard input in a command."""


def opened(source: str) -> Source:
    """The source: standard input, or the file of this name.

    Raises:
        InputError: it is standard input, which is closed.
    """
    if source != STANDARD_INPUT:
        return source
    if sys.stdin is None:
        raise InputError("standard input is closed; name a file, or pipe one in", path=source)
    return sys.stdin.buffer


def refuse_for_textbook(name: str, layout: Layout, weights: str | None) -> None:
    """Refuse the options that describe a file where the data set is one of a textbook.

    Raises:
        InputError: one of them is given.
    """
    given = {
        "--weights": weights is not None,
        "--na": layout.missing is not None,
        "--separator": layout.separator is not None,
        "--no-header": not layout.header,
        "--decimal": layout.decimal is not None,
        "--encoding": layout.encoding is not None,
        "--table": layout.table is not None,
    }
    for flag in (flag for flag in given if given[flag]):
        kind = "databases" if flag == "--table" else "files"
        raise InputError(f"{flag} is for {kind}; {name} is a textbook data set")


def table_under(
    source: str,
    target: Attribute,
    attributes: Sequence[Attribute],
    layout: Layout = PLAIN,
    weights: str | None = None,
    *,
    complete: bool = False,
) -> Table:
    """The table in a file, or that of a textbook, read under a schema that is known.

    Args:
        source: a file, or the name of a textbook data set.
        target: the column to predict, with its classes.
        attributes: the others that are known.
        layout: how the file is written, as far as it does not say so.
        weights: the column that holds the weight of each row.
        complete: whether each attribute has to be there.

    Raises:
        InputError: it cannot be read, lacks a column that has to be there, or a cell is none of the values that are
            known.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> schema = textbook("watermelon-2.0").schema
        >>> table_under("watermelon-2.0-validation", schema.target, schema.attributes).schema.attributes[1].values
        ('硬挺', '稍蜷', '蜷缩')
    """
    if engine_of(source) is not None:
        return cast(Table, stored_under(source, layout.table, (*attributes, target), weights, complete=complete))
    known = {attribute.name: attribute for attribute in (*attributes, target)}
    name = source if is_textbook(source) else title_of(source)
    if is_textbook(source):
        raw, left_out = _of_textbook(source, known, layout, weights)
    else:
        with reading(source):
            (raw, said), left_out = under(read_raw(opened(source), layout), known), 0
            for line in said:
                remark(f"{source}: {line}")
        if weights and raw.weights:
            raise InputError("the rows state weights of their own; leave out --weights", path=source)
    weights = weights or raw.weights
    there = [column.name for column in raw.columns]
    for wanted in (target.name, *([weights] if weights else []), *(known if complete else [])):
        if wanted not in there:
            raise InputError(no_such("column", wanted, there), path=source)
    columns = [replace(column, declared=known.get(column.name)) for column in raw.columns if column.name in known]
    if weights is not None and weights not in known:
        columns += [column for column in raw.columns if column.name == weights]
    try:
        table = assemble(columns, target.name, weights, (), (), name, raw.origin)
    except InputError as error:
        raise InputError(error.message, path=source, line=error.line, column=error.column) from None
    return replace(table, left_out=table.left_out + left_out)


def _of_textbook(name: str, known: dict[str, Attribute], layout: Layout, weights: str | None) -> tuple[Raw, int]:
    """The columns of a textbook data set; where the schema has categories, its numbers are categories."""
    refuse_for_textbook(name, layout, weights)
    schema = textbook(name).schema
    there = [attribute.name for attribute in (*schema.attributes, schema.target)]
    kinds = {kind: [one for one in there if one in known and known[one].kind == kind] for kind in _KINDS}
    table = textbook(name, kinds["categorical"], kinds["continuous"])
    rows = list(table.rows())
    return Raw([Column(one, [row[one] for row in rows]) for one in there], Origin()), table.left_out


_KINDS = ("categorical", "continuous")


def rows_of(tree: Tree, source: str, layout: Layout = PLAIN, weights: str | None = None) -> Table:
    """The rows that a tree was grown from.

    Args:
        tree: the tree.
        source: where they should be.
        layout: as for `table_under`.
        weights: as for `table_under`.

    Raises:
        InputError: they cannot be read, a column is not there, or they are other rows: sent down the tree, they do not
            add up to its counts. Of a foreign tree that divides rows without an answer only the root is looked at, for
            its shares are as its program printed them.
    """
    table = tree.seen(table_under(source, tree.target, tree.attributes, layout, weights, complete=True))
    table = with_attributes(table, tree.attributes)
    try:
        _check_rows(tree, table)
    except TreeError as error:
        raise InputError(f"the tree was not grown from these rows: {error}", path=source) from None
    return table


def with_attributes(table: Table | SQLTable, attributes: Sequence[Attribute]) -> Table:
    """A table under the schema of a tree, with values treated as the tree says; a store has its schema already."""
    if not is_in_memory(table):
        return cast(Table, table)
    table = treated(table, {one.name: one for one in attributes})
    there = {one.name: one for one in table.schema.attributes}
    under_tree = tuple(one if one.treatment is None else there[one.name] for one in attributes)
    return replace(table, schema=replace(table.schema, attributes=under_tree))


def _check_rows(tree: Tree, table: Table) -> None:
    if tree.grower.name == FOREIGN and any(node.missing.shares for node in tree.nodes):
        if tree.nodes[0].counts != table.sample().total():
            raise TreeError("node 0 has other counts")
    else:
        tree.check(table)
