"""Values that go to the left or to the right: two sets, and how often two draws from a side differ in class."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from itertools import product

from docs.tools.played.figure import Play, dots, says, slot
from docs.tools.played.gain import days
from reference_tree.exact.rounding import decimal
from reference_tree.measures.gini_index import gini, gini_index

Counts = Sequence[Sequence[int]]


def sets(values: Sequence[str], counts: Counts, right: Sequence[int], language: str = "en") -> str:
    """The figure.

    Args:
        values: the values of an attribute.
        counts: for each value how many rows of each class have it.
        right: 1 for each value that goes to the right, 0 for the others.
        language: the language of the words.
    """
    play, sides = Play("sets", language), _divided(counts, right)
    every = [_divided(counts, (0, *one)) for one in product((0, 1), repeat=len(values) - 1) if any(one)]
    indices = [Fraction(gini_index(one)) for one in every]
    found = Fraction(gini_index(sides)) if all(map(any, sides)) else None
    chips = "".join(
        _value(v, name, row, bool(side)) for v, (name, row, side) in enumerate(zip(values, counts, right, strict=True))
    )
    word = "none"
    if found is not None:
        word = "more" if found > min(indices) else "tied" if indices.count(found) > 1 else "best"
    more = "" if found is None else decimal(found - min(indices))
    whole = Fraction(gini([sum(column) for column in zip(*counts, strict=True)]))
    less = "–" if found is None else decimal(whole - found)
    return play.figure(
        {"counts": counts, "right": right},
        f'<div class="chips values" data-arrows="1">{chips}</div>',
        f'<div class="sides">{"".join(_side(play, side, row) for side, row in enumerate(sides))}</div>',
        f'<p class="knob">{play.words["index"]} = {slot("index", "–" if found is None else found)} ≈ ',
        f"<strong>{slot('decimal', '–' if found is None else decimal(found))}</strong>",
        f"; {play.words['less']} {slot('less', less)}</p>",
        says(play.say(word, more=more, sets=len(every), winners=indices.count(min(indices)))),
        play.tools(play.button("best", "to_best")),
        classes=days(language)[0][-1][1],
    )


def weather(language: str = "en") -> str:
    """The fourteen days by outlook and wind together, in the order of the share of the days without tennis."""
    columns, rows = days(language)
    (_, looks), (_, winds), (_, labels) = columns[0], columns[3], columns[-1]
    counted = {
        f"{look}, {wind}": [sum((row[0], row[3], row[-1]) == (look, wind, label) for row in rows) for label in labels]
        for look in looks
        for wind in winds
    }
    ordered = sorted(counted, key=lambda name: Fraction(counted[name][0], sum(counted[name])))
    return sets(ordered, [counted[name] for name in ordered], [v % 2 for v in range(len(ordered))], language)


def _divided(counts: Counts, right: Sequence[int]) -> list[list[int]]:
    """The counts of both sides."""
    chosen = [[row for row, side in zip(counts, right, strict=True) if side == here] for here in (0, 1)]
    return [[sum(row[k] for row in rows) for k in range(len(counts[0]))] for rows in chosen]


def _value(v: int, name: str, row: Sequence[int], is_right: bool) -> str:
    mark, pressed = "value on" if is_right else "value", str(is_right).lower()
    return (
        f'<button type="button" disabled data-does="move {v}" data-mark="m{v}" class="{mark}" aria-pressed="{pressed}">'
        f"{escape(name)} {dots(f'v{v}', row)}</button>"
    )


def _side(play: Play, side: int, row: Sequence[int]) -> str:
    n = sum(row)
    share = row[0] / n if n else 0
    square = f'<span class="square" data-share="q{side}" style="--share:{share:.4f}" aria-hidden="true">'
    return (
        f"<div><p>{play.words['right' if side else 'left']} {dots(f'd{side}', row)}</p>"
        f'<p class="pair">{square}<i></i><i></i><i></i><i></i></span><span>{play.words["differ"]} '
        f"{slot(f'g{side}', gini(row) if n else '–')}</span></p></div>"
    )
