"""Scores of cuts: held against the exact score of every cut."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting.cut_scores import Scores, gain_judge, pairs, steps
from reference_tree.splitting.square_scores import gini_judge
from tests import oracles

MEASURES: dict[str, Any] = {"gain": (gain_judge, information_gain), "gini": (gini_judge, gini_decrease)}


def parts(labels: Sequence[int], place: int, width: int) -> list[list[int]]:
    return [[side.count(label) for label in range(width)] for side in (list(labels[:place]), list(labels[place:]))]


def check(scores: Scores, exact: list[Any]) -> None:
    """Every estimate is off by no more than the slack says."""
    assert len(scores.estimates) == len(exact)
    top, bottom = scores.rate
    with mpmath.workdps(oracles.DIGITS):
        for estimate, number in zip(scores.estimates, exact, strict=True):
            assert oracles.real((estimate - scores.slack) * Fraction(top, bottom)) <= number * 2**32
            assert number * 2**32 <= oracles.real((estimate + scores.slack) * Fraction(top, bottom))


@pytest.mark.parametrize("measure", MEASURES)
@given(st.integers(1, 5).flatmap(lambda most: st.lists(st.integers(0, most), min_size=2, max_size=40)), st.data())
def test_an_estimate_is_off_by_no_more_than_it_says(measure: str, labels: list[int], data: st.DataObject) -> None:
    make, exactly = MEASURES[measure]
    flags = bytes(data.draw(st.lists(st.integers(0, 1), min_size=len(labels) - 1, max_size=len(labels) - 1)))
    judge = make(tuple(labels.count(label) for label in range(6)))
    scores = judge.scores(flags, judge.estimates(bytes(labels), flags))
    places = [place for place, flag in enumerate(flags, 1) if flag]
    assert scores.places == places
    with mpmath.workdps(oracles.DIGITS):
        exact = [len(labels) * oracles.exact_value(exactly(parts(labels, place, 6))) for place in places]
    check(scores, exact)
    hair = mpmath.mpf(10) ** -100
    with mpmath.workdps(oracles.DIGITS):
        best = [place for place, score in zip(places, exact, strict=True) if score >= max(exact) - hair]
    assert set(best) <= set(scores.near_best())


@pytest.mark.parametrize("measure", MEASURES)
def test_as_many_classes_as_a_byte_can_number(measure: str) -> None:
    make, exactly = MEASURES[measure]
    labels = [*range(256), *range(0, 256, 3)]
    judge = make(tuple(labels.count(label) for label in range(256)))
    flags = bytes(place % 50 == 0 for place in range(1, len(labels)))
    scores = judge.scores(flags, judge.estimates(bytes(labels), flags))
    with mpmath.workdps(oracles.DIGITS):
        exact = [len(labels) * oracles.exact_value(exactly(parts(labels, place, 256))) for place in scores.places]
    check(scores, exact)


@pytest.mark.parametrize("n", [0, 1, 2, 7, 100, 1023, 1024, 3000])
def test_pairs_from_below(n: int) -> None:
    found = pairs(n)
    assert len(found) == n + 1
    assert found == found[::-1]
    assert steps(n) == [after - before for before, after in pairwise(found)]
    with mpmath.workdps(40):
        for k in range(0, n + 1, max(1, n // 10)):
            exact = sum(mpmath.mpf(m) * mpmath.log(m, 2) * 2**32 for m in (k, n - k) if m)
            assert found[k] <= exact + 1e-9
            assert exact < found[k] + 4


def test_no_cuts_have_no_scores() -> None:
    judge = gain_judge((2, 1))
    scores = judge.scores(b"\0\0", judge.estimates(bytes([0, 1, 0]), b"\0\0"))
    assert (scores.places, list(scores.estimates), scores.most, scores.near_best()) == ([], [], 0, [])


@pytest.mark.parametrize("measure", MEASURES)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=30), st.data())
def test_several_orders_are_judged_as_one(measure: str, labels: list[int], data: st.DataObject) -> None:
    """One behind the other, each as if it were alone; likewise the limits."""
    n = len(labels)
    judge = MEASURES[measure][0](tuple(labels.count(label) for label in range(4)))
    orders = [bytes(data.draw(st.permutations(labels))) for _ in range(3)]
    flags = [bytes(data.draw(st.lists(st.integers(0, 1), min_size=n - 1, max_size=n - 1))) for _ in orders]
    each = [judge.estimates(order, cuts) for order, cuts in zip(orders, flags, strict=True)]
    assert judge.estimates(b"".join(orders), b"\0".join(flags)) == list(chain(*each))
    places = [0, *sorted(data.draw(st.sets(st.integers(1, n - 1)))), n]
    assert judge.limits(b"".join(orders), places) == list(chain(*(judge.limits(order, places) for order in orders)))
