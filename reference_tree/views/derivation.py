"""The derivation: how a tree was decided, worked out as a teacher would on the board.

For each node it shows every candidate's table, the formulas with the figures put in, which candidate wins and by how much, and why a
leaf stops. No formula is written here. The measures run on worked numbers and derive themselves; this module only says in what order
they go on the board.

1. `derive` walks down a tree and yields *blocks*: headings, equations, tables, rankings, sentences.
2. `explain` writes the blocks out, as text for a terminal (`board`) or as Markdown with TeX (`markdown`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from reference_tree.data.questions import Outcome
from reference_tree.data.sample import Counts
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import decimal_text
from reference_tree.exact.worked import Worked, work
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import Visit, revisit
from reference_tree.measures.conditional_entropy import conditional_entropy
from reference_tree.measures.entropy import entropy
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree import Tree

Formula = Callable[[Any], Worked]


class Symbol(NamedTuple):
    """A quantity's name, for both ways of writing; `A` is where the attribute's name goes."""

    text: str
    tex: str

    def of(self, attribute: str) -> Symbol:
        """The symbol with an attribute's name in it."""
        return Symbol(self.text.replace("A", attribute), self.tex.replace("A", tex_name(attribute)))


class Lesson(NamedTuple):
    """How a score is put on the board.

    The impurity of the whole sample comes first, that of each part stands in the table, and below it come the formulas that lead to
    the score.
    """

    whole: tuple[Symbol, Formula]
    part: tuple[Symbol, Formula]
    steps: tuple[tuple[Symbol, Formula], ...]
    unit: str


LESSONS: Mapping[str, Lesson] = {
    "gain": Lesson(
        whole=(Symbol("H(D)", "H(D)"), entropy),
        part=(Symbol("H(D_i)", "H(D_i)"), entropy),
        steps=(
            (Symbol("H(D|A)", r"H(D \mid A)"), conditional_entropy),
            (Symbol("g(D, A)", r"g(D, A)"), information_gain),
        ),
        unit="bits",
    ),
}
"""For each score that a learner judges by, how it is derived."""

REASONS: Mapping[str, str] = {
    "pure": "all rows have one class",
    "empty": "no row arrives; it repeats the majority above it",
    "no-attributes": "every attribute has been used on the way",
    "no-candidates": "no attribute separates its rows",
    "epsilon": "the best candidate is below the threshold ε",
    "max-depth": "its children would lie deeper than the maximum depth",
    "min-samples-split": "it has fewer rows than a split needs",
    "min-samples-leaf": "every split leaves a branch with too few rows",
}
"""Why a leaf is a leaf, in words."""


class Heading(NamedTuple):
    """A node: its path, and what reaches it."""

    path: str
    classes: tuple[str, ...]
    counts: Counts


class Equation(NamedTuple):
    """A quantity, the formula with the figures put in, and its value."""

    symbol: Symbol
    worked: Worked
    unit: str = ""


class Exactly(NamedTuple):
    """The exact value of the quantity above it, where that is a sum of logarithms."""

    value: Number


class PartitionTable(NamedTuple):
    """A candidate's sample partition, with the impurity of each part worked out."""

    attribute: str
    classes: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    rows: tuple[Counts, ...]
    symbol: Symbol
    impurities: tuple[Worked | None, ...]
    """None for a part without rows."""


class Ranking(NamedTuple):
    """The candidates by their score, best first, and what became of each."""

    lines: tuple[tuple[Symbol, Number | None, str], ...]


class Sentence(NamedTuple):
    """A remark in words."""

    text: str


Block = Heading | Equation | Exactly | PartitionTable | Ranking | Sentence


def derive(tree: Tree, learner: Learner, table: Table, only: int | None = None) -> Iterator[Block]:
    """The derivation of a tree, node by node in preorder.

    Args:
        tree: grown by the learner.
        learner: who decides.
        table: the rows it was grown from.
        only: the number of the one node to show; none: all of them.
    """
    for visit in revisit(tree, learner, table):
        if only is None or visit.number == only:
            yield from _node(tree, visit)


def _node(tree: Tree, visit: Visit) -> Iterator[Block]:
    decision = visit.decision
    yield Heading(tree.path(visit.number), tree.target.domain, decision.total)
    if any(not candidate.barred for candidate in decision.candidates):
        symbol, formula = LESSONS[decision.judged_by].whole
        yield Equation(symbol, formula(work(decision.total)), LESSONS[decision.judged_by].unit)
    for candidate in decision.candidates:
        yield from _candidate(candidate, decision, tree.target.domain)
    if decision.winners:
        yield _ranking(decision)
    yield from _verdict(decision)


def _candidate(candidate: Candidate, decision: Decision, classes: tuple[str, ...]) -> Iterator[Block]:
    lesson = LESSONS[decision.judged_by]
    symbol, formula = lesson.part
    table, name = candidate.table, candidate.test.name
    impurities = tuple(formula(work(row)) if any(row) else None for row in table.rows)
    yield PartitionTable(name, classes, table.outcomes, table.rows, symbol, impurities)
    if candidate.barred:
        yield Sentence(f"{name} is no candidate: {_barred(candidate)}.")
        return
    for step, formula in lesson.steps:
        yield Equation(step.of(name), worked := formula(work(table.rows)))
    yield Exactly(worked.value)


def _barred(candidate: Candidate) -> str:
    if candidate.barred == "candidate":
        return "all rows take one branch"
    return "it leaves a branch with too few rows"


def _ranking(decision: Decision) -> Ranking:
    symbol = LESSONS[decision.judged_by].steps[-1][0]
    allowed = [candidate for candidate in decision.candidates if not candidate.barred]
    ranked = sorted(allowed, key=lambda c: c.scores[decision.judged_by], reverse=True)  # exact, and stable for equals
    lines = [(symbol.of(c.test.name), c.scores[decision.judged_by], _fate(c, decision)) for c in ranked]
    return Ranking(tuple(lines))


def _fate(candidate: Candidate, decision: Decision) -> str:
    tied = len(decision.winners) > 1
    if candidate is decision.chosen:
        return "chosen, one of an exact tie" if tied else "chosen"
    if any(candidate is winner for winner in decision.winners):
        return "exact tie" if tied else "the best"
    return ""


def _verdict(decision: Decision) -> Iterator[Block]:
    if len(decision.winners) > 1:
        names = ", ".join(winner.test.name for winner in decision.winners)
        yield Sentence(f"{len(decision.winners)} candidates tie exactly: {names}.")
    if decision.stop is not None:
        equal = f"; {', '.join(decision.answer.tied)} are equally common" if decision.answer.tied else ""
        yield Sentence(f"Leaf: {decision.answer.label}, because {REASONS[decision.stop]} ({decision.stop}){equal}.")


def tex_name(name: str) -> str:
    r"""A name from the data as text inside a formula.

    Example:
        >>> print(tex_name("in_out"))
        \text{in\_out}
    """
    special = {"\\": r"\textbackslash ", "~": r"\textasciitilde ", "^": r"\textasciicircum "}
    return r"\text{" + "".join(special.get(c, "\\" + c if c in "#$%&_{}" else c) for c in name) + "}"


def counted(classes: Sequence[str], counts: Counts) -> str:
    """The weights of the classes as text: `no 5, yes 9`.

    Example:
        >>> counted(("no", "yes"), (5, 9))
        'no 5, yes 9'
    """
    return ", ".join(f"{label} {decimal_text(count)}" for label, count in zip(classes, counts, strict=True))
