r"""Collapsing: a split that saves no error on its own training rows is removed.

Quinlan's program and Weka's grow by the gain ratio, which can be positive although the majority is the same in all
branches. Such a split predicts nothing new. So after a tree is grown, a subtree becomes a leaf wherever its leaves
together make as many errors as the leaf would. This is no pruning: no estimate is involved, and "unpruned" trees are
collapsed too.

1. `training_errors` counts the errors of the leaves below each node.
2. `collapsed` replaces a subtree with a leaf if the leaf would make no more errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

from reference_tree.exact.rationals import Rational
from reference_tree.node import Node
from reference_tree.subtrees import assemble, leaf
from reference_tree.tree import Tree

TOLERANCE = Fraction(1, 1000)
"""A subtree is kept if it makes fewer errors than a leaf by more than this."""

Collapse: TypeAlias = Callable[[Tree], Tree]
"""A rule for a tree after it is grown."""


def kept_whole(tree: Tree) -> Tree:
    """The grown tree, unchanged."""
    return tree


def training_errors(tree: Tree) -> list[Rational]:
    r"""The training errors of the leaves below each node, by weight.

    $$e(T_t) = \sum_{l \in T_t} \left( N_l - \max_j N_{lj} \right)$$

    Args:
        tree: a class tree with its counts.

    Returns:
        A number for each node; that of a leaf is its own error.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3(max_depth=1).grow(rt.textbook("play-tennis"))
        >>> [str(errors) for errors in training_errors(tree)]
        ['4', '0', '2', '2']

    Source:
        [Quinlan1993]
    """
    errors: list[Rational] = [own_errors(node) for node in tree.nodes]
    for number in reversed(range(len(tree.nodes))):  # in preorder, the nodes below a node have higher numbers
        if below := tree.nodes[number].branches:
            errors[number] = sum(errors[branch] for branch in below)
    return errors


def own_errors(node: Node) -> Rational:
    """The weight of the rows that a node gets wrong as a leaf: all but the majority."""
    return sum(node.counts) - max(node.counts)


def collapsed(tree: Tree) -> Tree:
    r"""The tree with a leaf in place of every subtree that saves no error.

    $$e(T_t) \geq N_t - \max_j N_{tj} - \tfrac{1}{1000}$$

    All errors are counted in the tree as it was grown: for a subtree above, it makes no difference whether a subtree
    below it collapses. So the result does not depend on the order of the nodes.

    Args:
        tree: a class tree as it was grown.

    Returns:
        The same nodes, but fewer; a new leaf has the reason `collapsed`, and the label of the node.

    Example:
        >>> import reference_tree as rt
        >>> table = rt.Table.from_columns({"a": list("ppppqqqq"), "y": list("nnnnnnny")})
        >>> tree = rt.ID3().grow(table)
        >>> len(tree.nodes), [(node.stop, node.label) for node in collapsed(tree).nodes]
        (3, [('collapsed', 'n')])

    Source:
        [Quinlan1993]. It is in the program and in none of the sections: while it forms a tree, release 8 tests a
        node when all below it is done. J48 does it from the root down.
    """
    errors = training_errors(tree)
    leaves = {
        number: leaf(node, "collapsed")
        for number, node in enumerate(tree.nodes)
        if node.branches and errors[number] >= own_errors(node) - TOLERANCE
    }
    return assemble(tree, leaves) if leaves else tree


COLLAPSE: Mapping[str, Collapse] = {"never": kept_whole, "no-fewer-errors": collapsed}
"""The rules by their names in a tree document."""
