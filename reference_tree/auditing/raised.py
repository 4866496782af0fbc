"""Raised branches: nodes of a pruned tree that are right although its learner would not make them of their rows.

Error-based pruning may replace a node by its largest branch. The questions of that branch were chosen for fewer rows,
so another question may be better for the rows that arrive now. A tree of this package records how it was pruned; so it
is grown and pruned again, and a question that then stands at the same place was put there by pruning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Test, Threshold
from reference_tree.data.table import Table
from reference_tree.learners.decision import Learner
from reference_tree.learners.growing import grow
from reference_tree.learners.registry import PRUNING
from reference_tree.pruning.record import perform
from reference_tree.tree import Tree


def raised(tree: Tree, learner: Learner, table: Any, validation: Table | None = None) -> frozenset[int]:
    """The nodes with the same question after the tree is grown and pruned again; empty if no branch can be raised.

    Args:
        tree: the tree.
        learner: the learner that grows the tree again.
        table: the rows that the tree was grown from.
        validation: the validation rows, for a pruning that uses them.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> raised(rt.prune(rt.C45().grow(days), "error-based", data=days, raising=False), rt.C45(), days)
        frozenset()
    """
    if not isinstance(table, Table) or not raises(tree):
        return frozenset()
    try:
        anew = grow(learner, table)
        for record in tree.grower.options[PRUNING]:
            anew = perform(anew, record, table, validation).after
    except InputError:  # the recorded pruning cannot be repeated, so nothing is excused
        return frozenset()
    return _alike(tree, anew)


def raises(tree: Tree) -> bool:
    """Whether a tree records a pruning that may raise branches."""
    records = tree.grower.options.get(PRUNING)
    return isinstance(records, list) and any(map(_raises, records))


def _raises(record: object) -> bool:
    return isinstance(record, Mapping) and record.get("method") == "error-based" and record.get("raising") is True


def _alike(tree: Tree, anew: Tree) -> frozenset[int]:
    """The nodes with the same question as the node of another tree at the same place, and only such nodes above."""
    found, pending = set[int](), [(0, 0)]
    while pending:
        number, place = pending.pop()
        node, other = tree.nodes[number], anew.nodes[place]
        if node.test is not None and other.test is not None and _asked(node.test) == _asked(other.test):
            found.add(number)
            pending += zip(node.branches, other.branches, strict=True)
    return frozenset(found)


def _asked(test: Test) -> Test:
    """A question without the gap in which its threshold was found."""
    return replace(test, interval=None) if isinstance(test, Threshold) else test
