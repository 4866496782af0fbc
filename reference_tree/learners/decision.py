"""The decision: everything a learner has to say about one node.

Either a leaf, with the reason to stop, or a split, with the candidates, the set of exact winners, and the one that was
chosen. `grow` takes the chosen test and forgets the rest; `explain` writes it out; a golden keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from reference_tree.data.sample import Counts, Sample
from reference_tree.data.schema import Attribute
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.learners.place import Answer, Place
from reference_tree.splitting.candidate import Candidate, RuleId
from reference_tree.tree import Grower


@dataclass(frozen=True)
class Decision:
    """What a learner decides at a node.

    Args:
        total: the weight of each class.
        answer: what the node says if it is a leaf.
        stop: the rule that makes it a leaf; none for a split.
        candidates: every question that was considered, barred ones included, in the learner's order.
        winners: the candidates that some resolution of exact ties can choose. For a node that stops because its best
            candidate is not good enough, the best ones all the same.
        chosen: the winner that the tie rule takes; none for a leaf.
        judged_by: the name of the score that the winners are best in.
        shares: to what extent a row without an answer goes down each branch; none: there is no such row, or no rule.
        evidence: every other figure that the decision rests on.

    Source:
        [N4 Learning Process: decision 1], [N4 Learning Process: decision 2]. N4's two decisions, what to ask and when
        to stop, are one here.
    """

    total: Counts
    answer: Answer
    stop: RuleId | None
    candidates: tuple[Candidate, ...] = ()
    winners: tuple[Candidate, ...] = ()
    chosen: Candidate | None = None
    judged_by: str = "gain"
    shares: tuple[Rational, ...] = ()
    evidence: Mapping[RuleId, Number] = field(default_factory=dict)

    @property
    def runner_up(self) -> Candidate | None:
        """The best candidate that is no winner, the first of equals; none if there is none."""
        others = [c for c in self.candidates if not c.barred and not any(c is winner for winner in self.winners)]
        return next(iter(best(others, lambda c: c.scores[self.judged_by])), None)

    @property
    def margin(self) -> Number | None:
        """By how much the chosen candidate (of a leaf: the first winner) beats the runner-up; none if there is none."""
        if not self.winners or (second := self.runner_up) is None:
            return None
        return (self.chosen or self.winners[0]).scores[self.judged_by] - second.scores[self.judged_by]


class Learner(Protocol):
    """One pure decision, and the name of who makes it."""

    def decide(self, sample: Sample, place: Place | None = None) -> Decision:
        """What to do with the rows that reach a place; without a place, the root."""

    def grower(self) -> Grower:
        """The learner's name, profile and every option, as text."""


def majority(target: Attribute, counts: Counts, inherited: Answer | None) -> Answer:
    """The class with the most weight, the first in class order among equals; without any rows, the answer above.

    Args:
        target: the classes, in order.
        counts: the weight of each.
        inherited: the answer of the node above.

    Example:
        >>> majority(Attribute("play", ("no", "yes")), (5, 5), None)
        Answer(label='no', counts=(5, 5), tied=('no', 'yes'), prior=False)

    Source:
        [N0 EN §3.1 step (2)], [N1 §1.4 step 2], [N2 §1 case 3]. N0 writes the class of max |c_j|; it is the class
        with the most samples.
    """
    if not any(counts):
        assert inherited is not None, "an empty sample has no answer of its own"
        return inherited._replace(tied=(), prior=True)
    largest = max(counts)
    most = [label for label, count in zip(target.domain, counts, strict=True) if count == largest]
    return Answer(most[0], counts, tuple(most) if len(most) > 1 else ())


def shares(counts: Counts) -> tuple[Fraction, ...]:
    """The share of each class."""
    n = Fraction(sum(counts))
    return tuple(count / n for count in counts)
