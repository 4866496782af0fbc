"""Bars and cells: the scores of a decision's candidates, the importance of attributes, and the rows of each fold.

1. `candidate_bars` draws the scores of a decision, best first. Winners are dark: all of them, if several tie exactly.
   A negative score has no bar, and a candidate barred by a rule is an outline. If a rule compares gains with their
   average, as C4.5's does, one panel has the gains with the average as a line, and another the ratios.
2. `importance_bars` draws the importance of each attribute for the answers of a tree.
3. `fold_rows` draws the rows of a table as cells in the colour of their class, a line for each fold: full if the row
   is held out, faint if a tree is grown from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import TypeAlias

from reference_tree.data.errors import InputError, number_of
from reference_tree.data.table import Table
from reference_tree.exact.reals import Number
from reference_tree.exact.rounding import decimal
from reference_tree.learners.decision import Decision
from reference_tree.routing import column
from reference_tree.selection.cross_validation import Fold
from reference_tree.splitting.candidate import Candidate
from reference_tree.views.plots.axes import FAINT, Axis, drawing, element, label, line, near
from reference_tree.views.plots.classes import colour, mark
from reference_tree.views.trees.svg import legend, room_of
from reference_tree.views.wording import asked, counts_of, cut_short, one_line

Look: TypeAlias = Mapping[str, object]
"""The look of a shape: attributes of SVG."""

LINE = 24
"""The height of a bar with its margin, and of a row of cells."""

PANEL, FIGURE = 190, 64
"""The length of the longest bar, and the room for its figure."""

MOST = 12
"""Of more candidates only the best of each attribute and the winners are drawn, at most twice as many as this."""


def candidate_bars(decision: Decision) -> str:
    """The scores of the tests of a decision, as SVG.

    Args:
        decision: the decision of a learner at a node.

    Raises:
        InputError: no test has a score there.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> candidate_bars(ID3().decide(textbook("play-tennis").sample())).count("<rect")
        4

    Source:
        [Quinlan1986 §4], [Quinlan1986 §7]
    """
    average = decision.evidence.get("average")
    scores = ("gain", decision.judged_by) if average is not None else (decision.judged_by,)
    drawn = _drawn(decision)
    if not drawn:
        raise InputError("no test has a score at this node, so there is nothing to draw")
    names, looks = [asked(one.test) for one in drawn], [_look(decision, one) for one in drawn]
    left, bottom = 20 + max(map(room_of, names)), 40 + LINE * len(drawn)
    parts = [_name(name, left, row, look[1]) for row, (name, look) in enumerate(zip(names, looks, strict=True))]
    axes = []
    for number, score in enumerate(scores):
        start = left + number * (PANEL + FIGURE + 20)
        axis, head, bars = _panel(_words(score), [one.scores[score] for one in drawn], start, looks)
        parts += [*head, *chain.from_iterable(bars)]
        axes.append(axis)
    if average is not None:
        at = axes[0].at(near(average))  # the gains are the first panel
        parts.append(line(at, 34, at, bottom, stroke_dasharray="5 3"))
        parts.append(label(f"average {decimal(average)}", at, bottom + 14, font_style="italic"))
    questions = "; ".join(f"{asked(one.test)} {decimal(one.scores[decision.judged_by])}" for one in drawn)
    winners = " and ".join(asked(one.test) for one in decision.winners[: 2 * MOST])
    equal = ", exactly equal" if len(decision.winners) > 1 else ""
    title = f"The {_words(decision.judged_by)} of each candidate test"
    wide = left + len(scores) * (PANEL + FIGURE + 20)
    return drawing(wide, bottom + 24, title, f"{questions}. Best: {winners}{equal}.", parts)


def _drawn(decision: Decision) -> list[Candidate]:
    """The candidates that are drawn, best first; equals in the learner's order."""
    measured = [one for one in decision.candidates if one.scores and one.barred != "not-best"]
    found = sorted(measured, key=lambda one: one.scores[decision.judged_by], reverse=True)
    if len(found) <= MOST:
        return found
    winning, seen = {winner.key for winner in decision.winners}, set[tuple[str, ...]]()
    best = []
    for one in found:
        if one.key in winning or one.test.attributes not in seen:
            best.append(one)
        seen.add(one.test.attributes)
    return best[: 2 * MOST]


def _look(decision: Decision, one: Candidate) -> tuple[Look, Look]:
    """The look of a bar and of its name: of a winner, of a loser, or of a barred candidate."""
    if one.barred:
        return {"fill": "none", "stroke_dasharray": "3 2"}, {"fill_opacity": "0.6"}
    if one.key in {winner.key for winner in decision.winners}:
        return {"fill_opacity": "0.8"}, {"font_weight": "bold"}
    return {"fill_opacity": FAINT, "stroke": "none"}, {}


def _words(score: str) -> str:
    return {"ratio": "gain ratio"}.get(score, score.replace("_", " "))


def _name(name: str, left: int, number: int, look: Look) -> str:
    """The name of a bar, to the left of it."""
    return label(cut_short(name, 26), left - 8, 55 + LINE * number, "end", **look)


