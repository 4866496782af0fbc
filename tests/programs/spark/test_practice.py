"""Every hypothesis of the record is one that there is."""

from __future__ import annotations

from reference_tree.auditing.hypotheses import HYPOTHESES
from reference_tree.programs.spark.practice import SPARK


def test_every_hypothesis_of_its_order_is_known() -> None:
    names = {one for together in SPARK.order for one in together}
    assert "max_depth" in names
    assert names <= HYPOTHESES.keys()
