"""XGBoost: a model that `save_model` wrote as JSON, or the trees that `dump_model` wrote.

It keeps values, thresholds and leaves in float32 and asks `<`; its JSON has a few digits of each, which are rounded to
float32 again here. A row without a value takes the default side of a node. A question about categories sends those that
it lists to the right.

A model knows its objective and `base_score`, with which the sums start: a logit where it is a probability. A dump knows
neither, nor the features that no question is about. Neither says how many rows reach a node, nor with which
parameters it was trained: `save_config` writes those, and `configured` reads them. A model states H, -G/(H + λ) and the
gain of each node; in leaves that `hist` made, -G/(H + λ) has the learning rate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import e
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.exact.log_sums import log
from reference_tree.exact.rationals import exact_text, rational
from reference_tree.exact.reals import Number
from reference_tree.foreign.boosted import Grown, Rule
from reference_tree.foreign.boosted import documents as boosted
from reference_tree.foreign.documents import (
    Held,
    Question,
    Source,
    data_value,
    exact,
    finite,
    item,
    places,
    reading,
    refuse_many,
    single,
    subset,
    threshold,
)
from reference_tree.tree import Program

SUMS = (
    "reg:squarederror", "reg:linear", "reg:absoluteerror", "reg:pseudohubererror", "reg:quantileerror",
    "rank:pairwise", "rank:ndcg", "rank:map",
)  # fmt: skip
"""Objectives that predict the sum itself."""
LOGISTIC = "binary:logistic"
"""The objective that turns the sum into a probability; its `base_score` is a probability."""
SOFTMAX = ("multi:softmax", "multi:softprob")
"""Objectives with a sum for each class."""

PARAMETERS = {
    "eta": "rate", "lambda": "reg_lambda", "gamma": "gamma", "max_depth": "max_depth", "max_leaves": "max_leaves",
    "min_child_weight": "min_child_weight",
}  # fmt: skip
"""The training parameters: the name in the program → the name in an audit."""

PLAIN = {
    "alpha": 0, "max_delta_step": 0, "subsample": 1, "colsample_bytree": 1, "colsample_bylevel": 1,
    "colsample_bynode": 1, "num_parallel_tree": 1, "scale_pos_weight": 1, "monotone_constraints": "()",
    "interaction_constraints": "",
}  # fmt: skip
"""The parameter values under which decisions can be repeated; parameters with other values are listed."""

_BEGINS = re.compile(r'\s*(?:\{\s*"learner"\s*:|\[\s*\{\s*"nodeid")')

LEAF = -1
DELETED = 2**31 - 1
"""The feature of a node that was pruned away."""
CATEGORICAL = 1


def begins(head: str) -> bool:
    """Whether a text begins as a model, or as a dump."""
    return _BEGINS.match(head) is not None


def dumped(head: str) -> bool:
    """Whether a text begins as a dump, which does not state how its trees are combined."""
    return begins(head) and head.lstrip()[0] == "["


def recognises(value: object) -> bool:
    """Whether a value of JSON is a model, or a dump."""
    if isinstance(value, dict):
        return "gradient_booster" in (value.get("learner") or ())
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and bool({"nodeid"} & value[0].keys())


def documents(
    value: Any,
    *,
    target: str = "target",
    attributes: Sequence[str] = (),
    classes: Sequence[str] = (),
    rule: Rule | None = None,
) -> list[dict[str, Any]]:
    """The document of the ensemble, or, if its objective is not known here, of each tree.

    Args:
        value: the JSON, as Python's `json` reads it.
        target: the name of the target, which the model does not state.
        attributes: the names of its features; by default its own, or f0, f1, ...
        classes: the names of its classes; by default 0, 1, ...
        rule: the rule for the sums of the trees of a dump, which does not state it.

    Raises:
        InputError: it is no model and no dump, or is linear or has several targets, which is not read.
    """
    with reading("a model of XGBoost"):
        if isinstance(value, list):
            return _dump(value, target, attributes, classes, rule)
        return _model(value, target, attributes, classes)


# A model.


def _model(value: Any, target: str, names: Sequence[str], classes: Sequence[str]) -> list[dict[str, Any]]:
    learner = value["learner"]
    booster, weights = learner["gradient_booster"], None
    if booster["name"] == "dart":
        booster, weights = booster["gbtree"], booster["weight_drop"]
    if booster["name"] != "gbtree":
        raise InputError(f"a booster of the kind {booster['name']} has no trees")
    model = booster["model"]
    features = _features(learner, model, names)
    trees = [
        Grown(
            _held(tree, features),
            int(of),
            1 if weights is None else Fraction(single(finite(weights[number]))),
            _stated(tree),
        )
        for number, (tree, of) in enumerate(zip(model["trees"], model["tree_info"], strict=True))
    ]
    version = ".".join(map(str, value.get("version", [])))
    program = Program("XGBoost", version or None, "float32", frozenset({"inner-labels", "counts"}))
    remarks: list[tuple[str, Any]] = [("objective", str(learner["objective"]["name"]))]
    unlike = ["dart"] if weights is not None else []
    if "config" in value:
        config = configured(value["config"])
        remarks.append(("told", config.told))
        unlike += config.unlike
    else:
        unlike += _unlike(_parameters(learner))
    if unlike:
        remarks.append(("unlike", unlike))
    source = Source(program, remarks=remarks)
    return boosted(source, target, features, trees, _rule(learner), classes)


def _rule(learner: Mapping[str, Any]) -> Rule | None:
    """The rule of the objective for the sums; None if it is not known here."""
    objective, parameters = learner["objective"]["name"], learner["learner_model_param"]
    start = [single(finite(float(text))) for text in re.findall(r"[^\[\],\s]+", parameters["base_score"])]
    if objective in SUMS:
        return Rule("sum", [Fraction(start[0])]) if len(start) == 1 else None
    if objective == LOGISTIC:
        return Rule("logistic", [_logit(Fraction(start[0]))], 2)
    if objective in SOFTMAX:
        size = int(parameters["num_class"])
        return Rule("softmax", list(map(Fraction, start * (size if len(start) == 1 else 1))), size)
    return None


# The parameters of training.


class Configuration(NamedTuple):
    """The configuration of a booster, as `save_config` writes it."""

    objective: str
    rule: Rule | None
    told: Mapping[str, Any]
    """The training parameters, by the names of an audit, with values as in a document."""
    unlike: Sequence[str]
    """The parameters whose effect cannot be repeated."""


def configured(value: Any) -> Configuration:
    """The training parameters, from the JSON of `save_config`.

    Raises:
        InputError: the value is no such JSON.
    """
    with reading("a configuration of XGBoost"):
        learner = value["learner"]
        given = _parameters(learner)
        parameters: dict[str, Any] = {}
        for name, ours in PARAMETERS.items():
            if name in given:
                number = rational(given[name])
                parameters[ours] = int(number) or None if ours.startswith("max_") else exact_text(number)
        if (method := given.get("tree_method", "auto")) in ("exact", "hist", "approx"):
            parameters["tree_method"] = method
        unlike = list(_unlike(given))
        return Configuration(str(learner["objective"]["name"]), _rule(learner), parameters, unlike)


def _parameters(learner: Mapping[str, Any]) -> dict[str, str]:
    """The parameters that are stated anywhere below, by their names."""
    found: dict[str, str] = {}
    wanted = {*PARAMETERS, *PLAIN, "tree_method"}
    pending: list[Any] = [
        learner["gradient_booster"].get("gbtree") or learner["gradient_booster"],
        learner["objective"],
    ]
    while pending:
        for name, value in pending.pop().items():
            if isinstance(value, dict):
                pending.append(value)
            elif isinstance(value, str) and name in wanted:
                found[name] = value
    return found


def _unlike(given: Mapping[str, str]) -> Iterator[str]:
    for name, plain in PLAIN.items():
        held = given.get(name)
        if held is not None and (held != plain if isinstance(plain, str) else rational(held) != plain):
            yield f"{name} {held}"


def _logit(p: Fraction) -> Number:
    if not 0 < p < 1:
        raise InputError("the base_score of binary:logistic is no probability")
    return 0 if p == Fraction(1, 2) else log(p / (1 - p), e)


def _features(learner: Mapping[str, Any], model: Mapping[str, Any], given: Sequence[str]) -> list[Attribute]:
    size = int(learner["learner_model_param"]["num_feature"])
    names = list(given) or learner.get("feature_names") or [f"f{place}" for place in places(size)]
    if len(names) != size or len(set(names)) != size:
        raise InputError(f"the model has {size} features, and {len(set(names))} different names")
    kinds = learner.get("feature_types") or ["float"] * size
    encoded = model.get("cats", {}).get("enc") or [{}] * size
    return [
        Attribute(name, _categories(place, encoded[place], model["trees"]) if kinds[place] == "c" else None)
        for place, name in enumerate(names)
    ]


def _categories(place: int, encoding: Mapping[str, Any], trees: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The values of a feature in the order of their codes; if the model lacks them, the codes in its questions."""
    if offsets := encoding.get("offsets"):
        text = bytes(encoding["values"])
        return tuple(text[begin:end].decode() for begin, end in pairwise(offsets))
    if values := encoding.get("values"):
        return tuple(map(str, values))
    questions = [(tree["split_indices"][node], codes) for tree in trees for node, codes in _listed(tree)]
    return _codes(code for feature, codes in questions for code in codes if feature == place)


