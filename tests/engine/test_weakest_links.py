"""Weakest links: the sequence that the engine finds is that of the book, ties and written numbers included."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.questions import Missing
from reference_tree.engine.weakest_links import weakest_first
from reference_tree.exact.rationals import Rational
from reference_tree.node import Node
from reference_tree.pruning import cost_complexity
from reference_tree.pruning.cost_complexity import Step, pruning_path
from reference_tree.pruning.risks import RISKS, Convention, convention, leaves_with_rows, per_row, questions
from reference_tree.tree import Tree
from tests.pruning.prunings import small_trees
from tests.pruning.test_cost_complexity import chain, every_risk, of_two_halves
from tests.strategies import tables_with_gaps

BOOK: Any = cost_complexity.weakest_first
RULES = [
    Convention(risk, size, per_row, staying=staying)
    for risk in RISKS.values()
    for size in (leaves_with_rows, questions)
    for staying in (True, False)
]
TARGET = replace(rt.textbook("iris").schema.target, values=("n", "y"))
QUESTION = rt.CART(max_depth=1).grow(rt.textbook("iris")).nodes[0].test


def written(steps: Sequence[Step]) -> list[tuple[object, ...]]:
    """The steps as they are printed: sums of logarithms that are equal can be written in several ways."""
    return [(str(step.alpha), step.weakest, step.leaves, str(step.risk)) for step in steps]


def assert_as_by_the_book(tree: Tree, rules: Convention) -> None:
    found, expected = weakest_first(tree, rules), BOOK.__wrapped__(tree, rules)
    assert found == expected
    assert written(found) == written(expected)


@st.composite
def any_trees(draw: st.DrawFn, depth: int = 4) -> Tree:
    """Trees of two classes with leaves and branches without rows, and rows that stay at any node."""
    nodes: list[Node] = []
    few = st.tuples(st.integers(0, 4), st.integers(0, 4))

    def add(level: int) -> tuple[int, int]:
        number = len(nodes)
        nodes.append(Node((0, 0), "n"))
        label = draw(st.sampled_from("ny"))
        if level == 0 or (level < depth and draw(st.booleans())):
            counts = draw(few)
            nodes[number] = Node(counts, label, stop="unknown")
        else:
            stays = draw(st.booleans())
            rows, branches = [draw(few) if stays else (0, 0)], []
            for _ in range(draw(st.integers(2, 3))):
                branches.append(len(nodes))
                rows.append(add(level - 1))
            counts = (sum(n for n, _ in rows), sum(y for _, y in rows))
            nodes[number] = Node(counts, label, QUESTION, tuple(branches), missing=Missing(stays=stays))
        return counts

    weight = sum(add(depth))
    if not weight:
        nodes[0] = replace(nodes[0], counts=(1, 0))
    return Tree(TARGET, (), tuple(nodes))


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("rules", RULES)
@given(tree=any_trees())
def test_any_tree(rules: Convention, tree: Tree) -> None:
    assert_as_by_the_book(tree, rules)
    steps = weakest_first(tree, rules)
    assert all(one.alpha < other.alpha for one, other in pairwise(steps))


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("profile", ["cart-1984", "li-hang"])
@given(tree=st.one_of(small_trees(), small_trees(gaps=True)))
def test_trees_that_were_grown(profile: str, tree: Tree) -> None:
    for risk in (None, "entropy"):
        assert_as_by_the_book(tree, convention(tree, profile, risk))


@given(tables_with_gaps())
def test_trees_at_whose_nodes_rows_stay(table: rt.Table) -> None:
    tree = rt.CART(missing="stay").grow(table)
    for risk in RISKS:
        assert_as_by_the_book(tree, convention(tree, "cart-1984", risk))


@every_risk
@pytest.mark.parametrize("tree", [of_two_halves(), of_two_halves(times=3), of_two_halves(Fraction(1, 2**100))])
def test_subtrees_that_are_alike_or_nearly(risk: str, tree: Tree) -> None:
    assert_as_by_the_book(tree, convention(tree, "cart-1984", risk))


@pytest.mark.one_in(1, 3)
@every_risk
def test_a_chain(risk: str) -> None:
    tree = chain(40)
    assert_as_by_the_book(tree, convention(tree, "cart-1984", risk))


def test_links_that_integers_cannot_tell_apart_go_one_after_the_other() -> None:
    tiny = Fraction(1, 2**100)
    path = pruning_path(of_two_halves(tiny))
    assert [step.weakest for step in path.steps] == [(), (2,), (7,), (6,), (1,), (0,)]
    weight = Fraction(42) + tiny
    assert [step.alpha * weight for step in path.steps][:5] == [0, 1, 1 + tiny, 8 - tiny, 8]


ULP = Fraction(1, 2**80)
"""The unit of the integers around a risk."""


@pytest.mark.parametrize(("price", "order"), [(10 - ULP / 2, [2, 16, 1, 0]), (10 + 2 * ULP, [2, 1, 16, 0])])
def test_a_link_below_which_something_was_cut_is_looked_at_again(price: Fraction, order: list[int]) -> None:
    """Node 2 has twelve leaves of 1/3, whose integers are off; once it is cut, the price of node 1 is 10 and a bit."""
    third, ten = Fraction(1, 3), 10 + ULP / 10
    errors: list[Rational] = [1000, ten + 5 + third, 5, *[third] * 12, third, price, 0, 0]
    below = {0: (1, 16), 1: (2, 15), 2: tuple(range(3, 15)), 16: (17, 18)}
    nodes = [
        Node((2000, wrong), "n", QUESTION, below[number]) if number in below else Node((2000, wrong), "n", stop="pure")
        for number, wrong in enumerate(errors)
    ]
    path = pruning_path(Tree(TARGET, (), tuple(nodes)))
    assert [step.weakest for step in path.steps] == [(), *((number,) for number in order)]
    prices = {2: Fraction(1, 11), 1: ten, 16: price}
    assert [step.alpha * 3000 for step in path.steps[1:4]] == [prices[number] for number in order[:3]]


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("profile", ["cart-1984", "li-hang"])
def test_a_deep_chain_is_pruned_in_no_time(profile: str) -> None:
    tree = chain(2000)
    start = time.process_time()
    path = pruning_path(tree, profile)
    assert time.process_time() - start < 5  # a quarter of a second; once it was half a minute
    assert path.steps[-1].leaves == 1
    assert all(one.alpha < other.alpha for one, other in pairwise(path.steps))
