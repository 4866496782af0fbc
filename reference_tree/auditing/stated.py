"""Further statements of a node: why it is a leaf, and where rows without an answer go.

The reasons `pure` and `empty` have to be true of the rows, in any tree. A tree of this package that is checked against
the learner that it records has to give the learner's reason; in a pruned tree, other reasons may be left over.

The shares by which rows without an answer are divided are those of the rows that answer. In a tree of this package, the
way of rows without an answer is judged where the learner would ask the same question.
scikit-learn learns the side: it is judged where some rows of the node do not answer; of equal sides either is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from reference_tree.auditing.finding import Fault, Regret, shown
from reference_tree.auditing.judging import Arrival, Judge, best_weight, is_same_way_round, shares_of
from reference_tree.data.missing import Missing
from reference_tree.data.questions import Test, path_step
from reference_tree.data.targets import plus
from reference_tree.exact.rationals import Rational
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Decision
from reference_tree.splitting.candidate import large_enough

TRUE_OF_ROWS = ("pure", "empty")
"""The reasons that depend on the rows alone."""

RULE = "missing"
"""The id of the rule that is broken if rows without an answer go the wrong way."""

NOT_JUDGED = (None, "unknown", "pruned", "pre-pruned", "collapsed")
"""The reasons of leaves that are not compared with the learner's."""


def is_its_record(judge: Judge) -> bool:
    """Whether this is a tree of this package, checked against the learner that it records."""
    own, claimed = judge.tree.grower, judge.learner.grower()
    if judge.tree.program is not None or (own.name, own.profile) != (claimed.name, claimed.profile):
        return False
    return all(own.options.get(name) == value for name, value in claimed.options.items())


def faults_of_stop(judge: Judge, at: Arrival, decision: Decision, *, pruned: bool) -> Iterator[Fault]:
    """The fault of a leaf whose stated reason is wrong.

    Args:
        judge: the judge of the tree.
        at: the leaf, and its rows.
        decision: the learner's decision there.
        pruned: whether the tree was pruned after it was grown.
    """
    said = at.node.stop
    if at.node.test is not None or said in NOT_JUDGED or said == decision.stop:
        return
    total, target = at.sample.total(), at.sample.target
    if said in TRUE_OF_ROWS:
        is_pure = any(total) and (target.is_pure(total) or judge.adds_doubles)  # a lost impurity is no fault
        is_true = is_pure if said == "pure" else not any(total)
    else:
        is_true = pruned or decision.stop is None or not is_its_record(judge)
    if not is_true:
        why = (
            "it is no leaf to the learner" if decision.stop is None else f"by the learner it is one by {decision.stop}"
        )
        yield Fault("wrong-stop", f"it says that it is a leaf by {said}; {why}", f"stop.{said}")


def faults_of_missing(judge: Judge, at: Arrival, decision: Decision, test: Test) -> Iterator[Fault]:
    """The fault of a node that sends rows without an answer elsewhere than the learner would.

    Args:
        judge: the judge of the tree.
        at: the node, and its rows.
        decision: the learner's decision there.
        test: the question of the node.
    """
    said = at.node.missing
    if "missing" in judge.tree.silent:
        return
    if said.shares and not all(map(partial(judge.is_same_weight, above=1), said.shares, _shares(at, decision, test))):
        yield Fault("wrong-missing", "the shares of its branches are not those of the rows that answer", RULE)
    if said.to is None:
        return
    right = _of_record(judge, at, decision, test) if judge.tree.program is None else _of_side(judge, at, test)
    if right is not None and right.to is not None and right.to != said.to:
        there, where = (path_step(shown(test), branch) for branch in (said.to, right.to))
        yield Fault("wrong-missing", f"rows without an answer go to {there}, and to {where} by the learner", RULE)


def fault_of_way(test: Test, said: int, counted: int) -> Fault:
    """The fault of a node that states another branch for rows without an answer than its counts show.

    Args:
        test: the question of the node.
        said: the branch that the node states.
        counted: the branch whose counts contain these rows.
    """
    there, where = (path_step(shown(test), branch) for branch in (said, counted))
    return Fault("wrong-missing", f"rows without an answer go to {there}, but its branches have them in {where}", RULE)


def _shares(at: Arrival, decision: Decision, test: Test) -> Sequence[Rational]:
    """The shares of the branches by the learner; of a question that it would not ask, those of the rows that answer."""
    chosen, found = decision.chosen, decision.missing.shares
    if found and chosen is not None and is_same_way_round(test, chosen.test, at.sample):
        return found
    return shares_of(at.sample, test) or at.node.missing.shares


def _of_record(judge: Judge, at: Arrival, decision: Decision, test: Test) -> Missing | None:
    """The rule for rows without an answer by the record of a tree of this package; None if it is not known."""
    chosen = decision.chosen
    if chosen is None or not is_its_record(judge) or decision.missing.rule != at.node.missing.rule:
        return None
    return decision.missing if is_same_way_round(test, chosen.test, at.sample) else None


def _of_side(judge: Judge, at: Arrival, test: Test) -> Missing | None:
    """The other side, if the question is better with the rows without an answer on it; None if it is not."""
    learner, to = judge.learner, at.node.missing.to
    if not isinstance(learner, CART) or learner.missing != "better-side" or to is None:
        return None
    criterion = learner.node_criterion(at.sample, at.place)
    table = criterion.sample.partition(test)
    if not any(table.unknown):
        return None
    here, there = (
        [plus(row, table.unknown) if branch == side else row for branch, row in enumerate(table.rows)]
        for side in (to, 1 - to)
    )
    if not large_enough(map(criterion.sample.target.weight, there), criterion.minimum):
        return None
    regret = Regret(criterion.score(here), test.name, criterion.score(there), best_weight(at.sample), criterion.by)
    if regret.per_row <= 0 or judge.is_within_rounding(regret, at.sample):
        return None
    return Missing(to=1 - to)
