"""`check`, as its user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Run


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """One right answer and a wrong one."""
    file = tmp_path / "answers.jsonl"
    lines = [{"id": "formula/gini-play-tennis", "answer": 45 / 98}, {"id": "formula/entropy-pure", "answer": 0.5}]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return file


def test_a_wrong_answer_is_exit_status_1(run: Run, answers: Path) -> None:
    status, out, err = run("check", answers)
    assert (status, err) == (1, "")
    assert "formula/entropy-pure fails: 1 mistake" in out


def test_right_answers_are_exit_status_0_and_one_line(run: Run, answers: Path, tmp_path: Path) -> None:
    expected = tmp_path / "expected.txt"
    expected.write_text("formula/entropy-pure not yet\n", encoding="utf-8")
    assert run("check", answers, "--expected-failures", expected)[0] == 0


def test_the_name_of_the_output_says_how_it_is_written(run: Run, answers: Path, tmp_path: Path) -> None:
    assert run("check", answers, "-o", tmp_path / "found.xml")[0] == 1
    assert (tmp_path / "found.xml").read_text(encoding="utf-8").startswith("<?xml")
    assert run("check", answers, "-o", tmp_path / "found.jsonl", "--kind", "formula")[0] == 1
    lines = (tmp_path / "found.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["status"] for line in lines} == {"passed", "failed", "skipped"}


@pytest.mark.parametrize(
    "arguments", [["no/such/file"], ["-", "--needs", "wings"], ["-", "--kind", "forest"], ["-", "-o", "found.pdf"]]
)
def test_bad_input_is_exit_status_2_and_one_line(run: Run, arguments: list[str]) -> None:
    status, out, err = run("check", *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
