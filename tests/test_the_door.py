"""The one door to the data: a store that counts by SQL grows the same trees, node by node.

`rt.sql` answers the six questions of a `Sample`. If a learner asked for anything else, it could not grow here.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.table import Table
from reference_tree.learners.growing import grow, revisit
from reference_tree.pruning.error_based import error_based
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.pruning.reduced_error import best_first, bottom_up
from tests.stores.databases import stored


def weighed(table: Table) -> Table:
    """The table with rows of different weight."""
    return replace(table, weights=[Fraction(row % 3 + 1, 2) for row in range(len(table))])


TREES: list[tuple[str, Any]] = [
    ("play-tennis", rt.ID3()),
    ("watermelon-2.0", rt.ID3(epsilon=Fraction(1, 5))),
    ("loan", rt.ID3(max_depth=1)),
    ("golf", rt.C45()),
    ("watermelon-3.0", rt.C45.like("li-hang")),
    ("watermelon-3.0", rt.C45.like("c45-r8")),
    ("golf", rt.C45.like("weka-j48")),
    ("watermelon-2.0a", rt.C45()),
    ("watermelon-2.0a", rt.C45.like("c45-r8")),
    ("iris", rt.C45()),
    ("golf", rt.CART()),
    ("watermelon-2.0", rt.CART(branching="multiway")),
    ("loan", rt.CART(branching="one-vs-rest", criterion="entropy")),
    ("iris", rt.CART(criterion="entropy")),
    ("contact-lenses", rt.CART(branching="subset")),
    ("cats-regression", rt.CART()),
    ("cats-regression", rt.CART(criterion="variance_n_minus_1")),
    ("li-hang-5.2", rt.CART(criterion="absolute_error")),
    ("watermelon-2.0a", rt.CART(missing="fractions", branching="multiway", criterion="entropy")),
    ("watermelon-2.0a", rt.CART(missing="surrogates")),
    ("watermelon-2.0a", rt.CART.like("rpart", min_samples_split=2, min_samples_leaf=1)),
    ("watermelon-3.0a", rt.CART(branching="linear")),
    ("cats", rt.CART(branching="linear", search="cart-lc")),
]


@pytest.mark.one_in(2, 8)
@pytest.mark.parametrize("weights", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize(("name", "learner"), TREES, ids=[f"{name}-{who.name}" for name, who in TREES])
def test_the_same_tree(name: str, learner: Any, weights: bool) -> None:
    table = weighed(rt.textbook(name)) if weights else rt.textbook(name)
    found, expected = grow(learner, stored(table)), grow(learner, table)
    assert len(found.nodes) == len(expected.nodes) > 1
    for number, (node, other) in enumerate(zip(found.nodes, expected.nodes, strict=True)):
        assert node == other, expected.path(number)


@pytest.mark.parametrize("name", ["golf", "watermelon-2.0a"])
def test_the_same_decisions(name: str) -> None:
    table = rt.textbook(name)
    tree = rt.C45().grow(table)
    for here, there in zip(*(revisit(tree, rt.C45(), data) for data in (stored(table), table)), strict=True):
        assert here.decision.candidates == there.decision.candidates
        assert here.decision.margin == there.decision.margin


def test_error_based_pruning_asks_no_more() -> None:
    golf = rt.textbook("golf")
    tree = rt.C45().grow(golf)
    assert error_based(tree, stored(golf)) == error_based(tree, golf)


def test_validation_asks_no_more() -> None:
    training, validation = rt.textbook("watermelon-2.0-train"), rt.textbook("watermelon-2.0-validation")
    tree, learner, held = rt.ID3().grow(training), PrePruning(rt.ID3()), stored(validation)
    assert bottom_up(tree, held) == bottom_up(tree, validation)
    assert best_first(tree, held) == best_first(tree, validation)
    assert learner.grow(stored(training), held) == learner.grow(training, validation)


def test_a_tree_is_explained_checked_and_judged() -> None:
    golf = rt.textbook("golf")
    tree, there = rt.C45().grow(golf), stored(golf)
    tree.check(there)
    assert tree.accuracy(there) == tree.accuracy(golf)
    assert rt.explain(tree, there) == rt.explain(tree, replace(golf, name="cells"))
