"""What is supposed about how a tree was grown, where its program does not tell it.

A `Supposed` is what a hypothesis (`reference_tree.auditing.hypotheses`) adds to what is told, and what the walk down a
tree looks at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from reference_tree.data.table import Table
from reference_tree.learners.decision import Learner
from reference_tree.learners.options import Options
from reference_tree.programs.words import with_told
from reference_tree.tree import Tree


class Repruning(NamedTuple):
    """The tree as it is grown and pruned anew."""

    anew: Tree
    """The tree to be compared with."""
    rows: tuple[int, ...] | None = None
    """The rows from which it is grown; None for all."""


class Supposed(NamedTuple):
    """What is supposed besides what is told."""

    names: tuple[str, ...] = ()
    """The hypotheses."""
    words: tuple[str, ...] = ()
    """Each hypothesis in words, with its value."""
    options: Mapping[str, Any] = {}
    """Options of the learner."""
    max_leaves: int | None = None
    """A cap on leaves."""
    told: Mapping[str, Any] = {}
    """What the program might have told of its training."""
    silent: frozenset[str] = frozenset()
    """What is not judged."""
    price: str = ""
    """The profile of a cost-complexity pruning, at some price."""
    repruning: Repruning | None = None
    """A pruning that is repeated."""

    def learner(self, base: Learner) -> Learner:
        """The learner, with the options that are supposed."""
        # A learner without options, such as a pre-pruning, is taken as it is.
        return base.but(**self.options) if self.options and isinstance(base, Options) else base

    def tree(self, tree: Tree) -> Tree:
        """The tree, with what its program might have told."""
        changed = with_told(tree, self.told)
        assert isinstance(changed, Tree)
        tree = changed
        # What is supposed to be unstated is treated as any other silence of a program.
        if self.silent and tree.program is not None:
            tree = replace(tree, program=tree.program._replace(silent=tree.program.silent | self.silent))
        return tree

    def rows(self, table: Table) -> Table:
        """The rows that the tree was grown from."""
        if self.repruning is None or self.repruning.rows is None:
            return table
        return table.take(self.repruning.rows)

    def also(self, name: str, words: str, **changes: Any) -> Supposed:
        """The same, and one hypothesis more."""
        # Hypotheses add up: a later one goes before an earlier one only where both name the same option.
        options = {**self.options, **changes.pop("options", {})}
        return self._replace(names=(*self.names, name), words=(*self.words, words), options=options, **changes)


NOTHING = Supposed()
