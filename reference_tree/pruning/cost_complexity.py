r"""Cost-complexity pruning: the nested prunings of a tree, one for each range of prices.

For a price α of a leaf, the cost of a pruning T is its risk plus the price of its leaves,

$$R_\alpha(T) = R(T) + \alpha |\tilde T|$$

and T(α) is the smallest pruning that minimises it. As α grows from 0, T(α) changes only at finitely many prices, each
time to a pruning of the previous tree. `pruning_path` finds all of these trees:

1. At a node t the branches T_t are worth keeping as long as α is below

    $$g(t) = \frac{R(t) - R(T_t)}{|\tilde T_t| - 1}$$

    the risk that they save for each additional leaf. A *link* is an inner node, with its g.

2. The first tree is T(0): every link with g = 0 of the grown tree is cut. It can be smaller than the grown tree.
3. The weakest links are those of the least g. That g is the next α, and *all* of them are cut together. This is
   repeated until only the root is left.

So the sequence of α is strictly increasing and complete, and the trees are nested. Every α is exact: a fraction, or for
the entropy a sum of logarithms.

Programs differ in the definition of R, of the size of a tree, and of the unit of R. A profile is a choice of such rules
(`reference_tree.pruning.risks`).

Source:
    [Breiman1984 §3.3], [LiHang2019 §5.5.2]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.pruning.cost_function import checked_alpha
from reference_tree.pruning.cutting import PRUNED, cut, postorder_below, pruned_by, shape, stayed
from reference_tree.pruning.one_pass import complexities
from reference_tree.pruning.risks import Convention, convention, leaves_with_rows, misclassification
from reference_tree.subtrees import leaf
from reference_tree.tree import Tree
from reference_tree.twins import twin


class Link(NamedTuple):
    """An inner node, with the saving of its branches."""

    node: int
    """Its number in the grown tree."""
    leaf: Number
    """R(t): its risk as a leaf."""
    subtree: Number
    """R(T_t): the risk of the leaves below it."""
    saved: int
    """The decrease in size if its branches are cut: |T̃_t| - 1."""
    g: Number
    """The price above which the branches are not worth keeping."""


class Step(NamedTuple):
    """A tree of the sequence: T(α) for every α from this one up to that of the next step."""

    alpha: Number
    """The least such α."""
    weakest: tuple[int, ...]
    """The links that were cut at this α; none is below another."""
    leaves: int
    """|T̃|."""
    risk: Number
    """R(T)."""


class Path(NamedTuple):
    """The sequence of prunings of a tree."""

    tree: Tree
    """The grown tree."""
    steps: tuple[Step, ...]
    """The steps from T(0) to the root alone, α strictly ascending."""

    def step(self, alpha: Rational) -> Step:
        """The step whose tree is T(α).

        Raises:
            InputError: α is negative, or no finite number.
        """
        price = checked_alpha(alpha)
        # T(α) is the same for every α from one step up to the next, so the last step not above the price has it; the
        # first step is at 0.
        return next(step for step in reversed(self.steps) if step.alpha <= price)

    def cut_at(self, step: Step) -> frozenset[int]:
        """All links that have been cut up to a step; some lie below others that were cut later."""
        until = self.steps.index(step) + 1
        return frozenset(number for earlier in self.steps[:until] for number in earlier.weakest)

    def at(self, step: Step) -> Tree:
        """The tree of a step."""
        return cut(self.tree, self.cut_at(step))

    def as_data(self) -> list[dict[str, object]]:
        """The sequence in the form of JSON; a sum of logarithms as its text, in bits.

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
        profile: the definitions of R, |T| and the unit of R.
        risk: another R than the profile's, by its name.

    Raises:
        InputError: there is no such profile or risk, the tree has no counts, or it does not record the impurity by
            which it was grown and the profile needs it.

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
    """The sequence of prunings of a tree by any rules."""
    return Path(tree, tuple(SEQUENCES[rules.sequence](tree, rules)))


def cost_complexity(tree: Tree, alpha: Rational, profile: str = "cart-1984", risk: str | None = None) -> Tree:
    """T(α): the smallest of the prunings with the least risk plus α for each leaf.

    Args:
        tree: any tree with counts.
        alpha: α, at least 0, in the unit of the profile: a share of the rows, or of the root's risk.
        profile: the definitions of R, |T| and the unit of R.
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
    """Every link of a pruning with its g, from which the next step of the sequence chooses.

    Args:
        tree: the grown tree.
        cut_at: the links that have been cut (`Path.cut_at`).
        profile: as for `pruning_path`.
        risk: as for `pruning_path`.

    Returns:
        The links in postorder. A test that saves risk and costs no leaf is worth any price, so it is not listed.

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
    left = ShrinkingTree(tree, convention(tree, profile, risk))
    for number in cut_at:
        if not 0 <= number < len(tree.nodes):
            raise InputError(f"the tree has no node {number}; its nodes are 0 to {len(tree.nodes) - 1}")
    left.cut(cut_at)
    return left.links()


# Cutting the weakest links raises the g of those above them, so the prices ascend [Breiman1984 §3.3]. The first step
# cuts every link that costs nothing, so that T(0) is the smallest tree of the least risk. Equal prices are proved
# equal: the links of one price go together, or there would be a tree that is T(α) for no α.
@twin
def weakest_first(tree: Tree, rules: Convention) -> list[Step]:
    """The textbook sequence: the weakest links are cut, and all remaining links are computed again.

    Args:
        tree: the grown tree.
        rules: the definitions of R, |T| and the unit of R.

    Source:
        [Breiman1984 §3.3]
    """
    left = ShrinkingTree(tree, rules)
    steps = [left.step(0, [link.node for link in left.links() if link.g <= 0])]
    while links := left.links():
        alpha = min(link.g for link in links)
        steps.append(left.step(alpha, [link.node for link in links if link.g == alpha]))
    return steps


