"""Prunings: each decision with its reasons, in the order in which they were made.

Each method compares, at a node, the subtree with a leaf; the figures differ:

| method | the figures |
| --- | --- |
| cost function | the costs in bits, with the price of the leaves included |
| cost-complexity | g(t), the saving of the branches per leaf, round by round, as the weakest links are cut |
| reduced-error | the validation rows that are wrong, and the score of the whole tree |
| error-based | the estimated errors of the leaf, of the subtree, and of the largest branch in the node's place |
| pessimistic, minimum-error, critical-value | the two figures of the comparison |
| pre-pruning | the validation rows that are wrong before and after the split |

1. Of the methods of `reference_tree.pruning.comparing`, symbols, words and formulas are those of the record
   (`comparisons`).
2. `VIEWS` has the `PruningView` of each kind of result; those of other methods have modules of their own.
3. `tables` has a line for each decision of one pruning, `work_out` the same with the figures inserted into the
   formulas; `derive_pruning` is a whole page about it.
4. `derive_history` is the derivation of a pruned tree: first of the tree as it was grown, node by node, where a
   pre-pruned one shows the errors of each split on the validation rows; and then of each pruning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from reference_tree.data.errors import InputError, number_of
from reference_tree.data.table import Table
from reference_tree.exact.worked import work
from reference_tree.measures.measure import Quantity
from reference_tree.pruning.choosing_alpha import Choice
from reference_tree.pruning.comparing import ComparedPruning, Comparison, Here, NodeComparison, SubtreePart, worked
from reference_tree.pruning.method import Record, methods
from reference_tree.pruning.record import Found, GrowthHistory, PerformedPruning, PrePruned
from reference_tree.subtrees import counterparts
from reference_tree.tree import Tree
from reference_tree.views.derivation import cost_pruning, error_pruning, validation_pruning
from reference_tree.views.derivation.blocks import (
    WHOLE,
    Block,
    Decided,
    DecisionTable,
    Drawing,
    Equation,
    Equations,
    Facts,
    Legend,
    PruningView,
    Scope,
    Sentence,
    Title,
    heading,
    path_of,
    symbol,
)
from reference_tree.views.derivation.nodes import derive, derive_by_node
from reference_tree.views.derivation.notation import one_figure, opened, written_out
from reference_tree.views.derivation.numerals import compared, rounded
from reference_tree.views.derivation.remarks import becomes

# Comparisons.


def comparison_table(tree: Tree, found: ComparedPruning) -> DecisionTable:
    """The decisions: both figures of each node, and its fate."""
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
        as_leaf, value = (
            written_out(work(leaf.of(_in_figures(here)))),
            work(below.of(here._replace(parts=_parts(tree, one, comparison)))),
        )
        lines = [
            Equation(symbol(step.symbol), written_out(opened(work(step.of(here)))), step.unit)
            for step in comparison.steps
        ]
        lines.append(Equation(symbol(leaf.symbol), as_leaf, leaf.unit))
        is_above = any(value.value == line.worked.value for line in lines[:-1])  # then it is one figure here
        lines.append(Equation(symbol(below.symbol), one_figure(value.value) if is_above else value, below.unit))
        if allowed is not None:
            lines.append(Equation(symbol(allowed.symbol), work(allowed.of(here, one_figure(value))), allowed.unit))
        yield Decided(
            frozenset({one.node}), (heading(tree, one.node), Equations(tuple(lines)), Sentence(_verdict(one, found)))
        )


def _parts(tree: Tree, one: NodeComparison, comparison: Comparison) -> tuple[SubtreePart, ...]:
    """The parts of a subtree in worked numbers; a leaf's figure is written out, another one has a line above."""
    node, here, parts = tree.nodes[one.node], worked(one.here), list[SubtreePart]()
    labels = [tree.nodes[branch].label for branch in node.branches]
    for counts, label in zip((*one.here.table.rows, one.here.table.unknown), (*labels, node.label), strict=True):
        if any(counts):
            part = here.parts[len(parts)]
            end = worked(one.here._replace(answer=tree.target.domain.index(str(label))).counting(counts))
            as_leaf = work(comparison.of_end(_in_figures(end)))
            parts.append(part._replace(figure=written_out(as_leaf) if as_leaf.value == part.figure else part.figure))
    return tuple(parts)


def _in_figures(here: Here) -> Here:
    """A node whose weights are not added to the constants of a formula."""
    rows, right, wrong = (one_figure(work(one).value) for one in (here.rows, here.right, here.wrong))
    return here._replace(rows=rows, right=right, wrong=wrong)


def _verdict(one: NodeComparison, found: ComparedPruning) -> str:
    """The comparison that decides, and the result."""
    leaf, right = _sides(found)
    sign = ">" if one.pruned == found.comparison.is_reached else "≤"
    fate = found.comparison.words[not one.pruned]
    return f"{compared(one.leaf, one.subtree, rounded)}: {leaf} {sign} {right}, so {fate}."


COMPARED_VIEW = PruningView(
    ComparedPruning,
    lambda act, found: [comparison_table(act.before, found)],
    lambda act, found: [comparison_legend(found)],
    lambda act, found: comparisons(act.before, found),
)

# Any pruning.

VIEWS: Mapping[type[Found], PruningView] = {
    view.of: view
    for view in (
        COMPARED_VIEW,
        cost_pruning.COST_VIEW,
        cost_pruning.PATH_VIEW,
        error_pruning.VIEW,
        validation_pruning.VIEW,
    )
}
"""The views, by the kinds of results."""


