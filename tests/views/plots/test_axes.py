"""Plotting: places are exact, ticks are round, and what is written is XML."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.log_sums import log
from reference_tree.views.plots.axes import Axis, drawing, element, frame, path, ticks, written
from tests.every import of_every
from tests.strategies import fractions


@given(fractions(-1000, 1000), fractions(Fraction(1, 10**6), 10**6))
def test_ticks_are_round_and_few_and_cover_the_axis(low: Any, length: Any) -> None:
    found = ticks(low, low + length)
    assert 2 <= len(found) <= 7
    assert low <= found[0]
    assert found[-1] <= low + length
    (step,) = {b - a for a, b in pairwise(found)}
    assert found[0] - step < low
    assert found[-1] + step > low + length
    while step >= 10:
        step = Fraction(step) / 10
    while step < 1:
        step *= 10
    assert step in (1, 2, 5)


@given(fractions(-5, 5), st.integers(0, 500), st.integers(0, 500))
def test_a_number_lies_where_it_belongs(number: Any, start: int, end: int) -> None:
    axis = Axis("x", -5, 5, start, end, ())
    assert float(axis.at(number)) == pytest.approx(start + (end - start) * (float(number) + 5) / 10, abs=0.0051)


def test_irrational_numbers_are_rounded_once() -> None:
    assert Axis("x", 0, 2, 0, 100, ()).at(log(3)) == Fraction("79.25")


@of_every([(0, "0"), (100, "100"), (Fraction(-1, 3), "-0.33"), (Fraction(1, 2), "0.5")])
def test_a_place_is_written_in_hundredths(number: Any, expected: str) -> None:
    assert written(Fraction(number)) == expected


@given(st.text(max_size=8), st.text(max_size=8))
def test_a_drawing_is_xml_and_speaks(title: str, description: str) -> None:
    root = ElementTree.fromstring(
        drawing(10, 20, title, description, [element("circle", r=1), path([("0", "0"), ("1", "2")])])
    )
    assert root.get("role") == "img"
    assert root.get("viewBox") == "0 0 10 20"
    assert [child.tag.rpartition("}")[2] for child in root] == ["title", "desc", "style", "g"]
    assert (root[1].text or "").isprintable()


def test_a_frame_has_a_label_for_each_tick() -> None:
    x, y = Axis("across", 0, 1, 50, 150, (0, Fraction(1, 2), 1)), Axis("up", 0, 2, 100, 0, (0, 2))
    root = ElementTree.fromstring(f"<g>{''.join(frame(x, y, 100))}</g>")
    assert sorted(str(text.text) for text in root.iter("text")) == ["0", "0", "0.5", "1", "2", "across", "up"]
