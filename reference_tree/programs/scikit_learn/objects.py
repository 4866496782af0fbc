"""scikit-learn: fitted trees and forests, read from their objects; nothing of scikit-learn is imported.

A tree has arrays with an entry a node: `children_left`, `children_right` (−1: a leaf), `feature`, `threshold`,
`impurity`, `weighted_n_node_samples` and `value`. A value is rounded to float32 and compared by `<=` with a double that
lies between two of them. `value` holds the share of each class, and before version 1.3 its weight, or else the mean.

Where a row has no value it goes the way that `missing_go_to_left` says; versions that do not have it refuse such rows.

A forest, or a bag, is one document: the mean of what its trees say, with how often each row was drawn for a tree, which
the fitted object works out once more (`estimators_samples_`). Which features were drawn for a node it does not keep;
but it keeps the `random_state` of each tree, from which they follow (`reference_tree.programs.scikit_learn.draws`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import repeat
from numbers import Integral
from typing import Any

from reference_tree.data.errors import InputError, listed
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import exact_text
from reference_tree.programs.documents import (
    NOTES,
    HeldNode,
    Json,
    TreeOrigin,
    classified,
    document,
    ensemble,
    exact,
)
from reference_tree.programs.inventory import Ignored, UnreadError
from reference_tree.programs.reader import GivenNames, NodeFields, ProgramReader, Training, double, remarks
from reference_tree.programs.scikit_learn import boosting as boosting
from reference_tree.programs.scikit_learn.members import (
    BINNED,
    KNOWN,
    NODES,
    NOT_READ,
    TREES,
    check,
    check_count,
    class_texts,
    class_weights,
    known,
    numbered,
    plainly,
    release_of,
    remarks_on,
)
from reference_tree.tree import Program

LEAF = -1
# The impurity of a regression node is the mean error around its answer.
SUMS = {
    "squared_error": ("mean", "sse"), "mse": ("mean", "sse"), "friedman_mse": ("mean", "sse"),
    "absolute_error": ("median", "sad"), "mae": ("median", "sad"),
}  # fmt: skip
"""For each criterion for numbers, the sums that a node states: n times its impurity is the sum of errors."""


EPSILON = Fraction(1, 2**52)
"""An impurity up to this counts as zero; a decrease may miss its bound by this much."""

DRAWN, SUMMED, OF_ROWS = "drawn", "summed", "of rows"
"""The parts of a forest that the weights of rows decide (`_row_weights`)."""

LARGEST = 2.0**128 - 2.0**104
"""The largest float32. Where a node asks whether there is a value at all, its threshold is infinite."""

FIELDS = NodeFields(
    "children_left", "children_right", "feature", "threshold", number=lambda at: min(float(at), LARGEST)
)
FIELDS_WITH_DEFAULT = FIELDS._replace(default_left="missing_go_to_left")
"""The arrays of a tree, and those of versions that read rows without a value."""


def documents(model: Any, given: GivenNames) -> list[dict[str, Any]]:
    """The document of a fitted tree, of a forest, a bag, or of boosted trees.

    Raises:
        UnreadError: its class is not read, or one of its members, or it predicts several targets at once.
        InputError: it is not fitted, or its members do not fit together.
    """
    # The class first, then its members: an unknown class has no inventory.
    of = known(model, given.ignored)
    if not holds_trees(model):
        raise InputError(f"{type(model).__name__} has no tree_ and no estimators_: it is not fitted")
    check(model, given.ignored)
    # A model that was fitted to an array has no names of features.
    own = getattr(model, "feature_names_in_", None)
    names = given.features(int(model.n_features_in_), [] if own is None else list(map(str, own)))
    labels = class_texts(model)
    classes = None if labels is None else given.labels(len(labels), labels)
    if (kind := boosting.KINDS.get(of.name)) is not None:
        return [boosting.document(kind, model, list(map(Attribute, names)), given, classes)]
    if of.name in TREES:
        return [_document(model, names, given.target, classes)]
    check_members(model, given.ignored)
    return [_forest(model, list(model.estimators_), names, given.target, classes)]


def check_members(model: Any, ignored: Ignored) -> None:
    """Refuse an ensemble whose members are no trees of its features, or are not as many as it says.

    Raises:
        UnreadError: it is so.
    """
    # Counts are stated several times in a model, and an edited one may contradict itself.
    called, count = type(model).__name__, len(model.estimators_)
    chosen = getattr(model, "estimators_features_", None)
    if chosen is not None:
        check_count(called, "n_estimators", model.n_estimators, "estimators_", count)
        check_count(called, "estimators_features_", len(chosen), "estimators_", count)
    # AdaBoost may end early; the weights of trees that were not grown stay 0.
    if _is_adaboost(model) and any(model.estimator_weights_[count:]):
        raise UnreadError(
            f"{called} has estimator_weights_ of {len(model.estimator_weights_)} trees, and {count} estimators_"
        )
    for place, tree in enumerate(model.estimators_):
        check_member(tree, ignored, called)
        features = model.n_features_in_ if chosen is None else len(chosen[place])
        check_count(f"a tree of {called}", "n_features_in_", tree.n_features_in_, "the model", features)


def check_member(tree: Any, ignored: Ignored, called: str) -> None:
    """Refuse a member of an ensemble that is no tree, or that has a member that is not read.

    Raises:
        UnreadError: it is so.
    """
    try:
        name = check(tree, ignored).name
    except UnreadError as error:
        raise UnreadError(f"among the estimators_ of {called}: {error.message}") from None
    if name not in TREES:
        raise UnreadError(f"{called} is made of {name}, and only ensembles of trees are read; read its estimators_")


def holds_trees(thing: Any) -> bool:
    """Whether an object is a fitted tree, or holds several."""
    return any(hasattr(thing, name) for name in ("tree_", "estimators_", "_predictors"))


def holds(thing: Any) -> bool:
    """Whether an object is a fitted tree, holds several, or is of a class that is refused by name."""
    kind = type(thing)
    return holds_trees(thing) or (kind.__module__.startswith("sklearn.") and kind.__name__ in NOT_READ)


READER = ProgramReader(
    "scikit_learn",
    "a model of scikit-learn",
    documents,
    holds=holds,
    inventories=(*(one.members for one in KNOWN.values()), NODES, BINNED),
)


def _forest(
    model: Any, trees: Sequence[Any], names: Sequence[str], target: str, classes: Sequence[str] | None
) -> dict[str, Any]:
    """The document of a forest, of a bag, or of AdaBoost: the trees, and the rows drawn for each, or its weight."""
    # The trees of a forest and of a bag count alike.
    weights = map(double, model.estimator_weights_) if _is_adaboost(model) else repeat("1")
    chosen = getattr(model, "estimators_features_", None)
    # A bag can draw without replacement; then rows are left out as well.
    is_drawn = getattr(model, "bootstrap", False) or getattr(model, "max_samples", None) not in (None, 1.0)
    samples = _samples(model) if is_drawn else [None] * len(trees)  # otherwise all rows are taken once
    members, silent = [], set[str]()
    for number, (tree, drawn, weight) in enumerate(zip(trees, samples, weights, strict=False)):
        # The trees of a bag number the features that they were offered.
        own = names if chosen is None else [names[place] for place in chosen[number]]
        known = None if classes is None else _of_member(tree, model, classes)
        part = _document(tree, own, target, known)
        silent |= set(part["program"].get("silent", []))
        times = {}
        if drawn is not None:
            # Row → how often it was drawn.
            often = Counter(map(int, drawn))
            times = {"drawn": [often[row] for row in range(int(model._n_samples))]}
        members.append(({"weight": weight, **times}, part["nodes"]))
    first = trees[0]
    program = Program("scikit-learn", release_of(model), "float32", frozenset(silent))
    offered = None if chosen is None else [[names[place] for place in places] for places in chosen]
    # Parameters are told once, so those in which trees differ cannot be.
    unlike = dict.fromkeys([*_unlike(first, is_member=True), *_mixed(trees)])
    draws = _draws_json(trees, names, offered, ties=_is_adaboost(model))
    stated = {
        "draws": draws,
        "boosted": _boosted_json(model),
        "class_weight": class_weights(model, classes),
        "row_weights": _row_weights(model),
    }
    told = remarks(_told(first, **stated), list(unlike))
    source = TreeOrigin(program, " ".join(str(model).split()), [*told, *_notes(model)])
    whole = Attribute(target, None if classes is None else tuple(classes))
    combine = "samme" if _is_adaboost(model) else "mean"
    return ensemble(source, whole, list(map(Attribute, names)), combine, (), members)


def _samples(model: Any) -> Sequence[Any]:
    """The rows that were drawn for each tree, which a model works out again.

    Raises:
        UnreadError: they do not follow from its members, or its release does not work them out.
    """
    of = [name for name in _DRAWN_BY if hasattr(model, name)]
    try:
        # The model draws again from its seeds: nothing of this is done here.
        drawn: Sequence[Any] = model.estimators_samples_
    except (AttributeError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise UnreadError(f"its rows do not follow from {listed(of)}, or not in its release: {error}") from None
    return drawn


_DRAWN_BY = (
    "bootstrap", "bootstrap_features", "max_samples", "_max_features", "_max_samples", "_n_samples",
    "_n_samples_bootstrap", "_sample_weight", "_seeds", "estimators_",
)  # fmt: skip
"""The members from which the rows that were drawn follow."""


def _notes(model: Any) -> list[tuple[str, Any]]:
    """The remarks on the release of a model."""
    return [(NOTES, texts)] if (texts := remarks_on(release_of(model))) else []


def _mixed(trees: Sequence[Any]) -> Iterator[str]:
    """The parameters in which trees differ, as those of a forest that went on growing under others do."""
    for name in TRAINING.parameters:
        if len({repr(getattr(tree, name, None)) for tree in trees}) > 1:
            yield f"{name} that differs from tree to tree"


def _row_weights(model: Any) -> str:
    """The part that the weights of rows decide: the draws, or the weights in a tree.

    From 1.8 a bag draws rows by their weights, and from 1.9 a forest; a row then counts as often as it was drawn. Where
    a forest of 1.9 draws none, the weights of balanced classes follow from the sums of the weights of their rows, and
    before, and in a tree, from their numbers.
    """
    # Nothing is said where the release is not known: then the audit supposes nothing.
    release = numbered(release_of(model))
    if release is None or _is_adaboost(model):
        return ""
    is_bag = hasattr(model, "estimators_features_")
    if release < ((1, 8) if is_bag else (1, 9)):
        return OF_ROWS
    return DRAWN if is_bag or model.bootstrap else SUMMED


def _is_adaboost(model: Any) -> bool:
    """Whether classes are voted for by the weights of the trees: AdaBoost by SAMME, the only rule that is read."""
    return hasattr(model, "estimator_weights_")


def _boosted_json(model: Any) -> Json:
    """The learning rate of AdaBoost, and the error of each tree; empty for a forest."""
    if not _is_adaboost(model):
        return {}
    errors = list(map(double, model.estimator_errors_[: len(model.estimators_)]))
    return {"rate": double(model.learning_rate), "errors": errors}


# The training parameters.

CRITERIA = {"log_loss": "entropy", "friedman_mse": "squared_error"}
"""Two names of one criterion, or of two that order the tests of a node alike."""

TRAINING = Training(
    {
        "criterion": ("criterion", lambda name: CRITERIA.get(name, name)),
        "max_depth": ("max_depth", int),
        "min_samples_split": ("min_samples_split", double),
        "min_samples_leaf": ("min_samples_leaf", double),
        "min_impurity_decrease": ("min_impurity_decrease", double),
        "max_leaf_nodes": ("max_leaves", int),
        "min_weight_fraction_leaf": ("min_weight_fraction_leaf", double),
    },
    {"splitter": "best", "class_weight": None, "monotonic_cst": None},
)
"""The training parameters."""


def _told(tree: Any, **more: Json | str) -> dict[str, Any]:
    """The training parameters, and what else is stated of the training."""
    given = {name: value for name, value in TRAINING.given_by(tree).items() if value is not None}
    # What bounds nothing is not stated.
    if not given.get("min_weight_fraction_leaf"):
        given.pop("min_weight_fraction_leaf", None)  # 0 bounds nothing
    pruned = {"pruned": True} if getattr(tree, "ccp_alpha", 0) else {}
    return {**TRAINING.told(given), **pruned, **{name: stated for name, stated in more.items() if stated}}


def _draws_json(
    trees: Sequence[Any], names: Sequence[str], offered: Sequence[Sequence[str]] | None, *, ties: bool = False
) -> Json:
    """The facts about the draws of the trees: their number at a node, and for each tree the seed they follow from.

    Args:
        trees: the trees.
        names: the names of the features.
        offered: the features that each tree may ask, in its own order; None if they are all.
        ties: whether draws are stated that decide no more than ties; the trees of AdaBoost depend on those before them.

    Returns:
        The key `draws` of what a document says of the training: for each tree its `seed`, the features that it was
        `offered` if they are not all, the order in which its nodes were `made` if that is not preorder, and the nodes
        of one class that were `impure` by rounding. It is empty if there is nothing to say.
    """
    first, own = trees[0], [None] * len(trees) if offered is None else offered
    entries: list[dict[str, Any]] = [{} if one is None else {"offered": list(one)} for one in own]
    # All features at every node: only the features that each tree was offered may differ.
    if not (_draws_in_nodes(first) or ties):
        return {"trees": entries} if any(entries) else {}
    # Without the seed of every tree no draw can be replayed.
    if not all(map(_is_seeded, trees)):
        return {}
    for tree, entry in zip(trees, entries, strict=True):
        entry["seed"] = int(tree.random_state)
        # Best first: nodes are numbered in the order in which they were made.
        if getattr(tree, "max_leaf_nodes", None) is not None:
            entry["made"] = _preorder(tree.tree_)
        # The program splits a node whose impurity is above EPSILON, and rounding can leave one class there.
        if hasattr(tree, "classes_"):
            at, order = tree.tree_, enumerate(_preorder(tree.tree_))
            pure = [(place, node) for place, node in order if sum(value != 0 for value in _values(at, node)) == 1]
            if impure := [place for place, node in pure if at.impurity[node] > EPSILON]:  # by rounding
                entry["impure"] = impure
    return {"most": int(first.max_features_), "thresholds": first.splitter == "random", "trees": entries}


def _draws_in_nodes(tree: Any) -> bool:
    """Whether features or thresholds are drawn for each node."""
    size = int(tree.n_features_in_)
    return int(getattr(tree, "max_features_", size) or size) < size or getattr(tree, "splitter", "best") == "random"


def _is_seeded(tree: Any) -> bool:
    """Whether the draws of a tree can be replayed: its seed is a number, and no branch was pruned away."""
    return isinstance(getattr(tree, "random_state", None), Integral) and not getattr(tree, "ccp_alpha", 0)


def _preorder(tree: Any) -> list[int]:
    """The program's own numbers of the nodes, in preorder."""
    found, pending = [], [0]
    # The left child is pushed last, so that it is visited first.
    while pending:
        found.append(node := pending.pop())
        if tree.children_left[node] != LEAF:
            pending += [int(tree.children_right[node]), int(tree.children_left[node])]
    return found


