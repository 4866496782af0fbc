"""CART with the options of the programs: each difference between a program and the textbook is one of them.

The learner is that of the textbook with more options, and no step of it depends on the name of a program. A profile is
a list of these options, and stands in the folder of its program: `rpart.profile`, `scikit_learn.profile` and
`spark.profile`. A rule of one program alone stands there, too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from reference_tree.data.questions import Test, Threshold
from reference_tree.data.sample import Partition, Sample
from reference_tree.exact.rationals import Rational, ascending, decimal_text, exactly, rational
from reference_tree.learners.cart import CART, AttributeTests, LinearTests
from reference_tree.learners.criteria import NodeCriterion
from reference_tree.learners.decision import too_small
from reference_tree.learners.place import Place
from reference_tree.learners.recorded import AMOUNT, TRUTH, Domain, described, word
from reference_tree.node import Node
from reference_tree.programs.rpart.rules import primary_known, program_subsets
from reference_tree.splitting.binary_subsets import values_of
from reference_tree.splitting.candidate import Asking, Candidate, RuleId
from reference_tree.splitting.continuous_bisection import Cuts, gap_around
from reference_tree.splitting.missing_rules import StandIns, known
from reference_tree.splitting.ordered_subsets import cuts_of_order
from reference_tree.splitting.surrogates import Denominator, both_known
from reference_tree.subtrees import assemble, leaf
from reference_tree.tree import Tree

DENOMINATORS: Mapping[str, Denominator] = {"both-known": both_known, "primary-known": primary_known}
"""The rules for the denominator of the agreement of a surrogate, by their names in a document."""


def _cuts(given: Any) -> dict[str, tuple[Rational, ...]] | None:
    """Thresholds by attribute, in ascending order."""
    if given is None:
        return None
    # A text is iterable too, and would be read as a list of its letters.
    if not isinstance(given, Mapping) or not all(
        isinstance(one, Iterable) and not isinstance(one, str) for one in given.values()
    ):
        raise ValueError(f"thresholds are given by attribute, not as {given!r}")
    return {
        # A document has numbers as texts; whoever calls may hand over any exact number.
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
        """The tests of a node; those about one attribute are asked as the program does."""
        found = super().questions(criterion, place)
        # No program here makes linear tests, so these stay those of the textbook.
        if isinstance(found, LinearTests):
            return found
        return ProgramQuestions(criterion, found.attributes, found.branching, self)

    def judge_one(self, sample: Sample, place: Place, test: Test) -> Candidate:
        """One test as a candidate."""
        # The gap around a cut decides whether a given threshold lies in it, and a test from outside has none.
        if self.cuts is not None and isinstance(test, Threshold):
            test = replace(test, interval=gap_around(sample, test))
        return self.barred(super().judge_one(sample, place, test))

    def barred(self, candidate: Candidate) -> Candidate:
        """A candidate, barred by the rule `not-binned` if no given threshold lies between the two values of its cut."""
        # A candidate that is barred keeps the first rule that bars it.
        if self.cuts is None or candidate.barred is not None or not isinstance(candidate.test, Threshold):
            return candidate
        # An attribute without a list may be cut anywhere.
        if candidate.test.interval is None or (ends := self.cuts.get(candidate.test.attribute)) is None:
            return candidate
        low, high = candidate.test.interval
        # The cut is allowed if some given threshold t parts the same rows: low ≤ t < high, as `<=` does.
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
    """The tests of a node about one attribute each, as a program asks them.

    Args:
        criterion: the criterion at the node.
        attributes: the attributes that may be tested, in table order.
        branching: the rule for categorical attributes.
        learner: the learner, whose options say how the program differs.
    """

    learner: ProgramCART

    def candidate(self, test: Test, table: Partition) -> Candidate:
        """A test as a candidate: a cut asks whether the value is at most the threshold, or below it."""
        # Between two values, `< t` and `<= t` part the rows alike: only the wording of the test changes.
        if self.learner.threshold == "below" and isinstance(test, Threshold):
            test = replace(test, strict=True)
        return self.learner.barred(super().candidate(test, table))

    def promising(self, ties: bool, without: Cuts = frozenset(), *, every: bool = False) -> Iterator[Candidate]:
        """As in the textbook; if one of these cuts may not be made, all candidates, since any may be the next best."""
        found = list(super().promising(ties, without, every=every))
        # The search gives the best cuts. If one of them is barred, the next best may be anywhere: then all are listed.
        none_is_barred = all(candidate.barred not in ("cut-gap", "not-binned") for candidate in found)
        return iter(found) if none_is_barred else self.candidates()

    def nothing_found(self) -> RuleId:
        """The rule that makes a node without any eligible test a leaf; a cut may be barred whatever its sides."""
        return too_small(self.candidates())

    def subsets(self, attribute: str, table: Partition, *, every: bool) -> Iterable[Asking]:
        """The sets of values that are tried: all, or those that may be the best."""
        # The shortcut needs one table of the rows; with rows divided over the branches, the textbook's search remains.
        if self.learner.subsets == "best" or (self.criterion.rule.join is not known and any(table.unknown)):
            return super().subsets(attribute, table, every=every)
        # Spark sorts by the weight of the second class, not by its share, so its order is not the one of Breiman's
        # theorem.
        if self.learner.subsets == "by-weight" and len(table.unknown) == 2:
            order = sorted(values_of(table), key=lambda value: value.row[1])
            return cuts_of_order(attribute, table, order) if order else iter(())
        return program_subsets(attribute, table, self.criterion.by, self.criterion.minimum)

    def unlisted(self) -> Iterator[str]:
        """The attributes whose subsets are not all candidates; none, if only the cuts of an order are candidates."""
        # The q - 1 cuts of an order are all listed, however many sets there are.
        return super().unlisted() if self.learner.subsets == "best" else iter(())


def merged(tree: Tree) -> Tree:
    """The tree in which a node is a leaf if both its branches are leaves of one answer, from the leaves up.

    Example:
        >>> import reference_tree as rt
        >>> table = rt.Table.from_columns({"x": [1, 1, 2, 2, 2], "y": [*"aaaab"]})
        >>> [(node.stop, node.label) for node in merged(rt.CART().grow(table)).nodes]
        [('collapsed', 'a')]
    """
    changed: dict[int, Node] = {}
    # In preorder the nodes below have higher numbers: from the last node up, merged leaves can merge again.
    for number, node in reversed(list(enumerate(tree.nodes))):
        below = [changed.get(branch, tree.nodes[branch]) for branch in node.branches]
        # The branches answer alike, so the test decides nothing.
        if below and all(one.test is None for one in below) and len({one.label for one in below}) == 1:
            changed[number] = leaf(node, "collapsed")
    return assemble(tree, changed) if changed else tree


CART.widest = ProgramCART
