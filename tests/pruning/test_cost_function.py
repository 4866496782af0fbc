"""The cost function: its value by another way, its algorithm against every pruning there is."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import log
from reference_tree.learners.growing import grow
from reference_tree.learners.id3 import ID3
from reference_tree.node import Node
from reference_tree.pruning.cost_function import cost, cost_function, leaf_cost
from reference_tree.pruning.cutting import cut, postorder
from reference_tree.tree import Tree
from tests.pruning.prunings import prunings, small_trees, structure
from tests.strategies import counts, fractional_counts, fractions

alphas = st.one_of(st.integers(0, 6), fractions(0, 6, max_denominator=12))


def likelihood(tree: Tree) -> Fraction:
    """The probability of the training classes if each leaf has the distribution of its rows: a product, row by row."""
    leaves = [tree.nodes[number].counts for number in tree.leaves()]
    return prod((Fraction(n, sum(leaf)) for leaf in leaves for n in leaf for _ in range(int(n))), start=Fraction(1))


def counted(tree: Tree) -> int:
    """The leaves that have a price."""
    return sum(1 for number in tree.leaves() if any(tree.nodes[number].counts))


# The cost.


@given(counts())
def test_the_cost_of_a_leaf_is_the_negative_logarithm_of_its_likelihood(row: list[int]) -> None:
    rows = prod((Fraction(n, sum(row)) ** n for n in row), start=Fraction(1))
    assert leaf_cost(tuple(row)) == -log(rows)


@given(fractional_counts)
def test_the_cost_of_a_leaf_with_weights(row: list[Fraction]) -> None:
    with mpmath.workprec(200):
        cells = [mpmath.mpf(cell.numerator) / cell.denominator for cell in map(Fraction, row) if cell]
        n = mpmath.fsum(cells)
        expected = mpmath.fsum(cell * mpmath.log(n / cell, 2) for cell in cells)
        assert float(leaf_cost(tuple(row))) == pytest.approx(float(expected), rel=1e-15, abs=1e-300)


@pytest.mark.covers("N0 EN §4 eq. (5)", "N1 §1.2 loss")
@given(small_trees(), alphas)
def test_the_cost_is_a_penalised_log_likelihood(tree: Tree, alpha: Fraction) -> None:
    assert cost(tree, alpha) == -log(likelihood(tree)) + alpha * counted(tree)


def test_an_empty_leaf_has_no_price() -> None:
    table = Table.from_columns({"a": list("ppq"), "b": list("rst"), "y": list("nyy")}, target="y")
    tree = grow(ID3(max_depth=1), table)
    empty = cut(tree, [])
    assert cost(empty, 1) == 3
    with_prior = next(t for t in prunings(grow(ID3(), rt.textbook("watermelon-2.0"))) if any(n.prior for n in t.nodes))
    assert cost(with_prior, 1) - cost(with_prior) == counted(with_prior) < len(with_prior.leaves())


def test_a_class_without_rows_and_a_last_leaf_without_rows_leave_a_tree_its_cost() -> None:
    question = rt.C45(max_depth=1).grow(rt.textbook("cats")).nodes[0].test
    leaves = Node((3, 0), "a", stop="pure"), Node((0, 0), "a", stop="empty", prior=True)
    nodes = (Node((3, 0), "a", question, (1, 2)), *leaves)
    assert cost(Tree(rt.textbook("cats").schema.target, (), nodes), 1) == 1


# The algorithm.


@pytest.mark.covers("N0 EN §4", "N0 EN §4 recursion", "N1 §1.6", "N3 Occam's Razor")
@given(small_trees(), alphas)
def test_no_pruning_is_cheaper_and_none_as_cheap_is_smaller(tree: Tree, alpha: Fraction) -> None:
    pruning = cost_function(tree, alpha)
    best: list[Tree] = []
    least = None
    for candidate in prunings(tree):
        price = -log(likelihood(candidate)) + alpha * counted(candidate)
        if least is None or price < least:
            best, least = [candidate], price
        elif price == least:
            best.append(candidate)
    assert pruning.cost == cost(pruning.tree, alpha) == least
    smallest = min(len(candidate.nodes) for candidate in best)
    assert [structure(candidate) for candidate in best if len(candidate.nodes) == smallest] == [structure(pruning.tree)]


@pytest.mark.slow
@given(small_trees(gaps=True), alphas)
def test_the_same_with_weights_that_are_fractions(tree: Tree, alpha: Fraction) -> None:
    pruning = cost_function(tree, alpha)
    costs = [(cost(candidate, alpha), len(candidate.nodes)) for candidate in prunings(tree)]
    assert (pruning.cost, len(pruning.tree.nodes)) == min(costs)


@given(small_trees(), alphas, alphas)
def test_a_higher_price_never_leaves_more(tree: Tree, alpha: Fraction, beta: Fraction) -> None:
    low, high = sorted([alpha, beta])
    assert len(cost_function(tree, low).tree.nodes) >= len(cost_function(tree, high).tree.nodes)


@given(small_trees(), alphas)
def test_the_weighings_are_those_of_the_two_trees(tree: Tree, alpha: Fraction) -> None:
    pruning = cost_function(tree, alpha)
    asking = [number for number in postorder(tree) if tree.nodes[number].test is not None]
    assert [weighing.node for weighing in pruning.weighings] == asking
    for weighing in pruning.weighings:
        assert weighing.pruned == (weighing.leaf <= weighing.subtree)
    root = pruning.weighings[-1]
    assert (root.node, root.leaf) == (0, cost(cut(tree, [0]), alpha))
    settled = cut(tree, [w.node for w in pruning.weighings[:-1] if w.pruned])
    assert root.subtree == cost(settled, alpha)


def test_equal_costs_prune() -> None:
    table = Table.from_columns({"a": list("ppqq"), "y": list("nyny")}, target="y")
    tree = grow(ID3(), table)
    assert len(tree.nodes) == 3
    assert (
        len(cost_function(tree, 0).tree.nodes) == 1
    )  # as it tells nothing, the question costs nothing and saves nothing
    table = Table.from_columns({"a": list("ppqq"), "y": list("nnyy")}, target="y")
    tree = grow(ID3(), table)  # four rows at one bit each, for one leaf more
    assert len(cost_function(tree, 4).tree.nodes) == 1
    assert len(cost_function(tree, 4 - Fraction(1, 10**30)).tree.nodes) == 3


def test_a_price_just_beside_an_irrational_gain_is_told_apart() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    below_sunny = 5 * log(5) - 2 * log(2) - 3 * log(3)  # 5·H(2, 3): what the question for the humidity saves
    with mpmath.workprec(400):
        exact = 5 * mpmath.log(5, 2) - 2 - 3 * mpmath.log(3, 2)
        above = Fraction(int(mpmath.ceil(exact * 2**300)), 2**300)
    assert above - below_sunny < Fraction(1, 2**299)
    sunny = tree.find("/outlook=sunny")
    verdicts = [
        next(w.pruned for w in cost_function(tree, alpha).weighings if w.node == sunny)
        for alpha in (above, above - Fraction(1, 2**299))
    ]
    assert verdicts == [True, False]


def test_what_was_done_is_noted() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    options = cost_function(tree, Fraction(7, 2)).tree.grower.options
    assert options["pruning"] == [{"method": "cost-function", "alpha": "7/2"}]


def test_what_has_no_cost_is_refused() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    with pytest.raises(InputError, match="alpha is the price of a leaf and not negative, but -1"):
        cost_function(tree, -1)
    uncounted = cut(tree, [0])
    nodes = tuple(type(node)((0, 0), node.label, stop="unknown") for node in uncounted.nodes)
    with pytest.raises(InputError, match="records no counts"):
        cost(type(tree)(tree.target, tree.attributes, nodes))


def test_rows_that_stay_at_a_node_cost_what_it_leaves_open() -> None:
    columns: dict[str, list[object]] = {"x": [1, 2, 3, 4, None, None, None], "y": list("nnpppnp")}
    tree = rt.CART(missing="stay").grow(Table.from_columns(columns, target="y"))
    # Pure leaves; of the three rows that stay, the root gives n the probability 3/7 and p 4/7.
    expected = log(Fraction(7, 3)) + 2 * log(Fraction(7, 4))
    assert cost(tree) == expected
    assert cost(tree, 1) == expected + 2
    pruning = cost_function(tree, 1)
    assert (pruning.cost, pruning.weighings[0].subtree) == (expected + 2, expected + 2)


@given(counts(), st.data())
def test_the_cost_of_a_leaf_is_the_sum_of_its_parts(row: list[int], data: st.DataObject) -> None:
    part = tuple(data.draw(st.integers(0, n)) for n in row)
    rest = tuple(n - k for n, k in zip(row, part, strict=True))
    assert leaf_cost(tuple(row), part) + leaf_cost(tuple(row), rest) == leaf_cost(tuple(row))


def test_a_float_is_a_price_and_what_is_no_number_is_not() -> None:
    tree = rt.ID3().grow(rt.textbook("loan"))
    assert cost_function(tree, 0.5).cost == cost_function(tree, Fraction(1, 2)).cost
    assert cost_function(tree, 0.1).tree.grower.options["pruning"][-1]["alpha"] == str(Fraction(0.1))
    assert cost(tree, log(3)) == cost(tree) + 3 * log(3)
    for alpha in (float("nan"), float("inf"), "1", None):
        with pytest.raises(InputError, match="alpha is the price of a leaf"):
            cost_function(tree, alpha)
