"""Tests in a tree document: the test of a node, and on each branch the condition of its outcome.

A linear test has no attribute of its own. Its weights name the attributes, in table order; a categorical attribute has
a weight for each of its values that counts, as in a one-hot encoding. The conditions are on the sum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from reference_tree.data.errors import InputError
from reference_tree.data.questions import (
    Coordinate,
    Linear,
    Multiway,
    Outcome,
    Subset,
    Test,
    Threshold,
)
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational, decimal_text, shortened
from reference_tree.tree_document.strict import closed, items, known, number, text, texts

_Number: TypeAlias = Callable[[object], Rational]
"""Reads a number as its program held it."""

_RELATIONS: Mapping[str, Callable[[object], Any] | None] = {
    "is": text, "in": texts, "not_in": texts, "le": None, "gt": None, "lt": None, "ge": None,
}  # fmt: skip
"""How the value of a condition is read; None for a number."""


def question_json(test: Test) -> dict[str, object]:
    """A test as it appears in a document.

    Example:
        >>> question_json(Threshold("humidity", 76, (75, 78)))
        {'kind': 'threshold', 'attribute': 'humidity', 'threshold': '76', 'interval': ['75', '78']}
        >>> question_json(Linear(((Coordinate("weight"), 3), (Coordinate("ear", "oval"), -2)), 20))
        {'kind': 'linear', 'weights': {'weight': '3', 'ear': {'oval': '-2'}}, 'threshold': '20'}
    """
    written: dict[str, object] = {"kind": test.kind}
    written |= {"weights": _weights_json(test)} if isinstance(test, Linear) else {"attribute": test.attribute}
    if isinstance(test, Threshold | Linear):
        written["threshold"] = decimal_text(test.threshold)
        if test.interval is not None:
            written["interval"] = [decimal_text(end) for end in test.interval]
    return written


def _weights_json(test: Linear) -> dict[str, object]:
    written: dict[str, Any] = {}
    for (attribute, value), weight in test.weights:
        if value is None:
            written[attribute] = str(weight)
        else:
            written.setdefault(attribute, {})[value] = str(weight)
    return written


def when(outcome: Outcome) -> dict[str, object]:
    """The condition of a branch as it appears in a document.

    Example:
        >>> when(Outcome("is", "sunny")), when(Outcome("le", 75))
        ({'is': 'sunny'}, {'le': '75'})
    """
    value = outcome.value
    if outcome.relation in ("is", "in", "not_in"):
        return {outcome.relation: value if isinstance(value, str) else list(value)}
    return {outcome.relation: decimal_text(value)}


def read_when(entry: object, numbers: str = "double") -> Outcome:
    """The condition of a branch.

    Args:
        entry: the condition as it appears in a document.
        numbers: how its program held the values of attributes.

    Raises:
        ValueError: the entry is no condition.
    """
    condition = closed(entry, [], list(_RELATIONS))
    if len(condition) != 1:
        raise ValueError(f"{shortened(str(entry))} is no condition")
    ((relation, value),) = condition.items()
    read = _RELATIONS[relation] or partial(number, numbers=numbers)
    return Outcome(relation, read(value))


def read_test(
    entry: object, outcomes: Sequence[Outcome], attributes: Mapping[str, Attribute], numbers: str = "double"
) -> Test:
    """A test.

    Args:
        entry: the test as it appears in a document.
        outcomes: the conditions on its branches.
        attributes: the attributes that the tree may ask for.
        numbers: how its program held the values of attributes.

    Raises:
        ValueError: the entry is no test, asks for something unknown, or does not fit the conditions.
    """
    kind = entry.get("kind") if isinstance(entry, dict) else None
    if not isinstance(kind, str) or kind not in _READERS:
        raise ValueError(f"there is no test of the kind {shortened(str(kind))}")
    test = _READERS[kind](entry, outcomes, attributes, partial(number, numbers=numbers))
    if list(test.outcomes) != list(outcomes):
        raise ValueError("the conditions on the branches are not those of the test")
    return test


def _multiway(entry: object, outcomes: Sequence[Outcome], attributes: Mapping[str, Attribute], _: _Number) -> Test:
    attribute = _attribute_of(closed(entry, ["kind", "attribute"]), attributes)
    return Multiway(attribute.name, known([outcome.value for outcome in outcomes], attribute))


def _subset(entry: object, outcomes: Sequence[Outcome], attributes: Mapping[str, Attribute], _: _Number) -> Test:
    attribute = _attribute_of(closed(entry, ["kind", "attribute"]), attributes)
    if outcomes[0].relation != "in":
        raise ValueError("the first branch of a subset test holds the values that are in it")
    return Subset(attribute.name, known(list(outcomes[0].value), attribute))


def _threshold(entry: object, outcomes: Sequence[Outcome], attributes: Mapping[str, Attribute], read: _Number) -> Test:
    fields = closed(entry, ["kind", "attribute", "threshold"], ["interval"])
    attribute = _attribute_of(fields, attributes)
    strict = outcomes[0].relation == "lt"
    threshold = read(fields["threshold"])
    return Threshold(attribute.name, threshold, _interval(fields, threshold, strict, read), strict=strict)


def _linear(entry: object, outcomes: Sequence[Outcome], attributes: Mapping[str, Attribute], read: _Number) -> Test:
    fields = closed(entry, ["kind", "weights"], ["threshold", "interval"])
    weights: dict[Coordinate, Rational] = {}
    given = closed(fields["weights"], [], list(attributes))
    for attribute in attributes.values():
        if attribute.name in given and attribute.values is None:
            weights[Coordinate(attribute.name)] = read(given[attribute.name])
        elif attribute.name in given:
            if not (values := closed(given[attribute.name], [], attribute.domain)):
                raise ValueError(f"no value of {shortened(attribute.name)} has a weight")
            weights |= {Coordinate(attribute.name, v): read(values[v]) for v in attribute.domain if v in values}
    if outcomes[0].relation != "le":
        raise ValueError("the first branch of a linear test bounds the sum from above, by le")
    bound = read(fields["threshold"]) if "threshold" in fields else outcomes[0].value
    try:
        return Linear.of(weights, bound, _interval(fields, bound, False, read))
    except InputError as error:
        raise ValueError(str(error)) from None


_READERS: Mapping[str, Callable[[object, Sequence[Outcome], Mapping[str, Attribute], _Number], Test]] = {
    "multiway": _multiway, "subset": _subset, "threshold": _threshold, "linear": _linear,
}  # fmt: skip


def _attribute_of(fields: Mapping[str, Any], attributes: Mapping[str, Attribute]) -> Attribute:
    """The attribute that a test asks for."""
    name, kind = text(fields["attribute"]), fields["kind"]
    if name not in attributes:
        raise ValueError(f"there is no attribute {shortened(name)}")
    attribute = attributes[name]
    if (attribute.kind == "continuous") != (kind == "threshold"):
        raise ValueError(f"the {attribute.kind} attribute {name} cannot have a {kind} test")
    return attribute


def _interval(
    fields: Mapping[str, Any], threshold: Rational, strict: bool, read: _Number
) -> tuple[Rational, Rational] | None:
    if "interval" not in fields:
        return None
    if len(ends := items(fields["interval"])) != 2:
        raise ValueError("an interval has two ends")
    low, high = map(read, ends)
    if not (low < threshold <= high if strict else low <= threshold < high):
        raise ValueError("the threshold lies outside its interval")
    return low, high
