"""Scans: every estimate is off by no more than its slack, held against the exact score of every cut."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from itertools import pairwise
from statistics import median_low
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.engine import scans, square_scans
from reference_tree.engine.scans import Estimates
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.misclassification import misclassification_decrease
from tests import oracles
from tests.every import of_every

Rows = Sequence[tuple[int, int]]
"""Pairs of a class, or y, and a weight."""


def mistakes_of_classes(labels: Sequence[int], flags: bytes, classes: Sequence[int]) -> Estimates:
    return scans.mistakes(labels, None, flags, sum(classes))


def mistakes_of_weights(labels: Sequence[int], weights: Sequence[int], flags: bytes, n: int = 0) -> Estimates:
    return scans.mistakes(labels, weights, flags, n)


MEASURES: dict[str, tuple[Any, Any, Callable[[Any], Any]]] = {
    "gain": (scans.entropy_of_classes, scans.entropy_of_weights, information_gain),
    "gini": (square_scans.squares_of_classes, square_scans.squares_of_class_weights, gini_decrease),
    "mistakes": (mistakes_of_classes, mistakes_of_weights, misclassification_decrease),
}
each_measure = pytest.mark.parametrize("measure", MEASURES)


def check(found: Estimates, exact: Sequence[Any]) -> None:
    """Every estimate is off by no more than the slack says; exact values are |D|·score."""
    assert len(found.values) == len(exact)
    with mpmath.workdps(oracles.DIGITS):
        for estimate, number in zip(found.values, exact, strict=True):
            if isinstance(number, int | Fraction):
                assert abs(Fraction(estimate) - number / found.unit) <= found.slack
                continue
            value = oracles.exact_value(number) * found.unit.denominator / found.unit.numerator
            assert estimate - found.slack <= value + mpmath.mpf(10) ** -100
            assert value - mpmath.mpf(10) ** -100 <= estimate + found.slack


@contextmanager
def few(most: int) -> Iterator[None]:
    """Squares are not rounded for so many rows."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(square_scans, "FEW", most)
        _forget()
        yield
    _forget()


def _forget() -> None:
    square_scans._inverses.cache_clear()
    square_scans._variance_terms.cache_clear()


def sides(rows: Rows, flags: bytes, classes: int) -> list[list[list[int]]]:
    """For each flagged place the weight of each class on either side."""
    places = [place for place, flag in enumerate(flags, 1) if flag]
    return [
        [[sum(w for label, w in side if label == j) for j in range(classes)] for side in (rows[:k], rows[k:])]
        for k in places
    ]


def flags_of(data: st.DataObject, rows: Sequence[Any]) -> bytes:
    return bytes(data.draw(st.lists(st.integers(0, 1), min_size=len(rows) - 1, max_size=len(rows) - 1)))


@each_measure
@given(st.integers(1, 5).flatmap(lambda most: st.lists(st.integers(0, most), min_size=2, max_size=40)), st.data())
def test_classes_that_weigh_alike(measure: str, labels: list[int], data: st.DataObject) -> None:
    alike, _, score = MEASURES[measure]
    flags = flags_of(data, labels)
    exact = [len(labels) * score(table) for table in sides([(label, 1) for label in labels], flags, 6)]
    classes = [labels.count(label) for label in range(6)]
    for given_labels in (bytes(labels), labels):
        check(alike(given_labels, flags, classes), exact)
        with few(0):
            check(alike(given_labels, flags, classes), exact)


@pytest.mark.one_in(1, 4)
@each_measure
@pytest.mark.parametrize("classes", [256, 300])
def test_as_many_classes_as_it_likes(measure: str, classes: int) -> None:
    labels = [*range(classes), *range(0, classes, 3)]
    flags = bytes(place % 50 == 0 for place in range(1, len(labels)))
    given_labels = bytes(labels) if classes <= 256 else labels
    found = MEASURES[measure][0](given_labels, flags, [labels.count(label) for label in range(classes)])
    tables = sides([(label, 1) for label in labels], flags, classes)
    check(found, [len(labels) * MEASURES[measure][2](table) for table in tables])


