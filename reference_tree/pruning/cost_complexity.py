r"""Cost-complexity pruning: the nested prunings of a tree, one for each range of prices.

For a price α of a leaf, the cost of a pruning T is its risk plus what its leaves cost,

$$R_\alpha(T) = R(T) + \alpha |\tilde T|$$

and T(α) is the smallest pruning that minimises it. As α grows from 0, T(α) changes at finitely many prices only, and
each time to a pruning of what it was. `pruning_path` finds them all:

1. At a node t the branches T_t are worth having as long as α is below

    $$g(t) = \frac{R(t) - R(T_t)}{|\tilde T_t| - 1}$$

    what they save in risk for each leaf that they cost more. A *link* is an inner node, with its g.

2. The first tree is T(0): of the tree as grown, every link with g = 0 is cut. It can be smaller than the tree as grown.
3. The weakest links are those of the least g. That g is the next α, and *all* of them are cut together. Again, until
   the root alone is left.

So the sequence of α is strictly increasing and complete, and the trees are nested. Every α is exact: a fraction, or for
the entropy a sum of logarithms.

What R is differs from program to program; so does what a tree's size is, and in what unit R is measured. A profile is a
choice of such rules (`reference_tree.pruning.risks`).

Source:
    [Breiman1984 §3.3], [LiHang2019 §5.5.2]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush, heapreplace
from itertools import groupby
from math import ceil, floor
from typing import NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.rounding import START_BITS
from reference_tree.pruning.cost_function import checked_alpha
from reference_tree.pruning.cutting import cut, postorder, pruned_by, shape, stayed
from reference_tree.pruning.one_pass import complexities
from reference_tree.pruning.risks import Convention, Risk, convention, leaves_with_rows, misclassification
from reference_tree.tree import Tree


class Link(NamedTuple):
    """An inner node, and what its branches save."""

    node: int
    """Its number in the tree as grown."""
    leaf: Number
    """R(t): its risk as a leaf."""
    subtree: Number
    """R(T_t): the risk of the leaves below it."""
    saved: int
    """How much smaller the tree is without them: |T̃_t| - 1."""
    g: Number
    """The price at which they stop being worth it."""


class Step(NamedTuple):
    """A tree of the sequence: T(α) for every α from this one up to that of the next step."""

    alpha: Number
    """The least such α."""
    weakest: tuple[int, ...]
    """The links that were cut at this α: none below another."""
    leaves: int
    """|T̃|."""
    risk: Number
    """R(T)."""


class Path(NamedTuple):
    """The sequence of prunings of a tree."""

    tree: Tree
    """As it was grown."""
    steps: tuple[Step, ...]
    """From T(0) to the root alone, α strictly ascending."""

    def step(self, alpha: Rational) -> Step:
        """The step whose tree is T(α).

        Raises:
            InputError: α is negative, or no finite number.
        """
        price = checked_alpha(alpha)
        return next(step for step in reversed(self.steps) if step.alpha <= price)

    def cut_at(self, step: Step) -> frozenset[int]:
        """All links that have been cut up to a step; some lie below others that were cut later."""
        until = self.steps.index(step) + 1
        return frozenset(number for earlier in self.steps[:until] for number in earlier.weakest)

    def at(self, step: Step) -> Tree:
        """The tree of a step."""
        return cut(self.tree, self.cut_at(step))

    def as_data(self) -> list[dict[str, object]]:
        """The sequence as JSON has it; a sum of logarithms as it is written, in bits.

        Example:
            >>> import reference_tree as rt
            >>> for step in pruning_path(rt.ID3().grow(rt.textbook("play-tennis"))).as_data():
            ...     print(step)
            {'alpha': '0', 'leaves': 5, 'risk': '0'}
            {'alpha': '5/56', 'leaves': 1, 'risk': '5/14'}
        """
        return [{"alpha": str(step.alpha), "leaves": step.leaves, "risk": str(step.risk)} for step in self.steps]


def pruning_path(tree: Tree, profile: str = "cart-1984", risk: str | None = None) -> Path:
    """The sequence of prunings of a tree.

    Args:
        tree: any tree with counts.
        profile: what R, |T| and 1 mean.
        risk: another R than the profile's, by its name.

    Raises:
        InputError: there is no such profile or risk, the tree has no counts, or it does not say by which impurity it
            was grown and the profile asks for that.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3().grow(rt.textbook("loan"))
        >>> [(str(step.alpha), step.leaves) for step in pruning_path(tree).steps]
        [('0', 3), ('1/5', 1)]

    Source:
        [Breiman1984 §3.3], [LiHang2019 §5.5.2]
    """
    return path_by(tree, convention(tree, profile, risk))


def path_by(tree: Tree, rules: Convention) -> Path:
    """The sequence of prunings of a tree by some rules of one's own."""
    return Path(tree, tuple(SEQUENCES[rules.sequence](Links(tree, rules))))


