"""`bug`: the report of a command that goes wrong, with the smallest table that shows it, and nothing of the machine."""

from __future__ import annotations

import gzip
import json
import os
import re
import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.cli import learning, reporting
from reference_tree.cli.options import seconds
from reference_tree.cli.output import ending_after
from tests.cli.running import Run, refused


def blocks(report: str) -> list[str]:
    """The blocks of a report: the command, what it printed, its files."""
    return [found[1] for found in re.findall(r"^(`{3,})\w*\n(.*?)\n\1$", report, re.MULTILINE | re.DOTALL)]


def rows(tmp_path: Path) -> Path:
    path = tmp_path / "private name.csv"
    lines = [f"{number},{'ab'[number % 2]},{number % 3},{'yn'[number % 2]}\n" for number in range(40)]
    path.write_text("".join(["size,kind,colour,target\n", *lines, "1,a,0,\n", *lines]), encoding="utf-8")
    return path


def test_a_refusal_is_shown_by_its_smallest_table(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "private name.csv"
    lines = [f"{number},{'ab'[number % 2]},{'yn'[number % 2]}\n" for number in range(40)]
    path.write_text("".join(["size,kind,target\n", *lines[:30], "7,a,y,too many\n", *lines[30:]]), encoding="utf-8")
    status, out, err = run("bug", "--", "grow", path, "--learner", "cart", "-o", tmp_path / "tree.json")
    assert (status, err) == (0, "reference-tree: the report holds rows of your table; read it before you send it\n")
    command, printed, table = blocks(out)
    assert command == "$ reference-tree grow table.csv --learner cart -o tree.json"
    assert printed.startswith("reference-tree: table.csv, line 2: ")
    assert table == "size,kind,target\n7,a,y,too many"
    assert "### table.csv, 2 of 42 lines" in out
    assert "Exit status 2" in out
    assert not (tmp_path / "tree.json").exists()
    (tmp_path / "table.csv").write_text(table, encoding="utf-8")
    assert refused(run, "grow", tmp_path / "table.csv", "--learner", "cart").endswith(
        printed.rpartition(": ")[2] + "\n"
    )


def test_a_traceback_is_shown_by_its_smallest_table(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake is planted: rows of size 30 cannot be grown from, whatever else there is."""
    honest = learning.grown

    def mistaken(options: Any, table: rt.Table, *more: Any) -> Any:
        if any(row.get("size") == 30 for row in table.rows()):
            raise ZeroDivisionError(f"of {len(table)} rows")
        return honest(options, table, *more)

    monkeypatch.setattr("reference_tree.cli.commands.grown", mistaken)
    path = rows(tmp_path)
    status, out, _ = run("bug", "--", "reference-tree", "grow", path, "--learner", "cart")
    command, printed, table = blocks(out)
    assert (status, command) == (0, "$ reference-tree grow table.csv --learner cart")
    assert printed.startswith("Traceback (most recent call last):\n  reference_tree/cli/__init__.py, line ")
    assert re.search(r"^ZeroDivisionError: of [0-9]+ rows$", printed, re.MULTILINE)
    assert table == "size\n30"


def test_a_wrong_tree_is_shown_by_its_smallest_rows(run: Run, tmp_path: Path) -> None:
    tree = tmp_path / "grown.json"
    run("grow", "iris", "--without", "petal length", "--without", "petal width", "--max-depth", 1, "-o", tree)
    document = json.loads(tree.read_text(encoding="utf-8"))
    document["learner"] = {"name": "unknown", "profile": None, "options": {}}
    tree.write_text(json.dumps(document), encoding="utf-8")
    _, out, _ = run("bug", "--", "audit", tree, "iris", "--learner", "cart", "--max-depth", "1")
    command, printed, document_text, table = blocks(out)
    assert command == "$ reference-tree audit tree.json table.csv --learner cart --max-depth 1 --node 0"
    assert printed.startswith("node 0 suboptimal: ")
    assert table.splitlines() == ["sepal length,species", "5.1,versicolor", "5.7,versicolor", "6.3,virginica"]
    (tmp_path / "tree.json").write_text(document_text, encoding="utf-8")
    (tmp_path / "table.csv").write_text(table, encoding="utf-8")
    words = [str(tmp_path / word) if word.endswith((".json", ".csv")) else word for word in shlex.split(command)[2:]]
    status, again, _ = run(*words)
    assert status == 1
    assert again.replace(f"{tmp_path}{os.sep}", "") == printed + "\n"


def test_a_command_without_an_error_is_reported_whole(run: Run, weather: Path) -> None:
    _, out, err = run("bug", "--", "python3", "-m", "reference_tree", "grow", weather, "--learner", "id3")
    assert "without an error" in err
    assert blocks(out)[2] == weather.read_text(encoding="utf-8").rstrip()
    _, out, err = run("bug", "--", "grow", "play-tennis", "--learner", "id3")
    assert len(blocks(out)) == 2
    assert "your table" not in err


def test_a_table_that_is_no_text_is_not_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,x\n2\n"))
    _, out, _ = run("bug", "--", "grow", path)
    assert "### table.csv.gz\n\n(It is no text. `reference-tree data FILE -o rows.csv` writes its rows as text;" in out


@pytest.mark.parametrize("stated", [[], ["--encoding", "gb18030"]])
def test_a_table_in_another_encoding_stays_in_it_and_is_shown(run: Run, tmp_path: Path, stated: list[str]) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes("颜色,敲声,好瓜\n青绿,浊响,是\n乌黑,沉闷,否\n青绿,浊响,是,甲\n".encode("gb18030"))
    _, out, _ = run("bug", "--", "grow", path, *stated)
    assert "line 2: the row has 4 values for 3 columns" in out
    assert blocks(out)[2] == "颜色,敲声,好瓜\n青绿,浊响,是,甲"


def test_nothing_of_the_machine_is_in_a_report(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "secret").mkdir()
    path = tmp_path / "secret" / "diary of x.csv"
    path.write_text("a,b\n1,2\n1\n", encoding="utf-8")
    for words in (
        ["grow", path],
        ["grow", path, f"--output={tmp_path / 'secret' / 'tree.svg'}"],
        ["grow", tmp_path / "secret" / "nothing.csv"],
        ["predict", tmp_path / "secret" / "none.json", path],
        ["explain", path, "--node", "/a<=1"],
    ):
        _, out, _ = run("bug", "--", *words)
        assert "secret" not in out, words
        assert "diary" not in out
        assert str(tmp_path) not in out
    assert "--node '/a<=1'" in out
    assert "| reference_tree | " + rt.__version__ in out


def test_a_pair_of_files_is_copied_together(run: Run, tmp_path: Path) -> None:
    (tmp_path / "golf.names").write_text("no, yes.\nx: continuous.\n", encoding="utf-8")
    (tmp_path / "golf.data").write_text("1,no\n2,yes\n3,maybe\n", encoding="utf-8")
    for name in ("golf.names", "golf.data"):
        _, out, _ = run("bug", "--", "grow", tmp_path / name)
        assert "'maybe' is not among the declared values: no, yes" in out
        assert {"no, yes.\nx: continuous.", "1,no\n3,maybe"} < {*blocks(out)}


def test_a_home_that_is_the_root_is_no_part_of_a_fraction(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/")
    path = tmp_path / "rows.csv"
    path.write_text("1/2,y\n1/3,a,b\n", encoding="utf-8")
    assert blocks(run("bug", "--", "grow", path)[1])[2] == "1/2,y\n1/3,a,b"


@pytest.mark.parametrize("words", [["bug", "--", "grow", "x"], ["fuzz", "--claims", "x", "--", "y"]])
def test_a_time_is_a_finite_number(run: Run, words: list[str]) -> None:
    for time in ("nan", "inf", "-1"):
        assert "argument --seconds: " in refused(run, words[0], "--seconds", time, *words[1:])
    with ending_after(seconds("1e300")) as is_over:
        assert not is_over()


def test_a_fence_is_longer_than_those_of_a_table(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n```,x\n````,y\n", encoding="utf-8")
    _, out, _ = run("bug", "--", "grow", path, "--learner", "id3")
    assert "`````csv\na,b\n```,x\n````,y\n`````" in out


def test_the_report_is_written_to_a_file_and_time_ends_the_reduction(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reporting, "ending_after", lambda seconds: nullcontext(lambda: seconds == 7))
    path = rows(tmp_path)
    path.write_text(path.read_text(encoding="utf-8") + "1,2,3,4,5\n", encoding="utf-8")
    _, out, _ = run("bug", "--seconds", "7", "-o", tmp_path / "bug.md", "--", "grow", path)
    assert out == ""
    assert "### table.csv, 83 lines" in (tmp_path / "bug.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["bug", "x"], "there is no command to report"),
        (["reference-tree"], "there is no command to report"),
        (["grow", "-"], "- cannot be reported; write the rows to a file"),
        (["grow", "postgresql://u:p@h/d"], "an address cannot be reported"),
    ],
)
def test_what_cannot_be_reported_is_one_line(run: Run, words: list[str], told: str) -> None:
    assert told in refused(run, "bug", "--", *words)


def test_copies_of_files_have_plain_names(tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    for name in ("a.csv", "b.csv", "c.json"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    a, b, c = (str(tmp_path / name) for name in ("a.csv", "b.csv", "c.json"))
    words, files = reporting.with_plain_names(["score", c, a, f"--validation={b}", a], tmp_path / "to")
    assert words == ["score", "tree.json", "table.csv", "--validation=other-table.csv", "table.csv"]
    assert files == ["tree.json", "table.csv", "other-table.csv"]
    assert (tmp_path / "to" / "other-table.csv").read_text(encoding="utf-8") == "b.csv"
