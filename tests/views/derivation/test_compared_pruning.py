"""Comparisons worked out: what is printed are the figures that decided."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.pruning.comparing import ComparedPruning
from reference_tree.pruning.method import methods
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import Equations, Sentence
from reference_tree.views.derivation.prunings import comparison_legend, comparison_table, comparisons
from tests.every import of_every
from tests.pruning.prunings import small_trees
from tests.views.pruned import COMPARING, FULL


def performed(tree: Tree, record: dict[str, Any]) -> ComparedPruning:
    options = {name: value for name, value in record.items() if name != "method"}
    found = methods()[record["method"]].perform(tree, options, None, None)
    assert isinstance(found, ComparedPruning)
    return found


@given(small_trees(most=100), st.sampled_from(COMPARING))
def test_the_worked_figures_are_those_that_decided(tree: Tree, record: dict[str, Any]) -> None:
    found = performed(tree, record)
    worked = list(comparisons(tree, found))
    assert len(worked) == len(found.decisions)
    for one, decided in zip(found.decisions, worked, strict=True):
        (equations,) = (block for block in decided.blocks if isinstance(block, Equations))
        values = {line.symbol.text: line.worked.value for line in equations.lines}
        comparison = found.comparison
        assert values[comparison.leaf.symbol] == one.leaf
        allowed = 0 if comparison.allowed is None else values[comparison.allowed.symbol]
        assert values[comparison.below.symbol] + allowed == one.subtree


@of_every(COMPARING)
def test_every_figure_has_a_meaning_and_every_decision_a_line(record: dict[str, Any]) -> None:
    found = performed(FULL, record)
    symbols = {symbol.text.partition(" = ")[0] for symbol, _ in comparison_legend(found).lines}
    assert found.comparison.leaf.symbol in symbols
    assert len(comparison_table(FULL, found).rows) == len(found.decisions)


def test_the_verdict_of_a_tie() -> None:
    """A question that just reaches the critical value stays."""
    tree = rt.CART().grow(rt.textbook("iris"))
    found = performed(tree, {"method": "critical-value", "critical_value": "4/9", "measure": "gini_decrease"})
    verdicts = [block.text for one in comparisons(tree, found) for block in one.blocks if isinstance(block, Sentence)]
    assert "4/9 = 4/9" in verdicts[1] or "0.444444 = 0.444444" in verdicts[1]
    assert verdicts[1].endswith("c ≤ max g(T_t), so the subtree stays.")
    assert found.decisions[1].leaf == found.decisions[1].subtree == Fraction(4, 9)
