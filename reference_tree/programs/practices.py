"""Practices: the records of all programs whose trees are audited against a learner.

1. `practice_of` finds that of the program of a tree, and `practice_like` that of a profile.
2. What a program has beyond its record is named here as well: the learner that replays draws, the impurity that counts
   as none, and what the weights of rows may have decided. So an audit asks this module and no folder of a program.
"""

from __future__ import annotations

from collections.abc import Mapping

from reference_tree.programs.c45.practice import RELEASE_8
from reference_tree.programs.practice import Practice
from reference_tree.programs.rpart.practice import RPART
from reference_tree.programs.scikit_learn.draws import DrawnByProgram
from reference_tree.programs.scikit_learn.members import class_texts
from reference_tree.programs.scikit_learn.objects import EPSILON
from reference_tree.programs.scikit_learn.practice import SCIKIT_LEARN
from reference_tree.programs.scikit_learn.row_weights import WeighedRows, by_class, possible_rows
from reference_tree.programs.scikit_learn.training import SHARE_OF_WEIGHT, part_of, replayed
from reference_tree.programs.spark.practice import SPARK
from reference_tree.programs.weka.practice import J48, WEKA_ID3
from reference_tree.tree import Tree

PRACTICES: Mapping[str, Practice] = {one.program: one for one in (SCIKIT_LEARN, RPART, J48, WEKA_ID3, RELEASE_8, SPARK)}
"""Program → its practice."""

NONE = Practice()
"""The practice of this package, and of a program that is not known."""


def practice_of(tree: Tree) -> Practice:
    """The practice of the program that grew a tree.

    Example:
        >>> import reference_tree as rt
        >>> practice_of(rt.CART().grow(rt.textbook("golf"))) == NONE
        True
    """
    return NONE if tree.program is None else PRACTICES.get(tree.program.name, NONE)


def practice_like(profile: str | None) -> Practice:
    """The practice of the program whose dialect a profile is.

    Example:
        >>> practice_like("rpart").price, practice_like(None).price
        ('cp', '')
    """
    return next((one for one in PRACTICES.values() if profile and one.profile == profile), NONE)


__all__ = [
    "EPSILON", "NONE", "PRACTICES", "SHARE_OF_WEIGHT", "DrawnByProgram", "WeighedRows", "by_class", "class_texts",
    "part_of", "possible_rows", "practice_like", "practice_of", "replayed",
]  # fmt: skip
