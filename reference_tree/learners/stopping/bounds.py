"""Stopping rules: the reasons for a node to be a leaf, and the bounds of the books and the programs.

A rule has a record, a `StoppingRule`, below its formula in a module of this folder. The learners, tree documents,
goldens, derivations and audits are views of the records, so a new rule is one new file.

1. `StoppingRule` is the record. A rule that stops a node `before` any test is tried depends on the rows and the place
   of the node; one that stops it `after` the tests were compared depends on the best one. Some reasons are decided
   elsewhere, by a learner or a pruning, and have words alone.
2. `rules` has all records of the folder, in the order in which they are checked, so a pure node is `pure` whatever else
   holds. Rules about a single candidate (a branch too small, nothing to separate) are in `splitting.candidate`.
3. `Stops` has the rules of a learner with their bounds.

All bounds are decided exactly: a tree of maximum depth d has no node deeper than d, with the root at 0; a node splits
if it has at least the minimum of samples; a score equal to ε is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from reference_tree.data.sample import Counts
from reference_tree.data.targets import Target
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.learners.place import Place
from reference_tree.learners.recorded import Option
from reference_tree.records import records
from reference_tree.splitting.candidate import Candidate, RuleId

Before: TypeAlias = Callable[[Target, Counts, Place, Any], bool]
"""Whether a node is a leaf before any test is tried: from the target, the counts, the place and the bound."""
After: TypeAlias = Callable[[Candidate, Rational, Rational, Any], bool]
"""Whether it is one because of its best test, from this, the weights of node and sample, and the bound."""


@dataclass(frozen=True, eq=False, kw_only=True)
class StoppingRule:
    """A reason for a node to be a leaf.

    Args:
        name: the reason that a leaf records; the rule that a golden exercises is `stop.` with the name.
        words: why the node is a leaf, in a derivation; braces stand for facts of the node and options of the learner.
        message: the same in an audit.
        before: whether it stops a node before any test is tried.
        after: whether it stops a node because of its best test.
        option: the option of a learner that is its bound; empty if it has none.
        usual: the bound with which it stops nothing, and is not checked.
        always: whether it is checked with the usual bound, too, with which only a test that loses is barred.
        figure: the figure that is compared with the bound, from the best test, its score, and the share of the
            sample at the node, a worked number.
        symbol: what stands before the bound in a comparison.
        facts: further facts of the best test for the braces of `words`.
        misapplied: the id of the rule that is misapplied if a node stops by this one and should not.
        described: the description of the option, where no learner states it: each that follows all rules has it.
        check: refuses a target that the rule is not for, from it and the bound.
    """

    name: str
    words: str = ""
    message: str = ""
    before: Before | None = None
    after: After | None = None
    option: str = ""
    usual: Any = None
    always: bool = False
    figure: Callable[[Candidate, Number, Number], Number] | None = None
    symbol: str = ""
    facts: Callable[[Candidate], Mapping[str, Number]] = lambda winner: {}
    misapplied: RuleId = ""
    described: Option | None = None
    check: Callable[[Target, Any], None] | None = None

    def __reduce__(self) -> Any:
        """A copy is the record itself."""
        # The functions of a record cannot be pickled, and need not be: another process has them under the same name.
        return _named, (self.name,)


@cache
def rules() -> Mapping[str, StoppingRule]:
    """All records of this folder by name, in the order in which they are checked: those of the books come first.

    Example:
        >>> [rule.name for rule in rules().values() if rule.before]
        ['empty', 'pure', 'no-attributes', 'max-depth', 'min-samples-split']
    """
    return {rule.name: rule for rule in records(StoppingRule, first="bounds")}


def _named(name: str) -> StoppingRule:
    return rules()[name]


class Stops:
    """The stopping rules of a tree, with their bounds.

    Args:
        bounds: option → bound. A rule whose option is not there stops nothing.

    Example:
        >>> stops = Stops({"max_depth": 2, "epsilon": 0})
        >>> [rule.name for rule, bound in stops.after_rules], stops.asks_for_more
        (['epsilon'], False)

    Source:
        [N3 Avoiding Overfitting: pre-pruning], [N4 Learning Process: decision 2], [N4 Putting it together: step 4].
        N3 calls every reason to stop early pre-pruning.
    """

    def __init__(self, bounds: Mapping[str, Any]) -> None:
        # A learner without the option of a rule is not stopped by it. Of the others a rule with its usual bound can
        # stop no node, and is not asked at every one of them; but ε = 0 still stops a score below 0, and is `always`
        # asked.
        pairs = [(rule, bounds.get(rule.option)) for rule in rules().values() if rule.option in ("", *bounds)]
        self.bounds = {rule.option: bound for rule, bound in pairs if rule.option}
        pairs = [(rule, bound) for rule, bound in pairs if not rule.option or rule.always or bound != rule.usual]
        self.checks = [(rule.check, bound) for rule, bound in pairs if rule.check is not None]
        self.before_rules = [(rule.before, bound, rule.name) for rule, bound in pairs if rule.before is not None]
        self.after_rules = [(rule, bound) for rule, bound in pairs if rule.after is not None]
        self.asks_for_more = any(bound != rule.usual for rule, bound in self.after_rules)
        """Whether a test may have to do more than not to lose."""

    def __reduce__(self) -> Any:
        """A copy has the same bounds."""
        return Stops, (self.bounds,)

    def but(self, **bounds: Any) -> Stops:
        """The same rules with some other bounds."""
        return Stops({**self.bounds, **bounds})

    def before(self, target: Target, total: Counts, place: Place) -> RuleId | None:
        """The first rule that makes a node a leaf before any test is tried; None if it may split.

        Raises:
            InputError: at the root, the target is one that a rule is not for.
        """
        # What depends on the target alone is checked once, at the root.
        if place.parent is None:
            for check, bound in self.checks:
                check(target, bound)
        # The first that holds is the reason of the leaf; their order is that of the records.
        for stops, bound, name in self.before_rules:
            if stops(target, total, place, bound):
                return name
        return None

    def after(self, winner: Candidate, weight: Rational = 1, whole: Rational = 1) -> RuleId | None:
        """The rule that makes a node a leaf because its best test is not good enough; None if it splits.

        Args:
            winner: the best test.
            weight: the weight of the node.
            whole: the weight of the whole sample.
        """
        # Asked of the chosen winner alone: if it fails a rule, the node is a leaf, even if another test would pass.
        for rule, bound in self.after_rules:
            if rule.after is not None and rule.after(winner, weight, whole, bound):
                return rule.name
        return None


def is_empty(counts: Counts) -> bool:
    """Whether no row arrives: the rule `empty`.

    Example:
        >>> is_empty((0, 0))
        True

    Source:
        [N2 §1 case 3]
    """
    return not any(counts)


# The target knows how: a class has all the weight, or moments have no variance.
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


# Asked of the children, and not of the node: with 0 the root is a leaf.
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
    """Whether the best test gains nothing: the rule `zero-gain`, of programs that do not split then.

    Example:
        >>> gains_nothing(0)        # an exclusive or: no test gains, though two would
        True

    Source:
        [N0 EN §3.1 step (4)], [N4 Learning Process: threshold]. By their wording a gain of 0 splits while ε is 0
        (decision zero-gain).
    """
    # Not `score == 0`: the variance with n - 1 can be reduced by a negative amount.
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
    # A minimum of 0 forbids nothing, not even a score below 0. The share is that of the whole sample, so the deeper a
    # node lies, the more its test has to do.
    return bool(minimum > 0 and Fraction(weight) / whole * score < minimum)


# An empty node has no classes, a pure one needs no test, and without attributes there is none: so these three come
# before the bounds, and a pure node is `pure` even at the maximum depth.
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
# The next rules judge the best test, and so come after the search.
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

# Reasons that are decided elsewhere: by a learner that finds no eligible test, by a pruning, or by another program.

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