def called(record: Record) -> str:
    """The noun for a pruning: "pruned by ...".

    Example:
        >>> called({"method": "cost-complexity"})
        'cost and complexity'
    """
    return methods()[record["method"]].called


def method_facts(record: Record) -> list[tuple[str, str]]:
    """The options of a pruning method, as facts.

    Example:
        >>> method_facts({"method": "reduced-error", "order": "best-first", "on_equal": "prune"})
        [('method', 'reduced-error'), ('order', 'best-first'), ('ties', 'prune')]
    """
    names = {"on_equal": "ties"}
    words = {True: "yes", False: "no"}
    return [
        (names.get(name, name.replace("_", " ")), words[value] if isinstance(value, bool) else str(value))
        for name, value in record.items()
        if value is not None
    ]


def tables(act: PerformedPruning) -> Iterator[DecisionTable]:
    """The tables of a pruning: one, or one for each round of a method that goes in rounds.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.pruning.record import perform
        >>> from reference_tree.views.derivation.writers.text import write
        >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
        >>> for line in write(tables(perform(tree, {"method": "cost-function", "alpha": "4"}))):
        ...     print(line)
        The cost of each node in bits, from below
        <BLANKLINE>
        node             as a leaf   as it stands
        /outlook=rainy    8.854753              8   stays
        /outlook=sunny    8.854753              8   stays
        /                17.164003             20   becomes a leaf
    """
    yield from VIEWS[type(act.found)].tables(act, act.found)


def work_out(act: PerformedPruning, only: int | None = None) -> Iterator[Block]:
    """The derivation of a pruning: the meaning of the symbols, and then each decision.

    Args:
        act: the pruning.
        only: the number, in the tree before, of the one node whose decisions are shown; None: all nodes.
    """
    view = VIEWS[type(act.found)]
    decisions = (one for one in view.decisions(act, act.found) if only is None or only in one.nodes)
    first = next(decisions, None)
    if first is not None or only is None:
        yield from view.preface(act, act.found)
    for decision in () if first is None else (first, *decisions):
        yield from decision.blocks


def derive_pruning(act: PerformedPruning, choice: Choice | None = None, *, in_full: bool = True) -> Iterator[Block]:
    """A pruning: its options, the cross-validation that chose α if there was one, each decision, and the result."""
    yield Facts((*_facts(act), ("before", _size(act.before)), ("after", _size(act.after))))
    yield from VIEWS[type(act.found)].sequence(act.found, choice, in_full)
    yield from work_out(act) if in_full else tables(act)
    yield Drawing("The pruned tree", act.after)


def _facts(act: PerformedPruning) -> tuple[tuple[str, str], ...]:
    return tuple(method_facts(VIEWS[type(act.found)].record(act, act.found)))


def _size(tree: Tree) -> str:
    size = f"{number_of(len(tree.nodes), 'node')}, {number_of(len(tree.leaves()), 'leaf')}"
    empty = sum(not tree.nodes[number].weight for number in tree.leaves()) if tree.nodes[0].weight else 0
    return f"{size}, {empty} of them without a training row" if empty else size


# A tree that was pruned.


def derive_history(past: GrowthHistory, table: Table, scope: Scope = WHOLE) -> Iterator[Block]:
    """The derivation of a tree that may have been pruned.

    Raises:
        InputError: there is no such node in the tree as it was grown.
    """
    if past.pre_pruned is None:
        yield from derive(past.grown, past.learner, table, scope)
    else:
        yield from _pre_pruned(past, past.pre_pruned, table, scope)
    for act in past.acts:
        there = _found(act, scope)
        if scope.node is None:
            yield Title(f"Pruned by {called(act.record)}")
            yield Facts(_facts(act))
        if scope.node is None or there is not None:
            yield from work_out(act, there)


def _found(act: PerformedPruning, scope: Scope) -> int | None:
    """The number of the selected node before a pruning; None if an earlier one has removed it."""
    try:
        return scope.number_in(act.before)
    except InputError:
        return None


def _pre_pruned(past: GrowthHistory, grown: PrePruned, table: Table, scope: Scope) -> Iterator[Block]:
    """The derivation of the full tree up to the nodes that were grown, with the errors on the validation rows."""
    only, verdicts = scope.number_in(past.grown), validation_pruning.growth(grown, past.grown)
    if only is not None:
        yield from derive(grown.full, past.learner, table, scope)
        if only in verdicts:
            yield validation_pruning.Words(past.grown, grown.validation_errors).legend(growing=True)
            yield from verdicts[only]
        return
    here = dict(counterparts(grown.full, past.grown))
    worked_out = derive_by_node(grown.full, past.learner, table, scope._replace(every=True))
    for number, blocks in groupby(worked_out, itemgetter(0)):  # the nodes of the full tree, in preorder
        if number is None:
            yield from (block for _, block in blocks if not isinstance(block, DecisionTable))
            yield validation_pruning.Words(past.grown, grown.validation_errors).legend(growing=True)
        elif number in here:
            yield from (block for _, block in blocks)
            yield from verdicts.get(here[number], ())
    if any(node.stop == "collapsed" for node in past.grown.nodes):
        yield Sentence("At last, subtrees with no fewer training errors than a leaf were collapsed.")
