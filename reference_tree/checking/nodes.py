"""The nodes of an answer: its decisions and its tree, put together by their places.

A program may answer with the decisions at the nodes, with the tree, or with both. Nodes are aligned by the numbers of
the branches that lead to them from the root: by `at`, by the branches of the tree, or, where neither is given, by
preorder. A path of conditions would not do, for a threshold may lie elsewhere in its interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from reference_tree.checking.mistakes import Malformed, is_same, text
from reference_tree.data.schema import Schema

NOTHING: Mapping[str, Any] = {}


class AnsweredNode(NamedTuple):
    """The parts of an answer about a node."""

    decision: Mapping[str, Any] = NOTHING
    node: Mapping[str, Any] = NOTHING
    below: Mapping[int, int] = NOTHING  # type: ignore[assignment]
    """Branch → the number of the node there."""
    member: str = ""
    """The place of the node in the answer."""


def answered_nodes(answer: Mapping[str, Any], schema: Schema) -> list[AnsweredNode]:
    """The nodes of an answer, the root first.

    Args:
        answer: an answer with `decisions`, `tree`, or both.
        schema: the schema, which gives the number of branches of a test.

    Raises:
        Malformed: it has neither, or they are no nodes of a tree.
    """
    # A program answers with decisions, with a tree, or with both; each alone says where its nodes are.
    decisions = objects(answer, "decisions")
    nodes = objects(answer, "tree") or objects(answer, "nodes")
    if not nodes and not decisions:
        raise Malformed("it has neither decisions nor a tree")
    if not nodes:
        return [
            AnsweredNode(one, NOTHING, below, f"decisions[{place}]")
            for place, (one, below) in enumerate(zip(decisions, _below_decisions(decisions, schema), strict=True))
        ]
    # With both, the tree says what stands where, and each decision finds its node in it.
    below = _below_nodes(nodes)
    by_node = _numbered(decisions, below)
    return [
        AnsweredNode(by_node.get(place, NOTHING), node, below[place], f"tree[{place}]")
        for place, node in enumerate(nodes)
    ]


def objects(answer: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The objects that an answer lists as a member; empty if it leaves the member out."""
    found = answer.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise Malformed(f"{name} is no list of objects")
    return found


