r"""Collapsing: a split that saves no error on its own training rows is removed.

Quinlan's program and Weka's grow by the gain ratio, which can be positive even if the majority is the same in all
branches. Such a split changes no prediction. So when the tree is grown, a subtree becomes a leaf if its leaves together
make as many errors as the leaf would. This is not pruning: it uses no estimate, and it is done to "unpruned" trees too.

1. `training_errors` counts the errors of the leaves below each node.
2. `collapsed` replaces a subtree by a leaf if that makes no more errors.
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
"""The number of errors that a subtree has to save, compared with a leaf, to be kept."""

Collapse: TypeAlias = Callable[[Tree], Tree]
"""A rule that changes a grown tree."""


def kept_whole(tree: Tree) -> Tree:
    """The grown tree, unchanged."""
    return tree


def training_errors(tree: Tree) -> list[Rational]:
    r"""The weight of the training rows that the leaves below each node get wrong.

    $$e(T_t) = \sum_{l \in T_t} \left( N_l - \max_j N_{lj} \right)$$

    Args:
        tree: a tree that predicts classes, with counts.

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
    r"""The tree with every subtree that saves no error replaced by a leaf.

    $$e(T_t) \geq N_t - \max_j N_{tj} - \tfrac{1}{1000}$$

    All errors are counted in the grown tree: whether a subtree below another one collapses makes no difference. So the
    order in which nodes are visited does not matter.

    Args:
        tree: the grown tree, which predicts classes.

    Returns:
        The tree with the remaining nodes; a new leaf has the reason `collapsed` and the answer of its node.

    Example:
        >>> import reference_tree as rt
        >>> table = rt.Table.from_columns({"a": list("ppppqqqq"), "y": list("nnnnnnny")})
        >>> tree = rt.ID3().grow(table)
        >>> len(tree.nodes), [(node.stop, node.label) for node in collapsed(tree).nodes]
        (3, [('collapsed', 'n')])

    Source:
        [Quinlan1993]. It is in the program but in none of the sections: as it forms a tree, release 8 collapses a node
        when all nodes below it are done. J48 does it from the root down.
    """
    errors = training_errors(tree)
    leaves = {
        number: leaf(node, "collapsed")
        for number, node in enumerate(tree.nodes)
        if node.branches and errors[number] >= own_errors(node) - TOLERANCE
    }
    return assemble(tree, leaves) if leaves else tree


COLLAPSE: Mapping[str, Collapse] = {"never": kept_whole, "no-fewer-errors": collapsed}
"""The rules by the names that a tree document records."""
