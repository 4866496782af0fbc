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


CLAIMS = """program = "ours"
formulas = ["measures.gini_index.gini", "measures.entropy.entropy"]
[kinds]
formula = []
"""


@pytest.fixture
def written(run: Run, answers: Path, tmp_path: Path) -> Path:
    """A report of the answers."""
    (tmp_path / "claims.toml").write_text(CLAIMS, encoding="utf-8")
    options = ["--claims", tmp_path / "claims.toml", "--kind", "formula", "--program-version", "1.2"]
    status, out, _ = run("check", answers, *options, "--report", tmp_path / "report.json")
    assert (status, "formula/entropy-pure fails" in out) == (1, True)
    return tmp_path / "report.json"


def test_a_report_becomes_a_page_and_a_badge(run: Run, written: Path, tmp_path: Path) -> None:
    status, out, err = run("report", written, written)
    assert (status, err, out.count("ours 1.2: ")) == (0, "", 2)
    for name, begins in (("page.md", "# Programs"), ("page.html", "<!DOCTYPE"), ("badge.svg", "<svg")):
        files = [written] if name == "badge.svg" else [written, written]
        assert run("report", *files, "-o", tmp_path / name) == (0, "", "")
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


def test_what_is_no_report_is_exit_status_2_and_one_line(run: Run, written: Path, answers: Path) -> None:
    text = written.read_text(encoding="utf-8")
    for bad in (text[:-9], text.replace("passed", "green"), "[]", "", text.replace("report/1", "report/2")):
        written.write_text(bad, encoding="utf-8")
        for arguments in ([written], [written, "--format", "svg"]):
            status, out, err = run("report", *arguments)
            assert (status, out, err.count("\n")) == (2, "", 1)
            assert "report.json" in err
    assert run("report", answers)[0] == run("report", "no/such/file")[0] == 2


@pytest.mark.parametrize(
    "options",
    [
        ["--report", "report.json"],
        ["--report", "-", "--claims", "claims.toml"],
        ["--report", "report.json", "--claims", "claims.toml"],
        ["--program-version", "1"],
        ["--report", "no/such/folder/report.json", "--claims", "claims.toml", "--program-version", "1"],
    ],
)
def test_a_report_that_cannot_be_is_refused(
    run: Run, answers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("claims.toml").write_text(CLAIMS, encoding="utf-8")
    status, out, err = run("check", answers, "--kind", "formula", *options)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert not Path("report.json").exists()


def test_a_check_that_judges_nothing_does_not_pass(run: Run, answers: Path) -> None:
    status, out, err = run("check", answers, "--kind", "bins", "-o", answers.with_name("found.xml"))
    assert (status, out) == (2, "")
    assert "nothing is judged: none of 2 answers is to a case of the kind bins" in err
    assert not answers.with_name("found.xml").exists()
