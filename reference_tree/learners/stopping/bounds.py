"""Bounds: the stopping rules of the books and the programs.

Each rule is a small predicate with its record. They are checked in the order of the records, so a pure node is `pure`
whatever else holds. Rules about a single candidate (a branch too small, nothing to separate) are in
`splitting.candidate`.

All bounds are decided exactly: a tree of maximum depth d has no node deeper than d, with the root at 0; a node splits
if it has at least the minimum of samples; a score equal to ε is enough.
"""

from __future__ import annotations

from fractions import Fraction

from reference_tree.data.sample import Counts
from reference_tree.data.targets import Target
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.learners.place import Place
from reference_tree.learners.stopping.rule import StoppingRule


def is_empty(counts: Counts) -> bool:
    """Whether no row arrives: the rule `empty`.

    Example:
        >>> is_empty((0, 0))
        True

    Source:
        [N2 §1 case 3]
    """
    return not any(counts)


def is_pure(target: Target, counts: Counts) -> bool:
    """Whether all rows have one class, or one number: the rule `pure`.

    Example:
        >>> from reference_tree.data.targets import Classes
        >>> play = Classes(("no", "yes"))
        >>> is_pure(play, (0, 4)), is_pure(play, (1, 4))
        (True, False)

    Source:
        [N0 EN §3.1 step (1)], [N1 §1.4 step 1], [N2 §1 case 1], [N4 Learning Process: one class]
    """
    return target.is_pure(counts)


def is_exhausted(place: Place) -> bool:
    """Whether every attribute has been used up on the way: the rule `no-attributes`.

    Source:
        [N0 EN §3.1 step (2)], [N1 §1.4 step 2], [N2 §1 case 2]. N2 says 未空 (not yet empty) for 为空 (empty).
    """
    return not place.available


def is_deepest(place: Place, max_depth: int | None) -> bool:
    """Whether children would lie deeper than the maximum: the rule `max-depth`. The root has depth 0.

    Source:
        [N4 Learning Process: maximum depth], [N4 Learning Process: why limit the depth]. N4 leaves open where depth
        starts.
    """
    return max_depth is not None and place.depth + 1 > max_depth


def is_small(weight: Rational, min_samples_split: Rational) -> bool:
    """Whether fewer samples arrive than a split needs: the rule `min-samples-split`.

    Example:
        >>> is_small(5, 5), is_small(5, 6)
        (False, True)

    Source:
        [N4 Learning Process: few examples]
    """
    return weight < min_samples_split


def falls_short(score: Number, epsilon: Rational) -> bool:
    """Whether the best score is below the threshold: the rule `epsilon`. A score equal to ε is enough.

    Example:
        >>> from reference_tree.measures.information_gain import information_gain
        >>> falls_short(information_gain([[1, 0], [0, 1]]), 1)      # a gain of exactly 1 bit
        False

    Source:
        [N0 EN §3.1 step (4)], [N1 §1.4 step 4], [N1 §1.4 step 5], [N4 Learning Process: threshold]
    """
    return bool(score < epsilon)


def gains_nothing(score: Number) -> bool:
    """Whether the best question gains nothing: the rule `zero-gain`, of programs that do not split then.

    Example:
        >>> gains_nothing(0)        # an exclusive or: no question gains, though two would
        True

    Source:
        [N0 EN §3.1 step (4)], [N4 Learning Process: threshold]. By their wording a gain of 0 splits while ε is 0
        (decision zero-gain).
    """
    return bool(score <= 0)


def decreases_too_little(score: Number, weight: Rational, whole: Rational, minimum: Rational) -> bool:
    r"""Whether a split decreases the impurity too little: the rule `min-impurity-decrease`.

    $$\frac{N_t}{N}\, \Delta i(t) < \text{minimum}$$

    Args:
        score: Δi(t), the decrease of the node's impurity.
        weight: N_t, the weight of the node.
        whole: N, the weight of the whole sample.
        minimum: the least decrease of the impurity of the whole tree; equality is enough.

    Example:
        >>> from fractions import Fraction
        >>> decreases_too_little(Fraction(1, 2), 1, 5, Fraction(1, 10))
        False

    Source:
        [N4 Learning Process: threshold], [Breiman1984 §2.4.2]. N4 compares the decrease itself with its threshold, as
        `falls_short` does; weighted by the node's share it is the decrease for the whole tree.
    """
    return bool(minimum > 0 and Fraction(weight) / whole * score < minimum)


