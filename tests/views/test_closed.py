"""Derivations are closed: each figure in their arithmetic follows from figures above it, or from the table."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.routing import rows_reaching
from reference_tree.tree import Tree
from reference_tree.views.derivation.explain import explain
from tests.every import of_every
from tests.views.calculator import check
from tests.views.closed import unsourced
from tests.views.derivation.test_calculator import LEARNERS, LONG
from tests.views.families import FAMILIES, Case

FEW = ("play-tennis", "cats", "watermelon-2.0a", "cats-regression")
MORE = ("golf", "loan", "watermelon-2.0", "watermelon-3.0", "contact-lenses", "li-hang-5.2", "li-hang-8.2", "visitor")
LEFT = {"cart-linear"}
"""Its tests are among the families."""


def from_the_table(tree: Tree, table: Table) -> Iterator[Fraction]:
    """What a reader looks up in the rows that reach a node: sums and squares of numbers, and how often each occurs."""
    if table.schema.target.kind == "categorical":
        return
    numbers = [Fraction(row[table.schema.target.name] or 0) for row in table.rows()]
    yield from map(Fraction, range(3, len(numbers)))
    yield from (a + b for a in numbers for b in numbers)  # the two middle numbers, for a median
    yield from ((a + b) / 2 for a in numbers for b in numbers)
    for arrived in rows_reaching(tree.nodes, table):
        here = [numbers[row] for row in arrived.rows]
        yield from (*here, sum(here, Fraction(0)), sum((y * y for y in here), Fraction(0)))


def open_figures(learner: Any, name: str) -> tuple[int, list[str]]:
    """The equalities of a derivation, and its figures without a source."""
    table = textbook(name)
    try:
        tree = learner.grow(table)
    except InputError:  # it does not predict numbers, or not from numbers
        return 0, []
    return unsourced(explain(tree, table, every=True), from_the_table(tree, table), len(table))


@pytest.mark.parametrize(
    "learner", [pytest.param(each, marks=[pytest.mark.slow] * (each in LONG)) for each in LEARNERS if each not in LEFT]
)
def test_a_figure_of_a_derivation_has_a_source(learner: str) -> None:
    found = [open_figures(LEARNERS[learner](), name) for name in FEW]
    assert [figure for _, missing in found for figure in missing] == []
    assert sum(equalities for equalities, _ in found) > 30


@pytest.mark.one_in(8)
@pytest.mark.slow
@pytest.mark.parametrize("name", MORE)
def test_so_has_one_of_any_other_table(name: str) -> None:
    for learner in LEARNERS:
        if learner not in LEFT and not (learner.startswith("optimal") and len(textbook(name)) > 14):
            assert open_figures(LEARNERS[learner](), name)[1] == [], learner


QUICK = {
    *("minimum-error-5-2", "binomial", "pre-pruning", "adaboost-rate", "c45", "equal-width", "numbers-squared_error-1"),
}
"""Cases of families that take a third of a second at most."""


CASES = {f"{family}-{name}": (name, case) for family, cases in FAMILIES.items() for name, case in cases.items()}


def _is_closed(case: Case) -> None:
    """And every equality holds: a page is worked out once for both."""
    for page, table in case():
        check(page)
        assert unsourced(page, (), len(table))[1] == []


@of_every([which for which, (name, _) in CASES.items() if name in QUICK])
def test_so_has_one_of_a_pruning_an_ensemble_and_a_random_table(which: str) -> None:
    _is_closed(CASES[which][1])


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("which", [which for which, (name, _) in CASES.items() if name not in QUICK])
def test_so_has_one_of_prunings_ensembles_and_random_tables(which: str) -> None:
    _is_closed(CASES[which][1])
