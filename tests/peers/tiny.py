"""Tiny tables for other programs: one settles one question."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from reference_tree.data.schema import Attribute
from tests.peers.data_sets import DataSet, read
from tests.peers.sources import arff

Grow: TypeAlias = Callable[..., list[dict[str, Any]]]
"""From a tiny table to the nodes of its tree."""


def tiny(folder: Path, rows: Sequence[str], columns: Sequence[Attribute] = ()) -> DataSet:
    """A data set of rows written with blanks between the cells; the target comes last.

    Without columns, attributes are a, b, ... and continuous, and the classes of the target are those that occur.
    """
    cells = [tuple(None if cell == "?" else cell for cell in row.split()) for row in rows]
    labels = tuple(sorted({str(row[-1]) for row in cells}))
    names = "abcdefgh"[: len(cells[0]) - 1]
    declared = [*columns] or [*map(Attribute, names), Attribute("class", labels)]
    path = folder / "tiny.arff"
    path.write_text(arff("tiny", declared, cells), encoding="utf-8")
    return read(path)


def nodes(document: str) -> list[dict[str, Any]]:
    """The nodes of a document."""
    found: list[dict[str, Any]] = json.loads(document)["nodes"]
    return found


def asked(node: dict[str, Any]) -> tuple[str, str | None]:
    """The attribute and the threshold of a node's test."""
    return node["test"]["attribute"], node["test"].get("threshold")


XOR = ["0 0 n", "0 1 p", "1 0 p", "1 1 n"] * 5
"""No test gains anything."""

ALIKE = ["1 1 n", "2 2 n", "3 3 n", "4 4 p", "5 5 p", "6 6 p"] * 4
"""Two attributes that are the same."""

SYMMETRIC = [f"{x} {label}" for x, label in zip(range(1, 7), "nnppnn", strict=True) for _ in range(8)]
"""Two cuts that are as good as each other: 2.5 and 4.5."""
