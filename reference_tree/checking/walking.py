"""Walking: an answered tree is compared, node by node, with the learner's decisions on the rows that reach each node.

At each node the learner decides anew, on the rows that the answer's *own* choices have sent there. So a program that
took another winner is judged below it as well as above it, and a wrong choice does not make everything below it wrong.

1. What reaches the node is counted, and each candidate's table and scores are compared, where they are stated.
2. The test must be one of the winners; a threshold may lie anywhere in its interval.
3. A leaf must have the learner's reason to stop, and the label of a class that no other class outweighs.
4. The walk goes on down the branches of the answer, unless its test is no candidate, or is no winner and some row
   does not answer it: then it is not known where such a row goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from reference_tree.auditing.finding import BARS, Fault, rule_of, verdict
from reference_tree.auditing.judging import DecidedArrival, LearnerJudge
from reference_tree.auditing.parting import branches_alike
from reference_tree.auditing.stated import Closeness, Stated
from reference_tree.checking.likely import likely
from reference_tree.checking.mistakes import Malformed, Mistake, differs, text, within
from reference_tree.checking.nodes import AnsweredNode, candidate_of, chosen_of, objects, part
from reference_tree.checking.quantities import off
from reference_tree.checking.questions import AnswerReader, Candidates, ReadQuestion
from reference_tree.checking.stand_ins import Ways, of_node
from reference_tree.conformance.decisions import MEASURES, rules_of
from reference_tree.data.questions import Missing, Threshold
from reference_tree.data.sample import Data, Sample
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import rational
from reference_tree.exact.rounding import significant
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.place import Answer, Place, path_text
from reference_tree.node import Derivatives, Deviations, Node
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree import Tree
from reference_tree.tree_document.nodes import answer_json

_COLUMNS: Mapping[type, tuple[str, str, str]] = {Deviations: ("n", "median", "sad"), Derivatives: ("n", "g", "h")}
_MOMENTS = ("n", "mean", "n")
"""The tolerances of the three counts at a node of a regression tree: n, Σy and Σy²."""


_NO_CANDIDATE = tuple(BARS[bar].id for bar in ("candidate", "used-up", "branching", "not-drawn"))
"""The rules by which a test is no candidate at all, so that nothing is judged below it."""


class _Below(NamedTuple):
    """A node of the answer, and the rows that its choices send there."""

    entry: AnsweredNode
    at: tuple[int, ...]
    place: Place
    sample: Sample
    own: int | None = 0
    """The number of the same node in the learner's own tree; None below another choice."""
    labels: frozenset[str] = frozenset()
    """The labels that the parent may have; an empty leaf repeats one of them."""


class AnswerWalk:
    """A walk through the nodes of an answer.

    Args:
        learner: the learner of the case.
        data: the data that it learns from.
        tree: the tree that it grows from the data.
        most: the number of nodes that are judged; None for all. A split case has the decision of the root only.
    """

    def __init__(self, learner: Learner, data: Data, tree: Tree, most: int | None = None) -> None:
        self._learner, self._tree, self._most, self._root = learner, tree, most, data.sample()
        self.departed = False
        """Whether the answer made another choice somewhere; then whatever depends on the tree is another problem."""
        self.moved = False
        """Whether a threshold lies elsewhere in its interval, where rows that the tree has not learnt from may lie."""

    def mistakes(self, nodes: Sequence[AnsweredNode]) -> Iterator[Mistake]:
        """The mistakes, in preorder."""
        reader, judged = AnswerReader(self._root), 0
        # Depth first, in the order of the answer's branches: preorder.
        pending = [_Below(nodes[0], (), Place.root(self._root), self._root)]
        while pending and judged != self._most:
            visit = pending.pop()
            judged += 1
            # The learner decides anew on the rows that the answer's own choices sent here.
            judge = _Judge(visit, self._learner, self._tree, reader)
            for mistake in judge.mistakes():
                yield judge.placed(mistake)
            self.departed |= judge.departs
            self.moved |= judge.moved
            # Where the answer cannot be read, it is not known what stands below.
            if judge.is_malformed:
                continue
            # A case of one decision says nothing of the nodes below it.
            if judged != self._most:
                yield from map(judge.placed, judge.untold())
            # The first branch is judged next, so that mistakes come in preorder.
            pending += reversed(list(judge.below(nodes)))


