"""Pruning as tables: the figures are those of the methods, and every decision is there."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.pruning.choosing_alpha import choose
from reference_tree.pruning.cost_complexity import pruning_path
from reference_tree.pruning.cost_function import leaf_cost
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.pruning.record import PathPruning, perform, retraced
from reference_tree.selection.cross_validation import folds
from reference_tree.tree import Tree
from reference_tree.tree_document import read_tree
from reference_tree.views.pruning_tables import growth_sheet, path_sheet, questions, rounds, sheets, twins
from tests.pruning.prunings import small_trees
from tests.views.pruned import (
    BEST_FIRST,
    BOTTOM_UP,
    COST,
    ERRORS,
    FULL,
    NODE_2,
    NODE_3,
    NODE_5,
    NODE_6,
    PATH,
    RECORDS,
    RPART,
    TRAINING,
    VALIDATION,
)

RECORDED = Path(__file__).parents[1] / "recorded"


def rows(record: dict[str, Any], tree: Tree = FULL) -> list[list[tuple[str, ...]]]:
    return [list(sheet.rows) for sheet in sheets(perform(tree, record, TRAINING, VALIDATION))]


@pytest.mark.parametrize("record", [record for record in RECORDS if record is not RPART])
def test_a_row_has_a_cell_for_each_column(record: dict[str, Any]) -> None:
    for sheet in sheets(perform(FULL, record, TRAINING, VALIDATION)):
        assert {len(sheet.head), len(sheet.sides)} == {len(row) for row in (sheet.head, *sheet.rows)}
        assert set(sheet.sides) <= {"l", "r"}


@pytest.mark.parametrize("record", [COST, PATH, BOTTOM_UP, BEST_FIRST, ERRORS])
def test_what_is_said_to_go_is_what_has_gone(record: dict[str, Any]) -> None:
    """Of the nodes that asked, those that no line makes a leaf, and that lie below no such one, still ask."""
    act = perform(FULL, record, TRAINING, VALIDATION)
    lines = [row for sheet in sheets(act) for row in sheet.rows]
    fallen = [row[0] for row in lines if row[-1].endswith(("becomes a leaf", "is cut", "goes with it"))]
    asking = {act.after.path(n) for n, node in enumerate(act.after.nodes) if node.test is not None}
    before = {FULL.path(n) for n, node in enumerate(FULL.nodes) if node.test is not None}
    assert asking == {path for path in before if not any((path + "/").startswith(gone + "/") for gone in fallen)}


def test_costs_are_those_of_the_formula() -> None:
    """By hand: at node 2, 4 rows 1:3 leave 3.245112 bits open; with 1.4 a leaf, 4.645112, against three leaves."""
    (found,) = rows(COST)
    assert found[0] == (NODE_2, "4.645112", "4.2", "stays")
    assert found[-1] == ("/", "11.4", "11", "stays")
    for path, leaf, _, __ in found:
        counts = FULL.nodes[FULL.find(path)].counts
        assert float(leaf) == pytest.approx(float(leaf_cost(counts)) + 1.4, abs=1e-6)


def test_links_are_cut_round_by_round() -> None:
    first, second = rows(PATH)
    assert [(row[0], row[4], row[5]) for row in first] == [
        (NODE_2, "1/20", "is cut"),
        (NODE_6, "1/10", "goes with it"),
        (NODE_5, "1/20", "is cut"),
        (NODE_3, "1/15", "stays"),
        ("/", "1/14", "stays"),
    ]
    assert [row[4:] for row in second] == [("1/10", "stays"), ("1/10", "stays")]


@given(small_trees(), st.integers(0, 5))
@settings(max_examples=30)
def test_the_rounds_end_where_the_tree_was_taken(tree: Tree, number: int) -> None:
    path = pruning_path(tree)
    step = path.steps[min(number, len(path.steps) - 1)]
    record = {"method": "cost-complexity", "profile": "cart-1984", "alpha": str(step.alpha)}
    found = perform(tree, record).found
    assert isinstance(found, PathPruning)
    done = list(rounds(found))
    gone = frozenset[int]().union(*(one.gone for one in done))
    assert gone == {
        n for n, node in enumerate(tree.nodes) if node.test is not None and tree.path(n) not in _asked(found)
    }
    for one in done:
        least = min(link.g for link in one.links)
        assert one.step.alpha == least
        assert bool(one.gone) == (least <= step.alpha)


def _asked(found: PathPruning) -> set[str]:
    return {found.tree.path(n) for n, node in enumerate(found.tree.nodes) if node.test is not None}


def test_rparts_prices_are_those_of_its_table() -> None:
    tree = read_tree(RECORDED / "rpart" / "iris.gini.json")
    act = perform(tree, {"method": "cost-complexity", "profile": "rpart", "alpha": "1/10"})
    (sheet,) = sheets(act)
    table = json.loads((RECORDED / "rpart-paths" / "iris.gini.json").read_text(encoding="utf-8"))
    theirs = {row[table["columns"].index("cp")] for row in table["rows"]} - {-1}
    ours = [(float(Fraction(price)), fate) for _, price, fate in sheet.rows]
    assert sorted({price for price, _ in ours}) == pytest.approx(sorted(theirs), rel=1e-12)
    assert [fate for _, fate in ours] == ["stays" if price > 0.1 else "becomes a leaf" for price, _ in ours]
    assert ours == sorted(ours, key=lambda one: -one[0])


def test_validation_tables_name_the_rows_and_the_score() -> None:
    (sheet,) = sheets(perform(FULL, BOTTOM_UP, None, VALIDATION))
    assert sheet.title == "What 7 validation rows say of each node, from below"
    assert sheet.rows[1] == (NODE_6, "2", "1", "57.1 %", "71.4 %", "becomes a leaf")
    steps = list(sheets(perform(FULL, BEST_FIRST, None, VALIDATION)))
    assert [len(step.rows) for step in steps] == [5, 4, 3, 2, 1]
    assert steps[-1].rows[-1] == ("/", "2", "4", "42.9 %", "helps most, and stays")


def test_a_numeric_target_has_squared_errors() -> None:
    cats = rt.textbook("cats").predicting("weight").without(["cat"])
    tree = rt.CART().grow(cats)
    (sheet,) = sheets(perform(tree, {**BOTTOM_UP, "on_equal": "prune"}, None, cats))
    assert sheet.head[1:5] == ("squared error below", "as a leaf", "mean squared error", "if pruned")
    mean, (_, below, leaf, score, pruned, __) = Fraction(1154, 100), sheet.rows[-1]
    error = sum((Fraction(str(row["weight"])) - mean) ** 2 for row in cats.rows())
    assert Fraction(leaf) == error
    assert float(pruned) == pytest.approx(float(error / 10), rel=1e-5)
    assert float(score) == pytest.approx(float(Fraction(below) / 10), rel=1e-5)


def test_estimates_have_a_branch_only_where_one_may_be_raised() -> None:
    (with_branches,) = rows(ERRORS)
    (without,) = rows({**ERRORS, "raising": False})
    assert [row[3] for row in without] == ["-"] * len(without)
    assert [row[:3] for row in with_branches] == [row[:3] for row in without]
    assert with_branches[0] == (NODE_2, "2.189388", "2.500000", "2.189388", "becomes a leaf")


def test_pre_pruning_names_the_question_of_each_split() -> None:
    """As printed by Zhou: 42.9 → 71.4 %; 57.1 % with 色泽; 71.4 % with 根蒂."""
    learner = PrePruning(rt.ID3(ties=rt.Ties(choose={"/": "脐部"}, label={"/": "是", NODE_3: "是"})))
    tree = learner.grow(TRAINING, VALIDATION)
    past = retraced(tree, TRAINING, VALIDATION).pre_pruned
    assert past is not None
    assert growth_sheet(tree, past).rows == (
        ("/", "脐部", "4", "2", "42.9 %", "71.4 %", "is split"),
        (NODE_2, "色泽", "1", "2", "71.4 %", "57.1 %", "becomes a leaf"),
        (NODE_3, "根蒂", "1", "1", "71.4 %", "71.4 %", "becomes a leaf"),
    )
    assert questions(tree, past) == {0: "脐部", 1: "色泽", 3: "根蒂"}


def test_twins_have_the_same_path() -> None:
    full = rt.C45().grow(rt.textbook("iris"))
    for depth in range(5):
        tree = rt.C45(max_depth=depth).grow(rt.textbook("iris"))
        found = twins(tree, full)
        assert {tree.path(here): full.path(there) for here, there in found.items()} == {
            path: path for path in map(tree.path, range(len(tree.nodes)))
        }


def test_the_sequence_with_and_without_cross_validation() -> None:
    iris = rt.textbook("iris")
    choice = choose(rt.C45().grow, iris, folds(iris, 5, seed=1))
    plain, judged = path_sheet(choice.path), path_sheet(choice.path, choice)
    assert [row[:3] for row in judged.rows] == list(plain.rows)
    assert plain.rows[2] == ("1/150", "4", "2/75")
    for row, found in zip(judged.rows, choice.estimates, strict=True):
        assert Fraction(row[3]) == found.risk
        assert float(row[4]) ** 2 == pytest.approx(float(found.squared_standard_error), abs=1e-7)
    assert [row[5] for row in judged.rows].index("least, chosen") == choice.best == choice.chosen