def _unlike(tree: Any, *, is_member: bool = False) -> Iterator[str]:
    """The training parameters whose effect cannot be repeated; of a member of an ensemble, its own weights, too."""
    given = {name: plainly(value) for name, value in TRAINING.given_by(tree).items()}
    # A constraint of zeros is none.
    if not any(given.get("monotonic_cst") or ()):
        given.pop("monotonic_cst", None)  # 0 bounds nothing
    if not is_member:
        given.pop("class_weight", None)  # it is stated
    if _is_seeded(tree):
        given.pop("splitter", None)  # its draws are replayed
    yield from TRAINING.unlike(given)
    criterion = getattr(tree, "criterion", "gini")
    # friedman_mse ranks tests as the squared error does, but its decrease has another size.
    if criterion == "poisson" or (criterion == "friedman_mse" and tree.min_impurity_decrease):
        yield f"criterion {criterion}"


def _of_member(tree: Any, model: Any, names: Sequence[str]) -> list[str]:
    """The names of the classes of one tree of many: a forest numbers them for its trees, and AdaBoost does not."""
    # AdaBoost hands the labels themselves to its trees; a forest hands their numbers.
    if hasattr(model, "estimator_weights_"):
        places = {label: place for place, label in enumerate(model.classes_)}
        return [names[places[label]] for label in tree.classes_]
    return [names[int(place)] for place in tree.classes_]


