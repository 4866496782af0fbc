"""Raised branches: nodes of a pruned tree that its learner would not make of their rows, and that are right.

Error-based pruning may put the largest branch of a node into its place. What stands there was chosen for fewer rows, so
another question may be better for those that arrive now. A tree of ours records how it was pruned; so it is grown and
pruned anew, and a question that stands at the same place there is the one that pruning put there.
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
    """The nodes that ask what is asked there once the tree was grown and pruned as it records; none if none was raised.

    Args:
        tree: the tree.
        learner: who is asked.
        table: the rows that it was grown from.
        validation: rows held out, for a pruning that asks them.

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
    except InputError:  # it cannot be done again as it is recorded: nothing is excused
        return frozenset()
    return _alike(tree, anew)


def raises(tree: Tree) -> bool:
    """Whether a tree records a pruning that may raise branches."""
    records = tree.grower.options.get(PRUNING)
    return isinstance(records, list) and any(map(_raises, records))


def _raises(record: object) -> bool:
    return isinstance(record, Mapping) and record.get("method") == "error-based" and record.get("raising") is True


def _alike(tree: Tree, anew: Tree) -> frozenset[int]:
    """The nodes of a tree that ask the same as another one at the same place, below such nodes alone."""
    found, pending = set[int](), [(0, 0)]
    while pending:
        number, place = pending.pop()
        node, other = tree.nodes[number], anew.nodes[place]
        if node.test is not None and other.test is not None and _asked(node.test) == _asked(other.test):
            found.add(number)
            pending += zip(node.branches, other.branches, strict=True)
    return frozenset(found)


def _asked(test: Test) -> Test:
    """A question without the gap that its threshold was found in."""
    return replace(test, interval=None) if isinstance(test, Threshold) else test
