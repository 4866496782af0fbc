"""The profile `spark`: CART as the trees of Spark MLlib have it, and the bins between which they look for thresholds.

The bins depend on the rows, so they are no part of the profile: `bin_ends` finds their ends, and the option `cuts`
takes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from reference_tree.data.sample import Counts, Ordered
from reference_tree.exact.rationals import Rational
from reference_tree.learners.cart import CART
from reference_tree.learners.options import Profile
from reference_tree.programs.cart_options import ProgramCART
from reference_tree.splitting.continuous_bisection import midpoint


def bin_ends(found: Ordered, weight: Callable[[Counts], Rational], most: int) -> Sequence[Rational]:
    """The thresholds that Spark looks for before it grows a tree: between two values, so that bins have equal weight.

    Args:
        found: the values of an attribute, each with its rows.
        weight: the weight of rows.
        most: the largest number of bins.

    Example:
        >>> from reference_tree.data.table import Table
        >>> sample = Table.from_columns({"x": [1, 2, 3, 4, 5, 6], "y": [*"aabbab"]}).sample()
        >>> bin_ends(sample.ordered("x"), sample.target.weight, 3)
        [Fraction(5, 2), Fraction(9, 2)]
    """
    values, weights = found.values, [Fraction(weight(row)) for row in found.rows]
    between = [midpoint(low, high) for low, high in pairwise(values)]
    if len(between) < most:
        return between
    stride = sum(weights, Fraction(0)) / most
    ends, reached, wanted = list[Rational](), weights[0], stride
    for place, added in enumerate(weights[1:]):
        before, reached = reached, reached + added
        if abs(before - wanted) < abs(reached - wanted):
            ends.append(between[place])
            wanted += stride
    return ends


DEFAULTS: Mapping[str, Any] = {
    "max_depth": 5,
    "min_samples_split": 0,
    "zero_gain": "stops",
    "subsets": "by-weight",
    "missing": "branch",
    "merge_leaves": True,
}
"""The defaults of Spark, apart from the bins, which depend on the rows."""

CART.profiles |= {"spark": Profile(ProgramCART, DEFAULTS)}
