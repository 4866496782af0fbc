"""Grows one tree with a learner written in Python alone, and prints what it holds as JSON: version and tree.

Run by the interpreter of an environment where the learner is installed, `python grow_peers.py LEARNER < rows`: nothing
here but that learner and what it needs. The rows are JSON, numbers as numbers, the target last.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any


def chefboost(rows: Any, algorithm: str) -> tuple[str, Any]:
    """The text of the Python function that it writes."""
    pandas: Any = importlib.import_module("pandas")
    frame = pandas.DataFrame(rows["rows"], columns=[*rows["names"][:-1], "Decision"])
    for name in frame.columns:
        if frame[name].dtype.kind not in "if":
            frame[name] = frame[name].astype(object)
    frame["Decision"] = frame["Decision"].astype(object)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        sys.path.insert(0, folder)  # it imports what it has written
        importlib.import_module("chefboost.Chefboost").fit(frame, {"algorithm": algorithm}, "Decision", silent=True)
        return version("chefboost"), Path("outputs/rules/rules.py").read_text(encoding="utf-8")


def imodels(rows: Any, _: str) -> tuple[str, Any]:
    """The XML that it keeps, and its classes."""
    numpy: Any = importlib.import_module("numpy")
    *columns, target = zip(*rows["rows"], strict=True)
    names = [f"x{place}" for place in range(len(columns))]
    X, y = numpy.array(columns, dtype=float).T, numpy.array(target)
    model = importlib.import_module("imodels").C45TreeClassifier().fit(X, y, feature_names=names)
    return version("imodels"), [model.tree_, [str(label) for label in model.classes_]]


def numpy_ml(rows: Any, criterion: str) -> tuple[str, Any]:
    """Its nodes in preorder, [column, threshold, left, right] or [class], and its classes.

    The package as a whole is older than Python 3.10, and ends in an error when it is imported there; the file with the
    trees does not need the rest of it.
    """
    numpy: Any = importlib.import_module("numpy")
    (folder,) = importlib.util.find_spec("numpy_ml").submodule_search_locations  # type: ignore[union-attr, misc]
    sys.path.insert(0, str(Path(folder, "trees")))
    *columns, target = zip(*rows["rows"], strict=True)
    classes = sorted(set(target))
    model = importlib.import_module("dt").DecisionTree(criterion=criterion, seed=1)
    model.fit(numpy.array(columns, dtype=float).T, numpy.array([classes.index(label) for label in target]))
    nodes: list[list[Any]] = []
    pending: list[tuple[Any, int, int]] = [(model.root, -1, 0)]
    while pending:
        node, above, side = pending.pop()
        if above >= 0:
            nodes[above][2 + side] = len(nodes)
        if hasattr(node, "value"):
            nodes.append([int(node.value.argmax())])
        else:
            pending += [(node.right, len(nodes), 1), (node.left, len(nodes), 0)]
            nodes.append([int(node.feature), repr(float(node.threshold)), 0, 0])
    return version("numpy-ml"), [nodes, classes]


def orange(rows: Any, _: str) -> tuple[str, Any]:
    """Its nodes, [column, threshold or 0, branches...] or [class], and its classes; no branch is the class above."""
    orange, numpy = importlib.import_module("Orange.data"), importlib.import_module("numpy")
    columns = list(zip(*rows["rows"], strict=True))
    kinds = [
        orange.ContinuousVariable(name) if given is None else orange.DiscreteVariable(name, given)
        for name, given in zip(rows["names"], rows["values"], strict=True)
    ]
    codes = [
        list(map(float, cells)) if given is None else [given.index(cell) for cell in cells]
        for cells, given in zip(columns, rows["values"], strict=True)
    ]
    held = numpy.array(codes, dtype=float).T
    data = orange.Table.from_numpy(orange.Domain(kinds[:-1], kinds[-1]), held[:, :-1], held[:, -1])
    learner = importlib.import_module("Orange.classification").TreeLearner
    root = learner(binarize=False, sufficient_majority=1.0)(data).root
    nodes: list[list[Any]] = []
    pending: list[tuple[Any, Any, int, int]] = [(root, root, -1, 0)]
    while pending:
        node, from_above, above, side = pending.pop()
        if above >= 0:
            nodes[above][2 + side] = len(nodes)
        here = node or from_above
        if node is None or not node.children:
            nodes.append([int(numpy.argmax(here.value))])
            continue
        pending += [(child, node, len(nodes), place) for place, child in reversed([*enumerate(node.children)])]
        nodes.append([node.attr_idx, repr(float(getattr(node, "threshold", 0))), *[0] * len(node.children)])
    return version("Orange3"), [nodes, rows["values"][-1]]


LEARNERS = {"Orange": orange, "chefboost": chefboost, "imodels": imodels, "numpy-ml": numpy_ml}

if __name__ == "__main__":
    given = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        found = LEARNERS[sys.argv[1]](given, *sys.argv[2:3] or [""])
    json.dump(found, sys.stdout)
