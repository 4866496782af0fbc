"""The faults: what implementers of decision trees get wrong, each with the cases that are about it.

`FREE` are not faults: they are choices that every program may make otherwise, and no case may blame.
"""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """A fault that can be planted."""

    name: str
    what: str
    """What is done, in a line."""
    cases: tuple[str, ...] = ()
    """Those that are about it: each notices it."""


def _read(text: str) -> tuple[Fault, ...]:
    """A line a fault: name | what | cases."""
    fields = [[field.strip() for field in line.split("|")] for line in text.strip().splitlines()]
    return tuple(Fault(name, what, tuple(cases.split())) for name, what, cases in fields)


FAULTS = _read(
    """
natural-logarithm | entropies are in nats, not in bits | formula/entropy-play-tennis
logarithm-to-base-k | an entropy is divided by log2 K, as if its largest value were always 1 | formula/entropy-five-classes
smoothed-logarithm | log2(p + 1e-10) instead of leaving out classes that are not there | formula/entropy-pure
difference-of-logarithms | log2 n - Σ k log2 k / n, which is not 0 of every pure sample in doubles | formula/entropy-ten-of-a-class
gini-n-minus-1 | the Gini value is multiplied by n / (n - 1) | formula/gini-play-tennis
gini-of-two-classes | 2p(1 - p), whatever the number of classes | formula/gini-three-classes classes/three-by-subsets
variance-n-minus-1 | the variance is divided by n - 1 | formula/variance-cats
mean-for-median | the absolute error is taken from the mean | formula/absolute-deviation regression/cats-absolute-error
unweighted-branches | the impurities of the branches are averaged without their weights | formula/conditional-entropy-outlook
gain-over-entropy | the gain is divided by H(D), not by the split information | formula/gain-ratio-outlook c45/loan-by-id-plain-ratio
no-average | C4.5 without its average: every attribute may compete | c45/golf classes/five
above-the-average | only a gain above the average may compete, so that of equal ones none may | c45/equal-gains
average-of-all-cuts | each cut of a number counts in the average, not each attribute once | c45/golf
average-with-the-barred | an attribute that cannot split counts as a gain of 0 in the average | c45/average-and-a-constant
cut-by-ratio | the cut of the best ratio stands for a number, not that of the best gain | c45/golf-plain-ratio
epsilon-for-the-gain | C4.5 holds ε against the gain, not against the ratio | c45/half-of-it-missing
upper-value-as-threshold | a threshold is the upper of the two values, with ≤: a gap off | regression/li-hang-5.2
threshold-rounded | a threshold is rounded to a whole number | cart/watermelon-3.0a
last-cut-missed | the last gap is not tried | c45/golf-plain-ratio
cut-used-once | a number that was cut is not cut again below | cart/watermelon-3.0a
attribute-used-again | an attribute with a branch for each value stays among those that are left | stops/every-attribute-used
constant-competes | a question that parts nothing competes, with a gain of 0 | id3/exclusive-or-and-a-constant
multiway-for-binary | CART makes a branch for each value | cart/play-tennis
one-against-the-rest-for-subsets | CART tries single values alone, not sets of them | classes/three-by-subsets
subsets-in-the-order-of-one-class | sets of values are tried in the order of one class alone, which is enough of two | classes/three-by-subsets
no-empty-leaves | a declared value without a row gets no branch | id3/watermelon-2.0
empty-leaf-says-the-first-class | an empty leaf says the first class, not what its parent would | id3/watermelon-2.0
empty-branches-are-small | an empty branch has fewer rows than a branch needs | stops/fewer-rows-than-a-branch-needs
min-samples-split-ignored | a node splits however few rows it has | stops/fewer-rows-than-a-split-needs
min-samples-split-off-by-one | a node of just enough rows does not split | stops/fewer-rows-than-a-split-needs
min-samples-leaf-ignored | a branch may have however few rows | stops/fewer-rows-than-a-branch-needs
min-samples-leaf-off-by-one | a branch of just enough rows is too small | stops/fewer-rows-than-a-branch-needs
max-depth-off-by-one | the root has depth 1 | id3/play-tennis-one-level
depth-before-purity | the bounds are asked before purity | stops/pure-and-deepest
pure-by-entropy | a node is pure where log2 n - Σ k log2 k / n is 0 | stops/ten-of-a-class
epsilon-ignored | a split is made whatever its gain | id3/play-tennis-epsilon
epsilon-strict | a gain of exactly ε does not split | id3/visitor
zero-gain-in-floats | a gain of 0 that comes out below 0 in doubles does not split | stops/gain-below-zero-in-floats
zero-gain-stops | a gain of 0 never splits | id3/exclusive-or
decrease-of-the-node | what a split takes away is not weighed by the node's share of all rows | cart/golf-decrease
decrease-strict | a split that takes away exactly as much as is asked is not made | stops/as-much-as-asked
row-weights-ignored | every row counts as one | weights/bound-of-a-branch weights/numbers weights/bound-of-a-split
rows-for-weight | a bound on weights counts rows | weights/bound-of-a-split
rho-forgotten | the gain is not multiplied by the share of rows that answer | missing/share-of-the-gain
missing-rows-in-the-entropy | H(D) is of all rows, not of those that answer | missing/share-of-the-gain
unknown-in-the-split-information | rows without an answer are a branch of their own in the split information | missing/share-of-the-ratio
weights-set-anew | a row that is divided again gets the share of the last branch alone as its weight | missing/two-gaps-on-a-path
shares-of-rows | the share of a branch is one of rows, not of weights | missing/weighted-shares
equal-shares | a row without an answer is divided evenly | missing/share-of-the-gain
missing-rows-dropped | a row without an answer goes nowhere | missing/share-of-the-gain
missing-rows-whole | a row without an answer goes down every branch as a whole | missing/share-of-the-gain
missing-rows-to-the-largest | a row without an answer takes the largest branch | missing/share-of-the-gain
strict-threshold | a row on the threshold goes with the larger values | predict/on-the-threshold
unseen-takes-the-first-branch | a value that no branch is there for takes the first one | predict/unseen-value
empty-leaf-is-uniform | the distribution of an empty leaf is uniform | predict/empty-branch
weights-set-anew-in-prediction | a row that is divided again gets the share of the last branch alone | predict/two-gaps
counts-mixed | the counts of the leaves are mixed, not their distributions | predict/two-gaps
votes-of-leaves | the classes of the leaves are mixed, not their distributions | predict/two-gaps
largest-branch-in-prediction | a row without an answer takes the largest branch | predict/two-gaps
missing-stays-in-prediction | a row without an answer ends where it is asked | predict/larger-branch predict/two-gaps
empty-leaves-cost | a leaf without rows costs α | prune/watermelon-2.0-cost-function
cost-of-shares | the cost of a leaf is its entropy times its share of the rows, not its rows | prune/play-tennis-cost-function
cost-of-every-node | α is charged for every node, not for every leaf | prune/play-tennis-cost-function
cost-strict | where both cost the same the subtree stays | prune/equal-costs
risk-by-gini | R(t) is the Gini value of a leaf, not its errors | prune/iris-cost-complexity
risk-not-normalised | R(t) counts rows, not shares of all | prune/iris-cost-complexity
price-by-leaves | g is divided by the number of leaves, not by one less | prune/iris-cost-complexity
one-link-at-a-time | of several weakest links one is cut, and the next step has the same α | prune/watermelon-2.0-weakest-links-together
alpha-strict | for an α at which a step is made the tree before it is taken | prune/iris-cost-complexity
label-of-the-validation-rows | a pruned node has the majority of the validation rows | prune/bottom-up-is-optimal
equal-errors-the-other-way | where both err alike it is done the other way | prune/watermelon-2.0-post-pruning-ties-prune
top-down | a node is judged before those below it | prune/bottom-up-is-optimal
best-first-for-bottom-up | the node that helps most is pruned first | prune/bottom-up-is-optimal
shallowest-first | of nodes that help alike the one nearest to the root is pruned | prune/watermelon-2.0-best-first
two-sided-confidence | the deviate is that of half the confidence | prune/education-error-based
no-correction-for-continuity | half an error is not added | prune/raised-branch
no-tenth-of-an-error | a smaller tree may not be worse by a tenth of an error | prune/watermelon-2.0a-error-based
first-of-the-largest | of equally large branches the first is raised | prune/golf-error-based
raised-without-the-others | a raised branch is judged by its own rows | prune/raised-branch
equal-errors-split | pre-pruning splits where that changes nothing | prune/exclusive-or-pre-pruning
"""
)

FREE = _read(
    """
last-of-equal-questions | of equal questions the last one is asked, of equal cuts the highest | c45/cats
last-of-equal-classes | of equal majorities the last class is the label | id3/exclusive-or
lower-value-as-threshold | a threshold is the lower of the two values, as C4.5 stores it | c45/cats
"""
)
