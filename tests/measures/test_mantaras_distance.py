"""The distance of de Mántaras: against an independent computation, and the laws of a metric."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given

import reference_tree as rt
from reference_tree.data.textbook import textbook
from reference_tree.measures.mantaras_distance import mantaras_distance, mantaras_similarity
from tests import strategies
from tests.laws import is_independent
from tests.strategies import Partition

uncertain = strategies.partitions().filter(lambda table: sum(1 for row in table for cell in row if cell) > 1)
"""Sample partitions with more than one cell: those that have a joint entropy."""


def in_floats(table: Partition) -> float:
    """The distance by its conditional entropies, each counted from its own definition."""
    n = float(sum(map(sum, table)))
    columns = [sum(column) for column in zip(*table, strict=True)]
    cells = [(float(cell), float(sum(row)), float(columns[j])) for row in table for j, cell in enumerate(row) if cell]
    given_answer = sum(cell / n * math.log2(row / cell) for cell, row, _ in cells)
    given_class = sum(cell / n * math.log2(column / cell) for cell, _, column in cells)
    return (given_answer + given_class) / sum(cell / n * math.log2(n / cell) for cell, _, _ in cells)


@given(uncertain)
def test_it_is_its_definition_and_one_less_the_similarity(table: Partition) -> None:
    assert float(mantaras_distance(table)) == pytest.approx(in_floats(table), abs=1e-12)
    assert float(mantaras_similarity(table)) == pytest.approx(1 - in_floats(table), abs=1e-12)
    assert 0 <= mantaras_distance(table) <= 1
    assert (mantaras_distance(table) == 1) == is_independent(table)


@given(uncertain)
def test_it_is_symmetric(table: Partition) -> None:
    assert mantaras_distance(table) == mantaras_distance([list(column) for column in zip(*table, strict=True)])


def test_it_keeps_the_triangle() -> None:
    """Between all partitions of four rows: from A to C it is no farther than by way of B."""
    partitions = [p for p in product(range(3), repeat=4) if len(set(p)) > 1]

    def far(one: tuple[int, ...], other: tuple[int, ...]) -> float:
        pairs = list(zip(one, other, strict=True))
        return in_floats([[pairs.count((i, j)) for j in range(3)] for i in range(3)])

    found = {(a, b): far(a, b) for a in partitions[::3] for b in partitions[::3]}
    for (a, b), first in found.items():
        for c in partitions[::3]:
            assert found[a, c] <= first + found[b, c] + 1e-12


def test_a_number_for_each_row_can_still_be_the_nearest() -> None:
    """As by the gain ratio, the day of play tennis wins: what it costs to be fine does not always suffice."""
    root = rt.CART(criterion="mantaras", branching="multiway").grow(textbook("play-tennis-id")).nodes[0]
    assert root.test is not None
    assert root.test.attribute == "day"
