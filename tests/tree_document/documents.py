"""Documents and trees for the tests of the tree document: any trees, and one document to be spoilt."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
from hypothesis import strategies as st

from reference_tree.data.questions import Coordinate, Linear, Missing, Multiway, Subset, Surrogate, Test, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import simplest
from reference_tree.learners.id3 import ID3
from reference_tree.node import Deviations
from reference_tree.tree import Grower, Node, Tree
from reference_tree.tree_document import STOPS, to_json
from tests.strategies import fractions

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "schemas" / "tree-1.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

names = st.text(st.characters(codec="utf-8"), max_size=6)
distinct_names = st.lists(names, min_size=1, max_size=4, unique=True).map(tuple)
weights = st.one_of(st.integers(0, 10**6), fractions(0, 99, max_denominator=10**6))
numbers = st.one_of(st.integers(-(10**6), 10**6), fractions(-99, 99, max_denominator=1000))
options = st.dictionaries(
    names,
    st.recursive(
        st.none() | st.booleans() | st.integers() | names,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner, max_size=2),
        max_leaves=4,
    ),
    max_size=3,
)


@st.composite
def questions_of(draw: st.DrawFn, attribute: Attribute) -> Test:
    """Any question about an attribute."""
    threshold, strict, gap = draw(numbers), draw(st.booleans()), draw(fractions(Fraction(1, 9), 9))
    if draw(st.integers(0, 5)) == 0:
        values = attribute.values or [None]
        weighted = {Coordinate(attribute.name, value): draw(st.integers(1, 9)) for value in values}
        return Linear.of(weighted, threshold, draw(st.sampled_from([None, (threshold, threshold + gap)])))
    if attribute.values is not None:
        some = draw(st.lists(st.sampled_from(attribute.values), min_size=1, unique=True).map(tuple))
        return Multiway(attribute.name, some) if draw(st.booleans()) else Subset(attribute.name, some)
    interval = (threshold - gap, threshold) if strict else (threshold, threshold + gap)
    return Threshold(attribute.name, threshold, draw(st.sampled_from([None, interval])), strict)


@st.composite
def rules_of(draw: st.DrawFn, attributes: tuple[Attribute, ...], size: int) -> Missing:
    """Any rule for a row that does not answer a question of so many branches."""
    to = draw(st.one_of(st.none(), st.integers(0, size - 1)))
    rule = draw(st.sampled_from(["fractions", "branch", "surrogates", "error"]))
    if rule == "fractions":
        parts = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any))
        return Missing(tuple(simplest(Fraction(part, sum(parts))) for part in parts))
    if rule == "branch":
        return Missing(to=to, stays=to is None)
    if rule == "error":
        return Missing()
    tests = draw(st.lists(st.sampled_from(attributes).flatmap(questions_of), min_size=1, max_size=2))
    surrogates = [
        Surrogate(
            test,
            tuple(draw(st.integers(0, size - 1)) for _ in test.outcomes),
            simplest(draw(fractions(0, 1, max_denominator=99))),
        )
        for test in tests
    ]
    return Missing(surrogates=tuple(surrogates), to=to, stays=to is None)


def answers_of(target: Attribute, median: bool) -> st.SearchStrategy[Node]:
    """Leaves with any answer that is true of some rows."""
    if target.values is not None:
        classes = target.values
        ties = [(), classes] if len(classes) > 1 else [()]
        counts = st.tuples(*[weights] * len(classes))
        return st.builds(
            lambda c, label, tied: Node(c, label, tied=tied), counts, st.sampled_from(classes), st.sampled_from(ties)
        )
    if median:
        return st.builds(
            lambda n, label, sad: Node(Deviations(n, label if n else 0, sad if n else 0), label),
            weights,
            numbers,
            weights,
        )

    def averaged(n: Any, label: Any, sse: Any) -> Node:
        moments = (n, n * label, sse + n * label**2) if n else (0, 0, 0)
        return Node(tuple(simplest(Fraction(moment)) for moment in moments), label)

    return st.builds(averaged, weights, numbers, weights)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Trees of any questions, counts and names: what they say need not be true of any data."""
    target = Attribute(draw(names), draw(st.one_of(st.none(), distinct_names)))
    attributes = tuple(Attribute(name, draw(st.one_of(st.none(), distinct_names))) for name in draw(distinct_names))
    answers = answers_of(target, draw(st.booleans()))
    nodes: list[Node] = []
    pending = [(-1, 0)]
    while pending:
        above, depth = pending.pop()
        if above >= 0:
            nodes[above] = replace(nodes[above], branches=(*nodes[above].branches, len(nodes)))
        node = draw(answers)
        if depth < 3 and draw(st.booleans()):
            test = draw(questions_of(draw(st.sampled_from(attributes))))
            size = len(test.outcomes)
            pending += [(len(nodes), depth + 1)] * size
            nodes.append(replace(node, test=test, missing=draw(rules_of(attributes, size))))
        else:
            nodes.append(replace(node, stop=draw(st.sampled_from(STOPS)), prior=draw(st.booleans())))
    grower = Grower(draw(names), draw(st.one_of(st.none(), names)), draw(options))
    source = {"program": draw(names), "version": draw(names), "command": draw(names)}
    foreign = Grower(source=dict(list(source.items())[: draw(st.integers(0, 3))]))
    return Tree(target, attributes, tuple(nodes), draw(st.sampled_from([grower, foreign])))


