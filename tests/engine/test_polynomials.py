"""Polynomials in factors, held against the fractions that they stand for."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.engine.polynomials import (
    MODULUS,
    Monomial,
    Terms,
    added,
    content_of,
    enclosed,
    factor_of,
    inverted,
    merged,
    multiplied,
    residue,
    vanishes,
    worked_out,
)
from tests.every import of_every
from tests.strategies import fractions

A = factor_of({(): Fraction(2, 3)})
B = factor_of({((A, 1),): 1, (): Fraction(1, 2)})  # 7/6
C = factor_of({((A, 2), (B, -1)): 3, ((B, 1),): 1})  # 8/7 + 7/6
VALUES = {A: Fraction(2, 3), B: Fraction(7, 6), C: Fraction(97, 42)}

monomials = st.dictionaries(st.sampled_from([A, B, C]), st.integers(-2, 3)).map(
    lambda powers: tuple((one, powers[one]) for one in (A, B, C) if powers.get(one))
)
polynomials = st.dictionaries(monomials, fractions(-9, 9, max_denominator=9).filter(bool), min_size=1, max_size=4)


def value(terms: Terms) -> Fraction:
    """What a polynomial comes to."""
    total = Fraction(0)
    for monomial, c in terms.items():
        product = Fraction(c)
        for factor, power in monomial:
            product *= VALUES[factor] ** power
        total += product
    return total


@given(polynomials)
def test_a_polynomial_is_what_its_factors_make_it(terms: Terms) -> None:
    assert worked_out(terms) == value(terms)
    low, high = enclosed(terms, 200)
    assert low <= value(terms) * 2**200 <= high
    assert high - low < 2**60
    assert residue(terms) == value(terms).numerator * pow(value(terms).denominator, -1, MODULUS) % MODULUS


@given(polynomials, polynomials)
def test_sums_and_products(one: Terms, other: Terms) -> None:
    assert value(added(one, other)) == value(one) + value(other)
    assert value(multiplied(one, other)) == value(one) * value(other)
    assert all(added(one, other).values())


@given(monomials, monomials)
def test_monomials(one: Monomial, other: Monomial) -> None:
    assert value({merged(one, other): 1}) == value({one: 1}) * value({other: 1})
    assert merged(one, inverted(one)) == ()


@given(polynomials)
def test_the_content_is_taken_out(terms: Terms) -> None:
    content, common, rest = content_of(terms)
    assert content > 0
    assert content * value({common: 1}) * value(rest) == value(terms)
    assert content_of(rest)[1:] == ((), rest)


@given(polynomials)
def test_only_what_is_zero_vanishes(terms: Terms) -> None:
    assert vanishes(terms) == (value(terms) == 0)


@of_every(
    [
        {((B, 1),): 1, ((A, 1),): -1, (): Fraction(-1, 2)},
        {((B, 1), (C, 1)): 1, ((A, 2),): -3, ((B, 2),): -1},
        {((B, -1),): 1, (): Fraction(-6, 7)},
    ]
)
def test_what_is_zero_vanishes(terms: Terms) -> None:
    assert value(terms) == 0
    assert vanishes(terms)


def test_a_polynomial_has_one_factor() -> None:
    assert factor_of({(): Fraction(1, 2), ((A, 1),): 1}) is B
