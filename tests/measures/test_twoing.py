"""Twoing: against its definition in floats, brute force over two classes, and the optimum that it is known for."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.textbook import textbook
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.twoing import twoing
from tests import strategies
from tests.strategies import Partition

two_sides = strategies.partitions().filter(lambda table: len(table) == 2)


@given(two_sides)
def test_it_is_its_definition(table: Partition) -> None:
    left, right = ([Fraction(cell) for cell in row] for row in table)
    n = sum(left) + sum(right)
    expected = Fraction(0)
    if any(left) and any(right):
        far = sum(abs(a * sum(right) - b * sum(left)) for a, b in zip(left, right, strict=True))
        expected = Fraction(far * far) / (4 * n * n * sum(left) * sum(right))
    assert twoing(table) == expected
    assert 0 <= twoing(table) <= Fraction(1, 4)
    assert twoing(table) == twoing([table[1], table[0]])


side = st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(any)


@given(st.lists(side, min_size=2, max_size=2))
def test_of_two_classes_it_is_half_of_the_gini_decrease(table: list[tuple[int, int]]) -> None:
    assert 2 * twoing(table) == gini_decrease(table)


def test_the_best_two_groups_of_classes_are_the_maximum_over_all_groups() -> None:
    """Breiman's theorem: twoing is the best Gini decrease over all ways to make two superclasses of the classes."""
    for table in ([[3, 1, 4], [1, 5, 2]], [[0, 7, 1, 2], [6, 1, 1, 3]], [[2, 2, 2], [1, 0, 5]]):
        classes = range(len(table[0]))
        groups = chain.from_iterable(combinations(classes, size) for size in range(len(classes) + 1))
        best = max(
            gini_decrease([[sum(row[j] for j in group), sum(row) - sum(row[j] for j in group)] for row in table])
            for group in groups
        )
        assert 2 * twoing(table) == best


def test_more_than_two_sides_are_refused() -> None:
    with pytest.raises(ValueError, match="two sides, not 3"):
        twoing([[1, 0], [0, 1], [1, 1]])
    with pytest.raises(rt.InputError, match="twoing compares two sides"):
        rt.CART(criterion="twoing", branching="multiway").grow(textbook("play-tennis"))
