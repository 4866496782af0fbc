"""Corners: every winner of all sets is the side of a plane, ties included."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_tree.measures.twoing import twoing
from reference_tree.splitting.binary_subsets import LIMIT, all_subsets
from reference_tree.splitting.corner_subsets import corner_subsets, corners, corners_hold, steps
from reference_tree.splitting.ordered_subsets import ordered_subsets, subset_splits
from tests.splitting.subsets import MEASURES, Rows, asked, many, partition, winners

SCORES: dict[str, Any] = {**MEASURES, "twoing": lambda found: twoing(found.rows)}

counts = st.one_of(st.integers(0, 2), st.integers(0, 30), st.fractions(0, 2, max_denominator=3))


@st.composite
def several_classes(draw: st.DrawFn) -> Rows:
    classes = draw(st.integers(3, 5))
    row = st.lists(counts, min_size=classes, max_size=classes).filter(any)
    return draw(st.lists(row, min_size=2, max_size=6))


@pytest.mark.parametrize("measure", SCORES)
@given(rows=several_classes())
def test_every_winner_is_a_corner(measure: str, rows: Rows) -> None:
    table, score = partition(rows), SCORES[measure]
    assert winners(corner_subsets("x", table), score) == winners(all_subsets("x", table), score)


@pytest.mark.slow
@pytest.mark.parametrize("measure", SCORES)
@given(rows=several_classes().filter(lambda rows: all(sum(row) >= 1 for row in rows)))
def test_a_learner_that_asks_them_loses_no_winner(measure: str, rows: Rows) -> None:
    table, score = partition(rows), SCORES[measure]
    assert winners(subset_splits("x", table, measure), score) == winners(all_subsets("x", table), score)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(any), min_size=2, max_size=7))
def test_of_two_classes_they_are_the_cuts_of_the_order(rows: list[tuple[int, int]]) -> None:
    table = partition(rows)
    assume(len({Fraction(row[0], sum(row)) for row in rows}) > 1)
    assert asked(corner_subsets("x", table)) == asked(ordered_subsets("x", table, "gain"))


def sides(vectors: Sequence[Sequence[int]]) -> set[int]:
    """By brute force: the sides of planes whose normals lie on a fine grid."""
    found = set()
    for normal in product(range(-9, 10), repeat=len(vectors[0])):
        values = [sum(u * c for u, c in zip(normal, vector, strict=True)) for vector in vectors]
        if all(values):
            found.add(sum(1 << place for place, value in enumerate(values) if value > 0))
    return found


@given(st.lists(st.tuples(*[st.integers(-2, 2)] * 3).filter(any), min_size=1, max_size=4))
def test_they_are_the_sides_of_planes(vectors: list[tuple[int, int, int]]) -> None:
    """With numbers this small a grid of normals meets every side."""
    everything = (1 << len(vectors)) - 1
    found = corners(vectors)
    assert {*found, *(mask ^ everything for mask in found)} == sides(vectors)


@pytest.mark.parametrize(("values", "classes"), [(6, 3), (7, 3), (6, 4)])
def test_in_general_position_there_are_as_many_as_cover_counted(values: int, classes: int) -> None:
    vectors = [tuple(n**power for power in range(classes)) for n in range(1, values + 1)]
    ways = [1]
    for place in range(1, values):  # Pascal's triangle
        ways = [a + b for a, b in zip([*ways, 0], [0, *ways], strict=True)]
        assert len(ways) == place + 1
    everything = (1 << values) - 1
    found = corners(vectors)
    assert len({min(mask, mask ^ everything) for mask in found}) == sum(ways[:classes])


def test_forty_values_of_three_classes_are_answered() -> None:
    table = partition([(n % 7, n * n % 11, n % 5 + 1) for n in range(40)])
    assert corners_hold(table, "gini_decrease")
    found = list(corner_subsets("x", table))
    assert LIMIT < len(found) <= 780
    best = max(MEASURES["gini_decrease"](each.table) for each in found)
    assert best > max(MEASURES["gini_decrease"](each.table) for each in ordered_subsets("x", table, "gain"))


def test_equal_shares_are_all_sets_or_beyond_the_limit_one_for_each_value() -> None:
    assert len(list(corner_subsets("x", many(4, [[1, 2, 1]])))) == 7
    assert len(list(corner_subsets("x", many(LIMIT + 1, [[1, 2, 1]])))) == LIMIT + 1


def test_where_they_do_not_hold() -> None:
    table = partition([(1, n, 2) for n in range(LIMIT + 4)])
    assert corners_hold(table, "gain")
    assert not corners_hold(table, "misclassification_decrease")
    assert not corners_hold(table, "gain", minimum=4)


def test_all_sets_are_fewer_steps_where_classes_are_many() -> None:
    assert steps(8, 8) > 2**7
    assert not corners_hold(partition([[int(a == b) + 1 for b in range(8)] for a in range(8)]), "gain")
