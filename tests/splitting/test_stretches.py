"""Stretches: what is passed over is worse than what is judged, and what is judged is judged as before."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.splitting.cut_scores import Judge, gain_judge
from reference_tree.splitting.square_scores import gini_judge
from reference_tree.splitting.stretches import scores_of_promising

JUDGES = {"gain": gain_judge, "gini": gini_judge}
labels_of_rows = st.lists(st.integers(0, 3), min_size=2, max_size=60).map(bytes)


def drifting(seed: int, size: int, width: int, drift: float) -> bytes:
    """Classes that become more frequent, one after the other, along the rows."""
    chance = random.Random(seed)
    return bytes(
        int(width * place / size) if chance.random() < drift else chance.randrange(width) for place in range(size)
    )


def check(judge: Judge, labels: bytes, flags: bytes, floor: int) -> None:
    every = judge.scores(flags, judge.estimates(labels, flags))
    found = scores_of_promising(judge, labels, flags, floor)
    estimates = dict(zip(every.places, every.estimates, strict=True))
    judged = dict(zip(found.places, found.estimates, strict=True))
    assert judged == {place: estimates[place] for place in judged}
    if every.estimates and every.most + 2 * every.slack >= floor:
        assert found.near_best() == every.near_best()
        assert found.most == every.most


@pytest.mark.parametrize("measure", JUDGES)
@given(labels_of_rows, st.randoms(use_true_random=False), st.sampled_from([0, 1 << 20, 1 << 30, 1 << 34, 1 << 60]))
def test_no_near_best_cut_is_passed_over(measure: str, labels: bytes, chance: Any, floor: int) -> None:
    flags = bytes(chance.random() < 0.8 for _ in labels[1:])
    check(JUDGES[measure](tuple(labels.count(label) for label in range(4))), labels, flags, floor)


@pytest.mark.parametrize("measure", JUDGES)
@pytest.mark.parametrize("width", [2, 3, 7])
@pytest.mark.parametrize("drift", [0.0, 0.1, 0.9])
def test_nor_among_many_rows(measure: str, width: int, drift: float) -> None:
    for seed, size in enumerate([400, 1000, 2500]):
        labels = drifting(seed, size, width, drift)
        judge = JUDGES[measure](tuple(labels.count(label) for label in range(width)))
        check(judge, labels, b"\1" * (size - 1), 0)
        check(judge, labels, b"\1" * (size - 1), max(judge.estimates(labels, b"\1" * (size - 1))))


def test_most_cuts_are_passed_over() -> None:
    """Otherwise it would be right, and of no use."""
    labels = drifting(1, 5000, 2, 0.1)
    judge = gain_judge((labels.count(0), labels.count(1)))
    assert len(scores_of_promising(judge, labels, b"\1" * 4999).estimates) < 1000
    assert not scores_of_promising(judge, labels, b"\1" * 4999, 1 << 60).estimates


@pytest.mark.parametrize("measure", JUDGES)
@given(labels_of_rows, st.data())
def test_a_limit_holds_in_any_order_of_the_rows(measure: str, labels: bytes, data: st.DataObject) -> None:
    """Between two places any row may come next; the limit looks at how many there are of each class alone."""
    first, last = sorted(data.draw(st.lists(st.integers(0, len(labels)), min_size=2, max_size=2)))
    shuffled = bytes(data.draw(st.permutations(labels[first:last])))
    judge = JUDGES[measure](tuple(labels.count(label) for label in range(4)))
    *_, limit = judge.limits(labels, [0, first, last])
    order = labels[:first] + shuffled + labels[last:]
    flags = bytes(first < place <= last for place in range(1, len(labels)))
    estimates = judge.estimates(order, flags)
    assert all(estimate <= limit + 2 * judge.scores(b"", [limit]).slack for estimate in estimates)


@pytest.mark.parametrize("measure", JUDGES)
@given(labels_of_rows, st.data())
def test_a_stretch_is_judged_as_in_the_whole(measure: str, labels: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(labels) - 1))
    judge = JUDGES[measure](tuple(labels.count(label) for label in range(4)))
    flags = b"\1" * (len(labels) - 1)
    before = [labels[:start].count(label) for label in range(4)]
    assert judge.estimates(labels[start:], flags[start:], before, start) == judge.estimates(labels, flags)[start:]


def test_accumulated_counts_are_what_limits_look_at() -> None:
    labels = bytes([0, 1, 1, 0])
    limits = gain_judge((2, 2)).limits(labels, range(5))
    exact = gain_judge((2, 2)).estimates(labels, b"\1\1\1")
    assert all(limit + 20 >= estimate for limit, estimate in zip(limits, exact, strict=False))
