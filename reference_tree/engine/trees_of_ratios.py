"""Trees of ratios: C4.5 on any table of classes, by the loop of the book and a shorter decision.

Of the attributes at a node, most are left out by estimates of their gain and of their ratio (`ratios`). The learner
finds the best questions about the others, and decides any node at which the estimates do not tell enough. What a tree
does not keep, the figures and the questions that lost, is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from reference_tree.data.missing import Missing
from reference_tree.data.sample import Sample
from reference_tree.engine.counting import counts_classes
from reference_tree.engine.ratios import leading_attributes
from reference_tree.engine.store import Store
from reference_tree.learners import growing
from reference_tree.learners.c45 import C45, above_average, everyone
from reference_tree.learners.decision import Decision, Learner, majority
from reference_tree.learners.place import Place
from reference_tree.node import Node
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.tree import Grower


class ByEstimates(NamedTuple):
    """A learner that decides as C4.5 does, as far as a tree keeps of it."""

    c45: C45

    def decide(self, sample: Store, place: Place) -> Decision:
        """What to do at a node."""
        learner, total = self.c45, sample.total()
        answer = majority(sample.schema.target, total, place.inherited)
        if stop := learner.stops.before(sample.target, total, place):
            return Decision(total, answer, stop)
        averaged = learner.contenders is above_average
        leading = leading_attributes(sample, place.attributes(sample.schema), learner.min_samples_leaf, averaged)
        if leading is None:
            return learner.decide(sample, place)
        chosen = learner.winners([learner.best_questions(sample, attribute) for attribute in leading])[0]
        if stop := learner.stops.after(chosen):
            return Decision(total, answer, stop)
        missing = Missing(shares=tuple(branch_shares(chosen.table.rows)))
        return Decision(total, answer, None, chosen=chosen, missing=missing)

    def grower(self) -> Grower:
        """What the tree was grown by."""
        return self.c45.grower()


def grown(
    learner: Learner, sample: Sample, place: Place, progress: Callable[[int], None] | None = None
) -> Sequence[Node] | None:
    """The nodes that the C4.5 of the book grows from rows at a place; none if it is not that, or has other rules."""
    if type(learner) is not C45 or learner.ties.any or not isinstance(sample, Store) or not counts_classes(sample):
        return None
    if learner.contenders not in (above_average, everyone):
        return None
    textbook: Any = growing.grown_below.__wrapped__  # type: ignore[attr-defined]
    nodes: Sequence[Node] = textbook(ByEstimates(learner), sample, place, progress).nodes
    return nodes
