"""rpart: which sets of values it tries, and of which rows an agreement is a share.

The program itself is asked the same questions in tests/peers/test_rpart.py.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from reference_tree.programs.rpart.rules import primary_known, program_subsets
from reference_tree.splitting.binary_subsets import all_subsets
from reference_tree.splitting.ordered_subsets import VARIANCE
from reference_tree.splitting.surrogates import agreement, both_known
from tests.splitting.subsets import (
    MEASURES,
    Rows,
    asked,
    cells,
    partition,
    present,
    reduction,
    samples_of_numbers,
    small,
    two_classes,
    two_present,
)


@given(two_classes(cells))
def test_programs_try_the_cuts_of_the_order(rows: Rows) -> None:
    """Cuts of the values sorted by the share of a class, of whichever; and every winner is among them."""
    table = partition(rows)
    share = {name: Fraction(rows["abcdef".index(name)][1]) / sum(rows["abcdef".index(name)]) for name in present(rows)}
    order = sorted(share, key=lambda name: share[name])
    sides = [frozenset(order[:cut]) for cut in range(1, len(order))]
    found = [frozenset(name) for name in asked(program_subsets("x", table, "gain"))]
    assert len(found) == len(order) - 1
    assert all(side in sides or frozenset(order) - side in sides for side in found)
    assert max(map(MEASURES["gain"], (g.table for g in program_subsets("x", table, "gain")))) == max(
        map(MEASURES["gain"], (g.table for g in all_subsets("x", table)))
    )


def test_programs_cut_between_values_of_equal_share_where_nothing_else_passes() -> None:
    rows = [(4, 1), (2, 2), (2, 2), (1, 4)]
    large = [g for g in program_subsets("x", partition(rows), "gain") if min(map(sum, g.table.rows)) >= 9]
    assert asked(large) == ["ab"]


@given(small.filter(lambda rows: len(rows[0]) > 2 and two_present(rows)))
def test_of_three_classes_programs_try_every_set(rows: Rows) -> None:
    assert asked(program_subsets("x", partition(rows), "gain")) == asked(all_subsets("x", partition(rows)))


@given(samples_of_numbers.filter(two_present))
def test_of_numbers_programs_cut_the_order_of_the_means(rows: Rows) -> None:
    found = list(program_subsets("x", partition(rows), VARIANCE))
    assert len(found) == len(present(rows)) - 1
    best = max(reduction(g.table.rows) for g in all_subsets("x", partition(rows)))
    assert max(reduction(g.table.rows) for g in found) == best


@pytest.mark.parametrize("rows", [[(3, 1)], [(3, 1), (0, 0)]])
def test_of_one_value_there_is_nothing_to_ask(rows: Rows) -> None:
    assert list(program_subsets("x", partition(rows), "gain")) == []


def test_a_row_that_only_the_stand_in_leaves_open_counts_as_wrong() -> None:
    known, unknown = (3, 2), (0, 1)
    assert (both_known(known, unknown), primary_known(known, unknown)) == ((3, 2), (3, 3))
    assert agreement(5, primary_known(known, unknown)) == Fraction(5, 6)
