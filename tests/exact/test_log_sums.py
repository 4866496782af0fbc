"""Sums of logarithms: against whole numbers, against 250 digits, and on near-ties made to deceive."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.log_sums import (
    LogSum,
    log,
)
from tests import oracles, strategies
from tests.every import of_every
from tests.strategies import fractions

coefficients = fractions(-4, 4, max_denominator=12)
terms = st.dictionaries(st.integers(2, 60), coefficients, max_size=5)
sums = st.builds(LogSum, terms, coefficients)
nonzero = sums.filter(bool)


def sign(value: Any) -> int:
    return int(value > 0) - int(value < 0)


def sign_in_whole_numbers(terms: Mapping[int, Fraction], constant: Fraction, base: int) -> int:
    """The sign of q + Σ c·log_b n: which of two products of powers is the larger."""
    scale = math.lcm(constant.denominator, *(c.denominator for c in terms.values()))
    above = below = 1
    for n, c in [*terms.items(), (base, constant)]:
        power = n ** abs(int(c * scale))
        above, below = (above * power, below) if c > 0 else (above, below * power)
    return sign(above - below)


# The sign of a sum.


@given(terms, coefficients, st.sampled_from([2, 3, 6, 10]))
def test_signs_are_those_of_whole_numbers(terms: dict[int, Fraction], constant: Fraction, base: int) -> None:
    x = LogSum(terms, constant, base)
    expected = sign_in_whole_numbers(terms, constant, base)
    assert x.sign() == expected
    assert (x > 0, x == 0, x < 0, bool(x)) == (expected > 0, expected == 0, expected < 0, expected != 0)


@given(sums, sums)
def test_sums_are_ordered_as_their_values(x: LogSum, y: LogSum) -> None:
    with mpmath.workdps(oracles.DIGITS):
        difference = oracles.exact_value(x) - oracles.exact_value(y)
        expected = sign(difference) if abs(difference) > mpmath.mpf(10) ** -200 else 0
    assert (x < y, x <= y, x == y, x != y, x >= y, x > y) == (
        expected < 0, expected <= 0, expected == 0, expected != 0, expected >= 0, expected > 0,
    )  # fmt: skip


@given(terms, coefficients)
def test_to_the_base_e_a_rational_stands_apart(terms: dict[int, Fraction], constant: Fraction) -> None:
    """Only ln 1 = 0 is rational: a sum of logarithms is 0 only if both its parts are."""
    x = LogSum(terms, constant, math.e)
    logarithms_alone = sign_in_whole_numbers(terms, Fraction(0), 2)
    assert (x == 0) == (constant == 0 and logarithms_alone == 0)
    assert (x.as_rational() is None) == (logarithms_alone != 0)
    with mpmath.workdps(oracles.DIGITS):
        value = oracles.exact_value(x)
        assert x == 0 or x.sign() == sign(value)


def convergents_of_log2_3() -> Iterator[tuple[int, int]]:
    """p/q nearer and nearer to log2 3, from its continued fraction."""
    with mpmath.workdps(500):
        x = mpmath.log(3, 2)
        before, now = (0, 1), (1, 0)
        while True:
            digit = int(mpmath.floor(x))
            before, now = now, (digit * now[0] + before[0], digit * now[1] + before[1])
            yield now
            x = 1 / (x - digit)


@of_every([*islice(convergents_of_log2_3(), 3, 200, 7)])
def test_near_ties_of_powers_of_2_and_3(p: int, q: int) -> None:
    """|q·log2 3 - p| < 1/q, for q of up to a hundred digits."""
    x = q * log(3) - p
    with mpmath.workdps(500):
        expected = sign(q * mpmath.log(3, 2) - p)
    assert x.sign() == expected
    assert (log(3) > Fraction(p, q)) == (expected > 0)
    assert x != 0
    assert abs(x) < Fraction(1, q)
    if q < 50_000:
        assert expected == sign(3**q - 2**p)


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("bits", [50, 500, 2000])
def test_products_are_told_from_their_neighbours(bits: int) -> None:
    """As log a + log b - log(ab) is 0; with ab + 1 it is about -1/ab, far beyond the first precision."""
    chance = random.Random(bits)
    a, b = (chance.getrandbits(bits) | 1 << bits for _ in range(2))
    assert log(a) + log(b) == log(a * b)
    assert log(a) + log(b) < log(a * b + 1)
    assert log(a) + log(b) > log(a * b - 1)
    assert Fraction(1, 3) * log(a**3 * b**6) - 2 * log(b) == log(a)


@given(st.lists(st.integers(2, 10**6), min_size=1, max_size=6), st.lists(st.integers(-9, 9), min_size=6, max_size=6))
def test_sums_that_are_0_by_factoring_are_0(numbers: list[int], exponents: list[int]) -> None:
    """Σ e·log n, less the logarithm of the product of all n^e."""
    product = math.prod((Fraction(n) ** e for n, e in zip(numbers, exponents, strict=False)), start=Fraction(1))
    x = sum((e * log(n) for n, e in zip(numbers, exponents, strict=False)), start=log(1)) - log(product)
    assert x == 0
    assert x.sign() == 0
    assert not x
    assert hash(x) == hash(0)
    assert float(x) == 0.0


def test_the_precision_is_as_high_as_it_has_to_be() -> None:
    """The two differ by 2^-20000, eight times the cap of ratios: sums have none."""
    tiny = Fraction(1, 2**20_000)
    assert log(3) < log(3) + tiny
    assert log(5) * (1 + tiny) > log(5)


# Arithmetic.


@given(sums, sums, coefficients, coefficients)
def test_they_are_a_vector_space(x: LogSum, y: LogSum, a: Fraction, b: Fraction) -> None:
    assert x + y == y + x
    assert a * (x + y) == a * x + a * y == (x + y) * a
    assert (a + b) * x == a * x + b * x
    assert x - y == x + -y == -(y - x)
    assert x - x == 0 == x * 0
    assert x + a - a == x == a + x - a == a - (a - x)
    assert abs(x) == max(x, -x)
    assert x / Fraction(3, 7) == x * Fraction(7, 3)
    assert sum([x, y]) == x + y


@given(fractions(Fraction(1, 999), 999, max_denominator=999), fractions(Fraction(1, 99), 99, max_denominator=99))
def test_logarithms_of_products_are_sums(a: Fraction, b: Fraction) -> None:
    for base in strategies.BASES:
        assert log(a * b, base) == log(a, base) + log(b, base)
        assert log(a / b, base) == log(a, base) - log(b, base)
        assert log(a**3, base) == 3 * log(a, base)
    assert (log(a) > log(b)) == (a > b)


@given(st.integers(2, 40), st.integers(0, 20))
def test_powers_of_the_base_are_whole(base: int, exponent: int) -> None:
    assert log(base**exponent, base) == exponent
    assert log(Fraction(1, base**exponent), base) == -exponent
    assert repr(log(base**exponent, base)) == str(exponent)


def test_bases_do_not_mix() -> None:
    acts: list[Callable[[], Any]] = [
        lambda: log(3) + log(3, 10),
        lambda: log(3) - log(3, math.e),
        lambda: log(3) / log(3, 10),
        lambda: log(3) == log(3, 10),
    ]
    for act in acts:
        with pytest.raises(ValueError, match="do not mix"):
            act()


@of_every(["1", None, 1j, [1]])
def test_other_things_are_no_numbers(other: Any) -> None:
    x = log(3)
    assert x != other
    assert x / log(5) != other
    acts: list[Callable[[], Any]] = [
        lambda: x + other,
        lambda: other - x,
        lambda: x * other,
        lambda: x / other,
        lambda: other / x,
        lambda: x < other,
        lambda: x / log(5) >= other,
        lambda: (x / log(5)) * other,
        lambda: (x / log(5)) / other,
    ]
    for act in acts:
        with pytest.raises(TypeError):
            act()


@of_every([lambda x: x + 0.5, lambda x: 0.5 - x, lambda x: x * 0.5, lambda x: 0.5 / x])
def test_exact_numbers_and_floats_do_not_add_up(act: Any) -> None:
    with pytest.raises(TypeError):
        act(log(3))


@of_every([0, -1, Fraction(-1, 2), 0.0, -1.5])
def test_what_is_not_positive_has_no_logarithm(x: Any) -> None:
    with pytest.raises(ValueError, match=r"logarithm|math domain|positive"):
        log(x)


def test_what_is_no_number_has_no_logarithm() -> None:
    with pytest.raises(TypeError, match="has no logarithm"):
        log("2")


def test_how_it_is_written() -> None:
    assert repr(log(Fraction(9, 14)) * Fraction(5, 14) - 1) == "-1 + 5/14·log2(9) - 5/14·log2(14)"
    assert repr(LogSum({}, 0)) == "0"
    assert repr(-log(3, math.e)) == "-ln(3)"
    assert repr(log(3, 10) / log(5, 10)) == "(log10(3)) / (log10(5))"


@given(sums)
def test_over_one_denominator(x: LogSum) -> None:
    denominator, whole = x.over()
    assert sum((c * log(n) if n > 1 else LogSum({}, c) for n, c in whole), start=LogSum({})) / denominator == x
    assert all(isinstance(c, int) for _, c in whole)
    assert [c > 0 for _, c in whole] == sorted((c > 0 for _, c in whole), reverse=True)


# Equal numbers are equal whatever they are, and have one hash.


@given(st.integers(-50, 50), fractions(-9, 9, max_denominator=9), st.integers(2, 30))
def test_rationals_are_equal_in_every_form(k: int, q: Fraction, n: int) -> None:
    for value in (k, q, Fraction(k, 4), k / 4):
        exact = Fraction(value)
        forms = [LogSum({}, exact), log(n) + exact - log(n), (log(n) * exact) / log(n), log(1) + exact]
        for form in forms:
            assert form == value == form
            assert hash(form) == hash(value)
            assert not form < value
            assert form <= value
            assert value >= form
            assert form < value + 1
            assert value - 1 < form
        assert len({*forms, value}) == 1


@given(nonzero, nonzero)
def test_equal_numbers_have_one_hash(x: LogSum, y: LogSum) -> None:
    same = LogSum({n * n: c / 2 for n, c in x.terms.items()}, x.constant)
    assert same == x
    assert hash(same) == hash(x)
    assert (x == y) <= (hash(x) == hash(y))
    ratio = x / y
    assert ratio * 1 == ratio
    assert hash(ratio) == hash((same * 3) / (y * 3))
    assert x == x / LogSum({}, 1)
    assert hash(x) == hash(x / LogSum({}, 1))


@of_every([log(3), -log(3), log(3) / log(5), LogSum({}, 7)])
def test_infinities_and_nan(x: Any) -> None:
    assert -math.inf < x < math.inf
    assert not x < -math.inf
    assert x != math.inf
    assert not x == math.nan  # noqa: SIM201
    assert x != math.nan
    assert not x <= math.nan
    assert not x >= math.nan


@given(sums, st.floats(-1e6, 1e6))
def test_floats_compare_as_the_fractions_they_are(x: LogSum, y: float) -> None:
    assert (x < y, x == y, y < x) == (x < Fraction(y), x == Fraction(y), Fraction(y) < x)


# Enclosures.


@given(sums, st.sampled_from([4, 20, 80, 300]), strategies.bases)
def test_an_enclosure_holds_the_number(x: LogSum, bits: int, base: float) -> None:
    x = LogSum(x.terms, x.constant, base)
    low, high, scale = x.enclosure(bits)
    with mpmath.workdps(oracles.DIGITS):
        assert mpmath.mpf(low) / scale <= oracles.exact_value(x) <= mpmath.mpf(high) / scale
    size = sum(abs(c) for c in x.terms.values()) + 1
    assert Fraction(high - low, scale) <= 40 * size / 2**bits


def test_an_enclosure_holds_every_logarithm_and_its_negative() -> None:
    """Low ≤ 16·log2 n ≤ high says 2^low ≤ n^16 ≤ 2^high."""
    for n in range(3, 4000, 2):
        low, high, scale = log(n).enclosure(4)
        assert scale == 16
        assert 1 << low <= n**16 <= 1 << high
        low, high, scale = (-log(n)).enclosure(4)
        assert 1 << -high <= n**16 <= 1 << -low


@given(sums, nonzero, st.sampled_from([4, 80, 300]))
def test_an_enclosure_holds_the_ratio(x: LogSum, y: LogSum, bits: int) -> None:
    low, high, scale = (x / y).enclosure(bits)
    with mpmath.workdps(oracles.DIGITS):
        assert mpmath.mpf(low) / scale <= oracles.exact_value(x) / oracles.exact_value(y) <= mpmath.mpf(high) / scale


@given(nonzero, coefficients)
def test_proportions(x: LogSum, q: Fraction) -> None:
    assert (x * q).proportion_to(x) == q
    assert (log(9) * q).proportion_to(log(3)) == 2 * q
    assert log(3).proportion_to(log(5)) is None
    assert log(6).proportion_to(log(3)) is None
