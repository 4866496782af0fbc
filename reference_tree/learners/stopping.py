"""Stopping: the rules that make a node a leaf.

Each rule is a small predicate with an id, which a leaf records as its reason. They are checked in the order of
`Stops.before`, so a pure node is `pure` whatever else holds. Rules about a single candidate (a branch too small,
nothing to separate) are in `splitting.candidate`. Whether the winner is good enough is checked in `Stops.after`.

All bounds are decided exactly: a tree of maximum depth d has no node deeper than d, with the root at 0; a node splits
if it has at least the minimum of samples; a score equal to ε is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from reference_tree.data.sample import Counts
from reference_tree.data.targets import Target
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.learners.place import Place
from reference_tree.splitting.candidate import Candidate, RuleId


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


@dataclass(frozen=True)
class Stops:
    """The bounds of a tree.

    Args:
        max_depth: no node may lie deeper; the root is 0. None: no limit.
        min_samples_split: a node with less weight is a leaf.
        epsilon: a split needs a score of at least this.
        min_impurity_decrease: what a split has to take away from the impurity of the whole tree.

    Source:
        [N3 Avoiding Overfitting: pre-pruning], [N4 Learning Process: decision 2], [N4 Putting it together: step 4].
        N3 calls every reason to stop early pre-pruning.
    """

    max_depth: int | None = None
    min_samples_split: Rational = 0
    epsilon: Rational = 0
    min_impurity_decrease: Rational = 0

    def before(self, target: Target, total: Counts, place: Place) -> RuleId | None:
        """The first rule that makes a node a leaf before any question is tried; None if it may split."""
        if is_empty(total):
            return "empty"
        if is_pure(target, total):
            return "pure"
        if is_exhausted(place):
            return "no-attributes"
        if is_deepest(place, self.max_depth):
            return "max-depth"
        return "min-samples-split" if is_small(target.weight(total), self.min_samples_split) else None

    def after(self, winner: Candidate, weight: Rational = 1, whole: Rational = 1) -> RuleId | None:
        """The rule that makes a node a leaf because its best question is not good enough; None if it splits.

        Args:
            winner: the best question.
            weight: the weight of the node.
            whole: the weight of the whole sample.
        """
        if falls_short(winner.score, self.epsilon):
            return "epsilon"
        if decreases_too_little(winner.score, weight, whole, self.min_impurity_decrease):
            return "min-impurity-decrease"
        return None
