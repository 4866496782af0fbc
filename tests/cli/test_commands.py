"""The commands, as their user types them: what each prints, and its exit status."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from reference_tree.cli.commands import FORMATS
from reference_tree.data.questions import Missing, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.tree import Node, Tree
from reference_tree.tree_document import to_json
from tests.cli.running import Run, refused


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
    assert re.findall(r"g\(D, (\S+)\) +0\.458105\d* +(.*)", out) == [
        ("根蒂", "chosen of 3 exact ties: the first attribute in table order"),
        ("脐部", "exact tie"),
        ("触感", "exact tie"),
    ]


def test_a_derivation_is_a_page_of_its_own(run: Run, tmp_path: Path) -> None:
    page, row = tmp_path / "page.html", tmp_path / "row.HTM"
    assert run("explain", "play-tennis", "--output", page) == (0, "", "")
    assert run("explain", "play-tennis", "--predict", "1", "--output", row) == (0, "", "")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "<mfrac><mn>9</mn><mn>14</mn></mfrac>" in page.read_text(encoding="utf-8")
    assert "Prediction: no." in row.read_text(encoding="utf-8")
    assert "html is not written here" in refused(run, "grow", "play-tennis", "--output", page)


@pytest.mark.slow
def test_figures_have_so_many_decimals_and_no_more(run: Run) -> None:
    assert "0.9402859586" in run("explain", "play-tennis", "--node", "/", "--digits", "1000")[1]
    line = refused(run, "explain", "play-tennis", "--digits", "9999999")
    assert "--digits: 9999999 decimals are more than the 1000 that are printed" in line


def test_a_tree_is_pmml_by_its_suffix(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tree.pmml"
    assert run("grow", "iris", "--learner", "cart", "--max-depth", "1", "--output", file) == (0, "", "")
    assert run("grow", "iris", "--learner", "cart", "--max-depth", "1", "--format", "pmml")[1] == file.read_text(
        "utf-8"
    )
    linear = ("grow", "watermelon-3.0a", "--learner", "cart", "--branching", "linear", "--max-depth", "1")
    assert "PMML has no linear tests" in refused(run, *linear, "--format", "pmml")


def test_figures_are_written_as_they_are_asked_for(run: Run) -> None:
    short = run("explain", "play-tennis", "--node", "/", "--digits", "3")[1]
    assert "g(D, outlook) = 0.940 − 0.694 ≈ 0.247 bits" not in short  # by these digits it is 0.246
    assert "g(D, outlook) = 0.9403 − 0.6935 ≈ 0.247 bits" in short
    assert " exactly" not in short
    exact = run("explain", "play-tennis", "--node", "/outlook=sunny", "--exact")[1]
    assert "H(D) = 3/5·log2(5/3) + 2/5·log2(5/2) ≈ 0.970951 bits\n     = (5·log2 5" in exact


@pytest.mark.slow
def test_of_a_large_tree_the_root_alone_is_worked_out_unless_more_is_asked_for(run: Run) -> None:
    given = ("explain", "watermelon-2.0a", "--learner", "c45")
    brief, node, whole = run(*given)[1], run(*given, "--node", "/1/2")[1], run(*given, "--all")[1]
    assert len(brief.splitlines()) < 220 < 800 < len(whole.splitlines())
    assert node.startswith("/纹理=清晰/脐部=稍凹   a weight of 833/1335: ")
    heading, _, derivation = node.split("\n\n", 2)  # between them stands what the letters mean
    assert heading not in brief
    assert f"{heading}\n\n{derivation}" in whole


@pytest.mark.slow
def test_it_runs_with_nothing_installed(tmp_path: Path) -> None:
    command = [sys.executable, "-S", "-E", "-m", "reference_tree", "explain", "play-tennis", "--learner", "id3"]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, check=False, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    assert "outlook" in done.stdout


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_prints_the_tree(run: Run, weather: Path, form: str) -> None:
    status, out, err = run("grow", weather, "--format", form)
    assert (status, err) == (0, "")
    assert "outlook" in out
    assert out.endswith("\n")


def test_c45_grows_what_id3_has_no_rule_for(run: Run) -> None:
    assert run("grow", "golf", "--learner", "c45")[1].splitlines()[-2:] == [
        "|   humidity <= 77.5: yes (yes 2)",
        "|   humidity > 77.5: no (no 3)",
    ]
    status, out, err = run("explain", "watermelon-2.0a", "--learner", "c45", "--node", "/")
    assert (status, err) == (0, "")
    assert "ρ            = 15/17 ≈ 0.882353" in out
    assert re.search(r"g_R\(D, 纹理\) +0\.28128\d+ +chosen", out)


def test_a_row_with_gaps_is_predicted_by_a_tree_that_has_shares(run: Run, tmp_path: Path) -> None:
    tree, rows = tmp_path / "tree.json", tmp_path / "rows.csv"
    assert run("grow", "golf", "--learner", "c45", "--format", "json", "--output", tree)[0] == 0
    rows.write_text("outlook,humidity,windy\nsunny,?,true\n?,70,true\novercast,,\n", encoding="utf-8")
    # sunny without its humidity: 2/5 yes; humid 70 and windy: 4/14 overcast, yes; 5/14 rainy, no; 5/14 sunny, yes.
    assert run("predict", tree, rows, "--proba", "--exact")[1] == "no,yes\n3/5,2/5\n5/14,9/14\n0,1\n"
    assert run("predict", tree, rows, "--proba")[1] == "no,yes\n0.6,0.4\n0.357142857143,0.642857142857\n0,1\n"
    assert run("predict", tree, rows)[1] == "no\nyes\nyes\n"
    assert run("grow", "play-tennis", "--format", "json", "--output", tree)[0] == 0
    rows.write_text("outlook\n?\n", encoding="utf-8")
    assert "has no rule for that" in refused(run, "predict", tree, rows)


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
    assert "rows.csv, line 3: " in line
    assert "'foggy'" in line
    assert "outlook" in line
    said = f"reference-tree: {rows}: column outlook: foggy was not seen in training\n"
    assert run("predict", tree, rows, "--unseen", "majority") == (0, "no\nno\n", said)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "reference-tree/tree/1"}', '{"nodes": NaN}'])
def test_a_file_that_is_no_tree(run: Run, weather: Path, tmp_path: Path, content: str) -> None:
    tree = tmp_path / "tree.json"
    tree.write_text(content, encoding="utf-8")
    assert "tree.json" in refused(run, "predict", tree, weather)


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


def test_a_row_of_a_textbook_is_named_by_its_number(run: Run, weather: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    assert run("grow", weather, "--format", "json", "--output", tree)[0] == 0
    assert "loan: row 1: the row has no value for outlook" in refused(run, "predict", tree, "loan")


def test_a_label_with_a_line_break_is_still_one_line(run: Run, tmp_path: Path) -> None:
    data, tree = tmp_path / "a.csv", tmp_path / "tree.json"
    data.write_text('a,c\nx,"two\nlines"\ny,one\n', encoding="utf-8")
    assert run("grow", data, "--format", "json", "--output", tree)[0] == 0
    assert run("predict", tree, data)[1] == "two\\nlines\none\n"
    assert run("predict", tree, data, "--proba")[1] == "one,two\\nlines\n0,1\n1,0\n"


def test_a_regression_tree_predicts_exact_numbers_and_no_probabilities(run: Run, tmp_path: Path) -> None:
    halves = Missing((Fraction(1, 2), Fraction(1, 2)))
    nodes = (
        Node((6, 19, 85), Fraction(19, 6), Threshold("x", 2), (1, 2), missing=halves),
        Node((2, 3, 5), Fraction(3, 2), stop="max-depth"),
        Node((3, 11, 61), Fraction(11, 3), stop="max-depth"),
    )
    tree, rows = tmp_path / "tree.json", tmp_path / "rows.csv"
    tree.write_text(to_json(Tree(Attribute("y"), (Attribute("x"),), nodes)), encoding="utf-8")
    rows.write_text("x\n1\n3\n?\n", encoding="utf-8")
    assert run("predict", tree, rows, "--exact") == (0, "1.5\n11/3\n31/12\n", "")
    assert run("predict", tree, rows) == (0, "1.5\n3.66666666667\n2.58333333333\n", "")
    assert "tree.json: the tree predicts a number" in refused(run, "predict", tree, rows, "--proba")


def test_shares_of_thousands_of_digits_are_printed(run: Run, tmp_path: Path) -> None:
    nodes = (Node((Fraction(1, 3**10_000), 1), "yes", stop="max-depth"),)
    tree, rows = tmp_path / "tree.json", tmp_path / "rows.csv"
    tree.write_text(to_json(Tree(Attribute("y", ("no", "yes")), (Attribute("x"),), nodes)), encoding="utf-8")
    rows.write_text("x\n1\n", encoding="utf-8")
    head, line, _ = run("predict", tree, rows, "--proba", "--exact")[1].split("\n")
    assert head == "no,yes"
    assert len(line) > 14_000
    assert run("predict", tree, rows, "--proba")[1] == "no,yes\n6.12989172395e-4772,1\n"


def test_predictions_stand_beside_the_truth_in_a_table(run: Run, weather: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    run("grow", weather, "--max-depth", "1", "-o", tree)
    rows = tmp_path / "rows.csv"
    rows.write_text("outlook,windy,play\nsunny,false,yes\novercast,true,\n", encoding="utf-8")
    assert run("predict", tree, rows, "--format", "csv")[1] == "row,prediction,actual\n1,no,yes\n2,yes,\n"
    table = tmp_path / "found.csv"
    assert run("predict", tree, rows, "--proba", "-o", table) == (0, "", "")
    assert table.read_text(encoding="utf-8") == "row,prediction,actual,no,yes\n1,no,yes,1,0\n2,yes,,0,1\n"
    rows.write_text("outlook,windy\nsunny,false\n", encoding="utf-8")
    assert run("predict", tree, rows, "--format", "csv")[1] == "row,prediction\n1,no\n"


@pytest.mark.parametrize("option", [["--na", "x"], ["--separator", ";"], ["--decimal", ","], ["--no-header"]])
def test_how_a_file_is_written_is_nothing_for_a_textbook(run: Run, tmp_path: Path, option: list[str]) -> None:
    tree = tmp_path / "tree.json"
    run("grow", "play-tennis", "-o", tree)
    for command in (["predict", tree, "play-tennis"], ["explain", tree, "play-tennis", "--predict", "1"]):
        assert f"{option[0]} is for files; play-tennis is a textbook" in refused(run, *command, *option)


def test_sql_in_the_dialect_of_a_program(run: Run, tmp_path: Path) -> None:
    grown = ("grow", "play-tennis", "--learner", "id3", "--max-depth", "1")
    assert run(*grown, "--format", "sql")[1].startswith('CASE WHEN "outlook" = ')
    assert run(*grown, "--format", "sql", "--dialect", "sqlite")[1].startswith("CASE WHEN `outlook` COLLATE BINARY = ")
    assert run(*grown, "--dialect", "mysql", "-o", tmp_path / "tree.sql") == (0, "", "")
    assert (
        (tmp_path / "tree.sql").read_text().startswith("CASE WHEN CAST(CONVERT(`outlook` USING utf8mb4) AS BINARY) = ")
    )
    assert "--dialect is for sql; say --format sql, too" in refused(run, *grown, "--dialect", "spark")
    assert "invalid choice: 'oracle'" in refused(run, *grown, "--dialect", "oracle")
    run(*grown, "-o", tmp_path / "tree.json")
    pruned = ("prune", tmp_path / "tree.json", "play-tennis", "--method", "cost-function", "--alpha", "0")
    assert run(*pruned, "--format", "sql", "--dialect", "spark")[1].startswith("CASE WHEN CAST(`outlook` AS BINARY) = ")
    assert "say --format sql" in refused(run, *pruned, "--show", "--dialect", "spark")


def test_a_sum_of_trees_as_code(run: Run) -> None:
    boosted = ("grow", "cats", "--ensemble", "gradient", "--trees", "2")
    assert "def tree_2(row):" in run(*boosted, "--format", "python")[1]
    assert run(*boosted, "--format", "sql", "--dialect", "duckdb")[1].startswith("CASE SIGN(")
    assert "no sum of numbers" in refused(
        run, "grow", "golf", "--ensemble", "forest", "--trees", "2", "--format", "sql"
    )
