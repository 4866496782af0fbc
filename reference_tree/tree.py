"""The tree: what a learner grew, or somebody else did.

A tree is a flat list of nodes in preorder, the root first and every subtree in one run behind its root; a branch is the
number of the node it leads to. Nothing here recurses, so a chain of fifty thousand nodes is a tree like any other.

It can be read in three ways, and all of them are here: as a procedure that answers one row after another (`predict`),
as a conditional distribution P(Y|X) (`distribution`), and as a set of if-then rules that exclude one another and leave
nothing out (`rules`). `check` holds it against the data it claims to have been grown from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.missing import REFUSED, Missing
from reference_tree.data.questions import Row, Test, UnseenValueError, parse_path, path_step
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import significant
from reference_tree.splitting.missing_values import branch_shares

Label: TypeAlias = str | Rational
"""What a node answers: a class, or a number."""
Unseen = Literal["error", "majority"]


class TreeError(ValueError):
    """A tree that is not what it claims to be: which node, and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node: what reaches it, what it answers, and what it asks.

    Args:
        counts: the weight of each class that reaches it; of a numeric target what `Tree.summary` says.
        label: the majority class, or the number it predicts.
        test: the question; none for a leaf.
        branches: the numbers of the nodes below, in the order of the test's outcomes.
        missing: where a row goes that does not answer.
        stop: why it is a leaf; none for one that asks.
        tied: all classes that share the majority, if more than one does.
        prior: whether no row reaches it, so that the label is that of the node above.
    """

    counts: Counts
    label: Label
    test: Test | None = None
    branches: tuple[int, ...] = ()
    stop: str | None = None
    tied: tuple[str, ...] = ()
    prior: bool = False
    missing: Missing = REFUSED


@dataclass(frozen=True)
class Grower:
    """Who grew a tree: the learner's name, its profile and every option it ran under, as text."""

    name: str = "unknown"
    profile: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


class Rule(NamedTuple):
    """One path from the root to a leaf, as an if-then rule.

    Source:
        [N1 §1.1 (1)]
    """

    conditions: tuple[str, ...]
    """All of which hold; none for a tree that is one leaf."""
    label: Label
    """What then follows."""
    counts: Counts
    """The weight of each class among the training rows it covers."""


