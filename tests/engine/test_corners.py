"""Corners by integers: the sets of the book, and the best of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.table import Table
from reference_tree.engine.corners import best_sets, corners
from reference_tree.learners.cart import CART
from reference_tree.splitting import corner_subsets
from reference_tree.splitting.binary_subsets import all_subsets
from reference_tree.twins import by_the_book
from tests.splitting.subsets import MEASURES, asked, partition, winners

vectors = st.integers(1, 4).flatmap(
    lambda size: st.lists(st.tuples(*[st.integers(-3, 3)] * size).filter(any), min_size=1, max_size=6)
)


def both(masks: set[int], size: int) -> set[int]:
    """The sets and their complements."""
    return masks | {mask ^ (1 << size) - 1 for mask in masks}


@given(vectors)
def test_they_are_the_sets_of_the_book(vectors: list[tuple[int, ...]]) -> None:
    textbook: Any = corner_subsets.corners.__wrapped__  # type: ignore[attr-defined]
    assert both(corners(vectors), len(vectors)) == both(textbook(vectors), len(vectors))


@pytest.mark.parametrize("measure", ["gain", "gini_decrease"])
@given(st.lists(st.tuples(*[st.integers(0, 5)] * 3).filter(any), min_size=2, max_size=6))
def test_the_best_sets_are_those_of_the_measure(measure: str, rows: list[tuple[int, int, int]]) -> None:
    table = partition(rows)
    every = list(all_subsets("x", table))
    best = winners(every, MEASURES[measure])
    expected = [mask for mask, each in enumerate(every, 1) if asked([each])[0] in best]
    found = best_sets(rows, range(1, len(every) + 1), measure)
    assert set(expected) <= set(found)
    assert found == expected or measure == "gain"


@st.composite
def named_tables(draw: st.DrawFn) -> Table:
    """Two columns of names, a number, gaps, weights, and three or four classes."""
    size = draw(st.integers(3, 20))

    def column(values: str, *others: Any) -> list[Any]:
        return draw(st.lists(st.sampled_from([*values, *others]), min_size=size, max_size=size))

    columns: dict[str, Any] = {"a": column("abcdefgh", None), "b": column("pqrs"), "y": column("klmn")}
    columns["w"] = draw(st.lists(st.sampled_from([1, 1, 2, Fraction(1, 2)]), min_size=size, max_size=size))
    columns["a"][0] = "a"
    return Table.from_columns(columns, target="y", weights="w")


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@given(table=named_tables(), minimum=st.sampled_from([1, 1, 2]))
def test_the_trees_are_those_of_the_book(criterion: Any, table: Table, minimum: int) -> None:
    learner = CART(criterion=criterion, min_samples_leaf=minimum)
    with by_the_book():
        expected = learner.grow(table)
    assert learner.grow(table) == expected
