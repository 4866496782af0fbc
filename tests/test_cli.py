"""The command line, as its user types it: what it prints, its exit status, and one clear line for what is wrong."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reference_tree.cli import main

Run = Callable[..., tuple[int, str, str]]

WEATHER = """outlook,windy,play
sunny,false,no
sunny,true,no
overcast,false,yes
rainy,false,yes
rainy,true,no
overcast,true,yes
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command: its exit status, standard output and standard error."""

    def command(*arguments: object) -> tuple[int, str, str]:
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as stopped:  # argparse
            status = int(stopped.code or 0)
        out, err = capsys.readouterr()
        return status, out, err

    return command


@pytest.fixture
def weather(tmp_path: Path) -> Path:
    path = tmp_path / "weather.csv"
    path.write_text(WEATHER, encoding="utf-8")
    return path


def refused(run: Run, *arguments: object) -> str:
    """The one line with which a command is refused."""
    status, out, err = run(*arguments)
    assert status == 2, err
    assert out == ""
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


# The main job.


def test_explain_shows_the_textbook_gains_and_the_margin(run: Run) -> None:
    status, out, _ = run("explain", "play-tennis", "--learner", "id3", "--node", "/")
    assert status == 0
    for attribute, gain in {
        "outlook": "0.246750",
        "temperature": "0.029223",
        "humidity": "0.151836",
        "wind": "0.048127",
    }.items():
        assert re.search(rf"g\(D, {attribute}\) .*{gain}", out)
    assert re.search(r"g\(D, outlook\) +0\.246750 +chosen", out)
    assert "0.094914" in out


def test_the_tree_of_play_tennis_has_five_leaves(run: Run) -> None:
    tree = json.loads(run("grow", "play-tennis", "--format", "json")[1])
    assert sum("stop" in node for node in tree["nodes"]) == 5
    assert tree["nodes"][0]["test"] == {"kind": "multiway", "attribute": "outlook"}


def test_the_three_winners_below_a_clear_texture_tie_exactly(run: Run) -> None:
    _, out, _ = run("explain", "watermelon-2.0", "--node", "/纹理=清晰")
    assert re.findall(r"g\(D, (\S+)\) +0\.458106 +(.*)", out) == [
        ("根蒂", "chosen of 3 exact ties: the first in table order"),
        ("脐部", "exact tie"),
        ("触感", "exact tie"),
    ]


def test_it_runs_with_nothing_installed(tmp_path: Path) -> None:
    command = [sys.executable, "-S", "-E", "-m", "reference_tree", "explain", "play-tennis", "--learner", "id3"]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[1], capture_output=True, check=False, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    assert "outlook" in done.stdout


# Growing from files.


@pytest.mark.parametrize("form", ["text", "rules", "json", "dot"])
def test_each_format_prints_the_tree(run: Run, weather: Path, form: str) -> None:
    status, out, err = run("grow", weather, "--format", form)
    assert (status, err) == (0, "")
    assert "outlook" in out
    assert out.endswith("\n")


def test_the_order_of_rows_does_not_matter(run: Run, tmp_path: Path) -> None:
    head, *rows = WEATHER.splitlines()
    trees = set()
    for seed in range(6):
        random.Random(seed).shuffle(rows)
        path = tmp_path / f"{seed}.csv"
        path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
        trees.add(run("grow", path, "--format", "json")[1])
    assert len(trees) == 1


def test_the_same_bytes_under_any_hash_seed(weather: Path) -> None:
    printed = set()
    for seed in ("0", "1", "12345"):
        command = [sys.executable, "-m", "reference_tree", "explain", str(weather)]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        printed.add(
            subprocess.run(
                command, cwd=Path(__file__).parents[1], env=environment, capture_output=True, check=True
            ).stdout
        )
    assert len(printed) == 1


def test_a_gain_of_exactly_one_bit_passes_a_threshold_of_one(run: Run) -> None:
    assert json.loads(run("grow", "visitor", "--epsilon", "1", "--format", "json")[1])["nodes"][0].get("test")
    above = json.loads(run("grow", "visitor", "--epsilon", "1.0000000000000000001", "--format", "json")[1])
    assert [node["stop"] for node in above["nodes"]] == ["epsilon"]


def test_numbers_can_be_read_as_categories(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("a,y\n1,0\n2,1\n1,0\n", encoding="utf-8")
    assert "say --categorical" in refused(run, "grow", path)
    assert run("grow", path, "--categorical", "*")[0] == 0
    assert run("grow", path, "--categorical", "a", "--categorical", "y")[0] == 0


def test_rows_without_a_target_are_left_out_and_counted(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "gaps.csv"
    path.write_text("a,y\nx,yes\nz,?\nw,no\n", encoding="utf-8")
    status, out, err = run("grow", path, "--format", "json")
    assert status == 0
    assert json.loads(out)["nodes"][0]["counts"] == {"no": "1", "yes": "1"}
    assert "1 row" in err


def test_weights_count(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "weighted.csv"
    path.write_text("a,w,y\nx,1/3,yes\nx,2,no\nz,0.5,no\n", encoding="utf-8")
    tree = json.loads(run("grow", path, "--weights", "w", "--format", "json")[1])
    assert tree["nodes"][0]["counts"] == {"no": "5/2", "yes": "1/3"}


def test_a_tie_can_be_resolved_otherwise_and_is_recorded(run: Run) -> None:
    tree = json.loads(
        run("grow", "watermelon-2.0-train", "--choose", "/", "脐部", "--label", "/", "是", "--format", "json")[1]
    )
    assert tree["nodes"][0]["test"]["attribute"] == "脐部"
    assert tree["nodes"][0]["label"] == "是"
    assert tree["learner"]["options"]["ties"]["at"] == {"/": {"choose": "脐部", "label": "是"}}
    assert "no exact winner" in refused(run, "grow", "watermelon-2.0-train", "--choose", "/", "触感")
    assert "no majority" in refused(run, "grow", "play-tennis", "--label", "/", "no")
    assert "there is no node" in refused(run, "grow", "play-tennis", "--label", "/outlook=foggy", "no")


# C4.5 and its profiles.


def test_c45_grows_what_id3_has_no_rule_for(run: Run) -> None:
    assert run("grow", "golf", "--learner", "c45")[1].splitlines()[-2:] == [
        "|   humidity <= 77.5: yes (yes 2)",
        "|   humidity > 77.5: no (no 3)",
    ]
    status, out, err = run("explain", "watermelon-2.0a", "--learner", "c45", "--node", "/")
    assert (status, err) == (0, "")
    assert "ρ            = 15/17 ≈ 0.882353" in out
    assert re.search(r"g_R\(D, 纹理\) +0\.281282 +chosen", out)


def test_a_profile_sets_the_options_and_is_recorded(run: Run) -> None:
    def document(*arguments: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(run("grow", "golf", "--learner", "c45", *arguments, "--format", "json")[1])
        return found

    plain, zhou, li_hang = document(), document("--profile", "zhou"), document("--profile", "li-hang")
    assert [tree["learner"]["profile"] for tree in (plain, zhou, li_hang)] == [None, "zhou", "li-hang"]
    assert plain["learner"]["options"] == zhou["learner"]["options"]
    assert plain["nodes"] == zhou["nodes"] != li_hang["nodes"]
    assert li_hang["learner"]["options"]["contenders"] == "everyone"
    assert li_hang["nodes"][0]["test"]["interval"] == ["83", "85"]
    stump = document("--profile", "li-hang", "--max-depth", "1")
    assert [node.get("stop") for node in stump["nodes"]] == [None, "max-depth", "pure"]


def test_a_profile_belongs_to_a_learner(run: Run) -> None:
    assert "there are zhou, li-hang" in refused(run, "grow", "golf", "--learner", "c45", "--profile", "j48")
    assert "no profile 'zhou' of id3" in refused(run, "grow", "play-tennis", "--profile", "zhou")


def test_an_equal_cut_can_be_asked_for_by_its_condition(run: Run) -> None:
    out = run("grow", "cats", "--learner", "c45", "--choose", "/", "weight<=10.6")[1]
    assert out.startswith("weight <= 10.6\n")
    line = refused(run, "grow", "cats", "--learner", "c45", "--choose", "/", "weight<=8")
    assert "the winners are weight<=9, weight<=10.6" in line


def test_a_row_with_gaps_is_predicted_by_a_tree_that_has_shares(run: Run, tmp_path: Path) -> None:
    tree, rows = tmp_path / "tree.json", tmp_path / "rows.csv"
    assert run("grow", "golf", "--learner", "c45", "--format", "json", "--output", tree)[0] == 0
    rows.write_text("outlook,humidity,windy\nsunny,?,true\n?,70,true\novercast,,\n", encoding="utf-8")
    # sunny without its humidity: 2/5 yes; humid 70 and windy: 4/14 overcast, yes; 5/14 rainy, no; 5/14 sunny, yes.
    assert run("predict", tree, rows, "--proba")[1] == "no,yes\n3/5,2/5\n5/14,9/14\n0,1\n"
    assert run("predict", tree, rows)[1] == "no\nyes\nyes\n"
    assert run("grow", "play-tennis", "--format", "json", "--output", tree)[0] == 0
    rows.write_text("outlook\n?\n", encoding="utf-8")
    assert "has no rule for that" in refused(run, "predict", tree, rows)


# Predicting.


def test_predict_labels_the_rows_of_a_file_without_a_target(run: Run, weather: Path, tmp_path: Path) -> None:
    tree, rows = tmp_path / "tree.json", tmp_path / "rows.csv"
    assert run("grow", weather, "--format", "json", "--output", tree)[0] == 0
    rows.write_text("windy,outlook\ntrue,rainy\nfalse,overcast\n", encoding="utf-8")
    assert run("predict", tree, rows)[1] == "no\nyes\n"
    assert run("predict", tree, rows, "--proba")[1] == "no,yes\n1,0\n0,1\n"


def test_an_unseen_value_is_an_error_that_names_it_or_the_majority(run: Run, weather: Path, tmp_path: Path) -> None:
    tree, rows = tmp_path / "tree.json", tmp_path / "rows.csv"
    run("grow", weather, "--format", "json", "--output", tree)
    rows.write_text("outlook,windy\nsunny,true\nfoggy,true\n", encoding="utf-8")
    line = refused(run, "predict", tree, rows)
    assert "row 2" in line
    assert "'foggy'" in line
    assert "outlook" in line
    assert run("predict", tree, rows, "--unseen", "majority") == (0, "no\nno\n", "")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "reference-tree/tree/1"}', '{"nodes": NaN}'])
def test_a_file_that_is_no_tree(run: Run, weather: Path, tmp_path: Path, content: str) -> None:
    tree = tmp_path / "tree.json"
    tree.write_text(content, encoding="utf-8")
    assert "tree.json" in refused(run, "predict", tree, weather)


# Goldens and data.


def test_golden_prints_one_case_and_writes_all(run: Run, tmp_path: Path) -> None:
    assert json.loads(run("golden", "id3/loan")[1])["id"] == "id3/loan"
    assert "--to" in refused(run, "golden", "id3/loan", "id3/cats")
    assert run("golden", "--to", tmp_path / "out", "id3/loan", "id3/cats")[0] == 0
    assert sorted(path.name for path in (tmp_path / "out" / "id3").iterdir()) == ["cats.json", "loan.json"]


def test_golden_names_its_cases(run: Run) -> None:
    assert "id3/play-tennis" in run("golden", "--list")[1]
    assert "did you mean" in refused(run, "golden", "play-tennis")


def test_data_lists_every_data_set_with_its_provenance(run: Run) -> None:
    out = run("data")[1]
    assert "play-tennis:" in out
    assert "Quinlan" in out
    assert "watermelon-3.0a:" in out
    assert run("data", "loan")[1].startswith("loan:")


# Bad input: one clear line, status 2, nothing lost.


def test_a_missing_file_a_directory_an_empty_file(run: Run, tmp_path: Path) -> None:
    assert "there is no such file" in refused(run, "grow", tmp_path / "nothing.csv")
    assert "play-tennis" in refused(run, "grow", "play-tenis")
    (tmp_path / "folder.csv").mkdir()
    assert "folder" in refused(run, "grow", tmp_path / "folder.csv")
    (tmp_path / "empty.csv").write_bytes(b"")
    assert "empty" in refused(run, "grow", tmp_path / "empty.csv")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("header.csv", b"a,y\n", "no rows"),
        ("ragged.csv", b"a,y\n1,x\n2\n", "line 3"),
        ("twice.csv", b"a,a,y\n1,1,x\n", "column a"),
        ("binary.csv", b"a,y\n\x00\x01,x\n", "binary"),
        ("latin.csv", b"a,y\n\xe9,x\n", "byte 4"),
        ("nan.csv", b"a,y\n1,x\nnan,z\n", "line 3, column a"),
        ("inf.csv", b"a,y\n1,x\n-inf,z\n", "line 3, column a"),
        ("gone.csv", b"a,y\n1,?\n2,\n", "column y"),
        ("lonely.names", b"yes, no.\n\na: x, z.\n", "lonely.data"),
    ],
)
def test_bad_files(run: Run, tmp_path: Path, name: str, content: bytes, says: str) -> None:
    (tmp_path / name).write_bytes(content)
    line = refused(run, "grow", tmp_path / name)
    assert says in line
    assert name in line


def test_a_value_outside_its_declared_domain(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "weather.arff"
    path.write_text("@relation w\n@attribute a {x, z}\n@attribute y {no, yes}\n@data\nx,no\nq,yes\n", encoding="utf-8")
    line = refused(run, "grow", path)
    assert "line 6" in line
    assert "column a" in line
    assert "'q'" in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["--target", "nothing"],
        ["--learner", "oracle"],
        ["--format", "png"],
        ["--epsilon", "much"],
        ["--epsilon", "nan"],
        ["--epsilon", "1e401"],
        ["--epsilon", "1" * 401],
        ["--epsilon=-1"],
        ["--max-depth", "-1"],
        ["--max-depth", "1.5"],
        ["--without", "nothing"],
        ["--categorical", "nothing"],
        ["--frobnicate"],
    ],
)
def test_bad_options(run: Run, weather: Path, arguments: list[str]) -> None:
    refused(run, "grow", weather, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["grow"],
        ["dance"],
        ["explain", "play-tennis", "--node", "/outlook=foggy"],
        ["explain", "play-tennis", "--node", "outlook"],
        ["explain", "play-tennis", "--no\nde"],
    ],
)
def test_bad_commands(run: Run, arguments: list[str]) -> None:
    refused(run, *arguments)


def test_what_id3_has_no_rule_for_is_named(run: Run) -> None:
    assert "temperature" in refused(run, "grow", "golf")
    assert "色泽" in refused(run, "grow", "watermelon-2.0a")


def test_numbers_of_a_textbook_can_be_read_as_categories(run: Run, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    assert run("grow", "watermelon-3.0", "--categorical", "*", "--format", "json", "--output", tree)[0] == 0
    labels = run("predict", tree, "watermelon-3.0")[1].split()
    assert labels == ["是"] * 8 + ["否"] * 9
    assert "zzz" in refused(run, "grow", "golf", "--categorical", "zzz")
    assert "--na" in refused(run, "grow", "play-tennis", "--na", "sunny")
    assert "--weights" in refused(run, "grow", "play-tennis", "--weights", "play")


def test_classes_head_the_probabilities_as_csv_cells(run: Run, tmp_path: Path) -> None:
    data, tree = tmp_path / "a.csv", tmp_path / "tree.json"
    data.write_text('a,c\nx,"no, thanks"\ny,"say ""yes"""\n', encoding="utf-8")
    assert run("grow", data, "--format", "json", "--output", tree)[0] == 0
    assert run("predict", tree, data, "--proba")[1] == '"no, thanks","say ""yes"""\n1,0\n0,1\n'


