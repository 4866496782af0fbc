"""Pruning worked out: from a tree that was pruned to all of its decisions, and to those at one node."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.exact.rounding import decimal
from reference_tree.learners.options import Options
from reference_tree.programs.c45.release8 import collapsed
from reference_tree.pruning.choosing_alpha import choose
from reference_tree.pruning.cost_function import leaf_cost
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.pruning.record import perform, retraced
from reference_tree.selection.cross_validation import folds
from reference_tree.tree import Tree
from reference_tree.tree_document import read_tree
from reference_tree.views.derivation.blocks import Facts, Legend, NodeHeading, Ranking, Scope, path_of
from reference_tree.views.derivation.cost_pruning import path_table
from reference_tree.views.derivation.numerals import NumberFormat
from reference_tree.views.derivation.prunings import derive_history, derive_pruning, method_facts, tables, work_out
from reference_tree.views.derivation.writers import WRITERS
from reference_tree.views.trees.text import to_text
from tests.every import of_every
from tests.views.checked import contradictions, relations
from tests.views.pruned import (
    BEST_FIRST,
    BOTTOM_UP,
    COST,
    ERRORS,
    FROM_ABOVE,
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
    ZHOU,
)

RECORDED = Path(__file__).parents[2] / "recorded"
SOME = [record for record in RECORDS if record not in (RPART, FROM_ABOVE)]


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("record", SOME)
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_derivation_begins_with_what_the_letters_mean(record: dict[str, Any], form: Any) -> None:
    act = perform(FULL, record, TRAINING, VALIDATION)
    blocks = list(work_out(act))
    assert isinstance(blocks[0], Legend)
    assert sum(isinstance(block, NodeHeading) for block in blocks) >= 2
    assert "\n".join(WRITERS[form](blocks))


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("record", SOME)
def test_no_bar_in_a_formula_divides_a_cell_of_markdown(record: dict[str, Any]) -> None:
    """Each line of a table has as many bars as the line above it."""
    page = list(WRITERS["markdown"](derive_pruning(perform(FULL, record, TRAINING, VALIDATION))))
    pairs = [(above, line) for above, line in pairwise(page) if above[:1] + above[-1:] + line[:1] + line[-1:] == "||||"]
    assert pairs
    assert [line for above, line in pairs if line.count("|") != above.count("|")] == []


@pytest.mark.one_in(2, 6)
@pytest.mark.parametrize("record", SOME)
def test_one_node_is_a_part_of_it(record: dict[str, Any]) -> None:
    act = perform(FULL, record, TRAINING, VALIDATION)
    whole = list(work_out(act))
    for number, node in enumerate(FULL.nodes):
        part = list(work_out(act, number))
        assert bool(part) == (node.test is not None)
        assert all(block in whole for block in part)
        assert any(isinstance(block, Legend) for block in part) == bool(part)


def test_rparts_one_pass_is_shown_as_a_table() -> None:
    act = perform(rt.CART().grow(TRAINING), RPART)
    assert list(work_out(act)) == list(tables(act))
    assert list(work_out(act, 0)) == []


def test_what_a_method_was_told() -> None:
    assert method_facts(ERRORS) == [
        ("method", "error-based"),
        ("profile", "c45-r8"),
        ("confidence", "1/4"),
        ("limit", "table"),
        ("raising", "yes"),
    ]
    assert method_facts({**ERRORS, "profile": None, "raising": False})[-1] == ("raising", "no")


@pytest.mark.one_in(4, 24)
@pytest.mark.parametrize("record", SOME)
@pytest.mark.parametrize("name", ["melons", "golf", "iris", "watermelon-2.0a", "labor"])
def test_no_line_is_contradicted_by_a_calculator(record: dict[str, Any], name: str) -> None:
    if name == "melons":
        tree, data, held = FULL, TRAINING, VALIDATION
    elif name == "labor":
        tree, data = read_tree(RECORDED / "weka-j48" / "labor.unpruned.json"), rt.read(RECORDED / "data" / "labor.arff")
        held = data
    else:
        held = data = rt.textbook(name)
        tree = rt.C45().grow(data)
    act = perform(tree, record, data, held)
    page = "\n".join(WRITERS["text"](derive_pruning(act)))
    assert not contradictions(page)
    assert len(list(relations(page))) >= 3


# A tree that was pruned.


@pytest.mark.slow
@pytest.mark.parametrize("record", SOME)
def test_a_pruned_tree_is_explained_from_the_full_one_on(record: dict[str, Any]) -> None:
    pruned = perform(FULL, record, TRAINING, VALIDATION).after
    text = rt.explain(pruned, TRAINING, validation=VALIDATION)
    full = rt.explain(FULL, TRAINING)
    derivation = full[full.index("\n/   10 rows") : full.index("\nThe tree\n")]
    assert derivation in text
    assert text.index(derivation) < text.index("Pruned by ")
    assert text.endswith(f"\nThe tree\n────────\n\n{to_text(pruned)}")
    head, _ = text.split("\n\n", 2)[1:]
    assert "pruning" not in head
    assert "$$" in rt.explain(pruned, TRAINING, validation=VALIDATION, format="markdown")


@pytest.mark.parametrize("record", [COST, PATH])
def test_leaves_that_no_training_row_reaches_are_said_to_be_there(record: dict[str, Any]) -> None:
    """By hand: of melons that are 乌黑, none of the ten is 硬挺, and of the 稍蜷 ones none is 模糊."""
    page = list(derive_pruning(perform(rt.ID3().grow(TRAINING), record)))
    assert isinstance(page[0], Facts)
    assert dict(page[0].lines)["before"] == "13 nodes, 9 leaves, 2 of them without a training row"
    assert "|T_t| its leaves that a training row reaches" in " ".join("\n".join(WRITERS["text"](page)).split())
    full, *_ = derive_pruning(perform(rt.ID3().grow(rt.textbook("play-tennis")), record))
    assert ("before", "8 nodes, 5 leaves") in full.lines  # type: ignore[union-attr]


def test_at_one_node_there_is_its_split_and_what_pruning_said_of_it() -> None:
    pruned = perform(perform(FULL, COST).after, BOTTOM_UP, None, VALIDATION).after
    text = rt.explain(pruned, TRAINING, node=NODE_2, validation=VALIDATION)
    assert text.startswith(f"{NODE_2}   4 rows")
    assert "Split on 色泽" in text
    assert "C_α(T_t) = 2·0 + 1·0 + 1·0 + 1.4·3 = 4.2 bits" in text
    assert "1 < 2: fewer are wrong if it is a leaf" in text
    gone = rt.explain(pruned, TRAINING, node=NODE_6, validation=VALIDATION)
    assert "3.4 > 2.8" in gone
    assert "E(T_t)" not in gone  # the cost function had removed it before
    with pytest.raises(InputError, match="there is no node at '/纹理=清晰'"):
        rt.explain(pruned, TRAINING, node="/纹理=清晰", validation=VALIDATION)


def test_validation_rows_have_to_be_brought_along() -> None:
    pruned = perform(FULL, BEST_FIRST, None, VALIDATION).after
    with pytest.raises(InputError, match="needs a validation set, and none is given"):
        rt.explain(pruned, TRAINING)
    with pytest.raises(InputError, match="give it, too"):
        rt.explain(PrePruning(rt.ID3()).grow(TRAINING, VALIDATION), TRAINING)


# A tree that was pre-pruned.


@pytest.mark.slow
@pytest.mark.parametrize(
    "learner", [ZHOU, rt.C45(), rt.C45.like("li-hang"), rt.CART(), rt.CART(criterion="entropy"), rt.ID3(max_depth=1)]
)
@pytest.mark.parametrize("on_equal", ["stop", "split"])
def test_every_node_of_a_pre_pruned_tree_is_derived_and_no_other(learner: Options, on_equal: Any) -> None:
    ties = rt.Ties(choose={"/": "脐部"}, label={"/": "是", NODE_3: "是"}) if learner is ZHOU else rt.Ties()
    tree = PrePruning(replace(learner, ties=ties), on_equal).grow(TRAINING, VALIDATION)
    past = retraced(tree, TRAINING, VALIDATION)
    blocks = list(derive_history(past, TRAINING))
    headings = [block.path for block in blocks if isinstance(block, NodeHeading)]
    assert headings == [path_of(tree, number) for number in range(len(tree.nodes))]
    text = rt.explain(tree, TRAINING, validation=VALIDATION)
    refused = [node for node in tree.nodes if node.stop == "pre-pruned"]
    inner = [node for node in tree.nodes if node.test is not None]
    assert text.count("(pre-pruned)") == len(refused)
    assert len(re.findall(r"the\s+node\s+is\s+split", text)) == len(inner)
    assert len(re.findall(r"^Split on ", text, re.MULTILINE)) == len(refused) + len(inner)
    for number, path in enumerate(headings):
        one = rt.explain(tree, TRAINING, node=path, validation=VALIDATION)
        assert one.startswith(path + " ")
        assert ("(pre-pruned)" in one) == (tree.nodes[number].stop == "pre-pruned")


@pytest.mark.slow
@pytest.mark.parametrize(("digits", "shown"), [(3, 5), (9, 9)])  # two more, where a difference of two gains needs them
@pytest.mark.parametrize("path", [None, "/"])
def test_figures_of_a_pre_pruned_tree_have_the_digits_that_were_asked_for(
    path: str | None, digits: int, shown: int
) -> None:
    tree = PrePruning(rt.ID3(), "split").grow(TRAINING, VALIDATION)
    gain = max(one.scores["gain"] for one in rt.ID3().decide(TRAINING.sample()).candidates)
    blocks = derive_history(retraced(tree, TRAINING, VALIDATION), TRAINING, Scope(path, digits=NumberFormat(digits)))
    best = next(line.score for block in blocks if isinstance(block, Ranking) for line in block.lines)
    assert best == decimal(gain, shown)


def test_a_tree_that_collapsed_after_pre_pruning_says_so() -> None:
    table = rt.Table.from_columns({"a": list("uuvv") * 2, "y": ["no", "yes", "no", "no"] * 2})
    tree = PrePruning(rt.C45.with_options(collapse=collapsed), "split").grow(table, table)
    text = rt.explain(tree, table, validation=table)
    assert [node.stop for node in tree.nodes] == ["collapsed"]
    assert "At last, subtrees with no fewer training errors than a leaf were collapsed." in text


def test_pruned_after_it_was_pre_pruned() -> None:
    grown = PrePruning(rt.ID3(), "split").grow(TRAINING, VALIDATION)
    pruned = perform(grown, PATH).after
    text = rt.explain(pruned, TRAINING, validation=VALIDATION)
    assert text.index("validation rows") < text.index("Pruned by cost and complexity")


# As tables.


def rows(record: dict[str, Any], tree: Tree = FULL) -> list[list[tuple[str, ...]]]:
    return [list(table.rows) for table in tables(perform(tree, record, TRAINING, VALIDATION))]


@of_every([record for record in RECORDS if record is not RPART])
def test_a_row_has_a_cell_for_each_column(record: dict[str, Any]) -> None:
    for table in tables(perform(FULL, record, TRAINING, VALIDATION)):
        assert {len(table.head), len(table.sides)} == {len(row) for row in (table.head, *table.rows)}
        assert set(table.sides) <= {"l", "r"}


@of_every([COST, PATH, BOTTOM_UP, BEST_FIRST, ERRORS])
def test_what_is_said_to_go_is_what_has_gone(record: dict[str, Any]) -> None:
    """Of the nodes that asked, those that no line makes a leaf, and that lie below no such one, still ask."""
    act = perform(FULL, record, TRAINING, VALIDATION)
    lines = [row for table in tables(act) for row in table.rows]
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


def test_rparts_prices_are_those_of_its_table() -> None:
    tree = read_tree(RECORDED / "rpart" / "iris.gini.json")
    act = perform(tree, {"method": "cost-complexity", "profile": "rpart", "alpha": "1/10"})
    (table,) = tables(act)
    recorded = json.loads((RECORDED / "rpart-paths" / "iris.gini.json").read_text(encoding="utf-8"))
    theirs = {row[recorded["columns"].index("cp")] for row in recorded["rows"]} - {-1}
    ours = [(float(Fraction(price)), fate) for _, price, fate in table.rows]
    assert sorted({price for price, _ in ours}) == pytest.approx(sorted(theirs), rel=1e-12)
    assert [fate for _, fate in ours] == ["stays" if price > 0.1 else "becomes a leaf" for price, _ in ours]
    assert ours == sorted(ours, key=lambda one: -one[0])


def test_validation_tables_name_the_rows_and_the_score() -> None:
    (table,) = tables(perform(FULL, BOTTOM_UP, None, VALIDATION))
    assert table.title == "The errors of 7 validation rows at each node, from below"
    assert table.rows[1] == (NODE_6, "2", "1", "57.1 %", "71.4 %", "becomes a leaf")
    steps = list(tables(perform(FULL, BEST_FIRST, None, VALIDATION)))
    assert [len(step.rows) for step in steps] == [5, 4, 3, 2, 1]
    assert steps[-1].rows[-1] == ("/", "2", "4", "42.9 %", "helps most, and stays")


def test_a_numeric_target_has_squared_errors() -> None:
    cats = rt.textbook("cats").predicting("weight").without(["cat"])
    tree = rt.CART().grow(cats)
    (table,) = tables(perform(tree, {**BOTTOM_UP, "on_equal": "prune"}, None, cats))
    assert table.head[1:5] == ("squared error below", "as a leaf", "mean squared error", "if pruned")
    mean, (_, below, leaf, score, pruned, __) = Fraction(1154, 100), table.rows[-1]
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


def test_the_sequence_with_and_without_cross_validation() -> None:
    iris = rt.textbook("iris")
    choice = choose(rt.C45().grow, iris, folds(iris, 5, seed=1))
    plain, judged = path_table(choice.path), path_table(choice.path, choice)
    assert [row[:3] for row in judged.rows] == list(plain.rows)
    assert plain.rows[2] == ("1/150", "4", "2/75")
    for row, found in zip(judged.rows, choice.estimates, strict=True):
        assert Fraction(row[3]) == found.risk
        assert float(row[4]) ** 2 == pytest.approx(float(found.squared_standard_error), abs=1e-7)
    assert [row[5] for row in judged.rows].index("least, chosen") == choice.best == choice.chosen
