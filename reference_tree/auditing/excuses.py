"""Excuses: why a node is no fault although its learner would not make it of the rows that arrive.

1. *Merged leaves.* Spark makes a leaf of a node whose branches are leaves of one prediction, from the leaves up. So a
   leaf may stand where the learner would split, if everything below it would have given the same prediction. Where
   tests tie, either may have been taken; so each of the best ones is followed.
2. *Raised branches.* Error-based pruning may replace a node by its largest branch. The tests of that branch were
   chosen for fewer rows. A tree of this package records how it was pruned; so it is grown and pruned again, and a
   test that then stands at the same place was put there by pruning.
3. *Roundings* of a program, *draws* of attributes, *caps* on leaves, and what a learner takes back in the end.

`EXCUSES` has the words of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from reference_tree.auditing.finding import Finding
from reference_tree.auditing.judging import DecidedArrival, LearnerJudge
from reference_tree.auditing.stated import Statements, found_no_impurity
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.data.sample import Data, Sample
from reference_tree.data.table import Table, is_in_memory
from reference_tree.learners.decision import Learner
from reference_tree.learners.growing import grow, grown_below
from reference_tree.learners.options import Options
from reference_tree.learners.place import Place
from reference_tree.learners.registry import PRUNING
from reference_tree.node import Label, Node
from reference_tree.programs.practices import DrawnByProgram, practice_of
from reference_tree.pruning.record import perform
from reference_tree.subtrees import counterparts
from reference_tree.tree import Tree

EXCUSES: Mapping[str, str] = {
    "pruned": "the tree was pruned",
    "raised": "error-based pruning raised this branch",
    "not-drawn": "the attributes that were drawn may have had no test that the bounds allow",
    "capped": "the tree has as many leaves as it may have, {leaves}",
    "no-impurity": "its program found no impurity there, up to rounding",
    "some-impurity": "all rows agree, and its program found an impurity by rounding",
    "merged": "the leaves below it have one prediction, and were merged",
    "may-be-merged": "the leaves below it have one prediction, and may have been merged",
    "taken-back": "the learner splits here, and takes it back in the end",
}
"""The words of each excuse."""

BY_PRUNING = ("pruned", "pre-pruned")
"""The reasons of leaves that come from pruning and not from the learner."""

COLLAPSED = "stop.collapsed"
"""The rule that is broken by a node whose leaves should have been merged."""

DEEPEST = 30
"""The largest depth of a node in Spark."""

MOST = 2000
"""The largest number of nodes that are decided for one leaf."""


@dataclass(frozen=True)
class Excuses:
    """Gives the excuses of the nodes of one tree.

    Args:
        stated: what the tree states.
        judge: the judge of its nodes.
        table: its rows.
        validation: the validation rows, for a pruning that uses them.
        max_leaves: the program's limit on leaves.
        anew: the nodes that need not be what the learner makes of their rows, as the tree that is grown and pruned anew
            has them, too.
    """

    stated: Statements
    judge: LearnerJudge
    table: Data
    validation: Table | None = None
    max_leaves: int | None = None
    anew: Mapping[int, str] = field(default_factory=dict)

    def of(self, at: DecidedArrival, *, is_lost: bool = False) -> str:
        """Why a node is excused whose only fault is its test, or that it is a leaf; empty if it is not.

        Args:
            at: the node, and its rows.
            is_lost: whether it is not known any more what was drawn before it.
        """
        # What was grown and pruned anew knows more than any single rule.
        if at.number in self.anew:
            return self.anew[at.number]
        is_leaf = self.tree.nodes[at.number].test is None
        excuse = self._of_leaf(at, is_lost=is_lost) if is_leaf else self._of_question(at)
        return EXCUSES[excuse].format(leaves=self.max_leaves) if excuse else ""

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.stated.tree

    def _of_question(self, at: DecidedArrival) -> str:
        # All rows agree, and yet it was split: the weights or the numbers that the program added up may have left an
        # impurity.
        near = self.judge.near
        is_rounded = near.adds_weights(at.sample.total(), at.above) or (
            self.merges
            and near.adds_doubles
            # a sum that is held by no double: Spark may find an impurity where there is none
            and any(Fraction(float(moment)) != moment for moment in at.sample.total())
        )
        if at.decision.stop == "pure" and (is_rounded or self._found_no_impurity(at) is False):
            return "some-impurity"
        return "raised" if at.number in self._raised else ""

    def _of_leaf(self, at: DecidedArrival, *, is_lost: bool) -> str:
        node, learner = self.tree.nodes[at.number], self.judge.learner
        # The excuses in this order: the surest first, and what costs decisions last.
        if self.judge.pruned or node.stop in BY_PRUNING:
            return "pruned"
        if (is_lost or not self.judge.has_draws) and self._is_bounded:
            return "not-drawn"
        if self.is_capped:
            return "capped"
        if self._found_no_impurity(at):
            return "no-impurity"
        # What was drawn below is not known, so that the predictions there are not known either.
        if self.merges and not self.judge.has_draws:
            return "may-be-merged"
        if self.merges:
            is_merged = merges(learner, at.sample, at.place, node.label)
            return "" if is_merged is False else "may-be-merged" if is_merged is None else "merged"
        # The learner may grow a subtree here, and take all of it back at the end.
        if self._finishes and len(learner.finish(grown_below(learner, at.sample, at.place)).nodes) == 1:
            return "taken-back"
        return ""

    @cached_property
    def is_capped(self) -> bool:
        """Whether the tree has as many leaves as it may have."""
        return self.max_leaves is not None and len(self.tree.leaves()) >= self.max_leaves

    @property
    def merges(self) -> bool:
        """Whether leaves of one prediction are merged."""
        return bool(getattr(self.judge.learner, "merge_leaves", False))

    def _found_no_impurity(self, at: DecidedArrival) -> bool | None:
        """Whether the program found no impurity at a node; None if the tree does not show it."""
        node = self.tree.nodes[at.number]
        is_told = practice_of(self.tree).tells_impurity and self.stated.tells("counts", node)
        return found_no_impurity(node) if is_told else None

    @property
    def _is_bounded(self) -> bool:
        """Whether the attributes that were drawn may have no test, and others have one.

        A forest draws until an attribute has some cut. Only where a bound bars all of them is the node a leaf.
        """
        options = self.judge.learner.grower().options
        # A bound on branches, or on the decrease, may bar every cut of what was drawn.
        is_large = options.get("min_samples_leaf", "1") not in ("0", "1")
        return is_large or options.get("min_impurity_decrease", "0") != "0"

    @property
    def _finishes(self) -> bool:
        """Whether the learner may change a tree after growing it."""
        learner = self.judge.learner
        # A learner that inherits `finish` from the options changes nothing after growing.
        decider = learner.base if isinstance(learner, DrawnByProgram) else learner
        is_its_own = not isinstance(decider, Options) or type(decider).finish is not Options.finish
        return is_its_own and bool(getattr(decider, "merge_leaves", True))

    def taken_back(self) -> frozenset[int]:
        """The inner nodes that the learner would turn into leaves after growing: they have no excuse."""
        is_told = all(self.stated.tells("counts", node) for node in self.tree.nodes)
        if self.judge.pruned or not is_told or not self._finishes:
            return frozenset()
        # The learner finishes the tree that is stated: what becomes a leaf then should be one.
        finished = self.judge.learner.finish(self.tree)
        return frozenset(
            number
            for number, place in counterparts(self.tree, finished)
            if self.tree.nodes[number].test is not None and finished.nodes[place].test is None
        )

    @cached_property
    def _raised(self) -> frozenset[int]:
        return raised(self.tree, self.judge.learner, self.table, self.validation)


# Merged leaves.


def merges(learner: Learner, sample: Sample, place: Place, label: Label) -> bool | None:
    """Whether some tree that a learner may grow from rows has one prediction; None if that takes too many decisions.

    Args:
        learner: the learner.
        sample: the rows.
        place: their place.
        label: the prediction.

    Example:
        >>> import reference_tree as rt
        >>> table = rt.Table.from_columns({"x": [1, 1, 2, 2, 2], "y": [*"aaaab"]})
        >>> sample = table.sample()
        >>> [merges(rt.CART(), sample, Place.root(sample), label) for label in "ab"]
        [True, False]
    """
    left = [MOST]
    found = _answers(learner, sample, place, left)
    return None if left[0] < 0 else label in found


def _answers(learner: Learner, sample: Sample, place: Place, left: list[int]) -> frozenset[Label]:
    """The predictions that may be the only one of a subtree. The recursion is as deep as a tree of Spark."""
    left[0] -= 1
    decision = learner.decide(sample, place)
    if decision.chosen is None or place.depth > DEEPEST or left[0] < 0:
        return frozenset({decision.answer.label})
    found = frozenset[Label]()
    # Winners that divide the rows alike have the same subtrees, so one of each division is followed.
    for winner in {one.table.rows: one for one in decision.winners}.values():
        children = place.children(sample, winner.test, decision.answer, decision.missing)
        common: frozenset[Label] | None = None
        for below, part in children:
            answers = _answers(learner, part, below, left)
            # The branches merge only under a prediction that each of them may have.
            common = answers if common is None else common & answers
            if not common:
                break
        found |= common or frozenset()
    return found


def with_causes_below(tree: Tree, found: Sequence[Finding]) -> Iterator[Finding]:
    """The findings; a node that should have been merged follows from a fault below it, if there is one.

    Args:
        tree: the tree.
        found: the findings at its nodes, in preorder.
    """
    for finding in found:
        pending, cause = list[int](), finding.cause
        if cause is None and [fault.rule for fault in finding.faults] == [COLLAPSED]:
            pending += tree.nodes[finding.number].branches
        while pending and cause is None:
            below = found[pending.pop()]
            if below.faults and not below.excused and below.faults[0].rule != COLLAPSED:
                cause = below.number
            pending += tree.nodes[below.number].branches
        yield replace(finding, cause=cause)


# Raised branches.


def raised(tree: Tree, learner: Learner, table: Any, validation: Table | None = None) -> frozenset[int]:
    """The nodes with the same test after the tree is grown and pruned again; empty if no branch can be raised.

    Args:
        tree: the tree.
        learner: the learner that grows the tree again.
        table: the rows that the tree was grown from.
        validation: the validation rows, for a pruning that uses them.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> raised(rt.prune(rt.C45().grow(days), "error-based", data=days, raising=False), rt.C45(), days)
        frozenset()
    """
    if not is_in_memory(table) or not raises(tree):
        return frozenset()
    # The records of a tree say how it was pruned, so the same prunings are performed on the tree that is grown anew.
    try:
        anew = grow(learner, table)
        for record in tree.grower.options[PRUNING]:
            anew = perform(anew, record, table, validation).after
    except InputError:  # the recorded pruning cannot be repeated, so nothing is excused
        return frozenset()
    places = counterparts(tree, anew, _ask_alike)
    return frozenset(number for number, place in places if _ask_alike(tree.nodes[number], anew.nodes[place]))


def raises(tree: Tree) -> bool:
    """Whether a tree records a pruning that may raise branches."""
    records = tree.grower.options.get(PRUNING)
    return isinstance(records, list) and any(map(_raises, records))


def _raises(record: object) -> bool:
    return isinstance(record, Mapping) and record.get("method") == "error-based" and record.get("raising") is True


def _ask_alike(node: Node, other: Node) -> bool:
    """Whether two nodes have one test, but for the gap in which its threshold was found."""
    one, two = (
        replace(test, interval=None) if isinstance(test, Threshold) else test for test in (node.test, other.test)
    )
    return one is not None and one == two
