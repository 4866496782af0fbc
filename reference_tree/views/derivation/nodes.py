"""Nodes: how a tree was decided, worked out node by node as a teacher would.

For each node the derivation shows the candidates' tables, the formulas with the figures put in, which candidate wins
and by how much, where a row goes that does not answer, and why a leaf stops.

1. `derive` walks down a tree and yields the *blocks* of each node.
2. `WorkedNode` has a node as the learner counts it. That is not always the rows as they are: CART weighs classes by
   priors and losses, counts in rows that do not answer, or looks at every number by itself for its medians. The tables
   are those that the learner judges by, so that the formulas lead to its very scores.

A continuous attribute can be cut in as many places as it has values, and forty values have more subsets than anybody
can read. Of the questions about one attribute a few are shown if there are only a few (`FEW`), otherwise the best ones,
and it is said how many there were.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import floor
from operator import attrgetter
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Multiway
from reference_tree.data.sample import Counts
from reference_tree.data.table import Table
from reference_tree.data.targets import Values
from reference_tree.exact.choosing import best
from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import Worked, work
from reference_tree.learners.criteria import NodeCriterion
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import Visit, grow, revisit
from reference_tree.learners.registry import learner_of
from reference_tree.measures.absolute_error import absolute_error_reduction
from reference_tree.measures.misclassification import generalized_gini_decrease
from reference_tree.node import Node
from reference_tree.splitting.binary_subsets import number_of_values
from reference_tree.splitting.candidate import Candidate, of_known
from reference_tree.tree import Tree
from reference_tree.views.derivation import remarks
from reference_tree.views.derivation.blocks import (
    Block,
    Equation,
    Equations,
    Facts,
    Heading,
    Legend,
    PartitionTable,
    Ranking,
    Sentence,
    Symbol,
)
from reference_tree.views.derivation.scores import (
    FORMULAS,
    MISSING,
    PENALTY,
    ROUNDED,
    Formulas,
    absolute_error_formulas,
    costly_formulas,
    scored,
)
from reference_tree.views.figures import amount, answered, arrived
from reference_tree.views.names import one_line, tex_name

FEW = 3
"""Of so many questions about one attribute all are shown."""

ALL = "all attributes"
"""What linear tests are about."""

BY_COUNTS = frozenset({"pure", "empty", "no-attributes", "max-depth", "min-samples-split"})
"""The reasons for which no question is looked at."""


def derive(tree: Tree, learner: Learner, table: Table, only: int | None = None) -> Iterator[Block]:
    """The derivation of a tree: what the letters mean, and then node by node in preorder.

    Args:
        tree: grown by the learner.
        learner: who decides.
        table: the rows it was grown from.
        only: the number of the one node to show; none: all of them.

    Raises:
        InputError: the tree was not grown from this table by this learner.
    """
    weighted = any(weight != 1 for weight in table.weighted())
    given = remarks.Given(tree, learner.grower().options, weighted, _errors_of_collapsed(tree, learner, table))
    for visit in revisit(tree, learner, table):
        _check_visit(given, visit)
        node = WorkedNode.of(given, learner, visit)
        if only is None and visit.number == 0:
            yield Legend((*node.legend(), ROUNDED))
        if only is None or visit.number == only:
            yield from _node(node)
        if visit.number == only:
            return


def _errors_of_collapsed(tree: Tree, learner: Learner, table: Table) -> dict[int, tuple[Rational, Rational]]:
    """For each node that was split and then collapsed what its leaves got wrong, and what it gets wrong itself."""
    if not any(node.stop == "collapsed" for node in tree.nodes):
        return {}
    grower = learner.grower()
    before = grow(learner_of(replace(grower, options={**grower.options, "collapse": "never"})), table)
    own = [sum(node.counts) - max(node.counts) for node in before.nodes]
    below = list(own)
    for number in reversed(range(len(below))):  # in preorder, what is below a node has a higher number
        if branches := before.nodes[number].branches:
            below[number] = sum(below[branch] for branch in branches)
    found, pending = {}, [(0, 0)]
    while pending:
        number, then = pending.pop()
        if tree.nodes[number].stop == "collapsed":
            found[number] = (below[then], own[then])
        pending += zip(tree.nodes[number].branches, before.nodes[then].branches, strict=False)
    return found


def _check_visit(given: remarks.Given, visit: Visit) -> None:
    node, decision = given.tree.nodes[visit.number], visit.decision
    test = None if decision.chosen is None else decision.chosen.test
    asked = (None, "collapsed") if visit.number in given.errors else (test, decision.stop)
    if (node.counts, node.label, node.test, node.stop) != (decision.total, decision.answer.label, *asked):
        where = given.tree.path(visit.number)
        raise InputError(f"the tree was not grown from this table with these options: at {where} they differ")


# A node as the learner counts it.


@dataclass(frozen=True)
class WorkedNode:
    """A node with everything that is needed to work it out.

    Args:
        given: what is given for all nodes.
        learner: who decides.
        visit: of the node.
        judge: what CART counts and judges by; none for other learners.
        formulas: of the score.
    """

    given: remarks.Given
    learner: Learner
    visit: Visit
    judge: NodeCriterion | None
    formulas: Formulas

    @classmethod
    def of(cls, given: remarks.Given, learner: Learner, visit: Visit) -> WorkedNode:
        """A node that is visited."""
        judging = getattr(learner, "node_criterion", None)
        judge = None if judging is None else judging(visit.sample, visit.place)
        if judge is not None and isinstance(judge.sample.target, Values):
            formulas = absolute_error_formulas(judge.sample.target.numbers)
        elif judge is not None and judge.costs is not None and judge.in_gini:
            formulas = costly_formulas(judge.costs.loss)
        else:
            formulas = FORMULAS[visit.decision.judged_by]
        return cls(given, learner, visit, judge, formulas)

    @property
    def decision(self) -> Decision:
        """What the learner decides there."""
        return self.visit.decision

    @property
    def node(self) -> Node:
        """The node of the tree."""
        return self.given.tree.nodes[self.visit.number]

    @property
    def is_linear(self) -> bool:
        """Whether the questions are linear tests, which ask for all attributes at once."""
        return bool(self.given.options.get("branching") == "linear")

    def legend(self) -> Iterator[tuple[Symbol, str]]:
        """What the letters of the formulas mean, and those that only this tree has."""
        yield from self.formulas.legend
        if any(any(candidate.counted.unknown) for candidate in self.decision.candidates):
            yield from MISSING
        if self.given.options.get("penalty", "none") != "none":
            yield PENALTY
        costs = None if self.judge is None else self.judge.costs
        if costs is not None and len(set(costs.weights)) > 1:
            pairs = zip(self.given.tree.target.domain, costs.weights, strict=True)
            weights = ", ".join(f"{one_line(name)} {weight}" for name, weight in pairs)
            yield Symbol("w_j", "w_j"), f"what a row of each class counts in the tables and formulas: {weights}"

    # What is counted.

    @property
    def _target(self) -> Any:
        return (self.visit.sample if self.judge is None else self.judge.sample).target

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of a table."""
        columns = self._target.columns
        return ("n", "Σy", "Σy²") if columns == ("w", "wy", "wyy") else tuple(map(one_line, columns))

    def whole(self) -> Counts:
        """The row of all rows at the node, as the learner counts them."""
        if self.judge is None:
            return self.decision.total
        total = self.judge.sample.total()
        return total if self.judge.costs is None else self.judge.costs.weighed(total)

    def amount(self, row: Counts) -> str:
        """What the rows behind a row of a table weigh, in words."""
        return self.given.amount(self._target.weight(row))

    def weights(self, candidate: Candidate) -> list[Rational]:
        """The weight of each branch of a question."""
        return list(map(self._target.weight, candidate.table.rows))

    def share(self) -> Fraction:
        """The share of the whole sample that reaches the node, priors and losses considered."""
        if self.judge is None:
            return Fraction(1)
        everyone = Fraction(self.judge.weight(self.visit.place.everyone))  # of a single class no mistake costs anything
        return Fraction(self.judge.weight(self.visit.sample.total())) / everyone if everyone else Fraction(1)

    def counted(self, candidate: Candidate) -> Candidate:
        """A candidate with the table that it is judged by, and the scores of that table."""
        judge = self.judge
        if judge is None:
            return candidate
        table = judge.counted(candidate.table)
        if judge.costs is not None:
            table = judge.costs.weighed_table(table)
        plain = Candidate(candidate.test, table, candidate.measured, candidate.barred)
        if isinstance(judge.sample.target, Values):
            formula = partial(absolute_error_reduction, numbers=work(judge.sample.target.numbers))
        elif judge.costs is not None and judge.in_gini:
            formula = partial(generalized_gini_decrease, loss=judge.costs.loss)
        else:
            return plain
        name = judge.criterion.scores[-1]
        return replace(plain, measured=(name,), measures={name: of_known(formula)})

    def best(self, candidates: list[Candidate]) -> list[Candidate]:
        """Those that would stand for all of them: the largest score; where that is a ratio, the largest gain."""
        return best(candidates, attrgetter("gain" if self.decision.judged_by == "ratio" else "score"))


