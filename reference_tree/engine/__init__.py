"""The engine: fast forms of the few textbook functions that growing a tree spends its time in.

The package is complete without this folder. Take it away and every tree, tie and golden is the same; only slower. What
is here answers in the place of a textbook function that `reference_tree.twins.twin` marks, and nothing imports it but
the package's own `__init__`.

| textbook function | fast form |
|:--|:--|
| `data.weighted_rows.whole_sample` | `store`: rows by number, columns of integers |
| `learners.missing_rules.without_value` | `store`: no other rows are counted |
| `splitting.continuous_bisection.promising_cuts`, `number_of_cuts` | `bisection`, by estimates of `scans` |
| `learners.growing.grown_below` | `whole_trees`: ID3, C4.5 and CART without a decision of each node |
| `learners.gradient_tree.best_splits` | `gradient_scans` |
| `splitting.multiway.best_multiway` | `counting` |
| `learners.criteria.by_values`, `deviations` | `medians` |
| `splitting.candidate.decisive_score` | `enclosed_scores`: numbers that are worked out only if they have to be |
| `splitting.candidate.barring_rule` | `whole_rows`: whole units of weight instead of fractions |
| `splitting.missing_values.branch_shares` | `whole_rows`: the same; quotients are multiplied out on demand |
| `pruning.cost_complexity.weakest_first` | `weakest_links`: the links in line, by integers around their g |
| `pruning.error_based.arriving` | `raised_branches`: rows that go where they went are not sent down again |
| `exact.log_sums.log` of these | `long_logarithms` |
"""

from reference_tree.engine import (
    bisection,
    counting,
    enclosed_scores,
    gradient_scans,
    long_logarithms,
    medians,
    raised_branches,
    store,
    weakest_links,
    whole_rows,
    whole_trees,
)

__all__ = [
    "bisection",
    "counting",
    "enclosed_scores",
    "gradient_scans",
    "long_logarithms",
    "medians",
    "raised_branches",
    "store",
    "weakest_links",
    "whole_rows",
    "whole_trees",
]
