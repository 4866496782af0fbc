"""Absolute error: held against the standard library and against every constant that could be answered."""

from __future__ import annotations

import statistics
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.rationals import ascending
from reference_tree.measures.absolute_error import absolute_deviation, absolute_error_reduction, median
from tests import strategies
from tests.strategies import fractions

values = st.one_of(st.integers(-9, 9), fractions(-5, 5, max_denominator=6))
samples = st.lists(values, min_size=1, max_size=9)
weighted = st.lists(st.tuples(values, strategies.weights), min_size=1, max_size=6)
parted = st.lists(st.lists(values, max_size=5), min_size=1, max_size=4).filter(any)
"""Samples in parts, some of them empty."""


def counted(sample: list[Any], numbers: tuple[Any, ...]) -> list[int]:
    return [sample.count(number) for number in numbers]


def distances(sample: list[Any], centre: Any) -> Any:
    return sum(abs(y - centre) for y in sample)


@given(samples)
def test_the_median_is_that_of_the_standard_library(sample: list[Any]) -> None:
    numbers = ascending(sample)
    assert median(counted(sample, numbers), numbers) == statistics.median(map(Fraction, sample))


@given(samples, values)
def test_no_constant_errs_less(sample: list[Any], other: Any) -> None:
    numbers = ascending(sample)
    found = absolute_deviation(counted(sample, numbers), numbers)
    assert found == distances(sample, statistics.median(map(Fraction, sample)))
    assert found <= distances(sample, other)


@given(weighted)
def test_weights_count_as_repeated_rows(pairs: list[tuple[Any, Fraction]]) -> None:
    """Over a common denominator every weight is a number of rows."""
    common = 30
    while any((Fraction(w) * common).denominator > 1 for _, w in pairs):
        common *= max((Fraction(w) * common).denominator for _, w in pairs)
    numbers = ascending(y for y, _ in pairs)
    weights = [sum((Fraction(w) for y, w in pairs if y == number), Fraction(0)) for number in numbers]
    half, below = sum(weights) / 2, Fraction(0)
    middle = []
    for number, weight in zip(numbers, weights, strict=True):
        if below <= half <= below + weight:
            middle.append(number)
        below += weight
    assert median(weights, numbers) == Fraction(sum(map(Fraction, middle)), len(middle))
    assert absolute_deviation(weights, numbers) == sum(
        w * abs(y - median(weights, numbers)) for y, w in zip(numbers, weights, strict=True)
    )


@given(parted)
def test_the_reduction_is_what_the_parts_err_less(parts: list[list[Any]]) -> None:
    whole = [y for part in parts for y in part]
    numbers = ascending(whole)
    less = sum(distances(part, statistics.median(map(Fraction, part))) for part in parts if part)
    found = absolute_error_reduction([counted(part, numbers) for part in parts], numbers)
    assert found == Fraction(distances(whole, statistics.median(map(Fraction, whole))) - less, len(whole))
    assert found >= 0


def test_an_outlier_moves_the_mean_and_not_the_median() -> None:
    assert median([1, 1, 1], [1, 2, 10**9]) == median([1, 1, 1], [1, 2, 3]) == 2


@pytest.mark.parametrize("weights", [[], [0, 0], [1, -1]])
def test_what_is_no_sample_is_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match=r"no count is positive|a count is negative"):
        absolute_deviation(weights, range(len(weights)))


def test_each_number_has_its_weight() -> None:
    for measure, weights in ((median, [1, 1, 5]), (absolute_deviation, [1, 1, 1])):
        with pytest.raises(ValueError, match="zip"):
            measure(weights, [1, 2])
    with pytest.raises(ValueError, match="zip"):
        median([1, 1, 2], [1, 2])  # the half is reached at the second, and more than the half is not
