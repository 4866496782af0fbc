"""The engine: fast forms of the few textbook functions that growing a tree spends its time in.

The package is complete without this folder: without it, every tree, tie and golden is the same, only slower. Each
function here replaces a textbook function that `reference_tree.twins.twin` marks, and nothing imports this folder but
the package's own `__init__`.

| textbook function | fast form |
|:--|:--|
| `data.sample.whole_sample` | `store`: rows by number, columns of integers |
| `splitting.missing_rules.without_value` | `store`: only the rows without a value are counted |
| `splitting.continuous_bisection.promising_cuts`, `number_of_cuts` | `bisection`, by estimates of `scans` |
| `splitting.continuous_bisection.values_around` | `bisection`, by ranks |
| `learners.growing.grown_below` | `whole_trees`: ID3, C4.5 and CART without a decision object for each node |
| `learners.gradient_tree.best_splits` | `gradient_scans` |
| `ensembles.derivatives.derived`, `ensembles.gradient_boosting.updated_margins` | `margins`: integers of a grid |
| `splitting.multiway.best_multiway` | `counting` |
| `splitting.ordered_subsets.promising_subsets` | `subsets`: only the best sets of values are named |
| `splitting.corner_subsets.corners` | `corners`: a line that turns through the plane, one dimension earlier |
| `learners.criteria.by_values`, `deviations` | `medians` |
| `splitting.candidate.decisive_score` | `enclosed_scores`: numbers that are worked out only where needed |
| `splitting.missing_values.branch_shares` | `whole_rows`: the same; quotients are multiplied out on demand |
| `pruning.cost_complexity.weakest_first` | `weakest_links`: a priority queue of links, by integer bounds on their g |
| `pruning.error_based.arriving` | `raised_branches`: rows already counted in a branch are not sent down it again |
| `routing.ends`, `tree.ends_of_row` | `walks`: rows that go down in one loop, cell by cell |
| `attribution.shapley.values_of`, `interactions_of`, `attribution.attributions.nearest_values` | `pattern_tables` |
| `exact.log_sums.log` of these quotients | `long_logarithms` |
"""

from reference_tree.engine import (
    bisection,
    corners,
    counting,
    enclosed_scores,
    gradient_scans,
    long_logarithms,
    margins,
    medians,
    pattern_tables,
    raised_branches,
    store,
    subsets,
    walks,
    weakest_links,
    whole_rows,
    whole_trees,
)

__all__ = [
    "bisection",
    "corners",
    "counting",
    "enclosed_scores",
    "gradient_scans",
    "long_logarithms",
    "margins",
    "medians",
    "pattern_tables",
    "raised_branches",
    "store",
    "subsets",
    "walks",
    "weakest_links",
    "whole_rows",
    "whole_trees",
]
