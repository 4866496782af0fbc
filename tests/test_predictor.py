"""Predictors: a tree and an ensemble are asked in the same ways, and answer as they do row by row."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.bagging import Bagging
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.predictor import Predictor, mean_square, share_right, truth

DAYS = textbook("play-tennis")
PREDICTORS: list[Predictor[Any, Any]] = [
    ID3(max_depth=1).grow(DAYS),
    Bagging(base=ID3(max_depth=1), trees=3).grow(DAYS),
]
each = pytest.mark.parametrize("predictor", PREDICTORS, ids=lambda one: one.called)


@each
def test_one_row_and_many_rows_and_a_table_are_answered_alike(predictor: Predictor[Any, Any]) -> None:
    rows = list(DAYS.rows())
    assert predictor.predict(DAYS) == predictor.predict(rows) == [predictor.predict(row) for row in rows]
    assert predictor.distribution(DAYS) == [predictor.distribution(row) for row in rows]
    right = [label == row["play"] for label, row in zip(predictor.predict(rows), rows, strict=True)]
    assert predictor.accuracy(DAYS) == Fraction(sum(right), 14)


@each
def test_messages_say_who_was_asked(predictor: Predictor[Any, Any]) -> None:
    with pytest.raises(InputError, match=f"the {predictor.called} predicts play, but the target is species"):
        predictor.accuracy(textbook("iris"))
    with pytest.raises(InputError, match=f"the {predictor.called} predicts a class, play: ask for its accuracy"):
        predictor.mean_squared_error(DAYS)
    numbers = textbook("iris").predicting("sepal width")
    regression = CART(max_depth=1).grow(numbers)
    with pytest.raises(InputError, match="the tree predicts a number, sepal width, and has no P"):
        regression.distribution(next(numbers.rows()))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 4)), min_size=1, max_size=12))
def test_figures_are_those_of_the_rows_one_by_one(rows: list[tuple[int, int, int]]) -> None:
    answers, truths, weights = map(list, zip(*rows, strict=True))
    whole = sum(weights)
    assert share_right(answers, truths, weights) == Fraction(sum(w for a, t, w in rows if a == t), whole)
    assert mean_square(answers, truths, weights) == Fraction(sum(w * (a - t) ** 2 for a, t, w in rows), whole)


def test_the_truth_is_the_target_of_each_row() -> None:
    assert truth(DAYS) == [row["play"] for row in DAYS.rows()]
    numbers = textbook("iris").predicting("sepal width")
    assert truth(numbers) == [row["sepal width"] for row in numbers.rows()]
