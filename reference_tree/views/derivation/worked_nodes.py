"""Worked nodes: a node of a tree with the counts that the learner judges by, and its tests.

These counts are not always the rows themselves: CART weighs classes by priors and losses, counts in rows that do not
answer, or needs every single number for medians. The tables of a `WorkedNode` are those that the learner judges by, so
the formulas lead to exactly its scores. `ListedTests` are the tests of one attribute.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from operator import attrgetter
from typing import Any

from reference_tree.data.sample import Counts, Partition
from reference_tree.exact.choosing import best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import work
from reference_tree.learners.criteria import AbsoluteErrorCriterion, CostCriterion, NodeCriterion
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import Visit
from reference_tree.learners.optimal import Optimal
from reference_tree.learners.stopping.bounds import rules
from reference_tree.node import Label, Node
from reference_tree.splitting.candidate import UNSCORED, Candidate, of_known
from reference_tree.splitting.linear.cart_lc import SearchStep, search
from reference_tree.splitting.missing_values import known_fraction
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import Meaning, NodeHeading, heading, symbol
from reference_tree.views.derivation.formulas import (
    AVERAGE,
    CHARGED,
    FORMULAS,
    SPLIT_INFORMATION,
    Formulas,
    Scored,
    absolute_error_formulas,
    costly_formulas,
    saving_formulas,
    scored,
)
from reference_tree.views.derivation.notation import one_figure
from reference_tree.views.derivation.numerals import USUAL, NumberFormat, decimal_of, in_units, minus
from reference_tree.views.wording import amount, answer_text, answered, one_line, spread_of

ALL = "all attributes"
"""The name for the subject of linear tests."""


BY_COUNTS = frozenset(rule.name for rule in rules().values() if rule.before)
"""The stopping rules by which a node is a leaf before any test is considered."""


@dataclass(frozen=True)
class Given:
    """The facts that hold for all nodes of a derivation.

    Args:
        tree: the tree.
        options: the options of the learner, as it records them.
        weighted: whether some row has a weight other than 1.
        errors: for each node that was split and then collapsed, the errors of its leaves and of the node itself.
        digits: how figures are written.
    """

    tree: Tree
    options: Mapping[str, Any]
    weighted: bool
    errors: Mapping[int, tuple[Rational, Rational]]
    digits: NumberFormat = USUAL

    def amount(self, weight: Rational) -> str:
        """An amount of data in words."""
        return amount(weight, weighted=self.weighted or weight != floor(weight))

    def decimal(self, number: Number) -> str:
        """A figure as a decimal."""
        return minus(decimal_of(number, self.digits.places))

    def answer(self, label: Label) -> str:
        """The answer of a node, with a number as a decimal."""
        return answer_text(label, self.decimal)


@dataclass(frozen=True)
class WorkedNode:
    """A node with everything that is needed to work it out.

    Args:
        given: the facts that hold for all nodes.
        learner: the learner that decides.
        visit: the visit of the node.
        judge: CART's counts and criterion at the node; None for other learners.
        formulas: the formulas of the score.
        in_full: whether every cut is listed, however many there are.
    """

    given: Given
    learner: Any
    visit: Visit
    judge: NodeCriterion | None
    formulas: Formulas
    in_full: bool = True

    @classmethod
    def of(cls, given: Given, learner: Learner, visit: Visit, in_full: bool = True) -> WorkedNode:
        """The node of a visit."""
        judging = getattr(learner, "node_criterion", None)
        judge = None if judging is None else judging(visit.sample, visit.place)
        if isinstance(judge, AbsoluteErrorCriterion):
            formulas = absolute_error_formulas(judge.numbers)
        elif isinstance(judge, CostCriterion) and judge.in_gini:
            formulas = costly_formulas(judge.costs.loss)
        elif isinstance(learner, Optimal):
            formulas = saving_formulas(learner.risk_for(visit.sample.schema.target), learner.alpha)
        else:
            formulas = FORMULAS[visit.decision.judged_by]
        return cls(given, learner, visit, judge, formulas, in_full)

    @property
    def decision(self) -> Decision:
        """The decision of the learner at the node."""
        return self.visit.decision

    @property
    def node(self) -> Node:
        """The node of the tree."""
        return self.given.tree.nodes[self.visit.number]

    @property
    def heading(self) -> NodeHeading:
        """The path of the node, and the rows that reach it."""
        head = heading(self.given.tree, self.visit.number)._replace(arrives=self.given.amount(self.node.weight))
        figures = tuple(map(" ".join, self.spread[1:]))  # for a leaf also the mean; `arrives` has the number of rows
        return head._replace(figures=figures, brief=figures) if figures else head

    @property
    def spread(self) -> list[tuple[str, str]]:
        """The number of values at the node, its answer, and their error; empty for classes."""
        if isinstance(self.node.label, str) or not self.node.weight:
            return []
        (n, weight), (error, _) = (one.split(" ", 1) for one in spread_of(self.node))
        name, answer = answered(self.node).split(" ")[0], self.given.answer(self.node.label)
        return [(n, weight), (name, answer), (error, self.given.decimal(self.node.error))]

    @property
    def is_linear(self) -> bool:
        """Whether the tests are linear, which need all attributes at once."""
        return bool(self.given.options.get("branching") == "linear")

    def steps(self) -> Iterator[SearchStep]:
        """The steps of CART's search for a line, with their scores multiplied out."""
        judge = self.judge
        assert judge is not None
        points = judge.sample.points([a.name for a in self.visit.place.attributes(judge.sample.schema)])
        for step in search(points, judge.score, judge.minimum):
            yield step._replace(score=judge.line(step.split).scores[self.decision.judged_by])

    def legend(self) -> Iterator[Meaning]:
        """The general formulas, and the meaning of their symbols."""
        yield from self.formulas.legend
        if self.given.options.get("penalty", "none") != "none":
            yield from CHARGED
        if self.decision.judged_by == "ratio" and self.given.options.get("contenders") != "everyone":
            near = self.given.options.get("contenders") == "near-average"
            name, meaning = AVERAGE.definition
            yield name, meaning.replace("is below", "is more than 0.001 below") if near else meaning
        if any(any(candidate.counted.unknown) for candidate in self.decision.candidates):
            yield from self.formulas.legend_of_missing
            if self.decision.judged_by == "ratio":
                yield SPLIT_INFORMATION[self.given.options["split_information"]]
        if isinstance(self.judge, CostCriterion) and len(set(self.judge.costs.weights)) > 1:
            pairs = zip(self.given.tree.target.domain, self.judge.costs.weights, strict=True)
            weights = ", ".join(f"{one_line(name)} {weight}" for name, weight in pairs)
            yield symbol("w_j"), f"the weight of a row of each class in the tables and formulas: {weights}"

    def in_units(self, number: Number) -> str:
        """A score, or a difference of two, with its unit."""
        return in_units(self.given.decimal(number), self.formulas.score.unit)

    # The counts.

    @property
    def _target(self) -> Any:
        return (self.visit.sample if self.judge is None else self.judge.sample).target

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of a table."""
        return columns_of(self._target)

    def whole(self) -> Counts:
        """The counts of all rows at the node, as the learner counts them."""
        if self.judge is None:
            return self.decision.total
        total = self.judge.sample.total()
        return self.judge.costs.weighed(total) if isinstance(self.judge, CostCriterion) else total

    def amount(self, row: Counts) -> str:
        """The weight of the rows behind a row of a table, in words."""
        return self.given.amount(self._target.weight(row))

    def weights(self, table: Sequence[Counts]) -> list[Rational]:
        """The weight of each row of a table."""
        return list(map(self._target.weight, table))

    def known_share(self, table: Partition) -> Rational:
        """The share ρ of the rows that answer."""
        known, unknown = self.weights(table.rows), self._target.weight(table.unknown)
        return Fraction(known_fraction([known], [unknown]))

    def share(self) -> Fraction:
        """The share of the whole sample that reaches the node, with priors and losses included."""
        if self.judge is None:
            return Fraction(1)
        everyone = Fraction(self.judge.weight(self.visit.place.everyone))  # of one class, no mistake costs anything
        return Fraction(self.judge.weight(self.visit.sample.total())) / everyone if everyone else Fraction(1)

    def counted(self, candidate: Candidate) -> Candidate:
        """A candidate with the table that it is judged by, and the scores of that table."""
        judge = self.judge
        if judge is None:
            return candidate
        table = judge.weighed(judge.counted(candidate.table))
        plain = Candidate(candidate.test, table, candidate.measured, candidate.barred)
        if self.formulas.measure is None:
            return plain
        name = judge.measure.scores[-1]
        return replace(plain, measured=(name,), measures={name: of_known(self.formulas.measure)})

    def best(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The best candidates, by score; by gain if the learner judges by the ratio."""
        return best(candidates, attrgetter("gain" if self.decision.judged_by == "ratio" else "score"))

    def merit(self, candidate: Candidate) -> str:
        """The figure by which a candidate is the best test of its attribute."""
        scores = candidate.scores
        by = next(name for name in ("net_gain", "gain", self.decision.judged_by) if name in scores)
        return self.given.decimal(scores[by])

    def scored(self, questions: ListedTests, candidate: Candidate) -> Scored:
        """A test with all its scores worked out, including the penalty of a dialect."""
        penalty = None
        if getattr(candidate, "penalty", None) is not None:
            charge = getattr(self.learner.penalty, "__wrapped__", self.learner.penalty)
            penalty = one_figure(charge(work(max(len(questions.tried), 1)), work(sum(self.decision.total))))
        return scored(candidate, penalty)