def _codes(listed: Iterable[int]) -> tuple[str, ...]:
    """The listed codes and the next one, because a question that lists all codes asks nothing."""
    return tuple(map(str, places(max(listed, default=0) + 2)))


def _listed(tree: Mapping[str, Any]) -> Iterator[tuple[int, list[int]]]:
    """The nodes that ask about categories, and the codes that each lists."""
    parts = zip(tree["categories_nodes"], tree["categories_segments"], tree["categories_sizes"], strict=True)
    return ((node, tree["categories"][begin : begin + size]) for node, begin, size in parts)


def _stated(tree: Mapping[str, Any]) -> dict[str, dict[int, float]]:
    """H, weight and gain of the nodes, as far as they are stated; a leaf states the gain of a question taken back."""
    found = {}
    for ours, name in (("h", "sum_hessian"), ("weight", "base_weights"), ("gain", "loss_changes")):
        if numbers := tree.get(name):
            asks = (ours != "gain" or left != LEAF for left in tree["left_children"])
            pairs = enumerate(zip(numbers, asks, strict=True))
            found[ours] = {node: single(finite(number)) for node, (number, is_stated) in pairs if is_stated}
    return found


def _held(tree: Mapping[str, Any], features: Sequence[Attribute]) -> dict[int, Held]:
    if int(tree.get("tree_param", {}).get("size_leaf_vector", 1)) > 1:
        raise InputError("its leaves answer several targets at once; train it with multi_strategy one_output_per_tree")
    lists, size = dict(_listed(tree)), len(tree["left_children"])
    refuse_many(size)
    kinds, found = tree.get("split_type") or [0] * size, {}
    for node, (left, right) in enumerate(zip(tree["left_children"], tree["right_children"], strict=True)):
        number = single(finite(tree["split_conditions"][node]))
        if left == LEAF and tree["split_indices"][node] != DELETED:
            found[node] = Held({"value": exact(number)})
        elif left != LEAF:
            feature = item(features, tree["split_indices"][node])
            default = left if tree["default_left"][node] else right
            if kinds[node] == CATEGORICAL:
                values = [item(feature.domain, code) for code in lists[node]]
                question = subset(feature.name, values, (right, left))
            else:
                question = threshold(feature.name, data_value(number), (left, right), strict=True)
            found[node] = Held({}, replace(question, missing="branch", default=default))
    return found


