"""LightGBM: a model as text, which `save_model` writes, or as the JSON of `dump_model`.

It holds doubles and asks `<=`; a question about categories sends those that it lists to the left, and with all others
the rows without a value to the right. Where such a row goes otherwise depends on the `missing_type` of the node: `NaN`:
to the default side; `None`: where 0 goes; `Zero`: to the default side, and 0 with it. A node of the last kind is read
where both sides are the same, and refused where they are not: no threshold says so.

What an inner node would answer, H and the gain stand there with six digits. The text also has the parameters
of training, the JSON only the learning rate. Where the sums start from the average of the data (`boost_from_average`),
the leaves of the first round hold it, and have no learning rate of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import exact_text, rational
from reference_tree.foreign.boosted import Grown, Rule
from reference_tree.foreign.boosted import documents as boosted
from reference_tree.foreign.documents import (
    Held,
    Key,
    Source,
    data_value,
    exact,
    finite,
    item,
    places,
    reading,
    subset,
    threshold,
)
from reference_tree.tree import Program
from reference_tree.tree_document.strict import parsed

SUMS = ("regression", "regression_l1", "huber", "fair", "quantile", "mape", "lambdarank", "rank_xendcg")
"""Objectives that predict the sum itself."""

LARGEST = 1e300
"""The value that stands for infinity in the JSON."""

MISSING = ("None", "Zero", "NaN")
"""The missing types of a node, in the order of their numbers."""


PARAMETERS = {
    "learning_rate": "rate", "lambda_l2": "reg_lambda", "min_gain_to_split": "gamma", "max_depth": "max_depth",
    "min_sum_hessian_in_leaf": "min_child_weight", "min_data_in_leaf": "min_samples_leaf", "num_leaves": "max_leaves",
    "cat_l2": "category_lambda",
}  # fmt: skip
"""The training parameters: the name in the program → the name in an audit."""

PLAIN = {
    "boosting": "gbdt", "data_sample_strategy": "bagging", "bagging_freq": "0", "feature_fraction": "1",
    "feature_fraction_bynode": "1", "extra_trees": "0", "lambda_l1": "0", "max_delta_step": "0", "path_smooth": "0",
    "linear_tree": "0", "use_quantized_grad": "0", "is_unbalance": "0", "scale_pos_weight": "1", "reg_sqrt": "0",
    "monotone_constraints": "", "interaction_constraints": "", "feature_contri": "", "forcedsplits_filename": "",
    "zero_as_missing": "0", "weight_column": "", "cegb_penalty_split": "0", "cegb_penalty_feature_lazy": "",
    "cegb_penalty_feature_coupled": "", "sigmoid": "1",
}  # fmt: skip
"""The parameter values under which decisions can be repeated; parameters with other values are listed."""

_BEGINS = re.compile(r'tree\r?\nversion=|\s*\{\s*"name"\s*:\s*"tree"')


class Split(NamedTuple):
    """The question of a node, the same for both forms of a model."""

    feature: int
    at: float | Sequence[int]
    """The threshold, or the codes of the categories that go left."""
    default_left: bool
    missing: str
    to: tuple[Key, Key]


def begins(head: str) -> bool:
    """Whether a text begins as a model."""
    return _BEGINS.match(head) is not None


def recognises(value: object) -> bool:
    """Whether a value of JSON is a model, or the text is one."""
    if isinstance(value, str):
        return begins(value)
    return isinstance(value, dict) and "tree_info" in value


def documents(
    value: Any, *, target: str = "target", attributes: Sequence[str] = (), classes: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The document of the ensemble, or, if its objective is not known here, of each tree.

    Args:
        value: the text, or the JSON as Python's `json` reads it.
        target: the name of the target, which the model does not state.
        attributes: the names of its features; by default, its own.
        classes: the names of its classes; by default 0, 1, ...

    Raises:
        InputError: it is no model, or has linear leaves or zeros that count as missing, which are not read.
    """
    with reading("a model of LightGBM"):
        model = _Text(value) if isinstance(value, str) else _Json(value)
        features = _features(model, list(attributes) or model.names)
        each = int(model.head["num_tree_per_iteration"])
        weight = Fraction(each, max(1, len(model.trees))) if model.averages else Fraction(1)
        objective = str(model.head.get("objective", "")).split()
        rule, factor = _rule(objective)
        trees = [
            Grown(dict(model.nodes(tree, features)), place % each, weight * factor, model.stated(tree))
            for place, tree in enumerate(model.trees)
        ]
        program = Program("LightGBM", None, "double", frozenset({"inner-labels"}))
        remarks = [("objective", " ".join(objective)), ("format", str(model.head["version"])), *_remarks(model, each)]
        source = Source(program, remarks=remarks)
        return boosted(source, target, features, trees, rule, classes)


