"""The derivation: how a tree was decided, worked out as a teacher would on the board.

For each node it shows every candidate's table, the formulas with the figures put in, which candidate wins and by how
much, and why a leaf stops. No formula is written here: the measures run on worked numbers and derive themselves, and
this module only says in what order they go on the board.

1. `derive` walks down a tree and yields the *blocks* of each node.
2. `LESSONS` says, for each score that a learner can judge by, which formulas lead to it.
3. `REASONS` says in words why a leaf is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.sample import Partition
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, rational
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import Worked, work
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import Visit, revisit
from reference_tree.learners.place import Answer
from reference_tree.measures.conditional_entropy import by_class, conditional_entropy
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gain_ratio import gain_ratio, split_information
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.missing_values import (
    gain_with_missing,
    known_fraction,
    ratio_with_missing,
    split_information_of_known,
)
from reference_tree.tree import Tree
from reference_tree.views.blocks import (
    Block,
    Equation,
    Equations,
    Heading,
    Legend,
    PartitionTable,
    Ranked,
    Ranking,
    Sentence,
    Symbol,
    amount,
)
from reference_tree.views.names import answer_text, one_line
from reference_tree.views.notation import PLACES, decimal_of, rational_value, value_text

Formula = Callable[[Any], Worked]
Step = tuple[Symbol, Callable[[Partition], Worked]]
"""A quantity of a candidate, and how it follows from the candidate's table."""


def _of_known(formula: Callable[..., Number]) -> Callable[[Partition], Worked]:
    """A formula of the answers that are known."""
    return lambda table: formula(work(table.rows))


def _of_all(formula: Callable[..., Number]) -> Callable[[Partition], Worked]:
    """A formula of the answers that are known and of those that are missing."""
    return lambda table: formula(work(table.rows), work(table.unknown))


def _known_entropy(table: Partition) -> Worked:
    """The entropy of the classes among the answers that are known."""
    return entropy(work(by_class(table.rows)))  # type: ignore[no-any-return]


class Lesson(NamedTuple):
    """How a score is put on the board.

    The impurity of the whole sample comes first, that of each part stands in the table, and below it come the
    formulas that lead to the score, which is the last of them.
    """

    whole: tuple[Symbol, Formula]
    part: tuple[Symbol, Formula]
    steps: tuple[Step, ...]
    with_missing: tuple[Step, ...]
    """The steps for a candidate whose answer is missing in some rows."""
    unit: str
    legend: tuple[tuple[Symbol, str], ...]
    """What the letters mean."""


LESSONS: Mapping[str, Lesson] = {
    "gain": Lesson(
        whole=(Symbol("H(D)", "H(D)"), entropy),
        part=(Symbol("H(D_i)", "H(D_i)"), entropy),
        steps=(
            (Symbol("H(D|A)", r"H(D \mid A)"), _of_known(conditional_entropy)),
            (Symbol("g(D, A)", "g(D, A)"), _of_known(information_gain)),
        ),
        with_missing=(),
        unit="bits",
        legend=(
            (Symbol("D", "D"), "the rows that reach a node"),
            (Symbol("D_i", "D_i"), "those of them that give the i-th answer"),
            (Symbol("H(D)", "H(D)"), "the entropy of their classes"),
            (Symbol("H(D|A)", r"H(D \mid A)"), "what is left of it, on average, once the answer to A is known"),
            (Symbol("g(D, A)", "g(D, A)"), "the information gain of A: what the answer takes away"),
        ),
    ),
    "ratio": Lesson(
        whole=(Symbol("H(D)", "H(D)"), entropy),
        part=(Symbol("H(D_i)", "H(D_i)"), entropy),
        steps=(
            (Symbol("H(D|A)", r"H(D \mid A)"), _of_known(conditional_entropy)),
            (Symbol("g(D, A)", "g(D, A)"), _of_known(information_gain)),
            (Symbol("H_A(D)", "H_{A}(D)"), _of_known(split_information)),
            (Symbol("g_R(D, A)", "g_R(D, A)"), _of_known(gain_ratio)),
        ),
        with_missing=(
            (Symbol("ρ", r"\rho"), _of_all(known_fraction)),
            (Symbol("H(D̃)", r"H(\tilde D)"), _known_entropy),
            (Symbol("H(D̃|A)", r"H(\tilde D \mid A)"), _of_known(conditional_entropy)),
            (Symbol("g(D̃, A)", r"g(\tilde D, A)"), _of_known(information_gain)),
            (Symbol("g(D, A)", "g(D, A)"), _of_all(gain_with_missing)),
            (Symbol("H_A(D̃)", r"H_{A}(\tilde D)"), _of_all(split_information_of_known)),
            (Symbol("g_R(D, A)", "g_R(D, A)"), _of_all(ratio_with_missing)),
        ),
        unit="",
        legend=(
            (Symbol("D", "D"), "the rows that reach a node; D̃ those of them whose answer is known"),
            (Symbol("D_i", "D_i"), "those of them that give the i-th answer"),
            (Symbol("ρ", r"\rho"), "the share of the rows whose answer is known"),
            (Symbol("H(D)", "H(D)"), "the entropy of their classes"),
            (Symbol("H(D|A)", r"H(D \mid A)"), "what is left of it, on average, once the answer to A is known"),
            (Symbol("g(D, A)", "g(D, A)"), "the information gain of A: what the answer takes away"),
            (Symbol("H_A(D)", "H_{A}(D)"), "the split information: the entropy of the answers themselves"),
            (Symbol("g_R(D, A)", "g_R(D, A)"), "the gain ratio: the one divided by the other"),
        ),
    ),
}
"""For each score that a learner judges by, how it is derived."""

