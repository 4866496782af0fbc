"""Trees of values: ID3 on a table of categories without missing values, grown without an object for each decision.

The nodes of ID3 are many and small, so the objects made for each one take most of the time: a decision, its candidates
and their tables, a sample for every branch. Here a branch is a list of row numbers. If it is empty or of one class, it
is a leaf at once, and equal leaves are one object. Only other branches become samples, and the estimates of `counting`
find their attribute. Where these leave several attributes, or one with a single branch, `ID3.decide` decides the node.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from reference_tree.data.questions import Multiway, Test
from reference_tree.data.sample import Sample
from reference_tree.engine.counting import counts_classes, promising_attributes
from reference_tree.engine.integer_columns import Rows
from reference_tree.engine.store import Store
from reference_tree.engine.whole_rows import times
from reference_tree.learners.decision import AmongSome, Learner
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Answer, Place, majority
from reference_tree.node import Node
from reference_tree.splitting.missing_rules import with_gaps


def grown(
    learner: Learner, sample: Sample, place: Place, progress: Callable[[int], None] | None = None
) -> list[Node] | None:
    """The nodes that a plain ID3 grows from plain rows at a place; None if the learner or the rows are not plain.

    An ID3 is plain if it takes the first attribute of largest gain, however small the gain and the branches are. Rows
    are plain if they have classes, and all of their attributes are categorical and known.
    """
    base = learner.base if isinstance(learner, AmongSome) else learner
    # Only plain ID3 on categories without gaps is grown here: whatever it cannot do, the textbook loop does.
    if type(base) is not ID3 or base.ties.any or base.stops.asks_for_more or place.holdout is not None:
        return None
    if not isinstance(sample, Store) or not counts_classes(sample) or base.min_samples_leaf > sample.unit:
        return None
    if any(attribute.values is None for attribute in sample.schema.attributes) or with_gaps(sample):
        return None
    growth, nodes, pending = _Growth(learner, base, sample), list[Any](), list[_Inner]()
    found: Node | _Inner = growth.node(sample, place)
    while True:
        if type(found) is _Inner:
            found.number = len(nodes)
            pending.append(found)
        nodes.append(found)
        if progress is not None:
            progress(len(nodes))
        # A node stands in the list before its branches, with its place kept by its number, so the list is in preorder.
        # When its last branch is grown, the finished node takes that place.
        while pending:
            above = pending[-1]
            rows = next(above.parts, None)
            if rows is not None:
                break
            nodes[above.number] = pending.pop().node()
        else:
            return nodes
        above.branches.append(len(nodes))
        found = growth.below(above, rows)


class _Inner:
    """An inner node while its branches are grown."""

    __slots__ = ("answer", "branches", "number", "parts", "place", "sample", "test")

    def __init__(self, sample: Store, place: Place, answer: Answer, test: Test, parts: list[list[int]]) -> None:
        self.sample, self.place, self.answer, self.test, self.parts = sample, place, answer, test, iter(parts)
        self.branches: list[int] = []
        self.number = 0

    def node(self) -> Node:
        """The node, once all its branches are grown."""
        return Node(self.answer.counts, self.answer.label, self.test, tuple(self.branches), None, self.answer.tied)


class _Growth:
    """The parts that all nodes of a growing tree share."""

    def __init__(self, learner: Learner, base: ID3, sample: Store) -> None:
        self.learner, self.domain = learner, sample.schema.target.domain
        self.seen = learner.seen if isinstance(learner, AmongSome) else None
        self.labels, self.width = sample.counted.of, sample.counted.width
        self.stops = base.stops.but(min_samples_split=base.min_samples_split / Fraction(sample.unit))
        self.leaves: dict[Any, Node] = {}

    def below(self, above: _Inner, rows: Rows) -> Node | _Inner:
        """The node of the rows that take the next branch of a node."""
        if not rows:
            return self.leaf(None, 0, above)
        labels = [self.labels[row] for row in rows]
        if labels.count(labels[0]) == len(labels):
            weights = above.sample.multiples(rows)
            return self.leaf(labels[0], len(rows) if weights is None else sum(weights), above)
        return self.node(above.sample.of(rows), above.place.child(above.test, len(above.branches) - 1, above.answer))

    def leaf(self, label: int | None, weight: int, above: _Inner) -> Node:
        """A leaf with one class or without rows; equal leaves are one object."""
        key = above.answer.label if label is None else (label, weight)
        if key not in self.leaves:
            counts: list[Any] = [0] * self.width
            if label is None:
                self.leaves[key] = Node(tuple(counts), above.answer.label, stop="empty", prior=True)
            else:
                counts[label] = times(weight, above.sample.units[label]) if above.sample.units else weight
                self.leaves[key] = Node(tuple(counts), self.domain[label], stop="pure")
        return self.leaves[key]

    def node(self, sample: Store, place: Place) -> Node | _Inner:
        """The node of a sample: a leaf, or an inner node whose branches are to be grown."""
        total, whole = sample.total(), tuple(sample.whole)
        if (most := max(whole)) and whole.count(most) == 1:  # integers are fast to compare where classes are many
            answer = Answer(self.domain[whole.index(most)], total)
        else:
            answer = majority(sample.schema.target, total, place.inherited)
        stop = self.stops.before(sample.target, whole, place)
        if stop is None:
            seen = self.seen(sample, place) if self.seen else place
            found = promising_attributes(sample, seen.attributes(sample.schema), "gain", ties=False)
            test: Test | None = Multiway.on(found[0]) if len(found) == 1 else None
            parts = self.parts(sample, test)
            if sum(map(bool, parts)) < 2:  # the attribute has a single branch, or there are several attributes
                decision = self.learner.decide(sample, place)
                test, stop = None if decision.chosen is None else decision.chosen.test, decision.stop
                parts = self.parts(sample, test)
            if test is not None:
                return _Inner(sample, place, answer, test, parts)
        return Node(total, answer.label, None, (), stop, answer.tied, answer.prior)

    def parts(self, sample: Store, test: Test | None) -> list[list[int]]:
        """The rows that take each branch; an empty list without a test."""
        return [] if test is None else sample.answers(test, sample.rows)[:-1]
