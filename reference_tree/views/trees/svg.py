r"""A tree as a standalone drawing in SVG.

A test is a box with its attribute, a leaf a rounded one with its answer. In a class tree each node shows its
distribution: a bar with a part for each class, in its colour and with its shape, and the weights below it. In a
regression tree it shows the number of rows, their mean and the error. A branch carries its answer, and is as thick as
the share of the rows that take it. A leaf that no row reached is dashed.

A tree that fits a page is drawn from the top down, a larger one from left to right: its leaves are then lines below
one another like those of a text, and a tree of sixty leaves is read by scrolling. A text too long for its place is
cut, and is shown in full as a tooltip. Lines and letters have the colour of the text around the drawing, or of the
reader's scheme if it stands alone, and the bars have colours that stand out on a light or dark background. Each node
is one group that has its path as `data-path`, so that a page can find the node that is pointed at.

1. A box holds the lines of a node, with their size.
2. Each box gets its place, in either direction. Across, each subtree has a band of its own, as broad as its leaves or
   as its root, whichever is more. Bands lie side by side and never overlap, so neither nodes nor branches can. A node
   stands in the middle of its first and its last child, as far as its own band permits (`centres`). Along the tree,
   all nodes of one depth stand on one level (`levels`); or, since nothing else is in a band, just after the node above
   them, which is shorter (`families`). All are loops over the nodes in preorder, backwards if children must come
   first: a chain of fifty thousand nodes is no deeper for them than a stump.
3. Branches and nodes are drawn, and a legend names the classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, islice
from typing import Literal, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, option, wording
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.exact.rationals import simplest
from reference_tree.node import Node
from reference_tree.routing import column, rows_reaching
from reference_tree.subtrees import counterparts
from reference_tree.tree import Tree, check_tree
from reference_tree.views.plots.axes import FAINT, drawing, element
from reference_tree.views.plots.classes import colour, mark
from reference_tree.views.trees.text import rules
from reference_tree.views.wording import (
    arrived,
    counts_of,
    cut_short,
    enumerated,
    fill,
    label_of,
    name_of,
    one_line,
    weight_text,
    width,
    written,
    xml_name,
)

Direction: TypeAlias = Literal["down", "right"]

MOST = 2000
"""The most nodes that are drawn: a drawing of more is of no use to a reader."""

PAGE = 1000
"""The largest width of a drawing from the top down."""

RULES = 12
"""The most rules in a description."""

CLASSES = 4
"""The most classes whose weights are written in a node; of more, the most common ones, one fewer than this."""

ROOM = 26
"""The columns of a line in a node, and of an answer on a branch."""

MARGIN, GAP, LINE, BAR, SHORT_BAR = 12, 14, 15, 9, 48
"""The margin of the drawing, the gap between two boxes, the height of a line of text and of a bar, and the length of a
bar within a line."""

SHAPE = Fraction(27, 10)
"""The radius of the shape of a class in its part of a bar."""

COLUMN = 7
"""The width of a column of text: a letter takes one, a Chinese character two."""

BEND = 34
"""The length along which a branch bends."""

SIGNS = {"le": "≤", "gt": ">", "lt": "<", "ge": "≥"}
"""The relations of a threshold, as they are printed."""


def to_svg(
    tree: Tree, direction: Direction | None = None, *, pruned: Tree | None = None, rows: Table | None = None
) -> str:
    """A tree as SVG: one text, the same everywhere. Its description is the rules of the tree.

    Args:
        tree: a tree of at most `MOST` nodes.
        direction: `down` from the top, `right` from the left; None: down, if it then fits a page.
        pruned: a pruning of the tree; a node that became a leaf is drawn as one, and the branches cut off are faint.
        rows: rows whose shares replace those of the training rows; a node that none of them reaches is faint.

    Raises:
        InputError: the tree has too many nodes to be drawn, or the other one is no pruning of it.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> print(to_svg(ID3().grow(textbook("play-tennis")))[:81])
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 364 309" width="364" height=

    Source:
        [N4 figure: cats tree]
    """
    check_tree(tree)
    if len(tree.nodes) > MOST:
        found = f"the tree has {len(tree.nodes)} nodes, and a drawing at most {MOST}"
        shown = wording("to_text or to_dot show", "--format text or dot shows")
        raise InputError(f"{found}; {shown} it, {option('max_depth')} grows a smaller one")
    kept, faint = tree if pruned is None else pruned, set[int]()
    more = len(kept.leaves()) - RULES
    described = "; ".join([*islice(rules(kept), RULES), *([f"and {more} more rules"] if more > 0 else [])])
    if rows is not None:
        tree = carried(tree, rows)
        faint = {number for number, node in enumerate(tree.nodes) if not node.weight}
    leaves = {} if pruned is None else kept_leaves(tree, pruned)
    for number, (above, _) in enumerate(tree.parents):
        if above in leaves or above in faint:
            faint.add(number)
    frame = _arranged(tree, direction or "down", leaves)
    if direction is None and frame.width > PAGE:
        frame = _arranged(tree, "right", leaves)
    key, height = legend(tree.target, frame.width - 2 * MARGIN)
    numbers = range(len(tree.nodes))
    # Branches first, so that they lie behind the boxes.
    edges = ((above, to) for above in numbers for to in tree.nodes[above].branches)
    branches = [part for above, to in edges for part in _faded(_branch(tree, frame, above, to), faint=to in faint)]
    nodes = [
        element("g", "".join(_faded(_node(tree, frame, number), faint=number in faint)), data_path=tree.path(number))
        for number in numbers
    ]
    shapes = [*branches, *nodes]
    parts = [*key, element("g", "\n".join(["", *shapes, ""]), transform=f"translate(0 {height})")]
    return drawing(frame.width, frame.height + height, f"A decision tree for {tree.target.name}", described, parts)


def _faded(parts: Iterator[str], *, faint: bool) -> Iterator[str]:
    """The parts; those that are cut off, or that no row reaches, as a faint group."""
    return iter([element("g", "".join(parts), opacity=FAINT)]) if faint else parts


def kept_leaves(tree: Tree, pruned: Tree) -> dict[int, Node]:
    """The nodes of a tree that a pruning turned into leaves: number → the leaf.

    Raises:
        InputError: the other tree has other tests.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> days = textbook("play-tennis")
        >>> {number: leaf.label for number, leaf in kept_leaves(ID3().grow(days), ID3(max_depth=1).grow(days)).items()}
        {2: 'yes', 5: 'no'}
    """
    found: dict[int, Node] = {}
    for number, kept in counterparts(tree, pruned):
        node, other = tree.nodes[number], pruned.nodes[kept]
        if other.test is None and node.test is not None:
            found[number] = other
        elif other.test != node.test:
            raise InputError(f"at {tree.path(number)} the other tree has another test, so it is no pruning of this one")
    return found


def carried(tree: Tree, rows: Table) -> Tree:
    """A class tree whose nodes count other rows than those it was grown from; of a divided row, its parts.

    A row for which there is no branch ends at the node that asks.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> days = textbook("play-tennis")
        >>> carried(ID3(max_depth=1).grow(days), days.take([0, 2])).nodes[1].counts
        (0, 1)
    """
    if tree.target.values is None:
        raise InputError(f"{tree.target.name} is a number; rows are followed down a tree of classes")
    codes, weights = column(rows, tree.target.name).codes, rows.weighted()
    counts = [[Fraction(0)] * len(tree.target.values) for _ in tree.nodes]
    for number, arriving, parts, _ in rows_reaching(tree.nodes, tree.seen(rows), "majority"):
        for row in arriving:
            counts[number][codes[row]] += weights[row] * Fraction(parts.get(row, 1))
    nodes = zip(tree.nodes, counts, strict=True)
    return replace(tree, nodes=tuple(replace(node, counts=tuple(map(simplest, found))) for node, found in nodes))


# The content of a node.


class _Box(NamedTuple):
    """A node as it is drawn: its lines, and the size of the box and its branch."""

    name: str
    """The attribute or the answer, in full."""
    lines: tuple[str, ...]
    """The figures of the node."""
    bar: int
    """The length of the bar; 0 for none."""
    flat: bool
    """Whether the parts stand side by side."""
    answer: str
    """The answer on the branch that leads here, in full; empty for the root."""
    width: int
    height: int

    @property
    def answer_width(self) -> int:
        """The width of the answer on the branch."""
        return room_of(self.answer) + 4


def room_of(text: str) -> int:
    """The width of a text as drawn, cut if it is too long.

    Example:
        >>> room_of("wind"), room_of("纹理")
        (28, 28)
    """
    return COLUMN * width(cut_short(one_line(text), ROOM))


def _box(tree: Tree, number: int, direction: Direction, node: Node) -> _Box:
    name, figures, answer = name_of(node), _figures(tree, node), _answer(tree, number)
    has_bar = tree.target.values is not None and any(node.counts)
    if direction == "right" and node.test is None:
        line = cut_short(" ".join(figures), 2 * ROOM)
        room = room_of(name) + has_bar * (SHORT_BAR + 8) + 8 + COLUMN * width(line)
        return _Box(name, (line,), has_bar * SHORT_BAR, True, answer, room + 14, LINE + 7)
    lines = tuple(fill(figures, ROOM))
    room = max([40, room_of(name), *(COLUMN * width(line) for line in lines)])
    height = 10 + LINE * (1 + len(lines)) + has_bar * (BAR + 4)
    return _Box(name, lines, has_bar * room, False, answer, room + 16, height)


def _answer(tree: Tree, number: int) -> str:
    """The answer on the branch to a node."""
    above, branch = tree.parents[number]
    test = tree.nodes[above].test if above >= 0 else None
    if test is None:
        return ""
    outcome = test.outcomes[branch].plain
    return f"{SIGNS[outcome.relation]} {written(outcome)}" if outcome.relation in SIGNS else label_of(outcome)


def _figures(tree: Tree, node: Node) -> list[str]:
    """The figures of a node in short pieces; of many classes the most common ones, and the number of the others."""
    figures, classes = ["no row"] if node.prior else arrived(tree, node), tree.target.values
    if classes is not None and len(figures) > CLASSES:
        order = sorted(range(len(classes)), key=lambda i: -node.counts[i])[: CLASSES - 1]  # ties in class order
        shown = counts_of([classes[i] for i in order], tuple(node.counts[i] for i in order))
        figures = [*shown, f"{sum(1 for count in node.counts if count) - len(order)} more"]
    if node.tied and node.test is None:
        figures.append("a tie")
    return enumerated([cut_short(figure, ROOM - 1) for figure in figures])


# The layout.


class _Layout(NamedTuple):
    """The boxes and their places, each the middle of the side towards the root; and the size of the drawing."""

    direction: Direction
    nodes: tuple[Node, ...]
    """The nodes as drawn: one that became a leaf is a leaf."""
    boxes: tuple[_Box, ...]
    places: tuple[tuple[int, int], ...]
    width: int
    height: int


def _arranged(tree: Tree, direction: Direction, leaves: Mapping[int, Node]) -> _Layout:
    nodes = tuple(leaves.get(number, node) for number, node in enumerate(tree.nodes))
    boxes = tuple(_box(tree, number, direction, node) for number, node in enumerate(nodes))
    branches = [node.branches for node in tree.nodes]
    widths, heights = [box.width for box in boxes], [box.height for box in boxes]
    if direction == "down":
        widths = [max(box.width, box.answer_width) for box in boxes]
        xs = [MARGIN + x for x in centres(branches, widths, GAP)]
        ys = [MARGIN + y for y in levels(branches, heights, BEND + LINE)]
        # The distance to which a box, or its answer, extends to the right of its place, and below it.
        reach = [((wide + 1) // 2, high) for wide, high in zip(widths, heights, strict=True)]
    else:
        xs = [MARGIN + x for x in families(branches, widths, [BEND + 6 + box.answer_width for box in boxes])]
        ys = [MARGIN + y for y in centres(branches, heights, GAP // 2)]
        reach = [(wide, (high + 1) // 2) for wide, high in zip(widths, heights, strict=True)]
    places = tuple(zip(xs, ys, strict=True))
    ends = [(x + right, y + down) for (x, y), (right, down) in zip(places, reach, strict=True)]
    return _Layout(direction, nodes, boxes, places, max(x for x, _ in ends) + MARGIN, max(y for _, y in ends) + MARGIN)


def centres(branches: Sequence[Sequence[int]], breadths: Sequence[int], gap: int) -> list[int]:
    """The middle of each node across the tree; the nodes are in preorder, each with the numbers of its children.

    Example:
        >>> centres([(1, 2), (), (3, 4), (), ()], [10, 10, 10, 10, 10], 2)
        [14, 5, 23, 17, 29]
    """
    inside = [0] * len(branches)
    bands = list(breadths)
    # Children come after their parent in preorder. So a walk backwards meets them first, without recursion.
    for number in reversed(range(len(branches))):
        if branches[number]:
            inside[number] = sum(bands[below] + gap for below in branches[number]) - gap
            bands[number] = max(bands[number], inside[number])
    starts = [0] * len(branches)
    # Now forwards: each node hands its band out to its children, which stand in the middle of it.
    for number, below in enumerate(branches):
        start = starts[number] + (bands[number] - inside[number]) // 2
        for child in below:
            starts[child] = start
            start += bands[child] + gap
    found = [0] * len(branches)
    for number in reversed(range(len(branches))):
        low = starts[number] + breadths[number] // 2
        high = starts[number] + bands[number] - (breadths[number] + 1) // 2
        below = branches[number]
        # A parent stands in the middle of its outer children, but never leaves its band.
        wanted = (found[below[0]] + found[below[-1]]) // 2 if below else low
        found[number] = min(max(wanted, low), high)
    return found


def levels(branches: Sequence[Sequence[int]], heights: Sequence[int], gap: int) -> list[int]:
    """The start of each node along the tree, if all of one depth start together, `gap` after those above."""
    level = [0] * len(branches)
    highest = [0] * len(branches)
    for number, below in enumerate(branches):
        highest[level[number]] = max(highest[level[number]], heights[number])
        for child in below:
            level[child] = level[number] + 1
    starts = list(accumulate((height + gap for height in highest), initial=0))
    return [starts[one] for one in level]


def families(branches: Sequence[Sequence[int]], heights: Sequence[int], gaps: Sequence[int]) -> list[int]:
    """The start of each node along the tree, if siblings start together as soon as they can."""
    starts = [0] * len(branches)
    for number, below in enumerate(branches):
        start = starts[number] + heights[number] + max((gaps[child] for child in below), default=0)
        for child in below:
            starts[child] = start
    return starts


# Drawing.


def _branch(tree: Tree, frame: _Layout, above: int, below: int) -> Iterator[str]:
    """A branch, as thick as the share of the rows that take it, and its answer."""
    (x, y), (to_x, to_y), box = frame.places[above], frame.places[below], frame.boxes[below]
    if frame.direction == "down":
        y += frame.boxes[above].height
        end, bend = to_y - LINE, to_y - LINE - BEND // 2
        way = f"M{x} {y}V{end - BEND}C{x} {bend} {to_x} {bend} {to_x} {end}"
        answer = _text(box.answer, to_x, to_y - 4, "middle")
    else:
        x += frame.boxes[above].width
        end, bend = x + BEND, x + BEND // 2
        way = f"M{x} {y}C{bend} {y} {bend} {to_y} {end} {to_y}H{to_x}"
        answer = _text(box.answer, end + 2, to_y - 5, "start")
    whole, part = tree.nodes[0].weight, tree.nodes[below].weight
    strength = 1 + 4 * (Fraction(part) / whole if whole else Fraction(0))
    yield element("path", d=way, fill="none", stroke_width=strength, stroke_opacity="0.35")
    yield answer


def _node(tree: Tree, frame: _Layout, number: int) -> Iterator[str]:
    """A box with the name, the bar and the figures, in a line or below one another."""
    node, box, (x, y) = frame.nodes[number], frame.boxes[number], frame.places[number]
    left, top = (x - box.width // 2, y) if frame.direction == "down" else (x, y - box.height // 2)
    look: dict[str, object] = {"fill_opacity": "0.04", "stroke_opacity": "0.7", "rx": 3}
    if node.test is None:
        look = {"fill_opacity": "0.12", "stroke_opacity": "0.35", "rx": 11}
    if node.prior:
        look["stroke_dasharray"] = "4 3"
    yield element("rect", x=left, y=top, width=box.width, height=box.height, **look)
    if box.flat:
        line, at = top + LINE, left + 15 + room_of(box.name)
        yield _text(box.name, left + 7, line, "start", font_weight="bold")
        yield from _bar(tree, node, at, top + (box.height - BAR) // 2, box.bar)
        yield _text(box.lines[0], at + (box.bar + 8 if box.bar else 0), line, "start", 2 * ROOM)
    else:
        line, middle = top + LINE + 2, left + box.width // 2
        yield _text(box.name, middle, line, "middle", font_weight="bold")
        yield from _bar(tree, node, left + 8, line + 6, box.bar)
        line += BAR + 4 if box.bar else 0
        for place, text in enumerate(box.lines, 1):
            yield _text(text, middle, line + place * LINE, "middle")


def _bar(tree: Tree, node: Node, left: int, top: int, room: int) -> Iterator[str]:
    """The distribution of the classes as parts of a bar; empty if there is no room for one."""
    if not room:
        return
    n, before = Fraction(sum(node.counts)), Fraction(0)
    for code, (name, count) in enumerate(zip(tree.target.domain, node.counts, strict=True)):
        if count:
            hint = element("title", xml_name(f"{name} {weight_text(count)}"))
            start, part = left + before * room, count / n
            yield element("rect", hint, x=start, y=top, width=part * room, height=BAR, fill=colour(code), stroke="none")
            if part * room >= BAR:
                # The shape of the class, in the middle of its part: the bar is read without its colours, too.
                at, y = start + part * room / 2, top + Fraction(BAR, 2)
                yield mark(code, at, y, SHAPE, fill="#fff", stroke="none", pointer_events="none")
            before += part


def legend(target: Attribute, room: int) -> tuple[list[str], int]:
    """The marks of the classes, in lines as wide as the drawing; and the height that they take."""
    if target.values is None:
        return [], 0
    name = f"{cut_short(one_line(target.name), ROOM)}:"
    x, y = MARGIN + COLUMN * width(name) + 10, MARGIN + 10
    parts = [_text(name, MARGIN, y, "start", font_weight="bold")]
    for code, value in enumerate(target.values):
        wanted = room_of(value) + 32
        if x + wanted > room + MARGIN and x > MARGIN:
            x, y = MARGIN, y + LINE + 3
        parts.append(mark(code, x + 6, y - 4, 5, stroke="none"))
        parts.append(_text(value, x + 17, y, "start"))
        x += wanted
    return parts, y + 6


def _text(text: str, x: int, y: int, anchor: str, room: int = ROOM, **attributes: object) -> str:
    """A text at a position; if it is too long, it is cut and shown in full as a tooltip."""
    shown = cut_short(one_line(text), room)
    whole = element("title", xml_name(text)) if shown != one_line(text) else ""
    return element("text", whole + xml_name(shown), x=x, y=y, text_anchor=anchor, stroke="none", **attributes)
