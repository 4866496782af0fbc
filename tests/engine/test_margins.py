"""Margins: integers stand for the margins of the book, and their derivatives enclose those of the book."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.table import Table
from reference_tree.data.targets import Gradients
from reference_tree.engine.derivative_columns import WholeGradients
from reference_tree.engine.margins import WholeMargins
from reference_tree.ensembles import derivatives, gradient_boosting
from reference_tree.ensembles.derivatives import LOSSES, Margins, derived
from reference_tree.ensembles.gradient_boosting import GradientBoosting, updated_margins
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.twins import by_the_book
from tests.ensembles.test_gradient_boosting import learners, tables
from tests.every import of_every
from tests.strategies import fractions

BOOK: Any = derivatives.derived
ADDED: Any = gradient_boosting.updated_margins
margins = st.lists(fractions(-40, 40, max_denominator=2**30) | st.integers(-2, 2), min_size=3, max_size=3)


@pytest.mark.parametrize("name", LOSSES)
@given(st.data())
def test_derivatives_enclose_those_of_the_book(name: str, data: st.DataObject) -> None:
    table, few = data.draw(tables(kind=name)), data.draw(margins)
    width = 3 if name == "softmax" else 1
    rows: list[Margins] = [tuple(few[(row + k) % 3] for k in range(width)) for row in range(len(table))]
    for of in range(width):
        fast, book = derived(table, LOSSES[name], rows, of), BOOK.__wrapped__(table, LOSSES[name], rows, of)
        name_of = table.schema.target.name
        assert list(fast.table.columns[name_of]) == list(book.table.columns[name_of])
        assert list(fast.cases) == list(book.cases)
        assert dict(fast.target.terms) == book.target.terms
        assert (fast.target.off == 0) == (book.target.off == 0)
        narrow: Gradients = book.target.at(160)
        for mine, its in ((fast.target.g, narrow.g), (fast.target.h, narrow.h)):
            for case in book.schema.target.domain:
                assert mine[case] <= its[case] + narrow.off
                assert its[case] <= mine[case] + fast.target.off


def test_derivatives_of_a_grid_are_integers() -> None:
    table = rt.textbook("iris")
    rows = derived(table, LOSSES["softmax"], [(0, 1, 2)] * len(table))
    assert isinstance(rows.target, WholeGradients)
    assert isinstance(derived(table, LOSSES["softmax"], [(1, 1, 1)] * len(table)).target, Gradients)


@given(tables(), learners)
def test_margins_are_those_of_the_book(table: Table, base: GradientTree) -> None:
    ensemble = GradientBoosting(base=base, trees=2).grow(table)
    start: Sequence[Margins] = [tuple(ensemble.start)] * len(table)
    width = len(ensemble.start)
    fast, book = start, start
    for first in range(0, len(ensemble.members), width):
        members = ensemble.members[first : first + width]
        fast, book = updated_margins(fast, members, table), ADDED.__wrapped__(book, members, table)
        assert isinstance(fast, WholeMargins)
        assert list(fast) == book
        assert (len(fast), fast[0], fast[1:]) == (len(book), book[0], book[1:])


@of_every(
    [
        ({"grid": None}, "margins without a grid"),
        ({"grid": 400}, "a grid that is too fine for integers"),
    ]
)
def test_long_margins_are_added_by_the_book(options: dict[str, Any], why: str) -> None:
    table = Table.from_columns({"x": [1, 2, 3, 4, 5], "y": [Fraction(1, 7**30), 5, 3, 8, 1]}, continuous=["y"])
    learner = GradientBoosting(base=GradientTree(max_depth=2, **options), trees=4)
    fast = learner.grow(table)
    with by_the_book():
        assert learner.grow(table) == fast
