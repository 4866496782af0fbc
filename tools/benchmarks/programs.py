"""Programs: whoever grows a tree on a case, and how long that takes.

Each returns CPU seconds for growing the full tree from data in memory, the least of a few runs; or none if the program
is not there. Our own time includes the sorting of the rows (`Table.sample`), as does everybody's. Where it can be had,
so are the number of leaves and the training accuracy: who stops early or asks less has an easier task.
"""

from __future__ import annotations

import json
import math
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from shutil import which
from typing import NamedTuple

from reference_tree.data.table import Table
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from tools.benchmarks.generated import Case

WEKA = Path("/usr/share/java/weka.jar")
PATIENCE = 300
"""Seconds after which a program is given up."""


class Grown(NamedTuple):
    """What growing a tree took, and what came out."""

    seconds: float
    leaves: float = math.nan
    accuracy: float = math.nan
    """On the training rows; 1 or nearly so, if the tree is a full one."""


def least(run: Callable[[], object], most_runs: int = 5, enough: float = 2.0) -> float:
    """The least CPU time of a few runs, until enough time has gone."""
    times: list[float] = []
    while len(times) < most_runs and sum(times) < enough:
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def ours(case: Case) -> dict[str, Grown]:
    """The learners of this package."""
    table = case.table()

    def growing(learner: CART | ID3 | C45) -> Grown:
        tree = learner.grow(fresh(table))
        seconds = least(lambda: learner.grow(fresh(table)))
        return Grown(seconds, len(tree.leaves()), float(tree.accuracy(table)))

    if case.categorical:
        return {"ID3": growing(ID3())}
    return {
        "CART entropy": growing(CART(criterion="entropy")),
        "CART gini": growing(CART(criterion="gini")),
        "C4.5": growing(C45.like("weka-j48")),
    }


def fresh(table: Table) -> Table:
    """The table without what it remembers."""
    return Table(table.name, table.schema, table.columns, table.weights, table.left_out)


def scikit_learn(case: Case) -> dict[str, Grown]:
    """scikit-learn, in this process: on categories both with their codes, which it takes for numbers, and one-hot."""
    try:
        numpy, trees = import_module("numpy"), import_module("sklearn.tree")
        encoding = import_module("sklearn.preprocessing")
    except ImportError:
        return {}
    labels, tables = numpy.array(case.labels), {"scikit-learn": numpy.array(case.rows)}
    if case.categorical:
        encoder = encoding.OneHotEncoder(sparse_output=False)
        tables["scikit-learn one-hot"] = encoder.fit_transform(tables["scikit-learn"])

    def fitting(criterion: str, rows: object) -> Grown:
        learner = trees.DecisionTreeClassifier(criterion=criterion, random_state=0)
        seconds = least(lambda: learner.fit(rows, labels))
        return Grown(seconds, learner.get_n_leaves(), learner.score(rows, labels))

    return {
        f"{name} {criterion}": fitting(criterion, rows)
        for name, rows in tables.items()
        for criterion in ("entropy", "gini")
    }


def _csv(case: Case, folder: Path) -> Path:
    path = folder / "case.csv"
    names = [f"a{index}" for index in range(len(case.rows[0]))]
    cells = [[f"v{cell:.0f}" if case.categorical else repr(cell) for cell in row] for row in case.rows]
    lines = [",".join([*row, str(label)]) for row, label in zip(cells, case.labels, strict=True)]
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


def rpart(case: Case) -> dict[str, Grown]:
    """R's rpart: full trees, though no deeper than 30, which is the most it can do."""
    if which("Rscript") is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        printed = _output(["Rscript", "-e", RPART, str(_csv(case, Path(folder)))])
    times = (Grown(float(seconds)) for seconds in (printed or "").split())
    return dict(zip(("rpart entropy", "rpart gini"), times, strict=False))


