"""Walking: an answered tree, node by node, beside what its learner decides on the rows that reach each node.

At each node the learner decides anew, on the rows that the answer's *own* choices have sent there. So a program that
took another winner is judged below it as well as above it, and a wrong choice does not make everything below it wrong.

1. What reaches the node is counted, and each candidate's table and scores are compared, where they are told.
2. The question must be one of the winners; a threshold may lie anywhere in its interval.
3. A leaf must have the learner's reason to stop, and a label that none has more weight than.
4. Then the walk goes down the branches of the answer. Below a question that is none of the learner's, or where it is not
   known where rows without an answer go, nothing is judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from reference_tree.checking.members import compared
from reference_tree.checking.mistakes import Malformed, Mistake, differs, told, within
from reference_tree.checking.nodes import Said, candidate_of, chosen_of
from reference_tree.checking.questions import Asked, Candidates, Meant, Reader
from reference_tree.checking.quantities import off, shown
from reference_tree.conformance.decisions import missing_json, rules_of
from reference_tree.data.sample import Data, Sample
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rounding import significant
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.options import Options
from reference_tree.learners.place import Answer, Place, path_text
from reference_tree.learners.ties import Ties
from reference_tree.node import Deviations, Node
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree import Tree
from reference_tree.tree_document.answers import answer_json


class _Visit(NamedTuple):
    """A node of the answer, and the rows that its choices send there."""

    said: Said
    at: tuple[int, ...]
    place: Place
    sample: Sample
    own: int | None
    """The number of the same node in the learner's own tree; none below another winner."""
    labels: frozenset[str]
    """What the node above may say, which an empty leaf repeats."""


class Walk:
    """A walk through the nodes of an answer.

    Args:
        learner: decides at each node.
        data: what it learns from.
        tree: what it grows of that.
        only: how many nodes from the root on are judged; none: all. The decision of a split case is the root's.
    """

    def __init__(self, learner: Learner, data: Data, tree: Tree, only: int | None = None) -> None:
        self._learner, self._tree, self._only = learner, tree, only
        self._root = data.sample()
        self._reader = Reader(self._root)
        self.judged = 0
        """How many nodes were judged."""
        self.departed = False
        """Whether the answer took another winner than the learner, so that what rests on the tree is another problem."""

    def mistakes(self, nodes: Sequence[Said]) -> Iterator[Mistake]:
        """What is wrong, in preorder."""
        pending = [_Visit(nodes[0], (), Place.root(self._root), self._root, 0, frozenset())]
        while pending and self.judged != self._only:
            visit = pending.pop()
            self.judged += 1
            judge = _Judge(visit, self._learner, self._tree, self._reader)
            for mistake in judge.mistakes():
                yield mistake._replace(
                    at=visit.at,
                    path=path_text(visit.place),
                    member=".".join(filter(None, (visit.said.member, mistake.member))),
                )
            self.departed |= judge.departed
            pending += [
                visit._replace(
                    said=nodes[number], at=(*visit.at, branch), place=place, sample=sample, own=own, labels=labels
                )
                for branch, number, place, sample, own, labels in reversed(list(judge.below()))
            ]


