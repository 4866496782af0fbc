"""Repruning: a tree is compared with what pruning leaves of the tree that its learner grows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import reference_tree as rt
from reference_tree.auditing.claims import Claim
from reference_tree.auditing.hypotheses import NOTHING, Repruning
from reference_tree.auditing.repruning import compared, price_between
from reference_tree.auditing.walk import Walk
from reference_tree.data.questions import Threshold
from reference_tree.subtrees import assemble, leaf

GOLF = rt.textbook("golf")
GROWN = rt.C45.like("weka-j48").grow(GOLF)


def test_a_leaf_that_pruning_leaves_is_excused_and_another_is_not() -> None:
    inner = next(number for number, node in enumerate(GROWN.nodes) if number and node.test is not None)
    cut = assemble(GROWN, {inner: leaf(GROWN.nodes[inner], "pruned")})
    same, other = compared(cut, GOLF, cut), compared(cut, GOLF, GROWN)
    assert (inner in same.excuses, same.differs) == (True, 0)
    assert (inner in other.excuses, other.differs) == (False, 1)


def test_a_node_that_pruning_would_cut_is_at_fault_and_causes_what_is_below() -> None:
    inner = next(number for number, node in enumerate(GROWN.nodes) if number and node.test is not None)
    cut = assemble(GROWN, {inner: leaf(GROWN.nodes[inner], "pruned")})
    found = compared(GROWN, GOLF, cut)
    assert [(number, one.verdict) for number, one in found.faults.items()] == [(inner, "split-too-far")]
    assert {*found.causes.values()} == {inner}


def test_branches_may_stand_in_another_order() -> None:
    root = GROWN.nodes[0]
    turned = replace(root.test, values=root.test.values[::-1])  # type: ignore[type-var, union-attr]
    other = replace(GROWN, nodes=(replace(root, test=turned, branches=root.branches[::-1]), *GROWN.nodes[1:]))
    assert compared(GROWN, GOLF, other).differs == 0


def test_a_price_is_a_usual_one_or_short() -> None:
    assert price_between(Fraction(1, 3), Fraction(1, 2)) == "0.4"
    assert price_between(0, None) == "0"
    assert price_between(Fraction(1, 200), None, [Fraction(1, 100)]) == "0.01"


def test_counts_that_contradict_a_test_follow_from_no_node_above() -> None:
    """The root is right, and none of the tree that is grown anew; below it a threshold sends other rows than stated."""
    anew, nodes = rt.C45.like("weka-j48").grow(GOLF.without(["outlook"])), list(GROWN.nodes)
    number = next(place for place, node in enumerate(nodes) if isinstance(node.test, Threshold))
    test = nodes[number].test
    assert isinstance(test, Threshold)
    nodes[number] = replace(nodes[number], test=replace(test, threshold=85, interval=None))
    claim = Claim(replace(GROWN, nodes=tuple(nodes)), rt.C45.like("weka-j48"), GOLF)
    found = {one.number: one for one in Walk(claim, supposed=NOTHING._replace(repruning=Repruning(anew))).findings()}
    assert not found[0].faults
    assert (found[number].verdict, found[number].cause) == ("wrong-threshold", None)
