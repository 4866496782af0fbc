"""The learners by name: for the command line, for goldens, and to call back the one that grew a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.learners.decision import Learner
from reference_tree.learners.id3 import ID3
from reference_tree.learners.ties import Ties
from reference_tree.tree import Grower

LEARNERS: Mapping[str, type[ID3]] = {"id3": ID3}
"""Name → learner."""


def learner_named(name: str, **options: Any) -> Learner:
    """A learner with the options that are not the default; `choose` and `label` map paths to overrides of ties.

    Raises:
        InputError: there is no learner of this name.

    Example:
        >>> learner_named("id3", max_depth=2).grower().options["max_depth"]
        2
    """
    ties = Ties(options.pop("choose", {}), options.pop("label", {}))
    return _learner(name)(ties=ties, **options)


def learner_of(grower: Grower) -> Learner:
    """The learner that grew a tree, with the same options.

    Raises:
        InputError: the tree was grown by something else.
    """
    return _learner(grower.name).of(grower.options)


def _learner(name: str) -> type[ID3]:
    if name not in LEARNERS:
        raise InputError(f"the learner {name!r} is not one of {', '.join(LEARNERS)}")
    return LEARNERS[name]
