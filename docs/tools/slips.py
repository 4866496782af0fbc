"""The pictures of slips in books: what is printed, what is exact, and the numbers that round to what is printed."""

from __future__ import annotations

from fractions import Fraction

from reference_tree.conformance.books import PrintedFigure, ledger
from reference_tree.exact.rounding import decimal
from reference_tree.views.plots.axes import FAINT, Axis, disc, drawing, element, label, line, near
from tools.traceability.calculations import agrees, exact, places_of, shown

WIDTH, START, END, FLOOR = 320, 16, 304, 62


def slip(source: str, value: str) -> PrintedFigure:
    """The figure of a source that is printed as a value, and is not the exact one rounded."""
    return next(one for one in ledger() if (one.source, one.value) == (source, value) and not agrees(one))


def ruler(figure: PrintedFigure) -> str:
    """A printed figure and the exact one on a line, with the range of numbers that round to what is printed."""
    unit, printed, value = Fraction(1, 10 ** places_of(figure)), shown(figure), near(exact(figure))
    reach = max(abs(value - printed), unit) + unit
    low = printed - unit if value > printed else printed - reach
    high = printed + reach if value > printed else printed + unit
    axis = Axis("", low, high, START, END, ())
    left, right = axis.at(printed - unit / 2), axis.at(printed + unit / 2)
    parts = [
        element("rect", x=left, y=FLOOR - 16, width=right - left, height=16, fill_opacity=FAINT, stroke="none"),
        line(START, FLOOR, END, FLOOR),
        line(axis.at(printed), FLOOR - 16, axis.at(printed), FLOOR + 5),
        label(figure.value, axis.at(printed), FLOOR + 20),
        disc(axis.at(value), FLOOR, 4),
        label(decimal(value, 6), min(max(axis.at(value), Fraction(START + 30)), Fraction(END - 30)), FLOOR - 26),
    ]
    words = f"printed {figure.value}, exactly {decimal(value, 6)}; shaded is what rounds to the printed figure"
    return drawing(WIDTH, FLOOR + 30, f"{figure.value} and the exact value", words, parts)
