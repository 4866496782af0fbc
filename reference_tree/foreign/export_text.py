r"""scikit-learn: what `export_text` prints of a tree.

    |--- petal width <= 0.80
    |   |--- class: setosa
    |--- petal width >  0.80
    |   |--- weights: [0.00, 2.00] class: virginica

A branch is a line, and a leaf a line of its own below it. Thresholds have `decimals` digits behind the point, two if
nothing else is said; a threshold between two values that are closer than that is not the one that the tree has. With
`show_weights=True` a leaf has the weight of each class. Without `feature_names` the text has `feature_0`, which is the
first of the attributes that are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.exact.rationals import decimal_text, rational
from reference_tree.foreign import indented
from reference_tree.foreign.indented import ENDS, Line
from reference_tree.foreign.programs import Names, Reader

_HEAD = re.compile(r"\A\s*\|-+ ")
_LINE = re.compile(r"(?P<bars>(?:\| *)*)\|-+ (?P<rest>.*)")
_WEIGHTS = re.compile(r"weights: \[(?P<weights>[^\]]*)\] class: (?P<label>.+)")
_PLACE = re.compile(r"feature_(\d+)")
_CLASS = re.compile(r"(?:class: )?(?P<label>.+?)(?: \((?P<n>[\d.]+)/(?P<wrong>[\d.]+)\))?")
_MEAN = re.compile(r"value: \[(?P<label>[^\],]+)\]")


def documents(value: Any, names: Names) -> list[dict[str, Any]]:
    """The document of the tree in a text.

    Raises:
        InputError: the text holds no such tree, or only its upper part.
    """
    text = "\n" + indented.text_of(value)
    lines = list(_lines(indented.lines_of(text, 1), names.columns))
    root = indented.tree_of(lines, 1, ends=ENDS)
    are_means = "value: [" in text
    tree = indented.Printed("scikit-learn", root, _MEAN if are_means else _CLASS, names)
    return [tree.document(means=re.compile(".+") if are_means else None)]


READER = Reader("a tree of scikit-learn's export_text", documents, _HEAD, target="target")


def _lines(lines: list[Line], columns: list[str]) -> Iterator[Line]:
    """The lines of the branches, each with the answer below it, if that is a leaf."""
    kept: Line | None = None
    for number, line in lines:
        found = _LINE.fullmatch(line.strip())
        if found is None or found["rest"].startswith("truncated branch"):
            what = "the tree goes on below; print it with a larger max_depth" if found else "is no line of export_text"
            raise InputError(what if found else f"{line.strip()!r} {what}", line=number)
        depth, rest = found["bars"].count("|"), found["rest"]
        if rest.startswith(("class: ", "weights: ", "value: ")):
            if kept is not None and kept[1].count("|", 0, 4 * depth) != depth - 1:
                raise InputError("a leaf stands below no branch", line=number)
            yield (number, _answer(rest)) if kept is None else (kept[0], f"{kept[1]}{ENDS}{_answer(rest)}")
            kept = None
            continue
        if kept is not None:
            yield kept
        kept = number, "|   " * depth + _PLACE.sub(lambda place: _named(place, columns), rest, count=1)
    if kept is not None:
        raise InputError("the text ends before it says what lies below this branch", line=kept[0])


def _named(place: re.Match[str], columns: list[str]) -> str:
    """The name of a feature that is printed by its place."""
    is_name = place.start() or place[0] in columns or int(place[1]) >= len(columns)
    return place[0] if is_name else columns[int(place[1])]


def _answer(said: str) -> str:
    """An answer; the weights of all classes as the weight of the rows, and of those of other classes."""
    found = _WEIGHTS.fullmatch(said)
    if found is None:
        return said
    weights = [Fraction(rational(weight.strip())) for weight in found["weights"].split(",")]
    n = sum(weights, Fraction(0))
    return f"{found['label']} ({decimal_text(n)}/{decimal_text(n - max(weights))})"
