"""Variance: held against the standard library, row by row; where n - 1 differs from n; printed figures."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.textbook import textbook
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import decimal
from reference_tree.measures.variance import (
    Moments,
    mean,
    moments,
    sample_variance,
    split_error,
    sse,
    variance,
    variance_reduction,
)
from tests.every import of_every
from tests.strategies import fractions

numbers = st.one_of(st.integers(-50, 50), fractions(-20, 20, max_denominator=40))
samples = st.lists(numbers, min_size=1, max_size=8)
parted = st.lists(st.lists(numbers, max_size=5), min_size=1, max_size=5).filter(any)
"""Samples in parts, some of them empty."""


@given(samples)
def test_moments_tell_all_there_is_to_know(values: list[Rational]) -> None:
    fractions = [Fraction(value) for value in values]
    assert mean(moments(values)) == statistics.mean(fractions)
    assert variance(moments(values)) == statistics.pvariance(fractions)
    assert sse(moments(values)) == sum((value - statistics.mean(fractions)) ** 2 for value in fractions)
    if len(values) > 1:
        assert sample_variance(moments(values)) == statistics.variance(fractions)


@given(parted)
def test_moments_add_up(parts: list[list[Rational]]) -> None:
    whole = moments([value for part in parts for value in part])
    assert Moments(*map(sum, zip(*map(moments, parts), strict=True))) == whole


@given(samples, numbers, numbers)
def test_a_shift_is_no_matter_and_a_scale_counts_twice(
    values: list[Rational], shift: Rational, scale: Rational
) -> None:
    moved = moments([shift + scale * value for value in values])
    assert variance(moved) == scale**2 * variance(moments(values))


@given(samples, numbers)
def test_no_constant_errs_less_than_the_mean(values: list[Rational], other: Rational) -> None:
    error = sum((value - other) ** 2 for value in values)
    assert sse(moments(values)) <= error
    assert (sse(moments(values)) == error) == (other == mean(moments(values)))


@given(samples)
def test_it_is_0_exactly_for_equal_values(values: list[Rational]) -> None:
    assert (variance(moments(values)) == 0) == (len(set(values)) == 1)
    assert variance(moments(values)) >= 0


@given(parted)
def test_children_are_never_more_mixed_than_their_parent(parts: list[list[Rational]]) -> None:
    """And the reduction is the variance of the parts' means: 0 exactly where these are equal."""
    reduction = variance_reduction([moments(part) for part in parts])
    means = {mean(moments(part)) for part in parts if part}
    assert reduction >= 0
    assert (reduction == 0) == (len(means) == 1)
    whole = [value for part in parts for value in part]
    between = sum(len(part) * (mean(moments(part)) - mean(moments(whole))) ** 2 for part in parts if part)
    assert reduction == Fraction(between) / len(whole)


@pytest.mark.covers("N4 Regression Tree: variance reduction")
@given(parted)
def test_the_reduction_with_n_less_1_is_what_the_standard_library_gives(parts: list[list[Rational]]) -> None:
    def spread(values: list[Fraction]) -> Fraction:
        return statistics.variance(values) if len(values) > 1 else Fraction(0)

    fractions = [[Fraction(value) for value in part] for part in parts]
    whole = [value for part in fractions for value in part]
    after = sum(Fraction(len(part), len(whole)) * spread(part) for part in fractions if part)
    assert variance_reduction([moments(part) for part in parts], unbiased=True) == spread(whole) - after


def test_a_part_whose_numbers_add_up_to_nothing_counts_like_any_other() -> None:
    table = [moments([-1, 1]), moments([3, 3])]
    assert split_error(table) == 2
    assert variance_reduction(table) == Fraction(9, 4)  # of 11/4, half of 1 is left


def test_with_n_less_1_children_can_be_more_mixed_than_their_parent() -> None:
    halves = [moments([0, 1]), moments([0, 1])]
    assert variance_reduction(halves, unbiased=True) == Fraction(-1, 6)
    assert variance_reduction(halves) == 0


def test_one_row_has_no_variance() -> None:
    assert sample_variance(moments([7])) == variance(moments([7])) == sse(moments([7])) == 0


