"""The walk down a tree: each node is compared with the learner's decision on the rows that arrive there.

1. The rows are sent down the tree itself, as the program that grew the tree saw them.
2. At each node the learner decides, and the node is compared with its decision (`judging`).
3. If a threshold sends other rows than the branches say they have, the node is blamed once, and the nodes below are
   judged by the stated rows (`parting`). A fault that cannot be mended is the cause of the faults below.
4. Under a limit on leaves, the order of splits is judged when all nodes are known (`order`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from reference_tree.auditing.claims import Claim, counted_once
from reference_tree.auditing.excuses import BY_PRUNING, Excuses, raises, with_causes_below
from reference_tree.auditing.finding import (
    ASKS_OTHERWISE,
    OF_ALL_ROWS,
    Fault,
    Finding,
    Regret,
    by_cause,
    fault,
    fault_of_way,
    of_text,
    shown,
)
from reference_tree.auditing.hypotheses import NOTHING, Repruning, Supposed
from reference_tree.auditing.judge import Appraisal
from reference_tree.auditing.judging import DecidedArrival, LearnerJudge, best_weight, fault_of_stop, shares_of, way_of
from reference_tree.auditing.order import BY_DECREASE, Late, late
from reference_tree.auditing.parting import fit, mended
from reference_tree.auditing.repruning import Prices, Regrown, compared
from reference_tree.auditing.stated import Closeness, Statements, found_no_impurity, is_near, records, states_way
from reference_tree.data.questions import Missing, Test, Threshold
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.table import Table, is_in_memory
from reference_tree.data.targets import added
from reference_tree.exact.rationals import Rational
from reference_tree.learners.decision import Decision
from reference_tree.learners.growing import check_question, grown_below
from reference_tree.learners.place import Answer, Place
from reference_tree.learners.registry import PRUNING
from reference_tree.node import Node
from reference_tree.programs.practices import DrawnByProgram, practice_of
from reference_tree.routing import foreseen

_TRIED = 20
"""The most tests of equal score by which rows are explained that a node does not send so."""


class _Pending(NamedTuple):
    """A node that is still to be judged."""

    number: int
    place: Place
    sample: Sample
    cause: int | None
    """The ancestor whose test sends other rows than its branches say."""
    leaf: int | None
    """The ancestor that should have been a leaf."""
    above: Counts
    """The total counts at the parent; at the root, its own."""


class _Question(NamedTuple):
    """The test of a node: the stated one, or the one that divides its rows as stated."""

    test: Test
    children: Sequence[tuple[Place, Sample]]
    fault: Fault | None = None
    is_cause: bool = False
    """Whether faults below may follow from it."""
    is_told: bool = True
    """Whether the counts of the branches are known, so that faults below do not follow from it."""


class Walk:
    """One walk down a tree.

    Args:
        claim: the tree, with its learner and its rows.
        validation: the validation rows, for a learner that prunes before it splits.
        pruned: whether the tree was pruned after it was grown.
        max_leaves: the program's limit on leaves.
        ranks: whether a bad test is ranked among all tests.
        supposed: what is supposed besides what is told.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.auditing.claims import Claim
        >>> days = rt.textbook("play-tennis")
        >>> walk = Walk(Claim(rt.ID3().grow(days), rt.ID3(), days))
        >>> [(found.said, found.verdict) for found in walk.findings()][:3]
        [('outlook', 'optimal'), ('yes', 'optimal'), ('wind', 'optimal')]
    """

    def __init__(
        self,
        claim: Claim,
        validation: Table | None = None,
        pruned: bool = False,
        max_leaves: int | None = None,
        ranks: bool = True,
        supposed: Supposed = NOTHING,
    ) -> None:
        self.tree, self.learner, self.table, self.number, self.faults, _ = claim
        self.validation, self.max_leaves = validation, max_leaves
        # Draws follow one another, so a learner that replays them has to visit the nodes in the order of the program.
        self.replay = self.learner if isinstance(self.learner, DrawnByProgram) else None
        """The learner, if it replays draws."""
        self.decider = self.learner if self.replay is None else self.replay.base
        """The learner that decides, among what was drawn."""
        self.is_lost = False
        """Whether the draws before the next node are not known any more."""
        self.is_regrown = False
        """Whether some of these draws are those of a subtree that was left out, and is grown anew."""
        self.pruned = pruned or PRUNING in claim.tree.grower.options
        self.stated = Statements(claim.tree)
        self.judge = LearnerJudge(
            claim.learner,
            Closeness.of(claim.tree, len(claim.table) if is_in_memory(claim.table) else 0),
            is_record=records(claim.tree, claim.learner),
            pruned=self.pruned,
            has_draws="draws" not in claim.tree.silent,
            has_surrogates=claim.tree.program is None or any(node.missing.surrogates for node in claim.tree.nodes),
            ranks=ranks,
        )
        # What is known of the whole tree before its nodes are judged: how it prunes, at which price, and what excuses
        # it.
        self.anew = self._anew(supposed.repruning)
        self.prices = Prices(self.tree, self.decider, supposed.price) if supposed.price else None
        self.excuses = Excuses(self.stated, self.judge, claim.table, validation, max_leaves, self.anew.excuses)
        self.capped = self.excuses.is_capped
        self.blamed: set[int] = set()
        """The wrong nodes so far."""
        self.best: dict[int, Regret] = {}
        """For each node of a tree under a limit on leaves, the loss if it were a leaf, where it could be split."""
        self.sides: dict[int, Sequence[Rational]] = {}
        """For each node of such a tree that asks, the weights of the rows of its branches that have a value."""

    def findings(self, only: int | None = None) -> Iterator[Finding]:
        """The findings at each node in preorder, or at one. The order of splits is judged when all are known."""
        # Four ways to go. A price, a merging of leaves, a cap and a replay need every node before any is final.
        if self.prices is not None:
            found = self.prices.judged(list(self.in_turn()))
            yield from (finding for finding in found if only in (None, finding.number))
            return
        # Leaves merge upwards: a node that should have been merged may follow from one below it.
        if self.excuses.merges and only is None:
            yield from with_causes_below(self.tree, list(self.in_turn()))
            return
        if not (self.capped and self.has_order) and self.replay is None:
            yield from self.in_turn(only)
            return
        found = sorted(self.in_turn(), key=attrgetter("number"))
        # The tree has fewer leaves than it may have: growth would have gone on at the best leaf, so that only this one
        # is at fault.
        if self.max_leaves is not None and not self.capped:
            found = list(self._of_one_cause(found))
        # The order of splits is judged only in a tree that is right otherwise, for a wrong node changes every worth
        # below it.
        is_known = all(number in self.best for number, node in enumerate(self.tree.nodes) if node.test is not None)
        is_right = all(not finding.faults or finding.excused for finding in found)
        if self.capped and self.has_order and is_known and is_right:
            for one in late(self.tree, {number: best.in_all for number, best in self.best.items()}):
                found[one.leaf] = self._late(found[one.leaf], one)
        yield from (finding for finding in found if only in (None, finding.number))

    def _anew(self, repruning: Repruning | None) -> Regrown:
        """What is found by growing the tree anew, and pruning it as is supposed."""
        if repruning is None or not is_in_memory(self.table):
            return Regrown()
        return compared(self.tree, self.table, repruning.anew)

    @property
    def has_order(self) -> bool:
        """Whether the learner's next split is known: its score is a decrease, and all rows have one weight."""
        grower = self.learner.grower()
        is_weighed = any(grower.options.get(name) for name in ("priors", "loss"))
        return grower.name in BY_DECREASE and not (self.pruned or is_weighed or "draws" in self.tree.silent)

    @property
    def made(self) -> Sequence[int]:
        """For each node, when it was made; empty if nothing was drawn."""
        return () if self.replay is None or self.replay.draws is None else self.replay.draws.made

    @cached_property
    def gap(self) -> int:
        """Of the nodes in the order in which they were made, the number of the first one that is not there."""
        return next((number for number, one in enumerate(sorted(self.made)) if one != number), len(self.made))

    def _of_one_cause(self, found: Sequence[Finding]) -> Iterator[Finding]:
        """The findings where a cap is not reached: of the leaves that could be split, the best one would have been."""
        early = [one.number for one in found if one.verdict == "stopped-early" and one.cause is None]
        # the draws behind the gap are not known
        known = [number for number in early if not self.made or self.made[number] < self.gap]
        first = max(known or early, key=lambda number: Fraction(self.best[number].in_all), default=None)
        for one in found:
            yield replace(one, cause=first) if one.number in early and one.number != first else one

    def _late(self, finding: Finding, one: Late) -> Finding:
        """The finding at a leaf that is worth at least as much as a node that was split."""
        # Only a leaf that the cap excuses could have been split; any other is one to the learner as well.
        if not finding.excused:
            return finding
        if one.loss == 0:
            return replace(
                finding, excused=f"{finding.excused}; node {one.node}, which was split, takes exactly as much"
            )
        best, other = self.best[one.leaf], self.best[one.node]
        message = f"{best.best} takes more of the impurity of the whole tree than node {one.node}, which was split"
        regret = replace(best, score=other.in_all / best.weight)
        late_fault = fault("stopped-early", message, "order.best-first")
        return replace(finding, faults=(late_fault,), excused="", regret=regret)

    def in_turn(self, only: int | None = None) -> Iterator[Finding]:
        """The findings at each node in preorder, or at one, without the order of splits."""
        # For one node, only the way down to it is judged.
        wanted = None if only is None else {only, *self._above(only)}
        sample, taken_back = foreseen(self.table.sample(), self.tree.nodes), self.excuses.taken_back()
        # A replay counts rows, and weights decide the scores; so the rows are sent down twice, once without weights.
        holdout = counted_once(self.table) if self.replay is not None else None
        holdout = holdout if self.validation is None else self.validation.sample()
        pending = [_Pending(0, Place.root(sample, holdout), sample, None, None, sample.total())]
        while pending:
            here = pending.pop() if self.replay is None else self._next(pending, self.replay)
            node = self.tree.nodes[here.number]
            # The node is compared with what the learner decides on the rows that the tree itself sent there.
            decision = self._decided(here, node)
            at = DecidedArrival(here.place, here.sample, decision, here.above, here.number)
            if self.replay is not None and self._is_astray(at, node):
                # From here on the draws are not known: the test of each node is taken to have been drawn.
                self.is_lost = True
                self.replay.forget(here.place)
                decision = self._decided(here, node)
                at = at._replace(decision=decision)
            if self.prices is not None:
                self.prices.arrivals[here.number] = at
            if self.max_leaves is not None and decision.chosen is not None and node.stop not in BY_PRUNING:
                # The worth of a node under a cap: what its best test takes, whether or not it asks.
                best, by = decision.winners[0], decision.judged_by
                self.best[here.number] = Regret(0, shown(best.test).name, best.scores[by], best_weight(here.sample), by)
            is_cause = False
            if node.test is None:
                finding = self._finding(here, at, self.judge.judge(at, self.stated.of(at.number)), ())
            else:
                check_question(node.test, self.table)
                question = self._question(at, node, node.test)
                if self.max_leaves is not None:
                    parts = here.sample.partition(node.test).rows
                    self.sides[here.number] = list(map(here.sample.target.weight, parts))
                finding, is_cause = self._inner(here, at, question), question.is_cause
                if not (question.is_told or finding.excused) and here.cause is None:
                    is_cause = any(one.verdict in ASKS_OTHERWISE for one in finding.faults)
                cause = here.number if is_cause else here.cause
                # Below a node that should be a leaf everything is split too far, and follows from it.
                is_leaf = decision.chosen is None and not finding.excused
                leaf = here.number if here.leaf is None and is_leaf else here.leaf
                below = list(zip(node.branches, question.children, strict=True))
                # Where branches are exchanged, the nodes were made in the order of the sides of the test.
                below.sort(key=lambda one: one[1][0].branch)  # the order in which they were made
                above = here.sample.total()
                pending += [_Pending(to, *child, cause, leaf, above) for to, child in reversed(below)]
            if self.replay is not None:
                self._draw_on(here, finding, is_cause=is_cause)
            # What lies off the way is not visited; a replay of draws visits every node, and is never asked for one.
            if wanted is not None:
                pending = [one for one in pending if one.number in wanted]
            if here.number in taken_back:
                faults = by_cause([*finding.faults, fault_of_stop("collapsed")])
                finding = replace(finding, faults=faults, verdict=faults[0].verdict)
            if only in (None, here.number):
                yield finding

    def _decided(self, here: _Pending, node: Node) -> Decision:
        """The learner's decision at a node, among the tests that the program of the tree tries."""
        test, place = node.test, self._asking(here.place, node.test)
        if self.replay is not None:
            if self.replay.draws is not None and self.replay.draws.best_first:
                self.is_lost |= self.replay.draws.made[here.number] > self.gap
            # In a wrong place of the tree the program drew what nobody can repeat; so the tree's own test is taken to
            # have been drawn.
            if self.is_lost or here.cause is not None or here.leaf is not None:
                self.replay.assume(place, test)
            elif self._is_doubtful(here.sample, node):
                self.replay.tries[place.key] = found_no_impurity(node) is False
            elif self.replay.draws is not None and here.number in self.replay.draws.impure:
                self.replay.tries[place.key] = True
        decision = self.learner.decide(here.sample, place)
        if (widened := practice_of(self.tree).widened) is None:
            return decision
        if self.replay is None:
            return widened(decision, self.decider, here.sample, place, test)
        if self.replay.draws is not None and self.replay.draws.at_random:
            return decision
        place = self.replay.looked_at(here.sample, place)[1]
        bounded = partial(self.replay.bounded, place)
        return widened(decision, self.decider, here.sample, place, test, bounded)

    def _is_astray(self, at: DecidedArrival, node: Node) -> bool:
        """Whether a node shows that a subtree was grown anew otherwise than by the program, which ties by doubles."""
        if not self.is_regrown or self.is_lost:
            return False
        if node.test is None:
            return at.decision.chosen is not None and self.max_leaves is None
        drawn = [] if self.replay is None else [*self._faults_of_draw(at, node.test, self.replay)]
        return bool(drawn) or self.judge.question(at, node.test).choice is not None

    def _is_doubtful(self, sample: Sample, node: Node) -> bool:
        """Whether it depends on roundings if a program finds an impurity at a node of numbers, which says if it did."""
        if not self.judge.near.adds_doubles or not self.stated.tells("counts", node):
            return False
        total = sample.total()
        return is_near(Node(total, 0).error, total)

    @staticmethod
    def _next(pending: list[_Pending], replay: DrawnByProgram) -> _Pending:
        """Take out the node that was made next."""
        made = replay.draws.made if replay.draws is not None and replay.draws.best_first else ()
        if not made:
            return pending.pop()
        return pending.pop(min(range(len(pending)), key=lambda place: made[pending[place].number]))

    def _draw_on(self, here: _Pending, finding: Finding, *, is_cause: bool) -> None:
        """Draw for the nodes that are not there as they were grown; under a cap their order is not known."""
        is_left_out = any(one.verdict == "stopped-early" for one in finding.faults)
        is_left_out &= not finding.excused or self.pruned or self.tree.nodes[here.number].stop in BY_PRUNING
        if self.replay is None or self.replay.draws is None or not (is_left_out or is_cause):
            return
        if self.is_lost or here.cause is not None or here.leaf is not None:
            return
        self.is_regrown = True
        if not self.replay.draws.best_first:
            grown_below(self.replay, here.sample, here.place)
        elif is_cause:
            self.is_lost = True

    def _asking(self, place: Place, test: Test | None) -> Place:
        """The place of a node; if attributes were drawn, only those of its own test are known to be available."""
        if test is None or "draws" not in self.tree.silent:
            return place
        return place._replace(available=place.available & frozenset(test.attributes))

    def _above(self, number: int) -> Iterator[int]:
        while number > 0:
            number = self.tree.parents[number][0]
            yield number

    # A node that asks.

    def _question(self, at: DecidedArrival, node: Node, test: Test) -> _Question:
        """The test of a node and the rows of its branches: the stated rows, if one cut divides them so."""
        # Where the rows go: as the test and the stated way say, if the branches agree; otherwise by the smallest repair
        # that they agree with.
        missing = way_of(self.judge, self.tree, node, at, test)
        answer = self._handed_down(at, node)
        children = at.place.children(at.sample, test, answer, missing)
        stated = [counts for counts in map(self.stated.counts, node.branches) if counts is not None]
        has_counts = len(stated) == len(node.branches)
        alike = partial(self.judge.near.rows, above=at.sample.total())
        # The counts of the branches show a way that is not stated.
        if has_counts and not states_way(self.tree, node) and any(at.sample.partition(test).unknown):
            missing = self._shown_way(at, test, answer, missing, stated)
            children = at.place.children(at.sample, test, answer, missing)
        if not has_counts:
            return _Question(test, children, is_told=False)
        # A row that leaves a branch comes to another one: where a single one differs, its counts are at fault.
        if fit(stated, (part.total() for _, part in children), alike, but=1):
            return _Question(test, children)
        for to in range(len(node.branches)):
            others = at.place.children(at.sample, test, answer, replace(missing, to=to))
            if missing.to is not None and fit(stated, (part.total() for _, part in others), alike):
                return _Question(test, others, fault_of_way(test, missing.to, to))
        if (question := self._mended(at, test, answer, missing, stated)) is not None:
            return question
        if not self._adds_up(stated, at.sample):
            return _Question(test, children)  # the counts of a branch are wrong, and it will be blamed itself
        found = of_text("divided", test=test)
        found = found if isinstance(test, Threshold) else replace(found, verdict="wrong-counts")
        return _Question(test, children, found, is_cause=True)

    def _handed_down(self, at: DecidedArrival, node: Node) -> Answer:
        """The prediction of a branch without rows: what the node states; if that is wrong, that of its rows.

        A program that handed its wrong prediction down is at fault once, at the node.
        """
        right, stated = at.decision.answer, self.stated.of(at.number)
        below = [self.tree.nodes[branch] for branch in node.branches]
        is_handed_down = any(one.label == node.label and not any(one.counts) for one in below)
        if stated.label is None:
            return Answer(right.label, right.counts)
        is_wrong = any(True for _ in self.judge.answer(at, stated))
        return Answer(right.label if is_wrong and not is_handed_down else node.label, right.counts)

    def _shown_way(
        self, at: DecidedArrival, test: Test, answer: Answer, missing: Missing, stated: Sequence[Counts]
    ) -> Missing:
        """The way of rows without an outcome that agrees with the counts of most branches.

        Args:
            at: the node, and its rows.
            test: its test.
            answer: its prediction.
            missing: the way by the learner, the first of equals.
            stated: the counts of the branches.
        """
        ways = [missing, Missing(stays=True), *(Missing(to=to) for to in range(len(stated)))]
        alike = partial(self.judge.near.counts, above=at.sample.total())

        def misfits(way: Missing) -> int:
            parts = at.place.children(at.sample, test, answer, way)
            return sum(not alike(own, part.total()) for own, (_, part) in zip(stated, parts, strict=True))

        return min(ways, key=misfits)

    def _mended(
        self, at: DecidedArrival, test: Test, answer: Answer, missing: Missing, stated: Sequence[Counts]
    ) -> _Question | None:
        """The test whose branches have the stated rows: that of the node, with exchanged branches, or another one.

        Of several, one that the learner would ask is preferred, and one that leaves the nodes below as they are.
        """
        alike, found = partial(self.judge.near.rows, above=at.sample.total()), list[_Question]()
        if len(stated) == 2:
            # Exchanged branches and another threshold may both fit the counts: the likelier is taken.
            swapped = at.place.children(at.sample, test, answer, missing)[::-1]
            if fit(stated, (part.total() for _, part in swapped), alike):
                found.append(_Question(test, swapped, of_text("swapped", test=test)))
        off = self.judge.near.off(best_weight(at.sample)) * len(at.sample.target.columns)
        there = mended(test, at.sample, missing, stated, alike, off)
        others: list[tuple[Test, Missing]] = []
        if there is not None:
            others = [(there, replace(missing, shares=shares_of(at.sample, there)) if missing.shares else missing)]
        if self.replay is not None and not found and not others:  # the draws below depend on the rows
            others = [(winner.test, at.decision.missing) for winner in islice(at.decision.winners, _TRIED)]
        for other, way in others:
            children = at.place.children(at.sample, other, answer, way)
            if len(children) == len(stated) and fit(stated, (part.total() for _, part in children), alike):
                found.append(_Question(other, children, of_text("moved", test=test, other=other)))
        return max(found, key=partial(self._is_likely, at), default=None)

    def _is_likely(self, at: DecidedArrival, question: _Question) -> tuple[bool, bool]:
        """Whether a test is one that the learner would take, and whether the nodes below it fit its rows."""
        fits = True
        for to, (_, part) in zip(self.tree.nodes[at.number].branches, question.children, strict=True):
            node = self.tree.nodes[to]
            if node.test is not None and all(
                self.stated.tells("counts", self.tree.nodes[one]) for one in node.branches
            ):
                stated = [self.tree.nodes[branch].counts for branch in node.branches]
                parts = part.split(node.test, node.missing)
                fits &= fit(stated, (one.total() for one in parts), partial(self.judge.near.rows, above=part.total()))
        return self.judge.winner(at, question.test) is not None, fits

    def _adds_up(self, stated: Sequence[Counts], sample: Sample) -> bool:
        """Whether the counts that the branches state add up to the rows that arrive."""
        total = sample.total()
        if self.tree.target.values is not None:
            return self.judge.near.counts(tuple(added(stated)), total, total)
        # Of numbers only the weights have to add up: errors do not.
        weight = best_weight(sample)
        return self.judge.near.weight(sum(counts[0] for counts in stated), weight, weight)

    def _inner(self, here: _Pending, at: DecidedArrival, question: _Question) -> Finding:
        stated = self.stated.of(at.number)._replace(test=question.test)
        # A raised branch keeps the way that it had among other rows.
        if question.fault is not None or raises(self.tree):
            stated = stated._replace(missing=None)
        judged = self.judge.judge(at, stated)
        others = [] if question.fault is None else [question.fault]
        if judged.choice is None and question.fault is None and self.replay is not None:
            others += self._faults_of_draw(at, question.test, self.replay)
        return self._finding(here, at, judged, others)

    @staticmethod
    def _faults_of_draw(at: DecidedArrival, test: Test, replay: DrawnByProgram) -> Iterator[Fault]:
        """Whether the threshold is the drawn one; another one may divide the rows alike."""
        drawn, _ = replay.looked_at(at.sample, at.place)
        right = None if drawn is None or not isinstance(test, Threshold) else drawn.thresholds.get(test.attribute)
        if right is not None and isinstance(test, Threshold) and right != test.threshold:
            message = f"it asks {shown(test).name}, and {shown(replace(test, threshold=right)).name} was drawn"
            yield Fault("wrong-threshold", message, "threshold-not-drawn")

    # Common to inner nodes and leaves.

    def _finding(self, here: _Pending, at: DecidedArrival, judged: Appraisal, others: Sequence[Fault]) -> Finding:
        node = self.tree.nodes[here.number]
        said = str(node.label) if node.test is None else shown(node.test).name
        if here.number in self.anew.faults and judged.choice is None:
            others = [*others, self.anew.faults[here.number]]
        # The faults of the whole tree are told at its root.
        faults = by_cause([*judged.faults, *others, *(self.faults if here.number == 0 else ())])
        verdict = faults[0].verdict if faults else judged.verdict
        cause = here.cause if faults else None
        # Below a node that differs from the tree grown anew, faults follow from it if it was blamed.
        if cause is None and faults and verdict not in OF_ALL_ROWS:  # counts that contradict a test follow from nothing
            above = self.anew.causes.get(here.number)
            cause = above if above in self.blamed else None
        if cause is None and verdict == "split-too-far":
            cause = here.leaf
        weight = best_weight(at.sample)
        # Only a choice is excused; a wrong count or prediction never is.
        is_choice = judged.choice is not None and faults == (judged.choice,)
        excuse = self.excuses.of(at, is_lost=self.is_lost) if is_choice else ""
        self.blamed |= {here.number} if faults and not excuse else set()
        return Finding(here.number, verdict, weight, said, faults, judged.regret, cause, excuse, self.number)
