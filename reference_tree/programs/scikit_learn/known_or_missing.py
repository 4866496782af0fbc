"""Known or missing: scikit-learn also asks whether a row has a value at all; its profile here does not.

Such a test has an infinite threshold: the rows with a value are on one side, the rows without on the other. It
competes with the cuts, under the same bounds. Before version 1.8 the program left out an attribute whose known values
are all equal; so the test of such an attribute may be made, but need not be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from operator import attrgetter

from reference_tree.data.questions import Missing, Test, Threshold
from reference_tree.data.sample import Sample
from reference_tree.exact.choosing import best
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.place import Place
from reference_tree.learners.stopping.bounds import rules
from reference_tree.programs.scikit_learn.objects import LARGEST
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.continuous_bisection import number_of_cuts
from reference_tree.splitting.missing_rules import without_value

UNDECIDED = ("no-candidates", "min-samples-leaf", *(rule.name for rule in rules().values() if rule.after))
"""The reasons of leaves for which another test might be good enough."""


def with_known_or_missing(
    decision: Decision,
    learner: Learner,
    sample: Sample,
    place: Place,
    asked: Test | None,
    bounded: Callable[[Candidate], Candidate] = lambda one: one,
) -> Decision:
    """The decision of a learner that also asks whether attributes are known; unchanged for any other learner.

    Args:
        decision: its decision among the cuts.
        learner: the learner; the one of scikit-learn makes such tests.
        sample: the rows at the node.
        place: the place of the node.
        asked: the test of the node; None for a leaf.
        bounded: bars a test that leaves too few rows in a branch.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"x": [1, None, None, 2], "y": ["no", "yes", "yes", "no"]}).sample()
        >>> learner, place = CART.like("scikit-learn"), Place.root(sample)
        >>> decision = learner.decide(sample, place)
        >>> found = with_known_or_missing(decision, learner, sample, place, None)
        >>> [(one.chosen.table.rows, one.chosen.score) for one in (decision, found)]
        [(((1, 0), (1, 0)), Fraction(1, 6)), (((2, 0), (0, 0)), Fraction(1, 2))]
    """
    if not isinstance(learner, CART) or learner.missing != "better-side" or decision.stop not in (None, *UNDECIDED):
        return decision
    considered = decision.considered
    found = [one for one in map(bounded, _questions(learner, sample, place)) if one.barred is None]
    decision = replace(decision, considered=lambda: chain(considered(), found), beside=None) if found else decision
    competing = [one for one in found if one.test == asked or number_of_cuts(sample, one.test.attribute)]
    winners = list(best([*decision.winners, *competing], attrgetter("score"))) if competing else []
    if not any(one in winners for one in found):
        return decision
    weight = learner.node_criterion(sample, place).weight
    stop = learner.stops.after(winners[0], *map(weight, (sample.total(), place.everyone)))
    return replace(
        decision,
        stop=stop,
        winners=tuple(winners),
        chosen=None if stop else winners[0],
        missing=Missing(to=1) if winners[0] in found else decision.missing,
    )


def _questions(learner: CART, sample: Sample, place: Place) -> Iterator[Candidate]:
    """For each attribute with missing values, the test whether it is known."""
    for attribute in place.attributes(sample.schema):
        if attribute.values is None and any(without_value(sample, attribute)):
            yield learner.judge_one(sample, place, Threshold(attribute.name, int(LARGEST)))
