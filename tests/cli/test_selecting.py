"""Selecting: cross-validation counted by hand, and one option that varies."""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import reference_tree as rt
from reference_tree.cli import output
from reference_tree.selection.cross_validation import folds
from tests.cli.running import Run, refused

ROWS = [("ab"[i % 2], "ny"[(i % 2 == 1) ^ (i % 7 == 0)]) for i in range(40)]
"""A letter, and what it says of the class, with a few exceptions."""


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    path = tmp_path / "letters.csv"
    path.write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in ROWS), encoding="utf-8")
    return path


def by_hand(held_out: tuple[int, ...], depth: int) -> Fraction:
    """The error on a fold of the majority of all other rows, or of those of the same letter."""
    wrong = 0
    for row in held_out:
        x, y = ROWS[row]
        others = [ROWS[i] for i in range(len(ROWS)) if i not in held_out and (depth == 0 or ROWS[i][0] == x)]
        wrong += Counter(label for _, label in others).most_common(1)[0][0] != y
    return Fraction(wrong, len(held_out))


def test_the_errors_are_those_counted_by_hand(run: Run, letters: Path) -> None:
    dealt = folds(rt.read(letters), 5, seed=3)
    found = json.loads(run("select", letters, "--max-depth", "0-2", "--folds", 5, "--seed", 3, "--format", "json")[1])
    for trial in found["trials"]:
        errors = [by_hand(fold, int(trial["value"])) for fold in dealt]
        mean = sum(errors) / 5
        assert list(map(Fraction, trial["errors"])) == errors
        assert Fraction(trial["mean"]) == mean
        assert Fraction(trial["squared_standard_error"]) == sum((e - mean) ** 2 for e in errors) / 20
    assert (found["option"], found["folds"], found["seed"]) == ("max_depth", 5, 3)
    assert (found["least"], found["chosen"]) == ("1", "1")


def test_the_table_has_the_means_and_the_errors_of_the_folds(run: Run, letters: Path) -> None:
    status, out, err = run("select", letters, "--max-depth", "1,0", "--folds", 4)
    assert (status, err) == (0, "")
    errors = [by_hand(fold, 1) for fold in folds(rt.read(letters), 4, seed=0)]
    assert re.search(rf"^ +1 +[\d.]+ +{float(sum(errors) / 4):.4f} +[\d.]+ +least, chosen$", out, re.MULTILINE)
    assert re.search("^ +1 +" + " +".join(f"{float(error):.4f}" for error in errors) + "$", out, re.MULTILINE)
    assert out.rstrip().endswith("--max-depth 1.")
    assert run("select", letters, "--max-depth", "0-1", "--folds", 4)[1] == out  # simple trees first


def test_a_simpler_tree_may_be_worse_by_some_standard_errors(run: Run) -> None:
    command = ["select", "iris", "--learner", "cart", "--max-depth", "0-3", "--folds", "5", "--format", "json"]
    least = json.loads(run(*command, "--standard-errors", 0)[1])
    assert least["chosen"] == least["least"]
    assert json.loads(run(*command, "--standard-errors", 1000)[1])["chosen"] == "0"
    assert "1000 standard errors" in run(*command[:-2], "--standard-errors", 1000)[1]


def test_another_bound_holds_for_every_tree(run: Run) -> None:
    """With leaves of at least 26 of the 75 rows, a tree has one question at most."""
    command = ["select", "iris", "--learner", "cart", "--max-depth", "1-3", "--folds", 2, "--format", "json"]
    free, bounded = (json.loads(run(*command, *bound)[1])["trials"] for bound in ([], ["--min-samples-leaf", "26"]))
    assert free[0]["errors"] != free[1]["errors"]
    assert bounded[0]["errors"] == bounded[1]["errors"] == bounded[2]["errors"]


@pytest.mark.parametrize(
    ("flag", "values", "order"),
    [
        ("--min-samples-leaf", "1,5,10-11", ["11", "10", "5", "1"]),
        ("--min-samples-split", "2,50", ["50", "2"]),
        ("--epsilon", "0,0.1", ["1/10", "0"]),
        ("--min-impurity-decrease", "1/3,0", ["1/3", "0"]),
        ("--max-depth", "3,0-1,1", ["0", "1", "3"]),
    ],
)
def test_the_values_go_from_simple_trees_to_complex_ones(run: Run, flag: str, values: str, order: list[str]) -> None:
    status, out, err = run("select", "iris", "--learner", "cart", flag, values, "--folds", 2, "--format", "json")
    assert status == 0, err
    assert [trial["value"] for trial in json.loads(out)["trials"]] == order


