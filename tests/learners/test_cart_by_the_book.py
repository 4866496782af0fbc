"""CART by the book: held against an oracle that tries every question, at every node, with gaps and weights."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Subset, Test, Threshold
from reference_tree.data.table import Table
from reference_tree.learners.cart import CART
from reference_tree.learners.growing import revisit
from reference_tree.splitting.candidate import Candidate
from tests import strategies
from tests.cart_by_the_book import Book, Options, Question, Weighted
from tests.laws import LearnerLaws
from tests.strategies import fractions

CLASSES, NUMBERS = ("gini", "entropy", "misclassification"), ("squared_error", "absolute_error")


class TestLaws(LearnerLaws):
    def learner(self) -> CART:
        return CART(min_samples_leaf=0, min_samples_split=0)

    @given(strategies.columns())
    def test_the_order_of_attributes_decides_a_tie_of_attributes_alone(self, columns: dict[str, list[str]]) -> None:
        """An attribute can win with several sets of its values, and these keep their own order."""
        names = [name for name in columns if name != "y"]
        turned = Table.from_columns({name: columns[name] for name in [*reversed(names), "y"]})
        decided = self.learner().decide(turned.sample())
        expected = self.learner().decide(Table.from_columns(columns).sample())
        in_order = sorted(decided.winners, key=lambda winner: names.index(winner.test.attribute))
        assert [winner.test for winner in in_order] == [winner.test for winner in expected.winners]
        assert decided.margin == expected.margin


class TestLawsOfTheMultiwayTree(LearnerLaws):
    def learner(self) -> CART:
        return CART(branching="multiway", min_samples_leaf=0, min_samples_split=0, max_depth=2)


@st.composite
def numeric_tables(draw: st.DrawFn, rows: int = 8, whole: bool = False) -> Table:
    """Small tables of two categories and two numbers, often missing, that predict a number."""
    size = draw(st.integers(1, rows))

    def column(cells: st.SearchStrategy[Any]) -> list[Any]:
        gaps = st.one_of(st.none(), cells) if draw(st.booleans()) else cells
        return draw(st.lists(gaps, min_size=size, max_size=size))

    weights = st.integers(1, 3) if whole or draw(st.booleans()) else strategies.weights
    columns: dict[str, list[Any]] = {
        "a": column(st.sampled_from("pqr")),
        "x": column(st.integers(0, 3)),
        "b": column(st.sampled_from("st")),
        "z": column(fractions(0, 1, max_denominator=3)),
        "w": draw(st.lists(weights, min_size=size, max_size=size)),
        "y": draw(st.lists(fractions(-2, 2, max_denominator=3), min_size=size, max_size=size)),
    }
    return Table.from_columns(columns, weights="w", categorical=["a", "b"], continuous=["x", "z", "y"])


options = st.fixed_dictionaries(
    {},
    optional={
        "branching": st.sampled_from(["one-vs-rest", "multiway"]),
        "epsilon": fractions(0, Fraction(1, 3), max_denominator=6),
        "max_depth": st.integers(0, 2),
        "min_samples_split": fractions(0, 5, max_denominator=2),
        "min_samples_leaf": fractions(0, 3, max_denominator=2),
        "min_impurity_decrease": fractions(0, Fraction(1, 5), max_denominator=8),
    },
)


def asked_by(test: Test) -> Question:
    """A question as the oracle has it: of a subset the side without the last value, as both know it."""
    if isinstance(test, Threshold):
        return test.attribute, Fraction(test.threshold)
    return test.attribute, frozenset(test.values) if isinstance(test, Subset) else None


def assert_by_the_book(table: Table, learner: CART, options: Options) -> None:
    """The same decision at every node of the tree: why it stops, the winners, and what they take away."""
    book, tree = Book(table, options), learner.grow(table)
    at: dict[int, Weighted] = {0: book.rows}
    for visit in revisit(tree, learner, table):
        node, decision, rows = tree.nodes[visit.number], visit.decision, at[visit.number]
        if not rows:
            assert node.stop == "empty"
            continue
        expected = book.decided(rows, visit.place.depth)
        if (
            node.stop == "no-attributes"
        ):  # asked on the way with a branch for each value: the oracle finds nothing to ask
            assert expected.stop in ("no-candidates", "max-depth", "min-samples-split")
            continue
        assert (node.weight, node.stop) == (expected.weight, expected.stop)
        assert {asked_by(winner.test) for winner in decision.winners} == expected.winners
        assert all(is_score(winner, decision.judged_by, expected.score) for winner in decision.winners)
        if node.test is not None:
            assert node.test == decision.winners[0].test
            at.update(zip(node.branches, book.parts(rows, asked_by(node.test)), strict=True))


def is_score(winner: Candidate, by: str, expected: Any) -> bool:
    found = winner.scores[by]
    return bool(found == expected) if isinstance(expected, Fraction) else abs(float(found) - float(expected)) < 1e-12


# Rows that do not answer stay at the node: so the oracle need not know what else could become of them.


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("criterion", CLASSES)
@given(table=strategies.tables_with_gaps(), chosen=options)
def test_classes(criterion: Any, table: Table, chosen: dict[str, Any]) -> None:
    assert_by_the_book(table, CART(criterion=criterion, missing="stay", **chosen), Options(criterion, **chosen))


@pytest.mark.parametrize("criterion", NUMBERS)
@given(table=numeric_tables(), chosen=options)
def test_numbers(criterion: Any, table: Table, chosen: dict[str, Any]) -> None:
    assert_by_the_book(table, CART(criterion=criterion, missing="stay", **chosen), Options(criterion, **chosen))


@given(numeric_tables(whole=True), options)
def test_numbers_by_the_variance_of_the_course(table: Table, chosen: dict[str, Any]) -> None:
    criterion: Any = "variance_n_minus_1"
    chosen = {**chosen, "min_samples_leaf": max(1, chosen.get("min_samples_leaf", 1))}
    assert_by_the_book(table, CART(criterion=criterion, missing="stay", **chosen), Options(criterion, **chosen))


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("criterion", CLASSES)
@given(strategies.tables_with_gaps(), st.lists(st.integers(1, 5), min_size=3, max_size=3), options)
def test_priors(criterion: Any, table: Table, priors: list[int], chosen: dict[str, Any]) -> None:
    """Classes as common as the priors say: every row of a class weighs its prior over the weight of the class."""
    whole = dict(zip(table.schema.target.domain, table.sample().total(), strict=True))
    given = dict(zip(whole, priors, strict=False))
    weights = {label: Fraction(given[label]) / Fraction(count) for label, count in whole.items() if count}
    learner = CART(criterion=criterion, missing="stay", priors=given, **chosen)
    assert_by_the_book(table, learner, Options(criterion, weights=weights, **chosen))
