"""Summands: a predictor as a sum of trees, and what is no such sum."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import reference_tree as rt
from reference_tree.attribution.summands import summed
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.tree import Node, Tree
from tests.attribution.drawn_trees import drawn_row, drawn_tree


def test_the_values_of_a_class_are_its_shares_and_of_an_empty_leaf_those_above() -> None:
    melons = rt.textbook("watermelon-2.0")
    tree = rt.ID3().grow(melons)
    (yes,), (no,) = (summed(tree, label).summands for label in melons.schema.target.domain)
    assert all(a + b == 1 for a, b in zip(yes.values, no.values, strict=True))
    empty = next(number for number, node in enumerate(tree.nodes) if not node.weight)
    assert yes.values[empty] == yes.values[tree.parents[empty][0]]


def test_a_mean_divides_by_the_weight_of_all_trees_and_votes_do_not() -> None:
    golf = rt.textbook("golf")
    bag = rt.Bagging(base=rt.CART(), trees=4, seed=1).grow(golf)
    assert {term.weight for term in summed(bag).summands} == {1}
    numbers = rt.Bagging(base=rt.CART(), trees=4, seed=1).grow(rt.textbook("li-hang-5.2"))
    assert {term.weight for term in summed(numbers).summands} == {Fraction(1, 4)}


def test_of_several_classes_the_margin_of_one_is_explained() -> None:
    iris = rt.textbook("iris")
    boosted = rt.GradientBoosting(trees=2, base=rt.GradientTree(max_depth=1)).grow(iris)
    found = summed(boosted, "virginica")
    assert found.of == "margin of virginica"
    assert len(found.summands) == sum(member.of == "virginica" for member in boosted.members) == 2
    with pytest.raises(InputError, match="name the class that is explained"):
        summed(boosted)


@pytest.mark.parametrize("seed", range(10))
def test_the_shares_of_a_node_add_up_to_one_where_rows_stay(seed: int) -> None:
    term = drawn_tree(Random(seed), 3)
    for number, node in enumerate(term.tree.nodes):
        if node.test and node.missing.stays:
            assert sum(share for _, share in term.shares(number)) == 1


@pytest.mark.parametrize("seed", range(10))
def test_the_answer_is_the_mean_of_the_nodes_where_a_row_ends(seed: int) -> None:
    chance = Random(seed)
    term, row = drawn_tree(chance, 3), drawn_row(chance)
    assert term.answer(row) == term.tree.predict(row)


def test_rows_that_go_whole_down_several_branches_are_refused() -> None:
    gap = Missing(shares=(1, 1))
    nodes = (Node((2, 4, 8), 2, Threshold("x", 1), (1, 2), missing=gap), Node((1, 1, 1), 1), Node((1, 3, 9), 3))
    with pytest.raises(InputError, match="and what they get is no sum"):
        summed(Tree(Attribute("y"), (Attribute("x"),), nodes))
