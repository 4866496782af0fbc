"""scikit-learn: fitted trees and forests, by what their objects hold; nothing of it is imported.

A tree has arrays with an entry a node: `children_left`, `children_right` (−1: a leaf), `feature`, `threshold`,
`impurity`, `weighted_n_node_samples` and `value`. A value is rounded to float32 and compared by `<=` with a double that
lies between two of them. `value` holds the share of each class, and before version 1.3 its weight, or else the mean.

Where a row has no value it goes the way that `missing_go_to_left` says; versions that do not have it refuse such rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from sys import modules
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import exact_text
from reference_tree.foreign.documents import (
    Held,
    Json,
    Source,
    classified,
    data_value,
    document,
    exact,
    threshold,
)
from reference_tree.tree import Program

LEAF = -1
SUMS = {
    "squared_error": ("mean", "sse"), "mse": ("mean", "sse"), "friedman_mse": ("mean", "sse"),
    "absolute_error": ("median", "sad"), "mae": ("median", "sad"),
}  # fmt: skip
"""What a node says of numbers, by the criterion: n times its impurity is the sum of errors."""


LARGEST = 2.0**128 - 2.0**104
"""The largest float32. Where a node asks whether there is a value at all, its threshold is infinite."""


def begins(head: str) -> bool:
    """Never: it is read from objects alone."""
    return False


def recognises(thing: object) -> bool:
    """Whether it is a fitted tree, or several."""
    return hasattr(thing, "tree_") or hasattr(thing, "estimators_")


def documents(
    model: Any, *, target: str = "target", attributes: Sequence[str] = (), classes: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The documents of a fitted tree, or of each tree of a forest, of bagged or of boosted trees.

    Args:
        model: an estimator with `tree_`, or with the trees in `estimators_`.
        target: the name of what it predicts, which it does not know.
        attributes: the names of its features; otherwise its own, or else x0, x1, ...
        classes: the names of its classes, in its order; otherwise its own.

    Raises:
        InputError: it is not fitted, has other trees than those of scikit-learn, or predicts several targets at once.

    Example:
        >>> documents(object())
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: object has no tree_ and no estimators_: it is no fitted tree of
        scikit-learn, and no forest
    """
    if not recognises(model):
        raise InputError(
            f"{type(model).__name__} has no tree_ and no estimators_: it is no fitted tree of scikit-learn, and no "
            "forest"
        )
    if getattr(model, "n_outputs_", 1) != 1:
        raise InputError(f"{type(model).__name__} predicts {model.n_outputs_} targets at once; fit one model for each")
    names = _names(model, attributes)
    if hasattr(model, "tree_"):
        return [_document(model, names, target, _classes(model, classes))]
    added = _is_sum(model)
    trees = [tree for trees in model.estimators_ for tree in trees] if added else list(model.estimators_)
    if strange := next((tree for tree in trees if not hasattr(tree, "tree_")), None):
        raise InputError(f"{type(model).__name__} is made of {type(strange).__name__}, which has no tree_")
    chosen = getattr(model, "estimators_features_", None)
    own = None if added else _classes(model, classes)
    return [
        _document(
            tree,
            names if chosen is None else [names[place] for place in chosen[number]],
            target,
            None if own is None else _of_member(tree, model, own, classes),
            added=added,
        )
        for number, tree in enumerate(trees)
    ]


def _is_sum(model: Any) -> bool:
    """Whether what the trees answer is added up: gradient boosting, which has a row of trees for each round."""
    return getattr(model.estimators_, "ndim", 1) == 2


def _names(model: Any, given: Sequence[str]) -> list[str]:
    own = getattr(model, "feature_names_in_", None)
    size = int(model.n_features_in_)
    names = list(given) or ([f"x{place}" for place in range(size)] if own is None else [str(name) for name in own])
    if len(names) != size or len(set(names)) != size:
        raise InputError(f"the model has {size} features, and {len(set(names))} different names are given")
    return names


def _classes(model: Any, given: Sequence[str]) -> list[str] | None:
    own = getattr(model, "classes_", None)
    if own is None:
        return None
    names = list(given) or [_text(label) for label in own]
    if len(names) != len(own) or len(set(names)) != len(own):
        raise InputError(f"the model has {len(own)} classes, and {len(set(names))} different names are given")
    return names