def part(of: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A part of an answer that is an object; empty if it is left out."""
    found = of.get(name)
    if not isinstance(found, dict | None):
        raise Malformed(f"{text(found)} is no {name}")
    return found or {}


def _below_nodes(nodes: Sequence[Mapping[str, Any]]) -> list[dict[int, int]]:
    """The branches of each node of a tree. Every node but the root stands below exactly one, which comes before it."""
    below: list[dict[int, int]] = []
    above: set[int] = set()
    # A branch leads to a later node that no other branch leads to: so there is no circle, and each node has one parent.
    for number, node in enumerate(nodes):
        if not is_same(node.get("id", number), number):
            raise Malformed(f"the id of tree[{number}] is {text(node['id'])}; nodes are numbered from 0")
        branches = objects(node, "branches")
        to = [branch.get("to") for branch in branches]
        for found in to:
            # True is an int to Python, and no number of a node.
            if type(found) is not int or not number < found < len(nodes) or found in above:
                raise Malformed(f"a branch of tree[{number}] leads to {text(found)}, which is no node that comes later")
            above.add(found)
        below.append(dict(enumerate(to)))  # type: ignore[arg-type]
    # Every node but the root has a branch to it.
    if len(above) != len(nodes) - 1:
        raise Malformed(f"no branch leads to {len(nodes) - 1 - len(above)} of the nodes of its tree")
    return below


def _numbered(
    decisions: Sequence[Mapping[str, Any]], below: Sequence[Mapping[int, int]]
) -> dict[int, Mapping[str, Any]]:
    """The decisions by the number of their node in a tree."""
    # Without places, the decisions stand in the order of the nodes, one for each.
    places = _stated_places(decisions)
    if places is None:
        if decisions and len(decisions) != len(below):
            raise Malformed(f"it has {len(decisions)} decisions without `at`, and {len(below)} nodes")
        return dict(enumerate(decisions))
    found = {}
    for place, (at, one) in enumerate(zip(places, decisions, strict=True)):
        number = 0
        # A place is followed branch by branch through the tree of the answer itself.
        for branch in at:
            if branch not in below[number]:
                raise Malformed(f"decisions[{place}] is at {list(at)}, where its tree has no node")
            number = below[number][branch]
        found[number] = one
    return found


def _stated_places(decisions: Sequence[Mapping[str, Any]]) -> list[tuple[int, ...]] | None:
    """The places that the decisions state, each at a different node; None if no decision states its place."""
    # All decisions say where they are, or none does: with some it would be a guess.
    silent = [place for place, one in enumerate(decisions) if "at" not in one]
    if len(silent) == len(decisions):
        return None
    if silent:
        raise Malformed(f"decisions[{silent[0]}] does not say by `at` where it is, and others do")
    places = list(map(_at, decisions))
    if len(set(places)) < len(places):
        raise Malformed("two decisions are at one node")
    return places


def _at(decision: Mapping[str, Any]) -> tuple[int, ...]:
    # Branches are numbered from 0, so that a negative number is none.
    at = decision["at"]
    if not isinstance(at, list) or not all(type(branch) is int and branch >= 0 for branch in at):
        raise Malformed(f"{text(at)} is no list of branches from the root")
    return tuple(at)


def _below_decisions(decisions: Sequence[Mapping[str, Any]], schema: Schema) -> list[dict[int, int]]:
    """The branches of the nodes that decisions were made at."""
    stated = _stated_places(decisions)
    if stated is None:
        return _in_preorder(decisions, schema)
    places = {at: number for number, at in enumerate(stated)}
    # Every node but the root has a node above it, and the walk begins at the root.
    if () not in places:
        raise Malformed("there is no decision at the root, []")
    below: list[dict[int, int]] = [{} for _ in decisions]
    for at, number in places.items():
        if at and at[:-1] not in places:
            raise Malformed(f"there is a decision at {list(at)}, and none above it")
        if at:
            below[places[at[:-1]]][at[-1]] = number
    return below


def _in_preorder(decisions: Sequence[Mapping[str, Any]], schema: Schema) -> list[dict[int, int]]:
    below: list[dict[int, int]] = []
    # In preorder the next decision stands at the first branch that is still open, which lies at the end of the list.
    open_branches: list[tuple[int, int]] = []
    for number, decision in enumerate(decisions):
        if number:
            if not open_branches:
                raise Malformed(f"decisions[{number}] stands below no branch; say where it is, by `at`")
            above, branch = open_branches.pop()
            below[above][branch] = number
        below.append({})
        open_branches += [(number, branch) for branch in reversed(range(_how_many(decision, schema)))]
    return below


def _how_many(decision: Mapping[str, Any], schema: Schema) -> int:
    """The number of branches of a decision."""
    chosen = chosen_of(decision)
    if chosen is None:
        return 0
    # The conditions tell the number of branches; else it follows from the kind of the test.
    if isinstance(chosen.get("outcomes"), list):
        return len(chosen["outcomes"])
    test = chosen["test"]
    domains = {attribute.name: attribute.values for attribute in schema.attributes}
    values = domains.get(str(test.get("attribute"))) if isinstance(test, dict) else None
    return len(values) if values is not None and test.get("kind") == "multiway" else 2


def chosen_of(decision: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The candidate that a decision names as chosen; None for a leaf.

    Raises:
        Malformed: it names none of its candidates.
    """
    return None if decision.get("chosen") is None else candidate_of(decision, decision["chosen"])


def candidate_of(decision: Mapping[str, Any], named: object) -> Mapping[str, Any]:
    """A candidate, named by its place among the `candidates` of a decision, or written out: a test, or a candidate.

    Raises:
        Malformed: there is no such candidate.
    """
    # A candidate may be named by its place in the list of the same decision.
    if type(named) is int:
        candidates = objects(decision, "candidates")
        if not 0 <= named < len(candidates):
            raise Malformed(f"there is no candidate {named}; there are {len(candidates)}")
        named = candidates[named]
    if not isinstance(named, dict):
        raise Malformed(f"{text(named)} is no candidate")
    # A bare test is taken for a candidate without figures.
    found = named if "test" in named else {"test": named}
    if not isinstance(found["test"], dict):
        raise Malformed(f"{text(found['test'])} is no test")
    return found
