"""CART as programs have it: R's rpart, scikit-learn's trees, Weka's SimpleCart, Spark's trees.

The learner is that of the textbook with more options, one for each difference between the textbook and the programs. A
profile is a list of options and nothing else: no step of the learner depends on its name.

| profile | program |
|:--|:--|
| `rpart` | R's rpart |
| `scikit-learn` | scikit-learn's trees |
| `spark` | the trees of Spark MLlib |
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from reference_tree.data.questions import Test, Threshold
from reference_tree.data.sample import Counts, Ordered, Partition, Sample
from reference_tree.exact.rationals import Rational, ascending, decimal_text, exactly, rational
from reference_tree.exact.rounding import nearest_double, nearest_single
from reference_tree.learners.cart import CART, AttributeTests, LinearTests
from reference_tree.learners.criteria import NodeCriterion
from reference_tree.learners.decision import too_small
from reference_tree.learners.options import Profile
from reference_tree.learners.place import Place
from reference_tree.learners.recorded import AMOUNT, TRUTH, Domain, described, word
from reference_tree.node import Node
from reference_tree.programs.rpart.rules import primary_known, program_subsets
from reference_tree.splitting.binary_subsets import values_of
from reference_tree.splitting.candidate import Asking, Candidate, RuleId
from reference_tree.splitting.continuous_bisection import Cuts, gap_around, midpoint
from reference_tree.splitting.missing_rules import StandIns, known
from reference_tree.splitting.ordered_subsets import cuts_of_order
from reference_tree.splitting.surrogates import Denominator, both_known
from reference_tree.subtrees import assemble, leaf
from reference_tree.tree import Tree

DENOMINATORS: Mapping[str, Denominator] = {"both-known": both_known, "primary-known": primary_known}
"""The rules for the rows of which the agreement of a surrogate is a share, by their names in a document."""


def _cuts(given: Any) -> dict[str, tuple[Rational, ...]] | None:
    """Thresholds by attribute, in ascending order."""
    if given is None:
        return None
    if not isinstance(given, Mapping) or not all(
        isinstance(one, Iterable) and not isinstance(one, str) for one in given.values()
    ):
        raise ValueError(f"thresholds are given by attribute, not as {given!r}")
    return {
        str(name): ascending(rational(at) if isinstance(at, str) else exactly(at) for at in given[name])
        for name in given
    }


def _cuts_json(cuts: Mapping[str, Sequence[Rational]] | None) -> dict[str, list[str]] | None:
    return None if cuts is None else {name: list(map(decimal_text, found)) for name, found in cuts.items()}


@dataclass(frozen=True, kw_only=True)
class ProgramCART(CART):
    """The learner.

    Example:
        >>> CART.like("rpart").min_samples_leaf, CART.like("rpart", min_samples_leaf=1).min_samples_leaf
        (7, 1)

    Source:
        [Breiman1984 §2.4], [Breiman1984 §5.3]
    """

    subsets: str = described(
        "best",
        word("best", "ordered", "by-weight"),
        "which sets are tried. `ordered`: the cuts of an order by the shares of a class, or by means; `by-weight`: as "
        "Spark, for two classes the cuts of an order by the weight of the second one",
        after="branching",
    )
    threshold: str = described(
        "at-most",
        word("at-most", "below"),
        "whether a number is tested to be `at-most` t, or `below` it. A weighted sum is always `at-most`",
        after="seed",
    )
    zero_gain: str = described(
        "splits",
        word("splits", "stops"),
        "whether a test without a gain `splits` or `stops`",
        after="threshold",
    )
    agreement: str = described(
        "both-known", word(DENOMINATORS), "of which rows the agreement of a surrogate is a share", after="missing"
    )
    surrogate_minimum: Rational = described(
        1, AMOUNT, "the least weight that a threshold has to send either way to be a surrogate", after="agreement"
    )
    surrogate_errors: Rational = described(
        0, AMOUNT, "the least weight that a set of values has to send astray to be a surrogate", after="max_surrogates"
    )
    surrogate_unseen: str = described(
        "rest",
        word("rest", "nothing"),
        "what a surrogate says of a value that occurs in no row with both values. `rest`: the value is "
        "outside a set, and may lie in the gap of a threshold. `nothing`: a set says nothing about it, and the gap of "
        "a threshold ends at it",
        after="surrogate_errors",
    )
    cuts: Mapping[str, Sequence[Rational]] | None = described(
        None,
        Domain(_cuts, _cuts_json, _cuts, "for an attribute a list of numbers, as text; or `null`"),
        "attribute → the thresholds that may be used, as `bin_ends` finds them; the rule `not-binned` bars other "
        "cuts. Any threshold may be used for an attribute that is not there. None: of all attributes",
        since="2026-11-26",
        after="ties",
    )
    merge_leaves: bool = described(
        False,
        TRUTH,
        "whether two leaves of one prediction are merged into the node above",
        since="2026-11-26",
        after="cuts",
    )

    def questions(self, criterion: NodeCriterion, place: Place) -> AttributeTests | LinearTests:
        """The questions of a node; those about one attribute are asked as the program does."""
        found = super().questions(criterion, place)
        if isinstance(found, LinearTests):
            return found
        return ProgramQuestions(criterion, found.attributes, found.branching, self)

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One question as a candidate."""
        if self.cuts is not None and isinstance(test, Threshold):
            test = replace(test, interval=gap_around(sample, test))
        return self.barred(super().judge_one(sample, place, test))

    def barred(self, candidate: Candidate) -> Candidate:
        """A candidate, barred by the rule `not-binned` if no given threshold lies between the two values of its cut."""
        if self.cuts is None or candidate.barred is not None or not isinstance(candidate.test, Threshold):
            return candidate
        if candidate.test.interval is None or (ends := self.cuts.get(candidate.test.attribute)) is None:
            return candidate
        low, high = candidate.test.interval
        after = bisect_left(ends, low)
        return candidate if after < len(ends) and ends[after] < high else replace(candidate, barred="not-binned")

    def finish(self, tree: Tree) -> Tree:
        """The tree, whose leaves are merged if the option says so."""
        return merged(tree) if self.merge_leaves else tree

    @cached_property
    def stand_ins(self) -> StandIns:
        """The search for surrogates."""
        return StandIns(
            DENOMINATORS[self.agreement],
            self.surrogate_minimum,
            self.max_surrogates,
            self.surrogate_errors,
            self.surrogate_unseen == "nothing",
            self.threshold == "below",
            self.always_surrogates,
        )


