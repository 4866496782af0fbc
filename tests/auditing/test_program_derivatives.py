"""What a program had: starts, margins and derivatives, enclosed."""

from __future__ import annotations

import importlib
import json
from fractions import Fraction
from math import e, log1p
from pathlib import Path
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.auditing.program_derivatives import Ends, Replay, derivatives, start_of
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.exact.log_sums import log
from reference_tree.programs.boosters import BoosterParameters
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document import predictor_from_json
from tests.every import of_every
from tests.peers import xgboost_trees

RECORDED = Path(__file__).parents[1] / "programs" / "recorded" / "xgboost"


@of_every(["pima", "labor", "vote"])
def test_the_start_of_a_model_holds_the_logit_of_its_base_score(name: str) -> None:
    """The logit is worked out in doubles here; an estimated base score is a float32, and taken as its exact value."""
    text = (RECORDED / f"{name}.json").read_text(encoding="utf-8")
    (base,) = json.loads(json.loads(text)["learner"]["learner_model_param"]["base_score"])
    model: Any = predictor_from_json(json.dumps(read_foreign(text)[0]))
    ((low, high),) = start_of(BoosterParameters(loss="logistic"), model, rt.textbook("iris"))
    logit = log1p((2 * base - 1) / (1 - base))
    assert low < logit < high
    assert high - low < 1e-5


@pytest.mark.oracles
@pytest.mark.parametrize("seed", range(6))
def test_margins_of_xgboost_lie_between_their_ends(seed: int) -> None:
    """XGBoost estimates its base score; what it says of each row after two trees is held against the replay."""
    if missing := xgboost_trees.absent():
        pytest.skip(missing)
    numpy: Any = importlib.import_module("numpy")
    xgboost: Any = importlib.import_module("xgboost")
    chance = numpy.random.default_rng(seed)
    X, y = chance.normal(size=(80, 2)).astype("float32"), chance.random(80) < chance.random()
    rows = xgboost.DMatrix(X, y.astype(int))
    booster = xgboost.train({"objective": "binary:logistic", "max_depth": 2, "nthread": 1}, rows, 3)
    model: Any = predictor_from_json(json.dumps(read_foreign(bytes(booster.save_raw("json")).decode())[0]))
    columns = {f"f{place}": X[:, place].tolist() for place in range(2)}
    table = rt.Table.from_columns({**columns, "target": [str(int(one)) for one in y]}, categorical=["target"])
    values = [member.tree.predict(table.rounded("float32")) for member in model.members]
    steps: Any = [[(Fraction(value),) * 2 for value in each] for each in values]
    parameters = BoosterParameters(loss="logistic")
    replayed = Replay(steps, start_of(parameters, model, table), parameters).before(2)
    margins = booster.predict(rows, output_margin=True, iteration_range=(0, 2))
    assert all(low <= Fraction(float(margin)) <= high for ((low, high),), margin in zip(replayed, margins, strict=True))
    assert max(high - low for ((low, high),) in replayed) < 1e-5


def test_a_start_from_the_average_is_that_of_the_data() -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3], "y": [1, 2, 6]}, "y", continuous=["x", "y"])
    model = Ensemble(table.schema.target, table.schema.attributes, (_leaf(table),), "sum", start=(0,))
    ((low, high),) = start_of(BoosterParameters(from_average=True), model, table)
    assert low < 3 < high < low + Fraction(1, 10**12)
    classes = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": ["no", "yes", "yes", "yes"]}, "y", continuous=["x"])
    model = Ensemble(classes.schema.target, classes.schema.attributes, (_leaf(classes),), "logistic", start=(0,))
    ((low, high),) = start_of(BoosterParameters(loss="logistic", from_average=True), model, classes)
    assert log(3, e) > low
    assert log(3, e) < high


def _leaf(table: rt.Table) -> Any:
    node = rt.Node((0, 0, 0), 0, stop="unknown")
    return Member(rt.Tree(table.schema.target, table.schema.attributes, (node,)))


@of_every(["logistic", "softmax", "squared_error"])
def test_derivatives_at_an_enclosed_margin_hold_those_at_any_margin_in_it(loss: str) -> None:
    chance = Random(0)
    for _ in range(20):
        sums = 3 if loss == "softmax" else 1
        lows, width = [Fraction(chance.randrange(-40, 40), 16) for _ in range(sums)], chance.choice([8, 2**14])
        wide: tuple[Ends, ...] = tuple((low, low + Fraction(chance.randrange(4), width)) for low in lows)
        inside: tuple[Ends, ...] = tuple(2 * (low + (high - low) * chance.randrange(5) / 4,) for low, high in wide)
        booster, y = BoosterParameters(loss=loss), chance.randrange(max(2, sums))
        outer, inner = (derivatives(booster, [y], [margins], y % sums) for margins in (wide, inside))
        for (low, high), (least, most) in ((outer.g[0], inner.g[0]), (outer.h[0], inner.h[0])):
            assert Fraction(low, outer.scale) <= Fraction(least, inner.scale)
            assert Fraction(most, inner.scale) <= Fraction(high, outer.scale)
