"""`prune`: what the methods say when they are asked themselves, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.pruning.choosing_alpha import choose
from reference_tree.pruning.cost_complexity import cost_complexity
from reference_tree.pruning.cost_function import cost_function
from reference_tree.pruning.error_based import ErrorBased, error_based
from reference_tree.pruning.prune import chosen_alpha
from reference_tree.pruning.reduced_error import best_first, bottom_up
from tests.every import of_every

IRIS = rt.textbook("iris")
TRAINING, VALIDATION = rt.holdout(IRIS, 1)
FULL = rt.CART().grow(TRAINING)


@of_every(
    [
        ("cost-function", {"alpha": 5}, lambda: cost_function(FULL, 5).tree),
        ("cost-complexity", {"alpha": 0.25}, lambda: cost_complexity(FULL, Fraction(1, 4))),
        ("reduced-error", {"validation": VALIDATION}, lambda: bottom_up(FULL, VALIDATION).pruned),
        (
            "reduced-error",
            {"validation": VALIDATION, "order": "best-first", "ties": "keep"},
            lambda: best_first(FULL, VALIDATION, "keep").pruned,
        ),
        ("error-based", {"data": TRAINING}, lambda: error_based(FULL, TRAINING).tree),
        (
            "error-based",
            {"confidence": 0.125, "limit": "table", "raising": False},
            lambda: error_based(FULL, None, ErrorBased.like("c45-r8", confidence=Fraction(1, 8), raising=False)).tree,
        ),
    ]
)
def test_a_method_prunes_as_it_does_itself(method: Any, options: dict[str, Any], expected: Any) -> None:
    assert rt.prune(FULL, method, **options).nodes == expected().nodes


def test_the_price_is_chosen_by_folds() -> None:
    grown = rt.CART().grow(IRIS)
    choice = choose(rt.CART().grow, IRIS, rt.folds(IRIS, 7, 2), standard_errors=0)
    found = rt.prune(grown, "cost-complexity", IRIS, folds=7, seed=2, standard_errors=0)
    assert found.nodes == choice.tree.nodes
    (record,) = found.grower.options["pruning"]
    assert (record["folds"], record["seed"], record["standard_errors"]) == (7, 2, "0")


def test_of_folds_alone_the_seed_is_0_and_one_standard_error_is_allowed() -> None:
    grown, calls = rt.CART().grow(IRIS), list[tuple[int, int]]()
    choice = chosen_alpha(grown, IRIS, {"folds": 3}, lambda number, all_of_them: calls.append((number, all_of_them)))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)], "the tree of all rows, and one for each fold"
    assert choice.estimates == choose(rt.CART().grow, IRIS, rt.folds(IRIS, 3, 0)).estimates
    assert choice.standard_errors == 1
    (record,) = rt.prune(grown, "cost-complexity", IRIS, folds=3).grower.options["pruning"]
    assert (record["folds"], record["seed"], record["standard_errors"]) == (3, 0, "1")


def test_a_pruned_tree_is_explained() -> None:
    pruned = rt.prune(FULL, "reduced-error", validation=VALIDATION)
    assert "Pruned by" in rt.explain(pruned, TRAINING, validation=VALIDATION)


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("cost-funtion", {}, r"no pruning method 'cost-funtion' \(did you mean cost-function\?\)"),
        ("cost-function", {}, r"needs the price of a leaf in bits: alpha=\.\.\.$"),
        ("cost-function", {"alpha": "4"}, "alpha: '4' is not a number"),
        ("cost-function", {"alpha": float("nan")}, "alpha: nan is not a finite number"),
        ("cost-function", {"alpha": 4, "confidence": 1}, "^confidence is an option of error-based, not of"),
        ("reduced-error", {}, "needs rows that the tree was not grown from: validation="),
        ("reduced-error", {"validation": VALIDATION, "order": "top-down"}, "order: there is no 'top-down'"),
        ("cost-complexity", {}, r"needs alpha=\.\.\., or folds=\.\.\. to choose it$"),
        ("cost-complexity", {"alpha": 1, "folds": 3}, "alpha says which tree to take, and folds looks at all"),
        ("cost-complexity", {"alpha": 1, "seed": 3}, "seed is for choosing α by cross-validation; say folds="),
        ("cost-complexity", {"folds": 3}, "needs the rows that the tree was grown from; give them as data="),
        ("cost-complexity", {"folds": 3, "data": IRIS}, "another one comes of these rows"),
        ("cost-complexity", {"alpha": 1, "profile": "rprt"}, "rpart"),
        ("error-based", {}, "give them as data="),
        ("error-based", {"data": TRAINING, "limit": "norm"}, "did you mean normal"),
        ("error-based", {"data": TRAINING, "confidence": 2}, "the confidence lies between 0 and 1"),
    ],
)
def test_what_is_refused(method: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(rt.InputError, match=message):
        rt.prune(FULL, method, **options)


def test_the_tree_is_not_changed() -> None:
    before = FULL.nodes
    rt.prune(FULL, "cost-function", alpha=100)
    assert FULL.nodes is before
