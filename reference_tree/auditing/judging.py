"""Judging by a learner: its exact decision on the rows that arrive is compared with what is stated of the node.

`LearnerJudge` judges trees of this package and of other programs, and the answers to goldens
(`reference_tree.checking.walking`). Appraisal is in turn

1. whether the stated counts and the stated prediction are those of the rows;
2. whether the test is one of the best, and if not, by how much it falls short;
3. whether the learner also stops at a leaf, and for the stated reason: `pure` and `empty` have to be true of the rows
   in any tree, other reasons are compared where the learner is the very one that grew the tree;
4. whether rows without an outcome go where the learner sends them.

What is not stated is not judged. Numbers that a program rounded need not be exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, islice
from operator import attrgetter
from typing import Any, NamedTuple

from reference_tree.auditing import surrogates
from reference_tree.auditing.finding import BARS, STOPS, Fault, Reason, Regret, fault, of_text, shown
from reference_tree.auditing.judge import Appraisal, Judge
from reference_tree.auditing.parting import branches_alike, is_asked, parts_like
from reference_tree.auditing.stated import ABSOLUTE, ROUNDED, Closeness, Stated, is_near, states_way
from reference_tree.conformance.decisions import MEASURES
from reference_tree.data.errors import number_of
from reference_tree.data.questions import Linear, Missing, Test, Threshold, path_step
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.targets import plus
from reference_tree.exact.choosing import best as exact_best
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import significant
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.options import Options
from reference_tree.learners.place import Place, Ties
from reference_tree.learners.stopping.bounds import rules
from reference_tree.measures.variance import Moments, mean
from reference_tree.node import Derivatives, Deviations, Node
from reference_tree.programs.practices import EPSILON
from reference_tree.splitting.candidate import Candidate, large_enough
from reference_tree.splitting.missing_rules import StandIns
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.tree import Tree

AT_BOUNDS = (None, "min-impurity-decrease", "zero-gain")
"""The decisions that depend on whether a decrease reaches a bound."""

_LISTED = 100_000
"""The largest number of tests among which a rank is counted."""


class DecidedArrival(NamedTuple):
    """The rows that arrive at a node, and what the learner decides about them."""

    place: Place
    sample: Sample
    decision: Decision
    above: Counts = ()
    """The total counts at the parent; at the root, its own."""
    number: int = 0
    """The number of the node in its tree."""


@dataclass(frozen=True)
class LearnerJudge(Judge[DecidedArrival]):
    """Judges nodes by the decisions of a learner.

    Args:
        learner: the learner whose decisions are compared.
        near: how far stated numbers may be from exact ones.
        is_record: whether this very learner is said to have grown the nodes, so that its reasons have to be theirs.
        pruned: whether they were pruned afterwards.
        has_draws: whether it is known which attributes were drawn, if any were.
        has_surrogates: whether surrogates are stated, if the learner looks for them.
        by_kind: whether a test of another kind is another one, even if it divides the rows alike.
        ranks: whether a bad test is ranked among all tests, which takes long.
    """

    learner: Learner
    near: Closeness
    is_record: bool = True
    pruned: bool = False
    has_draws: bool = True
    has_surrogates: bool = True
    by_kind: bool = False
    ranks: bool = True

    # What is stated of the rows.

    def counts(self, at: DecidedArrival, stated: Stated) -> Iterator[Fault]:
        """The fault of counts that are not those of the rows that arrive."""
        # The decision counts as its criterion does, such as deviations; of no rows the zeros of the sample are
        # compared.
        found = at.decision.total if any(at.sample.total()) else at.sample.total()
        if stated.counts is not None and not self.near.counts(stated.counts, found, at.above):
            yield of_text("arrivals", said=self.counted(stated.counts), found=self.counted(found))

    def counted(self, counts: Counts) -> str:
        """Counts in words."""
        classes = self.near.target.values
        if classes is not None and len(counts) == len(classes) and not isinstance(counts, Derivatives):
            return ", ".join(f"{label} {significant(n, 12)}" for label, n in zip(classes, counts, strict=True))
        rows = number_of(counts[0], "row", significant(counts[0], 12))
        if isinstance(counts, Derivatives | Deviations) or not counts[0]:
            return rows
        return f"{rows} of mean {significant(mean(Moments(*counts)), 12)}"

    def answer(self, at: DecidedArrival, stated: Stated) -> Iterator[Fault]:
        """The fault of a prediction that is not that of the rows."""
        label, answer = stated.label, at.decision.answer
        # A label that ties is as right as the one that the learner takes.
        if label is None or self.near.label(label, answer, at.sample):
            return
        if isinstance(label, str):
            right = " or ".join(answer.tied or (str(answer.label),))
            why = f"of {self.counted(answer.counts)} the prediction is"
            if answer.prior:
                why = "no row arrives, and the node above has"
            yield fault("wrong-leaf", f"it predicts {label}; {why} {right}", "empty-branch" if answer.prior else "")
        else:
            said, right = (significant(one, 12) for one in (label, answer.label))  # type: ignore[arg-type]
            yield of_text("prediction", said=said, found=right)

    # The test.

    def question(self, at: DecidedArrival, test: Test) -> Appraisal:
        """The verdict on a test, its fault if the learner would not take it, and how far it falls short."""
        decision, winner = at.decision, self.winner(at, test)
        # A stop may depend on which winner is taken; so the learner is asked about the very one that the node has.
        may_ask = decision.chosen is not None or (winner is not None and self.asking(at, winner).chosen is not None)
        if not may_ask and not self._is_at_bound(at, is_leaf=False):
            return Appraisal("split-too-far", choice=fault_of_stop(decision.stop or ""))
        if winner is not None:
            return Appraisal("optimal-tied" if len(decision.winners) > 1 else "optimal")
        return self._other_question(at, test)

    def winner(self, at: DecidedArrival, test: Test) -> Candidate | None:
        """The best test that divides the rows as this one does; None if there is none."""
        decision, tried = at.decision, iter(at.decision.winners)
        # The chosen one first: most nodes have it, and the other winners are made only if they are needed.
        first = () if decision.chosen is None else (decision.chosen,)
        return next((one for one in chain(first, tried) if self.is_same(test, one.test, at.sample)), None)

    def asking(self, at: DecidedArrival, winner: Candidate) -> Decision:
        """The decision of the learner if an override makes it take this one of the best tests."""
        decision, usual = at.decision, at.decision.chosen or at.decision.winners[0]
        if winner.test == usual.test or not isinstance(self.learner, Options):
            return decision
        # An override names a node by its path and takes one of the winners there; everything else is decided as usual.
        path = "/" + "/".join(str(branch) for branch, _ in at.place.steps())
        return replace(self.learner, ties=Ties({path: winner.test.name})).decide(at.sample, at.place)

    def is_same(self, test: Test, winner: Test, sample: Sample) -> bool:
        """Whether a test divides the rows as a winner does, whose interval is that of these very rows."""
        # Any threshold inside the gap of a winner divides the rows as it does, without a look at them.
        match test, winner:
            case Threshold(attribute=one, threshold=t), Threshold(attribute=other, interval=(low, high)):
                if one == other and low < t < high:
                    return True
        return (test.kind == winner.kind or not self.by_kind) and parts_like(test, winner, sample)

    def _other_question(self, at: DecidedArrival, test: Test) -> Appraisal:
        """The verdict on a test that is none of the best ones."""
        decision, one = at.decision, self.learner.judge_one(at.sample, at.place, test)
        best, by, asks = decision.winners[0], decision.judged_by, shown(test).name
        its_best = f"{shown(best.test).name} has {by} {significant(best.scores[by], 6)}"
        # A test that may not be asked has no score to be compared.
        if bar := self._bar(one, at):
            why, rule = BARS.get(bar, Reason(bar, bar))
            return Appraisal("not-a-candidate", choice=fault("not-a-candidate", f"{asks}: {why}; {its_best}", rule))
        regret = Regret(one.scores[by], shown(best.test).name, best.scores[by], best_weight(at.sample), by)
        if (bar := self._excluded(at, one)) is not None:
            message = f"{asks} may not compete ({bar}); {its_best}"
            found = fault("not-a-candidate", message, BARS.get(bar, Reason(bar, bar)).id)
        # As good as the best, though it divides the rows as none of the winners does.
        elif regret.score == regret.best_score:
            return Appraisal("optimal-tied")
        elif regret.score < regret.best_score and self.near.score(regret, at.sample):
            return Appraisal("within-rounding")
        # A better score than the best means that another rule of the learner keeps it out.
        elif regret.score > regret.best_score:
            message = f"{asks} scores more than {regret.best}, but by its rules the learner does not take it"
            return Appraisal("not-a-candidate", choice=fault("not-a-candidate", message, MEASURES.get(by, by)))
        else:
            has = significant(regret.best_score, 6)
            message = f"{asks} has {by} {significant(regret.score, 6)}, and {regret.best} has {has}"
            found = fault("suboptimal", message, MEASURES.get(by, by))
        return Appraisal(found.verdict, choice=found, regret=self._ranked(regret, decision, one))

    @cached_property
    def base(self) -> Any:
        """The learner below a forest, a replay of draws, or a pre-pruning."""
        learner: Any = self.learner
        return getattr(getattr(learner, "forest", learner), "base", None) or getattr(learner, "learner", learner)

    def _bar(self, one: Candidate, at: DecidedArrival) -> str | None:
        """The rule by which a test may not be taken, whatever its score."""
        # What is used up comes first, then how the learner branches, and last what bars a candidate.
        if not at.place.available >= {*one.test.attributes}:
            return "used-up"
        usual = "one-vs-rest" if getattr(self.base, "name", "") == "gradient-tree" else "multiway"
        if not is_asked(getattr(self.base, "branching", usual), one.test, at.sample):
            return "branching"
        if self.by_kind and not isinstance(one.test, Linear) and one.barred is None:
            same = [other.test for other in at.decision.candidates if other.test.attributes == one.test.attributes]
            if not same or one.test.kind not in {test.kind for test in same}:
                return "branching" if same else "not-drawn"
        return one.barred

    def _excluded(self, at: DecidedArrival, one: Candidate) -> str | None:
        """The rule that kept a test of C4.5 from competing by its ratio."""
        if at.decision.judged_by != "ratio":
            return None
        # The average is taken over the best cut of each attribute, so that a test is barred as its like among these.
        best = chain.from_iterable(self.base.best_of_each(at.sample, at.place))
        alike = next((other for other in best if parts_like(one.test, other.test, at.sample)), one)
        return next(iter(at.decision.considered([alike]))).barred

    def _ranked(self, regret: Regret, decision: Decision, one: Candidate) -> Regret:
        """The regret with the rank of the test and the margin of the best one."""
        if not self.ranks:
            return regret
        # One more than is listed shows that there are too many.
        found = list(islice((other for other in decision.considered() if other.barred is None), _LISTED + 1))
        if len(found) > _LISTED:
            return regret
        better = sum(1 for other in found if other.score > one.score)
        lower = exact_best([other for other in found if other.score < decision.winners[0].score], attrgetter("score"))
        margin = regret.best_score - lower[0].scores[regret.judged_by] if lower else None
        return replace(regret, rank=better + 1, among=len(found), margin=margin)

    def _is_at_bound(self, at: DecidedArrival, *, is_leaf: bool) -> bool:
        """Whether the decrease of the best test is so near a bound that a program may have found it on either side.

        Where attributes were drawn, it may be the best test about any attribute.
        """
        decision = at.decision
        bound = getattr(getattr(self.learner, "base", self.learner), "min_impurity_decrease", None)
        if bound is None or self.near.numbers is None or decision.stop not in AT_BOUNDS:
            return False
        best, by = list(decision.winners[:1]), decision.judged_by
        if is_leaf and not self.has_draws:
            best = _best_of_each(decision)
        weigh, adds = at.sample.target.weight, self.near.adds_doubles
        weight, whole = weigh(at.sample.total()), weigh(at.place.everyone)
        # The bound is on the decrease per row of the whole table, and the score is per row of the node.
        excesses = [one.scores[by] * weight - bound * whole for one in best]
        if adds and any(is_near(one, at.above, absolute=by in ABSOLUTE) for one in excesses):
            return True
        least = (EPSILON if adds else ROUNDED) * whole
        return any(-least <= one <= least for one in excesses)

    # A leaf.

    def leaf(self, at: DecidedArrival, stated: Stated) -> Appraisal:
        """The verdict on a leaf, and its fault if the learner would split."""
        best, by = at.decision.chosen, at.decision.judged_by
        if best is None or self._is_at_bound(at, is_leaf=True) or self._stops_another(at, stated):
            return Appraisal("optimal")
        message = f"no rule stops here, and {shown(best.test).name} has {by} {significant(best.scores[by], 6)}"
        # The stated reason says which rule was applied wrongly.
        rule = STOPS.get(stated.stop or "", Reason("")).id
        if best.scores[by] == 0:
            rule = "zero-gain"
        elif stated.stop == "no-attributes" and best.test.kind != "multiway":
            rule = "attribute.reuse"
        elif (stated.stop, by) == ("epsilon", "ratio"):
            rule = "c45.epsilon"
        return Appraisal("stopped-early", choice=fault("stopped-early", message, rule))

    def _stops_another(self, at: DecidedArrival, stated: Stated) -> bool:
        """Whether the stated rule, of those that test the best test, stops another one that ties."""
        rule, winners = rules().get(stated.stop or ""), at.decision.winners
        if rule is None or rule.after is None or len(winners) == 1:
            return False
        return any(self.asking(at, winner).stop == stated.stop for winner in winners)

    def _stop(self, at: DecidedArrival, stated: Stated) -> Iterator[Fault]:
        """The fault of a leaf whose stated reason is wrong."""
        said, right = stated.stop, at.decision.stop
        if said is None or said == right:
            return
        total, target = at.sample.total(), at.sample.target
        # Purity and emptiness are true of the rows or not, whoever says so; other reasons are those of a learner.
        is_pure = any(total) and (target.is_pure(total) or self.near.adds_doubles)  # a lost impurity is no fault
        is_false = not {"pure": is_pure, "empty": not any(total)}.get(said, True)
        if is_false or (right is not None and self.is_record and not self.pruned):
            why = "it is no leaf to the learner" if right is None else f"by the learner it is one by {right}"
            yield fault("wrong-stop", f"it says that it is a leaf by {said}; {why}", f"stop.{right or said}")

    # Rows without an outcome.

    @cached_property
    def search(self) -> StandIns | None:
        """The learner's search for surrogates; None if it has none, or if none are stated."""
        found: StandIns | None = getattr(self.base, "stand_ins", None)
        is_sought = self.learner.grower().options.get("missing") == "surrogates"
        return found if is_sought and self.has_surrogates else None

    def others(self, at: DecidedArrival, stated: Stated) -> Iterator[Fault]:
        """The faults of where rows without an outcome go, or of why the node is a leaf."""
        return self._stop(at, stated) if stated.test is None else self.missing(at, stated, stated.test)

    def missing(self, at: DecidedArrival, stated: Stated, test: Test) -> Iterator[Fault]:
        """The faults of where rows without an outcome go."""
        said = stated.missing
        if said is None:
            return
        if self.search is not None and len(test.outcomes) == 2 and not isinstance(test, Linear):
            yield from surrogates.faults(said.surrogates, test, at.sample, self.search, self.near.agreement)
        # Shares are compared with those of the learner's rule, or with those of the rows if it has none.
        if said.shares:
            right = self.way(at, test)
            shares = (right and right.shares) or shares_of(at.sample, test) or said.shares
            if not all(map(partial(self.near.weight, above=1), said.shares, shares)):
                yield fault("wrong-missing", "the shares of its branches are not those of the rows with a known value")
        if said.to is None:
            return
        if self.near.numbers is not None:
            right = self._side(at, said.to, test)
        else:  # if its rule is another one, it is not known where the record sends them
            right = self.way(at, test) if self.is_record else None
            right = right if right is not None and right.rule == said.rule else None
        if right is not None and right.to is not None and right.to != said.to:
            there, where = (path_step(shown(test), branch) for branch in (said.to, right.to))
            yield fault("wrong-missing", f"rows with a missing value go to {there}, and to {where} by the learner")

    def way(self, at: DecidedArrival, test: Test) -> Missing | None:
        """Where the learner sends rows without an outcome if it takes this test; None if it would not take it.

        Of tests that tie, the learner is made to take this one by an override.
        """
        winner = self.winner(at, test)
        decision = at.decision if winner is None else self.asking(at, winner)
        if winner is None or decision.chosen is None or decision.chosen.test != winner.test:
            return None
        order = branches_alike(test, winner.test, at.sample)
        if order is None or sorted(order) != list(range(len(winner.test.outcomes))):
            return None
        return turned(decision.missing, order)

    def _side(self, at: DecidedArrival, to: int, test: Test) -> Missing | None:
        """The other side, if the test is better with the rows without an outcome on it; None if it is not."""
        learner = self.learner
        if not isinstance(learner, CART) or learner.missing != "better-side":
            return None
        criterion = learner.node_criterion(at.sample, at.place)
        # The program tries both sides for the rows without a value, so the other side is no fault unless it is
        # certainly better.
        table = criterion.sample.partition(test)
        if not any(table.unknown):
            return None
        here, there = (
            [plus(row, table.unknown) if branch == side else row for branch, row in enumerate(table.rows)]
            for side in (to, 1 - to)
        )
        if not large_enough(map(criterion.sample.target.weight, there), criterion.minimum):
            return None
        regret = Regret(criterion.score(here), test.name, criterion.score(there), best_weight(at.sample), criterion.by)
        if regret.per_row <= 0 or self.near.score(regret, at.sample):
            return None
        return Missing(to=1 - to)


