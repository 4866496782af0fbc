"""Nodes: what their counts amount to."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.node import Deviations, Node
from tests.strategies import fractions

numbers = st.lists(fractions(-9, 9, max_denominator=9), min_size=1, max_size=6)


@given(numbers)
def test_the_error_about_the_mean_is_the_sum_of_the_squares(values: list[Fraction]) -> None:
    mean = sum(values, Fraction(0)) / len(values)
    node = Node((len(values), sum(values), sum(y * y for y in values)), mean)
    assert (node.weight, node.error) == (len(values), sum((y - mean) ** 2 for y in values))


def test_the_error_about_the_median_is_given() -> None:
    node = Node(Deviations(Fraction(7, 2), 2, 5), 2)
    assert (node.weight, node.error) == (Fraction(7, 2), 5)


@pytest.mark.parametrize("none", [(0, 0, 0), Deviations(0, 0, 0)])
def test_nothing_has_no_error(none: tuple[int, int, int]) -> None:
    node = Node(none, 3, stop="empty", prior=True)
    assert (node.weight, node.error) == (0, 0)


def test_a_class_has_a_weight_and_no_error() -> None:
    node = Node((1, 0, Fraction(5, 2)), "yes")
    assert node.weight == Fraction(7, 2)
    with pytest.raises(ValueError, match="never far away"):
        _ = node.error
