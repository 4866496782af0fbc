"""The one judge: a node is compared with what is known of its rows, whatever it is known from.

A node is stated in a `Stated`: by a tree of this package or of another program, by a tree of a boosted model, or by the
answer to a golden. Appraisal is, in this order, whatever is stated:

1. `counts`, the numbers about the rows that arrive, and `answer`, the prediction;
2. `question`, whether another one is certainly better, or nothing may be asked; or `leaf`, whether one has to be asked;
3. `others`, such as the way of rows with a missing value, or the reason of a leaf; and what a verdict finds itself.

| a judge | knows of the rows |
| --- | --- |
| `judging.LearnerJudge` | what a learner decides, exactly |
| `boosted_judging.EnclosedJudge` | the bounds between which the derivatives of a program lie |
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

from reference_tree.auditing.finding import Fault, Regret, by_cause, fault
from reference_tree.auditing.stated import Stated
from reference_tree.auditing.verdicts import TABLE
from reference_tree.data.questions import Test

At = TypeVar("At", bound=tuple[Any, ...])
"""What arrives at a node."""


class Appraisal(NamedTuple):
    """The judgement of a node."""

    verdict: str
    faults: tuple[Fault, ...] = ()
    """All faults, causes first."""
    choice: Fault | None = None
    """The one of its test, or of being a leaf."""
    regret: Regret | None = None
    """How far its test falls short."""
    gain: Fraction | None = None
    """The gain of the best test at a leaf, as far as it is known; None if nothing may be asked there."""
    note: str = ""


class Judge(ABC, Generic[At]):
    """Judges nodes."""

    def judge(self, at: At, stated: Stated) -> Appraisal:
        """The verdict on a node, and its faults."""
        found = self.leaf(at, stated) if stated.test is None else self.question(at, stated.test)
        # The order of judging is that of causes; a verdict that stands in a file of its own finds its faults last, and
        # is sorted in.
        faults = by_cause(
            [
                *self.counts(at, stated), *self.answer(at, stated), found.choice, *self.others(at, stated),
                *(fault(one.name, why) for one in TABLE if one.finds for why in one.finds(self, at, stated)),
            ]
        )  # fmt: skip
        # The first fault names the node, and without one the verdict on its test or leaf.
        return found._replace(verdict=faults[0].verdict if faults else found.verdict, faults=faults)

    @abstractmethod
    def counts(self, at: At, stated: Stated) -> Iterator[Fault]:
        """The faults of numbers that are not those of the rows that arrive."""

    @abstractmethod
    def answer(self, at: At, stated: Stated) -> Iterator[Fault]:
        """The faults of a prediction that is not that of the rows."""

    @abstractmethod
    def question(self, at: At, test: Test) -> Appraisal:
        """The verdict on a test, with the fault of having it."""

    @abstractmethod
    def leaf(self, at: At, stated: Stated) -> Appraisal:
        """The verdict on a leaf, with the fault of being one."""

    @abstractmethod
    def others(self, at: At, stated: Stated) -> Iterator[Fault]:
        """The faults of whatever else is stated."""
