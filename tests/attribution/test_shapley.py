"""The laws that determine the Shapley values, on games and on drawn trees; and the definition by orders."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.attribution.shapley import MOST, interactions, shapley, subsets, value_function
from reference_tree.attribution.value_functions import ValueFunction
from reference_tree.data.errors import InputError
from tests.attribution.drawn_trees import drawn_row, drawn_tree
from tests.strategies import at_most

NAMES = ("a", "b", "c", "d")

games = st.lists(st.integers(-9, 9), min_size=16, max_size=16).map(
    lambda values: dict(zip(subsets(NAMES), map(Fraction, values), strict=True)).__getitem__
)
"""A number for every subset."""


def by_orders(v: ValueFunction, names: tuple[str, ...]) -> dict[str, Fraction]:
    """The mean of what each adds to those before it, over all orders."""
    found = dict.fromkeys(names, Fraction(0))
    orders = list(permutations(names))
    for order in orders:
        for place, name in enumerate(order):
            found[name] += v(frozenset(order[: place + 1])) - v(frozenset(order[:place]))
    return {name: total / len(orders) for name, total in found.items()}


@given(games)
@at_most(30)
def test_the_sum_over_subsets_is_the_mean_over_orders(v: ValueFunction) -> None:
    assert shapley(v, NAMES) == by_orders(v, NAMES)


@given(games)
@at_most(30)
def test_efficiency_the_values_add_up_to_what_all_add_to_nothing(v: ValueFunction) -> None:
    assert sum(shapley(v, NAMES).values()) == v(frozenset(NAMES)) - v(frozenset())


@given(games)
@at_most(30)
def test_symmetry_two_that_can_be_exchanged_have_the_same_value(v: ValueFunction) -> None:
    other = {"a": "b", "b": "a"}

    def symmetric(known: frozenset[str]) -> Fraction:
        return v(known) + v(frozenset(other.get(name, name) for name in known))

    found = shapley(symmetric, NAMES)
    assert found["a"] == found["b"]


@given(games)
@at_most(30)
def test_dummy_what_adds_nothing_has_nothing(v: ValueFunction) -> None:
    assert shapley(lambda known: v(known - {"c"}), NAMES)["c"] == 0


@given(games, games, st.integers(-3, 3))
@at_most(30)
def test_linearity_the_values_of_a_sum_are_the_sums_of_the_values(
    v: ValueFunction, w: ValueFunction, times: int
) -> None:
    one, other = shapley(v, NAMES), shapley(w, NAMES)
    both = shapley(lambda known: v(known) + times * w(known), NAMES)
    assert both == {name: one[name] + times * other[name] for name in NAMES}


@given(games)
@at_most(30)
def test_the_laws_alone_determine_the_values(v: ValueFunction) -> None:
    """Every game is a sum of games that are worth something if all of a set are there, and there the laws say it.

    By symmetry and efficiency each of the set has its part, by the dummy law the others have nothing, and by linearity
    the parts are added up.
    """
    worth: dict[frozenset[str], Fraction] = {}
    for known in subsets(NAMES):
        worth[known] = v(known) - sum((worth[part] for part in worth if part < known), Fraction(0))
    parts = {name: sum((worth[S] / len(S) for S in worth if name in S), Fraction(0)) for name in NAMES}
    assert shapley(v, NAMES) == parts


@given(games)
@at_most(30)
def test_interactions_are_symmetric_and_a_row_of_them_adds_up_to_the_value(v: ValueFunction) -> None:
    found, single = interactions(v, NAMES), shapley(v, NAMES)
    for i in NAMES:
        assert sum(found[i, j] for j in NAMES) == single[i]
        assert all(found[i, j] == found[j, i] for j in NAMES)


@given(games)
@at_most(30)
def test_an_interaction_is_half_of_what_one_adds_to_the_value_of_the_other(v: ValueFunction) -> None:
    """The index of i and j is the value of i if j is known, less that if j is unknown, among the others."""
    rest = ("a", "c", "d")
    with_b, without_b = shapley(lambda known: v(known | {"b"}), rest), shapley(v, rest)
    assert interactions(v, NAMES)["a", "b"] == (with_b["a"] - without_b["a"]) / 2


def test_the_glove_game_has_the_values_that_are_printed_everywhere() -> None:
    """Two have a left glove, one a right one; a pair is worth 1."""
    found = shapley(lambda known: Fraction("r" in known and bool(known & {"l", "m"})), ("l", "m", "r"))
    assert found == {"l": Fraction(1, 6), "m": Fraction(1, 6), "r": Fraction(2, 3)}


def test_an_airport_is_paid_for_by_those_who_need_each_part_of_it() -> None:
    """A landing strip costs as much as the longest one that is needed: 8, 11, 13 and 18."""
    costs = {"a": 8, "b": 11, "c": 13, "d": 18}
    found = shapley(lambda known: Fraction(max((costs[name] for name in known), default=0)), NAMES)
    assert found == {"a": 2, "b": 3, "c": 4, "d": 9}


@pytest.mark.parametrize("seed", range(20))
def test_the_values_of_a_tree_add_up_to_its_answer(seed: int) -> None:
    chance = Random(seed)
    term, row = drawn_tree(chance, 3, special=seed % 2 == 1), drawn_row(chance)
    for background in (None, [drawn_row(chance), drawn_row(chance)]):
        v = value_function(term, row, background)
        assert v(frozenset(term.names)) == term.answer(row)
        assert sum(shapley(v, term.names).values()) == term.answer(row) - v(frozenset())


def test_too_many_attributes_are_refused() -> None:
    with pytest.raises(InputError, match="17 attributes, which have too many subsets"):
        shapley(lambda known: Fraction(0), [f"x{number}" for number in range(MOST + 1)])
