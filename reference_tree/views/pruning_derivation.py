"""Pruning worked out: each decision with the figures put in, in the order in which they were made.

1. `work_out` is the derivation of one pruning (`pruning_costs`, `pruning_errors`).
2. `derive_past` is the derivation of a tree that was pruned: of the tree as it was grown, node by node, each split with
   what the validation rows said of it if it was pre-pruned; and then of each pruning.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import rational
from reference_tree.pruning.cost_function import CostPruning
from reference_tree.pruning.error_based import ErrorPruning
from reference_tree.pruning.record import Act, Past, PathPruning, PrePruned, Record, rules_of
from reference_tree.pruning.reduced_error import Pruning
from reference_tree.views.blocks import Block, Facts, Heading, Legend, Sentence, Title
from reference_tree.views.derivation import derive
from reference_tree.views.pruning_costs import COST_LEGEND, LINKS_LEGEND, costs, links
from reference_tree.views.pruning_errors import (
    estimates,
    growth,
    growth_legend,
    limit_legend,
    validated,
    validation_legend,
)
from reference_tree.views.pruning_parts import Part
from reference_tree.views.pruning_sheets import Sheet
from reference_tree.views.pruning_tables import is_one_pass, sheets, twins

NAMES = {
    "cost-function": "the cost function",
    "cost-complexity": "cost and complexity",
    "reduced-error": "reduced error",
    "error-based": "estimated errors",
}
"""What a method prunes by, in a title."""


def work_out(act: Act, only: int | None = None) -> Iterator[Block | Sheet]:
    """The derivation of a pruning: what the letters mean, and then each decision.

    Args:
        act: the pruning.
        only: the number, in the tree before, of the one node whose decisions are shown; none: all of them.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.pruning.record import perform
        >>> from reference_tree.views.pruning_sheets import write
        >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
        >>> act = perform(tree, {"method": "cost-function", "alpha": "4"})
        >>> for line in write(work_out(act, only=0), "text"):
        ...     print(line)
        /   14 rows: no 5, yes 9
        ────────────────────────
        <BLANKLINE>
        C_α(t)   = 14·0.940286 + 4 ≈ 17.164003 bits
        C_α(T_t) = 4·0 + 0 + 0 + 4·5 = 20 bits
        <BLANKLINE>
        17.164003 < 20: the leaf costs less, and takes the place of the subtree.
    """
    found = act.found
    if isinstance(found, PathPruning) and is_one_pass(found):
        yield from sheets(act) if only is None else ()
        return
    legend, parts = _derivation(act)
    if only is None:
        yield legend
    for part in parts:
        if only is None or only in part.nodes:
            yield from part.blocks


def _derivation(act: Act) -> tuple[Legend, Iterator[Part]]:
    found, record = act.found, act.record
    if isinstance(found, CostPruning):
        return COST_LEGEND, costs(act.before, found, rational(record["alpha"]))
    if isinstance(found, ErrorPruning):
        rules = rules_of(record)
        return limit_legend(rules), estimates(act.before, found, rules)
    if isinstance(found, Pruning):
        return validation_legend(found.judged, numbers=found.tree.target.values is None), validated(found)
    return LINKS_LEGEND, links(found, _alpha(found, record))


def _alpha(found: PathPruning, record: Record) -> Number:
    """The price that was asked for; where it is a sum of logarithms, it is that of the step."""
    return found.step.alpha if str(found.step.alpha) == record["alpha"] else rational(record["alpha"])


def told(record: Record) -> list[tuple[str, str]]:
    """What a method was told, as facts.

    Example:
        >>> told({"method": "reduced-error", "order": "best-first", "on_equal": "prune"})
        [('method', 'reduced-error'), ('order', 'best-first'), ('ties', 'prune')]
    """
    names = {"on_equal": "ties", "standard_errors": "standard errors"}
    words = {True: "yes", False: "no"}
    return [
        (names.get(name, name), words[value] if isinstance(value, bool) else str(value))
        for name, value in record.items()
        if value is not None
    ]


def derive_past(past: Past, table: Table, only: str | None = None) -> Iterator[Block | Sheet]:
    """The derivation of a tree that may have been pruned.

    Args:
        past: how it came to be what it is.
        table: the data it was grown from.
        only: the path of the one node to show; none: all of them.

    Raises:
        InputError: there is no such node in the tree as it was grown.
    """
    number = None if only is None else past.grown.find(only)
    if past.pre_pruned is None:
        yield from derive(past.grown, past.learner, table, number)
    else:
        yield from _pre_pruned(past, past.pre_pruned, table, number)
    for act in past.acts:
        there = _found(act, only)
        if only is None:
            yield Title(f"Pruned by {NAMES[act.record['method']]}")
            yield Facts(tuple(told(act.record)))
        if only is None or there is not None:
            yield from work_out(act, there)


def _found(act: Act, path: str | None) -> int | None:
    """The number of a node before a pruning; none where an earlier one has removed it."""
    try:
        return None if path is None else act.before.find(path)
    except InputError:
        return None


def _pre_pruned(past: Past, grown: PrePruned, table: Table, only: int | None) -> Iterator[Block]:
    """The derivation of the learner alone, as far as the tree was grown, with what the validation rows said."""
    twin, said = twins(past.grown, grown.full), growth(grown)
    of = {there: here for here, there in twin.items()}
    if only is not None:
        yield from derive(grown.full, past.learner, table, twin[only])
        yield from said.get(only, ())
        return
    here: int | None = None
    shown, visited = True, -1
    for block in derive(grown.full, past.learner, table):
        if isinstance(block, Heading):  # one for each node of the full tree, in preorder
            yield from [growth_legend(grown)] if visited < 0 else said.get(-1 if here is None else here, ())
            visited += 1
            here = of.get(visited)
            shown = here is not None
        if shown:
            yield block
    yield from said.get(-1 if here is None else here, ())
    if any(node.stop == "collapsed" for node in past.grown.nodes):
        yield Sentence("Subtrees that get no fewer of their rows wrong than a leaf were collapsed at last.")
