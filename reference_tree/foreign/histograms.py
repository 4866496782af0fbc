"""scikit-learn's HistGradientBoosting, by members that are private to it; what is not as it was known is refused.

`_predictors` has for each round a tree for each sum, each with an array `nodes`, whose fields are `FIELDS`. A number is
compared by `<=` with the upper edge of a bin. The `value` of a leaf holds the learning rate, that of other nodes does
not. The sums start from `_baseline_prediction`. Bins, weights of rows, and rows that were held out are not stated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from sys import float_info
from typing import Any

from reference_tree.data.errors import InputError, listed
from reference_tree.data.schema import Attribute
from reference_tree.foreign.boosted import Grown, Rule
from reference_tree.foreign.boosted import documents as boosted
from reference_tree.foreign.documents import Held, Source, data_value, exact, finite, reading, threshold
from reference_tree.tree import Program

FIELDS = ("value", "count", "feature_idx", "num_threshold", "missing_go_to_left", "left", "right", "is_leaf")
"""The fields of a node that are read."""

PARAMETERS = {
    "learning_rate": "rate", "l2_regularization": "reg_lambda", "min_samples_leaf": "min_samples_leaf",
    "max_depth": "max_depth", "max_leaf_nodes": "max_leaves",
}  # fmt: skip
"""The training parameters: the name in the program → the name in an audit."""

PLAIN = {"class_weight": None, "monotonic_cst": None, "interaction_cst": None, "max_features": 1.0}
"""The parameter values under which decisions can be repeated; parameters with other values are listed."""


def documents(
    model: Any, names: Sequence[str], target: str, classes: Sequence[str] | None, version: str | None
) -> list[dict[str, Any]]:
    """The document of the ensemble, or, if its loss is not known here, of each tree.

    Raises:
        InputError: its members have another form than expected, or it asks about categories.
    """
    with reading("a model of HistGradientBoosting"):
        trees = [
            Grown(
                {number: _held(node, names) for number, node in enumerate(tree.nodes)}, of, stated=_stated(tree.nodes)
            )
            for trees in model._predictors
            for of, tree in enumerate(trees)
        ]
        start = [Fraction(finite(float(one))) for one in model._baseline_prediction.ravel()]
        kinds = {"squared_error": "sum", "log_loss": "softmax" if len(start) > 1 else "logistic"}
        rule = Rule(kinds[model.loss], start, len(classes or ())) if model.loss in kinds else None
        program = Program("scikit-learn", version, "double", frozenset({"inner-labels"}))
        source = Source(program, " ".join(str(model).split()), list(_remarks(model)))
        return boosted(source, target, list(map(Attribute, names)), trees, rule, list(classes or ()))


def _held(node: Any, names: Sequence[str]) -> Held:
    if lacking := [field for field in FIELDS if field not in node.dtype.names]:
        raise InputError(f"its nodes have no {listed(lacking)}; this version of scikit-learn is not known")
    answer = {"n": str(int(node["count"]))}
    if node["is_leaf"]:
        return Held({**answer, "value": exact(finite(float(node["value"])))})
    if "is_categorical" in node.dtype.names and node["is_categorical"]:
        raise InputError("it asks about categories, of which the private members hold codes alone")
    to = int(node["left"]), int(node["right"])
    at = data_value(min(float(node["num_threshold"]), float_info.max))  # infinite: asks whether there is a value
    question = threshold(names[int(node["feature_idx"])], at, to)
    return Held(answer, replace(question, missing="branch", default=to[0 if node["missing_go_to_left"] else 1]))


def _stated(nodes: Any) -> dict[str, dict[int, float]]:
    """Weight and gain of the nodes that ask; the root states no weight."""
    asks = [number for number, node in enumerate(nodes) if not node["is_leaf"]]
    if "gain" not in nodes.dtype.names:
        return {}
    gains = {number: finite(float(nodes[number]["gain"])) for number in asks}
    return {"weight": {number: finite(float(nodes[number]["value"])) for number in asks[1:]}, "gain": gains}


def _remarks(model: Any) -> Iterator[tuple[str, Any]]:
    """The training parameters, and those whose effect cannot be repeated."""
    yield "objective", model.loss
    options = {ours: getattr(model, name) for name, ours in PARAMETERS.items()}
    yield "told", {name: value if name.startswith("max_") else exact(float(value)) for name, value in options.items()}
    unlike = [f"{name} {value}" for name, plain in PLAIN.items() if (value := getattr(model, name, plain)) != plain]
    if model.do_early_stopping_ and model.validation_fraction is not None:
        unlike.append("early_stopping on rows that were held out")
    if unlike:
        yield "unlike", unlike
