"""Priors and costs that rpart prints are found again."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import reference_tree as rt
from reference_tree.programs.rpart.practice import costs_of, costs_shown, priors_shown
from reference_tree.programs.rpart.tables import PRIORS
from reference_tree.tree import Grower

TREE = rt.CART().grow(rt.textbook("golf"))


def test_priors_stand_in_the_order_of_the_names() -> None:
    told = replace(TREE, grower=Grower(options={PRIORS: ["0.333333333", "0.666666667"]}))
    assert priors_shown(told) == dict(zip(sorted(TREE.target.domain), (Fraction(1, 3), Fraction(2, 3)), strict=True))
    assert not priors_shown(TREE)
    assert not costs_shown(TREE)


def test_a_cost_that_is_known_shows_another_one() -> None:
    losses = [("a", "10", "9", "2", "0"), ("a", "17", "9", "2", "1")]  # b costs 5, and so c costs 7
    assert costs_of("abc", losses) == {("b", "a"): 5, ("c", "a"): 7}
    assert not costs_of("ab", [("a", "-2", "9", "2")])
