"""Waterfalls and swarms: the Shapley values of one row, and of many.

1. `waterfall` goes from the expected value to the answer for a row: a bar for each attribute, the largest first, which
   points in its direction.
2. `swarm` has a line for each attribute, the most important one first, and a disc on it for each row, at its value.

Each direction has one colour, and a shape of its own: a bar points there, and a disc lies on that side of the line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from reference_tree.attribution.attributions import Attributions
from reference_tree.data.errors import InputError, number_of
from reference_tree.exact.reals import Number
from reference_tree.exact.rounding import significant
from reference_tree.views.plots.axes import (
    FAINT,
    Axis,
    disc,
    drawing,
    element,
    label,
    line,
    near,
    ticks,
    with_margin,
    written,
)
from reference_tree.views.trees.svg import room_of
from reference_tree.views.wording import cell_text, cut_short, one_line

LINE, WIDE, POINT = 26, 380, 7
"""The height of a bar with its margin, the length of the axis, and that of the point of a bar."""

MOST, ATTRIBUTES = 400, 20
"""The most rows, and the most attributes, that are drawn."""

UP, DOWN = "#5f7a8c", "#a88648"
"""The colours of what raises the answer, and of what lowers it: those of no class."""


def waterfall(found: Attributions, row: int = 0) -> str:
    """The values of one row, as SVG: from the expected value at the top to the answer at the bottom.

    Args:
        found: the values.
        row: the place of the row.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
        >>> found = rt.shapley_values(tree, {"outlook": "sunny", "humidity": "high", "wind": "weak"})
        >>> waterfall(found).count("<path")
        3

    Source:
        [Lundberg2020]
    """
    values = _ranked(found.values[row])
    ends = [near(found.expected_value)]
    for _, value in values:
        ends.append(ends[-1] + near(value))
    names = [f"{name}={cell_text(found.rows[row].get(name))}" for name, _ in values]
    left = 20 + max(map(room_of, [*map(_short, names), found.explained.of]))
    low, high = with_margin(ends)
    axis = Axis("", low, high, left, left + WIDE, ticks(low, high))
    bottom = 44 + LINE * len(values)
    parts = [*_axis(axis, bottom), *_stage(axis, "expected", ends[0], 22, 30)]
    for place, ((_, value), name, start, end) in enumerate(zip(values, names, ends, ends[1:], strict=False)):
        top = 34 + LINE * place
        parts.append(label(_short(name), left - 8, top + 15, "end"))
        parts.append(_arrow(axis.at(start), axis.at(end), top))
        parts.append(label(_signed(value), max(axis.at(start), axis.at(end)) + 6, top + 15, "start"))
        parts.append(line(axis.at(end), top + LINE - 4, axis.at(end), top + LINE + 2, stroke_opacity=FAINT))
    parts += _stage(axis, found.explained.of, near(found.predictions[row]), bottom + 34, bottom)
    told = "; ".join(f"{name} {_signed(value)}" for name, (_, value) in zip(names, values, strict=True))
    title = f"From the expected value {_figure(found.expected_value)} to {_figure(found.predictions[row])}"
    return drawing(left + WIDE + 80, bottom + 44, title, f"{told}.", parts)


def swarm(found: Attributions) -> str:
    """The values of many rows, as SVG: a line for each attribute, and a disc for each row.

    A disc is the fainter, the smaller the number of its row among those drawn; a category has no such rank. Of more
    than `MOST` rows, so many are drawn, evenly chosen, and of the attributes the most important ones.

    Args:
        found: the values, of at least one row.

    Raises:
        InputError: there are no rows.

    Example:
        >>> import reference_tree as rt
        >>> iris = rt.textbook("iris")
        >>> found = rt.shapley_values(rt.CART(max_depth=2).grow(iris), iris, values="setosa")
        >>> swarm(found).count("<circle")
        600

    Source:
        [Lundberg2020]
    """
    if not found.rows:
        raise InputError("there are no rows to draw")
    step = -(-len(found.rows) // MOST)
    rows, values = found.rows[::step], found.floats[::step]
    sizes = {name: sum((abs(Fraction(each[name])) for each in values), Fraction(0)) for name in found.names}
    names = sorted(found.names, key=sizes.__getitem__, reverse=True)[:ATTRIBUTES]
    left = 20 + max(map(room_of, map(_short, names)))
    low, high = with_margin([Fraction(each[name]) for each in values for name in names] + [Fraction(0)])
    axis, bottom = Axis("", low, high, left, left + WIDE, ticks(low, high)), 30 + 2 * LINE * len(names)
    zero = axis.at(0)
    parts = [*_axis(axis, bottom), line(zero, 22, zero, bottom, stroke_opacity="0.6")]
    for place, name in enumerate(names):
        middle = 30 + LINE + 2 * LINE * place
        parts.append(label(_short(name), left - 8, middle + 4, "end"))
        parts.append(line(left, middle, left + WIDE, middle, stroke_opacity=FAINT))
        strength = _strengths([row.get(name) for row in rows])
        there = Counter[int]()  # the discs in each column of the width of one
        for each, opacity in zip(values, strength, strict=True):
            at = axis.at(Fraction(each[name]))
            pile = there[int(at) // 4]
            there[int(at) // 4] += 1
            aside = (pile + 1) // 2 * (3 if pile % 2 else -3)
            fill = UP if each[name] > 0 else DOWN if each[name] < 0 else "currentColor"
            y = middle + max(-LINE + 3, min(LINE - 3, aside))
            parts.append(disc(at, y, 3, fill=fill, fill_opacity=opacity, stroke="none"))
    title = f"The Shapley values of {number_of(len(rows), 'row')} for {found.explained.of}"
    told = "; ".join(f"{name}: {_figure(sizes[name] / len(rows))} in the mean" for name in names)
    return drawing(left + WIDE + 30, bottom + 30, title, f"{told}.", parts)


def _ranked(values: Mapping[str, Number]) -> list[tuple[str, Number]]:
    """The largest ones first; the others after the first ones together."""
    ranked = sorted(values.items(), key=lambda pair: abs(pair[1]), reverse=True)
    return [pair for pair in ranked if pair[1] != 0][:ATTRIBUTES] or ranked[:1]


def _axis(axis: Axis, bottom: int) -> list[str]:
    parts = [line(axis.start, bottom, axis.end, bottom)]
    for tick in axis.ticks:
        parts.append(line(axis.at(tick), bottom, axis.at(tick), bottom + 4))
        parts.append(label(_figure(tick), axis.at(tick), bottom + 17))
    return parts


def _stage(axis: Axis, name: str, value: Fraction, y: int, to: int) -> list[str]:
    """The expected value, or the answer: its name at a height, and a line that ends at another one."""
    at = axis.at(value)
    return [
        label(f"{name} {_figure(value)}", at, y, font_weight="bold"),
        line(at, to - 8, at, to + 6, stroke_dasharray="3 2"),
    ]


def _arrow(start: Fraction, end: Fraction, top: int) -> str:
    """A bar that points from the one end to the other."""
    bottom, point = top + LINE - 6, Fraction(POINT)
    neck = end - max(-point, min(point, end - start))
    corners = [(start, top), (neck, top), (end, top + (LINE - 6) // 2), (neck, bottom), (start, bottom)]
    way = "M" + "L".join(f"{written(x)} {y}" for x, y in corners) + "Z"
    return element("path", d=way, fill=UP if end >= start else DOWN, stroke="none")


def _strengths(cells: Sequence[Any]) -> list[str]:
    """The opacity of each disc: by the rank of its number; the same for categories and gaps."""
    known: list[Any] = sorted({cell for cell in cells if cell is not None and not isinstance(cell, str)})
    ranks = {
        cell: Fraction(3, 10) + Fraction(7 * place, 10 * max(1, len(known) - 1)) for place, cell in enumerate(known)
    }
    return [f"{float(round(ranks.get(cell, Fraction(7, 10)), 2))}" for cell in cells]


def _short(name: str) -> str:
    return cut_short(one_line(name), 30)


def _figure(value: Number) -> str:
    return significant(value, 4)


def _signed(value: Number) -> str:
    return f"{'+' if value > 0 else ''}{_figure(value)}".replace("-", "−")
