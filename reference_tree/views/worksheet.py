"""The worksheet: a node of a tree with everything that is needed to work it out.

What a learner counts is not always the rows as they are. CART weighs classes by priors and losses, counts in rows that
do not answer, or looks at every number by itself for its medians. Here the tables are those that the learner judges by,
so that the formulas on the board lead to its very scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from reference_tree.data.questions import Multiway
from reference_tree.data.sample import Counts
from reference_tree.data.targets import Values
from reference_tree.exact.choosing import best
from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import work
from reference_tree.learners.cart import LINEAR
from reference_tree.learners.criteria import NodeCriterion
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import Visit
from reference_tree.measures.absolute_error import absolute_error_reduction
from reference_tree.measures.misclassification import generalized_gini_decrease
from reference_tree.node import Node
from reference_tree.splitting.binary_subsets import number_of_values
from reference_tree.splitting.candidate import Candidate, of_known
from reference_tree.views.blocks import Symbol
from reference_tree.views.lesson import Lesson
from reference_tree.views.lessons import LESSONS, MISSING, PENALTY, absolute_error_lesson, costly_lesson
from reference_tree.views.names import one_line
from reference_tree.views.verdicts import Given


class Worksheet(NamedTuple):
    """A node, with everything that is needed to work it out."""

    given: Given
    learner: Learner
    visit: Visit
    judge: NodeCriterion | None
    """What CART counts and judges by; none for other learners."""
    lesson: Lesson

    @classmethod
    def of(cls, given: Given, learner: Learner, visit: Visit) -> Worksheet:
        """The worksheet of a node that is visited."""
        judging = getattr(learner, "node_criterion", None)
        judge = None if judging is None else judging(visit.sample, visit.place)
        return cls(given, learner, visit, judge, _lesson(visit.decision, judge))

    @property
    def decision(self) -> Decision:
        """What the learner decides there."""
        return self.visit.decision

    @property
    def node(self) -> Node:
        """The node of the tree."""
        return self.given.tree.nodes[self.visit.number]

    def legend(self) -> Iterator[tuple[Symbol, str]]:
        """What the letters of the lesson mean, and those that only this tree has."""
        yield from self.lesson.legend
        if any(any(candidate.counted.unknown) for candidate in self.decision.candidates):
            yield from MISSING
        if self.given.options.get("penalty", "none") != "none":
            yield PENALTY
        costs = None if self.judge is None else self.judge.costs
        if costs is not None and len(set(costs.weights)) > 1:
            pairs = zip(self.given.tree.target.domain, costs.weights, strict=True)
            weights = ", ".join(f"{one_line(name)} {weight}" for name, weight in pairs)
            yield Symbol("w_j", "w_j"), f"what a row of each class counts in the tables and formulas: {weights}"

    @property
    def asks_all_at_once(self) -> bool:
        """Whether the questions are linear tests."""
        return self.given.options.get("branching") == LINEAR

    # What is counted.

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of a table."""
        target = (self.visit.sample if self.judge is None else self.judge.sample).target
        return ("n", "Σy", "Σy²") if target.columns == ("w", "wy", "wyy") else tuple(map(one_line, target.columns))

    def whole(self) -> Counts:
        """The row of all rows at the node, as the learner counts them."""
        if self.judge is None:
            return self.decision.total
        total = self.judge.sample.total()
        return total if self.judge.costs is None else self.judge.costs.weighed(total)

    def values_present(self, name: str) -> int:
        """How many values of a categorical attribute some row here has."""
        sample = self.visit.sample
        return number_of_values(sample.partition(Multiway.on(sample.schema.attribute(name))))

    def weight(self, row: Counts) -> Rational:
        """What the rows behind a row of a table weigh."""
        return (self.visit.sample if self.judge is None else self.judge.sample).target.weight(row)

    def share(self) -> Fraction:
        """The share of the whole sample that reaches the node, priors and losses considered."""
        if self.judge is None or not self.given.tree.nodes[0].weight:
            return Fraction(1)
        everyone = self.visit.place.everyone
        return Fraction(self.judge.weight(self.visit.sample.total())) / Fraction(self.judge.weight(everyone))

    def judged(self, candidate: Candidate) -> Candidate:
        """A candidate with the table that it is judged by, and the scores of that table."""
        judge = self.judge
        if judge is None:
            return candidate
        candidate = Candidate(candidate.test, candidate.table, candidate.measured, candidate.barred)
        table = judge.judged(candidate.table)
        if judge.costs is not None:
            table = judge.costs.weighed_table(table)
        if isinstance(judge.sample.target, Values):
            formula = partial(absolute_error_reduction, numbers=work(judge.sample.target.numbers))
        elif judge.costs is not None and judge.in_gini:
            formula = partial(generalized_gini_decrease, loss=judge.costs.loss)
        else:
            return replace(candidate, table=table)
        name = judge.criterion.scores[-1]
        return replace(candidate, table=table, measured=(name,), measures={name: of_known(formula)})

    # The best.

    def best(self, candidates: list[Candidate]) -> list[Candidate]:
        """Those that would stand for all of them: the largest score; where that is a ratio, the largest gain."""
        return best(candidates, attrgetter("gain" if self.decision.judged_by == "ratio" else "score"))

    def runner_up(self) -> Candidate | None:
        """The best candidate that is no winner: what the decision says."""
        return self.decision.runner_up


def _lesson(decision: Decision, judge: NodeCriterion | None) -> Lesson:
    if judge is not None and isinstance(judge.sample.target, Values):
        return absolute_error_lesson(judge.sample.target.numbers)
    if judge is not None and judge.costs is not None and judge.in_gini:
        return costly_lesson(judge.costs.loss)
    return LESSONS[decision.judged_by]
