"""Best-first order: which leaf of a tree under a cap should have been split before another node.

A learner under a cap on leaves always splits the leaf whose best test takes the most from the impurity of the
whole tree: its score, times the weight of its rows. When the cap is reached, the others stay leaves. The order of the
splits is not recorded; it follows from the tree:

1. A node is split when no leaf is worth more. It cannot be split before the nodes above it, so its turn is set by the
   least worth on the path from the root to the node itself.
2. A leaf stands there once the node above it was split. It should have been split before every later node that is
   worth less (`late`).
3. Nodes of equal worth may have been split in any order: a leaf is not blamed if some order leaves it a leaf.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from reference_tree.exact.log_sums import Number
from reference_tree.tree import Tree

BY_DECREASE = ("id3", "cart")
"""The learners whose score is a decrease of impurity per row, so that weight times score says which leaf is next."""


class Late(NamedTuple):
    """A leaf, and the node of least worth that was split once the leaf stood there."""

    leaf: int
    node: int
    loss: Number
    """The worth of the leaf minus that of the node: above 0, the leaf should have come first; at 0, either could."""


def late(tree: Tree, worth: Mapping[int, Number]) -> Iterator[Late]:
    """The leaves that are worth at least as much as a node that was split while they already stood there.

    Args:
        tree: a tree under a cap.
        worth: for each inner node, what its test takes; for each leaf that could be split, what the best
            test would take.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))   # node 2 and 5 ask, below the root
        >>> worth = {0: 3, 2: 1, 5: 2}
        >>> list(late(tree, worth)), list(late(tree, {**worth, 1: 1})), list(late(tree, {**worth, 1: 2}))
        ([], [Late(leaf=1, node=2, loss=0)], [Late(leaf=1, node=2, loss=1)])

    Source:
        [FriedmanHastieTibshirani2000] grows the trees of boosting best-first; so does a program that is given
        `max_leaf_nodes`.
    """
    asking = [number for number, node in enumerate(tree.nodes) if node.test is not None]
    waits, least_below = dict[int, Number](), dict[int, int]()
    for number in asking:  # in preorder: what is above a node comes before it
        above = tree.parents[number][0] if number else number
        waits[number] = min(worth[number], waits.get(above, worth[number]))
    # From the leaves up: for each node that asks, the node of least worth at or below it.
    for number in reversed(asking):
        below = [least_below[branch] for branch in tree.nodes[number].branches if branch in least_below]
        least_below[number] = min([number, *below], key=worth.__getitem__)
    for number, node in enumerate(tree.nodes):
        if node.test is not None or number not in worth or number == 0:
            continue
        above = tree.parents[number][0]
        later = [least_below[branch] for branch in tree.nodes[above].branches if branch in least_below]
        if worth[least_below[0]] < waits[above]:  # split after what stands above the leaf
            later.append(least_below[0])
        if later:
            last = min(later, key=worth.__getitem__)
            if (loss := worth[number] - worth[last]) >= 0:
                yield Late(number, last, loss)
