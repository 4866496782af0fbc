"""What is read of a recorded tree answers each row of its table as the program did, and by the same leaf."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.rationals import rational
from reference_tree.foreign import as_seen, predictor_of_file, read_foreign
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json, to_json
from tests.foreign.data_sets import DataSet, data_set
from tests.foreign.reading.documents import ensemble_of, tree_of
from tests.foreign.reading.recording import HERE


def files(program: str, ends: str = "") -> list[Any]:
    """The recorded models of a program."""
    here = sorted((HERE / program).iterdir())
    found = [each for each in here if not each.name.endswith(".answers.json") and "".join(each.suffixes).endswith(ends)]
    assert found
    return [pytest.param(each, id=f"{program}-{each.name}") for each in found]


DUMPS = files("xgboost", ".dump.json")
MODELS = [each for each in files("xgboost") if ".dump" not in str(each.id)]


def told_of(path: Path) -> Any:
    """What is recorded beside a model."""
    name = path.name.partition(".")[0]
    return json.loads((path.parent / f"{name}.answers.json").read_text(encoding="utf-8"))


def rows_of(data: DataSet, predictor: Tree | Ensemble, names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The rows as the program saw them."""
    seen = as_seen(predictor) or (lambda value: value)
    called = names or [attribute.name for attribute in data.attributes]
    return [
        {
            name: cell if cell is None or attribute.values is not None else seen(rational(cell))
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
        said = list(map(float, ours.values()))
        ours, theirs = said if isinstance(theirs, list) else said[1:], theirs if isinstance(theirs, list) else [theirs]
    else:
        ours, theirs = [float(ours)], [theirs]
    assert all(abs(a - float(b)) <= most * max(1.0, abs(a)) for a, b in zip(ours, theirs, strict=True)), (ours, theirs)


@pytest.mark.parametrize("path", [*MODELS, *files("lightgbm")])
def test_a_boosted_model_answers_as_it_did(path: Path) -> None:
    told, found = told_of(path), predictor_of_file(path)
    assert isinstance(found, Ensemble)
    rows = rows_of(data_set(told["data"]), found, told.get("columns", ()))
    same_leaves(found, rows, told["leaves"])
    answers = found.predict(rows) if found.target.values is None else found.distribution(rows)
    for ours, theirs in zip(answers, told["answers"], strict=True):
        near(ours, theirs, 2e-7 if path.parent.name == "xgboost" else 1e-13)


@pytest.mark.parametrize("path", DUMPS)
def test_a_dump_has_the_trees_of_its_model(path: Path) -> None:
    (model,) = read_foreign(path.with_name(path.name.replace(".dump", "")))
    codes = {each["name"]: each["values"] for each in model["attributes"] if "values" in each}
    trees = read_foreign(path)
    assert [len(each["nodes"]) for each in trees] == [len(each["nodes"]) for each in model["trees"]]
    for dumped, held in zip(trees, model["trees"], strict=True):
        tree_of(dumped)
        for ours, theirs in zip(dumped["nodes"], held["nodes"], strict=True):
            if "test" in theirs and theirs["test"]["attribute"] in codes:  # a dump knows no names of categories
                names = codes[theirs["test"]["attribute"]]
                assert [names[int(code)] for code in ours["branches"][0]["when"]["in"]] == theirs["branches"][0][
                    "when"
                ]["in"]
            else:
                assert ours == theirs


@pytest.mark.parametrize("path", files("lightgbm", ".txt"))
def test_both_forms_of_lightgbm_are_one_model(path: Path) -> None:
    assert read_foreign(path) == read_foreign(path.with_suffix(".dump.json"))


@pytest.mark.parametrize("path", files("rpart"))
def test_a_tree_of_rpart_answers_as_it_did(path: Path) -> None:
    told, found = told_of(path), predictor_of_file(path)
    assert isinstance(found, Tree)
    data = data_set(told["data"])
    answers = found.predict(rows_of(data, found))
    if data.target.values is not None:
        assert answers == told["answers"]
    else:
        assert list(map(float, answers)) == list(map(float, told["answers"]))
    assert from_json(to_json(found)) == found


@pytest.mark.parametrize("path", files("weka"))
@pytest.mark.parametrize("given", [False, True], ids=["as told", "with the domains"])
def test_a_printed_tree_of_weka_answers_as_it_did(path: Path, given: bool) -> None:
    told = told_of(path)
    data = data_set(told["data"])
    (document,) = (
        read_foreign(path, attributes=data.attributes, classes=data.target.values or ())
        if given
        else read_foreign(path)
    )
    found = tree_of(document)
    answered = 0
    for row, said in zip(rows_of(data, found), told["answers"], strict=True):
        if "missing" in found.silent and any(row[name] is None for name in found.cuts):
            continue  # the weights are rounded, so that no shares are known
        ours, answered = found.predict(row), answered + 1
        if data.target.values is None:
            assert abs(Fraction(ours) - Fraction(said)) <= Fraction(6, 1000)  # two digits against three
        else:
            assert data.target.values.index(str(ours)) == int(said.partition(":")[0]) - 1
    assert answered > len(data.rows) // 3
    assert from_json(to_json(found)) == found


def test_weights_that_are_whole_are_counts_and_shares() -> None:
    (document,) = read_foreign(HERE / "weka" / "j48-pima.txt")
    assert document["program"] == {
        "name": "Weka J48", "numbers": "exact", "silent": ["inner-labels", "inner-counts"]
    }  # fmt: skip
    assert sum(int(n) for node in document["nodes"] for n in node.get("counts", {}).values()) == 768
    (silent,) = read_foreign(HERE / "weka" / "j48-vote.txt")
    assert silent["program"]["silent"] == ["inner-labels", "counts", "missing"]


def test_thresholds_of_xgboost_are_float32_and_of_lightgbm_doubles() -> None:
    (xgb,) = read_foreign(HERE / "xgboost" / "iris.json")
    (lgb,) = read_foreign(HERE / "lightgbm" / "iris.txt")
    for model, bits in ((xgb, 24), (lgb, 53)):
        texts = [node["test"]["threshold"] for tree in model["trees"] for node in tree["nodes"] if "test" in node]
        sizes = [Fraction(text).numerator.bit_length() for text in texts]
        assert bits - 8 < max(sizes) <= bits
    assert ensemble_of(xgb).combine == ensemble_of(lgb).combine == "softmax"
