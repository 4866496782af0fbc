"""A decision tree as many projects have one: ID3 in floats, on rows that are dictionaries."""

from __future__ import annotations

from collections import Counter
from math import log2
from typing import Any

Rows = list[dict[str, str]]


def entropy(rows: Rows, target: str) -> float:
    """The entropy of the classes, in bits."""
    counts = Counter(row[target] for row in rows).values()
    return -sum(count / len(rows) * log2(count / len(rows)) for count in counts)


def gain(rows: Rows, attribute: str, target: str) -> float:
    """What asking for an attribute takes away from it."""
    values = {row[attribute] for row in rows}
    parts = [[row for row in rows if row[attribute] == value] for value in sorted(values)]
    return entropy(rows, target) - sum(len(part) / len(rows) * entropy(part, target) for part in parts)


def grow(rows: Rows, domains: dict[str, list[str]], target: str, above: str = "") -> dict[str, Any]:
    """A nested tree: a label, and where something is asked the attribute with a branch for each value."""
    if not rows:
        return {"label": above}
    label, most = Counter(sorted(row[target] for row in rows)).most_common(1)[0]
    useful = [name for name in domains if len({row[name] for row in rows}) > 1]
    if most == len(rows) or not useful:
        return {"label": label}
    best = max(useful, key=lambda name: gain(rows, name, target))
    rest = {name: domain for name, domain in domains.items() if name != best}
    branches = {value: [row for row in rows if row[best] == value] for value in domains[best]}
    below = {value: grow(part, rest, target, label) for value, part in branches.items()}
    return {"label": label, "attribute": best, "branches": below}
