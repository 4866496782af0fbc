"""Blocks: the words that both ways of writing share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from reference_tree.views.blocks import Symbol, amount, counted, counts_of


def test_a_symbol_takes_any_name() -> None:
    symbol = Symbol("H(D|A)", r"H(D \mid A)").of("A\nB_1")
    assert symbol == (r"H(D|A\nB_1)", r"H(D \mid \text{A\textbackslash{}nB\_1})")


@pytest.mark.parametrize(
    ("weight", "weighted", "expected"),
    [
        (0, False, "0 rows"),
        (1, False, "1 row"),
        (14, False, "14 rows"),
        (1, True, "a weight of 1"),
        (Fraction(5, 2), True, "a weight of 2.5"),
        (Fraction(1, 3), True, "a weight of 1/3"),
    ],
)
def test_amounts(weight: Any, weighted: bool, expected: str) -> None:
    assert amount(weight, weighted=weighted) == expected


def test_counts() -> None:
    assert counted(("好", "a\tb", "c"), (0, Fraction(1, 2), 3)) == r"好 0, a\tb 0.5, c 3"
    assert counts_of(("a", "b"), (0, 0), all_of_them=False) == []
