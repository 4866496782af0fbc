"""treelite: a model that it took over from XGBoost, LightGBM or scikit-learn, as `dump_as_json` writes it.

One form serves all of them:

| member | what it says |
|:--|:--|
| `threshold_type` | whether values and thresholds are doubles or float32 |
| `comparison_op` | of a node, `<` or `<=`; `default_left` says where a row without a value goes |
| `leaf_value` | what a leaf adds: a number; or a share for each class, where trees are averaged |
| `class_id` | the sum that a tree adds to |
| `base_scores` | where the sums start, in the space of the sums |
| `postprocessor` | what is made of the sums |

The form names neither its release nor the features, and states no rows. Tests of categories, models of several targets
and isolation forests are refused by name. Seen in models of release 4.8.1.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from reference_tree.data.errors import InputError, listed, shown
from reference_tree.data.held import Form
from reference_tree.data.schema import Attribute
from reference_tree.programs.boosted import Grown, SumRule
from reference_tree.programs.boosted import documents as boosted
from reference_tree.programs.documents import (
    HeldNode,
    Json,
    Key,
    TreeOrigin,
    classified,
    ensemble,
    exact,
    finite,
    item,
    numbered,
    refuse_many,
)
from reference_tree.programs.inventory import Inventory, UnreadError
from reference_tree.programs.reader import GivenNames, ProgramReader, asked
from reference_tree.tree import Program

_SOURCE = "read the model that it was made of"
_TRAINED = "it tells how the trees were grown, and an answer needs the trees alone"

OF_A_TEST = (
    "split_feature_id", "default_left", "node_type", "comparison_op", "threshold", "left_child", "right_child",
)  # fmt: skip
"""The members of a node that only a test has."""

NODE = Inventory(
    "a node of treelite",
    dict.fromkeys(("node_id", *OF_A_TEST, "leaf_value")),
    {"data_count": _TRAINED, "sum_hess": _TRAINED, "gain": _TRAINED},
    refused=dict.fromkeys(("category_list", "category_list_right_child"), f"tests of categories are not; {_SOURCE}"),
    needed=("node_id",),
)  # fmt: skip
"""A node: a leaf, or a test of a number."""

MODEL = Inventory(
    "a model of treelite",
    {
        **dict.fromkeys(("threshold_type", "leaf_output_type", "num_feature", "num_target", "num_class")),
        **dict.fromkeys(("average_tree_output", "class_id", "postprocessor", "sigmoid_alpha", "base_scores")),
        "trees": Inventory(
            "a tree of treelite", {"num_nodes": None, "nodes": NODE},
            {"has_categorical_split": "it follows from the nodes"}, needed=("num_nodes", "nodes"),
        ),
    },
    {
        "task_type": "it follows from other members", "leaf_vector_shape": "it follows from the leaves",
        "target_id": "there is one target", "ratio_c": "it is of isolation forests, which are refused",
        "attributes": "it is a text for its user",
    },
    needed=("threshold_type", "leaf_output_type", "num_feature", "num_target", "num_class", "average_tree_output",
            "class_id", "postprocessor", "sigmoid_alpha", "base_scores", "trees"),
)  # fmt: skip
"""A model, with its trees."""

RULES: Mapping[str, str] = {
    "identity": "sum", "sigmoid": "logistic", "exponential": "exp", "softmax": "softmax", "multiclass_ova": "ova",
    "signed_square": "signed-square", "logarithm_one_plus_exp": "log1p-exp", "hinge": "hinge",
}  # fmt: skip
"""The postprocessor → the rule that makes an answer of the sums."""

AVERAGED = "identity_multiclass"
"""The postprocessor of a forest whose leaves hold a share for each class."""

FORMS: Mapping[str, Form] = {"float32": "float32", "float64": "double"}
"""The types of numbers."""

_HEAD = re.compile(r'\A\s*\{\s*"threshold_type"\s*:')


def holds(value: Any) -> bool:
    """Whether a value of JSON, or an object, is a model of treelite."""
    is_model = isinstance(value, dict) and "trees" in value and ("postprocessor" in value or "num_feature" in value)
    return is_model or hasattr(value, "dump_as_json")


def documents(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    """The document of the ensemble.

    Raises:
        InputError: it is no model, or its members do not fit together.
        UnreadError: it has a member, a postprocessor or a test that is not read.
    """
    model = json.loads(value.dump_as_json(pretty_print=False)) if hasattr(value, "dump_as_json") else value
    MODEL.check(model, names.ignored)
    if model["num_target"] != 1:
        raise UnreadError(f"it predicts {model['num_target']} targets at once; {_SOURCE}")
    for name in ("threshold_type", "leaf_output_type"):
        if model[name] not in FORMS:
            raise UnreadError(f"its {name} is {shown(model[name])}, and {listed(list(FORMS))} are read")
    trees, ids = model["trees"], model["class_id"]
    if len(ids) != len(trees):
        raise InputError(f"it has {len(trees)} trees, and class_id is of {len(ids)}")
    refuse_many(sum(len(tree["nodes"]) for tree in trees))
    features = list(map(Attribute, names.features(int(model["num_feature"]))))
    return _forest(model, features, names) if model["postprocessor"] == AVERAGED else _sums(model, features, names)


READER = ProgramReader("treelite", "a model of treelite", documents, _HEAD, holds, (MODEL,))


def _sums(model: Json, features: Sequence[Attribute], names: GivenNames) -> list[dict[str, Any]]:
    """The model whose trees are added up."""
    if (called := model["postprocessor"]) not in RULES:
        raise UnreadError(f"its postprocessor is {shown(called)}, which is not read; {_SOURCE}")
    combine, (classes,) = RULES[called], model["num_class"]
    # A sum for each class under softmax and one against all; otherwise there is one sum.
    sums = classes if combine in ("softmax", "ova") else 1
    if classes != sums or len(model["base_scores"]) != sums:
        raise InputError(f"it has {classes} classes and {len(model['base_scores'])} base_scores for {sums} sums")
    # The logistic function is of α times the sum: the factor goes to the trees and to the start.
    factor = Fraction(finite(model["sigmoid_alpha"])) if combine in ("logistic", "ova") else Fraction(1)
    # An average of several trees is a sum in which each counts its share.
    each: Counter[int] | None = Counter(model["class_id"]) if model["average_tree_output"] else None
    grown = [
        Grown(dict(_nodes(tree, features)), of, factor / (1 if each is None else each[of]))
        for tree, of in zip(model["trees"], model["class_id"], strict=True)
    ]
    # An average is taken of the trees, and base_scores are added afterwards, so they have no share in it.
    start = [factor * Fraction(finite(score)) for score in model["base_scores"]]
    rule = SumRule(combine, start, 2 if combine in ("logistic", "hinge") else sums if sums > 1 else 0)
    program = _program(model, frozenset({"inner-labels", "counts"}))
    return boosted(TreeOrigin(program), names.target, features, grown, rule, names.classes)


def _forest(model: Json, features: Sequence[Attribute], names: GivenNames) -> list[dict[str, Any]]:
    """The forest of a classifier, whose answer is the mean of the shares at the leaves."""
    # Only this combination was seen; a sum of vectors, or scores to start from, would answer otherwise.
    if not model["average_tree_output"] or any(model["base_scores"]) or not model["trees"]:
        raise UnreadError(f"its trees have shares of classes that are not averaged alone; {_SOURCE}")
    # A tree with a share for each class adds to all of them, which treelite writes as -1.
    if set(model["class_id"]) != {-1}:
        raise InputError(f"its leaves have a share for each class, and class_id is {shown(model['class_id'])}")
    classes = names.labels(int(model["num_class"][0]))
    members = [({"weight": "1"}, numbered(dict(_nodes(tree, features, classes)), 0)) for tree in model["trees"]]
    # A leaf states shares and not rows: `weights` says so to whoever would count with them.
    program = _program(model, frozenset({"inner-labels", "inner-counts", "weights"}))
    return [ensemble(TreeOrigin(program), Attribute(names.target, tuple(classes)), features, "mean", (), members)]


def _program(model: Json, silent: frozenset[str]) -> Program:
    """The program, with the forms of its numbers: those that are compared, and those that are added up."""
    return Program("treelite", None, FORMS[model["threshold_type"]], silent, FORMS[model["leaf_output_type"]])


def _nodes(tree: Json, features: Sequence[Attribute], classes: Sequence[str] = ()) -> Iterator[tuple[Key, HeldNode]]:
    """The nodes of a tree by their numbers.

    Args:
        tree: the tree.
        features: the features in their order.
        classes: the classes whose shares leaves hold; none if they hold a number.
    """
    if tree["num_nodes"] != len(tree["nodes"]):
        raise InputError(f"a tree has {len(tree['nodes'])} nodes, and num_nodes is {tree['num_nodes']}")
    for place, node in enumerate(tree["nodes"]):
        # The numbers are those of the list; nodes that were moved would hang below others.
        if node["node_id"] != place:
            raise InputError(f"node {node['node_id']} stands at the place of node {place}")
        if "leaf_value" in node:
            if both := sorted(node.keys() & {*OF_A_TEST}):
                raise InputError(f"node {place} is a leaf, and has {listed(both)}, too")
            yield place, HeldNode(_answer(node["leaf_value"], classes))
            continue
        if node["node_type"] != "numerical_test_node":
            raise UnreadError(f"a node is a {shown(node['node_type'])}, which is not read; {_SOURCE}")
        if node["comparison_op"] not in ("<", "<="):
            raise UnreadError(f"a node tests by {shown(node['comparison_op'])}, and < and <= are read; {_SOURCE}")
        to = int(node["left_child"]), int(node["right_child"])
        default = to[0] if node["default_left"] else to[1]
        is_strict = node["comparison_op"] == "<"
        at = finite(node["threshold"])
        yield place, HeldNode({}, asked(features, int(node["split_feature_id"]), at, to, default, is_strict=is_strict))


def _answer(value: Any, classes: Sequence[str]) -> Json:
    """The number that a leaf adds, or the shares of the classes at it."""
    if not classes:
        if isinstance(value, list):
            raise UnreadError(f"its leaves are vectors that are added up; {_SOURCE}")
        return {"value": exact(finite(value))}
    if not isinstance(value, list) or len(value) != len(classes):
        raise InputError(f"a leaf has no share for each of {len(classes)} classes")
    shares = [Fraction(finite(share)) for share in value]
    # The first of equal shares answers, as by argmax.
    return classified(dict(zip(classes, shares, strict=True)), item(classes, shares.index(max(shares))))
