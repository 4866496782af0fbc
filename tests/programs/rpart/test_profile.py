"""CART as rpart has it by default: its bounds, and the bound that follows from the other one."""

from __future__ import annotations

from reference_tree.data.questions import Threshold
from reference_tree.data.textbook import textbook
from reference_tree.learners.cart import CART
from tests.every import of_every


def test_rpart_stops_early_by_default_and_asks_below() -> None:
    iris = textbook("iris")
    tree = CART.like("rpart").grow(iris)
    assert all(node.weight >= 20 for node in tree.nodes if node.test)
    assert all(node.weight >= 7 for node in tree.nodes)
    assert all(node.test.strict for node in tree.nodes if isinstance(node.test, Threshold))
    assert all(1 <= len(node.missing.surrogates) <= 5 for node in tree.nodes[:1])


@of_every([(20, 7), (10, 3), (5, 2), (1, 0)])
def test_minbucket_is_a_third_of_minsplit(bounds: tuple[int, int]) -> None:
    split, least = bounds
    learner = CART.like("rpart", min_samples_split=split)
    assert (learner.min_samples_split, learner.min_samples_leaf) == (split, least)
