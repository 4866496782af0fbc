"""Cases: the files are read whole, and a wrong name is answered with a near one."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from reference_tree.conformance.cases import Case, _case, case, cases, cases_like
from reference_tree.conformance.goldens import document
from reference_tree.data.errors import InputError


def test_ids_are_sorted_and_speak_for_themselves() -> None:
    assert list(cases()) == sorted(cases())
    assert all(
        re.fullmatch(
            r"(formula|bins|id3|c45|cart|optimal|regression|predict|prune|ensemble|boosting|draws"
            r"|missing|weights|classes|stops|generated|pairs|told|attribution)/[a-z0-9.-]+",
            name,
        )
        for name in cases()
    )
    assert all(found.title and found.sources for found in cases().values())


def test_there_is_a_tree_of_at_least_five_textbook_data_sets() -> None:
    assert len({found.data for found in cases().values() if found.kind == "tree" and isinstance(found.data, str)}) >= 5


def test_an_unknown_case_is_answered_with_a_near_one() -> None:
    with pytest.raises(InputError, match=r"did you mean c45/play-tennis, cart/play-tennis, id3/play-tennis\?"):
        case("other/play-tennis")
    with pytest.raises(InputError, match="--list"):
        case("nowhere")


def test_an_unknown_key_is_named_with_the_case() -> None:
    with pytest.raises(InputError, match=r"^cart/own: there is no key of a case 'source' \(did you mean sources\?\)"):
        _case({"id": "cart/own", "source": ["Breiman1984"]})


def test_attributes_can_be_left_out() -> None:
    assert [attribute.name for attribute in case("id3/cats").table().schema.attributes] == ["ear", "face", "whiskers"]


def test_columns_that_stand_in_a_case_are_categories_unless_it_says_numbers() -> None:
    table = case("c45/equal-cuts-of-different-ratio").table()
    assert {attribute.name: attribute.kind for attribute in table.schema.attributes} == {
        "x": "continuous", "b": "categorical",
    }  # fmt: skip
    assert case("id3/exclusive-or").table().schema.attribute("a").values == ("0", "1")


def test_validation_rows_are_a_table_of_their_own() -> None:
    held_out = case("prune/watermelon-2.0-post-pruning").validation_table()
    assert held_out is not None
    assert len(list(held_out.rows())) == 7
    assert case("prune/play-tennis-cost-function").validation_table() is None


def test_a_question_mark_is_a_missing_value() -> None:
    assert next(case("c45/one-row").table().rows()) == {"a": None, "y": "yes"}


def test_patterns_choose_cases_each_once() -> None:
    assert [found.id for found in cases_like(["draws/*", "draws/digits"])] == [n for n in cases() if n[:5] == "draws"]
    assert len(cases_like([])) == len(cases())
    with pytest.raises(InputError, match="--list"):
        cases_like(["ID3/*"])  # also where a file system would find it


PREDICTED = Case(
    id="predict/somewhere-else",
    kind="predict",
    title="",
    data={"a": ["x", "x", "y"], "n": ["1", "1", "?"], "t": ["p", "q", "q"]},
    continuous=("n",),
    target="t",
    weights=("2", "1/2", "1"),
    learner={"name": "c45"},
    rows=(3,),
    ask={"a": ["z", "?"], "n": ["1", "7"]},
    unseen="majority",
)


def test_rows_to_be_predicted_need_not_be_in_the_data() -> None:
    assert PREDICTED.rows_to_predict() == [["y", "", "q"], ["z", "1", ""], ["", "7", ""]]
    golden = document(PREDICTED)
    assert golden["rows"] == PREDICTED.rows_to_predict()
    assert golden["needs"] == ["cuts", "missing", "unseen", "weights"]
    rules = [found["rules"] for found in golden["expected"]["predictions"]]
    assert rules == [[], ["predict.unseen"], ["missing.predict"]]


def test_rows_weigh_what_the_case_says() -> None:
    golden = document(replace(PREDICTED, kind="tree"))
    assert golden["data"]["weights"] == ["2", "1/2", "1"]
    assert golden["expected"]["decisions"][0]["total"] == ["2", "3/2"]