def _of_member(tree: Any, model: Any, names: Sequence[str], given: Sequence[str]) -> list[str]:
    """The names of the classes of one tree of many: a forest numbers them for its trees, and AdaBoost does not."""
    if hasattr(model, "estimator_weights_"):
        places = {label: place for place, label in enumerate(model.classes_)}
        return [names[places[label]] for label in tree.classes_]
    return [names[int(place)] for place in tree.classes_]


def _text(label: Any) -> str:
    """A class as it is written in a file; a whole float without its point."""
    held = label.item() if hasattr(label, "item") else label
    return str(int(held)) if isinstance(held, float) and held.is_integer() else str(held)


def _document(
    model: Any, names: Sequence[str], target: str, classes: Sequence[str] | None, *, added: bool = False
) -> dict[str, Any]:
    tree = model.tree_
    sums = None if added else SUMS.get(str(getattr(model, "criterion", None)))
    weights = None if classes is None else _weights(tree)
    held = {node: _held(tree, node, names, classes, weights, sums, added) for node in range(len(tree.feature))}
    silent = [] if weights is not None or sums else ["counts"]
    program = Program("scikit-learn", _version(), "float32", frozenset(silent))
    source = Source(program, " ".join(str(model).split()))
    attributes = [Attribute(name) for name in names]
    return document(source, Attribute(target, None if classes is None else tuple(classes)), attributes, held, 0)


def _version() -> str | None:
    """Of the package that made the model, which is loaded where there is one."""
    version = getattr(modules.get("sklearn"), "__version__", None)
    return None if version is None else str(version)


def _held(
    tree: Any,
    node: int,
    names: Sequence[str],
    classes: Sequence[str] | None,
    weights: Sequence[Sequence[int]] | None,
    sums: tuple[str, str] | None,
    added: bool,
) -> Held:
    if classes is None:
        answer = _number(tree, node, sums, added)
    elif weights is None:
        answer = {"label": classes[_first_largest(_values(tree, node))]}
    else:
        label = classes[_first_largest(_values(tree, node))]
        answer = classified(dict(zip(classes, weights[node], strict=True)), label)
    left, right = int(tree.children_left[node]), int(tree.children_right[node])
    if left == LEAF:
        return Held(answer)
    if not 0 <= (feature := int(tree.feature[node])) < len(names):
        raise InputError(f"node {node} asks feature {feature}, and there are {len(names)}")
    asked = data_value(min(float(tree.threshold[node]), LARGEST))
    question = threshold(names[feature], asked, (left, right))
    goes_left = getattr(tree, "missing_go_to_left", None)
    if goes_left is not None:
        question = replace(question, missing="branch", default=left if goes_left[node] else right)
    return Held(answer, question)


def _values(tree: Any, node: int) -> list[float]:
    if len(tree.value[node]) != 1:
        raise InputError(f"node {node} answers {len(tree.value[node])} targets at once; fit one model for each")
    return [float(value) for value in tree.value[node][0]]


def _first_largest(values: Sequence[float]) -> int:
    """As `argmax` has it."""
    return max(range(len(values)), key=values.__getitem__)


def _weights(tree: Any) -> list[list[int]] | None:
    """The weight of each class at each node, if all are whole numbers; others are lost in the rounding of shares."""
    found = []
    for node in range(len(tree.feature)):
        n, values = float(tree.weighted_n_node_samples[node]), _values(tree, node)
        total = sum(values)
        weights = [round(n * value / total) if total > 0 else 0 for value in values]
        near = all(abs(n * value / total - whole) < 1e-6 for value, whole in zip(values, weights, strict=True))
        if not near or sum(weights) != n:
            return None
        found.append(weights)
    return found


def _number(tree: Any, node: int, sums: tuple[str, str] | None, added: bool) -> Json:
    (answered,) = _values(tree, node)
    if added:
        return {"value": exact(answered)}
    if sums is None:
        return {"mean": exact(answered)}
    n = Fraction(float(tree.weighted_n_node_samples[node]))
    error = max(Fraction(0), n * Fraction(float(tree.impurity[node])))
    return {"n": exact_text(n), sums[0]: exact(answered), sums[1]: exact_text(error)}
