"""Pre-pruning in plain doubles: a split is made if rows that were held out speak for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.conformance.plain_doubles.growing import Learner
from tests.conformance.plain_doubles.planting import planted
from tests.conformance.plain_doubles.rows import Data, Node, Weighted, divide, path


class PrePruned(Learner):
    """A learner that asks validation rows before each split by categories.

    Args:
        name: as for `Learner`.
        options: as for `Learner`.
        data: as for `Learner`.
        held: the rows to ask.
        on_equal: whether a split that changes nothing is made (`split`) or not (`stop`).
    """

    def __init__(self, name: str, options: Mapping[str, Any], data: Data, held: Data, on_equal: str) -> None:
        super().__init__(name, options, data)
        self.held, self.on_equal = {"/": held.rows}, on_equal
        self.decisions: list[dict[str, Any]] = []
        self.weight_held = sum(w for _, w in held.rows)
        self.overall = -1.0
        """What the whole tree gets wrong so far."""

    def wrong(self, rows: list[Weighted], label: str) -> float:
        """What a leaf with this label gets wrong."""
        return sum(w for row, w in rows if row[self.data.target] != label)

    def branch_out(self, node: Node, rows: list[Weighted], left: list[str], named: str) -> None:
        """Ask the validation rows first."""
        assert node.asks is not None
        asks, held = node.asks, self.held[named]
        below = [path(named, outcome, asks.test["attribute"]) for outcome in asks.outcomes]
        parts = divide(asks, held, node)
        self.held |= dict(zip(below, parts, strict=True))
        before, after = self.wrong(held, node.label), 0.0
        for where, part, rows_of in zip(below, parts, divide(asks, rows, node), strict=True):
            label = self.label(self.count(rows_of), node)[0]
            after += self.wrong(part, self.overrides.get(where, {}).get("label", label))
        self.overall = before if self.overall < 0 else self.overall
        accuracy = [1 - wrong / self.weight_held for wrong in (self.overall, self.overall - before + after)]
        equal = "split" if planted("equal-errors-split") else self.on_equal
        is_split = after < before or (after == before and equal == "split")
        self.decisions.append(
            {
                "at": node.at,
                "wrong_before": before,
                "wrong_after": after,
                "accuracy_before": accuracy[0],
                "accuracy_after": accuracy[1],
                "validation": sum(w for _, w in held),
                "test": asks.test,
                "stop": None if is_split else "pre-pruned",
            }
        )
        if is_split:
            self.overall += after - before
            super().branch_out(node, rows, left, named)
        else:
            node.asks, node.stop = None, "pre-pruned"
