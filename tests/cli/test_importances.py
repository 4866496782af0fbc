"""`score --importance`: the figures of the functions, the largest first, and what cannot be weighed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.cli.importances import DRAWING
from reference_tree.ensembles.importance import (
    gain_importance,
    impurity_importance,
    out_of_bag_importance,
    permutation_importance,
)
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
