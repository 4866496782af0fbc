"""What the story tells, computed: irises, the tree of some of them, its prunings and neighbours, and votes.

Two of Fisher's species are hard to tell apart by the length of petal and sepal. Sixty flowers grow the tree, forty are
held out. Whatever is said of them is worked out here by the package, while the site is built.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

import reference_tree as rt
from reference_tree.chance import Chance
from reference_tree.data.questions import Threshold
from reference_tree.exact.log_sums import Number
from reference_tree.learners.growing import Visit, revisit
from reference_tree.measures.entropy import entropy
from reference_tree.measures.information_gain import information_gain
from reference_tree.pruning.cost_complexity import Step, pruning_path
from reference_tree.selection.holdout import holdout, take
from reference_tree.tree import Tree

ACROSS, UP = "petal length", "sepal length"
DEAL, SHARE = 7, Fraction(2, 5)
"""The seed by which the flowers are dealt, and the share that is held out. The seed shows all that is to be told."""
CHANGED, CHANGES = Fraction(1, 20), 100
"""The share of the rows that is exchanged, and how often that is tried."""
TREES, DRAW = 100, 1
COUNTED = (1, 5, 25, TREES)
"""The numbers of trees whose votes are counted."""

Rows = Sequence[int]


class Flower(NamedTuple):
    """A row: its place in the plane, and its class by its place in the order of the classes."""

    x: Fraction
    y: Fraction
    kind: int


class Cut(NamedTuple):
    """A cut across the root: where it is, the classes on both sides, and its gain."""

    t: Fraction
    low: list[int]
    high: list[int]
    gain: Number


class Pruned(NamedTuple):
    """A tree of the path of prunings, and the flowers that it gets wrong."""

    step: Step
    cut: frozenset[int]
    trained: list[int]
    held: list[int]


class Change(NamedTuple):
    """An exchange of rows, and the tree that comes of it."""

    seed: int
    gone: list[int]
    come: list[int]
    tree: Tree


class Story:
    """The facts, each worked out when it is asked for."""

    def __init__(self) -> None:
        iris = rt.textbook("iris")
        last = len(iris.schema.target.domain) - 1
        others = [one.name for one in iris.schema.attributes if one.name not in {ACROSS, UP}]
        kinds = [iris.schema.target.domain.index(row["species"]) for row in iris.rows()]
        self.table = take(
            iris.without(others), [number for number, kind in enumerate(kinds) if kind in {last - 1, last}]
        )
        self.classes = self.table.schema.target.domain
        self.kinds = (last - 1, last)
        self.flowers = [
            Flower(Fraction(str(row[ACROSS])), Fraction(str(row[UP])), self.classes.index(row["species"]))
            for row in self.table.rows()
        ]
        self.trained, self.held = _dealt(self.table)
        self.learner = rt.CART(criterion="entropy")

    @cached_property
    def training(self) -> rt.Table:
        """The rows that grow the tree."""
        return take(self.table, self.trained)

    @cached_property
    def tree(self) -> Tree:
        """The tree, grown until no question is left."""
        return self.learner.grow(self.training)

    @cached_property
    def visits(self) -> list[Visit]:
        """The nodes that ask, level by level, as one would ask them aloud."""
        asking = [visit for visit in revisit(self.tree, self.learner, self.training) if visit.decision.chosen]
        return sorted(asking, key=lambda visit: (len(list(visit.place.steps())), visit.number))

    @cached_property
    def entropy(self) -> Number:
        """The entropy of all rows, before anything is asked."""
        return entropy(self.counts(self.trained))

    @cached_property
    def cuts(self) -> list[Cut]:
        """Every cut across the petals, from the left to the right."""
        values = sorted({self.flowers[row].x for row in self.trained})
        cuts = []
        for low, high in pairwise(values):
            t = (low + high) / 2
            sides = [[row for row in self.trained if (self.flowers[row].x <= t) == is_low] for is_low in (True, False)]
            one, other = map(self.counts, sides)
            cuts.append(Cut(t, one, other, information_gain([one, other])))
        return cuts

    @cached_property
    def prunings(self) -> list[Pruned]:
        """The path from the grown tree to its root, price by price."""
        path = pruning_path(self.tree)
        return [
            Pruned(
                step, path.cut_at(step), self.wrong(path.at(step), self.trained), self.wrong(path.at(step), self.held)
            )
            for step in path.steps
        ]

    @cached_property
    def changes(self) -> list[Change]:
        """Many exchanges of a few rows, each by its own seed."""
        size = int(len(self.trained) * CHANGED)
        found = []
        for seed in range(1, CHANGES + 1):
            chance = Chance(seed, b"story")
            gone, come = chance.shuffled(self.trained)[:size], chance.shuffled(self.held)[:size]
            rows = sorted({*self.trained, *come} - {*gone})
            found.append(Change(seed, gone, come, self.learner.grow(take(self.table, rows))))
        return found

    @cached_property
    def others(self) -> list[Change]:
        """The exchanges that change the tree."""
        return [one for one in self.changes if tests(one.tree) != tests(self.tree)]

    @cached_property
    def forest(self) -> list[Tree]:
        """Trees of rows that are drawn with replacement."""
        bagged = rt.Bagging(base=self.learner, trees=TREES, seed=DRAW).grow(self.training)
        return [member.tree for member in bagged.members]

    @cached_property
    def votes(self) -> list[list[int]]:
        """For each flower how many of the first trees vote for the second class: after one tree, after two, ..."""
        rows = list(self.table.rows())
        return [
            list(accumulate(int(tree.predict(row) == self.classes[self.kinds[1]]) for tree in self.forest))
            for row in rows
        ]

    def outvoted(self, trees: int, rows: Rows) -> list[int]:
        """The flowers that most of the first trees get wrong; of equal votes the first class has it."""
        return [row for row in rows if self.kinds[2 * self.votes[row][trees - 1] > trees] != self.flowers[row].kind]

    def counts(self, rows: Rows) -> list[int]:
        """The classes of some rows."""
        return [sum(self.flowers[row].kind == kind for row in rows) for kind in self.kinds]

    def wrong(self, tree: Tree, rows: Rows) -> list[int]:
        """The flowers that a tree gets wrong."""
        every = list(self.table.rows())
        return [row for row in rows if tree.predict(every[row]) != every[row]["species"]]


def tests(tree: Tree) -> list[object]:
    """What a tree asks, node by node."""
    return [node.test for node in tree.nodes]


def asked(tree: Tree, number: int) -> tuple[int, Fraction]:
    """The axis that a node asks for, 0 or 1, and its threshold."""
    test = tree.nodes[number].test
    assert isinstance(test, Threshold)
    return (ACROSS, UP).index(test.attribute), Fraction(test.threshold)


def depths(tree: Tree) -> list[int]:
    """The depth of each node."""
    found = [0] * len(tree.nodes)
    for number, node in enumerate(tree.nodes):
        for branch in node.branches:
            found[branch] = found[number] + 1
    return found


Area = tuple[Fraction, Fraction, Fraction, Fraction]


def areas(tree: Tree, plane: Area) -> dict[int, Area]:
    """The part of the plane of each node: left, bottom, right, top."""
    found = {0: plane}
    for number, node in enumerate(tree.nodes):
        if node.test:
            (axis, t), ends = asked(tree, number), found[number]
            # The side that says yes ends at the cut, the other one begins there.
            for branch, side in zip(node.branches, (2, 0), strict=True):
                left, bottom, right, top = (t if place == side + axis else end for place, end in enumerate(ends))
                found[branch] = left, bottom, right, top
    return found


def cells(trees: Sequence[Tree], plane: Area, kind: str) -> Iterator[tuple[Area, int]]:
    """The parts of the plane on which no tree has a cut, with the number of trees that say a class there."""
    cuts = [asked(tree, number) for tree in trees for number, node in enumerate(tree.nodes) if node.test]
    edges = [sorted({plane[axis], plane[axis + 2], *(t for way, t in cuts if way == axis)}) for axis in (0, 1)]
    places = [{t: place for place, t in enumerate(along)} for along in edges]
    votes = [[0] * (len(edges[0]) - 1) for _ in edges[1][1:]]
    for tree in trees:
        for number, (left, bottom, right, top) in areas(tree, plane).items():
            if not tree.nodes[number].test and tree.nodes[number].label == kind:
                for row in range(places[1][bottom], places[1][top]):
                    for column in range(places[0][left], places[0][right]):
                        votes[row][column] += 1
    for row, (bottom, top) in enumerate(pairwise(edges[1])):
        for column, (left, right) in enumerate(pairwise(edges[0])):
            yield (left, bottom, right, top), votes[row][column]


def _dealt(table: rt.Table) -> tuple[list[int], list[int]]:
    """The rows that grow the tree, and those that are held out."""
    rows = {name: [row[name] for row in table.rows()] for name in (ACROSS, UP, "species")}
    numbered = rt.Table.from_columns({**rows, "row": list(range(len(table)))}, "species")
    split = holdout(numbered, DEAL, SHARE)
    trained, held = ([int(str(row["row"])) for row in part.rows()] for part in split)
    return trained, held
