"""Derivatives that are given in columns; those of a loss are checked by `test_gradient_boosting`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.ensembles.derivatives import derived, given, targets
from reference_tree.ensembles.losses import LOSSES, LossCase
from reference_tree.learners.gradient_tree import GradientTree
from tests.every import of_every


def test_rows_of_equal_target_and_margin_are_one_case() -> None:
    table = Table.from_columns({"x": [1, 2, 3, 4], "y": [5, 5, 7, 5]}, continuous=["y"])
    cases = [LossCase(y, (margin,)) for y, margin in zip(targets(table), [0, 0, 0, 1], strict=True)]
    found = derived(table, LOSSES["squared_error"], cases)
    assert len(found.schema.target.domain) == 3
    assert found.sample().total() == (4, (0 - 5) + (0 - 5) + (0 - 7) + (1 - 5), 4)


def test_derivatives_that_are_given_are_exact_and_no_attributes() -> None:
    columns: Mapping[str, list[Any]] = {
        "x": [1, 2, 3, None],
        "g": [-1, Fraction(-1, 3), 2, 2],
        "h": [1, 1, 1, 2],
        "y": [7, 7, 7, 7],
    }
    data = given(Table.from_columns(columns, target="y"), "g", "h")
    tree = GradientTree(reg_lambda=0, max_depth=1, rate=1, grid=None).grow(data)
    assert [attribute.name for attribute in data.schema.attributes] == ["x"]
    assert tree.nodes[0].counts == (4, Fraction(8, 3), 5)
    assert [node.label for node in tree.nodes[1:]] == [Fraction(2, 3), Fraction(-4, 3)]
    assert tree.nodes[0].missing.to == 1


@of_every(
    [
        ({"g": ["a", "b"], "h": [1, 1]}, "the column g holds a derivative for each row"),
        ({"g": [1, None], "h": [1, 1]}, "the column g holds a derivative for each row"),
        ({"g": [1, 2], "h": [1, -1]}, "one of them is negative"),
    ]
)
def test_derivatives_that_are_none_are_refused(columns: Mapping[str, Sequence[Any]], message: str) -> None:
    table = Table.from_columns({"x": [1, 2], **columns, "y": [1, 2]}, target="y")
    with pytest.raises(InputError, match=message):
        given(table, "g", "h")
