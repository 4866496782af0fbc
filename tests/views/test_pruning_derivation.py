"""Pruning worked out: from a tree that was pruned to all of its decisions, and to those at one node."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.dialects.collapsing import collapsed
from reference_tree.learners.options import Options
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.views.blocks import Heading, Legend
from reference_tree.views.pruning_derivation import derive_past, told, work_out
from reference_tree.views.pruning_record import perform, retraced
from reference_tree.views.pruning_sheets import write
from reference_tree.views.pruning_tables import sheets
from reference_tree.views.text import to_text
from tests.views.pruned import (
    BEST_FIRST,
    BOTTOM_UP,
    COST,
    ERRORS,
    FULL,
    NODE_2,
    NODE_3,
    NODE_6,
    PATH,
    RECORDS,
    RPART,
    TRAINING,
    VALIDATION,
    ZHOU,
)

SOME = [record for record in RECORDS if record is not RPART]


@pytest.mark.parametrize("record", SOME)
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_derivation_begins_with_what_the_letters_mean(record: dict[str, Any], form: Any) -> None:
    act = perform(FULL, record, TRAINING, VALIDATION)
    blocks = list(work_out(act))
    assert isinstance(blocks[0], Legend)
    assert sum(isinstance(block, Heading) for block in blocks) >= 2
    assert "\n".join(write(blocks, form))


@pytest.mark.parametrize("record", SOME)
def test_one_node_is_a_part_of_it(record: dict[str, Any]) -> None:
    act = perform(FULL, record, TRAINING, VALIDATION)
    whole = list(work_out(act))
    for number, node in enumerate(FULL.nodes):
        part = list(work_out(act, number))
        assert bool(part) == (node.test is not None)
        assert all(block in whole for block in part)
        assert not any(isinstance(block, Legend) for block in part)


def test_rparts_one_pass_is_shown_as_a_table() -> None:
    act = perform(rt.CART().grow(TRAINING), RPART)
    assert list(work_out(act)) == list(sheets(act))
    assert list(work_out(act, 0)) == []


def test_what_a_method_was_told() -> None:
    assert told(ERRORS) == [
        ("method", "error-based"),
        ("profile", "c45-r8"),
        ("confidence", "1/4"),
        ("limit", "table"),
        ("raising", "yes"),
    ]
    assert told({**ERRORS, "profile": None, "raising": False})[-1] == ("raising", "no")


# A tree that was pruned.


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


def test_at_one_node_there_is_its_split_and_what_pruning_said_of_it() -> None:
    pruned = perform(perform(FULL, COST).after, BOTTOM_UP, None, VALIDATION).after
    text = rt.explain(pruned, TRAINING, node=NODE_2, validation=VALIDATION)
    assert text.startswith(f"{NODE_2}   4 rows")
    assert "Split on 色泽" in text
    assert "C_α(T_t) = 2·0 + 1·0 + 1·0 + 1.4·3 = 4.2 bits" in text
    assert "1 < 2: less is wrong if it is a leaf" in text
    gone = rt.explain(pruned, TRAINING, node=NODE_6, validation=VALIDATION)
    assert "3.4 > 2.8" in gone
    assert "E(T_t)" not in gone  # the cost function had removed it before
    with pytest.raises(InputError, match="there is no node at '/纹理=清晰'"):
        rt.explain(pruned, TRAINING, node="/纹理=清晰", validation=VALIDATION)


def test_validation_rows_have_to_be_brought_along() -> None:
    pruned = perform(FULL, BEST_FIRST, None, VALIDATION).after
    with pytest.raises(InputError, match="asks a validation set, and none is given"):
        rt.explain(pruned, TRAINING)
    with pytest.raises(InputError, match="give it, too"):
        rt.explain(PrePruning(rt.ID3()).grow(TRAINING, VALIDATION), TRAINING)


# A tree that was pre-pruned.


@pytest.mark.parametrize(
    "learner", [ZHOU, rt.C45(), rt.C45.like("li-hang"), rt.CART(), rt.CART(criterion="entropy"), rt.ID3(max_depth=1)]
)
@pytest.mark.parametrize("on_equal", ["stop", "split"])
def test_every_node_of_a_pre_pruned_tree_is_derived_and_no_other(learner: Options, on_equal: Any) -> None:
    ties = rt.Ties(choose={"/": "脐部"}, label={"/": "是", NODE_3: "是"}) if learner is ZHOU else rt.Ties()
    tree = PrePruning(replace(learner, ties=ties), on_equal).grow(TRAINING, VALIDATION)
    past = retraced(tree, TRAINING, VALIDATION)
    blocks = list(derive_past(past, TRAINING))
    headings = [block.path for block in blocks if isinstance(block, Heading)]
    assert headings == [tree.path(number) for number in range(len(tree.nodes))]
    text = rt.explain(tree, TRAINING, validation=VALIDATION)
    refused = [node for node in tree.nodes if node.stop == "pre-pruned"]
    asked = [node for node in tree.nodes if node.test is not None]
    assert text.count("(pre-pruned)") == len(refused)
    assert len(re.findall("and it is made", text)) == len(asked)
    assert len(re.findall(r"^Split on ", text, re.MULTILINE)) == len(refused) + len(asked)
    for number, path in enumerate(headings):
        one = rt.explain(tree, TRAINING, node=path, validation=VALIDATION)
        assert one.startswith(path + " ")
        assert ("(pre-pruned)" in one) == (tree.nodes[number].stop == "pre-pruned")


def test_a_tree_that_collapsed_after_pre_pruning_says_so() -> None:
    table = rt.Table.from_columns({"a": list("uuvv") * 2, "y": ["no", "yes", "no", "no"] * 2})
    tree = PrePruning(rt.C45.with_options(collapse=collapsed), "split").grow(table, table)
    text = rt.explain(tree, table, validation=table)
    assert [node.stop for node in tree.nodes] == ["collapsed"]
    assert "were collapsed at last" in text


def test_pruned_after_it_was_pre_pruned() -> None:
    grown = PrePruning(rt.ID3(), "split").grow(TRAINING, VALIDATION)
    pruned = perform(grown, PATH).after
    text = rt.explain(pruned, TRAINING, validation=VALIDATION)
    assert text.index("validation rows") < text.index("Pruned by cost and complexity")
