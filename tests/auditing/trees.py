"""Tables and trees for the tests of audits, and the changes that spoil a tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import reference_tree as rt
from reference_tree.auditing import audit
from reference_tree.tree import Node, Tree

TABLE = rt.Table.from_columns(
    {
        "x": [1, 2, 3, 4, 5, 6, 7, 8],
        "z": [1, 1, 2, 2, 1, 1, 2, 2],
        "c": [*"aabbccaa"],
        "y": ["no", "no", "no", "yes", "yes", "yes", "yes", "no"],
    }
)
"""Eight rows: x<=3.5 is the best question by any measure."""

SIZES = rt.Table.from_columns({"x": [1, 2, 5, 6, 9], "c": [*"aabbc"], "y": [1, 2, 6, 8, 20]})
"""The same for numbers."""


def changed(tree: Tree, number: int, **fields: Any) -> Tree:
    """A tree with something else at a node."""
    nodes = list(tree.nodes)
    nodes[number] = replace(nodes[number], **fields)
    return replace(tree, nodes=tuple(nodes))


def leaf(node: Node) -> Node:
    """A node as a leaf."""
    return replace(node, test=None, branches=(), stop="unknown")


GROWN = rt.CART().grow(TABLE)
RIGHT, LEFT = 2, 1
"""The nodes below the root: of x<=3.5 the left one is pure."""


def verdicts(tree: Tree, learner: Any = None, **options: Any) -> dict[int, list[str]]:
    """What is wrong at which node."""
    found = audit(tree, options.pop("table", TABLE), learner, **options).findings
    return {one.number: [fault.verdict for fault in one.faults] for one in found if one.faults and not one.excused}
