"""LightGBM: a model as text, which `save_model` writes, or as the JSON of `dump_model`.

It holds doubles and asks `<=`; a test about categories sends those that it lists to the left, and with all others
the rows without a value to the right. Where such a row goes otherwise depends on the `missing_type` of the node: `NaN`:
to the default side; `None`: where 0 goes; `Zero`: to the default side, and 0 with it. A node of the last kind is read
where both sides are the same, and refused where they are not: no threshold says so.

What an inner node would answer, H and the gain stand there with six digits. The text also has the parameters
of training, the JSON only the learning rate. Where the sums start from the average of the data (`boost_from_average`),
the leaves of the first round hold it, and have no learning rate of their own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from reference_tree.data.errors import InputError, listed
from reference_tree.data.held import CODES
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import exact_text, rational, shortened
from reference_tree.programs.boosted import Grown, Rounds, SumRule
from reference_tree.programs.boosted import documents as boosted
from reference_tree.programs.documents import (
    NOTES,
    HeldNode,
    Key,
    TreeOrigin,
    double_of,
    exact,
    finite,
    item,
    places,
    whole_of,
)
from reference_tree.programs.inventory import Ignored, UnreadError
from reference_tree.programs.lightgbm.members import FORMS, HEAD, INFO, JSON, PARAMETERS, TREE
from reference_tree.programs.reader import GivenNames, ProgramReader, Training, amount, asked, limit, remarks
from reference_tree.tree import Program
from reference_tree.tree_document.strict import parsed

# What LightGBM's ConvertOutput does with the sums, by the name in the file.
OBJECTIVES: Mapping[str, str] = {
    **dict.fromkeys(("regression", "regression_l1", "huber", "fair", "quantile", "mape", "custom", "none"), "sum"),
    **dict.fromkeys(("lambdarank", "rank_xendcg"), "sum"),
    **dict.fromkeys(("poisson", "gamma", "tweedie"), "exp"),
    **dict.fromkeys(("cross_entropy", "xentropy"), "sigmoid"),
    **dict.fromkeys(("cross_entropy_lambda", "xentlambda"), "log1p-exp"),
    "binary": "logistic",
    "multiclass": "softmax",
    "multiclassova": "ova",
}
"""Objective → the rule that combines the trees."""

LARGEST = 1e300
"""The value that stands for infinity in the JSON."""

MISSING = ("None", "Zero", "NaN")
"""The missing types of a node, in the order of their numbers."""

TRAINING = Training(
    {
        "learning_rate": ("rate", amount), "lambda_l2": ("reg_lambda", amount), "min_gain_to_split": ("gamma", amount),
        "max_depth": ("max_depth", limit), "min_sum_hessian_in_leaf": ("min_child_weight", amount),
        "min_data_in_leaf": ("min_samples_leaf", amount), "num_leaves": ("max_leaves", limit),
        "cat_l2": ("category_lambda", amount),
    },
    {
        "boosting": "gbdt", "data_sample_strategy": "bagging", "bagging_freq": "0", "feature_fraction": "1",
        "feature_fraction_bynode": "1", "extra_trees": "0", "lambda_l1": "0", "max_delta_step": "0", "path_smooth": "0",
        "linear_tree": "0", "use_quantized_grad": "0", "is_unbalance": "0", "scale_pos_weight": "1", "reg_sqrt": "0",
        "monotone_constraints": "", "interaction_constraints": "", "feature_contri": "", "forcedsplits_filename": "",
        "zero_as_missing": "0", "weight_column": "", "cegb_penalty_split": "0", "cegb_penalty_feature_lazy": "",
        "cegb_penalty_feature_coupled": "", "sigmoid": "1",
    },
)  # fmt: skip
"""The training parameters."""

COUNTED = ("split_feature", "decision_type", "left_child", "right_child", "internal_count", "leaf_count")
"""The whole numbers of the nodes."""

STATED = {"internal_weight": "h", "leaf_weight": "h", "internal_value": "value", "split_gain": "gain"}
"""The numbers stated of a node: the program's name → that in a document. The value of a leaf is its answer."""

_HEAD = re.compile(r'\A(?:tree\r?\nversion=|\s*\{\s*"name"\s*:\s*"tree")')


Record: TypeAlias = tuple[int, Mapping[str, Any], "tuple[Key, Key] | None"]
"""A node: its number, its parts by their names in the JSON, and the nodes below it."""