# A dump.


def _dump(
    trees: Sequence[Any], target: str, names: Sequence[str], classes: Sequence[str], rule: Rule | None
) -> list[dict[str, Any]]:
    refuse_many(len(trees))
    held = [dict(_dumped(tree)) for tree in trees]
    codes: dict[str, set[str] | None] = {}
    for question in (each.question for tree in held for each in tree.values() if each.question is not None):
        values = question.branches[0].when.get("in")
        known = codes.setdefault(question.test["attribute"], None if values is None else set())
        if known is not None and values is not None:
            known.update(values)
    order = list(names) or sorted(codes, key=_natural)
    if strange := codes.keys() - set(order):
        raise InputError(f"a node asks {min(strange)}, which is not among the names that are given")
    features = [Attribute(name, _domain(codes.get(name))) for name in order]
    program = Program("XGBoost", None, "float32", frozenset({"inner-labels", "counts"}))
    each = rule.classes if rule is not None and rule.combine == "softmax" else 1
    grown = [Grown(tree, place % each) for place, tree in enumerate(held)]
    return boosted(Source(program), target, features, grown, rule, classes if rule is not None else ())


def _natural(name: str) -> tuple[str, int]:
    """The key of the natural order: f2 before f10."""
    stem = name.rstrip("0123456789")
    return stem, int(name[len(stem) :][:9] or 0)


def _domain(codes: set[str] | None) -> tuple[str, ...] | None:
    return None if codes is None else _codes(map(int, codes))


def _dumped(root: Mapping[str, Any]) -> Iterator[tuple[int, Held]]:
    pending, place = [(0, root)], 0
    while pending:
        number, node = pending.pop()
        if "leaf" in node:
            yield number, Held({"value": exact(single(finite(node["leaf"])))})
            continue
        below = {child["nodeid"]: place + step for step, child in enumerate(node["children"], start=1)}
        if len(below) != len(node["children"]):
            raise InputError(f"node {node['nodeid']} has a child twice")
        place += len(below)
        yes, no, default = (below[node[key]] for key in ("yes", "no", "missing"))
        yield number, Held({}, replace(_question(node, (yes, no)), missing="branch", default=default))
        pending += [(below[child["nodeid"]], child) for child in node["children"]]


def _question(node: Mapping[str, Any], to: tuple[int, int]) -> Question:
    if "split_condition" not in node:
        raise InputError(f"node {node['nodeid']} asks whether there is a {node['split']}, which is not read")
    at = node["split_condition"]
    if isinstance(at, list):
        return subset(node["split"], [str(int(code)) for code in at], to)
    return threshold(node["split"], data_value(single(finite(at))), to, strict=True)
