r"""scikit-learn: what `export_text` prints of a tree.

    |--- petal width <= 0.80
    |   |--- class: setosa
    |--- petal width >  0.80
    |   |--- weights: [0.00, 2.00] class: virginica

A branch is a line, and a leaf a line of its own below it. Thresholds have `decimals` digits behind the point, two if
nothing else is said, so most of them are not those of the tree (`PrintedDigits`). With `show_weights=True` a leaf has
the weight of each class, in the order of the classes. Without `feature_names` the text has `feature_0`, which is the
first of the attributes that are given. A text has no other lines; a line of another form is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.exact.rationals import decimal_text, rational, shortened
from reference_tree.programs import indented
from reference_tree.programs.indented import ENDS, Leaf
from reference_tree.programs.inventory import Inventory, UnreadError
from reference_tree.programs.printouts import Line, PrintedDigits
from reference_tree.programs.reader import GivenNames, ProgramReader

_HEAD = re.compile(r"\A\s*\|-+ ")
_LINE = re.compile(r"(?P<bars>(?:\| *)*)\|-+ (?P<rest>.*)")
_ASKS = re.compile(r"(\S.*) (<=|>) +(-?\d+(?:\.\d+)?)")
"""A test; the name of a feature may have the signs of a test, too."""
_INFINITE = re.compile(r"\S.* (?:<=|>) +-?inf")
_WEIGHTS = re.compile(r"weights: \[(?P<weights>[^\]]*)\] class: (?P<label>.+)")
_PLACE = re.compile(r"feature_(\d+)")
_CLASS = re.compile(r"(?:class: |\[(?P<each>[^\]]*)\] \((?P<n>[\d.]+)/(?P<wrong>[\d.]+)\) )(?P<label>.+)")
_MEAN = re.compile(r"value: \[(?P<label>[^\],]+)\]")
_ENOUGH = 2
"""Weights with fewer decimals may be rounded to whole numbers, so that none of them is known."""

LINES = Inventory(
    "a text of export_text",
    {"a question": None, "class": None, "weights": None, "value": None},
    refused={
        "truncated branch": "the tree goes on below; print it with a larger max_depth",
        "a threshold inf": "it parts rows with a value from others, and the text does not say where these go on; "
        "read the fitted object",
    },
)


def documents(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    """The document of the tree in a text.

    Raises:
        InputError: the text holds no such tree.
        UnreadError: it holds only the upper part of the tree, or a line of another form.
    """
    # `lines_of` skips the first line, which is a title elsewhere.
    text = "\n" + indented.text_of(value)
    found = list(_lines(indented.lines_of(text, 1), names))
    root = indented.tree_of([line for line, _ in found], 1, _ASKS, ends=ENDS)
    # The widest threshold shows how many decimals were asked for.
    digits = PrintedDigits(places=max((places for _, places in found if places is not None), default=2))
    are_means = any(f"{ENDS}value: [" in line for (_, line), _ in found) or (root.leaf or "").startswith("value: [")
    tree = indented.PrintedTree("scikit-learn", root, _MEAN if are_means else _CLASS, names, digits=digits)
    # A weight of 2.5 printed without decimals would look like a count of 2.
    is_rounded = (digits.places or 0) < _ENOUGH
    return [tree.document(_without_weights if is_rounded else None, means=re.compile(".+") if are_means else None)]


READER = ProgramReader(
    "export_text", "a tree of scikit-learn's export_text", documents, _HEAD, inventories=(LINES,), target="target"
)


def _lines(lines: list[Line], names: GivenNames) -> Iterator[tuple[Line, int | None]]:
    """The lines of the branches, each with the answer of a leaf below it, and with the decimals of its threshold."""
    kept: tuple[Line, int | None] | None = None
    for number, line in lines:
        found = _LINE.fullmatch(line.strip())
        if found is None:
            if not names.ignored.takes(line.strip()):
                raise UnreadError(f"{shortened(line.strip())} is no line of export_text; leave it out", line=number)
            continue
        # A leaf is a line of its own, one level below its branch: it is joined to it.
        depth, rest = found["bars"].count("|"), found["rest"].rstrip()
        if rest.startswith(("class: ", "weights: ", "value: ")):
            if kept is not None and kept[0][1].count("|", 0, 4 * depth) != depth - 1:
                raise InputError("a leaf stands below no branch", line=number)
            answer = _answer(rest)
            yield ((number, answer), None) if kept is None else ((kept[0][0], f"{kept[0][1]}{ENDS}{answer}"), kept[1])
            kept = None
            continue
        if kept is not None:
            yield kept
        kept = (number, "|   " * depth + (asked := _test(rest, number, names.columns))), _places(asked)
    if kept is not None:
        raise InputError("the text ends before it says what lies below this branch", line=kept[0][0])


def _test(rest: str, number: int, columns: list[str]) -> str:
    """A test, with the name of a feature that is printed by its place.

    Raises:
        UnreadError: it is none.
    """
    found = _ASKS.fullmatch(rest)
    if found is None:
        known = [
            ("truncated branch", rest.startswith("truncated branch")),
            ("a threshold inf", _INFINITE.fullmatch(rest)),
        ]
        instead = next((f"not read; {LINES.refused[name]}" for name, is_so in known if is_so), "not known here")
        raise UnreadError(f"{LINES.what} has a line {shortened(rest)}, which is {instead}", line=number)
    name, relation, at = found.groups()
    # feature_3 is the fourth of the given names, unless a column is called so.
    place = _PLACE.fullmatch(name)
    if place is not None and name not in columns and int(place[1]) < len(columns):
        name = columns[int(place[1])]
    return f"{name} {relation} {at}"


def _places(asked: str) -> int:
    """The digits behind the point of a threshold."""
    return len(asked.rpartition(" ")[2].partition(".")[2])


def _answer(said: str) -> str:
    """An answer; beside the weights of all classes stand the weight of the rows, and of those of other classes."""
    found = _WEIGHTS.fullmatch(said)
    if found is None:
        return said
    weights = [Fraction(rational(weight.strip())) for weight in found["weights"].split(",")]
    n = sum(weights, Fraction(0))
    each = " ".join(map(decimal_text, weights))
    return f"[{each}] ({decimal_text(n)}/{decimal_text(n - max(weights))}) {found['label']}"


def _without_weights(leaf: Leaf) -> Leaf:
    """A leaf without its weights, which are rounded."""
    return Leaf(leaf.label)