def cost_complexity(tree: Tree, alpha: Rational, profile: str = "cart-1984", risk: str | None = None) -> Tree:
    """T(α): the smallest of the prunings with the least risk plus α for each leaf.

    Args:
        tree: any tree with counts.
        alpha: α, at least 0, in the unit of the profile: a share of the rows, or of the root's risk.
        profile: what R, |T| and 1 mean.
        risk: another R than the profile's, by its name.

    Raises:
        InputError: α is negative or no finite number, or as for `pruning_path`.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
        >>> [len(cost_complexity(tree, Fraction(alpha)).leaves()) for alpha in ("1/20", "5/56")]
        [5, 1]

    Source:
        [Breiman1984 §3.3]
    """
    path, price = pruning_path(tree, profile, risk), checked_alpha(alpha)
    named = {"profile": profile, "alpha": str(price), **({} if risk is None else {"risk": risk})}
    return pruned_by(path.at(path.step(price)), "cost-complexity", **named)


def weakest_links(
    tree: Tree, cut_at: Collection[int] = (), profile: str = "cart-1984", risk: str | None = None
) -> list[Link]:
    """Every link of a pruning with its g: what the next step of the sequence chooses from.

    Args:
        tree: as it was grown.
        cut_at: the links that have been cut (`Path.cut_at`).
        profile: as for `pruning_path`.
        risk: as for `pruning_path`.

    Returns:
        The links in postorder.

    Raises:
        InputError: the tree has no node of such a number, or as for `pruning_path`.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
        >>> for link in weakest_links(tree):
        ...     print(tree.path(link.node), link.leaf, link.subtree, link.saved, link.g)
        /outlook=rainy 1/7 0 1 1/7
        /outlook=sunny 1/7 0 1 1/7
        / 5/14 0 4 5/56

    Source:
        [Breiman1984 §3.3]
    """
    links = Links(tree, convention(tree, profile, risk))
    for number in sorted(cut_at, reverse=True):  # from below
        if not 0 <= number < len(tree.nodes):
            raise InputError(f"the tree has no node {number}; its nodes are 0 to {len(tree.nodes) - 1}")
        links.cut(number)
    return [links.link(number) for number in postorder(tree) if number in links.alive]


class _Waiting(NamedTuple):
    """A link in line: integers around its g as it was when it was last looked at."""

    low: int
    """Low ≤ 2^80·g ≤ high."""
    high: int
    number: int


