"""What is made alike is equal: held against values of the symbols, to many digits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import mpmath
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.targets import Term
from reference_tree.exact.rationals import Rational
from reference_tree.learners.gradient_sums import made_of_gain, made_of_h
from tests.boosting_by_the_book import number

SYMBOLS = {"p": Fraction(-1, 3), "q": Fraction(-7, 5)}
TERMS = [
    Term(0, 1, 1, "p"), Term(-1, 1, 1, "p"), Term(1, -1, 1, "p"), Term(0, 1, 1, "q"), Term(1, -1, 1, "q"),
    Term(Fraction(1, 2), 0, Fraction(1, 4)), Term(Fraction(-1, 2), 0, Fraction(1, 4)),
]  # fmt: skip
counts = st.tuples(*[st.integers(0, 2)] * len(TERMS)).filter(any)


def sums(row: Sequence[int]) -> tuple[mpmath.mpf, mpmath.mpf]:
    """G and H, by the logistic function of what each symbol stands for."""
    p = {name: 1 / (1 + mpmath.exp(number(x))) for name, x in SYMBOLS.items()}
    g = h = mpmath.mpf(0)
    for n, term in zip(row, TERMS, strict=True):
        value = p.get(str(term.symbol))
        g += n * (number(term.constant) + (0 if value is None else number(term.coefficient) * value))
        h += n * number(term.h) * (1 if value is None else value * (1 - value))
    return g, h


def gain(rows: Sequence[Sequence[int]], penalty: Rational) -> mpmath.mpf:
    whole = [sum(pair) for pair in zip(*rows, strict=True)]
    left, right, both = (g * g / (h + number(penalty)) for g, h in map(sums, (*rows, whole)))
    return left + right - both


@given(st.lists(st.tuples(counts, counts), min_size=8, max_size=30), st.sampled_from([0, 1, Fraction(1, 10)]))
def test_gains_gradient_sums_are_equal(tables: list[tuple[tuple[int, ...], ...]], penalty: Rational) -> None:
    found: dict[object, mpmath.mpf] = {}
    with mpmath.workdps(60):
        for rows in [*tables, *(rows[::-1] for rows in tables)]:
            made, value = made_of_gain(rows, TERMS, penalty), gain(rows, penalty)
            if isinstance(made, int | Fraction):
                assert mpmath.almosteq(number(made), value, abs_eps=1e-50)
            assert mpmath.almosteq(found.setdefault(made, value), value, abs_eps=1e-50)


ALIKE = [
    # the sides exchanged
    (((1, 0, 0, 2, 0, 0, 0), (0, 1, 0, 0, 1, 0, 0)), ((0, 1, 0, 0, 1, 0, 0), (1, 0, 0, 2, 0, 0, 0)), 1),
    # one symbol alone, and without a penalty the squares of 2 and 4 over 1 and 4 rows come to the same
    (((1, 0, 0, 0, 0, 0, 0), (3, 0, 0, 0, 0, 0, 0)), ((2, 0, 0, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0, 0)), 0),
]


def test_what_is_found_to_be_equal() -> None:
    for one, other, penalty in ALIKE:
        assert made_of_gain(one, TERMS, penalty) == made_of_gain(other, TERMS, penalty)
    proportional = ((1, 0, 0, 2, 0, 0, 0), (2, 0, 0, 4, 0, 0, 0))
    assert made_of_gain(proportional, TERMS, 0) == 0
    assert made_of_gain(proportional, TERMS, 1) != 0


def test_without_a_symbol_a_gain_is_the_rational_number_it_is() -> None:
    """G and H are 1 and 1/2 on the left, -1 and 1 on the right: 1/(3/2) + 1/2 - 0, λ being 1."""
    assert made_of_gain(((0, 0, 0, 0, 0, 2, 0), (0, 0, 0, 0, 0, 1, 3)), TERMS, 1) == Fraction(7, 6)


def test_of_one_symbol_gains_are_equal_that_do_not_look_so() -> None:
    """Of rows with p and p - 1 the gain is n·m/(n + m)·d²/(p(1 - p)), d being by how much their shares differ."""
    one = made_of_gain(((2, 0, 0, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0, 0)), TERMS, 0)
    assert one == made_of_gain(((1, 1, 0, 0, 0, 0, 0), (0, 2, 0, 0, 0, 0, 0)), TERMS, 0)
    assert one != made_of_gain(((2, 0, 0, 0, 0, 0, 0), (0, 2, 0, 0, 0, 0, 0)), TERMS, 0)
    assert not isinstance(one, int | Fraction)


def test_symbols_are_no_names_for_one_another() -> None:
    one, other = (((2, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 1, 0, 0)), ((0, 0, 0, 2, 0, 0, 0), (0, 0, 1, 0, 0, 0, 0)))
    assert not mpmath.almosteq(gain(one, 1), gain(other, 1))
    assert made_of_gain(one, TERMS, 1) != made_of_gain(other, TERMS, 1)


def test_a_quotient_has_a_square_above_and_what_it_has_below() -> None:
    """Of p, -p, q, -q and λ = 1: the sign is no matter, nothing above is nothing, and as much above is not enough."""
    terms = [Term(0, sign, 1, symbol) for symbol in "pq" for sign in (1, -1)]
    plus, minus = ((1, 0, 0, 0), (0, 0, 1, 0)), ((0, 1, 0, 0), (0, 0, 0, 1))
    assert made_of_gain(plus, terms, 1) == made_of_gain(minus, terms, 1) != 0
    assert made_of_gain(((1, 1, 0, 0), (0, 0, 1, 1)), terms, 1) == 0
    assert made_of_gain(((2, 1, 0, 0), (0, 0, 1, 0)), terms, 1) != made_of_gain(plus, terms, 1)


def test_an_h_without_a_symbol_is_the_sum_it_is() -> None:
    assert made_of_h(0, [(0, 0, 0, 0, 0, 2, 1), (1, 0, 0, 0, 0, 0, 0)], TERMS) == Fraction(3, 4)


@given(counts)
def test_an_h_is_rational_without_symbols_only(row: tuple[int, ...]) -> None:
    made = made_of_h(1, [row[::-1], row], TERMS)
    assert made == (None if any(row[:5]) else Fraction(sum(row), 4))
