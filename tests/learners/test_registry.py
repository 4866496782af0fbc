"""The registry: a tree is enough to ask its learner again."""

from __future__ import annotations

from fractions import Fraction

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45, everyone
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Learner
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Ties
from reference_tree.learners.registry import LEARNERS, defaults, learner_named, learner_of
from reference_tree.tree import Grower
from tests.every import of_every


@of_every(
    [
        ID3(),
        ID3(epsilon=1, max_depth=3, min_samples_leaf=2, ties=Ties(choose={"/": "wind"}, label={"/0": "no"})),
        C45(),
        C45(contenders=everyone),
        C45.like("zhou", min_samples_leaf=2),
        CART(),
        CART.like("cart-1984"),
        CART.like("rpart", epsilon=Fraction(1, 3), max_surrogates=None),
        CART.like("scikit-learn", criterion="entropy", min_impurity_decrease=Fraction(1, 7)),
        CART(priors={"no": 1, "yes": Fraction(1, 3)}, loss={"no": {"yes": 5}, "yes": {}}, losses="generalized-gini"),
        C45.like("li-hang", epsilon=1, max_depth=3, ties=Ties(choose={"/": "x<=1.5"}, label={"/0": "no"})),
    ]
)
def test_the_learner_that_grew_a_tree_comes_back(learner: ID3 | C45 | CART) -> None:
    assert learner_of(learner.grower()) == learner


@pytest.mark.parametrize("learner", [ID3(max_depth=1), C45.like("li-hang", max_depth=1)])
def test_a_tree_leads_to_its_learner(learner: ID3 | C45 | CART) -> None:
    assert learner_of(learner.grow(textbook("play-tennis")).grower) == learner


@of_every(
    [
        (learner_named("c45"), C45()),
        (learner_named("c45", profile="li-hang", max_depth=2), C45.like("li-hang", max_depth=2)),
        (learner_named("c45", profile="zhou", choose={"/": "a"}), C45.like("zhou", ties=Ties(choose={"/": "a"}))),
        (learner_named("id3", epsilon=1, label={"/": "no"}), ID3(epsilon=1, ties=Ties(label={"/": "no"}))),
    ]
)
def test_a_learner_is_asked_for_by_name_and_profile(learner: Learner, expected: Learner) -> None:
    assert learner == expected


def test_a_profile_is_that_of_its_learner() -> None:
    with pytest.raises(InputError, match="there is no profile 'j48' of c45; there are zhou, li-hang"):
        learner_named("c45", profile="j48")
    with pytest.raises(InputError, match="there is no profile 'j48' of id3; there are zhou"):
        learner_named("id3", profile="j48")


def test_a_profile_is_its_options_and_a_name() -> None:
    default, zhou, li_hang = (
        learner_named("c45", **p).grower() for p in ({}, {"profile": "zhou"}, {"profile": "li-hang"})
    )
    assert (default.profile, zhou.profile, li_hang.profile) == (None, "zhou", "li-hang")
    assert default.options == zhou.options
    assert {key for key in zhou.options if zhou.options[key] != li_hang.options[key]} == {"contenders"}


@of_every(LEARNERS)
def test_a_learner_is_registered_under_the_name_it_records(name: str) -> None:
    assert LEARNERS[name]().grower().name == name
    assert defaults(name) == LEARNERS[name]().grower().options


@of_every(["unknown", "ID3", ""])
def test_an_unknown_learner_is_refused_by_name(name: str) -> None:
    with pytest.raises(InputError, match=f"no learner {name!r}.*; there are id3, c45, cart"):
        learner_of(Grower(name))
    with pytest.raises(InputError, match="there are id3"):
        defaults(name)


def test_options_that_are_not_its_own_are_refused() -> None:
    for name in LEARNERS:
        with pytest.raises(InputError, match=f"not the options of {name}"):
            learner_of(Grower(name, None, {"depth": 3}))
    with pytest.raises(InputError, match="not the options of c45"):
        learner_of(Grower("c45", None, ID3().grower().options))


def test_an_option_of_the_programs_goes_with_every_profile() -> None:
    learner = learner_named("c45", profile="zhou", cut_gap=1)
    assert learner.grower().options["cut_gap"] == "1"
    assert learner_of(learner.grower()) == learner
    strict = learner_named("cart", profile="cart-1984", threshold="below")
    assert learner_of(strict.grower()) == strict
