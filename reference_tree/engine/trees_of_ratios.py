"""Trees of ratios: C4.5 on any table of classes, grown without an object for each decision.

Of the attributes at a node, most are left out by estimates of their gain and of their ratio (`ratios`). The learner
finds the best questions about the others, and decides any node at which the estimates do not tell enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from reference_tree.data.missing import REFUSED, Missing
from reference_tree.data.questions import Test
from reference_tree.data.sample import Counts, Sample
from reference_tree.engine.counting import counts_classes
from reference_tree.engine.ratios import leading_attributes
from reference_tree.engine.store import Store
from reference_tree.learners.c45 import C45, above_average
from reference_tree.learners.decision import Learner, majority
from reference_tree.learners.place import Answer, Place
from reference_tree.node import Node
from reference_tree.splitting.candidate import RuleId
from reference_tree.splitting.missing_values import branch_shares


def grown(
    learner: Learner, sample: Sample, place: Place, progress: Callable[[int], None] | None = None
) -> Sequence[Node] | None:
    """The nodes that the C4.5 of the book grows from the rows at a place; none if it is not that, or told more."""
    if type(learner) is not C45 or learner.ties.any or not isinstance(sample, Store) or not counts_classes(sample):
        return None
    found, target = list[tuple[Counts, Answer, Asked, list[int]]](), sample.schema.target
    pending: list[tuple[Place, Any, list[int]]] = [(place, sample, [])]
    while pending:
        here, rows, siblings = pending.pop()
        total, branches = rows.total(), list[int]()
        answer = majority(target, total, here.inherited)
        stop = learner.stops.before(rows.target, total, here)
        asked = Asked(None, REFUSED, stop) if stop else question(learner, rows, here)
        if asked.test is not None:
            children = here.children(rows, asked.test, answer, asked.missing)
            pending += [(child, part, branches) for child, part in reversed(children)]
        siblings.append(len(found))
        found.append((total, answer, asked, branches))
        if progress is not None:
            progress(len(found))
    return [
        Node(total, answer.label, asked.test, tuple(branches), asked.stop, answer.tied, answer.prior, asked.missing)
        for total, answer, asked, branches in found
    ]


class Asked(NamedTuple):
    """What is asked at a node."""

    test: Test | None
    """The question; none at a leaf."""
    missing: Missing
    """Where a row goes that does not answer."""
    stop: RuleId | None
    """Why nothing is asked."""


def question(learner: C45, sample: Store, place: Place) -> Asked:
    """What the learner asks at a node that may split."""
    averaged = learner.contenders is above_average
    leading = leading_attributes(sample, place.attributes(sample.schema), learner.min_samples_leaf, averaged)
    if leading is None:
        decision = learner.decide(sample, place)
        test = None if decision.chosen is None else decision.chosen.test
        return Asked(test, decision.missing, decision.stop)
    chosen = learner.winners([learner.best_questions(sample, attribute) for attribute in leading])[0]
    if stop := learner.stops.after(chosen):
        return Asked(None, REFUSED, stop)
    return Asked(chosen.test, Missing(shares=tuple(branch_shares(chosen.table.rows))), None)
