"""Linear sums: the arithmetic and the sign that all kinds share, shown on numbers q + c·√2."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.binomial_limits import LimitSum, upper_limit
from reference_tree.exact.linear_sums import EnclosedSum, LinearSum
from reference_tree.exact.log_sums import log
from reference_tree.exact.radicals import root
from reference_tree.exact.reals import CAP_BITS, UndecidedError
from tests.strategies import fractions

TWO = "√2"
DISGUISED = "√2 in disguise"


class Diagonal(LinearSum[str]):
    """Numbers q + c·√2, where √2 has two names."""

    calls = 0

    def enclosure(self, bits: int) -> tuple[int, int, int]:
        low, c = isqrt(2 << 2 * bits), sum(self.terms.values(), Fraction(0))
        over = self.constant.denominator * c.denominator
        ends = [int((self.constant * (1 << bits) + c * end) * over) for end in (low, low + 1)]
        return min(ends), max(ends), over << bits

    def as_rational(self) -> Fraction | None:
        Diagonal.calls += 1
        return None if sum(self.terms.values()) else self.constant


rationals = fractions(-5, 5, max_denominator=12)
names = st.sampled_from([TWO, DISGUISED])
diagonals = st.builds(Diagonal, st.dictionaries(names, rationals), rationals)


def pair(x: Diagonal) -> tuple[Fraction, Fraction]:
    """The number as a point of the plane."""
    return x.constant, sum(x.terms.values(), Fraction(0))


def sign(q: Fraction, c: Fraction) -> int:
    """The sign of q + c·√2, by squaring."""
    by_size = q if q * q > 2 * c * c else c
    return (by_size > 0) - (by_size < 0)


@given(diagonals, diagonals, rationals)
def test_they_are_a_vector_space(x: Diagonal, y: Diagonal, r: Fraction) -> None:
    (a, b), (c, d) = pair(x), pair(y)
    assert pair(x + y) == (a + c, b + d)
    assert pair(x - y) == (a - c, b - d)
    assert pair(-x) == (-a, -b)
    assert pair(x + r) == pair(r + x) == (a + r, b)
    assert pair(x - r) == pair(-(r - x)) == (a - r, b)
    assert pair(x * r) == pair(r * x) == (a * r, b * r)
    if r:
        quotient = x / r
        assert pair(quotient) == (a / r, b / r)


@given(diagonals, diagonals, rationals)
def test_the_sign_is_that_of_squaring(x: Diagonal, y: Diagonal, r: Fraction) -> None:
    (a, b), (c, d) = pair(x), pair(y)
    assert x.sign() == sign(a, b)
    assert bool(x) == (sign(a, b) != 0)
    assert abs(x).sign() == abs(sign(a, b))
    assert pair(abs(x)) in (pair(x), pair(-x))
    assert x.compare(y) == sign(a - c, b - d)
    assert x.compare(r) == sign(a - r, b)
    assert (x < 0.75) == (sign(a - Fraction(3, 4), b) < 0)


@given(diagonals, diagonals, rationals)
def test_no_coefficient_is_0_and_no_operand_changes(x: Diagonal, y: Diagonal, r: Fraction) -> None:
    before = [(dict(z.terms), z.constant) for z in (x, y)]
    for result in (x, x + y, x - y, x - x, x + r, x * r, x * 0, -x):
        assert all(result.terms.values())
    assert [(z.terms, z.constant) for z in (x, y)] == before


def test_whether_it_is_0_is_asked_once_and_only_if_the_signs_differ() -> None:
    p, q = 1, 1
    for _ in range(300):  # convergents of √2: the difference falls far below 2^-80
        p, q = p + 2 * q, p + q
    close = Diagonal({TWO: Fraction(q)}, -p)
    Diagonal.calls = 0
    assert close.sign() in (-1, 1)
    assert Diagonal.calls == 1
    assert Diagonal({TWO: Fraction(1)}, 3).sign() == 1
    assert Diagonal({TWO: Fraction(1)}, -3).sign() == -1
    assert Diagonal.calls == 1
    assert Diagonal({TWO: Fraction(1), DISGUISED: Fraction(-1)}).sign() == 0


def test_kinds_do_not_mix() -> None:
    limit = upper_limit(1, 6, Fraction(1, 4))
    for x, y in [(log(3), root(2)), (root(2), limit), (limit, log(3))]:
        for operation in ("__add__", "__sub__", "__mul__"):
            assert getattr(x, operation)(y) is NotImplemented
        with pytest.raises(TypeError):
            x - y
        with pytest.raises(TypeError):
            x < y  # noqa: B015
    with pytest.raises(TypeError):
        root(2) + 0.5


@given(st.lists(st.tuples(rationals, st.integers(2, 30)), max_size=6), rationals)
def test_an_enclosure_is_carried_through_sums(terms: list[tuple[Fraction, int]], r: Fraction) -> None:
    """It stays around the number, though not as narrow as one made anew."""
    carried = sum((c * root(n) for c, n in terms), root(7)) + r
    assert isinstance(carried, EnclosedSum)
    low, high, scale = carried.enclosure(80)
    anew_low, anew_high, _ = type(carried)(carried.terms, carried.constant).enclosure(80)
    inner_low, inner_high, inner_scale = carried.enclosure(200)
    assert low * inner_scale <= inner_low * scale
    assert high * inner_scale >= inner_high * scale
    assert high - low <= anew_high - anew_low + 12 * (len(terms) + 2)


def test_a_sum_of_limits_gives_up_at_the_cap_alone() -> None:
    half = upper_limit(0, 1, Fraction(1, 2))  # 1/2, in disguise
    assert isinstance(half, LimitSum)
    assert half.sign() == 1
    with pytest.raises(UndecidedError, match="agree to 10240 bits"):
        (half - Fraction(1, 2)).sign()
    assert half.enclosure(CAP_BITS)[0] <= 1 << CAP_BITS - 1
    with pytest.raises(UndecidedError):
        half.enclosure(CAP_BITS + 1)
