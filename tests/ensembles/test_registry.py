"""The registry: who grew an ensemble can be asked again."""

from __future__ import annotations

import pytest

from reference_tree.data.errors import InputError
from reference_tree.ensembles.registry import ENSEMBLES, ensemble_learner_of
from reference_tree.tree import Grower
from tests.every import of_every


@of_every(ENSEMBLES)
def test_a_learner_of_each_name_is_found_again(name: str) -> None:
    learner = ENSEMBLES[name]()
    assert learner.grower().name == name
    assert ensemble_learner_of(learner.grower()) == learner


def test_what_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="there is no ensemble 'unknown'"):
        ensemble_learner_of(Grower())
    with pytest.raises(InputError, match="these are not the options of bagging: the option 'trees' is absent"):
        ensemble_learner_of(Grower("bagging", options={}))
