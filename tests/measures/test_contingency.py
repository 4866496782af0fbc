"""Contingency tables: against counting row by row, and against scikit-learn."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.measures.contingency import Contingency
from tests.strategies import fractions

CLASSES = ("a", "b", "c")
weights = fractions(min_value=Fraction(1, 9), max_value=9, max_denominator=9)
labelled = st.lists(st.tuples(st.sampled_from(CLASSES), st.sampled_from(CLASSES), weights), min_size=1, max_size=20)
numbers = fractions(min_value=-9, max_value=9, max_denominator=7)
numbered = st.lists(st.tuples(numbers, numbers, weights), min_size=1, max_size=20)


def weighted(rows: list[tuple[str, str, Fraction]]) -> Contingency:
    truths, answers, weight = zip(*rows, strict=True)
    return Contingency.of(truths, answers, weight, CLASSES)


@given(labelled)
def test_classes_are_counted_row_by_row(rows: list[tuple[str, str, Fraction]]) -> None:
    found = weighted(rows)
    right = [weight for truth, answer, weight in rows if truth == answer]
    assert found.accuracy == Fraction(sum(right)) / sum(weight for *_, weight in rows)
    for truth, line in zip(CLASSES, found.confusion, strict=True):
        for answer, count in zip(CLASSES, line, strict=True):
            assert count == sum(weight for y, predicted, weight in rows if (y, predicted) == (truth, answer))


@given(labelled)
def test_the_tables_of_parts_add_up(rows: list[tuple[str, str, Fraction]]) -> None:
    parts = [weighted([row]) for row in rows]
    assert reduce(add, parts) == weighted(rows)
    assert parts[0].total == rows[0][2], "adding changes none of them"


@pytest.mark.slow
@given(numbered)
def test_errors_are_summed_row_by_row(rows: list[tuple[Fraction, Fraction, Fraction]]) -> None:
    truths, answers, weight = zip(*rows, strict=True)
    found, total = Contingency.of(truths, answers, weight), sum(weight)
    assert found.mean_squared_error == sum(w * (y - predicted) ** 2 for y, predicted, w in rows) / total
    assert found.mean_absolute_error == sum(w * abs(y - predicted) for y, predicted, w in rows) / total
    mean = sum(w * y for y, _, w in rows) / total
    around = sum(w * (y - mean) ** 2 for y, _, w in rows)
    left = sum(w * (y - predicted) ** 2 for y, predicted, w in rows)
    assert found.determination == (1 - left / around if around else int(not left))


def test_scikit_learn_finds_the_same() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    truths, answers, weight = [3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0], [1, 2, 3, 4]
    found = Contingency.of(list(map(Fraction, truths)), list(map(Fraction, answers)), weight)
    for figure, theirs in (
        (found.mean_squared_error, metrics.mean_squared_error),
        (found.mean_absolute_error, metrics.mean_absolute_error),
        (found.determination, metrics.r2_score),
    ):
        assert float(figure) == pytest.approx(theirs(truths, answers, sample_weight=weight))


def test_a_line_says_what_it_is() -> None:
    assert repr(Contingency.of("ab", "ab", None, ("a", "b"))) == "<Contingency: 2 rows by weight, accuracy 1>"
    numbers = Contingency.of([1, 2], [1, 1])
    assert repr(numbers) == "<Contingency: 2 rows by weight, mean squared error 1/2>"
    with pytest.raises(ValueError, match="numbers have no confusion"):
        _ = numbers.confusion
    with pytest.raises(ValueError, match="shorter"):
        Contingency.of([1, 2], [1])
    with pytest.raises(ValueError, match="shorter"):
        Contingency.of([1, 2], [1, 2], [1])
