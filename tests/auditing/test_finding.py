"""Findings: verdicts, causes first, and what a bad question loses."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from reference_tree.auditing.finding import Fault, Finding, Regret, shown
from reference_tree.data.questions import Subset, Threshold
from reference_tree.exact.log_sums import log


def test_a_regret_is_lost_by_every_row() -> None:
    regret = Regret(Fraction(1, 4), "x<=1", Fraction(1, 2), 12, "gini_decrease")
    assert (regret.per_row, regret.in_all) == (Fraction(1, 4), 3)


def test_a_long_threshold_is_shown_with_twelve_digits() -> None:
    single = Threshold("x", Fraction(13421773, 16777216))
    assert (shown(single).name, shown(Threshold("y", 2)).name) == ("x<=0.800000011921", "y<=2")
    assert shown(Subset("c", ("a",) * 40)).name == Subset("c", ("a",) * 40).name


def test_a_finding_without_faults_is_right() -> None:
    assert Finding(0, "optimal", 3, "x<=1").is_right
    assert not Finding(0, "wrong-leaf", 3, "no", (Fault("wrong-leaf", "it answers no", "label"),)).is_right


def test_a_regret_of_ratios_is_lost_by_every_row() -> None:
    """A ratio of logarithms can be multiplied; the difference of two cannot."""
    one, other = log(3) / log(2), log(5) / log(3)
    regret = Regret(other, "a", one, 12, "ratio")
    assert regret.in_all > 0
    assert float(regret.in_all) == pytest.approx(12 * (math.log2(3) - math.log(5, 3)))
