"""Reduced-error pruning by Weka: trees of J48 and REPTree before and after, with the same rows held out.

Both programs draw the rows that they hold out. `GrowTrees.java` names them instead, and calls the two functions by
which the program grows and prunes: of J48 `PruneableClassifierTree.buildTree` and `prune`, as under `-R`; of REPTree
`buildClassifier` without pruning, then `insertHoldOutSet` and `reducedErrorPrune` of its tree.

`python -m tests.foreign.reduced_errors` runs Weka and writes every tree anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reference_tree.data.readers import read
from reference_tree.selection.holdout import Split, divided
from tests.foreign import weka
from tests.foreign.data_sets import RECORDED, Cells, DataSet, data_set

DATA = (
    "iris", "wine", "breast-cancer-wisconsin", "glass", "pima", "vote", "labor", "soybean", "credit-g",
)  # fmt: skip
PROGRAMS = {"J48": "SimpleCart's sign aside, J48", "REPTree": "SimpleCart"}


@dataclass(frozen=True)
class Pruning:
    """A tree of Weka that is pruned by rows it was not grown from: row i, from 0, where i mod `folds` is `held_out`."""

    program: str
    data: str
    folds: int = 3
    held_out: int = 2

    @property
    def name(self) -> str:
        """As a test calls it."""
        return f"{self.program}/{self.data}"
