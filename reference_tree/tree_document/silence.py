"""Silence: the facts that a program does not state about the nodes of its tree.

A tree in memory has a label and counts at every node. If a document leaves them out, a node has counts of 0, and as its
label the majority of any counts that are stated, else the first class, or 0. `Tree.silent` records that the program did
not state them. "No counts" is not "no rows".

1. `SILENCES` are the words; `left_out` has the keys of a node that they leave out.
2. `program_json` and `read_program` are the part of a document that says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from reference_tree.data.held import Form
from reference_tree.exact.rationals import shortened
from reference_tree.tree import Program
from reference_tree.tree_document.strict import closed, text, texts

SILENCES: Mapping[str, str] = {
    "labels": "the prediction of a node",
    "inner-labels": "the prediction of an inner node",
    "counts": "the counts of a node",
    "inner-counts": "the counts of an inner node",
    "weights": "how many rows reach a node: its counts are the shares of the classes",
    "errors": "how far the numbers that reach a node lie from its prediction",
    "missing": "the route of a row with a missing value",
    "draws": "which attributes were drawn for a node",
}
"""The facts that a program may leave out: word → meaning."""

NUMBERS: tuple[Form, ...] = ("exact", "double", "float32")
"""The forms in which the values of attributes may be held; where nothing is said, they are held as they are written."""

_ERRORS = frozenset({"sse", "sad"})
_COUNTS = frozenset({"counts", "tied", "n", "g", "h"}) | _ERRORS
_LABELS = frozenset({"label", "tied", "mean", "median", "value"}) | _ERRORS


@lru_cache(maxsize=64)
def left_out(silent: frozenset[str], *, asks: bool) -> frozenset[str]:
    """The keys of a node that a document may leave out.

    Args:
        silent: the words for the facts that the document leaves out.
        asks: whether the node has a test.

    Example:
        >>> sorted(left_out(frozenset({"inner-labels", "errors"}), asks=True))
        ['label', 'mean', 'median', 'sad', 'sse', 'tied', 'value']
    """
    found: frozenset[str] = _ERRORS if "errors" in silent else frozenset()
    if "labels" in silent or ("inner-labels" in silent and asks):
        found |= _LABELS
    return found | _COUNTS if "counts" in silent or ("inner-counts" in silent and asks) else found


def program_json(program: Program) -> dict[str, object]:
    """The facts about a program as they appear in a document.

    Example:
        >>> program_json(Program("a program", silent=frozenset({"inner-labels", "inner-counts"})))
        {'name': 'a program', 'numbers': 'exact', 'silent': ['inner-labels', 'inner-counts']}
    """
    version = {} if program.version is None else {"version": program.version}
    silent = {"silent": [word for word in SILENCES if word in program.silent]} if program.silent else {}
    sums = {"sums": program.sums} if program.sums != "exact" else {}
    return {"name": program.name, **version, "numbers": program.numbers, **sums, **silent}


def read_program(entry: object) -> Program:
    """The facts about a program.

    Raises:
        ValueError: a fact is not valid.

    Example:
        >>> read_program({"name": "a program", "numbers": "double", "silent": ["everything"]})
        Traceback (most recent call last):
        ValueError: a program is not silent about 'everything'; there are labels, inner-labels, counts, ...
    """
    fields: Mapping[str, Any] = closed(entry, ["name", "numbers"], ["version", "sums", "silent"])
    silent = texts(fields.get("silent", []))
    if strange := [word for word in silent if word not in SILENCES]:
        known = ", ".join(SILENCES)
        raise ValueError(f"a program is not silent about {shortened(strange[0])}; there are {known}")
    sums = fields.get("sums", "exact")
    for name, form in (("numbers", fields["numbers"]), ("sums", sums)):
        if form not in NUMBERS:
            raise ValueError(f"{name} are {', '.join(NUMBERS)}, not {shortened(str(form))}")
    version = text(fields["version"]) if "version" in fields else None
    return Program(text(fields["name"]), version, fields["numbers"], frozenset(silent), sums)
