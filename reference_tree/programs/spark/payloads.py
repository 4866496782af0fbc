"""Spark MLlib: the nodes of a saved tree or forest, as lines of JSON.

A model that Spark saves keeps its nodes in Parquet, which the standard library does not read; a line of Spark, on the
page of foreign trees, writes them as JSON, an object a line:

    {"id":0,"prediction":1.0,"impurity":0.5,"impurityStats":[5.0,9.0],"rawCount":14,"gain":0.2,"leftChild":1,
     "rightChild":2,"split":{"featureIndex":2,"leftCategoriesOrThreshold":[75.0],"numCategories":-1}}

It holds doubles and asks `<=`, or whether a category is one of some. `impurityStats` are the weights of the classes, or
else the weight, the sum and the sum of squares of the numbers. The metadata of the model, a line of JSON that Spark
keeps beside its nodes, says which, and how the model was trained; without that line the predictions show which, as far
as they are right. A node of a forest or of a boosted model stands in `nodeData` beside its `treeID`. With its metadata
a forest is one model, whose answer is the mean of those of its trees; without them its trees are read one by one.

A fitted model of pyspark is read as the lines that Spark would save. The members of all lines are listed in `LINES`;
`thresholds`, by which a classifier answers otherwise than by the largest share, are refused unless they are equal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from sys import modules
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import exact_text, shortened, simplest
from reference_tree.programs.documents import (
    MOST_NODES,
    HeldNode,
    Json,
    TreeOrigin,
    classified,
    document,
    ensemble,
    exact,
    finite,
    item,
    places,
)
from reference_tree.programs.inventory import Ignored, Inventory, UnreadError
from reference_tree.programs.reader import GivenNames, ProgramReader, Training, asked, double, remarks
from reference_tree.tree import Program

# A node or the metadata, whichever line comes first.
_HEAD = re.compile(r'\A\s*\{[^\n]*"(?:leftCategoriesOrThreshold|sparkVersion)"')
"""A node of Spark, or the metadata of its model."""

LEAF = -1
NUMBER = -1
"""The number of categories of a feature that is a number."""


_ROLE = "it names a column, and answers do not depend on names"
_WORK = "it is about how Spark works, not what it finds"
PARAMETERS = Inventory(
    "the parameters of a model of Spark",
    dict.fromkeys(
        [
            "impurity", "maxDepth", "minInstancesPerNode", "minInfoGain", "maxBins", "pruneTree", "bootstrap",
            "minWeightFractionPerNode", "featureSubsetStrategy", "subsamplingRate", "thresholds",
        ]
    ),
    {
        **dict.fromkeys(
            [
                "featuresCol", "labelCol", "leafCol", "predictionCol", "probabilityCol", "rawPredictionCol",
                "varianceCol", "weightCol", "validationIndicatorCol",
            ],
            _ROLE,
        ),
        **dict.fromkeys(["cacheNodeIds", "checkpointInterval", "maxMemoryInMB"], _WORK),
        "seed": "the draws are stated as not known", "numTrees": "the trees are there",
        **dict.fromkeys(
            ["lossType", "stepSize", "maxIter", "validationTol"],
            "it is about how boosted trees are combined, which are read one by one",
        ),
    },
)  # fmt: skip
"""The parameters of training."""

_NODE = Inventory(
    "a node of Spark",
    {
        **dict.fromkeys(["id", "prediction", "impurityStats", "leftChild", "rightChild"]),
        "split": Inventory(
            "a split of Spark", dict.fromkeys(["featureIndex", "leftCategoriesOrThreshold", "numCategories"])
        ),
    },
    {"impurity": "it follows from impurityStats", "gain": "it follows from others", "rawCount": "it counts rows"},
)  # fmt: skip
NODES = Inventory("a line of a tree of Spark", {**_NODE.used, "treeID": None, "nodeData": _NODE}, _NODE.no_effect)
"""The members of a node, alone or in an ensemble."""
METADATA = Inventory(
    "the metadata of Spark",
    {
        **dict.fromkeys(["class", "sparkVersion", "numTrees", "numFeatures", "numClasses"]),
        "paramMap": PARAMETERS, "defaultParamMap": PARAMETERS,
    },
    {"timestamp": "it is of the clock", "uid": "it is a name"},
)  # fmt: skip
"""The members of the metadata."""
CLASSES = re.compile(
    r"(?:org\.apache\.spark\.ml\.)?(?:classification\.|regression\.)?(?:DecisionTree|RandomForest|GBT)"
    "(?:Classification|Regression)Model"
)
"""The models that are read."""


def _check(node: Json, ignored: Ignored) -> None:
    """Refuse a line with a member that is not known, and a model that answers otherwise than its trees.

    Raises:
        UnreadError: it is so.
    """
    (METADATA if "sparkVersion" in node else NODES).check(node, ignored)
    if "sparkVersion" not in node:
        return
    # Other models of Spark have nodes as well, and answer in other ways.
    if CLASSES.fullmatch(str(node.get("class", "DecisionTreeClassificationModel"))) is None:
        raise UnreadError(
            f"it is a {shortened(str(node['class']))}; DecisionTree, RandomForest and GBT models are read, so save the "
            "stage of a pipeline alone"
        )
    # What was set overrides the default, as in Spark.
    told = {**node.get("defaultParamMap", {}), **node.get("paramMap", {})}
    # Equal thresholds scale all shares alike, so the largest one stays.
    if len(set(map(str, told.get("thresholds") or ()))) > 1 and not ignored.takes("thresholds"):
        raise UnreadError(
            f"its thresholds are {told['thresholds']}, by which it answers otherwise than by the largest share, and "
            "they are not read; clear them before the model is saved"
        )


def holds(value: Any) -> bool:
    """Whether a value of JSON, or a list of such, holds nodes of Spark; or whether an object is one of its models."""
    first = value[0] if isinstance(value, list) and value else value
    return is_fitted(first) or (
        isinstance(first, dict) and bool({"leftChild", "nodeData", "sparkVersion"} & first.keys())
    )


def documents(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    """The document of each tree in a text, in a list of nodes, or in a fitted model; of a forest, its document.

    Raises:
        InputError: the text holds no such nodes, or they are no trees.
    """
    trees: dict[Any, dict[int, Json]] = {}
    # The metadata may stand anywhere among the lines, or be absent.
    model = Model({})
    for node in saved(value) if is_fitted(value) else _lines(value) if isinstance(value, str) else _listed(value):
        _check(node, names.ignored)
        if "sparkVersion" in node:
            model = Model(node)
            continue
        # In an ensemble a node is wrapped, and its line says of which tree it is.
        of, held = (node["treeID"], node["nodeData"]) if "nodeData" in node else (None, node)
        tree = trees.setdefault(of, {})
        if int(held["id"]) in tree:
            raise InputError(f"node {held['id']} occurs twice")
        tree[int(held["id"])] = held
    model.check(trees)
    source = model.source(is_one_of_many=None not in trees)
    # Without metadata nobody knows that the trees are a forest: they are read one by one.
    if model.is_forest and trees:
        return [_forest([trees[of] for of in sorted(trees)], source, bool(model.is_number), names)]
    return [_document(trees[of], source, model.is_number, names) for of in sorted(trees, key=lambda of: of or 0)]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


READER = ProgramReader("spark", "a tree of Spark", documents, _HEAD, holds, (METADATA, NODES), "label")


class Model(NamedTuple):
    """The metadata of a model; empty if they are not at hand."""

    metadata: Json

    @property
    def is_number(self) -> bool | None:
        """Whether its trees predict numbers, as those of a boosted model always do; None if that is not known."""
        # The trees of a boosted model are fitted to residuals, also where it predicts classes.
        kind = str(self.metadata.get("class", ""))
        return ("Regression" in kind or "GBT" in kind) if kind else None

    def check(self, trees: Mapping[Any, Mapping[int, Json]]) -> None:
        """Refuse trees that are not as many, or do not ask or answer what the metadata say.

        Raises:
            InputError: it is so.
        """
        told = self.metadata
        nodes = [node for tree in trees.values() for node in tree.values()]
        # Each check compares what the metadata claim with the lines that are there.
        if trees and told.get("numTrees", len(trees)) != len(trees):
            raise InputError(
                f"there are {len(trees)} trees, and the metadata tell of {told['numTrees']}; not all are there"
            )
        for node in nodes if "numFeatures" in told else ():
            if node["split"]["featureIndex"] >= told["numFeatures"]:
                raise InputError(
                    f"a node tests feature {node['split']['featureIndex']}, and there are {told['numFeatures']}"
                )
        # A boosted classifier has classes, and its trees have none.
        is_by_class = "numClasses" in told and self.is_number is False
        if is_by_class and any(len(node["impurityStats"]) != told["numClasses"] for node in nodes):
            raise InputError(f"the metadata tell of {told['numClasses']} classes, and a node has other ones")

    @property
    def is_forest(self) -> bool:
        """Whether its trees answer together by the mean of their answers."""
        return "RandomForest" in str(self.metadata.get("class", ""))

    def source(self, *, is_one_of_many: bool) -> TreeOrigin:
        """The origin of a tree.

        Args:
            is_one_of_many: whether it is a tree of a forest or of a boosted model.
        """
        version = self.metadata.get("sparkVersion")
        told = {**self.metadata.get("defaultParamMap", {}), **self.metadata.get("paramMap", {})}
        silent = frozenset[str]()
        # Spark draws features for each node, and does not keep which.
        if self.is_forest and told.get("featureSubsetStrategy", "auto") != "all":
            silent, told["featureSubsetStrategy"] = frozenset({"draws"}), "all"
        # What an audit cannot know of one tree of several: the target it was fitted to, or its rows.
        unlike = TRAINING.unlike(told)
        if is_one_of_many and "GBT" in str(self.metadata.get("class", "")):
            unlike.append("the residuals of the trees before it")
        elif is_one_of_many and told.get("bootstrap", True):
            unlike.append("rows that were drawn for each of its trees")
        return TreeOrigin(
            Program("Spark MLlib", version, "double", silent), remarks=remarks(TRAINING.told(told), unlike)
        )


TRAINING = Training(
    {
        "impurity": ("criterion", lambda name: {"variance": "squared_error"}.get(name, name)),
        "maxDepth": ("max_depth", int),
        "minInstancesPerNode": ("min_samples_leaf", double),
        "minInfoGain": ("epsilon", double),
        "maxBins": ("max_bins", int),
        "pruneTree": ("merge_leaves", bool),
    },
    {"minWeightFractionPerNode": 0, "featureSubsetStrategy": "all", "subsamplingRate": 1},
)
"""The training parameters."""


def _lines(text: str) -> Iterator[Json]:
    for number, line in enumerate(filter(None, map(str.strip, text.split("\n"))), start=1):
        if number > MOST_NODES:
            raise InputError(f"there are more than {MOST_NODES} nodes")
        try:
            # Spark writes one object a line, so a bad line has a number.
            yield json.loads(line)
        except ValueError as error:
            raise InputError(f"it is no JSON: {error}", line=number) from None


# A fitted model.


def is_fitted(value: Any) -> bool:
    """Whether an object is a fitted model of pyspark."""
    return hasattr(value, "_java_obj") and hasattr(value, "toDebugString")


def saved(model: Any) -> Iterator[Json]:
    """The lines of a fitted model: its metadata, and its nodes."""
    # pyspark is not imported: the object at hand answers for itself, as it would save itself.
    java = model._java_obj
    told = {param.name(): java.getOrDefault(param) for param in java.params() if java.isDefined(param)}
    version = getattr(modules.get("pyspark"), "__version__", "")
    yield {"class": java.getClass().getName(), "sparkVersion": version, "paramMap": told}
    # A single tree has no `trees`, and its nodes no tree.
    for number, tree in enumerate(getattr(model, "trees", [model])):
        for node in _nodes(tree._java_obj.rootNode()):
            yield node if tree is model else {"treeID": number, "nodeData": node}


def _nodes(root: Any) -> Iterator[Json]:
    """The nodes below the root of a fitted tree, numbered in the order in which they are found."""
    # The saved form numbers nodes; a tree in memory only links them. The numbers are ours, and tell nothing.
    pending, count = [(0, root)], 1
    while pending:
        number, node = pending.pop()
        held = {"id": number, "prediction": node.prediction(), "impurityStats": list(node.impurityStats().stats())}
        if node.getClass().getSimpleName() == "LeafNode":
            yield {**held, "leftChild": LEAF, "rightChild": LEAF, "split": {"featureIndex": LEAF}}
            continue
        asks, is_number = node.split(), node.split().getClass().getSimpleName() == "ContinuousSplit"
        split = {
            "featureIndex": asks.featureIndex(),
            "leftCategoriesOrThreshold": [asks.threshold()] if is_number else list(asks.leftCategories()),
            "numCategories": NUMBER if is_number else asks.numCategories(),
        }
        yield {**held, "leftChild": count, "rightChild": count + 1, "split": split}
        pending += [(count + 1, node.rightChild()), (count, node.leftChild())]
        count += 2


# Documents.


def _forest(
    trees: Sequence[Mapping[int, Json]], source: TreeOrigin, is_number: bool, names: GivenNames
) -> dict[str, Any]:
    features = _features([node for nodes in trees for node in nodes.values()], names)
    # All trees of a forest see the same features, so these are worked out once.
    named = names._replace(attributes=tuple(features))
    found = [_document(nodes, source, is_number, named) for nodes in trees]
    target = Attribute(names.target, None if is_number else tuple(found[0]["target"]["classes"]))
    return ensemble(source, target, features, "mean", (), [({"weight": "1"}, one["nodes"]) for one in found])


def _document(
    nodes: Mapping[int, Json], source: TreeOrigin, is_number: bool | None, names: GivenNames
) -> dict[str, Any]:
    features = _features(list(nodes.values()), names)
    stats = [[finite(each) for each in node["impurityStats"]] for node in nodes.values()]
    # Three figures are the weight, the sum and the sum of squares, if the prediction is their mean; else three classes.
    if is_number is None:
        is_number = not names.classes and len(stats[0]) == 3 and all(map(_is_mean, nodes.values()))
    labels = [] if is_number else names.labels(len(stats[0]))
    # Weights beyond the classes would belong to nobody.
    if labels and any(len(each) != len(labels) for each in stats):
        raise InputError("its nodes have different numbers of classes")
    held = {number: _held(node, features, labels) for number, node in nodes.items()}
    return document(source, Attribute(names.target, None if is_number else tuple(labels)), features, held, 0)


def _is_mean(node: Json) -> bool:
    """Whether a node predicts the mean of its numbers."""
    n, total, _ = map(finite, node["impurityStats"])
    # Spark sums up in doubles
    # This decides only which of two forms a file has; no answer depends on the tolerance.
    return n > 0 and abs(finite(node["prediction"]) - total / n) <= 1e-9 * max(1.0, abs(total / n))


def _features(nodes: Sequence[Json], names: GivenNames) -> list[Attribute]:
    """The features that are asked, or that have names; of many, those without a test are numbers."""
    categories: dict[int, int] = {}
    for node in nodes:
        split = node["split"]
        if node["leftChild"] == LEAF:
            continue
        place, count = split["featureIndex"], split["numCategories"]
        # One feature has one number of categories, in every node.
        if categories.setdefault(place, count) != count:
            raise InputError(f"feature {place} has different numbers of categories")
    # Beyond the last feature that a test names, features have names or do not matter.
    counts = [
        categories.get(place, NUMBER) for place in places(len(names.attributes) or max(categories, default=-1) + 1)
    ]
    return [
        Attribute(name, None if count == NUMBER else tuple(map(str, places(count))))
        for name, count in zip(names.features(len(counts)), counts, strict=True)
    ]


def _held(node: Json, features: Sequence[Attribute], classes: Sequence[str]) -> HeldNode:
    answer = _answer(node, classes)
    # Spark's trees are binary; half a node shows that a line is missing.
    if (node["leftChild"] == LEAF) != (node["rightChild"] == LEAF):
        raise InputError(f"node {node['id']} has one node below")
    if node["leftChild"] == LEAF:
        return HeldNode(answer)
    split, to = node["split"], (int(node["leftChild"]), int(node["rightChild"]))
    listed = [finite(each) for each in split["leftCategoriesOrThreshold"]]
    if split["numCategories"] != NUMBER:
        return HeldNode(answer, asked(features, split["featureIndex"], list(map(int, listed)), to))
    (at,) = listed
    return HeldNode(answer, asked(features, split["featureIndex"], at, to, to[1]))  # NaN is not at most any number


def _answer(node: Json, classes: Sequence[str]) -> Json:
    weights = [simplest(Fraction(finite(each))) for each in node["impurityStats"]]
    if classes:
        return classified(dict(zip(classes, weights, strict=True)), item(classes, int(finite(node["prediction"]))))
    n, total, squares = weights
    # SSE = Σy² − (Σy)²/n; Spark's doubles may leave it a little below 0.
    error = max(Fraction(0), squares - Fraction(total) ** 2 / n)
    return {"n": exact_text(n), "mean": exact(finite(node["prediction"])), "sse": exact_text(error)}