def _node(node: WorkedNode) -> Iterator[Block]:
    decision, test, formulas = node.decision, node.node.test, node.formulas
    yield _heading(node)
    if any(not candidate.barred for candidate in decision.candidates):
        whole = work(node.whole())
        yield Equations(tuple(Equation(step.symbol, step.quantity(whole), formulas.unit) for step in formulas.whole))
    competing: list[Candidate] = []
    for name, questions in _by_attribute(node).items():
        shown = _shown(node, questions)
        competing += [candidate for candidate in shown if candidate.barred is None]
        yield from _attribute(node, name, questions, shown)
    if "average" in decision.evidence:
        yield Sentence(remarks.average(node.given, decision))
    elif decision.stop == "average":
        yield Sentence(remarks.no_average(decision))
    second = node.decision.runner_up
    if decision.winners:
        keys = {candidate.key for candidate in (*competing, *decision.winners, *([second] if second else []))}
        listed = [candidate for candidate in decision.candidates if candidate.key in keys]
        yield Ranking(formulas.score, tuple(remarks.ranked(decision, listed)))
    if test is None:
        yield Sentence(remarks.leaf(node.given, node.visit, formulas, node.share()))
        return
    yield Sentence(remarks.split(decision, second, formulas))
    if "regret" in decision.evidence:
        yield Sentence(remarks.regret(decision, formulas))
    if (said := remarks.moved(test)) is not None:
        yield Sentence(said)
    yield from _unanswered(node)


