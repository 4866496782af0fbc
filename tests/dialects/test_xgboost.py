"""XGBoost's dialect: what it says of a cut, and of a gain that is nearly nothing; `tests.programs` has the program."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from reference_tree.data.table import Table
from reference_tree.ensembles.derivatives import given
from reference_tree.learners.gradient_tree import GradientTree


def test_a_cut_is_asked_with_less_than() -> None:
    data = given(Table.from_columns({"x": [1, 2, None], "g": [5, -5, 5], "h": [1, 1, 1], "y": [0] * 3}), "g", "h")
    test = GradientTree.like("xgboost").grow(data).nodes[0].test
    assert test is not None
    assert (test.name, test.branch({"x": Fraction(3, 2)})) == ("x<1.5", 1)


@pytest.mark.parametrize(("gain", "splits"), [(Fraction(1, 10**6), False), (Fraction(2, 10**6), True)])
def test_a_gain_has_to_be_more_than_a_millionth(gain: Fraction, splits: bool) -> None:
    # Two rows of g = ±1 and h = 1/gain gain 2·gain, without a penalty.
    columns: dict[str, Any] = {"x": [1, 2], "g": [1, -1], "h": [2 / gain] * 2, "y": [0, 0]}
    tree = GradientTree.like("xgboost", reg_lambda=0).grow(given(Table.from_columns(columns), "g", "h"))
    assert (len(tree.nodes) == 3) == splits
