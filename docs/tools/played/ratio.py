"""Rows in a line with walls between them: each wall makes one answer two. The gain never falls; the ratio may."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from docs.tools.played.figure import Play, says, slot, track, written
from docs.tools.played.gain import days
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rounding import decimal
from reference_tree.measures.gain_ratio import gain_ratio, split_information
from reference_tree.measures.information_gain import information_gain


def ratio(classes: Sequence[int], walls: Sequence[int], first: Sequence[int], language: str = "en") -> str:
    """The figure.

    Args:
        classes: the place of the class of each row, in their order on the line.
        walls: before which rows there is a wall.
        first: where the walls were at first.
        language: the language of the words.
    """
    play = Play("ratio", language)
    (gain, cost, quotient), (gain_first, _, quotient_first) = _scores(classes, walls), _scores(classes, first)
    gaps = ["", *(_wall(play, place, place in walls) for place in range(1, len(classes)))]
    line = "".join(f'{gap}<i class="k{k}"></i>' for gap, k in zip(gaps, classes, strict=True))
    said = play.words["none"]
    if quotient is not None and quotient_first is not None:
        said = play.words[f"gain{_order(gain, gain_first)}"] + play.words[f"ratio{_order(quotient, quotient_first)}"]
    rows = [
        _row(play, "gain", decimal(gain), float(gain), written(gain)),
        _row(play, "cost", decimal(cost), float(cost) / 4, written(cost)),
        _row(play, "ratio", "–" if quotient is None else decimal(quotient), float(quotient or 0), ""),
    ]
    return play.figure(
        {"classes": classes, "walls": walls, "first": first, "names": [0, 1]},
        f'<div class="wall-line dots" data-arrows="{len(classes)}">{line}</div>',
        f"<p>{play.words['answers']} {slot('answers', len(walls) + 1)}</p>",
        f'<table class="slots wide-bars"><tbody>{"".join(rows)}</tbody></table>',
        says(said),
        play.tools(play.button("every", "every_day")),
        classes=days(language)[0][-1][1],
    )


def by_outlook(language: str = "en") -> str:
    """The fourteen days by their outlook."""
    columns, rows = days(language)
    (_, values), (_, labels) = columns[0], columns[-1]
    ordered = sorted((values.index(row[0]), -labels.index(row[-1])) for row in rows)
    walls = [place for place, (one, other) in enumerate(pairwise(ordered), 1) if one[0] != other[0]]
    return ratio([-k for _, k in ordered], walls, walls, language)


def _scores(classes: Sequence[int], walls: Sequence[int]) -> tuple[Number, Number, Number | None]:
    parts = [classes[start:end] for start, end in pairwise([0, *walls, len(classes)])]
    table = [[part.count(0), part.count(1)] for part in map(list, parts)]
    return information_gain(table), split_information(table), gain_ratio(table) if walls else None


def _order(one: Number, other: Number) -> int:
    return int(one > other) - int(one < other)


def _wall(play: Play, place: int, is_up: bool) -> str:
    mark = "wall on" if is_up else "wall"
    label = play.say("wall", place=place, next=place + 1)
    return (
        f'<button type="button" disabled data-does="wall {place}" data-mark="w{place}" class="{mark}"'
        f' aria-pressed="{str(is_up).lower()}" aria-label="{label}"></button>'
    )


def _row(play: Play, name: str, figure: str, share: float, exact: str) -> str:
    head = f'<th scope="row">{play.words[name]}</th><td class="wide">{track(name, share)}</td>'
    last = "<td></td>" if name == "ratio" else slot(f"exact_{name}", exact, "td", "exact")
    return f"<tr>{head}{slot(name, figure, 'td', 'r')}{last}</tr>"
