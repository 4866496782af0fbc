"""Cells: where the cuts lie, and what is outside."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.held import held
from reference_tree.data.linear_tests import Coordinate
from reference_tree.data.questions import Linear, Missing, Subset, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.data.treatment import Treatment, ValueRange
from reference_tree.exact.rounding import nearest_single
from reference_tree.functions.cells import LARGEST, InputCells, InputDomain, another, cut, next_number, single_below
from reference_tree.node import Node
from reference_tree.tree import Tree
from tests.functions.drawn_pairs import joined


def stump(threshold: object, *, strict: bool = False, missing: Missing | None = None, **held: object) -> Tree:
    """A tree of one threshold."""
    leaves = ([Node((1, 0, 0), 0, stop="max-depth")], [Node((1, 1, 1), 1, stop="max-depth")])
    test = Threshold("x", Fraction(str(threshold)), strict=strict)
    attribute = Attribute("x", **held)  # type: ignore[arg-type]
    return Tree(Attribute("y"), (attribute,), tuple(joined(test, missing or Missing(to=0), *leaves)))


def test_a_cut_of_float32_is_the_last_one_on_the_lower_side() -> None:
    chance = Random(3)
    for _ in range(150):
        size = chance.choice([1.0, 10.0 ** chance.randint(-44, 37)])
        near = chance.choice(
            [chance.gauss(0, 1) * size, float(chance.randint(-3, 3)), 2.0 ** chance.randint(-149, 120)]
        )
        number = single_below(near) if chance.random() < 0.5 else near
        threshold = Fraction(number) + Fraction(chance.choice([0, 0, 1]), 10 ** chance.randint(1, 60))
        strict = chance.random() < 0.5
        for form in ("float32", "double", "exact", "written"):
            last = cut(threshold, form, strict, "float32")
            above = next_number(last, "float32")
            for held_as, lower in ((last, True), (above, False)):
                value = held(held_as, form)
                assert nearest_single(held_as) == held_as
                assert (value < threshold or (value == threshold and not strict)) == lower


@pytest.mark.parametrize("number", [0.0, 0.1, -0.1, 1.0, -1.0, 1e-46, -1e-46, 2.0**-149, -(2.0**-149)])
def test_the_float32_below(number: float) -> None:
    below = single_below(number)
    assert nearest_single(below) == below <= number
    above = next_number(below, "float32")
    assert nearest_single(above) == above > number


@pytest.mark.parametrize("inputs", ["double", "float32"])
def test_each_cell_has_a_value_of_its_own(inputs: str) -> None:
    ends = (-1e30, -0.5, -(2.0**-149), 0.0, 2.0**-149, 0.1 if inputs == "double" else nearest_single(0.1), 1e30)
    cells = InputCells("x", ends, inputs=inputs)  # type: ignore[arg-type]
    assert [cells.cell_of(cells.value(cell)) for cell in range(9)] == [*range(9)]
    assert cells.value(8) is None


def test_the_same_test_in_other_words_has_the_same_cells() -> None:
    for other in (stump("0.5", strict=True, held="float32"), stump("0.5", held="double")):
        assert rt.equivalent(stump("0.5", held="float32"), other).verdict == "different"
    # The next double above 1/2, and `<`: the same double is the last one.
    assert rt.equivalent(
        stump("0.5", held="double"), stump(Fraction(0.5000000000000001), strict=True, held="double")
    ).same
    # No float32 lies between 0.1 and the next double.
    tenths = stump(Fraction(0.1), held="double"), stump(Fraction(0.10000000000000002), held="double")
    assert rt.equivalent(*tenths).same is False
    assert rt.equivalent(*tenths, inputs="float32").verdict == "same answers"


def test_numbers_that_one_model_cannot_hold_are_not_asked_about() -> None:
    huge = stump(10**39, held="double"), stump(10**40, held="double")
    assert rt.equivalent(*huge).same is False
    assert rt.equivalent(stump(10**39, held="float32"), huge[1]).same
    assert InputDomain.of(huge).attributes[0].largest == LARGEST


def test_what_a_model_refuses_is_outside() -> None:
    found = rt.equivalent(stump(1), stump(1, missing=Missing()))
    assert (found.verdict, found.outside) == ("same answers", ["missing x"])
    found = rt.equivalent(stump(1, missing=Missing(to=1)), stump(1))
    assert (found.verdict, found.row, found.cause) == (
        "different", {"x": None}, "missing side of 1 node (node 0: branch 1 and branch 0)"
    )  # fmt: skip


def test_a_missing_value_that_is_replaced_goes_where_its_replacement_goes() -> None:
    replaced = stump(1, treatment=Treatment(missing=7))
    assert rt.equivalent(replaced, stump(1, missing=Missing(to=1))).verdict == "same answers"
    assert rt.equivalent(replaced, stump(1)).row == {"x": None}


def test_what_is_not_done_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="numbers of x are treated before a test sees them"):
        rt.equivalent(stump(1, treatment=Treatment(intervals=(ValueRange(0, 9),))), stump(1))
    with pytest.raises(InputError, match="there is no form of numbers 'half'"):
        rt.equivalent(stump(1), stump(1), inputs="half")  # type: ignore[arg-type]
    leaves_of = [Node((1, 0), "n")], [Node((0, 1), "y")]
    nodes = tuple(joined(Threshold("x", 1), Missing(to=0), *leaves_of))
    classes = Tree(Attribute("y", ("n", "y")), (Attribute("x"),), nodes)
    with pytest.raises(InputError, match="one model has shares of classes, and the other one sum"):
        rt.equivalent(classes, stump(1))
    leaves = [Node((1, 0, 0), 0)], [Node((1, 1, 1), 1)]
    other = Tree(Attribute("y"), (Attribute("z"),), tuple(joined(Threshold("z", 1), Missing(to=0), *leaves)))
    with pytest.raises(InputError, match="one model asks for x, and the other for z; name them alike"):
        rt.equivalent(stump(1), other)
    names = replace(other, attributes=(Attribute("x", ("p",)),), nodes=(
        replace(other.nodes[0], test=Subset("x", ("p",))), *other.nodes[1:]
    ))  # fmt: skip
    with pytest.raises(InputError, match="x has numbers in one model, and categories in the other"):
        rt.equivalent(stump(1), names)
    oblique = replace(other, nodes=(
        replace(other.nodes[0], test=Linear(((Coordinate("z"), 1),), 1)), *other.nodes[1:]
    ))  # fmt: skip
    with pytest.raises(InputError, match="a test of several attributes"):
        rt.fingerprint(oblique)


def test_another_category_is_no_known_one() -> None:
    assert (another(("0", "7")), another(("a", "other")), another(())) == ("8", "other 1", "other")
