"""Models of LightGBM, as text and as JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.reading import read_foreign
from tests.every import of_every
from tests.programs.documents import answers_as_it_did, files
from tests.programs.recording import HERE


@pytest.mark.one_in(5)
@pytest.mark.parametrize("path", files("lightgbm"))
def test_a_model_answers_as_it_did(path: Path) -> None:
    answers_as_it_did(path, 1e-13)


@pytest.mark.parametrize("path", files("lightgbm", ".txt"))
def test_both_forms_of_lightgbm_are_one_model(path: Path) -> None:
    forms = [read_foreign(path), read_foreign(path.with_suffix(".dump.json"))]
    parameters = [document["learner"]["options"].pop("told") for ((document),) in forms]
    text, dump = (document["learner"]["options"].pop("stated") for ((document),) in forms)
    for one, other in zip(text, dump, strict=True):
        assert one.keys() == other.keys() == {"h", "value", "gain"}
        for name, numbers in one.items():
            for number, its in zip(numbers, other[name], strict=True):
                assert (number is None) == (its is None)
                assert number is None or float(number) == pytest.approx(float(its), rel=1e-5)  # of six digits
    assert forms[0] == forms[1]
    assert parameters[0].items() > parameters[1].items()  # the text has all of them, and the JSON only the rate


def test_thresholds_are_doubles() -> None:
    (model,) = read_foreign(HERE / "lightgbm" / "iris.txt")
    texts = [node["test"]["threshold"] for tree in model["trees"] for node in tree["nodes"] if "test" in node]
    assert 45 < max(Fraction(text).numerator.bit_length() for text in texts) <= 53


def changed(old: str, new: str) -> str:
    """A model in JSON with another word in it."""
    text = json.dumps(json.loads((HERE / "lightgbm" / "cars.dump.json").read_text(encoding="utf-8")))
    assert old in text
    return text.replace(old, new)


def test_no_row_has_a_category_below_0() -> None:
    assert read_foreign(changed('"threshold": "1||2"', '"threshold": "1||2||-1"')) == read_foreign(changed("{", "{"))


@of_every(
    [
        ('"default_left": true, "missing_type": "NaN"', '"default_left": true, "missing_type": "Zero"', None),
        ('"default_left": true, "missing_type": "NaN"', '"default_left": false, "missing_type": "Zero"', "sends 0 to"),
        ('"split_feature": 3', '"split_feature": -3', "an entry has the number -3"),
        ('"leaf_value"', '"leaf_const": 1, "leaf_value"', "its leaves are linear functions"),
        ('"num_tree_per_iteration": 1', '"num_tree_per_iteration": 0', "is not a model of LightGBM"),
        ('"objective": "regression"', '"objective": "ranks"', "its objective is ranks, which is not read"),
    ]
)
def test_what_no_threshold_says_is_refused(old: str, new: str, message: str | None) -> None:
    if message is not None:
        with pytest.raises(InputError, match=message):
            read_foreign(changed(old, new))
    else:
        assert len(read_foreign(changed(old, new))) == 1


@of_every([("None", 0), ("NaN", 8), ("None", 2), ("Zero", 6), ("NaN", 10)])
def test_the_missing_type_of_a_text_is_that_of_its_number(kind: str, number: int) -> None:
    """Bits 2 and 3 of a decision type; bit 1 sends what is missing to the left, and bit 0 is for categories."""
    ways, to_left = missing_of(of_type(number)), str(number in (2, 6, 10)).lower()
    stated = f'"default_left": {to_left}, "missing_type": "{kind}"'
    assert ways == missing_of(changed('"default_left": true, "missing_type": "NaN"', stated))
    assert len(ways) > 10
    assert (ways == missing_of(of_type(10))) == (number != 8)  # 0 is below each threshold of this model


def test_a_text_whose_missing_type_is_0_and_sends_it_beyond_its_threshold_is_refused() -> None:
    with pytest.raises(InputError, match="sends 0 to"):
        read_foreign(of_type(4))


def of_type(number: int) -> str:
    """A model as text, in which the questions about numbers have a decision type."""
    text = (HERE / "lightgbm" / "cars.txt").read_text(encoding="utf-8")
    assert text.count("decision_type=1 10 9 10 10") == 4
    return text.replace("decision_type=1 10 9 10 10", f"decision_type=1 {number} 9 {number} {number}")


def missing_of(model: str) -> list[Any]:
    """The condition of each node of a model, and what it does with a missing value."""
    return [
        (node["test"], node.get("missing"))
        for document in read_foreign(model)
        for tree in document["trees"]
        for node in tree["nodes"]
        if "test" in node
    ]
