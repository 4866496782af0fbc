"""The derivation: how a tree was decided, worked out as a teacher would on the board.

For each node it shows the candidates' tables, the formulas with the figures put in, which candidate wins and by how
much, where a row goes that does not answer, and why a leaf stops.

1. `derive` walks down a tree and yields the *blocks* of each node.
2. `views.lessons` says which formulas lead to a score, and derives them.
3. `views.verdicts` has the words: who may not compete, who wins, why a leaf is one.

A continuous attribute can be cut in as many places as it has values, and forty values have more subsets than anybody
can read. Of the questions about one attribute a few are shown if there are only a few (`FEW`), otherwise the best ones,
and it is said how many there were.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.sample import Counts
from reference_tree.data.table import Table
from reference_tree.data.targets import Values
from reference_tree.exact.choosing import best, near_best
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import Worked, work
from reference_tree.learners.collapsing import kept_whole, own_errors, training_errors
from reference_tree.learners.contenders import UNSCORED, Contender
from reference_tree.learners.criteria import Judge
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import Visit, grow, revisit
from reference_tree.measures.misclassification import generalized_gini_decrease
from reference_tree.node import Node
from reference_tree.splitting.candidate import Candidate, of_known
from reference_tree.tree import Tree
from reference_tree.views.arrivals import answered, arrived
from reference_tree.views.blocks import (
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
from reference_tree.views.lessons import (
    LESSONS,
    MISSING,
    PENALTY,
    ROUNDED,
    Lesson,
    absolute_error_lesson,
    costly_lesson,
    scored,
)
from reference_tree.views.names import one_line
from reference_tree.views.verdicts import (
    Given,
    average,
    barred,
    barred_together,
    hidden,
    leaf,
    moved,
    ranked,
    silent,
    split,
    stand_ins,
    without_answer,
)

FEW = 3
"""Of so many questions about one attribute all are shown."""

BY_COUNTS = frozenset({"pure", "empty", "no-attributes", "max-depth", "min-samples-split"})
"""The reasons for which no question is looked at."""


class Board(NamedTuple):
    """A node, with everything that is needed to show it."""

    given: Given
    learner: Learner
    visit: Visit
    judge: Judge | None
    """What CART counts and judges by, priors and losses included."""
    lesson: Lesson

    @property
    def decision(self) -> Decision:
        """What the learner decides there."""
        return self.visit.decision

    @property
    def node(self) -> Node:
        """The node of the tree."""
        return self.given.tree.nodes[self.visit.number]


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
    given = Given(tree, learner.grower().options, weighted, _errors_of_collapsed(tree, learner, table))
    for visit in revisit(tree, learner, table):
        _check_visit(given, visit)
        board = _board(given, learner, visit)
        if only is None and visit.number == 0:
            yield Legend((*board.lesson.legend, *_extra_legend(board), ROUNDED))
        if only is None or visit.number == only:
            yield from _node(board)
        if visit.number == only:
            return


def _errors_of_collapsed(tree: Tree, learner: Learner, table: Table) -> dict[int, tuple[Rational, Rational]]:
    """For each node that was split and then collapsed what its leaves got wrong, and what it gets wrong itself."""
    if not any(node.stop == "collapsed" for node in tree.nodes):
        return {}
    uncollapsed: Any = replace(learner, collapse=kept_whole)  # type: ignore[type-var]
    before = grow(uncollapsed, table)
    errors, found = training_errors(before), {}
    pending = [(0, 0)]
    while pending:
        number, then = pending.pop()
        node = tree.nodes[number]
        if node.stop == "collapsed":
            found[number] = (errors[then], own_errors(node))
        pending += zip(node.branches, before.nodes[then].branches, strict=False)
    return found


def _check_visit(given: Given, visit: Visit) -> None:
    node, decision = given.tree.nodes[visit.number], visit.decision
    test = None if decision.chosen is None else decision.chosen.test
    asked = (None, "collapsed") if visit.number in given.errors else (test, decision.stop)
    if (node.counts, node.label, node.test, node.stop) != (decision.total, decision.answer.label, *asked):
        where = given.tree.path(visit.number)
        raise InputError(f"the tree was not grown from this table with these options: at {where} they differ")


# What there is to know of a node.


def _board(given: Given, learner: Learner, visit: Visit) -> Board:
    judging = getattr(learner, "judge", None)
    judge = None if judging is None else judging(visit.sample, visit.place)
    return Board(given, learner, visit, judge, _lesson(visit.decision, judge))


def _lesson(decision: Decision, judge: Judge | None) -> Lesson:
    if judge is not None and isinstance(judge.sample.target, Values):
        return absolute_error_lesson(judge.sample.target.numbers)
    if judge is not None and judge.costs is not None and judge.in_gini:
        return costly_lesson(judge.costs.loss)
    return LESSONS[decision.judged_by]


def _extra_legend(board: Board) -> Iterator[tuple[Symbol, str]]:
    if any(any(candidate.table.unknown) for candidate in board.decision.candidates):
        yield from MISSING
    if getattr(board.learner, "penalty", None) is not None and board.given.options.get("penalty") != "none":
        yield PENALTY
    costs = None if board.judge is None else board.judge.costs
    if costs is not None and len(set(costs.weights)) > 1:
        pairs = zip(board.given.tree.target.domain, costs.weights, strict=True)
        weights = ", ".join(f"{one_line(name)} {weight}" for name, weight in pairs)
        yield Symbol("w_j", "w_j"), f"what a row of each class counts in the tables and formulas: {weights}"


def _counted(board: Board, row: Counts) -> Counts:
    """A row as the learner counts it: priors and costs weigh the classes."""
    costs = None if board.judge is None else board.judge.costs
    return row if costs is None else costs.weighed(row)


def _whole(board: Board) -> Counts:
    """The row of the whole sample."""
    return board.decision.total if board.judge is None else _counted(board, board.judge.sample.total())


def _as_judged(board: Board, candidate: Candidate) -> Candidate:
    """A candidate with the table that it is judged by; some rules for missing values count rows in."""
    judge = board.judge
    if judge is None:
        return candidate
    table = judge.judged(candidate.table)
    if isinstance(judge.sample.target, Values):  # its lesson computes the score by itself
        return replace(candidate, table=table, measured=(), measures={})
    if judge.costs is None:
        return replace(candidate, table=table, measures=None)
    if not judge.in_gini:
        return replace(candidate, table=judge.costs.weighed_table(table), measures=None)
    measures = {"gini_decrease": of_known(partial(generalized_gini_decrease, loss=judge.costs.loss))}
    return replace(candidate, table=judge.costs.weighed_table(table), measured=("gini_decrease",), measures=measures)


def _share(board: Board) -> Fraction:
    """The share of the whole sample that reaches a node, priors and losses considered."""
    if board.judge is None or not board.given.tree.nodes[0].weight:
        return Fraction(1)
    everyone = board.visit.place.everyone
    return Fraction(board.judge.weight(board.visit.sample.total())) / Fraction(board.judge.weight(everyone))


def _weight(board: Board, row: Counts) -> Rational:
    return board.visit.sample.target.weight(row) if board.judge is None else board.judge.sample.target.weight(row)


# A node.


def _node(board: Board) -> Iterator[Block]:
    decision = board.decision
    yield _heading(board)
    if any(not candidate.barred for candidate in decision.candidates):
        whole = work(_whole(board))
        yield Equations(tuple(Equation(symbol, of(whole), board.lesson.unit) for symbol, of in board.lesson.whole))
    competing: list[Candidate] = []
    for name, questions in _by_attribute(board).items():
        shown = _shown(board, questions)
        competing += [candidate for candidate in shown if candidate.barred is None]
        yield from _attribute(board, name, questions, shown)
    if "average" in decision.evidence:
        yield Sentence(average(board.given, decision))
    second = _runner_up(board)
    if decision.winners:
        yield Ranking(board.lesson.score, tuple(ranked(decision, _with_the_next(decision, competing, second))))
    if board.node.test is None:
        yield Sentence(leaf(board.given, board.visit, board.lesson, _share(board)))
    else:
        yield Sentence(split(decision, second, board.lesson))
        if (said := moved(board.node.test)) is not None:
            yield Sentence(said)
        yield from _unanswered(board)


def _heading(board: Board) -> Heading:
    tree, node = board.given.tree, board.node
    figures, brief = (arrived(tree, node, all_of_them=full) for full in (True, False))
    if tree.target.values is None and node.weight:
        figures = brief = [answered(node), figures[-1]]
    path = one_line(tree.path(board.visit.number))
    return Heading(path, board.given.amount(node.weight), tuple(figures), tuple(brief))


# The questions about one attribute.


def _by_attribute(board: Board) -> Mapping[str, list[Candidate]]:
    """The questions about each attribute that is left, in table order; about some there may be none."""
    if board.decision.stop in BY_COUNTS:
        return {}
    attributes = [a.name for a in board.visit.sample.schema.attributes if a.name in board.visit.place.available]
    questions: dict[str, list[Candidate]] = {name: [] for name in attributes}
    for candidate in board.decision.candidates:
        questions.setdefault(candidate.test.attribute, []).append(candidate)
    return questions


def _shown(board: Board, questions: Sequence[Candidate]) -> list[Candidate]:
    """Those that are put on the board with all their figures."""
    judged = [candidate for candidate in questions if candidate.barred not in {*UNSCORED, "not-best"}]
    if len(judged) <= FEW:
        return judged
    judge = board.judge
    if judge is not None and judge.estimates:
        judged = near_best(judged, lambda candidate: judge.bounds(candidate.table))
    return best(judged, lambda candidate: _standing(candidate, board.decision))[:FEW]


def _standing(candidate: Candidate, decision: Decision) -> Number:
    """By what a question stands for its attribute: its score; where that is a ratio, the gain."""
    if decision.judged_by != "ratio":
        return candidate.scores[decision.judged_by]
    return candidate.scores["net_gain" if "net_gain" in candidate.scores else "gain"]


def _attribute(board: Board, name: str, questions: Sequence[Candidate], shown: Sequence[Candidate]) -> Iterator[Block]:
    if not questions:
        yield Sentence(silent(board.visit.sample, board.visit.sample.schema.attribute(name)))
    tries = sum(1 for candidate in questions if candidate.barred not in UNSCORED)
    for candidate in shown:
        yield from _candidate(board, candidate, tries)
    if shown and len(shown) < tries:
        yield Sentence(hidden(name, len(shown), tries, questions))
    yield from _barred(board, name, questions)


def _candidate(board: Board, candidate: Candidate, tries: int) -> Iterator[Block]:
    judged, name = _as_judged(board, candidate), candidate.test.name
    symbol, formula = board.lesson.part
    parts = tuple(formula(work(row)) if any(row) else None for row in judged.table.rows)
    yield _table(board, judged, symbol, parts)
    if any(candidate.table.unknown) and not any(judged.table.unknown):
        counted_in = board.given.amount(_weight(board, candidate.table.unknown))
        yield Sentence(f"Counted in: {counted_in} without an answer.")
    figures = scored(judged, _penalty(board, judged, tries))
    yield Equations(tuple(board.lesson.equations(name, figures)))


def _penalty(board: Board, candidate: Candidate, tries: int) -> Worked | None:
    """What a dialect charges for a cut, worked out by its own rule."""
    if not isinstance(candidate, Contender) or candidate.penalty is None:
        return None
    charge: Any = getattr(board.learner, "penalty")  # noqa: B009
    worked: Worked = getattr(charge, "__wrapped__", charge)(work(max(tries, 1)), work(sum(board.decision.total)))
    return Worked(worked.value, "quantity", (worked,), "penalty")


def _table(board: Board, candidate: Candidate, symbol: Symbol, impurities: tuple[Worked | None, ...]) -> PartitionTable:
    target = (board.visit.sample if board.judge is None else board.judge.sample).target
    columns = ("n", "Σy", "Σy²") if target.columns == ("w", "wy", "wyy") else tuple(map(one_line, target.columns))
    outcomes = tuple(one_line(outcome.label) for outcome in candidate.test.outcomes)
    return PartitionTable(one_line(candidate.test.name), columns, outcomes, candidate.table.rows, symbol, impurities)


def _barred(board: Board, name: str, questions: Sequence[Candidate]) -> Iterator[Block]:
    """What may not compete, and why: one by one if there are few, otherwise rule by rule."""
    by_rule: dict[str, list[Candidate]] = {}
    for candidate in questions:
        if candidate.barred not in (None, "average", "not-best"):
            by_rule.setdefault(str(candidate.barred), []).append(candidate)
    for rule, candidates in by_rule.items():
        if len(questions) > FEW:
            yield Sentence(barred_together(name, rule, len(candidates), questions))
            continue
        for candidate in candidates:
            weights = [_weight(board, row) for row in candidate.table.rows]
            if rule == "min-samples-leaf":
                yield _table(board, candidate, Symbol("", ""), ())
            yield Sentence(barred(candidate, weights, board.given))


def _runner_up(board: Board) -> Candidate | None:
    """The best candidate that is no winner: what the decision says, found by estimates first where there are any."""
    judge, decision = board.judge, board.decision
    if not decision.winners or judge is None or not judge.estimates:
        return decision.runner_up
    winning = {winner.test for winner in decision.winners}
    others = [candidate for candidate in decision.candidates if not candidate.barred and candidate.test not in winning]
    near = near_best(others, lambda candidate: judge.bounds(candidate.table))
    return next(iter(best(near, lambda candidate: candidate.scores[decision.judged_by])), None)


def _with_the_next(decision: Decision, shown: Sequence[Candidate], second: Candidate | None) -> list[Candidate]:
    """The candidates of a ranking: those shown, all winners, and the next best one, in the order of the learner."""
    wanted = {candidate.test for candidate in (*shown, *decision.winners)}
    if second is not None:
        wanted.add(second.test)
    return [candidate for candidate in decision.candidates if candidate.test in wanted]


# Rows that do not answer.


def _unanswered(board: Board) -> Iterator[Block]:
    chosen, missing = board.decision.chosen, board.decision.missing
    assert chosen is not None
    if any(chosen.table.unknown) or missing.surrogates:
        unknown = board.given.amount(_weight(board, chosen.table.unknown))
        yield Sentence(without_answer(chosen, missing, unknown))
    if missing.surrogates:
        yield Facts(tuple(stand_ins(chosen, missing)))
