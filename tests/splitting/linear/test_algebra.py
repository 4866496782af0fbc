"""Linear algebra: held against determinants."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import gcd, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.splitting.linear.algebra import (
    coprime,
    dot,
    flattened,
    independent,
    integral,
    null_vector,
    reduced,
    solve,
)
from tests.strategies import fractions

entries = st.integers(-4, 4)


def determinant(matrix: Sequence[Sequence[int]]) -> int:
    """By Leibniz' formula."""
    size = range(len(matrix))
    return sum(
        (-1) ** sum(p[i] > p[j] for i in size for j in size if i < j) * prod(matrix[i][p[i]] for i in size)
        for p in permutations(size)
    )


def matrices(rows: int, columns: int) -> st.SearchStrategy[list[list[int]]]:
    return st.lists(st.lists(entries, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


def minors(matrix: list[list[int]]) -> list[int]:
    """Up to its length the only vector that is orthogonal to one row less than it has entries."""
    width = len(matrix[0])
    return [(-1) ** k * determinant([row[:k] + row[k + 1 :] for row in matrix]) for k in range(width)]


@given(st.integers(1, 3).flatmap(lambda r: matrices(r, r + 1)))
def test_a_null_vector_is_that_of_the_minors(matrix: list[list[int]]) -> None:
    found, expected = null_vector(matrix), minors(matrix)
    assert (found is None) == (not any(expected))
    if found is not None:
        assert any(found)
        assert coprime(found) == coprime(expected)


@given(matrices(3, 3), st.lists(fractions(-3, 3, max_denominator=5), min_size=3, max_size=3))
def test_solutions_solve(matrix: list[list[int]], right: list[Fraction]) -> None:
    if determinant(matrix) == 0:
        with pytest.raises(ValueError, match="no solution, or several"):
            solve(matrix, right)
    else:
        found = solve(matrix, right)
        assert [dot(row, found) for row in matrix] == right


@given(matrices(3, 4))
def test_reduced_rows_span_the_same_space(matrix: list[list[int]]) -> None:
    rows, pivots = reduced(matrix)
    for row, pivot in zip(rows, pivots, strict=True):
        assert [other[pivot] for other in rows if other is not row] == [0] * (len(rows) - 1)
        assert gcd(*row) == 1
    for given_row in matrix:  # each is the combination of the reduced rows that its entries at the pivots say
        weights = [Fraction(given_row[pivot], row[pivot]) for row, pivot in zip(rows, pivots, strict=True)]
        assert [dot(weights, column) for column in zip(*rows, strict=True)] == (given_row if rows else [])
    assert len(pivots) == max(
        (k for k in range(1, 4) if any(determinant(minor) for minor in _square_minors(matrix, k))), default=0
    )


def _square_minors(matrix: list[list[int]], size: int) -> list[list[list[int]]]:
    return [
        [[matrix[i][j] for j in columns] for i in rows]
        for rows in combinations(range(len(matrix)), size)
        for columns in combinations(range(len(matrix[0])), size)
    ]


@given(st.lists(fractions(-3, 3, max_denominator=6), min_size=1, max_size=4), fractions(-3, 3).filter(bool))
def test_a_direction_has_one_form(direction: list[Fraction], scale: Fraction) -> None:
    found = coprime(direction)
    assert coprime([x * scale for x in direction]) == found
    if any(direction):
        assert gcd(*found) == 1
        assert next(x for x in found if x) > 0
        first = next(place for place, x in enumerate(found) if x)
        assert [x * direction[first] for x in found] == [x * found[first] for x in direction]


def test_coordinates_that_depend_on_others_are_left_out() -> None:
    one_hot = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert independent(one_hot) == [0, 1]
    assert flattened(one_hot) == [(1, 0), (0, 1), (0, 0)]
    assert flattened([(5, 5)]) == [()]
    assert integral([(Fraction(1, 2), 3), (Fraction(1, 3), 4)]) == [(3, 3), (2, 4)]
