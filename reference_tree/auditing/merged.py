"""Merged leaves: the answers of a subtree that its learner would merge into one leaf.

Spark makes a leaf of a node whose branches are leaves of one answer, from the leaves up. So a leaf may stand where the
learner would split, if everything below it would have given the same answer. Where questions tie, either may have been
asked; so each of the best questions is followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from reference_tree.auditing.finding import Finding
from reference_tree.data.sample import Sample
from reference_tree.learners.decision import Learner
from reference_tree.learners.place import Place
from reference_tree.node import Label
from reference_tree.tree import Tree

COLLAPSED = "stop.collapsed"
"""The rule that is broken by a node whose leaves should have been merged."""

DEEPEST = 30
"""The largest depth of a node in Spark."""

MOST = 2000
"""The largest number of nodes that are decided for one leaf."""


def merges(learner: Learner, sample: Sample, place: Place, label: Label) -> bool | None:
    """Whether some tree that a learner may grow from rows has one answer alone; None if that takes too many decisions.

    Args:
        learner: the learner.
        sample: the rows.
        place: their place.
        label: the answer.

    Example:
        >>> import reference_tree as rt
        >>> table = rt.Table.from_columns({"x": [1, 1, 2, 2, 2], "y": [*"aaaab"]})
        >>> sample = table.sample()
        >>> [merges(rt.CART(), sample, Place.root(sample), label) for label in "ab"]
        [True, False]
    """
    left = [MOST]
    found = _answers(learner, sample, place, left)
    return None if left[0] < 0 else label in found


def _answers(learner: Learner, sample: Sample, place: Place, left: list[int]) -> frozenset[Label]:
    """The answers that may be the only one of a subtree. The recursion is as deep as a tree of Spark."""
    left[0] -= 1
    decision = learner.decide(sample, place)
    if decision.chosen is None or place.depth > DEEPEST or left[0] < 0:
        return frozenset({decision.answer.label})
    found = frozenset[Label]()
    for winner in {one.table.rows: one for one in decision.winners}.values():
        children = place.children(sample, winner.test, decision.answer, decision.missing)
        common: frozenset[Label] | None = None
        for below, part in children:
            answers = _answers(learner, part, below, left)
            common = answers if common is None else common & answers
            if not common:
                break
        found |= common or frozenset()
    return found


def is_rounded_off(sample: Sample) -> bool:
    """Whether some sum over the rows is held by no double, so that Spark may find an impurity where there is none."""
    return any(Fraction(float(moment)) != moment for moment in sample.total())


def with_causes_below(tree: Tree, found: Sequence[Finding]) -> Iterator[Finding]:
    """The findings; a node that should have been merged follows from a fault below it, if there is one.

    Args:
        tree: the tree.
        found: the findings at its nodes, in preorder.
    """
    for finding in found:
        pending, cause = list[int](), finding.cause
        if cause is None and [fault.rule for fault in finding.faults] == [COLLAPSED]:
            pending += tree.nodes[finding.number].branches
        while pending and cause is None:
            below = found[pending.pop()]
            if below.faults and not below.excused and below.faults[0].rule != COLLAPSED:
                cause = below.number
            pending += tree.nodes[below.number].branches
        yield replace(finding, cause=cause)
