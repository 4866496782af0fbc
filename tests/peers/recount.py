"""Recounting: the rows sent down somebody's tree once more, by its document alone.

This is slow and obvious, and shares nothing with the package but its reader: a value is the exact decimal of the file,
a row that lacks the value goes where the node's rule for missing values says. What arrives at each node is compared
with what the program says arrived there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from tests.peers.data_sets import Cells, DataSet

Node: TypeAlias = Mapping[str, Any]
Weighted: TypeAlias = tuple[Mapping[str, str | None], float]


class Arrival(NamedTuple):
    """A node of a document, and the rows that arrive there with their weights."""

    node: Node
    rows: Sequence[Weighted]


RELATIONS: Mapping[str, Callable[[str, Any], bool]] = {
    "is": lambda found, said: found == said,
    "in": lambda found, said: found in said,
    "not_in": lambda found, said: found not in said,
    "le": lambda found, said: Fraction(found) <= Fraction(said),
    "gt": lambda found, said: Fraction(found) > Fraction(said),
    "lt": lambda found, said: Fraction(found) < Fraction(said),
    "ge": lambda found, said: Fraction(found) >= Fraction(said),
}


def arrivals(text: str, data: DataSet, left_out: bool) -> Iterator[Arrival]:
    """Every node of a document with the rows that arrive there.

    Args:
        text: the document.
        data: the rows.
        left_out: whether the program leaves out rows of which it knows nothing.
    """
    nodes = json.loads(text)["nodes"]
    names = [attribute.name for attribute in data.attributes]
    rows = [row for row in data.rows if not (left_out and _is_blank(row))]
    arrived: dict[int, list[Weighted]] = {node["id"]: [] for node in nodes}
    arrived[0] = [(dict(zip([*names, data.target.name], row, strict=True)), 1.0) for row in rows]
    for node in nodes:  # in preorder, so that all have arrived who will
        yield Arrival(node, arrived[node["id"]])
        for to, weighted in _moves(node, arrived[node["id"]]):
            arrived[to].append(weighted)


def _is_blank(row: Cells) -> bool:
    return all(cell is None for cell in row[:-1])


def _moves(node: Node, rows: Sequence[Weighted]) -> Iterator[tuple[int, Weighted]]:
    if "test" not in node:
        return
    known = {id(row): _branch(node, row) for row, _ in rows}
    shares = known_shares(node, rows)
    for row, weight in rows:
        to = known[id(row)]
        if to is not None:
            yield to, (row, weight)
        else:
            yield from _without_value(node, row, weight, shares)


def _branch(asked: Node, row: Mapping[str, str | None]) -> int | None:
    """Where a row goes by a test; none if it lacks the value, or a surrogate has not seen it."""
    cell = row[asked["test"]["attribute"]]
    if cell is None or cell in asked.get("unseen", ()):
        return None
    return next(int(branch["to"]) for branch in asked["branches"] if _holds(branch["when"], cell))


def _holds(when: Mapping[str, Any], cell: str) -> bool:
    return all(RELATIONS[relation](cell, said) for relation, said in when.items())


def known_shares(node: Node, rows: Sequence[Weighted]) -> dict[int, float]:
    """The share of each branch in the weight whose value is known."""
    weights = {branch["to"]: 0.0 for branch in node["branches"]}
    for row, weight in rows:
        if (to := _branch(node, row)) is not None:
            weights[to] += weight
    return {to: weight / sum(weights.values()) for to, weight in weights.items()}


def _without_value(
    node: Node, row: Mapping[str, str | None], weight: float, shares: Mapping[int, float]
) -> Iterator[tuple[int, Weighted]]:
    rule = node["missing"]["rule"]
    if rule == "fractions":
        yield from ((to, (row, weight * share)) for to, share in shares.items() if share)
    elif rule == "surrogates":
        found = [to for asked in node.get("surrogates", ()) if (to := _branch(asked, row)) is not None]
        yield from ((to, (row, weight)) for to in [*found, node["missing"].get("to")][:1] if to is not None)
    else:
        assert rule == "stay"
