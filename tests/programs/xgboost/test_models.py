"""Models and dumps of XGBoost."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.reading import predictor_of_file, read_foreign
from tests.programs.documents import answers_as_it_did, files, tree_of
from tests.programs.recording import HERE

DUMPS = files("xgboost", ".dump.json")
MODELS = [each for each in files("xgboost") if ".dump" not in str(each.id)]


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("path", MODELS)
def test_a_model_answers_as_it_did(path: Path) -> None:
    answers_as_it_did(path, 2e-7)


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


def test_thresholds_are_float32() -> None:
    (model,) = read_foreign(HERE / "xgboost" / "iris.json")
    texts = [node["test"]["threshold"] for tree in model["trees"] for node in tree["nodes"] if "test" in node]
    assert 16 < max(Fraction(text).numerator.bit_length() for text in texts) <= 24
    assert {
        tuple(node["branches"][0]["when"]) for tree in model["trees"] for node in tree["nodes"] if "test" in node
    } == {("lt",)}


def test_a_dump_does_not_say_how_its_trees_answer_together() -> None:
    with pytest.raises(InputError, match="holds 12 trees, and not how they are combined"):
        predictor_of_file(HERE / "xgboost" / "iris.dump.json")


def test_classes_and_the_target_can_be_named() -> None:
    (model,) = read_foreign(HERE / "xgboost" / "iris.json", target="species", classes=["a", "b", "c"])
    assert model["target"] == {"name": "species", "kind": "categorical", "classes": ["a", "b", "c"]}
    with pytest.raises(InputError, match="the model has 3 classes, and 2 names are given"):
        read_foreign(HERE / "xgboost" / "iris.json", classes=["a", "b"])


def test_an_object_that_is_not_fitted_is_refused_in_a_line() -> None:
    def booster(self: object) -> None:
        raise ValueError("need to call fit")

    held = {"get_booster": booster, "__sklearn_is_fitted__": lambda self: False, "fit": None}
    with pytest.raises(InputError, match="Held is not fitted, or is no tree of a program"):
        read_foreign(type("Held", (), held)())