def turned(missing: Missing, order: Sequence[int]) -> Missing:
    """A rule for rows without an outcome, for a test whose branches stand in another order.

    Args:
        missing: the rule.
        order: for each branch of the other test, the branch of the one that has the rule.

    Example:
        >>> turned(Missing(to=0, shares=(1, 2)), (1, 0))
        Missing(shares=(2, 1), surrogates=(), to=1, stays=False)
    """
    # Branches in the same order leave the rule as it is.
    if list(order) == sorted(order):
        return missing
    listed = tuple(one._replace(branches=tuple(map(order.index, one.branches))) for one in missing.surrogates)
    shares = tuple(missing.shares[branch] for branch in order) if missing.shares else ()
    return replace(
        missing, shares=shares, surrogates=listed, to=None if missing.to is None else order.index(missing.to)
    )


def fault_of_stop(stop: str) -> Fault:
    """The fault of a node that asks where a rule makes it a leaf."""
    words = STOPS.get(stop, Reason(stop)).words
    return fault("split-too-far", f"it is a leaf by the rule {stop}: {words}", f"stop.{stop}")


def way_of(judge: LearnerJudge, tree: Tree, node: Node, at: DecidedArrival, test: Test) -> Missing:
    """The rule for rows without an outcome: the tree's own, or else the learner's."""
    shares = shares_of(at.sample, test)
    if states_way(tree, node):
        # Printed shares are rounded; those of the rows are exact.
        is_printed = tree.program is not None and node.missing.shares and node.test is not None
        return Missing(shares=shares or node.missing.shares) if is_printed else node.missing
    table = at.sample.partition(test)
    if not any(table.unknown):
        return node.missing
    if (found := judge.way(at, test)) is not None:
        return found
    if at.decision.missing.shares:
        return Missing(shares=shares)
    # Where neither the tree nor the learner knows, they go with most of the rows.
    weights = [at.sample.target.weight(row) for row in table.rows]
    return Missing(to=weights.index(max(weights)))


def shares_of(sample: Sample, test: Test) -> tuple[Rational, ...]:
    """The share of each branch in the rows with an outcome; empty if there are none."""
    weights = [[sample.target.weight(row)] for row in sample.partition(test).rows]
    return tuple(branch_shares(weights)) if any(map(any, weights)) else ()


def best_weight(sample: Sample) -> Rational:
    """The weight of the rows of a sample."""
    return sample.target.weight(sample.total())


def _best_of_each(decision: Decision) -> list[Candidate]:
    """The best test about each attribute."""
    found: dict[tuple[str, ...], Candidate] = {}
    for one in decision.considered():
        if one.barred is None and (one.test.attributes not in found or one.score > found[one.test.attributes].score):
            found[one.test.attributes] = one
    return list(found.values())
