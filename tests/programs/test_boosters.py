"""The parameters of a boosting program: from the model, from what is given besides, and what is assumed."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.programs.boosters import booster_of, inferred
from reference_tree.programs.reading import predictor_of_file, read_foreign
from reference_tree.tree_document import predictor_from_json
from tests.peers import xgboost_trees

RECORDED = Path(__file__).parents[1] / "programs" / "recorded"


def model(path: str, **options: Any) -> Ensemble:
    """A recorded model; with something else that its document says of its training."""
    found = predictor_of_file(RECORDED / path)
    assert isinstance(found, Ensemble)
    return replace(found, grower=replace(found.grower, options={**found.grower.options, **options}))


def test_the_text_of_lightgbm_says_what_training_was_told() -> None:
    booster, assumed = booster_of(model("lightgbm/iris.txt"), {})
    assert assumed == []
    assert (booster.rate, booster.reg_lambda, booster.max_depth, booster.max_leaves) == (Fraction(1, 10), 0, None, 6)
    assert (booster.min_child_weight, booster.min_samples_leaf) == (Fraction(1, 1000), 3)
    assert (booster.margins, booster.tree_method, booster.from_average) == ("double", "hist", True)
    assert booster.second == Fraction(3, 2)  # K/(K - 1) of three classes


def test_a_model_of_xgboost_says_nothing_and_the_deepest_tree_stands_for_the_depth() -> None:
    booster, (shown, assumed) = booster_of(model("xgboost/pima.json"), {})
    assert (booster.rate, booster.max_depth, booster.tree_method) == (Fraction(3, 10), 3, "auto")
    assert shown == "as the nodes of the model show: rate 0.3, reg_lambda 1"
    assert "assumed: gamma 0, min_child_weight 1, max_depth 3, no draws of rows or columns" in assumed
    booster, remarks = booster_of(model("xgboost/pima.json"), {"rate": "0.1", "max_depth": 5})
    assert (booster.rate, booster.max_depth) == (Fraction(1, 10), 5)
    assert not any("rate" in remark for remark in remarks)


@pytest.mark.oracles
@pytest.mark.parametrize("method", ["exact", "hist", "approx"])
@pytest.mark.parametrize("rate", [1, "0.3", "0.1", "0.05", "0.013"])
@pytest.mark.parametrize("objective", ["reg:squarederror", "binary:logistic"])
def test_the_rate_and_lambda_follow_from_the_nodes_of_xgboost(method: str, rate: Any, objective: str) -> None:
    if missing := xgboost_trees.absent():
        pytest.skip(missing)
    numpy: Any = importlib.import_module("numpy")
    chance = numpy.random.default_rng(1)
    X = chance.normal(size=(500, 3)).round(2)
    y = X[:, 0] + numpy.sin(X[:, 1]) + chance.normal(size=500)
    for reg in (0.5, 1, 3):
        options = {"tree_method": method, "eta": float(rate), "lambda": reg, "max_depth": 4, "base_score": 0.5}
        booster = xgboost_trees.train(X, y if "reg" in objective else y > 0, 3, objective=objective, **options)
        (document,) = read_foreign(bytes(booster.save_raw("json")).decode(), target="y")
        found: Any = predictor_from_json(json.dumps(document))
        assert inferred(found) == {"rate": Fraction(rate), "reg_lambda": Fraction(reg)}


@pytest.mark.parametrize(
    ("options", "given", "message"),
    [
        ({"unlike": ["subsample 0.5"]}, {}, "trained with subsample 0.5, which an audit cannot repeat"),
        ({}, {"unlike": ["alpha 1"]}, "trained with alpha 1"),
        ({"told": {"colour": "red"}}, {}, "there is no parameter 'colour' of boosting"),
        ({"told": {"rate": "-1"}}, {}, "rate -1: "),
        ({"told": []}, {}, "its training parameters are no object"),
    ],
)
def test_what_cannot_be_repeated_is_refused(options: dict[str, Any], given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        booster_of(model("xgboost/pima.json", **options), given)


def test_other_objectives_and_programs_are_refused() -> None:
    with pytest.raises(InputError, match="its objective is reg:absoluteerror"):
        booster_of(model("xgboost/cars.json", objective="reg:absoluteerror"), {})
    found = model("xgboost/cars.json")
    unknown = tuple(one._replace(tree=replace(one.tree, program=None)) for one in found.members)
    with pytest.raises(InputError, match="its program is none that is named"):
        booster_of(replace(found, members=unknown), {})
