"""Grows one tree with a learner written in Python alone, and prints what it holds as JSON: version and tree.

Run by the interpreter of an environment where the learner is installed, `python grow_peers.py LEARNER < rows`: nothing
here but that learner and what it needs. The rows are JSON, numbers as numbers, the target last.
"""

from __future__ import annotations

import contextlib
import importlib
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


LEARNERS = {"chefboost": chefboost, "imodels": imodels}

if __name__ == "__main__":
    given = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        found = LEARNERS[sys.argv[1]](given, *sys.argv[2:3] or [""])
    json.dump(found, sys.stdout)
