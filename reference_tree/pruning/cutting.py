"""Cutting: how a pruning method changes a tree once it has decided.

A tree is a flat list in preorder, and a subtree is a slice of it. So all changes use node numbers, without recursion:

1. `postorder` is the order in which pruning visits a tree: every node after all nodes below it.
2. `shape` measures the subtree of each node in one pass: nodes, leaves and levels.
3. `stayed` are the rows that get the prediction of an inner node.
4. `cut` replaces subtrees by leaves.
5. `recounted_below` counts again where other rows reach a node than before: when a branch takes the place of its node,
   the rows of the other branches come down into it.
6. `pruned_by` records a pruning in the tree.

None of them changes the given tree; they return another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from reference_tree.data.questions import Missing, Test, Threshold
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.targets import most_common
from reference_tree.node import Label, Node
from reference_tree.selection.validation import staying
from reference_tree.splitting.continuous_bisection import values_around
from reference_tree.splitting.missing_values import branch_shares
from reference_tree.subtrees import assemble, leaf
from reference_tree.tree import Tree

PRUNED = "pruned"
"""The reason of a leaf that pruning made, or whose own reason pruning has undone."""


class Shape(NamedTuple):
    """The size of the subtree of each node of a tree, the node itself included."""

    sizes: list[int]
    """The number of nodes."""
    leaves: list[int]
    """The number of leaves; 1 for a leaf."""
    heights: list[int]
    """The number of levels of tests; 0 for a leaf."""


def postorder(tree: Tree) -> list[int]:
    """The numbers of the nodes, each after all nodes below it; branches in their order.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3(max_depth=1).grow(rt.textbook("play-tennis"))
        >>> postorder(tree)
        [1, 2, 3, 0]
    """
    return postorder_below(tree.nodes, 0)


def postorder_below(nodes: Sequence[Node] | Mapping[int, Node], top: int) -> list[int]:
    """The postorder of a node and all nodes below it, in a list of nodes or a mapping.

    Example:
        >>> postorder_below({0: Node((1, 1), "a", branches=(5, 7)), 5: Node((1, 0), "a"), 7: Node((0, 1), "b")}, 0)
        [5, 7, 0]
    """
    # Read backwards, a postorder is a preorder that takes the last branch first.
    backwards: list[int] = []
    pending = [top]
    while pending:
        number = pending.pop()
        backwards.append(number)
        pending += nodes[number].branches
    return backwards[::-1]


def shape(tree: Tree) -> Shape:
    """Nodes, leaves and levels below each node.

    Example:
        >>> import reference_tree as rt
        >>> shape(rt.ID3(max_depth=1).grow(rt.textbook("play-tennis")))
        Shape(sizes=[4, 1, 1, 1], leaves=[3, 1, 1, 1], heights=[1, 0, 0, 0])
    """
    count = len(tree.nodes)
    measured = Shape([1] * count, [1] * count, [0] * count)
    for number in reversed(range(count)):  # in preorder, the nodes below a node have higher numbers
        if below := tree.nodes[number].branches:
            measured.sizes[number] = 1 + sum(measured.sizes[branch] for branch in below)
            measured.leaves[number] = sum(measured.leaves[branch] for branch in below)
            measured.heights[number] = 1 + max(measured.heights[branch] for branch in below)
    return measured


def stayed(nodes: Sequence[Node] | Mapping[int, Node], node: Node) -> Counts | None:
    """The training rows that stay at an inner node; None if the node has no such rule.

    Args:
        nodes: the tree, for the rows that went down the branches.
        node: one of the nodes.

    Example:
        >>> import reference_tree as rt
        >>> table = rt.Table.from_columns({"x": [1, 2, None], "y": ["no", "yes", "yes"]}, target="y")
        >>> nodes = rt.CART(missing="stay").grow(table).nodes
        >>> stayed(nodes, nodes[0])
        (0, 1)
    """
    # The tree keeps no rows. But those that went down a branch are counted there, and counts are exact: the difference
    # is those that stayed.
    if not node.missing.stays:
        return None
    return staying(node.counts, [nodes[below].counts for below in node.branches])


def cut(tree: Tree, numbers: Iterable[int], stop: str = PRUNED) -> Tree:
    """The tree with some of its subtrees replaced by leaves.

    A leaf keeps the counts, the label and the tie of its node. The remaining nodes are numbered again, in preorder.

    Args:
        tree: any tree.
        numbers: the numbers of the nodes that become leaves. A leaf among them stays unchanged with its reason; a node
            below another of them is cut with that one's subtree.
        stop: the reason of the new leaves.

    Raises:
        ValueError: the tree has no node of that number.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
        >>> pruned = cut(tree, [tree.find("/outlook=rainy")])
        >>> len(tree.nodes), len(pruned.nodes), pruned.nodes[2].stop, pruned.nodes[2].label
        (8, 6, 'pruned', 'yes')

    Source:
        [N0 EN §4 eq. (5)], [N2 §3 own remark], [N2 §3.2 step 2], [N3 Avoiding Overfitting: post-pruning]
    """
    # A node below another chosen one vanishes with it, so any set of numbers is a pruning.
    chosen = set(numbers)
    if strange := sorted(number for number in chosen if not 0 <= number < len(tree.nodes)):
        raise ValueError(f"the tree has no node {strange[0]}; its nodes are 0 to {len(tree.nodes) - 1}")
    nodes = {number: leaf(tree.nodes[number], stop) for number in chosen if tree.nodes[number].test is not None}
    return assemble(tree, nodes)


def recounted_below(
    nodes: Sequence[Node] | Mapping[int, Node], top: int, sample: Sample, target: Attribute, keeps_label: bool = True
) -> Iterator[tuple[int, Node, Sample]]:
    """A node and its subtree, with the counts, labels, ties and shares of the rows that now reach it.

    A node that no row reaches is a leaf with the label of the node above. A leaf whose reason is no longer true of its
    new rows gets the reason `pruned`.

    Args:
        nodes: the nodes of a tree that predicts classes.
        top: the number of the node.
        sample: the rows that reach it.
        target: the classes.
        keeps_label: as for `recounted`.

    Yields:
        The number of each remaining node, the changed node, and its rows.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> tree = rt.ID3().grow(days)
        >>> sunny = tree.nodes[0].branches[2]
        >>> for _, node, _ in recounted_below(tree.nodes, sunny, days.sample(), tree.target):   # for all days
        ...     print(node.test and node.test.attribute, node.counts)
        humidity (5, 9)
        None (1, 6)
        None (4, 3)

    Source:
        [Quinlan1993 §4.1]
    """
    # A place is recounted before those below it: an empty node takes the label that the node above has now.
    arriving: list[tuple[int, Sample, Label]] = [(top, sample, nodes[top].label)]
    while arriving:
        number, rows, above = arriving.pop()
        node = recounted(nodes[number], rows, above, target, keeps_label)
        yield number, node, rows
        if node.test is not None:
            parts = zip(node.branches, rows.split(node.test, node.missing), strict=True)
            arriving += [(below, part, node.label) for below, part in parts]


def recounted(node: Node, sample: Sample, above: Label, target: Attribute, keeps_label: bool = True) -> Node:
    """A node with the counts of the rows that now reach it, and its former branches.

    Args:
        node: the node before.
        sample: the rows.
        above: the label of the node above.
        target: the classes.
        keeps_label: whether a label that is one of the largest classes stays; otherwise the first of these is taken.
    """
    counts = sample.total()
    if not any(counts):
        return replace(leaf(node, "empty"), counts=counts, label=above, tied=(), prior=True)
    # A label that is still a majority is kept, although a tie may have joined it: C4.5 does not decide ties anew, and
    # other programs do.
    most = most_common(target, counts)
    label = node.label if keeps_label and node.label in most else most[0]
    answered = replace(node, counts=counts, label=label, tied=tuple(most) if len(most) > 1 else (), prior=False)
    if node.test is None:
        # The other reasons are about growing, and stay true of how the leaf came about.
        no_longer_true = node.stop == "empty" or (node.stop == "pure" and sum(1 for count in counts if count) != 1)
        return replace(answered, stop=PRUNED if no_longer_true else node.stop)
    return replace(answered, test=narrowed(node.test, sample), missing=shared_anew(node, sample))


def narrowed(test: Test, sample: Sample) -> Test:
    """A test whose interval is narrowed to the gap between values of the rows that now reach it.

    Example:
        >>> import reference_tree as rt
        >>> sample = rt.Table.from_columns({"x": [0, 1, 2], "y": ["no", "no", "yes"]}).sample()
        >>> narrowed(Threshold("x", 1, interval=(0, 2)), sample).interval
        (1, 2)
    """
    if not isinstance(test, Threshold) or test.interval is None:
        return test
    # With other rows the gap between values may be narrower, and a threshold stays inside: what divides these rows in
    # the same way is the intersection.
    (low, high), (below, above) = test.interval, values_around(sample, test)
    interval = (low if below is None else max(low, below), high if above is None else min(high, above))
    return replace(test, interval=interval)


def shared_anew(node: Node, sample: Sample) -> Missing:
    """A node's rule for rows without the value, with shares from the rows with one. Other rules stay unchanged."""
    assert node.test is not None
    # Shares are estimated from the rows, and so anew from other rows; a named branch, a surrogate or staying are
    # choices.
    if node.missing.rule not in ("fractions", "error"):
        return node.missing
    table = sample.partition(node.test)
    if not any(map(any, table.rows)) or not (node.missing.shares or any(table.unknown)):
        return node.missing
    return replace(node.missing, shares=tuple(branch_shares(table.rows)))


def pruned_by(tree: Tree, method: str, **options: Any) -> Tree:
    """The tree with a pruning recorded in the options of its grower, after earlier ones.

    Args:
        tree: the pruned tree.
        method: the name of the method.
        options: the options of the method, as JSON has them.

    Example:
        >>> import reference_tree as rt
        >>> tree = pruned_by(rt.ID3().grow(rt.textbook("play-tennis")), "cost-function", alpha="1")
        >>> tree.grower.options["pruning"]
        [{'method': 'cost-function', 'alpha': '1'}]
    """
    # A tree may be pruned more than once: the list keeps the order, in which they can be repeated.
    before = list(tree.grower.options.get("pruning", []))
    noted = {**tree.grower.options, "pruning": [*before, {"method": method, **options}]}
    return replace(tree, grower=replace(tree.grower, options=noted))
