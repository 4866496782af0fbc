"""The envelope is the lowest line at every price, and the band reaches one standard error up."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.pruning.choosing_alpha import choose
from reference_tree.pruning.cost_complexity import pruning_path
from reference_tree.selection.cross_validation import folds
from reference_tree.views.plots.curves import choice_curve, cost_lines
from tests.views.plots.test_curves import SVG, points, scale


def test_the_envelope_is_the_lowest_line_everywhere() -> None:
    sequence = pruning_path(rt.C45().grow(rt.textbook("iris")))
    root = ElementTree.fromstring(cost_lines(sequence))
    (ax, bx), (ay, by) = scale(root, "middle"), scale(root, "end")
    (envelope,) = root.iter(f"{SVG}path")
    trees = [(float(step.risk), step.leaves) for step in sequence.steps]
    corners = [(ax * x + bx, ay * y + by) for x, y in points(envelope)]
    assert len(corners) == len(trees) + 1
    for price, cost in corners:
        assert cost == pytest.approx(min(risk + price * leaves for risk, leaves in trees), abs=4e-3)
    lines = [one for one in root.iter(f"{SVG}line") if one.get("stroke-opacity") == "0.55"]
    assert len(lines) == len(trees), "one for each tree"


def test_the_error_of_each_tree_and_the_band_that_chooses() -> None:
    iris = rt.textbook("iris")
    choice = choose(rt.C45().grow, iris, folds(iris, 5, seed=1))
    root = ElementTree.fromstring(choice_curve(choice))
    ay, by = scale(root, "end")
    (curve,) = root.iter(f"{SVG}path")
    errors = [float(estimate.risk) for estimate in choice.estimates]
    assert [ay * y + by for _, y in points(curve)] == pytest.approx(errors, abs=2e-3)
    (band,) = root.iter(f"{SVG}rect")
    least = choice.estimates[choice.best]
    assert -ay * float(band.get("height", "")) == pytest.approx(math.sqrt(least.squared_standard_error), abs=2e-3)
    (ring,) = [one for one in root.iter(f"{SVG}circle") if one.get("fill") == "none"]
    assert float(ring.get("cx", "")) == points(curve)[choice.chosen][0]


def test_a_single_tree_is_no_choice() -> None:
    leaf = rt.ID3(max_depth=0).grow(rt.textbook("play-tennis"))
    with pytest.raises(InputError, match="a single tree"):
        cost_lines(pruning_path(leaf))
    days = rt.textbook("play-tennis")
    with pytest.raises(InputError, match="a single tree"):
        choice_curve(choose(rt.ID3(max_depth=0).grow, days, folds(days, 2, seed=1)))
