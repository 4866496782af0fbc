"""Rows that do not answer, counted in: as SimpleCart and scikit-learn judge a question."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Missing, Subset, Threshold
from reference_tree.data.sample import Partition
from reference_tree.data.table import Table
from reference_tree.dialects.counted_in import better_side, spread
from reference_tree.learners.cart import CART
from reference_tree.measures.gini_index import gini_decrease
from tests import strategies

GAPS = Table.from_columns(
    {
        "x": [1, 1, 1, 2, 2, 2, 2, None],
        "z": [5, 5, 5, 7, 7, 7, 5, 5],
        "y": ["no", "no", "no", "yes", "yes", "yes", "yes", "no"],
    },
    categorical=["y"],
)

rows = strategies.partitions(rows=3).filter(lambda table: sum(1 for row in table if any(row)) > 1)


def table_of(rows: list[list[Any]], lost: list[int]) -> Partition:
    return Partition((), tuple(map(tuple, rows)), tuple(lost[: len(rows[0])]))


def choose(tables: Sequence[Partition]) -> Partition:
    return max(tables, key=lambda table: gini_decrease(table.rows))  # the first of equals


def test_a_row_that_is_spread_goes_down_every_branch() -> None:
    tree = CART(missing="spread").grow(GAPS.without(["z"]))
    assert tree.nodes[0].test == Threshold("x", Fraction(3, 2), (1, 2))
    below = [tree.nodes[branch].counts for branch in tree.nodes[0].branches]
    assert below == [(3 + Fraction(3, 7), 0), (Fraction(4, 7), 4)]


def test_the_better_side_is_the_one_for_which_the_question_is_worth_more() -> None:
    decision = CART(missing="better-side").decide(GAPS.sample())
    assert (decision.missing.to, decision.chosen and decision.chosen.scores["gini_decrease"]) == (0, Fraction(1, 2))


def test_where_all_answer_the_better_side_is_the_larger_branch() -> None:
    table = Table.from_columns({"x": [1, 2, 2], "y": list("nyy")})
    assert CART(missing="better-side").decide(table.sample()).missing == Missing(to=1)


@given(rows, st.lists(st.integers(0, 5), min_size=4, max_size=4))
def test_what_is_spread_is_divided_by_shares(rows: list[list[int]], lost: list[int]) -> None:
    table = table_of(rows, lost)
    found = spread(table, choose, sum, 0)
    n = sum(map(sum, rows))
    for row, its in zip(found.rows, rows, strict=True):
        assert list(row) == [cell + Fraction(sum(its), n) * gone for cell, gone in zip(its, table.unknown, strict=True)]
    assert not any(found.unknown)


@given(rows, st.lists(st.integers(0, 5), min_size=4, max_size=4))
def test_no_branch_is_better_than_the_better_side(rows: list[list[int]], lost: list[int]) -> None:
    table = table_of(rows, lost)
    joined = [
        [
            [c + gone for c, gone in zip(row, table.unknown, strict=True)] if at == branch else row
            for at, row in enumerate(rows)
        ]
        for branch in range(len(rows))
    ]
    found = better_side(table, choose, sum, 0)
    assert gini_decrease(found.rows) == max(map(gini_decrease, joined))
    equals = [one for one in joined if gini_decrease(one) == gini_decrease(found.rows)]
    assert [list(row) for row in found.rows] == equals[-1]


@given(rows, st.lists(st.integers(0, 5), min_size=4, max_size=4), st.integers(1, 6))
def test_a_side_that_is_too_small_is_no_choice_while_there_is_another(
    rows: list[list[int]], lost: list[int], minimum: int
) -> None:
    table = table_of(rows, lost)
    sides = [
        [
            [c + gone for c, gone in zip(row, table.unknown, strict=True)] if at == branch else row
            for at, row in enumerate(rows)
        ]
        for branch in range(len(rows))
    ]
    fit = [side for side in sides if not any(0 < sum(row) < minimum for row in side)] or sides
    found = better_side(table, choose, sum, minimum)
    assert [list(row) for row in found.rows] in fit
    assert gini_decrease(found.rows) == max(map(gini_decrease, fit))


@pytest.mark.parametrize(
    ("a", "y", "question", "decrease"),
    [  # as scikit-learn 1.9 decides them
        ([None, 0, None, 1, 0], "qppqq", "a<=0.5", Fraction(1, 75)),
        ([4, 4, None, 3, None, 1, 2], "qpqppqp", "a<=1.5", Fraction(25, 294)),
    ],
)
def test_the_minimum_has_its_say_in_the_choice_of_a_side(a: list[Any], y: str, question: str, decrease: Any) -> None:
    table = Table.from_columns({"a": a, "y": list(y)})
    decision = CART.like("scikit-learn", min_samples_leaf=2).decide(table.sample())
    assert decision.chosen is not None
    assert (decision.chosen.test.name, decision.chosen.scores["gini_decrease"]) == (question, decrease)


def test_subsets_are_not_cut_from_an_order_where_unknown_rows_are_counted_in() -> None:
    """The best set, given that all rows without an answer go to one side, is no cut of the order of the shares."""
    columns: dict[str, list[Any]] = {
        "a": ["p"] * 4 + ["q"] * 4 + ["r"] * 4 + [None] * 4,
        "y": list("nnny") + list("nnyy") + list("nyyy") + list("nnnn"),
    }
    decision = CART(missing="better-side").decide(Table.from_columns(columns).sample())
    assert {c.test for c in decision.candidates} == {Subset("a", ("p",)), Subset("a", ("q",)), Subset("a", ("p", "q"))}


def test_a_question_of_which_no_side_is_large_enough_is_barred() -> None:
    cells: dict[str, list[Any]] = {
        "a": ["p", "q", "q", None],
        "w": [Fraction(1, 2), 1, 1, Fraction(1, 4)],
        "y": [1, 2, 4, 3],
    }
    table = Table.from_columns(cells, weights="w", categorical=["a"])
    learner = CART.with_options(criterion="variance_n_minus_1", missing="better-side")
    assert learner.grow(table).nodes[0].stop == "min-samples-leaf"
