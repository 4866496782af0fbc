"""Validation curve: two errors over an option that is varied, on the rows grown from and on rows held out.

To the left a tree is too simple for either, to the right it has learnt its sample by heart: the error on its own rows
still falls, and the other one rises. The same drawing over the number of training rows is a learning curve.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction

from reference_tree.data.errors import InputError
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import decimal
from reference_tree.selection.overfitting import Point
from reference_tree.views.names import one_line
from reference_tree.views.plot import Axis, drawing, element, frame, label, line, path, short, ticks

TRAINING, HELD_OUT = "training rows", "rows held out"
"""What the two curves are called."""

_SOLID: Mapping[str, str] = {}
_DASHED: Mapping[str, str] = {"stroke_dasharray": "6 4"}


def validation_curve(
    points: Sequence[Point], option: str, *, measure: str = "error rate", marked: Collection[Rational] = ()
) -> str:
    """Both errors over an option, as SVG.

    Args:
        points: at least two, their values ascending or descending.
        option: what is varied: `maximum depth`.
        measure: what the errors are.
        marked: values of the option to be marked, such as the one that cross-validation chose.

    Raises:
        InputError: there are fewer than two points, or all are at one place.

    Example:
        >>> points = [Point(0, Fraction(1, 2), Fraction(1, 2)), Point(1, Fraction(0), Fraction(1, 3))]
        >>> validation_curve(points, "maximum depth").startswith('<svg xmlns="http://www.w3.org/2000/svg"')
        True

    Source:
        [N3 Overfitting], [N4 Putting it together: cross-validation]
    """
    low, high = min((p.value for p in points), default=0), max((p.value for p in points), default=0)
    if low == high:
        raise InputError("a curve needs points at two values at least")
    top = max(max(p.training, p.held_out) for p in points) * Fraction(9, 8) or Fraction(1)
    x = Axis(one_line(option), low, high, 64, 484, ticks(low, high, 11))
    y = Axis(measure, 0, top, 250, 24, ticks(0, top, 5))
    parts = [*frame(x, y, 250), *_marks(x, y, points, marked), *_curves(x, y, points), *_key(x)]
    title = f"{measure.capitalize()} over {one_line(option)}"
    return drawing(x.end + 24, 328, title, _described(points, option), parts)


def _curves(x: Axis, y: Axis, points: Sequence[Point]) -> Iterator[str]:
    """The error on rows held out as a line, that on training rows dashed; a dot for each point."""
    held_out = [(x.at(point.value), y.at(point.held_out)) for point in points]
    training = [(x.at(point.value), y.at(point.training)) for point in points]
    for places, dashes in ((held_out, _SOLID), (training, _DASHED)):
        yield path(places, stroke_width=2, **dashes)
        for across, down in places:
            yield element("circle", cx=across, cy=down, r=3, stroke="none")


def _marks(x: Axis, y: Axis, points: Sequence[Point], marked: Collection[Rational]) -> Iterator[str]:
    for point in points:
        if point.value in marked:
            place, error = x.at(point.value), y.at(point.held_out)
            yield line(place, error, place, y.start, stroke_dasharray="2 3")
            yield element("circle", cx=place, cy=error, r=7, fill="none")
            above = short(Fraction(error) - 12)
            yield label(decimal_text(point.value), place, above, stroke="none", font_weight="bold")


def _key(x: Axis) -> Iterator[str]:
    """Which curve is which, below the axis."""
    for start, name, dashes in ((x.start, HELD_OUT, _SOLID), (x.start + 180, TRAINING, _DASHED)):
        yield line(start, 312, start + 36, 312, stroke_width=2, **dashes)
        yield label(name, start + 44, 316, "start", stroke="none")


def _described(points: Sequence[Point], option: str) -> str:
    best = min(points, key=lambda point: point.held_out)
    return (
        f"{len(points)} values of {one_line(option)}; the least error on {HELD_OUT} is {decimal(best.held_out)}, "
        f"at {decimal_text(best.value)}, where that on {TRAINING} is {decimal(best.training)}."
    )
