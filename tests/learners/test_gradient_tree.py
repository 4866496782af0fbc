"""The gradient tree: bounds, reasons, sides and draws; that its nodes are right is in `tests.ensembles`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.table import Table
from reference_tree.ensembles.derivatives import DerivativeTable, given
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.registry import learner_of
from reference_tree.node import Derivatives
from tests.every import of_every


def data(x: list[Any], g: list[Any], h: list[Any] | None = None) -> DerivativeTable:
    columns = {"x": x, "g": g, "h": h or [1] * len(x), "y": [0] * len(x)}
    return given(Table.from_columns(columns, target="y", continuous=["x", "g"]), "g", "h")


@of_every(
    [
        ({}, data([1, 1], [1, -1]), "no-candidates"),
        ({"max_depth": 0}, data([1, 2], [1, -1]), "max-depth"),
        ({"min_child_weight": 2}, data([1, 2], [1, -1]), "min-child-weight"),
        ({"min_samples_leaf": 2}, data([1, 2], [1, -1]), "min-samples-leaf"),
        ({"min_samples_leaf": 2}, data([1, 2, 2], [1, -1, -1]), "min-samples-leaf"),
        ({"min_samples_split": 3}, data([1, 2], [1, -1]), "min-samples-split"),
        ({}, data([1, 2], [1, 1]), "epsilon"),  # it gains less than nothing
        ({"reg_lambda": 0}, data([1, 2], [1, 1]), "epsilon"),  # it gains nothing
        ({"epsilon": 1}, data([1, 2], [1, -1]), "epsilon"),  # it gains 1, and has to gain more
        ({"reg_lambda": 0, "min_child_weight": 0}, data([1, 2], [1, -1], [1, 0]), "min-child-weight"),
    ]
)
def test_why_a_node_is_a_leaf(options: dict[str, Any], rows: DerivativeTable, stop: str) -> None:
    assert [node.stop for node in GradientTree(**options).grow(rows).nodes] == [stop]


def test_a_question_that_neither_side_allows_is_barred_as_with_the_right_one() -> None:
    """With the gap on the right, the left has an H of 1/2; with the gap on the left, the right has one row."""
    rows = data([1, 1, 2, None], [1, 1, -1, -1], [Fraction(1, 4), Fraction(1, 4), 5, 1])
    tree = GradientTree(min_samples_leaf=2).grow(rows)
    assert [node.stop for node in tree.nodes] == ["min-child-weight"]


def test_a_side_that_weighs_just_enough() -> None:
    assert len(GradientTree(min_samples_leaf=1, min_child_weight=1).grow(data([1, 2], [1, -1])).nodes) == 3


def test_a_leaf_of_which_nothing_is_known_adds_nothing() -> None:
    """Its H is 0, and so is λ."""
    assert [node.label for node in GradientTree(reg_lambda=0).grow(data([1, 1], [1, 1], [0, 0])).nodes] == [0]


@of_every([{f"colsample_by{what}": Fraction(1, 10)} for what in ("tree", "level", "node")])
def test_of_one_attribute_a_share_is_still_one(options: dict[str, Any]) -> None:
    assert len(GradientTree(max_depth=1, **options).grow(data([1, 2], [1, -1])).nodes) == 3


def test_what_a_node_holds_and_adds() -> None:
    root, left, right = GradientTree(max_depth=1, rate=Fraction(1, 2), grid=None).grow(data([1, 2], [2, -1])).nodes
    assert (root.counts, left.counts, right.counts) == (Derivatives(2, 1, 2), (1, 2, 1), (1, -1, 1))
    assert (root.label, left.label, right.label) == (Fraction(-1, 6), Fraction(-1, 2), Fraction(1, 4))
    with pytest.raises(ValueError, match="a term of a sum"):
        _ = left.error


def test_a_grid_rounds_a_leaf_to_the_nearest_ties_to_even() -> None:
    labels = [
        node.label
        for node in GradientTree(max_depth=1, rate=1, grid=2, reg_lambda=0)
        .grow(data([1, 2], [1, Fraction(-3, 8)]))
        .nodes
    ]
    assert labels == [Fraction(-1, 4), -1, Fraction(1, 2)]  # -5/16, -1, 3/8


def test_rows_without_a_value_take_the_better_side_of_equals_the_right_one() -> None:
    better = GradientTree(max_depth=1, rate=1).grow(data([1, 2, None], [3, -3, 3]))
    assert better.nodes[0].missing.to == 0
    symmetric = GradientTree(max_depth=1, rate=1).grow(data([1, 2, None], [3, -3, 0], [1, 1, 0]))
    assert symmetric.nodes[0].missing.to == 1
    complete = GradientTree(max_depth=1, rate=1).grow(data([1, 2], [3, -3]))
    assert complete.nodes[0].missing.to == 0


def test_whether_there_is_a_value_is_a_question() -> None:
    tree = GradientTree(max_depth=1, rate=1).grow(data([1, 2, None], [3, 3, -3]))
    assert tree.nodes[0].test is not None
    assert (tree.nodes[0].test.name, tree.nodes[0].missing.to) == ("x<=2", 1)
    assert [tree.predict({"x": x}) for x in (1, 2, None)] == [-2, -2, Fraction(3, 2)]


def test_without_derivatives_it_is_refused() -> None:
    with pytest.raises(rt.InputError, match="gradient boosting works them out"):
        GradientTree().grow(rt.textbook("li-hang-8.2"))


def test_its_options_are_recorded() -> None:
    learner = GradientTree.like("xgboost", reg_lambda=Fraction(1, 2), colsample_bynode=Fraction(1, 3))
    assert learner_of(learner.grower()) == learner


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"grid": -1}, "it is a whole number from 0, or None"),
        ({"colsample_bytree": 0}, "above 0, and at most 1"),
        ({"colsample_bylevel": 2}, "above 0, and at most 1"),
        ({"reg_lambda": -1}, "a number from 0, not -1"),
        ({"rate": "much"}, "'much' is not a number"),
    ],
)
def test_options_that_are_none(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GradientTree(**options)


def test_unless_told_its_parameters_are_those_of_xgboost() -> None:
    """As XGBoost documents them: max_depth, min_child_weight, lambda, gamma and eta; the grid is our own."""
    tree = GradientTree()
    assert (tree.max_depth, tree.min_child_weight, tree.reg_lambda, tree.gamma) == (6, 1, 1, 0)
    assert (tree.rate, tree.grid) == (Fraction(3, 10), 48)
