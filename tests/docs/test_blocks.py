"""Every block of code of the pages prints what is on record, and each that a reader sees runs alone, as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.tools.blocks import DOCS, PAGES, Block, blocks, prints, run
from tests.docs.record import RECORD, record_of

LEANING = {
    "ensembles/adaboost.md": 7,
    "ensembles/bagging.md": 2,
    "ensembles/boosting_tree.md": 4,
    "ensembles/gradient_boosting.md": 3,
    "ensembles/random_forest.md": 1,
    "learners/c45.md": 4,
    "learners/cart.md": 6,
    "learners/stopping.md": 2,
    "measures/conditional_entropy.md": 4,
    "measures/gain_ratio.md": 5,
    "measures/gini_index.md": 4,
    "measures/information_gain.md": 2,
    "measures/permuted_labels.md": 2,
    "measures/variance.md": 3,
    "pruning/choosing_alpha.md": 1,
    "pruning/cost_complexity.md": 1,
    "pruning/error_based.md": 1,
    "pruning/pre_pruning.md": 2,
    "pruning/reduced_error.md": 2,
    "pruning/side_by_side.md": 2,
    "selection/cross_validation.md": 2,
    "selection/holdout.md": 1,
    "selection/overfitting.md": 2,
    "selection/tables_and_pictures.md": 4,
    "splitting/candidate.md": 2,
    "splitting/continuous_bisection.md": 4,
    "splitting/missing_values.md": 2,
    "splitting/multiway.md": 3,
    "splitting/one_hot_encoding.md": 1,
    "splitting/ordered_subsets.md": 1,
    "splitting/surrogates.md": 1,
}
"""How many shown blocks of a page still take names from the blocks above them: the aim is an empty table."""

SLOW = {
    "learners/c45.md",
    "learners/optimal.md",
    "selection/tables_and_pictures.md",
    "splitting/multivariate_nodes.md",
    "zh/splitting/multivariate_nodes.md",
}
"""The pages that compute for more than two seconds."""


def _name(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


def _with_time(page: Path) -> object:
    return pytest.param(page, id=_name(page), marks=[pytest.mark.slow] if _name(page) in SLOW else [])


@pytest.mark.parametrize("page", [_with_time(page) for page in PAGES])
def test_a_page_prints_what_is_on_record(page: Path) -> None:
    record = record_of(page)
    assert record.exists(), "write it with: python -m tests.docs.record"
    assert prints(page) == record.read_text(encoding="utf-8"), "read the difference; then: python -m tests.docs.record"


def test_nothing_else_is_on_record() -> None:
    assert set(RECORD.rglob("*.txt")) == set(map(record_of, PAGES))


def _alone(block: Block) -> bool:
    try:
        run(block, {"__name__": "__main__"})
    except NameError:
        return False
    return True


@pytest.mark.parametrize("page", [page for page in PAGES if any(block.shown for block in blocks(page))], ids=_name)
def test_what_is_shown_runs_alone(page: Path) -> None:
    astray = [block.name for block in blocks(page) if block.shown and not _alone(block)]
    assert len(astray) <= LEANING.get(_name(page), 0), f"these lean on the blocks above them: {astray}"
