"""Answers to goldens: as they are kept, and as a program in doubles would write them."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

from reference_tree.checking.kinds import mistakes_of
from reference_tree.checking.mistakes import Mistake
from reference_tree.conformance.cases import cases

GOLDENS = Path(__file__).parents[1] / "goldens"

_WEIGHTS = {
    "total", "rows", "unknown", "counts", "n", "mean", "sse", "median", "sad", "g", "h", "value", "share", "agreement",
    "threshold", "interval", "le", "gt", "lt", "ge", "distribution", "validation", "wrong_before", "wrong_after",
    "weight", "weights", "start", "residuals", "left",
}  # fmt: skip
"""The members that hold exact numbers as texts."""


def kept(name: str) -> dict[str, Any]:
    """A golden as it is kept."""
    found: dict[str, Any] = json.loads((GOLDENS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def answer_to(name: str) -> Any:
    """What is expected in a golden, to be changed at will."""
    return deepcopy(kept(name)["expected"])


def judged(name: str, answer: Any) -> list[Mistake]:
    """What is wrong in an answer, as it comes from a file."""
    return list(mistakes_of(cases()[name], json.loads(json.dumps(answer))))


def in_doubles(golden: dict[str, Any]) -> Any:
    """What is expected in a golden with every number rounded to a double."""
    columns = golden.get("data", {"columns": ()})["columns"]
    target: dict[str, Any] = next((column for column in columns if column["name"] == golden["data"]["target"]), {})
    numbers = _WEIGHTS | ({"label", "answers"} if target.get("kind") == "continuous" else set())
    return _rounded(golden["expected"], "", numbers)


def _rounded(value: Any, name: str, numbers: set[str]) -> Any:
    if isinstance(value, dict):
        if "exact" in value and "double" in value:
            return float.fromhex(value["double"])
        is_by_class = name in ("counts", "distribution")
        return {key: _rounded(part, name if is_by_class else key, numbers) for key, part in value.items()}
    if isinstance(value, list):
        return [_rounded(part, name, numbers) for part in value]
    return float(Fraction(value)) if isinstance(value, str) and name in numbers else value
