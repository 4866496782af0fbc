"""The derivation: how a tree was decided, worked out as a teacher would on the sheet.

For each node it shows the candidates' tables, the formulas with the figures put in, which candidate wins and by how
much, where a row goes that does not answer, and why a leaf stops.

1. `derive` walks down a tree and yields the *blocks* of each node.
2. `views.worksheet` has a node as the learner counts it, `views.lessons` which formulas lead to a score.
3. `views.verdicts` and `views.reasons` have the words: who may not compete, who wins, why a leaf is one.

A continuous attribute can be cut in as many places as it has values, and forty values have more subsets than anybody
can read. Of the questions about one attribute a few are shown if there are only a few (`FEW`), otherwise the best ones,
and it is said how many there were.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.dialects.c45_programs import ChargedCandidate
from reference_tree.dialects.collapsing import kept_whole, own_errors, training_errors
from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import Worked, work
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import Visit, grow, revisit
from reference_tree.splitting.candidate import UNSCORED, Candidate
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
from reference_tree.views.lesson import scored
from reference_tree.views.lessons import ROUNDED
from reference_tree.views.names import one_line
from reference_tree.views.reasons import leaf
from reference_tree.views.verdicts import (
    Given,
    average,
    barred,
    barred_together,
    hidden,
    listed_in_part,
    moved,
    no_average,
    ranked,
    regret,
    silent,
    split,
    stand_ins,
    without_answer,
)
from reference_tree.views.worksheet import Worksheet

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
    given = Given(tree, learner.grower().options, weighted, _errors_of_collapsed(tree, learner, table))
    for visit in revisit(tree, learner, table):
        _check_visit(given, visit)
        sheet = Worksheet.of(given, learner, visit)
        if only is None and visit.number == 0:
            yield Legend((*sheet.legend(), ROUNDED))
        if only is None or visit.number == only:
            yield from _node(sheet)
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


# A node.


def _node(sheet: Worksheet) -> Iterator[Block]:
    decision = sheet.decision
    yield _heading(sheet)
    if any(not candidate.barred for candidate in decision.candidates):
        whole = work(sheet.whole())
        yield Equations(tuple(Equation(symbol, of(whole), sheet.lesson.unit) for symbol, of in sheet.lesson.whole))
    competing: list[Candidate] = []
    for name, questions in _by_attribute(sheet).items():
        shown = _shown(sheet, questions)
        competing += [candidate for candidate in shown if candidate.barred is None]
        yield from _attribute(sheet, name, questions, shown)
    if "average" in decision.evidence:
        yield Sentence(average(sheet.given, decision))
    elif decision.stop == "average":
        yield Sentence(no_average(decision))
    second = sheet.runner_up()
    if decision.winners:
        yield Ranking(sheet.lesson.score, tuple(ranked(decision, _with_the_next(decision, competing, second))))
    if sheet.node.test is None:
        yield Sentence(leaf(sheet.given, sheet.visit, sheet.lesson, sheet.share()))
    else:
        yield Sentence(split(decision, second, sheet.lesson))
        if "regret" in decision.evidence:
            yield Sentence(regret(decision, sheet.lesson))
        if (said := moved(sheet.node.test)) is not None:
            yield Sentence(said)
        yield from _unanswered(sheet)


def _heading(sheet: Worksheet) -> Heading:
    tree, node = sheet.given.tree, sheet.node
    figures, brief = (arrived(tree, node, all_of_them=full) for full in (True, False))
    if tree.target.values is None and node.weight:
        figures = brief = [answered(node), figures[-1]]
    path = one_line(tree.path(sheet.visit.number))
    return Heading(path, sheet.given.amount(node.weight), tuple(figures), tuple(brief))


# The questions about one attribute.


def _by_attribute(sheet: Worksheet) -> Mapping[str, Sequence[Candidate]]:
    """The questions about each attribute that is left, in table order; about some there may be none.

    Linear tests ask for all attributes at once.
    """
    if sheet.decision.stop in BY_COUNTS:
        return {}
    if sheet.asks_all_at_once:
        return {ALL: sheet.decision.candidates}
    attributes = [a.name for a in sheet.visit.sample.schema.attributes if a.name in sheet.visit.place.available]
    questions: dict[str, list[Candidate]] = {name: [] for name in attributes}
    for candidate in sheet.decision.candidates:
        questions.setdefault(candidate.test.attribute, []).append(candidate)
    return questions


def _shown(sheet: Worksheet, questions: Sequence[Candidate]) -> list[Candidate]:
    """Those that are put on the board with all their figures."""
    judged = [candidate for candidate in questions if candidate.barred not in {*UNSCORED, "not-best"}]
    if len(judged) <= FEW:
        return judged
    return _best_lines(sheet, judged) if sheet.asks_all_at_once else sheet.best(judged)[:FEW]


def _best_lines(sheet: Worksheet, lines: Sequence[Candidate]) -> list[Candidate]:
    """The chosen line, those that are as good, and then the next best ones."""
    taken = None if sheet.decision.chosen is None else sheet.decision.chosen.key
    shown: list[Candidate] = []
    while len(shown) < FEW:
        known = {candidate.key for candidate in shown}
        shown += sorted(sheet.best([c for c in lines if c.key not in known]), key=lambda c: c.key != taken)
    return shown[:FEW]


def _attribute(
    sheet: Worksheet, name: str, questions: Sequence[Candidate], shown: Sequence[Candidate]
) -> Iterator[Block]:
    if not questions and sheet.asks_all_at_once:
        yield Sentence("The search finds no line that may divide the rows.")
    elif not questions:
        yield Sentence(silent(sheet.visit.sample, sheet.visit.sample.schema.attribute(name)))
    tries = sum(1 for candidate in questions if candidate.barred not in UNSCORED)
    for candidate in shown:
        yield from _candidate(sheet, candidate, tries)
    if shown and len(shown) < tries:
        yield Sentence(hidden(name, len(shown), tries, questions))
    if name in sheet.decision.listed_in_part:
        yield Sentence(listed_in_part(name, sheet.values_present(name), len(questions)))
    yield from _barred(sheet, name, questions)


def _candidate(sheet: Worksheet, candidate: Candidate, tries: int) -> Iterator[Block]:
    judged, name = sheet.judged(candidate), candidate.test.name
    symbol, formula = sheet.lesson.part
    parts = tuple(formula(work(row)) if any(row) else None for row in judged.table.rows)
    yield _table(sheet, judged, symbol, parts)
    if any(candidate.table.unknown) and not any(judged.table.unknown):
        counted_in = sheet.given.amount(sheet.weight(candidate.table.unknown))
        yield Sentence(f"Counted in: {counted_in} without an answer.")
    figures = scored(judged, _penalty(sheet, judged, tries))
    yield Equations(tuple(sheet.lesson.equations(name, figures)))


def _penalty(sheet: Worksheet, candidate: Candidate, tries: int) -> Worked | None:
    """What a dialect charges for a cut, worked out by its own rule."""
    if not isinstance(candidate, ChargedCandidate) or candidate.penalty is None:
        return None
    charge: Any = getattr(sheet.learner, "penalty")  # noqa: B009
    worked: Worked = getattr(charge, "__wrapped__", charge)(work(max(tries, 1)), work(sum(sheet.decision.total)))
    return Worked(worked.value, "quantity", (worked,), "penalty")


def _table(
    sheet: Worksheet, candidate: Candidate, symbol: Symbol, impurities: tuple[Worked | None, ...]
) -> PartitionTable:
    outcomes = tuple(one_line(outcome.label) for outcome in candidate.test.outcomes)
    return PartitionTable(
        one_line(candidate.test.name), sheet.columns, outcomes, candidate.table.rows, symbol, impurities
    )


def _barred(sheet: Worksheet, name: str, questions: Sequence[Candidate]) -> Iterator[Block]:
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
            weights = [sheet.weight(row) for row in candidate.table.rows]
            if rule == "min-samples-leaf":
                yield _table(sheet, candidate, Symbol("", ""), ())
            yield Sentence(barred(candidate, weights, sheet.given))


def _with_the_next(decision: Decision, shown: Sequence[Candidate], second: Candidate | None) -> list[Candidate]:
    """The candidates of a ranking: those shown, all winners, and the next best one, in the order of the learner."""
    wanted = {candidate.key for candidate in (*shown, *decision.winners)}
    if second is not None:
        wanted.add(second.key)
    return [candidate for candidate in decision.candidates if candidate.key in wanted]


# Rows that do not answer.


def _unanswered(sheet: Worksheet) -> Iterator[Block]:
    chosen, missing = sheet.decision.chosen, sheet.decision.missing
    assert chosen is not None
    if any(chosen.table.unknown) or missing.surrogates:
        unknown = sheet.given.amount(sheet.weight(chosen.table.unknown))
        yield Sentence(without_answer(chosen, missing, unknown))
    if missing.surrogates:
        yield Facts(tuple(stand_ins(chosen, missing)))
