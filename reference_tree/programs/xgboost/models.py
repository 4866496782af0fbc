"""XGBoost: a model that `save_model` wrote as JSON, or the trees that `dump_model` wrote.

It keeps values, thresholds and leaves in float32 and asks `<`; its JSON has a few digits of each, which are rounded to
float32 again here. A row without a value takes the default side of a node. A test about categories sends those that
it lists to the right.

A model knows its objective and `base_score`, with which the sums start: a logit where it is a probability. A dump knows
neither, nor the features that no test is about. Neither says how many rows reach a node, nor with which
parameters it was trained: `save_config` writes those, and `configured` reads them. A model states H, -G/(H + λ) and the
gain of each node; in leaves that `hist` made, -G/(H + λ) has the learning rate.

`OBJECTIVES` says what is made of the sums of a model, and where they start. `base_score` stands in the space of the
answer: it is a probability, or a count, or a sum. The sums start from its log odds, its logarithm, or itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import e
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError, listed, shown, wording
from reference_tree.data.held import shortest
from reference_tree.data.schema import Attribute
from reference_tree.exact.log_sums import log
from reference_tree.exact.reals import Number
from reference_tree.programs.boosted import Grown, Rounds, SumRule
from reference_tree.programs.boosted import documents as boosted
from reference_tree.programs.documents import (
    NOTES,
    HeldNode,
    HeldTest,
    TreeOrigin,
    data_value,
    double_of,
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
from reference_tree.programs.indented import ordered
from reference_tree.programs.inventory import Ignored, UnreadError
from reference_tree.programs.reader import (
    Binary,
    GivenNames,
    NodeFields,
    ProgramReader,
    Training,
    amount,
    asked,
    limit,
    remarks,
)
from reference_tree.programs.releases import newer
from reference_tree.programs.xgboost import ubjson
from reference_tree.programs.xgboost.members import CONFIGURATION, DUMPED, MODEL
from reference_tree.tree import Program
from reference_tree.tree_document.strict import parsed

SUM, LOG, LOGIT = "sum", "log", "logit"
"""The ways from a `base_score` to the start of a sum: the score itself, its logarithm, or its log odds."""

# The rule and the start of each; an objective that is not listed is refused by its name.
OBJECTIVES: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("reg:squarederror", "reg:linear", "reg:squaredlogerror", "reg:absoluteerror"), ("sum", SUM)),
    **dict.fromkeys(("reg:pseudohubererror", "reg:quantileerror", "reg:expectileerror"), ("sum", SUM)),
    **dict.fromkeys(("rank:pairwise", "rank:ndcg", "rank:map"), ("sum", SUM)),
    **dict.fromkeys(("count:poisson", "reg:gamma", "reg:tweedie", "survival:cox", "survival:aft"), ("exp", LOG)),
    **dict.fromkeys(("multi:softmax", "multi:softprob"), ("softmax", SUM)),
    "reg:logistic": ("sigmoid", LOGIT),
    "binary:logistic": ("logistic", LOGIT),
    "binary:logitraw": ("sum", SUM),
    "binary:hinge": ("hinge", SUM),
}
"""Objective → the rule that combines the trees, and what its `base_score` is."""

LEAST = Fraction(single(1e-6))
"""A `base_score` of 0 or 1 has no log odds; the program moves it inwards by so much."""


def rule_of(learner: Mapping[str, Any]) -> SumRule | dict[str, SumRule]:
    """The rule for the sums; where there are several targets or several shares α of quantiles, that of each.

    Raises:
        InputError: the objective is not known here, or starts from other numbers than it should.
    """
    # The objective decides three things: how sums become an answer, from where they start, and how many there are.
    objective, parameters = learner["objective"], learner["learner_model_param"]
    if objective["name"] not in OBJECTIVES:
        raise UnreadError(
            f"its objective is {objective['name']}, which is not read; Booster.dump_model writes its trees"
        )
    combine, form = OBJECTIVES[objective["name"]]
    # Each expectile is kept above the one before by a softplus, which no document has.
    if objective["name"] == "reg:expectileerror" and int(parameters.get("num_target", 1)) > 1:
        raise UnreadError(
            "each of its expectiles is the one below it plus ln(1 + e^sum) + 1e-6, which is not read; "
            "train a model for each expectile_alpha"
        )
    # Until 3.0 base_score is one number, since 3.1 a list in brackets: one for each sum.
    start = [_start(single(double_of(text)), form) for text in re.findall(r"[^\[\],\s]+", parameters["base_score"])]
    classes, targets = int(parameters["num_class"]), int(parameters.get("num_target", 1))
    if (targets if combine == "softmax" else classes) > 1:
        raise InputError(f"it has {classes} classes and {targets} targets, which {objective['name']} cannot have")
    # softmax has a sum for each class; every other rule one for each target.
    size = classes if combine == "softmax" else targets
    # One number stands for all sums.
    if len(start) == 1:
        start = start * max(1, size)
    if len(start) != max(1, size):
        raise InputError(f"its base_score has {len(start)} numbers, and there are {size} sums")
    if combine == "softmax":
        return SumRule(combine, start, size)
    # Each target has a sum and an answer of its own.
    rules = [SumRule(combine, [one], 2 if combine in ("logistic", "hinge") else 0) for one in start]
    return rules[0] if len(rules) == 1 else dict(zip(_named(objective, targets), rules, strict=True))


def _named(objective: Mapping[str, Any], targets: int) -> list[str]:
    """The names of several outputs."""
    for group, name in (("quantile_loss_param", "quantile_alpha"), ("expectile_loss_param", "expectile_alpha")):
        # Quantiles and expectiles name their outputs; other targets are numbered.
        shares = re.findall(r"[^\[\],\s]+", objective.get(group, {}).get(name, ""))
        if len(shares) == targets:
            return [f"{name.partition('_')[0]} {_decimal(share)}" for share in shares]
    return list(map(str, range(1, targets + 1)))


def _decimal(share: str) -> str:
    """A share as it was given, such as 0.2: the shortest decimal of its float32."""
    return shortest(single(float(share)), "f")


def _start(base_score: float, form: str) -> Number:
    """The start of a sum, from a `base_score` in the space of the answer."""
    # The float32 that the program holds, as an exact number.
    p = Fraction(base_score)
    if form == SUM:
        return p
    if form == LOG:
        if p <= 0:
            raise InputError("its base_score is not positive, and the sums start from its logarithm")
        return 0 if p == 1 else log(p, e)
    # Clipped as by the program, or the log odds would be infinite.
    p = min(max(p, LEAST), Fraction(single(1 - float(LEAST))))
    if not 0 <= Fraction(base_score) <= 1:
        raise InputError("the base_score of a probability is no probability")
    # Two roundings, in the program's order: of 1/p, and of 1/p − 1.
    odds_against = Fraction(single(single(float(1 / p)) - 1))  # as the program holds them
    return 0 if odds_against == 1 else -log(odds_against, e)


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


def documents(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    """The document of the ensemble; one for each output where there are several; or one for each tree of a dump.

    Raises:
        InputError: it is no model and no dump, or has a member or an objective that is not known here.
    """
    return _dump(value, names) if isinstance(value, list) else _model(value, names)


READER = ProgramReader(
    "xgboost", "a model of XGBoost", documents, _HEAD, holds, (MODEL, CONFIGURATION, DUMPED), has_rounds=True,
    binary=Binary(ubjson.begins, ubjson.decoded),
)  # fmt: skip


# A model.


def _model(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    learner, version = value["learner"], tuple(map(int, value.get("version", ())))
    # gblinear is a sum of columns, and has no trees at all.
    if (kind := learner["gradient_booster"]["name"]) not in ("gbtree", "dart"):
        raise UnreadError(f"a booster of the kind {kind} has no trees")
    if "config" in value:  # a fitted object, whose configuration was written beside its model
        CONFIGURATION.check(value["config"], names.ignored)
    # Older releases leave members out that later ones always write.
    whole = version >= (1, 5)
    MODEL.check({name: each for name, each in value.items() if name != "config"}, names.ignored, whole=whole)
    model, weights = _forest(learner["gradient_booster"])
    features = _features(learner, model, names, version)
    # A round grows a tree for each sum, and with num_parallel_tree several.
    rounds, ends = _rounds(learner, model, version, names.ignored)
    taken, remark = rounds.taken(names.iterations)
    # Later rounds are read past, not read: they answer nothing.
    grown = [
        Grown(nodes, of, 1 if weights is None else Fraction(_single(weights[number])), stated)
        for number, (tree, of) in enumerate(zip(model["trees"], model["tree_info"], strict=True))
        if number < ends[taken]
        for nodes, of, stated in _held(tree, int(of), features)
    ]
    written = ".".join(map(str, version))
    # Neither the answers nor the rows of inner nodes are stated.
    program = Program("XGBoost", written or None, "float32", frozenset({"inner-labels", "counts"}), "float32")
    # The configuration states every parameter; a model only some of its objective.
    told, unlike = _told(value["config"]["learner"]) if "config" in value else ({}, _told(learner)[1])
    facts = remarks(told, [*["dart"] * (weights is not None), *unlike])
    notes = [text for text in (remark, newer("XGBoost", written)) if text]
    facts += [(NOTES, notes)] if notes else []
    source = TreeOrigin(program, remarks=[("objective", str(learner["objective"]["name"])), *facts])
    return boosted(source, names.target, features, grown, rule_of(learner), names.classes)


def _forest(booster: Mapping[str, Any]) -> tuple[Mapping[str, Any], Sequence[Any] | None]:
    """The trees, and their weights, if some were dropped while others grew; each release holds these elsewhere."""
    # To 3.2 dart wraps a gbtree, since 3.3 it does not.
    inner = booster.get("gbtree", booster)
    if inner["name"] != "gbtree":
        raise InputError(f"its trees are of the kind {inner['name']}, and not gbtree")
    model = inner["model"]
    # Exactly one place, in any release: two of them could contradict one another.
    weights = [each["weight_drop"] for each in (booster, model) if "weight_drop" in each]
    if len(weights) > 1 or (not weights and booster["name"] == "dart"):
        raise InputError(
            "weight_drop is there twice" if weights else "its trees were dropped, and 'weight_drop' is absent"
        )
    size = len(model["trees"])
    # A count that is stated and not met shows a file that was cut or edited.
    if int(model["gbtree_model_param"]["num_trees"]) != size or any(len(each) != size for each in weights):
        raise InputError(f"it has {size} trees, and num_trees or weight_drop says otherwise")
    return model, weights[0] if weights else None


def _rounds(
    learner: Mapping[str, Any], model: Mapping[str, Any], version: Sequence[int], ignored: Ignored
) -> tuple[Rounds, list[int]]:
    """The rounds, and for each number of rounds the number of their trees."""
    size = len(model["trees"])
    # Since 2.0 the model says where each round ends; before, all rounds are of one size.
    if tuple(version) >= (2, 0) or "iteration_indptr" in model:
        ends = list(map(int, model["iteration_indptr"]))
    else:
        parameters = learner["learner_model_param"]
        sums = max(1, int(parameters["num_class"])) * int(parameters.get("num_target", 1))
        each = sums * max(1, int(model["gbtree_model_param"].get("num_parallel_tree", 1)))  # 1.5 does not say it
        ends = [*range(0, size, each), size]
    # The ends rise from 0 to the number of trees, so that every tree is of one round.
    if ends[:1] != [0] or ends[-1] != size or any(one > other for one, other in pairwise(ends)):
        raise InputError(f"its {size} trees are not divided into rounds by iteration_indptr")
    # Early stopping writes what it found among the attributes, as texts.
    attributes = learner.get("attributes", {})
    best = int(attributes["best_iteration"]) + 1 if "best_iteration" in attributes else None
    if best is not None and not 1 <= best < len(ends):
        raise InputError(f"its best_iteration is {best - 1}, and it has {len(ends) - 1} rounds")
    # The wrapper leaves its own JSON there, which says whose predict is meant.
    estimator: Any = parsed(attributes.get("scikit_learn") or "{}", "an attribute", constant=float)
    # A number that stands for a missing value is not in the trees: rows would be read otherwise.
    missing = estimator.get("missing")  # in files of 1.7
    if missing is not None and missing == missing and not ignored.takes("missing"):
        to_ignore = wording("ignore_members=['missing']", "--ignore-member missing")
        raise UnreadError(
            f"its estimator takes {missing} for a missing value; leave such cells empty, and say {to_ignore}"
        )
    return Rounds(len(ends) - 1, best, "_estimator_type" in estimator), ends


# The parameters of training.


class Configuration(NamedTuple):
    """The configuration of a booster, as `save_config` writes it."""

    objective: str
    rule: SumRule
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
        # A configuration is an option of the command line, and has no --ignore-member.
        CONFIGURATION.check(value, Ignored())
        learner = value["learner"]
        rule = rule_of(learner)
        if not isinstance(rule, SumRule):
            raise InputError("its model has several outputs, and an audit judges the trees of one")
        return Configuration(str(learner["objective"]["name"]), rule, *_told(learner))


def _told(learner: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The training parameters, and those whose effect cannot be repeated."""
    given = _parameters(learner)
    # `auto` says nothing of how the trees were grown, so it is not told.
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
    # The groups differ from release to release; the names of parameters do not.
    while pending:
        for name, value in pending.pop().items():
            if isinstance(value, dict):
                pending.append(value)
            elif isinstance(value, str) and name in wanted:
                found[name] = value
    return found


