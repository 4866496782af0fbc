"""Judging a node: the learner's decision on the rows that arrive is compared with what the node states and asks.

1. `faults_of_counts` and `faults_of_answer` check what the node states about its rows.
2. `judged_question` checks whether the question of a node is one of the best, and if not, by how much it falls short.
3. `judged_leaf` checks whether the learner would also stop at a leaf.

What a tree does not state is not judged. Numbers that a program rounded need not be exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple

from reference_tree.auditing import surrogates
from reference_tree.auditing.finding import Fault, Regret, shown
from reference_tree.auditing.parting import is_asked, parts_like
from reference_tree.auditing.rounded import states_way
from reference_tree.auditing.sums_of_doubles import ROUNDED, is_near, is_near_mean
from reference_tree.auditing.verdicts import BARS, STOPS, Rule
from reference_tree.conformance.decisions import MEASURES
from reference_tree.data.missing import Missing
from reference_tree.data.questions import Linear, Test, Threshold
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.targets import Values, added
from reference_tree.exact.choosing import best as exact_best
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import significant
from reference_tree.foreign.scikit_learn import EPSILON
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.missing_rules import StandIns
from reference_tree.learners.place import Place
from reference_tree.measures.variance import Moments, mean
from reference_tree.node import Derivatives, Deviations, Label, Node
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.tree import Tree

PRINTED = Fraction(1, 10**6)
"""The relative error allowed for a fractional count that a program printed."""

ABSOLUTE = ("absolute_error_reduction",)
"""The scores that are sums of |y|; all other scores for numbers are sums of y²."""

AT_BOUNDS = (None, "min-impurity-decrease", "zero-gain")
"""The decisions that depend on whether a decrease reaches a bound."""

_LISTED = 100_000
"""The largest number of questions among which a rank is counted."""


class Arrival(NamedTuple):
    """A node that is judged, and the rows that arrive there."""

    node: Node
    place: Place
    sample: Sample
    above: Counts
    """The total counts at the parent; at the root, its own."""


@dataclass(frozen=True)
class Judge:
    """Judges the nodes of a tree.

    Args:
        tree: the tree.
        learner: the learner whose decisions are compared.
        ranks: whether a bad question is ranked among all questions, which takes long.
    """

    tree: Tree
    learner: Learner
    ranks: bool = True

    # What the tree states.

    def tells(self, word: str, node: Node) -> bool:
        """Whether the tree states the labels, or the counts, of a node."""
        silent = self.tree.silent
        return word not in silent and not (node.test is not None and f"inner-{word}" in silent)

    def tells_counts(self, node: Node) -> bool:
        """Whether the tree states the counts of a node."""
        return self.tells("counts", node) and self.has_counts

    def stated(self, number: int) -> Counts | None:
        """The counts that the tree states of a node; where it states those of leaves alone, the sum of those below."""
        node = self.tree.nodes[number]
        if self.tells_counts(node):
            return node.counts
        return self._sums[number] if "inner-counts" in self.tree.silent and self.has_counts else None

    @cached_property
    def _sums(self) -> list[Counts | None]:
        """For each node the sum of the counts of the leaves below it; None if one of them states none."""
        found: list[Counts | None] = [None] * len(self.tree.nodes)
        for number, node in reversed(list(enumerate(self.tree.nodes))):
            parts = [found[branch] for branch in node.branches]
            if node.test is None:
                found[number] = node.counts if self.tells_counts(node) else None
            elif all(part is not None and not isinstance(part, Deviations) for part in parts):
                found[number] = tuple(added([part for part in parts if part is not None]))
        return found

    @cached_property
    def has_counts(self) -> bool:
        """Whether any node of the tree has counts; if none has, the tree does not state them."""
        return any(any(node.counts) for node in self.tree.nodes)

    def alike(self, own: Counts, found: Counts, above: Counts) -> bool:
        """Whether the counts stated by a node are those found: of each class, or the number of rows and their error.

        Numbers that a program rounded need not be exact. The mean is the answer of a node, and is judged as such.

        Args:
            own: the counts that the node states.
            found: the counts of the rows that arrive.
            above: the moments of the rows at the parent, from which a program may have subtracted those of the other
                branch.
        """
        rounded = self.tree.program is not None
        if self.tree.target.values is not None and not isinstance(own, Derivatives):
            return all(self.is_same_weight(*pair, sum(above)) for pair in zip(own, found, strict=True))
        is_same = self.is_same_weight(own[0], found[0], above[0])
        if not is_same or not own[0] or type(own) is not type(found):  # of parts the weight alone is known
            return is_same
        if isinstance(own, Derivatives):
            return rounded or own == found
        if {"errors", "labels", "inner-labels"} & self.tree.silent:
            return True
        ours, theirs = (Fraction(Node(counts, 0).error) for counts in (found, own))
        return ours == theirs or (rounded and is_near(ours - theirs, above, absolute=isinstance(found, Deviations)))

    def of_same_rows(self, own: Counts, found: Counts, above: Counts) -> bool:
        """Whether counts are alike, and so are the means of numbers, as far as a program of doubles states them.

        Args:
            own: the counts that the node states.
            found: the counts of the rows that arrive.
            above: as for `alike`.
        """
        if not self.alike(own, found, above):
            return False
        if not self.adds_doubles or isinstance(own, Derivatives | Deviations) or not own[0] or not found[0]:
            return True
        program, unstated = self.tree.program, {"errors", "labels", "inner-labels"} & self.tree.silent
        return (
            program is None
            or program.numbers == "exact"
            or bool(unstated)
            or is_near_mean(Fraction(own[1]) / own[0] - Fraction(found[1]) / found[0], found)
        )

    def is_same_weight(self, own: Rational, found: Rational, above: Rational) -> bool:
        """Whether a tree may have stated this weight: a program prints rounded fractions, or adds up doubles.

        Args:
            own: the weight that is stated.
            found: the weight that is found.
            above: the weight that was added up, or divided.
        """
        program = self.tree.program
        if own == found or program is None:
            return own == found
        return _is_printed(own, found) if program.numbers == "exact" else abs(Fraction(own - found)) <= ROUNDED * above

    @property
    def adds_doubles(self) -> bool:
        """Whether the scores are those of a program that adds up the numbers to be predicted."""
        return self.tree.program is not None and self.tree.target.values is None

    def adds_weights(self, *totals: Counts) -> bool:
        """Whether the scores are those of a program that adds up classes by weights which are no whole numbers.

        Args:
            totals: the counts of the rows at a node, and at others that its program adds up or subtracts.
        """
        is_by_class = self.tree.program is not None and self.tree.target.values is not None
        return is_by_class and any(Fraction(count).denominator > 1 for total in totals for count in total)

    def is_within_rounding(self, regret: Regret, sample: Sample) -> bool:
        """Whether a question falls so little short of the best one that a program may have found it the best.

        Args:
            regret: by how much it falls short.
            sample: the rows at the node.
        """
        if self.adds_doubles:
            return is_near(regret.in_all, sample.total(), absolute=regret.judged_by in ABSOLUTE)
        return self.adds_weights(sample.total()) and bool(regret.per_row <= ROUNDED)

    # What a node says of its rows.

    def faults_of_counts(self, at: Arrival, decision: Decision) -> Iterator[Fault]:
        """Whether the counts of a node are those of the rows that arrive."""
        found = decision.total if any(at.sample.total()) else at.sample.total()
        if self.tells_counts(at.node) and not self.alike(at.node.counts, found, at.above):
            message = f"it says that {self.counted(at.node.counts)} arrive, and {self.counted(found)} do"
            yield Fault("wrong-counts", message, "counts")

    def counted(self, counts: Counts) -> str:
        """Counts in words."""
        classes = self.tree.target.values
        if classes is not None and len(counts) == len(classes) and not isinstance(counts, Derivatives):
            return ", ".join(f"{label} {significant(n, 12)}" for label, n in zip(classes, counts, strict=True))
        if isinstance(counts, Derivatives | Deviations) or not counts[0]:
            return f"{significant(counts[0], 12)} rows"
        moments = Moments(*counts)
        return f"{significant(counts[0], 12)} rows of mean {significant(mean(moments), 12)}"

    def faults_of_answer(self, at: Arrival, decision: Decision) -> Iterator[Fault]:
        """Whether the answer of a node is that of its rows."""
        node, answer = at.node, decision.answer
        if not self.tells("labels", node):
            return
        if isinstance(node.label, str):
            if node.label not in (answer.label, *answer.tied) and not self._is_nearly_tied(node.label, at.sample):
                right = " or ".join(answer.tied or (str(answer.label),))
                why = "no row arrives, and the node above has" if answer.prior else self._most(answer.counts)
                rule = "empty-branch" if answer.prior else "label"
                yield Fault("wrong-leaf", f"it answers {node.label}; {why} {right}", rule)
        elif not self._is_right_number(node.label, at, decision):
            answered, right = (significant(Fraction(label), 12) for label in (node.label, answer.label))
            yield Fault("wrong-leaf", f"it answers {answered}; its rows say {right}", "label")

    def _is_nearly_tied(self, label: str, sample: Sample) -> bool:
        """Whether a program may have found a class to be the largest one, because weights are sums of doubles."""
        counts = dict(zip(self.tree.target.domain, sample.total(), strict=True))
        nearly = max(counts.values()) - ROUNDED * sum(counts.values())
        return self.adds_weights(sample.total()) and counts[label] >= nearly

    def _most(self, counts: Counts) -> str:
        return f"of {self.counted(counts)} the answer is"

    def _is_right_number(self, label: Label, at: Arrival, decision: Decision) -> bool:
        right, counts = decision.answer.label, decision.answer.counts
        if label == right:
            return True
        label, right = Fraction(label), Fraction(right)
        if isinstance(counts, Deviations):
            return _is_median(label, at.sample, Fraction(0) if self.tree.program is None else ROUNDED)
        if self.tree.program is None:
            return False
        if isinstance(counts, Derivatives):
            return abs(label - right) <= Fraction(1, 2**18) * (1 + abs(right))  # a float32, from sums of float32
        return is_near_mean(label - right, counts)

    # What a node asks.

    @cached_property
    def search(self) -> StandIns | None:
        """The learner's search for surrogates; None if it has none, or if the tree of a program has no surrogates."""
        found: StandIns | None = getattr(self.learner, "stand_ins", None)
        is_sought = self.learner.grower().options.get("missing") == "surrogates"
        is_stated = self.tree.program is None or any(node.missing.surrogates for node in self.tree.nodes)
        return found if is_sought and is_stated else None

    def faults_of_surrogates(self, at: Arrival, test: Test) -> Iterator[Fault]:
        """Whether the surrogates of a node are those that the learner would list."""
        if self.search is None or len(at.node.branches) != 2 or isinstance(test, Linear):
            return
        slack = None if self.tree.grower.options.get("agreement") == "not told" else ROUNDED
        if self.tree.program is None and slack is not None:
            slack = Fraction(0)
        yield from surrogates.faults(at.node.missing.surrogates, test, at.sample, self.search, slack)

    def judged_question(self, at: Arrival, decision: Decision, test: Test) -> tuple[str, Fault | None, Regret | None]:
        """The verdict on a question, its fault if the learner would not ask it, and how far it falls short."""
        if decision.chosen is None and not self._is_at_bound(at, decision):
            return "split-too-far", _fault_of_stop(decision), None
        winners = decision.winners
        if any(self.is_winner(test, winner.test, at.sample) for winner in winners):
            return "optimal-tied" if len(winners) > 1 else "optimal", None, None
        return self._other_question(at, decision, test)

    @staticmethod
    def is_winner(test: Test, winner: Test, sample: Sample) -> bool:
        """Whether a question divides the rows as a winner does, whose interval is that of these very rows."""
        match test, winner:
            case Threshold(attribute=one, threshold=t), Threshold(attribute=other, interval=(low, high)):
                if one == other and low < t < high:
                    return True
        return parts_like(test, winner, sample)

    def _other_question(self, at: Arrival, decision: Decision, test: Test) -> tuple[str, Fault | None, Regret | None]:
        one, best = self.learner.judge_one(at.sample, at.place, test), decision.winners[0]
        asks, takes = shown(test).name, shown(best.test).name
        if bar := self._bar(one, at):
            why, rule = BARS.get(bar, Rule(bar, bar))
            return "not-a-candidate", Fault("not-a-candidate", f"{asks}: {why}", rule), None
        by, rules = decision.judged_by, self._excluded(decision, test, at.sample)
        regret = Regret(one.scores[by], takes, best.scores[by], best_weight(at.sample), by)
        if rules is not None:
            message = f"{asks} may not compete ({rules}); {takes} is best"
            rule = BARS.get(rules, Rule(rules, rules)).id
            return "suboptimal", Fault("suboptimal", message, rule), self._ranked(regret, decision, one)
        if regret.per_row == 0:
            return "optimal-tied", None, None
        if regret.per_row > 0 and self.is_within_rounding(regret, at.sample):
            return "within-rounding", None, None
        if regret.per_row < 0:
            message = f"{asks} is worth more than {takes}, but by its rules the learner does not take it"
            return "not-a-candidate", Fault("not-a-candidate", message, MEASURES.get(by, by)), None
        message = f"{asks} has {by} {significant(regret.score, 6)}, and {takes} has "
        message += significant(regret.best_score, 6)
        return "suboptimal", Fault("suboptimal", message, MEASURES.get(by, by)), self._ranked(regret, decision, one)

    def _bar(self, one: Candidate, at: Arrival) -> str | None:
        """The rule by which a question may not be asked, whatever its score."""
        learner: Any = self.learner
        base = getattr(getattr(learner, "forest", learner), "base", None) or getattr(learner, "learner", learner)
        usual = "one-vs-rest" if getattr(base, "name", "") == "gradient-tree" else "multiway"
        if not at.place.available >= {*one.test.attributes}:
            return "used-up"
        if not is_asked(getattr(base, "branching", usual), one.test, at.sample):
            return "branching"
        return one.barred

    @staticmethod
    def _excluded(decision: Decision, test: Test, sample: Sample) -> str | None:
        """The rule that kept a question of C4.5 from competing by its ratio."""
        if decision.judged_by != "ratio":
            return None
        alike = (c for c in decision.candidates if parts_like(test, c.test, sample))
        return next((candidate.barred for candidate in alike), None)

    def _ranked(self, regret: Regret, decision: Decision, one: Candidate) -> Regret:
        """The regret with the rank of the question and the margin of the best one."""
        if not self.ranks:
            return regret
        found = list(islice((other for other in decision.considered() if other.barred is None), _LISTED + 1))
        if len(found) > _LISTED:
            return regret
        better = sum(1 for other in found if other.score > one.score)
        lower = exact_best([other for other in found if other.score < decision.winners[0].score], attrgetter("score"))
        margin = regret.best_score - lower[0].scores[regret.judged_by] if lower else None
        return replace(regret, rank=better + 1, among=len(found), margin=margin)

    def _is_at_bound(self, at: Arrival, decision: Decision) -> bool:
        """Whether the decrease of the best question is so near a bound that a program may have found it on either side.

        Where attributes were drawn, it may be the best question about any attribute.
        """
        bound = getattr(getattr(self.learner, "base", self.learner), "min_impurity_decrease", None)
        if bound is None or self.tree.program is None or decision.stop not in AT_BOUNDS:
            return False
        best, by = list(decision.winners[:1]), decision.judged_by
        if "draws" in self.tree.silent and at.node.test is None:
            best = _best_of_each(decision)
        weigh = at.sample.target.weight
        weight, whole = weigh(at.sample.total()), weigh(at.place.everyone)
        excesses = [one.scores[by] * weight - bound * whole for one in best]
        if self.adds_doubles and any(is_near(one, at.above, absolute=by in ABSOLUTE) for one in excesses):
            return True
        least = (EPSILON if self.adds_doubles else ROUNDED) * whole
        return any(-least <= one <= least for one in excesses)

    def judged_leaf(self, at: Arrival, decision: Decision) -> tuple[Fault | None, Regret | None]:
        """The fault of a leaf where the learner would split; a leaf has no regret."""
        if decision.chosen is None or self._is_at_bound(at, decision):
            return None, None
        best, by = decision.chosen, decision.judged_by
        message = f"no rule stops here, and {shown(best.test).name} has {by} {significant(best.scores[by], 6)}"
        return Fault("stopped-early", message, "stop"), None


