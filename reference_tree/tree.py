"""The tree: what a learner grew, or somebody else did.

A tree is a flat list of nodes in preorder, the root first and every subtree in one run behind its root; a branch is the
number of the node it leads to. Nothing here recurses, so a chain of fifty thousand nodes is a tree like any other.

It can be read in three ways, and all of them are here: as a procedure that answers rows (`predict`), as a conditional
distribution P(Y|X) (`distribution`), and as a set of if-then rules that exclude one another and leave nothing out
(`rules`). `check` holds it against the data it claims to have been grown from.

A regression tree is the same with numbers for classes: its nodes answer with a mean or a median. It has no
distribution, and instead of an accuracy a mean squared error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast, get_args, overload

from reference_tree.data.asked import AskedRow, Rows, asked_rows, renamed
from reference_tree.data.errors import InputError, no_such
from reference_tree.data.frames import Asked
from reference_tree.data.questions import Test, Threshold, UnseenValueError, parse_path, path_step
from reference_tree.data.sample import Counts, Data
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table, check_table
from reference_tree.exact.rationals import Rational, rational, simplest
from reference_tree.invariants import check_nodes
from reference_tree.measures.contingency import Contingency
from reference_tree.measures.misclassification import Costs
from reference_tree.node import Deviations, Label, Node, TreeError
from reference_tree.routing import Ends, Unseen, column, ends

Ways: TypeAlias = list[tuple[int | None, Rational]]
"""Where a row goes from a node: branches, each with its part of the row; no branch means that the row ends there."""
Said = TypeVar("Said")


@dataclass(frozen=True)
class Grower:
    """Who grew a tree.

    Args:
        name: of the learner; `unknown` for somebody else's.
        profile: the dialect it followed, if it followed one.
        options: every option it ran under, as text.
        source: of somebody else's tree the program, its version and the command.
    """

    name: str = "unknown"
    profile: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    source: Mapping[str, str] = field(default_factory=dict)


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
    """The training rows it covers: the weight of each class, or what else the counts of a node are."""


class Stage(NamedTuple):
    """A node on the way of a row down a tree."""

    number: int
    """Of the node."""
    share: Rational
    """How much of the row comes there."""
    ways: Ways
    """Where it goes: branches, each with its part of what comes; no branch where the row ends."""


_HERE: Ways = [(None, 1)]


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        """A line, however many nodes there are."""
        nodes, leaves = len(self.nodes), len(self.leaves())
        size = f"{nodes} node{'s' * (nodes > 1)}, {leaves} lea{'ves' if leaves > 1 else 'f'}"
        by = "" if self.grower == Grower() else f", grown by {self.grower.name}"
        return f"<Tree for {self.target.name}: {size}{by}>"

    # As a procedure.

    @overload
    def predict(self, rows: Asked, unseen: Unseen = "error") -> Label: ...
    @overload
    def predict(self, rows: Rows, unseen: Unseen = "error") -> list[Label]: ...
    def predict(self, rows: Asked | Rows, unseen: Unseen = "error") -> Label | list[Label]:
        """The class of a row, or the number: walk down from the root, one question at a time.

        A row that ends in several leaves, because a value is missing, has the class with the largest share of them
        (the first in class order among equals), or the mean of their numbers. Where the tree was grown with priors or
        losses, it has the class that is the cheapest answer to what they say together.

        Args:
            rows: a row, attribute → value, of which only the attributes met on the way are needed. Or many: a sequence
                of rows; or a table, or a frame of pandas or Polars, which go down the tree all at once
                (`reference_tree.routing`).
            unseen: what to do with a value no branch is there for: `error`, or answer with the `majority` of the node
                reached.

        Returns:
            The answer; of many rows the list of the answers.

        Raises:
            InputError: an attribute that is asked for is absent or missing, or a value was not seen in training.

        Example:
            >>> import reference_tree as rt
            >>> days = rt.textbook("play-tennis")
            >>> tree = rt.ID3().grow(days)
            >>> tree.predict({"outlook": "sunny", "humidity": "high"}), tree.predict(days)[:3]
            ('no', ['no', 'no', 'yes'])

        Source:
            [N1 §1.1 (1)], [N2 §1 definition]
        """
        return self._each(self._returned, rows, unseen)

    def _returned(self, ends: Ends) -> Label:
        """The answer in the type that the classes were handed over in."""
        label: Label = self.target.returned(self.answer(ends))
        return label

    def answer(self, ends: Ends) -> Label:
        """The class of a row, or the number, from the nodes where it ends."""
        if len(ends) == 1:
            return self.nodes[ends[0][0]].label
        if self.target.values is None:
            return simplest(sum((share * Fraction(self.nodes[number].label) for number, share in ends), Fraction(0)))
        mixture = self._mixture(ends)
        if self.costs is not None:  # the priors are in the mixture already
            return Costs((1,) * len(mixture), self.costs.loss).cheapest(self.target, tuple(mixture.values()))[0]
        return max(mixture, key=mixture.__getitem__)

    @overload
    def distribution(self, rows: Asked, unseen: Unseen = "error") -> dict[str, Fraction]: ...
    @overload
    def distribution(self, rows: Rows, unseen: Unseen = "error") -> list[dict[str, Fraction]]: ...
    def distribution(
        self, rows: Asked | Rows, unseen: Unseen = "error"
    ) -> dict[str, Fraction] | list[dict[str, Fraction]]:
        r"""P(Y|X): the share of each class among the training rows at the leaf that the row reaches.

        $$P(Y = c_j \mid X \in t) = \frac{N_{tj}}{N_t}$$

        A leaf that no training row reached has the distribution of the node above it. A row whose value is missing on
        the way goes down all branches, to the share that the training rows took each, and has the mixture of the
        leaves. Where the tree was grown with priors, a row of class j stands for π_j/N_j rows, so that the classes are
        as common as they say. Losses change what is answered, not how likely a class is.

        Args:
            rows: one or many, as for `predict`.
            unseen: as for `predict`.

        Raises:
            InputError: as for `predict`; or the tree predicts numbers, or records no counts.

        Source:
            [N1 §1.1 (2)]
        """
        if self.target.values is None:
            raise InputError(f"the tree predicts a number, {self.target.name}, and has no P(Y|X)")
        return self._each(self._mixture, rows, unseen)

    def _each(self, say: Callable[[Ends], Said], rows: Asked | Rows, unseen: Unseen) -> Said | list[Said]:
        """What is to be said of a row, or of each of many."""
        if unseen not in get_args(Unseen):
            raise InputError(no_such("rule for unseen values", unseen, get_args(Unseen)))
        asked = asked_rows(rows, self.attributes, self.target, self.cuts)
        if isinstance(asked, Table):
            return list(map(say, ends(self.nodes, asked, unseen)))
        if isinstance(asked, list):
            return [say(self.ends(row, unseen)) for row in asked]
        return say(self.ends(asked, unseen))

    def _mixture(self, ends: Ends) -> dict[str, Fraction]:
        """The distributions of some nodes, each counted by its share."""
        mixture = dict.fromkeys(self.target.domain, Fraction(0))
        for number, share in ends:
            counts = self.nodes[self.counted(number)].counts
            if self.costs is not None:
                counts = self.costs.weighed(counts)
            once = Fraction(1) / sum(counts)
            for label, count in zip(self.target.domain, counts, strict=True):
                mixture[label] += share * count * once
        return mixture

    @cached_property
    def cuts(self) -> dict[str, list[Rational] | None]:
        """For each attribute that a question is about, surrogates included, the thresholds that it is compared with.

        There are none for an attribute that another kind of question is about.

        Example:
            >>> import reference_tree as rt
            >>> rt.CART(max_depth=2).grow(rt.textbook("iris")).cuts
            {'petal length': [Fraction(49, 20)], 'petal width': [Fraction(7, 4)]}
        """
        found: dict[str, set[Rational] | None] = {}
        for node in self.nodes:
            for test in (node.test, *(surrogate.test for surrogate in node.missing.surrogates)):
                if isinstance(test, Threshold):
                    among = found.setdefault(test.attribute, set())
                    if among is not None:
                        among.add(test.threshold)
                elif test is not None:
                    found |= dict.fromkeys(test.attributes)
        return {name: None if numbers is None else sorted(numbers) for name, numbers in found.items()}

    @cached_property
    def costs(self) -> Costs | None:
        """The priors and losses it was grown with; none: every row is one of its class, every mistake as bad.

        Raises:
            InputError: what the tree records of them are none.
        """
        told = {name: self.grower.options.get(name) for name in ("priors", "loss")}
        if self.target.values is None or not any(told.values()):
            return None
        try:
            priors, loss = _numbers(told["priors"], 1), _numbers(told["loss"], 2)
            return Costs.of(self.target, self.nodes[0].counts, priors, loss)
        except (AttributeError, TypeError, ValueError) as error:
            raise InputError(f"the tree records priors or losses that are none: {error}") from None

    def counted(self, number: int) -> int:
        """The node whose counts stand for a node: itself, or the nearest one above it that training rows reached.

        Raises:
            InputError: no node has any counts.
        """
        while number >= 0:
            if any(self.nodes[number].counts):
                return number
            number = self.parents[number][0]
        raise InputError("this tree records no counts, and so no distribution")

    def ends(self, row: Asked, unseen: Unseen = "error") -> Ends:
        """The nodes where a row ends, each with the share of the row that ends there.

        It is one leaf, unless a value that is asked for is missing and goes down all branches, or stays at a node.

        Raises:
            InputError: as for `predict`.
        """
        return [(number, share) for number, share, ways in self._way(row, unseen) if ways[0][0] is None]

    def reading(self, row: Asked) -> AskedRow:
        """A row as the tree reads it: floats and categories as in the rows that it was grown from.

        Raises:
            InputError: it is no mapping of attribute to value.
        """
        if isinstance(row, AskedRow):
            return row
        found = asked_rows(row, self.attributes, self.target)
        if not isinstance(found, AskedRow):
            raise InputError("these are many rows, and one is asked for; a row is a mapping of attribute to value")
        return found

    def way(self, row: Asked, unseen: Unseen = "error") -> Iterator[Stage]:
        """The nodes that a row comes to, in preorder, and where it goes from each.

        Raises:
            InputError: as for `predict`.

        Example:
            >>> import reference_tree as rt
            >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
            >>> for number, share, ways in tree.way({"outlook": "sunny", "humidity": "high"}):
            ...     print(tree.path(number), share, ways)
            / 1 [(2, 1)]
            /outlook=sunny 1 [(0, 1)]
            /outlook=sunny/humidity=high 1 [(None, 1)]

        Source:
            [N1 §1.1 (1)], [N2 §1 definition]
        """
        return map(Stage._make, self._way(row, unseen))

    def _way(self, row: Asked, unseen: Unseen) -> Iterator[tuple[int, Rational, Ways]]:
        asked = self.reading(row)
        pending: list[tuple[int, Rational]] = [(0, 1)]
        while pending:
            number, share = pending.pop()
            node, ways = self.nodes[number], _HERE
            if node.test is not None:
                try:
                    ways = node.missing.ways(node.test, asked)
                except UnseenValueError:
                    if unseen == "error":
                        raise
            yield number, share, ways
            for branch, part in reversed(ways):
                if branch is not None:
                    pending.append((node.branches[branch], share * part))

    def accuracy(self, table: Data, unseen: Unseen = "error") -> Fraction:
        """The weighted share of a table's rows whose class is predicted; on the training table, the training accuracy.

        Source:
            [N2 §3.2 step 1]. To prune by it, it has to be taken on a validation table; N2 takes the training table.
        """
        if self.target.values is None:
            raise InputError(f"the tree predicts a number, {self.target.name}: ask for its mean squared error")
        return self.contingency(table, unseen).accuracy

    def mean_squared_error(self, table: Data, unseen: Unseen = "error") -> Fraction:
        r"""The weighted mean of the squared errors; on the training table that of the leaves.

        $$\mathrm{MSE} = \frac{1}{\sum_i w_i} \sum_i w_i (y_i - \hat y_i)^2$$

        Raises:
            InputError: the tree predicts classes, or the table has another target; or as for `predict`.

        Source:
            [Breiman1984 §8.3]
        """
        if self.target.values is not None:
            raise InputError(f"the tree predicts a class, {self.target.name}: ask for its accuracy")
        return self.contingency(table, unseen).mean_squared_error

    def contingency(self, table: Data, unseen: Unseen = "error") -> Contingency:
        """What is true of a table's rows beside what the tree answers: accuracy, confusion, errors.

        Raises:
            InputError: the table has another target; or as for `predict`.

        Example:
            >>> import reference_tree as rt
            >>> days = rt.textbook("play-tennis")
            >>> rt.ID3(max_depth=1).grow(days).contingency(days).confusion
            [[3, 2], [2, 7]]
        """
        self._check_target(table)
        answers, truths = self._beside_truth(table, unseen)
        return Contingency.of(truths, answers, table.weighted(), self.target.values)

    def _beside_truth(self, table: Data, unseen: Unseen) -> tuple[list[Label], list[Any]]:
        """What is predicted of each row of a table, and what it is."""
        name = self.target.name
        if not isinstance(table, Table):  # a store of its own, which is asked row by row
            rows = list(table.rows())
            return [self.answer(self.ends(row, unseen)) for row in rows], [row[name] for row in rows]
        table = renamed(table, {attribute.name: attribute for attribute in (*self.attributes, self.target)})
        codes, values = column(table, name)
        spelled = list(values)
        return list(map(self.answer, ends(self.nodes, table, unseen))), [spelled[code] for code in codes]

    def _check_target(self, table: Data) -> None:
        check_table(table)
        found = table.schema.target
        if found.name != self.target.name:
            raise InputError(f"the tree predicts {self.target.name}, but the target is {found.name}")
        if found.kind != self.target.kind:
            raise InputError(f"the tree has {found.name} as {self.target.kind}, the table as {found.kind}")

    # As data.

    def rules(self) -> Iterator[Rule]:
        """One rule for each leaf, in preorder; two rules exclude each other, and together they leave nothing out.

        Source:
            [N1 §1.1 (1)]
        """
        pending: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while pending:
            number, conditions = pending.pop()
            node = self.nodes[number]
            if node.test is None:
                yield Rule(conditions, node.label, node.counts)
                continue
            steps = [(*conditions, node.test.step(branch)) for branch in range(len(node.branches))]
            pending += zip(node.branches[::-1], steps[::-1], strict=True)

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
        steps = []
        while number:
            if number not in self._steps:
                above, branch = self.parents[number]
                self._steps[number] = path_step(cast(Test, self.nodes[above].test), branch)
            steps.append(self._steps[number])
            number = self.parents[number][0]
        return "/" + "/".join(reversed(steps))

    @cached_property
    def _steps(self) -> dict[int, str]:
        """The last step of the path of each node, as far as it was asked for."""
        return {}

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
        """Assert every invariant of a tree against the data it was grown from; `invariants` lists them.

        Raises:
            TreeError: one does not hold; the message names the node and the invariant.
        """
        check_nodes(self.target, self.nodes, table, costs=self.costs)


def _numbers(written: Any, depth: int) -> Any:
    """Numbers that stand as text, so many names deep."""
    if isinstance(written, Mapping) and depth:
        return {name: _numbers(each, depth - 1) for name, each in written.items()}
    if written is not None and not isinstance(written, str):
        raise ValueError(f"a {type(written).__name__} stands where a number in quotes should")
    return None if written is None else rational(written)


__all__ = ["Deviations", "Grower", "Label", "Node", "Rule", "Stage", "Tree", "TreeError", "Unseen", "Ways"]
