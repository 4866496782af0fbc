"""Tables in databases, for tests: written down by an engine, and read by `rt.sql`."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from reference_tree.data.table import Table
from reference_tree.stores.sql import sql


def cell(value: Any) -> Any:
    """A value as a program would write it into a database: a whole number, or a double."""
    return int(value) if isinstance(value, int) else float(value) if isinstance(value, Fraction) else value


def written(table: Table, connection: Any = None, types: tuple[str, str] = ("NUMERIC", "TEXT"), mark: str = "?") -> Any:
    """A connection to a database with the table `cells`, its weights in the column `w`."""
    connection = connection or sqlite3.connect(":memory:")
    columns = [*table.schema.attributes, table.schema.target]
    if any(kind.__module__.startswith("pyspark") for kind in type(connection).__mro__):
        return in_spark(table, connection)
    named = [(one.name.replace('"', '""'), types[one.values is not None]) for one in columns]
    for place, one in enumerate(columns):  # whole numbers that no double holds
        if one.values is None and any(not -(2**53) < number < 2**53 for number in table.schema.numbers[one.name]):
            named[place] = named[place][0], "NUMERIC(38, 0)"
    connection.execute("DROP TABLE IF EXISTS cells")
    definition = ", ".join(f'"{name}" {kind}' for name, kind in named)
    connection.execute(f"CREATE TABLE cells ({definition}, w {types[0]})")
    rows = [
        [*(cell(row[one.name]) for one in columns), cell(weight)]
        for row, weight in zip(table.rows(), table.weighted(), strict=True)
    ]
    marks = ", ".join([mark] * (len(columns) + 1))
    run = connection.cursor() if mark == "%s" else connection
    run.executemany(f"INSERT INTO cells VALUES ({marks})", rows)
    return connection


class SparkSession:
    """A session of Spark, as `rt.sql` knows it."""

    __module__ = "pyspark.sql"


class Remembering(SparkSession):
    """A session of Spark that asks no query of a table twice, as each takes a tenth of a second or more."""

    def __init__(self, session: Any) -> None:
        self.catalog = session.catalog
        self.session, self.conf, self._rows, self._answers = session, session.conf, "", dict[str, Any]()

    def sql(self, query: str, args: Sequence[Any]) -> Any:
        """The answer to a query."""
        key = repr((query, args))
        if key not in self._answers:
            found = self.session.sql(query, args=args)
            self._answers[key] = SimpleNamespace(dtypes=found.dtypes, collect=cache(found.collect), cache=found.cache)
        return self._answers[key]

    def has(self, rows: Any) -> bool:
        """Whether these are the rows of the table so far; otherwise what is known of that is forgotten."""
        before, self._rows = self._rows, repr(rows)
        if before != self._rows:
            self._answers.clear()
        return before == self._rows


def in_spark(table: Table, connection: Any) -> Any:
    """A session of Spark with the view `cells`."""
    types: Any = import_module("pyspark.sql.types")
    columns = [*table.schema.attributes, table.schema.target]
    kinds = [types.StringType() if one.values is not None else types.DoubleType() for one in columns]
    has_parts = any(weight % 1 for weight in table.weighted())
    fields = [types.StructField(one.name, kind) for one, kind in zip(columns, kinds, strict=True)]
    fields.append(types.StructField("w", types.DoubleType() if has_parts else types.LongType()))

    def held(value: Any) -> Any:
        return value if value is None or isinstance(value, str) else float(value)

    rows = [
        [*(held(row[one.name]) for one in columns), float(weight) if has_parts else int(weight)]
        for row, weight in zip(table.rows(), table.weighted(), strict=True)
    ]
    is_remembering = isinstance(connection, Remembering)
    if not (is_remembering and connection.has((fields, rows))):
        session = connection.session if is_remembering else connection
        kept = session.createDataFrame(rows, types.StructType(fields))
        kept.localCheckpoint().createOrReplaceTempView("cells")  # else Python gives the rows anew
    return connection


def stored(table: Table, connection: Any = None, **how: Any) -> Any:
    """The table in a database, an `SQLTable`; it stands also where a function says `Table` and asks for less."""
    connection = written(table, connection, **how)
    kinds: dict[str, Any] = {
        "categorical": [one.name for one in (*table.schema.attributes, table.schema.target) if one.values is not None],
        "continuous": [one.name for one in (*table.schema.attributes, table.schema.target) if one.values is None],
    }
    if table.weights is None:
        return sql(connection, "cells", table.schema.target.name, without=["w"], **kinds)
    return sql(connection, "cells", table.schema.target.name, weights="w", **kinds)
