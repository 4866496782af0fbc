"""Error limits: against the formulas of the programs in other arithmetic, and the figures that the book prints."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import decimal
from reference_tree.pruning.error_limits import (
    LIMITS,
    MOST_ROWS,
    ErrorLimit,
    binomial,
    errors_at,
    interpolated_deviate,
    normal,
    normal_deviate,
    rate_with_errors,
    table,
)
from tests.strategies import fractions

QUARTER = Fraction(1, 4)
confidences = fractions(Fraction(1, 1000), Fraction(1, 2), max_denominator=1000)
every_limit = pytest.mark.parametrize("limit", LIMITS.values(), ids=list(LIMITS))


@st.composite
def leaves(draw: st.DrawFn, whole: bool = False) -> tuple[Rational, Rational]:
    """The errors and the rows of a leaf."""
    if whole:
        rows = draw(st.integers(1, 200))
        return draw(st.integers(0, rows)), rows
    total = draw(fractions(Fraction(1, 20), 60, max_denominator=30))
    return total * draw(fractions(0, 1, max_denominator=30)), total


def _mpf(q: Rational) -> mpmath.mpf:
    return mpmath.mpf(q.numerator) / q.denominator


def c45(errors: Rational, rows: Rational, confidence: Fraction) -> mpmath.mpf:
    """Release 8, as a function of what it adds."""
    e, n, cf = _mpf(errors), _mpf(rows), _mpf(confidence)
    none = n * (1 - cf ** (1 / n))
    if e < mpmath.mpf("1e-6"):
        return e + none
    if e < mpmath.mpf("0.9999"):
        one = c45(Fraction(1), rows, confidence) - 1
        return e + none + e * (one - none)
    if e + 0.5 >= n:
        return e + mpmath.mpf("0.67") * (n - e)
    table_of = [(0, 4), ("0.001", "3.09"), ("0.005", "2.58"), ("0.01", "2.33"), ("0.05", "1.65"), ("0.1", "1.28")]
    points = [(mpmath.mpf(x), mpmath.mpf(z)) for x, z in [*table_of, ("0.2", "0.84"), ("0.4", "0.25"), (1, 0)]]
    place = next(i for i, (x, _) in enumerate(points) if x >= cf)
    (x0, z0), (x1, z1) = points[place - 1], points[place]
    z = z0 + (z1 - z0) * (cf - x0) / (x1 - x0)
    seen = e + 0.5
    return n * (seen + z * z / 2 + mpmath.sqrt(z * z * (seen * (1 - seen / n) + z * z / 4))) / (n + z * z)


def j48(errors: Rational, rows: Rational, confidence: Fraction) -> mpmath.mpf:
    """Weka's, by its own way of writing the formula: rates instead of counts."""
    e, n, cf = _mpf(errors), _mpf(rows), _mpf(confidence)
    if e < 1:
        none = n * (1 - cf ** (1 / n))
        return e + none if e == 0 else e + none + e * (j48(Fraction(1), rows, confidence) - 1 - none)
    if e + 0.5 >= n:
        return e + max(n - e, mpmath.mpf(0))
    z = mpmath.mpf(float(mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * cf)))
    f = (e + 0.5) / n
    return n * (f + z * z / (2 * n) + z * mpmath.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)


@given(leaves(), confidences)
def test_the_table_is_release_8(leaf: tuple[Rational, Rational], confidence: Fraction) -> None:
    with mpmath.workprec(200):
        expected = c45(*leaf, confidence)
        assert float(table(*leaf, confidence)) == pytest.approx(float(expected), rel=1e-14, abs=1e-14)


@given(leaves(), confidences)
def test_the_normal_limit_is_that_of_weka(leaf: tuple[Rational, Rational], confidence: Fraction) -> None:
    with mpmath.workprec(200):
        expected = j48(*leaf, confidence)
        assert float(normal(*leaf, confidence)) == pytest.approx(float(expected), rel=1e-14, abs=1e-14)


@pytest.mark.parametrize(("limit", "program"), [(table, c45), (normal, j48)])
@pytest.mark.parametrize(
    ("errors", "rows"),
    [
        *((errors, 20) for errors in ("1e-7", "8e-7", "1e-6", "15e-7", "9e-6", "0.01", "0.9998", "0.99985", "0.9999")),
        *(("0.99995", 20), ("1", 20), ("1.4", 2), ("1.5", 2), ("1.6", 2), ("1.9", 2), ("2", 2)),
    ],
)
def test_where_one_rule_ends_and_another_begins(limit: ErrorLimit, program: Any, errors: str, rows: int) -> None:
    with mpmath.workprec(200):
        expected = program(Fraction(errors), Fraction(rows), QUARTER)
        assert float(limit(Fraction(errors), rows, QUARTER)) == pytest.approx(float(expected), rel=1e-14)


