"""Raised branches: where rows come to is what the book says, whichever branch is raised, and whatever was before."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.engine.raised_branches import arriving, errors_of
from reference_tree.exact.binomial_limits import LimitSum
from reference_tree.node import Node
from reference_tree.pruning import error_based
from reference_tree.pruning.cutting import recounted_below
from reference_tree.pruning.error_based import ErrorBased, EstimatedPart
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


kinds = st.tuples(st.integers(0, 3), st.integers(1, 5), st.sampled_from([1, 2, 7]), st.booleans())


@pytest.mark.parametrize("limit", ["binomial", "table"])
@given(st.lists(kinds, max_size=6))
def test_errors_are_added_up_as_by_the_book(limit: Any, drawn: list[tuple[int, int, int, bool]]) -> None:
    """Whole and divided estimates, of leaves all of whose rows are errors as well."""
    rules = ErrorBased(limit=limit)
    parts = list[tuple[EstimatedPart, int]]()
    for errors, right, times, divided in drawn:
        estimate = rules.estimate((errors, right)) * (Fraction(2, 3) if divided else 1)
        parts.append((EstimatedPart((errors, right), estimate, True), times))
    found, expected = errors_of(parts), error_based.errors_of.__wrapped__(parts)  # type: ignore[attr-defined]
    assert found == expected
    assert float(found) == float(expected)
    if isinstance(expected, LimitSum):
        assert (found.terms, found.constant, repr(found)) == (expected.terms, expected.constant, repr(expected))
        assert not found - expected
        assert found + Fraction(1, 10) > expected
