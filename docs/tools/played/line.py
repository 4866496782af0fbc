"""A line that is turned and shifted through points; how much it gains, and how much the best line of all gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from itertools import pairwise
from math import atan2, pi

import reference_tree as rt
from docs.tools.played.figure import STEPS, Play, dots, says, slot, written
from docs.tools.played.grows import Plane
from reference_tree.exact.rounding import decimal
from reference_tree.measures.entropy import entropy
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting.linear.dichotomies import dichotomies
from reference_tree.splitting.multivariate_nodes import best_linear_splits, points_of

Point = tuple[Fraction, Fraction]
"""A place in the square from -1/2 to 1/2."""
REACH = Fraction(3, 4)
"""A line is at most so far from the middle."""


def line(state: Mapping[str, object], language: str = "en") -> str:
    """The figure.

    Args:
        state: `points` are places in the square and the place of a class, `ends` the numbers at the edges of the
            square, `names` those of the two columns, `turn` and `shift` where the two handles are, `best` where they
            are for the best line, and `ways` in how many ways a line divides the points.
        language: the language of the words.
    """
    play = Play("line", language)
    points: Sequence[tuple[str, str, int]] = state["points"]  # type: ignore[assignment]
    turn, shift = int(str(state["turn"])), int(str(state["shift"]))
    best: tuple[int, int] = state["best"]  # type: ignore[assignment]
    names: Sequence[str] = state["names"]  # type: ignore[assignment]
    places = [((Fraction(x), Fraction(y)), k) for x, y, k in points]
    parts, most = _sides(places, turn, shift), information_gain(_sides(places, *best))
    found = None if [0, 0] in parts else information_gain(parts)
    word = "none" if found is None else "less" if found < most else "best"
    more = "" if found is None else decimal(most - found)
    drawn = "".join(
        f'<i class="k{k}" style="left:{float(x + Fraction(1, 2)):.1%};bottom:{float(y + Fraction(1, 2)):.1%}"></i>'
        for (x, y), k in places
    )
    across, up = direction(turn)
    turned = (
        f'<div class="turns" data-share="turn" style="--share:{atan2(up, across) / (2 * pi):.4f}">'
        f'<b data-share="shift" style="--share:{float(offset(shift)):.4f}"></b></div>'
    )
    rows = [
        f"<tr><td>{play.words[side]}</td><td>{dots(f's{number}', row)}</td>"
        f"{slot(f'h{number}', decimal(entropy(row)) if any(row) else '–', 'td', 'r')}</tr>"
        for number, (side, row) in enumerate(zip(("low", "high"), parts, strict=True))
    ]
    exact, gained = ("", "–") if found is None else (written(found), decimal(found))
    foot = f'<tr><th scope="row">{play.words["gain"]}</th>{slot("exact", exact, "td", "exact")}'
    handles = "".join(
        f"<label>{play.words[name]}{play.slider(step, name, name)}</label>"
        for name, step in (("turn", turn), ("shift", shift))
    )
    return play.figure(
        state,
        f'<div class="halves slanted"><div><div class="plane" aria-hidden="true">{drawn}{turned}</div>',
        f'<p class="label">→ {escape(names[0])}, ↑ {escape(names[1])}</p>{handles}</div><div>',
        f"<p>{slot('question', question(state, turn, shift))}</p>",
        play.table(
            ["side", "points", "entropy>"], rows, f"<tfoot>{foot}{slot('gain', gained, 'td', 'r')}</tr></tfoot>"
        ),
        says(play.say(word, more=more, ways=state["ways"])),
        play.tools(play.button("best", "to_best")) + "</div></div>",
        classes=[Play("grows", language).words[name] for name in ("bad", "good")],
    )


def direction(turn: int) -> Point:
    """The direction of a handle, of length 1: from straight down over to the right to straight up."""
    t = Fraction(turn, STEPS // 2) - 1
    return (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)


def offset(shift: int) -> Fraction:
    """How far a line is from the middle."""
    return (Fraction(shift, STEPS // 2) - 1) * REACH


def question(state: Mapping[str, object], turn: int, shift: int) -> str:
    """What a line asks for, in the numbers of the columns."""
    names: Sequence[str] = state["names"]  # type: ignore[assignment]
    ends: Sequence[Sequence[str]] = state["ends"]  # type: ignore[assignment]
    spans = [(Fraction(low), Fraction(high) - Fraction(low)) for low, high in ends]
    weights = [c / span for c, (_, span) in zip(direction(turn), spans, strict=True)]
    t = offset(shift) + sum(w * (low + span / 2) for w, (low, span) in zip(weights, spans, strict=True))
    size = sum(map(abs, weights))
    one, other = (decimal(abs(w) / size, 3) for w in weights)
    sign = "−" if weights[1] < 0 else "+"
    return f"{one} · {names[0]} {sign} {other} · {names[1]} ≤ {decimal(Fraction(t) / size, 3)}"


def melons(language: str = "en") -> str:
    """Seventeen melons, by density and sugar."""
    words, table = Play("grows", language).words, rt.textbook("watermelon-3.0a")
    names = [one.name for one in table.schema.attributes]
    rows = [[Fraction(str(row[name])) for name in names] for row in table.rows()]
    kinds = [table.schema.target.domain.index(row[table.schema.target.name]) for row in table.rows()]
    ends = Plane(rows).ends
    places = [_place(row, ends) for row in rows]
    points = points_of(table)
    best = best_linear_splits(points)[0]
    inside = {point for at, point in enumerate(points.values) if best.inside >> at & 1}
    handles = widest(places, [tuple(row) in inside for row in rows])
    return line(
        {
            "points": [[str(x), str(y), k] for (x, y), k in zip(places, kinds, strict=True)],
            "ends": [list(map(str, pair)) for pair in ends],
            "names": [words["density"], words["sugar"]],
            "turn": STEPS // 2,
            "shift": STEPS // 2,
            "best": handles,
            "ways": len(dichotomies(points.values)),
        },
        language,
    )


def _place(row: Sequence[Fraction], ends: Sequence[tuple[Fraction, Fraction]]) -> Point:
    x, y = ((value - low) / (high - low) - Fraction(1, 2) for value, (low, high) in zip(row, ends, strict=True))
    return x, y


def widest(places: Sequence[Point], inside: Sequence[bool]) -> list[int]:
    """Where the handles are for the line that divides points in one way, with the most room on both sides."""
    found: list[tuple[Fraction, int, Fraction]] = []
    for turn in range(STEPS + 1):
        across, up = direction(turn)
        along = sorted((across * x + up * y, isin) for (x, y), isin in zip(places, inside, strict=True))
        changes = [(low, high) for (low, a), (high, b) in pairwise(along) if a != b]
        if len(changes) == 1:
            ((low, high),) = changes
            found.append((high - low, turn, (low + high) / 2))
    _, turn, middle = max(found)
    return [turn, round((middle / REACH + 1) * (STEPS // 2))]


def _sides(places: Sequence[tuple[Point, int]], turn: int, shift: int) -> list[list[int]]:
    (across, up), far = direction(turn), offset(shift)
    sides = ([k for (x, y), k in places if (across * x + up * y <= far) == low] for low in (True, False))
    return [[side.count(k) for k in (0, 1)] for side in sides]
