"""XGBoost: the differences of the program from the gradient tree of the paper.

The learner is that of the paper, and the profile is a list of options.

| profile | whose |
|:--|:--|
| `xgboost` | XGBoost's trees, `tree_method="exact"` |

It tests `<` instead of `≤`, and a split has to gain more than 10⁻⁶. Its float32 computations are exact here: values and
thresholds, derivatives, sums and gains. Its own draws cannot be reproduced, as they depend on its generator.
"""

from __future__ import annotations

from fractions import Fraction

from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.options import Profile

GradientTree.profiles |= {
    "xgboost": Profile(GradientTree, {"epsilon": Fraction(1, 10**6), "threshold": "below"}),
}
