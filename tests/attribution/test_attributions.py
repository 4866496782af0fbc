"""The values of whole predictors: they add up, exactly, and are rounded once."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.attribution.covers import covers_of
from reference_tree.data.errors import InputError
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.tree import Tree
from reference_tree.twins import by_the_book

MADE: dict[str, Callable[[], tuple[Tree | Ensemble, rt.Table, str | None]]] = {
    "a tree of classes": lambda: (rt.C45().grow(rt.textbook("golf")), rt.textbook("golf"), "no"),
    "a tree of three classes": lambda: (
        rt.CART(max_depth=3).grow(rt.textbook("iris")), rt.textbook("iris"), "virginica"
    ),
    "C4.5 with gaps": lambda: (
        rt.C45.like("zhou").grow(rt.textbook("watermelon-2.0a")), rt.textbook("watermelon-2.0a"), None
    ),
    "a tree of numbers": lambda: (rt.CART().grow(rt.textbook("li-hang-5.2")), rt.textbook("li-hang-5.2"), None),
    "a forest": lambda: (
        rt.RandomForest(trees=5, seed=1).grow(rt.textbook("watermelon-3.0")), rt.textbook("watermelon-3.0"), None
    ),
    "the votes of AdaBoost": lambda: (rt.AdaBoost(trees=3).grow(rt.textbook("golf")), rt.textbook("golf"), "yes"),
    "a sum of boosted trees": lambda: (
        rt.GradientBoosting(trees=3).grow(rt.textbook("li-hang-8.2")), rt.textbook("li-hang-8.2"), None
    ),
    "a margin": lambda: (rt.GradientBoosting(trees=3).grow(rt.textbook("golf")), rt.textbook("golf"), "margin"),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("kind", ["path-dependent", "interventional"])
def test_the_expected_value_and_the_values_add_up_to_the_prediction(name: str, kind: str) -> None:
    predictor, table, values = MADE[name]()
    background = table.take([0, 3, 5]) if kind == "interventional" else None
    found = rt.shapley_values(predictor, table, background=background, values=values)
    assert len(found.values) == len(table)
    for each, prediction in zip(found.values, found.predictions, strict=True):
        assert found.expected_value + sum(each.values()) == prediction
    assert [{key: float(value) for key, value in each.items()} for each in found.values] == found.floats
    for matrix, each in zip(found.interactions[:2], found.values, strict=False):
        assert all(sum(matrix[i, j] for j in found.names) == each[i] for i in found.names)


@pytest.mark.parametrize("name", MADE)
def test_the_prediction_that_is_explained_is_that_of_the_predictor(name: str) -> None:
    predictor, table, values = MADE[name]()
    found = rt.shapley_values(predictor, table, values=values)
    for row, prediction in zip(table.rows(), found.predictions, strict=True):
        if predictor.target.values is None:
            assert prediction == predictor.predict(row)
        elif isinstance(predictor, Ensemble) and predictor.combine not in ("mean",):
            scores = predictor.votes(row).scores
            assert prediction == scores["yes"] if "yes" in scores else prediction in scores.values()
        else:
            label = values or predictor.target.domain[1]
            assert prediction == predictor.distribution(row)[label]


@pytest.mark.parametrize("name", ["C4.5 with gaps", "a forest", "a margin"])
def test_the_engine_changes_nothing(name: str) -> None:
    predictor, table, values = MADE[name]()
    rows, background = table.take(range(5)), table.take([1, 2])
    fast = [rt.shapley_values(predictor, rows, background=others, values=values) for others in (None, background)]
    told = [(each.values, each.floats, each.interactions) for each in fast]
    with by_the_book():
        book = [rt.shapley_values(predictor, rows, background=others, values=values) for others in (None, background)]
        assert [(each.values, each.floats, each.interactions) for each in book] == told


def test_a_row_alone_is_a_row() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    row = {"outlook": "sunny", "humidity": "high", "wind": "weak"}
    assert rt.shapley_values(tree, row).values == rt.shapley_values(tree, [row] * 9).values[8:]
    assert rt.shapley_interaction_values(tree, row) == rt.shapley_values(tree, [row]).interactions
    assert repr(rt.shapley_values(tree, row)) == "<Attributions of P(yes): 1 rows, path_dependent>"


def test_values_of_a_sum_are_rounded_once() -> None:
    """A third three times, and a value whose sum over two trees is exactly 0."""
    table = rt.Table.from_columns({"x": [0, 1, 1], "y": ["0", "1", "1"]}, continuous=["x", "y"], target="y")
    tree = rt.CART().grow(table)
    apart = Ensemble(tree.target, tree.attributes, (Member(tree, 1), Member(tree, -1)), "sum", start=(0,))
    found = rt.shapley_values(apart, [{"x": 0}] * 5)
    assert found.floats == [{"x": 0.0}] * 5
    assert rt.shapley_values(tree, [{"x": 0}] * 5).floats == [{"x": float(Fraction(-2, 3))}] * 5


def test_what_is_no_sum_is_refused_by_name() -> None:
    golf = rt.textbook("golf")
    boosted = rt.GradientBoosting(trees=2).grow(golf)
    refused: list[tuple[Tree | Ensemble, dict[str, Any], str]] = [
        (rt.CART().grow(rt.textbook("iris")), {}, "name the class that is explained: setosa"),
        (boosted, {"values": "yes"}, "the probability of yes is no sum of trees; say margin"),
        (rt.CART().grow(rt.textbook("li-hang-5.2")), {"values": "y"}, "y is a number; leave it out"),
        (rt.CART().grow(golf), {"cover": "rows"}, "rows"),
        (rt.CART().grow(golf), {"cover": "sum_hessian"}, "does not state the sums of the second derivatives"),
        (rt.CART().grow(golf), {"cover": "weights", "background": golf}, "say one of them"),
        (rt.CART().grow(golf), {"background": []}, "the background has no rows"),
        (rt.CART().grow(golf), {"cover": [[1]]}, "a number for each node of each tree"),
    ]
    for predictor, options, message in refused:
        with pytest.raises(InputError, match=message):
            rt.shapley_values(predictor, [], **options)


def test_the_vote_of_a_divided_row_is_no_sum() -> None:
    melons = rt.textbook("watermelon-2.0a")
    forest = rt.Bagging(base=rt.C45.like("zhou"), trees=2).grow(melons)
    with pytest.raises(InputError, match="the vote of a divided row is no sum"):
        rt.shapley_values(forest, [])


def test_a_node_without_cover_is_refused_by_its_path_and_a_background_needs_none() -> None:
    tree = rt.ID3(max_depth=1).grow(rt.textbook("play-tennis"))
    with pytest.raises(InputError, match=r"the node / has the cover 0, and its branches no shares"):
        rt.shapley_values(tree, [], cover=[[0, 4, 5, 5]])
    row = {"outlook": "sunny"}
    assert rt.shapley_values(tree, row, cover=[[14, 4, 5, 5]]).values == rt.shapley_values(tree, row).values
    assert rt.shapley_values(tree, row, background=[{"outlook": "rainy"}]).values[0]["outlook"] == Fraction(-1, 5)


def test_a_leaf_without_cover_has_no_part_where_nothing_is_known() -> None:
    """Melons of a light colour with stiff roots were never seen; the leaf has the answer of the node above."""
    melons = rt.textbook("watermelon-2.0")
    tree = rt.ID3().grow(melons)
    assert 0 in [node.weight for node in tree.nodes]
    found = rt.shapley_values(tree, melons)
    assert found.expected_value == Fraction(8, 17)
    for each, row in zip(found.values, melons.rows(), strict=True):
        assert found.expected_value + sum(each.values()) == tree.distribution(row)["是"]


def test_boosted_trees_state_two_covers_and_the_values_differ() -> None:
    golf = rt.textbook("golf")
    boosted = rt.GradientBoosting(trees=2).grow(golf)
    weights, hessians = (rt.shapley_values(boosted, golf, cover=cover) for cover in ("weights", "sum_hessian"))
    assert (weights.cover, rt.shapley_values(boosted, golf).cover) == ("weights", "weights")
    assert covers_of(boosted, "weights")[0] == covers_of(boosted)[0]
    assert weights.values != hessians.values
    assert weights.predictions == hessians.predictions
