"""Causes: planted changes of models of three programs, each found with a row, and named."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.questions import Subset, Threshold
from reference_tree.ensembles.ensemble import Ensemble, trees_of
from reference_tree.exact.rounding import nearest_single
from reference_tree.node import Node
from reference_tree.programs.reading import predictor_of_file
from reference_tree.tree import Tree
from tests.functions.test_cells import stump

RECORDED = Path(__file__).parents[1] / "programs" / "recorded"
FILES = {
    "XGBoost": "xgboost/labor.json",
    "LightGBM": "lightgbm/cars.txt",
    "scikit-learn": "treelite/forest-number.json",
}
"""Models of these programs; the last is a forest of scikit-learn that treelite wrote."""


@cache
def model_of(program: str) -> Tree | Ensemble:
    return predictor_of_file(RECORDED / FILES[program])


def next_single(number: Fraction) -> Fraction:
    (bits,) = struct.unpack("<i", struct.pack("<f", nearest_single(float(number)) + 0.0))
    return Fraction(struct.unpack("<f", struct.pack("<i", bits + (1 if bits >= 0 else -1)))[0])


def with_node(model: Tree | Ensemble, holds: Callable[[Node], bool], change: Callable[[Node], Node]) -> Any:
    """A model with a change of the first node for which something holds and that some row reaches; None without one."""
    for number, tree in enumerate(trees_of(model)):
        for place, node in enumerate(tree.nodes):
            if holds(node):
                now = replace(tree, nodes=(*tree.nodes[:place], change(node), *tree.nodes[place + 1 :]))
                if isinstance(model, Tree):
                    return now
                members = list(model.members)
                members[number] = members[number]._replace(tree=now)
                return replace(model, members=tuple(members))
    return None


def planted(model: Any) -> Iterator[tuple[str, Any]]:
    """The beginning of the cause, with the model that has the change."""

    def with_test(**parts: Callable[[Any], Any]) -> Callable[[Node], Node]:
        def change(node: Node) -> Node:
            made = {name: make(getattr(node.test, name)) for name, make in parts.items()}
            return replace(node, test=replace(node.test, **made))  # type: ignore[type-var]

        return change

    def of_number(node: Node) -> bool:
        return isinstance(node.test, Threshold)

    def flipped(node: Node) -> Node:
        return replace(node, missing=replace(node.missing, to=1 - (node.missing.to or 0)))

    def an_ulp_more(node: Node) -> Node:
        return replace(node, label=Fraction(math.nextafter(float(node.label), 9)))

    yield "threshold of 1 node", with_node(model, of_number, with_test(threshold=next_single))
    yield "< for <= of 1 node", with_node(model, of_number, with_test(strict=lambda strict: not strict))
    yield (
        "missing side of 1 node",
        with_node(model, lambda node: of_number(node) and node.missing.to is not None, flipped),
    )
    yield "leaf of 1 node", with_node(model, lambda node: node.test is None, an_ulp_more)
    yield (
        "categories of 1 node",
        with_node(
            model,
            lambda node: isinstance(node.test, Subset) and len(node.test.values) > 1,
            with_test(values=lambda values: values[1:]),
        ),
    )
    if model.start:
        yield "start", replace(model, start=(Fraction(float(model.start[0])) + Fraction(1, 1024), *model.start[1:]))
    size = len(model.members)
    yield "fewer trees: the second lacks 1 tree (tree 2)", model.part([number for number in range(size) if number != 1])
    yield f"fewer trees: the second has the first {size - 2} of", model.part(range(size - 2))


@pytest.mark.parametrize("program", FILES)
def test_each_planted_change_is_found_and_named(program: str) -> None:
    model = model_of(program)
    seen = []
    for cause, other in planted(model):
        if other is None:
            continue
        found = rt.equivalent(model, other)
        assert (found.same, found.cause[: len(cause)]) == (False, cause)
        assert found.row is not None
        assert found.difference
        seen.append(cause)
    assert len(seen) >= 6


def in_float32(model: Any, *, thresholds: bool, leaves: bool) -> Any:
    """What a converter makes of a model."""
    trees = []
    for tree in trees_of(model):
        nodes = []
        for node in tree.nodes:
            if thresholds and isinstance(node.test, Threshold):
                number = Fraction(nearest_single(float(node.test.threshold)))
                node = replace(node, test=Threshold(node.test.attribute, number, strict=node.test.strict))
            if leaves and node.test is None:
                node = replace(node, label=Fraction(nearest_single(float(node.label))))
            nodes.append(node)
        trees.append(replace(tree, nodes=tuple(nodes)))
    return replace(
        model, members=tuple(one._replace(tree=tree) for one, tree in zip(model.members, trees, strict=True))
    )


@pytest.mark.parametrize(
    ("thresholds", "leaves", "cause"),
    [
        (True, False, "thresholds in float32"),
        (False, True, "leaves in float32"),
        (True, True, "thresholds and leaves in float32"),
    ],
)
def test_what_a_converter_rounds(thresholds: bool, leaves: bool, cause: str) -> None:
    model = predictor_of_file(RECORDED / "lightgbm" / "pima.txt")
    found = rt.equivalent(model, in_float32(model, thresholds=thresholds, leaves=leaves))
    assert (found.same, found.cause) == (False, cause)


def test_values_in_float32() -> None:
    found = rt.equivalent(stump("0.1", held="double"), stump("0.1", held="float32"))
    assert (found.same, found.cause) == (False, "values in float32")


def test_no_cause_is_guessed() -> None:
    golf = rt.textbook("golf")
    assert rt.equivalent(rt.CART().grow(golf), rt.CART(max_depth=1).grow(golf)).cause == ""
