"""What can be played with on a page of Learn: the figures as they stand before a script changes them.

A block of a page prints one of these figures. The package computes every number of it; `docs/assets/play` has the
scripts, which change what is in its slots.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape

import reference_tree as rt
from docs.tools.playing import Play, dots, says, slot, track, written
from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.rounding import decimal
from reference_tree.measures.entropy import entropy, self_information
from reference_tree.measures.information_gain import information_gain

Columns = Sequence[tuple[str, Sequence[str]]]
Rows = Sequence[Sequence[str]]


def bag(counts: Sequence[int], names: Sequence[str], language: str = "en") -> str:
    """A bag of dots: how surprising each class is, and the average of that, the entropy."""
    play, n, h = Play("bag", language), sum(counts), entropy([*filter(None, counts)])
    kinds = sum(map(bool, counts))
    word = "sure" if kinds == 1 else "even" if h == log(kinds) else "mixed"
    rows = (_class(play, k, name, count, n) for k, (name, count) in enumerate(zip(names, counts, strict=True)))
    foot = f'<tr><th scope="row">{play.words["entropy"]}</th>{slot("all", n, "td")}<td></td><td></td>'
    foot = f"<tfoot>{foot}{slot('entropy', decimal(h), 'td', 'r')}</tr></tfoot>"
    evenly = " ".join("5" for _ in counts)
    return play.figure(
        {"counts": list(counts)},
        f'<div class="halves"><div class="bag">{dots("bag", counts, "put {} -1")}</div>',
        play.table(["class", "dots", "p>", "surprise>", "product>"], rows, foot) + "</div>",
        f'<div class="meter">{track("entropy", float(h / log(len(counts))))}',
        slot("exact", written(h), of="exact") + "</div>",
        says(play.say(word, kinds=kinds, entropy=decimal(h))),
        play.tools(
            play.button("set 12 0 0", "alike"), play.button(f"set {evenly}", "evenly"), play.button("set 4 2 2", "tail")
        ),
    )


def _class(play: Play, k: int, name: str, count: int, n: int) -> str:
    share = Fraction(count, n)
    surprise: Number = self_information(share) if count else 0
    figures = {
        "p": share,
        "s": decimal(surprise, 4) if count else "–",
        "w": decimal(surprise * share, 4) if count else 0,
    }
    less = play.button(f"put {k} -1", "less", shows="−", name=name)
    more = play.button(f"put {k} 1", "more", shows="+", name=name)
    return (
        f'<tr><th scope="row"><span class="dots" aria-hidden="true"><i class="k{k}"></i></span> {escape(name)}</th>'
        f'<td><span class="steps">{less}{slot(f"n{k}", count, "output")}{more}</span></td>'
        f"{''.join(slot(f'{of}{k}', figure, 'td', 'r') for of, figure in figures.items())}</tr>"
    )


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
