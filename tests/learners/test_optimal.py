"""Optimal trees: held against every tree there is, and against what other learners and prunings find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import log2
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Subset
from reference_tree.data.table import Table
from reference_tree.learners.growing import revisit
from reference_tree.learners.least_cost import LIMIT
from reference_tree.learners.optimal import RISKS, Optimal, mistakes, parts_of
from reference_tree.learners.place import Place
from reference_tree.learners.registry import learner_of
from reference_tree.node import Node
from reference_tree.pruning import risks
from reference_tree.pruning.cost_complexity import pruning_path
from reference_tree.pruning.cost_function import cost, cost_function
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json, to_json
from tests import strategies
from tests.every import of_every
from tests.laws import LearnerLaws
from tests.learners.every_tree import every_tree
from tests.strategies import at_most
from tests.views.calculator import check


class TestLaws(LearnerLaws):
    def learner(self) -> Optimal:
        return Optimal(branching="multiway")


BRANCHINGS = ("multiway", "one-vs-rest", "subset")
PRICES = (0, Fraction(1, 3), Fraction(2, 3), 1, Fraction(5, 2))


def wrong(leaf: Sequence[Any]) -> int:
    return len(leaf) - max(Counter(leaf).values())


def least(found: Sequence[Any], risk: Any, alpha: Any) -> Any:
    """The least cost of some trees, and of those the least number of leaves."""
    return min((sum(map(risk, leaves)) + alpha * len(leaves), len(leaves)) for leaves in found)


def worth(tree: Tree, risk: str, alpha: Any) -> Any:
    """What a tree costs and how large it is, by the risks of pruning: leaves without rows are not counted."""
    ends = [tree.nodes[number] for number in tree.leaves() if tree.nodes[number].weight]
    return sum((risks.RISKS[risk](node) for node in ends), 0) + alpha * len(ends), len(ends)


# ------------------------------------------------------------------------------------------------------ every tree


@pytest.mark.covers("N1 §1.2 heuristic", "N3 ID3 algorithm: greedy")
@at_most(20)
@given(
    strategies.categorical_tables(rows=6, attributes=2, values=3),
    st.sampled_from(BRANCHINGS),
    st.sampled_from(PRICES),
    st.sampled_from([None, 0, 1, 2]),
)
def test_no_tree_is_better(table: Table, branching: Any, alpha: Fraction, depth: int | None) -> None:
    found = list(every_tree(list(table.rows()), "y", branching, 9 if depth is None else depth))
    learner = Optimal(branching=branching, alpha=alpha, max_depth=depth)
    tree = learner.grow(table)
    tree.check(table)
    assert worth(tree, "misclassification", alpha) == least(found, wrong, alpha)
    assert max(tree.depths()) <= (9 if depth is None else depth)


@at_most(20)
@given(strategies.categorical_tables(rows=6, attributes=2, values=3), st.integers(1, 3), st.sampled_from(BRANCHINGS))
def test_no_tree_with_large_branches_is_better(table: Table, smallest: int, branching: Any) -> None:
    found = list(every_tree(list(table.rows()), "y", branching, 9, smallest))
    tree = Optimal(branching=branching, min_samples_leaf=smallest).grow(table)
    assert worth(tree, "misclassification", 0) == least(found, wrong, 0)


@at_most(20)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=5))
def test_no_tree_of_numbers_is_better(rows: list[tuple[int, int, int]]) -> None:
    x, z, y = zip(*rows, strict=True)
    table = Table.from_columns({"x": [*x], "z": [*z], "y": [*y]}, continuous=["y"])
    found = list(every_tree(list(table.rows()), "y", "subset", 9))

    def sse(leaf: Sequence[Any]) -> Fraction:
        mean = Fraction(sum(leaf), len(leaf))
        return sum(((number - mean) ** 2 for number in leaf), Fraction(0))

    for alpha in PRICES:
        tree = Optimal(alpha=alpha).grow(table)
        tree.check(table)
        assert worth(tree, "misclassification", alpha) == least(found, sse, alpha)


@pytest.mark.covers("N1 §1.6")
@at_most(20)
@given(strategies.categorical_tables(rows=6, attributes=2), st.sampled_from(["gini", "entropy"]))
def test_no_tree_is_better_by_another_risk(table: Table, criterion: Any) -> None:
    def impurity(leaf: Sequence[Any]) -> float:
        shares = [count / len(leaf) for count in Counter(leaf).values()]
        whole = 1 - sum(p * p for p in shares) if criterion == "gini" else -sum(p * log2(p) for p in shares)
        return len(leaf) * whole

    found = list(every_tree(list(table.rows()), "y", "subset", 9))
    for alpha in (0, Fraction(7, 10), 2):
        tree = Optimal(criterion=criterion, alpha=alpha).grow(table)
        ours, leaves = worth(tree, criterion, alpha)
        best, fewest = min((round(least([one], impurity, alpha)[0], 9), len(one)) for one in found)
        assert float(ours) == pytest.approx(best, abs=1e-8)
        assert leaves == fewest
        if criterion == "entropy":
            assert cost(tree, alpha) == ours


def saved(leaves: Sequence[Any], alpha: Fraction) -> Fraction:
    """What a tree saves against its root as a leaf."""
    whole = [label for leaf in leaves for label in leaf]
    return wrong(whole) + alpha - sum(map(wrong, leaves)) - alpha * len(leaves)


@at_most(20)
@given(
    strategies.categorical_tables(rows=7, attributes=2, values=3),
    st.sampled_from([Fraction(1, 2), 1, 2]),
    st.sampled_from([0, Fraction(1, 4)]),
)
def test_no_tree_is_better_in_which_every_question_saves_enough(table: Table, epsilon: Any, alpha: Any) -> None:
    rows = list(table.rows())
    found = every_tree(rows, "y", "subset", 9, allowed=lambda leaves: saved(leaves, alpha) >= epsilon)
    tree = Optimal(epsilon=epsilon, alpha=alpha).grow(table)
    assert worth(tree, "misclassification", alpha) == least(list(found), wrong, alpha)
    assert {node.stop for node in tree.nodes} <= {None, "pure", "epsilon", "zero-gain", "no-candidates"}


# -------------------------------------------------------------------------------------------- beside other learners


@pytest.mark.covers("N3 Occam's Razor", "N1 §1.6")
@given(strategies.categorical_tables(rows=12, attributes=3), st.sampled_from(BRANCHINGS), st.sampled_from(PRICES))
def test_never_worse_than_greedy_nor_than_what_pruning_makes_of_it(table: Table, branching: Any, alpha: Any) -> None:
    greedy = rt.CART(branching=branching).grow(table)
    best = worth(Optimal(branching=branching, alpha=alpha).grow(table), "misclassification", alpha)
    for step in (path := pruning_path(greedy)).steps:
        assert best <= worth(path.at(step), "misclassification", alpha)
    in_bits = Optimal(branching=branching, alpha=alpha, criterion="entropy").grow(table)
    assert cost(in_bits, alpha) <= cost_function(greedy, alpha).cost


@given(strategies.categorical_tables(rows=12, attributes=4, values=2))
def test_never_larger_than_id3(table: Table) -> None:
    smallest, greedy = Optimal(branching="multiway").grow(table), rt.ID3().grow(table)
    assert worth(smallest, "misclassification", 0) <= worth(greedy, "misclassification", 0)


@given(strategies.categorical_tables(rows=10, attributes=3), st.sampled_from(BRANCHINGS), st.sampled_from(PRICES))
def test_what_is_below_a_node_costs_what_the_node_was_told(table: Table, branching: Any, alpha: Any) -> None:
    learner = Optimal(branching=branching, alpha=alpha)
    tree = learner.grow(table)
    depths = tree.depths()
    for visit in revisit(tree, learner, table):
        if (chosen := visit.decision.chosen) is not None:
            after = range(visit.number + 1, len(tree.nodes))
            end = next((n for n in after if depths[n] <= depths[visit.number]), len(tree.nodes))
            below = [tree.nodes[n] for n in range(visit.number, end) if tree.nodes[n].test is None]
            ends = [node for node in below if node.weight]
            assert chosen.scores["cost"] == sum(node.weight - max(node.counts) + alpha for node in ends)
            assert chosen.scores["leaves"] == len(ends)
            assert chosen.scores["saving"] == mistakes(tree.nodes[visit.number].counts) + alpha - chosen.scores["cost"]


# ---------------------------------------------------------------------------------------------------- known answers


def bits(number: int, label: Any, extra: Any = None) -> Table:
    """A function of so many bits on all rows, and a bit more."""
    rows = [
        dict(zip((f"x{k}" for k in range(number)), map(str, x), strict=True)) for x in product((0, 1), repeat=number)
    ]
    return Table.from_rows(
        [{**row, "y": str(int(label(*(cell == "1" for cell in row.values()))))} for row in rows], "y", categorical="*"
    )


@of_every([2, 3, 4])
def test_a_parity_needs_a_leaf_for_each_row(number: int) -> None:
    table = bits(number, lambda *x: sum(x) % 2)
    assert len(Optimal().grow(table).leaves()) == 2**number
    stump = Optimal(max_depth=number - 1).grow(table)
    assert [node.stop for node in stump.nodes] == ["zero-gain"]


def test_the_multiplexer_is_asked_for_its_address_first() -> None:
    table = bits(3, lambda x, y, z: y if x else z)
    tree = Optimal().grow(table)
    assert (len(tree.leaves()), tree.nodes[0].test.attribute) == (4, "x0")  # type: ignore[union-attr]
    assert len(rt.ID3().grow(table).leaves()) == 6


def test_a_tree_that_costs_as_much_with_more_leaves_is_barred() -> None:
    decision = Optimal().decide(bits(3, lambda x, y, z: y if x else z).sample())
    assert [(c.scores["leaves"], c.barred) for c in decision.candidates] == [
        (4, None),
        (6, "more-leaves"),
        (6, "more-leaves"),
    ]
    assert decision.runner_up is None
    assert decision.winners == (decision.chosen,)


def test_below_the_root_there_is_one_question_less() -> None:
    """Where c is 1, a and b together make no mistake, and d alone makes one; after c there is one question left."""
    columns = {"c": "00001111", "a": "00110011", "b": "01010101", "d": "01100111", "y": "kkkknyyn"}
    table = Table.from_columns({name: [*cells] for name, cells in columns.items()}, "y", categorical="*")
    tree = Optimal(max_depth=2).grow(table)
    assert [node.test.attribute for node in tree.nodes if node.test] == ["c", "d"]
    assert tree.accuracy(table) == Fraction(7, 8)


def test_to_save_as_much_as_epsilon_is_enough() -> None:
    """Of four rows one is different: both questions together save the one mistake, and so does the second alone."""
    table = bits(2, lambda x, y: x or y)
    assert [len(Optimal(epsilon=epsilon).grow(table).leaves()) for epsilon in (1, Fraction(11, 10))] == [3, 1]


@pytest.mark.slow
def test_two_levels_on_iris() -> None:
    """CART's tree of two levels makes six mistakes, and none makes fewer."""
    iris = rt.textbook("iris")
    assert (
        Optimal(max_depth=2).grow(iris).accuracy(iris)
        == rt.CART(max_depth=2).grow(iris).accuracy(iris)
        == Fraction(24, 25)
    )


