"""The values of scikit-learn's members: which ones a member can have, so that another one is refused by its name.

A member may be set by hand, or by a release that means something else by it. What a reader then makes of it would be an
answer to another question, or an error that names nothing. So each member that is used has a kind of value (`KINDS`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from numbers import Integral, Real
from typing import Any, NamedTuple

from reference_tree.exact.rationals import shortened
from reference_tree.programs.documents import exact
from reference_tree.programs.inventory import UnreadError


class Kind(NamedTuple):
    """A kind of value."""

    what: str
    """The values in words."""
    holds: Callable[[Any], bool]
    """Whether a value is one of them."""


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number, at least 0."""
    return not isinstance(value, bool) and isinstance(value, Integral) and int(value) >= 0


def is_finite(value: Any) -> bool:
    """Whether a value is a number."""
    return not isinstance(value, bool) and isinstance(value, Real) and isfinite(float(value))


def is_list(value: Any) -> bool:
    """Whether a value is a list, or an array."""
    return isinstance(value, list | tuple) or (hasattr(value, "tolist") and getattr(value, "ndim", 0) > 0)


def class_texts(model: Any) -> list[str] | None:
    """The classes of a model as they are written in a file; None if it has none, or those of several targets."""
    labels = getattr(model, "classes_", None)
    if labels is None or any(getattr(each, "shape", ()) for each in labels):  # several targets have a list for each
        return None
    return list(map(class_text, labels))


def class_text(label: Any) -> str:
    """A class as it is written in a file; a whole float without its point."""
    held = label.item() if hasattr(label, "item") else label
    return str(int(held)) if isinstance(held, float) and held.is_integer() else str(held)


def _or_none(of: Kind) -> Kind:
    return Kind(f"None, or {of.what}", lambda value: value is None or of.holds(value))


WHOLE = Kind("a whole number", is_whole)
NUMBER = Kind("a number", is_finite)
LIST = Kind("a list", is_list)
TABLE = Kind("an array with a row for each round", lambda value: getattr(value, "ndim", 0) == 2)
TRUTH = Kind("True or False", lambda value: type(value).__name__ in ("bool", "bool_"))
TEXT = Kind("a text", lambda value: isinstance(value, str))
CLASS_WEIGHT = Kind(
    "None, 'balanced', 'balanced_subsample', or a weight for each class",
    lambda value: (
        value in (None, "balanced", "balanced_subsample")
        if value is None or isinstance(value, str)
        else isinstance(value, dict) and all(map(is_finite, value.values()))
    ),
)
CONSTRAINT = _or_none(
    Kind("a list, a dictionary or a word", lambda value: is_list(value) or isinstance(value, dict | str))
)
SHARE = Kind("None, a number or a word", lambda value: value is None or is_finite(value) or isinstance(value, str))

KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(
        ["n_features_in_", "n_outputs_", "_n_samples", "_max_samples", "_max_features", "n_trees_per_iteration_",
         "max_features_", "n_classes_", "n_estimators"], WHOLE,
    ),
    **dict.fromkeys(["max_depth", "max_leaf_nodes", "_n_samples_bootstrap", "n_iter_no_change"], _or_none(WHOLE)),
    **dict.fromkeys(
        ["min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf", "min_impurity_decrease", "ccp_alpha",
         "learning_rate", "l2_regularization", "subsample"], NUMBER,
    ),
    "max_samples": _or_none(NUMBER),
    "max_features": SHARE,
    **dict.fromkeys(["bootstrap", "bootstrap_features", "do_early_stopping_"], TRUTH),
    **dict.fromkeys(["criterion", "splitter", "loss"], TEXT),
    **dict.fromkeys(
        ["estimators_", "classes_", "estimator_weights_", "estimator_errors_", "estimators_features_", "_seeds",
         "_predictors", "_baseline_prediction", "feature_names_in_"], LIST,
    ),
    "_sample_weight": _or_none(LIST),
    "class_weight": CLASS_WEIGHT,
    **dict.fromkeys(["monotonic_cst", "interaction_cst"], CONSTRAINT),
}  # fmt: skip
"""The members that have values of one kind."""


def check_value(what: str, name: str, value: Any) -> None:
    """Refuse a value that a member cannot have.

    Raises:
        UnreadError: the value is of another kind.

    Example:
        >>> check_value("a RandomForestClassifier", "bootstrap", 5)
        Traceback (most recent call last):
        reference_tree.programs.inventory.UnreadError: a RandomForestClassifier has bootstrap '5', ...
    """
    kind = KINDS.get(name)
    if kind is not None and not kind.holds(value):
        raise UnreadError(f"{what} has {name} {shortened(str(value))}, which is not {kind.what}")


# Weights of classes.

BALANCED, BALANCED_SUBSAMPLE = "balanced", "balanced_subsample"
"""The rules for weights of classes: each class weighs the same among all rows, or among those drawn for a tree."""


def class_weights(model: Any, classes: Sequence[str] | None) -> Mapping[str, str] | str:
    """The weight of each class, or the rule by which they follow from the rows; empty if the model has none.

    The trees of a bag and of AdaBoost have classes of other rows than the model, and their weights are not read.

    Args:
        model: the model, whose `class_weight` names its classes as it holds them; HistGradientBoosting numbers them.
        classes: the names of its classes.
    """
    stated = getattr(model, "class_weight", None)
    if stated in (None, BALANCED, BALANCED_SUBSAMPLE) or classes is None:
        return stated or {}
    held = [label.item() if hasattr(label, "item") else label for label in model.classes_]
    if hasattr(model, "_predictors"):  # HistGradientBoosting looks up the places of the classes, and not their labels
        held = list(range(len(held)))
    weights = [stated.get(label, 1) for label in held]
    return {name: exact(float(weight)) for name, weight in zip(classes, weights, strict=True)}
