"""Exact numbers as they stand in a derivation."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import mpmath
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.binomial_limits import upper_limit
from reference_tree.exact.log_sums import LogSum, log
from reference_tree.exact.radicals import root
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gini_index import gini_index
from reference_tree.measures.information_gain import information_gain
from reference_tree.views.derivation.numerals import (
    PLACES,
    TRIAL,
    compared,
    decimal_of,
    exact_tex,
    exact_text,
    figure,
    in_primes,
    prime_factors,
    rounded,
)
from tests.every import of_every
from tests.oracles import DIGITS, exact_value
from tests.strategies import fractions, partitions


def by_mpmath(number: Any) -> str:
    """The number with six decimals, rounded half to even, from mpmath."""
    with mpmath.workdps(DIGITS):
        scaled = exact_value(number) * 10**PLACES
        whole = int(mpmath.nint(scaled))
    digits = str(abs(whole)).rjust(PLACES + 1, "0")
    return ("-" if whole < 0 else "") + f"{digits[:-PLACES]}.{digits[-PLACES:]}"


coefficients = fractions(-9, 9, max_denominator=12)


bases = st.sampled_from([2, 3, 6, 8, 10, math.e])


@st.composite
def sums(draw: st.DrawFn, base: float | None = None) -> LogSum:
    terms = draw(st.dictionaries(st.integers(2, 400), coefficients, max_size=4))
    return LogSum(terms, draw(coefficients), draw(bases) if base is None else base)


numbers = fractions(-50, 50, max_denominator=10**9)


@given(partitions())
def test_every_decimal_is_rounded_correctly(table: list[list[int]]) -> None:
    for number in (entropy([sum(row) for row in table]), information_gain(table), gini_index(table)):
        written, expected = decimal_of(number), by_mpmath(number)
        if not Fraction(expected) and number:
            assert 0 < abs(Fraction(written)) < Fraction(1, 10**PLACES), "a number that is not 0 is not printed as 0"
        elif len(written.partition(".")[2]) == PLACES + 1:  # it ends there, halfway between two of six places
            assert Fraction(written) == number
        else:
            assert Fraction(written) == Fraction(expected)
            assert written in (expected, expected.rstrip("0").rstrip("."))


def test_what_is_hardly_more_than_nothing_shows() -> None:
    hardly = LogSum({2**40 + 1: Fraction(1)}, -40)  # log2(1 + 2^-40)
    assert decimal_of(hardly) == "0.00000000000131"
    assert decimal_of(-hardly) == "-0.00000000000131"
    assert decimal_of(log(9) - 2 * log(3)) == "0"


@given(sums())
def test_it_is_the_same_number(number: LogSum) -> None:
    assert in_primes(number) == number
    assert abs(exact_value(in_primes(number)) - exact_value(number)) < mpmath.mpf(10) ** -200


@given(sums(base=2), sums(base=2))
def test_numbers_are_equal_exactly_when_they_are_written_alike(x: LogSum, y: LogSum) -> None:
    assert (x == y) == (exact_text(x) == exact_text(y))


@given(st.lists(st.tuples(st.integers(2, 60), st.integers(-3, 3)), max_size=4), bases)
def test_a_product_may_be_taken_apart_before_or_after(factors: list[tuple[int, int]], base: float) -> None:
    whole = math.prod(n**c for n, c in factors if c > 0), math.prod(n**-c for n, c in factors if c < 0)
    together = LogSum({whole[0]: Fraction(1)} if whole[0] > 1 else {}, 0, base)
    together -= LogSum({whole[1]: Fraction(1)} if whole[1] > 1 else {}, 0, base)
    apart = LogSum({}, 0, base)
    for n, c in factors:
        apart += LogSum({n: Fraction(c)}, 0, base)
    assert exact_text(together) == exact_text(apart)


@given(st.integers(1, 10**7))
def test_prime_factors(n: int) -> None:
    factors = prime_factors(n)
    assert math.prod(factors) == n
    assert list(factors) == sorted(factors)
    assert all(all(p % d for d in range(2, math.isqrt(p) + 1)) for p in set(factors))


def test_a_number_too_long_to_take_apart_stays_whole() -> None:
    large = 2 * (2**61 - 1) ** 2  # the square of a prime, far beyond the trial
    assert prime_factors(large) == (2, (2**61 - 1) ** 2)
    assert TRIAL < (2**61 - 1)
    assert in_primes(LogSum({large: Fraction(1)})) == LogSum({large: Fraction(1)})


@of_every(
    [
        (LogSum({}), "0"),
        (LogSum({}, Fraction(-3, 4)), "(−3) / 4"),
        (LogSum({5: Fraction(1)}, -2), "log2 5 − 2"),
        (LogSum({3: Fraction(-1, 2)}), "(−log2 3) / 2"),
        (LogSum({10: Fraction(1)}, 0, 10), "log10 5 + log10 2"),
        (LogSum({4: Fraction(1)}, 1, math.e), "2·ln 2 + 1"),
        (entropy([2, 7]), "(18·log2 3 − 7·log2 7 − 2) / 9"),
    ]
)
def test_as_text(number: LogSum, expected: str) -> None:
    assert exact_text(number) == expected


@given(sums())
def test_tex_says_what_the_text_says(number: LogSum) -> None:
    written = exact_tex(number)
    if match := re.fullmatch(r"\\tfrac\{1\}\{(\d+)\} \\bigl\((.*)\\bigr\)", written):
        written = f"({match[2]}) / {match[1]}"
    written = re.sub(r"\\log_\{?(\d+)\}? ", r"log\1 ", written).replace(r"\ln ", "ln ")
    written = re.sub(r"(\d+) (?=log|ln)", r"\1·", written).replace("- ", "− ").replace("-", "−")
    assert written == exact_text(number)


@given(fractions(-1000, 1000, max_denominator=10**6))
def test_a_short_fraction_is_shown_exactly(number: Fraction) -> None:
    assert Fraction(figure(number).replace("−", "-")) == number


@given(fractions(max_denominator=10**3))
def test_a_decimal_is_short_and_near(number: Fraction) -> None:
    written = rounded(number).replace("−", "-")
    assert abs(Fraction(written) - number) <= Fraction(1, 2 * 10**6)
    if Fraction(written) == number:
        assert not ("." in written and written.endswith(("0", ".")))


def test_what_is_not_shown_exactly_says_so_or_is_a_decimal() -> None:
    assert figure(Fraction(10**20 + 1, 10**20)) == "≈ 1"
    assert figure(log(3)) == rounded(log(3)) == "1.584963"
    assert figure(root(2)) == "1.414214"
    assert figure(upper_limit(1, 2, Fraction(1, 4))) == "0.866025"  # 1 − U² = 1/4
    assert (figure(log(16)), figure(root(9)), rounded(log(16))) == ("4", "3", "4")
    assert (figure(-2), rounded(Fraction(-1, 2))) == ("−2", "−0.5")


@given(numbers, numbers)
def test_the_sign_is_right_and_the_figures_agree_with_it(left: Fraction, right: Fraction) -> None:
    one, sign, other = compared(left, right).replace("≈ ", "").split(" ")
    assert sign == ("<" if left < right else ">" if left > right else "=")
    assert (one == other) == (sign == "=")


@of_every(
    [
        (log(3), log(3) + Fraction(1, 10**30), "<"),
        (root(2) + Fraction(1, 10**20), root(2), ">"),
        (log(9), 2 * log(3), "="),
        (root(8), 2 * root(2), "="),
        (Fraction(10**40, 10**40 + 1), 1, "<"),
    ]
)
def test_numbers_that_are_close_are_told_apart(left: object, right: object, shown: str) -> None:
    one, sign, other = compared(left, right).replace("≈ ", "").split(" ")
    assert sign == shown
    assert (one == other) == (sign == "=")


def test_decimals_on_demand() -> None:
    assert compared(Fraction(57, 5), 11) == "57/5 > 11"
    assert compared(Fraction(57, 5), 11, rounded) == "11.4 > 11"