@dataclass(frozen=True)
class ProgramQuestions(AttributeTests):
    """The questions of a node about one attribute each, as a program asks them.

    Args:
        criterion: the criterion at the node.
        attributes: the attributes that may be tested, in table order.
        branching: the rule for categorical attributes.
        learner: the learner, whose options say how the program differs.
    """

    learner: ProgramCART

    def candidate(self, test: Test, table: Partition) -> Candidate:
        """A question as a candidate: a cut asks whether the value is at most the threshold, or below it."""
        if self.learner.threshold == "below" and isinstance(test, Threshold):
            test = replace(test, strict=True)
        return self.learner.barred(super().candidate(test, table))

    def promising(self, ties: bool, without: Cuts = frozenset(), *, every: bool = False) -> Iterator[Candidate]:
        """As in the textbook; if one of these cuts may not be made, all candidates, since any may be the next best."""
        found = list(super().promising(ties, without, every=every))
        none_is_barred = all(candidate.barred not in ("cut-gap", "not-binned") for candidate in found)
        return iter(found) if none_is_barred else self.candidates()

    def nothing_found(self) -> RuleId:
        """The rule that makes a node without any eligible question a leaf; a cut may be barred whatever its sides."""
        return too_small(self.candidates())

    def subsets(self, attribute: str, table: Partition, *, every: bool) -> Iterable[Asking]:
        """The sets of values that are tried: all, or those that may be the best."""
        if self.learner.subsets == "best" or (self.criterion.rule.join is not known and any(table.unknown)):
            return super().subsets(attribute, table, every=every)
        if self.learner.subsets == "by-weight" and len(table.unknown) == 2:
            order = sorted(values_of(table), key=lambda value: value.row[1])
            return cuts_of_order(attribute, table, order) if order else iter(())
        return program_subsets(attribute, table, self.criterion.by, self.criterion.minimum)

    def unlisted(self) -> Iterator[str]:
        """The attributes whose subsets are not all candidates; none, if only the cuts of an order are candidates."""
        return super().unlisted() if self.learner.subsets == "best" else iter(())


NO_FURTHER = nearest_single(1e-7)
"""scikit-learn's `FEATURE_THRESHOLD`: it treats two values no further apart as equal."""


