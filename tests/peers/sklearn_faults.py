"""Trees, forests and AdaBoost of scikit-learn on tables made at random, and faults planted in their documents.

`python -m tests.peers.sklearn_faults` prints how many faults are named at the node where they were planted, model by
model and kind by kind, and how many nodes of right models are called wrong.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from reference_tree.auditing import audit
from reference_tree.data.table import Table
from reference_tree.exact.rationals import exact_text
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document import predictor_from_json
from tests.peers.boosted_faults import (
    Case,
    Document,
    Plant,
    Planted,
    Trained,
    asking,
    copied,
    end_of,
    feature,
    renumber,
    swap,
    threshold,
)

NAMES = ("a", "b", "c", "d", "e")
TREE, FOREST, EXTRA, BAG, BOOST = "DecisionTree", "RandomForest", "ExtraTrees", "Bagging", "AdaBoost"
WEIGHED: Mapping[str, Any] = {"class_weight": "balanced", "min_samples_leaf": 2}

CASES = (
    *(Case(TREE, task, {"max_features": 2}) for task in ("number", "three")),
    *(Case(TREE, task, {"min_samples_split": 6, "max_features": 3}, gaps=True) for task in ("number", "two")),
    Case(TREE, "three", WEIGHED),
    *(Case(FOREST, task, {"n_estimators": 2, "max_features": 2}) for task in ("number", "three")),
    *(Case(FOREST, task, {"n_estimators": 2, "min_samples_leaf": 3}, gaps=True) for task in ("number", "two")),
    *(Case(FOREST, task, {"n_estimators": 2, "max_features": 2, "max_leaf_nodes": 9}) for task in ("number", "three")),
    Case(FOREST, "three", {"n_estimators": 2, "class_weight": "balanced_subsample"}),
    *(Case(EXTRA, task, {"n_estimators": 2}) for task in ("number", "three")),
    *(Case(EXTRA, task, {"n_estimators": 2, "bootstrap": True, "min_samples_split": 5}) for task in ("number", "two")),
    Case(EXTRA, "three", {"n_estimators": 2, "max_leaf_nodes": 14}),
    *(Case(BAG, task, {"n_estimators": 2, "max_features": 0.6}) for task in ("number", "three")),
    *(Case(BOOST, task, {"n_estimators": 5, "learning_rate": 0.5, "max_depth": 3}) for task in ("two", "three")),
)
"""The ways to train."""


class Grown(Trained):
    """A model of scikit-learn, as a document of several trees, and its table."""

    def rows(self, tree: int) -> list[int]:
        """The rows that were drawn for a tree."""
        drawn = self.document["trees"][tree].get("drawn")
        return [row for row in range(len(self.table)) if drawn is None or drawn[row]]

    def wrong(self, document: Document) -> tuple[int, list[tuple[int, int]]]:
        """The number of nodes, and the nodes that an audit names as causes."""
        whole = {**document, **document["trees"][0]} if self.case.program == TREE else document
        if self.case.program == TREE:
            del whole["trees"]
        found = audit(predictor_from_json(json.dumps(whole)), self.table, ranks=False)
        return len(found.findings), [(one.tree or 0, one.number) for one in found.wrong if one.cause is None]


def trained(case: Case, seed: int, size: int = 90) -> Grown:
    """A model on a table made at random, of few values, so that questions tie."""
    chance = Random(seed)
    X = [[chance.randrange(7) / 4 for _ in NAMES] for _ in range(size)]
    score = [row[0] * 1.1 + row[1] * row[2] + chance.random() for row in X]
    classes = {"number": 0, "two": 2, "three": 3}[case.task]
    y: list[Any] = [str(int(one * 2) % classes) if classes else round(one, 1) for one in score]
    if case.gaps:
        X = [[float("nan") if chance.random() < 0.1 else one for one in row] for row in X]
    columns = {name: [None if row[at] != row[at] else row[at] for row in X] for at, name in enumerate(NAMES)}
    kinds: dict[str, Any] = {"categorical" if classes else "continuous": ["y"]}
    table = Table.from_columns({**columns, "y": y}, "y", **kinds)
    (document,) = read_foreign(_model(case, seed).fit(X, y), target="y", attributes=NAMES)
    if "trees" not in document:
        document["trees"] = [{"nodes": document.pop("nodes")}]
    return Grown(case, document, table, columns)


def _model(case: Case, seed: int) -> Any:
    kind = "Classifier" if case.task != "number" else "Regressor"
    trees, ensembles = importlib.import_module("sklearn.tree"), importlib.import_module("sklearn.ensemble")
    options = {**case.options}
    if case.program == TREE:
        return getattr(trees, TREE + kind)(random_state=seed, **options)
    depth = {"max_depth": options.pop("max_depth")} if case.program == BOOST else {}
    base = [getattr(trees, TREE + kind)(**depth)] if case.program in (BAG, BOOST) else []
    return getattr(ensembles, case.program + kind)(*base, random_state=seed, **options)


# The faults.


def dropped(model: Trained, chance: Random) -> Planted | None:
    """A subtree left out: its root is a leaf."""
    document = copied(model)
    tree, node = asking(document, chance)
    nodes, number = document["trees"][tree]["nodes"], node["id"]
    order = [*range(number + 1), *range(end_of(nodes, number), len(nodes))]
    for key in ("test", "branches", "missing"):
        node.pop(key, None)
    node["stop"] = "unknown"
    renumber(document, tree, order)
    return Planted(document, tree, number)


def leaf(model: Trained, chance: Random) -> Planted | None:
    """A leaf that answers another class, which is not as frequent, or another number."""
    document = copied(model)
    tree = chance.randrange(len(document["trees"]))
    node = chance.choice([one for one in document["trees"][tree]["nodes"] if "test" not in one])
    if "mean" in node:
        node["mean"] = exact_text(Fraction(node["mean"]) + Fraction(chance.choice([-1, 1]), 1000))
        return Planted(document, tree, node["id"])
    counts = {label: Fraction(node["counts"].get(label, "0")) for label in document["target"]["classes"]}
    others = [label for label in counts if counts[label] + Fraction(1, 10**6) < counts[node["label"]]]
    node["label"] = chance.choice(others or [node["label"]])
    node.pop("tied", None)
    return Planted(document, tree, node["id"]) if others else None


def count(model: Trained, chance: Random) -> Planted | None:
    """One row more at a leaf."""
    document = copied(model)
    tree = chance.randrange(len(document["trees"]))
    node = chance.choice([one for one in document["trees"][tree]["nodes"] if "test" not in one])
    counts, key = (node, "n") if "mean" in node else (node["counts"], node["label"])
    counts[key] = exact_text(Fraction(counts[key]) + 1)
    return Planted(document, tree, node["id"])


KINDS: Mapping[str, Plant] = {
    "swap": swap, "threshold": threshold, "feature": feature, "dropped": dropped, "leaf": leaf, "count": count,
}  # fmt: skip
"""The kinds of faults."""


def faults(model: Trained, seed: int) -> Iterator[tuple[str, Planted]]:
    """A planted fault of every kind, where there can be one."""
    for kind, plant in KINDS.items():
        chance = Random(f"{seed} {kind}")
        found = next((one for one in (plant(model, chance) for _ in range(20)) if one is not None), None)
        if found is not None:
            yield kind, found


def main(seeds: int = 2, only: Sequence[str] = ()) -> None:
    """Print the table of faults, and the nodes of right models, of all models or of those that are named."""
    nodes, alarms, strange = Counter[str](), Counter[str](), Counter[str]()
    named, planted = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for case in (case for case in CASES if not only or case.program in only):
        for seed in range(seeds):
            model = trained(case, seed)
            size, wrong = model.wrong(model.document)
            nodes[case.program] += size
            alarms[case.program] += len(wrong)
            if wrong:
                print("false alarm:", case, seed, wrong[:5], len(wrong), flush=True)
            for kind, one in faults(model, seed):
                found = model.wrong(one.document)[1]
                planted[case.program, kind] += 1
                named[case.program, kind] += (one.tree, one.node) in found
                strange[case.program] += len(set(found) - {(one.tree, one.node)})
                if found != [(one.tree, one.node)]:
                    print("not alone:", kind, seed, (one.tree, one.node), found[:6], len(found), case, flush=True)
    print("| model | " + " | ".join(KINDS) + " | in all | other causes | right nodes | false alarms |")
    print("|:--|" + "--:|" * (len(KINDS) + 4))
    for program in nodes:
        cells = [f"{named[program, kind]}/{planted[program, kind]}" for kind in KINDS]
        whole = "/".join(str(sum(counts[program, kind] for kind in KINDS)) for counts in (named, planted))
        cells += [whole, *map(str, (strange[program], nodes[program], alarms[program]))]
        print(f"| {program} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2, sys.argv[2:])
