"""The tree document: one neutral JSON form for every tree, ours or foreign.

Nodes are a flat list in preorder, because a deep tree must not break a parser. Exact numbers are strings. The JSON
Schema is `docs/schemas/tree-1.schema.json`; a reader checks what a schema cannot say (that branches lead to nodes, that
a test fits its attribute).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Multiway, Outcome, Subset, Test, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational, decimal_text, rational
from reference_tree.tree import Grower, Node, Tree

FORMAT = "reference-tree/tree/1"


def to_json(tree: Tree) -> str:
    """A tree as a JSON document: one line for each node, the same bytes on every platform."""
    head = {
        "format": FORMAT,
        "target": {"name": tree.target.name, "kind": tree.target.kind, "classes": list(tree.target.domain)},
        "attributes": [_attribute(attribute) for attribute in tree.attributes],
        "learner": {"name": tree.grower.name, "profile": tree.grower.profile, "options": dict(tree.grower.options)},
    }
    lines = [f" {_dump(key)}: {_dump(value)}" for key, value in head.items()]
    nodes = ",\n".join(f"  {_dump(_node(number, node, tree.target))}" for number, node in enumerate(tree.nodes))
    return "{" + ",\n".join(lines).lstrip() + f',\n "nodes": [\n{nodes}\n ]}}\n'


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _attribute(attribute: Attribute) -> dict[str, object]:
    described: dict[str, object] = {"name": attribute.name, "kind": attribute.kind}
    return described if attribute.values is None else {**described, "values": list(attribute.values)}


def _node(number: int, node: Node, target: Attribute) -> dict[str, object]:
    counts = {label: str(count) for label, count in zip(target.domain, node.counts, strict=True)}
    written: dict[str, object] = {"id": number, "counts": counts, "label": node.label}
    if node.tied:
        written["tied"] = list(node.tied)
    if node.test is None:
        return {**written, "stop": node.stop, **({"prior": True} if node.prior else {})}
    branches = [{"when": when(o), "to": to} for o, to in zip(node.test.outcomes, node.branches, strict=True)]
    return {**written, "test": question_json(node.test), "branches": branches}


def question_json(test: Test) -> dict[str, object]:
    """A test as it stands in a document."""
    written: dict[str, object] = {"kind": test.kind, "attribute": test.attribute}
    if isinstance(test, Threshold):
        written["threshold"] = decimal_text(test.threshold)
        if test.interval is not None:
            written["interval"] = [decimal_text(end) for end in test.interval]
    return written


def when(outcome: Outcome) -> dict[str, object]:
    """The condition of a branch as it stands in a document."""
    value = outcome.value
    if outcome.relation in ("is", "in", "not_in"):
        return {outcome.relation: value if isinstance(value, str) else list(value)}
    return {outcome.relation: decimal_text(value)}


def read_tree(path: str | Path) -> Tree:
    """A tree from a document on disk.

    Raises:
        InputError: the file cannot be read, is no JSON, or is no tree document.
    """
    try:
        return from_json(Path(path).read_text(encoding="utf-8"))
    except InputError as error:
        raise InputError(error.message, path=str(path), line=error.line, column=error.column) from None
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 at byte {error.start}", path=str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=str(path)) from None


def from_json(text: str) -> Tree:
    """A tree from the text of a document.

    Raises:
        InputError: it is no JSON (line and column are given), or no tree document (the faulty part is named).

    Example:
        >>> from_json('{"format": "something else"}')
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: is not a tree document: its format is not reference-tree/tree/1
    """
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise InputError("is not a tree document: it is nested too deeply") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f"is not a tree document: its format is not {FORMAT}")
    place = "the document"
    try:
        target = Attribute(document["target"]["name"], tuple(document["target"]["classes"]))
        attributes = tuple(_read_attribute(entry) for entry in document["attributes"])
        by_name = {attribute.name: attribute for attribute in attributes}
        nodes = []
        for number, entry in enumerate(document["nodes"]):
            place = f"node {number}"
            nodes.append(_read_node(entry, number, len(document["nodes"]), target, by_name))
        place = "the learner"
        learner = document["learner"]
        grower = Grower(learner["name"], learner.get("profile"), learner.get("options", {}))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        what = f"{error.args[0]!r} is absent" if isinstance(error, KeyError) else str(error)
        raise InputError(f"is not a tree document: in {place}: {what}") from None
    tree = Tree(target, attributes, tuple(nodes), grower)
    _check_shape(tree)
    return tree


def _no_constant(name: str) -> None:
    raise InputError(f"is not a tree document: {name} is not a number of JSON")


def _read_attribute(entry: Mapping[str, Any]) -> Attribute:
    return Attribute(entry["name"], tuple(entry["values"]) if entry["kind"] == "categorical" else None)


def _read_node(
    entry: Mapping[str, Any], number: int, size: int, target: Attribute, attributes: Mapping[str, Attribute]
) -> Node:
    if entry.get("id") != number:
        raise ValueError(f"the id is {entry.get('id')}; nodes are numbered from 0 in preorder")
    written = entry.get("counts", {})
    if unknown := set(written) - set(target.domain):
        raise ValueError(f"there is no class {min(unknown)!r}")
    counts = tuple(rational(written.get(label, "0")) for label in target.domain)
    if entry["label"] not in target.domain:
        raise ValueError(f"there is no class {entry['label']!r}")
    test: Test | None = None
    branches: tuple[int, ...] = ()
    if "test" in entry:
        test = _read_test(entry["test"], [_read_when(branch["when"]) for branch in entry["branches"]], attributes)
        branches = tuple(branch["to"] for branch in entry["branches"])
        if not all(isinstance(below, int) and number < below < size for below in branches):
            raise ValueError("a branch leads to no node behind this one")
    stop = None if "test" in entry else entry["stop"]
    return Node(counts, entry["label"], test, branches, stop, tuple(entry.get("tied", ())), entry.get("prior", False))


def _read_when(condition: Mapping[str, Any]) -> Outcome:
    ((relation, value),) = condition.items()
    if relation == "is" and isinstance(value, str):
        return Outcome(relation, value)
    if relation in ("in", "not_in"):
        return Outcome(relation, tuple(value))
    if relation in ("le", "gt", "lt", "ge"):
        return Outcome(relation, rational(value))
    raise ValueError(f"there is no condition {dict(condition)}")


def _read_test(entry: Mapping[str, Any], outcomes: list[Outcome], attributes: Mapping[str, Attribute]) -> Test:
    if entry["kind"] not in ("multiway", "subset", "threshold"):
        raise ValueError(f"there is no test of the kind {entry['kind']!r}")
    if entry["attribute"] not in attributes:
        raise ValueError(f"there is no attribute {entry['attribute']!r}")
    attribute = attributes[entry["attribute"]]
    if (attribute.kind == "continuous") != (entry["kind"] == "threshold"):
        raise ValueError(f"the {attribute.kind} attribute {attribute.name} cannot have a {entry['kind']} test")
    test = _test(entry, outcomes, attribute)
    if list(test.outcomes) != outcomes:
        raise ValueError("the conditions on the branches are not those of the test")
    return test


def _test(entry: Mapping[str, Any], outcomes: list[Outcome], attribute: Attribute) -> Test:
    if entry["kind"] == "multiway":
        return Multiway(attribute.name, tuple(outcome.value for outcome in outcomes))
    if entry["kind"] == "subset":
        return Subset(attribute.name, outcomes[0].value)
    interval: tuple[Rational, ...] | None = tuple(map(rational, entry["interval"])) if "interval" in entry else None
    ends = None if interval is None else (interval[0], interval[1])
    return Threshold(attribute.name, rational(entry["threshold"]), ends, strict=outcomes[0].relation == "lt")


def _check_shape(tree: Tree) -> None:
    """Each node but the root has exactly one node above it, and subtrees stand in preorder."""
    pending, expected = [0], 0
    while pending:
        number = pending.pop()
        if number != expected:
            raise InputError(f"is not a tree document: node {number} is out of preorder; {expected} was to come")
        expected += 1
        pending += reversed(tree.nodes[number].branches)
    if expected != len(tree.nodes):
        raise InputError(f"is not a tree document: no branch leads to node {expected}")
