"""Models of CatBoost and what they answer: `python tests/programs/catboost/record.py FOLDER`.

It needs catboost, scikit-learn and numpy. What is written are `KIND.json`, as `save_model` has it, and
`KIND.answers.json`: the rows, the numbers or the probabilities, and the labels, of the model that was fitted: CatBoost
does not read its own JSON to the last bit (`findings/catboost_json_rounding.sh`).
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

QUIET: dict[str, Any] = {"verbose": 0, "allow_writing_files": False, "thread_count": 1, "random_seed": 0}
SMALL: dict[str, Any] = {"iterations": 3, "depth": 2, **QUIET}


def fitted() -> Iterator[tuple[str, Any]]:
    """The models."""
    numpy: Any = importlib.import_module("numpy")
    of: Any = importlib.import_module("catboost")
    X, y = importlib.import_module("sklearn.datasets").load_iris(return_X_y=True)
    X = X[:, :3]
    two, number = y == 1, X[:, 0]
    holes = X.copy()
    holes[::7, 1] = numpy.nan
    numbers: dict[str, tuple[dict[str, Any], Any, Any]] = {
        "number": ({}, X, number),
        "deep": ({"depth": 5}, X, number),
        "gaps": ({}, holes, X[:, 1] * 2 + numpy.isnan(holes[:, 1]) * 3),
        "gaps-above": ({"nan_mode": "Max"}, holes, X[:, 1] * 2 + numpy.isnan(holes[:, 1]) * 3),
        "depthwise": ({"grow_policy": "Depthwise"}, holes, number),
        "poisson": ({"loss_function": "Poisson"}, X, y),
        "tweedie": ({"loss_function": "Tweedie:variance_power=1.5"}, X, y),
        "quantile": ({"loss_function": "Quantile:alpha=0.9"}, X, number),
        "two-quantiles": ({"loss_function": "MultiQuantile:alpha=0.1,0.5"}, X, number),
        "two-numbers": ({"loss_function": "MultiRMSE"}, X, X[:, :2]),
        "cox": ({"loss_function": "Cox"}, X, number),
        "one-leaf": ({"depth": 1, "iterations": 1, "ignored_features": [0, 1]}, X, number),
        "uncertain": ({"loss_function": "RMSEWithUncertainty"}, X, number),
    }
    for kind, (options, rows, target) in numbers.items():
        yield kind, of.CatBoostRegressor(**(SMALL | options)).fit(rows, target)
    classes: dict[str, tuple[dict[str, Any], Any, Any]] = {
        "two-classes": ({}, X, two.astype(int)),
        "truth": ({}, X, two),
        "classes": ({}, X, y),
        "names": ({}, X, numpy.array(["a", "b", "c"])[y]),
        "each-class": ({"loss_function": "MultiClassOneVsAll"}, X, y),
        "shares": ({"loss_function": "CrossEntropy"}, X, two / 2),
        "focal": ({"loss_function": "Focal:focal_alpha=0.25;focal_gamma=2"}, X, two.astype(int)),
        "lossguide": ({"grow_policy": "Lossguide", "max_leaves": 3}, holes, y),
        "labels": ({"loss_function": "MultiLogloss"}, X, numpy.column_stack([two, y == 2]).astype(int)),
    }
    for kind, (options, rows, target) in classes.items():
        yield kind, of.CatBoostClassifier(**(SMALL | options)).fit(rows, target)
    coded = [[a, b, str(int(c))] for a, b, c in X]
    yield "categories", of.CatBoostRegressor(cat_features=[2], **SMALL).fit(coded, number)
    moved = of.CatBoostClassifier(**SMALL).fit(X, two)
    moved.set_probability_threshold(0.3)
    yield "moved", moved
    scaled = of.CatBoostRegressor(**SMALL).fit(X, number)
    scaled.set_scale_and_bias(2.0, 3.0)
    yield "scaled", scaled


def main(folder: Path) -> None:
    """Write the models and their answers."""
    numpy: Any = importlib.import_module("numpy")
    X, _ = importlib.import_module("sklearn.datasets").load_iris(return_X_y=True)
    rows = X[::5, :3].copy()
    rows[::4, 1] = numpy.nan
    for kind, model in fitted():
        path = folder / f"{kind}.json"
        model.save_model(str(path), format="json")
        if kind == "categories":
            continue
        # Values on the borders show on which side they are.
        features = json.loads(path.read_text(encoding="utf-8"))["features_info"]["float_features"]
        for place, feature in enumerate(features):
            for row, border in enumerate(feature["borders"][-4:]):
                rows[row, place] = border
        told: dict[str, Any] = {"rows": [[None if v != v else v for v in row] for row in rows.tolist()]}
        if hasattr(model, "predict_proba") and kind != "labels":
            told["labels"] = list(map(str, numpy.asarray(model.predict(rows)).ravel().tolist()))
            told["shares"] = model.predict_proba(rows).tolist()
        else:
            answers = numpy.asarray(model.predict(rows))
            told["numbers"] = answers.reshape(len(rows), -1).tolist()
        (folder / f"{kind}.answers.json").write_text(json.dumps(told) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
