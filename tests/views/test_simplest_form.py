"""The simplest form of a sum of logarithms: the same number, and written alike whenever it is."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.log_sums import LogSum
from reference_tree.measures.entropy import entropy
from reference_tree.views.simplest_form import TRIAL, exact_tex, exact_text, in_primes, prime_factors
from tests.oracles import exact_value

coefficients = st.fractions(-9, 9, max_denominator=12)
bases = st.sampled_from([2, 3, 6, 8, 10, math.e])


@st.composite
def sums(draw: st.DrawFn, base: float | None = None) -> LogSum:
    terms = draw(st.dictionaries(st.integers(2, 400), coefficients, max_size=4))
    return LogSum(terms, draw(coefficients), draw(bases) if base is None else base)


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


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (LogSum({}), "0"),
        (LogSum({}, Fraction(-3, 4)), "(−3) / 4"),
        (LogSum({5: Fraction(1)}, -2), "log2 5 − 2"),
        (LogSum({3: Fraction(-1, 2)}), "(−log2 3) / 2"),
        (LogSum({10: Fraction(1)}, 0, 10), "log10 5 + log10 2"),
        (LogSum({4: Fraction(1)}, 1, math.e), "2·ln 2 + 1"),
        (entropy([2, 7]), "(18·log2 3 − 7·log2 7 − 2) / 9"),
    ],
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