@of_every([mean, sse, variance, sample_variance])
def test_an_empty_sample_has_no_moments_to_speak_of(measure: Callable[[Moments], Any]) -> None:
    with pytest.raises(ValueError, match="an empty sample"):
        measure(moments([]))


def test_between_one_row_and_two_the_rest_above_one_counts() -> None:
    """The numbers 1 and 2, of weights 1 and 1/2: a squared error of 1/3, over 3/2 - 1."""
    assert sample_variance(Moments(Fraction(3, 2), 2, 3)) == Fraction(2, 3)


def test_less_than_one_row_has_no_variance_with_n_less_1() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        sample_variance(Moments(Fraction(1, 2), 1, 2))


@given(samples)
def test_floats_agree(values: list[Rational]) -> None:
    floats = moments([float(value) for value in values])
    assert math.isclose(variance(floats), float(variance(moments(values))), abs_tol=1e-9)
    assert math.isclose(mean(floats), float(mean(moments(values))), abs_tol=1e-12)


def test_decimals_tie_where_doubles_do_not() -> None:
    """Three rows 0.1, 0.2, 0.3: both cuts take the same away, if the numbers are those that are written."""

    def cuts(values: list[Fraction]) -> tuple[Fraction, Fraction]:
        first, second = [[values[:1], values[1:]], [values[:2], values[2:]]]
        return (
            variance_reduction([moments(part) for part in first]),
            variance_reduction([moments(part) for part in second]),
        )

    as_written = cuts([Fraction(text) for text in ("0.1", "0.2", "0.3")])
    as_doubles = cuts([Fraction(number) for number in (0.1, 0.2, 0.3)])
    assert as_written[0] == as_written[1]
    assert as_doubles[0] != as_doubles[1]


def test_the_cuts_of_the_book() -> None:
    """Li Hang, exercise 5.2: the squared error that each cut leaves."""
    ys = [row["y"] for row in textbook("li-hang-5.2").rows()]
    left = [decimal(sse(moments(ys[:cut])) + sse(moments(ys[cut:])), 4) for cut in range(1, len(ys))]
    assert left == ["22.6480", "17.7022", "12.1935", "7.3787", "3.3587", "5.0740", "10.0525", "15.1778", "21.3280"]


@pytest.mark.covers("N4 figure: regression splits")
def test_the_figures_of_the_course() -> None:
    """The course behind N4 prints those with n - 1; the images of N4 are not at hand."""
    table = textbook("cats-regression")
    rows: list[dict[str, Any]] = list(table.rows())
    target = table.schema.target.name
    assert decimal(variance(moments([row[target] for row in rows])), 4) == "18.4564"
    assert decimal(sample_variance(moments([row[target] for row in rows])), 2) == "20.51"
    printed = {"ear": ("9.1204", "8.84"), "face": ("1.5040", "0.64"), "whiskers": ("6.5731", "6.22")}
    for attribute, figures in printed.items():
        values = sorted({row[attribute] for row in rows})
        parts = [moments([row[target] for row in rows if row[attribute] == value]) for value in values]
        found = decimal(variance_reduction(parts), 4), decimal(variance_reduction(parts, unbiased=True), 2)
        assert found == figures


@pytest.mark.covers("N4 Regression Tree: variance reduction")
@given(parted)
def test_what_a_split_leaves_and_what_it_takes_away_are_the_whole(parts: list[list[Rational]]) -> None:
    values = [Fraction(value) for part in parts for value in part]
    left = sum(sum((y - statistics.mean(map(Fraction, part))) ** 2 for y in part) for part in parts if part)
    table = [moments(part) for part in parts]
    assert split_error(table) == left
    assert split_error(table) + len(values) * variance_reduction(table) == sse(moments(values))


def test_the_cuts_of_li_hang() -> None:
    """Exercise 5.2: the squared error that each cut leaves."""
    y = [Fraction(row["y"] or 0) for row in textbook("li-hang-5.2").rows()]
    found = [round(float(split_error([moments(y[:k]), moments(y[k:])])), 4) for k in range(1, 10)]
    assert found == [22.648, 17.7022, 12.1935, 7.3787, 3.3587, 5.074, 10.0525, 15.1778, 21.328]
