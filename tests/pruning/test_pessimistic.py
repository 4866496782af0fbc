"""Pessimistic pruning: against its definition by squares, hand-worked figures, and what it never looks at."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given

import reference_tree as rt
from reference_tree.pruning.comparing import ComparedPruning
from reference_tree.pruning.cutting import cut
from reference_tree.pruning.pessimistic import PESSIMISTIC, corrected_errors, standard_error
from reference_tree.tree import Tree
from tests.pruning.prunings import small_trees, structure


def pessimistic(tree: Tree) -> ComparedPruning:
    found = PESSIMISTIC.perform(tree, {}, None, None)
    assert isinstance(found, ComparedPruning)
    return found


def by_definition(tree: Tree, number: int = 0) -> set[int]:
    """The nodes that become leaves, by rationals alone."""
    node = tree.nodes[number]
    if not node.branches:
        return set()
    leaves, pending = [], [number]
    while pending:
        one = tree.nodes[pending.pop()]
        pending += one.branches
        leaves += [] if one.branches or not one.weight else [one]
    n = Fraction(node.weight)
    below = sum(Fraction(leaf.weight - max(leaf.counts)) + Fraction(1, 2) for leaf in leaves)
    more = n - max(node.counts) + Fraction(1, 2) - below
    if more <= 0 or (below < n and more * more <= below * (n - below) / n):
        return {number}
    return set().union(*(by_definition(tree, branch) for branch in node.branches))


@given(small_trees())
def test_it_is_its_definition(tree: Tree) -> None:
    found = pessimistic(tree)
    expected = by_definition(tree)
    assert {one.node for one in found.decisions if one.pruned} == expected
    assert structure(found.tree) == structure(cut(tree, expected))


@given(small_trees(gaps=True))
def test_it_is_its_definition_with_fractions_of_rows(tree: Tree) -> None:
    assert {one.node for one in pessimistic(tree).decisions if one.pruned} == by_definition(tree)


def test_by_hand() -> None:
    """Of 14 days five are wrong, and five leaves of no error make 2.5 ± √(2.5·11.5/14)."""
    root, rainy, sunny = pessimistic(rt.ID3().grow(rt.textbook("play-tennis"))).decisions
    assert root.leaf == Fraction(11, 2)
    assert abs(float(root.subtree) - 3.933029) < 1e-6
    assert rainy.leaf == Fraction(5, 2)
    assert abs(float(rainy.subtree) - 1.894427) < 1e-6
    assert [one.pruned for one in (root, rainy, sunny)] == [False, False, False]


def test_within_one_standard_error_it_is_pruned() -> None:
    assert standard_error(1, 2) < standard_error(2, 4) == 1 < standard_error(4, 8)
    table = rt.Table.from_columns({"a": ["u", "u", "v"], "y": ["p", "p", "q"]}, target="y")
    (only,) = pessimistic(rt.ID3().grow(table)).decisions
    assert only.leaf == corrected_errors(1) == Fraction(3, 2)
    assert only.pruned  # 1.5 ≤ 1 + √(2/3)


def test_nothing_is_judged_below_a_leaf() -> None:
    tree = rt.CART().grow(rt.textbook("iris"))
    decisions = pessimistic(tree).decisions
    pruned = {one.node for one in decisions if one.pruned}
    assert pruned
    assert not {one.node for one in decisions if tree.parents[one.node][0] in pruned}