def _is_printed(printed: Rational, found: Rational) -> bool:
    """Whether a printed count is the one found; programs round fractions of a row when they print them."""
    return printed == found or (found.denominator > 1 and abs(Fraction(printed - found)) <= PRINTED * (1 + found))


def _best_of_each(decision: Decision) -> list[Candidate]:
    """The best question about each attribute."""
    found: dict[tuple[str, ...], Candidate] = {}
    for one in decision.considered():
        if one.barred is None and (one.test.attributes not in found or one.score > found[one.test.attributes].score):
            found[one.test.attributes] = one
    return list(found.values())


def best_weight(sample: Sample) -> Rational:
    """The weight of the rows of a sample."""
    return sample.target.weight(sample.total())


def _is_median(label: Fraction, sample: Sample, slack: Fraction) -> bool:
    """Whether at most half of the weight, up to a slack, lies on either side of a number."""
    numbers = sample.schema.numbers[sample.schema.target.name]
    weights = sample.against(Values(tuple(numbers))).total()
    below = sum(weight for number, weight in zip(numbers, weights, strict=True) if number < label)
    above = sum(weight for number, weight in zip(numbers, weights, strict=True) if number > label)
    return bool(2 * max(below, above) <= sum(weights) * (1 + slack))


def _fault_of_stop(decision: Decision) -> Fault:
    stop = decision.stop or ""
    return Fault(
        "split-too-far", f"it is a leaf by the rule {stop}: {STOPS.get(stop, Rule(stop)).words}", f"stop.{stop}"
    )


