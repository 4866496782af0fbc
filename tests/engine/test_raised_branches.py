"""Raised branches: where rows come to is what the book says, whichever branch is raised, and whatever was before."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.engine.raised_branches import arriving
from reference_tree.node import Node
from reference_tree.pruning import error_based
from reference_tree.pruning.cutting import recounted_below
from tests.every import of_every
from tests.strategies import categorical_tables, tables_with_gaps

BOOK: Any = error_based.arriving
LEARNERS = [rt.C45(), rt.CART(missing="stay"), rt.CART(missing="surrogates")]


def assert_as_by_the_book(nodes: dict[int, Node], samples: dict[int, Sample]) -> None:
    """Wherever any branch is put in the place of its node: the same leaves, rests, counts and order."""
    for place, node in nodes.items():
        for branch in node.branches:
            found = arriving(nodes, samples, place, branch)
            assert found == BOOK.__wrapped__(nodes, samples, place, branch)


def assert_raised_as_by_the_book(learner: Any, table: Table, chosen: int) -> None:
    """So it is in a tree as it was grown, and in one in which a branch took the place of the root."""
    tree = learner.grow(table)
    nodes, samples = dict(enumerate(tree.nodes)), dict[int, Sample]()
    for top in (nodes[0], nodes[nodes[0].branches[chosen % len(nodes[0].branches)]] if nodes[0].branches else nodes[0]):
        nodes[0] = top
        arrived = list(recounted_below(nodes, 0, table.sample(), tree.target))
        nodes, samples = {place: node for place, node, _ in arrived}, {place: rows for place, _, rows in arrived}
        assert_as_by_the_book(nodes, samples)


@pytest.mark.parametrize("learner", LEARNERS)
@given(table=categorical_tables(rows=16), chosen=st.integers(0, 3))
def test_of_rows_without_gaps(learner: Any, table: Table, chosen: int) -> None:
    assert_raised_as_by_the_book(learner, table, chosen)


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("learner", LEARNERS)
@given(table=tables_with_gaps(), chosen=st.integers(0, 3))
def test_of_rows_with_gaps(learner: Any, table: Table, chosen: int) -> None:
    assert_raised_as_by_the_book(learner, table, chosen)


@of_every(["golf", "iris", "contact-lenses", "watermelon-3.0"])
def test_of_the_textbooks(name: str) -> None:
    assert_raised_as_by_the_book(rt.C45(), rt.textbook(name), 1)
