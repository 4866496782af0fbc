"""rpart's complexities: bounds that they cannot leave, the cases in which they are the book's, and one in which not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.node import Node
from reference_tree.pruning.cost_complexity import pruning_path
from reference_tree.pruning.one_pass import complexities
from reference_tree.tree import Tree

TARGET = rt.textbook("cats").schema.target
QUESTION = rt.C45(max_depth=1).grow(rt.textbook("cats")).nodes[0].test


@st.composite
def binary_trees(draw: st.DrawFn, depth: int = 4) -> Tree:
    """Trees of two classes whose questions have two answers; counts are those of random leaves, added up."""
    nodes: list[Node] = []

    def add(level: int) -> tuple[int, int]:
        number = len(nodes)
        nodes.append(Node((0, 0), "0"))
        if level == 0 or (level < depth and draw(st.booleans())):
            counts = (draw(st.integers(0, 6)), draw(st.integers(1, 6)))
            nodes[number] = Node(counts, "1", stop="unknown")
        else:
            left = add(level - 1)
            right_number = len(nodes)
            right = add(level - 1)
            counts = (left[0] + right[0], left[1] + right[1])
            nodes[number] = Node(counts, "1", QUESTION, (number + 1, right_number))
        return counts

    add(depth)
    return Tree(TARGET, (), tuple(nodes))


def by_hand(errors: Sequence[int], branches: Sequence[tuple[int, ...]]) -> Tree:
    """A tree of what each node gets wrong as a leaf, and of its branches."""
    nodes = (
        Node((found, 100), "1", QUESTION if below else None, below, None if below else "unknown")
        for found, below in zip(errors, branches, strict=True)
    )
    return Tree(TARGET, (), tuple(nodes))


def of_two_by_hand(errors: list[int]) -> Tree:
    """A chain of two questions: the errors of the root, of the node below, and of the three leaves."""
    return by_hand(errors, [(1, 4), (2, 3), (), (), ()])


@given(binary_trees())
def test_no_question_outlives_the_one_above(tree: Tree) -> None:
    prices = complexities(tree, [min(node.counts) for node in tree.nodes])
    for number, price in prices.items():
        above = tree.parents[number][0]
        assert above < 0 or price <= prices[above]


@given(binary_trees())
def test_a_price_is_never_above_that_of_the_book(tree: Tree) -> None:
    book = pruning_path(tree)
    weight, price_of = Fraction(tree.nodes[0].weight), {}
    for step in reversed(book.steps):
        for number in step.weakest:
            price_of[number] = step.alpha * weight
    prices = complexities(tree, [min(node.counts) for node in tree.nodes])
    assert all(prices[number] <= price for number, price in price_of.items())


@given(binary_trees(depth=2))
def test_the_root_of_two_levels_has_the_price_of_the_book_unless_its_branches_outlast_it(tree: Tree) -> None:
    risks = [min(node.counts) for node in tree.nodes]
    prices = complexities(tree, risks)
    own = {
        number: Fraction(risks[number] - sum(risks[below] for below in tree.nodes[number].branches))
        for number in prices
        if number
    }
    if all(price < prices[0] for price in own.values()):
        assert pruning_path(tree).steps[-1].alpha * tree.nodes[0].weight == prices[0]


@given(binary_trees())
def test_the_trees_are_nested_and_prices_increase(tree: Tree) -> None:
    path = pruning_path(tree, "rpart")
    assert all(one.alpha < other.alpha for one, other in pairwise(path.steps))
    assert all(path.cut_at(one) < path.cut_at(other) for one, other in pairwise(path.steps))
    assert len(path.at(path.steps[-1]).nodes) == 1


def test_weaker_branches_go_first() -> None:
    """The lower question saves 1, the upper one then 9: the book has 1 and 9, and so has one pass."""
    assert complexities(of_two_by_hand([20, 6, 2, 3, 5]), [20, 6, 2, 3, 5]) == {0: 9, 1: 1}


def test_of_two_branches_the_weaker_goes_first_and_the_stronger_after_it() -> None:
    """They save 1 and 2; when both are gone the root saves 20 - 5 - 6."""
    errors, below = [20, 5, 2, 2, 6, 2, 2], [(1, 4), (2, 3), (), (), (5, 6), (), ()]
    nodes = tuple(
        Node((found, 100), "1", QUESTION if under else None, under, None if under else "unknown")
        for found, under in zip(errors, below, strict=True)
    )
    assert complexities(Tree(TARGET, (), nodes), errors) == {0: 9, 1: 1, 4: 2}


@pytest.mark.parametrize("weaker", [0, 1])
def test_of_two_branches_the_weaker_may_go_alone(weaker: int) -> None:
    """They save 1 and 5. With the weaker gone the other and the root save 16 - 6 - 2: 4 each, as in the book."""
    sides = [[(6, (2, 3)), (3, ()), (2, ())], [(7, (2, 3)), (1, ()), (1, ())]]
    first, second = sides[weaker], sides[1 - weaker]
    nodes = [Node((16, 100), "1", QUESTION, (1, 4))]
    for start, side in ((0, first), (3, second)):
        for found, below in side:
            branches = tuple(start + branch for branch in below)
            nodes.append(Node((found, 100), "1", QUESTION if below else None, branches, None if below else "unknown"))
    tree = Tree(TARGET, (), tuple(nodes))
    weak, strong = (1, 4) if weaker == 0 else (4, 1)
    assert pruning_path(tree).steps[-1].alpha * nodes[0].weight == 4
    assert complexities(tree, [node.counts[0] for node in nodes]) == {0: 4, weak: 1, strong: 4}


def test_a_branch_that_ends_when_the_node_does_is_handed_up_with_its_questions() -> None:
    """The lowest question saves 2, and so does each of the two. All three save 4, which is less for each."""
    errors, below = [6, 6, 4, 1, 1, 0, 0], [(1, 6), (2, 5), (3, 4), (), (), (), ()]
    tree = by_hand(errors, below)
    assert pruning_path(tree).steps[-1].alpha * tree.nodes[0].weight == Fraction(4, 3)
    assert complexities(tree, errors) == dict.fromkeys((0, 1, 2), Fraction(4, 3))


def test_branches_that_outlast_a_node_are_handed_up_as_they_were() -> None:
    """The lower question saves 4, the upper one 0: together 2 each, and both go at 2."""
    assert complexities(of_two_by_hand([10, 8, 2, 2, 2]), [10, 8, 2, 2, 2]) == {0: 2, 1: 2}


def test_where_it_differs_from_the_book() -> None:
    """A chain of three questions. The root goes while the lowest question, which saves 2, is still worth it.

    So the three save (6 - 1)/3. The node in the middle is handed up as it is just before its own end, at 3: without the
    lowest question, and (6 - 2 - 1)/2 is less.
    """
    errors, below = [6, 5, 2, 0, 0, 0, 1], [(1, 6), (2, 5), (3, 4), (), (), (), ()]
    tree = by_hand(errors, below)
    assert pruning_path(tree).steps[-1].alpha * tree.nodes[0].weight == Fraction(5, 3)
    assert complexities(tree, errors) == {0: Fraction(3, 2), 1: Fraction(3, 2), 2: Fraction(3, 2)}


def test_more_answers_than_two() -> None:
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    with pytest.raises(InputError, match=r"tests with two outcomes, and / has 3"):
        pruning_path(tree, "rpart")
