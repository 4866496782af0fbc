"""Trees on the command line: every command that takes one takes what another program wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from reference_tree.cli import main
from tests.peers.data_sets import FOLDER, data_set
from tests.programs.documents import record_of
from tests.programs.recording import HERE


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit status, output and messages."""
    try:
        status = main(list(map(str, arguments)))
    except SystemExit as ended:
        status = int(ended.code or 0)
    printed = capsys.readouterr()
    return status, printed.out, printed.err


IRIS, RPART, J48 = FOLDER / "iris.arff", HERE / "rpart" / "iris.rpart", HERE / "weka" / "j48-iris.txt"


def test_a_tree_that_is_too_large_is_refused_unless_it_is_allowed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run(capsys, "grow", IRIS, "--learner", "cart", "-o", tmp_path / "tree.json")
    size = (tmp_path / "tree.json").stat().st_size
    for command in (("predict", IRIS), ("score", IRIS), ("prune", IRIS, "--method", "cost-complexity", "--alpha", 0)):
        name, *others = command
        status, _, message = run(capsys, name, tmp_path / "tree.json", *others, "--largest", size - 1)
        assert (status, f"tree.json: has more than {size - 1} bytes; a larger number for --largest" in message) == (
            2,
            True,
        )
        assert run(capsys, name, tmp_path / "tree.json", *others, "--largest", 32 * size)[0] == 0
    assert "is no number of bytes" in run(capsys, "predict", tmp_path / "tree.json", IRIS, "--largest", "1e9")[2]


def test_predict(capsys: pytest.CaptureFixture[str]) -> None:
    status, printed, _ = run(capsys, "predict", J48, IRIS)
    assert (status, printed.splitlines()[0], len(printed.splitlines())) == (0, "setosa", 150)


@pytest.mark.parametrize("tree", [RPART, J48], ids=["rpart", "J48"])
def test_score_and_the_name_of_the_target(capsys: pytest.CaptureFixture[str], tree: Path) -> None:
    answers = [answer.rpartition(":")[2] for answer in record_of(tree)["answers"]]  # of which Weka prints eight letters
    right = sum(str(row[-1]).startswith(answer) for answer, row in zip(answers, data_set("iris").rows, strict=True))
    status, printed, _ = run(capsys, "score", tree, IRIS, "--target", "species")
    assert status == 0
    assert f"{right} of 150" in printed


def test_numbers_are_seen_as_the_program_saw_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, rows = tmp_path / "one.json", tmp_path / "rows.csv"
    path.write_text(
        '[{"nodeid": 0, "split": "x", "split_condition": 0.1, "yes": 1, "no": 2, "missing": 1,'
        ' "children": [{"nodeid": 1, "leaf": 1}, {"nodeid": 2, "leaf": 2}]}]',
        encoding="utf-8",
    )
    rows.write_text("x\n0.1\n0.09\n", encoding="utf-8")  # 0.1 is not less than float32(0.1), as the program sees it
    status, printed, message = run(capsys, "predict", path, rows)
    assert (status, printed.split(), message) == (0, ["2", "1"], "")


def test_explain_and_prune(capsys: pytest.CaptureFixture[str]) -> None:
    status, printed, _ = run(capsys, "explain", RPART, IRIS, "--predict", "1")
    assert status == 0
    assert "The path of row 1 of iris down the tree" in printed
    status, printed, _ = run(capsys, "prune", RPART, IRIS, "--method", "cost-complexity", "--alpha", "0.1")
    assert status == 0
    assert printed.startswith("petal length < 2.45")
    status, _, message = run(capsys, "prune", J48, IRIS, "--method", "cost-complexity", "--alpha", "0.1")
    assert status == 2
    assert "does not state the counts of its nodes" in message


@pytest.mark.parametrize("command", ["predict", "prune --method cost-complexity --path", "score"])
def test_a_broken_file_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str) -> None:
    path = tmp_path / "tree.pmml"
    path.write_text('<!DOCTYPE PMML [<!ENTITY a "b">]><PMML>&a;</PMML>', encoding="utf-8")
    status, printed, message = run(capsys, *command.split(), path, IRIS)
    assert (status, printed, len(message.splitlines())) == (2, "", 1)
    assert "tree.pmml: is not a tree model of PMML: it declares a document type" in message


def test_one_tree_is_wanted_where_a_document_holds_an_ensemble(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    forest = tmp_path / "forest.json"
    run(capsys, "grow", "play-tennis", "--ensemble", "forest", "--trees", "3", "-o", forest)
    expected = f"reference-tree: {forest}: holds an ensemble, and this is for one tree; grow one with --round M\n"
    for command in (["prune", forest, "play-tennis"], ["plot", "rows", forest, "play-tennis"]):
        assert run(capsys, *command) == (2, "", expected)
    alone = tmp_path / "tree.json"
    run(capsys, "grow", "play-tennis", "--ensemble", "forest", "--trees", "3", "--round", "2", "-o", alone)
    assert run(capsys, "plot", "rows", alone, "play-tennis")[0] == 0
