"""Questions: what an answer asks, and which candidate that is."""

from __future__ import annotations

from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing.parting import branches_alike
from reference_tree.checking.mistakes import Malformed
from reference_tree.checking.questions import AnswerReader, Candidates
from reference_tree.data.questions import Subset, Threshold

SAMPLE = rt.textbook("golf").sample()
READER = AnswerReader(SAMPLE)
TENTHS = rt.Table.from_columns({"x": ["0.1", "0.3", "0.7"], "y": [*"nyy"]}, "y", continuous=["x"]).sample()


def test_a_double_is_the_number_of_the_data_that_it_is_nearest_to() -> None:
    read = AnswerReader(TENTHS).question({"kind": "threshold", "attribute": "x", "threshold": 0.3})
    assert isinstance(read.test, Threshold)
    assert read.test.branch({"x": "0.3"}) == 0
    exact = AnswerReader(TENTHS).question(
        {"kind": "threshold", "attribute": "x", "threshold": "0.299999999999999988898"}
    )
    assert exact.test.branch({"x": "0.3"}) == 1


def test_branches_may_stand_in_any_order() -> None:
    read = READER.question({"kind": "threshold", "attribute": "humidity", "threshold": 80}, [{"gt": 80}, {"le": 80}])
    assert read.order == (1, 0)
    read = READER.question({"kind": "multiway", "attribute": "windy"}, [{"is": "true"}, {"is": "false"}])
    assert read.order == (1, 0)


def test_questions_that_part_rows_alike_are_one() -> None:
    low, high = Threshold("humidity", 77), Threshold("humidity", 76)
    assert branches_alike(low, high, SAMPLE) == (0, 1)
    assert branches_alike(low, Threshold("humidity", 90), SAMPLE) is None
    one, rest = Subset("outlook", ("sunny",)), Subset("outlook", ("overcast", "rainy"))
    assert branches_alike(one, rest, SAMPLE) == (1, 0)
    decision = rt.CART().decide(SAMPLE)
    read = READER.question({"kind": "subset", "attribute": "outlook"}, [{"not_in": ["overcast"]}, {"in": ["overcast"]}])
    meant = Candidates(SAMPLE, decision.candidates).meant(read)
    assert meant is not None
    assert (meant.candidate.test, meant.branches) == (Subset("outlook", ("overcast",)), (1, 0))


def test_weighted_sums_that_part_rows_alike_are_one() -> None:
    columns = {"x": [0, 0, 1, 1], "z": [0, 1, 0, 1], "y": [*"nyyn"]}
    sample = rt.Table.from_columns(columns, "y", categorical=["y"]).sample()
    candidates = Candidates(sample, rt.CART(branching="linear").decide(sample).candidates)
    found = [
        candidates.meant(AnswerReader(sample).question({"kind": "linear", "weights": weights, "threshold": t}))
        for weights, t in (({"x": 1, "z": 1}, 0.5), ({"x": 0.9, "z": 0.4}, 0.2), ({"x": 0.9, "z": 0.4}, 0.6))
    ]
    names = [None if one is None else one.candidate.test.name for one in found]
    assert names == ["x+z<=0.5", "x+z<=0.5", "x<=0.5"]


@pytest.mark.parametrize(
    ("test", "outcomes"),
    [
        (None, None),
        ({"kind": "oracle", "attribute": "outlook"}, None),
        ({"kind": "multiway"}, None),
        ({"kind": "multiway", "attribute": "colour"}, None),
        ({"kind": "multiway", "attribute": ["outlook"]}, None),
        ({"kind": "multiway", "attribute": "humidity"}, None),
        ({"kind": "multiway", "attribute": "outlook"}, [{"is": "sunny"}]),
        ({"kind": "multiway", "attribute": "windy"}, [{"is": "true"}, {"is": "false"}, {"is": "false"}]),
        ({"kind": "multiway", "attribute": "windy"}, [{"is": {}}, {"is": "false"}]),
        ({"kind": "multiway", "attribute": "windy"}, "both"),
        ({"kind": "multiway", "attribute": "windy"}, [{"is": "true", "in": []}]),
        ({"kind": "subset", "attribute": "outlook"}, None),
        ({"kind": "subset", "attribute": "outlook", "in": 7}, None),
        ({"kind": "subset", "attribute": "outlook", "in": ["snow"]}, None),
        ({"kind": "subset", "attribute": "outlook"}, [{"in": ["sunny"]}, {"in": ["rainy"]}]),
        ({"kind": "subset", "attribute": "outlook"}, [{"in": []}, {"not_in": []}]),
        ({"kind": "subset", "attribute": "outlook"}, [{"in": ["snow"]}, {"not_in": ["snow"]}]),
        ({"kind": "threshold", "attribute": "humidity"}, None),
        ({"kind": "threshold", "attribute": "humidity", "threshold": "high"}, None),
        ({"kind": "threshold", "attribute": "humidity", "threshold": 70}, [{"le": 70}, {"ge": 70}]),
        ({"kind": "linear", "weights": {}, "threshold": 1}, None),
        ({"kind": "linear", "weights": [], "threshold": 1}, None),
    ],
)  # fmt: skip
def test_what_is_no_question_is_refused(test: Any, outcomes: Any) -> None:
    with pytest.raises(Malformed):
        READER.question(test, outcomes)


def test_a_set_may_stand_in_its_question() -> None:
    alone = READER.question({"kind": "subset", "attribute": "outlook", "in": ["overcast"]})
    beside = READER.question(
        {"kind": "subset", "attribute": "outlook"}, [{"in": ["overcast"]}, {"not_in": ["overcast"]}]
    )
    assert alone == beside
