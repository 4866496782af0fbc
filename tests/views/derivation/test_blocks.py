"""Blocks: the words that both ways of writing share."""

from __future__ import annotations

from reference_tree.views.derivation.blocks import Symbol


def test_a_symbol_takes_any_name() -> None:
    symbol = Symbol("H(D|A)", r"H(D \mid A)").of("A\nB_1")
    assert symbol == (r"H(D|A\nB_1)", r"H(D \mid \text{A\textbackslash{}nB\_1})")
