"""scikit-learn's trees, audited: every node is optimal, and a fault planted by hand is named, it and no other node."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from random import Random

import pytest

import reference_tree as rt
from reference_tree.auditing import audit
from reference_tree.tree import Program
from reference_tree.tree_document import from_json
from tests.auditing.planted import KINDS, TABLES, fitted
from tests.programs.conforming import table_of
from tests.programs.recordings import RECORDINGS, Recording

needs_scikit_learn = pytest.mark.skipif(importlib.util.find_spec("sklearn") is None, reason="there is no scikit-learn")
CRITERIA = {"gini": "gini", "entropy": "entropy", "squared-error": "squared_error"}
RECORDED = [recording for recording in RECORDINGS if recording.program == "scikit-learn"]


@pytest.mark.parametrize("recording", RECORDED, ids=lambda recording: recording.name)
def test_recorded_trees_are_right(recording: Recording) -> None:
    tree = replace(from_json(recording.text()), program=Program("scikit-learn", numbers="float32"))
    found = audit(tree, table_of(recording), rt.CART.like("scikit-learn", criterion=CRITERIA[recording.setting]))
    assert found.is_right, found.wrong[0]


@needs_scikit_learn
@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_every_node_is_right(name: str) -> None:
    for criterion in ("squared_error",) if name == "diabetes" else ("gini", "entropy"):
        tree = fitted(name, criterion)
        learner = rt.CART.like("scikit-learn", criterion=criterion)
        found = audit(from_json(json.dumps(tree.document)), tree.table, learner)
        assert found.is_right, found.wrong[0]
        assert found.counts.keys() <= {"optimal", "optimal-tied"}
        assert len(found.findings) == tree.model.tree_.node_count


@needs_scikit_learn
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [TABLES[0], *(pytest.param(name, marks=pytest.mark.slow) for name in TABLES[1:])])
def test_a_planted_fault_is_named_and_nothing_else(name: str, kind: str) -> None:
    """Thirty of each kind on each table. A threshold that moves no row is no fault, and nothing is said of it."""
    tree, chance, faults = fitted(name, "squared_error" if name == "diabetes" else "gini"), Random(7), 0
    for _ in range(30):
        planted = KINDS[kind](tree, chance)
        found = audit(from_json(json.dumps(planted.document)), tree.table, rt.CART.like("scikit-learn"), ranks=False)
        assert [finding.number for finding in found.wrong] == [planted.node] * planted.is_fault
        faults += planted.is_fault
    assert faults >= 10
