"""Findings: what an audit has to say about a node.

| verdict | the node |
|:--|:--|
| `optimal` | is one that the learner would make; a leaf where it would stop, too |
| `optimal-tied` | the same, and other questions are exactly as good |
| `wrong-threshold` | divides its rows otherwise than the counts of its branches say |
| `wrong-counts` | has other counts than the rows that arrive |
| `not-a-candidate` | asks what the learner may not ask there |
| `suboptimal` | asks a question that is worth less than the best one |
| `split-too-far` | asks, where a rule says that it is a leaf |
| `stopped-early` | is a leaf, where no rule says so |
| `wrong-leaf` | answers otherwise than its rows say |
| `wrong-surrogate` | lists a surrogate that its learner would not list there |
| `wrong-missing` | sends rows without an answer elsewhere than its learner would |
| `wrong-stop` | is a leaf, but not for the reason that it says |

Of a tree of another program that was fitted to numbers, or to derivatives that it rounded, a question may also be
`within-rounding`: it depends on the roundings whether it is the best one.

The verdicts stand in the order of causes: a node with several faults gets the verdict of the first of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from reference_tree.data.questions import Test, Threshold
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, rational
from reference_tree.exact.rounding import significant
from reference_tree.tree import Tree

RIGHT = ("optimal", "optimal-tied")
"""The verdicts that find no fault."""

WITHIN_ROUNDING = "within-rounding"
"""The verdict on a question that the roundings of a program may have made the best."""

VERDICTS = (
    *RIGHT, "wrong-threshold", "wrong-counts", "not-a-candidate", "suboptimal", "split-too-far", "stopped-early",
    "wrong-leaf", "wrong-surrogate", "wrong-missing", "wrong-stop",
)  # fmt: skip
"""Every verdict, causes first."""


_LONG = 24
"""A condition of more characters is shown with a rounded threshold: the exact value of a double has fifty digits."""


def shown(test: Test) -> Test:
    """A question as it is shown: its threshold with twelve digits, where it is the exact value of a float.

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
    """One thing that is wrong with a node.

    Args:
        verdict: in a word.
        message: in a sentence.
        rule: the id of the rule that it breaks.
    """

    verdict: str
    message: str
    rule: str


@dataclass(frozen=True)
class Regret:
    """By how much a question falls short of the best one.

    Args:
        score: what it is worth, per unit of weight.
        best: the name of the best question.
        best_score: what that is worth.
        weight: of the rows at the node.
        rank: its place among the questions, from 1; none: it was not counted.
        among: how many there are.
        margin: by how much the best question beats the next one; none: there is none, or it was not counted.
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
        """What is lost, per unit of weight."""
        return self.best_score - self.score

    @property
    def in_all(self) -> Number:
        """What is lost at the node: per unit of weight, times its weight."""
        return self.best_score * self.weight - self.score * self.weight


@dataclass(frozen=True)
class Finding:
    """What was found at a node.

    Args:
        number: of the node.
        verdict: in a word; that of the first fault, if there is any.
        rows: the weight that arrives.
        said: what the node asks, or answers.
        faults: everything that is wrong with it, causes first.
        regret: how far its question falls short; none where it does not, or nothing is asked.
        cause: the node whose fault this one follows from, above it or in an earlier tree; none: there is none.
        excused: why the faults are excused; nothing: they are not, or there are none.
        tree: the number of the tree, where there are several.
        cause_tree: the number of the tree of the cause, where it is another one.
        note: what else is to be known of the node; nothing: there is no more.
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
    cause_tree: int | None = None
    note: str = ""

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong with the node."""
        return not self.faults


class Findings:
    """What an audit has found, node by node."""

    verdicts: ClassVar[tuple[str, ...]] = VERDICTS
    """Every verdict that it may come to, causes first."""

    @abstractmethod
    def __iter__(self) -> Iterator[Finding]:
        """The findings, in preorder, tree by tree."""

    @property
    @abstractmethod
    def trees(self) -> Mapping[int | None, Tree]:
        """The trees by their numbers; one alone has none."""

    @property
    @abstractmethod
    def summary(self) -> str:
        """What was found, in a line."""

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All findings."""
        return tuple(self)

    @property
    def wrong(self) -> list[Finding]:
        """The findings of nodes at which something is wrong that nothing excuses, causes first."""
        wrong = [finding for finding in self.findings if finding.faults and not finding.excused]
        return sorted(wrong, key=lambda finding: finding.cause is not None)

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong."""
        return not self.wrong

    @property
    def counts(self) -> dict[str, int]:
        """How many nodes there are of each verdict; of what is excused, under `excused`."""
        found = Counter("excused" if finding.excused else finding.verdict for finding in self.findings)
        return {verdict: found[verdict] for verdict in (*self.verdicts, "excused") if found[verdict]}

    @property
    def told_wrong(self) -> str:
        """How many nodes are wrong, and how many follow from others."""
        nodes, wrong = len(self.findings), self.wrong
        causes = sum(1 for finding in wrong if finding.cause is None)
        follow = f", from which {len(wrong) - causes} follow" if len(wrong) > causes else ""
        return f"{causes} of {nodes} nodes {'are' if causes > 1 else 'is'} wrong{follow}"

    def __str__(self) -> str:
        return self.summary
