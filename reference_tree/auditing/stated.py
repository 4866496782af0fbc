"""What is stated of a node, in one record: by a tree, of this package or of another program, or by an answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from reference_tree.data.questions import Missing, Test
from reference_tree.data.sample import Counts
from reference_tree.data.targets import added
from reference_tree.learners.decision import Learner
from reference_tree.node import Deviations, Label, Node
from reference_tree.tree import Tree

NOT_JUDGED = ("unknown", "pruned", "pre-pruned", "collapsed")
"""The reasons of leaves that are not compared with the learner's."""


class Stated(NamedTuple):
    """What is stated of a node. What is None is not stated, and is not judged."""

    counts: Counts | None = None
    """The counts of the rows that arrive."""
    label: Label | None = None
    """The answer."""
    test: Test | None = None
    """The question; None for a leaf."""
    stop: str | None = None
    """Why it is a leaf."""
    missing: Missing | None = None
    """Where rows without an answer go."""


@dataclass(frozen=True)
class Statements:
    """What a tree states of its nodes.

    Args:
        tree: the tree.

    Example:
        >>> import reference_tree as rt
        >>> Statements(rt.ID3().grow(rt.textbook("play-tennis"))).of(1)
        Stated(counts=(0, 4), label='yes', test=None, stop='pure', missing=Missing(shares=(), surrogates=(), to=None, stays=False))
    """  # noqa: E501

    tree: Tree

    def of(self, number: int) -> Stated:
        """What is stated of a node."""
        node, silent = self.tree.nodes[number], self.tree.silent
        return Stated(
            node.counts if self.tells("counts", node) else None,
            node.label if self.tells("labels", node) else None,
            node.test,
            None if node.test is not None or node.stop in NOT_JUDGED else node.stop,
            None if "missing" in silent else node.missing,
        )

    def tells(self, word: str, node: Node) -> bool:
        """Whether the tree states the `labels`, or the `counts`, of a node."""
        silent = self.tree.silent
        if word in silent or (node.test is not None and f"inner-{word}" in silent):
            return False
        return word != "counts" or self.has_counts

    @cached_property
    def has_counts(self) -> bool:
        """Whether any node of the tree has counts; if none has, the tree does not state them."""
        return any(any(node.counts) for node in self.tree.nodes)

    def counts(self, number: int) -> Counts | None:
        """The counts that the tree states of a node; where it states those of leaves alone, the sum of those below."""
        node = self.tree.nodes[number]
        if self.tells("counts", node):
            return node.counts
        return self._sums[number] if "inner-counts" in self.tree.silent and self.has_counts else None

    @cached_property
    def _sums(self) -> list[Counts | None]:
        """For each node the sum of the counts of the leaves below it; None if one of them states none."""
        found: list[Counts | None] = [None] * len(self.tree.nodes)
        for number, node in reversed(list(enumerate(self.tree.nodes))):
            parts = [found[branch] for branch in node.branches]
            if node.test is None:
                found[number] = node.counts if self.tells("counts", node) else None
            elif all(part is not None and not isinstance(part, Deviations) for part in parts):
                found[number] = tuple(added([part for part in parts if part is not None]))
        return found


def states_way(tree: Tree, node: Node) -> bool:
    """Whether a tree states where rows without an answer go; the program of a tree has some rule, even if unstated."""
    return "missing" not in tree.silent and not (tree.program is not None and node.missing.rule == "error")


def records(tree: Tree, learner: Learner) -> bool:
    """Whether a tree of this package is checked against the learner that it records."""
    own, claimed = tree.grower, learner.grower()
    if tree.program is not None or (own.name, own.profile) != (claimed.name, claimed.profile):
        return False
    return all(own.options.get(name) == value for name, value in claimed.options.items())