def path_of(tree: Tree, number: int) -> str:
    """The path of a node, on one line."""
    return one_line(tree.path(number))


def heading(tree: Tree, number: int, arrives: str | None = None) -> Heading:
    """A node: its path, how many rows arrive, and what they are.

    Args:
        tree: the tree.
        number: of the node.
        arrives: how many rows they are, in words; none: by their weight, of which nobody knows whether it is a count.
    """
    node = tree.nodes[number]
    figures, brief = (tuple(arrived(tree, node, all_of_them=full)) for full in (True, False))
    is_count = node.weight == floor(node.weight)
    return Heading(path_of(tree, number), arrives or amount(node.weight, weighted=not is_count), figures, brief)


def _heading(node: WorkedNode) -> Heading:
    tree, tree_node = node.given.tree, node.node
    head = heading(tree, node.visit.number, node.given.amount(tree_node.weight))
    if tree.target.values is not None or not tree_node.weight:
        return head
    figures = (answered(tree_node), head.figures[-1])  # a leaf tells its mean, too; how many there are has been said
    return head._replace(figures=figures, brief=figures)


def of_node(letter: str, tree: Tree, number: int) -> Symbol:
    r"""A quantity of a node, under its path: `g(/outlook=overcast)`."""
    return Symbol(f"{letter}({path_of(tree, number)})", f"{letter}({tex_name(tree.path(number))})")


# The questions about one attribute.


def _by_attribute(node: WorkedNode) -> Mapping[str, Sequence[Candidate]]:
    """The questions about each attribute that is left, in table order; about some there may be none."""
    if node.decision.stop in BY_COUNTS:
        return {}
    if node.is_linear:
        return {ALL: node.decision.candidates}
    attributes = [a.name for a in node.visit.sample.schema.attributes if a.name in node.visit.place.available]
    questions: dict[str, list[Candidate]] = {name: [] for name in attributes}
    for candidate in node.decision.candidates:
        questions.setdefault(candidate.test.attribute, []).append(candidate)
    return questions


