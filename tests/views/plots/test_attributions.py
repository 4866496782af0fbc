"""Waterfalls and swarms: bars and discs lie where the values are, and each direction has its colour and its side."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.views.plots.attributions import DOWN, MOST, UP, swarm, waterfall

SVG = "{http://www.w3.org/2000/svg}"
IRIS = rt.textbook("iris")
FOUND = rt.shapley_values(rt.CART(max_depth=3).grow(IRIS), IRIS, values="virginica")


def _bars(picture: str) -> list[tuple[str, float, float]]:
    """The colour of each bar, its start, and the point that it ends in."""
    found = []
    for one in ElementTree.fromstring(picture).iter(f"{SVG}path"):
        numbers = [float(number) for number in re.findall(r"[0-9.]+", one.get("d", ""))]
        found.append((one.get("fill", ""), numbers[0], numbers[4]))
    return found


@pytest.mark.parametrize("row", [0, 70, 133])
def test_the_bars_lead_from_the_expected_value_to_the_answer(row: int) -> None:
    values = sorted((value for value in FOUND.values[row].values() if value), key=abs, reverse=True)
    bars = _bars(waterfall(FOUND, row))
    assert len(bars) == len(values)
    for (_, _, end), (_, start, _) in pairwise(bars):
        assert end == start
    for (fill, start, end), value in zip(bars, values, strict=True):
        assert fill == (UP if value > 0 else DOWN)
        assert (end - start) / (bars[0][2] - bars[0][1]) == pytest.approx(float(value / values[0]), abs=1e-3)


def test_the_answer_and_every_value_are_told_in_words() -> None:
    picture = waterfall(FOUND, 133)
    root = ElementTree.fromstring(picture)
    assert root.findtext(f"{SVG}title", "").startswith("From the expected value 0.3333 to ")
    assert "petal width=1.5" in root.findtext(f"{SVG}desc", "")
    assert "script" not in picture


def test_a_row_on_which_nothing_depends_has_one_bar_of_no_length() -> None:
    tree = rt.CART(max_depth=0).grow(IRIS)
    ((_, start, end),) = _bars(waterfall(rt.shapley_values(tree, IRIS, values="setosa")))
    assert start == end


def test_every_disc_lies_at_its_value_on_the_side_of_its_colour() -> None:
    discs = [
        (float(one.get("cx", "")), one.get("fill")) for one in ElementTree.fromstring(swarm(FOUND)).iter(f"{SVG}circle")
    ]
    assert len(discs) == 4 * 150
    means = {name: sum(abs(each[name]) for each in FOUND.values) for name in FOUND.names}
    ranked = sorted(FOUND.names, key=means.__getitem__, reverse=True)
    values = [each[name] for name in ranked for each in FOUND.floats]
    low, high = min(range(600), key=values.__getitem__), max(range(600), key=values.__getitem__)
    per_unit = (discs[high][0] - discs[low][0]) / (values[high] - values[low])
    for (x, fill), value in zip(discs, values, strict=True):
        assert x == pytest.approx(discs[low][0] + (value - values[low]) * per_unit, abs=0.02)
        assert fill == (UP if value > 0 else DOWN if value < 0 else "currentColor")


def test_of_many_rows_some_are_drawn_and_of_none_nothing() -> None:
    many = FOUND.of_rows([*range(150)] * 6)
    assert swarm(many).count("<circle") <= 4 * MOST
    with pytest.raises(InputError, match="no rows to draw"):
        swarm(FOUND.of_rows([]))
