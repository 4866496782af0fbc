"""Somebody else's tree, held against the goldens it is up to, and audited on a table of one's own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from their_trees import grow

import reference_tree as rt
from reference_tree.conformance.cases import cases
from reference_tree.conformance.goldens import document

ID3 = ["id3/play-tennis", "id3/watermelon-2.0", "id3/loan", "id3/contact-lenses", "id3/cats", "id3/exclusive-or"]


def nodes_of(tree: dict[str, Any]) -> list[dict[str, Any]]:
    """Their nested tree as the nodes of a tree document, in preorder."""
    nodes: list[dict[str, Any]] = []
    pending: list[tuple[dict[str, Any], dict[str, Any]]] = [(tree, {})]
    while pending:
        found, branch = pending.pop()
        branch["to"] = len(nodes)
        node = {"id": len(nodes), "label": found["label"]}
        if "attribute" in found:
            branches = [{"when": {"is": value}, "to": 0} for value in found["branches"]]
            pending += reversed(list(zip(found["branches"].values(), branches, strict=True)))
            node |= {"test": {"kind": "multiway", "attribute": found["attribute"]}, "branches": branches}
        else:
            node["stop"] = "unknown"
        nodes.append(node)
    return nodes


@pytest.mark.parametrize("name", ID3)
def test_it_passes_the_golden(name: str) -> None:
    """Any right tree does: ties may be resolved otherwise."""
    data = document(cases()[name])["data"]
    names = [column["name"] for column in data["columns"]]
    domains = {column["name"]: column["values"] for column in data["columns"] if column["name"] != data["target"]}
    rows = [dict(zip(names, cells, strict=True)) for cells in data["rows"]]
    checked = rt.check({name: {"tree": nodes_of(grow(rows, domains, data["target"]))}})
    assert checked.passed, str(checked)


def test_every_node_is_right_on_our_own_table() -> None:
    """No golden is needed: the package decides anew at each node."""
    weather = {"sky": [*"aabbab"], "wind": [*"uvuvuv"], "sail": ["no", "no", "yes", "yes", "no", "yes"]}
    table = rt.Table.from_columns(weather, target="sail")
    columns = table.schema.attributes
    tree = grow([dict(row) for row in table.rows()], {one.name: list(one.domain) for one in columns}, "sail")
    told = {
        "format": "reference-tree/tree/1",
        "target": {"name": "sail", "kind": "categorical", "classes": ["no", "yes"]},
        "attributes": [{"name": one.name, "kind": "categorical", "values": list(one.domain)} for one in columns],
        "learner": {"name": "unknown", "source": {"program": "their trees"}},
        "nodes": nodes_of(tree),
    }
    found = rt.audit(rt.from_json(json.dumps(told)), table, rt.ID3())
    assert not found.wrong, str(found)