def columns_of(target: Any) -> tuple[str, ...]:
    """The names of the columns of a sample partition."""
    return ("n", "Σy", "Σy²") if target.columns == ("w", "wy", "wyy") else tuple(map(one_line, target.columns))


@dataclass(frozen=True)
class ListedTests:
    """The tests of one attribute.

    Args:
        name: the name of the attribute.
        all: all tests of it.
        tried: those that have a score.
        leading: the best of those tried.
        shown: the leading test that is worked out; None if there is none.
    """

    name: str
    all: Sequence[Candidate]
    tried: Sequence[Candidate]
    leading: Sequence[Candidate]
    shown: Candidate | None

    @classmethod
    def of(cls, node: WorkedNode, name: str, candidates: Sequence[Candidate]) -> ListedTests:
        """The tests of a node on one attribute."""
        tried = [candidate for candidate in candidates if candidate.barred not in UNSCORED]
        leading = node.best([candidate for candidate in tried if candidate.barred != "not-best"])
        chosen = node.decision.chosen
        taken = [candidate for candidate in leading if chosen is not None and candidate.key == chosen.key]
        return cls(name, candidates, tried, leading, next(iter([*taken, *leading]), None))


def questions_of(node: WorkedNode) -> list[ListedTests]:
    """The tests of each remaining attribute, in table order; some attributes may have none."""
    if node.decision.stop in BY_COUNTS:
        return []
    if node.is_linear:
        return [ListedTests.of(node, ALL, node.decision.candidates)]
    found: dict[str, list[Candidate]] = {a.name: [] for a in node.visit.place.attributes(node.visit.sample.schema)}
    for candidate in node.decision.candidates:
        found.setdefault(candidate.test.attribute, []).append(candidate)
    return [ListedTests.of(node, name, candidates) for name, candidates in found.items()]
