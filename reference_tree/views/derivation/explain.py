"""Explaining a tree, a decision or a discretization: the whole derivation, from the data on.

1. The input: the learner and its options, the data, the target.
2. The meaning of the symbols, and the derivation of each node (`nodes`); of a pruned tree, that of the tree as it was
   grown, and then of each pruning (`prunings`).
3. The tree as text.

A decision that belongs to no tree yet is explained alike: it records its learner, its rows and its place, so the path
to that place is drawn as a tree in which nothing else has grown.

A `Discretizer` gives the steps by which the intervals of a continuous attribute were found. Each is an interval, for
which the derivation lists the cuts that are compared, works out the best one as at a node of a tree, and shows what
decides whether the interval is cut. The intervals follow, with the rows of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from reference_tree.data.errors import InputError, listed, shown
from reference_tree.data.questions import Multiway, Test
from reference_tree.data.sample import Data, Partition
from reference_tree.data.table import Table, check_table
from reference_tree.data.targets import added
from reference_tree.exact.rationals import decimal_text
from reference_tree.learners.decision import Decision, Made
from reference_tree.learners.growing import Visit
from reference_tree.learners.place import Place, answer_of
from reference_tree.learners.registry import PRUNING, defaults, learner_named
from reference_tree.node import Node
from reference_tree.pruning.record import retraced
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.continuous_bisection import cuts
from reference_tree.splitting.discretization import discretize
from reference_tree.splitting.discretizers import Discretizer, Step, bins_of, found_by
from reference_tree.tree import Grower, Tree, check_tree
from reference_tree.views.derivation.blocks import (
    Block,
    Drawing,
    Equation,
    Equations,
    Facts,
    PartitionTable,
    Scope,
    Sentence,
    Title,
    digits_of,
    heading,
    legend,
    symbol,
)
from reference_tree.views.derivation.formulas import FORMULAS
from reference_tree.views.derivation.nodes import derive_questions, derive_whole, work_out_node
from reference_tree.views.derivation.numerals import PLACES, USUAL, NumberFormat
from reference_tree.views.derivation.prunings import derive_history
from reference_tree.views.derivation.worked_nodes import Given, ListedTests, WorkedNode, columns_of
from reference_tree.views.derivation.writers import Format, page
from reference_tree.views.wording import amount, asked, one_line

LEARNERS = {"id3": "ID3", "c45": "C4.5", "cart": "CART", "optimal": "The optimal tree"}
"""The names of the learners in a title, by their names in a tree document."""


def explain(
    tree: Tree,
    table: Data,
    *,
    format: Format = "text",
    node: str | None = None,
    validation: Table | None = None,
    every: bool = False,
    digits: int = PLACES,
    exact: bool = False,
) -> str:
    """The decisions of a tree, worked out node by node.

    Args:
        tree: the tree; the learner that grew it decides each node again.
        table: the data it was grown from.
        format: `text` for a terminal, `markdown` for a page, `html` for a file that a browser opens.
        node: the path of the one node to explain; None: all of them, or only the root of a large tree.
        validation: the rows that pruning used, if it used any.
        every: whether to explain every node even of a large tree.
        digits: the decimals of rounded figures.
        exact: whether no fraction is rounded, and sums of logarithms are also written in full.

    Raises:
        InputError: the tree was not grown from this table by a learner of this package, or has no such node; or it was
            pruned by validation rows, and they are not given.

    Example:
        >>> from reference_tree.learners.id3 import ID3
        >>> table = Table.from_columns({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
        >>> print(explain(ID3().grow(table), table, node="/wind=weak"), end="")
        /wind=weak   2 rows: no 0, yes 2
        ────────────────────────────────
        <BLANKLINE>
        Leaf: yes, because all rows have one class (pure).
    """
    check_tree(tree)
    how = digits_of(tree, digits, exact=exact)
    return page(explained(tree, cast(Table, table), Scope(node, every, how), validation), format, how)


def explained(tree: Tree, table: Table, scope: Scope, validation: Table | None = None) -> Iterator[Block]:
    """The blocks of an explanation, in order, as they are worked out."""
    check_table(table)
    table = tree.under_names(table)
    if (tree.target, tree.attributes) != (table.schema.target, table.schema.attributes):
        raise InputError("the tree was grown from a table with other columns or values")
    held_out = None if validation is None else tree.under_names(validation)
    past = retraced(tree, table, held_out)
    if scope.node is None:
        learner = LEARNERS.get(tree.grower.name, tree.grower.name)
        target = f"{tree.target.name}: {', '.join(tree.target.values or ['numbers'])}"
        yield Title(one_line(f"{learner} on {table.name}"))
        yield Facts((("learner", _learner(tree.grower, learner)), ("data", _data(table)), ("target", one_line(target))))
    yield from derive_history(past, table, scope)
    if scope.node is None:
        yield Drawing("The tree", tree)


def _learner(grower: Grower, learner: str) -> str:
    """The learner that grew a tree, and its options that differ from those of its profile."""
    profile, usual = grower.profile, defaults(grower.name)
    if profile is not None:
        learner, usual = f"{learner}, profile {profile},", learner_named(grower.name, profile=profile).grower().options
    chosen = changed({name: value for name, value in grower.options.items() if name != PRUNING}, usual)
    return f"{learner} with {', '.join(chosen)}" if chosen else f"{learner.rstrip(',')}, every option at its default"


def _data(table: Table) -> str:
    rows, weight = amount(len(table), weighted=False), sum(table.weighted())
    weighted = f" with {amount(weight, weighted=True)}" if any(one != 1 for one in table.weighted()) else ""
    left_out = f"; {amount(table.left_out, weighted=False)} without a target left out" if table.left_out else ""
    return rows + weighted + left_out


def changed(options: Mapping[str, Any], default: Mapping[str, Any]) -> list[str]:
    """The options that differ from their defaults, in words.

    Example:
        >>> changed({"epsilon": "0.1", "ties": {"at": {"/": "wind"}}}, {"epsilon": "0", "ties": {"at": {}}})
        ['epsilon = 0.1', 'ties at / = wind']
    """
    found = []
    for name, value in options.items():
        before = default.get(name)
        if isinstance(value, Mapping):
            found += [f"{name} {inner}" for inner in changed(value, before if isinstance(before, Mapping) else {})]
        elif value != before:
            found.append(f"{name} = {value}")
    return found


# A decision that belongs to no tree yet.


def explain_decision(
    decision: Decision, *, format: Format = "text", every: bool = False, digits: int = PLACES, exact: bool = False
) -> str:
    """How a learner decided at one node: the meaning of the symbols, and then the node worked out.

    Args:
        decision: the result of a learner's `decide`.
        format: `text` for a terminal, `markdown` for a page.
        every: whether the table of an attribute has every cut, however many there are.
        digits: the decimals of rounded figures.
        exact: whether no fraction is rounded, and sums of logarithms are also written in full.

    Raises:
        InputError: the decision does not record by whom and where it was made.

    Example:
        >>> import reference_tree as rt
        >>> page = explain_decision(rt.ID3().decide(rt.textbook("play-tennis").sample()))
        >>> page.splitlines()[-1]
        'Split on outlook, with a margin of 0.094914 bits over the next best, humidity.'
    """
    if not isinstance(decision, Decision):
        raise InputError(f"{shown(decision)} is no decision; a learner's decide makes one of a sample")
    if decision.made is None:
        raise InputError("the decision does not say by whom and where it was made")
    tree, number = _grown_so_far(decision, decision.made)
    learner, how = decision.made.learner, digits_of(tree, digits, exact=exact)
    given = Given(tree, learner.grower().options, False, {}, how)
    visit = Visit(number, decision.made.place, decision.made.sample, decision)
    return page(work_out_node(WorkedNode.of(given, learner, visit, every), alone=True), format, how)


def _grown_so_far(decision: Decision, made: Made) -> tuple[Tree, int]:
    """The path to the place as a tree, and the number of the node there; all other branches end in one leaf."""
    way, schema, label = list[Place](), made.sample.schema, decision.answer.label
    place = made.place
    while place.parent is not None:
        way.append(place)
        place = place.parent
    here, nothing, chosen = len(way), (0,) * len(decision.total), decision.chosen
    nodes = [
        Node(nothing, label, at.test, tuple(k + 1 if b == at.branch else here + 1 for b in range(_branches(at.test))))
        for k, at in enumerate(reversed(way))
    ]
    test = None if chosen is None else chosen.test
    below = (here + 1,) * _branches(test)
    nodes.append(Node(decision.total, label, test, below, decision.stop, missing=decision.missing))
    nodes.append(Node(nothing, label, stop="unknown"))
    return Tree(schema.target, schema.attributes, tuple(nodes)), here


def _branches(test: Test | None) -> int:
    return 0 if test is None else len(test.outcomes)


# The intervals of a discretization.


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
        digits: as for `explain`.
        exact: as for `explain`.

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
    blocks = derive_discretization(cast(Table, table), attribute, how, NumberFormat(digits, exact), every)
    return page(blocks, format, NumberFormat(digits, exact))


def derive_discretization(
    table: Table, attribute: str, how: str, digits: NumberFormat = USUAL, every: bool = False
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
    # The result is shown as a learner sees it: as the sample partition of the intervals.
    made = discretize(table, attribute, bins)
    if table.schema.target.name != attribute:
        parts = made.sample().partition(Multiway.on(made.schema.attribute(attribute)))
        columns = columns_of(made.sample().target)
        names = tuple(one_line(one.name) for one in bins)
        yield PartitionTable(one_line(attribute), columns, names, parts.rows, unknown=parts.unknown)


def _derive_step(
    table: Table, attribute: str, by: Discretizer, step: Step, digits: NumberFormat, every: bool
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
        questions = ListedTests.of(node, attribute, tried)
        yield from derive_whole(node)
        yield from derive_questions(node, questions)
        assert questions.shown is not None
        name = asked(questions.shown.test)
    lines = [Equation(symbol(one.symbol).of(name), value, one.unit) for one, value in step.figures]
    yield from [Equations(tuple(lines))] if lines else []
    where = f"Cut at {listed([*map(decimal_text, step.cuts)])}" if step.cuts else "No cut"
    yield Sentence(f"{where}: {step.why}.")