def _shown(node: WorkedNode, questions: Sequence[Candidate]) -> list[Candidate]:
    """Those that are shown with all their figures."""
    tried = [candidate for candidate in questions if candidate.barred not in {*remarks.NOT_TRIED, "not-best"}]
    if len(tried) <= FEW:
        return tried
    if not node.is_linear:
        return node.best(tried)[:FEW]
    taken = None if node.decision.chosen is None else node.decision.chosen.key
    shown: list[Candidate] = []
    while len(shown) < FEW:  # the chosen line, those that are as good, and then the next best ones
        known = {candidate.key for candidate in shown}
        shown += sorted(node.best([c for c in tried if c.key not in known]), key=lambda c: c.key != taken)
    return shown[:FEW]


def _attribute(
    node: WorkedNode, name: str, questions: Sequence[Candidate], shown: Sequence[Candidate]
) -> Iterator[Block]:
    sample = node.visit.sample
    if not questions and node.is_linear:
        yield Sentence("The search finds no line that may divide the rows.")
    elif not questions:
        yield Sentence(remarks.without_question(sample, sample.schema.attribute(name)))
    tries = sum(1 for candidate in questions if candidate.barred not in remarks.NOT_TRIED)
    for candidate in shown:
        yield from _candidate(node, candidate, tries)
    if shown and len(shown) < tries:
        yield Sentence(remarks.best_shown(name, len(shown), tries, questions))
    if name in node.decision.listed_in_part:
        values = number_of_values(sample.partition(Multiway.on(sample.schema.attribute(name))))
        yield Sentence(remarks.listed_in_part(name, values, len(questions)))
    yield from _barred(node, name, questions)


def _candidate(node: WorkedNode, candidate: Candidate, tries: int) -> Iterator[Block]:
    counted = node.counted(candidate)
    symbol, formula = node.formulas.part
    parts = tuple(formula(work(row)) if any(row) else None for row in counted.table.rows)
    yield _table(node, counted, symbol, parts)
    if any(candidate.table.unknown) and not any(counted.table.unknown):
        yield Sentence(f"Counted in: {node.amount(candidate.table.unknown)} without an answer.")
    figures = scored(counted, _penalty(node, counted, tries))
    yield Equations(tuple(node.formulas.equations(candidate.test.name, figures)))


def _penalty(node: WorkedNode, candidate: Candidate, tries: int) -> Worked | None:
    """What a dialect charges for a cut, worked out by its own rule."""
    if getattr(candidate, "penalty", None) is None:
        return None
    charge: Any = getattr(node.learner, "penalty")  # noqa: B009
    worked: Worked = getattr(charge, "__wrapped__", charge)(work(max(tries, 1)), work(sum(node.decision.total)))
    return Worked(worked.value, "quantity", (worked,), "penalty")


def _table(
    node: WorkedNode, candidate: Candidate, symbol: Symbol, impurities: tuple[Worked | None, ...]
) -> PartitionTable:
    name, outcomes = one_line(candidate.test.name), tuple(one_line(one.label) for one in candidate.test.outcomes)
    return PartitionTable(name, node.columns, outcomes, candidate.table.rows, symbol, impurities)


def _barred(node: WorkedNode, name: str, questions: Sequence[Candidate]) -> Iterator[Block]:
    """What may not compete, and why: one by one if there are few, otherwise rule by rule."""
    by_rule: dict[str, list[Candidate]] = {}
    for candidate in questions:
        if candidate.barred not in (None, "average", "not-best"):
            by_rule.setdefault(str(candidate.barred), []).append(candidate)
    for rule, candidates in by_rule.items():
        if len(questions) > FEW:
            yield Sentence(remarks.barred_together(name, rule, len(candidates), questions))
            continue
        for candidate in candidates:
            if rule == "min-samples-leaf":
                yield _table(node, candidate, Symbol("", ""), ())
            yield Sentence(remarks.barred(candidate, node.weights(candidate), node.given))


def _unanswered(node: WorkedNode) -> Iterator[Block]:
    """Where rows go that do not answer."""
    chosen, missing = node.decision.chosen, node.decision.missing
    assert chosen is not None
    if any(chosen.table.unknown) or missing.surrogates:
        yield Sentence(remarks.without_answer(chosen, missing, node.amount(chosen.table.unknown)))
    if missing.surrogates:
        yield Facts(tuple(remarks.surrogates(chosen, missing)))
