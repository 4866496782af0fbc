"""Models of LightGBM, as text and as JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from reference_tree.data.errors import InputError
from reference_tree.foreign import read_foreign
from tests.every import of_every
from tests.foreign.documents import answers_as_it_did, files
from tests.foreign.recording import HERE


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
