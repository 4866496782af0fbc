"""Fourteen days whose cells change, and the questions that compete: each with its branches and its gain."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import reference_tree as rt
from docs.tools.played.figure import Play, dots, says, slot, track, written
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rounding import decimal
from reference_tree.measures.information_gain import information_gain

Columns = Sequence[tuple[str, Sequence[str]]]
Rows = Sequence[Sequence[str]]

TIE = "7 0 0 7 3 0"
"""Row, column and value of the cells of day 8 that make two questions tie: its outlook overcast, its wind strong."""


def days(language: str = "en") -> tuple[Columns, Rows]:
    """The columns of play tennis with their values, the target last, and its rows."""
    table, words = rt.textbook("play-tennis"), Play("days", language).words
    columns = [(one.name, one.domain) for one in (*table.schema.attributes, table.schema.target)]
    rows = [[words[str(row[name])] for name, _ in columns] for row in table.rows()]
    return [(words[name], [words[value] for value in values]) for name, values in columns], rows


def gain(columns: Columns, rows: Rows, language: str = "en") -> str:
    """Rows whose cells change, and the questions that compete: each with its branches and its gain."""
    play = Play("gain", language)
    gains = _gains(columns, rows)
    best = max(gains.values(), default=None)
    winners = [place for place, found in gains.items() if found == best]
    asked = []
    for place, (name, _) in enumerate(columns[:-1]):
        mark = "" if place not in winners else "best tie" if len(winners) > 1 else "best"
        drawn = "".join(f"<li>{dots(f'{place}.{v}', row)}</li>" for v, row in enumerate(_counted(columns, rows, place)))
        found = gains.get(place)
        asked.append(
            f'<tr data-mark="{place}" class="{mark}"><th scope="row" class="name">{escape(name)}</th>'
            f'<td><ul class="branches">{drawn}</ul></td><td class="wide">{track(str(place), float(found or 0))}</td>'
            f"{slot(f'g{place}', '–' if found is None else decimal(found), 'td', 'r')}</tr>"
        )
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name, _ in columns)
    body = "".join(
        f'<tr><th scope="row">{row + 1}</th>{"".join(_cell(row, place, cell) for place, cell in enumerate(one))}</tr>'
        for row, one in enumerate(rows)
    )
    return play.figure(
        {"columns": [list(column) for column in columns], "rows": rows},
        '<div class="rows-and-questions"><div class="questions">',
        play.table(["question", "branches", "gain", "gain>"], asked),
        says(_told(play, columns, gains, winners)),
        f"<p>{slot('exact', written(best) if winners else '', of='exact')}</p></div>",
        f'<table class="slots cells" data-arrows="{len(columns)}"><thead><tr><td></td>{heads}</tr></thead>',
        f"<tbody>{body}</tbody></table></div>",
        play.tools(play.button(f"put {TIE}", "tie", day=8)),
        classes=columns[-1][1],
    )


def _cell(row: int, place: int, cell: str) -> str:
    shown = f'data-is="c{row}.{place}">{escape(cell)}'
    return f'<td><button type="button" disabled data-does="turn {row} {place}" {shown}</button></td>'


def _counted(columns: Columns, rows: Rows, place: int) -> list[list[int]]:
    """How many rows of each class have each value of a column."""
    return [
        [sum((row[place], row[-1]) == (value, label) for row in rows) for label in columns[-1][1]]
        for value in columns[place][1]
    ]


def _gains(columns: Columns, rows: Rows) -> dict[int, Number]:
    """The gain of each column that has more than one value, unless the rows have one class."""
    if len({row[-1] for row in rows}) == 1:
        return {}
    counted = {place: _counted(columns, rows, place) for place in range(len(columns) - 1)}
    return {place: information_gain(table) for place, table in counted.items() if sum(map(any, table)) > 1}


def _told(play: Play, columns: Columns, gains: dict[int, Number], winners: list[int]) -> str:
    names = play.words["and"].join(columns[place][0] for place in winners)
    if len(winners) != 1:
        return play.say("tied" if winners else "none", names=names)
    others = {place: found for place, found in gains.items() if place not in winners}
    if not others:
        return play.say("alone", names=names)
    second = max(others, key=lambda place: others[place])
    return play.say("wins", names=names, margin=decimal(gains[winners[0]] - others[second]), second=columns[second][0])
