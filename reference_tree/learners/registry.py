"""The registry: the learners by the names that a tree document records.

A tree records its learner and all options, which is enough to run the same learner again at any of its nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from reference_tree.data.errors import InputError, no_such
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.id3 import ID3
from reference_tree.learners.optimal import Optimal
from reference_tree.learners.options import Options
from reference_tree.learners.place import Ties
from reference_tree.tree import Grower

LearnerClass: TypeAlias = type[ID3] | type[C45] | type[CART] | type[Optimal] | type[GradientTree]

LEARNERS: Mapping[str, LearnerClass] = {"id3": ID3, "c45": C45, "cart": CART, "optimal": Optimal}
"""Name → the class, whose `of` takes the options of a document, and whose fields have the defaults."""

FITTED: Mapping[str, LearnerClass] = {"gradient-tree": GradientTree}
"""The learners whose trees are fitted to derivatives of a loss, within an ensemble."""

PRUNING = "pruning"
"""The name by which a grower records how its tree was pruned afterwards; it is no option of the learner."""


def learner_of(grower: Grower) -> Options:
    """The learner that grew a tree, with its options.

    Args:
        grower: the tree's record of its learner. A later pruning makes no difference.

    Raises:
        InputError: no learner has this name, or these are not its options.

    Example:
        >>> learner_of(ID3(max_depth=1).grower()) == ID3(max_depth=1)
        True
        >>> learner_of(Grower())
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: there is no learner 'unknown'; there are id3, c45, cart, optimal
    """
    # A pruned tree is still one of its learner; what pruning did stands beside the options.
    options = {name: value for name, value in grower.options.items() if name != PRUNING}
    return _class_of(grower.name).of(options, grower.profile)


def learner_named(name: str, **options: Any) -> Options:
    """A learner with the given options, the others by default; `choose` and `label` are overrides of ties by path.

    Raises:
        InputError: no learner has this name, or it has no such profile.

    Example:
        >>> learner_named("id3", max_depth=2, choose={"/": "wind"}).grower().options["ties"]["at"]
        {'/': {'choose': 'wind'}}
    """
    ties = Ties(options.pop("choose", {}), options.pop("label", {}))
    profile = options.pop("profile", None)
    if profile is None:
        return _class_of(name).with_options(ties=ties, **options)
    return _class_of(name).like(profile, ties=ties, **options)


def defaults(name: str) -> Mapping[str, Any]:
    """The default options of a learner.

    Raises:
        InputError: no learner has this name.

    Example:
        >>> defaults("id3")["epsilon"]
        '0'
    """
    return _class_of(name)().grower().options


def _class_of(name: str) -> LearnerClass:
    # Learners that are fitted within an ensemble are found, but not offered: nobody grows a tree by them alone.
    classes = {**LEARNERS, **FITTED}
    if name not in classes:
        raise InputError(no_such("learner", name, LEARNERS))
    return classes[name]
