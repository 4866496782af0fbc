"""Growing: apply a learner's decision from the root down.

A stack holds the forks: the nodes below which something is left to grow. The next branch of the last one is grown next,
so that nodes come out in preorder, and get their numbers in that order. Depth costs memory and no recursion.

Most nodes of a full tree are leaves that no row reaches, or where all rows have one class. What a learner decides there
depends on what arrives and on the answer above, and on nothing else. So it is asked once for each such pair, and the
leaf is used again; unless ties are overridden, for then it matters where a leaf is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.missing import Missing
from reference_tree.data.questions import Multiway, Test, fits
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.exact.long_numbers import any_deferred
from reference_tree.exact.rationals import UndecidedError
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.place import Answer, Place
from reference_tree.learners.ties import Ties
from reference_tree.tree import Label, Node, Tree

SETTLED = frozenset({"empty", "pure"})
"""The reasons of the leaves that are used again."""


class Visit(NamedTuple):
    """A node of a grown tree, met again with the rows that reach it."""

    number: int
    place: Place
    sample: Sample
    decision: Decision


class Asking(NamedTuple):
    """A node that asks, while what is below it is still growing."""

    total: Counts
    answer: Answer
    test: Test
    missing: Missing
    branches: list[int]

    def finished(self) -> Node:
        """The node, now that its branches are known."""
        total, answer, test, missing, branches = self
        return Node(total, answer.label, test, tuple(branches), None, answer.tied, answer.prior, missing)


class Fork(NamedTuple):
    """What is left to grow below a node."""

    node: Asking
    place: Place
    parts: list[Sample]
    """The rows that go down the branches that lead to no node yet; the next one is last."""
    held: list[Sample]
    """Their validation rows, if there are any."""
    settled: dict[Counts, Node]
    """Leaves below nodes that answer alike, by what arrives there."""


def grow(
    learner: Learner,
    table: Table,
    progress: Callable[[int], None] | None = None,
    validation: Table | None = None,
) -> Tree:
    """The tree that a learner decides on, node by node.

    Args:
        learner: who decides.
        table: the data.
        progress: told how many nodes there are, after each of them.
        validation: rows held out, for a learner that asks them before it splits.

    Raises:
        InputError: the target is continuous, or an override of a tie names a node that the tree does not have, or that
            asks nothing.

    Source:
        [N0 EN §3.1 step (5)], [N0 EN §3.1 step (6)], [N1 §1.4 step 5], [N1 §1.4 step 6], [N2 §1 recursion], [N2 §2.1
        step 7], [N3 ID3 algorithm: step 3], [N4 Learning Process: step 1], [N4 Learning Process: step 2], [N4 Learning
        Process: step 3], [N4 Putting it together], [N4 Putting it together: step 1], [N4 Putting it together: step 3].
        N0 and N1 return the tree before they recur; it is returned when no place is left.
    """
    _check_target(learner, table.schema.target)
    grown: list[Node | Asking] = []
    settled_below: dict[Label, dict[Counts, Node]] = {}
    forks: list[Fork] = []

    def expand(place: Place, sample: Sample) -> Node | Asking:
        """What the learner makes of a place; what is below it is left for later."""
        decision = learner.decide(sample, place)
        answer = decision.answer
        if decision.chosen is None:
            total, missing = decision.total, decision.missing
            return Node(total, answer.label, None, (), decision.stop, answer.tied, answer.prior, missing)
        node = Asking(decision.total, answer, decision.chosen.test, decision.missing, [])
        parts, held = place.parts(sample, node.test, node.missing)
        forks.append(Fork(node, place, list(parts[::-1]), list(held[::-1]), settled_below.setdefault(answer.label, {})))
        return node

    everyone = table.sample()
    grown.append(expand(_root(everyone, validation), everyone))
    while forks:
        above, place, parts, held, settled = forks[-1]
        if not parts:
            forks.pop()
            continue
        if progress is not None:
            progress(len(grown))
        sample, rows = parts.pop(), held.pop() if held else None
        branch = len(above.branches)
        above.branches.append(len(grown))
        counts = sample.total()
        try:
            node: Node | Asking | None = settled.get(counts)
        except UndecidedError:  # it takes too long to prove that these long weights are those of a leaf, or not
            node = None
        if node is None:
            node = expand(place.child(above.test, branch, above.answer, rows), sample)
            if isinstance(node, Node) and node.stop in SETTLED and not any_deferred(counts) and not learner.ties.any:
                settled[counts] = node
        grown.append(node)
    if progress is not None:
        progress(len(grown))
    nodes = tuple([node if isinstance(node, Node) else node.finished() for node in grown])
    tree = Tree(table.schema.target, table.schema.attributes, nodes, learner.grower())
    _check_overrides(tree, learner.ties)
    return learner.finish(tree)


def revisit(tree: Tree, learner: Learner, table: Table, validation: Table | None = None) -> Iterator[Visit]:
    """Walk down a tree with the rows of a table, and ask a learner at each node what it would decide there.

    Args:
        tree: the tree, whoever grew it.
        learner: who is asked.
        table: the data.
        validation: rows held out, for a learner that asks them before it splits.

    Raises:
        InputError: the table lacks an attribute that the tree asks for, or has it with other values.
    """
    _check_target(learner, table.schema.target)
    sample: Sample = table.sample()
    pending: list[tuple[int, Place, Sample]] = [(0, _root(sample, validation), sample)]
    while pending:
        number, place, sample = pending.pop()
        decision = learner.decide(sample, place)
        yield Visit(number, place, sample, decision)
        node = tree.nodes[number]
        if node.test is not None:
            _check_question(node.test, table)
            answer = Answer(node.label, decision.answer.counts)
            below = zip(node.branches, place.children(sample, node.test, answer, node.missing), strict=True)
            pending += [(branch, child, part) for branch, (child, part) in reversed(list(below))]


def _root(sample: Sample, validation: Table | None) -> Place:
    return Place.root(sample, None if validation is None else validation.sample())


def _check_overrides(tree: Tree, ties: Ties) -> None:
    """Every override must be of use: its node is there, and the choice of a test was not for a leaf."""
    for path in ties.paths():
        node = tree.nodes[tree.find(path)]
        if path in ties.choose and node.test is None:
            raise InputError(f"--choose {path} {ties.choose[path]}: that node is a leaf ({node.stop})")


def _check_target(learner: Learner, target: Attribute) -> None:
    if target.kind not in learner.predicts:
        advice = (
            f"predicts classes; say --categorical {target.name}"
            if target.values is None
            else f"predicts numbers; say --continuous {target.name}"
        )
        raise InputError(f"the target {target.name} is {target.kind}, and this learner {advice}")


def _check_question(test: Test, table: Table) -> None:
    attributes = [table.schema.attribute(name) for name in test.attributes]
    multiway = isinstance(test, Multiway) and test.values != attributes[0].values
    if multiway or not fits(test, table.schema):
        found = f"{attributes[0].name} is another attribute in this table"
        raise InputError(f"the tree asks for {test.name} as {test.kind}, but {found}")
