"""The programs in `docs/examples` and their reports: the programs still do what those say, and fuzz finds nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import pytest

from reference_tree.checking.fuzzing import Fuzzing
from reference_tree.checking.report_pages import to_markdown
from reference_tree.checking.reports import read_report, to_document
from reference_tree.cli.fuzzing import Implementation
from reference_tree.conformance.cases import cases
from tests.conformance.reports import PROGRAMS, REPORTS, SMALLEST, checked
from tests.test_schemas import validator

OTHERS = ("scikit-learn", "rpart", "j48")
LONG = ("javascript", "rust", "go", "smallest-cpp", "smallest-javascript")
CASES = 20


def _named(name: str) -> object:
    return pytest.param(name, marks=pytest.mark.oracles if name in OTHERS else [pytest.mark.slow] * (name in LONG))


@pytest.fixture(scope="module")
def program_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Implementation]:
    """A program, compiled once if it has to be."""

    @cache
    def found(name: str) -> Implementation:
        if missing := PROGRAMS[name].absent():
            pytest.skip(missing)
        return PROGRAMS[name].program(str(tmp_path_factory.mktemp(name)))

    return found


def test_each_program_has_its_report() -> None:
    assert {path.stem for path in REPORTS.iterdir()} == set(PROGRAMS)


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_report_keeps_to_its_schema_and_says_that_all_is_right(name: str) -> None:
    path = REPORTS / f"{name}.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    validator("report-1.schema.json").validate(document)
    found = read_report(str(path))
    assert to_document(found) == document
    assert found.claims.program == PROGRAMS[name].name
    assert {one.id for one in found.outcomes} == set(cases()), "python -m tests.conformance.reports renews the reports"
    assert found.passed
    assert found.count("passed") == sum(one.claimed for one in found.outcomes) > 0
    assert f"| {found.claims.program} |" in to_markdown([found])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", [_named(name) for name in PROGRAMS])
def test_a_program_still_does_what_its_report_says(name: str, program_of: Callable[[str], Implementation]) -> None:
    """Each case ends as it did, those that are not claimed included."""
    found = checked(program_of(name), PROGRAMS[name].claimed())
    now = {one.id: one.status for one in found.judged[: len(found.cases)]}
    assert now == {one.id: one.status for one in read_report(str(REPORTS / f"{name}.json")).outcomes}
    assert set(now.values()) <= {"passed", "skipped"}


@pytest.mark.parametrize("name", [_named(name) for name in PROGRAMS if name != "javascript"])
def test_fuzz_finds_nothing(name: str, program_of: Callable[[str], Implementation]) -> None:
    fuzzing = Fuzzing(program_of(name), PROGRAMS[name].claimed(), seed=1)
    judged = [str(found.judged).partition(":")[0] for found in fuzzing.findings(CASES)]
    assert judged == []
    assert fuzzing.drawn == CASES


def test_the_smallest_programs_are_small() -> None:
    lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in SMALLEST.glob("id3.*")}
    assert lines.keys() == {"id3.py", "id3.mjs", "id3.cpp"}
    assert max(lines["id3.py"], lines["id3.mjs"]) <= 80
    assert lines["id3.cpp"] <= 160
