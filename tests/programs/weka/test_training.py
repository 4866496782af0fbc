"""J48: its printed options, and the rows that it grows from and prunes by under `-R`."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import reference_tree as rt
from reference_tree.auditing.repruning import nearest
from reference_tree.programs.weka.training import by_reduced_errors, printed_options, reduced_error_rows, stratified
from reference_tree.subtrees import assemble, leaf
from reference_tree.tree import Grower, Tree
from tests.every import of_every

GOLF = rt.textbook("golf")
GROWN = rt.C45.like("weka-j48").grow(GOLF)


def said(scheme: str) -> Tree:
    """A tree above which J48 printed its options."""
    return replace(GROWN, grower=Grower(options={"scheme": scheme}))


@of_every(
    [
        ("-C 0.25 -M 2", {"min_samples_leaf": 2}, "1/4", True, 0),
        ("-S -C 0.1", {}, "1/10", False, 0),
        ("-U -M 10", {"min_samples_leaf": 10}, None, None, 0),
        ("-R -N 5 -Q 7", {"collapse": "never"}, None, None, 5),
        ("-B -A", {"branching": "one-vs-rest"}, "1/4", True, 0),
    ]
)
def test_printed_options_are_read(text: str, learner: Any, confidence: Any, raising: Any, folds: int) -> None:
    found = printed_options(said(f"J48 pruned tree {text}"))
    assert found is not None
    record = found.record or {"confidence": None, "raising": None}
    assert (found.of_learner, record["confidence"], record["raising"], found.folds) == (
        learner, confidence, raising, folds,
    )  # fmt: skip


def test_no_options_are_no_options() -> None:
    assert printed_options(said("J48 unpruned tree")) is None
    assert printed_options(said("")) is None


def test_rows_are_ordered_by_class_and_dealt_out() -> None:
    assert stratified([*"aabb"], 2) == [0, 2, 1, 3]
    found = reduced_error_rows(GOLF, 3)
    assert found is not None
    assert sorted((*found[0], *found[1])) == list(range(14))
    assert reduced_error_rows(GOLF, 20) is None


def test_a_pruning_that_gives_a_tree_is_found_and_one_that_comes_near() -> None:
    pruned = rt.prune(GROWN, "error-based", GOLF, confidence=Fraction(1, 1000), raising=False, profile="weka-j48")
    found = nearest(pruned, GOLF, GROWN)
    assert [node.test for node in found.anew.nodes] == [node.test for node in pruned.nodes]
    assert "a confidence of" in found.words


@of_every([(31, 5), (44, 1), (122, 7)])
def test_a_subtree_that_was_cut_does_not_count_twice(seed: int, number: int) -> None:
    """Where another confidence cuts as many places, the default, which is tried first, is the nearest."""
    chance = Random(seed)
    columns: dict[str, list[Any]] = {name: [chance.randrange(12) for _ in range(40)] for name in "abc"}
    columns["y"] = [
        "pq"[(a + b > 11) ^ (chance.random() < 0.2)] for a, b in zip(columns["a"], columns["b"], strict=True)
    ]
    table = rt.Table.from_columns(columns, "y", continuous=[*"abc"])
    grown = rt.C45.like("weka-j48").grow(table)
    pruned = rt.prune(grown, "error-based", table, confidence=Fraction(1, 4), profile="weka-j48")
    cut = assemble(pruned, {number: leaf(pruned.nodes[number], "unknown")})
    assert nearest(cut, table, grown, is_usual=False).words == "a confidence of 0.25"


def test_reduced_errors_prune_by_the_last_fold() -> None:
    found = by_reduced_errors(rt.C45.like("weka-j48"), GOLF, 3)
    assert found is not None
    assert found[0].nodes[0].weight == len(found[1]) == 10
    assert by_reduced_errors(rt.C45.like("weka-j48"), GOLF, 20) is None
