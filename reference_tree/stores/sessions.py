"""Sessions: what the session behind a connection could decide, and how a store is kept from that.

A caller hands over a connection as it is: with adapters, with a factory of rows, with settings and with functions of
its own. The statements of a store spell whatever a setting could decide (`engines`). Here is the rest:

1. `module_of` knows a connection by its class.
2. `answered` asks with a cursor of its own, whose rows are tuples.
3. `refuse_decided` tries what cannot be spelled, once, when the store is opened: what the driver makes of a value, what
   the functions are, and the few settings that change the meaning of a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from importlib import import_module
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError, listed

CONNECTIONS: Mapping[tuple[str, str], str] = {
    ("sqlite3", "Connection"): "sqlite3",
    ("duckdb", "DuckDBPyConnection"): "duckdb",
    ("psycopg", "Connection"): "psycopg",
    ("pyspark", "SparkSession"): "pyspark",
}
"""The module of an engine, by the package and the name of the class of its connections."""


def module_of(connection: Any) -> str:
    """The module of the engine behind a connection.

    Raises:
        InputError: it is none of `CONNECTIONS`, nor of a class derived from one.

    Example:
        >>> import sqlite3
        >>> module_of(sqlite3.connect(":memory:"))
        'sqlite3'
    """
    for kind in type(connection).__mro__:
        package = kind.__module__.partition(".")[0].removeprefix("_")
        if found := CONNECTIONS.get((package, kind.__name__)):
            return found
    modules = listed(dict.fromkeys(CONNECTIONS.values()))
    raise InputError(
        f"{type(connection).__name__} is no connection of {modules}; hand over the connection itself, and of a cursor,"
        " a relation or a data frame a view"
    )


def answered(connection: Any, module: str, sql: str, parameters: tuple[Any, ...]) -> Any:
    """The result of a query, with the columns in the order in which they stand in the query.

    Rows are tuples, whatever factory the connection has. PostgreSQL sends values as bytes, since as text a setting cuts
    off the digits of doubles.
    """
    if module == "pyspark":
        return connection.sql(sql, args=list(parameters))
    if module == "duckdb":  # a cursor would be another session, without the temporary tables of this one
        return connection.execute(sql, parameters)
    if module == "sqlite3":
        cursor = connection.cursor()
        cursor.row_factory = None
        return cursor.execute(sql, parameters)
    own = import_module("psycopg").Cursor(connection, row_factory=import_module("psycopg.rows").tuple_row)
    return own.execute(sql, parameters, binary=True)


class Tried(NamedTuple):
    """An expression that is tried when a store is opened, and what comes back if nothing takes its place."""

    sql: str
    answer: Any
    parameters: tuple[Any, ...] = ()


FUNCTIONS = (Tried("ROUND(2.4e0)", 2), Tried("ABS(-3)", 3))
SUMS = (Tried("SUM(n)", 7), Tried("COUNT(n)", 2), Tried("MIN(n)", 2), Tried("MAX(n)", 5))
FLOATS = (Tried("FLOOR(2.5e0)", 2), Tried("CEIL(2.5e0)", 3), Tried("LN(1e0)", 0), Tried("SQRT(4e0)", 2))
"""What statements call. SQLite may be built without some; where it lacks them, they are not called."""

_TEXT, _DOUBLE = "aA ", 0.30000000000000004
TRIED: Mapping[str, tuple[Tried, ...]] = {
    "sqlite3": (
        Tried("'aA '", _TEXT),
        Tried("CAST(? AS TEXT)", _TEXT, (_TEXT,)),
        Tried("CAST(? AS REAL)", _DOUBLE, (_DOUBLE,)),
        Tried("'aB' = 'Ab' COLLATE BINARY", 0),  # `create_collation` takes its place
        Tried("'aB' > 'Ab' COLLATE BINARY", 1),
        *FUNCTIONS,
        *SUMS,
    ),
    "duckdb": (
        Tried("CAST(? AS VARCHAR)", _TEXT, (_TEXT,)),
        Tried("CAST(? AS DOUBLE)", _DOUBLE, (_DOUBLE,)),
        Tried("CAST('1.10' AS DECIMAL(4, 2))", Decimal("1.10")),
        *FUNCTIONS,
        *FLOATS,
        *SUMS,
    ),
    "psycopg": (
        Tried("CAST('aA ' AS TEXT)", _TEXT),
        Tried("CAST(%s AS TEXT)", _TEXT, (_TEXT,)),
        Tried("CAST(%s AS DOUBLE PRECISION)", _DOUBLE, (_DOUBLE,)),
        Tried("CAST('1.10' AS NUMERIC)", Decimal("1.10")),
        Tried("CAST(7 AS BIGINT)", 7),
        *(Tried(f"{sql[:-1]}::DOUBLE PRECISION)", answer) for sql, answer, _ in (*FUNCTIONS, *FLOATS)),
        *SUMS,
    ),
    "pyspark": (
        Tried("CAST('1.10' AS DECIMAL(4, 2))", Decimal("1.10")),
        *FUNCTIONS,
        *FLOATS,
        Tried("STACK(1, 7)", 7),
    ),
}
"""What is tried, by engine. Spark, where a query is dear, adds up nothing for that."""

SETTINGS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "sqlite3": {"short_column_names": ("0", "PRAGMA short_column_names = ON")},
    "pyspark": {
        "spark.sql.parser.quotedRegexColumnNames": ("true", "SET spark.sql.parser.quotedRegexColumnNames=false")
    },
}
"""The settings that change what a name means, by engine: the value that is refused, and what sets another."""


def refuse_decided(connection: Any, module: str) -> None:
    """Refuse a session that changes what a store would read.

    Raises:
        InputError: a value comes back as another one, a function is not the engine's own, or a setting changes names.

    Example:
        >>> import sqlite3
        >>> shop = sqlite3.connect(":memory:")
        >>> refuse_decided(shop, "sqlite3")
        >>> shop.text_factory = bytes
        >>> refuse_decided(shop, "sqlite3")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: 'aA ' is b'aA ' in this session, where the engine itself says 'aA '; ...
    """
    for name, (refused, otherwise) in SETTINGS.get(module, {}).items():
        if setting_of(connection, module, name) == refused:
            raise InputError(f"{name} changes what the name of a column means; {otherwise}")
    tried = TRIED[module]
    two = "" if module == "pyspark" else " FROM (SELECT 2 AS n UNION ALL SELECT 5) AS two"
    query = f"SELECT {', '.join(f'{one.sql} AS c{place}' for place, one in enumerate(tried))}{two}"
    parameters = tuple(each for one in tried for each in one.parameters)
    found = answered(connection, module, query, parameters)
    (row,) = found.collect() if module == "pyspark" else found.fetchall()
    for one, got in zip(tried, row, strict=True):
        if got != one.answer:
            raise InputError(
                f"{one.sql} is {got!r} in this session, where the engine itself says {one.answer!r}; hand over a"
                " connection without adapters, factories of texts, and functions of these names"
            )


def setting_of(connection: Any, module: str, name: str) -> str:
    """The value of a setting, as a text; the empty one where SQLite has none."""
    if module == "pyspark":
        return str(connection.conf.get(name)).lower()
    found = answered(connection, module, f"PRAGMA {name}", ()).fetchone()
    return str(found[0]) if found else ""


__all__ = ["CONNECTIONS", "SETTINGS", "TRIED", "answered", "module_of", "refuse_decided", "setting_of"]
