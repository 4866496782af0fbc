"""Discretizations: how the intervals of a continuous attribute were found, worked out step by step.

A `Discretizer` gives its steps. Each is an interval, for which the derivation lists the cuts that are compared, works
out the best one as at a node of a tree, and shows what decides whether the interval is cut. The intervals follow, with
the rows of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from reference_tree.data.errors import listed
from reference_tree.data.questions import Multiway
from reference_tree.data.sample import Data, Partition
from reference_tree.data.table import Table, check_table
from reference_tree.data.targets import added
from reference_tree.exact.rationals import decimal_text
from reference_tree.exact.worked import Worked
from reference_tree.learners.decision import Decision
from reference_tree.learners.growing import Visit
from reference_tree.learners.place import Place, answer_of
from reference_tree.node import Node
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.continuous_bisection import cuts
from reference_tree.splitting.discretization import discretize
from reference_tree.splitting.discretizers import Discretizer, Step, bins_of, found_by
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import (
    Block,
    Equation,
    Equations,
    Facts,
    PartitionTable,
    Sentence,
    Title,
    heading,
    legend,
    symbol,
)
from reference_tree.views.derivation.formulas import FORMULAS
from reference_tree.views.derivation.nodes import derive_questions, derive_whole
from reference_tree.views.derivation.numerals import PLACES, USUAL, Digits
from reference_tree.views.derivation.worked_nodes import Given, Questions, WorkedNode, columns_of
from reference_tree.views.derivation.writers import Format, page
from reference_tree.views.wording import asked, one_line


def explain_discretization(
    table: Data,
    attribute: str,
    how: str,
    *,
    format: Format = "text",
    every: bool = False,
    digits: int = PLACES,
    exact: bool = False,
) -> str:
    """How the intervals of a continuous attribute are found.

    Args:
        table: the data.
        attribute: the name of the attribute.
        how: as for `bins_of`: `entropy`, `equal-width:3`, or the cuts or the intervals themselves.
        format: as for `explain`.
        every: whether all cuts are listed, however many there are.
        digits: the decimals of rounded figures.
        exact: whether no fraction is rounded, and sums of logarithms are also written in full.

    Raises:
        InputError: as for `bins_of`.

    Example:
        >>> table = Table.from_columns({"temperature": [64, 70, 75, 85], "play": ["yes", "yes", "yes", "no"]})
        >>> print(explain_discretization(table, "temperature", "equal-width:2"), end="")
        Intervals of temperature
        ════════════════════════
        <BLANKLINE>
        rows     4
        method   2 intervals of equal width (equal-width:2)
        <BLANKLINE>
        t_i = a_min + i·(a_max − a_min) / k   the i-th of the k − 1 cuts between the least and the largest number
        <BLANKLINE>
        [64, 85]   4 rows: no 1, yes 3
        ──────────────────────────────
        <BLANKLINE>
        t_1 = 64 + 1·(85 − 64) / 2 = 149/2 = 74.5
        <BLANKLINE>
        Cut at 74.5: 2 parts have equal width.
        <BLANKLINE>
        temperature      no   yes
          (-inf, 74.5]    0     2
          (74.5, inf)     1     1
    """
    check_table(table)
    blocks = derive_discretization(cast(Table, table), attribute, how, Digits(digits, exact), every)
    return page(blocks, format, Digits(digits, exact))


def derive_discretization(
    table: Table, attribute: str, how: str, digits: Digits = USUAL, every: bool = False
) -> Iterator[Block]:
    """The derivation of the intervals of an attribute."""
    bins, _ = bins_of(table, attribute, how)
    found = found_by(table, attribute, how)
    yield Title(one_line(f"Intervals of {attribute}"))
    method = "the intervals are given" if found is None else f"{found.words} ({how})"
    yield Facts((("rows", str(len(table))), ("method", method)))
    if found is not None:
        if found.by.quantities:
            yield legend(dict(one[:2] for one in found.by.quantities))
        for step in found.steps:
            yield from _derive_step(table, attribute, found.by, step, digits, every)
    made = discretize(table, attribute, bins)
    if table.schema.target.name != attribute:
        parts = made.sample().partition(Multiway.on(made.schema.attribute(attribute)))
        columns = columns_of(made.sample().target)
        names = tuple(one_line(one.name) for one in bins)
        yield PartitionTable(one_line(attribute), columns, names, parts.rows, unknown=parts.unknown)


def _derive_step(
    table: Table, attribute: str, by: Discretizer, step: Step, digits: Digits, every: bool
) -> Iterator[Block]:
    """An interval: the cuts that are compared, the best one worked out, and where it is cut."""
    target, counts, interval = (
        table.schema.target,
        added(step.rows.ordered(attribute).rows),
        str(step.interval).lstrip(),
    )
    answer = answer_of(target, counts, None)
    tree = Tree(target, table.schema.attributes, (Node(counts, answer.label, tied=answer.tied),))
    yield heading(tree, 0)._replace(path=interval)
    name = interval
    if by.measure and step.figures:
        unknown = tuple(0 for _ in counts)  # a row without a number says nothing about a cut
        tried = [
            Candidate(test, Partition(parts.outcomes, parts.rows, unknown), (by.measure,))
            for test, parts in cuts(step.rows, attribute)
        ]
        decision = Decision(counts, answer, None, lambda: tried, judged_by=by.measure)
        given = Given(tree, {}, table.weights is not None, {}, digits)
        visit = Visit(0, Place.root(step.rows), step.rows, decision)
        node = WorkedNode(given, None, visit, None, FORMULAS[by.measure], every)
        questions = Questions.of(node, attribute, tried)
        yield from derive_whole(node)
        yield from derive_questions(node, questions)
        assert questions.shown is not None
        name = asked(questions.shown.test)
    lines = [Equation(symbol(one.symbol).of(name), cast(Worked, value), one.unit) for one, value in step.figures]
    yield from [Equations(tuple(lines))] if lines else []
    where = f"Cut at {listed([*map(decimal_text, step.cuts)])}" if step.cuts else "No cut"
    yield Sentence(f"{where}: {step.why}.")
