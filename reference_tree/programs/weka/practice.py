"""Weka as it trains: what an audit of the trees of J48 has to know; Id3 has no options, and is not grown anew."""

from __future__ import annotations

from reference_tree.programs.practice import Practice
from reference_tree.programs.weka.training import LIMIT, UNCOLLAPSED, by_reduced_errors, may_be_pruned, printed_options

J48 = Practice(
    "Weka J48",
    "c45",
    "weka-j48",
    order=(
        *(
            (*first, *rest)
            for rest in (
                ("confidence",), ("reduced-error",), ("min_samples_leaf",), ("smaller-leaves",),
                ("min_samples_leaf", "confidence"), ("smaller-leaves", "confidence"),
            )
            for first in ((), ("branching",))
        ),
        ("branching",),
    ),
    words={"min_samples_leaf": "-M", "branching": "binary splits (-B)"},
    limit=LIMIT,
    may_be_pruned=may_be_pruned,
    printed_options=printed_options,
    by_folds=by_reduced_errors,
    uncollapsed=UNCOLLAPSED,
)  # fmt: skip

WEKA_ID3 = Practice("Weka Id3", has_options=False)
