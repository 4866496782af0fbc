"""Boosting round by round, over one column of numbers.

1. `boosting_rounds`: a sum of trees for numbers. A panel for each round: the rows are points, and the sum so far is a
   step function that comes nearer to them.
2. `adaboost_rounds`: votes for classes. A line for each round: a row is the mark of its class, whose area is its
   weight. A row that the tree of the round gets wrong is crossed, and weighs more in the next line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt

from reference_tree.data.errors import InputError, number_of
from reference_tree.data.table import Table
from reference_tree.ensembles import adaboost, boosting_tree
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import decimal
from reference_tree.tree import Tree
from reference_tree.views.plots.axes import (
    FAINT,
    Axis,
    axis_of,
    cross,
    disc,
    drawing,
    element,
    frame,
    label,
    line,
    near,
    path,
)
from reference_tree.views.plots.classes import colour, mark
from reference_tree.views.wording import cut_short, one_line, xml_name

SIDE, ROOM = 150, 64
"""The width and height of a panel between its axes, and the margin around it."""

COLUMNS = 3
"""The number of panels in a line."""

LANE = 44
"""The height of a line of marks."""


def boosting_rounds(rounds: Sequence[boosting_tree.Round], table: Table, attribute: str) -> str:
    """The sum of the trees after each round, as SVG.

    Args:
        rounds: the result of `BoostingTree.rounds`.
        table: the rows.
        attribute: the only attribute that the trees ask for.

    Raises:
        InputError: the attribute is no column of numbers, or a tree asks for another.

    Source:
        [LiHang2019 §8.4.2]
    """
    columns = (table.columns[name] for name in (attribute, table.schema.target.name))
    rows = [(x, y) for x, y in zip(*columns, strict=True) if x is not None and y is not None]
    cuts = sorted({cut for one in rounds for cut in _cuts(one.tree, attribute)})
    across = axis_of(table, attribute, ROOM, ROOM + SIDE, 4)
    up = axis_of(table, table.schema.target.name, 30 + SIDE, 30, 4)
    # The sum of the trees is constant between two cuts of any of them: one prediction for each piece is enough.
    ends = [across.low, *(cut for cut in cuts if across.low < cut < across.high), across.high]
    sums = [Fraction(0)] * (len(ends) - 1)
    panels, losses = [], []
    for place, one in enumerate(rounds):
        middles = [{attribute: Fraction(a + b) / 2} for a, b in pairwise(ends)]
        sums = [total + Fraction(one.tree.predict(row)) for total, row in zip(sums, middles, strict=True)]
        corners = [(x, y) for (a, b), y in zip(pairwise(ends), sums, strict=True) for x in (a, b)]
        losses.append(f"round {one.number}: {decimal(one.loss, 4)}")
        shapes = [
            label(f"round {one.number}, loss {decimal(one.loss, 4)}", ROOM + SIDE // 2, 18, font_weight="bold"),
            *frame(across, up, 30 + SIDE),
            *(disc(across.at(x), up.at(y), 3, fill="none") for x, y in rows),
            path(((across.at(x), up.at(min(max(y, up.low), up.high))) for x, y in corners), stroke_width=2.5),
        ]
        left, top = place % COLUMNS * (SIDE + ROOM), place // COLUMNS * (SIDE + 84)
        panels.append(element("g", "".join(shapes), transform=f"translate({left} {top})"))
    wide, high = min(len(rounds), COLUMNS) * (SIDE + ROOM) + 20, -(-len(rounds) // COLUMNS) * (SIDE + 84)
    return drawing(
        wide, high, f"{number_of(len(rounds), 'round')} of boosting", f"The loss after {'; '.join(losses)}.", panels
    )


def _cuts(tree: Tree, attribute: str) -> Sequence[Rational]:
    """The thresholds of a tree that asks for one attribute only."""
    if others := sorted(set(tree.cuts) - {attribute}):
        other = f"a tree asks for {one_line(others[0])}, too"
        raise InputError(f"{other}; rounds are drawn over the only column they ask for")
    return tree.cuts.get(attribute) or ()


def adaboost_rounds(rounds: Sequence[adaboost.WeightedRound], table: Table, attribute: str) -> str:
    """The weights of the rows in each round, with the cuts of its tree and the rows that it gets wrong, as SVG.

    Args:
        rounds: the result of `AdaBoost.rounds`.
        table: the rows, of two classes or more.
        attribute: the only attribute that the trees ask for.

    Raises:
        InputError: the attribute is no column of numbers, or a tree asks for another.

    Source:
        [LiHang2019 §8.1.2]
    """
    across = axis_of(table, attribute, 80, 480, 8)
    numbers, codes = table.columns[attribute], table.codes(table.schema.target.name)
    largest = max(max(one.weights) for one in rounds)
    parts, summaries = [], []
    for place, one in enumerate(rounds):
        middle, low = 20 + LANE * place + LANE // 2, 20 + LANE * place
        parts += [
            label(f"round {one.number}", 70, middle + 4, "end"),
            line(80, middle, 480, middle, stroke_opacity=FAINT),
        ]
        for at in map(across.at, _cuts(one.tree, attribute)):
            parts.append(line(at, low + 3, at, low + LANE - 3, stroke_dasharray="4 3", stroke_width=1.5))
        for x, code, weight, missed in zip(numbers, codes, one.weights, one.missed, strict=True):
            if x is not None:
                share, title = near(weight) / near(largest), f"{decimal_text(x)}: weight {decimal(weight)}"
                parts += _weighed(across.at(x), middle, code, share, title, missed=missed)
        wrong = sum(one.missed)
        summaries.append(f"round {one.number}: {wrong} wrong, of weight {decimal(one.error, 4)}")
        parts.append(label(f"e = {decimal(one.error, 4)}", 494, middle + 4, "start"))
    floor = 20 + LANE * len(rounds)
    parts += frame(across, Axis("", 0, 1, floor, floor, ()), floor)
    for code, name in enumerate(table.schema.target.domain):
        parts += _weighed(Fraction(90 + 90 * code), floor + 58, code, Fraction(1, 3), name, missed=False)
        parts.append(label(cut_short(one_line(name), 10), 104 + 90 * code, floor + 62, "start"))
    parts += [*cross(296, floor + 58, 6), label("wrong in this round", 312, floor + 62, "start")]
    return drawing(580, floor + 76, f"{number_of(len(rounds), 'round')} of AdaBoost", "; ".join(summaries) + ".", parts)


def _weighed(x: Fraction, y: int, code: int, share: Fraction, title: str, *, missed: bool) -> Iterator[str]:
    """The mark of a class whose area is a weight."""
    radius = Fraction(isqrt(int(share * 196 * 10**4)), 100)
    hint = element("title", xml_name(title))
    yield mark(code, x, y, radius, hint, fill_opacity="0.6", stroke=colour(code), stroke_width="1")
    if missed:
        yield from cross(x, y, radius * Fraction(7, 10) + 2)