def documents(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    """The document of the ensemble.

    Raises:
        InputError: it is no model; or has a member that is not known here, linear leaves, or zeros that count as
            missing and go elsewhere, which are not read.
    """
    # Text and JSON give the same nodes through two small classes.
    model = _Text(value, names.ignored) if isinstance(value, str) else _Json(value, names.ignored)
    features = _features(model, names.features(int(model.head["max_feature_idx"]) + 1, model.names))
    each = int(model.head["num_tree_per_iteration"])
    if each < 1 or len(model.trees) % each:
        raise InputError(f"it has {len(model.trees)} trees, which are no rounds of {each}")
    # Early stopping cuts the file itself, so no best round is named in it.
    taken, remark = Rounds(len(model.trees) // each).taken(names.iterations)
    kept = model.trees[: taken * each]
    # A forest (boosting=rf) answers with the mean of its trees.
    weight = Fraction(1, max(1, taken)) if model.averages else Fraction(1)
    objective = str(model.head.get("objective", "")).split()
    rule, factor = _rule(objective, each, int(model.head["num_class"]))
    trees = [
        _grown(list(model.records(tree)), features, place % each, weight * factor) for place, tree in enumerate(kept)
    ]
    facts = [("objective", " ".join(objective)), ("format", str(model.head["version"])), *_remarks(model, each)]
    if notes := [*filter(None, [remark]), *_notes(model, objective, features)]:
        facts.append((NOTES, notes))
    source = TreeOrigin(Program("LightGBM", None, "double", frozenset({"inner-labels"})), remarks=facts)
    classes = names.classes or (names.own_classes if len(names.own_classes) == rule.classes else ())
    return boosted(source, names.target, features, trees, rule, classes)


READER = ProgramReader(
    "lightgbm",
    "a model of LightGBM", documents, _HEAD, lambda value: isinstance(value, dict) and "tree_info" in value,
    (HEAD, TREE, PARAMETERS, JSON), has_rounds=True,
)  # fmt: skip


def _notes(model: _Json | _Text, objective: Sequence[str], features: Sequence[Attribute]) -> Iterator[str]:
    """The remarks that belong to every answer."""
    form = str(model.head["version"])
    if form not in FORMS:
        yield f"the form {form} of the model is not among those that were tried here: {listed(FORMS)}"
    if not objective:
        yield "the model names no objective; the sum of its trees is the answer, as for Booster.predict"
    if model.categories and any(feature.held in CODES for feature in features):
        yield f"the model lists the categories of {len(model.categories)} columns, and not of which; rows have codes"


def _remarks(model: _Json | _Text, each: int) -> list[tuple[str, Any]]:
    """The training parameters that the model states, and those whose effect cannot be repeated."""
    rates = [rational(str(tree["shrinkage"])) for tree in model.trees if "shrinkage" in tree]
    told: dict[str, Any] = {}
    if len(rates) > each:
        told = {"rate": exact_text(rates[-1]), "from_average": rates[0] == 1 != rates[-1]}
    told |= TRAINING.told(model.parameters)
    if "boost_from_average" in model.parameters:
        told["from_average"] = model.parameters["boost_from_average"] == "1"
    return remarks(told, TRAINING.unlike(model.parameters))


def _rule(objective: Sequence[str], each: int, classes: int) -> tuple[SumRule, Fraction]:
    """The rule of the objective for the sums, and the factor of the sums.

    Raises:
        InputError: the objective is not known here, or has an option that is not, or not as many sums as it should.
    """
    # The line has the name and its options, such as num_class:3.
    name, *options = objective or ["custom"]
    settings = dict(option.partition(":")[::2] for option in options)
    if name not in OBJECTIVES or settings.keys() - {"sqrt", "num_class", "sigmoid"}:
        raise UnreadError(f"its objective is {' '.join(objective)}, which is not read; {READ_TREES}")
    # reg_sqrt fits roots, and squares the sum.
    combine = "signed-square" if "sqrt" in settings else OBJECTIVES[name]
    size = int(settings.get("num_class", classes)) if combine in ("softmax", "ova") else 1
    if each != size or classes != size:
        raise InputError(f"it adds up {each} sums for {classes} classes, and its objective {name} is for {size}")
    # The logistic function of sigmoid times the sum.
    factor = Fraction(rational(settings.get("sigmoid", "1"))) if combine in ("logistic", "ova") else Fraction(1)
    return SumRule(combine, [0] * size, 2 if combine == "logistic" else size if size > 1 else 0), factor


READ_TREES = "write the objective whose answers it gives into the line `objective=`"
"""The way out for an objective that is not known."""


def _features(model: _Json | _Text, names: Sequence[str]) -> list[Attribute]:
    # Only if every coded feature has a list of names do the two orders agree.
    codes = list(map(model.codes, range(len(names))))
    is_whole = sum(each is not None for each in codes) == len(model.categories)
    named = iter(model.categories if is_whole else ())
    return [
        Attribute(name) if each is None else _coded(name, each, next(named, None))
        for name, each in zip(names, codes, strict=True)
    ]


def _coded(name: str, codes: Sequence[int], names: Sequence[object] | None) -> Attribute:
    """A feature with categories; where the model has no names for them, a row has their codes."""
    values = tuple(map(str, names or places(max(codes, default=-1) + 1)))
    return Attribute(name, values, held="written" if names else "whole")


def _grown(records: Sequence[Record], features: Sequence[Attribute], of: int, weight: Fraction) -> Grown:
    """A tree, with H, value and gain of its nodes as far as they are stated."""
    stated: dict[str, dict[Key, float]] = {}
    for place, (number, node, _) in enumerate(records):
        # Before 4.6 a root, which stands first, has the weight 0, which no rows give: nothing was filled in there.
        empty = {"internal_weight"} if place == 0 and node.get("internal_weight") == 0 else set()
        for name in STATED.keys() & node.keys() - empty:
            stated.setdefault(STATED[name], {})[number] = finite(node[name])
    order = {name: stated[name] for name in dict.fromkeys(STATED.values()) if name in stated}
    return Grown({number: _held(node, to, features) for number, node, to in records}, of, weight, order)


def _held(node: Mapping[str, Any], to: tuple[Key, Key] | None, features: Sequence[Attribute]) -> HeldNode:
    """A node with the number of its rows, if that is stated, and the value that a leaf adds."""
    # Inner nodes and leaves have members of their own.
    count = node.get("leaf_count" if to is None else "internal_count")
    n = {} if count is None else {"n": str(int(count))}
    if to is None:
        return HeldNode({**n, "value": exact(finite(node["leaf_value"]))})
    place, at, kind = int(node["split_feature"]), node["threshold"], node["missing_type"]
    if isinstance(at, str):
        size = len(item(features, place).domain)
        # A bit beyond the last category is of no category.
        codes = [code for code in map(int, at.split("||")) if 0 <= code < size]
        return HeldNode(n, asked(features, place, codes, to, to[1]))
    if kind not in MISSING:
        raise UnreadError(f"a node has missing_type {shortened(str(kind))}, and {listed(MISSING)} are read")
    # Without a missing type, a missing value is read as 0.
    zero_left = finite(at) >= 0
    if kind == "Zero" and node["default_left"] != zero_left:
        name = item(features, place).name
        what = f"a test of {name} sends 0 to the side of missing values, away from its place"
        raise UnreadError(f"{what}; train it with zero_as_missing off")
    goes_left = node["default_left"] if kind == "NaN" else zero_left
    return HeldNode(n, asked(features, place, finite(at), to, to[0] if goes_left else to[1]))


class _Json:
    """A model in JSON."""

    def __init__(self, value: Mapping[str, Any], ignored: Ignored) -> None:
        if "feature_infos" not in value:
            raise UnreadError("its JSON has no feature_infos, as before LightGBM 3; Booster.save_model writes a text")
        JSON.check(value, ignored)
        INFO.check(list(value["feature_infos"].values()), ignored)
        if strange := value["feature_infos"].keys() - set(value["feature_names"]):
            raise InputError(f"feature_infos has {shortened(min(strange))}, which is none of feature_names")
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
    def records(tree: Mapping[str, Any]) -> Iterator[Record]:
        """The nodes of a tree under numbers of their own."""
        pending, last = [(0, tree["tree_structure"])], 0
        leaves = int(tree["num_leaves"])
        # JSON nests the nodes; numbers are given as they are met.
        while pending:
            number, node = pending.pop()
            if "leaf_value" in node:
                leaves -= 1
                yield number, node, None
                continue
            if (node["decision_type"] == "==") != isinstance(node["threshold"], str):
                raise InputError(f"a node asks {node['decision_type']} {shortened(str(node['threshold']))}")
            to = (last + 1, last + 2)
            last += 2
            yield number, node, to
            pending += [(to[1], node["right_child"]), (to[0], node["left_child"])]
        # As many leaves as the tree claims, no more and no fewer.
        if leaves:
            raise InputError("num_leaves says otherwise than the nodes of a tree")


class _Text:
    """A model as text: blocks of lines `key=value`, the first of them the head, and then one a tree."""

    def __init__(self, text: str, ignored: Ignored) -> None:
        # What is behind the trees tells of the training; without the line in between the file was cut.
        body, _, tail = text.partition("\nend of trees\n")
        first, *blocks = body.split("\nTree=")
        if not tail:
            raise InputError("the line 'end of trees' is absent; the file is not whole")
        self.averages = "\naverage_output\n" in first + "\n"
        self.head = _pairs(first, ("tree", "average_output"))
        self.trees = [_pairs(block, [block.partition("\n")[0]]) for block in blocks]
        HEAD.check(self.head, ignored)
        TREE.check(self.trees, ignored)
        self.names = self.head["feature_names"].split(" ")
        self.parameters, self.categories = _tail(tail, ignored)
        self._infos = self.head["feature_infos"].split(" ")

    def codes(self, place: int) -> Sequence[int] | None:
        """The codes of a feature; None if it is a number."""
        info = self._infos[place]
        return None if info.startswith("[") or info == "none" else [int(value) for value in info.split(":")]

    @staticmethod
    def records(tree: Mapping[str, str]) -> Iterator[Record]:
        """The nodes of a tree; the numbers of its leaves, which are negative in the program, follow the others."""
        # A binary tree has one inner node fewer than leaves.
        inner = len(tree["leaf_value"].split()) - 1
        if int(tree["num_leaves"]) != inner + 1 or int(tree["num_cat"]) != max(
            0, len(_ints(tree, "cat_boundaries")) - 1
        ):
            raise InputError("num_leaves or num_cat says otherwise than the lists of a tree")
        columns: dict[str, list[Any]] = {
            # a node that asks whether there is a value has an infinite threshold, which stands here as in the JSON
            name: [finite(min(double_of(word), LARGEST)) for word in tree[name].split()]
            for name in (*STATED, "leaf_value", "threshold")
            if tree.get(name)
        }
        columns |= {name: _ints(tree, name) for name in COUNTED if tree.get(name)}
        bounds, words = _ints(tree, "cat_boundaries"), _ints(tree, "cat_threshold")
        for number in range(2 * inner + 1):
            is_leaf, place = number >= inner, number - inner * (number >= inner)
            node = {name: column[place] for name, column in columns.items() if name.startswith("leaf_") == is_leaf}
            if is_leaf:
                yield number, node, None
                continue
            kind, at = node["decision_type"], node["threshold"]
            # Bit 0: categories; bit 1: the default side is the left; bits 2 and 3: the missing type.
            if kind & 1:
                at = "||".join(map(str, _bits(words[item(bounds, int(at)) : bounds[int(at) + 1]])))
            default = {"threshold": at, "default_left": bool(kind & 2), "missing_type": MISSING[kind >> 2 & 3]}
            left, right = (
                child if child >= 0 else inner + ~child for child in (node["left_child"], node["right_child"])
            )
            yield number, {**node, **default}, (left, right)


def _pairs(block: str, alone: Collection[str] = ()) -> dict[str, str]:
    """The lines `key=value` of a block; other lines stand alone, and are known.

    Raises:
        InputError: a key is there twice, or a line is not known.
    """
    found: dict[str, str] = {}
    for line in filter(None, block.splitlines()):
        key, equals, value = line.partition("=")
        if not equals and line not in alone:
            raise UnreadError(f"the line {shortened(line)} is not known here")
        if equals and key in found:
            raise InputError(f"{shortened(key)} is there twice")
        found |= {key: value} if equals else {}
    return found


def _tail(text: str, ignored: Ignored) -> tuple[dict[str, str], Sequence[Sequence[object]]]:
    """The parameters of training, and the names of categories: what stands below the trees.

    The importance of each feature stands there, too, between a heading and an empty line. It follows from the trees.
    """
    text = re.sub(r"(?m)\A\s*feature[_ ]importances:\n(.+=.+\n)*", "", text)
    parameters: dict[str, str] = {}
    categories: Any = None
    for line in filter(None, text.splitlines()):
        if found := re.fullmatch(r"\[([\w.]+): (.*)\]", line):
            parameters[found[1]] = found[2]
        elif line.startswith("pandas_categorical:"):
            categories = parsed(line.partition(":")[2])
        elif line not in ("parameters:", "end of parameters"):
            raise UnreadError(f"the line {shortened(line)} below the trees is not known here")
    PARAMETERS.check(parameters, ignored)
    return parameters, categories or ()


def _ints(tree: Mapping[str, str], key: str) -> list[int]:
    return [whole_of(word) for word in tree.get(key, "").split()]


def _bits(words: Sequence[int]) -> list[int]:
    """The places of the ones in words of 32 bits.

    Example:
        >>> _bits([38])
        [1, 2, 5]
    """
    return [32 * place + bit for place, word in enumerate(words) for bit in range(32) if word >> bit & 1]