EMPTY = StoppingRule(
    name="empty",
    words="no row arrives, and the {answer_above} of the node above stands",
    message="no row arrives",
    before=lambda target, counts, place, bound: is_empty(counts),
)
PURE = StoppingRule(
    name="pure",
    words="all rows have one {answer}",
    message="all rows have the same target",
    before=lambda target, counts, place, bound: is_pure(target, counts),
)
NO_ATTRIBUTES = StoppingRule(
    name="no-attributes",
    words="every attribute has been used on the way",
    message="no attribute is left",
    before=lambda target, counts, place, bound: is_exhausted(place),
    misapplied="stop.no-attributes",
)
MAX_DEPTH = StoppingRule(
    name="max-depth",
    words="its children would lie at depth {below}, and {max_depth} is the deepest allowed",
    message="it is as deep as a leaf may be",
    before=lambda target, counts, place, bound: is_deepest(place, bound),
    option="max_depth",
    misapplied="stop.max-depth",
)
MIN_SAMPLES_SPLIT = StoppingRule(
    name="min-samples-split",
    words="it has {arrives}, and a split needs {min_samples_split}",
    message="fewer rows arrive than a split needs",
    before=lambda target, counts, place, bound: is_small(target.weight(counts), bound),
    option="min_samples_split",
    usual=0,
    misapplied="stop.min-samples-split",
)
EPSILON = StoppingRule(
    name="epsilon",
    words="the best {score} falls short: {comparison}",
    message="the best test scores less than ε",
    after=lambda winner, weight, whole, bound: falls_short(winner.score, bound),
    option="epsilon",
    usual=0,
    always=True,
    figure=lambda winner, score, share: score,
    symbol="ε = ",
    misapplied="stop.epsilon",
)
MIN_IMPURITY_DECREASE = StoppingRule(
    name="min-impurity-decrease",
    words="the best {score}, weighed by the node's share of the sample, falls short: {comparison}",
    message="no test reduces the impurity of the whole tree enough",
    after=lambda winner, weight, whole, bound: decreases_too_little(winner.score, weight, whole, bound),
    option="min_impurity_decrease",
    usual=0,
    figure=lambda winner, score, share: share * score,
    misapplied="stop.min-impurity-decrease",
)
ZERO_GAIN = StoppingRule(
    name="zero-gain",
    words="no test has a {score} above 0",
    message="no test has a gain above 0",
    after=lambda winner, weight, whole, bound: bound == "stops" and gains_nothing(winner.score),
    option="zero_gain",
    usual="splits",
)

# Reasons that are decided elsewhere: by a learner that finds no eligible question, by a pruning, or by another program.

NO_CANDIDATES = StoppingRule(
    name="no-candidates", words="{nothing} separates its rows", message="no test separates the rows"
)
AVERAGE = StoppingRule(
    name="average",
    words="no attribute may compete by its ratio",
    message="no attribute may compete",
    misapplied="c45.average",
)
MIN_SAMPLES_LEAF = StoppingRule(
    name="min-samples-leaf",
    words="every split leaves a branch {too_small}",
    message="every test leaves too few rows in a branch",
    misapplied="bound.min-samples-leaf",
)
MIN_CHILD_WEIGHT = StoppingRule(
    name="min-child-weight",
    words="every split leaves a side with too small an H",
    message="every test leaves a side with too small an H",
    misapplied="bound.min-child-weight",
)
COLLAPSED = StoppingRule(
    name="collapsed",
    words="the subtree that was grown here misclassifies {below_wrong} of its rows, and the leaf {wrong}",
    message="the subtree below it makes no fewer errors",
)
PRE_PRUNED = StoppingRule(name="pre-pruned", message="the split does not reduce the errors on the validation rows")
PRUNED = StoppingRule(name="pruned")
UNKNOWN = StoppingRule(name="unknown")
