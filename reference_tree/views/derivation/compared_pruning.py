"""Comparisons worked out: the two figures of each node, with its counts inserted, and the verdict.

The methods are those of `reference_tree.pruning.comparing`. Their symbols, words and formulas are those of the record,
and the formulas that decide are evaluated on worked numbers here, so the page shows what was computed.

1. `comparison_table` has a line for each decision.
2. `comparison_legend` has the meaning of the symbols.
3. `comparisons` are the decisions, worked out.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_tree.exact.worked import work
from reference_tree.measures.measure import Quantity
from reference_tree.pruning.comparing import Compared, ComparedPruning, worked
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import (
    Decided,
    DecisionTable,
    Equation,
    Equations,
    Legend,
    PruningView,
    Sentence,
    heading,
    path_of,
    symbol,
)
from reference_tree.views.derivation.notation import one_figure
from reference_tree.views.derivation.numerals import compared, rounded
from reference_tree.views.derivation.remarks import becomes


def comparison_table(tree: Tree, found: ComparedPruning) -> DecisionTable:
    """The decisions: both figures of each node, and what became of it."""
    rows = [
        (path_of(tree, one.node), rounded(one.leaf), rounded(one.subtree), becomes(one.pruned))
        for one in found.decisions
    ]
    leaf, right = _sides(found)
    order = "above" if found.comparison.from_above else "below"
    head = ("node", symbol(leaf), symbol(right), "")
    return DecisionTable(f"The two figures of each node, from {order}", head, "lrrl", rows)


def _quantities(found: ComparedPruning) -> tuple[Quantity, Quantity, Quantity | None]:
    return found.comparison.leaf, found.comparison.below, found.comparison.allowed


def _sides(found: ComparedPruning) -> tuple[str, str]:
    """Both sides of the comparison, in symbols."""
    leaf, below, allowed = _quantities(found)
    return leaf.symbol, below.symbol if allowed is None else f"{below.symbol} + {allowed.symbol}"


def comparison_legend(found: ComparedPruning) -> Legend:
    """The meaning of the symbols."""
    quantities = (*found.comparison.steps, *_quantities(found))
    return Legend(tuple((symbol(one.definition), one.meaning) for one in quantities if one is not None))


def comparisons(tree: Tree, found: ComparedPruning) -> Iterator[Decided]:
    """The decisions, worked out."""
    comparison = found.comparison
    leaf, below, allowed = _quantities(found)
    for one in found.decisions:
        here = worked(one.here)
        lines = [Equation(symbol(step.symbol), work(step.of(here)), step.unit) for step in comparison.steps]
        as_leaf, value = work(leaf.of(here)), work(below.of(here))
        lines.append(Equation(symbol(leaf.symbol), as_leaf, leaf.unit))
        is_above = any(value.value == line.worked.value for line in lines[:-1])  # then it is one figure here
        lines.append(Equation(symbol(below.symbol), one_figure(value.value) if is_above else value, below.unit))
        if allowed is not None:
            lines.append(Equation(symbol(allowed.symbol), work(allowed.of(here, one_figure(value))), allowed.unit))
        yield Decided(
            frozenset({one.node}), (heading(tree, one.node), Equations(tuple(lines)), Sentence(_verdict(one, found)))
        )


def _verdict(one: Compared, found: ComparedPruning) -> str:
    """The comparison that decides, and what follows."""
    leaf, right = _sides(found)
    sign = ">" if one.pruned == found.comparison.is_reached else "≤"
    fate = found.comparison.words[not one.pruned]
    return f"{compared(one.leaf, one.subtree, rounded)}: {leaf} {sign} {right}, so {fate}."


VIEW = PruningView(
    ComparedPruning,
    lambda act, found: [comparison_table(act.before, found)],
    lambda act, found: [comparison_legend(found)],
    lambda act, found: comparisons(act.before, found),
)
