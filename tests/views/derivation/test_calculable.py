"""Lines that a calculator does not contradict: their operands lead to their result as both are printed."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.binomial_limits import upper_limit
from reference_tree.exact.radicals import root
from reference_tree.exact.worked import Worked, work
from reference_tree.measures.entropy import entropy
from reference_tree.views.derivation.blocks import Equations, Symbol
from reference_tree.views.derivation.calculable import calculable, line
from reference_tree.views.derivation.notation import decimal_of, is_rounded, text
from reference_tree.views.derivation.text import write
from tests.strategies import counts, partitions
from tests.views.checked import contradictions, relations


def printed(worked: Worked) -> str:
    return "\n".join(write([Equations((line(Symbol("x", "x"), worked),))]))


@given(partitions(rows=5, columns=3), st.fractions(0, 4, max_denominator=7))
def test_sums_of_rounded_figures_come_out(table: list[list[int]], alpha: Fraction) -> None:
    parts = [row for row in table if any(row)]
    total = work(sum([work(sum(row)) * entropy(work(row)) for row in parts])) + work(alpha) * work(len(parts))
    page = printed(total)
    assert not contradictions(page)
    assert list(relations(page))
    assert calculable(total).value == total.value


@given(counts(smallest=2), counts(smallest=2))
def test_so_do_differences_products_and_quotients(one: list[int], other: list[int]) -> None:
    first, second = entropy(work(one)), entropy(work(other))
    figures = [first - second, abs(first - second), work(7) * first, first / work(3)]
    if second.value:
        figures.append(first / second)
    for figure in figures:
        assert not contradictions(printed(figure))


def test_only_what_has_no_short_form_is_rounded() -> None:
    exact = work(Fraction(7, 15)) * work(Fraction(1, 3))
    assert text(calculable(exact)) == "7/15·(1/3)"
    assert not is_rounded(calculable(exact))
    long = work(Fraction(9306814, 23024235)) * work(Fraction(101422725, 135191603))
    assert re.fullmatch(r"x = 0\.404218\d*·0\.750215\d* ≈ 0\.303250", printed(long))
    assert is_rounded(calculable(long))


def test_operands_get_the_digits_that_it_takes_and_no_more() -> None:
    """4·U = 2.174713 for U = 0.54367826...: six decimals give 2.174712, seven do."""
    u = Worked(upper_limit(1, 4, Fraction(1, 4)), "quantity", (work(1),), "limit")
    assert decimal_of(4 * u.value) != str(4 * Decimal(decimal_of(u.value)))
    written = text(calculable(work(4) * u))
    assert len(written) == len("4·0.5436782")
    assert not contradictions(printed(work(4) * u))


def test_roots_logarithms_and_powers_are_worked_out_again() -> None:
    z = work(Fraction(6744897501960817, 10**16))
    page = printed(z * root(work(3) * (work(1) - work(3) / work(8)) + z**2 / work(4)))
    assert page.startswith("x = 0.67448")
    assert "√(3·(1 − 3/8) + 0.67448" in page
    assert not contradictions(page)
