"""Trees grown where the data are: seconds, queries and rows returned, by engine and number of rows.

    python -m tools.benchmarks.stores [--rows N ...] [--engine ENGINE ...] [--minutes M] [--to FILE]

The table is ten columns of numbers, all different or a thousand in each, and a target of two classes, or a number of
two decimals; ID3 asks for ten columns of two categories. What matters most is measured first: learner by learner, and
each by all engines. With FILE, a row is added to it as soon as it is measured, and what it has already is not measured
again. No row begins after M minutes.

scikit-learn grows its own tree of the rows in memory, Spark MLlib of those of Spark, with its 32 bins, and JoinBoost,
where it is installed, of those of DuckDB. CPU seconds are those of this process and of all that it started: the server
of PostgreSQL, and the virtual machine of Spark. The memory is the most that these had. The trees of an engine that is
asked by `rt.sql` have the same digest.
"""

from __future__ import annotations

import argparse
import os
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import reference_tree as rt
from reference_tree.stores.sql import sql
from tests.views.trees.engines import OF_SPARK, started

COLUMNS = [f"a{place}" for place in range(10)]
KINDS = {"different": 9, "1 000": 3, "0 and 1": 0}
"""The decimals of the numbers."""
ENGINES = ("duckdb", "scikit-learn", "postgresql", "sqlite", "spark", "Spark MLlib", "JoinBoost")
HOSTS = {"scikit-learn": "none", "Spark MLlib": "spark", "JoinBoost": "duckdb"}
"""Where the rows of a program are that grows its own trees."""
MEASURED = ("engine", "rows", "numbers", "learner")
FIGURES = ("opened s", "grown s", "CPU s", "queries", "rows returned", "nodes", "tree", "MB")


class Work(NamedTuple):
    """What is grown: by a learner of the package, and by the nearest of scikit-learn and Spark MLlib."""

    learner: Any
    target: str
    kind: str
    criterion: str
    impurity: str


WORK = {
    "CART Gini": Work(rt.CART, "classes", "Classifier", "gini", "gini"),
    "CART squared error": Work(rt.CART, "numbers", "Regressor", "squared_error", "variance"),
    "C4.5": Work(rt.C45, "classes", "Classifier", "entropy", "entropy"),
    "ID3": Work(rt.ID3, "classes", "Classifier", "entropy", "entropy"),
}


def processes() -> Iterator[tuple[Path, list[str]]]:
    """The folder and the status of this process and of all that it started, directly or not, as Linux tells them."""
    fields = dict[int, list[str]]()
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            fields[int(path.name)] = (path / "stat").read_text().rpartition(")")[2].split()
    below, found = {os.getpid()}, 0
    while len(below) > found:
        found = len(below)
        below |= {number for number, field in fields.items() if int(field[1]) in below}
    for number in below & {*fields}:
        yield Path("/proc", str(number)), fields[number]


