"""Exercises that answer back, and sheets of them for print with their solutions: from the records of `exercises`.

`task` draws one by its seed; `exercise` puts some of them into a page, of which one is shown and the script shows the
next; `sheet` puts several kinds onto paper. The first is whole without a script: its answer is folded below it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from docs.tools.played.exercises import EXERCISES
from docs.tools.played.exercises.record import Cells
from docs.tools.played.figure import LANGUAGES, Play, slot, written
from reference_tree.chance import Chance
from reference_tree.exact.log_ratios import LogRatio
from reference_tree.exact.log_sums import LogSum, Number
from reference_tree.exact.rounding import decimal

SAID: Mapping[str, Any] = json.loads(Path(__file__).with_name("exercises.json").read_text(encoding="utf-8"))
"""The words of tables and options, of each mistake, and of each exercise, in English and in Chinese."""

SEEDS = 10
"""So many exercises of a kind stand on a page."""

APART = Fraction(1, 250)
"""A mistake that leads closer to the answer than this cannot be told from rounding."""

DIGITS = 30
"""So many decimals has a number that is no fraction and has other logarithms than those to base 2."""

SHEETS = 20
ON_A_SHEET = ("gain", "c45", "gini", "cut", "link")
"""What can be done by hand in half an hour."""


class Worked(NamedTuple):
    """An exercise before it is put into words."""

    right: Any
    """A number, or the name of an option; so is what each mistake leads to."""
    wrong: Mapping[str, Any]
    given: Mapping[str, object]
    cells: Cells
    options: Sequence[str]


@cache
def worked(kind: str, seed: int) -> Worked:
    """An exercise by its seed, in no language."""
    one = EXERCISES[kind]
    drawn = one.draw(Chance(seed, f"exercise {kind}".encode()))
    wrong = {name: made(drawn) for name, made in one.wrong.items()}
    return Worked(one.right(drawn), wrong, one.given(drawn), one.cells(drawn), one.options(drawn))


@cache
def task(kind: str, seed: int, language: str = "en") -> dict[str, Any]:
    """An exercise by its seed: its question, the right answer and the wrong ones, exact, and its solution."""
    right, wrong, given, cells, options = worked(kind, seed)
    words = _words(language)

    def say(text: object) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: words.get(found[1], found[0]), str(text))

    filled = {name: say(value) for name, value in given.items()}
    return {
        "ask": SAID["exercises"][kind]["ask"][LANGUAGES.index(language)].format(**filled),
        "cells": [[say(cell) for cell in row] for row in cells],
        "options": list(map(say, options)),
        "right": say(_exact(right)),
        "wrong": {name: say(_exact(value)) for name, value in wrong.items() if is_apart(value, right)},
        "steps": SAID["exercises"][kind]["steps"][LANGUAGES.index(language)].format(**filled),
    }


def is_apart(wrong: Number, right: Number) -> bool:
    """Whether a mistake leads to something else than the answer, and to more than another rounding of it."""
    if isinstance(right, str):
        return bool(wrong != right)
    return abs(Fraction(decimal(wrong, DIGITS)) - Fraction(decimal(right, DIGITS))) >= APART


def _words(language: str) -> dict[str, str]:
    return {name: said[LANGUAGES.index(language)] for name, said in SAID["words"].items()}


def _exact(number: Number | str) -> str:
    """A number as the script reads it: whole if it is a fraction or has logarithms to base 2; else decimals."""
    if isinstance(number, str):
        return number
    if isinstance(number, LogRatio):
        return f"({_exact(number.numerator)}) / ({_exact(number.denominator)})"
    is_whole = isinstance(number, int | Fraction) or (isinstance(number, LogSum) and number.base == 2)
    return written(number) if is_whole else decimal(number, DIGITS)


def exercise(
    kind: str, language: str = "en", tasks: Sequence[Mapping[str, Any]] | None = None, at: int = 0, root: str = ""
) -> str:
    """An exercise on a page.

    Args:
        kind: its name in `EXERCISES`.
        language: that of the page.
        tasks: the exercises to go through; none: those of the first seeds.
        at: which of them is shown.
        root: how the page leads to the first page of the site, if it is no page of a folder.
    """
    play, tasks = (
        Play("exercise", language, root),
        tasks or [task(kind, seed, language) for seed in range(1, SEEDS + 1)],
    )
    place = LANGUAGES.index(language)
    play.words |= {
        f"wrong_{name}": said[place] for name, said in SAID["mistakes"].items() if name in EXERCISES[kind].wrong
    }
    one, invites = tasks[at], "invites_choice" if tasks[at]["options"] else "invites"
    play.words["invites"] = play.words[invites]
    return play.figure(
        {"tasks": tasks, "at": at, "said": None},
        f"<p>{slot('ask', one['ask'])}</p>{_table(one['cells'])}",
        _choices(one["options"]) if one["options"] else _field(play),
        '<p data-mark="verdict" class="verdict" data-is="told" aria-live="polite"></p>',
        f'<details class="success answer"><summary>{play.words["answer"]}</summary>',
        f"<p>{slot('steps', one['steps'])}</p></details>",
        f'<div class="tools">{play.button("another", "another")}</div>',
    )


def _table(cells: Sequence[Sequence[str]]) -> str:
    if not cells:
        return ""
    head, *body = [
        "".join(slot(f"t{i}.{j}", cell, "td" if i and j else "th", "" if j == 0 else "r") for j, cell in enumerate(row))
        for i, row in enumerate(cells)
    ]
    rows = "".join(f"<tr>{row}</tr>" for row in body)
    return f'<table class="slots given"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _field(play: Play) -> str:
    label = escape(play.words["your"])
    return (
        f'<form class="typed" autocomplete="off">'
        f'<input type="text" disabled size="18" aria-label="{label}" spellcheck="false">'
        f' <button type="submit" disabled>{escape(play.words["check"])}</button></form>'
    )


def _choices(options: Sequence[str]) -> str:
    buttons = (
        f'<button type="button" disabled data-does="choose {i}" data-is="o{i}"'
        f' data-mark="o{i}" class="" aria-pressed="false">'
        f"{escape(option)}</button>"
        for i, option in enumerate(options)
    )
    return f'<div class="choices">{"".join(buttons)}</div>'


# For print.


def sheets(language: str = "en", number: int = SHEETS) -> Iterator[str]:
    """Sheets that are all different, each with its number; then the solutions of all."""
    words = Play("exercise", language).words
    drawn = [(seed, [task(kind, seed, language) for kind in ON_A_SHEET]) for seed in range(1, number + 1)]
    for seed, tasks in drawn:
        title = words["sheet"].format(seed=seed)
        yield f'<section class="sheet"><h2 id="sheet-{seed}" data-search-exclude>{title}</h2>'
        yield f'<p class="by">{words["name"]}</p><ol>'
        yield "".join(map(_on_paper, tasks)) + "</ol></section>"
    yield f'<section class="sheet"><h2 id="solutions" data-search-exclude>{words["solutions"]}</h2>'
    for seed, tasks in drawn:
        steps = "".join(f"<li>{escape(one['steps'])}</li>" for one in tasks)
        yield f"<h3>{words['sheet'].format(seed=seed)}</h3><ol>{steps}</ol>"
    yield "</section>"


def _on_paper(one: Mapping[str, Any]) -> str:
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in one["cells"])
    options = f"<p>{' &nbsp; '.join(f'☐ {escape(option)}' for option in one['options'])}</p>" if one["options"] else ""
    table = f'<table class="given">{rows}</table>' if rows else ""
    return f"<li><p>{escape(one['ask'])}</p>{table}{options}<p class=room></p></li>"