def test_rows_to_predict_are_there(run: Run, weather: Path, tmp_path: Path) -> None:
    data, tree = tmp_path / "rows.csv", tmp_path / "tree.json"
    data.write_text("outlook,windy\n", encoding="utf-8")
    assert run("grow", weather, "--format", "json", "--output", tree)[0] == 0
    assert "there are no rows" in refused(run, "predict", tree, data)


def test_a_failure_leaves_the_old_output_as_it_was(run: Run, weather: Path, tmp_path: Path) -> None:
    output = tmp_path / "tree.txt"
    output.write_text("old", encoding="utf-8")
    refused(run, "grow", tmp_path / "nothing.csv", "--output", output)
    assert output.read_text(encoding="utf-8") == "old"
    assert run("grow", weather, "--output", output)[0] == 0
    assert output.read_text(encoding="utf-8") != "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tree.txt", "weather.csv"]
    assert "cannot be written" in refused(run, "grow", weather, "--output", tmp_path / "no" / "tree.txt")


def test_a_failed_write_leaves_nothing_behind(run: Run, weather: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert "Is a directory" in refused(run, "grow", weather, "--output", tmp_path / "folder")
    assert "folder" in refused(run, "golden", "--to", weather)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "weather.csv"]


@pytest.mark.skipif(os.name == "nt", reason="needs links, pipes and modes")
def test_output_goes_where_a_link_leads_and_through_a_pipe(run: Run, weather: Path, tmp_path: Path) -> None:
    target, link, pipe = tmp_path / "tree.txt", tmp_path / "link.txt", tmp_path / "pipe"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o600)
    link.symlink_to(target)
    assert run("grow", weather, "--output", link)[0] == 0
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8").startswith("outlook")
    assert target.stat().st_mode & 0o777 == 0o600
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        assert run("grow", weather, "--output", pipe)[0] == 0
        assert reader.stdout is not None
        assert reader.stdout.read() == target.read_text(encoding="utf-8")
    assert pipe.is_fifo()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(("redirection", "says"), [(">/dev/full", "standard output"), (">&-", "--output")])
def test_output_that_cannot_be_printed_is_one_line(redirection: str, says: str) -> None:
    command = f'"{sys.executable}" -m reference_tree grow play-tennis {redirection}'
    done = subprocess.run(
        command, shell=True, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert says in done.stderr


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f'"{sys.executable}" -m reference_tree explain contact-lenses | head -n 1'
    if os.name == "nt":
        pytest.skip("needs a POSIX shell")
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.stderr == ""
