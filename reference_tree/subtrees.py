"""Subtrees: a tree in which some nodes have been replaced.

A learner that prunes its own tree, and a method of pruning, remove parts of a tree in the same two steps, without
recursion:

1. `leaf` makes a leaf of an inner node.
2. `assemble` puts such nodes, or any others, in their places, and renumbers the nodes that are still reachable.

`counterparts` then compares a tree with its former self, node by node.

The given tree is not changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from reference_tree.data.questions import REFUSED
from reference_tree.node import Node
from reference_tree.tree import Tree


def leaf(node: Node, stop: str) -> Node:
    """The node as a leaf, with its counts and its answer, but without its test.

    Args:
        node: any node.
        stop: the reason of the leaf.

    Example:
        >>> leaf(Node((1, 2), "yes", branches=(1, 2)), "pruned")
        Node(counts=(1, 2), label='yes', test=None, branches=(), stop='pruned', ...)
    """
    return replace(node, test=None, branches=(), stop=stop, missing=REFUSED)


def assemble(tree: Tree, changed: Mapping[int, Node]) -> Tree:
    """The tree in which some nodes have been replaced: the nodes that are still reachable from the root, in preorder.

    Args:
        tree: any tree.
        changed: number → the new node. Its branches are numbers of the given tree, of nodes further down.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
        >>> len(tree.nodes), len(assemble(tree, {0: leaf(tree.nodes[0], "pruned")}).nodes)
        (8, 1)
    """
    nodes: list[Node] = []
    branches: list[list[int]] = []
    pending = [(0, -1)]
    while pending:
        number, above = pending.pop()
        node = changed.get(number, tree.nodes[number])
        if above >= 0:
            branches[above].append(len(nodes))
        pending += [(below, len(nodes)) for below in reversed(node.branches)]
        nodes.append(node)
        branches.append([])
    linked = (replace(node, branches=tuple(to)) if to else node for node, to in zip(nodes, branches, strict=True))
    return replace(tree, nodes=tuple(linked))


def counterparts(
    tree: Tree, other: Tree, goes_on: Callable[[Node, Node], bool] = lambda node, other: True
) -> Iterator[tuple[int, int]]:
    """The nodes at the same places of two trees, in preorder, as pairs of numbers.

    Args:
        tree: any tree.
        other: a tree; one of the two is a pruning of the other, at least in its upper part.
        goes_on: whether the nodes below two inner nodes are at the same places, too.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> dict(counterparts(rt.ID3(max_depth=1).grow(days), rt.ID3().grow(days)))
        {0: 0, 1: 1, 2: 2, 3: 5}
    """
    pending = [(0, 0)]
    while pending:
        number, place = pending.pop()
        yield number, place
        one, beside = tree.nodes[number], other.nodes[place]
        if one.test is not None and beside.test is not None and goes_on(one, beside):
            pending += reversed(list(zip(one.branches, beside.branches, strict=False)))
