"""rpart: the tables of a fitted object, as the lines of R on the page of foreign trees write them.

    # frame
    "node","var","n","wt","dev","yval","complexity","ncompete","nsurrogate","yval2.V1",...
    "1","Start","81","81","17","1",...

1. `frame` has a row a node; the nodes below node n are 2n and 2n + 1. `yval2` has the label and the weight of each
   class.
2. `splits` has for each node that asks its question, the competitors, which are not read, and the surrogates.
3. `csplit` says of the categories of a question which go left (1), which right (3), and which there were none of (2).

Numbers are written with 17 digits, so that they are read as the doubles that they are. rpart asks `<`, and calls the
side of the lower answer left; here the smaller numbers come first. A row without a value asks the surrogates, best
first; then it goes to the side of more rows, or stays, as `usesurrogate` has it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, no_such
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import simplest
from reference_tree.foreign.documents import (
    Held,
    Json,
    Question,
    Source,
    StandIn,
    classified,
    data_value,
    document,
    exact,
    finite,
    item,
    refuse_many,
    subset,
    threshold,
)
from reference_tree.foreign.indented import text_of
from reference_tree.foreign.programs import Names, Reader, remarks
from reference_tree.tree import Program

Rows: TypeAlias = Sequence[Mapping[str, str]]

PARTS = ("program", "columns", "levels", "frame", "splits", "csplit")
_PART = re.compile(rf"^# ({'|'.join(PARTS)}) *\r?$", re.MULTILINE)

LEFT, RIGHT = "1", "3"
"""The codes of the sides in `csplit`."""

KINDS = {"numeric": False, "factor": True, "ordered": True, "logical": True, "character": True}
"""The classes of columns in R: whether they have categories."""


class _Fit(NamedTuple):
    """The parts of a fitted object that are read."""

    columns: Mapping[str, Attribute]
    target: Attribute
    size: Mapping[int, int]
    """The number of rows at each node."""
    splits: Mapping[int, Rows]
    """For each inner node, its question and its surrogates."""
    csplit: Rows
    surrogates: str
    """`usesurrogate`: 0, 1 or 2."""


def documents(value: Any, names: Names) -> list[dict[str, Any]]:
    """The document of the tree in a text; rpart states all names.

    Raises:
        InputError: the text holds no such tables, or one of them is incomplete.
    """
    _, *found = _PART.split(text_of(value))
    tables = {name: _rows(name, body) for name, body in zip(found[::2], found[1::2], strict=True)}
    parts = {"splits": [], "csplit": [], **tables}
    (program,) = parts["program"]
    version, method, surrogates = program.values()
    frame = parts["frame"]
    fit = _fit(parts, frame, surrogates)
    if len(fit.size) < len(frame):
        raise InputError("a node occurs twice in the table frame")
    nodes = {int(row["node"]): _held(row, method, fit) for row in frame}
    silent = frozenset[str]() if method in ("class", "anova") else frozenset({"counts"})
    kinds = map(dict.values, parts["columns"][1:])
    ordered = [f"{name}, an ordered factor" for name, kind in kinds if kind == "ordered"]
    source = Source(Program("rpart", version, "double", silent), remarks=remarks({}, ordered))
    return [document(source, fit.target, list(fit.columns.values()), nodes, 1)]


READER = Reader("a tree of rpart", documents, re.compile(r"(?m)\A# program *\r?$"))


def _rows(name: str, body: str) -> list[dict[str, str]]:
    lines = body.strip("\r\n").splitlines(keepends=True)
    if name == "frame":
        refuse_many(len(lines) - 1)
    try:
        rows = list(csv.DictReader(lines, strict=True))
    except csv.Error as error:
        raise InputError(f"the table {name} is not whole: {error}") from None
    if any(None in row or None in row.values() for row in rows):
        raise InputError(f"a row of the table {name} is not whole")
    return rows


def _fit(parts: Mapping[str, Any], frame: Rows, surrogates: str) -> _Fit:
    classes = [tuple(row.values()) for row in parts["columns"] if not next(iter(row.values())).startswith("(")]
    levels: dict[str, list[str]] = {}
    for row in parts["levels"]:
        levels.setdefault(row["column"], []).append(row["value"])
    columns = {name: _column(name, kind, levels) for name, kind in classes}
    target, *attributes = columns.values()
    size = {int(row["node"]): int(row["n"]) for row in frame}
    splits = dict(_splits(frame, parts["splits"]))
    return _Fit({each.name: each for each in attributes}, target, size, splits, parts["csplit"], surrogates)


def _column(name: str, kind: str, levels: Mapping[str, Sequence[str]]) -> Attribute:
    if kind not in KINDS:
        raise InputError(f"{name}: {no_such('class of columns', kind, KINDS)}")
    if not KINDS[kind]:
        return Attribute(name)
    return Attribute(name, ("FALSE", "TRUE") if kind == "logical" else tuple(levels[name]))


def _splits(frame: Rows, splits: Rows) -> Iterator[tuple[int, Rows]]:
    place = 0
    for row in frame:
        if row["var"] != "<leaf>":
            others, size = int(row["ncompete"]), int(row["nsurrogate"])
            yield int(row["node"]), [splits[place], *splits[place + 1 + others : place + 1 + others + size]]
            place += 1 + others + size
    if place != len(splits):
        raise InputError(f"there are {len(splits)} splits, and the nodes tell of {place}")


# Nodes.


def _held(row: Mapping[str, str], method: str, fit: _Fit) -> Held:
    number = int(row["node"])
    answer = _answer(row, method, fit.target)
    if number not in fit.splits:
        return Held(answer)
    first, *others = fit.splits[number]
    question = _question(first, number, fit)
    if fit.surrogates == "0":
        return Held(answer, replace(question, missing="stay"))
    stand_ins = [_stand_in(each, number, fit) for each in others]
    left, right = 2 * number, 2 * number + 1
    balance = fit.size[left] - fit.size[right]
    default = None if fit.surrogates == "1" or balance == 0 else left if balance > 0 else right
    return Held(answer, replace(question, missing="surrogates", surrogates=stand_ins, default=default))


def _answer(row: Mapping[str, str], method: str, target: Attribute) -> Json:
    if method == "anova":
        n, mean, sse = (finite(float(row[name])) for name in ("wt", "yval", "dev"))
        return {"n": exact(n), "mean": exact(mean), "sse": exact(max(0.0, sse))}
    if method != "class":
        return {"mean": exact(finite(float(row["yval"])))}
    weights = [simplest(Fraction(finite(float(row[f"yval2.V{place + 2}"])))) for place in range(len(target.domain))]
    return classified(dict(zip(target.domain, weights, strict=True)), item(target.domain, int(row["yval"]) - 1))


def _question(split: Mapping[str, str], number: int, fit: _Fit) -> Question:
    name, categories, to = split["variable"], int(split["ncat"]), (2 * number, 2 * number + 1)
    attribute = fit.columns[name]
    if abs(categories) >= 2:
        sides = _sides(split, fit)
        return subset(name, [value for value, side in zip(attribute.domain, sides, strict=True) if side == LEFT], to)
    at, below = finite(float(split["index"])), to if categories < 0 else to[::-1]
    if attribute.values is None:
        return threshold(name, data_value(at), below, strict=True)
    first = 0 if attribute.values == ("FALSE", "TRUE") else 1  # the codes of categories that have an order
    return subset(name, [value for code, value in enumerate(attribute.values, start=first) if code < at], below)


def _sides(split: Mapping[str, str], fit: _Fit) -> list[str]:
    """The side of each category."""
    size = len(fit.columns[split["variable"]].domain)
    return [side.partition(".")[0] for side in item(fit.csplit, int(split["index"]) - 1).values()][:size]


def _stand_in(split: Mapping[str, str], number: int, fit: _Fit) -> StandIn:
    values = fit.columns[split["variable"]].values or ()
    sides = _sides(split, fit) if int(split["ncat"]) >= 2 else []
    unseen = [value for value, side in zip(values, sides, strict=False) if side not in (LEFT, RIGHT)]
    return StandIn(_question(split, number, fit), exact(finite(float(split["improve"]))), unseen)
