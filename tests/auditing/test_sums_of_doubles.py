"""Sums of doubles: what they come to is near what is exact, and what is not near is told."""

from __future__ import annotations

from fractions import Fraction
from math import fsum

from hypothesis import example, given
from hypothesis import strategies as st

from reference_tree.auditing.sums_of_doubles import ROUNDED, found_no_impurity, is_near, is_near_mean
from reference_tree.foreign.scikit_learn import EPSILON
from reference_tree.node import Deviations, Node

SIZES = st.floats(-1e15, 1e15, allow_subnormal=False)


def moments(numbers: list[float]) -> tuple[Fraction, Fraction, Fraction]:
    """The moments of some doubles, exactly."""
    exact = list(map(Fraction, numbers))
    return Fraction(len(exact)), sum(exact, Fraction(0)), sum((y * y for y in exact), Fraction(0))


@given(st.lists(SIZES, min_size=1, max_size=30), st.lists(SIZES, min_size=1, max_size=30))
@example([0.0], [8.641745940540466e-235])
def test_what_is_subtracted_in_doubles_is_near(left: list[float], right: list[float]) -> None:
    """The sums of one branch as a program has them: those of the node, less those of the other branch."""
    squares, sizes = 0.0, 0.0
    for y in [*left, *right]:
        squares, sizes = squares + y * y, sizes + abs(y)
    for y in left:
        squares, sizes = squares - y * y, sizes - abs(y)
    above = moments([*left, *right])
    assert is_near(Fraction(squares) - moments(right)[2], above)
    assert is_near(Fraction(sizes) - sum(abs(Fraction(y)) for y in right), above, absolute=True)


@given(st.lists(SIZES, min_size=1, max_size=30))
def test_a_mean_of_doubles_is_near(numbers: list[float]) -> None:
    total = 0.0
    for y in numbers:
        total += y
    found = moments(numbers)
    assert is_near_mean(Fraction(total / len(numbers)) - found[1] / found[0], found)
    assert is_near_mean(Fraction(fsum(numbers) / len(numbers)) - found[1] / found[0], found)


def test_what_is_further_off_is_not_near() -> None:
    added = (4, 10, 30)
    assert is_near(30 * ROUNDED, added)
    assert not is_near(-31 * ROUNDED, added)
    assert is_near(-10 * ROUNDED, added, absolute=True)  # 10² is at most 4 * 30
    assert not is_near(11 * ROUNDED, added, absolute=True)
    assert not is_near_mean(10 * ROUNDED, added)


def test_an_impurity_of_epsilon_is_none() -> None:
    assert found_no_impurity(Node(Deviations(2, 1, 2 * EPSILON), 1)) is True
    assert found_no_impurity(Node(Deviations(2, 1, 3 * EPSILON), 1)) is False
    assert found_no_impurity(Node((2, 1), "no")) is None
    assert found_no_impurity(Node((0, 0, 0), 1)) is None
