"""Weights of rows and of classes: an audit takes those that a tree was grown with, and says what it assumes."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing.claims import agrees, drawn_rows
from reference_tree.data.errors import InputError
from reference_tree.programs.scikit_learn.members import BALANCED, BALANCED_SUBSAMPLE
from reference_tree.programs.scikit_learn.objects import DRAWN, OF_ROWS, SUMMED
from reference_tree.programs.scikit_learn.row_weights import UNWEIGHTED, by_class

TABLE = rt.Table.from_columns({"x": [1, 2, 3], "w": [2, 1, 1], "y": ["n", "p", "p"]}, target="y", weights="w")


def weights(table: rt.Table) -> list[float]:
    return list(map(float, table.weighted()))


@pytest.mark.parametrize(
    ("rule", "stated", "drawn", "right"),
    [
        (OF_ROWS, None, None, [2, 1, 1]),
        (OF_ROWS, BALANCED, None, [3, 0.75, 0.75]),  # 3 rows: 3/(2·1) and 3/(2·2), times the weights
        (SUMMED, BALANCED, None, [2, 1, 1]),  # the weights add up to 4: 4/(2·2) for either class
        (OF_ROWS, {"n": 2, "p": 1}, [1, 0, 2], [4, 2]),
        (OF_ROWS, BALANCED_SUBSAMPLE, [1, 0, 2], [3, 1.5]),
        (DRAWN, BALANCED, [1, 0, 2], [1, 2]),  # the chance of the draw, and no weight
        (DRAWN, BALANCED_SUBSAMPLE, [1, 0, 2], [1.5, 1.5]),
        (DRAWN, None, None, [1, 1, 1]),
    ],
)
def test_what_a_row_weighs_follows_from_what_is_stated(rule: str, stated: Any, drawn: Any, right: list[float]) -> None:
    tree = rt.CART().grow(TABLE)
    found = drawn_rows(TABLE, tree, drawn, {"class_weight": stated, "row_weights": rule})
    if found.assumed:  # the root of this tree is that of the weights alone
        assert rule == OF_ROWS
        return
    assert weights(found.table) == right


def test_balanced_classes_are_counted_by_the_rows_that_are_given() -> None:
    assert weights(by_class(TABLE, BALANCED, TABLE)) == [2, 1, 1]
    with pytest.raises(InputError, match="the weights of the classes are not stated as they should be"):
        by_class(TABLE, {"n": "much"}, TABLE)


@pytest.mark.parametrize("criterion", ["absolute_error", "squared_error"])
def test_weights_of_mean_one_are_told_from_none(criterion: Any) -> None:
    """By the error of the root, where its weight is that of the rows: 60 tables."""
    chance, told = Random(3), 0
    for _ in range(60):
        count = chance.randrange(3, 9)
        w: list[Fraction] = [
            chance.choice([Fraction(1, 2), Fraction(3, 2), Fraction(5, 4), Fraction(1)]) for _ in range(count - 1)
        ]
        w.append(Fraction(count - sum(w)))
        if w[-1] <= 0:
            continue
        y, x = [chance.randrange(9) for _ in w], [chance.choice("abc") for _ in w]
        table = rt.Table.from_columns({"x": x, "w": w, "y": y}, target="y", weights="w", continuous=["y"])
        tree = rt.CART(criterion=criterion).grow(table)
        found = rt.audit(tree, table)
        assert found.is_right, found
        assert UNWEIGHTED not in found.summary
        told += 1
    assert told > 30


def test_a_tree_grown_without_the_weights_is_judged_without_them_and_the_answer_says_so() -> None:
    tree = rt.CART().grow(rt.Table.from_columns({"x": [1, 2, 3], "y": ["n", "p", "p"]}))
    found = rt.audit(tree, TABLE)
    assert found.is_right
    assert UNWEIGHTED in found.summary
    assert agrees(rt.CART().grow(TABLE), TABLE)
    assert not agrees(tree, TABLE)


def test_wrong_counts_are_no_weights() -> None:
    """A root that agrees with neither is judged by the weights."""
    tree = rt.CART().grow(rt.Table.from_columns({"x": [1, 2, 3, 4], "y": ["n", "p", "p", "p"]}))
    found = rt.audit(tree, TABLE)
    assert not found.is_right
    assert UNWEIGHTED not in found.summary
