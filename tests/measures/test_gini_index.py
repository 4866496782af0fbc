"""Gini: its laws, the draws that it is the chance of, and the figures of the books."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.textbook import textbook
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rounding import decimal
from reference_tree.measures.conditional_entropy import by_class
from reference_tree.measures.gini_index import binary_gini_index, gini, gini_decrease, gini_index
from reference_tree.measures.variance import moments, variance, variance_reduction
from tests import oracles, strategies
from tests.every import of_every
from tests.laws import DecreaseLaws, ImpurityLaws
from tests.strategies import Counts, Partition


class TestGiniLaws(ImpurityLaws):
    impurity = staticmethod(gini)

    def largest(self, k: int) -> Number:
        return 1 - Fraction(1, k)


class TestGiniDecreaseLaws(DecreaseLaws):
    decrease = staticmethod(gini_decrease)
    impurity = staticmethod(gini)


def disagreement(labels: list[int]) -> Fraction:
    """How many of all pairs of draws, with replacement, disagree."""
    return Fraction(sum(a != b for a, b in product(labels, repeat=2)), len(labels) ** 2)


@pytest.mark.covers("N2 §2.3 two draws", "N2 §2.3 Gini")
@given(strategies.counts(cells=st.integers(0, 6)))
def test_it_is_the_chance_that_two_draws_disagree(counts: list[int]) -> None:
    assert gini(counts) == disagreement([label for label, count in enumerate(counts) for _ in range(count)])


@pytest.mark.covers("N2 §2.3 Gini_index")
@given(strategies.partitions(cells=st.integers(0, 4)))
def test_the_index_is_that_chance_inside_the_part_a_row_is_in(table: list[list[int]]) -> None:
    parts = [[label for label, count in enumerate(row) for _ in range(count)] for row in table]
    n = sum(map(len, parts))
    assert gini_index(table) == sum(Fraction(len(part), n) * disagreement(part) for part in parts if part)


@given(strategies.partitions(rows=5), st.data())
def test_one_answer_against_the_rest(table: Partition, data: st.DataObject) -> None:
    if len(table) > 1:
        alone = data.draw(st.integers(0, len(table) - 1))
        rest = by_class([row for place, row in enumerate(table) if place != alone])
        assert binary_gini_index(table, alone) == gini_index([rest, table[alone]])
        assert gini_index(table) <= binary_gini_index(table, alone) <= gini(by_class(table))


@given(strategies.fractional_counts)
def test_it_is_a_fraction(counts: Counts) -> None:
    assert isinstance(gini(counts), Fraction)


MULTIWAY = {
    "play-tennis": {"outlook": "0.342857", "temperature": "0.440476", "humidity": "0.367347", "wind": "0.428571"},
    "watermelon-2.0": {"纹理": "0.277124"},
}

BINARY = {  # a book's 0.27 is 0.266667 here
    ("play-tennis", "outlook", "overcast"): "0.357143",
    ("loan", "年龄", "青年"): "0.440000",
    ("loan", "年龄", "中年"): "0.480000",
    ("loan", "年龄", "老年"): "0.440000",
    ("loan", "有工作", "是"): "0.320000",
    ("loan", "有自己的房子", "是"): "0.266667",
    ("loan", "信贷情况", "非常好"): "0.363636",
    ("loan", "信贷情况", "好"): "0.474074",
    ("loan", "信贷情况", "一般"): "0.320000",
    ("watermelon-2.0", "色泽", "浅白"): "0.437255",  # a companion prints 0.426
}


@pytest.mark.parametrize("name", MULTIWAY)
def test_the_index_of_the_books(name: str) -> None:
    found = {a: decimal(gini_index(oracles.crosstab(textbook(name), a))) for a in MULTIWAY[name]}
    assert found == MULTIWAY[name]


@of_every(BINARY)
def test_the_binary_index_of_the_books(name: str, attribute: str, value: str) -> None:
    table = textbook(name)
    place = table.schema.attribute(attribute).domain.index(value)
    assert decimal(binary_gini_index(oracles.crosstab(table, attribute), place)) == BINARY[name, attribute, value]


def test_the_sample_of_play_tennis() -> None:
    assert decimal(gini([9, 5])) == "0.459184"


# ------------------------------------------------------------------------------------------------- its near relations


@given(strategies.counts(cells=st.integers(0, 9)).filter(lambda counts: sum(counts) > 1))
def test_without_replacement_it_is_n_over_n_minus_1_times_as_large(counts: list[int]) -> None:
    labels = [label for label, count in enumerate(counts) for _ in range(count)]
    n = len(labels)
    differ = sum(a != b for place, a in enumerate(labels) for b in labels[place + 1 :])
    assert Fraction(differ, n * (n - 1) // 2) == Fraction(n, n - 1) * gini(counts)


@given(strategies.partitions(columns=2, cells=st.integers(0, 6)).map(lambda table: [[*row, 0][:2] for row in table]))
def test_of_two_classes_it_is_twice_the_variance_of_a_0_or_1_and_so_are_their_reductions(table: Partition) -> None:
    parts = [moments([0] * no + [1] * yes) for no, yes in table]
    whole = moments([label for no, yes in table for label in [0] * no + [1] * yes])
    assert gini(by_class(table)) == 2 * variance(whole)
    assert gini_decrease(table) == 2 * variance_reduction(parts)
