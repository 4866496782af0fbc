"""Points on a line and a threshold that is dragged along it; above each midpoint between two points stands its gain."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import reference_tree as rt
from docs.tools.played.figure import STEPS, Play, dots, says, short, slot, written
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rounding import decimal
from reference_tree.measures.entropy import entropy
from reference_tree.measures.information_gain import information_gain

Points = Sequence[tuple[str, int]]


def cut(points: Points, names: Sequence[str], of: str, at: str = "", language: str = "en") -> str:
    """Points on a line and a threshold that is dragged along it; above each midpoint stands its gain.

    Args:
        points: a number and the place of a class for each row, in the order of the numbers.
        names: the classes.
        of: the name of the numbers.
        at: where the threshold is; none: at the first of the best cuts.
        language: the language of the words.
    """
    play, values = Play("cut", language), [Fraction(value) for value, _ in points]
    middles = [(low + high) / 2 for low, high in pairwise(values) if low < high]
    gains = {t: information_gain(_sides(points, names, t)) for t in middles}
    most = max(gains.values())
    winners = [t for t, found in gains.items() if found == most]
    here = Fraction(at) if at else winners[0]

    def x(value: Fraction) -> Fraction:
        return (value - values[0]) / (values[-1] - values[0])

    stems = "".join(
        _stem(number, x(t), found, found == most, len(winners)) for number, (t, found) in enumerate(gains.items())
    )
    shown = "".join(
        f'<button type="button" disabled data-does="flip {i}" style="left:{float(x(value)):.2%}"'
        f' aria-label="{play.say("point", of=of, value=short(value))}">'
        f"{dots(f'p{i}', [int(other == k) for other in range(len(names))])}</button>"
        for i, (value, (_, k)) in enumerate(zip(values, points, strict=True))
    )
    parts = _sides(points, names, here)
    found = None if [0] * len(names) in parts else information_gain(parts)
    word = (
        "none"
        if found is None
        else "sure"
        if most == 0
        else "less"
        if found < most
        else "tied"
        if len(winners) > 1
        else "best"
    )
    rows = [
        f"<tr>{slot(side, play.say(side, of=of, t=short(here)), 'th')}<td>{dots(f'side{number}', row)}</td>"
        f"{slot(f'h{number}', decimal(entropy(row)) if any(row) else '–', 'td', 'r')}</tr>"
        for number, (side, row) in enumerate(zip(("low", "high"), parts, strict=True))
    ]
    exact, gained = ("", "–") if found is None else (written(found), decimal(found))
    foot = f'<tr><th scope="row">{play.words["gain"]}</th>{slot("exact", exact, "td", "exact")}'
    line = f'<b class="here" data-share="at" style="--share:{float(x(here)):.4f}"></b>'
    return play.figure(
        {"points": points, "names": names, "of": of, "at": str(here)},
        f'<div class="line"><div class="stems">{stems}{line}</div>',
        f'<div class="points" data-arrows="{len(points)}">{shown}</div>',
        play.slider(round(x(here) * STEPS), "handle", of=of) + "</div>",
        play.table(
            ["side", "points", "entropy>"],
            rows,
            f"<tfoot>{foot}{slot('gain', gained, 'td', 'r')}</tr></tfoot>",
        ),
        says(play.say(word, more="" if found is None else decimal(most - found), winners=len(winners))),
        play.tools(play.button("best", "to_best")),
        classes=names,
    )


def points_of(table: rt.Table, name: str) -> Points:
    """The numbers of a column of a table with the places of their classes, in order."""
    target = table.schema.target
    found = sorted((row[name], target.domain.index(row[target.name])) for row in table.rows())
    return [(str(value), k) for value, k in found]


def _sides(points: Points, names: Sequence[str], t: Fraction) -> list[list[int]]:
    sides = ([k for value, k in points if (Fraction(value) <= t) == is_low] for is_low in (True, False))
    return [[side.count(k) for k in range(len(names))] for side in sides]


def _stem(number: int, x: Fraction, found: Number, is_best: bool, winners: int) -> str:
    mark = "stem" if not is_best else "stem best tie" if winners > 1 else "stem best"
    return (
        f'<span data-mark="g{number}" class="{mark}" style="left:{float(x):.2%}">'
        f'<b data-share="g{number}" style="--share:{float(found):.4f}"></b></span>'
    )
