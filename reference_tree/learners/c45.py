"""C4.5: ID3's successor, for categorical and continuous attributes and for missing values.

At each node, as ID3, with three differences:

1. The score is the gain *ratio*. It can be large because the split information is small, however little is gained, so
   at first only those attributes are let through whose gain is at least the average (`above_average`).
2. A continuous attribute is cut in two. The cut of the largest *gain* stands for it; the ratio compares attributes.
3. Where answers are missing, a gain counts by the share of the rows that answer, and a row that does not goes down
   every branch, to the share of those that took it.

Who is let through is a rule with a name, in the field `contenders`: Zhou and N0 average, N1 and Li Hang do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any, ClassVar, TypeAlias

from reference_tree.data.missing import Missing
from reference_tree.data.sample import Sample
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.learners.decision import Decision, answer_of, too_small
from reference_tree.learners.options import Options, choice, rule
from reference_tree.learners.place import Place
from reference_tree.learners.stopping import Stops, falls_short
from reference_tree.splitting.candidate import Candidate, barring_rule
from reference_tree.splitting.continuous_bisection import cuts
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.splitting.multiway import multiway_candidate

MEASURED = ("gain", "split_information", "ratio")
"""The scores of a candidate; it is judged by the last one."""

Group: TypeAlias = tuple[Candidate, ...]
"""The candidates of one attribute: the multiway split, or all cuts that tie for the largest gain."""
Contenders: TypeAlias = Callable[[Sequence[Group]], tuple[Sequence[Group], Mapping[str, Number]]]
"""A rule that says which attributes may compete by their ratio, and on what figures that rests."""


def average_gain(groups: Sequence[Group]) -> Number:
    r"""The mean of the attributes' gains, each counted once.

    $$\overline{g} = \frac{1}{m} \sum_{a} \mathrm{Gain}(D, a)$$

    Source:
        [N0 EN §3.2 notice], [N2 §2.2 average], [Quinlan1993 §2.2]
    """
    return sum(group[0].scores["gain"] for group in groups) * Fraction(1, len(groups))


def above_average(groups: Sequence[Group]) -> tuple[Sequence[Group], Mapping[str, Number]]:
    """The attributes whose gain is at least the average.

    Source:
        [N0 EN §3.2 notice], [N2 §2.2 average], [Quinlan1993 §2.2]. N0, N2 and Zhou say *above* the average, which lets
        nobody through when all gains are equal; Quinlan says at least (decision c45.average). N0 takes the larger of
        the ratios, where the largest is meant.
    """
    average = average_gain(groups)
    return [group for group in groups if group[0].scores["gain"] >= average], {"average": average}


def everyone(groups: Sequence[Group]) -> tuple[Sequence[Group], Mapping[str, Number]]:
    """All attributes: the plain gain ratio.

    Source:
        [N1 §1.5 step 3], [LiHang2019 §5.3.2]. N0 gives both rules, this one first, and does not choose.
    """
    return groups, {}


CONTENDERS: Mapping[str, Contenders] = {"above-average": above_average, "everyone": everyone}
"""The rules by the names under which a tree document records them."""

PROFILES: Mapping[str, Mapping[str, Any]] = {
    "zhou": {"contenders": above_average},
    "li-hang": {"contenders": everyone},
}
"""Dialects: the options in which each differs."""


@dataclass(frozen=True, kw_only=True)
class C45(Options):
    """The learner.

    Args:
        epsilon: a split needs a gain ratio of at least this.
        max_depth: no node lies deeper; the root has depth 0. None: no limit.
        min_samples_split: a node with less weight is a leaf.
        min_samples_leaf: a split that leaves less weight in a branch that is not empty is no candidate.
        contenders: the rule that says which attributes may compete by their ratio.
        ties: overrides for exact ties.
        profile: the dialect that set the options.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> tree = C45().grow(textbook("golf"))
        >>> tree.predict({"outlook": "sunny", "humidity": 77})
        'yes'

    Source:
        [N0 EN §3.2], [N1 §1.5], [N1 §1.5 maximum likelihood], [N2 §2.2], [Quinlan1993 §2]. N1 repeats what it
        says of ID3, that it selects by maximum likelihood; of a choice by the *ratio* that is not so.
    """

    name: ClassVar[str] = "c45"
    profiles: ClassVar[Mapping[str, Mapping[str, Any]]] = PROFILES

    contenders: Contenders = rule(above_average, CONTENDERS)
    missing: str = choice("fractions", ["fractions"])

    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """What to do at a node.

        Source:
            [N0 EN §3.2 ratio], [N1 §1.5 step 1], [N1 §1.5 step 2], [N1 §1.5 step 3], [N1 §1.5 step 4], [N1 §1.5 step
            5]. ε is held against the *ratio* of the winner (decision c45.epsilon).
        """
        place = place or Place.root(sample)
        total = sample.total()
        answer = self.ties.labelled(place, answer_of(sample.schema.target, total, place.inherited))
        decision = Decision(total, answer, None, judged_by="ratio")
        if stop := Stops(self.max_depth, self.min_samples_split).reason(sample.target, total, place):
            return replace(decision, stop=stop)
        candidates = tuple(self.candidates(sample, place))
        groups = by_attribute(candidate for candidate in candidates if candidate.barred is None)
        if not groups:
            return replace(decision, stop=too_small(candidates), considered=lambda: candidates)
        contenders, evidence = self.contenders(groups)
        marked = tuple(_barred_by_average(candidate, contenders) for candidate in candidates)
        winners = possible_winners(contenders)
        chosen = self.ties.chosen(place, winners, winners[0])
        decision = replace(decision, considered=lambda: marked, winners=winners, evidence=evidence)
        if falls_short(_ratio(chosen), self.epsilon):
            return replace(decision, stop="epsilon")
        enough = tuple(winner for winner in winners if not falls_short(_ratio(winner), self.epsilon))
        missing = Missing(shares=tuple(branch_shares(chosen.table.rows)))
        return replace(decision, winners=enough, chosen=chosen, missing=missing)

    def candidates(self, sample: Sample, place: Place) -> Iterator[Candidate]:
        """The split on each categorical attribute that is left; for each continuous one its cuts of largest gain."""
        for attribute in sample.schema.attributes:
            if attribute.name not in place.available:
                continue
            if attribute.kind == "categorical":
                yield multiway_candidate(sample, attribute, MEASURED, self.min_samples_leaf)
            else:
                yield from best_cut_candidates(sample, attribute.name, self.min_samples_leaf)


def best_cut_candidates(sample: Sample, attribute: str, minimum: Rational) -> list[Candidate]:
    """The cuts that stand for a continuous attribute: all of largest gain among those that may compete.

    If none may, the first one is given, with the rule that bars it; if all values are equal, there is none to give.

    Source:
        [N2 §4.1 Gain], [N2 §4.1 choice], [Quinlan1993 §2.4]. The gain chooses the cut, not the ratio (decision
        c45.threshold).
    """
    found = [
        Candidate(cut.test, cut.table, MEASURED, barring_rule(cut.table, minimum)) for cut in cuts(sample, attribute)
    ]
    allowed = [candidate for candidate in found if candidate.barred is None]
    return best(allowed, lambda candidate: candidate.scores["gain"]) or found[:1]


def by_attribute(candidates: Iterable[Candidate]) -> list[Group]:
    """Candidates in the groups of their attributes."""
    return [tuple(group) for _, group in groupby(candidates, key=lambda candidate: candidate.test.attribute)]


def possible_winners(groups: Sequence[Group]) -> tuple[Candidate, ...]:
    """The candidates of largest ratio, whichever of its tied cuts each attribute sends.

    A candidate can win if no other attribute is *bound* to beat it, that is, if its ratio is at least the smallest that
    each other one could come with. The first one given is the one to be taken if nobody says otherwise: the lowest cut
    stands for its attribute, and the first attribute is taken of equals.
    """
    weakest = [min(map(_ratio, group)) for group in groups]
    winners = [
        candidate
        for place, group in enumerate(groups)
        for candidate in group
        if all(_ratio(candidate) >= other for at, other in enumerate(weakest) if at != place)
    ]
    usual = best((group[0] for group in groups), _ratio)[0]
    return (usual, *(winner for winner in winners if winner is not usual))


def _barred_by_average(candidate: Candidate, contenders: Sequence[Group]) -> Candidate:
    """The candidate, marked if it could split but was not let through."""
    competes = any(candidate is contender for group in contenders for contender in group)
    return candidate if candidate.barred or competes else replace(candidate, barred="average")


def _ratio(candidate: Candidate) -> Number:
    return candidate.scores["ratio"]
