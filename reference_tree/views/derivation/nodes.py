"""Nodes: the decisions of a tree, worked out node by node as a teacher would.

The general formulas come first, and a table of all nodes. For each node the derivation then shows the tests of
each attribute, the formulas of the best one with the figures inserted, the winner and its margin, where a row without
an answer goes, and why a leaf stops.

`derive` walks down a tree and yields the *blocks* of each node; `worked_nodes` has a node as the learner counts it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Linear, Threshold
from reference_tree.data.sample import Counts
from reference_tree.data.table import Table
from reference_tree.data.targets import Classes, Values
from reference_tree.ensembles.random_forest import OPTION, DrawnAttributes
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.worked import work
from reference_tree.learners.decision import Learner
from reference_tree.learners.growing import Visit, grow, revisit
from reference_tree.learners.registry import learner_of
from reference_tree.measures.variance import Moments, mean
from reference_tree.programs.c45.release8 import own_errors, training_errors
from reference_tree.splitting.binary_subsets import number_of_values, partition_of_present
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.continuous_bisection import CutSearch, lists_all, number_of_cuts
from reference_tree.splitting.linear.cart_lc import DELETION
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.subtrees import counterparts
from reference_tree.tree import Tree
from reference_tree.views.derivation import remarks
from reference_tree.views.derivation.blocks import (
    WHOLE,
    Block,
    DecisionTable,
    Equation,
    Equations,
    Facts,
    Legend,
    PartitionTable,
    Plane,
    Ranking,
    Scope,
    Sentence,
    Symbol,
    symbol,
)
from reference_tree.views.derivation.formulas import AVERAGE, RATE, among_known, of_part
from reference_tree.views.derivation.numerals import value_text
from reference_tree.views.derivation.worked_nodes import BY_COUNTS, Given, ListedTests, WorkedNode, questions_of
from reference_tree.views.plots.plane import is_plane
from reference_tree.views.wording import answers, asked, one_line, step_of

SMALL = 20
"""The number of nodes up to which a tree is worked out in full; of a larger one only the root, unless asked for."""

LISTED = 20
"""The number of tests of one attribute up to which all are listed; of more, the best or those around it."""

FEW = 6
"""The number of classes that still fit in one cell."""


def derive(tree: Tree, learner: Learner, table: Table, scope: Scope = WHOLE) -> Iterator[Block]:
    """The derivation of a tree: the meaning of the symbols, a table of all nodes, and then each node in preorder.

    Raises:
        InputError: the tree was not grown from this table by this learner.
    """
    for _, block in derive_by_node(tree, learner, table, scope):
        yield block


def derive_by_node(
    tree: Tree, learner: Learner, table: Table, scope: Scope = WHOLE
) -> Iterator[tuple[int | None, Block]]:
    """The blocks of `derive`, each with the number of its node; None for the blocks before the first one."""
    only = scope.number_in(tree)
    weighted = any(weight != 1 for weight in table.weighted())
    errors = _errors_of_collapsed(tree, learner, table)
    given = Given(tree, learner.grower().options, weighted, errors, scope.digits)
    in_full = only is not None or scope.every
    long = is_cut_short(tree, scope)
    nodes: list[WorkedNode] = []
    rows: list[tuple[str, ...]] = []
    for visit in revisit(tree, learner, table):
        _check_visit(given, visit)
        if visit.number == only or only is None:
            node = WorkedNode.of(given, *_seen(learner, visit), in_full)
            rows += [_overview(node)] if only is None else []
            nodes += [] if long and nodes else [node]
        if visit.number == only:
            break
    if only is None:
        yield None, _legend(nodes[0])
        formulas = nodes[0].formulas  # for numbers the symbol: the words would take more room than the figures
        score = formulas.called if tree.target.values is not None else formulas.score.symbol.text
        head = ("node", "", "rows", "test or prediction", score, "margin")
        names = tree.target.domain if _are_few(nodes[0]) else [name for name, _ in nodes[0].spread]
        rows_as = f"; rows as {', '.join(map(one_line, names))}" if names else ""
        judged = f"; {formulas.called}, and its margin over the next best"
        unit = f", in {formulas.score.unit}" if formulas.score.unit else ""
        yield None, DecisionTable(f"The nodes{rows_as}{judged}{unit}", head, "llllrr", tuple(rows))
    if long:
        inner = next((row[0] for row in rows[1:] if row[-1]), rows[1][0])
        yield None, Sentence(f"Only the root is worked out below. Say --node {inner} for another node, or --all.")
    for node in nodes:
        for block in work_out_node(node, alone=only is not None):
            yield node.visit.number, block


def is_cut_short(tree: Tree, scope: Scope) -> bool:
    """Whether only the root is worked out because the tree is large."""
    return scope.node is None and not scope.every and len(tree.nodes) > SMALL


def _seen(learner: Learner, visit: Visit) -> tuple[Learner, Visit]:
    """The learner that decided at a node, and the visit as it saw it: in a forest, with some of the attributes."""
    if not isinstance(learner, DrawnAttributes):
        return learner, visit
    place, decision = learner.looked_at(visit.sample, visit.place)
    return learner.forest.base, visit._replace(place=place, decision=decision)


def _legend(node: WorkedNode) -> Legend:
    """The general formulas, and the meaning of the symbols."""
    places = node.given.digits.places
    rounded = f"rounded to {places} decimals, or more where a result needs them; what decides is exact"
    return Legend((*node.legend(), (symbol("≈"), rounded)))


def _overview(node: WorkedNode) -> tuple[str, ...]:
    """The line of a node in the table of all nodes."""
    decision, tree, depth = node.decision, node.given.tree, node.visit.place.depth
    number = "/" + "/".join(map(str, _turns(tree, node.visit.number)))
    above, branch = tree.parents[node.visit.number]
    test = tree.nodes[above].test if depth else None
    step = "· " * (depth - 1) + step_of(test, branch) if test is not None else ""
    is_class = tree.target.values is not None
    figures = _in_one(node, node.node.counts) if is_class else ", ".join(figure for _, figure in node.spread)
    if node.node.test is None or decision.chosen is None:
        return number, step, figures, f"{node.given.answer(node.node.label)} ({node.node.stop})", "", ""
    lead = decision.margin
    margin = "-" if lead is None else node.given.decimal(lead)
    if remarks.tied_with(decision):
        margin = "tied" if lead is None else f"tied; {margin} to the next"
    return number, step, figures, asked(decision.chosen.test), node.given.decimal(remarks.best_score(decision)), margin


def _turns(tree: Tree, number: int) -> list[int]:
    """The branches that lead from the root to a node."""
    turns: list[int] = []
    while number:
        number, branch = tree.parents[number]
        turns.append(branch)
    return turns[::-1]


def _errors_of_collapsed(tree: Tree, learner: Learner, table: Table) -> dict[int, tuple[Rational, Rational]]:
    """For each node that was split and then collapsed, the training errors of its leaves and of the node itself."""
    if not any(node.stop == "collapsed" for node in tree.nodes):
        return {}
    grower = learner.grower()
    before = grow(learner_of(replace(grower, options={**grower.options, "collapse": "never"})), table)
    below = training_errors(before)
    return {
        number: (below[then], own_errors(before.nodes[then]))
        for number, then in counterparts(tree, before)
        if tree.nodes[number].stop == "collapsed"
    }


def _check_visit(given: Given, visit: Visit) -> None:
    node, decision = given.tree.nodes[visit.number], visit.decision
    test = None if decision.chosen is None else decision.chosen.test
    expected = (None, "collapsed") if visit.number in given.errors else (test, decision.stop)
    if (node.counts, node.label, node.test, node.stop) != (decision.total, decision.answer.label, *expected):
        where = given.tree.path(visit.number)
        raise InputError(f"the tree was not grown from this table with these options: at {where} they differ")


def work_out_node(node: WorkedNode, *, alone: bool = False) -> Iterator[Block]:
    """A node: its tests, the winner, and where rows without a value go; or why it is a leaf.

    A node that is shown alone begins with the meaning of the symbols.
    """
    decision, formulas = node.decision, node.formulas
    yield node.heading
    if alone and decision.stop not in BY_COUNTS:
        yield _legend(node)
    if OPTION in node.given.options and decision.stop not in BY_COUNTS:
        drawn = ", ".join(one_line(one.name) for one in node.visit.place.attributes(node.visit.sample.schema))
        yield Sentence(f"Drawn: {drawn}.")
    questions = questions_of(node)
    shown = [one.shown for one in questions if one.shown is not None]
    # The impurity of the whole node is worked out once, unless each test has rows of its own without a value.
    if any(not any(candidate.counted.unknown) for candidate in shown):
        yield from derive_whole(node)
    for one in questions:
        yield from derive_questions(node, one)
    yield from _average(node, questions)
    if decision.winners:
        leading = [candidate for one in questions for candidate in one.leading if candidate.barred in (None, "average")]
        # An attribute competes with its best test alone; the winners and the runner-up are listed even if they are none
        # of these.
        keys = {candidate.key for candidate in (*leading, *decision.winners, *decision.next_best)}
        listed = [candidate for candidate in decision.candidates if candidate.key in keys]
        yield Ranking(formulas.score.symbol, tuple(remarks.ranked(decision, listed, node.given.digits)))
    if node.node.test is None:
        yield Sentence(remarks.leaf(node))
        return
    yield Sentence(remarks.split(node))
    if isinstance(test := node.node.test, Linear) and is_plane(test):
        points = node.visit.sample.points(test.attributes)
        yield Sentence(remarks.plane(test, points, node.given.tree.target.values or ()))
        yield Plane(test, points)
    if "regret" in decision.evidence:
        yield Sentence(remarks.regret(node))
    if (sentence := remarks.moved(node.node.test)) is not None:
        yield Sentence(sentence)
    yield from _unanswered(node)


def derive_questions(node: WorkedNode, questions: ListedTests) -> Iterator[Block]:
    """The tests of one attribute: a list of them, and the best one worked out."""
    sample, name = node.visit.sample, questions.name
    is_number = not node.is_linear and sample.schema.attribute(name).values is None
    # Why there is nothing to list is said before anything else: a search without a line, or equal values.
    if not questions.all and node.is_linear:
        yield Sentence("The search finds no line that may divide the rows.")
    elif not questions.all:
        yield Sentence(remarks.without_question(sample, sample.schema.attribute(name)))
    if node.is_linear and node.learner.search == "cart-lc" and questions.all:
        yield from _searched(node)
    if len(questions.tried) > 1:
        yield _list(node, questions)
    if questions.shown is not None:
        yield from _worked_out(node, questions, questions.shown)
    # A learner may list only the cuts that can be the best; then the page says how many there are.
    is_in_part = is_number and not lists_all(sample, name, CutSearch("gain"))
    if is_in_part and 0 < len(questions.all) < (every := number_of_cuts(sample, name)):
        yield Sentence(remarks.best_listed(name, every))
    elif name in node.decision.listed_in_part:
        parts = partition_of_present(sample, sample.schema.attribute(name))
        planes = isinstance(sample.target, Classes) and sum(map(any, zip(*parts.rows, strict=True))) > 2
        yield Sentence(remarks.listed_in_part(name, number_of_values(parts), len(questions.all), planes=planes))
    yield from _barred(node, questions)


def derive_whole(node: WorkedNode) -> Iterator[Block]:
    """The impurity of all rows at a node."""
    whole = work(node.whole())
    if steps := node.formulas.whole:
        yield Equations(tuple(Equation(step.symbol, step.quantity(whole), step.unit) for step in steps))


def _searched(node: WorkedNode) -> Iterator[Block]:
    """The steps of CART's search for a line (of many, those taken), and the costs of leaving a coordinate out."""
    steps = list(node.steps())
    before = [steps[0]]
    for step in steps[:-1]:
        before.append(step if step.taken else before[-1])
    scores = remarks.apart([step.score for step in steps], [last.score for last in before], node.given.digits)
    # One cycle tries each coefficient once, and the threshold.
    cycle = len(steps[0].split.points.coordinates) + 1
    rows = []
    for number, (step, last, score) in enumerate(zip(steps, before, scores, strict=True), start=cycle - 1):
        what = "the threshold" if step.coordinate is None else one_line(step.coordinate.name)
        names = {"cut": "the best cut", "cycle": f"cycle {number // cycle}, {what}", "without": f"without {what}"}
        fate = "taken" if step.taken else ""
        if step.kind == "without":
            fate = f"costs {node.given.decimal(last.score - step.score)}{', left out' * step.taken}"
        if fate or len(steps) <= LISTED:
            rows.append((names[step.kind], asked(step.split.test), score, fate))
    title = "The search: the best line that differs from the last one taken in one coefficient, or in the threshold"
    yield DecisionTable(title, ("step", "line", node.formulas.called, ""), "llrl", rows)
    if any(step.kind == "without" for step in steps):
        yield Sentence(
            f"The coordinate that costs least is left out if that is at most {DELETION} of the largest cost."
        )


