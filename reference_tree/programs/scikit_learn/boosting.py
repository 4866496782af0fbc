"""scikit-learn's GradientBoosting and HistGradientBoosting, from the fitted object.

Either has for each round a tree for each sum. Their fields differ, and each of the two is a `LossKind`:

1. `GRADIENT`: `estimators_` has the trees. A tree is fitted to the first derivatives alone, each row with its weight;
   under a loss of classes its leaves are set afterwards, to a step of Newton's method. Leaves are kept without the
   learning rate, and a document has them with it. The sums start from what `init_` predicts, which the object works
   out.
2. `HISTOGRAMS`: `_predictors` has the trees, each with an array `nodes`. These members are private to the program, and
   what is not as it was known is refused. A number is compared by `<=` with the upper edge of a bin. The `value` of a
   leaf holds the learning rate, that of other nodes does not. The sums start from `_baseline_prediction`. Bins, weights
   of rows, and rows that were held out are not stated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from sys import float_info
from typing import Any, NamedTuple

from reference_tree.data.errors import listed, shown
from reference_tree.data.held import Form
from reference_tree.data.schema import Attribute
from reference_tree.ensembles.ensemble import COMBINATIONS
from reference_tree.programs.boosted import Grown, SumRule
from reference_tree.programs.boosted import documents as boosted
from reference_tree.programs.documents import NOTES, HeldNode, TreeOrigin, exact, finite
from reference_tree.programs.inventory import Ignored, UnreadError
from reference_tree.programs.reader import GivenNames, NodeFields, Training, double, remarks
from reference_tree.programs.scikit_learn.members import (
    BINNED,
    check,
    check_count,
    check_fields,
    check_kind,
    class_weights,
    plainly,
    release_of,
    remarks_on,
)
from reference_tree.tree import Program

LOSSES: Mapping[str, tuple[str, str]] = {
    "squared_error": ("HalfSquaredError", "sum"),
    "absolute_error": ("AbsoluteError", "sum"),
    "huber": ("HuberLoss", "sum"),
    "quantile": ("PinballLoss", "sum"),
    "poisson": ("HalfPoissonLoss", "exp"),
    "gamma": ("HalfGammaLoss", "exp"),
    "log_loss": ("HalfBinomialLoss", "logistic"),
    "exponential": ("ExponentialLoss", "logistic"),
}
"""For each loss the class of its object, and the rule for the sums; for several classes see `SEVERAL`."""

SEVERAL = ("HalfMultinomialLoss", "softmax")
"""The class of the loss of several classes, and the rule for its sums."""

JUDGED = ("squared_error", "log_loss")
"""The losses whose derivatives an audit knows."""

CONSTANT = ("mean", "median", "quantile", "constant", "prior", "most_frequent")
"""The strategies of a start that is the same for every row."""


class LossKind(NamedTuple):
    """One of the two kinds of boosting."""

    numbers: Form
    """The form in which the program holds numbers."""
    training: Training
    rounds: Callable[[Any], Iterable[Iterable[Any]]]
    """For each round of a model a tree for each sum."""
    start: Callable[[Any], Any]
    """The start of the sums, as an array."""
    grown: Callable[[Any, Sequence[Attribute], Any, Ignored], Grown]
    """A tree, from its object, the features, the model, and what the user said to pass over."""
    further: Callable[[Any], Iterator[str]]
    """The steps that cannot be repeated, besides single parameters."""


def document(
    kind: LossKind, model: Any, features: Sequence[Attribute], given: GivenNames, classes: Sequence[str] | None
) -> dict[str, Any]:
    """The document of the ensemble.

    Raises:
        UnreadError: its loss, its start or its nodes are not read.
        InputError: its members do not fit together.
    """
    # The factor is 2 under the exponential loss, whose sum is half of the log odds.
    rule, factor = _rule(model)
    if hasattr(model, "_n_features"):
        check_count(type(model).__name__, "n_features_in_", model.n_features_in_, "_n_features", model._n_features)
    trees = [
        kind.grown(tree, features, model, given.ignored)._replace(of=of, weight=factor)
        for trees in kind.rounds(model)
        for of, tree in enumerate(trees)
    ]
    # One number for each sum, held as doubles.
    start = [Fraction(finite(factor * float(one))) for one in kind.start(model).ravel()]
    sums = len(model.classes_) if rule == "softmax" else 1
    check_count(type(model).__name__, "_baseline_prediction", len(start), "its loss", sums)
    # GradientBoosting fits trees to first derivatives alone: no step of Newton's method decides a split.
    told = kind.training.told(kind.training.given_by(model)) | ({"newton": False} if kind is GRADIENT else {})
    if weights := class_weights(model, classes):
        told["class_weight"] = weights
    facts = [("objective", model.loss), *remarks(told, list(_not_judged(kind, model)))]
    version = release_of(model)
    if notes := [*remarks_on(version), *_on_ties(kind, start, classes)]:
        facts.append((NOTES, notes))
    program = Program("scikit-learn", version, kind.numbers, frozenset({"inner-labels"}), "double")
    source = TreeOrigin(program, " ".join(str(model).split()), facts)
    names = list(classes or ())
    return boosted(source, given.target, features, trees, SumRule(rule, start, len(names)), names)[0]


def _on_ties(kind: LossKind, start: Sequence[Fraction], classes: Sequence[str] | None) -> Iterator[str]:
    """The remark on sums of exactly 0, which GradientBoosting takes for the second class, if some are likely."""
    if kind is GRADIENT and classes is not None and not any(start) and len(start) == 1:
        yield f"of a row whose sum is exactly 0 GradientBoosting answers {classes[1]}, and here it is {classes[0]}"


def _rule(model: Any) -> tuple[str, int]:
    """The rule for the sums of a model, and the factor of what its trees add.

    Of the exponential loss, the probability is that of twice the sum.

    Raises:
        UnreadError: the loss has another rule, or its object is of another class than its name says.
    """
    called = type(model).__name__
    if model.loss not in LOSSES:
        raise UnreadError(f"{called} has loss {shown(model.loss)}, which is not known here")
    # One name, two losses: by two classes a logistic one, by more a softmax.
    is_many = model.loss == "log_loss" and len(model.classes_) > 2
    kind, rule = SEVERAL if is_many else LOSSES[model.loss]
    if rule not in COMBINATIONS:
        raise UnreadError(f"{called} has loss {model.loss}, and no document has its link {rule}; fit another loss")
    of = f", which has {len(model.classes_)} classes_," if hasattr(model, "classes_") else ""
    # The name may have been set by hand after the fit; the object shows what was fitted.
    check_kind(model._loss, "sklearn._loss.loss", kind, f"the _loss of {called}{of}")
    sums = len(model.classes_) if is_many else 1
    check_count(called, "n_trees_per_iteration_", getattr(model, "n_trees_per_iteration_", sums), "its loss", sums)
    return rule, 2 if model.loss == "exponential" else 1


def _not_judged(kind: LossKind, model: Any) -> Iterator[str]:
    """The parameters and steps that an audit cannot repeat."""
    given = {name: plainly(value) for name, value in kind.training.given_by(model).items()}
    # A constraint that constrains nothing can be repeated.
    for name in ("monotonic_cst", "interaction_cst"):
        if given.get(name) is not None and not _bounds_anything(given[name]):
            del given[name]
    yield from kind.training.unlike(given)
    yield from kind.further(model)
    if isinstance(weights := getattr(model, "class_weight", None), dict) and not all(weights.values()):
        yield "class_weight of 0 for a class"
    if model.loss not in JUDGED:
        yield f"loss {model.loss}"


def _bounds_anything(constraint: Any) -> bool:
    """Whether a constraint bounds anything: a list of zeros does not."""
    # By name or by place.
    held = constraint.values() if isinstance(constraint, dict) else constraint
    return any(held)


# GradientBoosting.

FIELDS = NodeFields("children_left", "children_right", "feature", "threshold", number=float)


def _gradient_tree(tree: Any, features: Sequence[Attribute], model: Any, ignored: Ignored) -> Grown:
    """A tree; the weight of a node that asks is the mean of the negative first derivatives of its rows."""
    # Boosting fits regression trees, also for classes.
    if check(tree, ignored).name != "DecisionTreeRegressor":
        raise UnreadError(
            f"{type(model).__name__} has a {type(tree).__name__} among its estimators_, which is not read"
        )
    check_count(type(model).__name__, "n_features_in_", model.n_features_in_, "a tree", tree.n_features_in_)
    arrays, rate = tree.tree_, float(model.learning_rate)
    nodes, weights = dict[int, HeldNode](), dict[int, float]()
    for node in range(len(arrays.feature)):
        # A leaf adds the learning rate times its value, as the product of doubles that the program forms.
        answer, value = {"n": str(int(arrays.n_node_samples[node]))}, float(arrays.value[node, 0, 0])
        test = FIELDS.test_of(lambda name, node=node: getattr(arrays, name)[node], features)  # type: ignore[misc]
        if test is None:
            nodes[node] = HeldNode({**answer, "value": exact(finite(rate * value))})
        else:
            nodes[node], weights[node] = HeldNode(answer, test), finite(value)
    # Weights of rows are stated only where they differ from the rows: then `n` alone would mislead.
    covers = dict(enumerate(map(float, arrays.weighted_n_node_samples)))
    weighted = any(covers[node] != int(rows) for node, rows in enumerate(arrays.n_node_samples))
    return Grown(nodes, stated={"weight": weights, **({"cover": covers} if weighted else {})})


def _constant_start(model: Any) -> Any:
    """The start of the sums, if it is the same for every row.

    Raises:
        UnreadError: another model decides where the sum of a row starts.
    """
    init, called = model.init_, type(model).__name__
    # The start has to be the same for every row: zero, or a dummy that ignores the row.
    is_zero = isinstance(init, str) and init == "zero"
    is_dummy = type(init).__module__ == "sklearn.dummy" and type(init).__name__ in ("DummyClassifier", "DummyRegressor")
    if not is_zero and not (is_dummy and init.strategy in CONSTANT):
        what = f"{type(init).__name__} of strategy {init.strategy}" if is_dummy else type(init).__name__
        raise UnreadError(f"{called} starts its sums from what init_ answers, {what}; read a model without init")
    # The row does not matter, so any row serves.
    return model._raw_predict_init([[0.0] * int(model.n_features_in_)])


def _not_repeated(model: Any) -> Iterator[str]:
    if model.n_iter_no_change is not None:
        yield "early stopping on rows that were held out"


def _as_it_is(value: Any) -> Any:
    return value


GRADIENT = LossKind(
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
    _constant_start,
    _gradient_tree,
    _not_repeated,
)  # fmt: skip

# HistGradientBoosting.

_EDGES = NodeFields(
    "left", "right", "feature_idx", "num_threshold", "missing_go_to_left",
    number=lambda at: min(float(at), float_info.max),  # infinite: asks whether there is a value
)  # fmt: skip
PARTS = ("value", "count", *_EDGES[:5], "is_leaf", "is_categorical", "gain")
"""The fields of a node that are read."""


_PREDICTORS = "sklearn.ensemble._hist_gradient_boosting.predictor"


def _histogram_tree(tree: Any, features: Sequence[Attribute], model: Any, ignored: Ignored) -> Grown:
    """A tree with weight and gain of the nodes that ask; the root states no weight."""
    # The members are private, so everything about them is checked before it is read.
    check_kind(tree, _PREDICTORS, "TreePredictor", f"a tree of {type(model).__name__}")
    known = tree.nodes.dtype.names
    check_fields(tree.nodes, BINNED, ignored)
    if lacking := [part for part in PARTS if part not in known]:
        raise UnreadError(f"its nodes have no {listed(lacking)}; this release of scikit-learn is not known")
    nodes = dict[int, HeldNode]()
    stated: dict[str, dict[int, float]] = {"weight": {}, "gain": {}}
    for number, node in enumerate(tree.nodes):
        answer, value = {"n": str(int(node["count"]))}, finite(float(node["value"]))
        if node["is_leaf"]:
            nodes[number] = HeldNode({**answer, "value": exact(value)})
            continue
        # Codes of an encoder of its own stand there, and no names.
        if node["is_categorical"]:
            raise UnreadError("it tests categories, of which the private members hold codes alone")
        nodes[number] = HeldNode(answer, _EDGES.test_of(node.__getitem__, features))
        # The number at the root says nothing of its rows.
        stated["weight"].update({number: value} if number else {})
        stated["gain"][number] = finite(float(node["gain"]))
    return Grown(nodes, stated=stated)


def _held_out(model: Any) -> Iterator[str]:
    if model.do_early_stopping_ and model.validation_fraction is not None:
        yield "early_stopping on rows that were held out"


HISTOGRAMS = LossKind(
    "double",
    Training(
        {
            "learning_rate": ("rate", double),
            "l2_regularization": ("reg_lambda", double),
            "min_samples_leaf": ("min_samples_leaf", double),
            "max_depth": ("max_depth", _as_it_is),
            "max_leaf_nodes": ("max_leaves", _as_it_is),
        },
        {"monotonic_cst": None, "interaction_cst": None, "max_features": 1.0},
    ),
    lambda model: model._predictors,
    lambda model: model._baseline_prediction,
    _histogram_tree,
    _held_out,
)


KINDS: Mapping[str, LossKind] = {
    f"{name}{what}": kind
    for name, kind in (("GradientBoosting", GRADIENT), ("HistGradientBoosting", HISTOGRAMS))
    for what in ("Classifier", "Regressor")
}
"""The kind of each class."""
