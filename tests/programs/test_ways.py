"""A model answers as its program does, in whatever way it is asked."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.data.held import held
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.programs.reading import predictor_of_file, read_foreign
from reference_tree.tree_document.reading import predictor_from_json
from reference_tree.views.derivation.ensembles import explain_votes
from tests.programs.documents import record_of
from tests.programs.recording import HERE
from tests.programs.ways import KINDS, Kind, by_every_way, decimals, fitted

MOST = 1e-7
"""How far answers may be apart, as a part of the largest: XGBoost gives probabilities in float32."""


MODELS = [pytest.param(path, id=path.stem) for path in sorted((HERE / "held").iterdir()) if ".answers" not in path.name]


@pytest.mark.one_in(18)
@pytest.mark.parametrize("path", MODELS)
def test_a_recorded_model_answers_as_it_did(path: Path) -> None:
    record = record_of(path)
    rows, _ = decimals(record["seed"], record["kind"])
    model = predictor_of_file(path, classes=record["classes"])
    found = by_every_way(model, rows, record["answers"], MOST)
    assert not any(found.values()), found
    assert len(found) >= 12


@pytest.mark.parametrize("method", ["exact", "hist"])
def test_the_numbers_of_xgboost_are_its_own_to_the_last_bit(method: str) -> None:
    path = HERE / "held" / f"xgboost-{method}-number.json"
    record = record_of(path)
    model = predictor_of_file(path)
    assert isinstance(model, Ensemble)
    rows, _ = decimals(record["seed"], record["kind"])
    given = [dict(zip((each.name for each in model.attributes), row, strict=True)) for row in rows]
    assert model.predict(given) == [*map(Fraction, record["answers"])]
    assert "XGBoost holds its sums in float32, rounded after each tree" in explain_votes(model, given[0])
    assert predictor_from_json(rt.to_json(model)).predict(given) == model.predict(given)


def test_what_is_explained_is_what_is_predicted() -> None:
    """The floats of XGBoost, on the thresholds of its model."""
    model = predictor_of_file(HERE / "held" / "xgboost-hist-two-classes.json", classes=["no", "yes"])
    assert isinstance(model, Ensemble)
    rows, _ = decimals(1, "two classes")
    names = [each.name for each in model.attributes]
    given = [dict(zip(names, row, strict=True)) for row in rows]
    assert [model.votes(row).label for row in given] == model.predict(given)
    for row, votes in ((row, model.votes(row)) for row in given):
        assert f"Prediction: {votes.label}" in explain_votes(model, row)
        for member, answer in zip(model.members, votes.answers, strict=True):
            assert member.tree.predict(row) == answer
    on_threshold = [
        name for row in given for name, value in row.items()
        if value is not None and held(value, "float32") in (model.cuts[name] or ())
    ]  # fmt: skip
    assert len(on_threshold) > 5


TABLES = [pytest.param(seed, kind, id=f"{kind}-{seed}") for seed in range(3) for kind in KINDS]


@pytest.mark.one_in(4)
@pytest.mark.oracles
@pytest.mark.parametrize(("seed", "kind"), TABLES)
@pytest.mark.filterwarnings("ignore")
def test_a_model_answers_as_its_program_does(seed: int, kind: Kind) -> None:
    for library in ("numpy", "xgboost", "lightgbm", "sklearn"):
        pytest.importorskip(library)
    rows, target = decimals(seed, kind, 120)
    for name, found in fitted(rows, target):
        (document,) = read_foreign(found.model, classes=found.classes)
        model = predictor_from_json(json.dumps(document))
        differing = by_every_way(model, rows, found.answers, MOST)
        assert not any(differing.values()), (name, differing)
