"""Conforming: whether a tree that another program grew is one that a learner of the package could have grown.

1. `differences` sends the rows down the *other* tree and asks the learner at every node. A split has to be among the
   learner's winners, a leaf has to be one of its leaves. Ties that the decision lists do no harm, and what is below a
   node that differs is looked at all the same.
2. `first_unlike` holds the tree that the learner grows itself against the other one, node by node.

Both judge questions by what they do: a threshold by the interval in which it could lie, a subset by the values that
some row has, whichever of the two sides is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from reference_tree.data.questions import Missing, SeenSubset, Subset, Test, Threshold
from reference_tree.data.readers import read
from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.learners.decision import Decision, Learner
from reference_tree.learners.growing import grown_below
from reference_tree.learners.place import Answer, Place
from reference_tree.node import Label, Node
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json
from tests.peers.recordings import Recording

CLOSE = Fraction(1, 10**9)
"""How far a number that a program rounded may be from the exact one, in proportion."""


class Difference(NamedTuple):
    """A node of the other tree that the learner would not have made."""

    path: str
    theirs: str
    """What it asks; of a leaf its answer."""
    ours: tuple[str, ...]
    """The learner's winners; where there are none, why it stops."""


def table_of(recording: Recording) -> Table:
    """The rows that a recorded tree was grown from."""
    return _read(recording.rows().path)


@cache
def _read(path: Path) -> Table:
    return read(str(path))


def differences(recording: Recording, learner: Learner, table: Table | None = None) -> list[Difference]:
    """The nodes of a recorded tree that the learner would not have made, in preorder; none if it conforms.

    Args:
        recording: the tree.
        learner: who is asked.
        table: the rows, if the program left some out.
    """
    return unlike(from_json(recording.text()), learner, table or table_of(recording))


def unlike(tree: Tree, learner: Learner, table: Table) -> list[Difference]:
    """The nodes of a tree that the learner would not have made of a table, in preorder; none if it conforms."""
    found: list[Difference] = []
    for number, place, sample in visits(tree, table):
        decision, node = learner.decide(sample, place), tree.nodes[number]
        if not _conforms(node, decision, learner, sample, place):
            ours = tuple(winner.test.name for winner in decision.winners) if decision.chosen else (str(decision.stop),)
            theirs = str(node.label) if node.test is None else node.test.name
            found.append(Difference(tree.path(number), theirs, ours))
    return found


def visits(tree: Tree, table: Table) -> Iterator[tuple[int, Place, Sample]]:
    """Every node of a tree in preorder, with its place and the rows that reach it."""
    sample: Sample = table.sample()
    pending: list[tuple[int, Place, Sample]] = [(0, Place.root(sample), sample)]
    while pending:
        number, place, sample = pending.pop()
        yield number, place, sample
        node = tree.nodes[number]
        if node.test is not None:
            answer = Answer(node.label, sample.total() if any(sample.total()) else _inherited(place).counts)
            below = place.children(sample, node.test, answer, _exact(node, sample))
            pending += reversed([(to, *child) for to, child in zip(node.branches, below, strict=True)])


def _inherited(place: Place) -> Answer:
    assert place.inherited is not None
    return place.inherited


def _exact(node: Node, sample: Sample) -> Missing:
    """Where rows without an answer go. The shares of a document are rounded: they are counted again."""
    assert node.test is not None
    if node.missing.rule != "fractions":
        return node.missing
    rows = sample.partition(node.test).rows
    return Missing(shares=tuple(branch_shares(rows))) if any(map(any, rows)) else node.missing


def _conforms(node: Node, decision: Decision, learner: Learner, sample: Sample, place: Place) -> bool:
    if not is_same_label(node.label, decision.answer):
        return False
    if node.test is not None:
        return decision.chosen is not None and any(is_same(node.test, w.test, sample) for w in decision.winners)
    return decision.chosen is None or len(learner.finish(grown_below(learner, sample, place)).nodes) == 1


def is_same_label(theirs: Label, ours: Answer) -> bool:
    """Whether another program's answer is ours, or one that is as frequent; a number may be rounded."""
    if isinstance(theirs, str):
        return theirs == ours.label or theirs in ours.tied
    assert not isinstance(ours.label, str)
    mean = Fraction(ours.label)
    return abs(theirs - mean) <= CLOSE * (1 + abs(mean))


def is_same(theirs: Test, ours: Test, sample: Sample) -> bool:
    """Whether two questions part a sample in the same way, branch by branch (of a subset: either way round)."""
    if isinstance(theirs, Threshold) and isinstance(ours, Threshold):
        return theirs.attribute == ours.attribute and _between(theirs, ours)
    if isinstance(theirs, Subset) and isinstance(ours, Subset):
        return theirs.attribute == ours.attribute and _sides(theirs, sample) == _sides(ours, sample)
    return theirs == ours


def _between(theirs: Threshold, ours: Threshold) -> bool:
    """Whether a threshold lies in the gap of another one; at either end it depends on the relation asked."""
    low, high = ours.interval or (ours.threshold, ours.threshold)
    if theirs.threshold in (low, high) and low != high:
        return (theirs.threshold == high) == theirs.strict
    return low <= theirs.threshold <= high


def _sides(test: Subset, sample: Sample) -> frozenset[frozenset[str]]:
    """The values that some row has and that the test answers for, on the one side and on the other."""
    domain = sample.schema.attribute(test.attribute).domain
    answered = [v for v in domain if not (isinstance(test, SeenSubset) and v in test.unseen)]
    present = [v for v in answered if any(sample.partition(Subset(test.attribute, (v,))).rows[0])]
    inside = frozenset(value for value in present if value in test.values)
    return frozenset([inside, frozenset(present) - inside])


def first_unlike(theirs: Tree, ours: Tree, table: Table) -> Difference | None:
    """The first node, in preorder, at which two trees of the same rows are not alike; none if they are alike."""
    below: dict[int, int] = {0: 0}
    for number, _, sample in visits(theirs, table):
        one, other = theirs.nodes[number], ours.nodes[below[number]]
        difference = Difference(theirs.path(number), _said(one), (_said(other),))
        if (one.test is None) != (other.test is None) or not _is_same_answer(one.label, other.label):
            return difference
        if one.test is not None and other.test is not None:
            if not is_same(one.test, other.test, sample):
                return difference
            below.update(zip(one.branches, _branches(one.test, other), strict=True))
    return None


def _branches(test: Test, ours: Node) -> tuple[int, ...]:
    """Our branches in the order of another program's, which may name the other side of a subset."""
    turned = isinstance(test, Subset) and isinstance(ours.test, Subset) and not set(test.values) & set(ours.test.values)
    return ours.branches[::-1] if turned else ours.branches


def _is_same_answer(one: Label, other: Label) -> bool:
    return is_same_label(one, Answer(other, ()))


def _said(node: Node) -> str:
    return str(node.label) if node.test is None else node.test.name


def summary(found: list[Difference]) -> Any:
    """The first difference, as a test states it."""
    return tuple(found[0]) if found else None
