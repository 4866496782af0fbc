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
from fractions import Fraction
from itertools import pairwise
from math import e
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.exact.log_sums import log
from reference_tree.foreign.boosted import Grown, Rule
from reference_tree.foreign.boosted import documents as boosted
from reference_tree.foreign.documents import (
    Held,
    Question,
    Source,
    data_value,
    exact,
    finite,
    places,
    reading,
    refuse_many,
    single,
    subset,
    threshold,
)
from reference_tree.foreign.indented import ordered
from reference_tree.foreign.programs import Fields, Names, Reader, Training, amount, asked, limit, remarks
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

TRAINING = Training(
    {
        "eta": ("rate", amount), "lambda": ("reg_lambda", amount), "gamma": ("gamma", amount),
        "max_depth": ("max_depth", limit), "max_leaves": ("max_leaves", limit),
        "min_child_weight": ("min_child_weight", amount),
    },
    {
        "alpha": 0, "max_delta_step": 0, "subsample": 1, "colsample_bytree": 1, "colsample_bylevel": 1,
        "colsample_bynode": 1, "num_parallel_tree": 1, "scale_pos_weight": 1, "monotone_constraints": "()",
        "interaction_constraints": "",
    },
)  # fmt: skip
"""The training parameters."""


def _single(number: object) -> float:
    """A number of the program: the nearest float32."""
    return single(finite(number))


_HEAD = re.compile(r'\A\s*(?:\{\s*"learner"\s*:|\[\s*\{\s*"nodeid")')

LEAF = -1
DELETED = 2**31 - 1
"""The feature of a node that was pruned away."""
CATEGORICAL = 1


def dumped(head: str) -> bool:
    """Whether a text begins as a dump, which does not state how its trees are combined."""
    return READER.begins(head) and head.lstrip()[0] == "["


def holds(value: Any) -> bool:
    """Whether a value of JSON is a model, or a dump."""
    if isinstance(value, dict):
        return "gradient_booster" in (value.get("learner") or ())
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and "nodeid" in value[0]


def documents(value: Any, names: Names) -> list[dict[str, Any]]:
    """The document of the ensemble, or, if its objective is not known here, of each tree.

    Raises:
        InputError: it is no model and no dump, or is linear or has several targets, which is not read.
    """
    return _dump(value, names) if isinstance(value, list) else _model(value, names)


READER = Reader("a model of XGBoost", documents, _HEAD, holds)


# A model.


def _model(value: Any, names: Names) -> list[dict[str, Any]]:
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
            1 if weights is None else Fraction(_single(weights[number])),
            _stated(tree),
        )
        for number, (tree, of) in enumerate(zip(model["trees"], model["tree_info"], strict=True))
    ]
    version = ".".join(map(str, value.get("version", [])))
    program = Program("XGBoost", version or None, "float32", frozenset({"inner-labels", "counts"}), "float32")
    told, unlike = _told(value["config"]["learner"]) if "config" in value else ({}, _told(learner)[1])
    facts = remarks(told, [*["dart"] * (weights is not None), *unlike])
    source = Source(program, remarks=[("objective", str(learner["objective"]["name"])), *facts])
    return boosted(source, names.target, features, trees, _rule(learner), names.classes)


def _rule(learner: Mapping[str, Any]) -> Rule | None:
    """The rule of the objective for the sums; None if it is not known here."""
    objective, parameters = learner["objective"]["name"], learner["learner_model_param"]
    start = [_single(float(text)) for text in re.findall(r"[^\[\],\s]+", parameters["base_score"])]
    if objective in SUMS:
        return Rule("sum", [Fraction(start[0])]) if len(start) == 1 else None
    if objective == LOGISTIC:
        p = Fraction(start[0])
        if not 0 < p < 1:
            raise InputError("the base_score of binary:logistic is no probability")
        odds_against = Fraction(_single(_single(float(1 / p)) - 1))  # as the program holds them
        return Rule("logistic", [0 if odds_against == 1 else -log(odds_against, e)], 2)
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
        return Configuration(str(learner["objective"]["name"]), _rule(learner), *_told(learner))