def test_the_curve_marks_what_is_chosen(run: Run) -> None:
    command = ["select", "cats-regression", "--learner", "cart", "--max-depth", "0-3", "--folds", "3"]
    chosen = json.loads(run(*command, "--format", "json")[1])["chosen"]
    root = ElementTree.fromstring(run(*command, "--format", "svg")[1])
    bold = [element.text for element in root.iter() if element.get("font-weight") == "bold"]
    assert bold == [chosen]
    assert "Mean squared error over max-depth" in "".join(root.itertext())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "no option has several values"),
        (["--max-depth", "2"], "no option has several values"),
        (["--max-depth", "0-1", "--epsilon", "0,1"], "--epsilon and --max-depth have several values"),
        (["--max-depth", "3-1"], "3-1"),
        (["--max-depth", "0-99999"], "at most"),
        (["--max-depth", "0,,1"], "''"),
        (["--max-depth", "0-1", "--folds", "1"], "not into 1"),
        (["--max-depth", "0-1", "--learner", "oracle"], "oracle"),
        (["--max-depth", "0-1", "--choose", "/", "windy"], "--choose"),
        (["--min-impurity-decrease", "0,1", "--folds", "3"], "not of id3"),
        (["--max-depth", "0-1", "--standard-errors", "-1"], "--standard-errors"),
    ],
)
def test_what_is_refused(run: Run, weather: Path, arguments: list[str], says: str) -> None:
    assert says in refused(run, "select", weather, "--learner", "id3", *arguments)


def test_what_the_learner_has_no_rule_for_is_told_with_the_file(run: Run) -> None:
    assert refused(run, "select", "iris", "--learner", "id3", "--max-depth", "0-1").startswith("reference-tree: iris: ")


def test_a_terminal_sees_how_many_trees_there_are(run: Run, letters: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "is_watched", lambda: True)
    err = run("select", letters, "--max-depth", "0-1", "--folds", 3)[2]
    assert [f"tree {done} of 6" in err for done in range(1, 8)] == [True] * 6 + [False]
    assert err.endswith("\r\x1b[K")


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("flags", "learner", "option"),
    [
        ("forest --trees 3,1", rt.RandomForest(seed=5), {"trees": [1, 3]}),
        ("bagging --trees 2 --max-depth 0-1", rt.Bagging(trees=2, seed=5), {"max_depth": [0, 1]}),
        (
            "gradient --trees 1 --option reg_lambda 1 --option reg_lambda 0",
            rt.GradientBoosting(trees=1, seed=5),
            {"reg_lambda": [1, 0]},
        ),
        (
            "adaboost --trees 3 --ensemble-option rate 1 --ensemble-option rate 1/2",
            rt.AdaBoost(trees=3, seed=5),
            {"rate": [1, Fraction(1, 2)]},
        ),
        ("forest --trees 2 --attributes 1,all", rt.RandomForest(trees=2, seed=5), {"attributes": [1, "all"]}),
    ],
)
def test_options_of_ensembles_are_selected_as_in_python(run: Run, flags: str, learner: Any, option: Any) -> None:
    command = ["select", "iris", "--ensemble", *flags.split(), "--folds", 3, "--seed", 5, "--format", "json"]
    status, out, err = run(*command)
    assert status == 0, err
    found, same = json.loads(out), rt.select(learner, rt.textbook("iris"), 3, seed=5, **option)
    assert found["option"] == same.option
    assert [trial["value"] for trial in found["trials"]] == [str(trial.value) for trial in same.trials]
    assert [list(map(Fraction, trial["errors"])) for trial in found["trials"]] == [list(t.errors) for t in same.trials]
    assert found["chosen"] == str(same.chosen.value)


def test_words_have_no_curve_and_trees_are_for_ensembles(run: Run) -> None:
    command = ["select", "iris", "--ensemble", "forest", "--attributes", "1,all", "--trees", "1", "--folds", "2"]
    assert "attributes has words among its values" in refused(run, *command, "--format", "svg")
    assert "--trees is for ensembles" in refused(run, "select", "iris", "--trees", "1,2")
