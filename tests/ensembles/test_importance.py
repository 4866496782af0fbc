"""Importance: by hand, by another hand, and by what it must be where the answer is plain."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given

import reference_tree as rt
from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.bagging import Bagging
from reference_tree.ensembles.importance import (
    gain_importance,
    impurity_importance,
    out_of_bag_importance,
    permutation_importance,
)
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gini_index import gini
from tests import strategies


def test_by_hand() -> None:
    """Eight rows, two questions.

    The root, 4:4, has a Gini value of 1/2. x parts 4:1 from 0:3, of 8/25 and 0: it takes 1/2 - 5/8·8/25 = 3/10. In the
    left part z parts 4:0 from 0:1, and takes all of 5/8·8/25 = 1/5.
    """
    table = Table.from_columns({
        "x": [*"lllllrrr"], "z": [*"uuuuvuvu"], "w": [*"pqpqpqpq"], "y": [*"nnnnyyyy"],
    })  # fmt: skip
    tree = CART().grow(table)
    assert impurity_importance(tree) == {"x": Fraction(3, 10), "z": Fraction(1, 5), "w": 0}
    assert impurity_importance(tree, normalised=True) == {"x": Fraction(3, 5), "z": Fraction(2, 5), "w": 0}


@given(strategies.categorical_tables())
def test_together_they_are_what_the_tree_has_taken(table: Table) -> None:
    """The impurity of the root less that of the leaves: a sum over nodes telescopes."""
    tree = ID3().grow(table)
    for name, measure in (("gini", gini), ("entropy", entropy)):
        left = sum(
            (node.weight * measure(node.counts) for node in tree.nodes if node.test is None and node.weight),
            Fraction(0),
        )
        root = tree.nodes[0]
        assert sum(impurity_importance(tree, name).values()) == measure(root.counts) - left / root.weight
        shares = impurity_importance(tree, name, normalised=True)
        gained = left != measure(root.counts) * root.weight
        assert sum(map(float, shares.values())) == pytest.approx(int(gained))


def test_of_an_ensemble_it_is_the_mean() -> None:
    bag = Bagging(trees=4, seed=1).grow(textbook("iris"))
    each = [impurity_importance(member.tree) for member in bag.members]
    found = impurity_importance(bag)
    assert found == {name: sum(one[name] for one in each) / 4 for name in found}
    assert sum(impurity_importance(bag, normalised=True).values()) == 1


def test_of_numbers_it_is_their_variance() -> None:
    table = Table.from_columns({"x": [1, 2, 3, 4], "z": [1, 1, 1, 1], "y": [0, 0, 6, 6]}, continuous=["y"])
    assert impurity_importance(CART().grow(table)) == {"x": 9, "z": 0}


def test_rows_that_stay_at_a_node_are_not_what_its_question_has_parted() -> None:
    x = [1, 2, 3, 4, None, None]
    classes = CART(missing="stay").grow(Table.from_columns({"x": x, "y": [*"aabbab"]}))
    assert impurity_importance(classes) == {"x": Fraction(4, 6) * Fraction(1, 2)}  # of the four that answer
    numbers = Table.from_columns({"x": x, "y": [1, 2, 5, 6, 1, 9]})
    stump = CART(missing="stay", max_depth=1)
    assert impurity_importance(stump.grow(numbers)) == {"x": Fraction(17 - 1, 6)}
    with pytest.raises(InputError, match="rows with a missing value stay at a node"):
        impurity_importance(replace(stump, criterion="absolute_error").grow(numbers))


def test_what_has_no_importance_is_refused() -> None:
    tree = CART(branching="linear", max_depth=1).grow(Table.from_columns({"a": [1, 2], "b": [2, 1], "y": ["n", "y"]}))
    with pytest.raises(InputError, match="tests several attributes at once"):
        impurity_importance(tree)
    with pytest.raises(InputError, match="no impurity 'ginny'"):
        impurity_importance(tree, "ginny")


def shuffled(table: Table, name: str, key: str) -> list[dict[str, Any]]:
    """The rows, written out, with a column in a drawn order."""
    rows = [dict(row) for row in table.rows()]
    order = Chance(3, f"permutation {key} {name}".encode()).shuffled(range(len(rows)))
    return [{**row, name: rows[other][name]} for row, other in zip(rows, order, strict=True)]


def test_a_shuffled_column_is_that_of_the_rows_shuffled() -> None:
    table = textbook("iris")
    tree = CART(max_depth=3).grow(table)
    truths = [row["species"] for row in table.rows()]

    def wrong(rows: Any) -> int:
        return sum(tree.predict(row, "majority") != truth for row, truth in zip(rows, truths, strict=True))

    found = permutation_importance(tree, table, seed=3, repeats=2)
    for name, figure in found.items():
        after = [wrong(shuffled(table, name, str(repeat))) for repeat in range(2)]
        assert figure == Fraction(sum(after), 300) - Fraction(wrong(table.rows()), 150)


def test_it_tends_to_the_mean_over_all_orders() -> None:
    table = Table.from_columns({"x": [1, 2, 3, 4], "y": ["n", "n", "y", "y"]})
    tree = CART().grow(table)
    truths = ["n", "n", "y", "y"]
    wrong = [
        sum(tree.predict({"x": x}) != truth for x, truth in zip(order, truths, strict=True))
        for order in permutations([1, 2, 3, 4])
    ]
    expected = Fraction(sum(wrong), 24 * 4)
    found = permutation_importance(tree, table, repeats=600)["x"]
    assert expected == Fraction(1, 2)
    assert abs(found - expected) < Fraction(1, 15), "the deviation of one is below 1/2, and so of the mean below 1/48"


def test_what_is_not_asked_is_of_no_importance() -> None:
    table = textbook("iris")
    tree = CART(max_depth=1).grow(table)
    (asked,) = {node.test.attribute for node in tree.nodes if node.test is not None}
    for name, figure in permutation_importance(tree, table).items():
        assert (figure > 0) == (name == asked)


def test_out_of_bag_each_tree_is_judged_by_the_rows_it_has_not_seen() -> None:
    table = textbook("iris")
    bag = Bagging(trees=3, seed=2).grow(table)
    found = out_of_bag_importance(bag, table, seed=3)
    for name in found:
        rises = []
        for number, member in enumerate(bag.members):
            part = table.take([row for row in range(150) if not (member.drawn or ())[row]])
            truths = [row["species"] for row in part.rows()]
            wrong = [
                sum(member.tree.predict(row) != truth for row, truth in zip(rows, truths, strict=True))
                for rows in (part.rows(), shuffled(part, name, f"tree {number}"))
            ]
            rises.append(Fraction(wrong[1] - wrong[0], len(part)))
        assert found[name] == sum(rises) / 3


def test_out_of_bag_importance_needs_rows_out_of_the_bag() -> None:
    table = textbook("golf")
    with pytest.raises(InputError, match="does not record what was drawn"):
        out_of_bag_importance(Bagging(trees=1, resample=False).grow(table), table)
    bag = Bagging(trees=1).grow(table)
    every = bag.members[0]._replace(drawn=(1,) * len(table))
    with pytest.raises(InputError, match="none is left to judge"):
        out_of_bag_importance(type(bag)(bag.target, bag.attributes, (every,)), table)
    with pytest.raises(InputError, match="shuffled at least once, not 0 times"):
        permutation_importance(bag, table, repeats=0)


@pytest.mark.oracles
@pytest.mark.parametrize("classes", [True, False])
def test_what_questions_gain_is_what_xgboost_says(classes: bool) -> None:
    xgboost = pytest.importorskip("xgboost")
    sets = pytest.importorskip("sklearn.datasets")
    rows, y = (sets.load_breast_cancer if classes else sets.load_diabetes)(return_X_y=True)
    given: dict[str, Any] = {"n_estimators": 3, "max_depth": 3, "tree_method": "exact"}
    theirs = (xgboost.XGBClassifier if classes else xgboost.XGBRegressor)(**given).fit(rows[:, :6], y)
    ours = (rt.XGBClassifier if classes else rt.XGBRegressor)(**given).fit(rows[:, :6], y)
    assert list(ours.feature_importances_) == pytest.approx(list(theirs.feature_importances_), rel=1e-5)


def test_trees_that_count_classes_gain_nothing_of_a_loss() -> None:
    forest = rt.RandomForest(trees=2).grow(rt.textbook("iris"))
    with pytest.raises(rt.InputError, match="count no derivatives"):
        gain_importance(forest)
