"""The registry: the learners of ensembles by the names that a document records."""

from __future__ import annotations

from collections.abc import Mapping

from reference_tree.data.errors import InputError, no_such
from reference_tree.ensembles.adaboost import AdaBoost
from reference_tree.ensembles.bagging import Bagging
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.ensembles.learner import EnsembleLearner
from reference_tree.ensembles.random_forest import RandomForest
from reference_tree.learners.recorded import Recorded
from reference_tree.learners.registry import FITTED, LEARNERS
from reference_tree.tree import Grower

ENSEMBLES: Mapping[str, type[EnsembleLearner]] = {
    learner.name: learner for learner in (Bagging, RandomForest, AdaBoost, BoostingTree, GradientBoosting)
}
"""Name → the class, whose `of` takes the options of a document, and whose fields have the defaults."""

# One space of names: a document does not say whether its learner grows a tree or an ensemble.
RECORDED: Mapping[str, type[Recorded]] = {**LEARNERS, **FITTED, **ENSEMBLES}
"""Every learner that a document or a golden can name."""


def ensemble_learner_of(grower: Grower) -> EnsembleLearner:
    """The learner that grew an ensemble, with its options.

    Raises:
        InputError: no learner has this name, or these are not its options.

    Example:
        >>> ensemble_learner_of(RandomForest(trees=7).grower()) == RandomForest(trees=7)
        True
        >>> ensemble_learner_of(Grower("forrest"))
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: there is no ensemble 'forrest' (did you mean forest?); there are ...
    """
    if grower.name not in ENSEMBLES:
        raise InputError(no_such("ensemble", grower.name, ENSEMBLES))
    return ENSEMBLES[grower.name].of(grower.options)
