"""Deferred numbers, held against plain fractions that were computed beside them."""

from __future__ import annotations

import copy
import math
import operator
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.engine import polynomials
from reference_tree.engine.deferred import SHORT, Deferred, deferred, quotient
from reference_tree.engine.whole_rows import enclosure_of, floor_of
from reference_tree.exact.log_sums import log
from reference_tree.exact.reals import UndecidedError
from reference_tree.measures.information_gain import information_gain

LONG = [
    Fraction(3**800, 7**488),
    Fraction(5**520, 11**361),
    Fraction(13**360, 2**1200 + 1),
    Fraction(2**1200 + 1, 13**360),
]
OPERATIONS: list[Callable[[Any, Any], Any]] = [operator.add, operator.sub, operator.mul, operator.truediv, quotient]
RELATIONS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]


def twins(numbers: list[Fraction], steps: list[tuple[int, int, int]]) -> list[tuple[Any, Fraction]]:
    """Numbers made from some in a few steps, deferred and plain."""
    found: list[tuple[Any, Fraction]] = [(deferred(number), number) for number in numbers]
    found += [(Fraction(1, 3), Fraction(1, 3)), (Fraction(2), Fraction(2))]
    for which, a, b in steps:
        operation = OPERATIONS[which % len(OPERATIONS)]
        (x, plain_x), (y, plain_y) = found[a % len(found)], found[b % len(found)]
        if plain_y or operation not in (operator.truediv, quotient):
            plain = operator.truediv if operation is quotient else operation
            found.append((operation(x, y), plain(plain_x, plain_y)))
    return found


step = st.tuples(st.integers(0, 4), st.integers(0, 12), st.integers(0, 12))


@given(st.lists(step, max_size=7))
def test_arithmetic_is_that_of_fractions(steps: list[tuple[int, int, int]]) -> None:
    for x, plain in twins(LONG, steps):
        assert (x.numerator, x.denominator) == (plain.numerator, plain.denominator)
        assert x == plain
        assert hash(x) == hash(plain)
        assert bool(x) == bool(plain)
        assert float(x) == float(plain)
        assert floor_of(x, 5) == math.floor(plain * 32)
        assert math.ceil(x) == math.ceil(plain)
        for places in (320, 64, 1000):
            low, high = enclosure_of(x, places)
            assert low <= plain * 2**places <= high


@given(st.lists(step, max_size=6))
def test_relations_are_those_of_fractions(steps: list[tuple[int, int, int]]) -> None:
    found = twins(LONG[:2], steps)
    for x, plain_x in found:
        for y, plain_y in found:
            for relation in RELATIONS:
                assert relation(x, y) == relation(plain_x, plain_y)
                assert relation(x, plain_y) == relation(plain_x, plain_y)


def test_what_is_short_stays_plain() -> None:
    assert type(deferred(Fraction(1, 3))) is Fraction
    assert type(deferred(Fraction(1, 3**SHORT))) is Deferred
    assert type(deferred(5)) is int


def test_what_comes_out_short_is_plain() -> None:
    x, y = deferred(LONG[0]), deferred(LONG[1])
    assert type(x - x) is type(x * 0) is Fraction
    assert quotient(x + y, 2 * x + 2 * y) == Fraction(1, 2)


def divided(depth: int) -> tuple[Deferred, Deferred]:
    """Two weights that are divided again and again, each time to the share of the first in both."""
    x, y = deferred(LONG[0]), deferred(LONG[1])
    for _ in range(depth):
        share = quotient(x, x + y)
        x, y = x * share + y, y * share
    assert isinstance(x, Deferred)
    assert isinstance(y, Deferred)
    return x, y


@pytest.mark.slow
def test_numbers_that_nobody_could_write_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polynomials, "LONGEST", 1 << 16)  # far less to work out before it is refused
    x, y = divided(40)
    assert x.bits > 2**40
    assert x > y
    assert x + y == y + x
    assert x * 2 > x
    assert x - y < x
    assert hash(x) == hash(y + x - y)
    assert quotient(x, x + y) + quotient(y, x + y) == 1  # no polynomial says so before the factor is put in
    assert repr(x).startswith("Deferred(")
    with pytest.raises(UndecidedError, match="divided too often"):
        x.numerator  # noqa: B018


def test_equal_numbers_of_different_forms_are_proved_equal() -> None:
    x, y = divided(3)
    share = quotient(x, x + y)
    parts = [x * share + y * share, y * quotient(x + y, y) * share]
    assert parts[0] == parts[1] == x


def test_near_ties_are_told_apart() -> None:
    x, _ = divided(3)
    near = x + Fraction(1, 2**5000)
    assert near > x
    assert near != x
    assert near - x == Fraction(1, 2**5000)


@pytest.mark.slow
def test_logarithms_of_deferred_numbers() -> None:
    x, y = divided(30)
    assert log(quotient(x, y)) == log(x) - log(y)
    assert log(x * y) - log(y) - log(x) == 0
    assert log(x + y) > log(x) > log(y)
    assert log(quotient(x, x + y)) < 0
    a, b = LONG[:2]
    assert float(log(deferred(a)) - Fraction(1, 3) * log(deferred(b))) == float(log(a) - Fraction(1, 3) * log(b))


@pytest.mark.slow
def test_entropies_of_weights_that_nobody_could_write_down() -> None:
    x, y = divided(30)
    assert information_gain([[x, x], [y, y]]) == 0
    assert information_gain([[x, 0], [0, y]]) == information_gain([[0, x], [y, 0]])
    assert information_gain([[x, 2 * y], [y, x]]) > information_gain([[x, y], [0, y]]) > 0
    assert information_gain([[x, 0], [0, x]]) == 1


def test_copies_are_the_number_itself() -> None:
    x, _ = divided(2)
    assert copy.copy(x) is x
    assert copy.deepcopy(x) is x
    assert pickle.loads(pickle.dumps(x)) == x
    assert type(pickle.loads(pickle.dumps(x))) is Fraction


def test_nothing_is_divided_by_zero() -> None:
    x, _ = divided(2)
    for divisor in (0, x - x, x * 0):
        with pytest.raises(ZeroDivisionError):
            x / divisor


def test_the_longest_number_that_is_worked_out() -> None:
    x = deferred(LONG[0])
    assert isinstance(x, Deferred)
    assert x.bits < polynomials.LONGEST
    assert x.numerator == 3**800


def test_a_number_is_worked_out_if_it_is_short_in_the_end() -> None:
    x = deferred(LONG[0])
    y = x
    for _ in range(4):  # each time a factor of its own, though the number stays as short as it was
        y = quotient(y * y + y * x, y + x)
    assert y == x
    assert y.numerator == x.numerator


def test_floats_make_floats() -> None:
    x = deferred(LONG[0])
    for operation in OPERATIONS[:4]:
        assert operation(x, 0.5) == operation(float(LONG[0]), 0.5)
        assert operation(0.5, x) == operation(0.5, float(LONG[0]))
    assert x < 0.5
    assert x != 0.5
