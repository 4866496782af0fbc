"""Rows that do not answer a question: whether a program's answer sends them where its learner does, with surrogates.

A decision names branches by their numbers, a node of a tree by the nodes that they lead to; `of_node` says the second
in the words of the first. Surrogates that agree equally well may stand in any order, and any question about an
attribute will do that agrees as well as the best: the auditor judges those of a tree in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reference_tree.auditing import surrogates
from reference_tree.checking.mistakes import Malformed, Mistake, text, within
from reference_tree.checking.nodes import objects, part
from reference_tree.checking.quantities import off
from reference_tree.checking.questions import Reader
from reference_tree.data.missing import Missing, Surrogate
from reference_tree.data.questions import Linear, Test
from reference_tree.data.sample import Sample
from reference_tree.data.targets import Branches
from reference_tree.ensembles.random_forest import DrawnAttributes
from reference_tree.learners.decision import Learner
from reference_tree.learners.missing_rules import StandIns

VERDICT = "wrong-missing"


def of_node(node: Mapping[str, Any]) -> dict[str, Any]:
    """The rule of a tree node for rows without an answer, in the form of a decision.

    Example:
        >>> branches = [{"when": {"le": "1"}, "to": 1}, {"when": {"gt": "1"}, "to": 2}]
        >>> of_node({"branches": branches, "missing": {"rule": "branch", "to": 2}})
        {'rule': 'branch', 'to': 1}
    """
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
    """Judges where an answer sends the rows of a node that do not answer its question.

    Args:
        learner: the learner of the case.
        sample: the rows at the node.
        test: the question of the node.
        right: the learner's rule for rows without an answer.
        branches: for each branch of the answer, the branch of the question.
        reader: the reader of the questions of the answer.
    """

    def __init__(
        self, learner: Learner, sample: Sample, test: Test, right: Missing, branches: Sequence[int], reader: Reader
    ) -> None:
        self._sample, self._test, self._right, self._branches, self._reader = sample, test, right, branches, reader
        base = learner.forest.base if isinstance(learner, DrawnAttributes) else learner
        self._search: StandIns = getattr(base, "stand_ins", StandIns())
        self._rule = surrogates.RULE if learner.grower().options.get("missing") == "surrogates" else ""
        is_needed = self._search.always or any(sample.partition(test).unknown)
        self._is_sought = bool(self._rule) and is_needed and len(branches) == 2 and not isinstance(test, Linear)

    def mistakes(self, came: Mapping[str, Any]) -> Iterator[Mistake]:
        """The mistakes in the statements of the answer; omissions are no mistakes."""
        if strange := came.keys() - {"rule", "to", "surrogates"}:
            raise Malformed(f"there is no member {text(min(strange))} here; there are rule, to, surrogates")
        if came.get("rule") not in (None, self._right.rule):
            yield Mistake(VERDICT, f"expected {self._right.rule}, came {text(came['rule'])}", "rule", rule=self._rule)
        if came.get("to") is not None and self._branch(came["to"]) != self._right.to:
            right = "no branch" if self._right.to is None else f"branch {self._branches.index(self._right.to)}"
            yield Mistake(VERDICT, f"expected {right}, came {text(came['to'])}", "to", rule=self._rule)
        if came.get("surrogates") is not None:
            yield from within(self._surrogates(came), "surrogates")

    def _surrogates(self, came: Mapping[str, Any]) -> Iterator[Mistake]:
        listed = self.taken(came).surrogates
        if listed and not self._is_sought:
            yield Mistake(VERDICT, "none are looked for here", rule=self._rule)
        if not self._is_sought:
            return
        against = self._sample.against(Branches(self._test))
        for number, (one, found) in enumerate(zip(objects(came, "surrogates"), listed, strict=True)):
            if one.get("agreement") is not None:
                right = surrogates.agrees(found, against, self._search.denominator)
                if missed := off("agreement", one["agreement"], right):
                    yield Mistake(VERDICT, missed, f"[{number}].agreement", rule=self._rule)
        for fault in surrogates.faults(listed, self._test, self._sample, self._search, slack=None):
            yield Mistake(VERDICT, fault.message, rule=fault.rule)

    def taken(self, came: Mapping[str, Any]) -> Missing:
        """The rule by the surrogates that the answer states; by the learner's surrogates, if it states none."""
        if came.get("surrogates") is None:
            return self._right
        return replace(self._right, surrogates=tuple(map(self._surrogate, objects(came, "surrogates"))))

    def _surrogate(self, one: Mapping[str, Any]) -> Surrogate:
        read, search = self._reader.question, self._search
        test, order = read(one.get("test"), one.get("outcomes"), strict=search.strict, seen=search.seen)
        to = one.get("branches")
        if not isinstance(to, list) or len(to) != len(order):
            raise Malformed(f"{text(to)} are not the {len(order)} branches of a surrogate")
        branches = [0] * len(order)
        for place, branch in zip(order, to, strict=True):
            branches[place] = self._branch(branch)
        return Surrogate(test, tuple(branches), 0)

    def _branch(self, number: object) -> int:
        if type(number) is not int or not 0 <= number < len(self._branches):
            raise Malformed(f"{text(number)} is no branch")
        return self._branches[number]
