"""Answers in documents: moments from a mean and back, medians, classes, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.schema import Attribute
from reference_tree.node import Derivatives, Deviations, Node, TreeError
from reference_tree.tree_document.answers import answer_json, read_answer
from tests.every import of_every
from tests.strategies import fractions

CLASS, NUMBER = Attribute("y", ("no", "yes")), Attribute("y")


@given(st.lists(fractions(-9, 9, max_denominator=9), min_size=1, max_size=6))
def test_the_moments_of_some_numbers_come_back_from_their_mean(numbers: list[Fraction]) -> None:
    n, mean = len(numbers), sum(numbers, Fraction(0)) / len(numbers)
    node = Node((n, sum(numbers), sum(y * y for y in numbers)), mean)
    written = answer_json(node, NUMBER)
    assert {key: Fraction(str(value)) for key, value in written.items()} == {
        "n": n, "mean": mean, "sse": sum((y - mean) ** 2 for y in numbers),
    }  # fmt: skip
    assert read_answer(written, NUMBER, foreign=False) == (node.counts, mean, ())


def test_a_median_needs_no_conversion() -> None:
    node = Node(Deviations(3, 2, 5), 2)
    assert answer_json(node, NUMBER, median=True) == {"n": "3", "median": "2", "sad": "5"}
    answer = read_answer(answer_json(node, NUMBER, median=True), NUMBER, foreign=False)
    assert isinstance(answer.counts, Deviations)
    assert answer == (Deviations(3, 2, 5), 2, ())


@pytest.mark.parametrize("median", [False, True])
def test_a_node_without_rows_keeps_the_number_of_the_node_above(median: bool) -> None:
    node = Node((0, 0, 0), Fraction(7, 3), stop="empty", prior=True)
    answer = read_answer(answer_json(node, NUMBER, median=median), NUMBER, foreign=False)
    assert (answer.counts, answer.label) == ((0, 0, 0), Fraction(7, 3))
    assert isinstance(answer.counts, Deviations) == median


def test_classes_without_rows_may_be_left_out() -> None:
    assert answer_json(Node((0, Fraction(1, 2)), "yes"), CLASS) == {"counts": {"no": "0", "yes": "1/2"}, "label": "yes"}
    assert read_answer({"counts": {"yes": "1/2"}, "label": "yes"}, CLASS, foreign=False).counts == (0, Fraction(1, 2))


@pytest.mark.parametrize("counts", [(3, 9, 41), Deviations(3, 2, 5)])
def test_a_number_that_does_not_follow_from_the_rows_is_not_written(counts: Any) -> None:
    with pytest.raises(TreeError, match="not the mean, or the median"):
        answer_json(Node(counts, 4), NUMBER, median=isinstance(counts, Deviations))


@pytest.mark.parametrize("silent", [{"mean": "1/2"}, {"median": "1/2"}])
def test_only_a_foreign_tree_is_silent_about_its_rows(silent: dict[str, str]) -> None:
    assert read_answer(silent, NUMBER, foreign=True) == ((0, 0, 0), Fraction(1, 2), ())
    with pytest.raises(ValueError, match="'n' is absent"):
        read_answer(silent, NUMBER, foreign=False)
    for half in ({"n": "1"}, {"sse" if "mean" in silent else "sad": "1"}):
        with pytest.raises(ValueError, match="is absent"):
            read_answer({**silent, **half}, NUMBER, foreign=True)


@of_every(
    [
        (CLASS, {"mean": "1"}, "there is no key 'mean'|'label' is absent"),
        (CLASS, {"counts": ["1"], "label": "no"}, "is no object"),
        (CLASS, {"counts": {"no": "-1"}, "label": "no"}, "a weight is negative"),
        (CLASS, {"counts": {"maybe": "1"}, "label": "no"}, "y has no value 'maybe'"),
        (CLASS, {"counts": {}, "label": "no", "tied": []}, "is no part of a tie"),
        (NUMBER, {"label": "no"}, "'mean' is absent"),
        (NUMBER, {"n": "0", "mean": "1", "sse": "1"}, "although nothing reaches"),
        (NUMBER, {"n": "1", "mean": "1", "median": "1", "sad": "0"}, "there is no key 'mean'"),
    ]
)
def test_what_is_no_answer(target: Attribute, entry: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_answer(entry, target, foreign=True)


def test_a_boosted_node_says_its_sums_and_what_it_adds() -> None:
    boosted = Node(Derivatives(14, Fraction(-1, 3), Fraction(7, 2)), Fraction(3, 8))
    for target in (Attribute("y"), Attribute("play", ("no", "yes"))):
        written = answer_json(boosted, target)
        assert written == {"n": "14", "g": "-1/3", "h": "7/2", "value": "3/8"}
        found = read_answer(written, target, foreign=False)
        assert (found.counts, found.label) == (boosted.counts, boosted.label)
        assert isinstance(found.counts, Derivatives)
    assert read_answer({"value": "2"}, Attribute("y"), foreign=True).label == 2
    with pytest.raises(ValueError, match="'h'"):
        read_answer({"n": "14", "g": "1", "value": "2"}, Attribute("y"), foreign=False)
