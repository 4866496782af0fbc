"""`score --importance`: the figures of the functions, the largest first, and what cannot be weighed."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.cli.scoring import DRAWING
from reference_tree.ensembles.importance import (
    gain_importance,
    impurity_importance,
    out_of_bag_importance,
    permutation_importance,
)
from reference_tree.selection.cross_validation import folds, splits
from reference_tree.selection.holdout import holdout
from reference_tree.views.plots.bars import importance_bars
from tests.cli.running import Run, refused

IRIS = rt.textbook("iris")
FOREST = rt.RandomForest(trees=5, seed=2).grow(IRIS)
BOOSTED = rt.GradientBoosting(trees=2, base=rt.GradientTree(max_depth=2, reg_lambda=3)).grow(IRIS)


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize(
    ("kind", "predictor", "expected"),
    [
        ("impurity", FOREST, impurity_importance(FOREST)),
        ("permutation", FOREST, permutation_importance(FOREST, IRIS, 7)),
        ("out-of-bag", FOREST, out_of_bag_importance(FOREST, IRIS, 7)),
        ("gain", BOOSTED, gain_importance(BOOSTED, 3)),
    ],
)
def test_the_attributes_by_importance(run: Run, tmp_path: Path, kind: str, predictor: Any, expected: Any) -> None:
    document = tmp_path / "trees.json"
    document.write_text(rt.to_json(predictor), encoding="utf-8")
    seed = ["--seed", "7"] if kind in DRAWING else []
    command = ["score", document, "iris", "--importance", kind, *seed]
    status, out, err = run(*command, "--format", "json")
    assert (status, err) == (0, "")
    found = json.loads(out)["of"]
    assert found == {name: float(number) for name, number in expected.items()}
    assert list(found.values()) == sorted(found.values(), reverse=True)
    text = run(*command)[1]
    assert [text.index(f"\n{name} ") for name in found] == sorted(text.index(f"\n{name} ") for name in found)


def test_trees_that_other_programs_wrote_are_weighed(run: Run, tmp_path: Path) -> None:
    model = tmp_path / "tree.pmml"
    tree = rt.CART().grow(IRIS)
    model.write_text(rt.to_pmml(tree), encoding="utf-8")
    command = ["score", model, "iris", "--importance", "permutation", "--target", "species"]
    status, out, err = run(*command, "--format", "json")
    assert (status, err) == (0, "")
    expected = {name: float(found) for name, found in permutation_importance(tree, IRIS).items()}
    assert json.loads(out)["of"] == {name: found for name, found in expected.items() if found}  # PMML has no others


def test_what_cannot_be_weighed(run: Run, tmp_path: Path) -> None:
    tree, forest = tmp_path / "tree.json", tmp_path / "forest.json"
    tree.write_text(rt.to_json(rt.CART().grow(IRIS)), encoding="utf-8")
    forest.write_text(rt.to_json(FOREST), encoding="utf-8")
    assert "a tree that has grown" in refused(run, "score", "iris", "--importance", "impurity")
    assert "a tree that has grown" in refused(run, "score", tree, "--importance", "impurity")
    assert "is for a bag or a forest" in refused(run, "score", tree, "iris", "--importance", "out-of-bag")
    assert "is for gradient boosting" in refused(run, "score", forest, "iris", "--importance", "gain")
    assert "say --importance, too" in refused(run, "score", tree, "iris", "--format", "svg")


def test_importances_are_drawn(run: Run, tmp_path: Path) -> None:
    tree, drawn = tmp_path / "tree.json", tmp_path / "bars.svg"
    tree.write_text(rt.to_json(rt.CART().grow(IRIS)), encoding="utf-8")
    run("score", tree, "iris", "--importance", "impurity", "--output", drawn)
    assert drawn.read_text(encoding="utf-8") == importance_bars(impurity_importance(rt.CART().grow(IRIS)))


def test_an_ensemble_of_derivatives_has_no_impurity(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "ensemble.json"
    run("grow", "play-tennis", "--ensemble", "gradient", "--trees", "2", "-o", path)
    message = refused(run, "score", path, "play-tennis", "--importance", "impurity")
    assert "their importance is measured by gain" in message


def by_hand(parts: Any, learner: Any) -> list[tuple[Any, Any]]:
    """Each row that was held out, row by row: its truth, and what the tree of the others says."""
    found = []
    for training, validation in parts:
        tree = learner.grow(training)
        target = training.schema.target.name
        found += [(row[target], tree.predict(row, "majority")) for row in validation.rows()]
    return found


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--folds", "5", "--seed", "3"], lambda: splits(IRIS, folds(IRIS, 5, 3))),
        (["--holdout", "0.3"], lambda: [holdout(IRIS, 0, Fraction(3, 10))]),
        ([], lambda: splits(IRIS, folds(IRIS, 10, 0))),
    ],
)
def test_a_learner_is_judged_by_rows_it_has_not_seen(run: Run, arguments: list[str], parts: Any) -> None:
    pairs = by_hand(parts(), rt.CART())
    status, out, err = run("score", "iris", "--learner", "cart", *arguments, "--format", "json")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert Fraction(found["accuracy"]) == Fraction(sum(one == other for one, other in pairs), len(pairs))
    counts = [[pairs.count((truth, label)) for label in found["classes"]] for truth in found["classes"]]
    assert [[int(count) for count in line] for line in found["confusion"]] == counts


def test_numbers_have_errors(run: Run) -> None:
    table = rt.textbook("cats").predicting("weight")
    pairs = by_hand(splits(table, folds(table, 3, 0)), rt.CART())
    found = json.loads(run("score", "cats", "--target", "weight", "--folds", "3", "--format", "json")[1])
    assert Fraction(found["mean_squared_error"]) == sum((y - x) ** 2 for y, x in pairs) / len(pairs)
    assert Fraction(found["mean_absolute_error"]) == sum(abs(y - x) for y, x in pairs) / len(pairs)


def test_a_tree_is_judged_by_any_rows(run: Run, tmp_path: Path) -> None:
    tree, rows = tmp_path / "tree.json", tmp_path / "rows.csv"
    run("grow", "play-tennis", "--max-depth", "1", "-o", tree)
    rows.write_text("outlook,w,play\nsunny,2,no\nsunny,1,yes\novercast,1/2,yes\n", encoding="utf-8")
    found = json.loads(run("score", tree, rows, "--weights", "w", "--format", "json")[1])
    assert (found["accuracy"], found["confusion"]) == ("5/7", [["2", "0"], ["1", "1/2"]])
    text = run("score", tree, "play-tennis")[1]
    assert "accuracy     0.714286, 10 of 14" in text
    assert text.splitlines()[-2:] == ["no       3     2          0.6000", "yes      2     7          0.7778"]


def test_the_baseline_is_the_best_constant_for_the_rows(run: Run, tmp_path: Path) -> None:
    found = json.loads(run("score", "play-tennis", "--learner", "id3", "--format", "json")[1])
    assert found["baseline"] == {"accuracy": "9/14"}
    rows = tmp_path / "rows.csv"
    rows.write_text("x,y\n" + "".join(f"{x},{(x * 7) % 5}\n" for x in range(20)), encoding="utf-8")
    found = json.loads(run("score", rows, "--folds", "4", "--format", "json", "--learner", "cart")[1])
    assert Fraction(found["baseline"]["mean_squared_error"]) == 2, "0 to 4, each four times: their variance"


def test_predictions_that_are_worse_than_a_constant_are_said_to_be(run: Run, tmp_path: Path) -> None:
    noise = tmp_path / "noise.csv"
    noise.write_text("x,y\n" + "".join(f"{x},{(x * x * 7) % 11}\n" for x in range(30)), encoding="utf-8")
    out = run("score", noise, "--learner", "cart")[1]
    assert "if always" in out
    assert ": these predictions are worse" in out
    assert ": these predictions are worse" not in run("score", "iris", "--learner", "cart")[1]


def test_scikit_learn_scores_alike(run: Run) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    pairs = by_hand([holdout(IRIS, 0, Fraction(1, 3))], rt.CART(max_depth=1))
    found = json.loads(run("score", "iris", "--max-depth", "1", "--holdout", "1/3", "--format", "json")[1])
    truths, labels = zip(*pairs, strict=True)
    theirs = metrics.confusion_matrix(truths, labels, labels=found["classes"]).tolist()
    assert [[int(count) for count in line] for line in found["confusion"]] == theirs
    assert float(Fraction(found["accuracy"])) == pytest.approx(metrics.accuracy_score(truths, labels))


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize("importance", [[], ["--importance", "impurity"]])
@pytest.mark.parametrize(
    "option",
    [
        ["--max-depth", "1"],
        ["--epsilon", "0"],
        ["--option", "a", "b"],
        ["--choose", "/", "wind"],
        ["--without", "wind"],
        ["--categorical", "wind"],
        ["--learner", "id3"],
        ["--ensemble", "forest"],
        ["--trees", "3"],
        ["--jobs", "2"],
        ["--seed", "1"],
        ["--holdout", "0.3"],
        ["--folds", "3"],
        ["--oob"],
        ["--no-stratified"],
        ["--stratified"],
    ],
)
def test_an_option_without_effect_on_a_tree_that_is_grown_is_refused(
    run: Run, tmp_path: Path, option: list[str], importance: list[str]
) -> None:
    tree = tmp_path / "tree.json"
    run("grow", "play-tennis", "-o", tree)
    assert f"{option[0]} is for growing" in refused(run, "score", tree, "play-tennis", *importance, *option)


def test_what_a_tree_predicts_is_no_choice(run: Run, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    run("grow", "play-tennis", "-o", tree)
    assert run("score", tree, "play-tennis", "--target", "play")[0] == 0
    message = refused(run, "score", tree, "play-tennis", "--target", "wind")
    assert message.endswith("--target wind: the tree predicts play\n")


def test_no_rows_are_asked_before_a_split_while_a_learner_is_judged(run: Run) -> None:
    message = refused(run, "score", "play-tennis", "--pre-prune", "play-tennis")
    assert "--pre-prune play-tennis is no option" in message


def test_what_cannot_be_judged_is_told(run: Run, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    run("grow", "play-tennis", "-o", tree)
    assert "say on which rows" in refused(run, "score", tree)
    assert "is no tree document" in refused(run, "score", "iris", "iris")
    assert "two ways to divide the rows" in refused(run, "score", "iris", "--holdout", "0.3", "--folds", "3")
    assert "--folds is for growing" in refused(run, "score", tree, "play-tennis", "--folds", "3")
    assert "there is no column 'play'" in refused(run, "score", tree, "loan")
