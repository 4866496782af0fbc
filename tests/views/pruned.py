"""Prunings to look at: a tree, its rows, rows held out, and a record of every kind."""

from __future__ import annotations

from typing import Any

import reference_tree as rt

TRAINING, VALIDATION = rt.textbook("watermelon-2.0-train"), rt.textbook("watermelon-2.0-validation")
NODE_2, NODE_3, NODE_5 = "/脐部=凹陷", "/脐部=稍凹", "/脐部=稍凹/根蒂=稍蜷"
NODE_6 = f"{NODE_5}/色泽=乌黑"
ZHOU = rt.ID3(ties=rt.Ties(choose={"/": "脐部"}, label={"/": "是", NODE_3: "是", NODE_6: "是"}))
FULL = ZHOU.grow(TRAINING)

COST: dict[str, Any] = {"method": "cost-function", "alpha": "7/5"}
PATH: dict[str, Any] = {"method": "cost-complexity", "profile": "cart-1984", "alpha": "1/20"}
BY_ENTROPY: dict[str, Any] = {**PATH, "risk": "entropy", "alpha": "2/15"}
BY_GINI: dict[str, Any] = {**PATH, "profile": "li-hang", "alpha": "1/15"}
RPART: dict[str, Any] = {**PATH, "profile": "rpart"}
BOTTOM_UP: dict[str, Any] = {"method": "reduced-error", "order": "bottom-up", "on_equal": "keep"}
BEST_FIRST: dict[str, Any] = {"method": "reduced-error", "order": "best-first", "on_equal": "prune"}
ERRORS: dict[str, Any] = {
    "method": "error-based", "profile": "c45-r8", "confidence": "1/4", "limit": "table", "raising": True,
}  # fmt: skip
FROM_ABOVE: dict[str, Any] = {"method": "pessimistic"}
COMPARING: list[dict[str, Any]] = [
    FROM_ABOVE,
    {"method": "minimum-error"},
    {"method": "minimum-error", "m": "5/2"},
    {"method": "critical-value", "critical_value": "1/2", "measure": "gain"},
]
RECORDS = [COST, PATH, BY_ENTROPY, BY_GINI, RPART, BOTTOM_UP, BEST_FIRST, ERRORS, *COMPARING]
