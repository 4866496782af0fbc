"""C4.5: ID3's successor, for categorical and continuous attributes and for missing values.

At each node, as ID3, with three differences:

1. The score is the gain *ratio*. It can be large because the split information is small, however little is gained, so
   at first only those attributes are let through whose gain is at least the average (`above_average`).
2. A continuous attribute is cut in two. The cut of the largest *gain* stands for it; the ratio compares attributes.
3. Where answers are missing, a gain counts by the share of the rows that answer, and a row that does not goes down
   every branch, to the share of those that took it.

That is the learner of the books. What the programs add or do otherwise are rules with names, each in a field of its
own (`c45_options`); a profile is nothing but a list of them. `contenders` has the rules of who competes, `c45_rules`
those of cuts and branches, `collapsing` what is done in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from reference_tree.data.missing import Missing
from reference_tree.data.questions import Multiway, Threshold
from reference_tree.data.sample import Counts, Partition, Sample
from reference_tree.data.schema import Attribute
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.learners.c45_options import PROFILES, C45Options
from reference_tree.learners.c45_rules import WideGaps, cuts_in_reach
from reference_tree.learners.contenders import (
    Contender,
    Group,
    Score,
    Setting,
    above_average,
    best_of,
    everyone,
    first_kept,
    is_more_than,
    near_average,
    possible_winners,
)
from reference_tree.learners.decision import Decision, answer_of
from reference_tree.learners.place import Place
from reference_tree.learners.stopping import falls_short
from reference_tree.splitting.binary_subsets import one_vs_rest
from reference_tree.splitting.candidate import RuleId, two_branches
from reference_tree.splitting.continuous_bisection import Cut
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.splitting.scanning import finalists, scanned_cuts
from reference_tree.tree import Tree

MEASURED = ("gain", "split_information", "ratio")
"""The scores of a candidate; it is judged by the last one."""


@dataclass(frozen=True, kw_only=True)
class C45(C45Options):
    """The learner; its options are those of `C45Options`.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> tree = C45().grow(textbook("golf"))
        >>> tree.predict({"outlook": "sunny", "humidity": 77})
        'yes'

    Source:
        [N0 EN §3.2], [N1 §1.5], [N1 §1.5 step 6], [N1 §1.5 maximum likelihood], [N2 §2.2], [Quinlan1993 §2]. N1 returns
        the tree before it recurs. It repeats what it says of ID3, that it selects by maximum likelihood; of a choice by
        the *ratio* that is not so.
    """

    name: ClassVar[str] = "c45"

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
        if stop := self.stops.reason(sample.target, total, place):
            return replace(decision, stop=stop)
        sent = [self.standing(sample, attribute) for attribute in self._available(sample, place)]
        groups = [group for group, _ in sent if group]
        if not groups:
            considered = lambda: tuple(self._marked(sample, place, [], [], []))  # noqa: E731
            return replace(decision, stop=_nothing_to_ask(bar for _, bar in sent), considered=considered)
        competing, evidence = self.contenders(groups, Setting(sample.schema, lambda: table_weight(place, total)))
        fit = [group for group in map(self._fit, competing) if group]
        considered = lambda: tuple(self._marked(sample, place, groups, competing, fit))  # noqa: E731
        decision = replace(decision, considered=considered, evidence=evidence)
        if not fit:
            return replace(decision, stop="no-candidates" if competing else "average")
        winners = possible_winners(fit, self.slack)
        chosen = self.ties.chosen(place, winners, winners[0])
        decision = replace(decision, winners=winners)
        enough = tuple(winner for winner in winners if not self._falls_short(winner))
        if not any(chosen is winner for winner in enough):
            return replace(decision, stop="epsilon")
        missing = Missing(shares=tuple(branch_shares(chosen.table.rows)))
        return replace(decision, winners=enough, chosen=chosen, missing=missing)

    def finish(self, tree: Tree) -> Tree:
        """The tree with what the rule `collapse` takes back."""
        return self.collapse(tree)

    # The questions of an attribute.

    def candidates(self, sample: Sample, place: Place) -> Iterator[Contender]:
        """Every question of every attribute that is left, barred ones included, in table order."""
        for attribute in self._available(sample, place):
            yield from self.questions(sample, attribute)

    def questions(self, sample: Sample, attribute: Attribute) -> list[Contender]:
        """The questions of one attribute, with the rule that bars each before the attributes compete.

        Source:
            [N2 §4.1 T_a], [N1 §1.5 step 5], [N3 Attributes with Many Values: binary splits]
        """
        if attribute.kind == "continuous":
            return self._cuts(sample, attribute.name)
        whole = Multiway.on(attribute)
        table = sample.partition(whole)
        if self.branching == "multiway":
            return [self._contender(whole, table, self._bar(table))]
        asked = [self._contender(test, parts, self._bar(parts)) for test, parts in one_vs_rest(attribute.name, table)]
        return asked or [self._contender(whole, table, "candidate")]

    def _cuts(self, sample: Sample, attribute: str) -> list[Contender]:
        found = list(scanned_cuts(sample, attribute))
        barred = [self._bar_cut(cut) for cut in found]
        penalty = self.penalty(max(barred.count(None), 1), sum(sample.total()))
        return [self._cut(sample, cut, penalty, bar) for cut, bar in zip(found, barred, strict=True)]

    def _cut(self, sample: Sample, cut: Cut, penalty: Number | None, barred: RuleId | None = None) -> Contender:
        placed = self.threshold(cut.test, sample.schema.numbers[cut.test.attribute], self.slack)
        return self._contender(placed, cut.table, barred, penalty)

    def _contender(
        self, test: Any, table: Partition, barred: RuleId | None, penalty: Number | None = None
    ) -> Contender:
        return Contender(test, table, MEASURED, barred, split_information=self.split_information, penalty=penalty)

    def _bar(self, table: Partition) -> RuleId | None:
        """The rule that excludes a question with this table."""
        weights = [sum(row) for row in table.rows]
        if not two_branches(weights):
            return "candidate"
        return None if self.branch_minimum(weights, self.min_samples_leaf) else "min-samples-leaf"

    def _bar_cut(self, cut: Cut) -> RuleId | None:
        """The rule that keeps a cut from being tried."""
        sides = [sum(row) for row in cut.table.rows]
        assert cut.test.interval is not None
        low, high = cut.test.interval
        if high - low <= self.cut_gap:
            return "cut-gap"
        least = self.cut_minimum(self.min_samples_leaf, sum(sides), len(cut.table.unknown))
        return "min-samples-leaf" if min(sides) < least else self._bar(cut.table)

    # Who stands for an attribute, and who may win.

    def standing(self, sample: Sample, attribute: Attribute) -> tuple[Group, RuleId | None]:
        """The questions that may stand for an attribute, or the rule for which there is none.

        They are those of largest gain; with some slack the first one within it is the usual one.

        Source:
            [N2 §4.1 Gain], [N2 §4.1 choice], [Quinlan1993 §2.4]. The gain chooses the cut, not the ratio (decision
            c45.threshold). Of one value against the rest, J48 takes the best *ratio*.
        """
        allowed, bar = self._allowed(sample, attribute)
        if not allowed:
            return [], bar
        score: Score = "net_gain" if attribute.kind == "continuous" else "ratio"
        best = best_of(allowed, score) if len(allowed) > 1 else allowed
        first = first_kept(allowed, score, self.slack) if self.slack else best[0]
        if not self._gains(first):
            return [], "zero-gain"
        return [first, *(question for question in best if question is not first)], None

    def _allowed(self, sample: Sample, attribute: Attribute) -> tuple[list[Contender], RuleId | None]:
        """The questions of an attribute that no rule bars; of cuts only those that may come to stand for it."""
        if attribute.kind == "categorical":
            questions = self.questions(sample, attribute)
            bars = [question.barred for question in questions]
            allowed = [question for question in questions if question.barred is None]
            return allowed, "min-samples-leaf" if "min-samples-leaf" in bars else "candidate"
        total, least = sum(sample.total()), self.min_samples_leaf
        if self.cut_minimum(least, total, len(sample.target.columns)) > least:  # else it is no more of what is known
            known = total - sum(sample.ordered(attribute.name).unknown)
            least = self.cut_minimum(least, known, len(sample.target.columns))
        sample = WideGaps(sample, self.cut_gap) if self.cut_gap else sample
        found = finalists(sample, attribute.name, "gain", least, boundaries=not self.slack)
        if not found.tries:
            return [], "min-samples-leaf" if found.cuts else "candidate"
        penalty = self.penalty(found.tries, total)
        near = cuts_in_reach(sample, found, self.slack) if self.slack else [finalist.cut for finalist in found[:]]
        return [self._cut(sample, cut, penalty) for cut in near], None

    def _gains(self, best: Contender) -> bool:
        """Whether the best question gains what a cut has to gain."""
        if self.cut_gain == "any" or not isinstance(best.test, Threshold):
            return True
        return is_more_than(best, "net_gain", self.slack)

    def _fit(self, group: Group) -> Group:
        """Those of a group that may win."""
        return [contender for contender in group if self._unfit(contender) is None]

    def _unfit(self, contender: Contender) -> RuleId | None:
        """The rule that keeps a contender from winning."""
        least = self.least_split_information
        if least and not is_more_than(contender, "split_information", least):
            return "split-information"
        if self.zero_gain == "stops" and not is_more_than(contender, "ratio", self.slack):
            return "zero-gain"
        return None

    def _falls_short(self, contender: Contender) -> bool:
        """Whether a ratio is below ε; it need not be computed where its bounds say that it is not."""
        if contender.ratio_bounds.low >= self.epsilon * contender.unit("ratio"):
            return False
        return falls_short(contender.scores["ratio"], self.epsilon)

    def _available(self, sample: Sample, place: Place) -> list[Attribute]:
        return [attribute for attribute in sample.schema.attributes if attribute.name in place.available]

    # For those who look at a decision.

    def _marked(
        self, sample: Sample, place: Place, groups: Sequence[Group], competing: Sequence[Group], fit: Sequence[Group]
    ) -> Iterator[Contender]:
        """Every candidate with the rule that excluded it, those that could win being the very ones that did compete."""
        standing = {contender.test: contender for group in groups for contender in group}
        sent = {contender.test.attribute for contender in standing.values()}
        may_compete, may_win = _members(competing), _members(fit)
        for candidate in self.candidates(sample, place):
            contender = standing.get(candidate.test)
            if contender is None:
                bar = candidate.barred or ("not-best" if candidate.test.attribute in sent else "zero-gain")
                yield replace(candidate, barred=bar)
            elif id(contender) in may_win:
                yield contender
            else:
                barred = self._unfit(contender) if id(contender) in may_compete else "average"
                yield replace(contender, barred=barred)


def table_weight(place: Place, total: Counts) -> Rational:
    """The weight of the whole table.

    Args:
        place: of any node.
        total: the weight of each class there.
    """
    if place.parent is None:
        return sum(total)
    while place.parent is not None and place.parent.parent is not None:
        place = place.parent
    assert place.inherited is not None, "a place below another one has inherited an answer"
    return sum(place.inherited.counts)


def _members(groups: Iterable[Group]) -> set[int]:
    return {id(contender) for group in groups for contender in group}


def _nothing_to_ask(bars: Iterable[RuleId | None]) -> RuleId:
    """Why a node is a leaf if no attribute has a question to ask: all that could split leave too small a branch."""
    found = set(bars)
    return "min-samples-leaf" if "min-samples-leaf" in found and "zero-gain" not in found else "no-candidates"


__all__ = ["C45", "PROFILES", "above_average", "everyone", "near_average", "table_weight"]
