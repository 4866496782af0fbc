"""Subsets: the best sets of values are those of the book, ties included."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree import to_json
from reference_tree.data.questions import Multiway
from reference_tree.data.table import Table
from reference_tree.engine.subsets import best_by_deviations, promising_subsets
from reference_tree.exact.choosing import best
from reference_tree.learners.cart import CART
from reference_tree.splitting.binary_subsets import Grouping
from reference_tree.splitting.candidate import MEASURES
from reference_tree.splitting.ordered_subsets import subset_splits
from reference_tree.twins import by_the_book
from tests import strategies

CLASSES = ["gain", "gini_decrease"]


@st.composite
def named_tables(draw: st.DrawFn, numeric: bool) -> Table:
    """Tables of one column of names, some of which are missing; two classes or numbers; rows with weights."""
    size = draw(st.integers(2, 24))
    labels = st.integers(-3, 3) | st.sampled_from([0.5, 1.25]) if numeric else st.sampled_from("nm")
    columns: dict[str, Sequence[Any]] = {
        "a": draw(st.lists(st.sampled_from("abcdefghij") | st.none(), min_size=size, max_size=size)),
        "y": draw(st.lists(labels, min_size=size, max_size=size)),
        "w": draw(st.lists(draw(st.sampled_from([st.just(1), strategies.weights])), min_size=size, max_size=size)),
    }
    kinds: dict[str, Any] = {"continuous": ["y"]} if numeric else {"categorical": ["y"]}
    return Table.from_columns({**columns, "a": [*columns["a"][:-1], "a"]}, target="y", weights="w", **kinds)


def winners(found: Sequence[Grouping], measure: str) -> list[Grouping]:
    """The questions of largest score."""
    return best(found, lambda one: MEASURES[measure](one.table))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("measure", [*CLASSES, "variance_reduction"])
@given(data=st.data(), minimum=st.sampled_from([0, 1, 2]))
def test_the_winners_are_those_of_the_book(measure: str, data: st.DataObject, minimum: int) -> None:
    table = data.draw(named_tables(numeric=measure not in CLASSES))
    sample = table.sample()
    counted = sample.partition(Multiway.on(table.schema.attribute("a")))
    every = list(subset_splits("a", counted, measure, minimum))
    found = list(promising_subsets("a", counted, measure, minimum))
    assert {one.test for one in found} <= {one.test for one in every}
    assert winners(found, measure) == winners(every, measure)


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("numeric", [False, True])
@given(data=st.data())
def test_the_trees_are_those_of_the_book(numeric: bool, data: st.DataObject) -> None:
    table = data.draw(named_tables(numeric))
    learner = CART(criterion="squared_error" if numeric else "entropy")
    with by_the_book():
        expected = learner.grow(table)
    assert learner.grow(table) == expected


def test_a_column_of_names_names_only_the_best_sets() -> None:
    """Four thousand names: all cuts of their order would hold eight million of them."""
    size = 4000
    table = Table.from_columns({"a": [f"n{row}" for row in range(size)], "y": list(range(size))}, target="y")
    counted = table.sample().partition(Multiway.on(table.schema.attribute("a")))
    [found] = promising_subsets("a", counted, "variance_reduction")
    assert found.table.rows[0][0] == size // 2


@given(table=named_tables(numeric=True), minimum=st.sampled_from([0, 1, 3]))
def test_the_least_absolute_deviations_are_those_of_the_book(table: Table, minimum: int) -> None:
    learner = CART(criterion="absolute_error", min_samples_leaf=minimum)
    with by_the_book():
        expected = to_json(learner.grow(table))
    assert to_json(learner.grow(table)) == expected


@pytest.mark.slow
def test_sixteen_values_by_absolute_deviations() -> None:
    rows = [[place % 7 == number % 7 for number in range(60)] for place in range(16)]
    found = best_by_deviations([tuple(map(int, row)) for row in rows], list(range(60)), Fraction(1))
    assert all(mask < 1 << 15 for mask in found)
    assert found == sorted(found)
