"""Nodes of Spark, written by hand after the fields of `NodeData` and `SplitData`, and those of Spark 4.3."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document import predictor_from_json
from tests.programs.documents import tree_of


def node(number: int, prediction: float, stats: list[float], **asks: Any) -> dict[str, Any]:
    """A leaf, or a node that asks."""
    split = {"featureIndex": -1, "leftCategoriesOrThreshold": [], "numCategories": -1}
    leaf = {"gain": -1.0, "leftChild": -1, "rightChild": -1, "split": split}
    held = {
        "id": number,
        "prediction": prediction,
        "impurity": 0.5,
        "impurityStats": stats,
        "rawCount": int(sum(stats)),
    }
    return {**held, **leaf, **asks}


def split(feature: int, values: list[float], categories: int = -1) -> dict[str, Any]:
    return {"featureIndex": feature, "leftCategoriesOrThreshold": values, "numCategories": categories}


NODES = [
    node(2, 1.0, [1.0, 4.0]),
    node(0, 1.0, [5.0, 9.0], leftChild=1, rightChild=4, split=split(1, [0.1])),
    node(1, 0.0, [4.0, 4.0], leftChild=2, rightChild=3, split=split(0, [0.0, 2.0], 3)),
    node(3, 0.0, [3.0, 0.0]),
    node(4, 1.0, [1.0, 5.0]),
]
LINES = "".join(json.dumps(each) + "\n" for each in NODES)


def test_lines_are_a_tree() -> None:
    (document,) = read_foreign(LINES)
    assert read_foreign(NODES) == [document]
    assert document["program"] == {"name": "Spark MLlib", "numbers": "double"}
    assert document["nodes"][0]["test"]["threshold"] == "0.1000000000000000055511151231257827021181583404541015625"
    tree = tree_of(document)
    answers = {
        (0, "0.1"): "1", (1, "0"): "0", (2, "0"): "1", (0, "1"): "1",
    }  # fmt: skip
    for (category, number), answer in answers.items():
        assert tree.predict({"x0": str(category), "x1": float(number)}) == answer
    assert tree.predict({"x0": "1", "x1": None}) == "1"  # NaN is not at most 0.1
    assert tree.nodes[1].tied == ("0", "1")


def test_a_forest_is_a_document_each() -> None:
    lines = [{"treeID": tree, "nodeData": each} for tree in (1, 0) for each in NODES]
    first, second = read_foreign("".join(json.dumps(line) + "\n" for line in lines), attributes=["a", "b"])
    assert first == second
    assert [each["name"] for each in first["attributes"]] == ["a", "b"]


def test_numbers_are_known_by_their_predictions() -> None:
    nodes = [
        node(0, 2.5, [4.0, 10.0, 30.0], leftChild=1, rightChild=2, split=split(0, [1.5])),
        node(1, 1.5, [2.0, 3.0, 5.0]),
        node(2, 3.5, [2.0, 7.0, 25.0]),
    ]
    (document,) = read_foreign(nodes)
    assert document["nodes"][1] == {"id": 1, "n": "2", "mean": "3/2", "sse": "1/2", "stop": "unknown"}
    assert tree_of(document).predict({"x0": 2}) == 3.5


METADATA = {
    "class": "org.apache.spark.ml.regression.DecisionTreeRegressionModel",
    "sparkVersion": "4.3.0",
    "paramMap": {"maxDepth": 2, "minInfoGain": 0.5},
    "defaultParamMap": {"impurity": "variance", "maxDepth": 5, "pruneTree": True, "minWeightFractionPerNode": 0.1},
}


def test_the_metadata_say_what_is_predicted_and_how_it_was_trained() -> None:
    nodes = [node(0, -61.0, [4.0, 10.0, 30.0])]  # no mean of these, and no class
    (document,) = read_foreign([METADATA, *nodes])
    assert document["nodes"][0]["mean"] == "-61"
    assert document["program"]["version"] == "4.3.0"
    told = {"criterion": "squared_error", "max_depth": 2, "epsilon": "1/2", "merge_leaves": True}
    assert document["learner"]["options"] == {"told": told, "unlike": ["minWeightFractionPerNode 0.1"]}
    of_classes = {**METADATA, "class": "org.apache.spark.ml.classification.DecisionTreeClassificationModel"}
    (document,) = read_foreign([of_classes, node(0, 2.0, [2.0, 4.0, 9.0])])
    assert document["nodes"][0]["label"] == "2"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"leftChild": 0}, "node 0 is reached by two branches, or lies below itself"),
        ({"leftChild": 4}, "node 4 is reached by two branches"),
        ({"leftChild": 77}, "a branch leads to node 77"),
        ({"split": split(10**9, [0.1])}, "features or categories are claimed"),
        ({"split": split(1, [0.1], 10**9)}, "features or categories are claimed"),
        ({"split": split(1, [])}, "not enough values to unpack"),
        ({"impurityStats": [1.0]}, "different numbers of classes"),
        ({"prediction": 7.0}, "one of its lists is too short"),
        ({"prediction": -1.0}, "an entry has the number -1"),
        ({"split": split(0, [-1.0, 2.0], 3)}, "an entry has the number -1"),
        ({"split": split(-2, [0.1])}, "a node tests feature -2, and there are"),
    ],
)
def test_what_is_no_tree_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_foreign([{**NODES[1], **change}, *(each for each in NODES if each["id"])])


def test_a_line_that_is_no_json_is_named() -> None:
    with pytest.raises(InputError, match="line 2: is not a tree of Spark: it is no JSON"):
        read_foreign(LINES.replace("}\n{", "}\n{{", 1))


FOREST = {
    "class": "org.apache.spark.ml.classification.RandomForestClassificationModel",
    "sparkVersion": "4.3.0",
    "paramMap": {"bootstrap": False, "subsamplingRate": 1.0, "featureSubsetStrategy": "sqrt"},
}


def test_a_forest_with_its_metadata_is_one_model() -> None:
    lines = [{"treeID": tree, "nodeData": each} for tree in (1, 0) for each in NODES]
    (document,) = read_foreign([FOREST, *lines], attributes=["a", "b"])
    assert (document["combine"], len(document["trees"])) == ("mean", 2)
    assert document["program"]["silent"] == ["draws"]
    assert "unlike" not in document["learner"]["options"]
    drawn = {**FOREST, "paramMap": {"featureSubsetStrategy": "all"}}
    (document,) = read_foreign([drawn, *lines], attributes=["a", "b"])
    assert document["learner"]["options"]["unlike"] == ["rows that were drawn for each of its trees"]
    assert "silent" not in document["program"]
    model: Any = predictor_from_json(json.dumps(document))
    assert model.predict({"a": "1", "b": 2}) == "1"


class Held:
    """An object of Java, as py4j hands it over: each field is a method."""

    def __init__(self, called: str, **fields: Any) -> None:
        self._called, self._fields = called, fields

    def __getattr__(self, name: str) -> Any:
        return lambda *given: self._fields[name](*given) if callable(self._fields[name]) else self._fields[name]

    def getClass(self) -> Held:  # noqa: N802
        return Held("Class", getName=self._called, getSimpleName=self._called)


def in_java(number: int) -> Held:
    """A node of `NODES`."""
    (found,) = [each for each in NODES if each["id"] == number]
    stats = Held("Calculator", stats=found["impurityStats"])
    if found["leftChild"] < 0:
        return Held("LeafNode", prediction=found["prediction"], impurityStats=stats)
    at = found["split"]
    if at["numCategories"] < 0:
        asks = Held("ContinuousSplit", featureIndex=at["featureIndex"], threshold=at["leftCategoriesOrThreshold"][0])
    else:
        left = at["leftCategoriesOrThreshold"]
        asks = Held(
            "CategoricalSplit", featureIndex=at["featureIndex"], leftCategories=left, numCategories=at["numCategories"]
        )
    below = {"leftChild": in_java(found["leftChild"]), "rightChild": in_java(found["rightChild"])}
    return Held("InternalNode", prediction=found["prediction"], impurityStats=stats, split=asks, **below)


class Fitted:
    """A model of pyspark."""

    toDebugString = ""  # noqa: N815

    def __init__(self) -> None:
        depth = Held("Param", name="maxDepth")
        self._java_obj = Held(
            "org.apache.spark.ml.classification.DecisionTreeClassificationModel",
            params=[depth], isDefined=True, getOrDefault=5, rootNode=in_java(0),
        )  # fmt: skip


def test_a_fitted_model_is_read_as_its_lines() -> None:
    (document,), (saved,) = read_foreign(Fitted()), read_foreign(LINES)
    assert document["nodes"] == saved["nodes"]
    assert document["learner"]["options"]["told"] == {"max_depth": 5}
