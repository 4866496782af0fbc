r"""Trees of ratios: C4.5 on any table of classes, by the textbook loop with a shorter decision.

C4.5 compares the gain of each attribute with the average, and then the ratios of the attributes that reach it. For most
attributes estimates decide both, so their tests are never counted exactly. The split information of a test is
made of the same terms as its gain:

$$|\tilde D|\,H(\tilde r_1, \dots) = t(|\tilde D|) - \sum_i t(|A_i|), \qquad t(n) = n \log_2 n$$

The learner finds the best tests of the attributes that remain, and decides every node at which the estimates are not
enough. The scores of tests that lost are never computed, as a tree does not keep them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from reference_tree.data.questions import Missing
from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.engine.bisection import Located, scanned_each
from reference_tree.engine.counting import counts_classes, parted
from reference_tree.engine.scans import slack_of_terms
from reference_tree.engine.store import Store
from reference_tree.engine.terms import PLACES, estimated
from reference_tree.exact.rationals import Rational
from reference_tree.learners import growing
from reference_tree.learners.c45 import C45, above_average
from reference_tree.learners.decision import AmongSome, Decision, Learner
from reference_tree.learners.place import Place, majority
from reference_tree.node import Node
from reference_tree.splitting.continuous_bisection import CutSearch
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.tree import Grower


class EstimatedTests(NamedTuple):
    """The best tests of an attribute, as far as estimates can tell."""

    gain: int
    """Their gain: an estimate of |D|·gain, in units of 2^-32."""
    slack: int
    """How far the estimate may be off."""
    cuts: Located | None = None
    """The cuts of this attribute, which include these tests; None if there is a single test."""
    branches: Sequence[int] = ()
    """The weights of the branches of the single test."""


def leading_attributes(
    sample: Store, attributes: Sequence[Attribute], minimum: Rational, averaged: bool
) -> list[Attribute] | None:
    """Attributes that include the first of largest ratio; None if the estimates do not decide.

    Args:
        sample: the rows at the node.
        attributes: the attributes that may be split on.
        minimum: the least weight of a branch.
        averaged: whether the gain of an attribute has to reach the average.
    """
    judged = _judged(sample, attributes, minimum)
    if not judged:
        return None
    found = [attribute for attribute in attributes if attribute.name in judged]
    if len(sample.rows) == 2:  # there is only one way to split two rows, so all gains and ratios are equal
        return found[:1]
    names = reaching_average(judged) if averaged else judged.keys()
    if names is None:
        return None
    return _of_largest_ratio(sample, judged, [attribute for attribute in found if attribute.name in names])


def _judged(sample: Store, attributes: Sequence[Attribute], minimum: Rational) -> dict[str, EstimatedTests] | None:
    """The attributes that have a test; None if that is uncertain for some attribute."""
    multiway, slack = parted(sample, [attribute for attribute in attributes if attribute.values is not None], minimum)
    if not all(one.is_sure for one in multiway):
        return None
    judged = {one.attribute.name: EstimatedTests(one.gain, slack, None, one.branches) for one in multiway}
    cuts = scanned_each(sample, CutSearch("gain", minimum))
    for name in (attribute.name for attribute in attributes if attribute.name in cuts):
        estimates = cuts[name].among.estimates
        judged[name] = EstimatedTests(max(estimates.values[cuts[name].mine]), estimates.slack, cuts[name])
    return judged


def reaching_average(judged: Mapping[str, EstimatedTests]) -> set[str] | None:
    """The attributes whose gain is at least the average; None if the estimates leave that open for some attribute."""
    m, whole, slack = len(judged), sum([one.gain for one in judged.values()]), sum([o.slack for o in judged.values()])
    above = {name: m * one.gain - whole for name, one in judged.items()}
    sure = all(abs(above[name]) > m * one.slack + slack for name, one in judged.items())
    return {name for name, more in above.items() if more > 0} if sure else None


def _of_largest_ratio(
    sample: Store, judged: Mapping[str, EstimatedTests], attributes: Sequence[Attribute]
) -> list[Attribute]:
    """Attributes that include the first of largest ratio."""
    if len(attributes) < 2:
        return list(attributes)
    of_row, shift = sample.short_weights
    weights = of_row or dict.fromkeys(sample.rows, 1)
    cut = len(sample.rows) if shift else 0
    off = slack_of_terms(sum(map(weights.__getitem__, sample.rows)), cut)

    def bounds(one: EstimatedTests) -> tuple[int, int]:
        """Integers around |D| times the ratio of every one of the best tests."""
        questions: list[Sequence[int]] = [one.branches]
        if one.cuts is not None:
            cuts = one.cuts.alone
            rows = list(map(weights.__getitem__, cuts.run.rows))
            questions = [(sum(rows[:place]), sum(rows[place:])) for place in cuts.near()]
        low, high = [], []
        for branches in questions:
            known, slack = sum(branches), off + 2 * len(branches) + 2
            cost, most = estimated(known) - sum(map(estimated, branches)), known + cut << PLACES  # no ratio is above 1
            low.append((max(0, one.gain - one.slack) * known << PLACES) // (cost + slack))
            high.append((one.gain + one.slack) * most // (cost - slack) + 1 if cost > slack else most)
        return min(low), max(high)

    found = [bounds(judged[attribute.name]) for attribute in attributes]
    least = max([low for low, _ in found])
    return [attribute for attribute, (_, high) in zip(attributes, found, strict=True) if high >= least]


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
        # The estimates cannot tell which attributes lead: the learner decides, as it decides every node elsewhere.
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
