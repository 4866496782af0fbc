"""Counterfactuals: the nearest row, against every cell."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.functions.cells import InputDomain
from tests.functions.drawn_pairs import COLOURS, drawn_model
from tests.functions.test_searches import every_cell

UNIT = Fraction(1, 2)


def price(cells: Any, cell: int, value: Any, distance: str) -> Any:
    """The least change that leads into a cell; by the ends of the cell."""
    if cell == cells.cell_of(value):
        return 0
    if cell >= cells.plain:
        return math.inf
    if cells.values is not None or distance == "l0":
        return 1
    low, high = cells.bounds(cell)
    return (
        Fraction(value) - Fraction(high) if value > high else Fraction(math.nextafter(low, math.inf)) - value
    ) / UNIT


@pytest.mark.parametrize("distance", ["l1", "l0"])
def test_the_nearest_row_of_a_class(distance: Any) -> None:
    chance = Random(11)
    for number in range(16):
        model = drawn_model(chance, ("vote", "mean", "classes", "logistic")[number % 4])
        domain = InputDomain.of([model])
        row = {"a": chance.choice([0, 1, Fraction(1, 2)]), "b": chance.choice([-1, 1, 3]), "c": chance.choice(COLOURS)}
        target = chance.choice(model.target.domain)
        found = rt.counterfactual(model, row, target, distance=distance, scale={"a": UNIT, "b": UNIT})
        prices = [
            sum(
                price(cells, cell, row[cells.name], distance) for cells, cell in zip(domain.attributes, at, strict=True)
            )
            for at in every_cell(domain)
            if model.predict(domain.row(at)) == target
        ]
        least = min(prices, default=math.inf)
        assert found.proved
        assert found.bound == least
        assert (found.row is None) == (least == math.inf)
        if found.row is not None:
            assert model.predict(found.row) == target


def test_a_number_and_what_is_fixed() -> None:
    tree = rt.CART().grow(rt.textbook("li-hang-5.2"))
    found = rt.counterfactual(tree, {"x": 1}, (8, None))
    assert found.row is not None
    assert Fraction(tree.predict(found.row)) >= 8
    assert found.distance == Fraction(found.row["x"]) - 1
    assert rt.counterfactual(tree, {"x": 1}, (8, None), fixed=["x"]) == rt.Counterfactual(None, None, math.inf)
    assert not rt.counterfactual(tree, {"x": 1}, (8, None), max_steps=1).proved
    assert rt.counterfactual(tree, {"x": 1}, (None, 5)).distance == 0


def test_refusals() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    row = {"outlook": "sunny", "humidity": "high", "wind": "weak"}
    assert rt.counterfactual(tree, row, "yes").row == {**row, "humidity": "normal"}
    for wrong, message in (
        ({"row": row, "target": "maybe"}, "there is no class 'maybe'"),
        ({"row": {"wind": "weak"}, "target": "yes"}, "the row has no value for humidity, outlook"),
        ({"row": row, "target": "yes", "distance": "l2"}, "there is no distance 'l2'"),
    ):
        with pytest.raises(InputError, match=message):
            rt.counterfactual(tree, **wrong)  # type: ignore[arg-type]
    tree = rt.CART().grow(rt.textbook("li-hang-5.2"))
    for x in ("u", math.inf, 10**400):
        with pytest.raises(InputError, match=r"x is .*no finite number"):
            rt.counterfactual(tree, {"x": x}, (8, None))
    for named, message in (
        ({"fixed": ["z"]}, "there is no attribute 'z'"),
        ({"scale": {"z": 1}}, "there is no attribute 'z'"),
        ({"scale": {"x": 0}}, "the unit of x is more than 0, not 0"),
        ({"scale": {"x": -1}}, "the unit of x is more than 0, not -1"),
        ({"target": 8}, "of numbers it is the least and the most, not 8"),
        ({"target": (8,)}, "of numbers it is the least and the most"),
    ):
        with pytest.raises(InputError, match=message):
            rt.counterfactual(tree, {"x": 1}, **{"target": (8, None), **named})  # type: ignore[arg-type]
