"""Silence: what a program does not state of the nodes of its tree.

A tree in memory has a label and counts at every node. Where a document is silent about them, a node has the majority of
the counts that are stated, or the first class, or 0, and counts of 0. `Tree.silent` records that the program did not
state them. "No counts" is not "no rows".

1. `SILENCES` are the words; `left_out` are the keys that they leave out of a node.
2. `program_json` and `read_program` are the member of a document that says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reference_tree.exact.rationals import shortened
from reference_tree.tree import Program
from reference_tree.tree_document.strict import closed, text, texts

SILENCES: Mapping[str, str] = {
    "labels": "what a node answers",
    "inner-labels": "what a node answers that asks",
    "counts": "what reaches a node",
    "inner-counts": "what reaches a node that asks",
    "errors": "how far the numbers that reach a node lie from its answer",
    "missing": "where a row goes that does not answer",
    "draws": "which attributes were drawn for a node, so that it might ask them",
}
"""What a program may leave out: word → meaning."""

NUMBERS = ("exact", "double", "float32")
"""How a program may have held the values of attributes."""

_ERRORS = frozenset({"sse", "sad"})
_COUNTS = frozenset({"counts", "tied", "n", "g", "h"}) | _ERRORS
_LABELS = frozenset({"label", "tied", "mean", "median", "value"}) | _ERRORS


def left_out(silent: frozenset[str], *, asks: bool) -> frozenset[str]:
    """The keys of a node that a document may do without.

    Args:
        silent: what it does not state.
        asks: whether the node does.

    Example:
        >>> sorted(left_out(frozenset({"inner-labels", "errors"}), asks=True))
        ['label', 'mean', 'median', 'sad', 'sse', 'tied', 'value']
    """
    found: frozenset[str] = _ERRORS if "errors" in silent else frozenset()
    if "labels" in silent or ("inner-labels" in silent and asks):
        found |= _LABELS
    return found | _COUNTS if "counts" in silent or ("inner-counts" in silent and asks) else found


def program_json(program: Program) -> dict[str, object]:
    """What is known of a program as it stands in a document.

    Example:
        >>> program_json(Program("J48", silent=frozenset({"inner-labels", "inner-counts"})))
        {'name': 'J48', 'numbers': 'exact', 'silent': ['inner-labels', 'inner-counts']}
    """
    version = {} if program.version is None else {"version": program.version}
    silent = {"silent": [word for word in SILENCES if word in program.silent]} if program.silent else {}
    return {"name": program.name, **version, "numbers": program.numbers, **silent}


def read_program(entry: object) -> Program:
    """What is known of a program.

    Raises:
        ValueError: it is nothing that could be known.

    Example:
        >>> read_program({"name": "J48", "numbers": "double", "silent": ["everything"]})
        Traceback (most recent call last):
        ValueError: a program is not silent about 'everything'; there are labels, inner-labels, counts, ...
    """
    fields: Mapping[str, Any] = closed(entry, ["name", "numbers"], ["version", "silent"])
    silent = texts(fields.get("silent", []))
    if strange := [word for word in silent if word not in SILENCES]:
        known = ", ".join(SILENCES)
        raise ValueError(f"a program is not silent about {shortened(strange[0])}; there are {known}")
    if fields["numbers"] not in NUMBERS:
        raise ValueError(f"numbers are {', '.join(NUMBERS)}, not {shortened(str(fields['numbers']))}")
    version = text(fields["version"]) if "version" in fields else None
    return Program(text(fields["name"]), version, fields["numbers"], frozenset(silent))
