"""Answers in a tree document: the counts of a node, and its prediction.

A node that predicts a class has the weight of each class, its label, and the classes that tie with it. One that
predicts a number has its weight, and the mean with the sum of squared errors about it, or the median with the sum of
absolute deviations. In memory, mean and sum of squared errors are moments: Σwy = n·mean and Σwy² = sse + n·mean²,
exactly. A node of a boosted tree has its weight, the sums of the first and second derivatives, and the value that it
adds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.data.sample import Counts
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational, exact_text, shortened, simplest
from reference_tree.measures.variance import Moments, mean
from reference_tree.node import Derivatives, Deviations, Label, Node, TreeError
from reference_tree.tree_document.strict import closed, known, number, weight

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
    kind = kind if part.keys().isdisjoint(_LABELS) else kind_of([part])
    if kind == "value":
        sums = _answer_part(part, ["value"] if foreign else _VALUE, _VALUE, absent)
        n, h = (weight(sums.get(name, "0")) for name in ("n", "h"))
        return AnswerFields(Derivatives(n, number(sums.get("g", "0")), h), number(sums.get("value", "0")))
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
