"""Information gain: its laws, ties that floats break, and the figures of the books."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given

from reference_tree.data.textbook import textbook
from reference_tree.exact.log_sums import log
from reference_tree.exact.rounding import decimal
from reference_tree.measures.conditional_entropy import by_class, by_outcome, joint_entropy
from reference_tree.measures.entropy import entropy
from reference_tree.measures.information_gain import information_gain, mutual_information
from tests import oracles, strategies
from tests.laws import DecreaseLaws, is_function_of_class, transposed
from tests.strategies import Partition


class TestInformationGainLaws(DecreaseLaws):
    decrease = staticmethod(information_gain)
    impurity = staticmethod(entropy)


@pytest.mark.covers("N0 EN §2 eq. (3)", "N1 §1.3 eq. (8)", "N2 §2.1 Gain", "N3 Gain")
@given(strategies.partitions(), strategies.bases)
def test_it_is_mutual_information(table: Partition, base: int) -> None:
    assert information_gain(table, base) == mutual_information(table, base)
    assert math.isclose(
        mutual_information([[float(cell) for cell in row] for row in table], base),
        float(information_gain(table, base)),
        abs_tol=1e-12,
    )


@given(strategies.partitions())
def test_it_is_symmetric(table: Partition) -> None:
    assert information_gain(table) == information_gain(transposed(table))


@given(strategies.partitions())
def test_it_is_the_overlap_of_the_two_entropies(table: Partition) -> None:
    assert information_gain(table) == entropy(by_outcome(table)) + entropy(by_class(table)) - joint_entropy(table)


@given(strategies.partitions())
def test_it_is_at_most_either_entropy(table: Partition) -> None:
    assert information_gain(table) <= entropy(by_class(table))
    assert information_gain(table) <= entropy(by_outcome(table))
    assert (information_gain(table) == entropy(by_outcome(table))) == is_function_of_class(table)
    assert (information_gain(table) == entropy(by_class(table))) == is_function_of_class(transposed(table))


@given(strategies.partitions(), strategies.partitions())
def test_it_orders_questions_as_whole_numbers_do(a: list[list[int]], b: list[list[int]]) -> None:
    """Made questions of one sample by adding what each lacks, their gains compare as the products of n^n do."""
    width = max(len(a[0]), len(b[0]))
    a, b = ([[*row, *[0] * (width - len(row))] for row in table] for table in (a, b))
    most = [
        max(sum(column), sum(other)) for column, other in zip(zip(*a, strict=True), zip(*b, strict=True), strict=True)
    ]
    for table in (a, b):
        table.append([whole - sum(column) for whole, column in zip(most, zip(*table, strict=True), strict=True)])
    gains, purities = (information_gain(a), information_gain(b)), (oracles.purity(a), oracles.purity(b))
    assert (gains[0] > gains[1], gains[0] == gains[1]) == (purities[0] > purities[1], purities[0] == purities[1])


@pytest.mark.parametrize("table", [[[1, 1], [2, 2]], [[4, 4], [1, 1]]])
def test_a_gain_of_0_is_0_though_not_in_floats(table: list[list[int]]) -> None:
    assert information_gain(table) == 0
    assert abs(oracles.float_gain(table)) > 1e-17


def test_a_gain_of_1_bit_is_1_though_not_in_floats() -> None:
    """Six rows of the classes 3, 1, 2; the first class against the rest."""
    table = [[3, 0, 0], [0, 1, 2]]
    assert information_gain(table) == 1
    assert oracles.float_gain(table) == 0.9999999999999998


def test_two_different_tables_tie_though_not_in_floats() -> None:
    """Ten rows of the classes 3, 7, asked two questions."""
    a, b = [[0, 3], [3, 4]], [[1, 6], [2, 1]]
    assert information_gain(a) == information_gain(b)
    assert oracles.float_gain(a) < oracles.float_gain(b)


def test_three_equal_gains_are_at_least_their_mean_though_not_in_floats() -> None:
    gain = information_gain([[4, 0], [0, 1]])
    assert gain >= (gain + gain + gain) / 3
    as_float = float(gain)
    assert as_float == 0.7219280948873623 < (as_float + as_float + as_float) / 3


def test_a_gain_too_small_for_floats_is_above_0() -> None:
    """One row in four billions off independence; the next such table gains a little less still."""
    n = 10**9
    table, next_table = [[n, n], [n, n + 1]], [[n + 1, n + 1], [n + 1, n + 2]]
    assert 0 < information_gain(next_table) < information_gain(table) < Fraction(1, n**2)
    assert information_gain(table) == information_gain([[n, n], [n + 1, n]])
    assert abs(oracles.float_gain(table)) > 1 / n**2 or oracles.float_gain(table) == 0


FIGURES = {
    "play-tennis": {"outlook": "0.246750", "temperature": "0.029223", "humidity": "0.151836", "wind": "0.048127"},
    "watermelon-2.0": {
        "色泽": "0.108125", "根蒂": "0.142675", "敲声": "0.140781",
        "纹理": "0.380592", "脐部": "0.289159", "触感": "0.006046",
    },
    "loan": {"年龄": "0.083007", "有工作": "0.323650", "有自己的房子": "0.419973", "信贷情况": "0.362990"},
    "cats-categorical": {"ear": "0.278072", "face": "0.034852", "whiskers": "0.124511"},
}  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_of_the_books(name: str) -> None:
    table = textbook(name)
    found = {a: decimal(information_gain(oracles.crosstab(table, a))) for a in FIGURES[name]}
    assert found == FIGURES[name]


def test_the_gains_of_play_tennis_are_rounded_correctly_though_not_in_floats() -> None:
    table = textbook("play-tennis")
    tables = [oracles.crosstab(table, attribute.name) for attribute in table.schema.attributes]
    printed = [float(information_gain(t)) for t in tables]
    assert printed == [0.24674981977443916, 0.029222565658954713, 0.1518355013623416, 0.0481270304082694]
    assert all(oracles.float_gain(t) != figure for t, figure in zip(tables, printed, strict=True))


def test_three_questions_of_the_second_watermelon_node_tie() -> None:
    clear = [row for row in textbook("watermelon-2.0").rows() if row["纹理"] == "清晰"]
    gains = []
    for attribute in ("根蒂", "脐部", "触感"):
        found = oracles.cells(clear, attribute, "好瓜")
        gains.append(information_gain([[found[value, label] for label in "是否"] for value in {v for v, _ in found}]))
    assert gains[0] == gains[1] == gains[2]
    assert decimal(gains[0]) == "0.458106"


@pytest.mark.covers("N0 CN §4")
def test_the_example_of_the_notes_gains_one_bit() -> None:
    """N0 prints 3 for two attributes that determine each other; a gain is at most the entropy of the class."""
    assert information_gain(oracles.crosstab(textbook("visitor"), "visitor")) == 1


def test_the_base_is_that_of_the_logarithm() -> None:
    assert information_gain([[1, 0, 0], [0, 1, 0], [0, 0, 1]], base=3) == 1
    assert information_gain([[1, 0, 0], [0, 1, 0], [0, 0, 1]], base=math.e) == log(3, math.e)


@given(strategies.partitions())
def test_the_likelihood_ratio_statistic_is_2_ln_2_times_the_rows_times_the_gain(table: Partition) -> None:
    """G = 2 Σ O ln(O/E), over the cells that have rows; E is what independence lets one expect."""
    n, rows, columns = sum(map(sum, table)), list(map(sum, table)), by_class(table)
    observed = [(cell, rows[i] * columns[j]) for i, row in enumerate(table) for j, cell in enumerate(row) if cell]
    assert n * information_gain(table) == sum(cell * log(Fraction(cell * n, product)) for cell, product in observed)
    g = 2 * sum(cell * math.log(cell * n / product) for cell, product in observed)
    assert math.isclose(g, 2 * math.log(2) * n * float(information_gain(table)), rel_tol=1e-9, abs_tol=1e-9)
