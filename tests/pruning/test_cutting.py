"""Surgery on trees: what is cut is gone, what stays is as it was, and the numbers fit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.questions import Threshold
from reference_tree.data.table import Table
from reference_tree.learners.c45 import C45
from reference_tree.learners.growing import grow
from reference_tree.learners.id3 import ID3
from reference_tree.pruning.cutting import (
    cut,
    narrowed,
    postorder,
    pruned_by,
    recounted,
    shape,
)
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json, to_json
from tests.every import of_every
from tests.pruning.prunings import choices, raise_branch, recount, small_trees, structure
from tests.strategies import tables_with_gaps


def descendants(tree: Tree, number: int) -> set[int]:
    """All nodes below a node, found from the bottom: those whose way up passes it."""
    found = set()
    for candidate in range(len(tree.nodes)):
        above = candidate
        while above > 0:
            above = tree.parents[above][0]
            if above == number:
                found.add(candidate)
    return found


@given(small_trees())
def test_in_postorder_every_node_comes_after_its_branches_and_these_in_their_order(tree: Tree) -> None:
    order = postorder(tree)
    assert sorted(order) == list(range(len(tree.nodes)))
    place = {number: index for index, number in enumerate(order)}
    for number, node in enumerate(tree.nodes):
        places = [place[branch] for branch in node.branches]
        assert [*places, place[number]] == sorted([*places, place[number]])


@given(small_trees())
def test_the_shape_counts_what_is_below(tree: Tree) -> None:
    found, depths = shape(tree), tree.depths()
    for number in range(len(tree.nodes)):
        below = descendants(tree, number) | {number}
        assert found.sizes[number] == len(below)
        assert found.leaves[number] == sum(1 for other in below if tree.nodes[other].test is None)
        assert found.heights[number] == max(depths[other] for other in below) - depths[number]


@given(small_trees(), st.data())
def test_a_cut_tree_is_the_tree_without_what_is_below(tree: Tree, data: st.DataObject) -> None:
    chosen = data.draw(st.sets(st.integers(0, len(tree.nodes) - 1)))
    pruned = cut(tree, chosen)
    gone = set().union(*(descendants(tree, number) for number in chosen), set())
    kept = [number for number in range(len(tree.nodes)) if number not in gone]
    assert len(pruned.nodes) == len(kept)
    for node, number in zip(pruned.nodes, kept, strict=True):
        before = tree.nodes[number]
        assert (node.counts, node.label, node.tied, node.prior) == (
            before.counts,
            before.label,
            before.tied,
            before.prior,
        )
        if number in chosen and before.test is not None:
            assert (node.test, node.stop) == (None, "pruned")
        else:
            assert (node.test, node.stop, node.missing) == (before.test, before.stop, before.missing)
            assert [kept[branch] for branch in node.branches] == list(before.branches)


@given(small_trees())
def test_a_pruned_tree_is_a_tree_document(tree: Tree) -> None:
    for chosen in choices(tree)[:20]:
        pruned = cut(tree, chosen)
        assert structure(from_json(to_json(pruned))) == structure(pruned)


def test_cutting_nothing_changes_nothing() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    assert cut(tree, []) == tree
    assert cut(tree, tree.leaves()) == tree


def test_a_node_that_is_not_there_cannot_be_cut() -> None:
    tree = rt.ID3(max_depth=0).grow(rt.textbook("play-tennis"))
    for number in (7, 1, -1):
        with pytest.raises(ValueError, match=f"the tree has no node {number}; its nodes are 0 to 0"):
            cut(tree, [number])


@pytest.mark.slow
def test_a_chain_of_thousands_is_cut_at_its_end() -> None:
    tiny = rt.ID3(max_depth=1).grow(Table.from_columns({"a": ["p", "q"], "y": ["n", "y"]}, target="y"))
    inner, *leaves = tiny.nodes
    depth = 20_000
    nodes = []
    for level in range(depth):
        nodes += [replace(inner, branches=(2 * level + 1, 2 * level + 2)), leaves[0]]
    chain = replace(tiny, nodes=(*nodes, leaves[1]))
    assert shape(chain).heights[0] == depth
    assert postorder(chain)[-1] == 0
    assert len(cut(chain, [2 * (depth - 1)]).nodes) == 2 * depth - 1


# Raising.


@given(tables_with_gaps(), st.data())
def test_a_raised_branch_has_the_rows_of_its_parent(table: Table, data: st.DataObject) -> None:
    tree = grow(C45(), table)
    asking = [number for number, node in enumerate(tree.nodes) if node.test is not None]
    if not asking:
        return
    number = data.draw(st.sampled_from(asking))
    branch = data.draw(st.integers(0, len(tree.nodes[number].branches) - 1))
    raised = recount(raise_branch(tree, number, branch), table)
    raised.check(table)
    assert raised.nodes[0].counts == tree.nodes[0].counts
    assert len(raised.nodes) <= len(tree.nodes) - 1


@of_every(
    [
        ([0, 2], False, (0, 2)),
        ([0, 1, 2], False, (1, 2)),
        ([0, 1, 2], True, (0, 1)),
        ([Fraction(1, 2), 3], False, (Fraction(1, 2), 2)),
        ([0, Fraction(3, 2)], True, (0, Fraction(3, 2))),
        ([-1, Fraction(1, 2)], False, (Fraction(1, 2), 2)),
        ([5], False, (0, 2)),
        ([None, 1], False, (1, 2)),
    ]
)
def test_the_interval_of_a_question_holds_no_value_of_the_rows_that_now_reach_it(
    values: list[Any], strict: bool, interval: tuple[Any, Any]
) -> None:
    table = Table.from_columns({"x": values, "y": ["n"] * len(values)}, continuous=["x"])
    question = Threshold("x", 1, interval=(0, 2), strict=strict)
    assert narrowed(question, table.sample()) == replace(question, interval=interval)


@pytest.mark.slow
@given(tables_with_gaps())
def test_a_tree_recounted_on_its_own_rows_is_the_same(table: Table) -> None:
    tree = grow(C45(), table)
    assert recount(tree, table) == tree


def test_a_recounted_label_stays_while_it_is_among_the_largest() -> None:
    tree = rt.ID3(max_depth=0).grow(Table.from_columns({"a": ["p", "p", "p"], "y": ["n", "y", "y"]}, target="y"))
    tied = recount(tree, Table.from_columns({"a": ["p", "p"], "y": ["n", "y"]}, target="y"))
    assert (tied.nodes[0].label, tied.nodes[0].tied, tied.nodes[0].stop) == ("y", ("n", "y"), "max-depth")
    turned = recount(tree, Table.from_columns({"a": ["p", "p", "p"], "y": ["n", "n", "y"]}, target="y"))
    assert turned.nodes[0].label == "n"


def test_without_the_class_of_a_label_the_first_of_the_largest_is_taken() -> None:
    tree = rt.ID3(max_depth=0).grow(Table.from_columns({"a": list("pppp"), "y": list("klmm")}, target="y"))
    rows = Table.from_columns({"a": list("pp"), "y": list("kl")}, target="y")
    node, sample = tree.nodes[0], replace(rows, schema=replace(rows.schema, target=tree.target)).sample()
    assert recounted(node, sample, "m", tree.target).label == "k"
    kept, first = (recounted(replace(node, label="l"), sample, "m", tree.target, keeps) for keeps in (True, False))
    assert (kept.label, first.label) == ("l", "k")
    assert recounted(replace(node, label="l"), sample, "m", tree.target) == kept


def test_shares_are_those_of_the_rows_that_now_answer() -> None:
    columns: dict[str, list[Any]] = {"a": ["p", "p", None, "q", "q"], "y": list("nnnyy")}
    table = Table.from_columns(columns, target="y")
    tree = grow(C45(), table)

    def shares(rows: slice) -> tuple[Any, ...]:
        some = replace(table, columns={name: cells[rows] for name, cells in table.columns.items()})
        return recount(tree, some).nodes[0].missing.shares

    assert shares(slice(5)) == (Fraction(1, 2), Fraction(1, 2))
    assert shares(slice(3)) == shares(slice(2)) == (1, 0)
    assert shares(slice(2, 3)) == (Fraction(1, 2), Fraction(1, 2)), "no row answers"
    without_gaps = grow(ID3(), Table.from_columns({"a": list("ppqq"), "y": list("nnyy")}, target="y"))
    assert recount(without_gaps, table).nodes[0].missing.shares == (Fraction(1, 2), Fraction(1, 2))
    plain = rt.ID3().grow(rt.textbook("play-tennis"))
    assert recount(plain, rt.textbook("play-tennis")) == plain


def test_reasons_that_have_become_untrue_are_given_up() -> None:
    table = Table.from_columns({"a": list("ppqq"), "b": list("stst"), "y": list("nyyy")}, target="y")
    tree = grow(ID3(), table)
    assert [node.stop for node in tree.nodes if node.test is None] == ["pure", "pure", "pure"]
    raised = recount(raise_branch(tree, 0, 0), table)
    assert [(node.counts, node.stop) for node in raised.nodes] == [((1, 3), None), ((1, 1), "pruned"), ((0, 2), "pure")]


def test_where_no_row_arrives_the_label_is_that_of_the_node_above() -> None:
    table = Table.from_columns({"a": list("pqr"), "b": list("sst"), "y": list("nyy")}, target="y")
    last = replace(table, columns={name: cells[2:] for name, cells in table.columns.items()})
    recounted = recount(grow(ID3(), table), last)
    assert [(node.counts, node.label, node.stop, node.prior) for node in recounted.nodes] == [
        ((0, 1), "y", None, False),
        ((0, 0), "y", "empty", True),
        ((0, 0), "y", "empty", True),
        ((0, 1), "y", "pure", False),
    ]
    none = replace(table, columns={name: cells[:0] for name, cells in table.columns.items()})
    tree = grow(ID3(), table)
    turned = replace(tree, nodes=(replace(tree.nodes[0], label="n"), *tree.nodes[1:]))
    assert [(node.counts, node.label, node.stop) for node in recount(turned, none).nodes] == [((0, 0), "n", "empty")]


# What the tree says of it.


def test_what_was_done_to_a_tree_is_noted_in_order() -> None:
    tree = rt.ID3(epsilon=Fraction(1, 10)).grow(rt.textbook("play-tennis"))
    twice = pruned_by(pruned_by(tree, "cost-function", alpha="1"), "error-based", confidence="1/4")
    assert twice.grower.options["pruning"] == [
        {"method": "cost-function", "alpha": "1"},
        {"method": "error-based", "confidence": "1/4"},
    ]
    assert twice.grower.options["epsilon"] == tree.grower.options["epsilon"]
    assert "pruning" not in tree.grower.options
