"""Exercises of pruning: held-out rows, the price of a leaf, estimated errors."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

from docs.tools.played.exercises.record import Counts, Exercise, Rows, average, classes, counted, figures, signed
from reference_tree.chance import Chance
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rounding import decimal
from reference_tree.measures.conditional_entropy import conditional_entropy
from reference_tree.measures.entropy import entropy
from reference_tree.pruning.error_limits import binomial

Leaf = tuple[Counts, Counts]
"""The rows of each class of a leaf, those it was grown from and those held out."""


def right_about(leaves: list[Leaf], trained: int = 0, judged: int = 1) -> int:
    """How many of some rows the leaves are right about, if their labels come from the others."""
    return sum(leaf[judged][leaf[trained].index(max(leaf[trained]))] for leaf in leaves)


def _as_leaf(leaves: list[Leaf]) -> list[Leaf]:
    return [(classes([grown for grown, _ in leaves]), classes([held for _, held in leaves]))]


KEPT = ("{kept}", "{cut}")


def _kept(leaves: list[Leaf], judged: int = 1, at_tie: bool = False) -> str:
    split, leaf = right_about(leaves, judged=judged), right_about(_as_leaf(leaves), judged=judged)
    return KEPT[0] if split > leaf or (at_tie and split == leaf) else KEPT[1]


def _is_close(leaves: list[Leaf]) -> bool:
    """Whether the question pays on the training rows, and on the held-out rows a row decides, or none."""
    return _kept(leaves, judged=0) == KEPT[0] and abs(right_about(leaves) - right_about(_as_leaf(leaves))) < 2


def _validated(chance: Chance) -> list[Leaf]:
    while True:
        grown = counted(chance, branches=2)
        leaves = [(row, [chance.below(4), chance.below(4)]) for row in grown]
        if all(a != b for a, b in grown) and len(set(classes(grown))) == 2 and _is_close(leaves):
            return leaves


VALIDATION = Exercise(
    _validated,
    _kept,
    {
        "on_tie": lambda leaves: _kept(leaves, at_tie=True),
        "on_training": lambda leaves: _kept(leaves, judged=0),
    },
    lambda leaves: {
        "n": sum(sum(held) for _, held in leaves),
        "split": right_about(leaves),
        "leaf": right_about(_as_leaf(leaves)),
        "answer": _kept(leaves),
    },
    lambda leaves: [
        ["{branch}", "{yes_grown}", "{no_grown}", "{yes_held}", "{no_held}"],
        *([name, *map(str, grown + held)] for name, (grown, held) in zip("ab", leaves, strict=True)),
    ],
    lambda _: KEPT,
)


def _priced(chance: Chance) -> tuple[Rows, int]:
    return counted(chance, branches=3, most=5), 1 + chance.below(4)


COST = Exercise(
    _priced,
    lambda drawn: sum(sum(row) * entropy(row) for row in drawn[0]) + drawn[1] * len(drawn[0]),
    {
        "rows_forgotten": lambda drawn: sum(map(entropy, drawn[0])) + drawn[1] * len(drawn[0]),
        "shares_for_rows": lambda drawn: conditional_entropy(drawn[0]) + drawn[1] * len(drawn[0]),
        "one_leaf": lambda drawn: sum(sum(row) * entropy(row) for row in drawn[0]) + drawn[1],
        "no_price": lambda drawn: sum(sum(row) * entropy(row) for row in drawn[0]),
        "base_e": lambda drawn: sum(sum(row) * entropy(row, math.e) for row in drawn[0]) + drawn[1] * len(drawn[0]),
    },
    lambda drawn: {
        "alpha": drawn[1],
        "leaves": len(drawn[0]),
        "sum": " + ".join(f"{sum(row)} · {figures(x=entropy(row))['x']}" for row in drawn[0]),
        **figures(right=sum(sum(row) * entropy(row) for row in drawn[0]) + drawn[1] * len(drawn[0])),
    },
    lambda drawn: signed(drawn[0]),
)


def _linked(chance: Chance) -> Counts:
    """Rows of the table, errors as a leaf, errors of the subtree, its leaves."""
    below, leaves = chance.below(4), 3 + chance.below(3)
    return [20 + 4 * chance.below(6), below + leaves + chance.below(5), below, leaves]


def _link(drawn: Counts, less: int = 1, rows: int = 0) -> Fraction:
    n, leaf, below, leaves = drawn
    return Fraction(leaf - below, (rows or n) * (leaves - less))


LINK = Exercise(
    _linked,
    _link,
    {
        "one_less": partial(_link, less=0),
        "counts_for_shares": partial(_link, rows=1),
        "leaf_error_alone": lambda drawn: Fraction(drawn[1], drawn[0] * (drawn[3] - 1)),
        "undivided_link": lambda drawn: Fraction(drawn[1] - drawn[2], drawn[0]),
    },
    lambda drawn: {
        **dict(zip(("n", "leaf", "below", "leaves"), drawn, strict=True)),
        "less": drawn[3] - 1,
        **figures(right=_link(drawn)),
    },
)

QUARTER = Fraction(1, 4)


def _estimated(leaves: Rows) -> Number:
    return sum(binomial(wrong, n, QUARTER) for n, wrong in leaves)


def _whole(leaves: Rows) -> Rows:
    return [classes(leaves)]


def _limits(chance: Chance) -> Rows:
    """Rows and errors of three leaves whose errors are all in one class, so that the node has their sum."""
    while True:
        leaves = [[size := 2 + chance.below(8), chance.below(min(3, size // 2 + 1))] for _ in range(3)]
        leaf, below = _estimated(_whole(leaves)), _estimated(leaves)
        if abs(leaf - below) > Fraction(1, 20):
            return leaves


ESTIMATE = Exercise(
    _limits,
    _estimated,
    {
        "rates_added": lambda leaves: sum(binomial(wrong, n, QUARTER) / Fraction(n) for n, wrong in leaves),
        "observed": lambda leaves: sum(wrong for _, wrong in leaves),
        "one_of_all": lambda leaves: _estimated(_whole(leaves)),
        "mean_rate": lambda leaves: average([binomial(wrong, n, QUARTER) / Fraction(n) for n, wrong in leaves]),
    },
    lambda leaves: {
        "sum": " + ".join(f"{n} · {decimal(binomial(wrong, n, QUARTER) / Fraction(n), 4)}" for n, wrong in leaves),
        "leaf": decimal(_estimated(_whole(leaves)), 4),
        "right": decimal(_estimated(leaves), 4),
        "answer": "{cut}" if _estimated(_whole(leaves)) <= _estimated(leaves) else "{kept}",
    },
    lambda leaves: [
        ["{leaf_name}", "{rows}", "{errors}", "U"],
        *(
            [name, str(n), str(wrong), decimal(binomial(wrong, n, QUARTER) / Fraction(n), 6)]
            for name, (n, wrong) in zip("abc", leaves, strict=True)
        ),
    ],
)
