"""XGBoost: how the program differs from the gradient tree of the paper.

The learner is that of the book, and the profile a list of options.

| profile | whose |
|:--|:--|
| `xgboost` | XGBoost's trees, `tree_method="exact"` |

It asks `<` where the book asks `≤`, and a split has to gain more than 10⁻⁶. What it computes in float32 is exact here:
values and thresholds, derivatives, sums and gains. Its own draws cannot be had, for they are those of its generator.
"""

from __future__ import annotations

from fractions import Fraction

from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.options import Profile

GradientTree.profiles |= {
    "xgboost": Profile(GradientTree, {"epsilon": Fraction(1, 10**6), "threshold": "below"}),
}
