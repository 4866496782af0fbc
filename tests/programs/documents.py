"""What the tests of readers share: recorded models, a document as a tree, and rows as the program saw them."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.rationals import rational
from reference_tree.programs.reading import predictor_of_file
from reference_tree.tree import Tree
from reference_tree.tree_document.reading import predictor_from_json
from tests.peers.data_sets import DataSet, data_set
from tests.programs.recording import HERE


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


def files(program: str, ends: str = "") -> list[Any]:
    """The recorded models of a program."""
    here = sorted((HERE / program).iterdir())
    found = [each for each in here if not each.name.endswith(".answers.json") and "".join(each.suffixes).endswith(ends)]
    assert found
    return [pytest.param(each, id=f"{program}-{each.name}") for each in found]


def record_of(path: Path) -> Any:
    """What is recorded beside a model."""
    name = path.name.partition(".")[0]
    return json.loads((path.parent / f"{name}.answers.json").read_text(encoding="utf-8"))


def rows_of(data: DataSet, predictor: Tree | Ensemble, names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The rows, as they are written."""
    called = names or [attribute.name for attribute in data.attributes]
    return [
        {
            name: cell if cell is None or attribute.values is not None else rational(cell)
            for name, attribute, cell in zip(called, data.attributes, row, strict=False)
        }
        for row in data.rows
    ]


def same_leaves(predictor: Ensemble, rows: Sequence[Any], leaves: Sequence[Sequence[int]]) -> None:
    """Each tree divides the rows into leaves as it did there."""
    for place, member in enumerate(predictor.members):
        pairs = {(member.tree.ends(row)[0][0], leaf[place]) for row, leaf in zip(rows, leaves, strict=True)}
        assert len({ours for ours, _ in pairs}) == len({theirs for _, theirs in pairs}) == len(pairs)


def near(ours: Any, theirs: Any, most: float) -> None:
    """Numbers, or the probabilities of classes, up to the rounding of a program that adds floats."""
    if isinstance(ours, dict):
        ours = list(map(float, ours.values()))
        ours, theirs = ours if isinstance(theirs, list) else ours[1:], theirs if isinstance(theirs, list) else [theirs]
    else:
        ours, theirs = [float(ours)], [theirs]
    assert all(abs(a - float(b)) <= most * max(1.0, abs(a)) for a, b in zip(ours, theirs, strict=True)), (ours, theirs)


def answers_as_it_did(path: Path, most: float) -> None:
    """A boosted model answers every row as the program did, and by the same leaves.

    Args:
        path: of the model.
        most: how far the answers may be apart, relatively, since the program adds floats.
    """
    record, found = record_of(path), predictor_of_file(path)
    assert isinstance(found, Ensemble)
    rows = rows_of(data_set(record["data"]), found, record.get("columns", ()))
    same_leaves(found, rows, record["leaves"])
    answers = found.predict(rows) if found.target.values is None else found.distribution(rows)
    for ours, theirs in zip(answers, record["answers"], strict=True):
        near(ours, theirs, most)