@given(leaves(whole=True), confidences)
def test_the_binomial_limit_is_the_quantile_of_a_beta_distribution(
    leaf: tuple[Rational, Rational], confidence: Fraction
) -> None:
    errors, rows = leaf
    found = binomial(errors, rows, confidence) * Fraction(1, rows)
    if errors == rows:
        assert found == 1
        return
    with mpmath.workprec(200):
        so_few = mpmath.betainc(rows - errors, errors + 1, 0, 1 - _mpf(Fraction(float(found))), regularized=True)
        assert float(so_few) == pytest.approx(float(confidence), rel=1e-11)


@given(st.integers(1, 40), st.integers(0, 38), fractions(Fraction(1, 100), 4, max_denominator=100))
def test_the_normal_formula_solves_its_equation(rows: int, errors: int, deviate: Fraction) -> None:
    """(E + 1/2 - Np)² = z²·Np(1 - p): between the bounds of Np, beyond E + 1/2, the difference changes sign."""
    seen = errors + Fraction(1, 2)
    if seen >= rows:
        return

    def difference(expected: Fraction) -> Fraction:
        return (seen - expected) ** 2 - deviate**2 * expected * (1 - expected / rows)

    low, high, scale = errors_at(rate_with_errors(errors, rows, deviate), rows).enclosure(200)
    assert seen < Fraction(low, scale)
    assert difference(Fraction(low, scale)) <= 0 <= difference(Fraction(high, scale))


@every_limit
@given(leaf=leaves(whole=True), confidence=confidences)
def test_a_leaf_is_estimated_to_make_more_errors_than_it_made_and_not_more_than_its_rows(
    limit: ErrorLimit, leaf: tuple[Rational, Rational], confidence: Fraction
) -> None:
    errors, rows = leaf
    assert errors <= limit(errors, rows, confidence) <= rows


@every_limit
@given(leaf=leaves(whole=True), confidence=confidences)
def test_a_smaller_confidence_expects_more_errors(
    limit: ErrorLimit, leaf: tuple[Rational, Rational], confidence: Fraction
) -> None:
    assert limit(*leaf, confidence / 2) >= limit(*leaf, confidence)


@every_limit
def test_an_empty_leaf_makes_none(limit: ErrorLimit) -> None:
    assert limit(0, 0, QUARTER) == 0


def test_the_figures_of_the_book() -> None:
    """Quinlan's example of three leaves that become one. Its last figure is that of the program, not the binomial."""
    rates = [(0, 6, "0.206"), (0, 9, "0.143"), (0, 1, "0.750"), (1, 16, "0.157")]
    for errors, rows, printed in rates:
        assert decimal(table(errors, rows, QUARTER) * Fraction(1, rows), 3) == printed
    assert decimal(binomial(1, 16, QUARTER) * Fraction(1, 16), 3) == "0.160"
    subtree = sum((table(0, rows, QUARTER) for rows in (6, 9, 1)), 0)
    assert decimal(subtree, 3) == "3.273"
    assert table(1, 16, QUARTER) < subtree
    assert decimal(16 * Fraction("0.157"), 3) == "2.512"  # which the book prints: 16 times the rounded rate


def test_the_deviates() -> None:
    assert interpolated_deviate(QUARTER) == Fraction("0.6925")
    assert interpolated_deviate(Fraction(1, 10)) == Fraction("1.28")
    assert interpolated_deviate(Fraction(1)) == 0
    assert interpolated_deviate(Fraction(3, 4)) == Fraction("0.25") * Fraction(25, 60)
    assert decimal(normal_deviate(QUARTER), 4) == "0.6745"


def test_between_none_and_one_the_programs_interpolate_up_to_different_places() -> None:
    """Release 8 stops just below one error and starts just above none; it makes a step of less than a thousandth."""
    for errors, is_alike in [(Fraction(99991, 100000), False), (Fraction(1, 2), True), (Fraction(1, 10**7), False)]:
        none, one = table(0, 20, QUARTER), table(1, 20, QUARTER) - 1
        linear = errors + none + errors * (one - none)
        assert (table(errors, 20, QUARTER) == linear) == is_alike


def test_the_binomial_limit_counts_rows() -> None:
    with pytest.raises(InputError, match=r"a leaf has 0\.5 errors among 3; say limit='table', or profile='c45-r8'"):
        binomial(Fraction(1, 2), 3, QUARTER)


@pytest.mark.parametrize("rows", [MOST_ROWS + 1, 10**150])
def test_the_binomial_limit_is_refused_for_more_rows_than_it_can_count(rows: int) -> None:
    with pytest.raises(InputError, match=f"at most {MOST_ROWS} rows"):
        binomial(rows // 3, rows, Fraction(1, 4))
