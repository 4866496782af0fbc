"""Judging a node of a boosted tree: what is stated of it is compared with what follows from bounds of derivatives.

`EnclosedJudge` asks `Enclosures` which tests are certainly better than that of a node, and which may be as good.
Besides tests and leaves a model states of its nodes some of: the number of rows, H, what a node would add as a
leaf, and the gain of its test. Each of these has to follow from the rows that arrive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain
from operator import itemgetter

from reference_tree.auditing.boosted_nodes import BoostedCut, BoostedRows, Enclosures, score
from reference_tree.auditing.finding import Fault, fault, of_text, shown
from reference_tree.auditing.judge import Appraisal, Judge
from reference_tree.auditing.program_derivatives import BITS, Ends
from reference_tree.auditing.stated import ROUNDED, Stated, Statements
from reference_tree.data.errors import number_of
from reference_tree.data.questions import Subset, Test
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import significant
from reference_tree.programs.boosted import Numbers
from reference_tree.programs.boosters import PROGRAMS
from reference_tree.tree import Tree

RULE = "measure.gradient-gain"
"""The id of the rule by which tests and leaves are judged."""


class EnclosedJudge(Judge[BoostedRows]):
    """Judges the nodes of one tree.

    Args:
        tree: the tree.
        numbers: what its model states of the nodes besides.
        by: what is known of the rows.
    """

    def __init__(self, tree: Tree, numbers: Numbers, by: Enclosures) -> None:
        self.tree, self.by, self.stated, self.near = tree, by, Statements(tree, numbers), by.booster.stated
        self.capped = by.booster.max_leaves is not None and len(tree.leaves()) >= by.booster.max_leaves

    def fits(self, at: BoostedRows) -> bool:
        """Whether everything that a node states is true of some rows."""
        stated = self.stated.of(at.number)
        return not any(True for _ in chain(self.counts(at, stated), self.answer(at, stated)))

    def counts(self, at: BoostedRows, stated: Stated) -> Iterator[Fault]:
        """The faults of the number of rows, and of H."""
        n, h = (stated.counts or (0,))[0], stated.figures.get("h")
        # A count of 0 is one that the model does not state.
        if n and n != len(at.rows):
            yield of_text("arrivals", said=number_of(n, "row"), found=len(at.rows))
        if h is not None:
            scale, near = self.by.known.scale, self.near
            # H is a sum of floats: it may lose a share of the largest sum on the way, besides the roundings of its own
            # rows.
            lost = ROUNDED * self.by.whole.h_high / scale
            low, high = Fraction(at.whole.h_low) / scale, Fraction(at.whole.h_high) / scale
            yield from self._differs("h", h, (low * (1 - near) - lost, high * (1 + near) + lost), near=0)

    def answer(self, at: BoostedRows, stated: Stated) -> Iterator[Fault]:
        """Faults in the value of a leaf, or in the value an inner node would have as a leaf."""
        weight, value, by, is_root = stated.figures.get("weight"), stated.figures.get("value"), self.by, at.number == 0
        if not len(at.rows):
            return
        is_light = by.booster.light_is_idle and at.whole.h_low < by.least
        if weight is not None and not (is_light and weight == 0):
            # A leaf may state its value before or after the learning rate is applied.
            scaled = stated.test is None and _lies(weight, by.worth_of(at.whole), self.near)
            yield from () if scaled else self._differs("weight", weight, by.worth_of(at.whole, 1))
        # A root may state 0, or the start alone, in place of a value of its rows.
        if value is not None and not (is_root and (value == 0 or by.is_start(value))):
            yield from self._differs("value", value, by.worth_of(at.whole, more=self._more(at.number)))
        if stated.test is None:
            added, ends = Fraction(stated.label or 0), self.worth(at)
            # A tree of one leaf may add nothing but the start.
            is_idle = (by.booster.idle_root and is_root and by.is_start(added)) or (is_light and added == 0)
            if not is_idle and not ends[0] <= added <= ends[1]:
                yield of_text("addend", said=significant(added, 9), found=_between(ends))

    def worth(self, at: BoostedRows) -> Ends:
        """The bounds of what a leaf of the rows that arrive adds."""
        whole = at.whole if self.by.booster.newton else self.by.leaves.sums(at.rows)
        return self.by.worth_of(whole, more=self._more(at.number))

    def _more(self, number: int) -> Rational:
        """What may have been added to λ at a node: below a test about categories."""
        parent = self.tree.parents[number][0] if number else 0
        return self.by.booster.category_lambda if isinstance(self.tree.nodes[parent].test, Subset) else 0

    def others(self, at: BoostedRows, stated: Stated) -> Iterator[Fault]:
        """The fault of the gain that a node states, if that of its test is another one."""
        by, gain = self.by, stated.figures.get("gain")
        if stated.test is None or gain is None:
            return
        (low, high), parent, scale = by.score(*at.sides), by.score(at.whole), by.known.scale
        # A program may judge sets of categories by a larger λ; so the lower bound is taken with it.
        if isinstance(self.tree.nodes[at.number].test, Subset):
            low = score(at.sides, by.reg_lambda + by.booster.category_lambda * scale, by.least)[0]
        off = by.slack * (high + parent[1]) + self.near * high
        alone = (low - off) / scale, (high + off) / scale  # HistGradientBoosting takes 0 for the score of the root
        if not (at.number == 0 and by.booster.idle_root and _lies(gain, alone, self.near)):
            ends = (low - parent[1] - off) / scale - by.booster.gamma, (high - parent[0] + off) / scale
            yield from self._differs("gain", gain, ends)

    def _differs(self, name: str, own: Fraction, ends: Ends, near: Rational | None = None) -> Iterator[Fault]:
        """The fault of a figure that is not between its bounds, by the name that the program gives it."""
        if not _lies(own, ends, self.near if near is None else near):
            program = "" if self.tree.program is None else self.tree.program.name
            called = PROGRAMS[program].stated[name] if program in PROGRAMS else name
            yield of_text("figure", figure=called, said=significant(own, 9), found=_between(ends))

    # The test, or the leaf.

    def question(self, at: BoostedRows, test: Test) -> Appraisal:
        """The verdict on a test, which sends the rows `at.left` to the first branch."""
        by, deepest = self.by, self.by.booster.max_depth
        # The bounds that need no score come first: they are certain.
        if deepest is not None and at.depth >= deepest:
            return _wrong("split-too-far", f"it lies {at.depth} questions deep, and max_depth is {deepest}")
        if bar := self._bar(at, test):
            return _wrong("not-a-candidate", f"{shown(test).name} {bar}")
        (low, high), parent = by.score(*at.sides), by.score(at.whole)
        # A rival whose score is certainly at most the least of this one changes nothing, and is left out.
        rivals = list(by.scored(at, low))
        among = [one for one in rivals if one[3].is_edge]
        if better := self._better(at, high, parent[1], among):
            return _wrong("suboptimal", better)
        # A split that gains too little may still stand if a split below it gains enough: pruning by γ goes from the
        # leaves up.
        has_leaves = all(self.tree.nodes[branch].test is None for branch in self.tree.nodes[at.number].branches)
        if has_leaves and high - parent[0] + by.slack * (high + parent[1]) < by.enough_gain:
            gained = significant((high - parent[0]) / by.known.scale, 6)
            return _wrong("split-too-far", f"it gains {gained} at most, and has to gain {significant(by.floor, 9)}")
        # A test that divides the rows alike is no rival.
        same = at.left, at.rest(at.left)
        rounded = any(by.exactly(cut, at.whole)[1] > low and at.side(cut) not in same for *_, cut in among)
        worse = self._better(at, high, parent[1], rivals)
        note = f"among all gaps suboptimal: {worse}" if worse else ""
        return Appraisal("within-rounding" if rounded else "optimal", note=note)

    def _better(
        self, at: BoostedRows, high: Fraction, parent: Fraction, rivals: Sequence[tuple[int, int, bool, BoostedCut]]
    ) -> str:
        """The test that certainly is allowed and gains more than one of score `high`; empty if none is known."""
        # Only a rival that no bound may forbid proves anything.
        best = max((one for one in rivals if not one[2]), key=itemgetter(0), default=None)
        if best is None:
            return ""
        worth = self.by.exactly(best[3], at.whole)[0]
        # Both gains are differences of the same parent, so the slack of all three sums has to be overcome.
        if worth <= high + self.by.slack * (worth + high + 2 * parent):
            return ""
        more = significant((worth - high) / self.by.known.scale, 6)
        return f"{self.by.name(at, best[3])} gains at least {more} more"

    def _bar(self, at: BoostedRows, test: Test) -> str:
        """The bound that certainly forbids a test; empty if none does."""
        by, (own, rest), n = self.by, at.sides, len(at.left)
        rows = (n, len(at.rows) - n)
        # Only what certainly forbids the test is named: where a program estimates rows by H, `few` allows for its
        # roundings.
        fewer = min(rows)
        if by.few(rows, own, at.whole, by.distinct(at, test.attributes[0]) if by.rows_by_h else 0)[0]:
            return f"leaves {number_of(fewer, 'row')} on a side, of which there have to be {by.fewest}"
        h = min(own.h_high, rest.h_high)
        if h < by.least:
            return f"leaves an H of {significant(Fraction(h, by.known.scale), 9)}, and min_child_weight is more"
        return ""

    def leaf(self, at: BoostedRows, stated: Stated) -> Appraisal:
        """The verdict on a leaf that may still be split, and about what its best test gains.

        Not every edge is known, nor always whether a bound forbids a test.
        """
        by, n, whole = self.by, len(at.rows), at.whole
        deepest = by.booster.max_depth
        if self.capped or (deepest is not None and at.depth >= deepest):
            return Appraisal("optimal")
        parent = by.score(whole)[1]
        found = list(by.scored(at, parent + by.enough_gain))
        likely = (
            Fraction(low, 1 << BITS)
            for low, _, _, cut in found
            if not by.rows_by_h
            or 2 * n * min(cut.sums.h_low, (whole - cut.sums).h_low) >= (2 * by.fewest - 1) * whole.h_low
        )
        about = max(likely, default=parent) - parent
        allowed = ((low, cut) for low, _, may_be_barred, cut in found if cut.is_edge and not may_be_barred)
        best = max(allowed, key=itemgetter(0), default=None)
        if best is not None:
            low = by.exactly(best[1], whole)[0]
            gain = low - parent - by.slack * (low + parent)
            if gain > max(by.enough_gain, by.no_impurity(at.rows)):
                gained = significant(gain / by.known.scale, 6)
                return _wrong("stopped-early", f"{by.name(at, best[1])} gains at least {gained}")._replace(gain=about)
        return Appraisal("optimal", gain=about)


def _wrong(verdict: str, message: str) -> Appraisal:
    return Appraisal(verdict, choice=fault(verdict, message, RULE))


def _between(ends: Ends) -> str:
    return " to ".join(dict.fromkeys(significant(end, 9) for end in ends))


def _lies(number: Fraction, ends: Ends, near: Rational) -> bool:
    off = near * abs(number)
    return ends[0] - off <= number <= ends[1] + off
