"""Gain ratio: its bounds, ties that floats break, and the figures of the books."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import mpmath
import pytest
from hypothesis import assume, given

from reference_tree.data.textbook import textbook
from reference_tree.exact.rounding import decimal
from reference_tree.measures.conditional_entropy import by_outcome
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gain_ratio import gain_ratio, split_information
from reference_tree.measures.information_gain import information_gain
from tests import oracles, strategies
from tests.every import of_every
from tests.laws import is_function_of_class, is_independent
from tests.strategies import Partition

parted = strategies.partitions().filter(lambda table: sum(1 for row in table if any(row)) > 1)
"""Sample partitions with at least two answers: those that have a ratio."""


@given(parted)
def test_it_lies_between_0_and_1(table: Partition) -> None:
    ratio = gain_ratio(table)
    assert 0 <= ratio <= 1
    assert (ratio == 1) == is_function_of_class(table)
    assert (ratio == 0) == is_independent(table)


@pytest.mark.covers("N0 CN §5 g_R", "N0 EN §2 eq. (4)", "N1 §1.3 eq. (9)", "N2 §2.2 Gain_ratio", "N3 GainRatio")
@given(parted)
def test_it_is_the_gain_over_the_entropy_of_the_answers(table: Partition) -> None:
    with mpmath.workdps(60):
        expected = oracles.exact_value(information_gain(table)) / oracles.exact_value(entropy(by_outcome(table)))
        assert abs(oracles.exact_value(gain_ratio(table)) - expected) < mpmath.mpf(10) ** -50


@given(parted)
def test_it_is_the_same_in_every_base(table: Partition) -> None:
    ratios = [gain_ratio(table, base) for base in strategies.BASES]
    assert all(ratio == ratios[0] for ratio in ratios)
    assert len(set(ratios)) == 1


@given(parted, parted)
def test_it_orders_alike_in_every_base(a: Partition, b: Partition) -> None:
    """Also where the two are in different bases, which changes nothing but the form."""
    less = gain_ratio(a) < gain_ratio(b)
    assert (gain_ratio(a, 10) < gain_ratio(b, 10)) == (gain_ratio(a, 3) < gain_ratio(b, math.e)) == less


@given(parted)
def test_floats_agree(table: Partition) -> None:
    floats = [[float(cell) for cell in row] for row in table]
    assert math.isclose(gain_ratio(floats), float(gain_ratio(table)), abs_tol=1e-12)
    assert math.isclose(split_information(floats), float(split_information(table)), abs_tol=1e-12)


@pytest.mark.covers("N0 CN §5 H_X(Y)", "N1 §1.3 eq. (10)", "N2 §2.2 IV", "N3 SplitInfo")
@given(strategies.partitions(), strategies.bases)
def test_split_information_is_the_entropy_of_the_answers(table: Partition, base: int) -> None:
    assert split_information(table, base) == entropy([sum(row) for row in table], base)
    assert (split_information(table) == 0) == (sum(1 for row in table if any(row)) == 1)


@given(parted)
def test_a_duplicated_sample_has_the_same_ratio(table: Partition) -> None:
    assert gain_ratio([[cell * Fraction(7, 3) for cell in row] for row in table]) == gain_ratio(table)


@given(strategies.partitions())
def test_without_a_second_answer_there_is_no_ratio(table: Partition) -> None:
    assume(sum(1 for row in table if any(row)) == 1)
    with pytest.raises(ZeroDivisionError):
        gain_ratio(table)


def test_the_ratio_of_the_class_itself_is_1_in_whatever_order_though_not_in_floats() -> None:
    floats = set()
    for sizes in permutations((1, 2, 3)):
        table = [[size if place == column else 0 for column in range(3)] for place, size in enumerate(sizes)]
        for rows in permutations(table):
            assert gain_ratio(rows) == 1
            floats.add(oracles.float_ratio(rows))
    assert floats == {0.9999999999999999, 1.0, 1.0000000000000002}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([[0, 3], [3, 4]], [[1, 6], [2, 1]]),  # ten rows, classes 3 and 7
        ([[0, 2], [0, 3], [3, 1]], [[0, 3], [1, 3], [2, 0]]),  # nine rows, classes 3 and 6: the gains are equal floats
    ],
)
def test_two_different_tables_tie_though_not_in_floats(a: list[list[int]], b: list[list[int]]) -> None:
    assert gain_ratio(a) == gain_ratio(b)
    assert information_gain(a) == information_gain(b)
    assert oracles.float_ratio(a) != oracles.float_ratio(b)


FIGURES = {  # split information, gain ratio
    "play-tennis": {
        "outlook": ("1.577406", "0.156428"), "temperature": ("1.556657", "0.018773"),
        "humidity": ("1.000000", "0.151836"), "wind": ("0.985228", "0.048849"),
    },
    "loan": {
        "年龄": ("1.584963", "0.052372"), "有工作": ("0.918296", "0.352447"),
        "有自己的房子": ("0.970951", "0.432538"), "信贷情况": ("1.565596", "0.231854"),
    },
}  # fmt: skip


@pytest.mark.covers("N1 §1.3 eq. (9)", "N2 §2.2 Gain_ratio", "N1 §1.3 eq. (10)", "N2 §2.2 IV")
@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_of_the_books(name: str) -> None:
    tables = {attribute: oracles.crosstab(textbook(name), attribute) for attribute in FIGURES[name]}
    found = {a: (decimal(split_information(table)), decimal(gain_ratio(table))) for a, table in tables.items()}
    assert found == FIGURES[name]


@of_every([("色泽", "1.579863"), ("触感", "0.873981"), ("编号", "4.087463")])
def test_the_split_information_of_the_watermelons(attribute: str, printed: str) -> None:
    assert decimal(split_information(oracles.crosstab(textbook("watermelon-2.0-id"), attribute))) == printed


def test_the_ratio_does_not_always_cure_the_preference_for_many_values() -> None:
    table = textbook("play-tennis-id")
    ratios = {a.name: gain_ratio(oracles.crosstab(table, a.name)) for a in table.schema.attributes}
    assert max(ratios, key=ratios.__getitem__) == "day"
    assert split_information(oracles.crosstab(table, "day")) == entropy([1] * 14)


def test_dividing_by_the_entropy_of_the_class_would_choose_another_attribute() -> None:
    """The loan table cannot tell the right ratio from that common mistake; this pair can."""
    fine, coarse = [[1, 0], [1, 0], [0, 1], [0, 1]], [[2, 1], [0, 1]]
    assert gain_ratio(fine) == Fraction(1, 2)
    assert information_gain(fine) > information_gain(coarse)  # so the mistake, H(D) being the same, prefers `fine`
    fine, coarse = [[1, 0], [1, 0], [1, 0], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1]], [[3, 1], [0, 4]]
    assert information_gain(fine) > information_gain(coarse)
    assert gain_ratio(fine) < gain_ratio(coarse)
