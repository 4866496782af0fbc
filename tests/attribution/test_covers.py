"""Covers: what each model states, and which is taken if none is named."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.attribution.covers import cover_of, covers_of
from reference_tree.data.errors import InputError
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.tree import Tree

RECORDED = Path(__file__).parents[1] / "auditing" / "recorded" / "attributions.json"
CASES = json.loads(RECORDED.read_text(encoding="utf-8"))["cases"]


def _model(name: str) -> Tree | Ensemble:
    (document,) = rt.read_foreign(CASES[name]["model"])
    return rt.predictor_from_json(json.dumps(document))


def test_a_tree_grown_here_has_the_weights_of_its_rows() -> None:
    days = rt.textbook("play-tennis")
    tree = rt.ID3(max_depth=1).grow(days)
    assert (cover_of(tree), covers_of(tree)) == ("weights", [[14, 4, 5, 5]])


def test_of_xgboost_it_is_the_sum_of_the_second_derivatives_and_there_is_no_other() -> None:
    model = _model("XGBoost pred_contribs binary:logistic")
    assert cover_of(model) == "sum_hessian"
    assert covers_of(model) == covers_of(model, "sum_hessian")
    assert all(Fraction(h) > 0 for tree in covers_of(model) for h in tree)
    with pytest.raises(InputError, match="does not state the weights of its nodes; say another cover"):
        covers_of(model, "weights")


def test_of_lightgbm_it_is_the_count_of_rows_though_they_have_weights() -> None:
    """As its own explainer weighs (tests/auditing/test_attributions.py); it states the other one, too."""
    model = _model("LightGBM pred_contrib")
    assert cover_of(model) == "weights"
    assert {each[0] for each in covers_of(model)} == {120}
    assert covers_of(model, "sum_hessian") != covers_of(model)


def test_of_a_weighted_tree_of_scikit_learn_it_is_the_weight() -> None:
    (cover,) = covers_of(_model("shap of a weighted tree"))
    assert float(cover[0]) == pytest.approx(72, abs=10)
    assert cover[0] != 120


def test_numbers_can_be_given() -> None:
    tree = rt.ID3(max_depth=1).grow(rt.textbook("play-tennis"))
    assert covers_of(tree, [["4", 1, 1, 2]]) == [[4, 1, 1, 2]]
    with pytest.raises(InputError, match=r"the node /outlook=overcast has the cover -1"):
        covers_of(tree, [[4, -1, 1, 2]])
    with pytest.raises(InputError, match="there is no cover 'hessian'"):
        covers_of(tree, "hessian")
