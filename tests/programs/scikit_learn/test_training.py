"""RowBounds of scikit-learn are shares, or numbers of rows; what it drew is replayed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import reference_tree as rt
from reference_tree.programs.scikit_learn.draws import DrawnByProgram, RowBounds
from reference_tree.programs.scikit_learn.training import SHARE_OF_WEIGHT, bounded, of_shares, part_of, replayed

GOLF = rt.textbook("golf")
TREE = rt.CART().grow(GOLF)
HALVES = replace(GOLF, weights=[Fraction(1, 2)] * len(GOLF))


def test_a_share_is_multiplied_in_doubles() -> None:
    assert part_of(Fraction("0.1"), 30) == 0.1 * 30 == 3
    assert part_of(Fraction("0.7"), 10) == Fraction(0.7 * 10)


def test_a_share_of_the_weight_is_from_zero_to_below_one() -> None:
    _, least = of_shares(rt.CART(), {SHARE_OF_WEIGHT: "0.25"}, GOLF, HALVES)
    assert least == Fraction(7, 4)
    with pytest.raises(rt.InputError, match="it is a share of the weight, from 0 to below 1"):
        of_shares(rt.CART(), {SHARE_OF_WEIGHT: "1"}, GOLF, GOLF)


def test_bounds_count_rows_whatever_they_weigh() -> None:
    learner = rt.CART(min_samples_leaf=3)
    assert bounded(learner, TREE, {}, GOLF, GOLF) is learner
    counting = bounded(learner, TREE, {}, HALVES, HALVES)
    assert isinstance(counting, DrawnByProgram)
    assert counting.bounds == RowBounds(2, 3)


def test_draws_that_speak_of_another_tree_are_refused() -> None:
    assert replayed(rt.CART(), TREE, {}, GOLF) == rt.CART()
    drawn = {"draws": {"trees": [{"seed": 7}], "most": 2}}
    assert isinstance(replayed(rt.CART(), TREE, drawn, GOLF), DrawnByProgram)
    with pytest.raises(rt.InputError, match="what was drawn for the tree is not stated as it should be"):
        replayed(rt.CART(), TREE, drawn, GOLF, 1)
