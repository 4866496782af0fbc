"""The exercises of Learn: what is drawn, what is right, and the classic mistakes, each a function of what was drawn.

An exercise is one record. Its words stand in `exercises.json` under the same name, its mistakes in words under theirs.
The page, the sheet for print and its solution come from it (`exercise`); the script draws none and knows no formula:
it compares what a reader typed with the exact values of these functions.
"""

from __future__ import annotations

from collections.abc import Mapping

from docs.tools.played.exercises.ensembles import ADABOOST, FOLDS, HOLDOUT, ORDERS, OUT_OF_BAG, RESIDUALS, STEP, VOTES
from docs.tools.played.exercises.judging import LINEAR, RIGHT, SIDE_BY_SIDE, SIX, STOPPING
from docs.tools.played.exercises.measures import CONDITIONAL, ENTROPY, GAIN, GINI, RATIO, VARIANCE
from docs.tools.played.exercises.pruning import COST, ESTIMATE, LINK, VALIDATION
from docs.tools.played.exercises.questions import C45, CART, CUT, MISSING, READING
from docs.tools.played.exercises.record import Exercise

EXERCISES: Mapping[str, Exercise] = {
    "reading": READING,
    "entropy": ENTROPY,
    "conditional": CONDITIONAL,
    "gain": GAIN,
    "ratio": RATIO,
    "c45": C45,
    "gini": GINI,
    "cart": CART,
    "variance": VARIANCE,
    "cut": CUT,
    "missing": MISSING,
    "validation": VALIDATION,
    "cost": COST,
    "link": LINK,
    "estimate": ESTIMATE,
    "out_of_bag": OUT_OF_BAG,
    "votes": VOTES,
    "adaboost": ADABOOST,
    "residuals": RESIDUALS,
    "step": STEP,
    "orders": ORDERS,
    "holdout": HOLDOUT,
    "folds": FOLDS,
    "stopping": STOPPING,
    "side_by_side": SIDE_BY_SIDE,
    "linear": LINEAR,
    "six": SIX,
    "right": RIGHT,
}
"""Each kind of exercise by its name."""
