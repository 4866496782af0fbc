"""The command `golden`: cases by their ids, patterns, kinds and needs; as files, lines and an archive."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.cli.running import Run, refused


def test_golden_prints_one_case_and_writes_all(run: Run, tmp_path: Path) -> None:
    assert json.loads(run("golden", "id3/loan")[1])["id"] == "id3/loan"
    assert "--to" in refused(run, "golden", "id3/loan", "id3/cats")
    assert run("golden", "--to", tmp_path / "out", "id3/loan", "id3/cats")[0] == 0
    assert sorted(path.name for path in (tmp_path / "out" / "id3").iterdir()) == ["cats.json", "loan.json"]


def test_golden_names_its_cases(run: Run) -> None:
    assert "id3/play-tennis" in run("golden", "--list")[1]
    assert run("golden", "--list", "id3/loan", "id3/cats")[1].split("\n")[0].startswith("id3/loan ")
    assert run("golden", "--list", "id3/loan", "id3/cats")[1].count("\n") == 2
    assert "did you mean" in refused(run, "golden", "play-tennis")
    assert "did you mean" in refused(run, "golden", "--list", "play-tennis")


def test_golden_chooses_by_kind_and_by_what_a_case_needs(run: Run, tmp_path: Path) -> None:
    prompts = [json.loads(line) for line in run("golden", "id3/*", "--kind", "split", "--prompts")[1].splitlines()]
    assert {one["kind"] for one in prompts} == {"split"}
    assert not any("expected" in one for one in prompts)
    listed = run("golden", "id3/equal*", "id3/visitor*", "--needs", "", "--list")[1]
    assert [line.split()[0] for line in listed.splitlines()] == [
        "id3/equal-gains-in-another-order", "id3/equal-gains-of-different-tables", "id3/equal-rows", "id3/visitor",
    ]  # fmt: skip
    assert "missing, priors and " in refused(run, "golden", "--needs", "nothing")
    assert "--list" in refused(run, "golden", "id3/watermelon-3.0", "--needs", "")
    assert "--archive" in refused(run, "golden", "--needs", "cuts")
    assert "file" in refused(run, "golden", "draws/*", "--archive", "-")
    assert run("golden", "draws/*", "--archive", tmp_path / "draws.zip")[0] == 0
    assert ZipFile(tmp_path / "draws.zip").namelist() == ["manifest.json", "tolerances.json", "draws.jsonl"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--list", "--kind", "predict", "id3/*"],
        ["--list", "--needs", "", "--kind", "predict", "id3/*"],
        ["--prompts", "--kind", "predict", "id3/*"],
        ["--list", "--needs", "dialect:nobody"],
    ],
)
def test_a_filter_that_leaves_nothing_is_refused(run: Run, arguments: list[str]) -> None:
    status, out, err = run("golden", *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
