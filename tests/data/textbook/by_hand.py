"""The arithmetic of the books, row by row and in floats: an oracle that shares the tables with the package, no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import isclose, log2
from typing import Any, TypeAlias

from reference_tree.data.textbook import describe, textbook

Row: TypeAlias = Mapping[str, Any]
Question: TypeAlias = Callable[[Row], object]
Measure: TypeAlias = Callable[[Sequence[Row], Question], float]


def rows_of(name: str, where: Callable[[Row], bool] = lambda row: True) -> list[Row]:
    return [row for row in textbook(name).rows() if where(row)]


def target_of(name: str) -> str:
    return describe(name).target


def entropy(labels: Sequence[object]) -> float:
    return sum(-p * log2(p) for p in (labels.count(label) / len(labels) for label in set(labels)))


def gini(labels: Sequence[object]) -> float:
    return 1 - sum((labels.count(label) / len(labels)) ** 2 for label in set(labels))


def parted(rows: Iterable[Row], question: Question, target: str) -> list[list[Any]]:
    parts: dict[object, list[Any]] = {}
    for row in rows:
        parts.setdefault(question(row), []).append(row[target])
    return list(parts.values())


def weighted(impurity: Callable[[Sequence[Any]], float], parts: list[list[Any]]) -> float:
    return sum(len(part) * impurity(part) for part in parts) / sum(map(len, parts))


def gain(rows: Sequence[Row], question: Question, target: str) -> float:
    parts = parted(rows, question, target)
    return entropy([label for part in parts for label in part]) - weighted(entropy, parts)


def split_information(rows: Sequence[Row], question: Question) -> float:
    return entropy([question(row) for row in rows])


def cuts(rows: Sequence[Row], attribute: str) -> list[float]:
    values = sorted({row[attribute] for row in rows})
    return [(low + high) / 2 for low, high in pairwise(values)]


def of(attribute: str) -> Question:
    return lambda row: row[attribute]


def equal(attribute: str, value: str) -> Question:
    return lambda row: row[attribute] == value


def at_most(attribute: str, cut: float) -> Question:
    return lambda row: row[attribute] <= cut


def figures(measure: Measure, rows: Sequence[Row], *attributes: str) -> list[float]:
    return [round(measure(rows, of(attribute)), 6) for attribute in attributes]


def gains(name: str, rows: Sequence[Row], *attributes: str) -> list[float]:
    return figures(lambda some, question: gain(some, question, target_of(name)), rows, *attributes)


def best_cuts(name: str, rows: Sequence[Row], attribute: str) -> tuple[list[float], float]:
    scores = {cut: gain(rows, at_most(attribute, cut), target_of(name)) for cut in cuts(rows, attribute)}
    best = max(scores.values())
    return [float(cut) for cut, score in scores.items() if isclose(score, best, abs_tol=1e-12)], round(best, 6)


def sse(values: Sequence[Any]) -> float:
    mean = sum(values) / len(values)
    return float(sum((value - mean) ** 2 for value in values))
