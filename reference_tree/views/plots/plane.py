"""The plane: how a tree of two continuous attributes divides it, as a standalone SVG; and a single test, as text.

A row is a point, and a leaf is the region of all points that reach it. Tests of one attribute have borders parallel to
an axis, linear tests have slanted ones; trees drawn side by side show how many pieces each of them needs.

1. `regions` are the regions of the leaves within a rectangle: convex polygons with exact corners.
2. `to_plane` draws them in the colours of the classes, with the rows of a table as their marks.
3. `grid` is a linear test of two attributes drawn with letters, for a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, shown
from reference_tree.data.points import Points
from reference_tree.data.questions import Linear, Test, Threshold
from reference_tree.data.table import Table
from reference_tree.data.targets import Classes
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.tree import Tree
from reference_tree.views.plots.axes import Axis, axis_of, drawing, element, frame, label, with_margin, written
from reference_tree.views.plots.classes import colour, mark
from reference_tree.views.wording import cut_short, one_line, xml_name

Corner: TypeAlias = tuple[Rational, Rational]
HalfPlane: TypeAlias = tuple[Rational, Rational, Rational]
"""(a, b, t): all points with a·x + b·y ≤ t."""

SIDE = 300
"""The width and height of a rectangle."""

PANEL = SIDE + 90
"""The width of the drawing of one tree, with the numbers to the left of it."""

RADIUS, EDGE = Fraction(17, 5), {"stroke": "#fff", "stroke_width": "0.5"}
"""The radius of a mark, and the thin light edge by which marks that overlap are told apart."""

SHADE = "0.16"
"""The opacity of the colour of a class on the ground."""


class Region(NamedTuple):
    """The part of a rectangle whose points reach a leaf."""

    leaf: int
    """The number of the node."""
    corners: tuple[Corner, ...]
    """The corners of a convex polygon, in order."""


def regions(tree: Tree, x: str, y: str, low: Corner, high: Corner) -> list[Region]:
    """The regions of the leaves of a tree that have an area within a rectangle, in preorder.

    Raises:
        InputError: the tree asks for another attribute.

    Example:
        >>> from reference_tree.data.schema import Attribute
        >>> from reference_tree.node import Node
        >>> nodes = (Node((1, 1), "a", Threshold("x", 1), (1, 2)), Node((1, 0), "a"), Node((0, 1), "b"))
        >>> tree = Tree(Attribute("class", ("a", "b")), (Attribute("x"), Attribute("y")), nodes)
        >>> for region in regions(tree, "x", "y", (0, 0), (4, 2)):
        ...     print(region.leaf, *((str(a), str(b)) for a, b in region.corners))
        1 ('0', '0') ('1', '0') ('1', '2') ('0', '2')
        2 ('1', '0') ('4', '0') ('4', '2') ('1', '2')
    """
    rectangle = ((low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1]))
    found: list[Region] = []
    pending: list[tuple[int, tuple[Corner, ...]]] = [(0, rectangle)]
    while pending:
        number, corners = pending.pop()
        node = tree.nodes[number]
        if node.test is None:
            found.append(Region(number, corners))
            continue
        halves = [_clipped(corners, half) for half in _halves(node.test, x, y)]
        below = zip(node.branches, halves, strict=True)
        pending += [(branch, half) for branch, half in reversed(list(below)) if len(half) > 2]
    return found


def _halves(test: Test, x: str, y: str) -> list[HalfPlane]:
    """The half-plane of each branch, its border included."""
    if not isinstance(test, Threshold | Linear) or not set(test.attributes) <= {x, y}:
        raise InputError(f"the tree asks for {test.name}, which is not a test of the numbers {x} and {y} alone")
    weights = {test.attribute: 1} if isinstance(test, Threshold) else {c.attribute: w for c, w in test.weights}
    a, b = weights.get(x, 0), weights.get(y, 0)
    signs = [1 if outcome.relation in ("le", "lt") else -1 for outcome in test.outcomes]
    return [(sign * a, sign * b, sign * test.threshold) for sign in signs]


def _clipped(corners: Sequence[Corner], half: HalfPlane) -> tuple[Corner, ...]:
    """The part of a convex polygon in a half-plane (Sutherland and Hodgman); empty if it has no area."""
    a, b, t = half
    heights = [a * x + b * y - t for x, y in corners]
    if all(height >= 0 for height in heights):
        return ()
    found: list[Corner] = []
    for place, (p, height) in enumerate(zip(corners, heights, strict=True)):
        q, next_height = corners[(place + 1) % len(corners)], heights[(place + 1) % len(corners)]
        if height <= 0:
            found.append(p)
        if height * next_height < 0:  # the side crosses the border
            share = Fraction(height) / (height - next_height)
            found.append((p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])))
    return tuple(found)


def to_plane(trees: Mapping[str, Tree], table: Table, x: str, y: str) -> str:
    """Trees side by side, each as the regions of its leaves.

    Args:
        trees: title → tree; they predict the same classes.
        table: the rows that are drawn, without those in which x or y is missing.
        x: the name of a continuous attribute, for the horizontal axis.
        y: the name of another one, for the vertical axis.

    Raises:
        InputError: an attribute is not continuous, or has fewer than two numbers; the target is a number; a tree asks
            for anything else; or the trees have no titles.

    Source:
        [N2 §5], [Zhou2016 §4.5]
    """
    given: object = trees
    if not isinstance(given, Mapping):
        raise InputError(f"{shown(given)} is no mapping of titles to trees")
    classes = table.schema.target.domain
    across, up = axis_of(table, x, 60, 60 + SIDE), axis_of(table, y, 40 + SIDE, 40)
    # All panels share the axes and the points, so that the regions can be compared.
    marks = list(_marks(table, x, y, across, up))
    panels, counts = [], []
    for number, (title, tree) in enumerate(trees.items()):
        found = regions(tree, x, y, (across.low, up.low), (across.high, up.high))
        shapes = [*_shaded(found, tree, classes, across, up), *frame(across, up, 40 + SIDE), *marks]
        heading = label(one_line(title), 60 + SIDE // 2, 26, font_weight="bold")
        panels.append(element("g", "\n".join([heading, *shapes]), transform=f"translate({number * PANEL} 0)"))
        counts.append(f"{one_line(title)}: {len(found)} regions")
    legend = list(_legend(classes, 60, 40 + SIDE + 70))
    width, height = len(trees) * PANEL, 40 + SIDE + 84 + 20 * ((len(classes) - 1) // 4)
    title = f"How trees divide the plane of {one_line(x)} and {one_line(y)}"
    return drawing(width, height, title, "; ".join(counts) + ".", [*panels, *legend])


def _shaded(found: Sequence[Region], tree: Tree, classes: Sequence[str], across: Axis, up: Axis) -> Iterator[str]:
    for leaf, corners in found:
        answer = tree.nodes[leaf].label
        if not isinstance(answer, str) or answer not in classes:
            raise InputError(f"a leaf predicts {answer}, which is no class of the table")
        points = " ".join(f"{written(across.at(a))},{written(up.at(b))}" for a, b in corners)
        title = element("title", xml_name(f"{one_line(answer)}: node {leaf}"))
        fill = colour(classes.index(answer))
        yield element("polygon", title, points=points, fill=fill, fill_opacity=SHADE, stroke_width="1.2")


def _marks(table: Table, x: str, y: str, across: Axis, up: Axis) -> Iterator[str]:
    """The marks of the rows, one for each combination of position and class."""
    cells = zip(*(table.columns[name] for name in (x, y, table.schema.target.name)), strict=True)
    places = {(a, b, int(code)) for a, b, code in cells if a is not None and b is not None and code is not None}
    for a, b, code in sorted(places):
        name = one_line(table.schema.target.domain[code])
        title = f"{one_line(x)} {decimal_text(a)}, {one_line(y)} {decimal_text(b)}: {name}"
        yield mark(code, across.at(a), up.at(b), RADIUS, element("title", xml_name(title)), **EDGE)


def _legend(classes: Sequence[str], left: int, top: int) -> Iterator[str]:
    """The mark and the ground of each class, four to a line."""
    for number, name in enumerate(classes):
        x, y = left + 90 * (number % 4), top + 20 * (number // 4)
        look = {"fill": colour(number), "fill_opacity": SHADE, "stroke_opacity": "0.5"}
        yield element("rect", x=x - 9, y=y - 9, width=18, height=18, **look)
        yield mark(number, x, y, RADIUS, **EDGE)
        yield label(cut_short(one_line(name), 10), x + 14, y + 4, "start")


# A single test, as text.

WIDE, HIGH = 61, 17
"""The width and the height of a grid, in characters."""

LETTERS = "ox+*#%"
"""The mark of each class; further classes repeat them. A position with several classes has `&`."""


def is_plane(test: Linear) -> bool:
    """Whether a test asks for two continuous attributes, so that it can be drawn in their plane."""
    return len(test.weights) == 2 and all(coordinate.value is None for coordinate, _ in test.weights)


def grid(test: Linear, points: Points) -> list[str]:
    r"""How a linear test of two numbers divides the points, in lines of text; dotted where its first answer holds.

    Example:
        >>> import reference_tree as rt
        >>> table = rt.Table.from_columns({"x": [0, 2, 1, 3], "y": [1, 3, 0, 2], "c": ["n", "n", "y", "y"]})
        >>> test = rt.CART(branching="linear").grow(table).nodes[0].test
        >>> lines = grid(test, table.sample().points(["x", "y"]))
        >>> print(test.name, *lines[12:15], sep="\n")
        x-y<=0
        │···o················                                         │
        │················                                             │
        │·············                                                │
    """
    (left, right), (bottom, top) = map(with_margin, zip(*points.values, strict=True))
    weights = dict(test.weights)
    a, b = (weights[coordinate] for coordinate in points.coordinates)
    xs, ys = _middles(left, right, WIDE), _middles(bottom, top, HIGH)
    places = [["·" if a * x + b * y <= test.threshold else " " for x in xs] for y in ys]
    marks: dict[tuple[int, int], set[str]] = {}
    for (x, y), row in zip(points.values, points.rows, strict=True):
        place = int((y - bottom) / (top - bottom) * HIGH), int((x - left) / (right - left) * WIDE)
        codes = [code for code, weight in enumerate(row) if weight] if isinstance(points.target, Classes) else [0]
        marks.setdefault(place, set()).update(LETTERS[code % len(LETTERS)] for code in codes)
    for (j, i), there in marks.items():
        places[j][i] = min(there) if len(there) == 1 else "&"
    return ["┌" + "─" * WIDE + "┐", *(f"│{''.join(line)}│" for line in reversed(places)), "└" + "─" * WIDE + "┘"]


def _middles(low: Fraction, high: Fraction, places: int) -> list[Fraction]:
    """The midpoints of `places` equal intervals between two numbers."""
    return [low + (high - low) * Fraction(2 * place + 1, 2 * places) for place in range(places)]
