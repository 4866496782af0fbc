"""How long fifty rounds of gradient boosting take, as ratios to XGBoost and scikit-learn on the same rows.

    python -m tools.benchmarks.boosting [--rows N]

Trees of depth 3 on ten columns of numbers; for a number by squared error, and for two classes by the logistic loss. The
others compute in floats and in C; here, every split is proved.
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

import reference_tree as rt
from tools.benchmarks.programs import least

ROUNDS, DEPTH, COLUMNS = 50, 3, 10


def rows_of(count: int) -> tuple[list[list[float]], list[float]]:
    """Rows of decimals, and a number that depends on some of them."""
    random = Random(1)
    X = [[random.randint(0, 9999) / 100 for _ in range(COLUMNS)] for _ in range(count)]
    y = [round(row[0] - 2 * abs(row[1] - 50) + row[2] * row[3] / 50 + random.gauss(0, 5), 2) for row in X]
    return X, y


def ours(X: list[list[float]], y: list[Any]) -> Callable[[], object]:
    """Growing alone: the table is there."""
    columns: dict[str, list[Any]] = {
        f"x{place}": list(map(str, column)) for place, column in enumerate(zip(*X, strict=True))
    }
    is_number = isinstance(y[0], float)
    table = rt.Table.from_columns(
        {**columns, "y": list(map(str, y))}, target="y", categorical=[] if is_number else ["y"]
    )
    learner = rt.GradientBoosting(base=rt.GradientTree(max_depth=DEPTH), trees=ROUNDS)
    return lambda: learner.grow(table)


def theirs(X: list[list[float]], y: list[Any]) -> dict[str, Callable[[], object]]:
    """The same of other programs, as far as they are installed."""
    kind = "Regressor" if isinstance(y[0], float) else "Classifier"
    numpy = import_module("numpy")
    rows, labels = numpy.array(X), numpy.array(y)
    xgboost, ensemble = import_module("xgboost"), import_module("sklearn.ensemble")
    exact = getattr(xgboost, f"XGB{kind}")(
        n_estimators=ROUNDS, max_depth=DEPTH, tree_method="exact", learning_rate=0.3, n_jobs=1
    )
    trees = getattr(ensemble, f"GradientBoosting{kind}")(n_estimators=ROUNDS, max_depth=DEPTH, learning_rate=0.3)
    return {"XGBoost": lambda: exact.fit(rows, labels), "scikit-learn": lambda: trees.fit(rows, labels)}


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1000)
    options = parser.parse_args()
    print(platform.python_implementation(), platform.python_version(), platform.machine())
    X, y = rows_of(options.rows)
    middle = sorted(y)[len(y) // 2]
    for name, target in (("squared error", y), ("logistic", [int(one > middle) for one in y])):
        own = least(ours(X, list(target)), most_runs=2)
        print(f"\n{name}, {options.rows} x {COLUMNS}, {ROUNDS} rounds at depth {DEPTH}: {own:.2f} s")
        for other, run in theirs(X, list(target)).items():
            seconds = least(run)
            print(f"  {other} {seconds:.4f} s, ratio {own / seconds:.0f}", flush=True)


if __name__ == "__main__":
    main()
