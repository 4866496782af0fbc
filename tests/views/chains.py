"""A tree that is one long chain: at each depth a question, a leaf to one side and the next question to the other."""

from __future__ import annotations

from reference_tree.data.questions import Threshold
from reference_tree.data.schema import Attribute
from reference_tree.node import Node
from reference_tree.tree import Tree


def chain(depth: int) -> Tree:
    """A chain of so many questions, on one continuous attribute."""
    nodes = []
    for level in range(depth):
        ask = Threshold("x", level)
        nodes.append(Node((depth - level, 1), "no", ask, (2 * level + 1, 2 * level + 2)))
        nodes.append(Node((1, 0), "no", stop="pure"))
    nodes.append(Node((0, 1), "yes", stop="pure"))
    return Tree(Attribute("y", ("no", "yes")), (Attribute("x"),), tuple(nodes))
