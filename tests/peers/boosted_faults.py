"""Boosted models of other programs on tables made at random, and faults planted in their documents, one at a time.

`python -m tests.peers.boosted_faults` prints how many faults are named at the node where they were planted, program
by program and kind by kind, and how many nodes of right models are called wrong.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from time import process_time
from typing import Any, NamedTuple

from reference_tree.auditing.boosting import audit_boosted
from reference_tree.data.table import Table
from reference_tree.exact.rationals import exact_text
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document import predictor_from_json

Document = dict[str, Any]


class Case(NamedTuple):
    """A way to train."""

    program: str
    task: str
    """`number`, `two` or `three` classes."""
    options: Mapping[str, Any]
    gaps: bool = False
    """Whether values are missing."""
    weighed: bool = False
    """Whether rows have weights."""
    categories: bool = False
    """Whether a column has categories."""


XGB, LGB, HGB, GB = "XGBoost", "LightGBM", "HistGradientBoosting", "GradientBoosting"
CASES = (
    *(
        Case(XGB, task, {"tree_method": method, "max_depth": depth, "eta": eta}, gaps)
        for task, method, depth, eta, gaps in (
            ("number", "exact", 2, 0.1, False), ("number", "hist", 4, 0.3, False), ("number", "hist", 6, 1.0, True),
            ("two", "exact", 3, 0.1, True), ("two", "hist", 3, 0.3, False), ("two", "hist", 5, 0.1, True),
            ("three", "hist", 3, 0.5, False), ("three", "exact", 2, 0.3, True), ("number", "approx", 3, 0.3, False),
            ("two", "approx", 3, 0.5, False),
        )
    ),
    Case(XGB, "two", {"tree_method": "hist", "grow_policy": "lossguide", "max_leaves": 8, "max_depth": 0, "eta": 0.3}),
    Case(XGB, "number", {"tree_method": "exact", "max_depth": 4, "eta": 0.2, "gamma": 3.0, "lambda": 2.0}),
    Case(XGB, "two", {"tree_method": "hist", "max_depth": 3, "eta": 0.3}, weighed=True),
    Case(XGB, "number", {"tree_method": "hist", "max_depth": 3, "eta": 0.3}, categories=True),
    *(
        Case(LGB, task, {"num_leaves": leaves, "learning_rate": eta, "min_data_in_leaf": least}, gaps)
        for task, leaves, eta, least, gaps in (
            ("number", 8, 0.1, 5, False), ("number", 15, 0.5, 20, True), ("two", 8, 0.1, 5, False),
            ("two", 12, 0.3, 20, True), ("three", 6, 0.3, 10, False),
        )
    ),
    Case(LGB, "number", {"num_leaves": 8, "learning_rate": 0.3, "min_data_in_leaf": 10}, weighed=True),
    Case(LGB, "two", {"num_leaves": 8, "learning_rate": 0.3, "min_data_in_leaf": 10}, categories=True),
    *(
        Case(HGB, task, {"max_leaf_nodes": leaves, "learning_rate": eta, "max_depth": depth}, gaps)
        for task, leaves, eta, depth, gaps in (
            ("number", 8, 0.1, None, False), ("number", 31, 0.5, 3, True), ("two", 8, 0.1, None, False),
            ("two", None, 0.3, 4, True), ("three", 6, 0.3, None, False),
        )
    ),
    *(
        Case(GB, task, {"max_depth": depth, "learning_rate": eta, "min_samples_leaf": least})
        for task, depth, eta, least in (
            ("number", 3, 0.1, 1), ("number", 5, 1.0, 10), ("two", 3, 0.3, 5), ("two", 4, 0.1, 1), ("three", 3, 0.5, 2),
        )
    ),
    Case(GB, "two", {"max_depth": None, "max_leaf_nodes": 8, "learning_rate": 0.3}),
)  # fmt: skip


class Trained(NamedTuple):
    """A model, as a document, and the table that it was trained on."""

    case: Case
    document: Document
    table: Table
    columns: Mapping[str, Sequence[Any]]

    def rows(self, tree: int) -> list[int]:
        """The rows of a tree."""
        return list(range(len(self.table)))

    def wrong(self, document: Document) -> tuple[int, list[tuple[int, int]]]:
        """The number of nodes, and the nodes that an audit names as causes."""
        model: Any = predictor_from_json(json.dumps(document))
        told = {"max_depth": None} if self.case.options.get("max_depth") == 0 else {}
        found = audit_boosted(model, self.table, told)
        return len(found.findings), [(one.tree or 0, one.number) for one in found.wrong if one.cause is None]


def trained(case: Case, seed: int, rows: int = 400, rounds: int = 4) -> Trained:
    """A model on a table made at random."""
    numpy: Any = importlib.import_module("numpy")
    chance = numpy.random.default_rng(seed)
    X = chance.normal(size=(rows, 5)).round(2)
    X[:, 3] = chance.integers(0, 12, rows)
    if case.gaps:
        X[chance.random((rows, 5)) < 0.1] = numpy.nan
    held, codes = numpy.nan_to_num(X), chance.integers(0, 7, rows)
    score = 2 * held[:, 0] + numpy.sin(3 * held[:, 1]) + held[:, 2] * (held[:, 3] > 5) + chance.normal(size=rows)
    if case.categories:
        X[:, 4] = codes
        score = score + numpy.array([0, 2, -1, 1, 0, -2, 1])[codes]
    cuts = {"number": [], "two": [0.3], "three": [-1.0, 1.0]}[case.task]
    y = numpy.digitize(score, cuts) if cuts else score.round(3)
    weights = chance.integers(1, 5, rows) / 2 if case.weighed else None
    document = _fitted(case, X, y, weights, rounds)
    names = [f"x{place}" for place in range(5)]
    columns: dict[str, list[Any]] = {
        name: [None if numpy.isnan(cell) else float(cell) for cell in X[:, place]] for place, name in enumerate(names)
    }
    if case.categories:
        columns["x4"] = [str(code) for code in codes]
    whole: dict[str, list[Any]] = {**columns, "y": [str(one) for one in y] if cuts else y.tolist()}
    categorical = [*(["y"] if cuts else []), *(["x4"] if case.categories else [])]
    if weights is not None:
        whole["w"] = weights.tolist()
    table = Table.from_columns(whole, "y", weights=None if weights is None else "w", categorical=categorical)
    return Trained(case, document, table, columns)


def _fitted(case: Case, X: Any, y: Any, weights: Any, rounds: int) -> Document:
    names = [f"x{place}" for place in range(5)]
    if case.program == XGB:
        xgboost: Any = importlib.import_module("xgboost")
        objective = {"number": "reg:squarederror", "two": "binary:logistic", "three": "multi:softprob"}[case.task]
        several = {"num_class": 3} if case.task == "three" else {}
        kinds = ["float"] * 4 + ["c" if case.categories else "float"]
        data = xgboost.DMatrix(X, y, weight=weights, feature_names=names, feature_types=kinds, enable_categorical=True)
        given = {"objective": objective, "nthread": 1, **several, **case.options}
        booster = xgboost.train(given, data, rounds)
        value = json.loads(bytes(booster.save_raw("json")))
        if case.options["tree_method"] == "approx" or {"gamma", "max_leaves"} & case.options.keys():
            value["config"] = json.loads(booster.save_config())
        return read_foreign(json.dumps(value), target="y")[0] if "config" not in value else _of_value(value)
    if case.program == LGB:
        lightgbm: Any = importlib.import_module("lightgbm")
        objective = {"number": "regression", "two": "binary", "three": "multiclass"}[case.task]
        several = {"num_class": 3} if case.task == "three" else {}
        given = {"objective": objective, "verbose": -1, "num_threads": 1, "deterministic": True, "force_row_wise": True}
        data = lightgbm.Dataset(
            X, y, weight=weights, feature_name=names, categorical_feature=[4] if case.categories else "auto"
        )
        booster = lightgbm.train({**given, **several, **case.options}, data, rounds)
        return read_foreign(booster.model_to_string(), target="y")[0]
    ensemble: Any = importlib.import_module("sklearn.ensemble")
    kind = f"{case.program}{'Regressor' if case.task == 'number' else 'Classifier'}"
    count = {"max_iter" if case.program == HGB else "n_estimators": rounds}
    model = getattr(ensemble, kind)(random_state=0, **count, **case.options).fit(X, y)
    return read_foreign(model, target="y", attributes=names)[0]


def _of_value(value: Any) -> Document:
    return read_foreign(value, target="y")[0]


# The faults.


class Planted(NamedTuple):
    """A document with a fault, and the tree and the node where it is."""

    document: Document
    tree: int
    node: int


Plant = Callable[[Trained, Random], "Planted | None"]


def copied(trained: Trained) -> Document:
    return json.loads(json.dumps(trained.document))  # type: ignore[no-any-return]


def _goes(node: Document, value: Any) -> int:
    """The branch of a value at a node that asks."""
    if value is None:
        return [branch["to"] for branch in node["branches"]].index(node["missing"]["to"])
    when = node["branches"][0]["when"]
    (kind, at), number = next(iter(when.items())), value
    if kind == "in":
        return 0 if value in at else 1
    return 0 if (number < Fraction(at) if kind == "lt" else number <= Fraction(at)) else 1


def _arrivals(trained: Trained, document: Document, tree: int) -> dict[int, list[int]]:
    """The rows that arrive at each node, by the document."""
    single = trained.case.program not in (LGB, HGB)
    numpy: Any = importlib.import_module("numpy")
    nodes, found = document["trees"][tree]["nodes"], {0: trained.rows(tree)}
    for node in nodes:
        if "test" not in node:
            continue
        column = trained.columns[node["test"]["attribute"]]
        for row in found.get(node["id"], []):
            value = column[row]
            if isinstance(value, float):
                value = Fraction(float(numpy.float32(value))) if single else Fraction(value)
            found.setdefault(node["branches"][_goes(node, value)]["to"], []).append(row)
    return found


def asking(document: Document, chance: Random, numeric: bool = False) -> tuple[int, Document]:
    """A tree, and a node of it that asks."""
    every = [
        (tree, node)
        for tree, each in enumerate(document["trees"])
        for node in each["nodes"]
        if "test" in node and (not numeric or node["test"]["kind"] == "threshold")
    ]
    return chance.choice(every)


def _asks(node: Document, attribute: str, at: Fraction) -> None:
    node["test"] = {"kind": "threshold", "attribute": attribute, "threshold": exact_text(at)}
    kinds = [next(iter(branch["when"])) for branch in node["branches"]]
    for branch, kind in zip(node["branches"], kinds, strict=True):
        branch["when"] = {kind: exact_text(at)}


def threshold(trained: Trained, chance: Random) -> Planted | None:
    """A threshold moved, so that some rows change sides."""
    document = copied(trained)
    tree, node = asking(document, chance, numeric=True)
    name, before = node["test"]["attribute"], _arrivals(trained, document, tree)
    values = sorted({trained.columns[name][row] for row in before[node["id"]]} - {None})
    _asks(node, name, Fraction(chance.choice(values)))
    after = _arrivals(trained, document, tree)
    to = node["branches"][0]["to"]
    return Planted(document, tree, node["id"]) if before.get(to) != after.get(to) else None


def feature(trained: Trained, chance: Random) -> Planted | None:
    """Another attribute asked."""
    document = copied(trained)
    tree, node = asking(document, chance, numeric=True)
    before = _arrivals(trained, document, tree)
    names = [name for name in trained.columns if name != node["test"]["attribute"]]
    name = chance.choice([name for name in names if not isinstance(trained.columns[name][0], str)])
    values = sorted({trained.columns[name][row] for row in before[node["id"]]} - {None})
    _asks(node, name, Fraction(chance.choice(values)))
    after = _arrivals(trained, document, tree)
    to = node["branches"][0]["to"]
    return Planted(document, tree, node["id"]) if before.get(to) != after.get(to) else None


def swap(trained: Trained, chance: Random) -> Planted | None:
    """The two branches of a node exchanged."""
    document = copied(trained)
    tree, node = asking(document, chance)
    nodes, (first, second) = document["trees"][tree]["nodes"], (branch["to"] for branch in node["branches"])
    end = end_of(nodes, second)
    order = [*range(first), *range(second, end), *range(first, second), *range(end, len(nodes))]
    default = None if "missing" not in node else [first, second].index(node["missing"]["to"])
    node["branches"][0]["to"], node["branches"][1]["to"] = second, first
    if default is not None:
        node["missing"]["to"] = node["branches"][default]["to"]
    renumber(document, tree, order)
    return Planted(document, tree, node["id"])


def end_of(nodes: Sequence[Document], node: int) -> int:
    """The number behind the last node of a subtree."""
    last = node
    while "test" in nodes[last]:
        last = nodes[last]["branches"][1]["to"]
    return last + 1


def renumber(document: Document, tree: int, order: Sequence[int]) -> None:
    number = {old: new for new, old in enumerate(order)}
    nodes = document["trees"][tree]["nodes"]
    for node in (nodes[old] for old in order):
        node["id"] = number[node["id"]]
        for branch in node.get("branches", []):
            branch["to"] = number[branch["to"]]
        if "missing" in node:
            node["missing"]["to"] = number[node["missing"]["to"]]
    document["trees"][tree]["nodes"] = [nodes[old] for old in order]
    if "stated" in document["learner"]["options"]:
        stated = document["learner"]["options"]["stated"][tree]
        for name, numbers in stated.items():
            stated[name] = [numbers[old] for old in order]
    if "draws" in document["learner"]["options"].get("told", {}):
        drawn = document["learner"]["options"]["told"]["draws"]["trees"][tree]
        if "made" in drawn:
            drawn["made"] = [drawn["made"][old] for old in order]
        if "impure" in drawn:
            drawn["impure"] = [number[old] for old in drawn["impure"] if old in number]


def dropped(trained: Trained, chance: Random) -> Planted | None:
    """A subtree left out: its root is a leaf that adds what its rows say."""
    document = copied(trained)
    tree, node = asking(document, chance)
    options, number = document["learner"]["options"], node["id"]
    if "stated" not in options:
        return None
    stated = options["stated"][tree]
    eta = Fraction(str(trained.case.options.get("eta", trained.case.options.get("learning_rate"))))
    value = (stated.get("value") or [None] * 10**4)[number]
    if value is None and (weight := stated.get("weight", [None] * 10**4)[number]) is not None:
        value = Fraction(weight) * eta
    if value is None:
        return None
    nodes = document["trees"][tree]["nodes"]
    order = [*range(number + 1), *range(end_of(nodes, number), len(nodes))]
    for key in ("test", "branches", "missing"):
        node.pop(key, None)
    node |= {"value": exact_text(Fraction(value)), "stop": "unknown"}
    if trained.case.program == LGB:
        node["value"] = exact_text(Fraction(value))
    if "gain" in stated:
        stated["gain"][number] = None
    renumber(document, tree, order)
    return Planted(document, tree, number)


def leaf(trained: Trained, chance: Random) -> Planted | None:
    """The value of a leaf changed."""
    document = copied(trained)
    every = [
        (tree, node)
        for tree, each in enumerate(document["trees"])
        for node in each["nodes"]
        if "test" not in node and len(each["nodes"]) > 1
    ]
    tree, node = chance.choice(every)
    largest = max(abs(Fraction(each["value"])) for _, each in every)
    off = chance.choice([-1, 1]) * largest * Fraction(chance.choice(["0.001", "0.1", "0.7"]))
    node["value"] = exact_text(Fraction(node["value"]) + off)
    return Planted(document, tree, node["id"])


def default(trained: Trained, chance: Random) -> Planted | None:
    """The rows without a value sent to the other side, where there are some."""
    document = copied(trained)
    tree, node = asking(document, chance, numeric=True)
    before = _arrivals(trained, document, tree)
    column = trained.columns[node["test"]["attribute"]]
    if "missing" not in node or not any(column[row] is None for row in before[node["id"]]):
        return None
    (other,) = (branch["to"] for branch in node["branches"] if branch["to"] != node["missing"]["to"])
    node["missing"]["to"] = other
    return Planted(document, tree, node["id"])


def _stated(name: str) -> Plant:
    def plant(trained: Trained, chance: Random) -> Planted | None:
        """A number that is stated of a node changed by a hundredth at least."""
        document = copied(trained)
        tree = chance.randrange(len(document["trees"]))
        numbers = document["learner"]["options"].get("stated", [{}] * (tree + 1))[tree].get(name, [])
        places = [place for place, number in enumerate(numbers) if number is not None and abs(float(number)) > 1e-4]
        if not places:
            return None
        node = chance.choice(places)
        numbers[node] = repr(float(numbers[node]) * chance.choice([1.01, 0.9, 2.0, -1.0]))
        return Planted(document, tree, node)

    return plant


def count(trained: Trained, chance: Random) -> Planted | None:
    """The number of rows of a node changed."""
    document = copied(trained)
    tree = chance.randrange(len(document["trees"]))
    node = chance.choice(document["trees"][tree]["nodes"])
    if "n" not in node:
        return None
    node["n"] = str(int(node["n"]) + chance.choice([1, -1, 7]))
    return Planted(document, tree, node["id"])


KINDS: Mapping[str, Plant] = {
    "swap": swap, "threshold": threshold, "feature": feature, "dropped": dropped, "leaf": leaf, "default": default,
    "count": count, **{name: _stated(name) for name in ("h", "weight", "value", "gain")},
}  # fmt: skip
"""The kinds of faults."""


def faults(model: Trained, seed: int, kinds: Sequence[str] = tuple(KINDS)) -> Iterator[tuple[str, Planted]]:
    """A planted fault of every kind, where there can be one."""
    for kind in kinds:
        chance = Random(f"{seed} {kind}")
        found = next((one for one in (KINDS[kind](model, chance) for _ in range(20)) if one is not None), None)
        if found is not None:
            yield kind, found


def main(seeds: int = 2, only: Sequence[str] = ()) -> None:
    """Print both tables, of all programs and kinds of faults or of those that are named; of `right`, no faults."""
    cases = [case for case in CASES if case.program in only or not {XGB, LGB, HGB, GB} & set(only)]
    kinds = [kind for kind in KINDS if kind in only] or ([] if "right" in only else list(KINDS))
    nodes, alarms, named, planted = (
        Counter[str](),
        Counter[str](),
        Counter[tuple[str, str]](),
        Counter[tuple[str, str]](),
    )
    strange, spent = Counter[str](), 0.0
    for case in cases:
        for seed in range(seeds):
            model = trained(case, seed)
            size, wrong = model.wrong(model.document)
            nodes[case.program] += size
            alarms[case.program] += len(wrong)
            if wrong:
                print("false alarm:", case, seed, wrong[:5], len(wrong), flush=True)
            begun = process_time()
            for kind, one in faults(model, seed, kinds):
                _, wrong = model.wrong(one.document)
                planted[case.program, kind] += 1
                named[case.program, kind] += wrong == [(one.tree, one.node)]
                strange[case.program] += len(set(wrong) - {(one.tree, one.node)})
                if wrong != [(one.tree, one.node)]:
                    print("not named:", kind, (one.tree, one.node), wrong[:6], len(wrong), case, flush=True)
            spent += process_time() - begun
    print(f"{spent:.0f} s of CPU")
    print("| program | " + " | ".join(KINDS) + " | in all | other causes |")
    print("|:--|" + "--:|" * (len(KINDS) + 2))
    for program in dict.fromkeys(case.program for case in cases):
        cells = [f"{named[program, kind]}/{planted[program, kind]}" for kind in KINDS]
        whole = [sum(counts[program, kind] for kind in KINDS) for counts in (named, planted)]
        print(f"| {program} | " + " | ".join(cells) + f" | {whole[0]}/{whole[1]} | {strange[program]} |")
    for program in nodes:
        print(f"{program}: {nodes[program]} nodes of right models, {alarms[program]} called wrong")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2, sys.argv[2:])