def assert_valid(document: Any) -> None:
    """Assert that the schema knows the document."""
    VALIDATOR.validate(document)


def document() -> Any:
    """A document with everything in it that this version reads."""
    target, third = Attribute("y", ("no", "yes")), Fraction(1, 3)
    attributes = (Attribute("a", ("x", "y", "z")), Attribute("b", ("u", "v")), Attribute("n"))
    nodes = (
        Node((3, Fraction(7, 3)), "no", Multiway("a", ("x", "y", "z")), (1, 2, 5)),
        Node((1, 1), "yes", stop="max-depth", tied=("no", "yes")),
        Node(
            (2, Fraction(4, 3)),
            "no",
            Threshold("n", Fraction(1, 2), (0, 1)),
            (3, 4),
            missing=Missing((third, 1 - third)),
        ),
        Node((2, 0), "no", stop="pure"),
        Node((0, Fraction(4, 3)), "yes", stop="pure"),
        Node((0, 0), "no", Subset("b", ("v",)), (6, 7)),
        Node((0, 0), "no", stop="empty", prior=True),
        Node((0, 0), "no", stop="empty", prior=True),
    )
    return json.loads(to_json(Tree(target, attributes, nodes, ID3().grower())))


def regression(*, median: bool = False) -> Any:
    """The document of a regression tree with surrogates."""
    target, attributes = Attribute("y"), (Attribute("a", ("x", "y", "z")), Attribute("n"), Attribute("m"))
    surrogates = (
        Surrogate(Threshold("m", 2, strict=True), (1, 0), Fraction(5, 6)),
        Surrogate(Subset("a", ("x",)), (0, 1), Fraction(2, 3)),
    )
    root, left, right, none = (
        (Deviations(3, 2, 5), Deviations(2, 1, 1), Deviations(1, 6, 0), Deviations(0, 0, 0))
        if median
        else ((3, 9, 41), (2, 3, 5), (1, 6, 36), (0, 0, 0))
    )
    half = Threshold("n", Fraction(1, 2), (0, 1))
    values = Multiway("a", ("x", "y", "z"))
    nodes = (
        Node(root, 2 if median else 3, half, (1, 2), missing=Missing(surrogates=surrogates, to=1)),
        Node(left, 1 if median else Fraction(3, 2), stop="max-depth"),
        Node(right, 6, values, (3, 4, 5), missing=Missing(stays=True)),
        Node(right, 6, stop="pure"),
        Node(none, 6, stop="empty", prior=True),
        Node(none, 6, stop="empty", prior=True),
    )
    return json.loads(to_json(Tree(target, attributes, nodes, Grower(source={"program": "one"}))))


def changed(whole: Any, way: tuple[Any, ...], *value: Any) -> Any:
    """A document with another value at a place, or none."""
    whole = deepcopy(whole)
    inner = whole
    for key in way[:-1]:
        inner = inner[key]
    if value:
        inner[way[-1]] = value[0]
    else:
        del inner[way[-1]]
    return whole


HUSHES = [
    (), ("labels",), ("inner-labels",), ("counts",), ("inner-counts",), ("errors",), ("missing",),
    ("inner-labels", "inner-counts", "missing"), ("inner-labels", "counts"), ("labels", "counts"),
]  # fmt: skip
"""What a program may be silent about, one thing or some."""


def hushed(whole: Any, *words: str) -> Any:
    """A document of a program that does not state some things."""
    program = {"name": "a program", "version": "1", "numbers": "double", **({"silent": [*words]} if words else {})}
    whole = {key: deepcopy(value) for key, value in whole.items() if key != "nodes"} | {
        "learner": {"name": "unknown", "profile": None, "options": {}},
        "program": program,
        "nodes": deepcopy(whole["nodes"]),
    }
    for node in whole["nodes"]:
        asks, drop = "test" in node, list[str]()
        if "labels" in words or ("inner-labels" in words and asks):
            drop += ["label", "tied", "mean", "median", "sse", "sad"]
        if "counts" in words or ("inner-counts" in words and asks):
            drop += ["counts", "tied", "n", "sse", "sad"]
        if "errors" in words:
            drop += ["sse", "sad"]
        if "missing" in words:
            drop += ["missing", "surrogates"]
            for branch in node.get("branches", []):
                branch.pop("share", None)
        for key in drop:
            node.pop(key, None)
    return whole