def _panel(
    name: str, values: Sequence[Number], start: int, looks: Sequence[tuple[Look, Look]]
) -> tuple[Axis, list[str], list[list[str]]]:
    """An axis, its elements, and the bars along it, below one another, each followed by its figure."""
    most = max(map(near, values))
    axis = Axis(name, 0, most if most > 0 else Fraction(1), start, start + PANEL, ())
    head = [label(name, start, 22, "start", font_style="italic"), line(start, 34, start, 40 + LINE * len(values))]
    bars = []
    for value, (bar, words), top in zip(values, looks, range(40, 40 + LINE * len(values), LINE), strict=True):
        wide, figure = max(Fraction(0), axis.at(near(value)) - start), start + PANEL + 8
        shape = element("rect", x=start, y=top, width=wide, height=LINE - 6, **bar)
        bars.append([shape, label(decimal(value), figure, top + 14, "start", **words)])
    return axis, head, bars


def importance_bars(importances: Mapping[str, Number]) -> str:
    """The importance of each attribute for the answers of a tree or an ensemble, as SVG.

    Args:
        importances: attribute → its importance, as `ensembles.importance` computes it. It is negative, and has no bar,
            if shuffling the column made the answers better.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.ensembles.importance import impurity_importance
        >>> from reference_tree.learners.id3 import ID3
        >>> importance_bars(impurity_importance(ID3().grow(textbook("play-tennis")))).count("<rect")
        4

    Source:
        [Breiman1984 §5.3.4], [Breiman2001 §10]
    """
    ranked = sorted(importances.items(), key=lambda pair: pair[1], reverse=True)  # ties stay in table order
    names = [one_line(name) for name, _ in ranked]
    start, look = 20 + max(map(room_of, names)), ({"fill_opacity": "0.8"}, dict[str, object]())
    _, parts, bars = _panel("importance", [value for _, value in ranked], start, [look] * len(names))
    for number, (name, bar) in enumerate(zip(names, bars, strict=True)):
        parts += [_name(name, start, number, {}), *bar]
    values = "; ".join(f"{name} {decimal(value)}" for name, (_, value) in zip(names, ranked, strict=True))
    wide, high = start + PANEL + FIGURE, 54 + LINE * len(ranked)
    return drawing(wide, high, "Feature importance", f"{values}.", parts)


def fold_rows(table: Table, held_out: Sequence[Fold]) -> str:
    """The rows that each fold holds out, as SVG.

    Args:
        table: the rows.
        held_out: the folds, as `selection.cross_validation.folds` deals them.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.selection.cross_validation import folds
        >>> days = textbook("play-tennis")
        >>> fold_rows(days, folds(days, 7, seed=1)).count("<rect")      # 7 times 14 cells
        98

    Source:
        [N4 Putting it together: cross-validation], [Stone1974]
    """
    target, codes = table.schema.target, column(table, table.schema.target.name).codes
    cell = max(3, min(24, 480 // len(table)))
    parts = [label("row", 66, 24, "end", font_style="italic")]
    if cell >= 12:
        parts += [label(str(row + 1), 76 + cell * row + cell // 2, 24) for row in range(len(table))]
    summaries = []
    for number, fold in enumerate(held_out):
        top, held = 34 + LINE * number, set(fold)
        parts.append(label(f"fold {number + 1}", 66, top + 14, "end"))
        for row, code in enumerate(codes):
            fill = "currentColor" if target.values is None else colour(code)
            look = {"fill": fill, "fill_opacity": "1" if row in held else "0.18", "stroke": "none"}
            parts.append(element("rect", x=76 + cell * row, y=top, width=cell - 1, height=LINE - 6, **look))
            if target.values is not None and cell >= 8:
                # The shape of the class: light on a full cell, in its colour on a faint one.
                x, y = 76 + cell * row + Fraction(cell - 1, 2), top + Fraction(LINE - 6, 2)
                shade = "#fff" if row in held else fill
                parts.append(mark(code, x, y, min(3, cell // 3), fill=shade, stroke="none"))
        summaries.append(_held(table, fold))
        parts.append(label(summaries[-1], 84 + cell * len(table), top + 14, "start"))
    bottom = 34 + LINE * len(held_out) + 16
    wide = 100 + cell * len(table) + max(map(room_of, summaries))
    key, height = legend(target, wide)
    parts.append(element("g", "".join(key), transform=f"translate(64 {bottom - 20})"))
    title = f"{number_of(len(held_out), 'fold')} of {number_of(len(table), 'row')}"
    described = "; ".join(f"fold {number}: {one}" for number, one in enumerate(summaries, 1))
    return drawing(wide, bottom - 8 + height, title, described, parts)


def _held(table: Table, fold: Fold) -> str:
    if table.schema.target.values is None:
        return number_of(len(fold), "row")
    part = table.take(fold)
    return ", ".join(counts_of(table.schema.target.domain, part.sample().total()))
