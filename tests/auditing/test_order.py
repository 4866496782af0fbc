"""Best-first order: a tree that some order of splits comes to is right, and of any other one a leaf is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.auditing.order import late
from reference_tree.auditing.report import report
from reference_tree.pruning.cutting import cut
from reference_tree.tree import Tree
from tests.auditing.trees import changed

FULL = rt.CART().grow(rt.textbook("golf"))
ASKING = [number for number, node in enumerate(FULL.nodes) if node.test is not None]


def grown(worth: Mapping[int, int], splits: int) -> set[frozenset[int]]:
    """What best-first growth may come to, by trying every order of equal leaves: the nodes that were split."""
    reached = {frozenset[int]()}
    for _ in range(splits):
        reached = {split | {one} for split in reached for one in next_of(split, worth)}
    return reached


def next_of(split: frozenset[int], worth: Mapping[int, int]) -> list[int]:
    """The leaves that are worth most."""
    leaves = [n for n in ASKING if n not in split and (n == 0 or FULL.parents[n][0] in split)]
    return [n for n in leaves if worth[n] == max(worth[one] for one in leaves)]


def prunings(splits: int) -> Iterator[frozenset[int]]:
    """Every tree of so many splits, the root being one."""
    found = {frozenset([0])}
    for _ in range(splits - 1):
        found = {one | {n} for one in found for n in ASKING if n not in one and FULL.parents[n][0] in one}
    yield from found


def blamed(split: frozenset[int], worth: Mapping[int, int]) -> list[int]:
    """The leaves of a tree of some splits that should have been split before, by their numbers in the full tree."""
    tree = cut(FULL, {number for number in ASKING if number not in split})
    whole = {tree.path(number): number for number in range(len(tree.nodes))}
    number_in = {whole[FULL.path(n)]: n for n in range(len(FULL.nodes)) if FULL.path(n) in whole}
    known = {here: worth[there] for here, there in number_in.items() if there in worth}
    return [number_in[one.leaf] for one in late(tree, known) if one.loss > 0]


@given(st.permutations(range(len(ASKING))), st.integers(2, len(ASKING)))
def test_without_ties_one_tree_is_right_and_every_other_one_is_blamed(values: list[int], splits: int) -> None:
    worth = dict(zip(ASKING, values, strict=True))
    (right,) = grown(worth, splits)
    for split in prunings(splits):
        assert bool(blamed(split, worth)) == (split != right)


@given(st.lists(st.integers(1, 3), min_size=len(ASKING), max_size=len(ASKING)), st.integers(2, len(ASKING)))
def test_with_ties_no_tree_is_blamed_that_an_order_of_equals_comes_to(values: list[int], splits: int) -> None:
    worth = dict(zip(ASKING, values, strict=True))
    for split in grown(worth, splits):
        assert blamed(split, worth) == []


IRIS = rt.textbook("iris")
GROWN = rt.CART().grow(IRIS)


def of_iris(*kept: int) -> Tree:
    """The tree that asks at some nodes alone."""
    asking = {number for number, node in enumerate(GROWN.nodes) if node.test is not None}
    return cut(GROWN, asking - {*kept}, stop="unknown")


def test_the_leaf_is_named_with_its_regret() -> None:
    below = [GROWN.nodes[branch].test and branch for branch in GROWN.nodes[2].branches]
    assert all(below)  # both sides of the second question ask again
    leaves = {kept: rt.audit(of_iris(0, 2, kept), IRIS, max_leaves=4) for kept in below if kept}
    right, wrong = sorted(leaves.values(), key=lambda found: len(found.wrong))
    assert right.is_right
    (finding,) = wrong.wrong
    assert (finding.verdict, finding.faults[0].rule) == ("stopped-early", "order.best-first")
    # n times the Gini value of p and q rows is 2pq / (p + q); 49, 5 become 47, 1 and 2, 4; 1, 45 become 1, 2 and 0, 43
    first = Fraction(2 * 49 * 5, 54) - Fraction(2 * 47 * 1, 48) - Fraction(2 * 2 * 4, 6)
    second = Fraction(2 * 1 * 45, 46) - Fraction(2 * 1 * 2, 3)
    assert finding.regret is not None
    assert finding.regret.in_all == first - second
    assert "which was split" in report(wrong)


def test_where_the_score_is_no_decrease_the_order_is_not_judged() -> None:
    tree = rt.C45(max_depth=1).grow(rt.textbook("golf"))
    found = rt.audit(tree, rt.textbook("golf"), rt.C45(), max_leaves=len(tree.leaves()))
    assert found.is_right
    assert "in which order nodes were split is not judged" in found.summary


def test_where_something_else_is_wrong_no_leaf_is_blamed_for_the_order() -> None:
    tree = of_iris(0)
    spoilt = changed(tree, 1, label="virginica")
    assert [one.verdict for one in rt.audit(spoilt, IRIS, max_leaves=2).wrong] == ["wrong-leaf"]