class Links:
    """The links of a tree while it is being pruned. A cut changes only the links above it: their sums of risk and size.

    Sums of risk are kept as integers around them, since sums of logarithms take long. What they are exactly is found
    where they are cut, or where integers cannot tell which link is the weaker one.

    Args:
        tree: as it was grown.
        rules: what R, |T| and 1 mean.
    """

    def __init__(self, tree: Tree, rules: Convention) -> None:
        risk = rules.risk or misclassification  # of numbers every rule gives the same
        self.tree, self._size_of, self.unit = tree, rules.size, rules.unit(tree.nodes[0], risk)
        self.risks = [risk(node) for node in tree.nodes]
        self._as_leaf = [_enclosed(each) for each in self.risks]
        self._below = list(self._as_leaf)
        self._exact: list[Number] = list(self.risks)  # R(T_t); None: it has to be added up anew
        self._size = [self._size_of(node, True) for node in tree.nodes]
        self._leaves = [leaves_with_rows(node, True) for node in tree.nodes]
        self._ends = list(map(sum, enumerate(shape(tree).sizes)))
        self._staying: dict[int, Number] = {}
        self.alive: set[int] = set()
        for number in reversed(range(len(tree.nodes))):  # in preorder, what is below a node has a higher number
            if tree.nodes[number].test is not None:
                self.alive.add(number)
                self._add_up(number, risk if rules.staying else None)
        self._risk = self._subtree(0)
        self._changed: set[int] = set()
        self._waiting = [self._in_line(number) for number in self.alive]
        heapify(self._waiting)

    def _add_up(self, number: int, risk: Risk | None) -> None:
        """Risk and size below a node from those of its branches, and the risk of the rows that stay at it."""
        node = self.tree.nodes[number]
        rows = None if risk is None else stayed(self.tree.nodes, node)
        if risk is not None and rows is not None and any(rows):
            self._staying[number] = risk(node, rows)
        parts = [*(self._below[below] for below in node.branches), _enclosed(self._staying.get(number, 0))]
        self._below[number], self._exact[number] = (sum(low for low, _ in parts), sum(high for _, high in parts)), None
        self._size[number] = sum(self._size[below] for below in node.branches) + self._size_of(node, False)
        self._leaves[number] = sum(self._leaves[below] for below in node.branches)

    def _subtree(self, number: int) -> Number:
        """R(T_t), exactly. Of what was added up before only that is added anew below which something was cut."""
        unknown, pending = list[int](), [number]
        while pending:
            here = pending.pop()
            if self._exact[here] is None:
                unknown.append(here)
                pending += self.tree.nodes[here].branches
        for here in reversed(unknown):
            branches = self.tree.nodes[here].branches
            self._exact[here] = sum((self._exact[below] for below in branches), self._staying.get(here, 0))
        return self._exact[number]

    def _saved(self, number: int) -> int:
        return self._size[number] - self._size_of(self.tree.nodes[number], True)

    def _g(self, number: int) -> Number:
        saved = self._saved(number)
        # A question that leaves all rows in one branch, or at the node, costs and saves nothing; it goes at once.
        return (self.risks[number] - self._subtree(number)) * Fraction(1, saved) if saved > 0 else 0

    def _in_line(self, number: int) -> _Waiting:
        """A link with integers around its g."""
        (low, high), (least, most), saved = self._as_leaf[number], self._below[number], self._saved(number)
        if saved <= 0:
            return _Waiting(0, 0, number)
        return _Waiting((low - most) // saved, -((least - high) // saved), number)

    def link(self, number: int) -> Link:
        """What is known of a link, in the unit of the convention."""
        leaf, subtree, g = self.risks[number], self._subtree(number), self._g(number)
        return Link(number, _over(leaf, self.unit), _over(subtree, self.unit), self._saved(number), _over(g, self.unit))

    def _near(self, bound: int | None) -> list[_Waiting]:
        """Takes those out of line whose g may be the least of all, or at most a bound."""
        # When the weakest links are cut, no g falls. Let A/B ≥ g be that of a link above, and cut one that saves a in
        # risk for b in size, a/b ≤ g: what is left, (A - a)/(B - b), is at least A/B. So the g that a link had when it
        # was last looked at is never above its g of now, and only the first in line has to be looked at again.
        found: list[_Waiting] = []
        while self._waiting and (bound is None or self._waiting[0].low <= bound):
            number = self._waiting[0].number
            if number in self._changed and number in self.alive:
                self._changed.remove(number)
                heapreplace(self._waiting, self._in_line(number))
                continue
            first = heappop(self._waiting)
            if number in self.alive:
                found.append(first)
                bound = first.high if bound is None else bound
        return found

    def worthless(self) -> Step:
        """Cut every link whose g is 0 or less."""
        return self._cut_those([(each, self._g(each.number) if each.high > 0 else 0) for each in self._near(0)], 0)

    def weakest(self) -> Step | None:
        """Cut the links of the least g; none if no link is left."""
        priced = [(each, self._g(each.number)) for each in self._near(None)]
        return self._cut_those(priced, min(g for _, g in priced)) if priced else None

    def _cut_those(self, priced: Sequence[tuple[_Waiting, Number]], limit: Number) -> Step:
        """Cut the links of at most some g; the others stand in line again."""
        weak = {each.number for each, g in priced if g <= limit}
        for each, _ in priced:
            if each.number not in weak:
                heappush(self._waiting, each)
        return self.step(limit, weak)

    def step(self, g: Number, weak: Iterable[int]) -> Step:
        """Cut some links for a price, and say what is left."""
        chosen: list[int] = []
        for number in sorted(weak):
            if not chosen or number >= self._ends[chosen[-1]]:  # not below another one
                chosen.append(number)
        for number in chosen:
            self.cut(number)
        return Step(_over(g, self.unit), tuple(chosen), self._leaves[0], _over(self._risk, self.unit))

    def cut(self, number: int) -> None:
        """Make a node a leaf."""
        self.alive.difference_update(range(number, self._ends[number]))
        node = self.tree.nodes[number]
        self._risk += self.risks[number] - self._subtree(number)
        (low, high), (least, most) = self._as_leaf[number], self._below[number]
        size = self._size_of(node, True) - self._size[number]
        leaves = leaves_with_rows(node, True) - self._leaves[number]
        here = number
        while here >= 0:
            below = self._below[here]
            self._below[here], self._exact[here] = (below[0] + low - least, below[1] + high - most), None
            self._size[here] += size
            self._leaves[here] += leaves
            self._changed.add(here)
            here = self.tree.parents[here][0]
        self._exact[number] = self.risks[number]


def weakest_first(links: Links) -> Iterator[Step]:
    """The sequence of the book: the weakest links are cut, and what is left is measured again.

    Source:
        [Breiman1984 §3.3]
    """
    yield links.worthless()
    while (step := links.weakest()) is not None:
        yield step


def in_one_pass(links: Links) -> Iterator[Step]:
    """The sequence of rpart, from the complexity of each question."""
    prices = complexities(links.tree, links.risks)
    in_order = sorted(prices, key=lambda number: prices[number])
    free = [number for number in in_order if prices[number] <= 0]
    yield links.step(0, free)
    for price, numbers in groupby(in_order[len(free) :], key=lambda number: prices[number]):
        yield links.step(price, [number for number in numbers if number in links.alive])


SEQUENCES: Mapping[str, Callable[[Links], Iterator[Step]]] = {
    "weakest-links": weakest_first,
    "one-pass": in_one_pass,
}
"""The ways to find a sequence, by their names."""


def _enclosed(risk: Number) -> tuple[int, int]:
    """Integers low and high with low ≤ 2^80·R ≤ high."""
    if isinstance(risk, int | Fraction):
        scaled = risk * (1 << START_BITS)
        return floor(scaled), ceil(scaled)
    low, high, scale = risk.enclosure(START_BITS)
    return (low << START_BITS) // scale, -((-high << START_BITS) // scale)


def _over(risk: Number, unit: Number) -> Number:
    """A risk in the unit of a convention."""
    if isinstance(risk, int | Fraction) and isinstance(unit, int | Fraction):
        return simplest(Fraction(risk) / unit)
    return risk / unit