def too_close(low: Rational, high: Rational) -> bool:
    """Whether scikit-learn treats two values as equal: in float32, the larger is not above the other + 1e-7.

    The sum of two float32s is rounded to the same float32 whether or not it is held in a double in between. So this is
    the result of the program, bit by bit; it depends on the values, not only on their difference.

    Example:
        >>> from fractions import Fraction
        >>> step = Fraction(1, 2**23)              # from 1 to the next float32: more than 1e-7
        >>> too_close(1, 1 + step), too_close(2, 2 + 2 * step)
        (True, False)
    """
    try:
        below, above = (nearest_single(nearest_double(value)) for value in (low, high))
        return above <= nearest_single(below + NO_FURTHER)
    except OverflowError:
        return False


@dataclass(frozen=True, kw_only=True)
class ScikitLearnCART(ProgramCART):
    """The learner, which makes no cut between two values that it treats as equal: the rule `cut-gap` bars the cut.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"x": ["1", "1.0000001", "2"], "y": ["no", "yes", "yes"]})
        >>> CART().decide(table.sample()).chosen.test.name
        'x<=1.00000005'
        >>> CART.like("scikit-learn").decide(table.sample()).chosen.test.name
        'x<=1.50000005'
    """

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One question as a candidate."""
        if isinstance(test, Threshold):
            test = replace(test, interval=gap_around(sample, test))
        return super().judge_one(sample, place, test)

    def barred(self, candidate: Candidate) -> Candidate:
        """A candidate, barred by the rule `cut-gap` if its cut may not be made."""
        candidate = super().barred(candidate)
        interval = candidate.test.interval if isinstance(candidate.test, Threshold) else None
        if candidate.barred is None and interval is not None and too_close(*interval):
            return replace(candidate, barred="cut-gap")
        return candidate


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
    values, weights = found.values, [Fraction(weight(row)) for row in found.rows]
    between = [midpoint(low, high) for low, high in pairwise(values)]
    if len(between) < most:
        return between
    stride = sum(weights, Fraction(0)) / most
    ends, reached, wanted = list[Rational](), weights[0], stride
    for place, added in enumerate(weights[1:]):
        before, reached = reached, reached + added
        if abs(before - wanted) < abs(reached - wanted):
            ends.append(between[place])
            wanted += stride
    return ends


def merged(tree: Tree) -> Tree:
    """The tree in which a node is a leaf if both its branches are leaves of one answer, from the leaves up.

    Example:
        >>> import reference_tree as rt
        >>> table = rt.Table.from_columns({"x": [1, 1, 2, 2, 2], "y": [*"aaaab"]})
        >>> [(node.stop, node.label) for node in merged(rt.CART().grow(table)).nodes]
        [('collapsed', 'a')]
    """
    changed: dict[int, Node] = {}
    for number, node in reversed(list(enumerate(tree.nodes))):
        below = [changed.get(branch, tree.nodes[branch]) for branch in node.branches]
        if below and all(one.test is None for one in below) and len({one.label for one in below}) == 1:
            changed[number] = leaf(node, "collapsed")
    return assemble(tree, changed) if changed else tree


RPART: Mapping[str, Any] = {
    "max_depth": 30,
    "min_samples_split": 20,
    "min_samples_leaf": 7,
    "zero_gain": "stops",
    "threshold": "below",
    "subsets": "ordered",
    "agreement": "primary-known",
    "surrogate_minimum": 2,
    "max_surrogates": 5,
    "surrogate_errors": 2,
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
    split, least = (given.get(name) for name in ("min_samples_split", "min_samples_leaf"))
    if least is not None and split is None:
        return {"min_samples_split": 3 * exactly(least)}
    if split is not None and least is None:
        return {"min_samples_leaf": round(Fraction(exactly(split)) / 3)}
    return {}


SPARK: Mapping[str, Any] = {
    "max_depth": 5,
    "min_samples_split": 0,
    "zero_gain": "stops",
    "subsets": "by-weight",
    "missing": "branch",
    "merge_leaves": True,
}
"""The defaults of Spark, apart from the bins, which depend on the rows."""

CART.widest = ProgramCART
CART.profiles |= {
    "rpart": Profile(ProgramCART, RPART, linked),
    "scikit-learn": Profile(ScikitLearnCART, {"branching": "one-vs-rest", "missing": "better-side"}),
    "spark": Profile(ProgramCART, SPARK),
}
