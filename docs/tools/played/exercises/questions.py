"""Exercises of the questions of a node: where a number is cut, what is missing, which attribute is chosen."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from docs.tools.played.exercises.record import (
    Counts,
    Exercise,
    Rows,
    average,
    average_entropy,
    classes,
    counted,
    figures,
    signed,
)
from reference_tree.chance import Chance
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rounding import decimal
from reference_tree.measures.conditional_entropy import conditional_entropy
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gain_ratio import gain_ratio
from reference_tree.measures.gini_index import gini, gini_index
from reference_tree.measures.information_gain import information_gain

Points = tuple[tuple[int, int], ...]
"""Numbers in ascending order, each with the place of its class."""


def _sides(points: Points, t: Fraction) -> Rows:
    return [[sum(k == label and side == (x > t) for x, k in points) for label in (0, 1)] for side in (False, True)]


def _cuts(points: Points) -> list[Fraction]:
    return [Fraction(a + b, 2) for (a, _), (b, _) in itertools.pairwise(points)]


@cache
def _best_cuts(points: Points) -> list[Fraction]:
    gains = {t: information_gain(_sides(points, t)) for t in _cuts(points)}
    most = max(gains.values())
    return [t for t, gain in gains.items() if gain == most]


def _line(chance: Chance) -> Points:
    while True:
        places = sorted(chance.shuffled(range(1, 20))[:6])
        points = tuple((x, chance.below(2)) for x in places)
        changes = [t for t, (a, b) in zip(_cuts(points), itertools.pairwise(points), strict=True) if a[1] != b[1]]
        if len(changes) > 1 and len(best := _best_cuts(points)) == 1 and changes[0] not in best:
            return points


def _below(points: Points) -> int:
    return max(x for x, _ in points if x <= _best_cuts(points)[0])


CUT = Exercise(
    _line,
    lambda points: _best_cuts(points)[0],
    {
        "lower_value": _below,
        "upper_value": lambda points: min(x for x, _ in points if x > _best_cuts(points)[0]),
        "first_change": lambda points: next(
            Fraction(a + b, 2) for (a, k), (b, other) in itertools.pairwise(points) if k != other
        ),
        "middle": lambda points: average([x for x, _ in points]),
        "place": lambda points: 1 + [x for x, _ in points].index(_below(points)),
    },
    lambda points: {
        "low": _below(points),
        "high": min(x for x, _ in points if x > _best_cuts(points)[0]),
        **figures(right=_best_cuts(points)[0], gain=max(information_gain(_sides(points, t)) for t in _cuts(points))),
    },
    lambda points: [
        ["x", *(str(x) for x, _ in points)],
        ["{class}", *("{yes}" if k else "{no}" for _, k in points)],
    ],
)


def _with_unknown(chance: Chance) -> Rows:
    return [*counted(chance, branches=2), [1 + chance.below(2), 1 + chance.below(2)]]


def _known(rows: Rows) -> Fraction:
    return Fraction(sum(map(sum, rows[:-1])), sum(map(sum, rows)))


MISSING = Exercise(
    _with_unknown,
    lambda rows: _known(rows) * information_gain(rows[:-1]),
    {
        "known_share": lambda rows: information_gain(rows[:-1]),
        "as_value": information_gain,
        "all_before": lambda rows: entropy(classes(rows)) - _known(rows) * conditional_entropy(rows[:-1]),
        "base_e": lambda rows: _known(rows) * information_gain(rows[:-1], math.e),
        "weights": lambda rows: _known(rows) * (entropy(classes(rows[:-1])) - average_entropy(rows[:-1])),
    },
    lambda rows: figures(
        share=_known(rows), gain=information_gain(rows[:-1]), right=_known(rows) * information_gain(rows[:-1])
    ),
    lambda rows: [*signed(rows[:-1]), ["?", *map(str, rows[-1])]],
)


def first(names: Sequence[str], numbers: Sequence[Number]) -> str:
    """The first name that has the largest number."""
    return names[max(range(len(names)), key=lambda place: (numbers[place], -place))]


NAMES = ("A", "B", "C")


def _dealt(chance: Chance) -> list[Rows]:
    """Three attributes of fourteen rows, nine of one class; few rows have the first value of the first attribute."""
    found = []
    for size in (2, 4, 6):
        values = [chance.below(size) if size > 2 else int(chance.below(10) > 0) for _ in range(14)]
        found.append([[values[5:].count(value), values[:5].count(value)] for value in range(size)])
    return found


def _gains(attributes: list[Rows]) -> list[Number]:
    return list(map(information_gain, attributes))


def eligible(attributes: list[Rows]) -> list[Number]:
    """The ratio of each that gains at least the average; of the others −1."""
    gains = _gains(attributes)
    return [gain_ratio(rows) if gain >= average(gains) else -1 for rows, gain in zip(attributes, gains, strict=True)]


def competing(chance: Chance) -> list[Rows]:
    """Three attributes, of which the one with the best ratio gains less than the average.

    In two of three draws two of them gain the average, and C4.5 does not choose the one that gains most.
    """
    by_ratio = chance.below(3) > 0
    while True:
        found = _dealt(chance)
        if all(sum(row) for rows in found for row in rows) and _is_decided(found, by_ratio):
            return found


def _is_decided(attributes: list[Rows], by_ratio: bool) -> bool:
    gains = _gains(attributes)
    if gains[NAMES.index(first(NAMES, list(map(gain_ratio, attributes))))] >= average(gains):
        return False
    return (first(NAMES, eligible(attributes)) != first(NAMES, gains)) == by_ratio


C45 = Exercise(
    competing,
    lambda attributes: first(NAMES, eligible(attributes)),
    {
        "average_rule": lambda attributes: first(NAMES, list(map(gain_ratio, attributes))),
        "by_gain": lambda attributes: first(NAMES, list(map(information_gain, attributes))),
    },
    lambda attributes: {
        "able": ", ".join(name for name, ratio in zip(NAMES, eligible(attributes), strict=True) if ratio >= 0),
        "answer": first(NAMES, eligible(attributes)),
        **figures(average=average(_gains(attributes))),
    },
    lambda attributes: [
        ["", "{gain}", "{ratio}"],
        *(
            [name, decimal(information_gain(rows), 4), decimal(gain_ratio(rows), 4)]
            for name, rows in zip(NAMES, attributes, strict=True)
        ),
    ],
    lambda _: NAMES,
)


def _two_sets(rows: Rows) -> list[Rows]:
    """One value against the others, for each of three values."""
    return [[row, classes([other for other in rows if other is not row])] for row in rows]


SUBSETS = ("{a} | {b, c}", "{b} | {a, c}", "{c} | {a, b}")


def _errors(rows: Rows) -> int:
    return sum(map(min, rows))


def _sets(chance: Chance) -> Rows:
    while True:
        rows = counted(chance, branches=3, most=9)
        found = [gini_index(one) for one in _two_sets(rows)]
        chosen = [first(SUBSETS, [-x for x in found]), first(SUBSETS, [-_errors(one) for one in _two_sets(rows)])]
        if found.count(min(found)) == 1 and len(set(map(sum, rows))) > 1 and chosen[0] != chosen[1]:
            return rows


CART = Exercise(
    _sets,
    lambda rows: first(SUBSETS, [-gini_index(one) for one in _two_sets(rows)]),
    {
        "largest_index": lambda rows: first(SUBSETS, [gini_index(one) for one in _two_sets(rows)]),
        "fewest_errors": lambda rows: first(SUBSETS, [-_errors(one) for one in _two_sets(rows)]),
        "weights": lambda rows: first(SUBSETS, [-average(list(map(gini, one))) for one in _two_sets(rows)]),
    },
    lambda rows: {
        "all": "; ".join(f"{name}: {gini_index(one)}" for name, one in zip(SUBSETS, _two_sets(rows), strict=True)),
        "answer": first(SUBSETS, [-gini_index(one) for one in _two_sets(rows)]),
    },
    signed,
    lambda _: SUBSETS,
)


def _reading(chance: Chance) -> Counts:
    return [10 + chance.below(80), chance.below(3), chance.below(2)]


def _answer(drawn: Counts, strict: bool = False) -> str:
    """The leaf of a row whose number is the threshold, or one beside it; if strict, `<` is read for `≤`."""
    _, beside, first = drawn
    is_low = beside == 1 if strict else beside < 2
    return ("{no}", "{yes}")[is_low == bool(first)]


READING = Exercise(
    _reading,
    _answer,
    {
        "strict": lambda drawn: _answer(drawn, strict=True),
        "other_branch": lambda drawn: _answer([0, 2 - drawn[1], drawn[2]]),
    },
    lambda drawn: {
        "t": drawn[0],
        "x": drawn[0] + (0, -3, 3)[drawn[1]],
        "low": ("{no}", "{yes}")[drawn[2]],
        "high": ("{yes}", "{no}")[drawn[2]],
        "answer": _answer(drawn),
    },
    options=lambda _: ("{yes}", "{no}"),
)
