"""Claims: which cases a program has to answer, and what a file of claims may say."""

from __future__ import annotations

from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.conformance.cases import cases
from reference_tree.conformance.claims import Claims, is_word, read_claims
from tests.checking.answering import answer_to, kept
from tests.every import of_every

OURS = Claims(
    "ours",
    kinds={"formula": [], "tree": ["cuts", "dialect:zhou"], "prune": ["choices"]},
    formulas=["measures.entropy.*"],
    learners={"id3": {}, "c45": {"max_depth": ["*"]}},
    prunings=["cost-function"],
)


@of_every(
    [
        ("formula/entropy-pure", True),
        ("formula/gini-play-tennis", False),
        ("id3/play-tennis", True),
        ("id3/play-tennis-one-level", False),  # max_depth is claimed of C4.5 alone
        ("id3/watermelon-2.0a", False),  # rows without an answer
        ("cart/play-tennis", False),
        ("c45/golf", True),
        ("predict/watermelon-2.0a", False),
        ("prune/watermelon-2.0-cost-function", True),
    ]
)
def test_what_is_claimed(name: str, is_claimed: bool) -> None:
    assert OURS.cover(kept(name)) == is_claimed


def test_a_claimed_case_without_an_answer_fails() -> None:
    claims = Claims("ours", kinds={"formula": []}, formulas=["measures.entropy.entropy"])
    checked = rt.check({"formula/entropy-pure": 0.0}, claims=claims)
    assert "formula/entropy-play-tennis not-answered: it is claimed" in str(checked)
    by_id = {one.id: one for one in checked.judged}
    assert by_id["formula/entropy-pure"].status == "passed"
    assert (by_id["id3/loan"].status, by_id["id3/loan"].verdict) == ("skipped", "not-claimed")
    silent = Claims("ours", kinds={"formula": []}, formulas=["*gini"], expected=[("formula/*", "not yet")])
    statuses = {one.status for one in rt.check({}, claims=silent).judged if one.verdict == "not-answered"}
    assert statuses == {"excused"}


def test_what_is_claimed_has_to_be_answered_and_nothing_else() -> None:
    kinds = {"tree": [], "predict": ["cuts"], "prune": ["cuts"]}
    claims = Claims("ours", kinds=kinds, learners={"id3": {}}, prunings=["cost-function"])
    claimed = [name for name in cases() if claims.cover(kept(name))]
    assert {cases()[name].kind for name in claimed} == set(kinds)
    assert [one.id for one in rt.check({}, claims=claims).failed] == claimed


def test_an_answer_that_has_no_form_is_told_from_a_wrong_one() -> None:
    answers = {"formula/entropy-pure": "much", "formula/gini-play-tennis": 0.5, "id3/loan": answer_to("id3/loan")}
    found = {one.id: one.verdict for one in rt.check(answers).judged if one.status != "skipped"}
    assert found == {"formula/entropy-pure": "malformed", "formula/gini-play-tennis": "fails", "id3/loan": "passes"}


def test_a_word_has_its_type() -> None:
    assert is_word(None, ["null"])
    assert is_word(3, [3])
    assert not is_word(True, [1])
    assert not is_word("3", [3])


def written(folder: Path, text: str) -> str:
    file = folder / "claims.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_file_of_claims(tmp_path: Path) -> None:
    text = 'program = "p"\nversion = "1"\nprunings = ["reduced-error"]\n[kinds]\ntree = ["cuts"]\n'
    text += '[learners.cart]\nmax_depth = ["null", 3]\ncriterion = ["gini"]\n[expected-failures]\n"cart/*" = "why"\n'
    claims = read_claims(written(tmp_path, text))
    assert (claims.program, claims.version, claims.expected) == ("p", "1", (("cart/*", "why"),))
    assert claims.learners == {"cart": {"max_depth": ["null", 3], "criterion": ["gini"]}}
    assert claims.formulas == ("*",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("program = ", "is no TOML"),
        ('program = "p"', "'kinds' is absent"),
        ("[kinds]", "'program' is absent"),
        ('program = "p"\n[kinds]\ntrees = []', "no kind 'trees' .did you mean tree"),
        ('program = "p"\n[kinds]\ntree = ["cutz"]', "no need 'cutz' .did you mean cuts"),
        ('program = "p"\n[kinds]\ntree = "cuts"', "tree is no list"),
        ('program = "p"\n[kinds]\n[learners.id4]', "no learner 'id4'"),
        ('program = "p"\n[kinds]\n[learners.id3]\nmaxdepth = [1]', "no option 'maxdepth'"),
        ('program = "p"\n[kinds]\n[learners.cart]\ncriterion = ["ginny"]', "cart.criterion: there is no 'ginny'"),
        ('program = "p"\n[kinds]\n[learners.cart]\ncriterion = "gini"', "cart.criterion is no list"),
        ('program = "p"\nprunings = ["all"]\n[kinds]', "no pruning method 'all'"),
        ('program = "p"\nclaim = 1\n[kinds]', "no key 'claim' here"),
    ],
)
def test_what_is_refused_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(rt.InputError, match=message) as error:
        read_claims(written(tmp_path, text))
    assert "claims.toml" in str(error.value)
    assert "\n" not in str(error.value)