def _document(model: Any, names: Sequence[str], target: str, classes: Sequence[str] | None) -> dict[str, Any]:
    tree = model.tree_
    sums = SUMS.get(str(model.criterion))
    features = list(map(Attribute, names))
    # The arrays are indexed by node, and node 0 is the root.
    held = {node: _held(tree, node, features, classes, sums) for node in range(len(tree.feature))}
    silent = [] if classes is not None or sums else ["counts"]
    if _draws_in_nodes(model) and not _is_seeded(model):
        silent.append("draws")
    program = Program("scikit-learn", release_of(model), "float32", frozenset(silent))
    draws, weights = _draws_json([model], names, None), class_weights(model, classes)
    facts = remarks(_told(model, draws=draws, class_weight=weights), list(_unlike(model)))
    source = TreeOrigin(program, " ".join(str(model).split()), [*facts, *_notes(model)])
    return document(source, Attribute(target, None if classes is None else tuple(classes)), features, held, 0)


def _held(
    tree: Any,
    node: int,
    features: Sequence[Attribute],
    classes: Sequence[str] | None,
    sums: tuple[str, str] | None,
) -> HeldNode:
    if classes is None:
        answer = _number(tree, node, sums)
    else:
        # The label is that of the largest value, the first of equals.
        values = _values(tree, node)
        label = classes[values.index(max(values))]  # the first largest, as by argmax
        answer = classified(dict(zip(classes, _weights(tree, node), strict=True)), label)
    # Before 1.3 trees had no side for missing values.
    fields = FIELDS if getattr(tree, "missing_go_to_left", None) is None else FIELDS_WITH_DEFAULT
    return HeldNode(answer, fields.test_of(lambda name: getattr(tree, name)[node], features))


