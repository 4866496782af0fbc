"""Documents of a program in doubles, with numbers of JSON: right ones are right, and faults are named at their node."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing.report import report
from tests.auditing.doubles import Written, written
from tests.conformance.plain_doubles.rows import Node


def audited(document: Any, right: Written) -> Any:
    """The audit of a document against the rows and the learner of a right one."""
    return rt.audit(rt.from_json(json.dumps(document)), right.table, right.learner)


def are_right(seeds: range) -> None:
    for seed in seeds:
        right = written(seed)
        audit = audited(right.document, right)
        assert audit.is_right, (seed, report(audit))


def test_right_trees_are_right() -> None:
    are_right(range(6))


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("start", range(6, 406, 100))
def test_many_right_trees_are_right(start: int) -> None:
    are_right(range(start, start + 100))


# Faults in a node of a document, in which no other node is wrong. Each function changes the node, if it can.


def another_label(node: Any, grown: Node, chance: Random) -> bool:
    """A class that is not the largest one; or a mean that is off by a millionth."""
    if "mean" in node:
        node["mean"] += 1e-6 * (1 + abs(node["mean"]))
        return True
    node.pop("tied", None)
    most = node["counts"][node["label"]]
    lower = [label for label, count in node["counts"].items() if count < most * (1 - 1e-6)]
    node["label"] = chance.choice(lower) if lower else node["label"]
    return bool(lower)


def another_threshold(node: Any, grown: Node, chance: Random) -> bool:
    """A threshold in another gap between values of the rows that arrive."""
    asked = node.get("test", {})
    tried = [one["test"] for one in grown.decision["candidates"]]
    cuts = [one["threshold"] for one in tried if "threshold" in asked and one["attribute"] == asked["attribute"]]
    others = [cut for cut in cuts if cut != asked["threshold"]]
    if others:
        asked["threshold"] = moved = chance.choice(others)
        for branch in node["branches"]:
            branch["when"] = dict.fromkeys(branch["when"], moved)
    return bool(others)


def another_count(node: Any, grown: Node, chance: Random) -> bool:
    """A row more."""
    counts, name = (node, "n") if "n" in node else (node["counts"], chance.choice([*node["counts"]]))
    node.pop("tied", None)
    is_label = "n" in node or counts[name] + 1 <= max(counts.values()) or name == node["label"]
    counts[name] += 1
    return is_label


def another_share(node: Any, grown: Node, chance: Random) -> bool:
    """A millionth more for a branch, and less for another one."""
    branches = [branch for branch in node.get("branches", []) if branch.get("share", 0) > 1e-5]
    if len(branches) < 2:
        return False
    one, other = chance.sample(branches, 2)
    one["share"], other["share"] = one["share"] + 1e-6, other["share"] - 1e-6
    return True


FAULTS: Sequence[Callable[[Any, Node, Random], bool]] = (another_label, another_threshold, another_count, another_share)


def spoilt(right: Written, fault: Callable[[Any, Node, Random], bool], chance: Random) -> tuple[Any, int] | None:
    """A document with a fault, and the node where it is; None if no node can have it."""
    for number in chance.sample(range(len(right.nodes)), len(right.nodes)):
        whole = json.loads(json.dumps(right.document))
        if fault(whole["nodes"][number], right.nodes[number], chance):
            return whole, number
    return None


def causes(audit: Any) -> list[int]:
    """The nodes that are wrong, and not because of another one."""
    return [finding.number for finding in audit.wrong if finding.cause is None]


def are_named(seeds: range) -> int:
    """The faults that were planted; each is named at its node, and no other node is."""
    planted = 0
    for seed in seeds:
        right = written(seed)
        for fault in FAULTS:
            if (found := spoilt(right, fault, Random(seed))) is not None:
                audit = audited(found[0], right)
                assert causes(audit) == [found[1]], (seed, fault.__name__, found[1], report(audit))
                planted += 1
    return planted


@pytest.mark.slow
def test_a_fault_is_named_at_its_node() -> None:
    assert are_named(range(4)) > 10


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize("start", [4, 64, 124])
def test_many_faults_are_named_at_their_nodes(start: int) -> None:
    are_named(range(start, start + 40))


def are_worse(seeds: range) -> int:
    """Trees that ask for another attribute at the root, and how many of them ask a worse question there."""
    planted = 0
    for seed in seeds:
        right = written(seed)
        for attribute in right.table.schema.attributes:
            other = written(seed, {"/": attribute.name})
            decision = other.nodes[0].decision
            if decision["chosen"] is None:
                continue
            chosen, by = decision["candidates"][decision["chosen"]], decision["judged_by"]
            best = max(one["scores"].get(by, 0.0) for one in decision["candidates"] if one["barred"] is None)
            if chosen["barred"] is not None or chosen["scores"][by] < best - 1e-9:
                audit = audited(other.document, other)
                assert causes(audit) == [0], (seed, attribute.name, report(audit))
                planted += 1
    return planted


@pytest.mark.slow
def test_a_worse_question_is_named_at_its_node() -> None:
    assert are_worse(range(4)) > 3


@pytest.mark.one_in(2)
@pytest.mark.slow
@pytest.mark.parametrize("start", [4, 34])
def test_many_worse_questions_are_named_at_their_nodes(start: int) -> None:
    are_worse(range(start, start + 30))
