"""Two tables: the rows as they are given, and as a program saw them that holds numbers in binary.

A tree is judged on what the program saw, for that is what it decided on. But it will be asked with numbers as they are
written, and a row that lies between a threshold and the rounded value then goes to the other side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from reference_tree.data.table import Table
from reference_tree.tree import Tree


class Moved(NamedTuple):
    """A row that ends elsewhere as it is given than as the program saw it."""

    row: int
    """Its number, from 1."""
    node: int
    """At which it changes sides."""
    tree: int | None = None
    """The number of the tree, where there are several."""


def moved_rows(tree: Tree, table: Table, number: int | None = None) -> Iterator[Moved]:
    """The rows that change sides when they are rounded as the program of a tree does it.

    Args:
        tree: the tree.
        table: the rows as they are given.
        number: of the tree, where there are several.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.data.questions import Threshold
        >>> from reference_tree.tree import Program
        >>> table = rt.Table.from_columns({"x": ["0.8", "2.5"], "y": ["no", "yes"]})
        >>> root = rt.Node((1, 1), "no", Threshold("x", table.columns["x"][0]), (1, 2))
        >>> nodes = (root, rt.Node((1, 0), "no", stop="pure"), rt.Node((0, 1), "yes", stop="pure"))
        >>> program = Program("a program", numbers="float32")      # whose 0.8 is a little more
        >>> list(moved_rows(rt.Tree(table.schema.target, table.schema.attributes, nodes, program=program), table))
        [Moved(row=1, node=0, tree=None)]
    """
    if tree.program is None or tree.program.numbers == "exact":
        return
    given, seen = tree.ends_of(table, "majority"), tree.ends_of(table.rounded(tree.program.numbers), "majority")
    for row, (one, other) in enumerate(zip(given, seen, strict=True), start=1):
        if one != other:
            yield Moved(row, _parting(tree, one[0][0], other[0][0]), number)


def _parting(tree: Tree, one: int, other: int) -> int:
    """The last node that is above both; nodes above have lower numbers."""
    while one != other:
        if one > other:
            one = tree.parents[one][0]
        else:
            other = tree.parents[other][0]
    return one
