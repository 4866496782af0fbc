"""The plane: each place lies in the region of the leaf that the tree sends it to."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Coordinate, Linear, Multiway, Test, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.node import Node
from reference_tree.tree import Tree
from reference_tree.views.plots import plane
from reference_tree.views.plots.classes import colour
from reference_tree.views.plots.plane import WIDE, Region, grid, regions, to_plane
from tests.every import of_every
from tests.strategies import fractions

SVG = "{http://www.w3.org/2000/svg}"
LOW, HIGH = (Fraction(-3), Fraction(-2)), (Fraction(4), Fraction(5))
TARGET, ATTRIBUTES = Attribute("class", ("a", "b")), (Attribute("x"), Attribute("y"))

numbers = st.integers(-3, 4)
weights = st.tuples(st.integers(1, 3), st.integers(-3, 3).filter(bool))


@st.composite
def questions(draw: st.DrawFn) -> Test:
    t = draw(fractions(-4, 5, max_denominator=3))
    if draw(st.booleans()):
        return Threshold(draw(st.sampled_from("xy")), t, strict=draw(st.booleans()))
    a, b = draw(weights)
    return Linear.of({Coordinate("x"): a, Coordinate("y"): b}, t)


def tree_of(*tests: Test) -> Tree:
    """Three questions: the root, and one on either branch."""
    a, b, c = tests
    leaf = [Node((1, 0), "a"), Node((0, 1), "b")]
    inner = [Node((2, 2), "a", a, (1, 4)), Node((1, 1), "a", b, (2, 3)), Node((1, 1), "a", c, (5, 6))]
    return Tree(TARGET, ATTRIBUTES, (inner[0], inner[1], *leaf, inner[2], *leaf))


def area(region: Region) -> Fraction:
    """By the shoelace formula."""
    closed = [*region.corners, region.corners[0]]
    return abs(sum((Fraction(a * d - b * c) for (a, b), (c, d) in pairwise(closed)), Fraction(0))) / 2


def inside(region: Region, x: Fraction, y: Fraction) -> bool:
    """Strictly: on the same side of each edge of a convex polygon."""
    closed = [*region.corners, region.corners[0]]
    turns = [(c - a) * (y - b) - (d - b) * (x - a) for (a, b), (c, d) in pairwise(closed)]
    return all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)


@given(questions(), questions(), questions(), fractions(-3, 4), fractions(-2, 5))
def test_regions_are_where_the_tree_sends_their_points(a: Test, b: Test, c: Test, x: Fraction, y: Fraction) -> None:
    tree = tree_of(a, b, c)
    found = regions(tree, "x", "y", LOW, HIGH)
    assert [region.leaf for region in found] == sorted(region.leaf for region in found)
    assert sum(map(area, found)) == 49  # they cover the rectangle
    assert all(area(region) > 0 for region in found)
    here = [region.leaf for region in found if inside(region, x, y)]
    assert here in ([], [tree.ends({"x": x, "y": y})[0][0]])


def test_other_questions_are_refused() -> None:
    ask = Threshold("x", 1)
    for other in (Multiway("colour", ("red",)), Threshold("z", 1)):
        with pytest.raises(InputError, match="not a test of the numbers x and y alone"):
            regions(tree_of(other, ask, ask), "x", "y", LOW, HIGH)


TABLE = Table.from_columns({"x": [0, 1, 2, 2, None], "y": ["0.5", 3, 1, 1, 2], "class": ["a", "b", "a", "a", "b"]})


def drawn(*trees: Tree) -> ElementTree.Element:
    return ElementTree.fromstring(to_plane({f"<{i}> & co": tree for i, tree in enumerate(trees)}, TABLE, "x", "y"))


def test_a_drawing() -> None:
    cut, slant = Threshold("x", Fraction(1, 2)), Linear(((Coordinate("x"), 1), (Coordinate("y"), 1)), 2)
    root = drawn(tree_of(cut, cut, cut), tree_of(slant, cut, cut))
    panels = [g for g in root.iter(f"{SVG}g") if g.get("transform", "").startswith("translate")]
    assert [sum(1 for _ in panel.iter(f"{SVG}polygon")) for panel in panels] == [2, 4]
    for panel in panels:
        marks = [element.findtext(f"{SVG}title") for element in panel if element.tag != f"{SVG}polygon"]
        assert [mark for mark in marks if mark] == ["x 0, y 0.5: a", "x 1, y 3: b", "x 2, y 1: a"]
        grounds = {p.findtext(f"{SVG}title", "")[0]: p.get("fill") for p in panel.iter(f"{SVG}polygon")}
        assert grounds == {"a": colour(0), "b": colour(1)}
    assert root.findtext(f"{SVG}desc") == "<0> & co: 2 regions; <1> & co: 4 regions."


def test_a_region_is_drawn_where_its_numbers_are() -> None:
    """The border x = 1/2 lies between the marks of x = 0 and x = 1, half way."""
    cut = Threshold("x", Fraction(1, 2))
    root = drawn(tree_of(cut, cut, cut))
    first = next(root.iter(f"{SVG}polygon"))
    edge = max(float(corner.split(",")[0]) for corner in first.get("points", "").split())
    disc = next(c for c in root.iter(f"{SVG}circle") if c.findtext(f"{SVG}title") == "x 0, y 0.5: a")
    assert edge == pytest.approx(float(disc.get("cx", "")) + 300 * 0.5 / 2.25, abs=0.02)


@of_every(
    [
        ({"x": [1, 1], "y": [1, 2], "class": ["a", "b"]}, "the attribute x has fewer than two values"),
        ({"x": ["p", "q"], "y": [1, 2], "class": ["a", "b"]}, "the attribute x is categorical"),
        ({"x": [1, 2], "y": [1, 2], "class": ["c", "d"]}, "predicts a, which is no class of the table"),
        ({"x": [1, 2], "y": [1, 2], "class": [3, 4]}, "the attribute class is continuous"),
    ]
)
def test_what_cannot_be_drawn_is_refused(columns: dict[str, list[Any]], message: str) -> None:
    ask = Threshold("x", 1)
    with pytest.raises(InputError, match=message):
        to_plane({"tree": tree_of(ask, ask, ask)}, Table.from_columns(columns), "x", "y")


# A question as text.

OBLIQUE = Linear.of({Coordinate("x"): 2, Coordinate("y"): -1}, 1)


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 2, st.sampled_from("ab")), min_size=2, max_size=12))
def test_each_row_stands_at_its_place_and_the_plane_is_dotted_where_the_answer_is_yes(rows: list[Any]) -> None:
    rows += [(0, 0, "a"), (9, 9, "b")]
    table = Table.from_rows([dict(zip(["x", "y", "c"], row, strict=True)) for row in rows], continuous=["x", "y"])
    lines = [line.strip("│") for line in grid(OBLIQUE, table.sample().points(["x", "y"]))[1:-1]][::-1]
    assert {len(line) for line in lines} == {WIDE}
    size = 9 + 2 * 9 / 16
    marked: dict[tuple[int, int], set[str]] = {}
    for x, y, c in rows:
        marked.setdefault((int((x + 9 / 16) / size * WIDE), int((y + 9 / 16) / size * plane.HIGH)), set()).add(c)
    for j, line in enumerate(lines):
        for i, mark in enumerate(line):
            if (i, j) in marked:
                there = marked[i, j]
                assert mark == ("&" if len(there) == 2 else "o" if there == {"a"} else "x")
            else:
                x, y = ((k + 0.5) / n * size - 9 / 16 for k, n in ((i, WIDE), (j, plane.HIGH)))
                assert mark == ("·" if 2 * x - y <= 1 + 1e-9 else " ")


@pytest.mark.slow
def test_a_derivation_shows_the_plane_of_a_question_about_two_numbers() -> None:
    melons = rt.textbook("watermelon-3.0a")
    tree = rt.CART(branching="linear", max_depth=1).grow(melons)
    for format in ("text", "markdown"):
        page = rt.explain(tree, melons, format=format, node="/")
        drawn = re.search(r"┌─+┐\n((?:│.*│\n)+)└─+┘", page)
        assert drawn
        body = drawn[1].replace("│", "")
        assert body.count("o") + body.count("x") == len(melons)
        assert "o is 否, x is 是" in " ".join(page.split())
    days = rt.explain(rt.CART().grow(rt.textbook("golf")), rt.textbook("golf"))
    assert "┌" not in days
