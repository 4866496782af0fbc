"""scikit-learn as it trains: what an audit of its trees has to know."""

from __future__ import annotations

from reference_tree.programs.practice import BOUNDS, PAIRS, Practice
from reference_tree.programs.scikit_learn.faults import known_faults
from reference_tree.programs.scikit_learn.known_or_missing import with_known_or_missing
from reference_tree.programs.scikit_learn.training import bounded

SCIKIT_LEARN = Practice(
    "scikit-learn",
    "cart",
    "scikit-learn",
    order=(
        *((one,) for one in BOUNDS),
        ("class_weight",),
        ("criterion",),
        *PAIRS,
        *((word, one) for word in ("class_weight", "criterion") for one in BOUNDS),
        ("class_weight", "criterion"),
        ("max_depth", "min_samples_leaf", "min_samples_split"),
    ),
    criteria_of_numbers=("absolute_error",),
    weighs_classes=True,
    price="ccp_alpha",
    tells_impurity=True,
    bounded=bounded,
    widened=with_known_or_missing,
    faults=known_faults,
)