def test_the_best_division_of_ten_numbers() -> None:
    """Two cuts of Li Hang's exercise 5.2, held against all 36 pairs of them."""
    table = rt.textbook("li-hang-5.2")
    y = [row["y"] for row in table.rows()]

    def sse(part: Sequence[Any]) -> Any:
        return sum((number - Fraction(sum(part)) / len(part)) ** 2 for number in part)

    pairs = {(i, j): sum(map(sse, (y[:i], y[i:j], y[j:]))) for i in range(1, 9) for j in range(i + 1, 10)}
    tree = Optimal(alpha=1).grow(table)
    assert worth(tree, "misclassification", 0) == (min(pairs.values()), 3)


def test_weights_are_repetitions() -> None:
    once, times = {"a": [*"ppqq"], "b": [*"stst"], "y": [*"nyyn"]}, [3, 1, 1, 2]
    table = Table.from_columns({**once, "w": times}, "y", weights="w")
    columns = {
        name: [cell for cell, n in zip(cells, times, strict=True) for _ in range(n)] for name, cells in once.items()
    }
    for alpha in (0, Fraction(3, 2), 3):
        shapes = [
            [(n.counts, n.test) for n in Optimal(alpha=alpha).grow(t).nodes]
            for t in (table, Table.from_columns(columns, "y"))
        ]
        assert shapes[0] == shapes[1]


