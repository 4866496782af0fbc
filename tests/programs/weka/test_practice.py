"""Every hypothesis of the record is one that there is."""

from __future__ import annotations

from reference_tree.auditing.hypotheses import HYPOTHESES
from reference_tree.programs.weka.practice import J48


def test_every_hypothesis_of_its_order_is_known() -> None:
    names = {one for together in J48.order for one in together}
    assert "confidence" in names
    assert names <= HYPOTHESES.keys()
