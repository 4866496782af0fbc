"""Planted faults in boosted models of other programs: each is named at its node, and nothing else is."""

from __future__ import annotations

import importlib.util
import json
from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing.boosted_columns import columns_of
from reference_tree.auditing.boosted_trees import added
from reference_tree.tree_document import to_json
from tests.programs import boosted_faults
from tests.programs.boosted_faults import CASES, GB, HGB, LGB, XGB, Case

MODULES = {XGB: "xgboost", LGB: "lightgbm", HGB: "sklearn", GB: "sklearn"}


def absent(case: Case) -> bool:
    """Whether the program of a case is not installed."""
    return importlib.util.find_spec(MODULES[case.program]) is None


@pytest.mark.oracles
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.program} {case.task} {case.options}")
def test_a_planted_fault_is_named_and_nothing_else(case: Case) -> None:
    if absent(case):
        pytest.skip(f"there is no {case.program}")
    model = boosted_faults.trained(case, 0)
    assert model.wrong(model.document)[1] == []
    for _, kind, one in boosted_faults.faults([case], [0]):
        assert (kind, model.wrong(one.document)[1]) == (kind, [(one.tree, one.node)])


def test_what_a_tree_adds_is_what_it_predicts() -> None:
    """Of a model of this package, whose trees predict what they add."""
    table = rt.Table.from_columns({"x": [1, 2, None, 4, 5], "y": [0, 1, 1, 6, 8]}, "y")
    grown = rt.GradientBoosting(trees=2, base_score=0).grow(table)
    for member in grown.members:
        steps: Any = added(member.tree, columns_of(table), len(table))
        assert [low for low, _ in steps] == [Fraction(value) for value in member.tree.predict(table)]
        assert all(low == high for low, high in steps)


def test_a_document_is_written_again_with_what_the_model_states() -> None:
    case = CASES[1]
    if absent(case):
        pytest.skip(f"there is no {case.program}")
    model = boosted_faults.trained(case, 0, rows=60, rounds=1)
    found = rt.predictor_from_json(json.dumps(model.document))
    assert json.loads(to_json(found))["learner"]["options"]["stated"] == model.document["learner"]["options"]["stated"]