# ------------------------------------------------------------------------------------------- what it is and refuses


@given(strategies.counts(cells=st.integers(0, 9)))
def test_the_risks_are_those_of_pruning(counts: list[int]) -> None:
    node = Node(tuple(counts), "y")
    for name in ("misclassification", "gini", "entropy"):
        assert RISKS[name].of(tuple(counts)) == risks.RISKS[name](node)
    assert mistakes(counts) == sum(sorted(counts)[:-1])


def test_a_document_says_how_it_was_grown() -> None:
    tree = Optimal(alpha=Fraction(1, 3), criterion="gini", branching="one-vs-rest").grow(rt.textbook("loan"))
    assert from_json(to_json(tree)) == tree
    assert learner_of(tree.grower) == Optimal(alpha=Fraction(1, 3), criterion="gini", branching="one-vs-rest")


def test_a_question_is_judged_by_the_rows_of_its_branches() -> None:
    """p, q and r have as many rows of each class; but one more question can tell those of p apart, and not those of q.

    After q there is one mistake in it, and two among p and r, which need two questions more; after p there is one in q.
    """
    table = Table.from_columns({"a": [*"ppqqrr"], "b": [*"stuust"], "y": [*"nynyyn"]})
    sample, learner = table.sample(), Optimal(branching="one-vs-rest", max_depth=2)
    for value, others, mistaken in (("p", "qr", 1), ("q", "pr", 3)):
        for named in (Subset("a", (value,)), Subset("a", tuple(others))):  # the one side or the other
            found = learner.judge_one(sample, Place.root(sample), named)
            assert (found.test, found.scores["cost"]) == (Subset("a", (value,)), mistaken)
    assert learner.judge_one(sample, Place.root(sample), Subset("a", tuple("pqr"))).barred == "candidate"


