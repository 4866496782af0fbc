"""Permuted labels: held against every permutation, and against the closed form."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.exact.log_sums import Number
from reference_tree.measures.gini_index import gini, gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.permuted_labels import (
    adjusted_gini_decrease,
    adjusted_information_gain,
    expected_gini_decrease,
    expected_information_gain,
    hypergeometric,
)
from tests import oracles, strategies
from tests.every import of_every
from tests.strategies import Partition, at_most

small = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=6)
"""Rows: an answer and a class."""


def counted(answers: Sequence[int], labels: Sequence[int]) -> Partition:
    table = [[0, 0, 0] for _ in range(3)]
    for answer, label in zip(answers, labels, strict=True):
        table[answer][label] += 1
    return table


@pytest.mark.slow
@pytest.mark.covers("N2 §2.3 remedies", "N3 Attributes with Many Values: disadvantage", "N2 §2.2 two causes")
@at_most(25)
@given(small)
def test_they_are_the_averages_over_all_permutations(rows: list[tuple[int, int]]) -> None:
    answers, labels = zip(*rows, strict=True)
    tables = [counted(answers, shuffled) for shuffled in permutations(labels)]
    gains: list[Number] = [information_gain(table) for table in tables]
    decreases: list[Number] = [gini_decrease(table) for table in tables]
    for table in tables[:2]:
        assert expected_information_gain(table) == sum(gains) / Fraction(len(tables))
        assert expected_gini_decrease(table) == sum(decreases) / Fraction(len(tables))
    assert sum(map(adjusted_information_gain, tables)) == sum(map(adjusted_gini_decrease, tables)) == 0


@pytest.mark.slow
def test_of_the_outlook_they_are_the_averages_over_all_2002_ways_to_choose_the_days_without_play() -> None:
    answers = [answer for answer, days in enumerate((4, 5, 5)) for _ in range(days)]
    chosen = [set(days) for days in combinations(range(14), 5)]
    tables = [counted(answers, [int(day in days) for day in range(14)]) for days in chosen]
    outlook = [[0, 4], [2, 3], [3, 2]]
    assert expected_gini_decrease(outlook) == sum(map(gini_decrease, tables)) / Fraction(len(tables))
    assert expected_information_gain(outlook) == sum(map(information_gain, tables)) / Fraction(len(tables))
    assert len(tables) == 2002


@given(strategies.partitions(), st.integers(0, 2))
def test_of_gini_it_is_the_value_times_the_answers_less_one_over_the_rows_less_one(
    table: Partition, empty: int
) -> None:
    assume(all(cell == int(cell) for row in table for cell in row))
    columns, answers = [sum(column) for column in zip(*table, strict=True)], sum(map(any, table))
    assume(sum(columns) > 1)
    expected = gini(columns) * Fraction(answers - 1, int(sum(columns)) - 1)
    assert expected_gini_decrease([*table, *([[0] * len(columns)] * empty)]) == expected


@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9))
def test_a_cell_holds_something(answer: int, label: int, n: int) -> None:
    assume(max(answer, label) <= n)
    chances = [hypergeometric(k, answer, label, n) for k in range(n + 1)]
    assert sum(chances) == 1
    assert sum(k * chance for k, chance in enumerate(chances)) == Fraction(answer * label, n)
    assert all(chance == hypergeometric(k, label, answer, n) for k, chance in enumerate(chances))
    assert chances[0] == Fraction(comb(n - label, answer), comb(n, answer))


@pytest.mark.covers("N2 §2.3 ID column", "N2 §2.3 remedies")
@of_every(["play-tennis-id", "watermelon-2.0-id", "loan-id", "cats-id"])
def test_a_number_of_the_row_gains_what_any_number_of_it_gains(name: str) -> None:
    table = rt.textbook(name)
    found = {a.name: oracles.crosstab(table, a.name) for a in table.schema.attributes if a.values is not None}
    numbers = next(iter(found))
    assert adjusted_information_gain(found[numbers]) == adjusted_gini_decrease(found[numbers]) == 0
    for measure, adjusted in ((information_gain, adjusted_information_gain), (gini_decrease, adjusted_gini_decrease)):
        assert max(found, key=lambda one: measure(found[one])) == numbers
        assert max(found, key=lambda one: adjusted(found[one])) != numbers


def test_rows_have_to_be_whole() -> None:
    for expected in (expected_information_gain, expected_gini_decrease):
        with pytest.raises(ValueError, match="only whole rows can be permuted, and the weights add up to 1/2, 1"):
            expected([[Fraction(1, 2), 0], [0, 1]])
        with pytest.raises(ValueError, match="positive"):
            expected([[0, 0]])
    assert expected_gini_decrease([[1, 0]]) == expected_information_gain([[1, 0]]) == 0
