"""What the programs mean by risk, size and unit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.exact.log_sums import log
from reference_tree.node import Node
from reference_tree.pruning.risks import (
    PROFILES,
    convention,
    entropy_impurity,
    gini_impurity,
    leaves_with_rows,
    misclassification,
    per_root_risk,
    per_row,
    questions,
)
from tests.strategies import counts


@given(counts())
def test_misclassification_is_what_the_best_constant_answer_gets_wrong(row: list[int]) -> None:
    rows = [label for label, n in enumerate(row) for _ in range(n)]
    errors = min(sum(1 for label in rows if label != answer) for answer in range(len(row)))
    assert misclassification(Node(tuple(row), "a")) == errors


@given(counts())
def test_gini_impurity_counts_pairs_that_disagree(row: list[int]) -> None:
    rows = [label for label, n in enumerate(row) for _ in range(n)]
    disagreeing = sum(1 for one in rows for other in rows if one != other)
    assert gini_impurity(Node(tuple(row), "a")) == Fraction(disagreeing, len(rows))


def test_entropy_impurity() -> None:
    assert entropy_impurity(Node((1, 3), "a")) == 4 * log(4) - 3 * log(3)
    assert entropy_impurity(Node((0, 0), "a")) == gini_impurity(Node((0, 0), "a")) == 0


def test_of_numbers_the_risk_is_the_squared_error() -> None:
    node = Node((3, 9, 41), 3)  # 1, 2 and 6
    assert misclassification(node) == gini_impurity(node) == entropy_impurity(node) == 4 + 1 + 9


def test_sizes_and_units() -> None:
    full, empty = Node((1, 3), "a"), Node((0, 0), "a")
    assert [leaves_with_rows(node, True) for node in (full, empty)] == [1, 0]
    assert leaves_with_rows(full, False) == 0
    assert [questions(full, is_leaf) for is_leaf in (True, False)] == [0, 1]
    assert per_row(full, misclassification) == 4
    assert per_root_risk(full, misclassification) == 1
    assert per_root_risk(Node((0, 3), "a"), misclassification) == 1  # a pure root: nothing to be relative to


def test_scikit_learns_risk_is_that_of_growing() -> None:
    tree = rt.ID3().grow(rt.textbook("loan"))
    with pytest.raises(
        InputError, match="the tree does not say which that was; name one of misclassification, gini, entropy"
    ):
        convention(tree, "scikit-learn")
    by_gini = replace(tree, grower=replace(tree.grower, options={"criterion": "gini"}))
    assert convention(by_gini, "scikit-learn").risk is gini_impurity
    assert convention(rt.CART.like("scikit-learn").grow(rt.textbook("iris")), "scikit-learn").risk is gini_impurity
    assert convention(tree, "scikit-learn", "entropy").risk is entropy_impurity


def test_unknown_names_are_refused() -> None:
    tree = rt.ID3().grow(rt.textbook("loan"))
    with pytest.raises(InputError, match=f"there are {', '.join(PROFILES)}"):
        convention(tree, "sklearn")
    with pytest.raises(InputError, match="there is no risk 'error'; there are misclassification, gini, entropy"):
        convention(tree, "rpart", "error")
    empty = replace(tree, nodes=(Node((0, 0), "a", stop="unknown"),))
    with pytest.raises(InputError, match="records no counts"):
        convention(empty, "rpart")
