"""Excuses: merged leaves of trees that Spark 4.3 grew, and branches that error-based pruning raised."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import reference_tree as rt
from reference_tree.auditing.audit import Audit
from reference_tree.auditing.excuses import EXCUSES, merges
from reference_tree.auditing.report import report
from reference_tree.data.questions import Threshold
from reference_tree.learners.place import Place
from reference_tree.pruning.error_based import ErrorPruning
from reference_tree.pruning.record import retraced
from reference_tree.tree import Tree
from reference_tree.tree_document import predictor_from_json
from tests.every import of_every

RECORDED = Path(__file__).parents[1] / "programs" / "recorded" / "spark"
CATEGORIES = {"merged": ["x2"], "binned": [], "weighted": ["x3"], "regression": ["x1"], "pure": ["x2", "x3"]}
CATEGORIES["three-classes"] = ["x3", "x4"]
WEIGHTED = ("weighted", "regression", "pure")
OF_NUMBERS = ("regression", "pure")
EXCUSED = {"merged": 2, "binned": 3, "weighted": 1, "regression": 0, "pure": 1, "three-classes": 0}
"""The nodes that are excused: merged leaves, and in one tree a question where all rows agree."""


class Recorded(NamedTuple):
    """A model, as lines of JSON, and the rows that it was fitted to."""

    lines: list[Any]
    table: rt.Table
    names: list[str]

    def audit(self, lines: list[Any]) -> Any:
        """The audit of some lines against the rows."""
        (document,) = rt.read_foreign("\n".join(map(json.dumps, lines)), attributes=self.names)
        return rt.audit(rt.from_json(json.dumps(document)), self.table)


def recorded(name: str) -> Recorded:
    with (RECORDED / f"{name}.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = {key: [row[key] for row in rows] for key in rows[0] if key != "w" or name in WEIGHTED}
    categorical = [*CATEGORIES[name], *([] if name in OF_NUMBERS else ["label"])]
    weights = "w" if name in WEIGHTED else None
    table = rt.Table.from_columns(columns, "label", weights=weights, categorical=categorical)
    text = (RECORDED / f"{name}.json").read_text(encoding="utf-8")
    return Recorded(list(map(json.loads, text.splitlines())), table, [key for key in columns if key[0] == "x"])


@of_every(CATEGORIES)
def test_a_tree_of_spark_is_right(name: str) -> None:
    model = recorded(name)
    audit = model.audit(model.lines)
    assert audit.is_right, report(audit)
    assert audit.counts.get("excused", 0) == EXCUSED[name]
    assert ("the bins of the program end" in report(audit)) == (name in ("binned", "weighted"))


@pytest.mark.parametrize("name", ["merged", "binned"])
def test_without_the_rule_merged_leaves_would_be_early_stops(name: str) -> None:
    model = recorded(name)
    model.lines[0]["paramMap"]["pruneTree"] = False
    assert {finding.verdict for finding in model.audit(model.lines).wrong} == {"stopped-early"}


# Faults. Each function changes a node, if it can.


def another_answer(nodes: dict[int, Any], node: Any, chance: Random) -> bool:
    weights, answer = node["impurityStats"], node["prediction"]
    others = [float(label) for label, weight in enumerate(weights) if weight < max(weights) - 1e-9]
    node["prediction"] = chance.choice(others) if others else answer
    return bool(others)


def another_mean(nodes: dict[int, Any], node: Any, chance: Random) -> bool:
    node["prediction"] = chance.choice([-61.0, node["prediction"] + 1e-6 * (1 + abs(node["prediction"]))])
    return True


def another_weight(nodes: dict[int, Any], node: Any, chance: Random) -> bool:
    node["impurityStats"][0] += 1
    return bool(node["impurityStats"][0] < max(node["impurityStats"]) or node["prediction"] == 0)


def stopped_early(nodes: dict[int, Any], node: Any, chance: Random) -> bool:
    below = [nodes.get(node[side]) for side in ("leftChild", "rightChild")]
    if node["impurity"] < 1e-9 or not all(one is not None and one["leftChild"] == -1 for one in below):
        return False
    for side in ("leftChild", "rightChild"):
        del nodes[node[side]]
        node[side] = -1
    return True


FAULTS = [
    (name, fault)
    for name in CATEGORIES
    for fault in (another_mean if name in OF_NUMBERS else another_answer, another_weight, stopped_early)
]


@pytest.mark.one_in(18)
@pytest.mark.parametrize(("name", "fault"), FAULTS)
def test_a_fault_is_named_at_its_node(name: str, fault: Callable[[dict[int, Any], Any, Random], bool]) -> None:
    model, planted = recorded(name), 0
    numbers = range(len(model.lines) - 1)
    for number in Random(0).sample(numbers, len(numbers)):
        lines = json.loads(json.dumps(model.lines))
        nodes = {node["id"]: node for node in lines[1:]}
        if planted < 3 and fault(nodes, nodes[number], Random(number)):
            audit = model.audit([lines[0], *nodes.values()])
            causes = [finding.number for finding in audit.wrong if finding.cause is None]
            assert causes == [number], (number, report(audit))
            planted += 1
    assert planted


def test_leaves_that_should_have_been_merged_are_named() -> None:
    table = rt.Table.from_columns({"x": [1, 1, 2, 2, 2], "y": [*"aaaab"]})
    learner = rt.CART.like("spark", merge_leaves=False)
    audit = rt.audit(learner.grow(table), table, rt.CART.like("spark"))
    assert [(finding.number, finding.faults[0].rule) for finding in audit.wrong] == [(0, "stop.collapsed")]


def test_either_of_two_equal_questions_may_have_been_asked() -> None:
    # x and z tie at the root; below x both leaves have one answer, below z they do not
    columns = {"x": [1, 1, 1, 2, 2, 2], "z": [1, 2, 1, 2, 1, 2], "y": [*"aabaab"]}
    sample = rt.Table.from_columns(columns).sample()
    assert merges(rt.CART(max_depth=1), sample, Place.root(sample), "a")
    assert not merges(rt.CART(max_depth=1), sample, Place.root(sample), "b")


def test_a_search_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reference_tree.auditing.excuses.MOST", 1)
    sample = rt.Table.from_columns({"x": [1, 1, 2, 2, 2], "y": [*"aaaab"]}).sample()
    assert merges(rt.CART(), sample, Place.root(sample), "a") is None


@pytest.mark.parametrize(
    ("name", "why"), [("forest", "drawn for each of its trees"), ("boosted", "the residuals of the trees before it")]
)
def test_what_cannot_be_repeated_is_said(name: str, why: str) -> None:
    table = recorded("merged").table
    for document in rt.read_foreign(str(RECORDED / f"{name}.json"), attributes=["x0", "x1", "x2"]):
        assert document["target"]["kind"] == ("continuous" if name == "boosted" else "categorical")
        with pytest.raises(rt.InputError, match=rf"{why}, which an audit cannot repeat"):
            rt.audit(predictor_from_json(json.dumps(document)), table)


# Raised branches.


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


@pytest.mark.slow
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


@of_every([([], "merged"), (["draws"], "may-be-merged")])
def test_a_leaf_of_a_tree_whose_draws_are_untold_may_have_been_merged(silent: list[str], excuse: str) -> None:
    """What a learner would draw below the leaf cannot be told, so that no answer below it is looked for."""
    model = recorded("merged")
    (document,) = rt.read_foreign("\n".join(map(json.dumps, model.lines)), attributes=model.names)
    document["program"]["silent"] = silent
    audit = rt.audit(rt.from_json(json.dumps(document)), model.table)
    assert [one.excused for one in audit.findings if one.excused] == [EXCUSES[excuse]] * EXCUSED["merged"]
