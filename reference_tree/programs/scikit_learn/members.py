"""The members of scikit-learn's objects: which are read, which have no effect on an answer, and which are refused.

A model is read by the class that it has, and by no other. A subclass may predict otherwise, and a class of another
package may be shaped like one of scikit-learn and mean something else. So:

1. `known` is the inventory of the class of a model: its parameters and its fitted attributes. Others are refused by
   name: those of `NOT_READ` with what to do instead.
2. `check` walks over the members of a model, and of what it holds: the nodes of a tree, and the losses.
3. `release_of` is the release that fitted a model, and `remarks_on` warns of one that was never tried.

Members that decide how a model was trained, and not what it answers, are read for its audit.

A member may be set by hand, or by a release that means something else by it. What a reader then makes of it would be an
answer for another model, or an error that names nothing. So each member that is used has a kind of value (`KINDS`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from numbers import Integral, Real
from sys import modules
from typing import Any, NamedTuple

from reference_tree.data.errors import listed, wording
from reference_tree.exact.rationals import shortened
from reference_tree.programs.documents import exact
from reference_tree.programs.inventory import Ignored, Inventory, UnreadError


class ValueKind(NamedTuple):
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


def _or_none(of: ValueKind) -> ValueKind:
    return ValueKind(f"None, or {of.what}", lambda value: value is None or of.holds(value))


# numpy's numbers are Integral and Real, too, so no array type is imported.
WHOLE = ValueKind("a whole number", is_whole)
NUMBER = ValueKind("a number", is_finite)
LIST = ValueKind("a list", is_list)
TABLE = ValueKind("an array with a row for each round", lambda value: getattr(value, "ndim", 0) == 2)
TRUTH = ValueKind("True or False", lambda value: type(value).__name__ in ("bool", "bool_"))
TEXT = ValueKind("a text", lambda value: isinstance(value, str))
# Only texts are looked up among the words: an array compared with a text has no truth value.
CLASS_WEIGHT = ValueKind(
    "None, 'balanced', 'balanced_subsample', or a weight for each class",
    lambda value: (
        value in (None, "balanced", "balanced_subsample")
        if value is None or isinstance(value, str)
        else isinstance(value, dict) and all(map(is_finite, value.values()))
    ),
)
CONSTRAINT = _or_none(
    ValueKind("a list, a dictionary or a word", lambda value: is_list(value) or isinstance(value, dict | str))
)
SHARE = ValueKind("None, a number or a word", lambda value: value is None or is_finite(value) or isinstance(value, str))

KINDS: Mapping[str, ValueKind] = {
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
    # Members that are not listed in `KINDS` have checks of their own.
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
    # A rule is told as it is; the audit works the weights out from its rows.
    if stated in (None, BALANCED, BALANCED_SUBSAMPLE) or classes is None:
        return stated or {}
    # The keys of the dictionary are labels as the model holds them, not texts.
    held = [label.item() if hasattr(label, "item") else label for label in model.classes_]
    if hasattr(model, "_predictors"):  # HistGradientBoosting looks up the places of the classes, and not their labels
        held = list(range(len(held)))
    # A class that the dictionary lacks weighs 1.
    weights = [stated.get(label, 1) for label in held]
    return {name: exact(float(weight)) for name, weight in zip(classes, weights, strict=True)}


OLDEST, NEWEST = (1, 4), (1, 9)
"""The oldest and the newest release that was tried."""


class KnownClass(NamedTuple):
    """A class that is read."""

    module: str
    """Its module."""
    members: Inventory
    """Its parameters and fitted attributes."""
    lacking: frozenset[str] = frozenset()
    """The members that are used, and that some releases, or some models, do not have."""

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.members.what.rpartition(" ")[2]


# Members that several classes have.

COPIED = "every tree has its own"
RUN = "it concerns the run"
COUNTED = "the program counts it"
SCORES = "it is a score of the training"
ANYWHERE = {"_metadata_request": "it concerns the arguments of fit"}
"""Members without effect in every class."""

TREE: Sequence[str] = (
    "criterion", "splitter", "max_depth", "min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf",
    "random_state", "max_leaf_nodes", "min_impurity_decrease", "class_weight", "ccp_alpha", "monotonic_cst",
    "n_features_in_", "n_outputs_", "max_features_", "tree_", "feature_names_in_", "_sklearn_version",
)  # fmt: skip
CLASSES = ("classes_", "n_classes_")
OFTEN_LACKING = frozenset({"feature_names_in_", "_sklearn_version", "monotonic_cst", "_n_samples", "_sample_weight"})

NODES = Inventory(
    "a node of a tree",
    dict.fromkeys(
        ["left_child", "right_child", "feature", "threshold", "impurity", "weighted_n_node_samples", "n_node_samples",
         "missing_go_to_left"]
    ),
)  # fmt: skip
"""The fields of the nodes of a tree."""

BINNED = Inventory(
    "a node of a histogram tree",
    dict.fromkeys(
        ["value", "count", "feature_idx", "num_threshold", "missing_go_to_left", "left", "right", "gain", "is_leaf",
         "is_categorical"]
    ),
    {"depth": COUNTED, "bin_threshold": "values are compared with num_threshold",
     "bitset_idx": "it concerns tests of categories, which are refused"},
)  # fmt: skip
"""The fields of the nodes of HistGradientBoosting."""


def _inventory(name: str, used: Sequence[str], no_effect: Mapping[str, str], **at: Any) -> Inventory:
    # Messages name the class with its article.
    article = "an" if name[0] in "AE" else "a"
    return Inventory(f"{article} {name}", dict.fromkeys(used), {**ANYWHERE, **no_effect}, at)


_ENCODE = "encode the categories as numbers before it is fitted, by a step of its own"
_BY_NUMBERS = ([None], f"tests of categories are not read; {_ENCODE}")

_OF_CATEGORIES = {"categorical_features": _BY_NUMBERS}
"""A parameter of later releases."""


def _tree(name: str) -> KnownClass:
    is_classifier = name.endswith("Classifier")
    used = [*TREE, *(CLASSES if is_classifier else ())]
    members = _inventory(name, used, {"max_features": "max_features_ is its number"}, **_OF_CATEGORIES)
    return KnownClass("sklearn.tree._classes", members, OFTEN_LACKING)


# A forest keeps parameters that only its trees use; each tree has a copy, and that copy is read.
_OF_FOREST = {
    **dict.fromkeys(
        ["criterion", "max_depth", "min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf",
         "max_features", "max_leaf_nodes", "min_impurity_decrease", "ccp_alpha", "monotonic_cst", "random_state"],
        COPIED,
    ),
    **dict.fromkeys(["n_estimators"], "estimators_ holds the trees"),
    **dict.fromkeys(["n_jobs", "verbose", "warm_start", "oob_score"], RUN),
    **dict.fromkeys(["oob_score_", "oob_decision_function_", "oob_prediction_"], SCORES),
    **dict.fromkeys(
        ["estimator", "estimator_", "estimator_params", "base_estimator"], "estimators_ holds the trees made from it"
    ),
}  # fmt: skip


def _forest(name: str) -> KnownClass:
    classes = CLASSES if name.endswith("Classifier") else ()
    used = [
        "estimators_", "bootstrap", "max_samples", "class_weight", "n_features_in_", "n_outputs_", "_n_samples",
        "_n_samples_bootstrap", "_sample_weight", "feature_names_in_", "_sklearn_version", *classes,
    ]  # fmt: skip
    lacking = OFTEN_LACKING | {"_n_samples_bootstrap"}
    return KnownClass("sklearn.ensemble._forest", _inventory(name, used, _OF_FOREST, **_OF_CATEGORIES), lacking)


def _bag(name: str) -> KnownClass:
    classes = CLASSES if name.endswith("Classifier") else ()
    used = [
        "estimators_", "estimators_features_", "n_estimators", "bootstrap", "bootstrap_features", "max_samples",
        "n_features_in_", "_n_samples", "_max_samples", "_max_features", "_seeds", "_sample_weight",
        "feature_names_in_", "_sklearn_version", *classes,
    ]  # fmt: skip
    no_effect = {member: why for member, why in _OF_FOREST.items() if member not in used}
    return KnownClass("sklearn.ensemble._bagging", _inventory(name, used, no_effect), OFTEN_LACKING)


# SAMME.R was removed in 1.6; in 1.4 it was the default.
_SAMME = (["SAMME", "deprecated"], "SAMME.R adds up logarithms of shares; read each of its estimators_")


def _adaboost(name: str) -> KnownClass:
    used = [
        "estimators_", "estimator_weights_", "estimator_errors_", "learning_rate", "n_features_in_",
        "feature_names_in_", "_sklearn_version", *CLASSES,
    ]  # fmt: skip
    members = _inventory(name, used, _OF_FOREST, algorithm=_SAMME)
    return KnownClass("sklearn.ensemble._weight_boosting", members, OFTEN_LACKING)


# The trees are there, so what decided about them decides no answer.
_OF_BOOSTING = {
    **dict.fromkeys(["n_estimators", "n_estimators_", "max_iter"], "the model holds the trees"),
    **dict.fromkeys(["verbose", "warm_start", "random_state", "_rng", "tol", "validation_fraction"], RUN),
    **dict.fromkeys(
        ["train_score_", "validation_score_", "oob_improvement_", "oob_score_", "oob_scores_", "scoring", "_scorer"],
        SCORES,
    ),
    **dict.fromkeys(["alpha", "quantile"], "it decides how the trees were fitted, and not the sum of their values"),
}


def _gradient(name: str) -> KnownClass:
    classes = CLASSES if name.endswith("Classifier") else ()
    used = [
        "estimators_", "init_", "loss", "_loss", "learning_rate", "n_trees_per_iteration_", "n_features_in_",
        "max_depth", "max_leaf_nodes", "min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf",
        "min_impurity_decrease", "ccp_alpha", "subsample", "max_features", "n_iter_no_change", "feature_names_in_",
        "_sklearn_version", *classes,
    ]  # fmt: skip
    # GradientBoosting's friedman_mse and squared_error rank the tests of one node in the same order.
    further = {
        "init": "init_ is what it fitted", "criterion": "both order the tests of a node alike",
        "max_features_": "max_features says whether features are drawn", "_n_classes": "classes_ holds the classes",
    }  # fmt: skip
    lacking = OFTEN_LACKING | {"n_trees_per_iteration_"}
    return KnownClass("sklearn.ensemble._gb", _inventory(name, used, {**_OF_BOOSTING, **further}), lacking)


def _histograms(name: str) -> KnownClass:
    classes = ["classes_", "class_weight"] if name.endswith("Classifier") else []
    used = [
        "_predictors", "_baseline_prediction", "loss", "_loss", "learning_rate", "n_trees_per_iteration_",
        "n_features_in_", "_n_features", "max_depth", "max_leaf_nodes", "min_samples_leaf", "l2_regularization",
        "monotonic_cst", "interaction_cst", "max_features", "do_early_stopping_", "feature_names_in_",
        "_sklearn_version", *classes,
    ]  # fmt: skip
    further = {
        **dict.fromkeys(["_bin_mapper", "max_bins"], "values are compared with the thresholds of the nodes"),
        **dict.fromkeys(["early_stopping", "n_iter_no_change", "_use_validation_data"], "do_early_stopping_ tells it"),
        **dict.fromkeys(["_random_seed", "_feature_subsample_rng", "_fitted_with_sw"], RUN),
        "_label_encoder": "classes_ holds the classes",
        "categorical_features": "is_categorical_ tells it",
    }  # fmt: skip
    # From 1.4 on categories are encoded before the bins, in a member of its own.
    categories = dict.fromkeys(["_preprocessor", "is_categorical_", "_is_categorical_remapped"], _BY_NUMBERS)
    # While it is fitted a model answers by bins; an interrupted fit leaves it so.
    unfinished = {"_in_fit": ([False], "its fit was interrupted, and it answers by bins; fit it anew")}
    members = _inventory(name, used, {**_OF_BOOSTING, **further}, **categories, **unfinished)
    lacking = OFTEN_LACKING | {"max_features", "interaction_cst"}
    return KnownClass("sklearn.ensemble._hist_gradient_boosting.gradient_boosting", members, lacking)


def _all() -> Iterator[KnownClass]:
    # All classes but one come in two kinds, whose members differ in the classes alone.
    for kind in ("Classifier", "Regressor"):
        yield from (_tree(f"DecisionTree{kind}"), _tree(f"ExtraTree{kind}"))
        yield from (_forest(f"RandomForest{kind}"), _forest(f"ExtraTrees{kind}"), _bag(f"Bagging{kind}"))
        yield from (_gradient(f"GradientBoosting{kind}"), _histograms(f"HistGradientBoosting{kind}"))
    yield _adaboost("AdaBoostClassifier")


KNOWN: Mapping[str, KnownClass] = {one.name: one for one in _all()}
"""The classes that are read, by their names."""

TREES = ("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor")
"""The classes that are one tree, from which the others are made."""

NOT_READ: Mapping[str, str] = {
    "IsolationForest": "its answer is a score of the depths of its leaves; each of its estimators_ is read as a tree",
    "RandomTreesEmbedding": "its answer is the leaves that a row reaches; each of its estimators_ is read as a tree",
    "AdaBoostRegressor": "it predicts a weighted median, which no document has, and draws the rows of each tree by "
    "weights that it does not keep; each of its estimators_ is read as a tree",
    "Pipeline": "what its steps before the last do to a row is not read; read the last step, and ask it about the rows "
    "as they arrive there",
    "TransformedTargetRegressor": "it transforms what its model answers; read its regressor_",
    "CalibratedClassifierCV": "it transforms the shares of its models; read each of them",
    "FixedThresholdClassifier": "its threshold for the shares is not read; read its estimator_",
    "TunedThresholdClassifierCV": "its threshold for the shares is not read; read its estimator_",
    "FrozenEstimator": "read its estimator",
    **dict.fromkeys(
        ["GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV"],
        "read its best_estimator_",
    ),
}
"""Classes of scikit-learn that are not read, and what to do instead."""


# The class of a model.


def known(model: Any, ignored: Ignored) -> KnownClass:
    """The class of a model, which is one that is read, and no subclass of it.

    A subclass is read as the class that it is derived from if the user says to ignore that it is another one.

    Raises:
        UnreadError: it is not.

    Example:
        >>> known(object(), Ignored())
        Traceback (most recent call last):
        reference_tree.programs.inventory.UnreadError: object of builtins is no class of scikit-learn that is read: ...
    """
    # The nearest class that is read, in the line of descent.
    kind = type(model)
    lineage = [one for each in kind.__mro__ if (one := _exactly(each)) is not None]
    if lineage and (_exactly(kind) is not None or ignored.takes(kind.__name__)):
        return lineage[0]
    has_trees = any(hasattr(model, name) for name in ("estimators_", "estimator_", "best_estimator_", "estimator"))
    raise UnreadError(_refusal(kind, lineage[0].name if lineage else "", has_trees=has_trees))


def _exactly(kind: type) -> KnownClass | None:
    # Name and module: another package may have a RandomForestClassifier of its own.
    found = KNOWN.get(kind.__name__)
    return found if found is not None and found.module == kind.__module__ else None


def _refusal(kind: type, derived: str, *, has_trees: bool) -> str:
    # Three refusals: a class of scikit-learn, one that is derived from it, and anything else.
    name = kind.__name__
    is_own = kind.__module__.split(".")[0] == "sklearn"
    if is_own and (why := NOT_READ.get(name)):
        return f"{name} is not read: {why}"
    if is_own and not derived:
        way = "read the trees or the forests that it is made of, each by itself" if has_trees else "it is no tree"
        return f"{name} is not read; {way}"
    if derived:
        ignore = wording(f"ignore_members=[{name!r}]", f"--ignore-member {name}")
        return (
            f"{name} of {kind.__module__} is a class of its own, derived from {derived}, and may predict otherwise; if "
            f"it does not, {ignore} reads it as {derived}"
        )
    return f"{name} of {kind.__module__} is no class of scikit-learn that is read: {', '.join(KNOWN)}"


# Its members.


def check(model: Any, ignored: Ignored) -> KnownClass:
    """Refuse a model whose class is not read, or one of whose members is not known, or that lacks one.

    Returns:
        Its class.

    Raises:
        UnreadError: it is so.
    """
    of = known(model, ignored)
    # All that the object holds, not what its class documents.
    held = vars(model)
    check_targets(model)
    # A used member that is absent would be taken for its default by a reader.
    if lacking := [name for name in of.members.used if name not in held and name not in of.lacking]:
        raise UnreadError(
            f"{of.members.what} has no {listed(lacking)}; it is not fitted, or not by a release known here"
        )
    # Each member twice: whether it is known, and whether its value can be one.
    for name, value in held.items():
        of.members.check_member(name, plainly(value), ignored)
        if name in of.members.used:
            check_value(of.members.what, name, value)
    if "n_classes_" in held and held["n_classes_"] != len(held["classes_"]):
        raise UnreadError(
            f"{of.members.what} has {held['n_classes_']} n_classes_, and {len(held['classes_'])} classes_"
        )
    # The tree itself is an object of compiled code; its fields are checked by their names.
    if "tree_" in held:
        check_kind(held["tree_"], "sklearn.tree._tree", "Tree", f"the tree_ of {of.members.what}")
        check_count(of.members.what, "n_features_in_", held["n_features_in_"], "its tree_", held["tree_"].n_features)
        check_fields(held["tree_"].__getstate__()["nodes"], NODES, ignored)
    return of


def check_count(what: str, name: str, own: Any, other: str, count: int) -> None:
    """Refuse a count that is not that of another member.

    Raises:
        UnreadError: they differ.

    Example:
        >>> check_count("a BaggingClassifier", "n_estimators", 3, "estimators_", 2)
        Traceback (most recent call last):
        reference_tree.programs.inventory.UnreadError: a BaggingClassifier has n_estimators 3, and estimators_ has 2
    """
    # Two members that say how many there are must say the same.
    if own != count:
        raise UnreadError(f"{what} has {name} {own}, and {other} has {count}")


def check_kind(thing: Any, module: str, name: str, what: str) -> None:
    """Refuse an object of another class than expected.

    Raises:
        UnreadError: it is of another class.
    """
    kind = type(thing)
    if (kind.__module__, kind.__name__) != (module, name):
        raise UnreadError(f"{what} is no {name} of scikit-learn, but of the class {kind.__name__} of {kind.__module__}")


def check_fields(nodes: Any, of: Inventory, ignored: Ignored) -> None:
    """Refuse nodes with a field that is not known.

    Raises:
        UnreadError: there is such a field.
    """
    for name in nodes.dtype.names:
        of.check_member(name, None, ignored)


def check_targets(model: Any) -> None:
    """Refuse a model of several targets.

    Raises:
        UnreadError: it predicts several.
    """
    if (count := getattr(model, "n_outputs_", 1)) != 1:
        raise UnreadError(
            f"{type(model).__name__} predicts {count} targets at once; fit one model for each (n_outputs_)"
        )


def plainly(value: Any) -> Any:
    """A value without arrays and numbers of numpy.

    Example:
        >>> plainly("best"), plainly(None)
        ('best', None)
    """
    return value.tolist() if hasattr(value, "tolist") else value


# Its release.


def release_of(model: Any) -> str | None:
    """The release that fitted a model, if the model was saved, and otherwise the loaded one; None if none is loaded."""
    # Only a model that was saved holds its release; one that was just fitted is of the release that is loaded.
    version = vars(model).get("_sklearn_version") or getattr(modules.get("sklearn"), "__version__", None)
    return None if version is None else str(version)


def numbered(version: str | None) -> tuple[int, ...] | None:
    """The first two numbers of a release; None if they are not told.

    Example:
        >>> numbered("1.9.1"), numbered("1.10.dev0"), numbered(None)
        ((1, 9), (1, 10), None)
    """
    parts = (version or "").split(".")[:2]
    return tuple(map(int, parts)) if len(parts) == 2 and all(map(str.isdecimal, parts)) else None


def remarks_on(version: str | None) -> list[str]:
    """The remark on a release that was never tried.

    Example:
        >>> remarks_on("1.10.0"), remarks_on("1.9.1")
        (['scikit-learn 1.10.0 was not tried, only 1.4 to 1.9; it may do otherwise'], [])
    """
    release = numbered(version)
    # Tried releases have no remark; others may be right or wrong, which nobody has seen.
    if release is not None and OLDEST <= release <= NEWEST:
        return []
    called = "scikit-learn of a release that is not told" if version is None else f"scikit-learn {version}"
    return [f"{called} was not tried, only {_text(OLDEST)} to {_text(NEWEST)}; it may do otherwise"]


def _text(release: Sequence[int]) -> str:
    return ".".join(map(str, release))


__all__ = ["KNOWN", "check", "known"]