def _remarks(model: _Json | _Text, each: int) -> Iterator[tuple[str, Any]]:
    """The training parameters that the model states, and those whose effect cannot be repeated."""
    rates = [rational(str(tree["shrinkage"])) for tree in model.trees if "shrinkage" in tree]
    parameters: dict[str, Any] = {}
    if len(rates) > each:
        parameters = {"rate": exact_text(rates[-1]), "from_average": rates[0] == 1 != rates[-1]}
    given = model.parameters
    for name, ours in PARAMETERS.items():
        if name in given:
            number = rational(given[name])
            whole = ours in ("max_depth", "max_leaves")
            parameters[ours] = exact_text(number) if not whole else int(number) if number > 0 else None
    if "boost_from_average" in given:
        parameters["from_average"] = given["boost_from_average"] == "1"
    if parameters:
        yield "told", parameters
    if unlike := [f"{name} {given[name]}" for name, plain in PLAIN.items() if given.get(name, plain) != plain]:
        yield "unlike", unlike


def _rule(objective: Sequence[str]) -> tuple[Rule | None, Fraction]:
    """The rule of the objective for the sums, None if it is not known here; and the factor of the sums."""
    name, *options = objective or ["custom"]
    settings = dict(option.split(":", 1) for option in options if ":" in option)
    if name in SUMS and "sqrt" not in options:
        return Rule("sum", [0]), Fraction(1)
    if name == "binary":
        return Rule("logistic", [0], 2), Fraction(rational(settings.get("sigmoid", "1")))
    if name == "multiclass":
        size = int(settings["num_class"])
        return Rule("softmax", [0] * size, size), Fraction(1)
    return None, Fraction(1)


def _features(model: _Json | _Text, names: Sequence[str]) -> list[Attribute]:
    size = int(model.head["max_feature_idx"]) + 1
    if len(names) != size or len(set(names)) != size:
        raise InputError(f"the model has {size} features, and {len(set(names))} different names")
    codes = [model.codes(place) for place in range(size)]
    listed = iter(model.categories if sum(each is not None for each in codes) == len(model.categories) else ())
    found = []
    for name, each in zip(names, codes, strict=True):
        values = None if each is None else next(listed, None) or places(max(each, default=-1) + 1)
        found.append(Attribute(name, None if values is None else tuple(map(str, values))))
    return found


def _held(split: Split, features: Sequence[Attribute]) -> Held:
    """A node with its question and its rule for rows without a value."""
    feature, (left, right) = item(features, split.feature), split.to
    if not isinstance(split.at, float):
        values = [feature.domain[code] for code in split.at if 0 <= code < len(feature.domain)]
        return Held({}, replace(subset(feature.name, values, split.to), missing="branch", default=right))
    zero_left = split.at >= 0
    if split.missing == "Zero" and split.default_left != zero_left:
        raise InputError(f"a question about {feature.name} sends 0 to the side of missing values, away from its place")
    goes_left = split.default_left if split.missing == "NaN" else zero_left
    question = threshold(feature.name, data_value(split.at), split.to)
    return Held({}, replace(question, missing="branch", default=left if goes_left else right))


def _counted(held: Held, value: float | None, count: Any) -> Held:
    """The node with the number of its rows, if that is stated, and with the value that a leaf adds."""
    n = {} if count is None else {"n": str(int(count))}
    return Held({**n, **({} if value is None else {"value": exact(value)})}, held.question)


