"""XGBoost's dialect: what it says of a cut, and of a gain that is nearly nothing; `tests.programs` has the program."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.table import Table
from reference_tree.dialects.xgboost import binned, edges
from reference_tree.ensembles.derivatives import given
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.learners.gradient_tree import GradientTree
from tests.every import of_every


def test_a_cut_is_asked_with_less_than() -> None:
    data = given(Table.from_columns({"x": [1, 2, None], "g": [5, -5, 5], "h": [1, 1, 1], "y": [0] * 3}), "g", "h")
    test = GradientTree.like("xgboost").grow(data).nodes[0].test
    assert test is not None
    assert (test.name, test.branch({"x": Fraction(3, 2)})) == ("x<1.5", 1)


@pytest.mark.parametrize(("gain", "splits"), [(Fraction(1, 10**6), False), (Fraction(2, 10**6), True)])
def test_a_gain_has_to_be_more_than_a_millionth(gain: Fraction, splits: bool) -> None:
    # Two rows of g = ±1 and h = 1/gain gain 2·gain, without a penalty.
    columns: dict[str, Any] = {"x": [1, 2], "g": [1, -1], "h": [2 / gain] * 2, "y": [0, 0]}
    tree = GradientTree.like("xgboost", reg_lambda=0).grow(given(Table.from_columns(columns), "g", "h"))
    assert (len(tree.nodes) == 3) == splits


def test_bins_are_quantiles_and_numbers_go_to_their_lower_edge() -> None:
    assert edges(range(5), [1] * 5, max_bin=3) == [2, 3]
    table = rt.Table.from_columns({"x": [0, 1, 2, 3, 4, None], "y": [0, 0, 1, 1, 1, 2]})
    found = binned(table, max_bin=3)
    assert list(found.columns["x"]) == [0, 0, 2, 3, 3, None]
    assert list(found.columns["y"]) == list(table.columns["y"])
    assert binned(table).columns["x"] == table.columns["x"]


@of_every(
    [
        ([1, 2, 5, 9], [0, 0, 9, 9], "x<5", 1),  # nothing is missing: a gap goes right
        ([1, 2, 9, None], [0, 0, 9, 9], "x<9", 1),
        ([1, 2, 9, None], [0, 0, 9, 0], "x<9", 0),
        ([1, 2, 4, None], [0, 0, 0, 9], "x<8.00001", 1),  # whether there is a value
    ]
)
def test_a_histogram_asks_below_the_next_number(x: Any, y: Any, name: str, to: int) -> None:
    learner = GradientTree.like("xgboost-hist", max_depth=1, min_child_weight=0, reg_lambda=0)
    table = rt.Table.from_columns({"x": x, "y": y})
    root = GradientBoosting(base=learner, trees=1).grow(table).members[0].tree.nodes[0]
    assert (root.test.name if root.test else None, root.missing.to) == (name, to)


def test_whether_there_is_a_value_is_asked_far_above_the_largest() -> None:
    learner = GradientTree.like("xgboost", max_depth=1, min_child_weight=0, reg_lambda=0)
    table = rt.Table.from_columns({"x": [1, 2, 4, None], "y": [0, 0, 0, 9]})
    root = GradientBoosting(base=learner, trees=1).grow(table).members[0].tree.nodes[0]
    assert root.test is not None
    assert (root.test.name, root.missing.to) == ("x<8.000001", 1)


@pytest.mark.parametrize(("profile", "nodes"), [("xgboost", 7), ("xgboost-hist", 1)])
def test_a_histogram_does_not_wait_for_what_is_below(profile: str, nodes: int) -> None:
    table = rt.Table.from_columns({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": [0, 9, 9, 1]})
    learner = GradientTree.like(profile, min_child_weight=0, reg_lambda=0, gamma=30)  # the root gains 1/4
    (member,) = GradientBoosting(base=learner, trees=1).grow(table).members
    assert len(member.tree.nodes) == nodes
