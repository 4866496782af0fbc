"""Plotting: each kind is the drawing of the package, of the rows and the trees that the command names."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

import reference_tree as rt
from reference_tree.cli.plotting import PLOTS
from reference_tree.pruning.cost_complexity import pruning_path
from reference_tree.selection.cross_validation import folds
from reference_tree.selection.holdout import Split, holdout
from reference_tree.selection.overfitting import complexity_curve, learning_curve
from reference_tree.views.plots.bars import candidate_bars, fold_rows
from reference_tree.views.plots.curves import cost_lines, entropy_curve, gain_curve, validation_curve
from reference_tree.views.plots.plane import to_plane
from reference_tree.views.plots.rounds import adaboost_rounds, boosting_rounds
from tests.cli.running import Run, refused

TRAINING, VALIDATION = "watermelon-2.0-train", "watermelon-2.0-validation"


def plotted(run: Run, *arguments: object) -> str:
    status, out, err = run("plot", *arguments)
    assert (status, err) == (0, "")
    assert ElementTree.fromstring(out).tag.endswith("svg")
    return out


def test_a_gain_is_of_classes_and_of_an_attribute(run: Run) -> None:
    assert "the target y is a number, and information is gained" in refused(run, "plot", "gain", "li-hang-5.2", "x")
    assert "species is the target" in refused(run, "plot", "gain", "iris", "species")


@pytest.mark.slow
def test_the_curves_of_measures(run: Run) -> None:
    assert plotted(run, "entropy") == entropy_curve()
    assert plotted(run, "entropy", "--gini") == entropy_curve(with_gini=True)
    assert plotted(run, "gain", "iris", "petal width") == gain_curve(rt.textbook("iris"), "petal width")

    drawn = entropy_curve(with_error=True, split=[[3, 2], [0, 4], [2, 3]])
    assert plotted(run, "entropy", "--error", "--split", "3,2", "0,4", "2,3") == drawn
    days = rt.textbook("play-tennis")
    assert plotted(run, "candidates", "play-tennis") == candidate_bars(rt.ID3().decide(days.sample()))
    assert "humidity&lt;=77.5" in plotted(run, "candidates", "golf", "--learner", "c45", "--node", "/outlook=sunny")
    assert plotted(run, "folds", "play-tennis", "--folds", "7", "--seed", "1") == fold_rows(days, folds(days, 7, 1))


def test_trees_cut_priced_and_walked(run: Run, tmp_path: Path) -> None:
    melons, whole, cut = rt.textbook("watermelon-2.0a"), tmp_path / "whole.json", tmp_path / "cut.json"
    full, small = rt.C45().grow(melons), rt.C45(max_depth=1).grow(melons)
    for path, tree in ((whole, full), (cut, small)):
        path.write_text(rt.to_json(tree), encoding="utf-8")
    assert plotted(run, "cut", whole, cut) == rt.to_svg(full, pruned=small)
    assert plotted(run, "cost", whole) == cost_lines(pruning_path(full))
    assert plotted(run, "rows", whole, "watermelon-2.0a", "--row", "8") == rt.to_svg(full, rows=melons.take([7]))


def test_boosting_round_by_round(run: Run) -> None:
    votes, sums = rt.textbook("li-hang-8.1"), rt.textbook("li-hang-8.2")
    drawn = adaboost_rounds(list(rt.AdaBoost(trees=3).rounds(votes)), votes, "x")
    assert run("plot", "rounds", "li-hang-8.1", "x", "--ensemble", "adaboost", "--trees", "3")[1] == drawn
    drawn = boosting_rounds(list(rt.BoostingTree(trees=6).rounds(sums)), sums, "x")
    assert run("plot", "rounds", "li-hang-8.2", "x", "--ensemble", "boosting-tree")[1] == drawn


def test_the_regions_are_those_of_a_tree_of_two_columns(run: Run) -> None:
    iris = rt.textbook("iris").without(["sepal length", "sepal width"])
    drawn = to_plane({"iris": rt.CART(max_depth=2).grow(iris)}, iris, "petal length", "petal width")
    arguments = ["iris", "petal length", "petal width", "--learner", "cart", "--max-depth", "2"]
    assert plotted(run, "regions", *arguments) == drawn


def test_errors_over_an_option(run: Run) -> None:
    split = Split(rt.textbook(TRAINING), rt.textbook(VALIDATION))
    points = complexity_curve(range(4), lambda depth: rt.ID3(max_depth=depth).grow, split)
    drawn = validation_curve(points, "max-depth")
    arguments = [TRAINING, "--learner", "id3", "--max-depth", "0-3", "--validation", VALIDATION]
    assert plotted(run, "overfitting", *arguments) == drawn
    iris = holdout(rt.textbook("iris"), 2, Fraction(1, 4))
    points = complexity_curve((10, 1), lambda least: rt.CART(min_samples_leaf=least).grow, iris)
    arguments = ["iris", "--learner", "cart", "--min-samples-leaf", "1,10", "--holdout", "1/4", "--seed", "2"]
    assert plotted(run, "overfitting", *arguments) == validation_curve(points, "min-samples-leaf")


def test_errors_over_the_number_of_rows(run: Run) -> None:
    split = holdout(rt.textbook("contact-lenses"), 1)
    assert len(split.training) == 16
    for sizes, flags in (([3, 8, 16], ["--sizes", "3,8,16"]), ([2, 4, 5, 7, 8, 10, 12, 13, 15, 16], [])):
        points = learning_curve(rt.ID3(max_depth=2).grow, split, sizes, 1)
        drawn = validation_curve(points, "number of training rows")
        arguments = ["contact-lenses", "--learner", "id3", "--max-depth", "2", "--seed", "1", *flags]
        assert plotted(run, "learning", *arguments) == drawn


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "KIND"),
        (["pie"], "pie"),
        (["gain", "iris"], "NAME"),
        (["gain", "iris", "nothing"], "nothing"),
        (["gain", "play-tennis", "wind"], "categorical"),
        (["regions", "iris", "petal width", "petal width", "--learner", "cart"], "two attributes"),
        (["regions", "cats-regression", "weight", "ear", "--learner", "cart"], "target"),
        (["regions", "golf", "outlook", "humidity", "--learner", "c45"], "categorical"),
        (["overfitting", "iris", "--learner", "cart"], "several values"),
        (["overfitting", TRAINING, "--holdout", "1/2", "--validation", VALIDATION], "--validation"),
        (["overfitting", TRAINING, "--learner", "id3", "--max-depth", "0-1", "--validation", "iris"], "iris"),
        (["rounds", "iris", "petal width", "--ensemble", "forest"], "adaboost"),
        (["rounds", "golf", "humidity", "--ensemble", "adaboost"], "asks for outlook, too"),
        (["candidates", "play-tennis", "--node", "/outlook=overcast"], "no test has a score"),
        (["entropy", "--split", "3,2,1", "0,4"], "two classes"),
        (["folds", "play-tennis", "--folds", "15"], "14 rows"),
        (["learning", "iris", "--learner", "cart", "--sizes", "20,200"], "not from 200"),
        (["learning", "iris", "--learner", "cart", "--max-depth", "1-3"], "several values"),
        (["learning", "iris", "--learner", "cart", "--holdout", "2"], "between 0 and 1"),
    ],
)
def test_what_is_refused(run: Run, arguments: list[str], says: str) -> None:
    assert says in refused(run, "plot", *arguments)


@pytest.mark.parametrize("kind", PLOTS)
def test_each_kind_has_its_help(run: Run, kind: str) -> None:
    status, out, _ = run("plot", kind, "--help")
    assert status == 0
    assert " ".join(out.split()).count(PLOTS[kind].purpose[1:]) == 1


def test_a_drawing_goes_into_a_file(run: Run, tmp_path: Path) -> None:
    assert run("plot", "entropy", "-o", tmp_path / "entropy.svg") == (0, "", "")
    assert (tmp_path / "entropy.svg").read_text(encoding="utf-8") == entropy_curve()


def test_only_what_can_be_said_is_proposed(run: Run, tmp_path: Path) -> None:
    assert refused(run, "plot", "entropy", "-o", tmp_path / "a.html").endswith("end the name in .svg\n")


def test_an_option_without_effect_is_refused(run: Run) -> None:
    given = ["plot", "overfitting", "cats", "--max-depth", "0-2", "--validation", "cats"]
    assert "--stratified is for a division" in refused(run, *given, "--no-stratified")
    assert "--seed is for a division" in refused(run, *given, "--seed", "1")
    assert "--pre-prune cats is no option" in refused(run, "plot", "regions", "iris", "a", "b", "--pre-prune", "cats")
    rounds = ["plot", "rounds", "li-hang-8.1", "x", "--ensemble", "adaboost"]
    assert "--label is for one tree" in refused(run, *rounds, "--label", "/", "1")