def j48(case: Case) -> dict[str, Grown]:
    """Weka's J48, unpruned: the time it prints itself, which leaves out starting Java but not its warming up."""
    if which("java") is None or not WEKA.exists():
        return {}
    with tempfile.TemporaryDirectory() as folder:
        path = _csv(case, Path(folder)).with_suffix(".arff")
        attributes = len(case.rows[0])
        kinds = ["numeric" if not case.categorical else "{v0,v1,v2,v3}"] * attributes
        head = [f"@attribute a{index} {kind}" for index, kind in enumerate(kinds)]
        head.append(f"@attribute y {{{','.join(sorted(set(map(str, case.labels))))}}}")
        rows = path.with_suffix(".csv").read_text(encoding="utf-8").split("\n", 1)[1]
        path.write_text("\n".join(["@relation case", *head, "@data", rows]), encoding="utf-8")
        printed = _output(
            ["java", "-cp", str(WEKA), "weka.classifiers.trees.J48", "-U", "-M", "1", "-t", str(path), "-no-cv"]
        )
    line = next((line for line in (printed or "").splitlines() if "build model" in line), None)
    return {} if line is None else {"J48": Grown(float(line.split(":")[1].split()[0]))}


PEER = """
import json, os, sys, time, warnings
warnings.simplefilter("ignore")
import numpy, pandas
sys.path.insert(0, os.getcwd())  # where chefboost puts its rules
case = json.load(open(sys.argv[1]))
labels, names = case["labels"], [f"a{index}" for index in range(len(case["rows"][0]))]
rows = [[f"v{cell:.0f}" for cell in row] for row in case["rows"]] if case["categorical"] else case["rows"]
kind = object if case["categorical"] else float
frame = pandas.DataFrame(rows, columns=names, dtype=kind)
column = pandas.Series(labels, name="Decision", dtype=object)
def ends(root, children):
    pending, found = [root], []
    while pending:
        below = list(children(node := pending.pop()))
        pending += below
        found += [] if below else [node]
    return found
def right(answers):
    return sum(answer == label for answer, label in zip(answers, labels)) / len(labels)
# Each gives how to grow a tree, and then the number of its leaves and the share of the training rows it gets right.
def id3(**settings):
    from id3 import Id3Estimator
    learner = Id3Estimator(prune=False, **settings)
    matrix = numpy.array(rows, dtype=object)
    return lambda: learner.fit(matrix, numpy.array(labels, dtype=object)), lambda tree: (
        len(ends(tree.tree_.root, lambda node: [child for child, _ in node.children])), right(tree.predict(matrix)))
def chefboost(max_depth, algorithm):
    from chefboost import Chefboost
    data, evaluate = frame.assign(Decision=column), Chefboost.evaluate
    settings = {"algorithm": algorithm, "max_depth": max_depth, "enableParallelism": False}
    Chefboost.evaluate = lambda *rest, **more: None  # fitting also answers the training rows: that is not growing
    def facts(tree):
        lines = open("outputs/rules/rules.py").read().splitlines()
        leaves = sum("return" in line for line in lines) - sum(line.strip() == "else:" for line in lines)
        return leaves, evaluate(tree, data, silent=True)["Accuracy"] / 100
    return lambda: Chefboost.fit(data.copy(), settings, silent=True), facts
def matott():
    from decision_tree_matott.tree import C45, ID3
    learner = (ID3 if case["categorical"] else C45)(10**6, 0, sorted(set(labels)))
    def facts(_):
        found = ends(learner.root, lambda node: [branch.rule for branch in node.connections if branch.rule is not None])
        return len(found), sum(node.result_frequencia for node in found) / len(labels)
    return lambda: learner.create_tree(frame, column), facts
def sai():
    from entropytree import DecisionTree
    return lambda: DecisionTree().fit(rows, labels), lambda tree: (
        len(ends(tree.root_, lambda node: [] if node.is_leaf() else [node.left, node.right])), tree.score(rows, labels))
def infogain():
    from entropy_tree import DecisionTreeClassifier
    return lambda: DecisionTreeClassifier().fit(frame, labels), lambda tree: (
        tree.get_n_leaves(), tree.score(frame, labels))
def c50py():
    from c50py import C5Classifier
    learner = C5Classifier(min_samples_leaf=1, pruning=False, numeric_min_split=False, mdl_penalty=False)
    matrix = numpy.array(rows, dtype=kind)
    return lambda: learner.fit(matrix, numpy.array(labels)), lambda tree: (
        len(ends(tree.tree_, lambda node: node.children.values())), right(tree.predict(matrix)))
def numpy_ml():
    import collections, collections.abc
    collections.Hashable = collections.abc.Hashable  # its last release asks for what Python 3.10 took away
    from numpy_ml.trees.dt import DecisionTree
    matrix, (classes, numbers) = numpy.array(rows), numpy.unique(labels, return_inverse=True)
    learner = DecisionTree(criterion="entropy", seed=1)
    return lambda: learner.fit(matrix, numbers), lambda _: (
        len(ends(learner.root, lambda node: [node.left, node.right] if hasattr(node, "left") else [])),
        right(classes[learner.predict(matrix)]))
def kv():
    from decision_tree_kv import buildtree, classify
    def answer(row, tree):
        counts = classify(row, tree)
        return max(counts, key=counts.get)
    return lambda: buildtree([[*row, label] for row, label in zip(rows, labels)]), lambda tree: (
        len(ends(tree, lambda node: [node.tb, node.fb] if node.results is None else [])),
        right(answer(row, tree) for row in rows))
def c45_decision_tree():
    from C45 import C45Classifier
    learner = C45Classifier()
    return lambda: learner.fit(frame, column), lambda _: (
        len(ends(learner.tree, lambda node: getattr(node, "children", {}).values())), right(learner.predict(frame)))
def imodels():
    from imodels import C45TreeClassifier
    learner, matrix = C45TreeClassifier(), numpy.array(rows)
    return lambda: learner.fit(matrix, numpy.array(labels)), lambda tree: (
        len(ends(tree.dom_.documentElement, lambda node: [one for one in node.childNodes if one.nodeType == 1])),
        right(tree.predict(matrix)))
def clock():
    return time.process_time() + sum(os.times()[2:4])  # and whatever it starts
grow, facts = globals()[sys.argv[2]](**json.loads(sys.argv[3]))
times = []
while len(times) < 5 and sum(times) < 2:
    start = clock()
    tree = grow()
    times.append(clock() - start)
print("grown", min(times), *facts(tree))
"""


