"""Spark: its trees (MLlib), and its SQL."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.peers.seen.record import RELEASES, package, says
from tests.views.trees.engines import OF_SPARK


def _release() -> str | None:
    return package("pyspark")() if shutil.which("java") else None


RELEASES["Spark"] = _release


@cache
def _session() -> Any:
    """One session for all runs."""
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[1]")
    for name, value in {**OF_SPARK, "spark.sql.shuffle.partitions": "1", "spark.driver.memory": "1g"}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    atexit.register(session.stop)
    return session


def _frame(rows: Sequence[Sequence[float]], y: Sequence[float], categories: Sequence[str] = ()) -> Any:
    vectors, learner = import_module("pyspark.ml.linalg").Vectors, import_module("pyspark.ml.feature")
    cells = [(float(one), vectors.dense([float(cell) for cell in row])) for row, one in zip(rows, y, strict=True)]
    frame = _session().createDataFrame(cells, ["label", "features"])
    if not categories:
        return frame
    indexed = learner.VectorIndexer(inputCol="features", outputCol="indexed", maxCategories=len(categories))
    found = indexed.fit(frame).transform(frame)
    return found.drop("features").withColumnRenamed("indexed", "features")


def _grown(frame: Any, kind: str = "DecisionTreeClassifier", **options: Any) -> Any:
    return getattr(import_module("pyspark.ml.classification"), kind)(**options).fit(frame)


@says(
    "Spark",
    "dialects/cart_programs: Spark makes a leaf of the node, and then looks at the node above (`merge_leaves`).",
    "auditing: for Spark merges such leaves.",
    "decisions: | `stop.collapsed`{#stop.collapsed} |",
    "stores: One leaf is excused, since Spark merges leaves of one answer.",
)
def _leaves_of_one_answer_are_merged() -> bool:
    # x = 2 is still mixed: below it 4 of 4 are a, above it 2 of 3, and both answer a.
    model = _grown(_frame([[1]] * 4 + [[2]] * 3 + [[3]] * 3, [0] * 4 + [0, 0, 1] + [1] * 3), maxDepth=2)
    return bool(model.numNodes == 3 and model.depth == 1)


@says(
    "Spark",
    "dialects/cart_programs: It [merges](#merged-leaves) leaves of one answer, and makes a leaf where nothing is",
)
def _nothing_gained_is_a_leaf() -> bool:
    return bool(_grown(_frame([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])).numNodes == 1)


@says(
    "Spark",
    "dialects/cart_programs: For two classes it orders categories by the *weight* of the second class and not by its",
)
def _categories_stand_in_the_order_of_weights() -> bool:
    # The best set is {1}, of which all are of the second class. By weight the order is 2, 1, 0, which has no such cut.
    counts = {0: (10, 8), 1: (0, 6), 2: (9, 0)}
    rows = [[value] for value, pair in counts.items() for _ in range(sum(pair))]
    y = [label for pair in counts.values() for label, count in enumerate(pair) for _ in range(count)]
    return "{2.0}" in _grown(_frame(rows, y, [*"pqr"]), maxDepth=1).toDebugString


@says(
    "Spark",
    "dialects/cart_programs: It divides the numbers of a column into 32 bins at most before it grows, and cuts only",
    "auditing: Numbers of more values than `maxBins` are cut where Spark's bins end, which follow from the rows if",
)
def _cuts_end_bins() -> bool:
    rows = [[x] for x in range(320)]
    cuts = []
    for at in (102, 104, 106, 108):
        model = _grown(_frame(rows, [x >= at for x in range(320)]), maxDepth=1)
        cuts.append(float(model.toDebugString.split("<= ")[1].split(")")[0]))
    return len(set(cuts)) <= 2 and model.getOrDefault("maxBins") == 32


@says(
    "Spark",
    "foreign: | Spark MLlib | double | `<=` |",
    "auditing: an object of scikit-learn or Spark has them: nothing is supposed about these.",
)
def _spark_asks_at_most() -> bool:
    model = _grown(_frame([[1], [1], [2], [2]], [0, 0, 1, 1]), maxDepth=3)
    vectors = import_module("pyspark.ml.linalg").Vectors
    return (
        "<= 1.5" in model.toDebugString
        and model.predict(vectors.dense([1.5])) == 0
        and model.getOrDefault("maxDepth") == 3
    )


@says(
    "Spark",
    "foreign: - **Spark**: a classifier with `thresholds` that differ answers otherwise than by the largest share,",
)
def _thresholds_change_an_answer() -> bool:
    frame = _frame([[1]] * 5, [0, 0, 0, 1, 1])
    model = _grown(frame)
    answers = [model.transform(frame).first()["prediction"]]
    answers.append(model.setThresholds([0.9, 0.1]).transform(frame).first()["prediction"])
    return answers == [0, 1]


@says("Spark", "auditing: whose sets Spark does not all try.")
def _not_all_sets_are_tried() -> bool:
    # Of eight values there are 127 sets; with three classes and 32 bins, those of more than 16 are cut in an order.
    frame = _frame([[value] for value in range(8)] * 2, [value % 3 for value in range(8)] * 2, [*"abcdefgh"])
    model = _grown(frame, maxDepth=1)
    left = model.toDebugString.split("in {")[1].split("}")[0].split(",")
    return {value for value in map(float, left) if value % 3 == 1} in (set(), {1.0, 4.0, 7.0})


@says("Spark", "stores: and are refused by Spark; PostgreSQL tells them apart.")
def _spark_takes_two_cases_for_one_name() -> bool:
    try:
        _session().sql("SELECT a FROM (SELECT 1 AS a, 2 AS A) AS t").collect()
    except import_module("pyspark.errors").AnalysisException as error:
        return "AMBIGUOUS" in str(error)
    return False


@says("Spark", "stores: Spark reads its files anew for each query: `cache()` the view, or read a version of a table.")
def _files_are_read_anew() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t"
        path.mkdir()
        (path / "one.csv").write_text("1\n", encoding="utf-8")
        _session().read.schema("x INT").csv(str(path)).createOrReplaceTempView("files")
        counts = [_session().sql("SELECT SUM(x) FROM files").first()[0]]
        (path / "one.csv").write_text("5\n", encoding="utf-8")
        (path / ".one.csv.crc").unlink(missing_ok=True)
        counts.append(_session().sql("SELECT SUM(x) FROM files").first()[0])
    return counts == [1, 5]


@says("Spark", r"views: `${` is written `\u0024{`, since it would begin a variable |")
def _a_dollar_begins_a_variable() -> bool:
    session = _session()
    session.conf.set("seen.here", "7")
    return bool(session.sql("SELECT '${seen.here}', '\\u0024{seen.here}'").first()[:] == ("7", "${seen.here}"))
