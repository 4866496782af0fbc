"""Whether the engine answers as the book does, on random tables: every decision in full, trees, prunings, predictions.

    python -m tests.agreement [--tables N] [--seed S]

A table has up to six attributes of numbers and categories, few values and so many ties, often gaps, and weights that
are equal, whole or decimal. Rationals of more than a few bits are deferred in three of four tables. The first
difference is printed, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any
from unittest.mock import patch

import reference_tree as rt
from reference_tree.engine import deferred
from reference_tree.learners.decision import Decision
from reference_tree.learners.growing import revisit
from reference_tree.pruning.error_based import ErrorBased, error_based
from reference_tree.twins import by_the_book

MINIMA = [0, 0, 1, 2, Fraction(7, 3)]
LEARNERS: list[Callable[[Any], Any]] = [
    lambda minimum: rt.C45(min_samples_leaf=minimum),
    lambda minimum: rt.C45(min_samples_leaf=minimum),
    lambda minimum: rt.C45.like("li-hang", min_samples_leaf=minimum, max_depth=4),
    lambda minimum: rt.C45.like("c45-r8"),
    lambda minimum: rt.C45.like("weka-j48"),
    lambda minimum: rt.CART(min_samples_leaf=minimum, missing="fractions"),
    lambda minimum: rt.ID3.like("zhou", min_samples_leaf=minimum),
]
"""Learners of classes, each with a least weight of a branch."""


def drawn_table(chance: Random, numbers: bool = True) -> rt.Table:
    """A random table of classes."""
    size, gaps = chance.randint(1, 14), chance.choice([0, 0.15, 0.4])
    names = "abcdef"[: chance.randint(1, 6)]
    continuous = [name for name in names if numbers and chance.random() < 0.6]
    kinds: list[Callable[[], Any]] = [
        lambda: 1,
        lambda: chance.randint(1, 3),
        lambda: Fraction(chance.randint(1, 30), 10),
    ]
    weigh, values, classes = chance.choice(kinds), chance.randint(2, 6), "pqr"[: chance.randint(2, 3)]

    def cell(name: str) -> Any:
        if chance.random() < gaps:
            return None
        return chance.randrange(values) if name in continuous else "stuvwx"[chance.randrange(min(values, 3))]

    columns: dict[str, list[Any]] = {name: [cell(name) for _ in range(size)] for name in names}
    columns["w"], columns["y"] = [weigh() for _ in range(size)], [chance.choice(classes) for _ in range(size)]
    others = [name for name in [*names, "y"] if name not in continuous]
    return rt.Table.from_columns(columns, target="y", weights="w", continuous=continuous, categorical=others)


def in_full(decision: Decision) -> tuple[Any, ...]:
    """All that a decision says: what was counted, every candidate with its scores, the winners, the margin."""
    candidates = [(c.test, tuple(c.table.rows), c.table.unknown, c.barred, dict(c.scores)) for c in decision.candidates]
    next_best = None if decision.runner_up is None else decision.runner_up.test
    return decision, candidates, [winner.test for winner in decision.winners], next_best, decision.margin


def answers(make: Callable[[], Any], table: rt.Table, other: rt.Table) -> Iterator[tuple[str, Any]]:
    """What a learner and its tree say about a table, and about the rows of another one."""
    learner = make()
    tree = learner.grow(table)
    yield "nodes", tree.nodes
    for visit in revisit(tree, learner, table):
        yield f"decision {visit.number}", in_full(visit.decision)
    if isinstance(learner, rt.C45):
        for limit in ("c45-r8", "weka-j48"):
            yield f"pruned by {limit}", error_based(tree, table, ErrorBased.like(limit))
    yield "labels", tree.predict(other, unseen="majority")
    forest = rt.RandomForest(base=learner, trees=3, seed=5).grow(table)
    yield "labels of a forest", forest.predict(other, unseen="majority")


def difference(seed: int) -> str | None:
    """The first difference between both ways with the table of a seed; None if there is none."""
    chance = Random(seed)
    make, minimum = chance.choice(LEARNERS), chance.choice(MINIMA)
    table = drawn_table(chance, numbers=make is not LEARNERS[-1])
    other = table.take([chance.randrange(len(table)) for _ in range(6)])
    with patch.object(deferred, "SHORT", chance.choice([2, 8, 24, 2048])):
        fast = list(answers(lambda: make(minimum), table, other))
    with by_the_book():
        plain = list(answers(lambda: make(minimum), table, other))
    names = [name for name, _ in plain]
    if [name for name, _ in fast] != names:
        return f"seed {seed}: {len(fast)} answers, and {len(names)} by the book"
    unlike = (name for (name, one), (_, expected) in zip(fast, plain, strict=True) if one != expected)
    return next((f"seed {seed}: {name}" for name in unlike), None)


def main() -> int:
    """Compare on many tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for seed in range(asked.seed, asked.seed + asked.tables):
        if told := difference(seed):
            print(told)
            return 1
    print(f"{asked.tables} tables, no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
