"""Reports: what is written is read, keeps to its schema, and says what the check said."""

from __future__ import annotations

import json
import re
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from reference_tree.checking.check import check
from reference_tree.checking.reports import (
    FORMAT,
    CaseOutcome,
    Report,
    from_document,
    read_report,
    report,
    report_text,
    to_document,
)
from reference_tree.conformance import SUITE
from reference_tree.conformance.archive import archive
from reference_tree.conformance.cases import cases
from reference_tree.conformance.claims import Claims
from reference_tree.data.errors import InputError
from tests.checking.answering import answer_to, kept
from tests.every import of_every
from tests.test_schemas import SCHEMAS, validator

FORMULAS = [name for name, case in cases().items() if case.kind == "formula"]
CLAIMS = Claims(
    "ours",
    "1.2",
    kinds={"formula": [], "tree": ["cuts"]},
    formulas=["measures.entropy.*", "measures.gini_index.*"],
    learners={"cart": {"min_samples_leaf": ["*", "2"], "criterion": ["gini"]}},
    expected=[("formula/gini-play-tennis", "we round"), ("formula/entropy-pure", "we do not")],
)


@cache
def made() -> Report:
    """One right answer, a wrong one, one that is wrong as expected, and an expectation that fails no more."""
    given = {"formula/entropy-pure": 0, "formula/entropy-play-tennis": 0.9, "formula/gini-play-tennis": 0.5}
    return report(check(given, claims=CLAIMS, kinds="formula"))


def test_each_case_has_its_outcome() -> None:
    found = {one.id: one for one in made().outcomes}
    assert list(found) == FORMULAS
    assert found["formula/entropy-pure"].status == "passed"
    assert found["formula/entropy-play-tennis"].status == "failed"
    assert found["formula/gini-play-tennis"].status == "excused"
    assert "as expected: we round" in found["formula/gini-play-tennis"].message
    assert found["formula/gini-of-thirds"].verdict == "not-answered"
    assert not made().passed
    assert made().stale == ["formula/entropy-pure"]
    assert {one.status for one in found.values() if one.claimed} == {"passed", "failed", "excused"}
    assert {one.status for one in found.values() if not one.claimed} == {"skipped"}


@pytest.mark.slow
def test_the_learners_and_the_needs_of_a_case_are_told() -> None:
    rounds: dict[str, Any] = {name: {} for name, case in cases().items() if case.kind == "rounds"}
    found = report(check(rounds, claims=CLAIMS, kinds="rounds"))
    assert all(one.needs == kept(one.id)["needs"] for one in found.outcomes)
    assert {tuple(one.learners) for one in found.outcomes} >= {("adaboost", "cart")}


def test_the_digest_is_that_of_the_file_in_the_archive() -> None:
    zipped = ZipFile(BytesIO(archive(map(kept, FORMULAS))))
    manifest = json.loads(zipped.read("manifest.json"))
    (formulas,) = (tier["sha256"] for tier in manifest["tiers"] if tier["file"] == "formulas.jsonl")
    assert made().sha256 == formulas
    assert made().suite == SUITE


def test_it_comes_back_and_keeps_to_its_schema(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(report_text(made()), encoding="utf-8")
    again = read_report(str(path))
    assert to_document(again) == to_document(made()) == json.loads(report_text(made()))
    assert again.claims.learners == CLAIMS.learners
    assert SCHEMAS["report-1.schema.json"]["properties"]["format"]["const"] == FORMAT
    validator("report-1.schema.json").validate(to_document(made()))


SMALL = to_document(
    Report(
        CLAIMS, SUITE, "0" * 64, [CaseOutcome("id3/a", "tree", ["id3"], ["cuts"], True, "failed", "fails", "1 mistake")]
    )
)

BAD: list[tuple[dict[str, Any], str]] = [
    (
        {"format": "reference-tree/report/9"},
        "its format is 'reference-tree/report/9', and reference-tree/report/1 is read",
    ),
    ({"cases": {}}, "is no list"),
    ({"cases": [{}]}, "'id' is absent"),
    (
        {"cases": [SMALL["cases"][0]] * 2, "goldens": {"cases": 2, "sha256": ""}},
        "a case stands twice in it",
    ),
    ({"goldens": {"cases": 2, "sha256": ""}}, "and says that there are 2"),
    ({"claims": []}, "claims is no object"),
    ({"claims": {"kinds": {"tee": []}}}, "there is no kind 'tee'"),
    ({"program": "ours"}, "'ours' is no object"),
    ({"program": {"name": "ours", "version": 1}}, "'1' is no text"),
    ({"stale": [1]}, "'1' is no text"),
    ({"other": 0}, "there is no key 'other' here"),
]


@of_every(BAD)
def test_what_is_no_report_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        from_document({**SMALL, **change})
    assert (
        not validator("report-1.schema.json").is_valid({**SMALL, **change})
        or "twice" in said
        or ("says that there are" in said)
    )


@of_every(["kind", "status", "claimed", "needs", "message"])
def test_a_case_that_is_none_is_refused(member: str) -> None:
    for wrong in (None, "other" if member != "message" else 7, ["other", 1]):
        with pytest.raises(ValueError, match=r"of a case is one of|is no|neither true nor false"):
            from_document({**SMALL, "cases": [{**SMALL["cases"][0], member: wrong}]})


def test_without_claims_or_a_version_there_is_no_report() -> None:
    given = {"formula/entropy-pure": 0}
    with pytest.raises(InputError, match="say --claims FILE"):
        report(check(given, kinds="formula"))
    unnamed = Claims("ours", kinds={"formula": []}, formulas=["measures.entropy.entropy"])
    with pytest.raises(InputError, match="say --program-version"):
        report(check(given, claims=unnamed, kinds="formula"))
    assert report(check(given, claims=unnamed, kinds="formula"), "3").claims.version == "3"


def test_an_answer_as_expected_passes() -> None:
    claims = Claims("ours", "1", kinds={"formula": []}, formulas=["measures.entropy.entropy"])
    given = {name: answer_to(name) for name in FORMULAS}
    assert report(check(given, claims=claims, kinds="formula")).passed
