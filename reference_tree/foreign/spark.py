"""Spark MLlib: the nodes of a saved tree or forest, as lines of JSON.

A model that Spark saves keeps its nodes in Parquet, which the standard library does not read; a line of Spark, on the
page of foreign trees, writes them as JSON, an object a line:

    {"id":0,"prediction":1.0,"impurity":0.5,"impurityStats":[5.0,9.0],"rawCount":14,"gain":0.2,"leftChild":1,
     "rightChild":2,"split":{"featureIndex":2,"leftCategoriesOrThreshold":[75.0],"numCategories":-1}}

It holds doubles and asks `<=`, or whether a category is one of some. `impurityStats` are the weights of the classes, or
else the weight, the sum and the sum of squares of the numbers; the lines do not say which, but the predictions do. A
node of a forest stands in `nodeData` beside its `treeID`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import exact_text, simplest
from reference_tree.foreign.documents import (
    MOST_NODES,
    Held,
    Json,
    Source,
    classified,
    data_value,
    document,
    exact,
    finite,
    item,
    places,
    reading,
    subset,
    threshold,
)
from reference_tree.tree import Program

LEAF = -1
NUMBER = -1
"""The number of categories of a feature that is a number."""


def begins(head: str) -> bool:
    """Whether a text begins with a node of Spark."""
    return head.lstrip().startswith("{") and '"leftCategoriesOrThreshold"' in head.partition("\n")[0]


def recognises(value: object) -> bool:
    """Whether a text, a value of JSON or a list of such holds nodes of Spark."""
    if isinstance(value, str):
        return begins(value)
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and bool({"leftChild", "nodeData"} & first.keys())


def documents(
    value: Any, *, target: str = "label", attributes: Sequence[str] = (), classes: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The document of each tree.

    Args:
        value: the text, or the nodes in a list.
        target: the name of the target, which the model does not state.
        attributes: the names of its features; by default x0, x1, ... as far as they are asked.
        classes: the names of its classes; by default 0, 1, ...

    Raises:
        InputError: the text holds no such nodes, or they are no trees.
    """
    with reading("a tree of Spark"):
        trees: dict[Any, dict[int, Json]] = {}
        for node in _lines(value) if isinstance(value, str) else value if isinstance(value, list) else [value]:
            of, held = (node["treeID"], node["nodeData"]) if "nodeData" in node else (0, node)
            tree = trees.setdefault(of, {})
            if int(held["id"]) in tree:
                raise InputError(f"node {held['id']} stands there twice")
            tree[int(held["id"])] = held
        return [_document(trees[of], target, attributes, classes) for of in sorted(trees)]


def _lines(text: str) -> Iterator[Json]:
    for number, line in enumerate(filter(None, map(str.strip, text.split("\n"))), start=1):
        if number > MOST_NODES:
            raise InputError(f"there are more than {MOST_NODES} nodes")
        try:
            yield json.loads(line)
        except ValueError as error:
            raise InputError(f"it is no JSON: {error}", line=number) from None


def _document(nodes: Mapping[int, Json], target: str, names: Sequence[str], classes: Sequence[str]) -> dict[str, Any]:
    features = _features(nodes, names)
    stats = [[finite(each) for each in node["impurityStats"]] for node in nodes.values()]
    is_number = not classes and len(stats[0]) == 3 and all(map(_is_mean, nodes.values()))
    labels = list(classes) or list(map(str, range(len(stats[0]))))
    if not is_number and any(len(each) != len(labels) for each in stats):
        raise InputError(f"a node has {len(stats[0])} classes, and {len(labels)} names are given")
    goal = Attribute(target, None if is_number else tuple(labels))
    held = {number: _held(node, features, () if is_number else labels) for number, node in nodes.items()}
    return document(Source(Program("Spark MLlib", None, "double")), goal, features, held, 0)


def _is_mean(node: Json) -> bool:
    """Whether a node predicts the mean of its numbers."""
    n, total, _ = map(finite, node["impurityStats"])
    return n > 0 and abs(finite(node["prediction"]) - total / n) <= 1e-9 * max(1.0, abs(total / n))


def _features(nodes: Mapping[int, Json], names: Sequence[str]) -> list[Attribute]:
    categories: dict[int, int] = {}
    for node in nodes.values():
        split = node["split"]
        if (
            node["leftChild"] != LEAF
            and categories.setdefault(split["featureIndex"], split["numCategories"]) != split["numCategories"]
        ):
            raise InputError(f"feature {split['featureIndex']} has different numbers of categories")
    size = len(names) or max(categories, default=-1) + 1
    if wrong := [feature for feature in categories if not 0 <= feature < size]:
        raise InputError(f"a node asks feature {wrong[0]}, and there are {size}")
    called = list(names) or [f"x{place}" for place in places(size)]
    return [
        Attribute(name, None if (count := categories.get(place, NUMBER)) == NUMBER else tuple(map(str, places(count))))
        for place, name in enumerate(called)
    ]


def _held(node: Json, features: Sequence[Attribute], classes: Sequence[str]) -> Held:
    answer = _answer(node, classes)
    if node["leftChild"] == LEAF:
        return Held(answer)
    split, to = node["split"], (int(node["leftChild"]), int(node["rightChild"]))
    feature = features[split["featureIndex"]]
    listed = [finite(each) for each in split["leftCategoriesOrThreshold"]]
    if feature.values is not None:
        return Held(answer, subset(feature.name, [item(feature.values, int(code)) for code in listed], to))
    (at,) = listed
    question = threshold(feature.name, data_value(at), to)
    return Held(answer, replace(question, missing="branch", default=to[1]))  # NaN is not at most any number


def _answer(node: Json, classes: Sequence[str]) -> Json:
    weights = [simplest(Fraction(finite(each))) for each in node["impurityStats"]]
    if classes:
        return classified(dict(zip(classes, weights, strict=True)), item(classes, int(finite(node["prediction"]))))
    n, total, squares = weights
    error = max(Fraction(0), squares - Fraction(total) ** 2 / n)
    return {"n": exact_text(n), "mean": exact(finite(node["prediction"])), "sse": exact_text(error)}
