"""Boosted models of many objectives and releases answer as their programs did."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.programs.inventory import UnreadError
from reference_tree.programs.reading import predictor_of_file, read_foreign
from reference_tree.programs.xgboost.ubjson import decoded
from tests.every import of_every
from tests.programs.documents import ensemble_of
from tests.programs.recording import HERE

MODELS = sorted(
    path
    for folder in ("xgboost-kinds", "lightgbm-kinds")
    for path in (HERE / folder).iterdir()
    if not path.name.endswith(".answers.json")
)
UNREAD = {
    "linear-4.7.0": "its leaves are linear functions; train it with linear_tree off",
    "zeros-4.7.0": "sends 0 to the side of missing values, away from its place",
    "linear-4.7.0.dump": "its leaves are linear functions",
    "zeros-4.7.0.dump": "sends 0 to the side of missing values",
    "codes-2.3.1.dump": "its JSON has no feature_infos, as before LightGBM 3; Booster.save_model writes a text",
    "tweedie-2.3.1.dump": "its JSON has no feature_infos",
}
"""The models that are refused by name."""


def answers(model: Ensemble, rows: list[dict[str, Any]]) -> list[Any]:
    """What the program gives for each row: a number, or a list of the probabilities of classes."""
    if model.target.values is None:
        return list(map(float, model.predict(rows)))
    shares = [list(map(float, each.values())) for each in model.distribution(rows)]
    return [each[1] for each in shares] if len(shares[0]) == 2 else shares


def recorded(path: Path) -> Any:
    name = path.name.removesuffix(".txt").removesuffix(".json").removesuffix(".dump")
    return json.loads(path.with_name(f"{name}.answers.json").read_text(encoding="utf-8"))


def near(ours: Any, theirs: Any, most: float) -> Iterator[bool]:
    for one, other in zip(ours, theirs, strict=True):
        pairs = zip(one, other, strict=True) if isinstance(one, list) else [(one, other)]
        yield from (math.isclose(a, b, rel_tol=most, abs_tol=1e-12) for a, b in pairs)


@pytest.mark.parametrize("path", [pytest.param(each, id=each.name) for each in MODELS])
@pytest.mark.filterwarnings("ignore::reference_tree.data.errors.InputWarning")
def test_a_model_answers_as_it_did(path: Path) -> None:
    if path.stem in UNREAD:
        with pytest.raises(InputError, match=UNREAD[path.stem]):
            read_foreign(path)
        return
    record, documents = recorded(path), read_foreign(path)
    models = list(map(ensemble_of, documents))
    names = [attribute.name for attribute in models[0].attributes]
    rows = [dict(zip(names, row, strict=True)) for row in record["rows"]]
    found = [answers(model, rows) for model in models]
    ours = found[0] if len(found) == 1 else [list(each) for each in zip(*found, strict=True)]
    assert all(near(ours, record["answers"], 5e-7 if record["program"] == "xgboost" else 1e-13))


def test_sums_of_xgboost_are_those_of_the_program_to_the_bit() -> None:
    for name in ("dart-1.7.6", "dart-3.2.0", "dart-3.3.0", "dart-3.4.1", "rate-drop-3.4.1", "codes-3.4.1"):
        path = HERE / "xgboost-kinds" / f"{name}.json"
        (document,), record = read_foreign(path), recorded(path)
        model = ensemble_of(document)
        names = [attribute.name for attribute in model.attributes]
        rows = [dict(zip(names, row, strict=True)) for row in record["rows"]]
        assert answers(model, rows) == record["answers"], name


def test_the_class_that_a_file_names_decides_which_rounds_answer() -> None:
    path = HERE / "xgboost-kinds" / "early-3.4.1.json"
    with pytest.warns(match=r"best_iteration is \d+, .* as for the class of scikit-learn that the model names"):
        (best,) = read_foreign(path)
    value = json.loads(path.read_text(encoding="utf-8"))
    rounds = len(value["learner"]["gradient_booster"]["model"]["trees"])
    count = int(value["learner"]["attributes"]["best_iteration"]) + 1
    assert len(best["trees"]) == count < rounds
    assert best["learner"]["options"]["remarks"]
    del value["learner"]["attributes"]["scikit_learn"]
    with pytest.warns(match=f"all {rounds} rounds answer, as for Booster.predict; iterations='best' takes the first"):
        (everything,) = read_foreign(value)
    assert len(everything["trees"]) == rounds
    for asked, taken in (("all", rounds), ("best", count), (2, 2), ("2", 2)):
        with pytest.warns(match="as told"):
            (document,) = read_foreign(path, iterations=asked)
        assert document["trees"] == everything["trees"][:taken]


@of_every(
    [
        (0, "0 rounds are asked for, and the model has"),
        (99, "99 rounds are asked for, and the model has"),
        ("some", "iterations are a number of rounds, all or best, not 'some'"),
        (True, "iterations are a number of rounds, all or best, not True"),
    ]
)
def test_rounds_that_a_model_has_not_are_refused(asked: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_foreign(HERE / "xgboost-kinds" / "early-3.4.1.json", iterations=asked)


def test_a_model_without_a_best_round_or_without_rounds_says_so() -> None:
    with pytest.raises(InputError, match="names no best round"):
        read_foreign(HERE / "lightgbm-kinds" / "squared-4.7.0.txt", iterations="best")
    with pytest.raises(InputError, match="iterations is for models with rounds, and this is"):
        read_foreign("|--- x <= 0.00\n|   |--- class: a\n|--- x >  0.00\n|   |--- class: b\n", iterations=2)


@pytest.mark.filterwarnings("ignore::reference_tree.data.errors.InputWarning")
def test_the_mean_of_a_forest_is_that_of_the_rounds_that_are_taken() -> None:
    whole, first = (read_foreign(HERE / "lightgbm-kinds" / "forest-4.7.0.txt", iterations=n)[0] for n in (4, 2))
    assert [tree["weight"] for tree in whole["trees"]] == ["1/4"] * 4
    assert [tree["weight"] for tree in first["trees"]] == ["1/2"] * 2


def test_an_output_of_several_is_named() -> None:
    path = HERE / "xgboost-kinds" / "quantiles-3.4.1.json"
    with pytest.raises(
        InputError, match=r"has 2 outputs, quantile 0\.2, quantile 0\.8, and one is predicted; name it by"
    ):
        predictor_of_file(path)
    second = predictor_of_file(path, "price", output="quantile 0.8")
    assert second.target.name == "price"
    documents = read_foreign(path, target="price")
    assert [each["target"]["name"] for each in documents] == ["price quantile 0.2", "price quantile 0.8"]
    row = {"f0": 0.5, "f1": 0, "f2": 0}
    assert second.predict(row) == ensemble_of(documents[1]).predict(row)
    with pytest.raises(InputError, match="output is for a model with several outputs"):
        predictor_of_file(HERE / "xgboost-kinds" / "squared-3.4.1.json", output="2")


def test_expectiles_that_are_predicted_together_are_refused() -> None:
    value = json.loads((HERE / "xgboost-kinds" / "targets-3.4.1.json").read_text(encoding="utf-8"))
    value["learner"]["objective"] = {
        "name": "reg:expectileerror",
        "expectile_loss_param": {"expectile_alpha": "[0.1,0.9]"},
    }
    with pytest.raises(UnreadError, match="train a model for each expectile_alpha"):
        read_foreign(value)


def test_a_release_that_is_newer_than_those_tried_is_remarked() -> None:
    value = json.loads((HERE / "xgboost-kinds" / "squared-3.4.1.json").read_text(encoding="utf-8"))
    value["version"] = [3, 5, 0]
    with pytest.warns(match="XGBoost 3.5.0 is newer than 3.4.1, the newest release that was tried here"):
        read_foreign(value)
    text = (HERE / "lightgbm-kinds" / "squared-4.7.0.txt").read_text(encoding="utf-8")
    with pytest.warns(match="the form v5 of the model is not among those that were tried here: v2, v3, v4"):
        read_foreign(text.replace("version=v4", "version=v5"))


def test_a_value_that_an_estimator_takes_for_a_missing_one_is_refused() -> None:
    value = json.loads((HERE / "xgboost-kinds" / "poisson-1.7.6.json").read_text(encoding="utf-8"))
    value["learner"]["attributes"]["scikit_learn"] = '{"missing": NaN}'
    plain = read_foreign(value)
    value["learner"]["attributes"]["scikit_learn"] = '{"missing": -999}'
    with pytest.raises(UnreadError, match="its estimator takes -999 for a missing value; leave such cells empty"):
        read_foreign(value)
    with pytest.warns(match="ignored, as told: missing"):
        (document,) = read_foreign(value, ignore_members=["missing"])
    assert document["trees"] == plain[0]["trees"]


def test_the_binary_form_is_the_same_model() -> None:
    path = HERE / "xgboost-kinds" / "codes-3.4.1.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    assert read_foreign(packed(value)) == read_foreign(path)
    assert decoded(packed(value)) == value


def packed(value: Any) -> bytes:
    """A value in UBJSON, with each number as a double."""
    if isinstance(value, dict):
        return b"{" + b"".join(text(key) + packed(each) for key, each in value.items()) + b"}"
    if isinstance(value, list):
        return b"[#" + number(len(value)) + b"".join(map(packed, value))
    if isinstance(value, str):
        return b"S" + text(value)
    return number(value) if isinstance(value, int) else b"D" + struct.pack(">d", value)


def number(value: int) -> bytes:
    return b"L" + value.to_bytes(8, "big", signed=True)


def text(value: str) -> bytes:
    return number(len(value.encode())) + value.encode()
