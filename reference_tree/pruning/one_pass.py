"""One pass: rpart's algorithm for the sequence of prunings, without repeated pruning.

Cutting weakest links step by step visits the tree once for each step. rpart finds the price of every test in one
pass from below, while it grows the tree, and keeps it as the node's *complexity*:

1. `complexities` settles a node when its two branches are settled. Each branch passes up its complexity, and the risk
   and the size that it has just before it collapses. A branch whose complexity is below the node's own g has collapsed
   by then, the weaker one first; g is computed again without it.
2. No node outlives the one above it: a complexity larger than that of the node above is reduced to it.

The tree for a price keeps the tests of a larger complexity.

This is not quite the sequence of the book. A branch is passed up as it is *just before it collapses*. But the node
above it collapses at a lower price, and at that price the branch would still have all of its tests, which save
more. So the complexity of such a node is too small, and at some prices the tree is not the best one. On real data that
is common among tests that save little, and rare at the top of a table.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.exact.log_sums import Number
from reference_tree.pruning.cutting import postorder
from reference_tree.tree import Tree


class SettledBranch(NamedTuple):
    """The figures that a branch passes up."""

    complexity: Number | None
    """The price at which it becomes a leaf; None if it is a leaf."""
    leaf: Number
    """Its risk as a leaf."""
    risk: Number
    """Its risk just before it becomes a leaf."""
    splits: int
    """The number of its tests at that moment."""

    def is_weaker_than(self, price: Number | None) -> bool:
        """Whether it becomes a leaf before this price is reached; a leaf is weaker than any test."""
        return price is not None and (self.complexity is None or bool(self.complexity < price))


def _leaf(risk: Number) -> SettledBranch:
    return SettledBranch(None, risk, risk, 0)


def complexities(tree: Tree, risks: list[Number]) -> dict[int, Number]:
    """The price of each test.

    Args:
        tree: a tree whose tests have two outcomes.
        risks: for each node, its risk as a leaf.

    Raises:
        InputError: a test has more outcomes.

    Example:
        >>> import reference_tree as rt
        >>> cats = rt.C45().grow(rt.textbook("cats").without(["weight"]))
        >>> from reference_tree.pruning.risks import misclassification
        >>> complexities(cats, [misclassification(node) for node in cats.nodes])
        {0: Fraction(3, 1), 1: Fraction(1, 1), 4: Fraction(1, 1)}
    """
    settled: dict[int, SettledBranch] = {}
    for number in postorder(tree):
        below = tree.nodes[number].branches
        # The algorithm orders two branches by their weakness; rpart has no other nodes.
        if len(below) not in (0, 2):
            raise InputError(f"rpart's pass is for tests with two outcomes, and {tree.path(number)} has {len(below)}")
        risk = risks[number]
        settled[number] = _settled(risk, settled[below[0]], settled[below[1]]) if below else _leaf(risk)
    prices: dict[int, Number] = {}
    for number in range(len(tree.nodes)):
        # In preorder, so that the price of the node above is final: it bounds this one, as what is below goes with it.
        own, above = settled[number].complexity, tree.parents[number][0]
        if own is not None:
            prices[number] = min(own, prices.get(above, own))
    return prices


def _settled(leaf: Number, left: SettledBranch, right: SettledBranch) -> SettledBranch:
    """The figures of a node, from its risk as a leaf and its settled branches."""
    # A branch that collapses below the node's own price is a leaf by then, and the price is computed anew without its
    # tests. It saved less for each test than the node does, so the price rises, and the stronger branch may now lie
    # below it, too.
    weaker, stronger = (left, right) if left.is_weaker_than(right.complexity) else (right, left)
    if weaker.is_weaker_than(_price(leaf, weaker, stronger)):
        weaker = _leaf(weaker.leaf)
        if stronger.is_weaker_than(_price(leaf, weaker, stronger)):
            stronger = _leaf(stronger.leaf)
    risk, splits = weaker.risk + stronger.risk, weaker.splits + stronger.splits + 1
    return SettledBranch(_price(leaf, weaker, stronger), leaf, risk, splits)


def _price(leaf: Number, one: SettledBranch, other: SettledBranch) -> Number:
    """The saving of a node's tests, per test: g."""
    # The tests of both branches and the node's own: all of them are saved if the node becomes a leaf.
    return (leaf - one.risk - other.risk) * Fraction(1, one.splits + other.splits + 1)
