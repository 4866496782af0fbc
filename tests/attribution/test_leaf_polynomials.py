"""Leaf polynomials: products that are divided again, and what one path gives."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.attribution.leaf_polynomials import (
    interactions_by_paths,
    leaf_interactions,
    leaf_values,
    paths,
    product,
    values_by_paths,
    without,
)
from reference_tree.attribution.shapley import interactions, shapley, value_function
from tests.attribution.drawn_trees import drawn_row, drawn_tree
from tests.strategies import at_most, fractions

parts = fractions(0, 1, max_denominator=5)
factors = st.lists(st.tuples(parts, parts).filter(any), min_size=1, max_size=5)


@given(factors, st.integers(-5, 5))
@at_most(40)
def test_a_product_has_the_value_of_its_factors(several: list[tuple[Fraction, Fraction]], t: int) -> None:
    value = Fraction(1)
    for r, o in several:
        value *= r + o * t
    assert sum(c * t**k for k, c in enumerate(product(several))) == value


@given(factors, st.data())
@at_most(40)
def test_a_product_divided_by_a_factor_is_that_of_the_others(
    several: list[tuple[Fraction, Fraction]], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(several) - 1))
    assert without(product(several), *several[place]) == product(several[:place] + several[place + 1 :])


@given(factors, fractions(-3, 3, max_denominator=3))
@at_most(40)
def test_what_a_path_gives_is_the_value_of_its_product(
    several: list[tuple[Fraction, Fraction]], value: Fraction
) -> None:
    pairs = {f"x{place}": pair for place, pair in enumerate(several)}

    def v(known: frozenset[str]) -> Fraction:
        found = value
        for name, (r, o) in pairs.items():
            found *= o if name in known else r
        return found

    assert leaf_values(value, pairs) == shapley(v, list(pairs))
    assert leaf_interactions(value, pairs) == interactions(v, list(pairs))


@pytest.mark.parametrize("seed", range(12))
def test_the_paths_add_up_to_what_the_definition_says(seed: int) -> None:
    chance = Random(seed)
    term, row, other = drawn_tree(chance, 3), drawn_row(chance), drawn_row(chance)
    for background in (None, [other]):
        v = value_function(term, row, background)
        ways = list(paths(term, row, None if background is None else other))
        for known in (frozenset[str](), frozenset(term.names), frozenset(term.names[:1])):
            total = Fraction(0)
            for value, pairs in ways:
                for name, (r, o) in pairs.items():
                    value *= o if name in known else r
                total += value
            assert total == v(known)
        assert values_by_paths(term, row, background) == shapley(v, term.names)
        assert interactions_by_paths(term, row, background) == interactions(v, term.names)
