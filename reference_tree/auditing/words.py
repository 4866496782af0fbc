"""Words: the options of other programs, by the names that they have there.

| word | program | here |
| --- | --- | --- |
| `maxdepth` | rpart | `max_depth` |

`WORDS` is the record; the table of the page and what an option is taken for are views of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.auditing.boosters import PARAMETERS
from reference_tree.data.errors import InputError
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.learners.decision import Learner
from reference_tree.learners.options import Options
from reference_tree.tree import Tree


def first_of(tree: Tree | Ensemble) -> Tree:
    """The tree, or the first one of an ensemble."""
    return tree if isinstance(tree, Tree) else tree.members[0].tree


def with_told(tree: Tree | Ensemble, told: Mapping[str, Any]) -> Tree | Ensemble:
    return tree


def with_words(learner: Learner, given: Mapping[str, Any]) -> tuple[Learner, dict[str, Any]]:
    return learner, {}
