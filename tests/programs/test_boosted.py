"""Boosted trees: the ensemble where there is a rule, and otherwise the trees."""

from __future__ import annotations

from fractions import Fraction

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.programs.boosted import Grown, SumRule, documents
from reference_tree.programs.documents import MOST_NODES, HeldNode, TreeOrigin, threshold
from reference_tree.tree import Program
from tests.programs.documents import ensemble_of, tree_of

SOURCE = TreeOrigin(Program("some", silent=frozenset({"inner-labels", "counts"})))
STUMP = {0: HeldNode({}, threshold("x", "1", (5, 3))), 5: HeldNode({"value": "1/2"}), 3: HeldNode({"value": "-1/3"})}


def test_a_rule_makes_an_ensemble() -> None:
    (document,) = documents(SOURCE, "y", [Attribute("x")], [Grown(STUMP, weight=Fraction(2))] * 2, SumRule("sum", [3]))
    assert ensemble_of(document).predict([{"x": 1}, {"x": 2}]) == [5, Fraction(5, 3)]


def test_without_a_rule_there_are_trees() -> None:
    first, second = documents(SOURCE, "y", [Attribute("x")], [Grown(STUMP), Grown({0: HeldNode({"value": "7"})})], None)
    assert tree_of(first).predict({"x": 0}) == Fraction(1, 2)
    assert tree_of(second).predict({}) == 7


def test_each_class_has_its_trees() -> None:
    trees = [Grown(STUMP, of=0), Grown(STUMP, of=2), Grown(STUMP, of=1)]
    (document,) = documents(SOURCE, "y", [Attribute("x")], trees, SumRule("softmax", [0, 0, 0], 3), ["a", "b", "c"])
    assert [tree["of"] for tree in document["trees"]] == ["a", "c", "b"]
    ensemble_of(document)


def test_too_many_nodes_are_refused() -> None:
    with pytest.raises(InputError, match=f"of which no more than {MOST_NODES} are read"):
        documents(SOURCE, "y", [Attribute("x")], [Grown(STUMP)] * (MOST_NODES // 3 + 1), None)
