"""The tree document: one neutral JSON form for every tree, ours or foreign.

Nodes are a flat list in preorder, because a deep tree must not break a parser. Exact numbers are strings. The JSON
Schema is `docs/schemas/tree-1.schema.json`; a reader checks what a schema cannot say (that branches lead to nodes, that
a test fits its attribute).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.missing import Missing
from reference_tree.data.questions import Multiway, Outcome, Subset, Test, Threshold
from reference_tree.data.sample import Counts
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import OWN_DIGITS, Rational, decimal_text, rational, shortened
from reference_tree.tree import Grower, Node, Tree

FORMAT = "reference-tree/tree/1"

STOPS = (
    "pure", "no-attributes", "no-candidates", "epsilon", "max-depth", "min-samples-split", "min-samples-leaf",
    "min-impurity-decrease", "empty", "average", "pre-pruned", "collapsed", "pruned", "unknown",
)  # fmt: skip
"""Every reason that a leaf can give."""


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
    for branch, share in zip(branches, node.missing.shares, strict=False):  # none, or one for each branch
        branch["share"] = str(share)
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
    document = _parsed(text)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f"is not a tree document: its format is not {FORMAT}")
    place = "the document"
    try:
        target, attributes = _read_target(document["target"]), _read_attributes(document["attributes"])
        entries = _some(document["nodes"])
        nodes = []
        for number, entry in enumerate(entries):
            place = f"node {number}"
            nodes.append(_read_node(entry, number, len(entries), target, attributes))
        place = "the learner"
        grower = _read_grower(document["learner"])
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        what = f"{error.args[0]!r} is absent" if isinstance(error, KeyError) else str(error)
        raise InputError(f"is not a tree document: in {place}: {what}") from None
    tree = Tree(target, tuple(attributes.values()), tuple(nodes), grower)
    _check_shape(tree)
    return tree


def _parsed(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise InputError("is not a tree document: it is nested too deeply") from None
    except ValueError as error:  # an integer of thousands of digits, NaN
        raise InputError(f"is not a tree document: {error}") from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")


# Parts of a document. Each reader raises whatever goes wrong; `from_json` says in which part it did.


def _read_target(entry: Mapping[str, Any]) -> Attribute:
    if entry["kind"] != "categorical":
        raise ValueError(f"the target is {entry['kind']}; only trees that predict classes can be read")
    return Attribute(_text(entry["name"]), _texts(_some(entry["classes"])))


def _read_attributes(entries: object) -> dict[str, Attribute]:
    attributes: dict[str, Attribute] = {}
    for entry in _list(entries):
        name, kind = _text(entry["name"]), entry["kind"]
        if kind not in ("categorical", "continuous") or name in attributes:
            raise ValueError(f"the attribute {name} is of no known kind, or stands twice")
        attributes[name] = Attribute(name, _texts(entry["values"]) if kind == "categorical" else None)
    return attributes


def _read_grower(entry: Mapping[str, Any]) -> Grower:
    profile, options = entry.get("profile"), entry.get("options", {})
    if not isinstance(options, dict):
        raise ValueError("the options are no object")
    _dump(options).encode()  # what cannot be written again, as a lone surrogate, is refused like any such text
    return Grower(_text(entry["name"]), None if profile is None else _text(profile), options)


def _read_node(
    entry: Mapping[str, Any], number: int, size: int, target: Attribute, attributes: Mapping[str, Attribute]
) -> Node:
    if entry.get("id") != number:
        raise ValueError(f"the id is {entry.get('id')}; nodes are numbered from 0 in preorder")
    counts = _read_counts(entry.get("counts", {}), target)
    label, tied = _known([entry["label"]], target)[0], _known(entry.get("tied", []), target)
    if tied and (label not in tied or len(tied) < 2):
        raise ValueError(f"the label {label} is no part of a tie of {', '.join(tied)}")
    if "test" not in entry:
        if entry["stop"] not in STOPS:
            raise ValueError(f"there is no reason {entry['stop']!r} to stop")
        return Node(counts, label, stop=entry["stop"], tied=tied, prior=_flag(entry.get("prior", False)))
    if "stop" in entry or "prior" in entry:
        raise ValueError("a node that asks has no reason to stop, and is no prior")
    branches = _some(entry["branches"])
    test = _read_test(entry["test"], [_read_when(branch["when"]) for branch in branches], attributes)
    below = tuple(branch["to"] for branch in branches)
    if not all(type(to) is int and number < to < size for to in below):
        raise ValueError("a branch leads to no node behind this one")
    return Node(counts, label, test, below, tied=tied, missing=Missing(shares=_read_shares(branches)))


def _read_shares(branches: list[Any]) -> tuple[Rational, ...]:
    if not any("share" in branch for branch in branches):
        return ()
    shares = tuple(_number(branch["share"]) for branch in branches)
    if min(shares) < 0 or sum(shares) != 1:
        raise ValueError("the shares of the branches are no parts of 1")
    return shares


def _read_counts(entry: Mapping[str, Any], target: Attribute) -> Counts:
    _known(list(entry), target)
    counts = tuple(_number(entry.get(label, "0")) for label in target.domain)
    if min(counts) < 0:
        raise ValueError("a count is negative")
    return counts


def _read_when(condition: Mapping[str, Any]) -> Outcome:
    for relation, value in condition.items() if len(condition) == 1 else ():
        if relation == "is":
            return Outcome(relation, _text(value))
        if relation in ("in", "not_in"):
            return Outcome(relation, _texts(value))
        if relation in ("le", "gt", "lt", "ge"):
            return Outcome(relation, _number(value))
    raise ValueError(f"{shortened(str(condition))} is no condition")


def _read_test(entry: Mapping[str, Any], outcomes: list[Outcome], attributes: Mapping[str, Attribute]) -> Test:
    kind, name = entry["kind"], _text(entry["attribute"])
    if kind not in ("multiway", "subset", "threshold"):
        raise ValueError(f"there is no test of the kind {kind!r}")
    if name not in attributes:
        raise ValueError(f"there is no attribute {name!r}")
    attribute = attributes[name]
    if (attribute.kind == "continuous") != (kind == "threshold"):
        raise ValueError(f"the {attribute.kind} attribute {name} cannot have a {kind} test")
    test = _read_threshold(entry, outcomes) if kind == "threshold" else _read_choice(kind, outcomes, attribute)
    if list(test.outcomes) != outcomes:
        raise ValueError("the conditions on the branches are not those of the test")
    return test


def _read_choice(kind: str, outcomes: list[Outcome], attribute: Attribute) -> Test:
    if kind == "multiway":
        return Multiway(attribute.name, _known([outcome.value for outcome in outcomes], attribute))
    return Subset(attribute.name, _known(list(outcomes[0].value), attribute))


def _read_threshold(entry: Mapping[str, Any], outcomes: list[Outcome]) -> Threshold:
    test = Threshold(entry["attribute"], _number(entry["threshold"]), strict=outcomes[0].relation == "lt")
    if "interval" not in entry:
        return test
    low, high = (_number(end) for end in _list(entry["interval"]))
    if not (low < test.threshold <= high if test.strict else low <= test.threshold < high):
        raise ValueError("the threshold lies outside its interval")
    return replace(test, interval=(low, high))


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


# Values of JSON that are what they ought to be.


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{shortened(str(value))} is no text")
    value.encode()  # a lone surrogate, which an escape can spell, is no text either
    return value


def _number(value: object) -> Rational:
    return rational(_text(value), OWN_DIGITS)


def _texts(value: object) -> tuple[str, ...]:
    texts = tuple(map(_text, _list(value)))
    if len(set(texts)) < len(texts):
        raise ValueError(f"{shortened(str(value))} has the same text twice")
    return texts


def _known(value: object, attribute: Attribute) -> tuple[str, ...]:
    """Distinct values that the attribute has."""
    texts = _texts(value)
    if strange := set(texts) - set(attribute.domain):
        raise ValueError(f"{attribute.name} has no value {min(strange)!r}")
    return texts


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{shortened(str(value))} is no list")
    return value


def _some(value: object) -> list[Any]:
    if not (items := _list(value)):
        raise ValueError("a list is empty that may not be")
    return items


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{shortened(str(value))} is neither true nor false")
    return value
