"""Whole trees: whoever grows one is given that of the book, document and all."""

from __future__ import annotations

from typing import Any

import pytest

import reference_tree as rt
from reference_tree.dialects.release8 import near_average
from reference_tree.engine import trees_of_cuts, trees_of_values
from reference_tree.learners import growing
from reference_tree.learners.c45 import above_average, everyone
from reference_tree.learners.place import Place
from reference_tree.twins import by_the_book

BOOK: Any = growing.grown_below


@pytest.mark.parametrize(
    ("learner", "name"),
    [
        (rt.ID3(), "play-tennis"),
        (rt.CART(), "iris"),
        (rt.CART(max_depth=1, criterion="absolute_error"), "cats-regression"),
        (rt.C45(), "golf"),
        (rt.CART(), "golf"),
    ],
)
def test_a_tree_is_that_of_the_book(learner: Any, name: str) -> None:
    table = rt.textbook(name)
    with by_the_book():
        expected = learner.grow(table)
    assert learner.grow(table) == expected
    sample = table.sample()
    assert BOOK(learner, sample, Place.root(sample)) == BOOK.__wrapped__(learner, sample, Place.root(sample))


def test_two_learners_are_grown_in_one_walk() -> None:
    for grown, learner, name in (
        (trees_of_values.grown, rt.ID3(), "play-tennis"),
        (trees_of_cuts.grown, rt.CART(), "iris"),
    ):
        sample = rt.textbook(name).sample()
        assert grown(learner, sample, Place.root(sample)) is not None


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["golf", "iris", "loan-id"])
@pytest.mark.parametrize("contenders", [above_average, everyone, near_average])
def test_each_rule_of_attributes_that_compete_by_ratio(name: str, contenders: Any) -> None:
    learner = rt.C45(contenders=contenders)
    with by_the_book():
        expected = learner.grow(rt.textbook(name))
    assert learner.grow(rt.textbook(name)).nodes == expected.nodes
