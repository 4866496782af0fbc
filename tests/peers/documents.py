"""Tree documents for trees that another program grew.

A converter hands over the nodes as the program holds them, under the program's own numbers. Here they are numbered in
preorder and written, one line a node.

The programs hold doubles. A number that is compared with data, a threshold, is written as the shortest decimal that
reads back as the same double: where the double came from a file, that is the decimal of the file. A weight, a mean or
a share that is no whole number is written as the simplest fraction that the double could be a rounding of.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from reference_tree.data.schema import Attribute
from tests.peers.data_sets import DataSet

FORMAT = "reference-tree/tree/1"

Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Branch:
    """A branch: its condition, the program's number of the node below, and its share of the known weight."""

    when: Json
    to: int
    share: str | None = None


@dataclass(frozen=True)
class Surrogate:
    """A test that stands in for a node's own: it answers no row whose value is among the unseen."""

    stand_in: Node
    agreement: str
    unseen: tuple[str, ...] = ()


@dataclass(frozen=True)
class Node:
    """A node: what it answers, what it asks (a leaf: nothing), and what it does with a missing value."""

    answer: Json
    test: Json | None = None
    branches: tuple[Branch, ...] = ()
    missing: str | None = None
    """The rule."""
    default: int | None = None
    """Where a missing value goes in the end."""
    surrogates: tuple[Surrogate, ...] = ()
    """Best first."""


def document(data: DataSet, source: Json, nodes: Mapping[int, Node], root: int) -> str:
    """The document: the same bytes for the same tree."""
    head = {
        "format": FORMAT,
        "target": {"name": data.target.name, **_domain(data.target, "classes")},
        "attributes": [{"name": attribute.name, **_domain(attribute, "values")} for attribute in data.attributes],
        "learner": {"name": "unknown", "profile": None, "options": {}, "source": dict(source)},
    }
    order = preorder(root, lambda node: [branch.to for branch in nodes[node].branches])
    number = {node: place for place, node in enumerate(order)}
    lines = ",\n".join(f"  {_dump({'id': number[node], **_node(nodes[node], number)})}" for node in order)
    heads = ",\n ".join(f"{_dump(key)}: {_dump(value)}" for key, value in head.items())
    return f'{{{heads},\n "nodes": [\n{lines}\n ]}}\n'


def preorder(root: int, below: Callable[[int], Sequence[int]]) -> list[int]:
    """The nodes under a root, it first, each subtree in one run.

    Example:
        >>> preorder(1, lambda node: [2 * node, 2 * node + 1] if node < 4 else [])
        [1, 2, 4, 5, 3, 6, 7]
    """
    order, pending = [], [root]
    while pending:
        order.append(pending.pop())
        pending += reversed(below(order[-1]))
    return order


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _domain(attribute: Attribute, name: str) -> Json:
    values = attribute.values
    return {"kind": attribute.kind} if values is None else {"kind": attribute.kind, name: list(values)}


def _node(node: Node, number: Mapping[int, int]) -> Json:
    if node.test is None:
        return node.answer
    rule = {} if node.default is None else {"to": number[node.default]}
    missing = {} if node.missing is None else {"missing": {"rule": node.missing, **rule}}
    surrogates = {"surrogates": [_surrogate(surrogate, number) for surrogate in node.surrogates]}
    return {**_without_stop(node.answer), **missing, **(surrogates if node.surrogates else {}), **_asked(node, number)}


def _surrogate(surrogate: Surrogate, number: Mapping[int, int]) -> Json:
    unseen = {"unseen": list(surrogate.unseen)} if surrogate.unseen else {}
    return {**_asked(surrogate.stand_in, number), "agreement": surrogate.agreement, **unseen}


def _asked(node: Node, number: Mapping[int, int]) -> Json:
    branches = [
        {"when": branch.when, "to": number[branch.to], **({} if branch.share is None else {"share": branch.share})}
        for branch in node.branches
    ]
    return {"test": node.test, "branches": branches}


def _without_stop(answer: Json) -> Json:
    return {key: value for key, value in answer.items() if key not in ("stop", "prior")}


def classified(counts: Sequence[float], label: str, classes: Sequence[str]) -> Json:
    """What a node of a classification tree answers: classes that occur, the label, and other classes as frequent."""
    weights = {name: fraction(count) for name, count in zip(classes, counts, strict=True) if count}
    most = max(counts)
    tied = [name for name, weight in weights.items() if weight == fraction(most)]
    equal = {"tied": tied} if len(tied) > 1 and label in tied else {}
    ends = {"stop": "pure" if len(weights) == 1 else "unknown"} if weights else {"stop": "empty", "prior": True}
    return {"counts": weights, "label": label, **equal, **ends}


def averaged(n: float, mean: float, sse: float) -> Json:
    """What a node of a regression tree answers."""
    stop = "pure" if fraction(sse) == "0" else "unknown"
    return {"n": fraction(n), "mean": fraction(mean), "sse": fraction(sse), "stop": stop}


def threshold(attribute: Attribute, number: float, below: str, above: str, to: Sequence[int]) -> Node:
    """The part of a node that asks on which side of a number a value lies."""
    text = decimal(number)
    test = {"kind": "threshold", "attribute": attribute.name, "threshold": text}
    return _binary(test, ({below: text}, {above: text}), to)


def multiway(attribute: Attribute, to: Sequence[int]) -> Node:
    """The part of a node that has a branch for each value."""
    test = {"kind": "multiway", "attribute": attribute.name}
    return Node({}, test, tuple(Branch({"is": value}, node) for value, node in zip(attribute.domain, to, strict=True)))


def subset(attribute: Attribute, places: Sequence[int], to: Sequence[int]) -> Node:
    """The part of a node that asks whether a value is one of those at these places of the domain."""
    values = [attribute.domain[place] for place in places]
    test = {"kind": "subset", "attribute": attribute.name}
    return _binary(test, ({"in": values}, {"not_in": values}), to)


def _binary(test: Json, conditions: Sequence[Json], to: Sequence[int]) -> Node:
    return Node({}, test, tuple(map(Branch, conditions, to)))


def decimal(number: float) -> str:
    """The shortest decimal that reads back as the same double.

    Example:
        >>> decimal(2.4500000000000002), decimal(3.0), decimal(1e-05)
        ('2.45', '3', '0.00001')
    """
    text = f"{Decimal(repr(number)):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def fraction(number: float) -> str:
    """The simplest fraction of which the double could be a rounding, or a sum of a few hundred roundings.

    Example:
        >>> fraction(37.0), fraction(2.267857142857143), fraction(0.1 + 0.2)
        ('37', '127/56', '3/10')
    """
    exact, tolerance = Fraction(number), max(1e-9, abs(number) * 2.0**-48)
    candidates = (exact.limit_denominator(2**bits) for bits in range(64))
    return str(next(simple for simple in candidates if abs(simple - exact) <= tolerance))


def shares(weights: Sequence[float]) -> list[str]:
    """Weights as shares of their sum, which add up to 1 exactly.

    Example:
        >>> shares([0.1, 0.30000000000000004])
        ['1/4', '3/4']
    """
    parts = [Fraction(fraction(weight)) for weight in weights]
    return [str(part / sum(parts)) for part in parts]
