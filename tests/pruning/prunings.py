"""Every pruning of a small tree: what a method that promises the best one is held against."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from reference_tree.data.table import Table
from reference_tree.learners.c45 import C45
from reference_tree.learners.growing import grow
from reference_tree.learners.id3 import ID3
from reference_tree.pruning.cutting import cut, recounted_below
from reference_tree.subtrees import assemble
from reference_tree.tree import Tree
from tests.strategies import categorical_tables, tables_with_gaps

MOST = 3000
"""The most prunings that a tree may have: each is looked at."""


def choices(tree: Tree, number: int = 0) -> list[frozenset[int]]:
    """Every way to prune below a node: the nodes that ask and become leaves, none below another."""
    branches = tree.nodes[number].branches
    if not branches:
        return [frozenset()]
    below = product(*(choices(tree, branch) for branch in branches))
    return [frozenset({number}), *(frozenset().union(*parts) for parts in below)]


def how_many(tree: Tree) -> int:
    """How many prunings there are, without listing them."""
    found = [1] * len(tree.nodes)
    for number in reversed(range(len(tree.nodes))):
        if branches := tree.nodes[number].branches:
            product_of_all = 1
            for branch in branches:
                product_of_all *= found[branch]
            found[number] = 1 + product_of_all
    return found[0]


def prunings(tree: Tree) -> Iterator[Tree]:
    """Every pruning of a tree, the tree itself included."""
    return (cut(tree, chosen) for chosen in choices(tree))


def small_trees(gaps: bool = False, most: int = MOST) -> st.SearchStrategy[Tree]:
    """Trees grown from small tables, with few enough prunings; with gaps, the weights are fractions."""
    categories = categorical_tables(rows=14, attributes=4).map(lambda table: grow(ID3(), table))
    trees = tables_with_gaps().map(lambda table: grow(C45(), table)) if gaps else categories
    return trees.filter(lambda tree: 1 < how_many(tree) <= most)


def raise_branch(tree: Tree, number: int, branch: int) -> Tree:
    """The tree with a node replaced by one of its own branches, whose counts are still those from before."""
    return assemble(tree, {number: tree.nodes[tree.nodes[number].branches[branch]]})


def recount(tree: Tree, table: Table) -> Tree:
    """The same questions with the counts of the rows of a table."""
    found = recounted_below(tree.nodes, 0, table.sample(), tree.target)
    return assemble(tree, {number: node for number, node, _ in found})


def structure(tree: Tree) -> list[object]:
    """What a tree asks and answers."""
    return [(node.test, node.branches, node.label, node.counts) for node in tree.nodes]