def in_one_pass(tree: Tree, rules: Convention) -> list[Step]:
    """The sequence of one pass, from the complexity of each test."""
    left = ShrinkingTree(tree, rules)
    # Known for all nodes before anything is cut. A price is never above that of the node above, so what is cut at one
    # price takes everything below with it.
    prices = complexities(tree, left.risks)
    steps = [left.step(0, [number for number, price in prices.items() if price <= 0])]
    dearer = sorted((number for number, price in prices.items() if price > 0), key=prices.__getitem__)
    for price, numbers in groupby(dearer, key=prices.__getitem__):
        steps.append(left.step(left.in_unit(price), numbers))
    return steps


SEQUENCES: Mapping[str, Callable[[Tree, Convention], list[Step]]] = {
    "weakest-links": weakest_first,
    "one-pass": in_one_pass,
}
"""The algorithms that find a sequence, by their names."""


class Subtree(NamedTuple):
    """T_t: a node with its remaining subtree."""

    risk: Number
    """R(T_t)."""
    size: int
    """|T_t|."""
    leaves: int
    """|T̃_t|."""


class ShrinkingTree:
    """A tree while it is being pruned. Its nodes keep their numbers; a node that is cut becomes a leaf.

    Args:
        tree: the grown tree.
        rules: the definitions of R, |T| and the unit of R.
    """

    def __init__(self, tree: Tree, rules: Convention) -> None:
        risk = rules.risk or misclassification  # for numbers all risks are the same
        self.nodes = list(tree.nodes)
        self.size, self.unit = rules.size, rules.unit(tree.nodes[0], risk)
        # R(t) depends on the node alone and never changes; R(T_t) does, and is added up again from what is left.
        self.risks = [risk(node) for node in tree.nodes]
        """R(t) of each node."""
        self.staying: dict[int, Number] = {}
        """For each node t the part of R(T_t) from the rows that stay at t."""
        for number, node in enumerate(tree.nodes):
            if rules.staying and (rows := stayed(tree.nodes, node)) is not None:
                self.staying[number] = risk(node, rows)
        # In preorder a subtree is a run of numbers: whether one link is below another is a comparison with its end.
        self.ends = [number + size for number, size in enumerate(shape(tree).sizes)]
        self.whole = self.subtree(0)
        """The remaining tree."""

    # In the book's size a leaf without training rows counts 0: its price would be paid for nothing.
    def joined(self, number: int, below: Sequence[Subtree]) -> Subtree:
        """T_t of a node, from T_s of its branches s."""
        node, as_leaf = self.nodes[number], self.size(self.nodes[number], True)
        if not below:
            return Subtree(self.risks[number], as_leaf, leaves_with_rows(node, True))
        risk = sum((part.risk for part in below), self.staying.get(number, 0))
        size = sum(part.size for part in below) + self.size(node, False)
        # A node at which all rows stay answers them, as a leaf does.
        return Subtree(risk, max(size, as_leaf), sum(part.leaves for part in below))

    def subtrees(self, top: int = 0) -> dict[int, Subtree]:
        """T_t of a node and of every node below it, in postorder."""
        subtrees: dict[int, Subtree] = {}
        for number in postorder_below(self.nodes, top):
            subtrees[number] = self.joined(number, [subtrees[branch] for branch in self.nodes[number].branches])
        return subtrees

    def subtree(self, number: int) -> Subtree:
        """T_t of a node."""
        return self.subtrees(number)[number]

    # The size saved can be 0 where a branch has no training rows. A link that saves no risk either is cut at 0; one
    # that saves risk would have an infinite price.
    def price(self, number: int, subtree: Subtree) -> Number | None:
        """g(t) times the unit; None if the test saves risk and costs no leaf, as it is then worth any price."""
        saved, risk = self.saved(number, subtree), self.risks[number] - subtree.risk
        return None if risk > 0 == saved else risk * Fraction(1, max(saved, 1))

    def saved(self, number: int, subtree: Subtree) -> int:
        """|T̃_t| - 1."""
        return subtree.size - self.size(self.nodes[number], True)

    def links(self) -> list[Link]:
        """Every link with its g, in postorder."""
        found = list[Link]()
        for number, below in self.subtrees().items():
            if self.nodes[number].branches and (g := self.price(number, below)) is not None:
                as_leaf, subtree, price = map(self.in_unit, (self.risks[number], below.risk, g))
                found.append(Link(number, as_leaf, subtree, self.saved(number, below), price))
        return found

    def step(self, alpha: Number, links: Iterable[int]) -> Step:
        """Cut some links at a price, and describe the remaining tree."""
        chosen = self.cut(links)
        return Step(alpha, chosen, self.whole.leaves, self.in_unit(self.whole.risk))

    def cut(self, links: Iterable[int]) -> tuple[int, ...]:
        """Turn some links into leaves; of the returned ones none is below another."""
        chosen: list[int] = []
        for number in sorted(links):
            if not chosen or number >= self.ends[chosen[-1]]:  # not below another one
                chosen.append(number)
        for number in chosen:
            # The sums of the whole tree change by what the branches give way to: nothing above them is visited.
            before, after = self.subtree(number), self.joined(number, [])
            self.nodes[number] = leaf(self.nodes[number], PRUNED)
            self.whole = Subtree(*map(lambda total, old, new: total - old + new, self.whole, before, after))
        return tuple(chosen)

    def in_unit(self, risk: Number) -> Number:
        """A risk in the unit of the convention."""
        if isinstance(risk, int | Fraction) and isinstance(self.unit, int | Fraction):
            return simplest(Fraction(risk) / self.unit)
        return risk / self.unit
