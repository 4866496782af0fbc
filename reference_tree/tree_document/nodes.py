"""Nodes in a tree document: the counts and the prediction of a node, its test, and the condition on each branch.

A node that predicts a class has the weight of each class, its label, and the classes that tie with it. One that
predicts a number has its weight, and the mean with the sum of squared errors about it, or the median with the sum of
absolute deviations. In memory, mean and sum of squared errors are moments: Σwy = n·mean and Σwy² = sse + n·mean²,
exactly. A node of a boosted tree has its weight, the sums of the first and second derivatives, and the value that it
adds.

A linear test has no attribute of its own. Its weights name the attributes, in table order; a categorical attribute has
a weight for each of its values that counts, as in a one-hot encoding. The conditions are on the sum.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeAlias

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
from reference_tree.data.sample import Counts
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational, decimal_text, exact_text, shortened, simplest
from reference_tree.measures.variance import Moments, mean
from reference_tree.node import Derivatives, Deviations, Label, Node, TreeError
from reference_tree.tree_document.strict import closed, items, known, number, text, texts, weight

_CLASS = ("counts", "label", "tied")
_MEAN = ("n", "mean", "sse")
_MEDIAN = ("n", "median", "sad")
_VALUE = ("n", "g", "h", "value")
_LABELS = ("label", "median", "mean", "value")
KEYS = (*_CLASS, *_MEAN, "median", "sad", "g", "h", "value")
"""The keys of a node that belong to its answer."""


class AnswerFields(NamedTuple):
    """The fields of a node in a document besides its test."""

    counts: Counts
    label: Label
    tied: tuple[str, ...] = ()


def answer_json(node: Node, target: Attribute, *, median: bool = False) -> dict[str, object]:
    """The answer of a node as it appears in a document.

    Args:
        node: the node.
        target: the attribute that the tree predicts.
        median: whether its numbers are medians, which a node of weight 0 does not show.

    Raises:
        TreeError: the node answers a number that is not the mean, or the median, of its rows.

    Example:
        >>> answer_json(Node((3, 9, 41), 3), Attribute("weight"))
        {'n': '3', 'mean': '3', 'sse': '14'}
    """
    if isinstance(node.counts, Derivatives):
        return dict(zip(_VALUE, map(exact_text, (*node.counts, simplest(Fraction(node.label)))), strict=True))
    if target.values is not None:
        counts = {label: exact_text(count) for label, count in zip(target.domain, node.counts, strict=True)}
        return {"counts": counts, "label": node.label, **({"tied": list(node.tied)} if node.tied else {})}
    label = Fraction(node.label)
    if node.weight and label != (node.counts[1] if median else mean(Moments(*node.counts))):
        raise TreeError("a node predicts a number that is not the mean, or the median, of its rows")
    names = _MEDIAN if median else _MEAN
    return dict(zip(names, map(exact_text, (node.weight, simplest(label), node.error)), strict=True))


def kind_of(entries: Iterable[object]) -> str:
    """The kind of answer in the nodes of a document that state one: `label`, `mean`, `median` or `value`.

    Example:
        >>> kind_of([{"id": 0}, {"id": 1, "median": "3"}])
        'median'
    """
    kinds = (key for entry in entries if isinstance(entry, dict) for key in _LABELS if key in entry)
    return next(kinds, "label")


def read_answer(
    entry: Mapping[str, Any], target: Attribute, *, foreign: bool, absent: Collection[str] = (), kind: str = "label"
) -> AnswerFields:
    """The answer of a node.

    Args:
        entry: the node as it appears in a document.
        target: the attribute that the tree predicts.
        foreign: whether the document may leave out the counts of the node.
        absent: the keys that the document leaves out of the node.
        kind: the kind of answer of the other nodes.

    Raises:
        ValueError: the entry has no valid answer.
    """
    part = {key: value for key, value in entry.items() if key in KEYS}
    kind = next((key for key in _LABELS if key in part), kind)
    if kind == "value":
        sums = _answer_part(part, ["value"] if foreign else _VALUE, _VALUE, absent)
        # Programs that boost state the value alone, and what is not stated is 0.
        n, h = (weight(sums[name]) if name in sums else 0 for name in ("n", "h"))
        g, value = (number(sums[name]) if name in sums else 0 for name in ("g", "value"))
        return AnswerFields(Derivatives(n, g, h), value)
    if target.values is not None:
        return _class(_answer_part(part, ["label"] if foreign else ["counts", "label"], _CLASS, absent), target)
    return _number(part, _MEDIAN if kind == "median" else _MEAN, foreign, absent)


def _answer_part(
    part: Mapping[str, Any], required: Iterable[str], keys: Iterable[str], absent: Collection[str]
) -> Mapping[str, Any]:
    """The part of a node that is its answer, with all required keys and none of the absent ones."""
    names = [key for key in required if key not in absent]
    return closed(part, names, [key for key in keys if key not in absent and key not in names])


def _class(part: Mapping[str, Any], target: Attribute) -> AnswerFields:
    given = part.get("counts", {})
    if not isinstance(given, dict):
        raise ValueError(f"{shortened(str(given))} is no object")
    known(list(given), target)
    found = {label: weight(count) for label, count in given.items()}
    counts = tuple(found.get(label, 0) for label in target.domain)
    stated = part.get("label", target.domain[counts.index(max(counts))])
    (label,) = known([stated], target)
    tied = known(part["tied"], target) if "tied" in part else ()
    if "tied" in part and (label not in tied or len(tied) < 2):
        raise ValueError(f"the label {label} is no part of a tie of {', '.join(tied)}")
    return AnswerFields(counts, label, tied)


def _number(
    part: Mapping[str, Any], names: tuple[str, str, str], foreign: bool, absent: Collection[str]
) -> AnswerFields:
    _, middle, spread = names
    silent = foreign and "n" not in part and spread not in part
    _answer_part(part, [middle] if silent else names, [middle] if silent else names, absent)
    label = number(part.get(middle, "0"))
    n, error = (weight(part.get(name, "0")) for name in ("n", spread))
    if error and not n:
        raise ValueError(f"{spread} is {part[spread]}, although nothing reaches the node")
    if middle == "median":
        return AnswerFields(Deviations(n, label if n else 0, error), label)
    wy = n * label
    return AnswerFields((n, _whole(wy), _whole(error + wy * label)), label)


def _whole(value: Rational) -> Rational:
    return simplest(Fraction(value))


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
    for (attribute, value), factor in test.weights:
        if value is None:
            written[attribute] = str(factor)
        else:
            written.setdefault(attribute, {})[value] = str(factor)
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
    condition = closed(entry, (), _RELATIONS)
    if len(condition) != 1:
        raise ValueError(f"{shortened(str(entry))} is no condition")
    ((relation, value),) = condition.items()
    read = _RELATIONS[relation]
    return Outcome(relation, number(value, numbers) if read is None else read(value))


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
