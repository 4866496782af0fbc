"""Rows, questions and nodes in plain doubles.

1. `Data` are the rows of a prompt, each with a weight.
2. `Question` is a question with its table; `branch` says which way a row goes.
3. `Node` is a node of a tree, and `divide` sends rows down its branches, those without an answer in parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

from tests.conformance.plain_doubles.planting import planted

Cell = str | float | None
Case = Mapping[str, Cell]
Weighted = tuple[Case, float]
"""A row, and what is left of its weight."""

NOISE = 1e-10


@cache
def number(text: str) -> float:
    """The double nearest to a decimal or a fraction."""
    return float(Fraction(text))


def path(above: str, outcome: Mapping[str, Any], attribute: str) -> str:
    """The path of a branch by a category, as overrides of ties name it."""
    return f"{above.rstrip('/')}/{attribute}={outcome.get('is')}"


def values_of(rows: Iterable[Weighted], name: str) -> set[float]:
    """The numbers that are in a column."""
    return {cell for row, _ in rows if isinstance(cell := row[name], float)}


@dataclass
class Data:
    """The rows of a prompt: categories as text, numbers as doubles."""

    names: list[str]
    domains: dict[str, list[str] | None]
    """The values of each column; none for numbers."""
    target: str
    rows: list[Weighted]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Data:
        """From a golden's `data`."""
        domains = {column["name"]: column.get("values") for column in data["columns"]}
        weights = data["weights"] or ["1"] * len(data["rows"])
        if planted("row-weights-ignored"):
            weights = ["1"] * len(weights)
        read = [cls.row(domains, row) for row in data["rows"]]
        names = [name for name in domains if name != data["target"]]
        return cls(names, domains, data["target"], list(zip(read, map(number, weights), strict=True)))

    @staticmethod
    def row(domains: Mapping[str, list[str] | None], cells: Sequence[str]) -> Case:
        """A row by names; an empty cell is a missing value."""
        return {
            name: None if cell == "" else cell if domain is not None else number(cell)
            for (name, domain), cell in zip(domains.items(), cells, strict=True)
        }


@dataclass
class Question:
    """A question, the table it makes of the rows, and its scores."""

    test: dict[str, Any]
    outcomes: list[dict[str, Any]]
    rows: list[list[float]]
    unknown: list[float]
    barred: str | None = None
    scores: dict[str, float] = field(default_factory=dict)
    side: int | None = None
    """The branch in which rows without an answer were counted, if they were."""

    def branch(self, row: Case) -> int | None:
        """The branch that a row takes; none if its answer is missing, or is none of the branches."""
        return branch(self.test, self.outcomes, row)


def answer(test: Mapping[str, Any], row: Case) -> Cell:
    """What a row answers: its value, or a weighted sum of its numbers, and of 1 for a category that it has."""
    if test["kind"] != "linear":
        return row.get(test["attribute"])
    parts = list[float]()
    for name, weight in test["weights"].items():
        cell = row[name]
        if cell is None:
            return None
        parts.append(weight.get(cell, 0.0) if isinstance(weight, Mapping) else weight * float(cell))
    return sum(parts)


def branch(test: Mapping[str, Any], outcomes: Sequence[Mapping[str, Any]], row: Case) -> int | None:
    """The branch that a row takes; none if its answer is missing, or is none of the branches."""
    cell = answer(test, row)
    return None if cell is None else next((n for n, one in enumerate(outcomes) if holds(one, cell)), None)


def holds(outcome: Mapping[str, Any], cell: Any) -> bool:
    """Whether a value is among those of a branch."""
    ((relation, bound),) = outcome.items()
    if relation in ("lt", "ge") and not planted("at-most-for-below"):
        return bool((cell < number(bound)) == (relation == "lt"))
    if relation in ("le", "gt", "lt", "ge"):
        at_most = cell < number(bound) if planted("strict-threshold") else cell <= number(bound)
        return bool(at_most == (relation in ("le", "lt")))
    return bool(cell == bound if relation == "is" else (cell in bound) == (relation == "in"))


@dataclass
class Node:
    """A node: what arrives, what it answers, what it asks, and where its branches lead."""

    total: list[float]
    label: Any
    tied: list[str]
    prior: bool
    share_of: list[float]
    """P(Y|X) there: for an empty leaf that of its parent; for numbers the mean alone."""
    stop: str | None = None
    asks: Question | None = None
    shares: list[float] | None = None
    branches: list[int] = field(default_factory=list)
    missing: dict[str, Any] | None = None
    surrogates: list[tuple[Question, list[int]]] = field(default_factory=list)
    """Questions that stand in, best first, and which branch of the node each of their branches means."""
    decision: dict[str, Any] = field(default_factory=dict)
    at: list[int] = field(default_factory=list)
    """The numbers of the branches that lead to it."""


# Rows without an answer.


def shares(asks: Question, rows: Sequence[Weighted], weights: Sequence[float]) -> list[float]:
    """The share of each branch in the weight of the rows that answer."""
    if planted("shares-of-rows"):
        taken = [asks.branch(row) for row, _ in rows]
        weights = [float(taken.count(place)) for place in range(len(weights))]
    if planted("equal-shares"):
        weights = [1.0] * len(weights)
    return [weight / sum(weights) for weight in weights]


def stood_in_for(node: Node, row: Case) -> int | None:
    """The branch that the first surrogate says which has an answer."""
    others = node.surrogates[:1] if planted("first-surrogate-alone") else node.surrogates
    for asks, means in others[::-1] if planted("worst-surrogate-first") else others:
        place = asks.branch(row)
        if place is not None and not planted("surrogates-ignored"):
            return place if planted("surrogate-branches-as-they-stand") else means[place]
    return None


def divide(asks: Question, rows: Sequence[Weighted], node: Node) -> list[list[Weighted]]:
    """The rows of each branch; one without an answer goes where a surrogate or `missing` says, or into every branch."""
    parts: list[list[Weighted]] = [[] for _ in asks.outcomes]
    for row, weight in rows:
        place = asks.branch(row)
        if place is None and not planted("surrogates-in-prediction-alone"):
            place = stood_in_for(node, row)
        if place is not None:
            parts[place].append((row, weight))
        elif node.missing is not None and "to" in node.missing and not planted("no-surrogate-no-branch"):
            parts[node.missing["to"]].append((row, weight))
        elif node.shares is not None:
            for part, share in zip(parts, in_parts(node.shares, weight), strict=True):
                if share > 0:
                    part.append((row, share))
    return parts


def in_parts(shares: Sequence[float], weight: float) -> list[float]:
    """What a row without an answer weighs in each branch."""
    if planted("missing-rows-dropped"):
        return [0.0] * len(shares)
    if planted("missing-rows-whole"):
        return [weight] * len(shares)
    if planted("missing-rows-to-the-largest"):
        return [weight if place == shares.index(max(shares)) else 0.0 for place in range(len(shares))]
    if planted("weights-set-anew"):
        return list(shares)
    return [share * weight for share in shares]
