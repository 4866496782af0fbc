"""Trees grown where the data are: seconds, queries and rows returned, by engine and number of rows.

Run `python -m tests.benchmarks.stores --rows 100000 --engine sqlite duckdb`. The table is ten columns of numbers, all
different or a thousand in each, and a target of two classes, or a number of two decimals. `scikit-learn` grows its own
tree of the rows in memory. CPU seconds are those of this process: DuckDB and SQLite work in it, servers do not.
"""

from __future__ import annotations

import argparse
import sqlite3
import time
from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any

import reference_tree as rt
from reference_tree.stores.sql import sql
from tests.views.trees.engines import started

ENGINES = ("sqlite", "duckdb", "postgresql", "spark", "scikit-learn")
COLUMNS = [f"a{place}" for place in range(10)]
LEARNERS = {
    "C4.5": (rt.C45, "classes"),
    "CART Gini": (rt.CART, "classes"),
    "CART squared error": (rt.CART, "numbers"),
}
PEERS = {
    "C4.5": ("Classifier", "entropy"),
    "CART Gini": ("Classifier", "gini"),
    "CART squared error": ("Regressor", "squared_error"),
}
"""The tree of scikit-learn that is nearest to each."""


def rows(n: int, digits: int) -> Iterator[list[Any]]:
    """The rows of the table, the target in both forms last."""
    draw = Random(0).random
    for _ in range(n):
        x = [round(draw(), digits) for _ in COLUMNS]
        is_high = (x[0] + x[1] * x[2] > 0.8) ^ (x[3] > 0.7) ^ (draw() < 0.1)
        yield [*x, "high" if is_high else "low", round(3 * x[0] + x[1] * x[2] + 0.3 * draw(), 2)]


def filled(engine: str, connection: Any, n: int, digits: int) -> None:
    """Make the table `cells` anew."""
    if engine == "spark":
        frame = import_module("pandas").DataFrame(rows(n, digits), columns=[*COLUMNS, "classes", "numbers"])
        connection.createDataFrame(frame).cache().createOrReplaceTempView("cells")
        return
    if engine == "duckdb":  # which takes a frame at once, and rows one by one
        frame = import_module("pandas").DataFrame(rows(n, digits), columns=[*COLUMNS, "classes", "numbers"])
        connection.register("frame", frame)
        connection.execute("CREATE OR REPLACE TABLE cells AS SELECT * FROM frame")
        return
    types = ", ".join(f"{name} DOUBLE PRECISION" for name in COLUMNS)
    connection.execute("DROP TABLE IF EXISTS cells")
    connection.execute(f"CREATE TABLE cells ({types}, classes TEXT, numbers DOUBLE PRECISION)")
    mark = "?" if isinstance(connection, sqlite3.Connection) else "%s"
    run = connection if mark == "?" else connection.cursor()
    run.executemany(f"INSERT INTO cells VALUES ({', '.join([mark] * 12)})", rows(n, digits))


def _of_scikit_learn(n: int, digits: int, name: str, depth: int) -> str:
    frame = import_module("pandas").DataFrame(rows(n, digits), columns=[*COLUMNS, "classes", "numbers"])
    kind, criterion = PEERS[name]
    tree: Any = getattr(import_module("sklearn.tree"), f"DecisionTree{kind}")(criterion=criterion, max_depth=depth)
    began, cpu = time.perf_counter(), time.process_time()
    tree.fit(frame[COLUMNS], frame[LEARNERS[name][1]])
    took = f" | {time.perf_counter() - began:.1f} | {time.process_time() - cpu:.1f}"
    return f"{took} | | | {tree.tree_.node_count} |"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000])
    parser.add_argument("--engine", nargs="+", default=["sqlite", "duckdb"], choices=ENGINES)
    parser.add_argument("--depth", type=int, default=5)
    options = parser.parse_args()
    print("| engine | rows | numbers | learner | opened s | grown s | CPU s | queries | rows returned | nodes |")
    print("|:--|--:|:--|:--|--:|--:|--:|--:|--:|--:|")
    for engine in options.engine:
        if engine == "scikit-learn":
            for n in options.rows:
                for kind, digits in (("different", 9), ("1 000", 3)):
                    for name in LEARNERS:
                        figures = _of_scikit_learn(n, digits, name, options.depth)
                        print(f"| {engine} | {n} | {kind} | {name} |{figures}", flush=True)
            continue
        with started(engine) as server:
            there: Any = server
            connection: Any = there.session if engine == "spark" else there.connection
            if engine == "duckdb":
                connection.execute("SET memory_limit = '3500MB'")
            for n in options.rows:
                for kind, digits in (("different", 9), ("1 000", 3)):
                    filled(engine, connection, n, digits)
                    for name, (learner, target) in LEARNERS.items():
                        figures = _measured(connection, learner, target, options.depth)
                        print(f"| {engine} | {n} | {kind} | {name} |{figures}", flush=True)


def _measured(connection: Any, learner: Any, target: str, depth: int) -> str:
    began = time.perf_counter()
    other = "numbers" if target == "classes" else "classes"
    data = sql(connection, "cells", target, without=[other])
    opened, queries, fetched, cpu = (
        time.perf_counter(),
        data.database.queries,
        data.database.fetched,
        time.process_time(),
    )
    tree = learner(max_depth=depth).grow(data)
    took = f" {opened - began:.1f} | {time.perf_counter() - opened:.1f} | {time.process_time() - cpu:.1f} |"
    database = data.database
    return f"{took} {database.queries - queries} | {database.fetched - fetched} | {len(tree.nodes)} |"


if __name__ == "__main__":
    main()
