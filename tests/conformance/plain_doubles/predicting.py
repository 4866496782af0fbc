"""Asking a tree in plain doubles: where a row ends, and what it is answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.conformance.plain_doubles.planting import planted
from tests.conformance.plain_doubles.rows import Case, Node, stood_in_for


def ends(nodes: Sequence[Node], row: Case, number: int = 0, share: float = 1.0) -> list[tuple[int, float]]:
    """The nodes where a row ends, each with its share; a value that no branch is there for ends where it is met."""
    node = nodes[number]
    if node.asks is None:
        return [(number, share)]
    place = node.asks.branch(row)
    if place is None and planted("unseen-takes-the-first-branch") and row[node.asks.test["attribute"]] is not None:
        place = 0
    if place is not None:
        return ends(nodes, row, node.branches[place], share)
    is_unseen = row[node.asks.test["attribute"]] is not None and not planted("unseen-like-missing")
    if is_unseen or planted("missing-stays-in-prediction"):
        return [(number, share)]
    place = stood_in_for(node, row)
    if place is not None:
        return ends(nodes, row, node.branches[place], share)
    if node.missing is not None and "to" in node.missing and not planted("no-way-behind-the-surrogates"):
        return ends(nodes, row, node.branches[node.missing["to"]], share)
    if node.shares is None:
        return [(number, share)]
    if planted("largest-branch-in-prediction"):
        return ends(nodes, row, node.branches[node.shares.index(max(node.shares))], share)
    found = []
    for below, part in zip(node.branches, node.shares, strict=True):
        if part > 0:
            found += ends(nodes, row, below, part if planted("weights-set-anew-in-prediction") else share * part)
    return found


def mixture(nodes: Sequence[Node], reached: Sequence[tuple[int, float]]) -> list[float]:
    """P(Y|X): what the leaves say, by their shares."""
    leaves = [(nodes[number], share) for number, share in reached]
    if planted("counts-mixed"):
        leaves = [(node, share * sum(node.total)) for node, share in leaves]
    parts = [[share * p for p in node.share_of] for node, share in leaves]
    if planted("empty-leaf-is-uniform"):
        even = [1 / len(parts[0])] * len(parts[0])
        parts = [part if any(node.total) else even for (node, _), part in zip(leaves, parts, strict=True)]
    if planted("votes-of-leaves") and len(leaves[0][0].share_of) > 1:
        parts = [[share * (p == max(node.share_of)) for p in node.share_of] for node, share in leaves]
    together = [sum(column) for column in zip(*parts, strict=True)]
    whole = sum(share for _, share in leaves)
    return [p / (whole or 1) for p in together] if planted("counts-mixed") else together


def answer(nodes: Sequence[Node], row: Case, classes: Sequence[str] | None) -> dict[str, Any]:
    """Where a row ends, the distribution, and the label."""
    reached = ends(nodes, row)
    found: dict[str, Any] = {"ends": [{"at": nodes[number].at, "share": share} for number, share in reached]}
    shares = mixture(nodes, reached)
    if classes is None:
        if len(reached) == 1:
            return {**found, "label": nodes[reached[0][0]].label}
        return {**found, "label": shares[0]}
    label = classes[shares.index(max(shares))] if len(reached) > 1 else nodes[reached[0][0]].label
    return {**found, "distribution": dict(zip(classes, shares, strict=True)), "label": label}
