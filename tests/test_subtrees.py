"""Subtrees exchanged: held against nested tuples, which have no numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.questions import REFUSED
from reference_tree.node import Node
from reference_tree.subtrees import assemble, counterparts, leaf
from reference_tree.tree import Tree
from tests.pruning.prunings import small_trees


def nested(tree: Tree, number: int = 0, changed: Mapping[int, Node] | None = None) -> tuple[Any, ...]:
    """What a node asks and answers, and the same for those below it."""
    node = (changed or {}).get(number, tree.nodes[number])
    below = [nested(tree, branch, changed) for branch in node.branches]
    return (node.test, node.counts, node.label, node.stop, *below)


def exchanges(tree: Tree) -> st.SearchStrategy[dict[int, Node]]:
    """Leaves, and nodes from further down, in the place of some nodes."""
    asking = [number for number, node in enumerate(tree.nodes) if node.branches]

    def instead(number: int) -> st.SearchStrategy[Node]:
        node = tree.nodes[number]
        return st.sampled_from([leaf(node, "pruned"), *(tree.nodes[branch] for branch in node.branches)])

    return st.sets(st.sampled_from(asking)).flatmap(
        lambda chosen: st.fixed_dictionaries({n: instead(n) for n in chosen})
    )


@given(small_trees(), st.data())
def test_what_is_exchanged_is_exchanged_and_the_rest_is_numbered_in_preorder(tree: Tree, data: st.DataObject) -> None:
    changed = data.draw(exchanges(tree))
    found = assemble(tree, changed)
    assert nested(found) == nested(tree, changed=changed)
    order, pending = [], [0]
    while pending:
        order.append(pending.pop())
        pending += reversed(found.nodes[order[-1]].branches)
    assert order == list(range(len(found.nodes)))


@given(small_trees())
def test_where_nothing_is_exchanged_nothing_changes(tree: Tree) -> None:
    assert assemble(tree, {}) == tree


def test_a_leaf_keeps_its_counts_and_its_answer_and_asks_nothing() -> None:
    node = rt.C45().grow(rt.textbook("watermelon-2.0a")).nodes[0]
    assert node.missing is not REFUSED
    assert leaf(node, "why") == replace(node, test=None, branches=(), stop="why", missing=REFUSED)
    assert (leaf(node, "why").counts, leaf(node, "why").label) == (node.counts, node.label)


@pytest.mark.slow
def test_a_chain_of_thousands_is_no_hindrance() -> None:
    tiny = rt.ID3(max_depth=1).grow(rt.Table.from_columns({"a": ["p", "q"], "y": ["n", "y"]}, target="y"))
    root, *leaves = tiny.nodes
    depth = 50_000
    nodes = [n for level in range(depth) for n in (replace(root, branches=(2 * level + 1, 2 * level + 2)), leaves[0])]
    chain = replace(tiny, nodes=(*nodes, leaves[1]))
    assert len(assemble(chain, {2 * depth - 2: leaf(root, "pruned")}).nodes) == 2 * depth - 1
    assert assemble(chain, {0: leaf(root, "pruned")}).nodes == (leaf(root, "pruned"),)


def test_counterparts_have_the_same_path() -> None:
    full = rt.C45().grow(rt.textbook("iris"))
    for depth in range(5):
        tree = rt.C45(max_depth=depth).grow(rt.textbook("iris"))
        found = dict(counterparts(tree, full))
        assert {tree.path(here): full.path(there) for here, there in found.items()} == {
            path: path for path in map(tree.path, range(len(tree.nodes)))
        }
        assert list(counterparts(full, tree)) == [(there, here) for here, there in found.items()]
