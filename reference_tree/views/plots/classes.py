"""The look of a class: a colour and a shape, the same in every drawing.

A class is drawn by its place in the order of the classes: the first is a blue disc, the second an orange square. Every
drawing of the package takes both from here, and the style sheet of the site is written from here, so that a reader who
has learnt a mark once knows it wherever it stands.

1. `COLOURS` stand out on a light and on a dark background (3 : 1 or more). The first three stay apart for every kind of
   colour blindness, as a test simulates it; red, gold and green are none of them, since these say wrong, tied and best.
2. `SHAPES` are told apart without any colour, and cover the area of a disc of the same radius. A cross is none of them:
   it says wrong.
3. `colour` and `mark` draw them; beyond the seventh class shapes repeat, with other colours.
"""

from __future__ import annotations

from fractions import Fraction

from reference_tree.exact.rationals import Rational
from reference_tree.views.plots.axes import element, written

COLOURS = ("#0f83c4", "#c56a00", "#8a3ffc", "#00876c", "#d0589f", "#6b7a00", "#8b5e3c")
"""Blue, orange, violet; then teal, pink, olive, brown."""

Outline = tuple[tuple[int, int], ...]
"""The corners of a shape around (0, 0) in thousandths of its radius, y downwards; none: a disc."""

SHAPES: dict[str, Outline] = {
    "disc": (),
    "square": ((-886, -886), (886, -886), (886, 886), (-886, 886)),
    "triangle": ((0, -1555), (1347, 778), (-1347, 778)),
    "diamond": ((0, -1333), (1178, 0), (0, 1333), (-1178, 0)),
    "plus": (
        *((-420, -1145), (420, -1145), (420, -420), (1145, -420), (1145, 420), (420, 420)),
        *((420, 1145), (-420, 1145), (-420, 420), (-1145, 420), (-1145, -420), (-420, -420)),
    ),
    "wedge": ((0, 1555), (-1347, -778), (1347, -778)),
    "bow": ((-1200, -909), (0, -400), (1200, -909), (1200, 909), (0, 400), (-1200, 909)),
}
"""The name of a shape and its outline, in the order of the classes."""


def colour(code: int) -> str:
    """The colour of a class; beyond the palette, hues a golden angle apart.

    Args:
        code: the place of the class in their order.

    Example:
        >>> colour(0), colour(7)
        ('#0f83c4', 'hsl(239 55% 45%)')
    """
    return COLOURS[code] if code < len(COLOURS) else f"hsl({code * 137 % 360} 55% {(45, 60)[code % 2 == 0]}%)"


def outline(code: int) -> Outline:
    """The corners of the shape of a class; none for a disc."""
    return list(SHAPES.values())[code % len(SHAPES)]


def mark(code: int, x: Rational, y: Rational, r: Rational, title: str | None = None, **look: object) -> str:
    """The mark of a class around a position, as an element of SVG, in its colour unless `fill` says another.

    Args:
        code: the place of the class in their order.
        x: the position.
        y: the position, downwards.
        r: the radius of the disc; the other shapes have its area.
        title: an element that names it, already escaped.
        look: further attributes.

    Example:
        >>> print(mark(0, 5, 5, 4), mark(1, 5, 5, 4))
        <circle cx="5" cy="5" r="4" fill="#0f83c4"/> <path d="M1.46 1.46H8.54V8.54H1.46Z" fill="#c56a00"/>
    """
    look = {"fill": colour(code)} | look
    if not outline(code):
        return element("circle", title, cx=x, cy=y, r=r, **look)
    return element("path", title, d=way(code, x, y, r), **look)


def way(code: int, x: Rational, y: Rational, r: Rational) -> str:
    """The outline of a shape around a position, as the data of a path; of a disc, two half circles.

    Example:
        >>> way(2, 0, 0, 10)
        'M0 -15.55L13.47 7.78H-13.47Z'
    """
    if not outline(code):
        start, radius, wide = (written(Fraction(number)) for number in (x - r, r, 2 * r))
        half = f"a{radius} {radius} 0 1 0"
        return f"M{start} {written(Fraction(y))}{half} {wide} 0{half} -{wide} 0Z"
    corners = [(x + Fraction(dx, 1000) * r, y + Fraction(dy, 1000) * r) for dx, dy in outline(code)]
    told, (left, top) = [f"M{written(corners[0][0])} {written(corners[0][1])}"], corners[0]
    for across, down in corners[1:]:
        # An upright or level edge is said by one number.
        step = f"V{written(down)}" if across == left else f"H{written(across)}" if down == top else ""
        told.append(step or f"L{written(across)} {written(down)}")
        left, top = across, down
    return f"{''.join(told)}Z"