@dataclass(frozen=True)
class Tree:
    """A decision tree.

    Args:
        target: what it predicts.
        attributes: what it may ask, in table order.
        nodes: in preorder; the root is node 0.
        grower: who grew it.

    Source:
        [N2 §1 definition], [N3 Decision Trees], [N4 Decision trees model: decision nodes]
    """

    target: Attribute
    attributes: tuple[Attribute, ...]
    nodes: tuple[Node, ...]
    grower: Grower = Grower()

    # As a procedure.

    def predict(self, row: Row, unseen: Unseen = "error") -> Label:
        """The class of a row: walk down from the root, one question at a time.

        Args:
            row: attribute → value. Only the attributes met on the way are needed.
            unseen: what to do with a value no branch is there for: `error`, or answer with the `majority` of the node
                reached.

        Raises:
            InputError: an attribute that is asked for is absent or missing, or a value was not seen in training.

        Source:
            [N1 §1.1 (1)], [N2 §1 definition]
        """
        ends = self.ends(row, unseen)
        if len(ends) == 1:
            return self.nodes[ends[0][0]].label
        mixture = self._mixture(ends)
        return max(mixture, key=mixture.__getitem__)  # the first in class order among equals

    def distribution(self, row: Row, unseen: Unseen = "error") -> dict[str, Fraction]:
        r"""P(Y|X): the share of each class among the training rows at the leaf that the row reaches.

        $$P(Y = c_j \mid X \in t) = \frac{N_{tj}}{N_t}$$

        A leaf that no training row reached has the distribution of the node above it. A row whose value is missing on
        the way goes down all branches, to the share that the training rows took each, and has the mixture of the
        leaves.

        Args:
            row: attribute → value.
            unseen: as for `predict`.

        Raises:
            InputError: as for `predict`.

        Source:
            [N1 §1.1 (2)]
        """
        return self._mixture(self.ends(row, unseen))

    def _mixture(self, ends: Sequence[tuple[int, Rational]]) -> dict[str, Fraction]:
        """The distributions of some nodes, each counted by its share."""
        mixture = dict.fromkeys(self.target.domain, Fraction(0))
        for number, share in ends:
            counts = self._counted(number)
            n = Fraction(sum(counts))
            for label, count in zip(self.target.domain, counts, strict=True):
                mixture[label] += share * count / n
        return mixture

    def _counted(self, number: int) -> Counts:
        """The counts of a node, or of the nearest one above it that has any."""
        while number >= 0:
            if any(self.nodes[number].counts):
                return self.nodes[number].counts
            number = self.parents[number][0]
        raise InputError("this tree records no counts, and so no distribution")

    def ends(self, row: Row, unseen: Unseen = "error") -> list[tuple[int, Rational]]:
        """The nodes where a row ends, each with the share of the row that ends there.

        It is one leaf, unless a value that is asked for is missing and goes down all branches, or stays at a node.

        Raises:
            InputError: as for `predict`.
        """
        ends: list[tuple[int, Rational]] = []
        pending: list[tuple[int, Rational]] = [(0, 1)]
        while pending:
            number, share = pending.pop()
            node = self.nodes[number]
            if node.test is None:
                ends.append((number, share))
                continue
            try:
                ways = node.missing.ways(node.test, row)
            except UnseenValueError:
                if unseen == "error":
                    raise
                ways = [(None, 1)]
            for branch, part in reversed(ways):
                if branch is None:
                    ends.append((number, share))
                else:
                    pending.append((node.branches[branch], share * part))
        return ends

    def way(self, row: Row, unseen: Unseen = "error") -> list[int]:
        """The numbers of the nodes that a row passes, from the root to where it ends."""
        way = [self.ends(row, unseen)[0][0]]
        while way[-1]:
            way.append(self.parents[way[-1]][0])
        return way[::-1]

    def accuracy(self, table: Table, unseen: Unseen = "error") -> Fraction:
        """The weighted share of a table's rows whose class is predicted; on the training table, the training accuracy.

        Source:
            [N2 §3.2 step 1]. To prune by it, it has to be taken on a validation table; N2 takes the training table.
        """
        if table.schema.target.name != self.target.name:
            raise InputError(f"the tree predicts {self.target.name}, but the target is {table.schema.target.name}")
        hits = [self.predict(row, unseen) == row[self.target.name] for row in table.rows()]
        weights = table.weighted()
        return Fraction(sum(weight for weight, hit in zip(weights, hits, strict=True) if hit)) / Fraction(sum(weights))

    # As data.

    def rules(self) -> Iterator[Rule]:
        """One rule for each leaf, in preorder; two rules exclude each other, and together they leave nothing out.

        Source:
            [N1 §1.1 (1)]
        """
        for number, node in enumerate(self.nodes):
            if node.test is None:
                conditions = [test.step(branch) for test, branch in self.conditions(number)]
                yield Rule(tuple(conditions), node.label, node.counts)

    def conditions(self, number: int) -> list[tuple[Test, int]]:
        """The tests on the way to a node, each with the branch taken, from the root."""
        found: list[tuple[Test, int]] = []
        while number:
            number, branch = self.parents[number]
            test = self.nodes[number].test
            assert test is not None
            found.append((test, branch))
        return found[::-1]

    @cached_property
    def parents(self) -> list[tuple[int, int]]:
        """For each node the number of the one above, and the branch that leads from there; (-1, -1) for the root."""
        parents = [(-1, -1)] * len(self.nodes)
        for number, node in enumerate(self.nodes):
            for branch, below in enumerate(node.branches):
                parents[below] = (number, branch)
        return parents

    def depths(self) -> list[int]:
        """The depth of each node; the root is 0."""
        depths: list[int] = []
        for above, _ in self.parents:
            depths.append(depths[above] + 1 if above >= 0 else 0)
        return depths

    def path(self, number: int) -> str:
        """The path of a node: `/outlook=sunny/humidity=high`."""
        return "/" + "/".join(path_step(test, branch) for test, branch in self.conditions(number))

    def find(self, path: str) -> int:
        """The number of the node at a path.

        Raises:
            InputError: there is none; the message says what can follow at the last node found.
        """
        number = 0
        for step in parse_path(path):
            node = self.nodes[number]
            written = [path_step(node.test, branch) for branch in range(len(node.branches))] if node.test else []
            branch = next((b for b, condition in enumerate(written) if step in (str(b), condition)), None)
            if branch is None:
                here = (
                    f"{self.path(number)} is a leaf"
                    if not written
                    else f"after {self.path(number)} comes {', '.join(written)}"
                )
                raise InputError(f"there is no node at {path!r}: {here}")
            number = node.branches[branch]
        return number

    def leaves(self) -> list[int]:
        """The numbers of the leaves."""
        return [number for number, node in enumerate(self.nodes) if node.test is None]

    # Against its data.

    def check(self, table: Table) -> None:
        """Assert every invariant of a tree against the data it was grown from.

        The nodes are in preorder and each but the root has one node above it; a node asks or has a reason not to; a
        multiway attribute is asked once on a path; the counts are those of the rows that arrive; the label is a
        majority class; a leaf without rows repeats the label above it; a branch has the share of those who answer.

        Raises:
            TreeError: one does not hold; the message names the node and the invariant.
        """
        if table.schema.target != self.target:
            raise TreeError(f"the tree predicts {self.target}; the table has {table.schema.target}")
        arriving: list[tuple[int, Sample, Label, frozenset[str]]] = [(0, table.sample(), "", frozenset())]
        expected = 0
        while arriving:
            number, sample, above, asked = arriving.pop()
            if number != expected or number >= len(self.nodes):
                raise TreeError(f"node {number} is out of preorder; {expected} was to come")
            expected += 1
            node = self.nodes[number]
            if fault := next(self._faults(node, sample.total(), above), None):
                raise TreeError(f"node {number} {fault}")
            if node.test is not None:
                _check_question(number, node, table.schema, asked)
                _check_shares(number, node, sample.partition(node.test).rows)
                used = asked | {node.test.attribute} if node.test.kind == "multiway" else asked
                parts = sample.split(node.test, node.missing)
                if sample.total() != tuple(map(sum, zip(*(part.total() for part in parts), strict=True))):
                    raise TreeError(f"node {number} has no branch for some of the rows that arrive")
                below = zip(node.branches, parts, strict=True)
                arriving += [(branch, part, node.label, used) for branch, part in reversed(list(below))]
        if expected != len(self.nodes):
            raise TreeError(f"node {expected} has no node above it")

    def _faults(self, node: Node, found: Counts, above: Label) -> Iterator[str]:
        """What is wrong with a node by itself; one fault at a time, as some figures are long to write."""
        most = [label for label, count in zip(self.target.domain, found, strict=True) if count == max(found)]
        if (node.test is None) == (node.stop is None):
            yield f"asks {node.test and node.test.name} and has the reason {node.stop} to be a leaf"
        if node.counts != found:
            yield f"has the counts {_figures(node.counts)}; {_figures(found)} arrive"
        if node.prior == any(found):
            yield f"is marked as prior={node.prior}"
        if node.stop in _REASONS and not _REASONS[node.stop](found):
            yield f"gives the reason {node.stop}"
        if any(found) and node.label not in most:
            yield f"has the label {node.label}; the majority is {' or '.join(most)}"
        if not any(found) and node.label != above:
            yield f"has the label {node.label}; the node above has {above}"
        if node.tied != (tuple(most) if any(found) and len(most) > 1 else ()):
            yield f"lists the tie {' = '.join(node.tied) or 'of none'}"
        if len(node.branches) != (len(node.test.outcomes) if node.test else 0):
            yield "has not one branch for each outcome"
        if node.missing.shares and len(node.missing.shares) != len(node.branches):
            yield "has not one share for each branch"


def _figures(weights: Sequence[Rational]) -> str:
    return f"({', '.join(map(significant, weights))})"


_REASONS: dict[str | None, Callable[[Counts], bool]] = {
    "pure": lambda found: sum(1 for count in found if count) == 1,
    "empty": lambda found: not any(found),
}
# What the counts must be where a leaf gives a reason that depends on them alone.


def _check_question(number: int, node: Node, schema: Schema, asked: frozenset[str]) -> None:
    assert node.test is not None
    attribute = next((a for a in schema.attributes if a.name == node.test.attribute), None)
    if attribute is None or (attribute.kind == "continuous") != (node.test.kind == "threshold"):
        raise TreeError(f"node {number} asks for {node.test.name}, which the table has not, or not of that kind")
    if attribute.name in asked:
        raise TreeError(f"node {number} asks an attribute a second time")


def _check_shares(number: int, node: Node, known: Sequence[Counts]) -> None:
    given = node.missing.shares
    if given and any(map(any, known)) and list(given) != (found := branch_shares(known)):
        raise TreeError(f"node {number} has the shares {_figures(given)}; its rows have {_figures(found)}")
