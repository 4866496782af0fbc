"""Trees of scikit-learn on its own tables, and faults planted in their documents, one at a time.

Whether a fault moves a row is worked out with the float32 of NumPy, by the arrays of the program: nothing of the
package has a part in it.
"""

from __future__ import annotations

import importlib
import json
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from reference_tree.data.table import Table
from reference_tree.exact.rationals import decimal_text, exact_text
from reference_tree.programs.reading import read_foreign

TABLES = ("iris", "wine", "breast_cancer", "diabetes")


class Fitted(NamedTuple):
    """A tree that scikit-learn grew, and what it grew it from."""

    table: Table
    written: str
    """The document of the tree."""
    x: Any
    y: Any
    model: Any

    @property
    def is_numeric(self) -> bool:
        """Whether it predicts numbers."""
        return self.table.schema.target.values is None

    def rows_at(self, node: int) -> Any:
        """Which rows come to a node of the program's own numbers, which are those of preorder."""
        return self.model.decision_path(self.x).toarray()[:, node].astype(bool)

    def moves(self, node: int, threshold: float) -> bool:
        """Whether a row changes sides where a node asks another threshold."""
        tree = self.model.tree_
        values = self.x[self.rows_at(node), tree.feature[node]].astype("float32").astype("float64")
        return bool(((values <= tree.threshold[node]) != (values <= threshold)).any())


def fitted(name: str, criterion: str) -> Fitted:
    """The full tree on one of the tables."""
    sets, trees = importlib.import_module("sklearn.datasets"), importlib.import_module("sklearn.tree")
    data, numeric = getattr(sets, f"load_{name}")(), name == "diabetes"
    names = [str(one) for one in data.feature_names]
    target = data.target.tolist() if numeric else [str(one) for one in data.target]
    columns = {one: data.data[:, place].tolist() for place, one in enumerate(names)}
    table = Table.from_columns({**columns, "y": target}, "y", categorical=[] if numeric else ["y"])
    kind = "DecisionTreeRegressor" if numeric else "DecisionTreeClassifier"
    model = getattr(trees, kind)(criterion=criterion, random_state=0).fit(data.data, data.target)
    (document,) = read_foreign(model, target="y", attributes=names)
    return Fitted(table, json.dumps(document), data.data, data.target, model)


class Planted(NamedTuple):
    """A document with one fault, the node where it is, and whether it is one at all."""

    document: Any
    node: int
    is_fault: bool


def other_threshold(tree: Fitted, chance: Random) -> Planted:
    """A threshold moved: a little way, or to any value of the column."""
    whole = json.loads(tree.written)
    node = chance.choice([one for one in whole["nodes"] if "test" in one])
    place = [one["name"] for one in whole["attributes"]].index(node["test"]["attribute"])
    column, old = tree.x[:, place], float(Fraction(node["test"]["threshold"]))
    spread = float(column.max() - column.min())
    new = chance.choice([old + chance.uniform(-0.02, 0.02) * spread, float(chance.choice(list(column)))])
    node["test"]["threshold"] = written = decimal_text(Fraction(new))
    for branch, relation in zip(node["branches"], ("le", "gt"), strict=True):
        branch["when"] = {relation: written}
    return Planted(whole, node["id"], tree.moves(node["id"], new))


def other_label(tree: Fitted, chance: Random) -> Planted:
    """Another class, which is a fault unless it is as frequent; or another mean."""
    whole = json.loads(tree.written)
    node = chance.choice(whole["nodes"])
    if tree.is_numeric:
        node["mean"] = exact_text(Fraction(node["mean"]) + Fraction(chance.choice([-1, 1]), 10**6))
        return Planted(whole, node["id"], True)
    classes = [label for label in whole["target"]["classes"] if label != node["label"]]
    old, node["label"] = node["label"], chance.choice(classes)
    node.pop("tied", None)
    counts = node["counts"]
    return Planted(whole, node["id"], counts.get(node["label"], "0") != counts[old])


def other_count(tree: Fitted, chance: Random) -> Planted:
    """A row more, or one less, of some class or in all."""
    whole = json.loads(tree.written)
    node = chance.choice(whole["nodes"])
    counts = node if tree.is_numeric else node["counts"]
    key = "n" if tree.is_numeric else chance.choice(whole["target"]["classes"])
    count = int(counts.get(key, "0"))
    counts[key] = str(count + (chance.choice([-1, 1]) if count > 1 else 1))
    node.pop("tied", None)
    return Planted(whole, node["id"], True)


KINDS = {"threshold": other_threshold, "label": other_label, "count": other_count}
"""What can be changed by hand."""
