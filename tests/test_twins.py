"""Twins: the textbook function or its fast form answers, and nobody can tell which it was."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree import twins
from reference_tree.data.sample import WeightedRows
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Decision
from reference_tree.learners.growing import revisit
from reference_tree.learners.id3 import ID3
from reference_tree.twins import FAST_FORMS, by_the_book, fast_form_of, twin
from tests import strategies
from tests.sample_stores import tables


@pytest.fixture(autouse=True)
def fast_forms_as_before() -> Iterator[None]:
    before = dict(FAST_FORMS)
    yield
    assert before == FAST_FORMS


def test_a_fast_form_answers_in_the_place_of_the_textbook_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(twins, "FAST_FORMS", {})

    @twin
    def double(n: int, *, times: int = 2) -> int:
        """Twice as much."""
        return n * times

    assert (double(4), double(4, times=3)) == (8, 12)
    assert (double.__name__, double.__doc__) == ("double", "Twice as much.")

    @fast_form_of(double)
    def shifted(n: int, *, times: int = 2) -> int:
        return 1000 * n

    assert double(4) == 4000
    assert shifted(4) == 4000
    with by_the_book():
        assert double(4) == 8
    assert double(4) == 4000
    with pytest.raises(ZeroDivisionError), by_the_book():
        double(1 // 0)
    assert double(4) == 4000


def test_by_the_book_the_store_of_the_book_is_used() -> None:
    table = Table.from_columns({"a": ["p", "q"], "y": ["n", "y"]})
    with by_the_book():
        assert isinstance(table.sample(), WeightedRows)
        with by_the_book():
            assert isinstance(table.sample(), WeightedRows)
        assert isinstance(table.sample(), WeightedRows)


def contents(decision: Decision) -> Any:
    """All of a decision: whatever was compared or put off is worked out."""
    candidates = [(c.test, c.table, c.barred, dict(c.scores)) for c in decision.candidates]
    winners = [(w.test, w.table, dict(w.scores)) for w in decision.winners]
    chosen = decision.chosen and decision.chosen.test
    figures = dict(decision.evidence)
    return decision.total, decision.answer, decision.stop, candidates, winners, chosen, decision.missing, figures


def assert_alike(learner: Any, table: Table) -> None:
    """The same tree, and the same decision at each of its nodes, with the figures that are shown."""
    tree = learner.grow(table)
    found = [contents(visit.decision) for visit in revisit(tree, learner, table)]
    with by_the_book():
        assert learner.grow(table) == tree
        assert [contents(visit.decision) for visit in revisit(tree, learner, table)] == found


OF_CLASSES: dict[str, Any] = {
    "zhou": C45(),
    "li-hang": C45.like("li-hang", min_samples_leaf=2),
    "c45-r8": C45.like("c45-r8", min_samples_leaf=1),
    "weka-j48": C45.like("weka-j48", min_samples_leaf=1),
    "one against the rest": C45.with_options(branching="one-vs-rest", slack=1),
    "gini": CART(),
    "misclassification": CART(criterion="misclassification", min_samples_leaf=2),
    "entropy": CART(criterion="entropy", missing="fractions", min_samples_leaf=2),
    "rpart": CART.like("rpart", min_samples_split=2, min_samples_leaf=1),
    "scikit-learn": CART.like("scikit-learn"),
    "SimpleCart": CART(missing="spread"),
    "multiway": CART(branching="multiway", missing="stay", min_impurity_decrease=Fraction(1, 20)),
}
OF_NUMBERS: dict[str, Any] = {
    "squared error": CART(),
    "n - 1": CART(criterion="variance_n_minus_1", missing="fractions"),
    "absolute error": CART(criterion="absolute_error", min_samples_leaf=2, missing="branch"),
    "rpart": CART.like("rpart", min_samples_split=2, min_samples_leaf=1),
    "SimpleCart": CART(missing="spread"),
    "scikit-learn": CART.like("scikit-learn"),
}


@given(strategies.categorical_tables())
def test_id3_decides_as_by_the_book(table: Table) -> None:
    assert_alike(ID3(), table)
    assert_alike(ID3(min_samples_leaf=2), table)


@pytest.mark.slow
@pytest.mark.parametrize("learner", OF_CLASSES.values(), ids=OF_CLASSES)
@given(table=tables(rows=9).filter(lambda table: table.schema.target.values is not None))
def test_classes_are_decided_as_by_the_book(learner: Any, table: Table) -> None:
    assert_alike(learner, table)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("learner", OF_NUMBERS.values(), ids=OF_NUMBERS)
@given(table=tables(rows=9).filter(lambda table: table.schema.target.values is None))
def test_numbers_are_decided_as_by_the_book(learner: Any, table: Table) -> None:
    assert_alike(learner, table)


@pytest.mark.slow
@given(tables(rows=9).filter(lambda table: table.schema.target.values is not None), st.data())
def test_priors_and_losses_are_heeded_as_by_the_book(table: Table, data: st.DataObject) -> None:
    classes = table.schema.target.domain
    priors = {label: data.draw(st.integers(1, 4)) for label in classes}
    loss = {right: {label: data.draw(st.integers(1, 4)) for label in classes if label != right} for right in classes}
    for learner in (CART(priors=priors), CART(loss=loss), CART(loss=loss, losses="generalized-gini")):
        assert_alike(learner, table)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["iris", "golf", "watermelon-3.0a"])
def test_textbook_tables(name: str) -> None:
    table = textbook(name)
    for learner in (C45(), C45.like("c45-r8"), CART()):
        assert learner.grow(table) == by_the_book_grown(learner, table)


def by_the_book_grown(learner: Any, table: Table) -> Any:
    with by_the_book():
        return learner.grow(table)
