"""Whole trees: whoever grows one is given that of the book, document and all."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.engine import trees_of_cuts, trees_of_values
from reference_tree.learners import growing
from reference_tree.learners.c45 import above_average, everyone
from reference_tree.learners.place import Place
from reference_tree.programs.c45.release8 import near_average
from reference_tree.twins import by_the_book
from tests.every import of_every

BOOK: Any = growing.grown_below


@of_every(
    [
        (rt.ID3(), "play-tennis"),
        (rt.CART(), "iris"),
        (rt.CART(max_depth=1, criterion="absolute_error"), "cats-regression"),
        (rt.C45(), "golf"),
        (rt.CART(), "golf"),
    ]
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
    learner = rt.C45.with_options(contenders=contenders)
    with by_the_book():
        expected = learner.grow(rt.textbook(name))
    assert learner.grow(rt.textbook(name)).nodes == expected.nodes


@pytest.mark.slow
@given(
    st.sampled_from(
        [
            (rt.CART(), "iris"),
            (rt.CART(min_samples_leaf=3, criterion="entropy"), "iris"),
            (rt.CART(criterion="absolute_error"), "cats-regression"),
            (rt.CART(), "li-hang-5.2"),
            (rt.CART(max_depth=2), "golf"),
            (rt.C45(), "golf"),
            (rt.C45(), "iris"),
            (rt.C45(), "watermelon-2.0a"),
            (rt.ID3(), "play-tennis"),
            (rt.ID3(), "watermelon-2.0"),
        ]
    ),
    st.sampled_from([1, "sqrt", 3, "all"]),
    st.sampled_from(["draw-on", "leaf"]),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_a_tree_of_drawn_attributes_is_that_of_the_book(
    case: tuple[Any, str], attributes: Any, otherwise: Any, resample: bool, seed: int
) -> None:
    forest = rt.RandomForest(
        base=case[0], trees=2, attributes=attributes, otherwise=otherwise, resample=resample, seed=seed
    )
    with by_the_book():
        expected = forest.grow(rt.textbook(case[1]))
    assert rt.to_json(forest.grow(rt.textbook(case[1]))) == rt.to_json(expected)


def test_drawn_attributes_are_taken_by_each_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing.grown_below, "__wrapped__", None)
    for base, name in ((rt.ID3(), "play-tennis"), (rt.CART(), "iris")):
        rt.RandomForest(base=base, trees=1).grow(rt.textbook(name))
