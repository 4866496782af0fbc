"""Choosing: against brute force, in whole numbers."""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from fractions import Fraction
from threading import Thread
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact import choosing
from reference_tree.exact.choosing import (
    ESTIMATE_BITS,
    LIMIT,
    Bounds,
    best,
    mixture,
    multiset,
    n_log_n,
    n_log_n_table,
    near_best,
)
from reference_tree.exact.log_sums import log
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gini_index import gini
from reference_tree.measures.information_gain import information_gain
from tests import oracles

scores = st.lists(st.integers(0, 5), max_size=12)


@given(scores)
def test_the_best_are_all_the_maxima_in_their_order(scores: list[int]) -> None:
    found = best(enumerate(scores), lambda item: item[1] * log(3))
    assert found == [(place, score) for place, score in enumerate(scores) if score == max(scores)]


@given(st.lists(st.fractions(Fraction(1, 9), 9, max_denominator=9), min_size=1, max_size=8), st.integers(1, 4))
def test_the_best_of_numbers_that_are_equal_in_value_alone(values: list[Fraction], power: int) -> None:
    """The same logarithm stands in three forms."""
    forms = [log(value) for value in values] + [log(value**power) / power for value in values]
    found = best(range(len(forms)), forms.__getitem__)
    most = max(values)
    assert found == [place for place in range(len(forms)) if values[place % len(values)] == most]


@given(scores, st.integers(1, 3))
def test_equals_by_signature_cost_one_score(scores: list[int], modulus: int) -> None:
    """Scores that are a function of the signature: asked once each, and none at all if there is but one signature."""
    asked: list[int] = []

    def score(item: int) -> int:
        asked.append(item % modulus)
        return item % modulus

    found = best(scores, score, signature=lambda item: item % modulus)
    most = max((item % modulus for item in scores), default=None)
    assert found == [item for item in scores if item % modulus == most]
    assert len(asked) == len(set(asked))
    assert len(asked) == (len({item % modulus for item in scores}) if len({i % modulus for i in scores}) > 1 else 0)


def test_the_best_of_none_are_none() -> None:
    assert best([], lambda item: 1 / 0) == []
    assert near_best([], lambda item: Bounds(0, 1)) == []
    assert best(["only"], lambda item: 1 / 0) == ["only"]


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(0, 8), st.integers(1, 8)), max_size=12))
def test_estimates_never_drop_a_maximum(items: list[tuple[int, int, int]]) -> None:
    """With any low ≤ score < high: what is dropped is worse than something that is kept."""
    kept = near_best(items, lambda item: Bounds(item[0] - item[1], item[0] + item[2]))
    most = max((score for score, *_ in items), default=None)
    assert [item for item in items if item[0] == most] == [item for item in kept if item[0] == most]
    assert all(item[0] < most for item in items if item not in kept)  # type: ignore[operator]
    assert kept == [item for item in items if item in kept]


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=9))
def test_sharp_estimates_keep_maxima_alone(scores: list[int]) -> None:
    assert near_best(scores, lambda score: Bounds(score, score + 1)) == [s for s in scores if s == max(scores)]


@pytest.mark.parametrize("n", [*range(70), 255, 256, 99_999, 10**6 - 1, LIMIT - 1, LIMIT, 2**40, 2**40 + 1, 3**80])
def test_n_log_n_from_below(n: int) -> None:
    with mpmath.workdps(oracles.DIGITS):
        exact = n * mpmath.log(n, 2) * 2**ESTIMATE_BITS if n else mpmath.mpf(0)
        assert n_log_n(n) <= exact + mpmath.mpf(10) ** -100
        assert exact < n_log_n(n) + 2


def test_n_log_n_of_long_numbers() -> None:
    chance = random.Random(1)
    for _ in range(60):
        test_n_log_n_from_below(chance.getrandbits(chance.randint(8, 400)))


def test_n_log_n_of_every_small_number() -> None:
    for n in range(1, 3000):
        test_n_log_n_from_below(n)


