"""The rounds: a sum of steps that is what the trees say together, and marks as large as the weights."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.views.plots.rounds import adaboost_rounds, boosting_rounds
from tests.views.plots.test_classes import area_of
from tests.views.plots.test_curves import SVG, points, scale


def test_each_panel_has_the_sum_so_far() -> None:
    table = rt.textbook("li-hang-8.2")
    learner = rt.BoostingTree(trees=4)
    root = ElementTree.fromstring(boosting_rounds(list(learner.rounds(table)), table, "x"))
    panels = root.findall(f"{SVG}g/{SVG}g")
    whole = learner.grow(table)
    assert len(panels) == 4
    for m, panel in enumerate(panels, 1):
        (ax, bx), (ay, by) = scale(panel, "middle"), scale(panel, "end")
        (steps,) = panel.iter(f"{SVG}path")
        corners = [(ax * x + bx, ay * y + by) for x, y in points(steps)]
        for (low, y), (high, same) in zip(corners[::2], corners[1::2], strict=True):
            assert y == same
            says = float(whole.part(range(m)).predict({"x": round((low + high) / 2, 3)}))
            lowest, highest = by + ay * 180, by + ay * 30
            assert y == pytest.approx(min(max(says, lowest), highest), abs=0.02)


def test_a_mark_is_as_large_as_the_weight_and_crossed_where_it_is_wrong() -> None:
    table = rt.textbook("li-hang-8.1")
    root = ElementTree.fromstring(adaboost_rounds(list(rt.AdaBoost(trees=3).rounds(table)), table, "x"))
    areas = [area_of(one) for one in root.iter() if "weight" in (one.findtext(f"{SVG}title") or "")]
    weights = [1.0] * 10
    for m, (wrong, error) in enumerate([((6, 7, 8), 0.3), ((3, 4, 5), 0.2143), ((0, 1, 2, 9), 0.1818)]):
        shares = [weight / sum(weights) for weight in weights]
        assert sum(shares[i] for i in wrong) == pytest.approx(error, abs=1e-4), "Li Hang's errors"
        line = areas[10 * m : 10 * m + 10]
        assert [area / sum(line) for area in line] == pytest.approx(shares, abs=2e-3)
        factor = math.exp(math.log((1 - error) / error))
        weights = [weight * (factor if i in wrong else 1) for i, weight in enumerate(weights)]
    dashed = [one for one in root.iter(f"{SVG}line") if one.get("stroke-dasharray")]
    assert len(dashed) == 3, "the cut of each stump"


def test_only_one_column_of_numbers_is_drawn() -> None:
    golf = rt.textbook("golf")
    with pytest.raises(InputError, match="a tree asks for outlook, too"):
        adaboost_rounds(list(rt.AdaBoost(trees=2).rounds(golf)), golf, "temperature")
    with pytest.raises(InputError, match="speed"):
        adaboost_rounds(list(rt.AdaBoost(trees=2).rounds(golf)), golf, "speed")
    cats = rt.textbook("cats-regression")
    with pytest.raises(InputError, match="is categorical"):
        boosting_rounds(list(rt.BoostingTree(trees=1).rounds(cats.without(["face", "whiskers"]))), cats, "ear")
