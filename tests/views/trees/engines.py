"""The programs that run SQL here, each with a table of its own types and with its own way to quote a name."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

TYPES: Mapping[str, Mapping[str, str]] = {
    "sqlite": {
        "double": "REAL",
        "single": "REAL",
        "integer": "INTEGER",
        "decimal": "NUMERIC",
        "text": "TEXT",
        "folded": "TEXT COLLATE NOCASE",
    },
    "duckdb": {
        "double": "DOUBLE",
        "single": "FLOAT",
        "integer": "BIGINT",
        "decimal": "DECIMAL(30, 12)",
        "text": "VARCHAR",
        "folded": "VARCHAR COLLATE NOCASE",
    },
    "postgresql": {
        "double": "DOUBLE PRECISION",
        "single": "REAL",
        "integer": "BIGINT",
        "decimal": "NUMERIC",
        "text": "TEXT",
        "folded": "TEXT COLLATE without_case",
    },
    "mysql": {
        "double": "DOUBLE",
        "single": "FLOAT",
        "integer": "BIGINT",
        "decimal": "DECIMAL(40, 12)",
        "text": "VARCHAR(200)",
        "folded": "VARCHAR(200) COLLATE utf8mb4_general_ci",
    },
}
"""The names of the types of columns."""


class Server:
    """A program that is asked by way of the database interface of Python."""

    dialect: Any

    def __init__(self, dialect: str, connection: Any, mark: str = "?", quote: str = '"') -> None:
        self.dialect, self.connection, self.mark, self.quote = dialect, connection, mark, quote

    def run(self, text: str, cells: Sequence[Any] | None = None) -> Any:
        """Run a statement; without cells nothing in its text is a mark."""
        cursor = self.connection.cursor()
        cursor.execute(text, *([] if cells is None else [cells]))
        return cursor

    def answers(self, expression: str, kinds: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> list[Any]:
        """The value of an expression for each row of a table with these columns."""
        named = [self.quote + name.replace(self.quote, self.quote * 2) + self.quote for name in kinds]
        typed = ", ".join(f"{name} {TYPES[self.dialect][kinds[each]]}" for name, each in zip(named, kinds, strict=True))
        self.run("DROP TABLE IF EXISTS asked")
        self.run(f"CREATE TABLE asked (row_number_ INTEGER, {typed})")
        types = ["INTEGER", *(TYPES[self.dialect][kind] for kind in kinds.values())]
        is_typed = self.dialect == "postgresql"
        marks = ", ".join(
            f"CAST({self.mark} AS {kind.partition(' COLLATE')[0]})" if is_typed else self.mark for kind in types
        )
        for number, row in enumerate(rows):
            cells = [str(cell) if isinstance(cell, Decimal) else cell for cell in map(row.get, kinds)]
            self.run(f"INSERT INTO asked VALUES ({marks})", [number, *cells])
        return [answer for _, answer in self.run(f"SELECT row_number_, {expression} FROM asked ORDER BY 1").fetchall()]


class Spark:
    """Spark, on this machine alone."""

    dialect: Any = "spark"

    def __init__(self, session: Any) -> None:
        self.session = session

    def answers(self, expression: str, kinds: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> list[Any]:
        """The value of an expression for each row of a table with these columns."""
        types = import_module("pyspark.sql.types")
        kinds_of = {
            "double": types.DoubleType(),
            "single": types.FloatType(),
            "integer": types.LongType(),
            "decimal": types.DecimalType(30, 12),
            "text": types.StringType(),
            "folded": types.StringType("UTF8_LCASE") if "folded" in kinds.values() else None,  # since Spark 4
        }
        fields = [types.StructField(name, kinds_of[kind]) for name, kind in kinds.items()]
        schema = types.StructType([types.StructField("row_number_", types.LongType()), *fields])
        cells = [[number, *map(row.get, kinds)] for number, row in enumerate(rows)]
        self.session.createDataFrame(cells, schema).createOrReplaceTempView("asked")
        found = self.session.sql(f"SELECT row_number_, {expression} AS answer FROM asked ORDER BY 1").collect()
        return [row["answer"] for row in found]


OF_SPARK = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    # A query on a few rows takes its time in planning and compiling: nothing is compiled, planned twice or proved.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.constraintPropagation.enabled": "false",
    "spark.sql.lightweightPlanChangeValidation": "false",
    "spark.sql.subexpressionElimination.enabled": "false",
}
"""How Spark is started."""


@contextmanager
def started(dialect: str, parts: int = 1) -> Iterator[Server | Spark]:
    """A program, started where it has to be, and ended; Spark divides its tables into so many parts."""
    if dialect == "sqlite":
        yield Server(dialect, sqlite3.connect(":memory:"))
    elif dialect == "duckdb":
        yield Server(dialect, pytest.importorskip("duckdb").connect())
    elif dialect == "spark":
        pyspark = pytest.importorskip("pyspark.sql")
        if shutil.which("java") is None:
            pytest.skip("Spark needs Java")
        builder = pyspark.SparkSession.builder.master(f"local[{parts}]")
        for name, value in {**OF_SPARK, "spark.sql.shuffle.partitions": str(parts)}.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        try:
            yield Spark(session)
        finally:
            session.stop()
    else:
        with tempfile.TemporaryDirectory(prefix="asked") as folder:
            yield from _server(dialect, Path(folder))


def _server(dialect: str, folder: Path) -> Iterator[Server]:
    """A server that listens on a socket in a folder, and nowhere else."""
    is_root = os.getuid() == 0
    if dialect == "postgresql":
        driver, found = pytest.importorskip("psycopg"), sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        if not found:
            pytest.skip("PostgreSQL is not installed")
        owner = "postgres" if is_root else None  # the server refuses to run as root
        if owner:
            shutil.chown(folder, owner, owner)
        prepare = f"{found[-1]}/initdb -D {folder}/data -U asked -A trust -E UTF8"
        serve = f"{found[-1]}/postgres -D {folder}/data -k {folder} -c listen_addresses="
        socket = folder / ".s.PGSQL.5432"
        connect = partial(driver.connect, host=str(folder), user="asked", dbname="postgres", autocommit=True)
    else:
        driver, owner = pytest.importorskip("pymysql"), None
        if shutil.which("mariadbd") is None:
            pytest.skip("MariaDB is not installed")
        data = f"--no-defaults --datadir={folder}/data {'--user=root' if is_root else ''}"
        prepare = f"mariadb-install-db {data} --auth-root-authentication-method=normal"
        socket = folder / "socket"
        serve = f"mariadbd {data} --socket={socket} --skip-networking --pid-file={folder}/pid"
        connect = partial(driver.connect, unix_socket=str(socket), user="root", charset="utf8mb4")
    subprocess.run(prepare.split(), check=True, capture_output=True, cwd="/", user=owner, group=owner)
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(serve.split(), cwd="/", user=owner, group=owner, stdout=nowhere, stderr=nowhere) as running:
        try:
            server = Server(dialect, _connected(connect, driver, socket), "%s", "`" if dialect == "mysql" else '"')
            if dialect == "mysql":
                server.run("CREATE DATABASE asked CHARACTER SET utf8mb4")
                server.run("USE asked")
            yield server
            server.connection.close()
        finally:
            running.terminate()


def _connected(connect: Callable[[], Any], driver: Any, socket: Path) -> Any:
    for _ in range(600):
        if socket.exists():
            with suppress(driver.OperationalError):
                return connect()
        time.sleep(0.1)
    raise TimeoutError("the server does not answer")
