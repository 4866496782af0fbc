"""Programs: whoever grows a tree on a case, and how long that takes.

Each returns CPU seconds for growing the full tree from data in memory, the least of a few runs; or none if the program
is not there. Our own time includes the sorting of the rows (`Table.sample`), as does everybody's.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from shutil import which

from reference_tree.data.table import Table
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.splitting.scanning import leaders
from tests.benchmarks.generated import Case

WEKA = Path("/usr/share/java/weka.jar")
PATIENCE = 300
"""Seconds after which a program is given up."""


def least(run: Callable[[], object], most_runs: int = 5, enough: float = 2.0) -> float:
    """The least CPU time of a few runs, until enough time has gone."""
    times: list[float] = []
    while len(times) < most_runs and sum(times) < enough:
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def ours(case: Case) -> dict[str, float]:
    """The learners of this package."""
    table = case.table()

    def growing(learner: CART | ID3 | C45) -> Callable[[], object]:
        return lambda: learner.grow(fresh(table))

    if case.categorical:
        return {"ID3": least(growing(ID3()))}
    return {
        "CART entropy": least(growing(CART(criterion="entropy"))),
        "CART gini": least(growing(CART(criterion="gini"))),
        "C4.5": least(growing(C45.like("weka-j48"))),
        "scan, gain": least(lambda: scanned(fresh(table), "gain")),
        "scan, gini": least(lambda: scanned(fresh(table), "gini_decrease")),
    }


def fresh(table: Table) -> Table:
    """The table without what it remembers."""
    return Table(table.name, table.schema, table.columns, table.weights, table.left_out)


def scanned(table: Table, measure: str, max_depth: int | None = None) -> int:
    """The number of nodes of a full binary tree, grown by the scan alone: no learner, no tree, no ties listed."""
    names = [attribute.name for attribute in table.schema.attributes]
    pending = [(table.sample(), 0)]
    nodes = 0
    while pending:
        sample, depth = pending.pop()
        nodes += 1
        if sample.target.is_pure(sample.total()) or depth == max_depth:
            continue
        if found := leaders(sample, names, measure):
            pending += [(part, depth + 1) for part in sample.split(found[0].cut.test)]
    return nodes


def scikit_learn(case: Case, max_depth: int | None = None) -> dict[str, float]:
    """scikit-learn, in this process."""
    try:
        numpy, trees = import_module("numpy"), import_module("sklearn.tree")
    except ImportError:
        return {}
    rows, labels = numpy.array(case.rows), numpy.array(case.labels)

    def fitting(criterion: str) -> Callable[[], object]:
        learner = trees.DecisionTreeClassifier(criterion=criterion, max_depth=max_depth, random_state=0)
        return lambda: learner.fit(rows, labels)

    return {f"scikit-learn {criterion}": least(fitting(criterion)) for criterion in ("entropy", "gini")}


def _csv(case: Case, folder: Path) -> Path:
    path = folder / "case.csv"
    names = [f"a{index}" for index in range(len(case.rows[0]))]
    cells = [[f"v{cell:.0f}" if case.categorical else repr(cell) for cell in row] for row in case.rows]
    lines = [",".join([*row, label]) for row, label in zip(cells, case.labels, strict=True)]
    path.write_text("\n".join([",".join([*names, "y"]), *lines]) + "\n", encoding="utf-8")
    return path


RPART = """
data <- read.csv(commandArgs(TRUE)[1], stringsAsFactors = TRUE)
library(rpart)
for (split in c("information", "gini"))
  cat(min(sapply(1:3, function(i) sum(system.time(rpart(y ~ ., data, method = "class",
    parms = list(split = split), control = rpart.control(cp = -1, minsplit = 2, minbucket = 1, xval = 0,
    maxdepth = 30, usesurrogate = 0, maxsurrogate = 0, maxcompete = 0)))[1:2]))), "\\n")
"""


def rpart(case: Case) -> dict[str, float]:
    """R's rpart: full trees, though no deeper than 30, which is the most it can do."""
    if which("Rscript") is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        printed = _output(["Rscript", "-e", RPART, str(_csv(case, Path(folder)))])
    times = map(float, (printed or "").split())
    return dict(zip(("rpart entropy", "rpart gini"), times, strict=False))


def j48(case: Case) -> dict[str, float]:
    """Weka's J48, unpruned: the time it prints itself, which leaves out starting Java but not its warming up."""
    if which("java") is None or not WEKA.exists():
        return {}
    with tempfile.TemporaryDirectory() as folder:
        path = _csv(case, Path(folder)).with_suffix(".arff")
        attributes = len(case.rows[0])
        kinds = ["numeric" if not case.categorical else "{v0,v1,v2,v3}"] * attributes
        head = [f"@attribute a{index} {kind}" for index, kind in enumerate(kinds)]
        head.append(f"@attribute y {{{','.join(sorted(set(case.labels)))}}}")
        rows = path.with_suffix(".csv").read_text(encoding="utf-8").split("\n", 1)[1]
        path.write_text("\n".join(["@relation case", *head, "@data", rows]), encoding="utf-8")
        printed = _output(
            ["java", "-cp", str(WEKA), "weka.classifiers.trees.J48", "-U", "-M", "1", "-t", str(path), "-no-cv"]
        )
    line = next((line for line in (printed or "").splitlines() if "build model" in line), None)
    return {} if line is None else {"J48": float(line.split(":")[1].split()[0])}


PEER = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import numpy, pandas
case = json.load(open(sys.argv[1]))
frame = pandas.DataFrame(case["rows"], columns=[f"a{index}" for index in range(len(case["rows"][0]))])
if case["categorical"]:
    frame = frame.astype(int).astype(str).astype(object)
labels = case["labels"]
def id3():
    from id3 import Id3Estimator
    return lambda: Id3Estimator(prune=False).fit(frame.values, numpy.array(labels, dtype=object))
def chefboost():
    from chefboost import Chefboost
    data = frame.copy()
    data["Decision"] = pandas.Series(labels, dtype=object)
    settings = {"algorithm": "ID3" if case["categorical"] else "C4.5", "enableParallelism": False}
    return lambda: Chefboost.fit(data, settings, silent=True)
def matott():
    from decision_tree_matott.tree import C45, ID3
    kind = ID3 if case["categorical"] else C45
    return lambda: kind(10**6, 0, sorted(set(labels))).create_tree(frame, pandas.Series(labels, name="y"))
run = {"id3": id3, "chefboost": chefboost, "decision_tree_matott": matott}[sys.argv[2]]()
start = time.process_time()
run()
print("seconds", time.process_time() - start)
"""


def peer(name: str, python: str) -> Callable[[Case], dict[str, float]]:
    """A learner written in Python, in an environment of its own."""

    def run(case: Case) -> dict[str, float]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "case.json"
            path.write_text(json.dumps(case._asdict()), encoding="utf-8")
            printed = _output([python, "-c", PEER, str(path), name], cwd=folder)
        line = next((line for line in (printed or "").splitlines() if line.startswith("seconds")), None)
        return {} if line is None else {name: float(line.split()[1])}

    return run


def peers(python: str | None) -> Mapping[str, Callable[[Case], dict[str, float]]]:
    """The learners written in Python that were found to install."""
    names = ("id3", "chefboost", "decision_tree_matott")
    return {} if python is None else {name: peer(name, python) for name in names}


def _output(command: list[str], cwd: str | None = None) -> str | None:
    try:
        return subprocess.run(
            command, capture_output=True, check=True, encoding="utf-8", timeout=PATIENCE, cwd=cwd
        ).stdout
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
