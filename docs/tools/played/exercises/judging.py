"""Exercises of whole decisions: why a node is a leaf, which method prunes, which learner asks what, who is right."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from docs.tools.played.exercises.pruning import Leaf, right_about
from docs.tools.played.exercises.questions import NAMES, competing, eligible, first
from docs.tools.played.exercises.record import Exercise, Rows, average_entropy, classes, counted, figures
from reference_tree.chance import Chance
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rounding import decimal
from reference_tree.learners.stopping.bounds import falls_short, is_small
from reference_tree.measures.conditional_entropy import conditional_entropy
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gain_ratio import gain_ratio
from reference_tree.measures.gini_index import gini_index
from reference_tree.measures.information_gain import information_gain


class Bounded(NamedTuple):
    """A node, and the bounds of its learner; gains in hundredths of a bit."""

    depth: int
    rows: int
    gain: int
    max_depth: int
    min_rows: int
    epsilon: int


STOPS = ("{by_depth}", "{by_rows}", "{by_gain}")
SPLITS = "{splits}"


def _near(chance: Chance) -> Bounded:
    """A node with each number one below its bound, at it, or one above."""
    wanted = chance.choice((*STOPS, SPLITS))
    while True:
        depth, rows, gain = 1 + chance.below(3), 4 + chance.below(5), 5 + chance.below(20)
        node = Bounded(depth, rows, gain, *(number + chance.below(3) - 1 for number in (depth, rows, gain)))
        if node.max_depth and _stopped(node) == wanted and len({_stopped(node, 0), _stopped(node, 1, 0), wanted}) > 1:
            return node


def _rules(node: Bounded, strict: int = 1, deeper: int = 1) -> list[bool]:
    """Which bounds make the node a leaf; if not strict, those that it meets exactly do so, too."""
    return [
        node.depth + deeper > node.max_depth + strict - 1,
        is_small(node.rows, node.min_rows + 1 - strict),
        falls_short(node.gain, node.epsilon + 1 - strict),
    ]


def _stopped(node: Bounded, strict: int = 1, deeper: int = 1) -> str:
    held = _rules(node, strict, deeper)
    return STOPS[held.index(True)] if any(held) else SPLITS


def _last(node: Bounded) -> str:
    return next((stop for stop, held in list(zip(STOPS, _rules(node), strict=True))[::-1] if held), SPLITS)


def _gain(hundredths: int) -> str:
    return decimal(Fraction(hundredths, 100), 2)


STOPPING = Exercise(
    _near,
    _stopped,
    {
        "bound_met": partial(_stopped, strict=0),
        "one_deeper": partial(_stopped, deeper=0),
        "last_rule": _last,
    },
    lambda node: {
        "depth": node.depth,
        "rows": node.rows,
        "gain": _gain(node.gain),
        "most": node.max_depth,
        "least": node.min_rows,
        "epsilon": _gain(node.epsilon),
        "below": node.depth + 1,
        "answer": _stopped(node),
    },
    options=lambda _: (*STOPS, SPLITS),
)

Priced = tuple[list[Leaf], Fraction]
PRUNED = ("{both}", "{by_errors}", "{by_price}", "{neither}")


def _named(errors: bool, price: bool) -> str:
    return PRUNED[2 * (not errors) + (not price)]


def _cut_by_errors(leaves: list[Leaf], judged: int = 1, at_tie: bool = True) -> bool:
    split, leaf = right_about(leaves, judged=judged), right_about(_one_leaf(leaves), judged=judged)
    return leaf > split or (at_tie and leaf == split)


def _one_leaf(leaves: list[Leaf]) -> list[Leaf]:
    return [(classes([grown for grown, _ in leaves]), classes([held for _, held in leaves]))]


def _saved(leaves: list[Leaf]) -> Fraction:
    """The share of the training rows about which the leaves are right, and one leaf is not."""
    n = sum(sum(grown) for grown, _ in leaves)
    return Fraction(right_about(leaves, judged=0) - right_about(_one_leaf(leaves), judged=0), n)


def _two_methods(drawn: Priced) -> str:
    leaves, alpha = drawn
    return _named(_cut_by_errors(leaves), _saved(leaves) <= alpha)


def _two_prunings(chance: Chance) -> Priced:
    wanted = chance.choice(PRUNED)
    while True:
        leaves = [(row, [chance.below(4), chance.below(4)]) for row in counted(chance, branches=2)]
        alpha = Fraction(1, 4 + chance.below(12))
        is_plain = all(a != b for a, b in (row for row, _ in leaves)) and len(set(classes([r for r, _ in leaves]))) == 2
        is_close = (
            abs(right_about(leaves) - right_about(_one_leaf(leaves))) < 2 and alpha / 2 <= _saved(leaves) <= 2 * alpha
        )
        if is_plain and is_close and _two_methods((leaves, alpha)) == wanted:
            return leaves, alpha


SIDE_BY_SIDE = Exercise(
    _two_prunings,
    _two_methods,
    {
        "on_training": lambda drawn: _named(_cut_by_errors(drawn[0], judged=0), _saved(drawn[0]) <= drawn[1]),
        "on_equal": lambda drawn: _named(_cut_by_errors(drawn[0], at_tie=False), _saved(drawn[0]) <= drawn[1]),
        "price_forgotten": lambda drawn: _named(_cut_by_errors(drawn[0]), price=False),
        "price_twice": lambda drawn: _named(_cut_by_errors(drawn[0]), _saved(drawn[0]) <= 2 * drawn[1]),
    },
    lambda drawn: {
        "alpha": drawn[1],
        "split": right_about(drawn[0]),
        "leaf": right_about(_one_leaf(drawn[0])),
        "saved": _saved(drawn[0]),
        "answer": _two_methods(drawn),
    },
    lambda drawn: [
        ["{branch}", "{yes_grown}", "{no_grown}", "{yes_held}", "{no_held}"],
        *([name, *map(str, grown + held)] for name, (grown, held) in zip("ab", drawn[0], strict=True)),
    ],
    lambda _: PRUNED,
)

Plane = tuple[list[tuple[int, int, int]], int]
"""Points with their classes, and the bound of the question x + 2y ≤ c."""


def _line_sides(drawn: Plane, strict: int = 0, twice: int = 2) -> Rows:
    points, bound = drawn
    sides = [[k for x, y, k in points if (x + twice * y > bound - strict) == side] for side in (False, True)]
    return [[side.count(1), side.count(0)] for side in sides]


def _points(chance: Chance) -> Plane:
    while True:
        points = [(1 + chance.below(6), 1 + chance.below(6), chance.below(2)) for _ in range(6)]
        bound = points[chance.below(6)][0] + 2 * points[chance.below(6)][1]
        ways = [_line_sides((points, bound), strict, twice) for strict, twice in ((0, 2), (1, 2), (0, 1))]
        is_plain = all(all(map(sum, rows)) for rows in ways) and len({tuple(map(tuple, rows)) for rows in ways}) == 3
        if is_plain and len(set(points)) == 6 and information_gain(ways[0]) > Fraction(1, 10):
            return points, bound


LINEAR = Exercise(
    _points,
    lambda drawn: information_gain(_line_sides(drawn)),
    {
        "on_the_line": lambda drawn: information_gain(_line_sides(drawn, strict=1)),
        "coefficient": lambda drawn: information_gain(_line_sides(drawn, twice=1)),
        "weights": lambda drawn: entropy(classes(_line_sides(drawn))) - average_entropy(_line_sides(drawn)),
        "remaining": lambda drawn: conditional_entropy(_line_sides(drawn)),
    },
    lambda drawn: {
        "bound": drawn[1],
        "sums": ", ".join(str(x + 2 * y) for x, y, _ in drawn[0]),
        "low": " + ".join(map(str, _line_sides(drawn)[0])),
        "high": " + ".join(map(str, _line_sides(drawn)[1])),
        **figures(right=information_gain(_line_sides(drawn))),
    },
    lambda drawn: [
        ["x", *(str(x) for x, _, _ in drawn[0])],
        ["y", *(str(y) for _, y, _ in drawn[0])],
        ["{class}", *(("{no}", "{yes}")[k] for _, _, k in drawn[0])],
    ],
)

LEARNERS = ("ID3", "C4.5", "CART")


def _best_division(rows: Rows) -> Fraction:
    """The least Gini index of all divisions of the values into two sets."""
    ways = (set(way) for size in range(1, len(rows)) for way in itertools.combinations(range(len(rows)), size))
    divisions = (
        [classes([r for i, r in enumerate(rows) if (i in way) == side]) for side in (True, False)] for way in ways
    )
    return min(Fraction(gini_index(two)) for two in divisions)


def _by(name: str, attributes: list[Rows]) -> str:
    if name == "ID3":
        return first(NAMES, list(map(information_gain, attributes)))
    if name == "C4.5":
        return first(NAMES, eligible(attributes))
    return first(NAMES, [-_best_division(rows) for rows in attributes])


def _three_learners(chance: Chance) -> tuple[list[Rows], str]:
    while True:
        attributes = competing(chance)
        if len({_by(name, attributes) for name in LEARNERS}) > 1:
            return attributes, chance.choice(LEARNERS)


SIX = Exercise(
    _three_learners,
    lambda drawn: _by(drawn[1], drawn[0]),
    {
        "of_id3": lambda drawn: _by("ID3", drawn[0]),
        "of_c45": lambda drawn: _by("C4.5", drawn[0]),
        "of_cart": lambda drawn: _by("CART", drawn[0]),
        "average_rule": lambda drawn: (
            first(NAMES, list(map(gain_ratio, drawn[0]))) if drawn[1] == "C4.5" else _by(*drawn[::-1])
        ),
    },
    lambda drawn: {
        "learner": drawn[1],
        **{name: _by(full, drawn[0]) for name, full in zip(("id3", "c45", "cart"), LEARNERS, strict=True)},
    },
    lambda drawn: [
        ["", "{gain}", "{ratio}", "{division}"],
        *(
            [name, decimal(information_gain(rows), 4), decimal(gain_ratio(rows), 4), decimal(_best_division(rows), 4)]
            for name, rows in zip(NAMES, drawn[0], strict=True)
        ),
    ],
    lambda _: NAMES,
)

VERDICTS = ("{is_right}", "{is_tied}", "{is_wrong}")
Judged = tuple[list[Rows], int]
"""The attributes with their branches, and the place of the one that a program asked."""


def _verdict(drawn: Judged, places: int | None = None) -> str:
    attributes, asked = drawn
    gains: list[Number | str] = [information_gain(rows) for rows in attributes]
    if places is not None:
        gains = [Fraction(decimal(gain, places)) for gain in gains]  # type: ignore[arg-type]
    best = max(gains)
    return VERDICTS[2] if gains[asked] != best else VERDICTS[1] if gains.count(best) > 1 else VERDICTS[0]


def _errors(rows: Rows) -> int:
    return sum(map(min, rows))


def _by_errors(drawn: Judged) -> str:
    errors = [_errors(rows) for rows in drawn[0]]
    least = min(errors)
    return VERDICTS[2] if errors[drawn[1]] != least else VERDICTS[1] if errors.count(least) > 1 else VERDICTS[0]


def _overlooked(drawn: Judged) -> str:
    """The first of the best is held to be the only right one."""
    gains = [information_gain(rows) for rows in drawn[0]]
    return VERDICTS[0] if gains.index(max(gains)) == drawn[1] else VERDICTS[2]


def _printed(chance: Chance) -> Judged:
    """Three attributes of ten rows, five of each class, two of which gain alike or nearly so."""
    wanted = chance.choice(VERDICTS)
    while True:
        ones = [[chance.below(4), chance.below(4)] for _ in range(3)]
        attributes: list[Rows] = [[[a, b], [5 - a, 5 - b]] for a, b in ones]
        if wanted == VERDICTS[1]:
            attributes[1] = [row[::-1] for row in attributes[0]]
        asked = chance.below(3)
        drawn = attributes, asked
        gains = sorted(map(information_gain, attributes))
        is_close = gains[2] - gains[1] < Fraction(1, 8) and gains[0] < gains[2] > Fraction(1, 20)
        is_whole = all(all(map(sum, rows)) for rows in attributes)
        said = {_by_errors(drawn), _overlooked(drawn), _verdict(drawn, places=1)}
        if is_whole and is_close and _verdict(drawn) == wanted and said != {wanted}:
            return drawn


RIGHT = Exercise(
    _printed,
    _verdict,
    {
        "tie_overlooked": _overlooked,
        "rounded_tie": partial(_verdict, places=1),
        "by_errors": _by_errors,
    },
    lambda drawn: {
        "asked": NAMES[drawn[1]],
        "gains": ", ".join(
            f"{name} {decimal(information_gain(rows))}" for name, rows in zip(NAMES, drawn[0], strict=True)
        ),
        "answer": _verdict(drawn),
    },
    lambda drawn: [
        ["", "{first_branch}", "{second_branch}"],
        *([name, *(f"{a} {{yes}}, {b} {{no}}" for a, b in rows)] for name, rows in zip(NAMES, drawn[0], strict=True)),
    ],
    lambda _: VERDICTS,
)
