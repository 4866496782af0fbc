"""XGBoost and LightGBM: their trees, audited by the derivatives that they had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Boosted:
    """What was found in a boosted model.

    Args:
        name: of the model, with its table and objective.
        version: of the program.
        trees: how many.
        splits: how many nodes ask.
        verdicts: how many of them are proved optimal, are within rounding, are proved suboptimal; and leaves that are
            wrong.
        first: the first finding, in a sentence; nothing where there is none.
    """

    name: str
    version: str
    trees: int
    splits: int
    verdicts: Sequence[int]
    first: str = ""


def models() -> tuple[list[Boosted], dict[str, str]]:
    """What was found, and what did not run and why."""
    return [], {}
