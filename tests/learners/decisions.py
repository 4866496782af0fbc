"""Decisions of C4.5 at the nodes of textbook trees, and what is printed of them."""

from __future__ import annotations

from reference_tree.data.textbook import textbook
from reference_tree.exact.rounding import decimal
from reference_tree.learners.c45 import C45
from reference_tree.learners.decision import Decision
from reference_tree.learners.growing import revisit


def at(name: str, path: str = "/", learner: C45 | None = None) -> Decision:
    """The decision at a node of the tree of a textbook data set."""
    table, learner = textbook(name), learner or C45()
    tree = learner.grow(table)
    return next(v.decision for v in revisit(tree, learner, table) if v.number == tree.find(path))


def scores(decision: Decision, score: str) -> dict[str, str]:
    """The scores of the questions that stand for their attribute."""
    standing = (c for c in decision.candidates if c.scores and c.barred != "not-best")
    return {c.test.name: decimal(c.scores[score]) for c in standing}


def names(decision: Decision) -> list[str]:
    return [winner.test.name for winner in decision.winners]
