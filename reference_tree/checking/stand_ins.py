"""Rows without an outcome: whether a program's answer sends them where its learner does, with surrogates.

A decision names branches by their numbers, a node of a tree by the nodes that they lead to; `of_node` says the second
in the words of the first. Surrogates that agree equally well may stand in any order, and any test about an
attribute will do that agrees as well as the best: the auditor judges those of a tree in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reference_tree.auditing import surrogates
from reference_tree.auditing.judging import DecidedArrival, LearnerJudge
from reference_tree.auditing.stated import Stated
from reference_tree.checking.mistakes import Malformed, Mistake, text, within
from reference_tree.checking.nodes import objects, part
from reference_tree.checking.quantities import off
from reference_tree.checking.questions import AnswerReader, ReadQuestion
from reference_tree.data.questions import Missing, Surrogate
from reference_tree.data.targets import Branches
from reference_tree.splitting.missing_rules import StandIns

VERDICT = "wrong-missing"


def of_node(node: Mapping[str, Any]) -> dict[str, Any]:
    """The rule of a tree node for rows without an outcome, in the form of a decision.

    Example:
        >>> branches = [{"when": {"le": "1"}, "to": 1}, {"when": {"gt": "1"}, "to": 2}]
        >>> of_node({"branches": branches, "missing": {"rule": "branch", "to": 2}})
        {'rule': 'branch', 'to': 1}
    """
    # A tree names the node that a row goes to, and a decision the branch that leads there.
    ids = [branch.get("to") for branch in objects(node, "branches")]
    found = dict(part(node, "missing"))
    if found.get("to") is not None:
        found["to"] = _place(ids, found["to"])
    if node.get("surrogates") is not None:
        found["surrogates"] = [_of_surrogate(one, ids) for one in objects(node, "surrogates")]
    return found


def _of_surrogate(one: Mapping[str, Any], ids: Sequence[Any]) -> dict[str, Any]:
    branches = objects(one, "branches")
    conditions = {"outcomes": [branch.get("when") for branch in branches]}
    return {**one, **conditions, "branches": [_place(ids, branch.get("to")) for branch in branches]}


def _place(ids: Sequence[Any], to: object) -> int:
    if type(to) is not int or to not in ids:
        raise Malformed(f"{text(to)} is none of the nodes that the branches lead to")
    return ids.index(to)


class Ways:
    """Judges where an answer sends the rows of a node for which its test has no outcome.

    Args:
        judge: the judge of the nodes.
        at: the node.
        asked: the test of the answer.
        right: the learner's rule for rows without an outcome.
        reader: the reader of the tests of the answer.
    """

    def __init__(
        self, judge: LearnerJudge, at: DecidedArrival, asked: ReadQuestion, right: Missing, reader: AnswerReader
    ) -> None:
        self._judge, self._at, self._asked, self._right, self._reader = judge, at, asked, right, reader
        # Surrogates are judged only where the learner looks for some: of two branches, and where rows need them or
        # always.
        self._search: StandIns = getattr(judge.base, "stand_ins", StandIns())
        is_needed = self._search.always or any(at.sample.partition(asked.test).unknown)
        self._is_sought = judge.search is not None and is_needed and len(asked.order) == 2

    def mistakes(self, came: Mapping[str, Any]) -> Iterator[Mistake]:
        """The mistakes in the statements of the answer; omissions are no mistakes."""
        if strange := came.keys() - {"rule", "to", "surrogates"}:
            raise Malformed(f"there is no member {text(min(strange))} here; there are rule, to, surrogates")
        rule = surrogates.RULE if self._judge.search else ""
        yield from (mistake._replace(rule=rule) for mistake in self._mistakes(came))

    def _mistakes(self, came: Mapping[str, Any]) -> Iterator[Mistake]:
        if came.get("rule") not in (None, self._right.rule):
            yield Mistake(VERDICT, f"expected {self._right.rule}, came {text(came['rule'])}", "rule")
        # The learner sends such rows to no single branch.
        if came.get("to") is not None and self._right.to is None:
            yield Mistake(VERDICT, f"expected no branch, came {text(came['to'])}", "to")
        taken = self.taken(came)
        if came.get("surrogates") is not None:
            if taken.surrogates and not self._is_sought:
                yield Mistake(VERDICT, "none are looked for here", "surrogates")
            yield from within(self._agreements(objects(came, "surrogates"), taken.surrogates), "surrogates")
        # What was not looked for cannot be wrong: the learner's own list stands in for it.
        if not self._is_sought:
            taken = replace(taken, surrogates=self._right.surrogates)
        for fault in self._judge.missing(self._at, Stated(missing=taken), self._asked.test):
            yield Mistake(VERDICT, fault.message, "surrogates" if fault.verdict == "wrong-surrogate" else "to")

    def _agreements(self, came: Sequence[Mapping[str, Any]], listed: Sequence[Surrogate]) -> Iterator[Mistake]:
        against = self._at.sample.against(Branches(self._asked.test))
        for number, (one, found) in enumerate(zip(came, listed, strict=True)):
            if self._is_sought and one.get("agreement") is not None:
                # The agreement is counted on the rows of the node, by the denominator of the learner.
                right = surrogates.agrees(found, against, self._search.denominator)
                if missed := off("agreement", one["agreement"], right):
                    yield Mistake(VERDICT, missed, f"[{number}].agreement")

    def taken(self, came: Mapping[str, Any]) -> Missing:
        """The rule as the answer states it; where it says nothing, the learner's."""
        taken = self._right
        if came.get("surrogates") is not None:
            taken = replace(taken, surrogates=tuple(map(self._surrogate, objects(came, "surrogates"))))
        return taken if came.get("to") is None else replace(taken, to=self._branch(came["to"]))

    def _surrogate(self, one: Mapping[str, Any]) -> Surrogate:
        read, search = self._reader.question, self._search
        test, order = read(one.get("test"), one.get("outcomes"), strict=search.strict, seen=search.seen)
        to = one.get("branches")
        if not isinstance(to, list) or len(to) != len(order):
            raise Malformed(f"{text(to)} are not the {len(order)} branches of a surrogate")
        # The branches of the surrogate stand in the order of the answer, and its outcomes in that of the package.
        branches = [0] * len(order)
        for place, branch in zip(order, to, strict=True):
            branches[place] = self._branch(branch)
        return Surrogate(test, tuple(branches), 0)

    def _branch(self, number: object) -> int:
        if type(number) is not int or not 0 <= number < len(self._asked.order):
            raise Malformed(f"{text(number)} is no branch")
        # A number of the answer's branch as the number of the test's outcome.
        return self._asked.order[number]
