"""Trees grown where the data are: seconds, queries and rows returned, by engine and number of rows.

Run `python -m tests.benchmarks.stores --rows 100000 --engine sqlite duckdb`. The table is ten columns of numbers, all
different or a thousand in each, and a target of two classes, or a number of two decimals; ID3 asks for ten columns of
two categories. `scikit-learn` grows its own tree of the rows in memory. CPU seconds are those of this process and of
the servers that it started. The memory is that of this process, the most until then, with what made the table.
"""

from __future__ import annotations

import argparse
import os
import resource
import sqlite3
import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from importlib import import_module
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import reference_tree as rt
from reference_tree.stores.sql import sql
from tests.views.trees.engines import started

ENGINES = ("sqlite", "duckdb", "postgresql", "spark", "scikit-learn")
COLUMNS = [f"a{place}" for place in range(10)]
KINDS = {"different": 9, "1 000": 3, "0 and 1": 0}
"""The decimals of the numbers."""
LEARNERS = {
    "ID3": (rt.ID3, "classes"),
    "C4.5": (rt.C45, "classes"),
    "CART Gini": (rt.CART, "classes"),
    "CART squared error": (rt.CART, "numbers"),
}
PEERS = {
    "ID3": ("Classifier", "entropy"),
    "C4.5": ("Classifier", "entropy"),
    "CART Gini": ("Classifier", "gini"),
    "CART squared error": ("Regressor", "squared_error"),
}
"""The tree of scikit-learn that is nearest to each."""


def cpu_seconds() -> float:
    """The CPU seconds of this process and of all that it started, directly or not, as Linux tells them."""
    stats = list[str]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            stats.append(path.read_text())
    fields = {int(stat.split()[0]): stat.rpartition(")")[2].split() for stat in stats}
    if not fields:
        return time.process_time()
    below, found = {os.getpid()}, 0
    while len(below) > found:
        found = len(below)
        below |= {number for number, field in fields.items() if int(field[1]) in below}
    ticks = sum(int(tick) for number in below for tick in fields[number][11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


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
        connection.execute("DROP TABLE IF EXISTS cells")
        cells, make = rows(n, digits), "CREATE TABLE cells AS"
        while some := list(islice(cells, 100_000)):
            frame = import_module("pandas").DataFrame(some, columns=[*COLUMNS, "classes", "numbers"])
            connection.register("frame", frame)
            connection.execute(f"{make} SELECT * FROM frame")
            make = "INSERT INTO cells"
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
    began, cpu = time.perf_counter(), cpu_seconds()
    tree.fit(frame[COLUMNS], frame[LEARNERS[name][1]])
    took = f" | {time.perf_counter() - began:.1f} | {cpu_seconds() - cpu:.1f}"
    return f"{took} | | | {tree.tree_.node_count} |"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000])
    parser.add_argument("--engine", nargs="+", default=["sqlite", "duckdb"], choices=ENGINES)
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--numbers", nargs="+", default=[*KINDS], choices=KINDS)
    parser.add_argument("--learner", nargs="+", default=[*LEARNERS], choices=LEARNERS)
    options = parser.parse_args()
    print("| engine | rows | numbers | learner | opened s | grown s | CPU s | queries | rows returned | nodes | MB |")
    print("|:--|--:|:--|:--|--:|--:|--:|--:|--:|--:|--:|")
    for engine in options.engine:
        with nullcontext() if engine == "scikit-learn" else started(engine) as server:
            there: Any = server
            connection: Any = None
            if there is not None:
                connection = there.session if engine == "spark" else there.connection
            if engine == "duckdb":
                connection.execute("SET memory_limit = '3500MB'")
            for n, kind in product(options.rows, options.numbers):
                if there is not None:
                    filled(engine, connection, n, KINDS[kind])
                for name in options.learner:
                    if (name == "ID3") is not (kind == "0 and 1"):
                        continue
                    if there is None:
                        figures = _of_scikit_learn(n, KINDS[kind], name, options.depth)
                    else:
                        figures = _measured(connection, *LEARNERS[name], options.depth)
                    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
                    print(f"| {engine} | {n} | {kind} | {name} |{figures} {memory} |", flush=True)


def _measured(connection: Any, learner: Any, target: str, depth: int) -> str:
    began = time.perf_counter()
    other = "numbers" if target == "classes" else "classes"
    data = sql(connection, "cells", target, without=[other], categorical=COLUMNS if learner is rt.ID3 else ())
    opened, queries, fetched, cpu = (
        time.perf_counter(),
        data.database.queries,
        data.database.fetched,
        cpu_seconds(),
    )
    tree = learner(max_depth=depth).grow(data)
    took = f" {opened - began:.1f} | {time.perf_counter() - opened:.1f} | {cpu_seconds() - cpu:.1f} |"
    database = data.database
    return f"{took} {database.queries - queries} | {database.fetched - fetched} | {len(tree.nodes)} |"


if __name__ == "__main__":
    main()
