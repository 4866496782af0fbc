r"""Collapsing: a split that saves no error on its own training rows is taken back.

Quinlan's program and Weka's grow by the gain ratio, which can be positive where the majority is the same in all
branches. Such a split predicts nothing new. So when the tree is grown, a subtree becomes a leaf wherever its leaves
together err as often as the leaf would. It is no pruning: no estimate is involved, and it is done to "unpruned" trees
too.

1. `training_errors` counts what the leaves below each node get wrong.
2. `collapsed` puts leaves where that is no less than what the node itself would get wrong.
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
"""By how much a subtree has to err less than a leaf to be kept."""

Collapse: TypeAlias = Callable[[Tree], Tree]
"""A rule of what is done to a tree once it is grown."""


def kept_whole(tree: Tree) -> Tree:
    """The tree as it was grown."""
    return tree


def training_errors(tree: Tree) -> list[Rational]:
    r"""The weight of the training rows that the leaves below each node get wrong.

    $$e(T_t) = \sum_{l \in T_t} \left( N_l - \max_j N_{lj} \right)$$

    Args:
        tree: of classes, with its counts.

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
    for number in reversed(range(len(tree.nodes))):  # in preorder, what is below a node has a higher number
        if below := tree.nodes[number].branches:
            errors[number] = sum(errors[branch] for branch in below)
    return errors


def own_errors(node: Node) -> Rational:
    """The weight of the rows that a node gets wrong if it is a leaf: all but the majority."""
    return sum(node.counts) - max(node.counts)


def collapsed(tree: Tree) -> Tree:
    r"""The tree with a leaf in the place of every subtree that saves no error.

    $$e(T_t) \geq N_t - \max_j N_{tj} - \tfrac{1}{1000}$$

    All errors are counted in the tree as it was grown: a subtree below another one makes no difference, whether it
    collapses itself or not. So the order in which nodes are looked at does not matter.

    Args:
        tree: of classes, as it was grown.

    Returns:
        The same nodes, fewer of them; a new leaf says `collapsed`, and answers what the node would have answered.

    Example:
        >>> import reference_tree as rt
        >>> table = rt.Table.from_columns({"a": list("ppppqqqq"), "y": list("nnnnnnny")})
        >>> tree = rt.ID3().grow(table)
        >>> len(tree.nodes), [(node.stop, node.label) for node in collapsed(tree).nodes]
        (3, [('collapsed', 'n')])

    Source:
        [Quinlan1993]. It is in the program and in none of the sections: where it forms a tree, release 8 looks at a
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
"""The rules by the names under which a tree document records them."""
