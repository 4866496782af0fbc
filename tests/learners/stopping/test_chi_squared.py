"""The χ² test: the statistic, its probability, and trees that ask nothing that may be irrelevant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.auditing import audit
from reference_tree.data.errors import InputError
from reference_tree.data.textbook import textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.learners.options import Options
from reference_tree.learners.stopping.chi_squared import chi_squared, confidence, degrees_of_freedom, is_irrelevant
from reference_tree.tree_document import from_json, to_json
from tests import strategies
from tests.every import of_every
from tests.strategies import fractions

TENNIS = textbook("play-tennis")
CONFIDENT = Fraction(99, 100)


@given(strategies.partitions())
def test_the_statistic_is_that_of_the_definition(table: list[list[int]]) -> None:
    rows = [row for row in table if any(row)]
    columns = [column for column in zip(*rows, strict=True) if any(column)]
    n = sum(map(sum, rows))
    squares = sum(Fraction(cell**2, sum(row) * sum(column)) for row in zip(*columns, strict=True) for column, cell in
                  zip(columns, row, strict=True))  # fmt: skip
    assert chi_squared(table) == n * squares - n
    assert degrees_of_freedom(table) == (len(rows) - 1) * (len(columns) - 1)
    assert degrees_of_freedom([*table, [0] * len(table[0])]) == degrees_of_freedom(table), "of branches with rows"


@given(strategies.partitions(), st.integers(2, 9))
def test_many_times_the_rows_are_many_times_the_evidence(table: list[list[int]], times: int) -> None:
    assert chi_squared([[times * cell for cell in row] for row in table]) == times * chi_squared(table)


def by_recurrence(x: float, freedom: int) -> float:
    """The probability from those of one and two degrees of freedom, in floats."""
    found, k = (math.erf(math.sqrt(x)), 1) if freedom % 2 else (1 - math.exp(-x), 2)
    while k < freedom:
        found, k = found - math.exp(k / 2 * math.log(x) - x - math.lgamma(k / 2 + 1)), k + 2
    return found


@given(fractions(Fraction(1, 50), 300, max_denominator=50), st.integers(1, 60))
def test_the_probability_is_that_of_the_recurrence(statistic: Fraction, freedom: int) -> None:
    assert float(confidence(statistic, freedom)) == pytest.approx(
        by_recurrence(float(statistic / 2), freedom), abs=1e-12
    )


@given(fractions(Fraction(1, 50), 300, max_denominator=50), st.integers(1, 60), st.integers(1, 400))
def test_narrow_enclosures_lie_in_wide_ones(statistic: Fraction, freedom: int, bits: int) -> None:
    found: Any = confidence(statistic, freedom)
    wide, narrow = found.interval(bits), found.interval(2 * bits)
    assert wide.low <= narrow.low <= narrow.high <= wide.high + Fraction(1, 1 << bits - 1)
    assert wide.high - wide.low <= Fraction(1, 1 << bits - 1)
    assert narrow.low - Fraction(1, 1 << bits) <= wide.high


def test_a_quantile_of_any_table_is_decided_on_its_sides() -> None:
    """e^-x is 1/100 at x = ln 100: the quantile at 99 % for two degrees of freedom is 2·ln 100."""
    digits = Fraction("9.21034037197618273607196581873")
    hair = Fraction(1, 10**28)
    assert confidence(digits - hair, 2) < CONFIDENT < confidence(digits + hair, 2)
    assert confidence(Fraction("6.6348966010212"), 1) < CONFIDENT < confidence(Fraction("6.6348966010213"), 1)


@pytest.mark.slow
def test_no_evidence_is_no_confidence() -> None:
    assert confidence(0, 3) == 0
    assert confidence(10**6, 1) > 1 - Fraction(1, 10**300)
    assert confidence(1, 1000) < Fraction(1, 10**300)


@of_every([ID3, C45, CART])
def test_without_a_confidence_no_question_is_irrelevant(learner: type[Options]) -> None:
    tree = learner.with_options(chi_squared=0).grow(TENNIS)
    assert to_json(tree) == to_json(learner().grow(TENNIS))
    assert not is_irrelevant(learner().decide(TENNIS.sample()).winners[0], 0)


@of_every([ID3, C45, CART])
def test_every_split_of_a_tree_is_relevant_and_every_stop_is_not(learner: type[Options]) -> None:
    for name, least in [("play-tennis", "0.8"), ("watermelon-2.0", "0.95"), ("contact-lenses", "0.9"), ("cats", "0.9")]:
        table = textbook(name)
        if learner is ID3 and any(a.values is None for a in table.schema.attributes):
            continue
        tree = learner.with_options(chi_squared=Fraction(least)).grow(table)
        full = learner().grow(table)
        stopped = [node for node in tree.nodes if node.stop == "chi-squared"]
        assert stopped or len(tree.nodes) == len(full.nodes)
        for node in tree.nodes:
            if node.branches:
                rows: Sequence[Any] = [tree.nodes[branch].counts for branch in node.branches]
                assert not confidence(chi_squared(rows), degrees_of_freedom(rows)) < Fraction(least)
        assert from_json(to_json(tree)) == tree
        assert {finding.verdict for finding in audit(tree, table)} <= {"optimal", "optimal-tied"}


def test_the_bound_is_a_confidence_about_classes() -> None:
    with pytest.raises(ValueError, match="it is a number from 0, and below 1, not 1"):
        ID3.with_options(chi_squared=1)
    with pytest.raises(InputError, match="chi_squared compares classes, and the target is a number"):
        CART.with_options(chi_squared=CONFIDENT).grow(textbook("li-hang-5.2"))
    assert CART.with_options(chi_squared=0).grow(textbook("li-hang-5.2")).nodes
