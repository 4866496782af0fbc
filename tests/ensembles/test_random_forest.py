"""Random forests: what a node draws can be repeated, and nothing else depends on it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.chance import Chance
from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.bagging import Bagging, bootstrap, resampled
from reference_tree.ensembles.random_forest import HOW_MANY, DrawnAttributes, RandomForest
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.growing import grow, revisit
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Place
from reference_tree.tree import Tree
from reference_tree.twins import by_the_book
from tests import strategies
from tests.every import of_every


@pytest.mark.covers("N4 Random forest algorithm: k")
@of_every(range(1, 130))
def test_how_many_are_drawn_is_the_largest_number_that_the_rule_allows(n: int) -> None:
    drawn = {name: rule(n) for name, rule in HOW_MANY.items()}
    numbers = range(1, n + 1)
    assert drawn["sqrt"] == max(k for k in numbers if k * k <= n)
    assert drawn["log2"] == max([1, *(k for k in numbers if 2**k <= n)])
    assert drawn["log2-plus-1"] == max([0, *(k for k in numbers if 2**k <= n)]) + 1
    assert drawn["third"] == max([1, *(k for k in numbers if 3 * k <= n)])
    assert drawn["all"] == n
    assert all(1 <= k <= n for k in drawn.values())


def drawn_at(path: tuple[int, ...], names: list[str], k: int, seed: int, number: int) -> set[str]:
    """What a node draws, by the specification: the key step by step, and the first k steps of a shuffle."""
    key = b""
    for branch in path:
        key = sha256(key + bytes([0, 0, 0, 0, 0, 0, 0, branch])).digest()
    return set(Chance(seed, b"forest %d " % number + key).shuffled(names)[-k:])


def branches_to(place: Place) -> tuple[int, ...]:
    return () if place.parent is None else (*branches_to(place.parent), place.branch)


@pytest.mark.covers("N4 Random forest algorithm: random features")
@of_every(["sqrt", "third", 3])
def test_each_node_decides_among_the_attributes_it_draws(rule: Any) -> None:
    """Every tree of the forest, node by node: the base learner on the table without the other attributes agrees."""
    table = textbook("watermelon-3.0")
    forest = RandomForest(base=CART(), trees=3, seed=5, attributes=rule, otherwise="leaf")
    learner: Any = forest.learner
    seen: set[frozenset[str]] = set()
    for number, member in enumerate(forest.grow(table).members):
        rows = resampled(table, bootstrap(17, 5, number))
        for visit in revisit(member.tree, learner(number), rows):
            names = [a.name for a in visit.place.attributes(table.schema)]
            k = min(len(names), rule if isinstance(rule, int) else HOW_MANY[rule](len(names)))
            drawn = drawn_at(branches_to(visit.place), names, k, 5, number)
            seen.add(frozenset(drawn))
            node = member.tree.nodes[visit.number]
            assert node.test is None or set(node.test.attributes) <= drawn
            if node.test is not None:
                assert {c.test.attribute for c in visit.decision.candidates} <= drawn
                alone = CART().decide(visit.sample, visit.place._replace(available=frozenset(drawn)))
                assert alone.chosen is not None
                assert alone.chosen.test == node.test
    assert len(seen) > 3


def test_what_is_left_to_the_nodes_below_is_not_narrowed() -> None:
    """ID3 uses an attribute up; all others stay, whatever was drawn above."""
    table = textbook("play-tennis")
    forest = RandomForest(base=ID3(), trees=1, seed=1, attributes=1, resample=False)
    learner = DrawnAttributes(forest, 0)
    for visit in revisit(grow(learner, table), learner, table):
        used = {test.attribute for test, _ in _above(visit.place)}
        assert visit.place.available == {"outlook", "temperature", "humidity", "wind"} - used


def _above(place: Place) -> list[tuple[Any, int]]:
    return [] if place.parent is None else [*_above(place.parent), (place.test, place.branch)]


@given(strategies.mixed_tables(), st.integers(0, 20))
def test_all_attributes_are_bagging(table: Table, seed: int) -> None:
    """Drawing all of them is drawing none."""
    base = CART(max_depth=2)
    forest = RandomForest(base=base, trees=2, seed=seed, attributes="all").grow(table)
    bag = Bagging(base=base, trees=2, seed=seed).grow(table)
    assert [member.tree.nodes for member in forest.members] == [member.tree.nodes for member in bag.members]


@given(strategies.categorical_tables(attributes=4), st.integers(0, 20))
def test_the_order_of_growth_changes_nothing(table: Table, seed: int) -> None:
    """Grown from the last branch to the first, the tree is the same."""
    learner = DrawnAttributes(RandomForest(base=ID3(), seed=seed, attributes=1), 0)
    nodes = [(path, node.test, node.label, node.stop) for path, node in _by_path(grow(learner, table))]
    found: list[Any] = []
    sample: Sample = table.sample()
    pending = [((), Place.root(sample), sample)]
    while pending:
        path, place, part = pending.pop(0)  # level by level, and backwards within a level
        decision = learner.decide(part, place)
        test = None if decision.chosen is None else decision.chosen.test
        found.append((path, test, decision.answer.label, decision.stop))
        if test is not None:
            children = place.children(part, test, decision.answer, decision.missing)
            pending += [((*path, branch), *child) for branch, child in reversed(list(enumerate(children)))]  # type: ignore[misc]
    assert sorted(found, key=lambda one: one[0]) == sorted(nodes, key=lambda one: one[0])


def _by_path(tree: Tree) -> list[tuple[tuple[int, ...], Any]]:
    paths: list[tuple[int, ...]] = [()] * len(tree.nodes)
    for number, node in enumerate(tree.nodes):
        for branch, below in enumerate(node.branches):
            paths[below] = (*paths[number], branch)
    return list(zip(paths, tree.nodes, strict=True))


BLIND = Table.from_columns({
    **{f"constant {i}": ["same"] * 4 for i in range(5)}, "x": ["l", "l", "r", "r"], "y": ["no", "no", "yes", "yes"],
})  # fmt: skip


def test_where_none_of_those_drawn_can_split_more_are_drawn_or_none() -> None:
    """Of six attributes five are constant, and two are drawn."""
    stops: Counter[Any] = Counter()
    for number in range(60):
        forest = RandomForest(base=CART(), attributes=2, otherwise="leaf", resample=False)
        leaf, on = (DrawnAttributes(one, number) for one in (forest, replace(forest, otherwise="draw-on")))
        stops[leaf.decide(BLIND.sample()).stop] += 1
        decision = on.decide(BLIND.sample())
        assert decision.chosen is not None
        assert decision.chosen.test.attribute == "x"
    assert stops.keys() == {None, "no-candidates"}
    assert 8 <= stops[None] <= 32, "a third of them, give or take: 20 ± 3.7"


def test_drawing_goes_on_one_by_one() -> None:
    """What was looked at when a question is found: the order of the draw as far as x."""
    for number in range(20):
        learner = DrawnAttributes(RandomForest(attributes=2), number)
        names = [attribute.name for attribute in BLIND.schema.attributes]
        order = Chance(0, b"forest %d " % number).shuffled(names)[::-1]
        seen, _ = learner.looked_at(BLIND.sample(), Place.root(BLIND.sample()))
        assert seen.available == set(order[: max(2, order.index("x") + 1)])


def test_nothing_is_drawn_on_where_nothing_can_split() -> None:
    table = Table.from_columns({"a": ["u", "u"], "b": ["v", "v"], "y": ["no", "yes"]})
    decision = DrawnAttributes(RandomForest(attributes=1), 0).decide(table.sample())
    assert decision.stop == "no-candidates"


def test_a_question_that_gains_too_little_makes_a_leaf() -> None:
    """It could split: so nothing else is drawn."""
    table = Table.from_columns({"weak": ["u", "u", "v", "v"], "strong": ["l", "r", "r", "r"], "y": [*"abbb"]})
    stops = {
        DrawnAttributes(RandomForest(base=ID3(epsilon=Fraction(1, 2)), attributes=1), number)
        .decide(table.sample())
        .stop
        for number in range(20)
    }
    assert stops == {None, "epsilon"}


@pytest.mark.slow
def test_every_set_of_attributes_is_drawn_about_as_often() -> None:
    """Pearson's statistic over the 10 pairs of 5 attributes, drawn at the roots of 2000 trees."""
    table = Table.from_columns({**{name: ["u", "v"] for name in "abcde"}, "y": ["no", "yes"]})
    forest, root = RandomForest(attributes=2), Place.root(table.sample())
    sample = table.sample()
    counts = Counter(DrawnAttributes(forest, number).looked_at(sample, root)[0].available for number in range(2000))
    assert set(counts) == {frozenset(pair) for pair in combinations("abcde", 2)}
    assert sum((count - 200) ** 2 for count in counts.values()) / 200 < 9 + 4 * 18**0.5


