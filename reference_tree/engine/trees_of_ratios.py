"""Trees of ratios: C4.5 on any table of classes, by the textbook loop with a shorter decision.

Estimates of gain and ratio rule out most attributes at a node (`ratios`). The learner finds the best tests of
the remaining ones, and decides every node at which the estimates are not enough. The scores of tests that lost are
never computed, as a tree does not keep them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from reference_tree.data.questions import Missing
from reference_tree.data.sample import Sample
from reference_tree.engine.counting import counts_classes
from reference_tree.engine.ratios import leading_attributes
from reference_tree.engine.store import Store
from reference_tree.learners import growing
from reference_tree.learners.c45 import C45, above_average
from reference_tree.learners.decision import AmongSome, Decision, Learner
from reference_tree.learners.place import Place, majority
from reference_tree.node import Node
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.tree import Grower


class ByEstimates(NamedTuple):
    """A learner that decides as C4.5 in everything that a tree keeps."""

    c45: C45
    whole: Learner
    """The learner that grows the tree: this one, or one that lets it decide among some of the attributes."""
    shown: AmongSome | None
    """The second, if it is one; found once a tree, because `isinstance` of a protocol takes as long as a small node."""

    def decide(self, sample: Store, place: Place) -> Decision:
        """The decision at a node."""
        if self.shown is not None:
            return self.shown.looked_at(sample, place, self.shortly)[1]
        return self.shortly(sample, place)

    def shortly(self, sample: Store, place: Place) -> Decision:
        """The decision of C4.5 at a node."""
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
        """The learner that the tree records."""
        return self.whole.grower()


def grown(
    learner: Learner, sample: Sample, place: Place, progress: Callable[[int], None] | None = None
) -> Sequence[Node] | None:
    """The nodes that the textbook C4.5 grows from rows at a place; None for other learners, rules or samples."""
    shown = learner if isinstance(learner, AmongSome) else None
    base = learner if shown is None else shown.base
    if type(base) is not C45 or base.ties.any or not isinstance(sample, Store) or not counts_classes(sample):
        return None
    textbook: Any = growing.grown_below.__wrapped__  # type: ignore[attr-defined]
    nodes: Sequence[Node] = textbook(ByEstimates(base, learner, shown), sample, place, progress).nodes
    return nodes