class _Judge:
    """The judge of one node: its mistakes, and the way of its rows."""

    def __init__(self, visit: _Below, learner: Learner, tree: Tree, reader: AnswerReader) -> None:
        self.visit, self.learner, self.tree, self.reader = visit, learner, tree, reader
        self.decision = learner.decide(visit.sample, visit.place)
        self.total = [Fraction(weight) for weight in self.decision.total]
        self.own = None if visit.own is None else tree.nodes[visit.own]
        self.is_malformed = False
        answer = self.decision.answer
        # An empty leaf repeats a label of its parent, which may have been any of those that tie there.
        self.labels = frozenset(answer.tied) | {str(answer.label)} | (visit.labels if answer.prior else frozenset())
        # The judge of audits, which is exact here: numbers are compared within tolerances by this walk itself.
        self.judge = LearnerJudge(learner, Closeness(tree.target, agreement=None), by_kind=True, ranks=False)
        may_say = answer._replace(tied=tuple(sorted(self.labels))) if len(self.labels) > 1 else answer
        self.at = DecidedArrival(visit.place, visit.sample, replace(self.decision, answer=may_say), self.decision.total)
        self.asked: ReadQuestion | None = None
        """The test of the answer."""
        self.is_candidate = False
        """Whether it is one that the learner may ask, so that what stands below it can be judged."""
        self.moved = False
        """Whether its threshold differs from the learner's."""

    def placed(self, mistake: Mistake) -> Mistake:
        """A mistake, with its node and its rule: of those that the decision exercises, the one that it is about."""
        # A mistake without a rule of its own is about the first rule that the decision exercises and that its verdict
        # means.
        rule = mistake.rule
        if rule in ("", verdict(mistake.verdict).rule) and self.decision.judged_by in MEASURES:
            rule = rule_of(mistake.verdict, rules_of(self.decision, self.learner))
        if mistake.verdict == "not-a-candidate" and self.decision.stop and not self.decision.candidates:
            rule = f"stop.{self.decision.stop}"  # nothing is asked there at all
        member = ".".join(filter(None, (self.visit.entry.member, mistake.member)))
        return mistake._replace(at=self.visit.at, path=path_text(self.visit.place), member=member, rule=rule)

    def mistakes(self) -> Iterator[Mistake]:
        """The mistakes at the node, causes first."""
        decision, node = self.visit.entry.decision, self.visit.entry.node
        try:
            yield from self._counts(decision, node)
            yield from self._candidates(decision)
            yield from self._choice(decision, node)
            yield from self._answer(decision, node)
            yield from self._figures(decision, node)
        except Malformed as error:
            self.is_malformed = True
            yield Mistake("malformed", str(error))

    def _quantity(self, name: str, came: object, exact: Number, verdict: str = "") -> Iterator[Mistake]:
        """A number that is too far off; the verdict is named after it, unless another one is given."""
        try:
            missed = off(name, came, exact, self.total, self.decision.judged_by)
        except ValueError as error:
            yield Mistake("malformed", str(error))
        else:
            if missed:
                yield Mistake(verdict or f"wrong-{name.replace('_', '-')}", missed)

    # What reaches the node.

    def _counts(self, decision: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[Mistake]:
        yield from within(self._weights(decision.get("total"), self.decision.total, "wrong-counts"), "total")
        counts = node.get("counts")
        if counts is not None and not isinstance(counts, dict):
            raise Malformed(f"{text(counts)} are no counts of classes")
        # A class that is not named has no rows.
        if counts is not None and self.tree.target.values is not None:
            if strange := counts.keys() - set(self.tree.target.values):
                raise Malformed(f"there is no class {text(min(strange))}")
            for label, exact in zip(self.tree.target.values, self.decision.total, strict=True):
                yield from within(
                    self._quantity("counts", counts.get(label, 0), exact, "wrong-counts"), f"counts.{label}"
                )

    def _weights(self, came: object, expected: Sequence[Number], verdict: str) -> Iterator[Mistake]:
        """The mistakes in a row of weights: of classes, or of the other counts of the target."""
        if came is None:
            return
        if not isinstance(came, list) or len(came) != len(expected):
            yield Mistake("malformed", f"{text(came)} is no list of {len(expected)} weights")
            return
        # The counts of a class are weights; those of a number are sums, each with a tolerance of its own.
        is_class = self.tree.target.values is not None or len(expected) != 3
        names = ("n",) * len(expected) if is_class else _COLUMNS.get(type(self.decision.total), _MOMENTS)
        for place, (name, one, exact) in enumerate(zip(names, came, expected, strict=True)):
            yield from within(self._quantity(name, one, exact, verdict), f"[{place}]")

    # The candidates.

    @cached_property
    def _every(self) -> Candidates:
        """All candidates. They are not counted for an answer that does not mention them."""
        return Candidates(self.visit.sample, self.decision.candidates)

    def _candidates(self, decision: Mapping[str, Any]) -> Iterator[Mistake]:
        for number, one in enumerate(objects(decision, "candidates")):
            yield from within(self._candidate(candidate_of(decision, one)), f"candidates[{number}]")
        if decision.get("winners") is not None:
            yield from within(self._winners(decision), "winners")

    def _candidate(self, came: Mapping[str, Any]) -> Iterator[Mistake]:
        """Its table and its scores. That a candidate is barred may be stated in any way, or by leaving it out."""
        # The candidate that divides the rows as the named one does, whatever threshold it names in the gap.
        found = self._every.meant(self._question(came))
        table, scores = part(came, "table"), part(came, "scores")
        if found is None:
            if not came.get("barred"):
                yield Mistake("not-a-candidate", f"{_name(came['test'])} is none here")
            return
        expected, rows = found.candidate.table, table.get("rows")
        if rows is not None and (not isinstance(rows, list) or len(rows) != len(expected.rows)):
            raise Malformed(f"{text(rows)} is no list of {len(expected.rows)} rows")
        for place, row in enumerate(rows or ()):
            # The rows of the table stand in the order of the answer's branches.
            exact = expected.rows[found.branches[place]]
            yield from within(self._weights(row, exact, "wrong-table"), f"table.rows[{place}]")
        yield from within(self._weights(table.get("unknown"), expected.unknown, "wrong-table"), "table.unknown")
        for name, score in scores.items():
            yield from within(self._scored(found.candidate, name, score), f"scores.{name}")

    def _scored(self, candidate: Candidate, name: str, came: object) -> Iterator[Mistake]:
        """A score. It is not judged if the candidate is barred and has no score here."""
        if name in candidate.scores:
            for mistake in self._quantity(name, came, candidate.scores[name]):
                yield mistake._replace(message=f"{candidate.test.name}: {mistake.message}")
        elif candidate.scores:
            yield Mistake("malformed", f"there is no such score; there are {', '.join(candidate.scores)}")

    def _winners(self, decision: Mapping[str, Any]) -> Iterator[Mistake]:
        """The set of winners is the same, in whatever order."""
        if not isinstance(decision["winners"], list):
            raise Malformed(f"{text(decision['winners'])} is no list of winners")
        # Each winner that is named is taken off the list; what is left at the end was not named.
        lacking = list(self.decision.winners)
        for named in decision["winners"]:
            came = candidate_of(decision, named)
            found = Candidates(self.visit.sample, lacking).meant(self._question(came))
            if found is None:
                every = self._every.meant(self._question(came))  # that it has a score, for people
                scored = every is not None and self.decision.judged_by in every.candidate.scores
                score = f" has {self._score(every.candidate)}" if every is not None and scored else ""
                yield Mistake("wrong-winners", f"{_name(came['test'])}{score} is none")
            else:
                lacking.remove(found.candidate)
        if lacking:
            yield Mistake("wrong-winners", f"{', '.join(winner.test.name for winner in lacking)} wins as well")

    def _question(self, came: Mapping[str, Any]) -> ReadQuestion:
        first = self.decision.winners[0].test if self.decision.winners else None
        return self.reader.question(came["test"], came.get("outcomes"), strict=getattr(first, "strict", False))

    # The choice.

    def _choice(self, decision: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[Mistake]:
        """What is asked: by the decision, and in the tree, where a node may be collapsed that was split at first."""
        asks, at, found = chosen_of(decision), self.at, list[Mistake]()
        if decision.keys().isdisjoint(("chosen", "stop")) and node.keys().isdisjoint(("test", "stop")):
            yield Mistake("absent", "it says neither what is asked nor why it stops")
            return
        # A decision and its node may differ: the learner may collapse a node after it was split.
        if "chosen" in decision or "stop" in decision:
            found = list(self._chosen(at, asks, decision.get("stop")))
            yield from within(found, "chosen" if asks else "stop")
        if "test" in node or "stop" in node:
            branches = [branch.get("when") for branch in node.get("branches") or ()]
            outcomes = None if None in branches else branches
            question = None if node.get("test") is None else {"test": node["test"], "outcomes": outcomes}
            # The learner's own tree has a leaf here after all, so that a leaf is right and a test is not.
            if self.own is not None and self.own.stop is not None:
                at = at._replace(decision=replace(at.decision, stop=self.own.stop, chosen=None))
            for mistake in self._chosen(at, question, node.get("stop")):
                if mistake not in found:  # which the decision says of itself already
                    yield from within([mistake], "test" if question else "stop")

    def _chosen(self, at: DecidedArrival, came: Mapping[str, Any] | None, stop: object) -> Iterator[Mistake]:
        """The test that is taken, or the reason to stop."""
        question = None if came is None else self._question(came)
        reason = None if stop == "unknown" or question else text(stop)
        judged = self.judge.judge(at, Stated(test=question and question.test, stop=reason))
        # The walk goes on by the answer's test, even if it is not the best one.
        if question is not None and judged.verdict != "split-too-far":
            self._takes(question, judged.choice)
        if judged.verdict == "stopped-early" and stop == "collapsed" and self._may_be_collapsed:
            return
        for fault in judged.faults[:1]:  # of a leaf that is none, the reason is wrong as well
            yield _mistake(fault)._replace(likely=self._likely(at, question, reason))

    def _likely(self, at: DecidedArrival, question: ReadQuestion | None, reason: str | None) -> str:
        """The options of the learner with which the choice would be right."""

        def is_theirs(decision: Decision) -> bool:
            if question is None:
                return decision.chosen is None and reason in (None, decision.stop)
            return any(self.judge.is_same(question.test, winner.test, at.sample) for winner in decision.winners)

        return likely(self.learner, at.sample, at.place, is_theirs)

    def _takes(self, question: ReadQuestion, fault: Fault | None) -> None:
        """Go on by a test: in the words of the candidate that divides the rows alike, if there is one."""
        self.asked = question
        self.is_candidate = fault is None or fault.rule not in _NO_CANDIDATE
        # The learner's own choice first, so that of two that divide the rows alike it is the one that is meant.
        best = [] if self.decision.chosen is None else [self.decision.chosen, *self.decision.winners]
        meant = Candidates(self.visit.sample, best).meant(question) or self._every.meant(question)
        if meant is not None:
            self.asked = ReadQuestion(meant.candidate.test, meant.branches)
            ours, its = meant.candidate.test, question.test
            if fault is None and isinstance(ours, Threshold) and isinstance(its, Threshold):
                self.moved = float(ours.threshold) != float(its.threshold)

    @property
    def _may_be_collapsed(self) -> bool:
        """Whether what was grown below another choice decides if it is right to collapse the node."""
        return self.own is None and self.learner.grower().options.get("collapse", "never") != "never"

    def _score(self, candidate: Candidate) -> str:
        name = self.decision.judged_by
        return f"{name} {significant(candidate.scores[name], 6)}"

    # What the node says.

    def _answer(self, decision: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[Mistake]:
        yield from within(self._says(part(decision, "answer")), "answer")
        yield from self._says(node)
        if self.tree.target.values is None:
            median = isinstance(self.tree.nodes[0].counts, Deviations)
            # The figures of a number's node, as a tree document would have them.
            right = Node(self.decision.total, self.decision.answer.label, stop="empty")
            for key, exact in answer_json(right, self.tree.target, median=median).items():
                if key in node:
                    verdict = "wrong-counts" if key in ("n", "g", "h") else "wrong-leaf"
                    yield from within(self._quantity(key, node[key], rational(str(exact)), verdict), key)

    def _says(self, came: Mapping[str, Any]) -> Iterator[Mistake]:
        answer = self.decision.answer
        if "label" in came and self.tree.target.values is None:
            yield from within(self._quantity("label", came["label"], answer.label, "wrong-leaf"), "label")
        elif "label" in came:
            stated = Stated(label=text(came["label"]))
            yield from within(map(_mistake, self.judge.answer(self.at, stated)), "label")
        if "prior" in came:
            yield from differs("wrong-leaf", answer.prior, came["prior"], "prior")
        if came.get("tied") is not None:
            yield from within(self._tied(came["tied"]), "tied")

    def _tied(self, came: object) -> Iterator[Mistake]:
        """The classes that tie. An empty leaf may tell those of the node above, or none."""
        if not isinstance(came, list):
            raise Malformed(f"{text(came)} is no list of classes")
        # One label alone is no tie.
        expected = sorted(self.labels) if len(self.labels) > 1 else []
        if sorted(map(str, came)) != expected and (came or not self.decision.answer.prior):
            yield Mistake("wrong-tie", f"expected {', '.join(expected) or 'none'}, came {text(came)}")

    # Figures that follow from the choice.

    def _figures(self, decision: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[Mistake]:
        if decision.get("margin") is not None and self.decision.margin is not None:
            yield from within(self._quantity("margin", decision["margin"], self.decision.margin), "margin")
        if decision.get("judged_by") is not None and self.decision.candidates:
            yield from differs("wrong-score", self.decision.judged_by, decision["judged_by"], "judged_by")
        for name, figure in part(decision, "evidence").items():
            if name in self.decision.evidence:
                yield from within(self._quantity(name, figure, self.decision.evidence[name]), f"evidence.{name}")
            else:
                yield Mistake(
                    "malformed", f"there is no such evidence; there are {', '.join(self.decision.evidence)}", name
                )
        yield from self._missing(decision, node)

    def _missing(self, decision: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[Mistake]:
        """Where rows without an outcome go: as the answer of the program states it, if that is right."""
        if self.right is None or self.asked is None:
            return
        for place, (branch, ours) in enumerate(zip(node.get("branches") or (), self.asked.order, strict=False)):
            if branch.get("share") is not None and self.right.shares:
                share = self.right.shares[ours]
                yield from within(self._quantity("share", branch["share"], share), f"branches[{place}].share")
        stated = [one for one in (part(decision, "missing"), of_node(node)) if one]
        if stated:
            ways = Ways(self.judge, self.at, self.asked, self.right, self.reader)
            found = list(dict.fromkeys(mistake for one in stated for mistake in ways.mistakes(one)))
            yield from within(found, "missing")
            self.way = self.right if found else ways.taken(stated[0])

    @cached_property
    def right(self) -> Missing | None:
        """The learner's rule for rows without an outcome, if it asks what the answer asks; None if it does not."""
        return None if self.asked is None else self.judge.way(self.at, self.asked.test)

    @cached_property
    def way(self) -> Missing | None:
        """The rule by which rows without an outcome go on: the stated one, if it is right."""
        return self.right

    # What stands below.

    @property
    def departs(self) -> bool:
        """Whether the answer makes another choice than the learner: of a test, or of a class that ties."""
        chosen, answer = self.decision.chosen, self.decision.answer
        stated = part(self.visit.entry.decision, "answer").get("label"), self.visit.entry.node.get("label")
        if answer.tied and any(label not in (None, answer.label) for label in stated):
            return True
        if self.asked is None:
            return self._asks_something or (chosen is not None and bool(self.visit.entry.node))
        is_same = chosen is not None and self.judge.is_same(self.asked.test, chosen.test, self.visit.sample)
        return not is_same or self._is_rerouted

    @property
    def _is_rerouted(self) -> bool:
        """Whether the answer asks other surrogates than the learner, which agree as well."""
        if self.way is None or self.right is None:
            return False
        ours, its = self.right.surrogates, self.way.surrogates
        return [(one.test, one.branches) for one in ours] != [(one.test, one.branches) for one in its]

    @property
    def _asks_something(self) -> bool:
        return self.visit.entry.node.get("test") is not None or self.visit.entry.decision.get("chosen") is not None

    def untold(self) -> Iterator[Mistake]:
        """Branches below which the answer tells of no node, or nodes where no branch leads."""
        told, asked = self.visit.entry.below.keys(), self.asked if self.is_candidate else None
        if asked is None and self._asks_something:
            return
        is_cut_off = self.own is not None and self.own.test is None and self.decision.chosen is not None
        branches = 0 if is_cut_off or asked is None else len(asked.order)
        if len(told) != branches:
            yield Mistake("absent", f"{branches} nodes stand below this one, and {len(told)} are told")
        elif told and max(told) >= branches:
            yield Mistake("absent", f"its branches are 0 to {branches - 1}, and a node is told at {max(told)}")

    def below(self, nodes: Sequence[AnsweredNode]) -> Iterator[_Below]:
        """The nodes below that the answer has, in the order of its branches."""
        asked, entry, sample, own = self.asked, self.visit.entry, self.visit.sample, self.own
        if asked is None or not self.is_candidate:
            return
        if self.way is None and any(sample.partition(asked.test).unknown):
            return
        label = entry.node.get("label", part(entry.decision, "answer").get("label"))
        answer = self.decision.answer
        is_other = isinstance(label, str) and isinstance(answer.label, str) and label in self.labels
        answer = Answer(label if is_other else answer.label, answer.counts)
        missing = () if self.way is None else (self.way,)
        children = self.visit.place.children(sample, asked.test, answer, *missing)
        # The learner's own tree is followed only while the answer divides the rows as it does.
        order = None
        if own is not None and own.test is not None and not self._is_rerouted:
            order = branches_alike(asked.test, own.test, sample)
        for branch, number in sorted(entry.below.items()):
            if branch < len(asked.order):
                ours = asked.order[branch]
                place, arrives = children[ours]
                number_of_own = None if order is None or own is None else own.branches[order[ours]]
                yield _Below(nodes[number], (*self.visit.at, branch), place, arrives, number_of_own, self.labels)


def _mistake(fault: Fault) -> Mistake:
    """A fault of a node as a mistake of an answer. A wrong surrogate is a wrong rule for rows without an outcome."""
    is_surrogate = fault.verdict == "wrong-surrogate"
    return Mistake("wrong-missing" if is_surrogate else fault.verdict, fault.message, rule=fault.rule)


def _name(test: Mapping[str, Any]) -> str:
    """A test of an answer, for a message."""
    subject = text(test.get("attribute") or test.get("weights"))
    return f"{subject} at {text(test['threshold'])}" if test.get("threshold") is not None else subject
