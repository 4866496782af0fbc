"""Attributions of programs that are here: ten models add up in fractions, and what their explainers say is right."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.chance import Chance

pytestmark = pytest.mark.oracles
ROWS, COLUMNS = 300, 6


def _drawn(seed: int, rows: int) -> list[list[float]]:
    """Numbers between -3 and 3 in quarters of a hundredth, a few of them missing."""
    chance = Chance(seed, b"attributions")
    cells = [[chance.below(2401) / 400 - 3 for _ in range(COLUMNS)] for _ in range(rows)]
    return [[float("nan") if chance.below(25) == 0 else cell for cell in row] for row in cells]


def _target(row: list[float]) -> float:
    a, b, c, d, *_ = (0.0 if cell != cell else cell for cell in row)
    return a * b + c + d * d


def _of_xgboost(objective: str, depth: int, **more: Any) -> Callable[[Any, Any, Any], tuple[Any, Any, str, str | None]]:
    def made(x: Any, y: Any, asked: Any) -> tuple[Any, Any, str, str | None]:
        xgboost = pytest.importorskip("xgboost")
        y = (y > 1) * 1 if "logistic" in objective else abs(y) if "poisson" in objective else y
        told = {"objective": objective, "max_depth": depth, "nthread": 1, **more}
        booster = xgboost.train(told, xgboost.DMatrix(x, y), 12)
        given = booster.predict(xgboost.DMatrix(asked), pred_contribs=True)
        return booster, given, "f", "margin" if objective != "reg:squarederror" else None

    return made


def _of_lightgbm(objective: str, leaves: int) -> Callable[[Any, Any, Any], tuple[Any, Any, str, str | None]]:
    def made(x: Any, y: Any, asked: Any) -> tuple[Any, Any, str, str | None]:
        lightgbm = pytest.importorskip("lightgbm")
        y = (y > 1) * 1 if objective == "binary" else y
        told = {"objective": objective, "num_leaves": leaves, "verbose": -1, "num_threads": 1, "min_data_in_leaf": 5}
        booster = lightgbm.train(told, lightgbm.Dataset(x, y), 12)
        return (
            booster,
            booster.predict(asked, pred_contrib=True),
            "Column_",
            "margin" if objective == "binary" else None,
        )

    return made


def _of_scikit_learn(kind: str, **more: Any) -> Callable[[Any, Any, Any], tuple[Any, Any, str, str | None]]:
    def made(x: Any, y: Any, asked: Any) -> tuple[Any, Any, str, str | None]:
        tree, ensemble = map(pytest.importorskip, ("sklearn.tree", "sklearn.ensemble"))
        is_class = "Classifier" in kind
        model = getattr(tree, kind, None) or getattr(ensemble, kind)
        fitted = model(random_state=0, **more).fit(x, (y > 1) * 1 if is_class else y)
        return fitted, None, "x", "1" if is_class else None

    return made


MODELS = {
    "XGBoost, numbers": _of_xgboost("reg:squarederror", 4),
    "XGBoost, two classes": _of_xgboost("binary:logistic", 3),
    "XGBoost, counts": _of_xgboost("count:poisson", 5),
    "XGBoost, dropout": _of_xgboost("reg:squarederror", 3, booster="dart", rate_drop=0.3, seed=1),
    "LightGBM, numbers": _of_lightgbm("regression", 15),
    "LightGBM, two classes": _of_lightgbm("binary", 31),
    "scikit-learn, a tree of numbers": _of_scikit_learn("DecisionTreeRegressor", max_depth=5),
    "scikit-learn, a tree of classes": _of_scikit_learn("DecisionTreeClassifier", max_depth=4),
    "scikit-learn, a forest": _of_scikit_learn("RandomForestClassifier", n_estimators=5, max_depth=4),
    "scikit-learn, extra trees": _of_scikit_learn("ExtraTreesRegressor", n_estimators=5, max_depth=4),
}


@pytest.mark.filterwarnings("ignore::UserWarning")  # of dropout in newer releases of XGBoost
@pytest.mark.parametrize("name", MODELS)
def test_the_values_add_up_in_fractions_and_those_of_the_program_are_right(name: str) -> None:
    numpy = pytest.importorskip("numpy")
    x, asked = _drawn(1, ROWS), _drawn(2, 20)
    model, given, letter, values = MODELS[name](numpy.array(x), numpy.array([*map(_target, x)]), numpy.array(asked))
    (document,) = rt.read_foreign(model)
    predictor = rt.predictor_from_json(json.dumps(document))
    rows = [{f"{letter}{place}": None if cell != cell else cell for place, cell in enumerate(row)} for row in asked]
    background = rows[:3]
    for others in (None, background):
        found = rt.shapley_values(predictor, rows, background=others, values=values)
        for each, prediction in zip(found.values, found.predictions, strict=True):
            assert found.expected_value + sum(each.values()) == prediction
        assert [list(each.values()) for each in found.floats] == [
            [float(value) for value in each.values()] for each in found.values
        ]
    if given is not None:
        audit = rt.audit_attributions(predictor, rows, given, values=values)
        assert [one.status for one in audit.judged] == ["passed"] * len(rows), audit.summary