def way_of(tree: Tree, node: Node, decision: Decision, sample: Sample, test: Test) -> Missing:
    """The rule for rows without an answer: the tree's own, or else the learner's."""
    if states_way(tree, node):
        return _recounted(tree, node, sample)
    table = sample.partition(test)
    if not any(table.unknown):
        return node.missing
    if decision.chosen is not None and is_same_way_round(test, decision.chosen.test, sample):
        return decision.missing
    if decision.missing.shares:
        return Missing(shares=shares_of(sample, test))
    weights = [sample.target.weight(row) for row in table.rows]
    return Missing(to=weights.index(max(weights)))


def is_same_way_round(one: Test, other: Test, sample: Sample) -> bool:
    """Whether two questions divide the rows alike, branch by branch; a subset and its complement do not.

    Args:
        one: a question.
        other: another one.
        sample: the rows that are asked.
    """
    return parts_like(one, other, sample) and sample.partition(one).rows == sample.partition(other).rows


def _recounted(tree: Tree, node: Node, sample: Sample) -> Missing:
    """The missing-value rule of a node; shares that a program rounded are counted again."""
    if tree.program is None or not node.missing.shares or node.test is None:
        return node.missing
    return Missing(shares=shares_of(sample, node.test) or node.missing.shares)


def shares_of(sample: Sample, test: Test) -> tuple[Rational, ...]:
    """The share of each branch in the rows that answer a question; empty if there are none."""
    weights = [[sample.target.weight(row)] for row in sample.partition(test).rows]
    return tuple(branch_shares(weights)) if any(map(any, weights)) else ()
