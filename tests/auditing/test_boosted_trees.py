"""Planted faults in boosted models of other programs: each is named at its node, and nothing else is.

Each number that a model states of its nodes and that is falsified is named there, in recorded models, too.
"""

from __future__ import annotations

import importlib.util
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing.boosted_nodes import columns_of
from reference_tree.auditing.boosted_trees import added
from reference_tree.auditing.boosting import audit_boosted
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document import predictor_from_json, to_json
from tests.every import of_every
from tests.peers import boosted_faults
from tests.peers.boosted_faults import CASES, GB, HGB, LGB, XGB, Case
from tests.stores.databases import stored

MODULES = {XGB: "xgboost", LGB: "lightgbm", HGB: "sklearn", GB: "sklearn"}


def absent(case: Case) -> bool:
    """Whether the program of a case is not installed."""
    return importlib.util.find_spec(MODULES[case.program]) is None


@pytest.mark.one_in(3)
@pytest.mark.oracles
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.program} {case.task} {case.options}")
def test_a_planted_fault_is_named_and_nothing_else(case: Case) -> None:
    if absent(case):
        pytest.skip(f"there is no {case.program}")
    model = boosted_faults.trained(case, 0)
    assert model.wrong(model.document)[1] == []
    for kind, one in boosted_faults.faults(model, 0):
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


HERE = Path(__file__).parents[1]
PIMA = HERE / "recorded" / "data" / "pima.arff"


def document(path: str) -> dict[str, Any]:
    """The document of a recorded model, with the names of the table."""
    table = rt.read(str(PIMA))
    names = [attribute.name for attribute in table.schema.attributes]
    target = table.schema.target
    text = (HERE / "programs" / "recorded" / path).read_text(encoding="utf-8")
    return read_foreign(text, target=target.name, attributes=names, classes=list(target.domain))[0]


def causes(whole: dict[str, Any]) -> list[tuple[int | None, int, str]]:
    """The nodes that are named as causes, with the verdict."""
    model: Any = predictor_from_json(json.dumps(whole))
    found = audit_boosted(model, rt.read(str(PIMA)), {})
    return [(one.tree, one.number, one.verdict) for one in found.wrong if one.cause is None]


@pytest.mark.slow
def test_the_rows_of_a_database_are_taken_into_memory() -> None:
    model, table = predictor_from_json(json.dumps(document("xgboost/pima.json"))), rt.read(str(PIMA))
    found: Any = rt.audit(model, stored(table), progress=None)
    assert found.findings == audit_boosted(model, table).findings  # type: ignore[arg-type]
    assert found.is_right


@pytest.mark.slow
@pytest.mark.parametrize("path", ["xgboost/pima.json", "lightgbm/pima.txt"])
def test_each_number_that_a_model_states_is_checked(path: str) -> None:
    assert causes(document(path)) == []
    for name, node in (("h", 2), ("gain", 1), ("weight", 1), ("value", 1)):
        whole = document(path)
        numbers = whole["learner"]["options"]["stated"][1]
        if name in numbers:
            numbers[name][node] = repr(float(numbers[name][node]) * 1.01)
            assert causes(whole) == [(1, node, "wrong-counts")]


@pytest.mark.slow
def test_a_wrong_statement_has_the_name_that_its_program_gives_it() -> None:
    whole = document("xgboost/pima.json")
    numbers = whole["learner"]["options"]["stated"][1]
    for name, called in (("h", "sum_hessian"), ("weight", "base_weight"), ("gain", "loss_change")):
        numbers[name][1] = repr(float(numbers[name][1]) * 1.01)
        model: Any = predictor_from_json(json.dumps(whole))
        (wrong,) = audit_boosted(model, rt.read(str(PIMA)), {}).wrong
        assert f"its {called} is " in " ".join(fault.message for fault in wrong.faults)


@pytest.mark.slow
def test_a_threshold_of_another_attribute_is_found_by_what_the_branches_state() -> None:
    whole = document("xgboost/pima.json")
    node = whole["trees"][1]["nodes"][0]
    others = [one["name"] for one in whole["attributes"] if one["name"] != node["test"]["attribute"]]
    node["test"]["attribute"] = others[0]
    assert causes(whole) == [(1, 0, "wrong-threshold")]


@of_every(["words", [{}], {"h": 1}])
def test_statements_of_another_form_are_refused(stated: Any) -> None:
    whole = document("xgboost/pima.json")
    whole["learner"]["options"]["stated"] = stated
    with pytest.raises(rt.InputError, match="what its program stated of the nodes is not a list"):
        causes(whole)


@of_every(["3.3.5", "4.5.0", "4.7.0"])
def test_a_right_model_of_an_older_lightgbm_is_not_blamed(release: str) -> None:
    """Before 4 the difference is weighed before it is rounded; before 4.6 a root states 0 for its value and weight."""
    folder = HERE / "auditing" / "recorded" / "lightgbm-releases"
    (whole,) = read_foreign((folder / f"{release}.txt").read_text(encoding="utf-8"), target="y")
    model: Any = predictor_from_json(json.dumps(whole))
    found = audit_boosted(model, rt.read(str(folder / "table.csv"), target="y", weights="w"), {})
    assert found.wrong == []


def test_a_weight_of_0_below_the_root_is_wrong() -> None:
    folder = HERE / "auditing" / "recorded" / "lightgbm-releases"
    text = (folder / "3.3.5.txt").read_text(encoding="utf-8")
    (head, below), *_ = re.findall(r"^(internal_weight=0 )(\S+)", text, re.MULTILINE)
    (whole,) = read_foreign(text.replace(head + below, f"{head}0", 1), target="y")
    model: Any = predictor_from_json(json.dumps(whole))
    (wrong,) = audit_boosted(model, rt.read(str(folder / "table.csv"), target="y", weights="w"), {}).wrong
    assert (wrong.tree, wrong.number > 0, wrong.verdict) == (0, True, "wrong-counts")
