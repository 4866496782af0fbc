"""How long 100 000 rows of a frame take to be predicted, beside scikit-learn.

    python -m tools.benchmarks.predicting [ROWS]

Ten columns of numbers and two of categories, which scikit-learn gets one-hot. CPU seconds, the least of three.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import reference_tree as rt
from reference_tree.chance import Chance


def frame_of(rows: int, seed: int) -> Any:
    """Numbers with two decimals, categories, and a class that depends on some of them."""
    pandas: Any = import_module("pandas")
    chance = Chance(seed, b"predicting")
    columns: dict[str, list[Any]] = {
        f"x{place}": [chance.below(10_000) / 100 for _ in range(rows)] for place in range(10)
    }
    columns |= {f"c{place}": [f"v{chance.below(8)}" for _ in range(rows)] for place in range(2)}
    pairs = zip(columns["x0"], columns["x1"], columns["c0"], strict=True)
    columns["y"] = ["yes" if one > other or name == "v3" else "no" for one, other, name in pairs]
    return pandas.DataFrame(columns)


def least(work: Callable[[], Any]) -> float:
    """The CPU seconds of some work, the least of three."""
    found = []
    for _ in range(3):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def main() -> None:
    """Print the seconds of each way in."""
    pandas: Any = import_module("pandas")
    polars: Any = import_module("polars")
    sklearn: Any = import_module("sklearn.tree")
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    training, asked = frame_of(2000, 1), frame_of(rows, 2).drop(columns="y")
    tree = rt.CART(max_depth=8).grow(rt.Table.from_frame(training))
    theirs = sklearn.DecisionTreeClassifier(max_depth=8, random_state=0)
    theirs.fit(pandas.get_dummies(training.drop(columns="y")), training["y"])
    model = rt.CARTClassifier(max_depth=8).fit(training.drop(columns="y"), training["y"])
    other, table = (
        polars.DataFrame({name: asked[name].tolist() for name in asked}),
        rt.Table.from_frame(asked.assign(y="no")),
    )
    few, encoded = asked.head(1000).to_dict("records"), pandas.get_dummies(asked)
    print(f"{rows} rows; {tree}; CPU seconds")
    for name, work in {
        "Tree.predict, pandas": lambda: tree.predict(asked),
        "Tree.predict, Polars": lambda: tree.predict(other),
        "Tree.predict, a table that is read": lambda: tree.predict(table),
        "CARTClassifier.predict, pandas": lambda: model.predict(asked),
        "scikit-learn, one-hot included": lambda: theirs.predict(pandas.get_dummies(asked)),
        "scikit-learn, one-hot before": lambda: theirs.predict(encoded),
        "1000 rows as mappings, one by one": lambda: [tree.predict(row) for row in few],
        "scikit-learn, 1000 rows one by one": lambda: [theirs.predict(encoded[n : n + 1]) for n in range(1000)],
    }.items():
        print(f"{name:36} {least(work):.3f}", flush=True)


if __name__ == "__main__":
    main()
