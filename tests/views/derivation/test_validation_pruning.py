"""Pruning by validation rows: what is shown is true, and is what decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.learners.growing import grow
from reference_tree.learners.id3 import ID3
from reference_tree.pruning.cutting import cut
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.pruning.record import retraced
from reference_tree.pruning.reduced_error import best_first, bottom_up
from reference_tree.selection.validation import NodeErrors
from reference_tree.views.derivation.blocks import DecisionTable, Equation, Equations, Sentence
from reference_tree.views.derivation.notation import opened, text
from reference_tree.views.derivation.validation_pruning import LINES, HeldOutRows, Words, growth, validated
from reference_tree.views.derivation.writers.text import write
from tests.strategies import categorical_tables, columns
from tests.views.arithmetic import evaluated
from tests.views.checked import contradictions, relations
from tests.views.pruned import FULL, NODE_2, NODE_3, NODE_5, NODE_6, TRAINING, VALIDATION


def equations(blocks: Iterator[Any] | tuple[Any, ...]) -> list[Equation]:
    return [line for block in blocks if isinstance(block, Equations) for line in block.lines]


def sentences(blocks: tuple[Any, ...]) -> str:
    return " ".join(block.text for block in blocks if isinstance(block, Sentence))


def table_of(blocks: tuple[Any, ...]) -> DecisionTable:
    (found,) = (block for block in blocks if isinstance(block, DecisionTable))
    return found


@given(categorical_tables(rows=8, attributes=3), st.sampled_from(["prune", "keep"]))
@settings(max_examples=2 * settings().max_examples)
def test_one_pass_is_worked_out_as_it_was_decided(table: rt.Table, on_equal: Any) -> None:
    tree = grow(ID3(), table)
    found = bottom_up(tree, table, on_equal)
    for part, tree_step in zip(validated(found, table), found.tree_steps(), strict=True):
        below, leaf, stands, pruned = equations(part.blocks)
        assert (below.worked.value, leaf.worked.value) == (tree_step.step.before, tree_step.step.after)
        assert stands.worked.value == 1 - found.rate(tree_step.before)
        assert pruned.worked.value == 1 - found.rate(tree_step.after)
        for line in (below, leaf, stands, pruned):
            assert evaluated(text(opened(line.worked))) == pytest.approx(float(line.worked.value))
        assert ("becomes one" in sentences(part.blocks)) == tree_step.step.done


def test_zhous_pruning_in_words() -> None:
    pruning = bottom_up(FULL, VALIDATION, "keep")
    found = list(validated(pruning, VALIDATION))
    below = {FULL.path(min(part.nodes)): equations(part.blocks)[0].worked for part in found}
    assert {path: worked.value for path, worked in below.items()} == {
        FULL.path(step.number): step.before for step in pruning.steps
    }
    assert [text(opened(below[path])) for path in (NODE_6, NODE_5, "/")] == ["0 + 1 + 1", "1 + 0 + 0", "1 + 0 + 1"]
    parts = {FULL.path(min(part.nodes)): sentences(part.blocks) for part in found}
    assert parts[NODE_6] == "1 < 2: fewer are wrong if it is a leaf, and it becomes one."
    assert parts[NODE_5] == "1 = 1: as many are wrong if it is a leaf, and ties keep: it stays."
    assert parts["/"] == "4 > 2: more are wrong if it is a leaf, and it stays."


def test_of_parts_of_rows_it_is_the_weight_that_is_wrong() -> None:
    """By hand: the rows of weight 1/2 and 1 at v are no yes; as a leaf, no is wrong for the three halves of u."""
    columns = {"x": list("uuvv"), "y": ["no", "no", "yes", "no"], "w": ["1/2", "1", "1/2", "1"]}
    held = rt.Table.from_columns(columns, target="y", weights="w")
    tree = rt.ID3().grow(rt.Table.from_columns({"x": list("uuvv"), "y": ["no", "no", "yes", "yes"]}))
    (part,) = validated(bottom_up(tree, held), held)
    assert sentences(part.blocks) == "0.5 < 1: less weight is wrong if it is a leaf, and it becomes one."


def test_every_step_of_best_first_shows_every_node_that_asks() -> None:
    found = best_first(FULL, VALIDATION)
    parts = list(validated(found, VALIDATION))
    assert [len(part.nodes) for part in parts] == [5, 4, 3, 2, 1]
    for index, part in enumerate(parts):
        *saved, stands, pruned = equations(part.blocks)
        candidates = found.candidates(index)
        assert [line.worked.value for line in saved] == [one.before - one.after for one in candidates]
        step = found.steps[index]
        assert pruned.worked.value - stands.worked.value == Fraction(step.before - step.after, 7)
        assert sentences(part.blocks).startswith(FULL.path(step.number) + " saves most, ")
    assert "it stays" in sentences(parts[-1].blocks)


def test_a_numeric_target_has_mean_squared_errors() -> None:
    cats = rt.textbook("cats").predicting("weight").without(["cat"])
    found = bottom_up(rt.CART().grow(cats), cats)
    *_, root = validated(found, cats)
    _, leaf, stands, pruned = equations(root.blocks)
    assert pruned.worked.value == leaf.worked.value / 10
    assert stands.worked.value == found.tree.mean_squared_error(cats)
    assert stands.symbol.text == "MSE(T)"
    assert "the squared error is " in sentences(root.blocks)
    assert "the mean squared error" in Words(found.tree, found.validation_errors).legend().lines[2][1]


def test_validation_rows_that_stay_at_a_node_are_counted_there() -> None:
    """A row that does not answer and stays is wrong there, whatever is right below."""
    rows = rt.Table.from_columns({"x": list("uuvvu"), "y": ["no", "no", "yes", "yes", "no"]})
    tree = rt.CART(missing="stay").grow(rows)
    held = rt.Table.from_columns({"x": [None, "u", "v"], "y": ["yes", "no", "yes"]})
    found = bottom_up(tree, held)
    (part,) = validated(found, held)
    assert equations(part.blocks)[0].worked.value == found.steps[0].before == 1
    assert text(opened(equations(part.blocks)[0].worked)) == "0 + 0 + 1"


def test_pre_pruning_says_what_the_rows_said_of_each_split() -> None:
    learner = PrePruning(rt.ID3(ties=rt.Ties(choose={"/": "脐部"}, label={"/": "是", NODE_3: "是"})))
    tree = learner.grow(TRAINING, VALIDATION)
    past = retraced(tree, TRAINING, VALIDATION).pre_pruned
    assert past is not None
    found = growth(past, tree)
    assert list(found) == [0, 1, 3]
    assert [[line.worked.value for line in equations(blocks)] for blocks in found.values()] == [
        [4, 2, Fraction(3, 7), Fraction(5, 7)],
        [1, 2, Fraction(5, 7), Fraction(4, 7)],
        [1, 1, Fraction(5, 7), Fraction(5, 7)],
    ]
    assert [sentences(blocks).split(", ", 1)[1] for blocks in found.values()] == [
        "fewer are wrong after the split, and the node is split.",
        "more are wrong after the split, and it is not split. The node is a leaf (pre-pruned).",
        "as many are wrong after the split, and on a tie it is not split. The node is a leaf (pre-pruned).",
    ]
    lenient = replace(learner, on_equal="split").grow(TRAINING, VALIDATION)
    again = retraced(lenient, TRAINING, VALIDATION).pre_pruned
    assert again is not None
    assert "as many are wrong after the split, and on a tie the node is split." in sentences(growth(again, lenient)[3])


# Which rows come.


def test_zhous_rows_at_his_nodes() -> None:
    """By hand: melons 4, 5, 8, 9, 11, 12 and 13 are held out, as rows 1 to 7; of them 1, 2 and 7 are hollow (凹陷)."""
    parts = {FULL.path(min(part.nodes)): part.blocks for part in validated(bottom_up(FULL, VALIDATION), VALIDATION)}
    assert table_of(parts[NODE_2]).head == ("rows", "n", "好瓜", "ends in", "below", "wrong", "as a leaf", "wrong")
    assert list(table_of(parts[NODE_2]).rows) == [
        ("2", "1", "是", f"{NODE_2}/色泽=浅白", "否", "1", "是", "0"),
        ("1", "1", "是", f"{NODE_2}/色泽=青绿", "是", "0", "是", "0"),
        ("7", "1", "否", f"{NODE_2}/色泽=青绿", "是", "1", "是", "1"),
        ("all", "3", "", "", "", "2", "", "1"),
    ]
    assert [row[3] for row in table_of(parts[NODE_5]).rows[:-1]] == [NODE_6, NODE_6]  # which is a leaf by then
    assert [row[0] for row in table_of(parts["/"]).rows] == ["1, 2", "7", "5, 6", "3", "4", "all"]


@given(columns(rows=8, attributes=3), st.sampled_from([bottom_up, best_first]))
@settings(max_examples=4 * settings().max_examples)
def test_each_row_is_where_it_is_sent_and_wrong_as_it_says(cells: dict[str, list[str]], prune: Any) -> None:
    """Row by row against `predict`, on the tree as the cuts before have left it; the classes are turned round."""
    tree = rt.ID3().grow(rt.Table.from_columns(cells))
    held = rt.Table.from_columns({**cells, "y": cells["y"][::-1]})
    found = prune(tree, held)
    done: list[int] = []
    for part, step in zip(validated(found, held), found.steps, strict=True):
        left = cut(tree, done)
        expected = {
            str(number): (left.predict(row) != row["y"], tree.nodes[step.number].label != row["y"])
            for number, row in enumerate(held.rows(), 1)
            if step.number in {stage.number for stage in tree.way(row)}
        }
        *lines, whole = table_of(part.blocks).rows
        shown = {number: (line[5] != "0", line[7] != "0") for line in lines for number in line[0].split(", ")}
        assert shown == expected
        assert whole == ("all", str(len(expected)), "", "", "", str(step.before), "", str(step.after))
        assert not contradictions("\n".join(write(part.blocks)))
        done += [step.number] * step.done


def test_best_first_shows_the_rows_in_the_tree_that_is_left() -> None:
    """Nodes 6, 2, 5 and 3 fall in this order; so at node 5 rows end in node 6, and at node 3 in node 5."""
    parts = [table_of(part.blocks) for part in validated(best_first(FULL, VALIDATION), VALIDATION)]
    assert [part.title.rpartition(" ")[2] for part in parts] == [NODE_6, NODE_2, NODE_5, NODE_3, "/"]
    assert {row[3] for row in parts[2].rows[:-1]} == {NODE_6}
    assert {row[3] for row in parts[3].rows[:-1]} == {NODE_5}
    assert {row[3] for row in parts[4].rows[:-1]} == {NODE_2, NODE_3, "/脐部=平坦"}


def test_a_row_in_parts_is_wrong_in_parts() -> None:
    """By hand: two thirds of u, one third of v; the row without x is a yes, and v says yes."""
    rows = rt.Table.from_columns({"x": ["u", "u", "v"], "y": ["no", "no", "yes"]})
    held = rt.Table.from_columns({"x": [None, "u"], "y": ["yes", "no"]})
    (part,) = validated(bottom_up(rt.CART(missing="fractions").grow(rows), held), held)
    assert [(row[0], row[1], row[5], row[7]) for row in table_of(part.blocks).rows] == [
        ("2", "1", "0", "0"),
        ("1", "2/3", "2/3", "2/3"),
        ("1", "1/3", "0", "1/3"),
        ("all", "2", "2/3", "1"),
    ]


def test_many_lines_are_counted_and_many_rows_too() -> None:
    numbers = rt.Table.from_columns({"x": [*range(100)], "y": [str(k % 2) for k in range(100)]})
    tree = rt.CART().grow(numbers)
    held = HeldOutRows(tree, numbers)
    table = held.table(0, (), Words(tree, NodeErrors(100, [], [])), "below")
    assert len(table.rows) == LINES + 2
    assert table.rows[-2][0] == "60 lines more"
    assert table.rows[-1][1] == "100"
    small = rt.CART(max_depth=0).grow(numbers)
    assert [
        row[0] for row in HeldOutRows(small, numbers).table(0, (), Words(small, NodeErrors(100, [], [])), "").rows
    ] == [
        "50 rows",
        "50 rows",
        "all",
    ]


@pytest.mark.parametrize("on_equal", ["stop", "split"])
def test_pre_pruning_shows_the_rows_at_each_split(on_equal: Any) -> None:
    learner = PrePruning(rt.ID3(ties=rt.Ties(choose={"/": "脐部"}, label={"/": "是", NODE_3: "是"})), on_equal)
    tree = learner.grow(TRAINING, VALIDATION)
    past = retraced(tree, TRAINING, VALIDATION).pre_pruned
    assert past is not None
    for number, blocks in growth(past, tree).items():
        step = next(tree_step.step for tree_step in past.tree_steps if tree_step.step.number == number)
        *lines, whole = table_of(blocks).rows
        assert (whole[7], whole[5]) == (str(step.before), str(step.after))
        assert all(line[3].count("/") == (tree.path(number) + "/x").replace("//", "/").count("/") for line in lines)
        page = "\n".join(write(blocks))
        assert not contradictions(page)
        assert list(relations(page))


def test_a_score_is_an_accuracy_or_a_mean_squared_error() -> None:
    held = NodeErrors(Fraction(7), [], [])
    words = Words(FULL, held)
    assert [words.short(errors) for errors in (4, 3, 2, 0)] == ["42.9 %", "57.1 %", "71.4 %", "100.0 %"]
    cats = rt.textbook("cats").predicting("weight").without(["cat"])
    assert Words(rt.CART().grow(cats), held).short(Fraction(7, 3)) == "0.333333"
