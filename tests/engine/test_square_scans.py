"""Scans of squares: few are exact, many off by no more than their slack; Gini is tested among the other measures."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.engine import square_scans
from reference_tree.measures.variance import Moments, moments, variance_reduction
from tests.engine.test_scans import Rows, check, few, flags_of, of_numbers, variances_of_numbers, weights
from tests.every import of_every


@of_every([65, 66, 1024, 5000])
def test_inverses_are_rounded_correctly(n: int) -> None:
    found, unit = square_scans._inverses(n)
    assert len(found) == n
    assert (found[n - 1], unit) == (0, 1)
    for k in range(1, n):
        assert found[k - 1] == float(Fraction(1, n * k * (n - k)))


@of_every([1, 2, 9, 64])
def test_few_inverses_are_whole(n: int) -> None:
    found, unit = square_scans._inverses(n)
    assert [inverse * unit for inverse in found] == [*(Fraction(1, n * k * (n - k)) for k in range(1, n)), 0]
    assert all(type(inverse) is int for inverse in found)


def sums(rows: Rows) -> Moments:
    """Those of w, w·y and w·y²."""
    return Moments(sum(w for _, w in rows), sum(w * y for y, w in rows), sum(w * y * y for y, w in rows))


def squares(rows: Rows, flags: bytes, **options: bool) -> list[Any]:
    """What each cut takes from the squared error, by sums over the rows."""
    places = [place for place, flag in enumerate(flags, 1) if flag]
    tables = [[sums(rows[:k]), sums(rows[k:])] for k in places]
    return [sum(w for _, w in rows) * variance_reduction(table, **options) for table in tables]


numbers = st.one_of(st.integers(-9, 9), st.integers(-(2**60), 2**60))


@given(st.lists(numbers | st.just(10**400), min_size=2, max_size=20))
def test_numbers_that_weigh_alike(numbers: list[int]) -> None:
    flags = b"\1" * (len(numbers) - 1)
    exact = [
        len(numbers) * variance_reduction([moments(numbers[:k]), moments(numbers[k:])]) for k in range(1, len(numbers))
    ]
    check(of_numbers(numbers, flags), exact)
    with few(0):
        check(of_numbers(numbers, flags), exact)


@given(st.lists(st.tuples(numbers, weights), min_size=2, max_size=14), st.data())
def test_numbers_of_any_weights(rows: list[tuple[int, int]], data: st.DataObject) -> None:
    flags = flags_of(data, rows)
    ys, each = zip(*rows, strict=True)
    check(square_scans.squares_of_weighted_numbers(ys, each, flags), squares(rows, flags))


@given(
    st.lists(st.tuples(numbers, st.integers(1, 9)), min_size=2, max_size=14),
    st.data(),
    st.sampled_from([1, 2, 7, Fraction(3, 2), Fraction(1, 2), Fraction(1, 3)]),
)
def test_the_variance_with_n_less_1(rows: list[tuple[int, int]], data: st.DataObject, unit: Any) -> None:
    """The unit of weight makes a difference there; only cuts that leave more than a row on a side have a score."""
    sizes = [[sum(w for _, w in side) * unit for side in (rows[:k], rows[k:])] for k in range(1, len(rows))]
    drawn = flags_of(data, rows)
    flags = bytes(flag and min(size) >= 1 for flag, size in zip(drawn, sizes, strict=True))
    ys, each = zip(*rows, strict=True)
    unit = Fraction(unit)
    if sum(each) * unit < 1:  # what is known weighs too little to be cut
        return
    found = square_scans.variances(ys, each, flags, unit)
    exact = squares([(y, w * unit) for y, w in rows], flags, unbiased=True)
    check(found, [score / unit for score in exact])


@given(st.lists(numbers | st.just(10**200), min_size=2, max_size=20))
def test_the_variance_with_n_less_1_of_rows_that_weigh_1(ys: list[int]) -> None:
    flags = b"\1" * (len(ys) - 1)
    exact = squares([(y, 1) for y in ys], flags, unbiased=True)
    found = variances_of_numbers(ys, flags)
    check(found, exact)
    assert found.slack == 0
    check(square_scans.variances(ys, None, flags, 1), exact)
    with few(0):
        check(variances_of_numbers(ys, flags), exact)


def test_rows_that_weigh_just_1_together() -> None:
    """Halves, as missing values make them: their variance is divided by 1, and not taken as 0."""
    half = Fraction(1, 2)
    found = square_scans.variances([0, 4, 10, 30], [1, 1, 1, 1], bytes([0, 1, 0]), half)
    halves: list[Any] = [(y, half) for y in (0, 4, 10, 30)]
    check(found, [score / half for score in squares(halves, bytes([0, 1, 0]), unbiased=True)])