@at_most(20)
@given(strategies.categorical_tables(rows=7, attributes=2, values=3), st.sampled_from(BRANCHINGS))
def test_each_question_is_judged_as_among_all(table: Table, branching: Any) -> None:
    sample, learner = table.sample(), Optimal(branching=branching)
    place = Place.root(sample)
    for one in learner.candidates(sample, place):
        found = learner.judge_one(sample, place, one.test)
        assert (found.test, found.scores, found.barred) == (one.test, one.scores, one.barred)


def test_an_override_takes_another_tie() -> None:
    table = rt.textbook("loan")
    decision = Optimal().decide(table.sample())
    assert [winner.test.name for winner in decision.winners] == ["有工作 in {否}", "有自己的房子 in {否}"]
    other = Optimal(ties=rt.Ties(choose={"/": "有自己的房子"})).grow(table)
    assert other.nodes[0].test.attribute == "有自己的房子"  # type: ignore[union-attr]
    assert worth(other, "misclassification", 0) == worth(Optimal().grow(table), "misclassification", 0)


def test_what_it_refuses() -> None:
    with pytest.raises(ValueError, match="alpha: it is a number from 0, not -1"):
        Optimal(alpha=-1)
    with pytest.raises(InputError, match=r"values of .* are missing, .*; say --learner cart, or --without"):
        Optimal().grow(rt.textbook("watermelon-2.0a"))
    with pytest.raises(InputError, match="is categorical, and squared_error is no risk of it; say misclassification"):
        Optimal(criterion="squared_error").grow(rt.textbook("loan"))
    with pytest.raises(InputError, match="is continuous, and gini is no risk of it; say squared_error"):
        Optimal(criterion="gini").grow(rt.textbook("li-hang-5.2"))


def test_too_large_a_table_is_refused_in_one_line() -> None:
    numbers = {f"x{k}": [(7 * row * (k + 1)) % 1009 for row in range(1500)] for k in range(3)}
    table = Table.from_columns({**numbers, "y": [str(row % 2) for row in range(1500)]}, "y", categorical="y")
    with pytest.raises(InputError, match=r"^more than 1982 tests of 1009 different rows are too many .*--learner cart"):
        Optimal().grow(table)


def test_as_many_questions_as_the_limit_allows_are_asked() -> None:
    asking = next(Optimal().questions(rt.textbook("loan").sample(), Place.root(rt.textbook("loan").sample())))
    assert len(Optimal().affordable([asking] * 2, LIMIT // 2)) == 2
    with pytest.raises(InputError, match="more than 2 tests of"):
        Optimal().affordable([asking] * 3, LIMIT // 2)


def test_the_parts_of_a_question_are_its_answers() -> None:
    table = rt.textbook("golf")
    names = [attribute.name for attribute in table.schema.attributes]
    points, learner = table.sample().points(names), Optimal()
    questions = list(learner.questions(table.sample(), Place.root(table.sample())))
    for (_, partition), parts in zip(questions, parts_of([test for test, _ in questions], points), strict=True):
        rows = [
            tuple(map(sum, zip(*(points.rows[k] for k in range(len(points.rows)) if part >> k & 1), strict=True)))
            for part in parts
        ]
        assert rows == list(partition.rows)


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("loan", {}),
        ("cats", {"alpha": 1}),
        ("li-hang-5.2", {"alpha": 1}),
        ("loan", {"criterion": "entropy", "alpha": 1}),
    ],
)
def test_what_is_saved_is_explained(name: str, options: dict[str, Any]) -> None:
    """A pocket calculator comes to each printed result from the figures beside it."""
    table = rt.textbook(name)
    assert check(rt.explain(Optimal(**options).grow(table), table, every=True)) > 10


def test_the_saving_is_printed() -> None:
    text = rt.explain(Optimal(alpha=1).grow(rt.textbook("loan")), rt.textbook("loan"), node="/")
    assert "saving(D, 有自己的房子=否) = 6 + 1 − 3 = 4" in text
