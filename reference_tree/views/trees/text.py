"""A tree as text: one line a branch, indented by its depth.

    outlook = overcast: yes (yes 4)
    outlook = rainy
    |   wind = strong: no (no 2)
    |   wind = weak: yes (yes 3)
    outlook = sunny
    |   humidity = high: no (no 3)
    |   humidity = normal: yes (yes 2)

A line is the condition of a branch. Where the branch ends in a leaf, its class follows, and in brackets the weight of
each class that arrived there; classes of which nothing arrived are left out. A regression tree answers with a number,
and in brackets stands how many rows arrived and the error it makes on them. A leaf at which several classes are equally
common is marked as a tie, and one that no row reached repeats the answer above it. At more than `DEEPEST` levels the
indentation grows no further, and the level is given as a number.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_tree.node import Node
from reference_tree.tree import Tree
from reference_tree.views.figures import arrived, below, name_of
from reference_tree.views.names import answer_text, one_line

DEEPEST = 40
"""The most levels that are shown by indentation."""


def to_text(tree: Tree) -> str:
    """A tree as text.

    Example:
        >>> from reference_tree.data.table import Table
        >>> from reference_tree.learners.id3 import ID3
        >>> table = Table.from_columns({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
        >>> print(to_text(ID3().grow(table)), end="")
        wind = strong: no (no 1)
        wind = weak: yes (yes 2)
    """
    return "".join(f"{line}\n" for line in lines(tree))


def lines(tree: Tree) -> Iterator[str]:
    """The lines of the text, in preorder: one for each branch, or one for a tree that is a single leaf."""
    if tree.nodes[0].test is None:
        yield _leaf(tree, tree.nodes[0])
    conditions = [""] * len(tree.nodes)
    for node, depth, number in zip(tree.nodes, tree.depths(), range(len(tree.nodes)), strict=True):
        for branch, outcome in below(node):
            conditions[branch] = one_line(f"{name_of(node)} {outcome.sign.strip()} {outcome.written}")
        if number:
            ending = f": {_leaf(tree, node)}" if node.test is None else ""
            yield _indentation(depth - 1) + conditions[number] + ending


def _indentation(level: int) -> str:
    """What stands before a condition: a bar for each level above it."""
    return "|   " * min(level, DEEPEST) + (f"[{level}] " if level > DEEPEST else "")


def _leaf(tree: Tree, node: Node) -> str:
    remarks = ["no row; as above"] if node.prior else [", ".join(arrived(tree, node)), "a tie" if node.tied else ""]
    remark = "; ".join(filter(None, remarks))
    return f"{answer_text(node.label)} ({remark})" if remark else answer_text(node.label)