def test_n_log_n_of_powers_of_2_is_exact() -> None:
    assert [n_log_n(2**k) for k in range(60)] == [(k * 2**k) << ESTIMATE_BITS for k in range(60)]


@given(st.data())
def test_equal_signatures_have_equal_gains(data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=2, max_size=4).filter(any))
    chance: Any = data.draw(st.randoms(use_true_random=False))
    rows = [row for row in rows if any(row)] or [[1, 0, 0]]
    other = [chance.sample(row, len(row)) for row in chance.sample(rows, len(rows))]
    assert multiset(other) == multiset(rows)
    conditional = [math.prod(c**c for c in row) for row in rows]
    assert sorted(conditional) == sorted(math.prod(c**c for c in row) for row in other)
    if [sum(c) for c in zip(*other, strict=True)] == [sum(c) for c in zip(*rows, strict=True)]:
        assert information_gain(other) == information_gain(rows)


@given(st.lists(st.integers(0, 3), min_size=6, max_size=6), st.randoms(use_true_random=False))
def test_signatures_are_equal_for_equal_rows_alone(cells: list[int], chance: Any) -> None:
    """Not for equal cells in other rows: (1, 0), (3, 2) gains more than (1, 2), (3, 0)."""
    tables = [[row[:2], row[2:4], row[4:]] for row in (cells, chance.sample(cells, 6))]
    rows = [Counter(frozenset(Counter(row).items()) for row in table) for table in tables]
    assert (multiset(tables[0]) == multiset(tables[1])) == (rows[0] == rows[1])
    assert multiset([[1, 0], [3, 2]]) != multiset([[1, 2], [3, 0]])


rows_of_cells = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=4)


@given(rows_of_cells, rows_of_cells)
def test_partitions_of_one_mixture_gain_the_same(one: list[list[int]], other: list[list[int]]) -> None:
    """Of one sample: the weighted impurities of the rows add up to the same."""
    if mixture(one) == mixture(other):
        mixed = [[row for row in table if any(row)] for table in (one, other)]
        for impurity in (entropy, gini):
            left, right = (sum(sum(row) * impurity(row) for row in table) for table in mixed)
            assert left == right


@given(rows_of_cells, st.randoms(use_true_random=False), st.sampled_from([1, Fraction(1, 3), Fraction(5, 2)]))
def test_a_mixture_depends_on_no_order_and_no_pure_row(rows: list[list[int]], chance: Any, factor: Any) -> None:
    shuffled = [chance.sample(row, len(row)) for row in chance.sample(rows, len(rows))] + [[0, 7, 0], [0, 0, 0]]
    assert mixture(shuffled) == mixture(rows)
    scaled = [[cell * factor for cell in row] for row in rows]
    assert mixture(scaled) == frozenset((kind, often * factor) for kind, often in mixture(rows))  # type: ignore[attr-defined]
    halves = [[Fraction(cell, 2) for cell in row] for row in rows for _ in range(2)]
    assert mixture(halves) == mixture(rows)


def test_the_mixtures_of_a_teaching_example() -> None:
    """Tables that gain the same without sharing a mixture are left to exact arithmetic."""
    assert mixture([(1, 1), (2, 0)]) == mixture([(1, 1), (1, 0), (1, 0)])
    assert mixture([(0, 3), (3, 4)]) != mixture([(1, 6), (2, 1)])


def test_the_table_does_not_depend_on_how_it_grew() -> None:
    assert n_log_n_table(300) == [n_log_n(n) for n in range(301)]
    assert n_log_n_table(3) == [n_log_n(n) for n in range(4)]
    assert LIMIT > len(n_log_n_table(10**4)) == 10**4 + 1


def test_the_table_is_lengthened_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    before = choosing.n_log_n_table(5000)
    monkeypatch.setattr(choosing, "_logs", [0, 0])
    monkeypatch.setattr(choosing, "_terms", [0, 0])
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [Thread(target=choosing.n_log_n, args=(n,)) for n in (2500, 2400, 2300, 2450)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert choosing.n_log_n_table(5000) == before
