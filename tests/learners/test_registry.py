"""The registry: a tree is enough to ask its learner again."""

from __future__ import annotations

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.textbook import textbook
from reference_tree.learners.id3 import ID3
from reference_tree.learners.registry import LEARNERS, defaults, learner_of
from reference_tree.learners.ties import Ties
from reference_tree.tree import Grower


@pytest.mark.parametrize(
    "learner",
    [ID3(), ID3(epsilon=1, max_depth=3, min_samples_leaf=2, ties=Ties(choose={"/": "wind"}, label={"/0": "no"}))],
)
def test_the_learner_that_grew_a_tree_comes_back(learner: ID3) -> None:
    assert learner_of(learner.grower()) == learner


def test_a_tree_leads_to_its_learner() -> None:
    learner = ID3(max_depth=1)
    assert learner_of(learner.grow(textbook("play-tennis")).grower) == learner


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_is_registered_under_the_name_it_records(name: str) -> None:
    assert LEARNERS[name]().grower().name == name
    assert defaults(name) == LEARNERS[name]().grower().options


@pytest.mark.parametrize("name", ["unknown", "ID3", ""])
def test_an_unknown_learner_is_refused_by_name(name: str) -> None:
    with pytest.raises(InputError, match=f"no learner {name!r}; there are id3"):
        learner_of(Grower(name))
    with pytest.raises(InputError, match="there are id3"):
        defaults(name)


def test_options_that_are_not_its_own_are_refused() -> None:
    with pytest.raises(InputError, match="not the options of id3"):
        learner_of(Grower("id3", None, {"depth": 3}))
