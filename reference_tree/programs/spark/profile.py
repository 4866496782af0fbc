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
    # Spark sums weights in doubles; here they are exact.
    values, weights = found.values, [Fraction(weight(row)) for row in found.rows]
    between = [midpoint(low, high) for low, high in pairwise(values)]
    # There are no more candidates than bins: none has to be left out.
    if len(between) < most:
        return between
    # A bin should hold this weight. The walk puts an end wherever the sum so far is nearest to the next multiple.
    stride = sum(weights, Fraction(0)) / most
    ends, reached, wanted = list[Rational](), weights[0], stride
    for place, added in enumerate(weights[1:]):
        before, reached = reached, reached + added
        # The value before was nearer to the target than this one is, so the end lies between the two.
        if abs(before - wanted) < abs(reached - wanted):
            ends.append(between[place])
            wanted += stride
    return ends


DEFAULTS: Mapping[str, Any] = {
    # The defaults of DecisionTreeParams (seen in 4.3.0).
    "max_depth": 5,
    "min_samples_split": 0,
    "zero_gain": "stops",
    # Two classes: categories in the order of the weight of the second class.
    "subsets": "by-weight",
    # NaN is at most no number, so it takes the second branch.
    "missing": "branch",
    # pruneTree: sibling leaves of one prediction become their parent.
    "merge_leaves": True,
}
"""The defaults of Spark, apart from the bins, which depend on the rows."""

CART.profiles |= {"spark": Profile(ProgramCART, DEFAULTS)}
