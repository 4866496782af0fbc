"""Collapsing: where it happens, and that its order is no matter."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import given

from reference_tree.data.questions import REFUSED
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.programs.c45.release8 import collapsed, training_errors
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json, to_json
from tests.every import of_every
from tests.strategies import tables_with_gaps


def wrong(tree: Tree, number: int) -> Fraction:
    counts = tree.nodes[number].counts
    return Fraction(sum(counts)) - max(counts)


def by_recursion(tree: Tree, number: int = 0) -> tuple[Fraction, list[str]]:
    """The errors of the leaves below a node, and the paths of what is left, bottom-up: as release 8 does it."""
    node = tree.nodes[number]
    if node.test is None:
        return wrong(tree, number), [tree.path(number)]
    below = [by_recursion(tree, branch) for branch in node.branches]
    errors = sum((e for e, _ in below), Fraction(0))
    if errors >= wrong(tree, number) - Fraction(1, 1000):
        return errors, [tree.path(number)]
    return errors, [tree.path(number), *(path for _, paths in below for path in paths)]


@given(tables_with_gaps(rows=12))
def test_bottom_up_and_top_down_are_the_same(table: Table) -> None:
    tree = C45.like("li-hang").grow(table)
    errors, paths = by_recursion(tree)
    small = collapsed(tree)
    assert [small.path(number) for number in range(len(small.nodes))] == paths
    assert training_errors(tree)[0] == errors
    small.check(table)
    assert from_json(to_json(small)) == small
    assert collapsed(small) == small


@given(tables_with_gaps(rows=12))
def test_no_training_row_is_answered_worse(table: Table) -> None:
    tree = C45().grow(table)
    assert training_errors(collapsed(tree))[0] <= training_errors(tree)[0] + Fraction(len(tree.nodes), 1000)


def grown(columns: dict[str, list[Any]]) -> Tree:
    return C45.with_options(collapse=collapsed).grow(Table.from_columns(columns))


def test_a_split_that_foretells_nothing_new_becomes_a_leaf() -> None:
    columns = {"a": list("ppppqqqq"), "y": list("nnnnnnny")}
    tree = grown(columns)
    assert [(node.stop, node.label, node.counts) for node in tree.nodes] == [("collapsed", "n", (7, 1))]
    assert C45().grow(Table.from_columns(columns)).nodes[0].test is not None
    # One row more that the split answers better, and it stays.
    assert len(grown({"a": list("ppppqqqqq"), "y": list("nnnnnnyyy")}).nodes) == 3


def test_only_the_uppermost_subtree_is_left_a_leaf() -> None:
    tree = grown({"a": list("ppppqqqq"), "b": list("stststst"), "y": list("nnnynnny")})
    assert [node.stop for node in tree.nodes] == ["collapsed"]


def test_a_thousandth_of_a_row_is_not_enough() -> None:
    def weighted(extra: Fraction) -> Tree:
        columns: dict[str, list[Any]] = {
            "a": list("ppqq"), "w": [5, 1, Fraction(1, 2), Fraction(1, 2) + extra], "y": list("nyny"),
        }  # fmt: skip
        return C45.with_options(collapse=collapsed).grow(Table.from_columns(columns, weights="w"))

    assert len(weighted(Fraction(1, 1000)).nodes) == 1
    assert len(weighted(Fraction(11, 10_000)).nodes) == 3


def test_an_exclusive_or_survives_if_it_is_grown_to_the_end() -> None:
    columns = {"a": list("0011"), "b": list("0101"), "y": list("nyyn")}
    assert len(grown(columns).nodes) == 7
    table = Table.from_columns(columns)
    assert len(C45.with_options(collapse=collapsed, max_depth=1).grow(table).nodes) == 1


@of_every(["golf", "watermelon-3.0", "cats"])
def test_a_tree_without_errors_stays_as_it_is(name: str) -> None:
    tree = C45().grow(textbook(name))
    assert collapsed(tree) is tree


def test_the_leaf_keeps_its_tie_and_forgets_where_missing_values_go() -> None:
    columns: dict[str, list[Any]] = {"a": ["p", "p", "q", "q", None], "y": list("nynyn")}
    whole = C45().grow(Table.from_columns(columns))
    small = collapsed(whole)
    assert whole.nodes[0].missing.rule == "fractions"
    root = replace(whole.nodes[0], test=None, branches=(), stop="collapsed", missing=REFUSED)
    assert small.nodes == (root,)
    assert small.nodes[0].missing.rule == "error"