class _Json:
    """A model in JSON."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        self.head, self.trees = value, value["tree_info"]
        self.names: list[str] = value["feature_names"]
        self.averages = bool(value.get("average_output"))
        self.categories: Sequence[Sequence[object]] = value.get("pandas_categorical") or ()
        self.parameters: Mapping[str, str] = {}

    def codes(self, place: int) -> Sequence[int] | None:
        """The codes of a feature; None if it is a number."""
        values = self.head["feature_infos"].get(self.names[place], {}).get("values") or None
        return None if values is None else [int(value) for value in values]

    @staticmethod
    def numbered(tree: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any], tuple[int, int]]]:
        """The nodes of a tree under numbers of their own, with those of the two nodes below."""
        pending, last = [(0, tree["tree_structure"])], 0
        while pending:
            number, node = pending.pop()
            to = (last + 1, last + 2)
            yield number, node, to
            if "leaf_value" not in node:
                last += 2
                pending += [(to[1], node["right_child"]), (to[0], node["left_child"])]

    @classmethod
    def stated(cls, tree: Mapping[str, Any]) -> dict[str, dict[int, float]]:
        """H, value and gain of the nodes, as far as they are stated; the value of a leaf is its answer."""
        found: dict[str, dict[int, float]] = {}
        names = {"internal_weight": "h", "leaf_weight": "h", "internal_value": "value", "split_gain": "gain"}
        for number, node, _ in cls.numbered(tree):
            for name, ours in names.items():
                if name in node:
                    found.setdefault(ours, {})[number] = finite(node[name])
        return found

    @classmethod
    def nodes(cls, tree: Mapping[str, Any], features: Sequence[Attribute]) -> Iterator[tuple[int, Held]]:
        """The nodes of a tree."""
        for number, node, to in cls.numbered(tree):
            if "leaf_value" in node:
                if "leaf_const" in node:
                    raise InputError("its leaves are linear functions; train it with linear_tree off")
                yield number, _counted(Held(), finite(node["leaf_value"]), node.get("leaf_count"))
                continue
            at = node["threshold"]
            split_at = [int(code) for code in at.split("||")] if node["decision_type"] == "==" else finite(at)
            split = Split(int(node["split_feature"]), split_at, node["default_left"], node["missing_type"], to)
            yield number, _counted(_held(split, features), None, node.get("internal_count"))


class _Text:
    """A model as text: blocks of lines `key=value`, the first of them the head, and then one a tree."""

    def __init__(self, text: str) -> None:
        body, _, tail = text.partition("\nend of trees\n")
        first, *blocks = body.split("\nTree=")
        if not tail:
            raise InputError("the line 'end of trees' is absent; the file is not whole")
        self.head, self.trees = _pairs(first), list(map(_pairs, blocks))
        self.names = self.head["feature_names"].split(" ")
        self.averages = "\naverage_output\n" in first + "\n"
        listed = [line for line in tail.splitlines() if line.startswith("pandas_categorical:")]
        held: Any = parsed(listed[0].partition(":")[2]) if listed else None
        self.categories: Sequence[Sequence[object]] = held or ()
        self.parameters = {found[1]: found[2] for found in re.finditer(r"(?m)^\[(\w+): (.*)\]$", tail)}
        self._infos = self.head["feature_infos"].split(" ")

    def codes(self, place: int) -> Sequence[int] | None:
        """The codes of a feature; None if it is a number."""
        info = self._infos[place]
        return None if info.startswith("[") or info == "none" else [int(value) for value in info.split(":")]

    @staticmethod
    def stated(tree: Mapping[str, str]) -> dict[str, dict[int, float]]:
        """H, value and gain of the nodes, as far as they are stated; the value of a leaf is its answer."""
        inner = int(tree["num_leaves"]) - 1
        found: dict[str, dict[int, float]] = {}
        names = {"internal_weight": "h", "leaf_weight": "h", "internal_value": "value", "split_gain": "gain"}
        for name, ours in names.items():
            if tree.get(name):
                numbers = enumerate(_floats(tree[name]), start=inner if name == "leaf_weight" else 0)
                found.setdefault(ours, {}).update(numbers)
        return found

    @staticmethod
    def nodes(tree: Mapping[str, str], features: Sequence[Attribute]) -> Iterator[tuple[int, Held]]:
        """The nodes of a tree; leaves have negative numbers, as in the program."""
        if tree.get("is_linear", "0") != "0":
            raise InputError("its leaves are linear functions; train it with linear_tree off")
        leaves = _floats(tree["leaf_value"])
        counts = tree["leaf_count"].split() if tree.get("leaf_count") else [None] * len(leaves)
        inner = len(leaves) - 1
        for leaf, (value, count) in enumerate(zip(leaves, counts, strict=True)):
            yield inner + leaf, _counted(Held(), value, count)
        if not inner:
            return
        listed, lists, words = (
            tree["split_feature"].split(),
            _ints(tree, "cat_boundaries"),
            _ints(tree, "cat_threshold"),
        )
        thresholds, kinds = _floats(tree["threshold"]), _ints(tree, "decision_type")
        below = list(zip(_ints(tree, "left_child"), _ints(tree, "right_child"), strict=True))
        reached = tree["internal_count"].split() if tree.get("internal_count") else [None] * inner
        for node in range(inner):
            left, right = (child if child >= 0 else inner + ~child for child in below[node])
            kind, at = kinds[node], thresholds[node]
            split_at: float | list[int] = at
            if kind & 1:
                split_at = _bits(words[item(lists, int(at)) : lists[int(at) + 1]])
            split = Split(int(listed[node]), split_at, bool(kind & 2), MISSING[kind >> 2 & 3], (left, right))
            yield node, _counted(_held(split, features), None, reached[node])


def _pairs(block: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in block.splitlines() if "=" in line)


def _floats(text: str) -> list[float]:
    """Doubles; a threshold that is infinite, with which a node asks whether there is a value, as the JSON has it."""
    return [finite(min(float(word), LARGEST)) for word in text.split()]


def _ints(tree: Mapping[str, str], key: str) -> list[int]:
    return [int(word) for word in tree.get(key, "").split()]


def _bits(words: Sequence[int]) -> list[int]:
    """The places of the ones in words of 32 bits.

    Example:
        >>> _bits([38])
        [1, 2, 5]
    """
    return [32 * place + bit for place, word in enumerate(words) for bit in range(32) if word >> bit & 1]
