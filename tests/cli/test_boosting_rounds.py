"""Boosting on the command line: stumps unless somebody else is named, rounds explained, documents read again."""

from __future__ import annotations

import json
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.textbook import textbook
from reference_tree.ensembles.adaboost import AdaBoost
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.exact.rationals import exact_text
from reference_tree.selection.cross_validation import folds, splits
from tests.cli.running import Run, refused


def test_stumps_are_the_usual_trees(run: Run) -> None:
    status, out, err = run("grow", "li-hang-8.1", "--ensemble", "adaboost", "--trees", "3", "--format", "json")
    assert (status, err) == (0, "")
    learner = json.loads(out)["learner"]
    base = learner["options"]["base"]
    assert (learner["name"], base["name"]) == ("adaboost", "cart")
    assert base["options"]["criterion"] == "misclassification"
    assert [base["options"][name] for name in ("max_depth", "min_samples_split", "min_samples_leaf")] == [1, "0", "0"]
    weights = [tree["weight"] for tree in json.loads(out)["trees"]]
    assert weights[0] == {"base": "e", "terms": {"7": "1/2", "3": "-1/2"}}


def test_what_is_said_of_the_trees_changes_them_alone(run: Run) -> None:
    given = ("--max-depth", "2", "--option", "criterion", "gini")
    _, out, _ = run("grow", "li-hang-8.1", "--ensemble", "adaboost", *given, "--format", "json")
    options = json.loads(out)["learner"]["options"]["base"]["options"]
    assert [options[name] for name in ("criterion", "max_depth", "min_samples_leaf")] == ["gini", 2, "0"]
    _, out, _ = run("grow", "li-hang-8.1", "--ensemble", "adaboost", "--learner", "c45", "--format", "json")
    base = json.loads(out)["learner"]["options"]["base"]
    assert (base["name"], base["options"]["max_depth"]) == ("c45", None)


def test_a_round_is_explained(run: Run) -> None:
    status, out, _ = run("explain", "li-hang-8.1", "--ensemble", "adaboost", "--trees", "3", "--round", "3")
    assert status == 0
    assert "Split on x<=5.5" in out
    assert "\nα_3     = ln((1 − 2/11) / (2/11)) / 2 ≈ 0.752039\n" in out
    status, out, _ = run("explain", "li-hang-8.2", "--ensemble", "boosting-tree", "--trees", "2", "--round", "2")
    assert status == 0
    assert "The squared error of all trees so far falls from 1.930008 to 0.800675." in out


def test_a_document_predicts_and_is_scored(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "boosted.json"
    for name, kind, expected in (("li-hang-8.1", "adaboost", "1"), ("li-hang-8.2", "boosting-tree", None)):
        assert run("grow", name, "--ensemble", kind, "--trees", "3", "-o", path)[0] == 0
        status, out, _ = run("predict", path, name)
        assert status == 0
        assert len(out.splitlines()) == 10
        status, out, _ = run("score", path, name, "--format", "json")
        assert status == 0
        assert expected is None or json.loads(out)["accuracy"] == expected


@pytest.mark.parametrize(
    ("name", "kind", "learner"),
    [("li-hang-8.1", "adaboost", AdaBoost(trees=3)), ("li-hang-8.2", "boosting-tree", BoostingTree(trees=3))],
)
def test_without_the_rows_held_out_stumps_are_grown_too(run: Run, name: str, kind: str, learner: Any) -> None:
    status, out, err = run("score", name, "--ensemble", kind, "--trees", "3", "--folds", "5", "--format", "json")
    assert (status, err) == (0, "")
    table = textbook(name)
    parts = splits(table, folds(table, 5, 0))
    found = reduce(add, (learner.grow(part.training).contingency(part.validation, "majority") for part in parts))
    expected = found.mean_squared_error if found.classes is None else found.accuracy
    assert json.loads(out)["mean_squared_error" if found.classes is None else "accuracy"] == exact_text(expected)


def test_options_that_are_none(run: Run) -> None:
    boosted = ("grow", "li-hang-8.1", "--ensemble", "adaboost")
    assert "it is a whole number from 8 to 240" in refused(run, *boosted, "--ensemble-option", "bits", "3")
    assert "is no option of adaboost" in refused(run, *boosted, "--ensemble-option", "loss", "3")
    assert "a boosting tree is for numbers" in refused(run, "grow", "li-hang-8.2", "--ensemble", "adaboost")
    given = ("--ensemble-option", "resample", "true", "--ensemble-option", "bits", "null")
    assert "rows are drawn by weights of a bounded length" in refused(run, *boosted, *given)
