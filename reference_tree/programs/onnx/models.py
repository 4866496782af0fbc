"""ONNX: a model of trees, as skl2onnx and onnxmltools make it of one of scikit-learn, LightGBM or XGBoost.

A model is a graph of operators. The one that holds trees is `TreeEnsembleRegressor`, `TreeEnsembleClassifier`, or since
`ai.onnx.ml` 5 `TreeEnsemble`; around it `Cast`, `Identity`, `ZipMap` and `Exp` are read, and every other operator is
refused by its name. Its answers are those of onnxruntime:

| attribute | what it says |
|:--|:--|
| `nodes_modes` | `BRANCH_LEQ`, `BRANCH_LT`, `BRANCH_GTE`, `BRANCH_GT`, or `LEAF` |
| `nodes_values` | the thresholds, as float32: those of doubles were rounded when the model was made |
| `nodes_missing_value_tracks_true` | 1: a row without a value takes the true branch; otherwise the false one |
| `target_*`, `class_*` | what each leaf adds to which sum |
| `base_values` | what is added to the sums after the trees: here the last tree, a leaf |
| `post_transform` | what is made of the sums: `NONE`, `LOGISTIC` or `SOFTMAX` |

Values are compared in the type of the input, float32 or double, and sums are rounded to it after each tree, as by
onnxruntime with one thread. With several, and more than fifty rows or eighty trees at once, it adds up the trees in
another order (`findings/onnxruntime_threads.sh`). A sum of doubles is the answer here; only the operator since
`ai.onnx.ml` 5 hands it out as it is, and the older ones as float32.

Two classes may have one sum: the probability of the second is the sum, or its logistic function. Without
`post_transform` the sums of several classes are their probabilities, as in a forest. Where all leaves are positive,
onnxruntime 1.32 names the second class only if the sum is above 0.5, whatever the probability; here it is the class of
the larger one, as in the standard.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from reference_tree.data.errors import InputError, listed, shown
from reference_tree.data.schema import Attribute
from reference_tree.programs.boosted import SumRule
from reference_tree.programs.boosted import documents as boosted
from reference_tree.programs.documents import (
    NOTES,
    HeldNode,
    Json,
    TreeOrigin,
    document,
    finite,
    refuse_many,
)
from reference_tree.programs.inventory import Ignored, UnreadError
from reference_tree.programs.onnx.arrays import as_older, numbers
from reference_tree.programs.onnx.graph import SUM, flow, labels
from reference_tree.programs.onnx.members import ENSEMBLE, MODEL, OPERATORS, REGRESSOR, SOURCE, TENSOR
from reference_tree.programs.onnx.sums import (
    Trees,
    Votes,
    answer_of,
    grown_of,
    rule_of_classes,
    rule_of_targets,
    votes_of,
)
from reference_tree.programs.onnx.wire import begins, decoded
from reference_tree.programs.reader import Binary, GivenNames, ProgramReader, asked
from reference_tree.tree import Program

MODES: Mapping[str, tuple[bool, bool]] = {
    "BRANCH_LEQ": (False, False), "BRANCH_LT": (False, True), "BRANCH_GT": (True, False), "BRANCH_GTE": (True, True),
}  # fmt: skip
"""The mode of a node → whether the smaller values take its false branch, and whether their bound is strict."""

SHARES = ("share", "shares")
"""The rules by which sums are probabilities."""

GAPS = "no node sends a row without a value to its true branch; a converter may have left out what the model learned"
"""The remark on a model whose nodes all send such rows to the same side."""


def documents(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    """The document of the tree or the ensemble; one for each target, where there are several.

    Raises:
        InputError: it is no model, or its members do not fit together.
        UnreadError: it has an operator, or another member, that is not read.
    """
    model = decoded(value.SerializeToString()) if hasattr(value, "SerializeToString") else value
    kind, held, values, form, link, size = flow(model, names.ignored)
    # The operator since ai.onnx.ml 5 has the same nodes in other arrays.
    if kind == ENSEMBLE:
        kind, held = REGRESSOR, as_older(held, names.ignored)
    most = max(held["nodes_featureids"], default=-1) + 1
    features = list(map(Attribute, names.features(size or len(names.columns) or most)))
    trees = {tree: dict(_nodes(places, held, features, names.ignored)) for tree, places in _runs(held)}
    if sum(map(len, trees.values())) != len(held["nodes_nodeids"]):
        raise InputError("a tree has two nodes of one number")
    is_sum = kind == REGRESSOR
    sums = held.get("n_targets", 1) if is_sum else len(labels(held))
    votes = votes_of(held, "target" if is_sum else "class", trees, sums, names.ignored)
    made_by = " ".join(model[key] for key in ("producer_name", "producer_version") if model.get(key))
    facts: list[tuple[str, Any]] = [("producer", made_by)] if made_by else []
    asks = any(node.test is not None for nodes in trees.values() for node in nodes.values())
    notes = [(NOTES, [GAPS])] if asks and not any(held.get("nodes_missing_value_tracks_true", ())) else []
    source = TreeOrigin(
        Program("ONNX", None, values, frozenset({"inner-labels", "counts"}), form), None, [*facts, *notes]
    )
    base = [finite(number) for number in numbers(held, "base_values", names.ignored)]
    if is_sum:
        rule = rule_of_targets(held, link, base)
        if isinstance(rule, SumRule) and _is_tree(trees, base) and link == SUM:
            return [_tree(source, Attribute(names.target), features, trees, votes)]
        return boosted(source, names.target, features, list(grown_of(trees, votes, base)), rule)
    classes = names.labels(len(labels(held)), labels(held))
    found = rule_of_classes(held, votes, base, len(classes))
    if _is_tree(trees, base) and found.combine in SHARES:
        return [_tree(source, Attribute(names.target, tuple(classes)), features, trees, votes)]
    grown = grown_of(trees, votes, base)
    # One sum of two classes may stand under the number of either.
    grown = (tree._replace(of=0) for tree in grown) if len(found.start) == 1 else grown
    return boosted(source, names.target, features, list(grown), found, classes)


def holds(value: Any) -> bool:
    """Whether a value of JSON is a model that was decoded, or an object is one of the package onnx."""
    is_value = isinstance(value, dict) and "graph" in value and "opset_import" in value
    return is_value or type(value).__name__ == "ModelProto"


READER = ProgramReader(
    "onnx", "a model of trees in ONNX", documents, holds=holds, inventories=(MODEL, *OPERATORS.values(), TENSOR),
    binary=Binary(begins, decoded),
)  # fmt: skip


# Nodes.


def _runs(held: Json) -> list[tuple[int, range]]:
    """The number of each tree, and the places of its nodes."""
    parts = {name: len(held[name]) for name in held if name.startswith("nodes_") and isinstance(held[name], list)}
    size = len(held["nodes_treeids"])
    # Popularities, and the sides of gaps, may be left out.
    if short := [name for name, length in parts.items() if length != size and length]:
        raise InputError(f"{short[0]} is of {parts[short[0]]} nodes, and there are {size}")
    refuse_many(size)
    runs = [(tree, list(run)) for tree, run in groupby(range(size), key=held["nodes_treeids"].__getitem__)]
    # onnxruntime begins a tree wherever the number changes.
    if len({tree for tree, _ in runs}) < len(runs) or not runs:
        raise InputError("it has no tree, or the nodes of a tree are not beside one another")
    return [(tree, range(run[0], run[-1] + 1)) for tree, run in runs]


def _nodes(
    places: range, held: Json, features: Sequence[Attribute], ignored: Ignored
) -> Iterator[tuple[int, HeldNode]]:
    """The nodes of a tree, without what its leaves add."""
    tracks, thresholds = held.get("nodes_missing_value_tracks_true"), numbers(held, "nodes_values", ignored)
    if held["nodes_nodeids"][places[0]] != 0:
        raise InputError("a tree does not begin with its node 0")
    for place in places:
        number, mode = held["nodes_nodeids"][place], held["nodes_modes"][place]
        if mode == "LEAF":
            yield number, HeldNode()
            continue
        if mode not in MODES:
            raise UnreadError(f"a node tests by {shown(mode)}, and {listed(list(MODES))} are read; {SOURCE}")
        swaps, is_strict = MODES[mode]
        if_true, if_false = held["nodes_truenodeids"][place], held["nodes_falsenodeids"][place]
        to = (if_false, if_true) if swaps else (if_true, if_false)
        # A comparison with NaN is false.
        default = if_true if tracks and tracks[place] == 1 else if_false
        at, feature = finite(thresholds[place]), held["nodes_featureids"][place]
        yield number, HeldNode({}, asked(features, feature, at, to, default, is_strict=is_strict))


def _is_tree(trees: Trees, base: Sequence[float]) -> bool:
    """Whether one tree is all of the answer."""
    return len(trees) == 1 and not any(base)


def _tree(
    source: TreeOrigin, target: Attribute, features: Sequence[Attribute], trees: Trees, votes: Votes
) -> dict[str, Any]:
    """The document of a model that is one tree."""
    ((tree, nodes),) = trees.items()
    classes = target.values
    silent = frozenset({"inner-labels", "counts"} if classes is None else {"inner-labels", "inner-counts", "weights"})
    own = {
        place: node if node.test else HeldNode(answer_of(votes[tree, place], classes)) for place, node in nodes.items()
    }
    # Nothing is added up, so nothing is rounded.
    program = source.program._replace(silent=silent, sums="exact")
    return document(source._replace(program=program), target, features, own, 0)
