"""scikit-learn's GradientBoosting, from the fitted object.

`estimators_` has for each round a tree for each sum. A tree is fitted to the first derivatives alone, each row counting
once; under a loss of classes its leaves are set afterwards, to a step of Newton's method. Leaves are kept without the
learning rate, and a document has them with it. The sums start from what `init_` predicts, which the object works out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from reference_tree.data.schema import Attribute
from reference_tree.foreign.boosted import Grown, Rule
from reference_tree.foreign.boosted import documents as boosted
from reference_tree.foreign.documents import Held, Source, data_value, exact, finite, reading, threshold
from reference_tree.tree import Program

LEAF = -1

RULES = {"squared_error": "sum", "log_loss": "logistic"}
"""The losses of which all of the model is one document, with the rule for the sums; of several classes, `softmax`."""

PARAMETERS = {"learning_rate": "rate", "max_depth": "max_depth", "max_leaf_nodes": "max_leaves"}
"""The training parameters: the name in the program → the name in an audit."""

PLAIN = {
    "subsample": 1.0, "max_features": None, "min_weight_fraction_leaf": 0.0, "min_impurity_decrease": 0.0,
    "min_samples_split": 2, "ccp_alpha": 0.0,
}  # fmt: skip
"""The parameter values under which decisions can be repeated; parameters with other values are listed."""


def is_read(model: Any) -> bool:
    """Whether it is a model of GradientBoosting whose loss is known here, and whose sums start from numbers."""
    is_sum = getattr(getattr(model, "estimators_", None), "ndim", 1) == 2 and hasattr(model, "_raw_predict_init")
    return is_sum and model.loss in RULES and type(model.init_).__name__ in ("DummyClassifier", "DummyRegressor", "str")


def documents(
    model: Any, names: Sequence[str], target: str, classes: Sequence[str] | None, version: str | None
) -> list[dict[str, Any]]:
    """The document of the ensemble.

    Raises:
        InputError: its members have another form than expected.
    """
    with reading("a model of GradientBoosting"):
        rate, sums = float(model.learning_rate), model.estimators_.shape[1]
        trees = [
            Grown(dict(_nodes(tree.tree_, names, rate)), of, stated=_stated(tree.tree_))
            for trees in model.estimators_
            for of, tree in enumerate(trees)
        ]
        row = [[0.0] * int(model.n_features_in_)]
        start = [Fraction(finite(float(one))) for one in model._raw_predict_init(row).ravel()]
        combine = "softmax" if sums > 1 else RULES[model.loss]
        program = Program("scikit-learn", version, "float32", frozenset({"inner-labels"}))
        source = Source(program, " ".join(str(model).split()), list(_remarks(model)))
        rule = Rule(combine, start, len(classes or ()))
        return boosted(source, target, list(map(Attribute, names)), trees, rule, list(classes or ()))


def _nodes(tree: Any, names: Sequence[str], rate: float) -> Iterator[tuple[int, Held]]:
    for node in range(len(tree.feature)):
        answer = {"n": str(int(tree.n_node_samples[node]))}
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if left == LEAF:
            yield node, Held({**answer, "value": exact(finite(rate * float(tree.value[node, 0, 0])))})
            continue
        question = threshold(names[int(tree.feature[node])], data_value(float(tree.threshold[node])), (left, right))
        yield node, Held(answer, question)


def _stated(tree: Any) -> dict[str, dict[int, float]]:
    """The weight of the nodes that ask: the mean of the negative first derivatives of their rows."""
    asks = [node for node in range(len(tree.feature)) if int(tree.children_left[node]) != LEAF]
    return {"weight": {node: finite(float(tree.value[node, 0, 0])) for node in asks}}


def _remarks(model: Any) -> Iterator[tuple[str, Any]]:
    """The training parameters, and those whose effect cannot be repeated."""
    yield "objective", model.loss
    options = {ours: getattr(model, name) for name, ours in PARAMETERS.items()}
    least = model.min_samples_leaf
    told = {name: value if name.startswith("max_") else exact(float(value)) for name, value in options.items()}
    yield "told", {**told, "min_samples_leaf": str(least), "newton": False}
    unlike = [f"{name} {value}" for name, plain in PLAIN.items() if (value := getattr(model, name, plain)) != plain]
    if not isinstance(least, int):
        unlike.append(f"min_samples_leaf {least}")
    if model.n_iter_no_change is not None:
        unlike.append("early stopping on rows that were held out")
    if unlike:
        yield "unlike", unlike
