"""The sequence of prunings: unique, strictly increasing and complete, against all prunings there are."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.learners.growing import grow
from reference_tree.learners.id3 import ID3
from reference_tree.node import Node
from reference_tree.pruning.cost_complexity import cost_complexity, pruning_path, weakest_links
from reference_tree.pruning.cutting import cut, shape
from reference_tree.pruning.one_pass import complexities
from reference_tree.pruning.risks import RISKS, leaves_with_rows
from reference_tree.selection.holdout import error
from reference_tree.tree import Tree
from tests.every import of_every
from tests.pruning.prunings import prunings, small_trees, structure
from tests.pruning.test_one_pass import binary_trees
from tests.strategies import fractions, tables_with_gaps

every_risk = pytest.mark.parametrize("risk", RISKS)


def measured(tree: Tree, risk: str) -> tuple[int, Number]:
    """The size and the risk of a tree, leaf by leaf."""
    leaves = [tree.nodes[number] for number in tree.leaves()]
    n = Fraction(tree.nodes[0].weight)
    return sum(leaves_with_rows(leaf, True) for leaf in leaves), sum((RISKS[risk](leaf) for leaf in leaves), 0) * (
        1 / n
    )


def sequence(tree: Tree, risk: str) -> list[tuple[Number, Tree]]:
    """The sequence from all prunings: at each price where two of them cost the same, the smallest of the cheapest."""
    every = [(candidate, *measured(candidate, risk)) for candidate in prunings(tree)]
    least: dict[int, Number] = {}
    for _, size, found in every:
        if size not in least or found < least[size]:
            least[size] = found
    prices = [0, *((least[a] - least[b]) * Fraction(1, b - a) for a in least for b in least if a < b)]
    steps: list[tuple[Number, Tree]] = []
    for price in sorted(price for price in prices if price >= 0):
        cheapest = min(found + price * size for _, size, found in every)
        best = [candidate for candidate, size, found in every if found + price * size == cheapest]
        smallest = min(len(candidate.nodes) for candidate in best)
        only = [candidate for candidate in best if len(candidate.nodes) == smallest]
        assert len(only) == 1, "the smallest of the cheapest prunings is one tree"
        if not steps or structure(steps[-1][1]) != structure(only[0]):
            steps.append((price, only[0]))
    return steps


@pytest.mark.one_in(1, 3)
@every_risk
@given(tree=small_trees(most=60))
def test_the_sequence_is_complete(risk: str, tree: Tree) -> None:
    path = pruning_path(tree, risk=risk)
    expected = sequence(tree, risk)
    assert [(step.alpha, structure(path.at(step))) for step in path.steps] == [
        (price, structure(found)) for price, found in expected
    ]
    assert [(step.leaves, step.risk) for step in path.steps] == [measured(found, risk) for _, found in expected]


@pytest.mark.one_in(1, 3)
@every_risk
@given(tree=small_trees(gaps=True))
def test_prices_increase_trees_are_nested_and_the_last_is_the_root(risk: str, tree: Tree) -> None:
    path = pruning_path(tree, risk=risk)
    assert path.steps[0].alpha == 0
    assert all(one.alpha < other.alpha for one, other in pairwise(path.steps))
    trees = [path.at(step) for step in path.steps]
    assert all(len(one.nodes) > len(other.nodes) for one, other in pairwise(trees))
    assert all(path.cut_at(one) < path.cut_at(other) for one, other in pairwise(path.steps))
    assert len(trees[-1].nodes) == 1
    assert measured(trees[0], risk)[1] == measured(tree, risk)[1]


@pytest.mark.one_in(1, 3)
@every_risk
@given(tree=small_trees(most=200), alpha=fractions(0, 1, max_denominator=30))
def test_the_tree_for_a_price_is_the_smallest_of_the_cheapest(risk: str, tree: Tree, alpha: Fraction) -> None:
    found = cost_complexity(tree, alpha, risk=risk)

    def cost(candidate: Tree) -> Number:
        size, of_leaves = measured(candidate, risk)
        return of_leaves + alpha * size

    every = [(cost(candidate), len(candidate.nodes)) for candidate in prunings(tree)]
    cheapest = min(price for price, _ in every)
    assert cost(found) == cheapest
    assert len(found.nodes) == min(size for price, size in every if price == cheapest)


@pytest.mark.one_in(1, 3)
@every_risk
@given(tree=small_trees())
def test_the_weakest_links_of_each_tree_are_the_next_ones_to_go(risk: str, tree: Tree) -> None:
    path = pruning_path(tree, risk=risk)
    for step, following in pairwise(path.steps):
        links = weakest_links(tree, path.cut_at(step), risk=risk)
        least = min(link.g for link in links)
        assert least == following.alpha
        weakest = {link.node for link in links if link.g == least}
        assert set(following.weakest) <= weakest
        ends = [number + size for number, size in enumerate(shape(tree).sizes)]
        assert all(any(top <= node < ends[top] for top in following.weakest) for node in weakest)
        assert all(link.g == (link.leaf - link.subtree) * Fraction(1, link.saved) for link in links if link.saved)


def test_all_weakest_links_go_together() -> None:
    """Below the root, two questions that save one row each."""
    columns = {"a": list("ppppqqqq"), "b": list("ssstssst"), "y": list("kkklmmmn")}
    tree = grow(ID3(), Table.from_columns(columns, target="y"))
    path = pruning_path(tree)
    assert [(step.alpha, step.weakest, step.leaves) for step in path.steps] == [
        (0, (), 4),
        (Fraction(1, 8), (1, 4), 2),
        (Fraction(3, 8), (0,), 1),
    ]


def test_the_first_tree_can_be_smaller_than_the_one_that_was_grown() -> None:
    table = Table.from_columns({"a": list("ppppqq"), "y": list("nnnyny")}, target="y")
    tree = grow(ID3(), table)
    assert len(tree.nodes) == 3
    path = pruning_path(tree)  # by misclassification the question saves nothing
    assert [(step.alpha, step.leaves) for step in path.steps] == [(0, 1)]
    assert [(step.alpha, step.leaves) for step in pruning_path(tree, "rpart").steps] == [(0, 1)]
    assert len(pruning_path(tree, risk="gini").steps) == 2


@of_every(["cart-1984", "li-hang", "rpart"])
def test_the_leaves_of_a_step_are_those_of_its_tree(profile: str) -> None:
    path = pruning_path(rt.CART().grow(rt.textbook("iris")), profile)
    assert [len(path.at(step).leaves()) for step in path.steps] == [step.leaves for step in path.steps]
    assert path.steps[-1].leaves == 1


def test_the_entropy_of_the_root_may_be_the_unit() -> None:
    steps = pruning_path(rt.CART(criterion="entropy").grow(rt.textbook("iris")), "rpart", "entropy").steps
    assert [steps[0].alpha, steps[0].risk, steps[-1].risk] == [0, 0, 1]
    assert steps[-1].alpha <= 1


def of_two_halves(extra: Fraction = Fraction(0), times: int = 1) -> Tree:
    """Two subtrees that are alike, but for this weight of a row in the second, and have no class in common.

    Each row of the second class of either counts so many times.
    """
    question = rt.CART(max_depth=1).grow(rt.textbook("iris")).nodes[0].test
    half = [((10, 11), (1, 4)), ((10, 2), (2, 3)), ((10, 1), ()), ((0, 1), ()), ((0, 9), ())]
    nodes = [Node((10, 11 * times, 10, 11 * times + extra), "b", question, (1, 6))]
    for first, more in ((1, Fraction(0)), (6, extra)):
        for (left, right), below in half:
            weight = right * times + (more if right in (11, 2) or (left, right) == (0, 1) else Fraction(0))
            counts = (left, weight, 0, 0) if first == 1 else (0, 0, left, weight)
            branches = tuple(first + branch for branch in below)
            test, stop = (question, None) if below else (None, "max-depth")
            nodes.append(Node(counts, "abcd"[counts.index(max(counts))], test, branches, stop))
    return Tree(replace(rt.textbook("iris").schema.target, values=tuple("abcd")), (), tuple(nodes))


@every_risk
@pytest.mark.parametrize("times", [1, 3])
def test_links_of_one_price_go_together_also_when_something_was_cut_below_them(risk: str, times: int) -> None:
    path = pruning_path(of_two_halves(times=times), risk=risk)
    assert [step.weakest for step in path.steps] == [(), (2, 7), (1, 6), (0,)]
    assert all(one.alpha < other.alpha for one, other in pairwise(path.steps))


@every_risk
@pytest.mark.parametrize("below", [(0, 0), (3, 2)])
def test_a_question_at_which_all_rows_stay_or_go_one_way_goes_at_once(risk: str, below: tuple[int, int]) -> None:
    question = rt.CART(max_depth=1).grow(rt.textbook("iris")).nodes[0].test
    leaf, other = (Node(counts, "n", stop="max-depth") for counts in (below, (0, 0)))
    root = Node((3, 2), "n", question, (1, 2), missing=Missing(stays=True))
    tree = Tree(replace(rt.textbook("iris").schema.target, values=("n", "y")), (), (root, leaf, other))
    assert [(step.alpha, step.weakest) for step in pruning_path(tree, risk=risk).steps] == [(0, (0,))]
    assert weakest_links(tree, risk=risk)[0].g == 0


def test_a_question_that_saves_risk_and_costs_no_leaf_goes_with_the_node_above() -> None:
    """Six rows stay at node 1. Once node 2 is a leaf, node 1 has one leaf, too, and 3 errors fewer."""
    question = rt.CART(max_depth=1).grow(rt.textbook("iris")).nodes[0].test
    nodes = (
        Node((14, 7), "n", question, (1, 6)),
        Node((4, 7), "y", question, (2, 5), missing=Missing(stays=True)),
        Node((4, 1), "n", question, (3, 4)),
        Node((4, 0), "n", stop="pure"),
        Node((0, 1), "y", stop="pure"),
        Node((0, 0), "y", stop="empty"),
        Node((10, 0), "n", stop="pure"),
    )
    tree = Tree(replace(rt.textbook("iris").schema.target, values=("n", "y")), (), nodes)
    assert [(step.alpha * 21, step.weakest, step.leaves, step.risk * 21) for step in pruning_path(tree).steps] == [
        (0, (), 3, 0),
        (1, (2,), 2, 1),
        (6, (0,), 1, 7),
    ]
    assert [link.node for link in weakest_links(tree, [2])] == [0]


def test_a_size_in_questions() -> None:
    cats = rt.C45().grow(rt.textbook("cats").without(["weight"]))
    assert [(link.node, link.saved) for link in weakest_links(cats, profile="rpart")] == [(1, 1), (4, 1), (0, 3)]
    assert [(link.node, link.saved) for link in weakest_links(cats, [4], profile="rpart")] == [(1, 1), (0, 2)]


def test_a_tree_of_one_leaf_is_its_own_sequence() -> None:
    tree = rt.ID3(max_depth=0).grow(rt.textbook("play-tennis"))
    for profile in ("cart-1984", "li-hang", "rpart"):
        path = pruning_path(tree, profile)
        assert [(step.alpha, step.leaves, step.weakest) for step in path.steps] == [(0, 1, ())]
    assert str(path.steps[0].risk) == "1"
    pure = Table.from_columns({"a": ["p"], "y": ["n"]}, target="y")
    assert pruning_path(grow(ID3(), pure), "rpart").steps[0].risk == 0


def test_numbers_are_pruned_by_their_squared_error() -> None:
    """Three leaves 1, 3 and 7: to tell 1 from 3 saves 2, and to tell both from 7 the rest."""
    question = rt.C45(max_depth=1).grow(rt.textbook("golf")).nodes[0].test
    root = Node((3, 11, 59), Fraction(11, 3), question, (1, 4))
    inner = Node((2, 4, 10), 2, question, (2, 3))
    leaves = [Node((1, y, y * y), y, stop="pure") for y in (1, 3, 7)]
    tree = Tree(rt.textbook("golf").schema.attributes[1], (), (root, inner, leaves[0], leaves[1], leaves[2]))
    path = pruning_path(tree)
    total = Fraction(59) - Fraction(121, 3)  # Σy² - (Σy)²/n
    assert [(step.alpha, step.risk) for step in path.steps] == [
        (0, 0),
        (Fraction(2, 3), Fraction(2, 3)),
        ((total - 2) / 3, total / 3),
    ]


def test_the_sequence_as_json_has_it() -> None:
    tree = rt.C45().grow(rt.textbook("iris"))
    data = pruning_path(tree).as_data()
    assert data[:2] == [
        {"alpha": "0", "leaves": 9, "risk": "0"},
        {"alpha": "1/300", "leaves": 7, "risk": "1/150"},
    ]
    assert data[-1] == {"alpha": "1/3", "leaves": 1, "risk": "2/3"}


def test_what_was_done_is_noted() -> None:
    tree = rt.ID3().grow(rt.textbook("loan"))
    options = (
        cost_complexity(tree, Fraction(1, 10), "rpart", risk="gini") if False else cost_complexity(tree, 1, "li-hang")
    )
    assert options.grower.options["pruning"] == [{"method": "cost-complexity", "profile": "li-hang", "alpha": "1"}]
    named = cost_complexity(tree, 0, risk="entropy").grower.options["pruning"]
    assert named == [{"method": "cost-complexity", "profile": "cart-1984", "alpha": "0", "risk": "entropy"}]


def test_a_price_is_not_negative() -> None:
    tree = rt.ID3().grow(rt.textbook("loan"))
    with pytest.raises(InputError, match="alpha is the price of a leaf and not negative, but -1"):
        cost_complexity(tree, -1)


def test_a_chain_of_thousands() -> None:
    tiny = grow(ID3(max_depth=1), Table.from_columns({"a": ["p", "q"], "y": ["n", "y"]}, target="y"))
    depth, test = 1000, tiny.nodes[0].test
    nodes = []
    for level in range(depth):
        counts = (depth - level, 1)
        nodes.append(Node(counts, "n", test, (2 * level + 1, 2 * level + 2)))
        nodes.append(Node((1, 0), "n", stop="pure"))
    nodes.append(Node((0, 1), "y", stop="pure"))
    path = pruning_path(replace(tiny, nodes=tuple(nodes)), risk="gini")
    assert path.steps[-1].leaves == 1


def test_rows_that_stay_at_a_node_are_its_errors_to_the_end() -> None:
    columns: dict[str, list[object]] = {"x": [1, 2, 3, 4, None, None, None], "y": list("nnpppnp")}
    table = Table.from_columns(columns, target="y")
    tree = rt.CART(missing="stay").grow(table)
    steps = pruning_path(tree).steps
    assert [(step.alpha, step.leaves, step.risk) for step in steps] == [
        (0, 2, error(tree, table)),
        (Fraction(2, 7), 1, Fraction(3, 7)),
    ]
    assert error(tree, table) == Fraction(1, 7)
    assert weakest_links(tree)[0].g == Fraction(2, 7)
    assert pruning_path(tree, "rpart").steps[0].risk == 0  # the program adds up the two branches, and no more


@given(tables_with_gaps())
def test_the_first_tree_makes_the_errors_that_it_makes(table: Table) -> None:
    tree = rt.CART(missing="stay").grow(table)
    path = pruning_path(tree)
    for step in path.steps:
        assert step.risk == error(path.at(step), table)


@of_every([float("nan"), float("inf"), "much", -1, None])
def test_what_is_no_price_is_refused(alpha: Any) -> None:
    tree = rt.ID3().grow(rt.textbook("loan"))
    for act in (lambda: cost_complexity(tree, alpha), lambda: pruning_path(tree).step(alpha)):
        with pytest.raises(InputError, match="alpha is the price of a leaf"):
            act()


def test_a_float_is_recorded_as_the_number_it_is() -> None:
    columns: dict[str, list[object]] = {"x": list(range(10)), "y": list("nnnnnnnppp")}
    tree = rt.CART().grow(Table.from_columns(columns, target="y"))
    assert [step.alpha for step in pruning_path(tree).steps] == [0, Fraction(3, 10)]
    pruned = cost_complexity(tree, 0.3)  # type: ignore[arg-type]     # a little below 3/10
    assert len(pruned.leaves()) == 2
    noted = pruned.grower.options["pruning"][-1]["alpha"]
    assert Fraction(noted) == Fraction(0.3) < Fraction(3, 10)


def test_a_link_that_is_not_there_is_refused() -> None:
    tree = rt.ID3().grow(rt.textbook("loan"))
    assert weakest_links(tree, [0]) == []
    for number in (-1, len(tree.nodes)):
        with pytest.raises(InputError, match=f"the tree has no node {number}; its nodes are 0 to"):
            weakest_links(tree, [number])


def chain(levels: int) -> Tree:
    """A chain of questions whose leaves differ, so that their prices do."""
    leaf = [
        ((5 + i * 7) % 31 + i % 7 + 1, 1 + i % 3) if i % 2 else (i % 3, (i * 13) % 29 + 4 + i) for i in range(levels)
    ]
    tiny = rt.CART(max_depth=1).grow(Table.from_columns({"x": [1, 2], "y": ["n", "p"]}, target="y"))
    nodes = [Node(leaf[-1], "n" if leaf[-1][0] >= leaf[-1][1] else "p", stop="max-depth")]
    total = leaf[-1]
    for counts in reversed(leaf[:-1]):
        total = (total[0] + counts[0], total[1] + counts[1])
        label = "n" if counts[0] >= counts[1] else "p"
        nodes += [Node(counts, label, stop="max-depth"), Node(total, "n" if total[0] >= total[1] else "p")]
    nodes.reverse()
    asking = range(0, len(nodes) - 1, 2)
    for number in asking:
        nodes[number] = replace(nodes[number], test=tiny.nodes[0].test, branches=(number + 1, number + 2))
    return replace(tiny, nodes=tuple(nodes))


@pytest.mark.slow
def test_a_deep_chain_is_pruned_in_no_time_by_its_complexities() -> None:
    tree = chain(2000)
    start = time.process_time()
    path = pruning_path(tree, "rpart")
    assert time.process_time() - start < 5  # a tenth of a second
    assert path.steps[-1].leaves == 1
    assert all(one.alpha < other.alpha for one, other in pairwise(path.steps))


@every_risk
def test_the_links_of_a_chain_go_by_the_least_of_all_g(risk: str) -> None:
    """Each step against the least of all g, measured anew."""
    tree = chain(25)
    path = pruning_path(tree, risk=risk)
    for before, after in pairwise(path.steps):
        links = weakest_links(tree, path.cut_at(before), risk=risk)
        least = min(link.g for link in links)
        assert after.alpha == least
        assert set(after.weakest) <= {link.node for link in links if link.g == least}


@pytest.mark.parametrize("risk", ["misclassification", "gini"])
@given(tree=binary_trees(depth=3), times=st.sampled_from([1, Fraction(1, 40)]))
def test_a_tree_of_the_sequence_keeps_the_questions_of_a_larger_complexity(
    risk: str, tree: Tree, times: Rational
) -> None:
    nodes = tuple(replace(node, counts=tuple(times * count for count in node.counts)) for node in tree.nodes)
    tree = replace(tree, nodes=nodes)
    unit = RISKS[risk](tree.nodes[0]) or 1
    prices = complexities(tree, [RISKS[risk](node) for node in tree.nodes])
    path = pruning_path(tree, "rpart", risk)
    assert [step.alpha * unit for step in path.steps] == [0, *sorted({price for price in prices.values() if price > 0})]
    for step in path.steps:
        cut_off = [number for number, price in prices.items() if price <= step.alpha * unit]
        assert structure(path.at(step)) == structure(cut(tree, cut_off))
        risks = [RISKS[risk](path.at(step).nodes[leaf]) for leaf in path.at(step).leaves()]
        assert step.risk * unit == sum(risks, 0)
