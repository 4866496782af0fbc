"""The profile `rpart`: CART as R's rpart has it by default, by the options of `reference_tree.programs.cart_options`.

The bounds of `rpart.control` are `min_samples_split` (minsplit), `min_samples_leaf` (minbucket) and `max_depth`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from reference_tree.exact.rationals import exactly
from reference_tree.learners.cart import CART
from reference_tree.learners.options import Profile
from reference_tree.programs.cart_options import ProgramCART

# Each option was seen in 4.1.19. The bounds are those of rpart.control(); cp is no option here, since it prunes.
DEFAULTS: Mapping[str, Any] = {
    # rpart numbers the nodes below n as 2n and 2n + 1, which bounds its depth.
    "max_depth": 30,
    # minsplit.
    "min_samples_split": 20,
    # minbucket = round(minsplit/3).
    "min_samples_leaf": 7,
    "zero_gain": "stops",
    # A number is tested by `<`.
    "threshold": "below",
    "subsets": "ordered",
    # surrogatestyle = 0: a surrogate without an outcome counts as wrong.
    "agreement": "primary-known",
    # A surrogate cut sends at least two rows each way.
    "surrogate_minimum": 2,
    "max_surrogates": 5,
    "surrogate_errors": 2,
    # A category that no row at the node has takes neither side of a surrogate.
    "surrogate_unseen": "nothing",
    "always_surrogates": True,
}
"""The defaults of rpart."""


def linked(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The bound that rpart takes if only the other one is given: minbucket is a third of minsplit, rounded.

    Example:
        >>> linked({"min_samples_leaf": 20}), linked({"min_samples_split": 6}), linked({"max_depth": 3})
        ({'min_samples_split': 60}, {'min_samples_leaf': 2}, {})
    """
    # rpart.control: each bound follows from the other one, and both have defaults of their own only if neither is
    # given.
    split, least = (given.get(name) for name in ("min_samples_split", "min_samples_leaf"))
    if least is not None and split is None:
        return {"min_samples_split": 3 * exactly(least)}
    if split is not None and least is None:
        return {"min_samples_leaf": round(Fraction(exactly(split)) / 3)}
    return {}


CART.profiles |= {"rpart": Profile(ProgramCART, DEFAULTS, linked)}