def _values(tree: Any, node: int) -> list[float]:
    if len(tree.value[node]) != 1:
        raise InputError(f"node {node} answers {len(tree.value[node])} targets at once; fit one model for each")
    return [float(value) for value in tree.value[node][0]]


def _weights(tree: Any, node: int) -> list[Fraction | int]:
    """The weight of each class at a node: whole numbers, if the shares are those of whole numbers within rounding."""
    # Since 1.3 `value` has shares, and before it weights; the total of either scales to n.
    n, values = float(tree.weighted_n_node_samples[node]), _values(tree, node)
    if not (total := sum(values)) > 0:
        return [0 for _ in values]
    whole = [round(n * value / total) for value in values]
    # n times a share in doubles may miss the count that it was made of
    if sum(whole) == n and all(abs(n * value / total - one) < 1e-6 for value, one in zip(values, whole, strict=True)):
        return list(whole)
    # Weights of rows: the exact products of the doubles that are held.
    return [Fraction(n) * Fraction(value) / Fraction(total) for value in values]


def _number(tree: Any, node: int, sums: tuple[str, str] | None) -> Json:
    (answered,) = _values(tree, node)
    if sums is None:
        return {"mean": exact(answered)}
    n = Fraction(float(tree.weighted_n_node_samples[node]))
    # Rounding may put an impurity of 0 a little below it.
    error = max(Fraction(0), n * Fraction(float(tree.impurity[node])))
    return {"n": exact_text(n), sums[0]: exact(answered), sums[1]: exact_text(error)}
