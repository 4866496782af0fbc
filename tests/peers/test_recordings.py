"""What other programs grew: it fits its rows, and where the program is installed, it still grows that."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from math import isclose, isnan
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from reference_tree.data.textbook import textbook
from reference_tree.exact.rationals import rational
from tests.every import of_every
from tests.peers import rpart, scikit_learn, sources, weka
from tests.peers.data_sets import FOLDER, RECORDED, data_set
from tests.peers.recordings import RECORDINGS, Recording, absent, each, grow
from tests.peers.recount import Arrival, arrivals, known_shares

every_recording = each(RECORDINGS)
every_data_set = pytest.mark.parametrize("name", sources.SOURCES)

SOME = 10
"""Nodes of a tree that are held against the schema; all are written alike, and it takes a millisecond each."""

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "tree-1.schema.json"

PROGRAMS: Mapping[str, Callable[[], str | None]] = {
    "weka": weka.absent,
    "rpart": rpart.absent,
    "scikit-learn": scikit_learn.absent,
}


def number(text: str) -> float:
    over, _, under = text.partition("/")
    return float(over) / float(under or 1)


def agree(said: str, counted: float) -> bool:
    return isclose(number(said), counted, rel_tol=1e-9, abs_tol=1e-8)


def weights_of_classes(arrival: Arrival, target: str) -> dict[str, float]:
    counted: dict[str, float] = {}
    for row, weight in arrival.rows:
        label = row[target]
        assert label is not None
        counted[label] = counted.get(label, 0) + weight
    return counted


def check_classes(arrival: Arrival, target: str) -> None:
    said, counted = arrival.node["counts"], weights_of_classes(arrival, target)
    assert said.keys() == counted.keys()
    assert all(agree(said[label], counted[label]) for label in said)


def check_moments(arrival: Arrival, target: str) -> None:
    numbers = [float(row[target] or "nan") for row, _ in arrival.rows]
    mean = sum(numbers) / len(numbers)
    assert agree(arrival.node["n"], len(numbers))
    assert agree(arrival.node["mean"], mean)
    assert agree(arrival.node["sse"], sum((y - mean) ** 2 for y in numbers))


def check_shares(arrival: Arrival) -> None:
    shares = {branch["to"]: branch.get("share") for branch in arrival.node.get("branches", ())}
    if any(shares.values()):
        counted = known_shares(arrival.node, arrival.rows)
        assert all(agree(share, counted[to]) for to, share in shares.items())


@pytest.mark.one_in(12)
@every_recording
def test_the_rows_that_arrive_at_a_node_are_those_it_counts(recording: Recording) -> None:
    data = recording.rows()
    check = check_moments if data.target.values is None else check_classes
    for arrival in arrivals(recording.text(), data, left_out=recording.program == "rpart"):
        check(arrival, data.target.name)
        check_shares(arrival)


@cache
def validator() -> Any:
    """Of tree documents."""
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.mark.one_in(16, 32)
@every_recording
def test_a_recording_is_a_tree_document(recording: Recording) -> None:
    document = json.loads(recording.text())
    validator().validate({**document, "nodes": document["nodes"][:SOME]})


@of_every(RECORDINGS)
def test_a_recording_says_what_grew_it(recording: Recording) -> None:
    learner = json.loads(recording.text())["learner"]
    assert learner["name"] == "unknown"
    assert set(learner["source"]) == {"program", "version", "command"}


def test_every_file_is_listed() -> None:
    elsewhere = ("-paths", "-reduced-errors")  # listed in `pruning_paths` and in `reduced_errors`
    files = {path for path in RECORDED.rglob("*.json") if not path.parent.name.endswith(elsewhere)}
    files = {path for path in files if not path.is_relative_to(RECORDED / "0.1.0")}  # documents of this package
    assert files == {recording.path for recording in RECORDINGS}


@every_data_set
def test_the_rows_are_those_of_the_provenance(name: str) -> None:
    catalogue = tomllib.loads((FOLDER / "provenance.toml").read_text(encoding="utf-8"))
    assert catalogue.keys() == sources.SOURCES.keys()
    path = FOLDER / f"{name}.arff"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == catalogue[name]["sha256"]


@every_data_set
def test_a_double_reads_back_as_the_decimal_of_the_file(name: str) -> None:
    data = data_set(name)
    continuous = [column.values is None for column in (*data.attributes, data.target)]
    for cells, doubles in zip(data.rows, data.numbers(), strict=True):
        for cell, double, is_number in zip(cells, doubles, continuous, strict=True):
            assert isnan(double) if cell is None else not is_number or float(cell) == double


def test_iris_is_the_iris_of_the_textbooks() -> None:
    data, book = data_set("iris"), textbook("iris")
    assert (data.attributes, data.target) == (book.schema.attributes, book.schema.target)
    rows = [(*(rational(cell or "") for cell in row[:-1]), row[-1]) for row in data.rows]
    assert rows == [tuple(row.values()) for row in book.rows()]


def without_version(text: str) -> list[str]:
    """A document's lines; a newer version of the program is no other tree."""
    version = json.dumps(json.loads(text)["learner"]["source"]["version"])
    return text.replace(f'"version": {version}', "").splitlines()


@cache
def live(program: str) -> dict[str, str]:
    """Every tree of a program, grown now."""
    grown = grow([recording for recording in RECORDINGS if recording.program.startswith(program)])
    return {recording.name: text for recording, text in grown.items()}


@pytest.mark.oracles
@every_recording
def test_the_program_still_grows_what_is_recorded(recording: Recording) -> None:
    if missing := absent(recording):
        pytest.skip(missing)
    program = next(name for name in PROGRAMS if recording.program.startswith(name))
    assert without_version(live(program)[recording.name]) == without_version(recording.text())


@pytest.mark.oracles
@every_data_set
def test_the_rows_are_those_of_the_package(name: str) -> None:
    try:
        text = sources.SOURCES[name](name)
    except sources.AbsentError as absent_package:
        pytest.skip(f"not installed: {absent_package}")
    assert text == (FOLDER / f"{name}.arff").read_text(encoding="utf-8")