ROUNDED = (
    Symbol("≈", r"\approx"),
    "rounded to six decimals, for the reader: every decision is made on the exact value",
)
"""What is meant by the one sign that is not exact."""

REASONS: Mapping[str, str] = {
    "pure": "all rows have one class",
    "empty": "no row arrives, and the majority of the node above stands",
    "no-attributes": "every attribute has been used on the way",
    "no-candidates": "no attribute separates its rows",
    "epsilon": "the best {score} falls short: {comparison}",
    "max-depth": "its children would lie at depth {below}, and {max_depth} is the deepest allowed",
    "min-samples-split": "it has {arrives}, and a split needs {min_samples_split}",
    "min-samples-leaf": "every split leaves a branch of less than {min_samples_leaf}",
}
"""Why a leaf is a leaf; in braces, what is known of the node and the learner's options."""


@dataclass(frozen=True)
class Given:
    """What is given for all nodes of a derivation.

    Args:
        tree: the tree.
        options: of the learner.
        weighted: whether some row counts for more or less than one.
    """

    tree: Tree
    options: Mapping[str, Any]
    weighted: bool

    def amount(self, weight: Rational) -> str:
        """How much data there is, in words."""
        return amount(weight, weighted=self.weighted)


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
    given = Given(tree, learner.grower().options, any(weight != 1 for weight in table.weighted()))
    for visit in revisit(tree, learner, table):
        _check_visit(tree, visit)
        if only is None and visit.number == 0:
            yield Legend((*LESSONS[visit.decision.judged_by].legend, ROUNDED))
        if only is None or visit.number == only:
            yield from _node(given, visit)
        if visit.number == only:
            return


def _check_visit(tree: Tree, visit: Visit) -> None:
    node, decision = tree.nodes[visit.number], visit.decision
    test = None if decision.chosen is None else decision.chosen.test
    if (node.counts, node.label, node.test, node.stop) != (decision.total, decision.answer.label, test, decision.stop):
        raise InputError(
            f"the tree was not grown from this table with these options: at {tree.path(visit.number)} they differ"
        )


def _node(given: Given, visit: Visit) -> Iterator[Block]:
    decision, classes = visit.decision, given.tree.target.domain
    lesson = LESSONS[decision.judged_by]
    arrives = given.amount(sum(decision.total))
    yield Heading(one_line(given.tree.path(visit.number)), arrives, tuple(map(one_line, classes)), decision.total)
    if any(not candidate.barred for candidate in decision.candidates):
        symbol, formula = lesson.whole
        yield Equations((Equation(symbol, formula(work(decision.total)), lesson.unit),))
    for candidate in decision.candidates:
        cannot_split = candidate.barred not in (None, "average")
        yield from _barred(candidate, given) if cannot_split else _candidate(candidate, lesson, given)
    if "average" in decision.evidence:
        yield Sentence(_average(decision))
    if decision.winners:
        yield Ranking(lesson.steps[-1][0], tuple(_ranked(decision)))
    yield Sentence(_split(decision) if decision.chosen else _leaf(decision, visit, given))


def _candidate(candidate: Candidate, lesson: Lesson, given: Given) -> Iterator[Block]:
    symbol, formula = lesson.part
    table, name = candidate.table, candidate.test.name
    yield _table(candidate, given, symbol, tuple(formula(work(row)) if any(row) else None for row in table.rows))
    *before, (score, measure) = lesson.with_missing if any(table.unknown) else lesson.steps
    steps = [Equation(step.of(name), quantity(table)) for step, quantity in before]
    yield Equations((*steps, Equation(score.of(name), measure(table), in_full=True)))


def _table(candidate: Candidate, given: Given, symbol: Symbol, impurities: tuple[Worked | None, ...]) -> PartitionTable:
    classes = tuple(map(one_line, given.tree.target.domain))
    outcomes = tuple(one_line(outcome.label) for outcome in candidate.table.outcomes)
    return PartitionTable(one_line(candidate.test.name), classes, outcomes, candidate.table.rows, symbol, impurities)


# Candidates that may not compete.


