"""What the tests of readers share: a document as a tree, and rows as the program saw them."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.tree import Tree
from reference_tree.tree_document.reading import predictor_from_json


def tree_of(document: Mapping[str, Any]) -> Tree:
    """The tree of a document."""
    found = predictor_from_json(json.dumps(document))
    assert isinstance(found, Tree)
    return found


def ensemble_of(document: Mapping[str, Any]) -> Ensemble:
    """The ensemble of a document."""
    found = predictor_from_json(json.dumps(document))
    assert isinstance(found, Ensemble)
    return found


def float32_rows(rows: Iterable[Iterable[Any]], names: Sequence[str]) -> list[dict[str, Fraction | None]]:
    """Rows as a program in float32 sees them, as exact values; NaN is missing."""
    return [dict(zip(names, map(_float32, row), strict=True)) for row in rows]


def _float32(value: Any) -> Fraction | None:
    double = float(value)
    return None if double != double else Fraction(struct.unpack("f", struct.pack("f", double))[0])
