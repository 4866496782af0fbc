"""The derivation of Shapley values: what is printed can be followed with a pencil, and adds up."""

from __future__ import annotations

from fractions import Fraction

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.views.derivation.attributions import derive_values
from reference_tree.views.derivation.blocks import DecisionTable, Equations
from reference_tree.views.derivation.numerals import USUAL
from reference_tree.views.derivation.writers import WRITERS, page

DAYS = rt.textbook("play-tennis")
ROW = {"outlook": "sunny", "humidity": "normal", "wind": "weak"}
FOUND = rt.shapley_values(rt.ID3().grow(DAYS), ROW)


def test_every_equation_comes_to_its_value() -> None:
    """Read as a pencil would: the lines after the last table are the sums of those before."""
    blocks = [block for block in derive_values(FOUND) if isinstance(block, Equations)]
    given: dict[str, Fraction] = {}
    for block in blocks[:-2]:
        for one in block.lines:
            given[one.symbol.text] = given.get(one.symbol.text, Fraction(0)) + one.worked.value
    assert {one.symbol.text: one.worked.value for one in blocks[-2].lines} == given
    expected = {f"φ({name})": value for name, value in FOUND.values[0].items() if value}
    assert given == expected
    assert blocks[-1].lines[0].worked.value == FOUND.predictions[0] == 1


def test_the_columns_of_a_path_are_its_parts_and_the_products_of_the_others() -> None:
    """Of the leaf of rain and weak wind, worked out by hand: 5 of 14 days are rainy, on 3 of 5 of them wind is weak."""
    table = next(block for block in derive_values(FOUND) if isinstance(block, DecisionTable))
    assert table.rows == [("outlook", "5/14", "0", "3/5", "1"), ("wind", "3/5", "1", "5/14", "0")]


@pytest.mark.parametrize("form", WRITERS)
def test_it_is_written_in_every_form(form: str) -> None:
    text = page(derive_values(FOUND), form, USUAL)
    assert "17" in text
    assert "140" in text


def test_a_background_row_takes_the_place_of_the_cover() -> None:
    found = rt.shapley_values(
        rt.ID3().grow(DAYS), ROW, background=[{"outlook": "overcast", "humidity": "high", "wind": "strong"}]
    )
    text = page(derive_values(found), "text", USUAL)
    assert "by the background row" in text
    assert "cover" not in text


def test_what_is_not_derived_is_refused_by_name() -> None:
    golf = rt.textbook("golf")
    forest = rt.RandomForest(trees=2).grow(golf)
    melons = rt.textbook("watermelon-2.0a")
    gap = rt.shapley_values(rt.CART().grow(melons), next(row for row in melons.rows() if None in row.values()))
    for found, message in [
        (rt.shapley_values(forest, golf), "say --round M"),
        (rt.shapley_values(rt.ID3().grow(DAYS), DAYS, background=DAYS), "say one background row"),
        (gap, "makes the value function no product over the paths; it is not derived"),
    ]:
        with pytest.raises(InputError, match=message):
            list(derive_values(found))