def _barred(candidate: Candidate, given: Given) -> Iterator[Block]:
    name, weights = one_line(candidate.test.name), [sum(row) for row in candidate.table.rows]
    if candidate.barred == "min-samples-leaf":
        yield _table(candidate, given, Symbol("", ""), ())
        smallest = min(weight for weight in weights if weight)
        outcome = candidate.table.outcomes[weights.index(smallest)]
        minimum = given.options["min_samples_leaf"]
        few = f"{one_line(outcome.label)} has {given.amount(smallest)}, and a branch needs {minimum}"
        yield Sentence(f"{name} is no candidate: {few} ({candidate.barred}).")
    else:
        answer = next((candidate.test.step(i) for i, weight in enumerate(weights) if weight), None)
        rows = "all rows with a value" if any(candidate.table.unknown) else "all rows"
        same = f"{rows} have {one_line(answer)}" if answer else "no row has a value"
        yield Sentence(f"{name} is no candidate: {same}.")


def _average(decision: Decision) -> str:
    """Who is let through to compete by the ratio."""
    below = [one_line(candidate.test.name) for candidate in decision.candidates if candidate.barred == "average"]
    said = f"The average gain is {decimal_of(decision.evidence['average'])}"
    return (
        f"{said}; {', '.join(below)} {'falls' if len(below) == 1 else 'fall'} short of it."
        if below
        else f"{said}; nobody falls short of it."
    )


# Who wins, and by how much.


def _ranked(decision: Decision) -> Iterator[Ranked]:
    allowed = [candidate for candidate in decision.candidates if not candidate.barred]
    for candidate in sorted(allowed, key=lambda c: _score(c, decision), reverse=True):  # exact, and stable for equals
        yield Ranked(one_line(candidate.test.name), _score(candidate, decision), _fate(candidate, decision))


def _score(candidate: Candidate, decision: Decision) -> Number:
    return candidate.scores[decision.judged_by]


def _fate(candidate: Candidate, decision: Decision) -> str:
    first, equal = decision.chosen or decision.winners[0], _equal_winners(decision)
    if candidate is decision.chosen:
        return _how_chosen(decision, equal)
    if any(candidate is winner for winner in equal):
        return "exact tie" if len(equal) > 1 else "the best"
    score, best = _score(candidate, decision), _score(first, decision)
    apart = f"ahead by {decimal_of(score - best)}" if score > best else f"behind by {decimal_of(best - score)}"
    can_win = any(candidate is winner for winner in decision.winners)
    return f"{apart}; would be chosen if an equal cut stood for its attribute" if can_win else apart


def _equal_winners(decision: Decision) -> list[Candidate]:
    """The winners with the score of the chosen one (of a leaf: of the first one), in table order."""
    first, winners = decision.chosen or decision.winners[0], set(map(id, decision.winners))
    return [c for c in decision.candidates if id(c) in winners and _score(c, decision) == _score(first, decision)]


def _how_chosen(decision: Decision, equal: list[Candidate]) -> str:
    chosen = f"chosen of {len(equal)} exact ties" if len(equal) > 1 else "chosen"
    if decision.chosen is not decision.winners[0]:
        return f"{chosen}: the learner is told to take it here"
    if len(equal) == 1:
        return chosen
    return f"{chosen}: the {'first in table order' if decision.chosen is equal[0] else 'lowest cut of its attribute'}"


def _split(decision: Decision) -> str:
    assert decision.chosen is not None
    name, second = one_line(decision.chosen.test.name), decision.runner_up
    if second is None:
        beside = f" with the {len(decision.winners)} winners" if len(decision.winners) > 1 else ""
        return f"Split on {name}: nothing else competes{beside}."
    ahead = f"{decimal_of(decision.margin)} {LESSONS[decision.judged_by].unit}".rstrip()
    return f"Split on {name}, with a margin of {ahead} over the next best, {one_line(second.test.name)}."


def _leaf(decision: Decision, visit: Visit, given: Given) -> str:
    assert decision.stop is not None
    known = {
        **given.options,
        "below": visit.place.depth + 1,
        "arrives": given.amount(sum(decision.total)),
        "score": decision.judged_by,
        "comparison": _comparison(decision, given) if decision.stop == "epsilon" else "",
    }
    because = f"because {REASONS[decision.stop].format_map(known)} ({decision.stop})"
    return f"Leaf: {answer_text(decision.answer.label)}, {because}{_equal_majorities(decision.answer)}."


def _equal_majorities(answer: Answer) -> str:
    if not answer.tied:
        return ""
    first = answer.label == answer.tied[0]
    by = "is the first in class order" if first else "is what the learner is told to answer here"
    return f"; {' and '.join(map(one_line, answer.tied))} are equally common, and {answer_text(answer.label)} {by}"


def _comparison(decision: Decision, given: Given) -> str:
    """The best score against ε, with as many decimals as it takes to see the difference."""
    score, epsilon = _score(decision.winners[0], decision), rational(given.options["epsilon"])
    places = PLACES
    while decimal(score, places) == decimal(epsilon, places):
        places *= 2
    shown = value_text(score) if rational_value(score) is not None else decimal(score, places)
    return f"{shown} < ε = {given.options['epsilon']}"
