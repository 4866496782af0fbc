"""Axes, curves and marks as a standalone SVG, the same text on every platform.

A position is computed exactly, as a fraction rounded to hundredths, so no float is printed. Everything is drawn in the
colour of the text around it, and curves differ by their dashes: a drawing is readable on a light or dark background,
and in print.

1. `Axis` maps numbers to a length; `ticks` finds round numbers for it.
2. `element` is one element of SVG; `label`, `line`, `disc` and `path` are the most common ones.
3. `frame` draws two axes with their ticks and labels; `drawing` is the whole, with a title and a description.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, decimal_text, simplest
from reference_tree.exact.rounding import decimal
from reference_tree.views.wording import one_line, xml_name

STYLE = (
    "svg:root{color:#1c2420;background:#fff}"
    "@media(prefers-color-scheme:dark){svg:root{color:#dfe5e1;background:#161b18}}"
)
"""The colours of a standalone drawing; one within a page has the colour of the page's text."""

FAINT = 0.25
"""The opacity of guides."""


class Axis(NamedTuple):
    """An axis: the range of its numbers, and its position in the drawing."""

    label: str
    low: Rational
    high: Rational
    start: int
    """The position of `low`; a vertical axis starts further down than it ends."""
    end: int
    """The position of `high`."""
    ticks: tuple[Rational, ...]

    def at(self, number: Number) -> Fraction:
        """The position of a number, rounded to hundredths.

        Example:
            >>> Axis("p", 0, 1, 50, 150, ()).at(Fraction(1, 3))
            Fraction(8333, 100)
        """
        per_unit = Fraction(self.end - self.start) / Fraction(self.high - self.low)
        return Fraction(decimal((number - self.low) * per_unit + self.start, 2))


def near(number: Number) -> Fraction:
    """A number to twelve decimals: ratios of logarithms, and roots, have no exact position on an axis."""
    return Fraction(decimal(number, 12))


def ticks(low: Rational, high: Rational, most: int = 6) -> tuple[Rational, ...]:
    """At most `most` round numbers between two others: multiples of 1, 2 or 5 times a power of ten.

    Example:
        >>> ticks(0, 1), ticks(Fraction(641, 10), Fraction(852, 10))
        ((0, Fraction(1, 5), Fraction(2, 5), Fraction(3, 5), Fraction(4, 5), 1), (65, 70, 75, 80, 85))
    """
    step = Fraction(high - low) / (most - 1)
    unit = Fraction(10) ** (len(str(floor(step))) - 1 if step >= 1 else -len(str(floor(1 / step))))
    step = next(unit * m for m in (1, 2, 5, 10) if unit * m >= step)
    return tuple(simplest(step * i) for i in range(ceil(low / step), floor(high / step) + 1))


def axis_of(table: Table, name: str, start: int, end: int, most: int = 6) -> Axis:
    """The axis of a column of numbers, with a small margin at both ends.

    Raises:
        InputError: the column is categorical, or has fewer than two values.
    """
    if table.schema.attribute(name).values is not None:
        raise InputError(f"the attribute {name} is categorical; an axis needs a continuous one")
    known = {number for number in table.columns[name] if number is not None}
    if len(known) < 2:
        raise InputError(f"the attribute {name} has fewer than two values, so there is nothing to draw")
    low, high = with_margin(known)
    return Axis(one_line(name), low, high, start, end, ticks(low, high, most))


def with_margin(numbers: Collection[Rational]) -> tuple[Fraction, Fraction]:
    """The range of some numbers, with a small margin at both ends."""
    low, high = Fraction(min(numbers)), Fraction(max(numbers))
    air = (high - low) / 16 or Fraction(1, 2)
    return low - air, high + air


def element(name: str, content: str | None = None, /, **attributes: object) -> str:
    """One element; its content is already escaped, and an underscore in an attribute's name becomes a hyphen.

    Example:
        >>> print(element("circle", r=Fraction(7, 3)), element("text", "p", font_size=12))
        <circle r="2.33"/> <text font-size="12">p</text>
    """
    start = name + "".join(f' {key.replace("_", "-")}="{xml_name(written(one))}"' for key, one in attributes.items())
    return f"<{start}/>" if content is None else f"<{start}>{content}</{name}>"


def written(value: object) -> str:
    """The value of an attribute as text; a fraction is rounded to hundredths, without trailing zeros."""
    return decimal(value, 2).rstrip("0").rstrip(".") if isinstance(value, Fraction) else str(value)


def label(text: str, x: object, y: object, anchor: str = "middle", **attributes: object) -> str:
    """A text at a position."""
    return element("text", xml_name(text), x=x, y=y, text_anchor=anchor, stroke="none", **attributes)


def line(x1: object, y1: object, x2: object, y2: object, **attributes: object) -> str:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def disc(x: object, y: object, r: object, title: str = "", **attributes: object) -> str:
    """A disc around a position; its title appears when it is pointed at."""
    return element("circle", element("title", xml_name(title)) if title else None, cx=x, cy=y, r=r, **attributes)


def cross(x: Rational, y: Rational, reach: Rational) -> Iterator[str]:
    """Two lines that cross at a position."""
    for one in (reach, -reach):
        yield line(x - reach, y - one, x + reach, y + one)


def path(points: Iterable[tuple[object, object]], **attributes: object) -> str:
    """A line through points."""
    way = "M" + "L".join(f"{written(x)} {written(y)}" for x, y in points)
    return element("path", d=way, fill="none", stroke_linejoin="round", **attributes)


def frame(x: Axis, y: Axis, floor_of_x: int) -> Iterator[str]:
    """Two axes: x at the height `floor_of_x`, and y on the left with lines across."""
    for tick in y.ticks:
        yield line(x.start, y.at(tick), x.end, y.at(tick), stroke_opacity=FAINT)
        yield label(decimal_text(tick), x.start - 8, y.at(tick) + 4, "end")
    yield line(x.start, floor_of_x, x.end, floor_of_x)
    for tick in x.ticks:
        yield line(x.at(tick), floor_of_x, x.at(tick), floor_of_x + 5)
        yield label(decimal_text(tick), x.at(tick), floor_of_x + 19)
    yield label(x.label, (x.start + x.end) // 2, floor_of_x + 40)
    middle = (y.start + y.end) // 2
    yield label(y.label, 14, middle, transform=f"rotate(-90 14 {middle})")


def drawing(width: int, height: int, title: str, description: str, parts: Sequence[str]) -> str:
    """A whole drawing."""
    head = [element("title", xml_name(title)), element("desc", xml_name(description)), element("style", STYLE)]
    shapes = element("g", "\n" + "\n".join(parts) + "\n", fill="currentColor", stroke="currentColor", font_size=12)
    sizes = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    looks = {"role": "img", "font_family": "sans-serif"}
    space = "http://www.w3.org/2000/svg"
    return element("svg", "\n".join(["", *head, shapes, ""]), xmlns=space, **sizes, **looks) + "\n"
