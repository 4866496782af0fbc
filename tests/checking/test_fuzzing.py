"""Fuzzing: a mistaken program is found out on a small table, a right one is not."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.checking.check import judged_answer
from reference_tree.checking.fuzzing import Answers, Broken, Fuzzing, ShrunkFinding, drawn_case, reductions
from reference_tree.conformance.claims import Claims
from reference_tree.conformance.given import GivenCase, case_of
from reference_tree.conformance.goldens import document
from tests.conformance.plain_doubles.answering import answer, claims
from tests.conformance.plain_doubles.planting import plant

CLAIMS = Claims(
    "ours",
    kinds={"tree": ["cuts", "missing", "weights", "regression"], "predict": ["missing"], "prune": []},
    learners={"id3": {"max_depth": ["*"]}, "c45": {}, "cart": {"branching": ["multiway"], "missing": ["fractions"]}},
    prunings=["cost-function", "reduced-error"],
)


def program(**mistaken: Any) -> Answers:
    """A program that decides as we do, but for some options of a learner."""

    def answers(prompts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        found = {}
        for prompt in prompts:
            learner = prompt["learner"]
            options = {name: value for name, value in mistaken.items() if name in learner["options"]}
            told = {**prompt, "learner": {**learner, "options": {**learner["options"], **options}}}
            case = GivenCase(prompt["id"], prompt["kind"], "", unseen=prompt.get("unseen", "error"), golden=told)
            case = case if "pruning" not in prompt else pruned(case, prompt["pruning"])
            found[prompt["id"]] = document(case)["expected"]
        return found

    return answers


def pruned(case: GivenCase, pruning: Mapping[str, Any]) -> GivenCase:
    return GivenCase(case.id, case.kind, "", prune=pruning, golden=case.golden)


def findings(answers: Answers, claims: Claims = CLAIMS, cases: int = 12, seed: int = 0) -> list[ShrunkFinding]:
    return list(Fuzzing(answers, claims, seed).findings(cases))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_right_program_has_no_findings(seed: int) -> None:
    assert findings(program(), cases=20, seed=seed) == []


@pytest.mark.slow
def test_a_mistake_is_found_on_a_small_table_and_becomes_a_golden() -> None:
    claims = Claims("ours", kinds={"tree": ["cuts"]}, learners={"c45": {}})
    found = findings(program(contenders="everyone"), claims, cases=12)
    assert found
    for one in found:
        golden = document(one.case)
        assert case_of(golden).base() == rt.C45()
        right, wrong = golden["expected"], program(contenders="everyone")([golden])[golden["id"]]
        assert right != wrong
    assert min(len(one.case.table()) for one in found) <= 9
    assert "contenders = everyone" in "".join(found[0].judged.lines)


@pytest.mark.slow
def test_what_is_smallest_cannot_be_reduced() -> None:
    """Whatever is a step smaller is right, or wrong in another way."""
    claims = Claims("ours", kinds={"tree": []}, learners={"id3": {"max_depth": ["*"]}})
    mistaken = program(max_depth=1)
    for one in findings(mistaken, claims, cases=10):
        told = [mistake.get("likely") for mistake in one.judged.details["mistakes"]]
        for smaller in reductions(one.case):
            try:
                golden = document(smaller)
            except rt.InputError:
                continue
            judged = judged_answer(smaller, mistaken([golden])[golden["id"]])
            likely = [mistake.get("likely") for mistake in judged.details.get("mistakes", ())]
            assert not claims.cover(golden) or not any(words in likely for words in told if words)


def test_every_reduction_of_a_case_is_asked() -> None:
    """Reductions have the id of their case; the program is asked for each of them, by an id of its own."""
    asked: list[int] = []

    def answers(prompts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        asked.append(len({one["id"] for one in prompts}))
        return {}

    claims = Claims("ours", kinds={"tree": []}, learners={"id3": {}})
    drawn = next(case for number in range(50) if (case := drawn_case(claims, 0, number)) is not None)
    (found,) = findings(answers, claims, cases=1)
    assert asked[:2] == [1, min(40, sum(1 for one in reductions(drawn) if claims.cover(document(one))))]
    assert found.case.id == found.drawn == found.judged.id == drawn.id


@pytest.mark.slow
def test_a_program_that_breaks_or_is_silent_is_found() -> None:
    claims = Claims("ours", kinds={"tree": []}, learners={"id3": {}})
    (silent,) = findings(lambda prompts: {}, claims)
    assert (silent.judged.verdict, silent.judged.message) == ("not-answered", "it is claimed")
    (broken,) = findings(lambda prompts: {one["id"]: Broken("exit status 3: no") for one in prompts}, claims)
    assert broken.judged.told == "broken: exit status 3: no"
    assert len(broken.case.table()) == 1


def test_draws_are_the_same_everywhere_and_claimed() -> None:
    drawn = [drawn_case(CLAIMS, 3, number) for number in range(30)]
    assert drawn == [drawn_case(CLAIMS, 3, number) for number in range(30)]
    there = [case for case in drawn if case is not None]
    assert {case.kind for case in there} == {"tree", "predict", "prune"}
    assert all(CLAIMS.cover(document(case)) for case in there)
    assert {(case.learner or {})["name"] for case in there} == {"id3", "c45", "cart"}


def test_a_program_that_claims_no_tree_is_not_fuzzed() -> None:
    with pytest.raises(rt.InputError, match="a kind of tree, predict, prune"):
        findings(program(), Claims("ours", kinds={"formula": []}))


PLAIN = Claims("plain", kinds={"tree": ["cuts"]}, learners={"c45": {}, "cart": {"branching": ["multiway"]}})


def noticed(cases: int, *faults: str | None) -> Counter[str | None]:
    """For each fault the number of drawn cases in which the learner in doubles is wrong with it."""
    found = Counter[str | None]()
    for number in range(cases):
        case = drawn_case(PLAIN, 0, number)
        golden = None if case is None else document(case)
        if case is None or golden is None or "exact" in golden["needs"] or not claims(golden):
            continue
        for fault in faults:
            with plant(fault):
                given = json.loads(json.dumps(answer(golden)))
            found[fault] += judged_answer(case, given).status != "passed"
    return found


@pytest.mark.slow
def test_draws_notice_numbers_sorted_as_texts_and_averages_of_another_rule() -> None:
    """With numbers of one digit, and gains that are never their average, none of a thousand draws did."""
    found = noticed(80, None, "numbers-sorted-as-texts", "above-the-average-unless-none-is")
    assert found.pop(None) == 0
    assert min(found.values()) > 1, found


def test_numbers_of_several_lengths_stand_for_digits_in_all_tables_of_a_case() -> None:
    wide = Claims("wide", kinds={"predict": ["cuts", "regression"]}, learners={"cart": {}})
    drawn = [case for number in range(80) if (case := drawn_case(wide, 1, number)) is not None]
    tables: Any = [(case.data, case.ask) for case in drawn]
    cells = [(set(data["x1"]), set(ask["x1"])) for data, ask in tables if "x1" in data]
    long = [(here, there) for here, there in cells if any(len(one) > 1 for one in here)]
    assert 0.2 < len(long) / len(cells) < 0.8
    assert all(not there & set("345678") for _, there in long)
