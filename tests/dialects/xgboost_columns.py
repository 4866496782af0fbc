"""Columns of numbers, and the edges that releases of XGBoost choose between their bins: recorded, and asked anew.

    python -m tests.dialects.xgboost_columns

adds what the installed release chooses to `recorded/xgboost_edges.json`. Bins are few there, so that a few hundred rows
fill a queue, and summaries are pruned, merged and carried.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from reference_tree.exact.rounding import nearest_single

RECORDED = Path(__file__).parent / "recorded" / "xgboost_edges.json"
SMALL = 60


class Column(NamedTuple):
    """A column, its weights, if it has any, and the most bins. A gap is None."""

    values: list[float | None]
    weights: list[float] | None
    max_bin: int


def columns(seed: int, count: int, most_rows: int, bins: tuple[int, ...]) -> Iterator[Column]:
    """Columns of 3 rows and more: of many numbers or few, in any order or sorted, with gaps, with weights."""
    chance = Random(seed)
    for number in range(count):
        rows = int(exp(log(3) + chance.random() * (log(most_rows) - log(3))))
        scale = (1 << 20, 64, max(2, rows // 3), 5)[number % 4]
        values: list[float | None] = [nearest_single(int(chance.random() ** 2 * scale) / 7) for _ in range(rows)]
        if chance.random() < 0.25:
            values.sort(key=lambda value: value or 0.0)
        if chance.random() < 0.25:
            values = [None if chance.random() < 0.3 and row else value for row, value in enumerate(values)]
        yield Column(values, _weights(chance, rows), bins[int(chance.random() * len(bins))])


def _weights(chance: Random, rows: int) -> list[float] | None:
    """None, whole weights, weights whose sums are no float32, or the same with rows that weigh nothing."""
    kind = int(chance.random() * 4)
    if kind == 0:
        return None
    if kind == 1:
        return [1.0 + int(chance.random() * 4) for _ in range(rows)]
    found = [nearest_single(chance.random()) for _ in range(rows)]
    return (
        found
        if kind == 2
        else [weight if chance.random() < 0.6 or not row else 0.0 for row, weight in enumerate(found)]
    )


def small_columns() -> list[Column]:
    """The columns whose edges are recorded."""
    return list(columns(38, SMALL, 700, (2, 3, 4, 8, 16)))


def chosen(column: Column) -> list[float]:
    """The edges that the installed XGBoost chooses."""
    numpy, xgboost = import_module("numpy"), import_module("xgboost")
    values = numpy.array([float("nan") if value is None else value for value in column.values], "f4")
    weights = None if column.weights is None else numpy.array(column.weights, "f4")
    matrix = xgboost.QuantileDMatrix(values[:, None], weight=weights, max_bin=column.max_bin)
    return [float(edge) for edge in matrix.get_quantile_cut()[1][1:-1]]


def recorded() -> dict[str, list[list[float]]]:
    """Release → the edges of each small column."""
    found: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}
    return found


if __name__ == "__main__":
    release = import_module("xgboost").__version__
    known = {**recorded(), release: [chosen(column) for column in small_columns()]}
    lines = [
        f" {json.dumps(name)}: [\n" + ",\n".join("  " + json.dumps(edges) for edges in known[name]) + "\n ]"
        for name in sorted(known)
    ]
    RECORDED.parent.mkdir(exist_ok=True)
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
