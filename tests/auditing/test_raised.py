"""Raised branches: a tree that error-based pruning made is right, and a question that it did not put there is wrong."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing.audit import Audit
from reference_tree.data.questions import Threshold
from reference_tree.pruning.error_based import ErrorPruning
from reference_tree.pruning.record import retraced
from reference_tree.tree import Tree


def rows(seed: int) -> rt.Table:
    """Some rows whose classes follow two attributes, and chance."""
    chance = Random(seed)
    x, z = ([chance.choice(values) for _ in range(30)] for values in (range(10), range(5)))
    a = [chance.choice("pqr") for _ in range(30)]
    y = [(one > 4) ^ (other == "p") ^ (chance.random() < 0.3) for one, other in zip(x, a, strict=True)]
    return rt.Table.from_columns({"x": x, "a": a, "z": z, "y": ["yes" if one else "no" for one in y]})


def audited(tree: Tree, table: rt.Table, **options: Any) -> Audit:
    found = rt.audit(tree, table, **options)
    assert isinstance(found, Audit)
    return found


@pytest.mark.parametrize("profile", ["c45-r8", "weka-j48", None])
def test_a_branch_that_was_raised_is_right_where_it_stands(profile: str | None) -> None:
    learner = rt.C45() if profile is None else rt.C45.like(profile)
    excused = risen = 0
    for seed in range(12):
        table = rows(seed)
        tree = rt.prune(learner.grow(table), "error-based", data=table)
        found = audited(tree, table)
        assert found.is_right, found.wrong[0]
        here = sum("raised" in one.excused for one in found.findings)
        (act,) = retraced(tree, table).acts
        assert isinstance(act.found, ErrorPruning)
        verdicts = [one.verdict for one in act.found.judgements]
        assert "raise" in verdicts or not here
        excused, risen = excused + here, risen + verdicts.count("raise")
    assert excused
    assert risen


def test_a_question_that_pruning_did_not_put_there_is_wrong() -> None:
    for seed in range(12):
        table = rows(seed)
        tree = rt.prune(rt.C45().grow(table), "error-based", data=table)
        excused = [one.number for one in audited(tree, table).findings if "raised" in one.excused]
        if excused:
            break
    node = tree.nodes[excused[0]]
    assert isinstance(node.test, Threshold)
    nodes = list(tree.nodes)
    nodes[excused[0]] = replace(node, test=Threshold(node.test.attribute, 0))
    assert excused[0] in [one.number for one in audited(replace(tree, nodes=tuple(nodes)), table).wrong]
    unrecorded = replace(tree, grower=replace(tree.grower, options={**tree.grower.options, "pruning": []}))
    assert excused[0] in [one.number for one in audited(unrecorded, table, pruned=True).wrong]
