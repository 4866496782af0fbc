"""Findings: the result of an audit at a node: its verdict (`verdicts`), its faults, and what its question loses."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from reference_tree.auditing.verdicts import VERDICTS, in_order, verdict
from reference_tree.data.questions import Test, Threshold
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, rational
from reference_tree.exact.rounding import significant
from reference_tree.tree import Tree

ASKS_OTHERWISE = ("not-a-candidate", "suboptimal")
"""The verdicts on a question from which faults below may follow, if the counts of its branches are not known."""

_LONG = 24
"""A condition of more characters is shown with a rounded threshold: the exact value of a double has fifty digits."""


def shown(test: Test) -> Test:
    """A question as it is shown: a threshold that is the exact value of a float is rounded to twelve digits.

    Example:
        >>> from fractions import Fraction
        >>> shown(Threshold("x", Fraction(0.1))).name, shown(Threshold("x", Fraction(5, 2))).name
        ('x<=0.1', 'x<=2.5')
    """
    if not isinstance(test, Threshold) or len(test.name) - len(test.attribute) <= _LONG:
        return test
    return replace(test, threshold=rational(significant(test.threshold, 12)), interval=None)


@dataclass(frozen=True)
class Fault:
    """One fault of a node.

    Args:
        verdict: the verdict, one word.
        message: the fault in a sentence.
        rule: the id of the rule that it breaks.
    """

    verdict: str
    message: str
    rule: str


def fault(name: str, message: str, rule: str = "") -> Fault:
    """A fault, by the rule of its verdict if no other one is given."""
    return Fault(name, message, rule or verdict(name).rule)


def by_cause(faults: Iterable[Fault | None]) -> tuple[Fault, ...]:
    """The faults of a node, causes first."""
    return tuple(sorted((one for one in faults if one is not None), key=lambda one: in_order(one.verdict)))


@dataclass(frozen=True)
class Regret:
    """The amount by which a question falls short of the best one.

    Args:
        score: the score of the question, per unit of weight.
        best: the name of the best question.
        best_score: the score of the best question.
        weight: the weight of the rows at the node.
        rank: the place of the question among all, from 1; None if it was not counted.
        among: the number of questions.
        margin: the lead of the best question over the next one; None if there is no other, or it was not counted.
        judged_by: the name of the score.
    """

    score: Number
    best: str
    best_score: Number
    weight: Rational
    judged_by: str
    rank: int | None = None
    among: int | None = None
    margin: Number | None = None

    @property
    def per_row(self) -> Number:
        """The loss per unit of weight."""
        return self.best_score - self.score

    @property
    def in_all(self) -> Number:
        """The loss at the node: the loss per unit of weight, times its weight."""
        return self.best_score * self.weight - self.score * self.weight


@dataclass(frozen=True)
class Finding:
    """The result of the audit at a node.

    Args:
        number: the number of the node.
        verdict: the verdict, one word; if there are faults, that of the first.
        rows: the weight of the rows that arrive.
        said: the question or the answer of the node.
        faults: all faults of the node, causes first.
        regret: how far its question falls short; None if it does not, or if the node is a leaf.
        cause: the node of the same tree whose fault leads to this one; None if there is none.
        excused: why the faults are excused; empty if they are not, or if there are none.
        tree: the number of the tree, if there are several.
        note: a further remark about the node; empty if there is none.
    """

    number: int
    verdict: str
    rows: Rational
    said: str
    faults: tuple[Fault, ...] = ()
    regret: Regret | None = None
    cause: int | None = None
    excused: str = ""
    tree: int | None = None
    note: str = ""

    @property
    def is_right(self) -> bool:
        """Whether the node has no fault."""
        return not self.faults


class Findings:
    """The findings of an audit, node by node."""

    verdicts: ClassVar[tuple[str, ...]] = VERDICTS
    """Every possible verdict, causes first."""

    @abstractmethod
    def __iter__(self) -> Iterator[Finding]:
        """The findings, in preorder, tree by tree."""

    @property
    @abstractmethod
    def trees(self) -> Mapping[int | None, Tree]:
        """The trees by their numbers; the number of a single tree is None."""

    @property
    @abstractmethod
    def summary(self) -> str:
        """The findings in one line."""

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All findings."""
        return tuple(self)

    @property
    def wrong(self) -> list[Finding]:
        """The findings with faults that are not excused, causes first."""
        wrong = [finding for finding in self.findings if finding.faults and not finding.excused]
        return sorted(wrong, key=lambda finding: finding.cause is not None)

    @property
    def is_right(self) -> bool:
        """Whether no node is wrong."""
        return not self.wrong

    @property
    def counts(self) -> dict[str, int]:
        """The number of nodes of each verdict; excused nodes are counted under `excused`."""
        found = Counter("excused" if finding.excused else finding.verdict for finding in self.findings)
        return {verdict: found[verdict] for verdict in (*self.verdicts, "excused") if found[verdict]}

    @property
    def told_wrong(self) -> str:
        """The number of wrong nodes, and of those that follow from others, in words."""
        nodes, wrong = len(self.findings), self.wrong
        causes = sum(1 for finding in wrong if finding.cause is None)
        follow = f", from which {len(wrong) - causes} follow" if len(wrong) > causes else ""
        return f"{causes} of {nodes} nodes {'are' if causes > 1 else 'is'} wrong{follow}"

    def __str__(self) -> str:
        return self.summary
