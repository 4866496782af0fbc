r"""CatBoost: a model that `save_model(..., format="json")` wrote.

A **symmetric** tree asks the same test at all nodes of a level. Its leaves have no nodes above them in the file:
test k (from 0) is bit k of the number of a leaf, set where a value is above the border. Here the last test is
the root, so that the leaves stand in the order of their numbers. With n tests the node i has below it 2i + 1 and
2i + 2, and asks test n − 1 − ⌊log2(i + 1)⌋. The trees of `Depthwise` and `Lossguide` are nested objects.

| member | what it says |
|:--|:--|
| `border` | a row goes right if the float32 of its value is above it |
| `nan_value_treatment` | whether a missing value is below all borders (`AsFalse`, `AsIs`) or above (`AsTrue`) |
| `leaf_values` | what a leaf adds to the sum; of K sums, K numbers a leaf |
| `scale_and_bias` | what is added to the sums after the trees: here the last tree, a leaf. A factor is refused |
| `loss_function` | what the answer is: the sum, e to its power, or probabilities |

Sums are doubles, rounded after each tree. Tests of categories need hashes of their texts, which the file does not
explain, so they are refused, as are texts and embeddings. Seen in models of release 1.2.10.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from reference_tree.data.errors import InputError, listed, shown
from reference_tree.data.schema import Attribute
from reference_tree.programs.boosted import Grown, SumRule
from reference_tree.programs.boosted import documents as boosted
from reference_tree.programs.catboost.members import CODES, MODEL
from reference_tree.programs.documents import (
    NOTES,
    HeldNode,
    Json,
    TreeOrigin,
    exact,
    finite,
    refuse_many,
    single,
)
from reference_tree.programs.inventory import UnreadError
from reference_tree.programs.reader import GivenNames, ProgramReader, asked
from reference_tree.programs.releases import newer
from reference_tree.tree import Program
from reference_tree.tree_document.strict import parsed

SUM, EXP = "sum", "exp"
LOSSES: Mapping[str, str] = {
    **dict.fromkeys(("RMSE", "MAE", "Quantile", "MAPE", "Huber", "LogCosh", "Expectile", "Lq"), SUM),
    **dict.fromkeys(("MultiRMSE", "MultiRMSEWithMissingValues", "MultiQuantile", "Cox", "SurvivalAft"), SUM),
    **dict.fromkeys(("YetiRank", "YetiRankPairwise", "QueryRMSE", "QuerySoftMax"), SUM),
    **dict.fromkeys(("PairLogit", "PairLogitPairwise"), SUM),
    **dict.fromkeys(("Poisson", "Tweedie"), EXP),
    **dict.fromkeys(("Logloss", "CrossEntropy", "Focal"), "logistic"),
    "MultiClass": "softmax", "MultiClassOneVsAll": "ova",
}  # fmt: skip
"""The loss → the rule that makes an answer of the sums."""

SIDES: Mapping[str, bool] = {"AsIs": False, "AsFalse": False, "AsTrue": True}
"""The treatment of missing values → whether they are above every border."""

_HEAD = re.compile(r'\A\s*\{\s*"(ctr_data|features_info)"\s*:')
_RELEASE = re.compile(r"CatBoost release ([0-9.]+[0-9])")


def holds(value: Any) -> bool:
    """Whether a value of JSON is a model, or an object is one of CatBoost."""
    is_model = isinstance(value, dict) and "features_info" in value and "model_info" in value
    # What is not fitted yet, or a pool of rows, writes no JSON.
    is_fitted = getattr(value, "is_fitted", lambda: hasattr(value, "save_model"))
    return is_model or (type(value).__module__ == "catboost.core" and is_fitted())


def documents(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    """The document of the ensemble, or one for each target or quantile.

    Raises:
        InputError: it is no model, or its members do not fit together.
        UnreadError: it has a member, a loss or a test that is not read.
    """
    model = value if isinstance(value, dict) else _saved(value)
    MODEL.check(model, names.ignored)
    loss = model["model_info"]["params"]["loss_function"]["type"]
    if loss not in LOSSES:
        raise UnreadError(f"its loss is {shown(loss)}, which is not read; {listed(list(LOSSES))} are")
    scale, bias = model["scale_and_bias"]
    if scale != 1:
        raise UnreadError(f"its sums are multiplied by {shown(scale)}, which is not read; leave out the scale")
    floats = model["features_info"]["float_features"]
    order = sorted(floats, key=lambda feature: feature["flat_feature_index"])
    # Columns that are no numbers would stand between them.
    for name in ("flat_feature_index", "feature_index"):
        if [each[name] for each in order] != list(range(len(order))):
            raise InputError(f"the {name} of its features do not count them from 0")
    own = [each.get("feature_id") or f"x{place}" for place, each in enumerate(order)]
    features = list(map(Attribute, names.features(len(order), own)))
    ask = _asker({each["feature_index"]: each for each in floats}, features)
    trees = [*_trees(model, len(bias), ask)]
    refuse_many(sum(len(inner) + len(leaves) for inner, leaves in trees) * len(bias))
    # A tree of several sums is a tree for each, with the same questions.
    grown = [
        Grown(inner | {leaf: HeldNode({"value": exact(finite(held[of]))}) for leaf, held in leaves.items()}, of)
        for inner, leaves in trees
        for of in range(len(bias))
    ]
    # Of a model without trees the bias is all there is.
    ends = [(of, finite(number)) for of, number in enumerate(bias) if number or not trees]
    grown += [Grown({0: HeldNode({"value": exact(number)})}, of) for of, number in ends]
    told = _RELEASE.search(model["model_info"].get("catboost_version_info", ""))
    program = Program("CatBoost", told and told[1], "float32", frozenset({"inner-labels", "counts"}), "double")
    rule = _rule(LOSSES[loss], len(bias))
    classes = _classes(model, rule, names) if isinstance(rule, SumRule) and rule.classes else ()
    notes = [(NOTES, [text]) for text in [newer("CatBoost", program.version)] if text]
    source = TreeOrigin(program, remarks=[("objective", loss), *notes])
    return boosted(source, names.target, features, grown, rule, classes)


READER = ProgramReader("catboost", "a model of CatBoost", documents, _HEAD, holds, (MODEL,))


def _saved(model: Any) -> Any:
    """The JSON that a fitted object writes, which it only writes to files."""
    with TemporaryDirectory() as folder:
        model.save_model(path := str(Path(folder, "model.json")), format="json")
        return parsed(Path(path).read_text(encoding="utf-8"))


def _rule(combine: str, sums: int) -> SumRule | dict[str, SumRule]:
    """The rule for the sums; where there are several targets or quantiles, that of each."""
    if combine in ("softmax", "ova"):
        return SumRule(combine, [0] * sums, sums)
    rule = SumRule(combine, [0], 2 if combine == "logistic" else 0)
    if sums == 1:
        return rule
    if combine != SUM:
        raise InputError(f"its leaves hold {sums} numbers, and its loss makes an answer of one")
    return {str(place + 1): rule for place in range(sums)}


def _classes(model: Json, rule: SumRule, names: GivenNames) -> list[str]:
    """The names of the classes; of shares that are probabilities already, there are none."""
    told = model["model_info"].get("class_params", {})
    if told.get("class_to_label", []) != list(range(len(told.get("class_to_label", [])))):
        raise UnreadError("its classes are numbered otherwise than they are listed, which is not read")
    return names.labels(rule.classes, list(map(str, told.get("class_names", []))))


# Trees.


Ask: TypeAlias = Callable[[Json, tuple[int, int]], HeldNode]
"""Gives the node that asks a test, from the split and the nodes below."""
Split: TypeAlias = tuple[dict[int, HeldNode], dict[int, Sequence[float]]]
"""The inner nodes of a tree, and for each leaf the numbers that it adds."""


def _asker(of_index: Mapping[int, Json], features: Sequence[Attribute]) -> Ask:
    """The function that reads splits."""

    def ask(split: Json, to: tuple[int, int]) -> HeldNode:
        if split["split_type"] != "FloatFeature":
            raise UnreadError(f"a split is a {shown(split['split_type'])}, which is not read; {CODES}")
        feature = of_index[split["float_feature_index"]]
        if (treated := feature["nan_value_treatment"]) not in SIDES:
            raise UnreadError(f"missing values are treated {shown(treated)}, and {listed(list(SIDES))} are read")
        default = to[SIDES[treated]]
        at = single(finite(split["border"]))
        return HeldNode({}, asked(features, feature["flat_feature_index"], at, to, default))

    return ask


def _trees(model: Json, sums: int, ask: Ask) -> Iterator[Split]:
    """The trees, with the numbers that each leaf adds to the sums."""
    # A model has trees of one kind.
    if ("oblivious_trees" in model) == ("trees" in model):
        raise InputError("it has neither oblivious_trees nor trees, or both")
    yield from (_symmetric(tree, sums, ask) for tree in model.get("oblivious_trees", ()))
    yield from (_of_nested(tree, sums, ask) for tree in model.get("trees", ()))


def _symmetric(tree: Json, sums: int, ask: Ask) -> Split:
    """A tree that asks one test at each level; the last of its list is the root."""
    splits, values = tree.get("splits") or [], tree["leaf_values"]
    depth = len(splits)
    if len(values) != sums << depth:
        raise InputError(f"a tree of {depth} splits has {len(values)} leaf_values, and not {sums << depth}")
    first = (1 << depth) - 1
    inner = {node: ask(splits[depth - (node + 1).bit_length()], (2 * node + 1, 2 * node + 2)) for node in range(first)}
    return inner, {first + leaf: values[leaf * sums : (leaf + 1) * sums] for leaf in range(1 << depth)}


def _of_nested(tree: Json, sums: int, ask: Ask) -> Split:
    """A tree whose nodes hold those below; a leaf has a number, or a list of them."""
    inner: dict[int, HeldNode] = {}
    leaves: dict[int, Sequence[float]] = {}
    pending, size = [(0, tree)], 1
    while pending:
        number, node = pending.pop()
        if ("value" in node) == ("split" in node):
            raise InputError("a node has neither a value nor a split, or both")
        if "value" in node:
            leaves[number] = node["value"] if isinstance(node["value"], list) else [node["value"]]
            if len(leaves[number]) != sums:
                raise InputError(f"a leaf has {len(leaves[number])} numbers, and there are {sums} sums")
            continue
        inner[number] = ask(node["split"], (size, size + 1))
        pending += [(size, node["left"]), (size + 1, node["right"])]
        size += 2
    return inner, leaves
