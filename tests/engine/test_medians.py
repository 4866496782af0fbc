"""Medians: what the engine says of absolute error is what the book says, types included."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.table import Table
from reference_tree.data.targets import Classes
from reference_tree.engine.medians import by_values, deviations
from reference_tree.learners import criteria
from tests.data.test_sample import of_the_book
from tests.engine.test_bisection import numeric_tables, parts
from tests.engine.test_store import stored
from tests.sample_stores import assert_alike, questions

BOOK: Any = criteria


@given(numeric_tables(numeric=True), st.integers(0, 99))
def test_the_median_and_the_deviations_from_it(table: Table, seed: int) -> None:
    for sample in parts(stored(table), seed):
        if any(sample.total()):
            found = deviations(sample)
            assert found == BOOK.deviations.__wrapped__(sample)
            assert list(map(type, found))[1:] == list(map(type, BOOK.deviations.__wrapped__(sample)))[1:]


@given(numeric_tables(numeric=True, rows=8))
def test_rows_are_counted_by_their_number(table: Table) -> None:
    sample, book = stored(table), of_the_book(table)
    assert_alike(by_values(sample), BOOK.by_values.__wrapped__(book), questions(table), types=True)
    assert by_values(sample).target == BOOK.by_values.__wrapped__(sample).target


def test_other_samples_are_left_to_the_book() -> None:
    table = Table.from_columns({"x": [1, 2, 5], "y": [3, 4, 8]})
    book = of_the_book(table)
    assert deviations(book) == deviations(stored(table)) == (3, 4, 5)
    assert by_values(book).total() == by_values(stored(table)).total() == (1, 1, 1)
    assert not isinstance(by_values(book).target, Classes)
