"""Spark MLlib: trees of numbers, grown by pyspark with a bin for every value."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from reference_tree.programs.reading import read_foreign
from tests.programs.grow_spark import frame, record
from tools.report.programs import NUMERIC, Program
from tools.report.runs import Run, documents_written, rows_of, table

BINS = 1000
"""More than any table here has values: no cut is lost."""


def absent() -> str | None:
    """What is not installed, if anything is not."""
    if not importlib.util.find_spec("pyspark") or not importlib.util.find_spec("pyarrow"):
        return "there is no pyspark, or no pyarrow: pip install pyspark pyarrow"
    return None if shutil.which("java") else "there is no Java"


def _grown() -> Iterator[Run]:
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[1]")
    for key, value in (("ui.enabled", "false"), ("driver.memory", "1g"), ("sql.shuffle.partitions", "1")):
        builder = builder.config(f"spark.{key}", value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        for name in NUMERIC:
            for impurity in ("gini", "entropy"):
                data = table(name)
                rows = [[*numbers, 1] for numbers in data.numbers()]
                learner = import_module("pyspark.ml.classification").DecisionTreeClassifier(
                    impurity=impurity, maxDepth=30, maxBins=BINS
                )
                model = learner.fit(frame(session, rows, [0] * len(data.attributes)))
                with tempfile.TemporaryDirectory() as folder:
                    record(model, Path(folder), name)
                    text = Path(folder, f"{name}.json").read_text(encoding="utf-8")
                names = [attribute.name for attribute in data.attributes]
                found = read_foreign(text, target=data.target.name, attributes=names, classes=data.target.values or ())
                (path,) = documents_written(f"spark-{name}-{impurity}", found)
                options = ["--learner", "cart", "--profile", "spark", "--criterion", impurity, "--max-depth", "30"]
                yield Run("Spark MLlib", session.version, f"impurity={impurity}", path, rows_of(name), options)
    finally:
        session.stop()


SPARK = Program(
    "Spark MLlib",
    f"`--learner cart --profile spark`, of the class `DecisionTreeClassifier` with `maxDepth=30, maxBins={BINS}`: no "
    "table has so many values, so no cut is lost to its bins.",
    _grown,
    absent,
)
