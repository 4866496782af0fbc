"""Walking: an answered tree is compared, node by node, with the learner's decisions on the rows that reach each node.

At each node the learner decides anew, on the rows that the answer's *own* choices have sent there. So a program that
took another winner is judged below it as well as above it, and a wrong choice does not make everything below it wrong.

1. What reaches the node is counted, and each candidate's table and scores are compared, where they are stated.
2. The question must be one of the winners; a threshold may lie anywhere in its interval.
3. A leaf must have the learner's reason to stop, and the label of a class that no other class outweighs.
4. The walk goes on down the branches of the answer, unless its question is no candidate, or is no winner and some row
   does not answer it: then it is not known where such a row goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from reference_tree.auditing.verdicts import BARS, STOPS, Rule, rule_of
from reference_tree.checking.mistakes import Malformed, Mistake, differs, text, within
from reference_tree.checking.nodes import AnsweredNode, candidate_of, chosen_of, objects, part
from reference_tree.checking.quantities import off, shown
from reference_tree.checking.questions import Candidates, Meant, Reader, ReadQuestion
from reference_tree.checking.stand_ins import Ways, of_node
from reference_tree.conformance.decisions import MEASURES, rules_of
from reference_tree.data.missing import Missing
from reference_tree.data.questions import Test, Threshold
from reference_tree.data.sample import Data, Sample
from reference_tree.ensembles.random_forest import DrawnAttributes
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import rational
from reference_tree.exact.rounding import significant
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.options import Options
from reference_tree.learners.place import Answer, Place, Ties, path_text
from reference_tree.node import Derivatives, Deviations, Node
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree import Tree
from reference_tree.tree_document.answers import answer_json

_COLUMNS: Mapping[type, tuple[str, str, str]] = {Deviations: ("n", "median", "sad"), Derivatives: ("n", "g", "h")}
_MOMENTS = ("n", "mean", "n")
"""The tolerances of the three counts at a node of a regression tree: n, Σy and Σy²."""


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


class Walk:
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
        reader, judged = Reader(self._root), 0
        pending = [_Below(nodes[0], (), Place.root(self._root), self._root)]
        while pending and judged != self._most:
            visit = pending.pop()
            judged += 1
            judge = _Judge(visit, self._learner, self._tree, reader)
            for mistake in judge.mistakes():
                yield self._placed(mistake, judge)
            self.departed |= judge.departs
            self.moved |= judge.moved
            if judge.is_malformed:
                continue
            if judged != self._most:
                yield from (self._placed(mistake, judge) for mistake in judge.untold())
            pending += reversed(list(judge.below(nodes)))

    def _placed(self, mistake: Mistake, judge: _Judge) -> Mistake:
        """A mistake, with its node and its rule."""
        member = ".".join(filter(None, (judge.visit.entry.member, mistake.member)))
        path, rule = path_text(judge.visit.place), mistake.rule or judge.rule(mistake.verdict)
        return mistake._replace(at=judge.visit.at, path=path, member=member, rule=rule)


class _Judge:
    """The judge of one node: its mistakes, and the way of its rows."""

    def __init__(self, visit: _Below, learner: Learner, tree: Tree, reader: Reader) -> None:
        self.visit, self.learner, self.tree, self.reader = visit, learner, tree, reader
        self.decision = learner.decide(visit.sample, visit.place)
        self.total = [Fraction(weight) for weight in self.decision.total]
        self.own = None if visit.own is None else tree.nodes[visit.own]
        self.is_malformed = False
        self.meant: Meant | None = None
        """The candidate that the answer asks; None if it is not known."""
        self.moved = False
        """Whether its threshold differs from the learner's."""
        self.way: Missing | None = None
        """The rule for rows without an answer; None below a question that is no winner."""
        answer = self.decision.answer
        self.labels = frozenset(answer.tied) | {str(answer.label)} | (visit.labels if answer.prior else frozenset())

    def rule(self, verdict: str) -> str:
        """The rule of the decision that a verdict is about; empty if there is none."""
        if self.decision.judged_by not in MEASURES:
            return ""
        if verdict == "not-a-candidate" and self.decision.stop and not self.decision.candidates:
            return f"stop.{self.decision.stop}"  # nothing is asked there at all
        return rule_of(verdict, rules_of(self.decision, self.learner))

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
        lacking = list(self.decision.winners)
        for named in decision["winners"]:
            came = candidate_of(decision, named)
            found = Candidates(self.visit.sample, lacking).meant(self._question(came))
            if found is None:
                yield Mistake("wrong-winners", f"{_name(came['test'])}{self._with_score(came)} is none")
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
        asks, found = chosen_of(decision), list[Mistake]()
        if decision.keys().isdisjoint(("chosen", "stop")) and node.keys().isdisjoint(("test", "stop")):
            yield Mistake("absent", "it says neither what is asked nor why it stops")
            return
        if "chosen" in decision or "stop" in decision:
            found = list(self._taken_from(asks, decision.get("stop"), self.decision.stop))
            yield from within(found, "chosen" if asks else "stop")
        if "test" in node or "stop" in node:
            branches = [branch.get("when") for branch in node.get("branches") or ()]
            outcomes = None if None in branches else branches
            question = None if node.get("test") is None else {"test": node["test"], "outcomes": outcomes}
            right = self.own.stop if self.own is not None else self.decision.stop
            for mistake in self._taken_from(question, node.get("stop"), right):
                if mistake not in found:  # which the decision says of itself already
                    yield from within([mistake], "test" if question else "stop")

    def _taken_from(self, came: Mapping[str, Any] | None, stop: object, right: str | None) -> Iterator[Mistake]:
        """The question that is asked, or the reason to stop, where it is right to stop for a reason, or for none."""
        if came is None and right is not None:
            if stop not in (right, "unknown"):
                yield from differs("wrong-stop", right, stop)
        elif came is None:
            if not (stop == "collapsed" and self._may_be_collapsed):
                assert self.decision.chosen is not None
                yield Mistake("stopped-early", f"{self._best()}, and no rule stops here", rule=self._misapplied(stop))
        elif right is not None:
            yield Mistake("split-too-far", f"{_name(came['test'])} is asked where {right} stops", rule=f"stop.{right}")
        else:
            yield from self._asks(came)

    def _misapplied(self, stop: object) -> str:
        """The rule that an answer wrongly applies when it stops at a node; nothing if its reason names none."""
        chosen, by = self.decision.chosen, self.decision.judged_by
        if chosen is not None and chosen.scores[by] == 0:
            return "zero-gain"
        if chosen is not None and stop == "no-attributes" and chosen.test.kind != "multiway":
            return "attribute.reuse"
        return "c45.epsilon" if (stop, by) == ("epsilon", "ratio") else STOPS.get(str(stop), Rule("")).id

    @property
    def _may_be_collapsed(self) -> bool:
        """Whether what was grown below another choice decides if it is right to collapse the node."""
        return self.own is None and self.learner.grower().options.get("collapse", "never") != "never"

    def _asks(self, came: Mapping[str, Any]) -> Iterator[Mistake]:
        question, chosen = self._question(came), self.decision.chosen
        assert chosen is not None
        self.meant = Candidates(self.visit.sample, [chosen, *self.decision.winners]).meant(question)
        if self.meant is not None:
            ours, its = self.meant.candidate.test, question.test
            if isinstance(ours, Threshold) and isinstance(its, Threshold):
                self.moved = float(ours.threshold) != float(its.threshold)
            return
        self.meant = self._every.meant(question)
        name = _name(came["test"])
        if self.meant is None:
            bar = self._bar(question.test)
            why, rule = BARS.get(bar or "", Rule("it is none here"))
            yield Mistake("not-a-candidate", f"{name}: {why}; {self._best()}", rule=rule)
        elif self.meant.candidate.barred is not None:
            barred = self.meant.candidate.barred
            rule = BARS.get(barred, Rule("")).id
            yield Mistake("not-a-candidate", f"{name} is barred by {barred}; {self._best()}", rule=rule)
        else:
            yield Mistake("suboptimal", f"{name}{self._with_score(came)}; {self._best()}")

    def _bar(self, test: Test) -> str | None:
        """The rule that bars a question which is not even looked at: that its attribute was not drawn."""
        drawn = isinstance(self.learner, DrawnAttributes)
        return self.learner.judge_one(self.visit.sample, self.visit.place, test).barred if drawn else None

    def _best(self) -> str:
        """The chosen candidate, for a message."""
        assert self.decision.chosen is not None
        return f"{self.decision.chosen.test.name} has {self._score(self.decision.chosen)}"

    def _score(self, candidate: Candidate) -> str:
        name = self.decision.judged_by
        return f"{name} {significant(candidate.scores[name], 6)}"

    def _with_score(self, came: Mapping[str, Any]) -> str:
        """What a question scores that should not have been chosen, for a message."""
        found = self._every.meant(self._question(came))
        has_score = found is not None and self.decision.judged_by in found.candidate.scores
        return f" has {self._score(found.candidate)}" if found is not None and has_score else ""

    # What the node says.

    def _answer(self, decision: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[Mistake]:
        yield from within(self._says(part(decision, "answer")), "answer")
        yield from self._says(node)
        if self.tree.target.values is None:
            median = isinstance(self.tree.nodes[0].counts, Deviations)
            right = Node(self.decision.total, self.decision.answer.label, stop="empty")
            for key, exact in answer_json(right, self.tree.target, median=median).items():
                if key in node:
                    verdict = "wrong-counts" if key in ("n", "g", "h") else "wrong-leaf"
                    yield from within(self._quantity(key, node[key], rational(str(exact)), verdict), key)

    def _says(self, came: Mapping[str, Any]) -> Iterator[Mistake]:
        answer = self.decision.answer
        if "label" in came and self.tree.target.values is None:
            yield from within(self._quantity("label", came["label"], answer.label, "wrong-leaf"), "label")
        elif "label" in came and not self._may_say(came["label"]):
            weights = zip(self.tree.target.domain, answer.counts, strict=True)
            counted = ", ".join(f"{label} {shown(weight)}" for label, weight in weights)
            message = f"expected {' or '.join(sorted(self.labels))}, came {text(came['label'])}; there are {counted}"
            yield Mistake("wrong-leaf", message, "label")
        if "prior" in came:
            yield from differs("wrong-leaf", answer.prior, came["prior"], "prior")
        if came.get("tied") is not None:
            yield from within(self._tied(came["tied"]), "tied")

    def _may_say(self, label: object) -> bool:
        """Whether a class has the most weight here, or here and elsewhere."""
        return isinstance(label, str) and label in self.labels

    def _tied(self, came: object) -> Iterator[Mistake]:
        """The classes that tie. An empty leaf may tell those of the node above, or none."""
        if not isinstance(came, list):
            raise Malformed(f"{text(came)} is no list of classes")
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
        """Where rows without an answer go: as the answer of the program states it, if that is right."""
        taken = self._taken
        if taken is None or taken.chosen is None or self.meant is None:
            return
        for place, (branch, ours) in enumerate(zip(node.get("branches") or (), self.meant.branches, strict=False)):
            if branch.get("share") is not None and taken.missing.shares:
                share = taken.missing.shares[ours]
                yield from within(self._quantity("share", branch["share"], share), f"branches[{place}].share")
        self.way, stated = taken.missing, [one for one in (part(decision, "missing"), of_node(node)) if one]
        if stated:
            test, sample = taken.chosen.test, self.visit.sample
            ways = Ways(self.learner, sample, test, taken.missing, self.meant.branches, self.reader)
            found = list(dict.fromkeys(mistake for one in stated for mistake in ways.mistakes(one)))
            yield from within(found, "missing")
            self.way = taken.missing if found else ways.taken(stated[0])

    # What stands below.

    @property
    def departs(self) -> bool:
        """Whether the answer makes another choice than the learner: of a question, or of a class that ties."""
        chosen, answer = self.decision.chosen, self.decision.answer
        labels = {part(self.visit.entry.decision, "answer").get("label"), self.visit.entry.node.get("label")} - {None}
        if answer.tied and labels and labels != {answer.label}:
            return True
        if self.meant is None:
            return self._asks_something or (chosen is not None and bool(self.visit.entry.node))
        return chosen is None or self.meant.candidate.test != chosen.test or self._is_rerouted

    @property
    def _is_rerouted(self) -> bool:
        """Whether the answer asks other surrogates than the learner, which agree as well."""
        if self.way is None or self._taken is None:
            return False
        ours, its = self._taken.missing.surrogates, self.way.surrogates
        return [(one.test, one.branches) for one in ours] != [(one.test, one.branches) for one in its]

    @property
    def _asks_something(self) -> bool:
        return self.visit.entry.node.get("test") is not None or self.visit.entry.decision.get("chosen") is not None

    def untold(self) -> Iterator[Mistake]:
        """Branches below which the answer tells of no node, or nodes where no branch leads."""
        told = self.visit.entry.below.keys()
        if self.meant is None and self._asks_something:
            return
        is_leaf = self.meant is None or (self.own is not None and self.own.test is None)
        branches = 0 if is_leaf or self.meant is None else len(self.meant.branches)
        if len(told) != branches:
            yield Mistake("absent", f"{branches} nodes stand below this one, and {len(told)} are told")
        elif told and max(told) >= branches:
            yield Mistake("absent", f"its branches are 0 to {branches - 1}, and a node is told at {max(told)}")

    @cached_property
    def _taken(self) -> Decision | None:
        """The decision of the learner if an override of a tie makes it ask what the answer asks.

        It says where rows without an answer go. None if the question of the answer is no winner.
        """
        if self.meant is None or self.decision.chosen is None:
            return None
        test = self.meant.candidate.test
        if test == self.decision.chosen.test:
            return self.decision
        if test not in [winner.test for winner in self.decision.winners] or not isinstance(self.learner, Options):
            return None
        at = "/" + "/".join(str(branch) for branch, _ in self.visit.place.steps())
        overridden = replace(self.learner, ties=Ties({at: test.name}))
        return overridden.decide(self.visit.sample, self.visit.place)

    def below(self, nodes: Sequence[AnsweredNode]) -> Iterator[_Below]:
        """The nodes below that the answer has, in the order of its branches."""
        taken, entry = self._taken, self.visit.entry
        if self.meant is None or (taken is None and any(self.meant.candidate.table.unknown)):
            return
        answer = self.decision.answer
        label = entry.node.get("label", part(entry.decision, "answer").get("label"))
        answer = Answer(label if self._may_say(label) else answer.label, answer.counts)
        test, missing = self.meant.candidate.test, () if self.way is None else (self.way,)
        children = self.visit.place.children(self.visit.sample, test, answer, *missing)
        own = self.own if self.own is not None and self.own.test == test and not self._is_rerouted else None
        for branch, number in sorted(entry.below.items()):
            if branch < len(self.meant.branches):
                ours = self.meant.branches[branch]
                place, sample = children[ours]
                number_of_own = None if own is None else own.branches[ours]
                yield _Below(nodes[number], (*self.visit.at, branch), place, sample, number_of_own, self.labels)


def _name(test: Mapping[str, Any]) -> str:
    """A question of an answer, for a message."""
    subject = text(test.get("attribute") or test.get("weights"))
    return f"{subject} at {text(test['threshold'])}" if test.get("threshold") is not None else subject