@pytest.mark.slow
@pytest.mark.covers("N4 Random forest algorithm: similar trees")
def test_bagged_trees_are_alike_near_the_root_and_those_of_a_forest_are_not() -> None:
    """Iris: which attributes the roots ask, of 40 bagged trees and of 40 trees that draw one attribute of four."""
    table = textbook("iris")
    asked = {
        learner.name: Counter(member.tree.nodes[0].test.attribute for member in learner.grow(table).members)  # type: ignore[union-attr]
        for learner in (Bagging(trees=40, seed=1), RandomForest(trees=40, seed=1, attributes=1))
    }
    assert set(asked["bagging"]) <= {"petal length", "petal width"}
    assert len(asked["forest"]) == 4


def test_the_trees_of_a_forest_say_what_they_drew() -> None:
    forest = RandomForest(base=C45(), trees=2, seed=9, attributes=2)
    found = forest.grow(textbook("golf"))
    assert found.members[1].tree.grower.options["forest"] == {
        "tree": 1, "seed": 9, "attributes": 2, "otherwise": "draw-on",
    }  # fmt: skip
    assert found.grower.options["attributes"] == 2


@of_every([0, -1, "half", True, 1.5, None])
def test_a_rule_that_is_none_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="of the attributes sqrt, log2"):
        RandomForest(attributes=value)


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize("base", [C45(), C45.like("li-hang"), C45.like("c45-r8"), CART()])
def test_a_forest_of_numbers_is_the_same_by_the_book(base: Any) -> None:
    """No fast form looks at an attribute that was not drawn."""
    table = textbook("iris").take(range(0, 150, 5))
    forest = RandomForest(base=base, trees=3, seed=1, attributes=1)
    grown = forest.grow(table)
    with by_the_book():
        assert forest.grow(table) == grown