def _list(node: WorkedNode, questions: ListedTests) -> DecisionTable:
    """All tests of an attribute in a table, the best one marked; of very many, those around the best."""
    tried, test = questions.tried, questions.tried[0].test
    cuts = isinstance(test, Threshold)
    if node.is_linear or (len(tried) > LISTED and not (cuts and node.in_full)):
        # Cuts have an order, so the neighbours of the best one tell most; other tests have none, and the best few are
        # listed.
        around = tried.index(questions.shown) if cuts and questions.shown in tried else 0
        first = max(0, min(around - LISTED // 4, len(tried) - LISTED // 2))
        tried = tried[first : first + LISTED // 2] if cuts else _best_few(node, questions)
    left_out = len(questions.tried) - len(tried)
    sides = [outcome.sign for outcome in test.outcomes] if cuts else ["in:", "else:"]
    columns, figures = _of_sides(node)
    head = ("at" if cuts else "test", *(["between"] if cuts else []))
    head += tuple(f"{side} {column}".rstrip() for side in sides for column in columns)
    of_ratio = node.decision.judged_by == "ratio"
    gain = "gain" if of_ratio else node.formulas.called
    by = "g'" if "net_gain" in questions.tried[0].scores else gain
    mark = f"the best by {by}" if of_ratio else "the best"
    tables = [node.counted(candidate).table for candidate in tried]
    gaps = any(any(table.unknown) for table in tables)
    rows = []
    for candidate, table in zip(tried, tables, strict=True):
        cells = [cell for row in table.rows for cell in figures(row)]
        share = [value_text(node.known_share(table), node.given.digits)] if gaps else []
        rows.append((*_placed(candidate), *cells, *share, node.merit(candidate), _mark(questions, candidate, mark)))
    title = f"{one_line(questions.name)}: the {len(questions.tried)} {remarks.kind(questions.tried)}"
    best = "those around the best" if cuts else "the best of them"
    title += f", {best}" if left_out else ""
    title += f"; each side as {', '.join(node.columns)}" if columns == ("",) and _are_few(node) else ""
    if gaps or by != gain:
        title += f"; {by} is {'ρ times ' * gaps}the {gain} of these rows{', less c(D, A)' * (by != gain)}"
    head += ("ρ",) * gaps
    return DecisionTable(title, (*head, by, ""), "r" * len(head) + "rl", rows)


def _placed(candidate: Candidate) -> tuple[str, ...]:
    """A cut and the values that it lies between, or the text of another test."""
    test = candidate.test
    if not isinstance(test, Threshold):
        return (asked(test),)
    return decimal_text(test.threshold), " and ".join(map(decimal_text, test.interval or ()))


def _of_sides(node: WorkedNode) -> tuple[tuple[str, ...], Any]:
    """The columns of a side, and a function for its figures: two classes, or n and the mean of numbers, or one cell."""
    if node.columns == ("n", "Σy", "Σy²"):
        return ("n", "mean"), lambda row: (
            value_text(row[0], node.given.digits),
            node.given.decimal(mean(Moments(*row))) if row[0] else "-",
        )
    if len(node.columns) == 2 and not isinstance(node._target, Values):
        return node.columns, lambda row: [value_text(count, node.given.digits) for count in row]
    return ("",), lambda row: (_in_one(node, row),)


def _in_one(node: WorkedNode, row: Counts) -> str:
    """The weights of a few classes in one cell; of many classes, or of single numbers, the total weight."""
    weights = row if _are_few(node) else node.weights([row])
    return ", ".join(value_text(weight, node.given.digits) for weight in weights)


def _are_few(node: WorkedNode) -> bool:
    return node.given.tree.target.values is not None and len(node.columns) <= FEW


def _mark(questions: ListedTests, candidate: Candidate, best: str) -> str:
    if candidate.key not in {one.key for one in questions.leading}:
        return ""
    if questions.shown is None or candidate.key != questions.shown.key:
        return "as good"
    if len(questions.leading) == 1:
        return best
    lowest = isinstance(candidate.test, Threshold) and candidate.key == questions.leading[0].key
    return f"{best}, the lowest of equals" if lowest else best


def _best_few(node: WorkedNode, questions: ListedTests) -> list[Candidate]:
    """The best of some tests: the one that is shown, its ties, and then the next best."""
    found: list[Candidate] = [] if questions.shown is None else [questions.shown]
    while len(found) < min(LISTED // 2, len(questions.tried)):
        known = {candidate.key for candidate in found}
        found += node.best([candidate for candidate in questions.tried if candidate.key not in known])
    return found[: LISTED // 2]


def _worked_out(node: WorkedNode, questions: ListedTests, candidate: Candidate) -> Iterator[Block]:
    """A test with all its formulas."""
    counted, formulas = node.counted(candidate), node.formulas
    rows, parts = counted.table.rows, [work(row) if any(row) else None for row in counted.table.rows]
    shares: list[tuple[Symbol, tuple[Any, ...]]] = [
        (of_part(step.symbol), tuple(row and step.quantity(row).value for row in parts)) for step in formulas.whole[:-1]
    ]
    unknown, symbol = counted.table.unknown, Symbol("", "")
    impurities: tuple[Any, ...] = ()
    for impurity in formulas.whole[-1:]:
        symbol, impurities = of_part(impurity.symbol), tuple(row and impurity.quantity(row) for row in parts)
    if any(unknown):
        shares.append((RATE, tuple(branch_shares([[weight] for weight in node.weights(rows)]))))
        symbol = among_known(symbol)
    head = asked(counted.test), node.columns, answers(counted.test)
    yield PartitionTable(*head, rows, symbol, impurities, tuple(shares), unknown)
    if any(candidate.table.unknown) and not any(unknown) and not node.is_linear:
        yield Sentence(f"Counted in: {node.amount(candidate.table.unknown)} with a missing value.")
    yield Equations(tuple(formulas.equations(asked(candidate.test), node.scored(questions, counted))))


def _barred(node: WorkedNode, questions: ListedTests) -> Iterator[Block]:
    """The tests that may not compete, and why: one by one if there are few, otherwise rule by rule."""
    by_rule: dict[str, list[Candidate]] = {}
    for candidate in questions.all:
        if candidate.barred not in (None, "average", "not-best"):
            by_rule.setdefault(str(candidate.barred), []).append(candidate)
    for rule, candidates in by_rule.items():
        if len(questions.all) > 1:
            yield Sentence(remarks.barred_together(questions.name, rule, len(candidates), questions.all))
            continue
        (candidate,) = candidates
        if rule == "min-samples-leaf":
            yield PartitionTable(asked(candidate.test), node.columns, answers(candidate.test), candidate.table.rows)
        yield Sentence(remarks.barred(node, candidate))


def _average(node: WorkedNode, questions: Sequence[ListedTests]) -> Iterator[Block]:
    """The average that attributes must reach before they compete by their ratios, with its summands."""
    if node.decision.stop == "average":
        yield Sentence(remarks.no_average(node.decision))
    elif "average" in node.decision.evidence:
        sample, place = node.visit.sample, node.visit.place
        standing = [node.learner.best_questions(sample, attribute) for attribute in place.attributes(sample.schema)]
        averaged = {one[0].test for one in node.learner.averaged(list(filter(None, standing)), sample, place)}
        found = [node.scored(one, each).scores for one in questions for each in one.tried if each.test in averaged]
        gains = [scores.get("net_gain", scores["gain"]) for scores in found]
        yield Equations((Equation(AVERAGE.symbol, AVERAGE.quantity(gains), AVERAGE.unit),))
        yield Sentence(remarks.below_average(node))


def _unanswered(node: WorkedNode) -> Iterator[Block]:
    """Where rows without an answer go."""
    chosen, missing = node.decision.chosen, node.decision.missing
    assert chosen is not None
    if any(chosen.table.unknown) or missing.surrogates:
        unknown = node.amount(chosen.table.unknown)
        yield Sentence(remarks.without_answer(chosen, missing, unknown, node.given.digits))
    if missing.surrogates:
        yield Facts(tuple(remarks.surrogates(chosen, missing)))