class _Judge:
    """What is wrong at one node, and where its rows go."""

    def __init__(self, visit: _Visit, learner: Learner, tree: Tree, reader: Reader) -> None:
        self.visit, self.learner, self.tree, self.reader = visit, learner, tree, reader
        self.decision: Decision = learner.decide(visit.sample, visit.place)
        self.total = [Fraction(weight) for weight in self.decision.total]
        self.own = None if visit.own is None else tree.nodes[visit.own]
        self.departed = False
        self.meant: Meant | None = None
        tied = frozenset(self.decision.answer.tied) | {str(self.decision.answer.label)}
        self.labels = tied | visit.labels if self.decision.answer.prior else tied

    def mistakes(self) -> Iterator[Mistake]:
        """What is wrong at the node, causes first."""
        told_decision, node = self.visit.said.decision, self.visit.said.node
        try:
            yield from self._counts(told_decision, node)
            yield from self._candidates(told_decision)
            yield from self._choice(told_decision, node)
            yield from self._answer(told_decision, node)
            yield from self._figures(told_decision, node)
        except Malformed as error:
            yield Mistake("malformed", str(error))

    @cached_property
    def _every(self) -> Candidates:
        """All candidates; a node of which nothing else is told never lists them."""
        return Candidates(self.visit.sample, self.decision.candidates)

    def _rule(self, *about: str) -> str:
        """The first rule of the decision that begins like one of these."""
        rules = sorted(rules_of(self.decision, self.learner))
        return next((rule for start in about for rule in rules if rule.startswith(start)), "")

    def _quantity(self, name: str, came: object, exact: Number) -> Iterator[Mistake]:
        try:
            missed = off(name, came, exact, self.total, self.decision.judged_by)
        except ValueError as error:
            yield Mistake("malformed", str(error))
        else:
            if missed:
                yield Mistake(f"wrong-{name.replace('_', '-')}", missed)

    # What reaches the node.

    def _counts(self, decision: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[Mistake]:
        rule = self._rule("missing.weights", "missing.")
        for mistake in self._weights(decision.get("total"), self.decision.total, "total"):
            yield mistake._replace(verdict="wrong-counts", rule=rule)
        expected = self._node_json()
        for key in ("counts", "n", "g", "h"):
            if key in node and key in expected:
                for mistake in within(compared(expected[key], node[key], key), key):
                    yield mistake._replace(verdict="wrong-counts", rule=rule)

    def _node_json(self) -> dict[str, Any]:
        """The answer of the node as a tree document has it."""
        answer = self.decision.answer
        counts = self.decision.total if any(self.decision.total) or not answer.prior else answer.counts
        node = Node(self.decision.total, answer.label, stop="empty", tied=answer.tied, prior=answer.prior)
        del counts
        return answer_json(node, self.tree.target, median=isinstance(self.tree.nodes[0].counts, Deviations))

    def _weights(self, came: object, expected: Sequence[Number], member: str) -> Iterator[Mistake]:
        if came is None:
            return
        if not isinstance(came, list) or len(came) != len(expected):
            yield Mistake("malformed", f"{told(came)} is no list of {len(expected)} weights", member)
            return
        for place, (one, other) in enumerate(zip(came, expected, strict=True)):
            name = "total" if place == 0 or len(self.total) != 3 or self.tree.target.values is not None else "sse"
            yield from within(self._quantity(name, one, other), f"{member}[{place}]")

    # The candidates.

    def _candidates(self, decision: Mapping[str, Any]) -> Iterator[Mistake]:
        for number, told_candidate in enumerate(decision.get("candidates") or ()):
            yield from within(self._candidate(candidate_of(decision, told_candidate)), f"candidates[{number}]")
        if decision.get("winners") is not None:
            yield from self._winners(decision)

    def _candidate(self, came: Mapping[str, Any]) -> Iterator[Mistake]:
        found = self._every.meant(self._asked(came))
        if found is None:
            if not came.get("barred"):
                yield Mistake(
                    "not-a-candidate",
                    f"{told(came['test'])} is no candidate here",
                    "",
                    None,
                    "",
                    self._rule("branching."),
                )
            return
        table = came.get("table") or {}
        ordered = [found.candidate.table.rows[place] for place in found.branches]
        rows = table.get("rows")
        if rows is not None and (not isinstance(rows, list) or len(rows) != len(ordered)):
            yield Mistake("malformed", f"{told(rows)} has not {len(ordered)} rows", "table")
            return
        for place, row in enumerate(rows or ()):
            yield from within(self._table(row, ordered[place]), f"table.rows[{place}]")
        yield from within(self._table(table.get("unknown"), found.candidate.table.unknown), "table.unknown")
        for name, score in (came.get("scores") or {}).items():
            if name in found.candidate.scores:
                for mistake in self._quantity(name, score, found.candidate.scores[name]):
                    yield mistake._replace(
                        member=f"scores.{name}",
                        message=f"{found.candidate.test.name}: {mistake.message}",
                        rule=self._rule("measure.", "missing.ratio" if name == "ratio" else "measure."),
                    )
            elif found.candidate.scores:
                yield Mistake(
                    "malformed", f"there is no score {told(name)} here; there are {', '.join(found.candidate.scores)}"
                )

    def _table(self, came: object, expected: Sequence[Number]) -> Iterator[Mistake]:
        for mistake in self._weights(came, expected, ""):
            yield (
                mistake
                if mistake.verdict == "malformed"
                else mistake._replace(verdict="wrong-table", rule=self._rule("missing.", "branching."))
            )

    def _winners(self, decision: Mapping[str, Any]) -> Iterator[Mistake]:
        """The set of winners is the same, whatever their order."""
        if not isinstance(decision["winners"], list):
            raise Malformed(f"{told(decision['winners'])} is no list of winners")
        lacking = list(self.decision.winners)
        for named in decision["winners"]:
            came = candidate_of(decision, named)
            if (found := self._find(came, lacking)) is not None:
                lacking.remove(found.candidate)
            else:
                yield Mistake(
                    "wrong-winners",
                    f"{_name(came['test'])} is no winner{self._behind(came)}",
                    "winners",
                    rule=self._rule("ties.split", "measure."),
                )
        if lacking:
            names = ", ".join(winner.test.name for winner in lacking)
            yield Mistake(
                "wrong-winners", f"{names} wins as well", "winners", rule=self._rule("ties.split", "measure.")
            )

    def _find(self, came: Mapping[str, Any], among: Sequence[Candidate]) -> Meant | None:
        return Candidates(self.visit.sample, among).meant(self._asked(came))

    def _asked(self, came: Mapping[str, Any]) -> Asked:
        first = next(iter(self.decision.winners), None)
        return self.reader.asked(
            came["test"], came.get("outcomes"), strict=getattr(first and first.test, "strict", False)
        )

    # The choice.

    def _choice(self, decision: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[Mistake]:
        asks = chosen_of(decision) if "chosen" in decision else None
        stop = self.own.stop if self.own is not None and self.own.stop == "collapsed" else self.decision.stop
        if "chosen" in decision:
            yield from self._question(asks, decision.get("stop"), self.decision.stop)
        elif "stop" in decision:
            yield from self._stopped(decision["stop"], self.decision.stop)
        if node:
            branches = [branch.get("when") for branch in node.get("branches") or ()]
            outcomes = None if not branches or None in branches else branches
            test = {"test": node["test"], "outcomes": outcomes} if node.get("test") is not None else None
            if test is None and asks is not None and stop != "collapsed" and not self._may_collapse(node):
                yield Mistake("malformed", "its decision asks, and in its tree it is a leaf")
            elif not ("chosen" in decision and test is not None and asks is not None):
                yield from self._question(test, node.get("stop"), stop, in_tree=True)

    def _may_collapse(self, node: Mapping[str, Any]) -> bool:
        """Whether it cannot be told if a node below another winner is rightly collapsed."""
        return self.own is None and node.get("stop") == "collapsed" and self.learner.finish is not None

    def _question(
        self, came: Mapping[str, Any] | None, stop: object, right: str | None, *, in_tree: bool = False
    ) -> Iterator[Mistake]:
        if came is None:
            if right is None and not self._may_collapse({"stop": stop}):
                best = self.decision.chosen
                assert best is not None
                said = f"{best.test.name} splits, with {self._score(best)}"
                yield Mistake(
                    "stopped-early", said, "stop", rule=self._rule("zero-gain", "bound.", "stop.", "measure.")
                )
            elif right is not None:
                yield from self._stopped(stop, right)
            return
        if right is not None:
            yield Mistake(
                "split-too-far", f"{_name(came['test'])} is asked where {right} stops", "stop", rule=f"stop.{right}"
            )
            return
        asked = self._asked(came)
        chosen = self.decision.chosen
        assert chosen is not None
        self.meant = Candidates(self.visit.sample, [chosen, *self.decision.winners]).meant(asked)
        if self.meant is None:
            yield self._wrong_choice(came, asked)
        elif self.meant.candidate.test != chosen.test:
            self.departed = True

    def _wrong_choice(self, came: Mapping[str, Any], asked: Asked) -> Mistake:
        self.departed = True
        self.meant = self._every.meant(asked)
        chosen = self.decision.chosen
        assert chosen is not None
        best = f"{chosen.test.name} has {self._score(chosen)}"
        rule = self._rule("c45.average", "measure.", "c45.", "ties.split")
        name = _name(came["test"])
        if self.meant is None:
            return Mistake(
                "not-a-candidate",
                f"{name} is no candidate; {best}",
                "test",
                rule=self._rule("threshold.position", "branching.") or rule,
            )
        if (barred := self.meant.candidate.barred) is not None:
            return Mistake("not-a-candidate", f"{name} is barred by {barred}; {best}", "test", rule=rule)
        return Mistake("suboptimal", f"{name}{self._behind(came)}; {best}", "test", rule=rule)

    def _score(self, candidate: Candidate) -> str:
        name = self.decision.judged_by
        return f"{name} {significant(candidate.scores[name], 6)}"

    def _behind(self, came: Mapping[str, Any]) -> str:
        """The score of a question that is no winner, for a message."""
        found = self._every.meant(self._asked(came))
        if found is None or self.decision.judged_by not in found.candidate.scores:
            return ""
        return f" has {self._score(found.candidate)}"

    def _stopped(self, came: object, right: str | None) -> Iterator[Mistake]:
        if came not in (right, None, "unknown") or (came is None and right is not None):
            for mistake in differs("wrong-stop", right, came, "stop"):
                yield mistake._replace(rule=f"stop.{right}" if right else self._rule("bound.", "stop."))

    # What the node says.

    def _answer(self, decision: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[Mistake]:
        rule = self._rule("empty-branch", "ties.class")
        answer = decision.get("answer")
        if answer is not None and not isinstance(answer, dict):
            raise Malformed(f"{told(answer)} is no answer")
        for told_of, member in ((answer or {}, "answer."), (node, "")):
            if "label" in told_of:
                for mistake in self._label(told_of["label"]):
                    yield mistake._replace(member=f"{member}label", rule=rule)
            if "prior" in told_of:
                yield from differs("wrong-leaf", self.decision.answer.prior, told_of["prior"], f"{member}prior")
            if told_of.get("tied") is not None:
                yield from self._tied(told_of["tied"], f"{member}tied")
        expected = self._node_json()
        for key in ("mean", "median", "sse", "sad", "value"):
            if key in node and key in expected:
                exact = (
                    Fraction(expected[key])
                    if self.decision.answer.prior is False
                    else Fraction(self.decision.answer.label)
                )
                if key in ("sse", "sad") and self.decision.answer.prior:
                    exact = Fraction(0)
                name = key if key != "sse" or len(self.total) > 2 else "sad"
                for mistake in within(self._quantity(name, node[key], exact), key):
                    yield mistake._replace(verdict="wrong-leaf")

    def _label(self, came: object) -> Iterator[Mistake]:
        if self.tree.target.values is None:
            for mistake in self._quantity("label", came, self.decision.answer.label):
                yield mistake._replace(verdict="wrong-leaf")
        elif came not in self.labels:
            counts = ", ".join(
                f"{name} {shown(n)}"
                for name, n in zip(self.tree.target.values, self.decision.answer.counts, strict=True)
            )
            wanted = " or ".join(sorted(self.labels))
            yield Mistake("wrong-leaf", f"expected {wanted}, came {told(came)}: {counts}")

    def _tied(self, came: object, member: str) -> Iterator[Mistake]:
        """The classes that tie. An empty leaf may tell those of the node above, or none."""
        if not isinstance(came, list):
            raise Malformed(f"{told(came)} is no list of classes")
        free: list[list[str]] = [[]] if self.decision.answer.prior else []
        expected = sorted(self.labels) if len(self.labels) > 1 else []
        if sorted(map(str, came)) not in [expected, *free]:
            yield Mistake("wrong-tie", f"expected {told(expected)}, came {told(came)}", member, rule="ties.class")

    # Figures that follow.

    def _figures(self, decision: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[Mistake]:
        if decision.get("margin") is not None and self.decision.margin is not None:
            yield from within(self._quantity("margin", decision["margin"], self.decision.margin), "margin")
        if decision.get("judged_by") is not None and self.decision.candidates:
            yield from differs("wrong-score", self.decision.judged_by, decision["judged_by"], "judged_by")
        evidence = decision.get("evidence") or {}
        for name, figure in evidence.items():
            if name not in self.decision.evidence:
                yield Mistake("malformed", f"there is no evidence {told(name)} here", "evidence")
            else:
                yield from within(self._quantity(name, figure, self.decision.evidence[name]), f"evidence.{name}")
        taken = self._taken()
        if taken is None or self.meant is None or self.meant.branches != tuple(range(len(self.meant.branches))):
            return
        if decision.get("missing") is not None:
            expected = missing_json(taken.missing)
            for mistake in within(compared(expected, decision["missing"]), "missing"):
                yield mistake._replace(verdict="wrong-missing", rule=self._rule("missing."))
        for place, branch in enumerate(node.get("branches") or ()):
            if branch.get("share") is not None and taken.missing.shares:
                yield from within(
                    self._quantity("share", branch["share"], taken.missing.shares[place]), f"branches[{place}].share"
                )

    def _taken(self) -> Decision | None:
        """The decision with the winner that the answer has chosen, so that it is known where rows without an answer go."""
        if self.meant is None or self.decision.chosen is None:
            return None
        test = self.meant.candidate.test
        if test == self.decision.chosen.test:
            return self.decision
        if test not in [winner.test for winner in self.decision.winners] or not isinstance(self.learner, Options):
            return None
        at = "/" + "/".join(str(branch) for branch, _ in self.visit.place.steps())
        told_so = replace(self.learner, ties=Ties({at: test.name}, dict(self.learner.ties.label)))
        return told_so.decide(self.visit.sample, self.visit.place)

    def below(self) -> Iterator[tuple[int, int, Place, Sample, int | None, frozenset[str]]]:
        """The nodes below, as the answer tells of them: branch, number, place, rows, own number, labels."""
        said = self.visit.said
        if self.meant is None or not said.below:
            return
        test, taken = self.meant.candidate.test, self._taken()
        if taken is None and any(self.meant.candidate.table.unknown):
            return
        missing = self.decision.missing if taken is None else taken.missing
        answer = self.decision.answer
        label = said.node.get("label", (said.decision.get("answer") or {}).get("label", answer.label))
        label = label if label in self.labels else answer.label
        if taken is None:
            children = self.visit.place.children(self.visit.sample, test, Answer(label, answer.counts))
        else:
            children = self.visit.place.children(self.visit.sample, test, Answer(label, answer.counts), missing)
        same = self.own is not None and self.own.test == test
        for branch, number in sorted(said.below.items()):
            if branch < len(children):
                place, sample = children[self.meant.branches[branch]]
                own = self.own.branches[self.meant.branches[branch]] if same and self.own is not None else None
                yield branch, number, place, sample, own, self.labels


def _name(test: Mapping[str, Any]) -> str:
    """A question of an answer, for a message."""
    asked = test.get("attribute") or test.get("weights")
    return told(asked) + (f" at {told(test['threshold'])}" if test.get("threshold") is not None else "")
