"""scikit-learn's `DecisionTreeClassifier` and `DecisionTreeRegressor`.

It rounds every value to float32 before it compares, and asks `<=` a double that lies between two of them. So a
threshold of 0.8 stands as 0.800000011920929. Features are drawn in an order that `random_state` decides, and the first
best of them wins: which of two equal splits it takes depends on that.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from tests.peers.data_sets import DataSet
from tests.peers.documents import Json, Node, averaged, classified, document, threshold

LEAF = -1


def absent() -> str | None:
    """What is not installed, if anything is not."""
    return None if importlib.util.find_spec("sklearn") else "there is no scikit-learn: pip install scikit-learn"


def grow(jobs: Sequence[tuple[DataSet, str]]) -> list[str]:
    """The documents of the full trees that it grows from rows by a criterion, for each job."""
    return [_grow(*job) for job in jobs]


def _grow(data: DataSet, criterion: str) -> str:
    trees: ModuleType = importlib.import_module("sklearn.tree")
    name = "DecisionTreeRegressor" if data.target.values is None else "DecisionTreeClassifier"
    *columns, target = zip(*data.numbers(), strict=True)
    rows = [list(row) for row in zip(*columns, strict=True)]
    model = getattr(trees, name)(criterion=criterion, random_state=0).fit(rows, target)
    command = f"{name}(criterion={criterion!r}, random_state=0).fit(...) on {data.name}"
    version = importlib.import_module("sklearn").__version__
    return convert(model.tree_, data, {"program": "scikit-learn", "version": version, "command": command})


def convert(tree: Any, data: DataSet, source: Json) -> str:
    """The document of a fitted tree: any object with the arrays of scikit-learn's `Tree`."""
    nodes = {number: _node(tree, number, data) for number in range(len(tree.feature))}
    return document(data, source, nodes, 0)


def _node(tree: Any, number: int, data: DataSet) -> Node:
    answer = _answer(tree, number, data)
    left, right = int(tree.children_left[number]), int(tree.children_right[number])
    if left == LEAF:
        return Node(answer)
    attribute = data.attributes[tree.feature[number]]
    asked = threshold(attribute, float(tree.threshold[number]), "le", "gt", (left, right))
    return Node(answer, asked.test, asked.branches)


def _answer(tree: Any, number: int, data: DataSet) -> Json:
    n, values = float(tree.weighted_n_node_samples[number]), [float(value) for value in tree.value[number][0]]
    if data.target.values is None:
        return averaged(n, values[0], n * float(tree.impurity[number]))
    present = _classes_present(data)
    counts = dict(zip(present, (round(n * value) for value in values), strict=True))  # it holds shares of n
    label = max(present, key=lambda name: counts[name])  # the first of equals, as its argmax
    return classified([counts.get(name, 0) for name in data.target.values], label, data.target.values)


def _classes_present(data: DataSet) -> list[str]:
    """The classes that have rows, in order: the only ones it knows."""
    found = {row[-1] for row in data.rows}
    return [name for name in data.target.domain if name in found]
