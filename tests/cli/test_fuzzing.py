"""`fuzz`, as its user types it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.running import Run, refused

SILENT = "import sys; sys.stdin.read()"
BREAKS = "import sys; sys.exit('no such luck') if sys.stdin.read() else None"
TALKS = "import sys; sys.stdin.read() and print('hello')"


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    file = tmp_path / "claims.toml"
    file.write_text('program = "p"\n[kinds]\ntree = []\n[learners.id3]\n', encoding="utf-8")
    return file


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "told"),
    [
        (SILENT, "not-answered: it is claimed (tree of 1 row; id3)"),
        (BREAKS, "broken: exit status 1: no such luck (tree of 1 row; id3)"),
        (TALKS, "broken: line 1 of its output is not JSON: "),
    ],
)
def test_what_a_program_gets_wrong(run: Run, claims: Path, tmp_path: Path, program: str, told: str) -> None:
    folder = tmp_path / "found"
    command = ["--cases", "2", "--to", folder, "--", sys.executable, "-c", program]
    status, out, err = run("fuzz", "--claims", claims, *command)
    assert (status, err) == (1, "")
    assert told in out
    assert out.endswith("2 cases drawn with seed 0, 1 finding\n")
    (file,) = folder.iterdir()
    answers = tmp_path / "answers.jsonl"
    line = {"id": file.stem.replace("-", "/", 1), "answer": {"decisions": []}}
    answers.write_text(json.dumps(line), encoding="utf-8")
    status, out, err = run("check", answers, "--golden", file)
    assert (status, err) == (1, "")


def test_wrong_use_is_one_line(run: Run, claims: Path, tmp_path: Path) -> None:
    assert "cannot be started" in refused(run, "fuzz", "--claims", claims, "--", tmp_path / "no-such-program")
    assert "cannot be read" in refused(run, "fuzz", "--claims", tmp_path / "nothing", "--", sys.executable)
    assert "from 1" in refused(run, "fuzz", "--claims", claims, "--cases", "0", "--", sys.executable)


def test_a_program_of_which_nothing_is_judged_does_not_pass(run: Run, claims: Path) -> None:
    claims.write_text('program = "p"\n[kinds]\nprune = []\n[learners.id3]\n', encoding="utf-8")
    message = refused(run, "fuzz", "--claims", claims, "--cases", "2", "--", sys.executable)
    assert "nothing is judged" in message


def test_claims_of_a_check(run: Run, tmp_path: Path) -> None:
    claims, answers = tmp_path / "claims.toml", tmp_path / "answers.jsonl"
    claims.write_text('program = "p"\nformulas = ["*.entropy"]\n[kinds]\nformula = []\n', encoding="utf-8")
    answers.write_text('{"id": "formula/entropy-pure", "answer": 0.0}\n', encoding="utf-8")
    status, out, _ = run("check", answers, "--claims", claims)
    assert status == 1
    assert "formula/entropy-play-tennis not-answered: it is claimed" in out
