"""The look of a class: colours that stay apart for every eye, and shapes that need none."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations, pairwise
from math import dist, pi
from xml.etree import ElementTree

import pytest

from reference_tree.views.plots.classes import COLOURS, SHAPES, colour, mark, outline, way

GROUNDS = ("#ffffff", "#fdfdfb", "#161b18", "#141a17")
"""What drawings and the site stand on, light and dark."""

EYES = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""What an eye without one kind of cones sees: Machado, Oliveira and Fernandes 2009, for linear light."""

WRONG = "#c62828"


def light(code: str) -> list[float]:
    """A colour in linear light."""
    parts = [int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG."""
    low, high = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in map(light, (one, other)))
    return (high + 0.05) / (low + 0.05)


def seen(code: str, eye: str) -> tuple[float, float, float]:
    """A colour in the space CIELAB, as an eye sees it."""
    r, g, b = (min(1.0, max(0.0, sum(a * part for a, part in zip(row, light(code), strict=True)))) for row in EYES[eye])
    x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
    z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883
    a, b, c = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * b - 16, 500 * (a - b), 200 * (b - c)


def corners(drawn: str) -> list[tuple[float, float]]:
    """The corners of a path."""
    x = y = 0.0
    found = []
    for step, numbers in re.findall(r"([MLHV])(-?[\d.]+(?: -?[\d.]+)?)", drawn):
        given = [float(number) for number in numbers.split()]
        x, y = (given[0], y) if step == "H" else (x, given[0]) if step == "V" else (given[0], given[1])
        found.append((x, y))
    return found


def area_of(element: ElementTree.Element) -> float:
    """The area of a mark."""
    if radius := element.get("r"):
        return pi * float(radius) ** 2
    around = corners(element.get("d", ""))
    return abs(sum(a * d - b * c for (a, b), (c, d) in pairwise([*around, around[0]]))) / 2


@pytest.mark.parametrize("eye", EYES)
def test_the_first_three_colours_stay_apart_for_every_eye(eye: str) -> None:
    distances = [dist(seen(one, eye), seen(other, eye)) for one, other in combinations(COLOURS[:3], 2)]
    assert min(distances) > 35


def test_what_would_be_confused_is_found() -> None:
    assert dist(seen("#c8530a", "deuteranopia"), seen("#6b7a00", "deuteranopia")) < 20
    assert dist(seen("#0072b2", "tritanopia"), seen("#009e73", "tritanopia")) < 20


def test_all_colours_are_apart_for_the_usual_eye_and_from_what_says_wrong() -> None:
    assert min(dist(seen(one, "usual"), seen(other, "usual")) for one, other in combinations(COLOURS, 2)) > 35
    assert min(dist(seen(one, "usual"), seen(WRONG, "usual")) for one in COLOURS) > 30


def test_a_colour_stands_out_on_every_ground() -> None:
    assert min(contrast(one, ground) for one in COLOURS for ground in GROUNDS) >= 3


def test_a_shape_has_the_area_of_its_disc_and_is_like_no_other() -> None:
    drawn = [ElementTree.fromstring(mark(code, 20, 20, 10)) for code in range(len(SHAPES))]
    assert [area_of(one) / (100 * pi) for one in drawn] == pytest.approx([1] * len(SHAPES), abs=2e-3)
    around = [sorted(outline(code)) for code in range(len(SHAPES))]
    assert all(one != other for one, other in combinations(around, 2))


def test_a_shape_is_drawn_around_its_place() -> None:
    for code in range(1, len(SHAPES)):
        there = corners(way(code, Fraction(30), Fraction(50), Fraction(2)))
        assert there == [pytest.approx((30 + dx / 500, 50 + dy / 500), abs=0.01) for dx, dy in outline(code)]
    assert way(0, 30, 50, 2) == "M28 50a2 2 0 1 0 4 0a2 2 0 1 0 -4 0Z"
    assert way(0, 30, 50, Fraction(23, 10)) == "M27.7 50a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0 -4.6 0Z"


def test_an_eighth_class_has_a_colour_of_its_own() -> None:
    assert len({colour(code) for code in range(30)}) == 30
    assert outline(7) == outline(0)
