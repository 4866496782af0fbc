"""Planted faults in trees, forests and AdaBoost of scikit-learn: each is named at its node, and nothing else is."""

from __future__ import annotations

import pytest

from tests.programs import sklearn_faults
from tests.programs.boosted_faults import Case
from tests.programs.sklearn_faults import CASES


@pytest.mark.oracles
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.program} {case.task} {case.options}")
def test_a_planted_fault_is_named_and_nothing_else(case: Case) -> None:
    pytest.importorskip("sklearn")
    model = sklearn_faults.trained(case, 0)
    assert model.wrong(model.document)[1] == []
    for kind, one in sklearn_faults.faults(model, 0):
        assert (kind, model.wrong(one.document)[1]) == (kind, [(one.tree, one.node)])
