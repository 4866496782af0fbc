"""Questions in documents: each kind written, read, and refused where it does not fit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Coordinate, Linear, Multiway, Outcome, Subset, Test, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.tree_document.questions import question_json, read_test, read_when, when
from tests.every import of_every
from tests.tree_document.documents import distinct_names, names, questions_of

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
