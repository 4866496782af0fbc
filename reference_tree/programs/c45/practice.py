"""C4.5 release 8 as it trains: what an audit of its trees has to know."""

from __future__ import annotations

from reference_tree.programs.practice import Practice
from reference_tree.programs.weka.training import may_be_pruned

RELEASE_8 = Practice(
    "C4.5",
    "c45",
    "c45-r8",
    order=(("confidence",), ("min_samples_leaf",), ("min_samples_leaf", "confidence")),
    limit="table",
    may_be_pruned=may_be_pruned,
)
