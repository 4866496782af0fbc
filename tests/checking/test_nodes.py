"""The nodes of an answer: put together by where they stand, or refused."""

from __future__ import annotations

from typing import Any

import pytest

import reference_tree as rt
from reference_tree.checking.mistakes import Malformed
from reference_tree.checking.nodes import answered_nodes, candidate_of
from tests.every import of_every

SCHEMA = rt.textbook("play-tennis").schema
OUTLOOK = {"kind": "multiway", "attribute": "outlook"}


def test_decisions_are_found_by_where_they_are() -> None:
    decisions = [{"at": [1], "stop": "b"}, {"at": [], "chosen": OUTLOOK}, {"at": [0], "stop": "a"}]
    tree = [{"branches": [{"to": 1}, {"to": 2}]}, {}, {}]
    root, first, second = answered_nodes({"decisions": decisions, "tree": tree}, SCHEMA)
    assert (first.decision["stop"], second.decision["stop"]) == ("a", "b")
    assert root.below == {0: 1, 1: 2}
    alone = answered_nodes({"decisions": decisions}, SCHEMA)
    assert alone[1].below == {1: 0, 0: 2}


def test_without_places_they_stand_in_preorder() -> None:
    decisions: list[dict[str, Any]] = [{"chosen": {"test": OUTLOOK}}, {"stop": "a"}, {"chosen": {"kind": "subset"}}]
    root, *_ = answered_nodes({"decisions": [*decisions, *({"stop": name} for name in "bcd")]}, SCHEMA)
    assert root.below == {0: 1, 1: 2, 2: 5}


@of_every(
    [
        {},
        {"tree": {}},
        {"tree": ["leaf"]},
        {"tree": [{"branches": [{"to": 1}, {"to": 1}]}, {}]},
        {"tree": [{"branches": [{"to": 1}]}, {"branches": [{"to": 0}]}]},
        {"tree": [{"branches": [{"to": True}]}, {}]},
        {"tree": [{}, {}]},
        {"tree": [{}], "decisions": [{"at": [0]}]},
        {"tree": [{}], "decisions": [{}, {}]},
        {"tree": [{"id": 1}]},
        {"tree": [{"id": False}]},
        {"tree": [{}], "decisions": [{"at": []}, {"at": []}]},
        {"tree": [{"branches": [{"to": 1}]}, {}], "decisions": [{"at": [0]}, {}]},
        {"decisions": [{"at": []}, {}]},
        {"decisions": [{"at": [0]}]},
        {"decisions": [{"at": []}, {"at": []}]},
        {"decisions": [{"at": []}, {"at": [0, 0]}]},
        {"decisions": [{"at": "root"}]},
        {"decisions": [{"stop": "pure"}, {"stop": "pure"}]},
        {"decisions": [{"chosen": 0}]},
        {"decisions": [{"chosen": "outlook"}]},
    ]
)
def test_what_are_no_nodes_of_a_tree_is_refused(answer: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        answered_nodes(answer, SCHEMA)


def test_a_candidate_is_named_by_its_place_or_told() -> None:
    decision = {"candidates": [{"test": OUTLOOK}]}
    assert candidate_of(decision, 0) == candidate_of(decision, OUTLOOK) == {"test": OUTLOOK}
    with pytest.raises(Malformed, match="there is no candidate 1"):
        candidate_of(decision, 1)


@pytest.mark.slow
def test_a_chain_of_many_nodes_is_read_at_once() -> None:
    tree: list[dict[str, Any]] = [{"branches": [{"to": number + 1}]} for number in range(100_000)]
    assert len(answered_nodes({"tree": [*tree, {}]}, SCHEMA)) == 100_001
