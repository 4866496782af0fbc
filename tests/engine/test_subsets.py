"""Corners by integers: the sets of the book, and the best of them."""

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
from reference_tree.engine.subsets import best_by_deviations, best_sets, corners, promising_subsets
from reference_tree.exact.choosing import best
from reference_tree.learners.cart import CART
from reference_tree.splitting import corner_subsets
from reference_tree.splitting.binary_subsets import Grouping, all_subsets
from reference_tree.splitting.candidate import MEASURES as SCORES
from reference_tree.splitting.ordered_subsets import subset_splits
from reference_tree.twins import by_the_book
from tests import strategies
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


CLASSES = ["gain", "gini_decrease"]


@st.composite
def tables_of_categories(draw: st.DrawFn, numeric: bool) -> Table:
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


def best_groupings(found: Sequence[Grouping], measure: str) -> list[Grouping]:
    """The questions of largest score."""
    return best(found, lambda one: SCORES[measure](one.table))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("measure", [*CLASSES, "variance_reduction"])
@given(data=st.data(), minimum=st.sampled_from([0, 1, 2]))
def test_the_winners_are_those_of_the_book(measure: str, data: st.DataObject, minimum: int) -> None:
    table = data.draw(tables_of_categories(numeric=measure not in CLASSES))
    sample = table.sample()
    counted = sample.partition(Multiway.on(table.schema.attribute("a")))
    every = list(subset_splits("a", counted, measure, minimum))
    found = list(promising_subsets("a", counted, measure, minimum))
    assert {one.test for one in found} <= {one.test for one in every}
    assert best_groupings(found, measure) == best_groupings(every, measure)


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("numeric", [False, True])
@given(data=st.data())
def test_trees_of_subsets_are_those_of_the_book(numeric: bool, data: st.DataObject) -> None:
    table = data.draw(tables_of_categories(numeric))
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


@given(table=tables_of_categories(numeric=True), minimum=st.sampled_from([0, 1, 3]))
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
