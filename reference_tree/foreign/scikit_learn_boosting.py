"""scikit-learn's GradientBoosting and HistGradientBoosting, from the fitted object.

Either has for each round a tree for each sum. Their fields differ, and each of the two is a `Kind`:

1. `GRADIENT`: `estimators_` has the trees. A tree is fitted to the first derivatives alone, each row counting once;
   under a loss of classes its leaves are set afterwards, to a step of Newton's method. Leaves are kept without the
   learning rate, and a document has them with it. The sums start from what `init_` predicts, which the object works
   out.
2. `HISTOGRAMS`: `_predictors` has the trees, each with an array `nodes`. These members are private to the program, and
   what is not as it was known is refused. A number is compared by `<=` with the upper edge of a bin. The `value` of a
   leaf holds the learning rate, that of other nodes does not. The sums start from `_baseline_prediction`. Bins, weights
   of rows, and rows that were held out are not stated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from sys import float_info
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError, listed
from reference_tree.data.held import Form
from reference_tree.data.schema import Attribute
from reference_tree.foreign.boosted import Grown, Rule
from reference_tree.foreign.boosted import documents as boosted
from reference_tree.foreign.documents import Held, Source, exact, finite
from reference_tree.foreign.programs import Fields, Training, double, remarks
from reference_tree.tree import Program

LOSSES = {"squared_error": "sum", "log_loss": "logistic"}
"""The losses of which all of the model is one document, with the rule for the sums; of several classes, `softmax`."""


class Kind(NamedTuple):
    """One of the two kinds of boosting."""

    numbers: Form
    """How the program holds numbers."""
    training: Training
    rounds: Callable[[Any], Iterable[Iterable[Any]]]
    """For each round of a model a tree for each sum."""
    start: Callable[[Any], Any]
    """The start of the sums, as an array."""
    grown: Callable[[Any, Sequence[Attribute], Any], Grown]
    """A tree, from its object, the features and the model."""
    further: Callable[[Any], Iterator[str]]
    """What cannot be repeated, besides single parameters."""


def kind_of(model: Any) -> Kind | None:
    """The kind of a model; None for others, and for gradient boosting whose sums do not start from known numbers."""
    if hasattr(model, "_predictors"):
        return HISTOGRAMS
    is_sum = getattr(getattr(model, "estimators_", None), "ndim", 1) == 2 and hasattr(model, "_raw_predict_init")
    is_read = is_sum and model.loss in LOSSES
    return GRADIENT if is_read and type(model.init_).__name__ in ("DummyClassifier", "DummyRegressor", "str") else None


def documents(
    kind: Kind, model: Any, features: Sequence[Attribute], target: str, classes: Sequence[str], version: str | None
) -> list[dict[str, Any]]:
    """The document of the ensemble, or, if its loss is not known here, of each tree.

    Raises:
        InputError: its members have another form than expected, or it asks about categories.
    """
    trees = [
        kind.grown(tree, features, model)._replace(of=of)
        for trees in kind.rounds(model)
        for of, tree in enumerate(trees)
    ]
    start = [Fraction(finite(float(one))) for one in kind.start(model).ravel()]
    combine = LOSSES.get(model.loss)
    combine = "softmax" if combine == "logistic" and len(start) > 1 else combine
    given = kind.training.given_by(model)
    told = kind.training.told(given) | ({"newton": False} if kind is GRADIENT else {})
    facts = [("objective", model.loss), *remarks(told, [*kind.training.unlike(given), *kind.further(model)])]
    program = Program("scikit-learn", version, kind.numbers, frozenset({"inner-labels"}))
    source = Source(program, " ".join(str(model).split()), facts)
    rule = None if combine is None else Rule(combine, start, len(classes))
    return boosted(source, target, features, trees, rule, classes)


# GradientBoosting.

FIELDS = Fields("children_left", "children_right", "feature", "threshold", number=float)


def _gradient_tree(tree: Any, features: Sequence[Attribute], model: Any) -> Grown:
    """A tree; the weight of a node that asks is the mean of the negative first derivatives of its rows."""
    arrays, rate = tree.tree_, float(model.learning_rate)
    nodes, weights = dict[int, Held](), dict[int, float]()
    for node in range(len(arrays.feature)):
        answer, value = {"n": str(int(arrays.n_node_samples[node]))}, float(arrays.value[node, 0, 0])
        question = FIELDS.question(lambda name, node=node: getattr(arrays, name)[node], features)  # type: ignore[misc]
        if question is None:
            nodes[node] = Held({**answer, "value": exact(finite(rate * value))})
        else:
            nodes[node], weights[node] = Held(answer, question), finite(value)
    return Grown(nodes, stated={"weight": weights})


def _not_repeated(model: Any) -> Iterator[str]:
    if not isinstance(model.min_samples_leaf, int):
        yield f"min_samples_leaf {model.min_samples_leaf}"
    if model.n_iter_no_change is not None:
        yield "early stopping on rows that were held out"


def _as_it_is(value: Any) -> Any:
    return value


GRADIENT = Kind(
    "float32",
    Training(
        {
            "learning_rate": ("rate", double),
            "max_depth": ("max_depth", _as_it_is),
            "max_leaf_nodes": ("max_leaves", _as_it_is),
            "min_samples_leaf": ("min_samples_leaf", str),
        },
        {
            "subsample": 1.0, "max_features": None, "min_weight_fraction_leaf": 0.0, "min_impurity_decrease": 0.0,
            "min_samples_split": 2, "ccp_alpha": 0.0,
        },
    ),
    lambda model: model.estimators_,
    lambda model: model._raw_predict_init([[0.0] * int(model.n_features_in_)]),
    _gradient_tree,
    _not_repeated,
)  # fmt: skip

# HistGradientBoosting.

_EDGES = Fields(
    "left", "right", "feature_idx", "num_threshold", "missing_go_to_left",
    number=lambda at: min(float(at), float_info.max),  # infinite: asks whether there is a value
)  # fmt: skip
PARTS = ("value", "count", *_EDGES[:5], "is_leaf")
"""The fields of a node that are read."""


def _histogram_tree(tree: Any, features: Sequence[Attribute], model: Any) -> Grown:
    """A tree with weight and gain of the nodes that ask; the root states no weight."""
    known = tree.nodes.dtype.names
    if lacking := [part for part in PARTS if part not in known]:
        raise InputError(f"its nodes have no {listed(lacking)}; this version of scikit-learn is not known")
    nodes, stated = dict[int, Held](), dict[str, dict[int, float]]()
    for number, node in enumerate(tree.nodes):
        answer, value = {"n": str(int(node["count"]))}, finite(float(node["value"]))
        if node["is_leaf"]:
            nodes[number] = Held({**answer, "value": exact(value)})
            continue
        if "is_categorical" in known and node["is_categorical"]:
            raise InputError("it tests categories, of which the private members hold codes alone")
        nodes[number] = Held(answer, _EDGES.question(node.__getitem__, features))
        if "gain" in known:
            stated.setdefault("weight", {}).update({number: value} if number else {})
            stated.setdefault("gain", {})[number] = finite(float(node["gain"]))
    return Grown(nodes, stated=stated or ({"weight": {}, "gain": {}} if "gain" in known else {}))


def _held_out(model: Any) -> Iterator[str]:
    if model.do_early_stopping_ and model.validation_fraction is not None:
        yield "early_stopping on rows that were held out"


HISTOGRAMS = Kind(
    "double",
    Training(
        {
            "learning_rate": ("rate", double),
            "l2_regularization": ("reg_lambda", double),
            "min_samples_leaf": ("min_samples_leaf", double),
            "max_depth": ("max_depth", _as_it_is),
            "max_leaf_nodes": ("max_leaves", _as_it_is),
        },
        {"class_weight": None, "monotonic_cst": None, "interaction_cst": None, "max_features": 1.0},
    ),
    lambda model: model._predictors,
    lambda model: model._baseline_prediction,
    _histogram_tree,
    _held_out,
)