def _features(
    learner: Mapping[str, Any], model: Mapping[str, Any], given: GivenNames, version: Sequence[int]
) -> list[Attribute]:
    size = int(learner["learner_model_param"]["num_feature"])
    names = given.features(size, learner.get("feature_names") or (), "f")
    # Without types all features are numbers.
    kinds = learner.get("feature_types") or ["float"] * size
    if len(kinds) != size:
        raise InputError(f"it has {size} features, and {len(kinds)} types of features")
    encoded = _encoded(model, size, version)
    if strange := set(kinds) - KINDS:
        raise UnreadError(
            f"a feature is of the type {min(strange)}, which is not read; there are {listed(sorted(KINDS))}"
        )
    trees = model["trees"]
    # The nodes decide: a feature of type c that is compared with a threshold is a number there.
    numeric = _compared(trees)  # before 1.6 most ways of growing compared the codes of categories
    return [
        _feature(name, encoded[place], place, trees)
        if kinds[place] == "c" and place not in numeric
        else Attribute(name)
        for place, name in enumerate(names)
    ]


def _encoded(model: Mapping[str, Any], size: int, version: Sequence[int]) -> Sequence[Any]:
    """The names of the categories of each feature, as far as the model has them: from 3.1 on, for all or for none."""
    cats = model["cats"] if tuple(version) >= (3, 1) else model.get("cats", {})
    # From 3.1 the member is needed; an older file has none.
    found = cats["enc"] if tuple(version) >= (3, 1) else cats.get("enc", [])
    if len(found) not in (0, size):
        raise InputError(f"it has {size} features, and {len(found)} lists of categories")
    # The program looks a category up by these two: where they belong to other lists, it reads what is no category.
    sizes = [len(one["offsets"]) - 1 if one.get("offsets") else len(one.get("values", ())) for one in found]
    ends = list(accumulate(sizes, initial=0))
    order = cats.get("sorted_idx", [])
    if "feature_segments" in cats and cats["feature_segments"] != (ends if found else []):
        raise InputError(
            f"feature_segments is {shown(cats['feature_segments'])}, which the lists of categories are not"
        )
    if "sorted_idx" in cats and (
        len(order) != ends[-1]
        or any(sorted(order[begin:end]) != [*range(end - begin)] for begin, end in pairwise(ends))
    ):
        raise InputError(f"sorted_idx is {shown(order)}, which is no order of the lists of categories")
    return found or [{}] * size


