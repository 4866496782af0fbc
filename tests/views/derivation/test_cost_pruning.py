"""Pruning by costs: what is shown is true, and is what decided."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.exact.rationals import rational
from reference_tree.pruning.cost_complexity import weakest_links
from reference_tree.pruning.cost_function import CostPruning, cost, cost_function
from reference_tree.pruning.cutting import cut
from reference_tree.pruning.record import PathPruning, perform
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import Decided, Equation, Equations, Sentence
from reference_tree.views.derivation.cost_pruning import costs, links
from reference_tree.views.derivation.notation import opened, text
from tests.pruning.prunings import small_trees
from tests.strategies import at_most
from tests.views.arithmetic import evaluated
from tests.views.pruned import BY_ENTROPY, BY_GINI, FULL, NODE_2, PATH


def equations(part: Decided) -> Iterator[Equation]:
    for block in part.blocks:
        if isinstance(block, Equations):
            yield from block.lines


def said(part: Decided) -> str:
    return " ".join(block.text for block in part.blocks if isinstance(block, Sentence))


@given(small_trees(), st.fractions(0, 4, max_denominator=4))
@at_most(40)
def test_both_costs_are_worked_out_as_they_were_found(tree: Tree, alpha: Fraction) -> None:
    found = cost_function(tree, alpha)
    parts = list(costs(tree, found, alpha))
    assert len(parts) == len(found.weighings)
    for part, (number, leaf, subtree, pruned) in zip(parts, found.weighings, strict=True):
        as_leaf, as_tree = equations(part)
        assert part.nodes == {number}
        assert (as_leaf.worked.value, as_tree.worked.value) == (leaf, subtree)
        for line in (as_leaf, as_tree):
            assert evaluated(text(opened(line.worked))) == pytest.approx(float(line.worked.value), abs=2e-5)
        assert ("stays" in said(part)) != pruned


def test_the_cost_of_what_is_left_is_that_of_its_leaves() -> None:
    found = cost_function(FULL, Fraction(7, 5))
    *_, root = costs(FULL, found, Fraction(7, 5))
    _, as_tree = equations(root)
    below = cut(FULL, [one.node for one in found.weighings if one.pruned and one.node])
    assert as_tree.worked.value == cost(below, Fraction(7, 5)) == 11
    assert text(opened(as_tree.worked)) == "0 + 2·0 + 4·1 + 1.4·5"


def test_a_tie_is_said_to_be_one() -> None:
    tree = rt.ID3().grow(rt.Table.from_columns({"a": list("uv"), "y": ["no", "yes"]}))
    found = cost_function(tree, 2)
    (part,) = costs(tree, found, 2)
    assert said(part) == "4 = 4: both cost the same, and the node becomes a leaf."


# Cost-complexity.


@pytest.mark.parametrize("record", [PATH, BY_GINI, BY_ENTROPY])
def test_risks_and_g_are_worked_out_as_they_were_found(record: dict[str, str]) -> None:
    found = perform(FULL, record).found
    assert isinstance(found, PathPruning)
    risks, *rounds = links(found, rational(record["alpha"]))
    expected = {f"R({FULL.path(link.node)})": link.leaf for link in weakest_links(FULL, (), found.profile, found.risk)}
    assert {line.symbol.text: line.worked.value for line in equations(risks)} == expected
    gone: frozenset[int] = frozenset()
    for part, step in zip(rounds, [one for one in found.path.steps if one.weakest], strict=False):
        left = weakest_links(FULL, gone, found.profile, found.risk)
        assert {line.symbol.text: line.worked.value for line in equations(part)} == {
            f"g({FULL.path(link.node)})": link.g for link in left
        }
        assert part.nodes == {link.node for link in left}
        gone |= frozenset(step.weakest)
    for line in (line for part in (risks, *rounds) for line in equations(part)):
        assert evaluated(text(opened(line.worked))) == pytest.approx(float(line.worked.value), abs=2e-5)
    assert ["cut together" in said(part) for part in rounds] == [True, False]
    assert said(rounds[-1]).endswith("nothing more is cut.")


def test_the_last_round_compares_the_least_g_with_alpha() -> None:
    found = perform(FULL, PATH).found
    assert isinstance(found, PathPruning)
    *_, first, last = links(found, Fraction(1, 20))
    assert said(first) == (
        "The least is 1/20; the links that are so weak are cut together: /脐部=凹陷, /脐部=稍凹/根蒂=稍蜷. "
        "4 leaves are left, R(T) = 1/5."
    )
    assert said(last) == "The least is above the price of a leaf, 1/10 > 1/20: nothing more is cut."


def test_a_part_of_the_subtree_that_gets_nothing_wrong_counts_nothing() -> None:
    """Under node 2 every leaf is pure, so R(T_t) is 0 there, while R(t) is not."""
    found = perform(FULL, PATH).found
    assert isinstance(found, PathPruning)
    _, first, __ = links(found, Fraction(1, 20))
    shown = {line.symbol.text: text(opened(line.worked)) for line in equations(first)}
    assert shown[f"g({NODE_2})"] == "(0.1 − 0) / 2"
    assert shown["g(/)"] == "(1/2 − 0) / 7"


def test_numbers_have_their_squared_error_for_a_risk() -> None:
    sizes = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": [1, 1, 5, 9]})
    tree = rt.CART().grow(sizes)
    found = perform(tree, {**PATH, "alpha": "3"}).found
    assert isinstance(found, PathPruning)
    risks, *_ = links(found, 3)
    assert [line.worked.value for line in equations(risks)] == [11, 2]


def test_a_tree_that_asks_nothing_has_nothing_to_work_out() -> None:
    leaf = rt.ID3(max_depth=0).grow(rt.textbook("loan"))
    found = perform(leaf, PATH).found
    assert isinstance(found, PathPruning)
    assert list(links(found, 0)) == []
    empty = perform(leaf, {"method": "cost-function", "alpha": "1"}).found
    assert isinstance(empty, CostPruning)
    assert list(costs(leaf, empty, 1)) == []