@of_every([0, 1, 2, 7, 100, 1023, 1024, 3000])
def test_pairs_from_below(n: int) -> None:
    found = scans._pairs(n)
    assert len(found) == n + 1
    assert found == found[::-1]
    assert scans._steps(n) == [after - before for before, after in pairwise(found)]
    with mpmath.workdps(40):
        for k in range(0, n + 1, max(1, n // 10)):
            exact = sum(mpmath.mpf(m) * mpmath.log(m, 2) * 2**32 for m in (k, n - k) if m)
            assert found[k] <= exact + 1e-9
            assert exact < found[k] + 4


Alike = Callable[[Sequence[float], bytes, int, Any], Estimates]


def of_numbers(
    numbers: Sequence[int], flags: bytes, n: int = 0, alike: Alike = square_scans.squares_of_numbers
) -> Estimates:
    """Estimates of the squared error, from y in order."""
    n = n or len(numbers)
    steps, unit = square_scans.centred(numbers[:n])
    step_of = dict(zip(numbers[:n], steps, strict=True))
    return alike([step_of[number] for number in numbers], flags, n, unit)


variances_of_numbers = partial(of_numbers, alike=square_scans.variances_of_numbers)


weights = st.one_of(st.integers(1, 9), st.integers(1, 2**70), st.integers(2**300, 2**301))
weighed = st.lists(st.tuples(st.integers(0, 2), weights), min_size=2, max_size=14)


@each_measure
@given(weighed, st.data())
def test_classes_of_any_weights(measure: str, rows: list[tuple[int, int]], data: st.DataObject) -> None:
    _, estimate, score = MEASURES[measure]
    flags = flags_of(data, rows)
    labels, each = zip(*rows, strict=True)
    check(estimate(labels, each, flags), [sum(each) * score(table) for table in sides(rows, flags, 3)])


@pytest.mark.slow
@pytest.mark.parametrize("length", [61, 64, 80, 500])
def test_weights_that_have_to_be_cut(length: int) -> None:
    chance = random.Random(length)
    for _ in range(20):
        rows = [(chance.randrange(2), chance.getrandbits(length) | 1) for _ in range(9)]
        labels, each = zip(*rows, strict=True)
        for _, estimate, score in MEASURES.values():
            exact = [sum(each) * score(table) for table in sides(rows, b"\1" * 8, 2)]
            check(estimate(labels, each, b"\1" * 8), exact)
            if estimate is mistakes_of_weights:  # of which nothing is estimated, and no weight cut
                continue
            for shift in (length // 3, length - 10, length - 2):  # down to weights of 0
                cut = estimate(labels, [weight >> shift for weight in each], b"\1" * 8, is_cut=True)
                check(cut, [value * Fraction(1, 1 << shift) for value in exact])


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 5)), min_size=2, max_size=14), st.booleans(), st.data())
def test_deviations_are_exact(rows: list[tuple[int, int]], weighted: bool, data: st.DataObject) -> None:
    values = [-40, -3, -2, 0, 1, 17, 90]
    flags = flags_of(data, rows)
    ranks, each = zip(*rows, strict=True)

    def error(some: Rows) -> int:
        every = [values[rank] for rank, w in some for _ in range(w if weighted else 1)]
        middle = median_low(every)
        return sum(abs(y - middle) for y in every)

    places = [place for place, flag in enumerate(flags, 1) if flag]
    found = scans.deviations(ranks, each if weighted else None, values, flags)
    assert (found.slack, found.unit) == (0, 1)
    assert found.values == [error(rows) - error(rows[:k]) - error(rows[k:]) for k in places]
    if not weighted:
        assert found == scans.deviations(ranks, [1] * len(rows), values, flags)


def test_equal_weights_are_judged_well_however_long() -> None:
    """The slack is small beside the scores, or all cuts would have to be counted exactly."""
    labels = [0] * 30 + [1] * 30
    for weight in (1, 10**9, 3**4000):
        each = [weight] * 60
        for estimates in (
            scans.entropy_of_weights(labels, each, b"\1" * 59),
            square_scans.squares_of_class_weights(labels, each, b"\1" * 59),
            square_scans.squares_of_weighted_numbers(labels, each, b"\1" * 59),
        ):
            near = [value for value in estimates.values if value >= max(estimates.values) - 2 * estimates.slack]
            assert len(near) == 1


def test_mirrored_classes_have_equal_estimates() -> None:
    """They tie, and their estimates are the same to the last unit."""
    one, other = bytes([0, 1, 2, 0, 1, 2, 0, 1, 2]), bytes([2, 1, 0, 2, 1, 0, 2, 1, 0])
    for alike, _, _ in MEASURES.values():
        assert alike(one, b"\1" * 8, [3, 3, 3]).values == alike(other, b"\1" * 8, [3, 3, 3]).values


ATTRIBUTES = 3
"""So many orders of the same rows, one after the other."""


@given(weighed, st.data())
def test_several_attributes_are_estimated_as_each_of_them(rows: list[tuple[int, int]], data: st.DataObject) -> None:
    n = len(rows)
    orders = [data.draw(st.permutations(rows)) for _ in range(ATTRIBUTES)]
    flags = [flags_of(data, rows) + b"\0" for _ in orders]
    every = [row for order in orders for row in order]
    classes = [sum(label == j for label, _ in rows) for j in range(3)]
    numbers = [-7, 0, 2**50]

    def estimates(some: Sequence[tuple[int, int]], flagged: bytes) -> list[Estimates]:
        labels, each = [label for label, _ in some], [weight for _, weight in some]
        ys = [numbers[label] for label in labels]
        found = [scans.deviations(labels, given, numbers, flagged, n) for given in (None, each)]
        found += [square_scans.variances(ys, given, flagged, 1, n) for given in (None, each)]
        found += [of_numbers(ys, flagged, n), variances_of_numbers(ys, flagged, n)]
        found += [square_scans.squares_of_weighted_numbers(ys, each, flagged, n)]
        for alike, weighted, _ in MEASURES.values():
            found += [alike(given, flagged, classes) for given in (labels, bytes(labels))]
            found.append(weighted(labels, each, flagged, n))
        return found

    alone = [estimates(order, flagged) for order, flagged in zip(orders, flags, strict=True)]
    for place, found in enumerate(estimates(every, b"".join(flags))):
        values = [value for one in alone for value in one[place].values]
        off = found.slack if isinstance(found.slack, float) else 0  # floats are rounded on the way
        assert all(abs(value - other) <= off for value, other in zip(found.values, values, strict=True))
        assert found.slack >= max(one[place].slack for one in alone)
