"""What is made alike is equal: held against values of the symbols, to many digits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

import mpmath
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.questions import Threshold
from reference_tree.data.table import Table
from reference_tree.data.targets import DerivativeTerm, Gradients
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.exact.intervals import Interval, Refined
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.learners.gradient_sums import Sides, made_of_gain, made_of_h, of_rows
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.splitting.missing_rules import LEFT
from tests.boosting_by_the_book import number
from tests.every import of_every

SYMBOLS = {"p": Fraction(-1, 3), "q": Fraction(-7, 5)}
TERMS = [
    DerivativeTerm(0, 1, 1, "p"), DerivativeTerm(-1, 1, 1, "p"), DerivativeTerm(1, -1, 1, "p"),
    DerivativeTerm(0, 1, 1, "q"), DerivativeTerm(1, -1, 1, "q"),
    DerivativeTerm(Fraction(1, 2), 0, Fraction(1, 4)), DerivativeTerm(Fraction(-1, 2), 0, Fraction(1, 4)),
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
    terms = [DerivativeTerm(0, sign, 1, symbol) for symbol in "pq" for sign in (1, -1)]
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


def test_what_two_rows_add_up_to_is_what_one_has() -> None:
    """Beside p and q, 1/2 and 1/4 four times are 2 and 1."""
    terms = [
        DerivativeTerm(0, 1, 1, "p"),
        DerivativeTerm(0, 1, 1, "q"),
        DerivativeTerm(Fraction(1, 2), 0, Fraction(1, 4)),
        DerivativeTerm(2, 0, 1),
    ]
    four, one = ((1, 0, 4, 0), (0, 1, 0, 0)), ((1, 0, 0, 1), (0, 1, 0, 0))
    assert made_of_gain(four, terms, 1) == made_of_gain(one, terms, 1) != 0


def times(one: Sequence[Rational], other: Sequence[Rational]) -> list[Rational]:
    """The product of two polynomials, by their coefficients."""
    found: list[Rational] = [0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            found[i + j] += a * b
    return found


def test_of_one_symbol_a_gain_is_taken_at_more_points_than_the_degree_of_a_difference() -> None:
    """Two questions at a node, where G is 4p - 2 and H is 5p(1 - p); the node's own quotient falls out. λ is 1."""
    g = [(0, 1), (-2, 3), (-1, 1), (-1, 3)]  # a + b·p: of either side of the one question, and of the other
    h = [(1, c, -c) for c in (1, 4, 2, 3)]  # 1 + c·p(1 - p)
    numerator: list[Rational] = [0] * 9
    for place, sign in enumerate((1, 1, -1, -1)):
        product = times(g[place], g[place])
        for other in range(4):
            product = times(product, h[other]) if other != place else product
        numerator = [a + sign * b for a, b in zip(numerator, product, strict=True)]
    made = made_of_gain(((1, 0, 0, 0, 0, 0, 0), (1, 2, 0, 0, 0, 0, 0)), TERMS, 1)
    assert isinstance(made, tuple)
    symbol, *values = made
    assert symbol == "p"
    assert len(set(values)) > max(power for power, c in enumerate(numerator) if c) == 8


def test_of_one_symbol_a_gain_is_that_of_the_rows_at_each_tenth() -> None:
    """Rows whose derivatives have p, and rows whose derivatives have none, added one by one. λ is ½."""
    rows = ((2, 1, 0, 0, 0, 1, 0), (0, 1, 2, 0, 0, 0, 2))
    made = made_of_gain(rows, TERMS, Fraction(1, 2))
    assert isinstance(made, tuple)
    assert made[0] == "p"
    for p, value in zip((Fraction(k, 10) for k in range(1, 10)), made[1:], strict=True):
        slope, half = p * (1 - p), Fraction(1, 2)
        each: list[tuple[Rational, Rational]] = [
            (p, slope),
            (p - 1, slope),
            (1 - p, slope),
            (0, 0),
            (0, 0),
            (half, half / 2),
            (-half, half / 2),
        ]
        whole = [sum(pair) for pair in zip(*rows, strict=True)]
        scores = list[Fraction]()
        for row in (*rows, whole):
            g, h = (sum(n * one[of] for n, one in zip(row, each, strict=True)) for of in (0, 1))
            scores.append(g * g / (h + half))
        assert value == scores[0] + scores[1] - scores[2]


# The rows of a table: x is 1 of two rows a and b, 2 of two b, and one a has none. p is √½.


def root(symbol: object, bits: int) -> Interval:
    low = isqrt(1 << (2 * bits - 1))
    return Interval(Fraction(low, 1 << bits), Fraction(low + 1, 1 << bits))


RATIONAL = Gradients({"a": DerivativeTerm(1, 0, 2), "b": DerivativeTerm(-1, 0, 1)})
IRRATIONAL = Gradients({"a": DerivativeTerm(0, 1, 1, "p"), "b": DerivativeTerm(-1, 1, 1, "p")}, root)


def numbers_of(target: Gradients) -> list[Number]:
    """G of all rows; of the question the gain for λ = 1 and H of either side. The row without an answer is left."""
    table = Table.from_columns({"x": [1, 1, 2, 2, None], "y": list("abbba")}, continuous=["x"])
    sample, test = table.sample().against(target), Threshold("x", Fraction(3, 2))
    sides = Sides(sample, test, sample.partition(test), LEFT)
    return [of_rows(sample, lambda sums: sums[1]), sides.gain(1), sides.h(0), sides.h(1)]


def test_of_rational_derivatives_every_number_is_the_rational_it_is() -> None:
    """On the left G = 1 + 1 - 1 and H = 2 + 2 + 1, on the right -2 and 2: 1/6 + 4/3 - 1/8."""
    found = numbers_of(RATIONAL)
    assert found == [-1, Fraction(1, 6) + Fraction(4, 3) - Fraction(1, 8), 5, 2]
    assert all(isinstance(number, int | Fraction) for number in found)


@of_every([40, 100, 300])
def test_of_irrational_derivatives_every_number_is_enclosed_as_narrowly_as_is_wanted(bits: int) -> None:
    with mpmath.workdps(150):
        p = mpmath.sqrt(mpmath.mpf(1) / 2)
        h = p * (1 - p)
        left, right, both = ((n * p - b) ** 2 / (n * h + 1) for n, b in ((3, 1), (2, 2), (5, 3)))
        expected = [5 * p - 3, left + right - both, 3 * h, 2 * h]
        for found, value in zip(numbers_of(IRRATIONAL), expected, strict=True):
            assert isinstance(found, Refined)
            ends = found.interval(bits)
            assert number(ends.low) <= value <= number(ends.high)
            assert ends.high - ends.low < Fraction(1 << 10, 1 << bits)


@of_every([Fraction(1, 2), 2, 5])
def test_gains_whose_sums_are_shrunk_to_nothing_are_equal(reg_alpha: Any) -> None:
    """Sides without any G tie, however their rows differ."""
    rows = {"x": list(range(10)), "z": [5, 2, 9, 4, 1, 3, 8, 7, 6, 0], "y": [*"aabababbab"]}
    learner = GradientTree(reg_alpha=reg_alpha, rate=1, min_child_weight=0)
    found = GradientBoosting(base=learner, trees=4, base_score=Fraction(7, 10)).grow(rt.Table.from_columns(rows))
    assert len(found.members) == 4