def cpu_seconds() -> float:
    """The CPU seconds of these processes, and of those that they waited for."""
    ticks = sum(int(tick) for _, field in processes() for tick in field[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def most_memory(*, anew: bool = False) -> int:
    """The most memory that these processes had, in MB; `anew` begins to measure again."""
    total = 0
    for folder, _ in processes():
        with suppress(OSError):
            if anew:
                (folder / "clear_refs").write_text("5")
            lines = (folder / "status").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return total // 1024


def rows(n: int, digits: int) -> Iterator[list[Any]]:
    """The rows of the table, the target in both forms last."""
    draw = Random(0).random
    for _ in range(n):
        x = [round(draw(), digits) for _ in COLUMNS]
        is_high = (x[0] + x[1] * x[2] > 0.8) ^ (x[3] > 0.7) ^ (draw() < 0.1)
        yield [*x, "high" if is_high else "low", round(3 * x[0] + x[1] * x[2] + 0.3 * draw(), 2)]


class Cells(NamedTuple):
    """A table of so many rows, as a file of Parquet."""

    file: Path
    n: int
    digits: int

    @property
    def name(self) -> str:
        """Its name in a database."""
        return f"cells_{self.n}_{self.digits}"

    def write(self) -> None:
        """Write the file, if it is not there."""
        if self.file.exists():
            return
        arrow: Any = import_module("pyarrow")
        schema = arrow.schema(
            [*((name, arrow.float64()) for name in COLUMNS), ("classes", arrow.string()), ("numbers", arrow.float64())]
        )
        cells = rows(self.n, self.digits)
        with import_module("pyarrow.parquet").ParquetWriter(self.file, schema) as file:
            for start in range(0, self.n, 100_000):
                some = [next(cells) for _ in range(min(100_000, self.n - start))]
                columns = zip(*some, strict=True)
                typed = [arrow.array(column, one.type) for column, one in zip(columns, schema, strict=True)]
                file.write_table(arrow.table(typed, schema=schema))

    def frame(self) -> Any:
        """The rows in memory."""
        return import_module("pandas").read_parquet(self.file)

    def fill(self, connection: Any) -> None:
        """Make the table in a database."""
        module = type(connection).__module__.partition(".")[0].lstrip("_")
        if module == "pyspark":
            connection.read.parquet(str(self.file)).cache().createOrReplaceTempView(self.name)
            connection.sql(f"SELECT COUNT(*) FROM {self.name}").collect()
            return
        if module == "duckdb":
            connection.execute(f"CREATE TABLE {self.name} AS SELECT * FROM read_parquet('{self.file}')")
            return
        types = ", ".join(f"{name} DOUBLE PRECISION" for name in COLUMNS)
        connection.execute(f"CREATE TABLE {self.name} ({types}, classes TEXT, numbers DOUBLE PRECISION)")
        if module == "sqlite3":
            connection.executemany(f"INSERT INTO {self.name} VALUES ({', '.join('?' * 12)})", rows(self.n, self.digits))
            return
        with connection.cursor().copy(f"COPY {self.name} FROM STDIN") as copy:
            for row in rows(self.n, self.digits):
                copy.write_row(row)


@contextmanager
def opened(engine: str, folder: Path) -> Iterator[Any]:
    """A connection to an engine, started where it has to be; None for none."""
    if engine == "none":
        yield None
    elif engine == "spark":
        builder = import_module("pyspark.sql").SparkSession.builder.master("local[*]")
        parts = str(os.cpu_count())  # by default 200, for a cluster
        given = {"spark.driver.memory": "3g", "spark.sql.shuffle.partitions": parts, "spark.local.dir": str(folder)}
        for name, value in {**OF_SPARK, "spark.driver.extraJavaOptions": "", **given}.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()
    elif engine == "sqlite":
        yield sqlite3.connect(folder / "cells.sqlite")
    else:
        with started(engine) as server:
            connection = server.connection  # type: ignore[union-attr]
            if engine == "duckdb":
                connection.execute("SET memory_limit = '3500MB'")
            yield connection


Figures = tuple[float | str, ...]
"""The first seconds, the others, the CPU seconds, and the other figures but the memory."""


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """What some work gives, its seconds, and its CPU seconds."""
    began, cpu = time.perf_counter(), cpu_seconds()
    found = work()
    return found, time.perf_counter() - began, cpu_seconds() - cpu


def of_sql(connection: Any, cells: Cells, work: Work, depth: int) -> Figures:
    """A tree of the package, grown where the rows are."""
    other = "numbers" if work.target == "classes" else "classes"
    names = COLUMNS if work.learner is rt.ID3 else ()
    data, opening, _ = timed(lambda: sql(connection, cells.name, work.target, without=[other], categorical=names))
    database = data.database
    queries, fetched = database.queries, database.fetched
    tree, growing, cpu = timed(lambda: work.learner(max_depth=depth).grow(data))
    digest = sha256(rt.to_text(tree).encode()).hexdigest()[:8]
    asked = str(database.queries - queries), str(database.fetched - fetched)
    return opening, growing, cpu, *asked, str(len(tree.nodes)), digest


def of_scikit_learn(_: Any, cells: Cells, work: Work, depth: int) -> Figures:
    """A tree of scikit-learn, of the rows in memory."""
    frame, opening, _ = timed(cells.frame)
    learner = getattr(import_module("sklearn.tree"), f"DecisionTree{work.kind}")
    tree = learner(criterion=work.criterion, max_depth=depth)
    _, growing, cpu = timed(lambda: tree.fit(frame[COLUMNS], frame[work.target]))
    return opening, growing, cpu, "", "", str(tree.tree_.node_count), ""


def compiled(session: Any, stages: str, functions: str) -> None:
    """Say which parts of its queries Spark compiles."""
    session.conf.set("spark.sql.codegen.wholeStage", stages)
    session.conf.set("spark.sql.codegen.factoryMode", functions)


def of_mllib(session: Any, cells: Cells, work: Work, depth: int) -> Figures:
    """A tree of Spark MLlib, whose rows come as vectors, and its classes as numbers."""
    label = "numbers" if work.target == "numbers" else "CAST(classes = 'high' AS DOUBLE)"
    data = session.sql(f"SELECT *, {label} AS label FROM {cells.name}")
    assembler = import_module("pyspark.ml.feature").VectorAssembler(inputCols=COLUMNS, outputCol="features")
    kind = "classification" if work.kind == "Classifier" else "regression"
    learner = getattr(import_module(f"pyspark.ml.{kind}"), f"DecisionTree{work.kind}")
    tree = learner(maxDepth=depth, impurity=work.impurity)
    compiled(session, "true", "FALLBACK")  # as by default: there are few queries
    model, growing, cpu = timed(lambda: tree.fit(assembler.transform(data)))
    compiled(session, "false", "NO_CODEGEN")
    return 0, growing, cpu, "", "", str(model.numNodes), ""


def of_joinboost(connection: Any, cells: Cells, _: Work, depth: int) -> Figures:
    """A regression tree of JoinBoost."""
    executor = import_module("joinboost.executor").DuckdbExecutor(connection, debug=False)
    graph = import_module("joinboost.joingraph").JoinGraph(executor)
    tree = import_module("joinboost.app").DecisionTree(max_leaves=2**depth, max_depth=depth)
    graph.add_relation(cells.name, COLUMNS, y="numbers")
    _, growing, cpu = timed(lambda: tree.fit(graph))
    return 0, growing, cpu, "", "", str(2 * len(tree.model_def[0]) - 1), ""


GROWN: dict[str, Callable[[Any, Cells, Work, int], Figures]] = {
    "scikit-learn": of_scikit_learn,
    "Spark MLlib": of_mllib,
    "JoinBoost": of_joinboost,
}
"""How an engine grows that is not asked by `rt.sql`."""


def asked(options: argparse.Namespace) -> Iterator[tuple[int, str, str, str]]:
    """What is measured, in this order: rows, learner, numbers and engine."""
    for n, learner, kind, engine in product(options.rows, options.learner, options.numbers, options.engine):
        is_id3 = learner == "ID3"
        if is_id3 is (kind == "0 and 1") and (engine != "JoinBoost" or learner == "CART squared error"):
            yield n, learner, kind, engine


def main() -> None:
    """Print a table, row by row."""
    there = [engine for engine in ENGINES if engine != "JoinBoost" or find_spec("joinboost")]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 100_000])
    parser.add_argument("--engine", nargs="+", default=there, choices=there)
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--numbers", nargs="+", default=[*KINDS], choices=KINDS)
    parser.add_argument("--learner", nargs="+", default=[*WORK], choices=WORK)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--to", type=Path, metavar="FILE", default=Path(os.devnull))
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that servers end, too
    known = options.to.read_text() if options.to.exists() else ""
    end = time.monotonic() + 60 * options.minutes

    def say(*columns: str) -> None:
        line = f"| {' | '.join(columns)} |"
        print(line, flush=True)
        with options.to.open("a") as file:
            print(line, file=file)

    if not known:
        say(*MEASURED, *FIGURES)
        say(*[":--" if name in ("engine", "numbers", "learner", "tree") else "--:" for name in (*MEASURED, *FIGURES)])
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cells")))
        connections, filled = dict[str, Any](), set[tuple[str, str]]()
        for n, learner, kind, engine in asked(options):
            what = (engine, str(n), kind, learner)
            if f"| {' | '.join(what)} |" in known or time.monotonic() > end:
                continue
            host, cells = HOSTS.get(engine, engine), Cells(folder / f"{n}_{KINDS[kind]}.parquet", n, KINDS[kind])
            cells.write()
            if host not in connections:
                connections[host] = stack.enter_context(opened(host, folder))
            if host != "none" and (host, cells.name) not in filled:
                filled.add((host, cells.name))
                cells.fill(connections[host])
            most_memory(anew=True)
            opening, growing, cpu, *others = GROWN.get(engine, of_sql)(
                connections[host], cells, WORK[learner], options.depth
            )
            say(*what, f"{opening:.1f}", f"{growing:.1f}", f"{cpu:.1f}", *map(str, others), str(most_memory()))


if __name__ == "__main__":
    main()
