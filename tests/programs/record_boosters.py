"""Models of XGBoost and LightGBM of many kinds, as they write them, and what they answer.

`python -m tests.programs.record_boosters FOLDER [KIND ...]` writes the models of the release that is installed, as
`KIND-RELEASE.json` or `KIND-RELEASE.txt`, with `KIND-RELEASE.answers.json` beside each: the rows, and for each row what
the program answers. A release is a part of the name, because the files of releases differ.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SIZE = 60


def data() -> tuple[Any, Any, Any]:
    """Columns of numbers with gaps, a column of categories with gaps, and numbers to predict."""
    numpy: Any = importlib.import_module("numpy")
    drawn = numpy.random.default_rng(3)
    numbers = numpy.round(drawn.normal(size=(SIZE, 3)), 2)
    numbers[drawn.random(numbers.shape) < 0.1] = numpy.nan
    codes = drawn.integers(0, 5, SIZE).astype(float)
    target = numpy.nan_to_num(numbers[:, 0]) + 0.7 * numpy.nan_to_num(numbers[:, 1]) + (codes == 2) - (codes == 4)
    codes[drawn.random(SIZE) < 0.3] = numpy.nan
    return numbers, codes, numpy.round(target + 0.3 * drawn.normal(size=SIZE), 3)


def asked(numbers: Any, codes: Any, *, categorical: bool) -> Any:
    """The rows that are predicted; of categories also numbers between the codes, and strange ones."""
    numpy: Any = importlib.import_module("numpy")
    strange = [0.7, -0.5, -1.0, 7.0, 2.9, numpy.nan, 1e8, 2.99999999, -0.99, 4.0001]
    if not categorical:
        return numbers[:20]
    rows = [[*row, code] for row, code in zip(numbers[:20], codes[:20], strict=True)]
    return numpy.array(rows + [[0.1, 0.2, 0.3, code] for code in strange])


def xgboost(folder: Path, kinds: Iterable[str]) -> None:
    """Models of XGBoost."""
    numpy: Any = importlib.import_module("numpy")
    xgb: Any = importlib.import_module("xgboost")
    numbers, codes, y = data()
    positive, classes, two = numpy.exp(y / 2), numpy.digitize(y, [-0.5, 0.5]), numpy.column_stack([y, -y * y])
    vectors = {"multi_strategy": "multi_output_tree", "tree_method": "hist"}
    dropped = {"booster": "dart", "rate_drop": 0.5}
    known: dict[str, tuple[Any, dict[str, Any]]] = {
        "squared": (y, {}),
        "dart": (y, dropped),
        "dart-classes": (classes, {**dropped, "objective": "multi:softprob", "num_class": 3}),
        "rate-drop": (y, {"rate_drop": 0.5}),
        "logistic": (y > 0, {"objective": "binary:logistic"}),
        "one-class": (y < 99, {"objective": "binary:logistic"}),
        "no-class": (y > 99, {"objective": "binary:logistic"}),
        "logitraw": (y > 0, {"objective": "binary:logitraw"}),
        "hinge": (y > 0, {"objective": "binary:hinge"}),
        "shares": (y > 0, {"objective": "reg:logistic"}),
        "poisson": (numpy.floor(positive), {"objective": "count:poisson"}),
        "gamma": (positive, {"objective": "reg:gamma"}),
        "tweedie": (positive, {"objective": "reg:tweedie"}),
        "cox": (positive, {"objective": "survival:cox"}),
        "logarithms": (positive, {"objective": "reg:squaredlogerror"}),
        "quantiles": (y, {"objective": "reg:quantileerror", "quantile_alpha": [0.2, 0.8]}),
        "expectile": (y, {"objective": "reg:expectileerror", "expectile_alpha": 0.3}),
        "targets": (two, {}),
        "vectors": (two, vectors),
        "classes-vectors": (
            classes,
            {**vectors, "objective": "multi:softprob", "num_class": 3},
        ),
        "codes": (y, {"tree_method": "hist", "max_cat_to_onehot": 1}),
        "codes-one": (y, {"tree_method": "hist", "max_cat_to_onehot": 9}),
        "forest": (y, {"num_parallel_tree": 2, "subsample": 0.7, "seed": 1}),
    }  # fmt: skip
    for kind in kinds:
        if kind == "early":
            model = xgb.XGBRegressor(n_estimators=20, max_depth=2, n_jobs=1, early_stopping_rounds=3)
            model.fit(numbers, y, eval_set=[(numbers[:20], -y[:20])], verbose=False)
            rows = asked(numbers, codes, categorical=False)
            record(folder, f"{kind}-{xgb.__version__}.json", xgb, rows, model.predict(rows))
            model.save_model(folder / f"{kind}-{xgb.__version__}.json")
            continue
        target, options = known[kind]
        categorical = kind.startswith("codes")
        kept = numpy.column_stack([numbers, codes]) if categorical else numbers
        more = {"feature_types": ["q", "q", "q", "c"], "enable_categorical": True} if categorical else {}
        options = {"max_depth": 2, "nthread": 1, "min_child_weight": 0.1, **options}
        booster = xgb.train(options, xgb.DMatrix(kept, numpy.array(target, dtype=float), **more), 4)
        rows = asked(numbers, codes, categorical=categorical)
        record(folder, f"{kind}-{xgb.__version__}.json", xgb, rows, booster.predict(xgb.DMatrix(rows, **more)))
        booster.save_model(folder / f"{kind}-{xgb.__version__}.json")


def lightgbm(folder: Path, kinds: Iterable[str]) -> None:
    """Models of LightGBM."""
    numpy: Any = importlib.import_module("numpy")
    lgb: Any = importlib.import_module("lightgbm")
    numbers, codes, y = data()
    positive, classes, share = numpy.exp(y / 2), numpy.digitize(y, [-0.5, 0.5]), 1 / (1 + numpy.exp(-y))
    drawn = {"bagging_freq": 1, "bagging_fraction": 0.7}
    known: dict[str, tuple[Any, dict[str, Any]]] = {
        "squared": (y, {"objective": "regression"}),
        "root": (y, {"objective": "regression", "reg_sqrt": True}),
        "poisson": (numpy.floor(positive), {"objective": "poisson"}),
        "gamma": (positive, {"objective": "gamma"}),
        "tweedie": (positive, {"objective": "tweedie"}),
        "binary": (y > 0, {"objective": "binary", "sigmoid": 1.5}),
        "classes": (classes, {"objective": "multiclass", "num_class": 3}),
        "ova": (classes, {"objective": "multiclassova", "num_class": 3, "sigmoid": 0.6}),
        "entropy": (share, {"objective": "cross_entropy"}),
        "entropy-lambda": (share, {"objective": "cross_entropy_lambda"}),
        "codes": (y, {"objective": "regression", "max_cat_to_onehot": 1}),
        "codes-one": (y, {"objective": "regression", "max_cat_to_onehot": 9}),
        "forest": (positive, {"objective": "poisson", "boosting": "rf", **drawn}),
        "dart": (y, {"objective": "regression", "boosting": "dart", "drop_rate": 0.5}),
        "linear": (y, {"objective": "regression", "linear_tree": True}),
        "zeros": (y, {"objective": "regression", "zero_as_missing": True}),
        "no-objective": (y, {}),
    }
    for kind in kinds:
        target, options = known[kind]
        categorical = kind.startswith("codes")
        kept = numpy.column_stack([numbers, codes]) if categorical else numbers
        if kind == "no-objective":
            options = {"objective": lambda margins, rows: (margins - rows.get_label(), numpy.ones(SIZE))}
        options = {
            "num_leaves": 4, "min_data_in_leaf": 3, "num_threads": 1, "verbose": -1, "deterministic": True,
            "min_data_per_group": 1, "cat_smooth": 0, "min_data_in_bin": 1, **options,
        }  # fmt: skip
        more = {"categorical_feature": [3]} if categorical else {}
        rows_of = lgb.Dataset(kept, numpy.asarray(target, float), params={"min_data_in_bin": 1, "verbose": -1}, **more)
        booster = lgb.train(options, rows_of, 4)
        rows = asked(numbers, codes, categorical=categorical)
        record(folder, f"{kind}-{lgb.__version__}.txt", lgb, rows, booster.predict(rows))
        booster.save_model(str(folder / f"{kind}-{lgb.__version__}.txt"))
        dump = json.dumps(booster.dump_model(), indent=0)
        (folder / f"{kind}-{lgb.__version__}.dump.json").write_text(dump + "\n", encoding="utf-8")


def record(folder: Path, name: str, program: Any, rows: Any, answers: Any) -> None:
    """What a model answers."""
    beside = folder / f"{name.rpartition('.')[0]}.answers.json"
    found = {
        "program": program.__name__, "version": program.__version__,
        "rows": [[None if cell != cell else float(cell) for cell in row] for row in rows],
        "answers": [float(one) if one.ndim == 0 else list(map(float, one)) for one in answers],
    }  # fmt: skip
    beside.write_text(json.dumps(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    {"xgboost": xgboost, "lightgbm": lightgbm}[sys.argv[1]](Path(sys.argv[2]), sys.argv[3:])
