"""Columns of numbers, and the edges that releases of XGBoost choose between their bins: recorded, and asked anew.

    python -m tests.programs.xgboost_columns

adds what the installed release chooses to `recorded/xgboost_edges.json`: the edges of `SMALL` columns, and a digest of
those of `LONG` columns, in which queues are full many times, and summaries are pruned, merged and carried.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from reference_tree.exact.rounding import nearest_single

RECORDED = Path(__file__).parent / "recorded" / "xgboost_edges.json"
SMALL, LONG = 60, 80


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
    if kind == 2:
        return found
    share = chance.random()
    return [weight if chance.random() < share or not row else 0.0 for row, weight in enumerate(found)]


def small_columns() -> list[Column]:
    """The columns whose edges are recorded."""
    return list(columns(38, SMALL, 700, (2, 3, 4, 8, 16)))


def long_columns() -> list[Column]:
    """The columns of whose edges a digest is recorded."""
    return [column for column in columns(39, 4 * LONG, 5000, (16, 32, 64)) if len(column.values) > 500][:LONG]


def digest(edges: list[float]) -> str:
    """What tells the edges of a column from others."""
    return sha256(struct.pack(f"<{len(edges)}d", *edges)).hexdigest()[:16]


def chosen(column: Column) -> list[float]:
    """The edges that the installed XGBoost chooses."""
    numpy, xgboost = import_module("numpy"), import_module("xgboost")
    values = numpy.array([float("nan") if value is None else value for value in column.values], "f4")
    weights = None if column.weights is None else numpy.array(column.weights, "f4")
    matrix = xgboost.QuantileDMatrix(values[:, None], weight=weights, max_bin=column.max_bin)
    return [float(edge) for edge in matrix.get_quantile_cut()[1][1:-1]]


def recorded() -> dict[str, list[Any]]:
    """Release → the edges of each small column, and then the digest of those of each long one."""
    found: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}
    return found


def _recorded() -> list[Any]:
    return [*map(chosen, small_columns()), *(digest(chosen(column)) for column in long_columns())]


if __name__ == "__main__":
    release = import_module("xgboost").__version__
    known = {**recorded(), release: _recorded()}
    lines = [
        f" {json.dumps(name)}: [\n" + ",\n".join("  " + json.dumps(edges) for edges in known[name]) + "\n ]"
        for name in sorted(known)
    ]
    RECORDED.parent.mkdir(exist_ok=True)
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