def _compared(trees: Sequence[Mapping[str, Any]]) -> set[int]:
    """The features that are compared with a threshold, and whose categories no node lists."""
    asked_of: dict[int, set[int]] = {CATEGORICAL: set(), 0: set()}
    for tree in trees:
        # A tree without types of tests only compares numbers.
        kinds = tree.get("split_type") or [0] * len(tree["left_children"])
        for kind, left, feature in zip(kinds, tree["left_children"], tree["split_indices"], strict=False):
            if left != LEAF:
                asked_of[int(kind)].add(feature)
    # One feature has one kind of test, or its values would be of two kinds.
    if mixed := asked_of[0] & asked_of[CATEGORICAL]:
        raise InputError(f"feature {min(mixed)} is asked for its category and compared with a threshold")
    return asked_of[0]


def _feature(name: str, encoding: Mapping[str, Any], place: int, trees: Sequence[Mapping[str, Any]]) -> Attribute:
    """A feature with categories; where the model has no names for them, a row has their codes."""
    # Without names a row has the code of its category, as the program's arrays do.
    has_names = bool(encoding.get("values"))
    return Attribute(name, _categories(place, encoding, trees), held="written" if has_names else "code")


def _categories(place: int, encoding: Mapping[str, Any], trees: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The values of a feature in the order of their codes; if the model lacks them, the codes in its tests."""
    # Texts are written one behind another as bytes, with the places where each begins.
    if offsets := encoding.get("offsets"):
        text = bytes(encoding["values"])
        return tuple(text[begin:end].decode() for begin, end in pairwise(offsets))
    if values := encoding.get("values"):
        return tuple(map(str, values))
    tests = [(tree["split_indices"][node], codes) for tree in trees for node, codes in _listed(tree)]
    return _codes(code for feature, codes in tests for code in codes if feature == place)


def _codes(listed: Iterable[int]) -> tuple[str, ...]:
    """The listed codes and the next one, because a test that lists all codes has one outcome."""
    return tuple(map(str, places(max(listed, default=0) + 2)))


def _listed(tree: Mapping[str, Any]) -> Iterator[tuple[int, list[int]]]:
    """The nodes that ask about categories, and the codes that each lists."""
    names = ("categories_nodes", "categories_segments", "categories_sizes")
    # Each listed code belongs to one node.
    if sum(tree.get(names[2], ())) != len(tree.get("categories", ())):
        raise InputError("the categories of a tree are not as many as categories_sizes says")
    if "split_type" not in tree and any(tree.get(name) for name in names):
        raise InputError("a tree lists categories, and 'split_type' is absent")
    parts = zip(*(tree.get(name, ()) for name in names), strict=True)
    return ((node, tree["categories"][begin : begin + size]) for node, begin, size in parts)


def _stated(tree: Mapping[str, Any]) -> dict[str, dict[int, float]]:
    """H, weight and gain of the nodes, as far as they are stated; a leaf states the gain of a test taken back."""
    found = {}
    for ours, name in (("h", "sum_hessian"), ("weight", "base_weights"), ("gain", "loss_changes")):
        if numbers := tree.get(name):
            # At a leaf loss_changes is of a split that was taken back.
            asks = (ours != "gain" or left != LEAF for left in tree["left_children"])
            pairs = enumerate(zip(numbers, asks, strict=True))
            found[ours] = {node: _single(number) for node, (number, is_stated) in pairs if is_stated}
    return found


def _held(
    tree: Mapping[str, Any], of: int, features: Sequence[Attribute]
) -> Iterator[tuple[dict[int, HeldNode], int, dict[str, dict[int, float]]]]:
    """The nodes of a tree, the sum that it adds to, and its statements; once for each sum that its leaves add to."""
    # Every claim of a size is compared with what is there before it is used.
    lists, size = dict(_listed(tree)), len(tree["left_children"])
    refuse_many(size)
    if int(tree.get("tree_param", {}).get("num_nodes", size)) != size:
        raise InputError(f"a tree has {size} nodes, and num_nodes says otherwise")
    if strange := [one for one in tree["default_left"] if one not in (0, 1)]:
        raise InputError(f"a default_left is {shown(strange[0])}, and neither 0 nor 1")
    kinds = tree.get("split_type") or [0] * size
    # One number at a leaf, or with multi_output_tree a vector: then the tree is read once for each sum.
    width = int(tree.get("tree_param", {}).get("size_leaf_vector", 1))
    if width <= 1:
        nodes = [(node, _node(tree, node, kinds[node], lists, features)) for node in range(size)]
        yield {node: held for node, held in nodes if held is not None}, of, _stated(tree)
        return
    if of:
        raise InputError("a tree whose leaves are vectors adds to all sums, and tree_info says otherwise")
    # Before 3.1 the vectors of leaves had another form.
    if "leaf_weights" not in tree:
        raise UnreadError("its leaves are vectors, in a form that XGBoost wrote before 3.1; save it with XGBoost 3")
    for place in range(width):
        split = {**tree, "split_conditions": _of_vector(tree, place, width)}
        nodes = [(node, _node(split, node, kinds[node], lists, features)) for node in range(size)]
        yield {node: held for node, held in nodes if held is not None}, place, {}


def _of_vector(tree: Mapping[str, Any], place: int, width: int) -> list[Any]:
    """The thresholds of a tree whose leaves are vectors, with a number of each vector at its leaf.

    The place of the vector among all of them stands where other nodes have their second branch.
    """
    weights, second = tree["leaf_weights"], tree["right_children"]
    return [
        item(weights, second[node] * width + place) if left == LEAF else tree["split_conditions"][node]
        for node, left in enumerate(tree["left_children"])
    ]


KINDS = frozenset({"float", "int", "q", "i", "c"})
"""The types of features."""

FIELDS = NodeFields(
    "left_children", "right_children", "split_indices", "split_conditions", "default_left", True, _single
)
"""The arrays of a tree."""


def _node(
    tree: Mapping[str, Any], node: int, kind: int, lists: Mapping[int, Sequence[int]], features: Sequence[Attribute]
) -> HeldNode | None:
    """A node; None if it was pruned away."""

    def part(name: str) -> Any:
        return tree[name][node]

    # A node that pruning took away stays in the arrays, marked, and nothing leads to it.
    if part("left_children") == LEAF:
        return (
            None if part("split_indices") == DELETED else HeldNode({"value": exact(_single(part("split_conditions")))})
        )
    if kind != CATEGORICAL:
        return HeldNode({}, FIELDS.test_of(part, features))
    # The listed categories go right, and a test here has the listed ones first.
    to = part("right_children"), part("left_children")  # the threshold of such a node says nothing; it may be NaN
    default = to[1] if part("default_left") else to[0]
    return HeldNode({}, asked(features, part("split_indices"), lists[node], to, default))


# A dump.


def _dump(trees: Sequence[Any], names: GivenNames) -> list[dict[str, Any]]:
    refuse_many(len(trees))
    DUMPED.check(trees, names.ignored)
    # A dump lists no features: they are those that some node tests.
    held = [dict(_dumped(tree)) for tree in trees]
    codes: dict[str, set[str] | None] = {}
    for test in (each.test for tree in held for each in tree.values() if each.test is not None):
        values = test.branches[0].when.get("in")
        known = codes.setdefault(test.form["attribute"], None if values is None else set())
        # The codes that are listed anywhere are known to exist.
        if known is not None and values is not None:
            known.update(values)
    found = {name: None if listed is None else _codes(map(int, listed)) for name, listed in codes.items()}
    # Without names f10 comes after f9, as the program numbers them.
    features = ordered(found, names.columns or [*sorted(codes, key=_natural)])
    program = Program("XGBoost", None, "float32", frozenset({"inner-labels", "counts"}), "float32")
    each = names.rule.classes if names.rule is not None and names.rule.combine == "softmax" else 1
    grown = [Grown(tree, place % each) for place, tree in enumerate(held)]
    return boosted(TreeOrigin(program), names.target, features, grown, names.rule, names.classes)


def _natural(name: str) -> tuple[str, int]:
    """The key of the natural order: f2 before f10."""
    stem = name.rstrip("0123456789")
    return stem, int(name[len(stem) :][:9] or 0)


def _dumped(root: Mapping[str, Any]) -> Iterator[tuple[int, HeldNode]]:
    # Numbers of nodes in a dump may have gaps; these have none.
    pending, place = [(0, root)], 0
    while pending:
        number, node = pending.pop()
        if "leaf" in node:
            if isinstance(node["leaf"], list):
                raise UnreadError("its leaves are vectors; Booster.save_model writes a model that is read")
            yield number, HeldNode({"value": exact(_single(node["leaf"]))})
            continue
        below = {child["nodeid"]: place + step for step, child in enumerate(node["children"], start=1)}
        if len(below) != len(node["children"]):
            raise InputError(f"node {node['nodeid']} has a child twice")
        place += len(below)
        # A dump names the children by their ids, in any order.
        yes, no, default = (below[node[key]] for key in ("yes", "no", "missing"))
        yield number, HeldNode({}, _test(node, (yes, no)).with_default(default))
        pending += [(below[child["nodeid"]], child) for child in node["children"]]


def _test(node: Mapping[str, Any], to: tuple[int, int]) -> HeldTest:
    # An indicator (`i` in a map of features) asks whether a row has the feature at all.
    if "split_condition" not in node:
        raise InputError(f"node {node['nodeid']} asks whether there is a {node['split']}, which is not read")
    at = node["split_condition"]
    # Listed categories take the yes-branch of a dump.
    if isinstance(at, list):
        return subset(node["split"], [str(int(code)) for code in at], to)
    return threshold(node["split"], data_value(_single(at)), to, strict=True)
