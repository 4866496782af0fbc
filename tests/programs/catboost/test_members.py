"""Nothing of a model of CatBoost is passed over: each member is used, listed as without effect, or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reference_tree.programs.catboost.members import MODEL
from tests.programs.catboost.files import every_model
from tests.programs.closed_world import documents, effect, mutants

EXCUSED = {
    ("changed", "model_info.catboost_version_info"): "it has other numbers before the release",
    ("removed", "model_info.class_params"): "classes without names are 0, 1, ...",
    ("removed", "oblivious_trees.splits"): "of a tree that is one leaf",
    ("removed", "features_info.float_features.feature_id"): "it is empty",
    ("changed", "features_info.float_features.nan_value_treatment"): "of a feature that no tree asks",
}


@every_model
@pytest.mark.one_in(5)
def test_nothing_of_a_model_is_passed_over(path: Path) -> None:
    value = json.loads(path.read_text(encoding="utf-8"))
    # Nothing below what has no effect is walked into: it is two thirds of a file.
    for name in ("params", "output_options", "training"):
        inside = value["model_info"].get(name)
        value["model_info"][name] = {"loss_function": inside["loss_function"]} if name == "params" else inside
    before = documents(value)
    assert before is not None
    silent = {
        (mutant.how, ".".join(mutant.path))
        for mutant in mutants(value)
        if documents(mutant.value) == before and effect(MODEL, mutant.path) != "no effect"
    }
    assert silent - EXCUSED.keys() == set()
