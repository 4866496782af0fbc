"""Nodes in a tree document: predictions and tests, written and read again, and all that is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Coordinate, Linear, Multiway, Outcome, Subset, Test, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.node import Derivatives, Deviations, Node, TreeError
from reference_tree.tree_document.nodes import answer_json, question_json, read_answer, read_test, read_when, when
from tests.every import of_every
from tests.strategies import fractions
from tests.tree_document.documents import distinct_names, names, questions_of

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


ATTRIBUTES = {a.name: a for a in (Attribute("ear", ("oval", "pointy")), Attribute("weight"), Attribute("height"))}
SUM = Linear(((Coordinate("ear", "oval"), 3), (Coordinate("ear", "pointy"), -2), (Coordinate("weight"), 1)), 20)


@of_every(
    [
        (
            Threshold("weight", Fraction(153, 2), (75, 78)),
            {"kind": "threshold", "attribute": "weight", "threshold": "76.5", "interval": ["75", "78"]},
        ),
        (Threshold("weight", Fraction(1, 3)), {"kind": "threshold", "attribute": "weight", "threshold": "1/3"}),
        (Subset("ear", ("oval",)), {"kind": "subset", "attribute": "ear"}),
        (Multiway("ear", ("pointy", "oval")), {"kind": "multiway", "attribute": "ear"}),
        (SUM, {"kind": "linear", "weights": {"ear": {"oval": "3", "pointy": "-2"}, "weight": "1"}, "threshold": "20"}),
    ]
)
def test_each_kind(test: Test, written: dict[str, Any]) -> None:
    assert question_json(test) == written
    assert read_test(written, test.outcomes, ATTRIBUTES) == test


@of_every(
    [
        (Outcome("is", "x"), {"is": "x"}),
        (Outcome("in", ("x",)), {"in": ["x"]}),
        (Outcome("not_in", ("x", "y")), {"not_in": ["x", "y"]}),
        (Outcome("lt", Fraction(1, 3)), {"lt": "1/3"}),
        (Outcome("ge", Fraction(1, 2)), {"ge": "0.5"}),
    ]
)
def test_each_condition(outcome: Outcome, written: dict[str, Any]) -> None:
    assert when(outcome) == written
    assert read_when(written) == outcome


@given(
    st.builds(Attribute, names, st.one_of(st.none(), distinct_names)).flatmap(
        lambda a: st.tuples(st.just(a), questions_of(a))
    )
)
def test_every_question_comes_back(pair: tuple[Attribute, Test]) -> None:
    attribute, test = pair
    outcomes = [read_when(when(outcome)) for outcome in test.outcomes]
    assert read_test(question_json(test), outcomes, {attribute.name: attribute}) == test


LE, GT = Outcome("le", 20), Outcome("gt", 20)
LINEAR = {"kind": "linear", "weights": {"weight": "1", "ear": {"oval": "3"}}, "threshold": "20"}


def test_the_weights_of_a_sum_are_read_in_table_order() -> None:
    test = read_test(LINEAR, [LE, GT], ATTRIBUTES)
    assert isinstance(test, Linear)
    assert test.weights == ((Coordinate("ear", "oval"), 3), (Coordinate("weight"), 1))
    assert read_test({"kind": "linear", "weights": LINEAR["weights"]}, [LE, GT], ATTRIBUTES) == test


@of_every(
    [
        (None, [LE, GT], "there is no test of the kind 'None'"),
        ({"kind": ["threshold"]}, [LE, GT], "there is no test of the kind"),
        ({**LINEAR, "weights": {"ear": "1"}}, [LE, GT], "'1' is no object"),
        ({**LINEAR, "weights": {"weight": {"x": "1"}}}, [LE, GT], "is no text"),
        (
            {**LINEAR, "weights": {"ear": {"round": "1"}}},
            [LE, GT],
            "there is no key 'round' here; there are oval, pointy",
        ),
        ({**LINEAR, "weights": {"length": "1"}}, [LE, GT], "there is no key 'length' here"),
        ({**LINEAR, "weights": {}}, [LE, GT], "coprime integers"),
        ({**LINEAR, "weights": {"weight": "-1"}}, [LE, GT], "the first weight of a linear test is positive"),
        ({**LINEAR, "weights": {"weight": "2"}}, [LE, GT], "the conditions on the branches are not those of the test"),
        (LINEAR, [GT, LE], "the first branch of a linear test bounds the sum from above"),
        (LINEAR, [Outcome("is", "x")], "the first branch of a linear test"),
        ({**LINEAR, "interval": ["20", "20"]}, [LE, GT], "outside its interval"),
        ({**LINEAR, "attribute": "weight"}, [LE, GT], "there is no key 'attribute'"),
        ({"kind": "subset", "attribute": "ear"}, [Outcome("is", "oval"), LE], "the first branch of a subset test"),
        ({"kind": "threshold", "attribute": "weight"}, [LE, GT], "'threshold' is absent"),
    ]
)
def test_what_is_no_question(entry: Any, outcomes: list[Outcome], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_test(entry, outcomes, ATTRIBUTES)


@of_every([{}, {"is": "x", "le": "1"}, {"is": 1}, {"le": True}, {"about": "1"}, "x", None])
def test_what_is_no_condition(entry: Any) -> None:
    with pytest.raises(ValueError, match=r"is no|there is no key"):
        read_when(entry)
