"""Whole trees: grown in one walk, for learners that need only the best test at each node.

Most nodes of a tree are small. There a place, a decision and its candidates take several times as long as the test
itself, and the tree keeps only the test. So the textbook learners make nodes directly from rows: `trees_of_values`
for ID3, `trees_of_ratios` for C4.5, and for CART without missing values `trees_of_cuts` if all attributes are numbers,
`trees_of_bits` if these have few values, `trees_of_sets` if there are categories, perhaps beside such numbers; and
`trees_of_gradients` for boosting on numbers.
Where estimates do not settle the test of a node, the learner decides it, as it decides every node of other trees.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from reference_tree.data.sample import Sample
from reference_tree.engine import (
    trees_of_bits,
    trees_of_cuts,
    trees_of_gradients,
    trees_of_ratios,
    trees_of_sets,
    trees_of_values,
)
from reference_tree.learners import growing
from reference_tree.learners.decision import Learner
from reference_tree.learners.place import Place
from reference_tree.tree import Tree
from reference_tree.twins import fast_form_of


@fast_form_of(growing.grown_below)
def grown_below(learner: Learner, sample: Sample, place: Place, progress: Callable[[int], None] | None = None) -> Tree:
    """The tree that a learner grows from the rows at a place."""
    with no_search_for_cycles():
        for grown in (
            trees_of_values.grown,
            trees_of_ratios.grown,
            trees_of_bits.grown,
            trees_of_cuts.grown,
            trees_of_sets.grown,
            trees_of_gradients.grown,
        ):
            if (nodes := grown(learner, sample, place, progress)) is not None:
                return Tree(sample.schema.target, sample.schema.attributes, tuple(nodes), learner.grower())
        return growing.grown_below.__wrapped__(learner, sample, place, progress)  # type: ignore[attr-defined,no-any-return]


@contextmanager
def no_search_for_cycles() -> Iterator[None]:
    """Suspend Python's garbage collection of cycles.

    Each collection looks at all objects there are; growing makes thousands that stay, and none of them is in a cycle.
    """
    searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searched:
            gc.enable()
