"""No running text cites a source document: its reader does not have it. Its key stands in a line of `Source:`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
ABOUT_THEM = {"errata.md", "traceability.md", "bibliography.md"}
PAGES = {
    path.relative_to(DOCS).as_posix(): path
    for path in sorted(DOCS.rglob("*.md"))
    if "tools" not in path.relative_to(DOCS).parts
}
TO_COME = {
    "ensembles/adaboost.md",
    "ensembles/bagging.md",
    "ensembles/ensemble.md",
    "ensembles/gradient_boosting.md",
    "ensembles/random_forest.md",
    "learners/c45.md",
    "learners/cart.md",
    "learners/stopping.md",
    "measures/conditional_entropy.md",
    "measures/entropy.md",
    "measures/gain_ratio.md",
    "measures/gini_index.md",
    "measures/information_gain.md",
    "measures/variance.md",
    "pruning/cost_function.md",
    "pruning/error_based.md",
    "pruning/pre_pruning.md",
    "pruning/reduced_error.md",
    "selection/cross_validation.md",
    "selection/holdout.md",
    "selection/overfitting.md",
    "splitting/continuous_bisection.md",
    "splitting/missing_values.md",
    "splitting/multivariate_nodes.md",
}
"""Pages that still cite them."""


@pytest.mark.parametrize("page", sorted(PAGES.keys() - ABOUT_THEM))
def test_running_text_cites_what_a_reader_can_have(page: str) -> None:
    lines = PAGES[page].read_text(encoding="utf-8").splitlines()
    cited = [line for line in lines if re.search(r"\bN[0-4]\b", line) and not line.startswith("Source:")]
    assert not cited or page in TO_COME
