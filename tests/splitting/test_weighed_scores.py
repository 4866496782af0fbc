"""Scores of cuts of rows of different weights: held against the exact score of every cut."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_tree.splitting.cut_scores import Scores
from reference_tree.splitting.weighed_scores import (
    estimated,
    shortened,
    weighed_gain,
    weighed_gini,
    weighed_squares,
)

from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.variance import variance_reduction
from tests import oracles

weights = st.one_of(st.integers(1, 9), st.integers(1, 2**70), st.integers(2**300, 2**301))
rows = st.lists(st.tuples(st.integers(0, 2), weights), min_size=2, max_size=14)
MEASURES: dict[str, Any] = {"gain": (weighed_gain, information_gain), "gini": (weighed_gini, gini_decrease)}


def check(scores: Scores, exact: list[Any]) -> None:
    top, bottom = scores.rate
    with mpmath.workdps(oracles.DIGITS):
        for estimate, number in zip(scores.estimates, exact, strict=True):
            assert oracles.real((estimate - scores.slack) * Fraction(top, bottom)) <= number * 2**32
            assert number * 2**32 <= oracles.real((estimate + scores.slack) * Fraction(top, bottom))


@pytest.mark.parametrize("measure", MEASURES)
@given(rows, st.data())
def test_an_estimate_is_off_by_no_more_than_it_says(
    measure: str, rows: list[tuple[int, int]], data: st.DataObject
) -> None:
    estimate, exactly = MEASURES[measure]
    labels, weights = zip(*rows, strict=True)
    flags = bytes(data.draw(st.lists(st.integers(0, 1), min_size=len(rows) - 1, max_size=len(rows) - 1)))
    scores = estimate(labels, weights, 3, flags)
    exact = []
    for place in scores.places:
        sides = [[sum(w for label, w in side if label == j) for j in range(3)] for side in (rows[:place], rows[place:])]
        with mpmath.workdps(oracles.DIGITS):
            exact.append(sum(weights) * oracles.exact_value(exactly(sides)))
    check(scores, exact)


@given(st.lists(st.tuples(st.one_of(st.integers(-9, 9), st.integers(-(2**60), 2**60)), weights), min_size=2))
def test_squares(rows: list[tuple[int, int]]) -> None:
    numbers, weights = zip(*rows, strict=True)
    scores = weighed_squares(numbers, weights, b"\1" * (len(rows) - 1))
    exact = []
    for place in range(1, len(rows)):
        sides = [
            (sum(w for _, w in side), sum(w * y for y, w in side), sum(w * y * y for y, w in side))
            for side in (rows[:place], rows[place:])
        ]
        with mpmath.workdps(oracles.DIGITS):
            exact.append(oracles.real(sum(weights) * variance_reduction(sides)))  # type: ignore[arg-type]
    check(scores, exact)


@pytest.mark.parametrize("length", [61, 64, 80, 500])
def test_weights_that_had_to_be_cut(length: int) -> None:
    chance = random.Random(length)
    for _ in range(20):
        rows = [(chance.randrange(2), chance.getrandbits(length) | 1) for _ in range(9)]
        labels, weights = zip(*rows, strict=True)
        for estimate, exactly in MEASURES.values():
            scores = estimate(labels, weights, 2, b"\1" * 8)
            sides = [[rows[:place], rows[place:]] for place in range(1, 9)]
            tables = [[[sum(w for y, w in side if y == j) for j in range(2)] for side in two] for two in sides]
            with mpmath.workdps(oracles.DIGITS):
                check(scores, [sum(weights) * oracles.exact_value(exactly(table)) for table in tables])


def test_equal_weights_are_judged_well_however_long() -> None:
    """The slack is small beside the scores, or all cuts would be finalists."""
    labels = [0] * 30 + [1] * 30
    for weight in (1, 10**9, 3**4000):
        scores = weighed_gain(labels, [weight] * 60, 2, b"\1" * 59)
        assert scores.near_best() == [30]
        assert weighed_gini(labels, [weight] * 60, 2, b"\1" * 59).near_best() == [30]
        assert weighed_squares(labels, [weight] * 60, b"\1" * 59).near_best() == [30]


@pytest.mark.parametrize("n", [0, 1, 2, 4095, 8191, 8192, 8193, 2**37 - 1, 2**37, 3**90, 2**200 - 1])
def test_a_long_term_from_below(n: int) -> None:
    with mpmath.workdps(oracles.DIGITS):
        exact = n * mpmath.log(n, 2) * 2**32 if n else mpmath.mpf(0)
        assert estimated(n) <= exact + mpmath.mpf(10) ** -100
        assert exact < estimated(n) + (2 if n < 2**13 else n * 2**7)


def test_long_terms_at_random() -> None:
    chance = random.Random(3)
    for _ in range(200):
        test_a_long_term_from_below(chance.getrandbits(chance.randint(13, 120)))


@given(st.lists(st.integers(1, 2**80), min_size=1, max_size=8))
def test_shortened_weights(weights: list[int]) -> None:
    short, shift = shortened(weights)
    assert sum(short) < 2**60
    assert all(a << shift <= w < (a + 1) << shift for a, w in zip(short, weights, strict=True))
    assert shift == 0 or sum(weights) >= 2**60
