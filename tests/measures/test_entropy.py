"""Entropy: its laws, another formula in high precision, and the figures of the books."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.textbook import textbook
from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.rounding import decimal
from reference_tree.measures.entropy import (
    entropy,
    entropy_of_distribution,
    entropy_of_proportion,
    maximum_entropy,
    self_information,
    total,
)
from tests import oracles, strategies
from tests.every import of_every
from tests.laws import ImpurityLaws
from tests.strategies import Counts, fractions


class TestEntropyLaws(ImpurityLaws):
    impurity = staticmethod(entropy)

    def largest(self, k: int) -> Number:
        return maximum_entropy(k)


@pytest.mark.covers("N0 EN §2 eq. (1)", "N2 §2.1 Ent", "N2 §2.1 step 3")
@given(strategies.fractional_counts, strategies.bases)
def test_entropy_is_what_another_formula_gives(counts: Counts, base: float) -> None:
    with mpmath.workdps(60):  # H = log n - 1/n·Σ c·log c
        n = oracles.real(sum(counts))
        expected = mpmath.log(n) - mpmath.fsum(oracles.real(c) * mpmath.log(oracles.real(c)) for c in counts if c) / n
        expected /= 1 if base == math.e else mpmath.log(base)
        assert abs(oracles.exact_value(entropy(counts, base)) - expected) < mpmath.mpf(10) ** -50


@pytest.mark.covers("N1 §1.3 eq. (6)")
@given(strategies.counts(), strategies.bases)
def test_the_law_of_the_largest_entropy_holds_in_every_base(counts: Counts, base: int) -> None:
    assert 0 <= entropy(counts, base) <= maximum_entropy(len(counts), base)
    assert entropy([7] * len(counts), base) == maximum_entropy(len(counts), base)


@given(strategies.counts(), strategies.bases)
def test_floats_agree_in_every_base(counts: Counts, base: int) -> None:
    assert math.isclose(entropy([float(c) for c in counts], base), float(entropy(counts, base)), abs_tol=1e-12)


@given(strategies.counts(smallest=2), st.data())
def test_grouping(counts: Counts, data: st.DataObject) -> None:
    """What group it is, and then which one of the group: H = H(groups) + Σ share of the group · H(group)."""
    cut = data.draw(st.integers(1, len(counts) - 1))
    groups = [group for group in (counts[:cut], counts[cut:]) if any(group)]
    between = entropy([sum(group) for group in groups])
    within = sum(Fraction(sum(group), sum(counts)) * entropy(group) for group in groups)
    assert entropy(counts) == between + within


@pytest.mark.covers("N0 CN §1 (1)", "N1 §1.3 eq. (4)", "N1 §1.3 eq. (5)")
@given(strategies.counts(), strategies.bases)
def test_a_distribution_has_the_entropy_of_its_sample(counts: Counts, base: int) -> None:
    shares = [Fraction(c, sum(counts)) for c in counts]
    assert entropy_of_distribution(shares, base) == entropy(counts, base)
    floats = entropy_of_distribution([float(p) for p in shares], base)
    assert math.isclose(floats, float(entropy(counts, base)), abs_tol=1e-12)


@pytest.mark.covers("N3 E(S)", "N4 Measuring purity: H(p_1)", "N4 Measuring purity: p_0")
@given(fractions(0, 1, max_denominator=50), strategies.bases)
def test_a_proportion_has_the_entropy_of_two_classes(p: Fraction, base: int) -> None:
    assert entropy_of_proportion(p, base) == entropy([p, 1 - p], base) == entropy_of_proportion(1 - p, base)


@pytest.mark.covers("N2 §2.1 coins")
@given(fractions(Fraction(1, 500), 1, max_denominator=500), fractions(Fraction(1, 500), 1, max_denominator=500))
def test_surprises_of_independent_outcomes_add_up(p: Fraction, q: Fraction) -> None:
    assert self_information(p * q) == self_information(p) + self_information(q) >= 0
    assert (self_information(p) == 0) == (p == 1)
    assert (self_information(p) > self_information(q)) == (p < q)


@given(strategies.fractional_counts)
def test_the_weight_of_a_sample(counts: Counts) -> None:
    weight = sum((Fraction(c) for c in counts), start=Fraction(0))
    assert total(counts) == weight


@pytest.mark.covers("N2 §2.1 coins")
def test_uniform_entropies_are_logarithms() -> None:
    assert entropy([1] * 8) == 3
    assert entropy([5] * 3, base=3) == 1
    assert entropy([5] * 3) == log(3)
    assert entropy([2] * 10, base=10) == 1
    assert entropy([1, 1], base=math.e) == log(2, math.e)


@of_every([0, -1, Fraction(3, 2), 1.5, 0.0, math.nan])
def test_no_surprise_without_a_probability(p: Number) -> None:
    with pytest.raises(ValueError, match="a probability with a surprise"):
        self_information(p)


@of_every([-1, Fraction(3, 2), 1.5, math.nan])
def test_what_is_no_proportion_is_refused(p: Number) -> None:
    with pytest.raises(ValueError, match="a proportion is between 0 and 1"):
        entropy_of_proportion(p)


@of_every([[], [Fraction(1, 2)], [0.5, 0.4], [Fraction(3, 2), Fraction(-1, 2)], [0.5, math.nan], [1, 1]])
def test_what_is_no_distribution_is_refused(probabilities: list[Number]) -> None:
    with pytest.raises(ValueError, match=r"do not add up to 1|a probability is negative"):
        entropy_of_distribution(probabilities)


def test_floats_that_miss_1_by_their_rounding_are_a_distribution() -> None:
    shares = [1 / 49] * 49
    assert math.fsum(shares) != 1  # not even where `sum` compensates for its rounding, as from Python 3.12 on
    assert math.isclose(entropy_of_distribution(shares), math.log2(49))


def test_what_is_no_number_of_outcomes_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one outcome"):
        maximum_entropy(0)


@of_every([1, 0, -2, 2.0, 0.5, True])
def test_what_is_no_base_is_refused(base: float) -> None:
    with pytest.raises(ValueError, match="the base of a logarithm"):
        entropy([9, 5], base)


@pytest.mark.parametrize(
    ("name", "printed"),
    [("play-tennis", "0.940286"), ("watermelon-2.0", "0.997503"), ("loan", "0.970951"), ("cats", "1.000000")],
)
def test_the_figures_of_the_books(name: str, printed: str) -> None:
    table = textbook(name)
    labels = [row[table.schema.target.name] for row in table.rows()]
    assert decimal(entropy([labels.count(label) for label in table.schema.target.domain])) == printed


def test_the_sample_of_the_missing_values() -> None:
    """Watermelon 2.0α: of 14 melons with a known colour, six are good."""
    known = [row for row in textbook("watermelon-2.0a").rows() if row["色泽"] is not None]
    good = sum(row["好瓜"] == "是" for row in known)
    assert (good, len(known)) == (6, 14)
    assert decimal(entropy([good, len(known) - good])) == "0.985228"


def test_entropies_are_rounded_correctly_where_the_float_formula_is_not() -> None:
    """The textbook formula in floats, its logarithms correctly rounded, misses the last digit of H(9, 5)."""
    assert float(entropy([9, 5])) == 0.940285958670631
    p = [9 / 14, 5 / 14]
    assert -(p[0] * float(log(Fraction(9, 14)))) - p[1] * float(log(Fraction(5, 14))) == 0.9402859586706311


def test_a_probability_may_be_0_and_floats_may_miss_1_by_a_rounding_of_each() -> None:
    assert entropy_of_distribution([Fraction(1, 2), 0, Fraction(1, 2)]) == 1
    assert math.isclose(entropy_of_distribution([0.5, 0.5 + 2**-51]), 1)
    with pytest.raises(ValueError, match="do not add up to 1"):
        entropy_of_distribution([0.5, 0.5 + 2**-50])
