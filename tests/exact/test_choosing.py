"""Choosing: against brute force, in whole numbers."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import log
from tests.strategies import fractions

scores = st.lists(st.integers(0, 5), max_size=12)


@given(scores)
def test_the_best_are_all_the_maxima_in_their_order(scores: list[int]) -> None:
    found = best(enumerate(scores), lambda item: item[1] * log(3))
    assert found == [(place, score) for place, score in enumerate(scores) if score == max(scores)]


@given(st.lists(fractions(Fraction(1, 9), 9, max_denominator=9), min_size=1, max_size=8), st.integers(1, 4))
def test_the_best_of_numbers_that_are_equal_in_value_alone(values: list[Fraction], power: int) -> None:
    """The same logarithm stands in three forms."""
    forms = [log(value) for value in values] + [log(value**power) / power for value in values]
    found = best(range(len(forms)), forms.__getitem__)
    most = max(values)
    assert found == [place for place in range(len(forms)) if values[place % len(values)] == most]


def test_the_best_of_none_are_none() -> None:
    assert best([], lambda item: 1 / 0) == []
    assert best(["only"], lambda item: 1 / 0) == ["only"]
