"""Ensembles on the command line: grown, asked, explained, and judged."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from reference_tree.data.textbook import textbook
from reference_tree.ensembles.bagging import Bagging, bootstrap
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.ensembles.random_forest import RandomForest
from reference_tree.learners.c45 import C45
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.id3 import ID3
from reference_tree.tree_document import from_json, to_json
from tests.cli.running import Run, refused

FOREST = ("--ensemble", "forest", "--trees", "3", "--seed", "7")


def test_a_forest_is_grown_as_in_python(run: Run) -> None:
    status, out, _ = run(
        "grow", "play-tennis", *FOREST, "--attributes", "2", "--max-depth", "2", "--ensemble-option", "otherwise",
        "leaf", "--format", "json",
    )  # fmt: skip
    learner = RandomForest(base=ID3(max_depth=2), trees=3, seed=7, attributes=2, otherwise="leaf")
    assert status == 0
    assert out == to_json(learner.grow(textbook("play-tennis")))


def test_the_options_of_a_learner_are_those_of_each_tree(run: Run) -> None:
    _, out, _ = run(
        "grow", "golf", "--ensemble", "bagging", "--trees", "2", "--learner", "c45", "--profile", "c45-r8", "--format",
        "json", "--ensemble-option", "resample", "false", "--jobs", "2",
    )  # fmt: skip
    assert out == to_json(Bagging(base=C45.like("c45-r8"), trees=2, resample=False).grow(textbook("golf")))


def test_one_of_the_trees_is_a_tree(run: Run) -> None:
    _, out, _ = run("grow", "play-tennis", *FOREST, "--round", "2", "--format", "json")
    expected = RandomForest(base=ID3(), trees=3, seed=7).grow(textbook("play-tennis")).members[1].tree
    assert from_json(out) == expected
    _, drawn, _ = run("grow", "play-tennis", *FOREST, "--round", "2", "--format", "dot")
    assert drawn.startswith("digraph")


@pytest.fixture
def document(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "forest.json"
    run("grow", "play-tennis", *FOREST, "--output", path)
    return path


def test_a_document_is_asked_as_that_of_a_tree(run: Run, document: Path) -> None:
    forest = RandomForest(base=ID3(), trees=3, seed=7).grow(textbook("play-tennis"))
    _, out, _ = run("predict", document, "play-tennis")
    assert out.split() == forest.predict(textbook("play-tennis"))
    _, out, _ = run("predict", document, "play-tennis", "--proba", "--exact")
    first = forest.distribution(next(textbook("play-tennis").rows()))
    assert out.splitlines()[:2] == ["no,yes", ",".join(map(str, first.values()))]
    _, out, _ = run("score", document, "play-tennis", "--format", "json")
    assert json.loads(out)["accuracy"] == str(forest.accuracy(textbook("play-tennis")))
    assert json.loads(out)["ensemble"] == str(document)


def test_an_ensemble_is_judged_by_rows_held_out(run: Run) -> None:
    status, out, _ = run("score", "play-tennis", *FOREST, "--folds", "2")
    assert status == 0
    assert "learner      forest of id3" in out


def test_rows_out_of_bag_judge_the_trees_they_were_not_drawn_for(run: Run) -> None:
    status, out, _ = run("score", "play-tennis", *FOREST, "--oob", "--format", "json")
    assert status == 0
    rows, learner = list(textbook("play-tennis").rows()), RandomForest(base=ID3(), trees=3, seed=7)
    trees = [member.tree for member in learner.grow(textbook("play-tennis")).members]
    drawn = [bootstrap(14, 7, number) for number in range(3)]
    counts = {"no": {"no": 0, "yes": 0}, "yes": {"no": 0, "yes": 0}}
    for place, row in enumerate(rows):
        votes = [tree.predict(row, "majority") for tree, times in zip(trees, drawn, strict=True) if not times[place]]
        if votes:
            counts[str(row["play"])][max(("no", "yes"), key=votes.count)] += 1
    assert json.loads(out)["confusion"] == [[str(n) for n in line.values()] for line in counts.values()]


def test_the_vote_of_a_row_is_counted(run: Run, document: Path) -> None:
    _, out, _ = run("explain", document, "play-tennis", "--predict", "1")
    forest = RandomForest(base=ID3(), trees=3, seed=7).grow(textbook("play-tennis"))
    votes = forest.votes(next(textbook("play-tennis").rows()))
    assert [line.split()[:2] for line in out.partition("at its leaf\n")[2].splitlines()[:3]] == [
        [str(number), answer] for number, answer in enumerate(votes.answers, start=1)
    ]
    assert f"Prediction: {votes.label}, the class with the highest score." in out
    assert run("explain", "play-tennis", *FOREST, "--predict", "1")[1] == out
    _, way, _ = run("explain", document, "play-tennis", "--predict", "1", "--round", "3")
    assert "The path of row 1 of play-tennis down the tree" in way


def test_a_round_is_derived_from_the_rows_that_were_drawn(run: Run) -> None:
    status, out, _ = run("explain", "play-tennis", *FOREST, "--round", "1", "--node", "/")
    assert status == 0
    drawn = bootstrap(14, 7, 0)
    classes = [
        row["play"] for row, times in zip(textbook("play-tennis").rows(), drawn, strict=True) for _ in range(times)
    ]
    assert f"no {classes.count('no')}, yes {classes.count('yes')}" in out.splitlines()[0]
    assert "Drawn: " in out
    _, whole, _ = run("explain", "play-tennis", *FOREST, "--round", "1")
    assert whole.startswith("Tree 1 of 3 on play-tennis")
    assert f"14 rows, {sum(map(bool, drawn))} different ones of 14" in whole


def test_a_bootstrap_sample_is_a_table(run: Run) -> None:
    _, out, _ = run("data", "play-tennis", "--bootstrap", "2", "--seed", "3")
    rows = [",".join(map(str, row.values())) for row in textbook("play-tennis").rows()]
    expected = [row for row, times in zip(rows, bootstrap(14, 3, 1), strict=True) for _ in range(times)]
    assert out.splitlines()[1:] == expected
    assert run("data", "play-tennis", "--bootstrap")[1] == run("data", "play-tennis", "--bootstrap", "1")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("grow", "golf", "--trees", "3"), "--trees is for ensembles; say --ensemble, too"),
        (("grow", "golf", "--round", "3"), "--round is for ensembles"),
        (("score", "golf", "--jobs", "3"), "--jobs is for ensembles"),
        (("score", "play-tennis", *FOREST, "--oob", "--jobs", "0"), "at least one process"),
        (("score", "golf", "--oob"), "--oob is for ensembles; say --ensemble, too"),
        (("score", "golf", *FOREST, "--oob", "--folds", "3"), "--folds and --oob are two ways to divide the rows"),
        (("score", "li-hang-8.1", "--ensemble", "adaboost", "--oob"), "does not record what was drawn"),
        (("grow", "play-tennis", *FOREST, "--round", "4"), "--round 4: there is no such tree; there are 3"),
        (("grow", "golf", *FOREST, "--format", "dot"), "dot shows one tree; say --round M"),
        (("grow", "golf", *FOREST, "--jobs", "0"), "at least one process"),
        (("grow", "li-hang-8.1", "--ensemble", "adaboost", "--jobs", "0"), "at least one process"),
        (("grow", "golf", *FOREST, "--label", "/", "no"), "--label is for one tree"),
        (("grow", "golf", *FOREST, "--pre-prune", "golf"), "--pre-prune is for one tree"),
        (("grow", "golf", *FOREST, "--gradients", "humidity", "temperature"), "--gradients is for one tree"),
        (("grow", "golf", "--ensemble", "forest", "--trees", "0"), "--trees 0: it is a whole number from 1"),
        (("grow", "golf", "--ensemble", "bagging", "--attributes", "2"), "--attributes is no option of bagging"),
        (
            ("grow", "golf", *FOREST, "--ensemble-option", "base", "id3"),
            "--ensemble-option base is no option of forest",
        ),
        (("grow", "golf", *FOREST, "--ensemble-option", "trees", "3"), "trees is given by --trees, too"),
        (("grow", "golf", *FOREST, "--learner", "id3"), "golf: "),
        (("explain", "golf", *FOREST), "an ensemble has many trees; say --round M"),
        (("data", "golf", "--bootstrap", "0"), "the first is 1"),
        (("data", "golf", "--bootstrap", "--holdout", "1/3"), "two ways to draw rows"),
        (("data", "golf", "--seed", "1"), "--seed is for rows that are drawn"),
    ],
)
def test_what_does_not_fit_is_refused(run: Run, arguments: tuple[str, ...], message: str) -> None:
    assert message in refused(run, *arguments)


def test_a_document_is_not_grown_and_a_tree_has_no_rounds(run: Run, document: Path, tmp_path: Path) -> None:
    assert "holds a tree that is grown" in refused(run, "explain", document, "golf", "--predict", "1", *FOREST)
    tree = tmp_path / "tree.json"
    run("grow", "play-tennis", "--output", tree)
    message = refused(run, "explain", tree, "play-tennis", "--predict", "1", "--round", "1")
    assert "this is a single tree" in message


# Gradient boosting.

BOOSTED = ("--ensemble", "gradient", "--trees", "3", "--max-depth", "2", "--rate", "0.5")


def test_boosting_is_as_in_python(run: Run) -> None:
    _, out, err = run("grow", "golf", *BOOSTED, "--option", "gamma", "1/4", "--ensemble-option", "base_score", "1/2",
                      "--format", "json")  # fmt: skip
    half = Fraction(1, 2)
    base = GradientTree(max_depth=2, rate=half, gamma=Fraction(1, 4))
    assert out == to_json(GradientBoosting(base=base, trees=3, base_score=half).grow(textbook("golf")))
    assert err == ""  # no learner was named, and there is no other one


def test_a_boosted_document_is_asked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "boosted.json"
    run("grow", "golf", *BOOSTED, "-o", path)
    boosted = GradientBoosting(base=GradientTree(max_depth=2, rate=Fraction(1, 2)), trees=3).grow(textbook("golf"))
    _, out, _ = run("predict", path, "golf")
    assert out.split() == boosted.predict(textbook("golf"))
    _, out, _ = run("predict", path, "golf", "--proba")
    first = list(map(float, boosted.distribution(textbook("golf"))[0].values()))
    assert list(map(float, out.splitlines()[1].split(","))) == pytest.approx(first, abs=1e-11)
    assert "irrational" in refused(run, "predict", path, "golf", "--proba", "--exact")
    status, out, _ = run("score", path, "golf")
    assert status == 0
    assert "accuracy" in out


def test_boosting_is_judged_and_explained(run: Run) -> None:
    status, out, _ = run("score", "golf", *BOOSTED, "--folds", "3")
    assert status == 0
    assert "gradient of gradient-tree" in out
    status, out, _ = run("explain", "golf", *BOOSTED, "--round", "2", "--node", "/")
    assert status == 0
    assert "has the largest gain, and is chosen" in out


def test_derivatives_stand_in_columns(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "dump.csv"
    path.write_text("x,g,h\n1,0.5,0.25\n2,0.25,0.25\n3,-0.5,0.25\n", encoding="utf-8")
    _, out, _ = run("grow", path, "--gradients", "g", "h", "--option", "min_child_weight", "0", "--format", "json")
    tree = from_json(out)
    expected = [round(Fraction(-3, 10) * g / (h + 1) * 2**48) for g, h in ((Fraction(1, 4), Fraction(3, 4)),
                (Fraction(3, 4), Fraction(1, 2)), (Fraction(-1, 2), Fraction(1, 4)))]  # fmt: skip
    assert [Fraction(node.label) * 2**48 for node in tree.nodes] == expected
    assert tree.nodes[0].counts == (3, Fraction(1, 4), Fraction(3, 4))
    assert "dump.csv" in refused(run, "grow", path, "--gradients", "d", "h")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("golf", *BOOSTED, "--learner", "c45"), "--ensemble gradient has trees of its own, and --learner c45"),
        (("golf", "--gradients", "temperature", "humidity", "--learner", "id3"), "--gradients has trees of its own"),
        (("golf", "--gradients", "outlook", "humidity"), "the column outlook holds a derivative for each row"),
        (("golf", "--rate", "0.5"), "--rate is an option of gradient-tree, not of cart"),
    ],
)
def test_what_does_not_go_together_with_boosting(run: Run, arguments: tuple[str, ...], message: str) -> None:
    status, _, err = run("grow", *arguments)
    assert status == 2
    assert message in err


@pytest.mark.parametrize("format", ["text", "rules", "dot", "mermaid", "svg", "python", "sql"])
def test_a_boosted_tree_can_be_shown_in_every_way(run: Run, format: str) -> None:
    status, out, _ = run("grow", "golf", *BOOSTED, "--round", "2", "--format", format)
    assert status == 0
    assert "humidity" in out or "outlook" in out or "temperature" in out
