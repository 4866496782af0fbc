"""J48 as it trains: its printed options, and the rows of its reduced-error pruning.

1. `printed_options` are those that stand above a printed tree (`reference_tree.programs.weka.prints.scheme_of`).
2. `by_reduced_errors` grows from the rows that J48 grows from under `-R`, and prunes by the others.

For `-R`, Weka orders the rows by their classes: from the first row on, each row of its class that comes later is
exchanged with the row behind the last one of that class. Then it takes each k-th row, from the first, from the second,
and so on. The last of the k folds prunes, and the others grow the tree. Which rows these are depends on no seed.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from reference_tree.data.questions import Threshold
from reference_tree.data.table import Table
from reference_tree.exact.rationals import is_number, rational
from reference_tree.learners.decision import Learner
from reference_tree.learners.growing import grow
from reference_tree.predictor import truth
from reference_tree.programs.c45.release8 import at_observed_value
from reference_tree.programs.practice import PrintedOptions, error_based
from reference_tree.pruning.method import Record
from reference_tree.pruning.record import perform
from reference_tree.splitting.continuous_bisection import midpoint
from reference_tree.tree import Tree

SLACK = Fraction(1, 10**6)
"""The slack of all comparisons in J48."""

UNCOLLAPSED: Mapping[str, Any] = {"collapse": "never"}
"""The option of a learner under `-R`, where J48 collapses nothing."""

LIMIT = "normal"
"""The estimate of errors of J48."""


def scheme(tree: Tree) -> str:
    """What J48 says of its run; empty if it says nothing."""
    return str(tree.grower.options.get("scheme", ""))


def may_be_pruned(tree: Tree) -> bool:
    """Whether a tree may have been pruned: it does not say that it is unpruned."""
    return not scheme(tree).startswith("J48 unpruned")


def printed_options(tree: Tree) -> PrintedOptions | None:
    """The options that J48 printed above a tree; None if it printed none.

    Example:
        >>> from reference_tree.tree import Grower
        >>> from dataclasses import replace
        >>> import reference_tree as rt
        >>> tree = rt.C45().grow(rt.textbook("golf"))
        >>> said = replace(tree, grower=Grower(options={"scheme": "J48 pruned tree -C 0.1 -M 5 -B"}))
        >>> found = printed_options(said)
        >>> found.of_learner, found.record["confidence"]
        ({'min_samples_leaf': 5, 'branching': 'one-vs-rest'}, '1/10')
    """
    _, dash, text = scheme(tree).partition(" -")
    if not dash:
        return None
    words = re.findall(r"(?<!\S)-(\w+)(?:\s+([\d.]+(?:[eE]-?\d+)?)(?!\S))?", f" -{text}")
    given = dict(words)
    learner: dict[str, Any] = {}
    if is_number(given.get("M", "")):
        learner["min_samples_leaf"] = rational(given["M"])
    if "B" in given:
        learner["branching"] = "one-vs-rest"
    if "R" in given:
        learner |= UNCOLLAPSED
        return PrintedOptions(f"-{text}", learner, None, int(given.get("N") or 3))
    if "U" in given:
        return PrintedOptions(f"-{text}", learner, None)
    confidence = str(Fraction(rational(given.get("C") or "0.25")))
    return PrintedOptions(f"-{text}", learner, error_based("weka-j48", LIMIT, confidence, raising="S" not in given))


def pruned(tree: Tree, table: Table, record: Record, validation: Table | None = None) -> Tree:
    """The tree, pruned as a record says."""
    return perform(tree, record, table, validation).after


def by_reduced_errors(learner: Learner, table: Table, folds: int) -> tuple[Tree, tuple[int, ...]] | None:
    """The tree by `-R`, and the numbers of the rows from which it is grown; None if there are too few rows.

    Args:
        learner: the learner.
        table: the rows, in the order of the file.
        folds: the number of folds (`-N`).
    """
    if (parts := reduced_error_rows(table, folds)) is None:
        return None
    own, held_out = map(table.take, parts)
    record = {"method": "reduced-error", "order": "bottom-up", "on_equal": "prune"}
    return pruned(snapped(grow(learner, own), table), own, record, held_out), parts[0]


def snapped(tree: Tree, table: Table) -> Tree:
    """The tree whose thresholds are values of any row of a table, as J48 takes them from the rows that prune, too.

    Args:
        tree: a tree that was grown from some of the rows.
        table: all rows.
    """
    nodes = []
    for node in tree.nodes:
        if isinstance(node.test, Threshold) and node.test.interval is not None:
            middle = replace(node.test, threshold=midpoint(*node.test.interval))
            at = at_observed_value(middle, table.schema.numbers[node.test.attribute], SLACK)
            node = replace(node, test=at)
        nodes.append(node)
    return replace(tree, nodes=tuple(nodes))


def reduced_error_rows(table: Table, folds: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The numbers of the rows from which a tree is grown, and of those by which it is pruned; None for too few rows.

    Args:
        table: the rows, in the order of the file.
        folds: how many parts there are (`-N`).

    Example:
        >>> import reference_tree as rt
        >>> reduced_error_rows(rt.textbook("golf"), 3)[1]
        (5, 2, 8, 11)
    """
    if table.schema.target.values is None or len(table) < folds:
        return None
    order = stratified(truth(table), folds)
    size, more = divmod(len(order), folds)
    first = (folds - 1) * size + more
    held_out = order[first : first + size]
    return tuple(order[:first]) + tuple(order[first + size :]), tuple(held_out)


def stratified(labels: Sequence[Hashable], folds: int) -> list[int]:
    """The order of the rows before they are divided into folds.

    Example:
        >>> stratified([*"abab"], 2)
        [0, 1, 2, 3]
    """
    order, place = list(range(len(labels))), 1
    while place < len(order):
        own = labels[order[place - 1]]
        for later in range(place, len(order)):
            if labels[order[later]] == own:
                order[place], order[later] = order[later], order[place]
                place += 1
        place += 1
    return [row for start in range(folds) for row in order[start::folds]]
