"""The reports of the programs in `docs/examples`: they keep to the schema, and the programs still do what they say."""

from __future__ import annotations

import json

import pytest

from reference_tree.checking.report_pages import to_markdown
from reference_tree.checking.reports import read_report, to_document
from tests.conformance.reports import PROGRAMS, REPORTS, reported
from tests.test_schemas import validator

OTHERS = ("scikit-learn", "rpart", "j48")


def test_each_program_has_its_report() -> None:
    assert {path.stem for path in REPORTS.iterdir()} == set(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_report_keeps_to_its_schema_and_says_that_all_is_right(name: str) -> None:
    path = REPORTS / f"{name}.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    validator("report-1.schema.json").validate(document)
    found = read_report(str(path))
    assert to_document(found) == document
    assert found.claims.program == PROGRAMS[name].name
    assert found.passed
    assert found.count("passed") == sum(one.claimed for one in found.outcomes) > 0
    assert f"| {found.claims.program} |" in to_markdown([found])


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.oracles if name in OTHERS else [pytest.mark.slow] * (name == "javascript"))
        for name in PROGRAMS
    ],
)
def test_a_program_still_does_what_its_report_says(name: str) -> None:
    """Cases that are newer than the report are not in it; those that it has end as they did."""
    if missing := PROGRAMS[name].absent():
        pytest.skip(missing)
    now = {one.id: one.status for one in reported(name).outcomes}
    kept = {one.id: one.status for one in read_report(str(REPORTS / f"{name}.json")).outcomes if one.id in now}
    assert len(kept) > 200
    assert {case: now[case] for case in kept} == kept
    assert set(now.values()) <= {"passed", "skipped"}
