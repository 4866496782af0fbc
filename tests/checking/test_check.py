"""The check of all cases: what passes, fails, is excused, is not answered; and what is written of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import reference_tree as rt
from reference_tree.conformance.cases import cases
from reference_tree.conformance.claims import Claims
from reference_tree.data.errors import InputError
from tests.checking.answering import answer_to
from tests.every import of_every

RIGHT, WRONG = "formula/gini-play-tennis", "formula/entropy-pure"
GIVEN = {RIGHT: 45 / 98, WRONG: 0.5}


def statuses(checked: object) -> dict[str, str]:
    assert hasattr(checked, "judged")
    return {one.id: one.status for one in checked.judged if one.status != "skipped"}


def test_one_answer_that_is_no_number_does_not_end_the_check(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    told = {WRONG: "NaN", RIGHT: json.dumps(GIVEN[RIGHT])}
    lines = (f'{{"id": "{name}", "answer": {value}}}' for name, value in told.items())
    file.write_text("\n".join(lines), encoding="utf-8")
    checked = rt.check(file)
    assert statuses(checked) == {RIGHT: "passed", WRONG: "failed"}
    assert "nan is not a finite number" in str(checked)


def test_what_is_required_has_to_be_answered() -> None:
    silent = rt.check({RIGHT: GIVEN[RIGHT]}, required=[RIGHT, WRONG])
    assert statuses(silent) == {RIGHT: "passed", WRONG: "failed"}
    assert f"{WRONG} not-answered: an answer is required" in str(silent)
    every = rt.check({RIGHT: GIVEN[RIGHT]}, required="*", kinds=["bins"])
    assert [one.verdict for one in every.failed] == ["not-answered"] * len(every.judged)
    assert rt.check({RIGHT: GIVEN[RIGHT]}, required=[RIGHT]).passed
    with pytest.raises(rt.InputError, match="no golden case"):
        rt.check({}, required=["formula/nothing*"])


def test_each_case_is_judged_and_the_others_are_counted() -> None:
    checked = rt.check(GIVEN)
    assert statuses(checked) == {RIGHT: "passed", WRONG: "failed"}
    assert not checked.passed
    text = str(checked).splitlines()
    assert text[0] == f"{WRONG} fails: 1 mistake"
    assert text[-2].startswith(f"not-answered ({len(cases()) - 2}): ")
    assert text[-1] == f"1 passed, 1 failed, {len(cases()) - 2} skipped"
    assert len(ElementTree.fromstring(checked.write("junit").encode())[0].findall("testcase")) == len(cases())
    assert json.loads(checked.write("jsonl").splitlines()[0])["verdict"] == "not-answered"


@pytest.mark.slow
def test_nothing_but_what_is_wanted_is_judged() -> None:
    names = ["id3/equal-gains-of-different-tables", "c45/equal-gains", "regression/tenths"]
    answers = {**GIVEN, **{name: answer_to(name) for name in names}}
    assert list(statuses(rt.check(answers, kinds=["split"]))) == sorted(names)
    assert list(statuses(rt.check(answers, kinds=["split"], needs=[]))) == names[:1]
    assert list(statuses(rt.check(answers, kinds=["split"], needs=["dialect:zhou"]))) == sorted(names[:2])


def test_a_failure_may_be_expected_with_its_reason() -> None:
    checked = rt.check(GIVEN, expected_failures=[("formula/entropy-*", "no entropy yet")])
    assert checked.passed
    assert statuses(checked)[WRONG] == "excused"
    assert f"{WRONG} fails: 1 mistake, as expected: no entropy yet" in str(checked)


def test_a_failure_that_is_expected_and_does_not_come_is_reported() -> None:
    checked = rt.check({RIGHT: 45 / 98}, expected_failures=[(RIGHT, "once"), ("id3/*", "not answered")])
    (stale,) = checked.failed
    assert (stale.id, stale.verdict) == (RIGHT, "passes")
    assert "it was expected to fail (once); take it off the list" in stale.message


def test_the_list_of_expected_failures_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "expected.txt"
    file.write_text(f"# what we lack\n\n{WRONG}   no zero\n", encoding="utf-8")
    assert rt.check(GIVEN, expected_failures=file).passed


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"formula/entropy-pure\n", "line 1: 'formula/entropy-pure' has no reason"),
        (b"\nentropy no\n", "line 2: no case is named like 'entropy'"),
        (b"\xff", "is not UTF-8"),
    ],
)
def test_a_list_that_cannot_be_meant_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "expected.txt"
    file.write_bytes(content)
    with pytest.raises(InputError, match=message):
        rt.check(GIVEN, expected_failures=file)


def test_what_there_is_none_of_is_refused() -> None:
    with pytest.raises(InputError, match="there is no case 'formula/entropy'"):
        rt.check({"formula/entropy": 1})
    with pytest.raises(InputError, match="there is no kind 'trees' of cases"):
        rt.check(GIVEN, kinds=["trees"])
    with pytest.raises(InputError, match="there is no need 'cut' of cases"):
        rt.check(GIVEN, needs=["cut"])
    with pytest.raises(InputError, match="cannot be read"):
        rt.check("no/such/file")
    with pytest.raises(InputError, match="cannot be read"):
        rt.check(GIVEN, expected_failures="no/such/file")


@of_every(
    [
        ({"kinds": ["bins"]}, "none of 2 answers is to a case of the kind bins"),
        ({"kinds": ["bins"], "needs": ["cuts"]}, "of the kind bins without other needs than cuts"),
        ({"kinds": ["bins"], "required": "formula/*"}, "no case like 'formula/\\*'"),
        ({"required": [RIGHT], "kinds": ["split"]}, "is among those that are judged"),
        ({"needs": ["dialect:j48"]}, "no need 'dialect:j48'"),
        ({"claims": Claims("ours", kinds={"formula": []}, formulas=["measures.entrpy.*"])}, "no case is of such"),
        ({"claims": Claims("ours", kinds={"tree": []}), "kinds": ["tree"]}, "nothing is judged"),
    ]
)
def test_what_leaves_nothing_to_judge_is_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        rt.check(GIVEN, **options)


def test_no_answers_are_judged_where_they_are_required() -> None:
    with pytest.raises(InputError, match="nothing is judged: there are no answers"):
        rt.check({})
    assert not rt.check({}, required=[RIGHT]).passed
