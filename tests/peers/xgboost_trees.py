"""XGBoost's trees: what it grows with `tree_method="exact"`, read from its JSON.

It keeps values, thresholds, derivatives, gains and leaves in float32, and asks `<`. Its JSON writes a float32 in as few
digits as tell it from its neighbours, so that a number read there is to be rounded to float32 again.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

DEFAULTS = {"tree_method": "exact", "nthread": 1, "base_score": 0.5}


class Node(NamedTuple):
    """A node of XGBoost's: a leaf has no feature."""

    feature: int | None
    number: float
    """The threshold, or what the leaf adds."""
    default: int
    """The branch of rows without a value."""
    gain: float
    h: float
    below: tuple[int, int]


def absent() -> str | None:
    """What is not installed, if anything is not."""
    return None if importlib.util.find_spec("xgboost") else "there is no XGBoost: pip install xgboost"


def train(X: Any, y: Any, rounds: int, **options: Any) -> Any:
    """Its booster."""
    xgboost = importlib.import_module("xgboost")
    return xgboost.train({**DEFAULTS, **options}, xgboost.DMatrix(X, y), rounds)


def trees(booster: Any) -> list[list[Node]]:
    """Its trees; node 0 is the root."""
    model = json.loads(bytes(booster.save_raw("json")))["learner"]["gradient_booster"]["model"]
    return [
        list(map(_node, range(len(tree["left_children"])), [tree] * len(tree["left_children"])))
        for tree in model["trees"]
    ]


def _node(number: int, tree: dict[str, Sequence[Any]]) -> Node:
    left, right = tree["left_children"][number], tree["right_children"][number]
    return Node(
        None if left == -1 else tree["split_indices"][number],
        single(tree["split_conditions"][number]),
        0 if tree["default_left"][number] else 1,
        tree["loss_changes"][number],
        tree["sum_hessian"][number],
        (left, right),
    )


def single(number: float) -> float:
    """The nearest float32."""
    numpy = importlib.import_module("numpy")
    return float(numpy.float32(number))


def exact(number: Any) -> Fraction | None:
    """The exact value of a float32; none of NaN."""
    return None if number != number else Fraction(float(number))
