"""Two tables: the rows as given, and the rows as seen by a program that holds numbers in binary.

A tree is judged on the rows that the program saw, because it decided on these; and it predicts as the program does, as
its attributes say in which form the program held numbers. Whoever compares numbers as they are written with a printed
threshold, sends a row to the other side if the threshold lies between its value and the rounded value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from reference_tree.auditing.stated import states_way
from reference_tree.data.questions import Missing
from reference_tree.data.table import Table
from reference_tree.routing import ends
from reference_tree.tree import Tree


class Moved(NamedTuple):
    """A row that reaches another leaf with the values given than with those that the program saw."""

    row: int
    """The number of the row, from 1."""
    node: int
    """The node at which it changes sides."""
    tree: int | None = None
    """The number of the tree, if there are several."""


def as_seen(table: Table, tree: Tree) -> Table:
    """The rows as the program that wrote a tree saw them; the table itself if the program holds every number exactly.

    Args:
        table: the rows as they are given.
        tree: the tree.

    Example:
        >>> import reference_tree as rt
        >>> table = rt.Table.from_columns({"x": ["0.1", "2"], "y": ["no", "yes"]})
        >>> as_seen(table, rt.CART().grow(table)) is table
        True
    """
    # A program that holds decimals as they are written sees the rows as they are given.
    numbers = "exact" if tree.program is None else tree.program.numbers
    return table if numbers == "exact" else table.rounded(numbers)


def moved_rows(tree: Tree, table: Table, number: int | None = None) -> Iterator[Moved]:
    """The rows that change sides when they are rounded as in the program of a tree.

    A row without an outcome is followed no further than a node that does not state where it goes.

    Args:
        tree: the tree.
        table: the rows as they are given.
        number: the number of the tree, if there are several.

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
    if (seen := as_seen(table, tree)) is table:
        return
    # A row without a value stays where its way is not known: it cannot be said to have moved.
    nodes = [node if states_way(tree, node) else replace(node, missing=Missing(stays=True)) for node in tree.nodes]
    found = zip(*(ends(nodes, rows, "majority") for rows in (table, seen)), strict=True)
    for row, (one, other) in enumerate(found, start=1):
        # Ends are compared, and the place where the ways part is sought only for rows that moved.
        if one != other:
            yield Moved(row, _parting(tree, one[0][0], other[0][0]), number)


def _parting(tree: Tree, one: int, other: int) -> int:
    """The lowest common ancestor of two nodes; a node has a higher number than its ancestors."""
    while one != other:
        if one > other:
            one = tree.parents[one][0]
        else:
            other = tree.parents[other][0]
    return one
