"""Goldens of one's own: read as cases, and never believed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.conformance.cases import cases
from reference_tree.conformance.given import KINDS, case_of, cases_in, read_goldens
from reference_tree.conformance.goldens import document, golden_of
from tests.checking.answering import kept
from tests.every import of_every

READ = [name for name, case in cases().items() if case.kind in KINDS]


@pytest.mark.more
@of_every(READ)
def test_a_golden_of_the_suite_under_another_name_is_written_again(name: str) -> None:
    own = {**kept(name), "id": "our/own", "printed": []}
    assert document(case_of(own))["expected"] == own["expected"]


def test_what_a_learner_writes_is_read(tmp_path: Path) -> None:
    table = rt.Table.from_columns({"a": ["u", "v", "u", None], "x": [1, 2, 3, 4], "y": ["p", "q", "p", "q"]})
    file = tmp_path / "own.json"
    file.write_text(golden_of(rt.C45(max_depth=2), table), encoding="utf-8")
    (case,) = read_goldens(str(file))
    assert case.base() == rt.C45(max_depth=2)
    assert list(case.table().rows()) == list(table.rows())
    right = json.loads(file.read_text(encoding="utf-8"))["expected"]
    assert rt.check({case.id: right}, goldens=[str(file)]).passed
    right["decisions"][0]["total"] = [3, 1]
    assert not rt.check({case.id: right}, goldens=[str(file)]).passed


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other/1"}, "is no golden"),
        ({"id": "our/own", "expected": {"decisions": []}}, "its expected is not what comes out"),
        ({"expected": {"decisions": []}}, "its expected is not that of the golden of the suite"),
        ({"id": "our/own", "kind": "rounds"}, "is a golden of the kind 'rounds'"),
        ({"id": "our/own", "data": None}, "is no golden that can be read"),
        ({"id": "our/own", "learner": {"name": "id4", "profile": None, "options": {}}}, "no learner 'id4'"),
    ],
)
def test_what_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(rt.InputError, match=message):
        case_of({**kept("id3/play-tennis"), **change})


def test_a_file_may_have_a_golden_on_each_line(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    lines = [json.dumps({**kept("id3/loan"), "id": name}) for name in ("our/a", "our/b")]
    file.write_text("\n".join(lines), encoding="utf-8")
    assert [*cases_in([str(file)])] == ["our/a", "our/b"]
    with pytest.raises(rt.InputError, match="stands in another"):
        cases_in([str(file), str(file)])
    file.write_text("\n".join([lines[0], lines[0]]), encoding="utf-8")
    with pytest.raises(rt.InputError, match=r"line 2.*occurs twice"):
        read_goldens(str(file))
    file.write_text("\n".join([lines[0], lines[1][:-1]]), encoding="utf-8")
    with pytest.raises(rt.InputError, match="line 2"):
        read_goldens(str(file))
    with pytest.raises(rt.InputError, match="cannot be read"):
        read_goldens(str(tmp_path / "nothing"))
