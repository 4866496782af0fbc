"""Planted faults in trees, forests and AdaBoost of scikit-learn: each is named at its node, and nothing else is."""

from __future__ import annotations

import pytest

from tests.peers import sklearn_faults
from tests.peers.boosted_faults import Case
from tests.peers.sklearn_faults import CASES


@pytest.mark.one_in(2)
@pytest.mark.oracles
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.program} {case.task} {case.options}")
def test_a_planted_fault_is_named_and_nothing_else(case: Case) -> None:
    pytest.importorskip("sklearn")
    model = sklearn_faults.trained(case, 0)
    assert model.wrong(model.document)[1] == []
    for kind, one in sklearn_faults.faults(model, 0):
        assert (kind, model.wrong(one.document)[1]) == (kind, [(one.tree, one.node)])


@pytest.mark.oracles
def test_the_rows_that_a_faulty_tree_of_adaboost_got_wrong_are_those_of_its_branches() -> None:
    """Ties of doubles decide the tree that was grown, so the tree that the learner grows is another one."""
    pytest.importorskip("sklearn")
    (case,) = (case for case in CASES if (case.program, case.task) == (sklearn_faults.BOOST, "two"))
    model = sklearn_faults.trained(case, 5)
    for kind, one in sklearn_faults.faults(model, 5):
        assert (kind, model.wrong(one.document)[1]) == (kind, [(one.tree, one.node)])
