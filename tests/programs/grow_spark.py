"""Grows the recorded trees of Spark MLlib, and others like them: `python -m tests.programs.grow_spark FOLDER SEED...`.

It needs pyspark, Java, and pyarrow. Each seed makes a random table with a decision tree on it; the nodes of the model
are written below the line of its metadata, as the page of foreign trees says, and the table beside them.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any


def random_rows(chance: Random, kinds: Sequence[int], classes: int, weighted: bool) -> list[list[Any]]:
    """Rows of some numbers (kind 0) and categories (of so many values), a target, and a weight."""
    rows: list[list[Any]] = []
    levels = chance.choice([8, 12, 60])
    for _ in range(chance.choice([30, 80, 200])):
        x = [chance.randrange(kind) if kind else chance.randint(-levels, levels) / 10 for kind in kinds]
        last = x[-1] if kinds[-1] else 0
        y = (
            (x[0] > 0) + (chance.random() < 0.3) + (last > 1)
            if classes
            else x[0] * 2 + chance.randint(0, 9) / 10 + last
        )
        rows.append(
            [*x, int(y) % classes if classes else round(y, 2), chance.choice([1, 0.3, 1.7, 2.1]) if weighted else 1]
        )
    for label in range(classes):
        rows[label][-2] = label
    return rows


def frame(session: Any, rows: Sequence[Sequence[Any]], kinds: Sequence[int]) -> Any:
    """The rows as Spark takes them."""
    names = [f"x{place}" for place in range(len(kinds))]
    found = session.createDataFrame([tuple(map(float, row)) for row in rows], [*names, "label", "w"]).coalesce(1)
    for name, kind in zip(names, kinds, strict=True):
        if kind:
            values = {"ml_attr": {"type": "nominal", "name": name, "vals": list(map(str, range(kind)))}}
            found = found.withColumn(name, found[name].alias(name, metadata=values))
    assembler = import_module("pyspark.ml.feature").VectorAssembler(inputCols=names, outputCol="features")
    return assembler.transform(found)


def record(model: Any, folder: Path, name: str) -> None:
    """The nodes of a model below its metadata, an object a line."""
    saved = folder / f"{name}.model"
    model.write().overwrite().save(str(saved))
    lines = [next((saved / "metadata").glob("part*")).read_text(encoding="utf-8").strip()]
    for part in sorted((saved / "data").glob("part*.parquet")):
        lines += map(json.dumps, import_module("pyarrow.parquet").read_table(part).to_pylist())
    (folder / f"{name}.json").write_text("\n".join([*lines, ""]), encoding="utf-8")


def grown(session: Any, folder: Path, seed: int) -> None:
    """A random table, and the tree that Spark grows from it."""
    chance = Random(seed)
    kinds = [0] * chance.randint(1, 3) + [chance.choice([2, 3, 4, 5]) for _ in range(chance.randint(0, 2))]
    classes, weighted = chance.choice([0, 2, 3]), chance.random() < 0.3
    rows = random_rows(chance, kinds, classes, weighted)
    options: Mapping[str, Any] = {
        "maxDepth": chance.choice([2, 4, 5, 8]),
        "minInstancesPerNode": 1 if weighted else chance.choice([1, 1, 3]),
        "maxBins": chance.choice([32, 32, 8]),
        **({"weightCol": "w"} if weighted else {}),
    }
    kind = ("classification", "DecisionTreeClassifier") if classes else ("regression", "DecisionTreeRegressor")
    learner = getattr(import_module(f"pyspark.ml.{kind[0]}"), kind[1])
    record(learner(**options).fit(frame(session, rows, kinds)), folder, str(seed))
    with (folder / f"{seed}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*(f"x{place}" for place in range(len(kinds))), "label", "w"])
        writer.writerows(rows)


def main(folder: str, *seeds: str) -> None:
    """Grow a tree for each seed."""
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[2]")
    session = builder.config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "1").getOrCreate()
    for seed in map(int, seeds):
        grown(session, Path(folder), seed)
    session.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