class Peer(NamedTuple):
    """A learner written in Python, and with how many rows it is asked: 0 if it does not take such attributes."""

    called: str
    continuous: int
    categorical: int
    settings: Mapping[str, object] = {}


PEERS = {
    "id3": Peer("id3", 10_000, 10_000),  # asks an attribute once on a path, which is what its authors set
    "id3 repeating": Peer("id3", 10_000, 0, {"is_repeating": True}),
    "chefboost C4.5": Peer("chefboost", 10_000, 0, {"max_depth": 5, "algorithm": "C4.5"}),  # what its authors set
    "chefboost C4.5 deep": Peer("chefboost", 10_000, 0, {"max_depth": 10**6, "algorithm": "C4.5"}),
    "chefboost ID3 deep": Peer("chefboost", 10_000, 10_000, {"max_depth": 10**6, "algorithm": "ID3"}),
    "decision_tree_matott": Peer("matott", 1000, 1000),
    "sai-entropytree": Peer("sai", 10_000, 0),
    "infogain-tree": Peer("infogain", 10_000, 10_000),
    "c50py": Peer("c50py", 10_000, 10_000),
    "numpy-ml": Peer("numpy_ml", 10_000, 0),
    "decision-tree-kv": Peer("kv", 1000, 10_000),
    "c45-decision-tree": Peer("c45_decision_tree", 0, 10_000),
    "imodels": Peer("imodels", 1000, 0),
}
"""The learners written in Python that were found to install. Those that stop at 1000 rows need more than `PATIENCE`."""


def peer(name: str, python: str, case: Case) -> Grown | None:
    """What a learner written in Python grows, in an environment of its own; nothing if it is not asked."""
    asked = PEERS[name]
    if len(case.rows) > (asked.categorical if case.categorical else asked.continuous):
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.json"
        path.write_text(json.dumps(case._asdict()), encoding="utf-8")
        printed = _output([python, "-c", PEER, str(path), asked.called, json.dumps(asked.settings)], cwd=folder)
    line = next((line for line in (printed or "").splitlines() if line.startswith("grown")), None)
    return Grown(math.nan) if line is None else Grown(*map(float, line.split()[1:]))


def _output(command: list[str], cwd: str | None = None) -> str | None:
    try:
        return subprocess.run(
            command, capture_output=True, check=True, encoding="utf-8", timeout=PATIENCE, cwd=cwd
        ).stdout
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
