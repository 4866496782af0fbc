"""Every figure of the ledger agrees with the exact value, or a calculation was found that gives it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from reference_tree.conformance.books import ledger
from reference_tree.exact.log_sums import log
from tests.every import of_every
from tools.traceability.calculations import about, agrees, calculation, cut_off, exact, rounded, shown
from tools.traceability.rounds_by_hand import boosted

UNEXPLAINED = [("N0 CN §3", "H(Y|X=1)"), ("N0 CN §3", "H(Y|X=0)")]
"""Entropies of -2: no rounding makes an entropy negative."""


def found(source: str, value: str) -> str | None:
    """The calculation of the first figure of a place that does not agree."""
    return next(calculation(one) for one in ledger() if (one.source, one.value) == (source, value) and not agrees(one))


@pytest.mark.slow
def test_what_no_calculation_gives_is_listed() -> None:
    off = [figure for figure in ledger() if not agrees(figure)]
    assert [(one.source, about(one)) for one in off if calculation(one) is None] == UNEXPLAINED
    assert len(off) == 34


@of_every(
    [
        ("Quinlan1986 §4", "0.246", "0.940 − 0.694, from figures that the book prints"),
        ("Quinlan1986 §7", "1.578", "0.531 + 0.516 + 0.531, with the products rounded to 3 decimals"),
        ("Quinlan1993 §4.2", "2.512", "16 · 0.157"),
        ("Mitchell1997 §3.4.2", "0.570", "0.970 − 0.400, from figures that the book prints"),
        ("LiHang2019 §5.3.1", "0.251", "0.918 − 0.667, from figures that the book prints"),
        ("LiHang2019 §8.1.3", "0.1060", "what the other weights, rounded to 4 decimals, leave to 1"),
        ("LiHang2019 §8.1.3", "0.7514", "from the error 0.1820, the sum of weights rounded to 4 decimals"),
        ("LiHang2019 §8.4", "8.36", "0.06 + 8.30, with the errors of the sides rounded to 2 decimals"),
        ("LiHang2019 §8.4.2", "0.79", "from residuals rounded to 2 decimals"),
        ("N0 CN §4", "3", "1 − (−2), from figures that the book prints"),
    ]
)
def test_the_calculation_that_is_told(source: str, value: str, words: str) -> None:
    assert found(source, value) == words


@pytest.mark.slow
def test_each_told_difference_is_the_printed_figure() -> None:
    """By the figures that are told, and nothing else."""
    for figure in ledger():
        words = None if agrees(figure) else calculation(figure)
        if words and words.count(" − ") == 1:
            operands = [Fraction(text.strip("()").replace("−", "-")) for text in words.split(",")[0].split(" − ")]
            places = len(figure.value.partition(".")[2])
            assert rounded(operands[0] - operands[1], places) == shown(figure), figure


def test_a_calculation_is_refused_that_does_not_give_the_figure() -> None:
    """What is printed once more with another last digit has other calculations, or none."""
    by_hand = boosted(2, None, 2)
    assert by_hand.leaves[0] == Fraction("-0.51") - Fraction(1, 150) == Fraction(-31, 60)
    assert rounded(Fraction("0.2465"), 3) == Fraction("0.247")
    assert cut_off(log(Fraction(17)), 3) == Fraction("4.087")


def test_the_figures_of_a_golden_are_those_of_the_ledger() -> None:
    figure = next(one for one in ledger() if one.source == "LiHang2019 §8.4.2" and one.value == "0.79")
    assert exact(figure) == Fraction("0.800675")