def _told(learner: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The training parameters, and those whose effect cannot be repeated."""
    given = _parameters(learner)
    method = given.get("tree_method", "auto")
    stated = {"tree_method": method} if method in ("exact", "hist", "approx") else {}
    return {**TRAINING.told(given), **stated}, TRAINING.unlike(given)


def _parameters(learner: Mapping[str, Any]) -> dict[str, str]:
    """The parameters that are stated anywhere below, by their names."""
    found: dict[str, str] = {}
    wanted = {*TRAINING.parameters, *TRAINING.plain, "tree_method"}
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


def _features(learner: Mapping[str, Any], model: Mapping[str, Any], given: Names) -> list[Attribute]:
    size = int(learner["learner_model_param"]["num_feature"])
    names = given.features(size, learner.get("feature_names") or (), "f")
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
            found[ours] = {node: _single(number) for node, (number, is_stated) in pairs if is_stated}
    return found


def _held(tree: Mapping[str, Any], features: Sequence[Attribute]) -> dict[int, Held]:
    if int(tree.get("tree_param", {}).get("size_leaf_vector", 1)) > 1:
        raise InputError("its leaves predict several targets at once; train it with multi_strategy one_output_per_tree")
    lists, size = dict(_listed(tree)), len(tree["left_children"])
    refuse_many(size)
    kinds = tree.get("split_type") or [0] * size
    return {node: held for node in range(size) if (held := _node(tree, node, kinds[node], lists, features)) is not None}


FIELDS = Fields("left_children", "right_children", "split_indices", "split_conditions", "default_left", True, _single)
"""The arrays of a tree."""


def _node(
    tree: Mapping[str, Any], node: int, kind: int, lists: Mapping[int, Sequence[int]], features: Sequence[Attribute]
) -> Held | None:
    """A node; None if it was pruned away."""

    def part(name: str) -> Any:
        return tree[name][node]

    if part("left_children") == LEAF:
        return None if part("split_indices") == DELETED else Held({"value": exact(_single(part("split_conditions")))})
    question = FIELDS.question(part, features)
    if kind == CATEGORICAL and question is not None:
        to = part("right_children"), part("left_children")
        question = asked(features, part("split_indices"), lists[node], to, question.default)
    return Held({}, question)


# A dump.


def _dump(trees: Sequence[Any], names: Names) -> list[dict[str, Any]]:
    refuse_many(len(trees))
    held = [dict(_dumped(tree)) for tree in trees]
    codes: dict[str, set[str] | None] = {}
    for question in (each.question for tree in held for each in tree.values() if each.question is not None):
        values = question.branches[0].when.get("in")
        known = codes.setdefault(question.test["attribute"], None if values is None else set())
        if known is not None and values is not None:
            known.update(values)
    found = {name: None if listed is None else _codes(map(int, listed)) for name, listed in codes.items()}
    features = ordered(found, names.columns or [*sorted(codes, key=_natural)])
    program = Program("XGBoost", None, "float32", frozenset({"inner-labels", "counts"}), "float32")
    each = names.rule.classes if names.rule is not None and names.rule.combine == "softmax" else 1
    grown = [Grown(tree, place % each) for place, tree in enumerate(held)]
    return boosted(Source(program), names.target, features, grown, names.rule, names.classes)


def _natural(name: str) -> tuple[str, int]:
    """The key of the natural order: f2 before f10."""
    stem = name.rstrip("0123456789")
    return stem, int(name[len(stem) :][:9] or 0)


def _dumped(root: Mapping[str, Any]) -> Iterator[tuple[int, Held]]:
    pending, place = [(0, root)], 0
    while pending:
        number, node = pending.pop()
        if "leaf" in node:
            yield number, Held({"value": exact(_single(node["leaf"]))})
            continue
        below = {child["nodeid"]: place + step for step, child in enumerate(node["children"], start=1)}
        if len(below) != len(node["children"]):
            raise InputError(f"node {node['nodeid']} has a child twice")
        place += len(below)
        yes, no, default = (below[node[key]] for key in ("yes", "no", "missing"))
        yield number, Held({}, _question(node, (yes, no)).with_default(default))
        pending += [(below[child["nodeid"]], child) for child in node["children"]]


def _question(node: Mapping[str, Any], to: tuple[int, int]) -> Question:
    if "split_condition" not in node:
        raise InputError(f"node {node['nodeid']} asks whether there is a {node['split']}, which is not read")
    at = node["split_condition"]
    if isinstance(at, list):
        return subset(node["split"], [str(int(code)) for code in at], to)
    return threshold(node["split"], data_value(_single(at)), to, strict=True)
