"""Parts of a derivation: headings, and comparisons in which the sign can be seen."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.exact.log_sums import log
from reference_tree.exact.radicals import root
from reference_tree.exact.worked import work
from reference_tree.views.notation import opened, text
from reference_tree.views.pruning_parts import compared, heading, of_node, quantity, total
from reference_tree.views.pruning_sheets import rounded

numbers = st.fractions(-50, 50, max_denominator=10**9)


@given(numbers, numbers)
def test_the_sign_is_right_and_the_figures_agree_with_it(left: Fraction, right: Fraction) -> None:
    one, sign, other = compared(left, right).replace("≈ ", "").split(" ")
    assert sign == ("<" if left < right else ">" if left > right else "=")
    assert (one == other) == (sign == "=")


@pytest.mark.parametrize(
    ("left", "right", "shown"),
    [
        (log(3), log(3) + Fraction(1, 10**30), "<"),
        (root(2) + Fraction(1, 10**20), root(2), ">"),
        (log(9), 2 * log(3), "="),
        (root(8), 2 * root(2), "="),
        (Fraction(10**40, 10**40 + 1), 1, "<"),
    ],
)
def test_numbers_that_are_close_are_told_apart(left: object, right: object, shown: str) -> None:
    one, sign, other = compared(left, right).replace("≈ ", "").split(" ")
    assert sign == shown
    assert (one == other) == (sign == "=")


def test_decimals_on_demand() -> None:
    assert compared(Fraction(57, 5), 11) == "57/5 > 11"
    assert compared(Fraction(57, 5), 11, rounded) == "11.4 > 11"


def test_a_heading_has_the_rows_of_the_node() -> None:
    golf = rt.textbook("golf")
    tree = rt.C45().grow(golf)
    found = heading(tree, 0)
    assert (found.path, found.arrives, found.figures) == ("/", "14 rows", ("no 5", "yes 9"))
    gaps = rt.C45().grow(rt.textbook("watermelon-2.0a"))
    arrivals = [heading(gaps, number).arrives for number in range(len(gaps.nodes))]
    weights = [node.weight for node in gaps.nodes]
    assert [line.startswith("a weight of") for line in arrivals] == [weight.denominator != 1 for weight in weights]


def test_a_quantity_of_a_node_stands_under_its_path() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    assert of_node("g", tree, tree.find("/outlook=sunny")).text == "g(/outlook=sunny)"


def test_a_result_stands_in_a_formula_as_its_value() -> None:
    third = quantity(work(1) / work(3))
    assert text(opened(total([third, third, work(2)]))) == "1/3 + 1/3 + 2"
    assert total([third, third, work(2)]).value == Fraction(8, 3)
    assert total([]).value == 0
