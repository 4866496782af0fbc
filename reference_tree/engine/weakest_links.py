"""Weakest links: the sequence of prunings without measuring the whole remaining tree at each step.

A cut changes only the g of the links above it, and no g falls. So the links wait in a heap by their last known g, and
only the first one is computed again. The risk that a link saves is enclosed by integers, since sums of logarithms take
long; it is worked out only for links that may be the weakest.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush, heapreplace
from typing import NamedTuple

from reference_tree.engine.enclosures import enclosure
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rounding import START_BITS
from reference_tree.pruning import cost_complexity
from reference_tree.pruning.cost_complexity import ShrinkingTree, Step, Subtree
from reference_tree.pruning.cutting import postorder
from reference_tree.pruning.risks import Convention
from reference_tree.tree import Tree
from reference_tree.twins import fast_form_of


@fast_form_of(cost_complexity.weakest_first)
def weakest_first(tree: Tree, rules: Convention) -> list[Step]:
    """The textbook sequence, where each step compares only the links near the weakest."""
    line = Line(tree, rules)
    steps = [line.step(0, [number for number, g in line.near(0) if g <= 0])]
    while near := line.near():
        least = min(g for _, g in near)
        steps.append(line.step(line.in_unit(least), [number for number, g in near if g == least]))
    return steps


class Waiting(NamedTuple):
    """A link in the heap, with integers around its g when that was last computed."""

    low: int
    """The lower bound: low ≤ 2^80·g ≤ high."""
    high: int
    number: int


class Line(ShrinkingTree):
    """A tree while it is being pruned, with its links in a heap, the weakest first."""

    def __init__(self, tree: Tree, rules: Convention) -> None:
        self._known: dict[int, Subtree] = {}
        super().__init__(tree, rules)
        self._above, self._order = [above for above, _ in tree.parents], {n: at for at, n in enumerate(postorder(tree))}
        risks = [enclosure(risk, START_BITS) for risk in self.risks]
        self._low, self._high, self._saved = ([0] * len(tree.nodes) for _ in range(3))
        for number in reversed(range(len(tree.nodes))):  # in preorder, what is below a node has a higher number
            if branches := tree.nodes[number].branches:
                low, high = risks[number]
                least, most = enclosure(self.staying.get(number, 0), START_BITS)
                least += sum(risks[below][0] - self._high[below] for below in branches)
                most += sum(risks[below][1] - self._low[below] for below in branches)
                self._low[number], self._high[number] = low - most, high - least
                self._saved[number] = self.saved(number, self.subtree(number))
        self._alive = {number for number, node in enumerate(tree.nodes) if node.branches}
        self._changed: set[int] = set()
        self._waiting = [self._in_line(number) for number in self._alive]
        heapify(self._waiting)

    def subtree(self, number: int) -> Subtree:
        """T_t of a node. Subtrees in which nothing was cut are not added up again."""
        unknown, pending = list[int](), [number]
        while pending:
            if (here := pending.pop()) not in self._known:
                unknown.append(here)
                pending += self.nodes[here].branches
        for here in reversed(unknown):
            self._known[here] = self.joined(here, [self._known[below] for below in self.nodes[here].branches])
        return self._known[number]

    def _in_line(self, number: int) -> Waiting:
        saved = max(self._saved[number], 1)
        return Waiting(self._low[number] // saved, -(-self._high[number] // saved), number)

    def near(self, bound: int | None = None) -> list[tuple[int, Number]]:
        """The links whose g may be the least of all, or at most a bound, with their g; they stay in the heap."""
        # When the weakest links are cut, no g falls. Let A/B ≥ g be that of a link above, and cut one that saves a in
        # risk for b in size, a/b ≤ g: what is left, (A - a)/(B - b), is at least A/B. So the last computed g of a link
        # is never above its present g, and only the first link in the heap has to be computed again.
        found: list[tuple[Waiting, Number]] = []
        while self._waiting and (bound is None or self._waiting[0].low <= bound):
            number = self._waiting[0].number
            if number in self._changed and number in self._alive:
                self._changed.remove(number)
                heapreplace(self._waiting, self._in_line(number))
                continue
            first = heappop(self._waiting)
            if number in self._alive and (g := self.price(number, self.subtree(number))) is not None:
                found.append((first, g))
                bound = first.high if bound is None else bound
        for waiting, _ in found:
            heappush(self._waiting, waiting)
        return sorted(((each.number, g) for each, g in found), key=lambda each: self._order[each[0]])

    def cut(self, links: Iterable[int]) -> tuple[int, ...]:
        """Turn some links into leaves; only the links above them are marked as changed."""
        chosen = super().cut(links)
        for number in chosen:
            self._alive.difference_update(range(number, self.ends[number]))
            del self._known[number]
            here, low, high, saved = self._above[number], self._low[number], self._high[number], self._saved[number]
            # Every link above saves less by what this one saved. An interval is subtracted end from opposite end.
            while here >= 0:
                self._low[here] -= high
                self._high[here] -= low
                self._saved[here] -= saved
                self._changed.add(here)
                self._known.pop(here, None)
                here = self._above[here]
        return chosen
