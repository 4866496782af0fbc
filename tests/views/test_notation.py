"""Notation: what is written is what was computed, in text and in TeX."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.log_sums import LogSum, log
from reference_tree.exact.worked import Worked, work
from reference_tree.measures.absolute_error import absolute_deviation
from reference_tree.measures.conditional_entropy import conditional_entropy
from reference_tree.measures.entropy import entropy, self_information
from reference_tree.measures.gain_ratio import gain_ratio
from reference_tree.measures.gini_index import gini, gini_index
from reference_tree.measures.information_gain import information_gain, mutual_information
from reference_tree.measures.variance import Moments, variance
from reference_tree.views.notation import (
    PLACES,
    chain,
    decimal_of,
    opened,
    summands,
    tex,
    tex_pieces,
    text,
    value_tex,
    value_text,
)
from tests.oracles import DIGITS, exact_value
from tests.strategies import counts, fractional_counts, partitions
from tests.views.arithmetic import evaluated, evaluated_tex

FIGURES = 1e-5
"""What six decimals in a formula can shift its value by, at these sizes."""

MEASURES = [conditional_entropy, information_gain, mutual_information, gini_index]


def rounded(number: Any) -> str:
    """The number with six decimals, rounded half to even, from mpmath."""
    with mpmath.workdps(DIGITS):
        scaled = exact_value(number) * 10**PLACES
        whole = int(mpmath.nint(scaled))
    digits = str(abs(whole)).rjust(PLACES + 1, "0")
    return ("-" if whole < 0 else "") + f"{digits[:-PLACES]}.{digits[-PLACES:]}"


@given(fractional_counts)
def test_the_text_of_an_entropy_is_worth_what_it_is(weights: list[Any]) -> None:
    worked = entropy(work(weights))
    assert evaluated(text(opened(worked))) == pytest.approx(float(worked.value), abs=1e-12)
    assert evaluated_tex(tex(opened(worked))) == pytest.approx(float(worked.value), abs=1e-12)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.__name__)
@given(table=partitions())
def test_the_text_of_a_measure_is_worth_what_it_is(measure: Any, table: list[list[int]]) -> None:
    worked = measure(work(table))
    assert evaluated(text(opened(worked))) == pytest.approx(float(worked.value), abs=FIGURES)
    assert evaluated_tex(tex(opened(worked))) == pytest.approx(float(worked.value), abs=FIGURES)


@given(fractional_counts)
def test_powers_and_brackets(weights: list[Any]) -> None:
    worked = gini(work(weights))
    assert evaluated(text(opened(worked))) == pytest.approx(float(worked.value), abs=1e-12)
    assert evaluated_tex(tex(opened(worked))) == pytest.approx(float(worked.value), abs=1e-12)


@given(st.recursive(st.integers(1, 9).map(work), lambda inner: st.tuples(st.sampled_from("+-*/"), inner, inner)))
def test_brackets_stand_where_they_must(nested: Any) -> None:
    def built(node: Any) -> Any:
        if isinstance(node, Worked):
            return node
        operation, left, right = node[0], built(node[1]), built(node[2])
        if operation == "/" and not right:
            return left
        return {"+": left + right, "-": left - right, "*": left * right, "/": left / right if right else left}[
            operation
        ]

    expression = built(nested)
    assert evaluated(text(expression)) == pytest.approx(float(expression), rel=1e-9, abs=1e-9)
    assert evaluated_tex(tex(expression)) == pytest.approx(float(expression), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("expression", "as_text", "as_tex"),
    [
        (self_information(work([1])[0] / work([8])[0]), "log2(8/1)", r"\log_2 \frac{8}{1}"),
        (opened(entropy(work([3, 1]), 10)), "3/4·log10(4/3) + 1/4·log10(4/1)", None),
        (opened(entropy(work([1, 1]), math.e)), None, r"\frac{1}{2} \ln \frac{2}{1} + \frac{1}{2} \ln \frac{2}{1}"),
        (opened(gini(work([1, 2]))), "1 − ((1/3)² + (2/3)²)", None),
        (opened(gain_ratio(work([[0, 4], [2, 3], [3, 2]]))), "0.246750 / 1.577406", r"\frac{0.246750}{1.577406}"),
        (opened(variance(Moments(*work([3, 9, 41])))), "14/3", r"\frac{14}{3}"),
        (
            opened(gini_index(work([[1, 1], [0, 2]]))),
            "2/4·(1/2) + 2/4·0",
            r"\frac{2}{4} \cdot \frac{1}{2} + \frac{2}{4} \cdot 0",
        ),
    ],
)
def test_written_by_hand(expression: Worked, as_text: str | None, as_tex: str | None) -> None:
    assert as_text in (None, text(expression))
    assert as_tex in (None, tex(expression))


def test_weights_are_written_as_in_the_data() -> None:
    assert text(opened(entropy(work([Fraction(5, 2), 12])))) == "2.5/14.5·log2(14.5/2.5) + 12/14.5·log2(14.5/12)"
    assert text(opened(entropy(work([Fraction(1, 3), 1])))) == "1/3 / (4/3)·log2(4/3 / (1/3)) + 1 / (4/3)·log2(4/3 / 1)"


def test_a_sum_of_thousands_of_terms_does_not_recur() -> None:
    worked = opened(conditional_entropy(work([[1, 0]] * 5000 + [[0, 1]])))
    assert len(summands(worked)) == len(tex_pieces(worked)) == 5001
    assert text(worked).count("+") == tex(worked).count("+") == 5000


@given(partitions())
def test_every_decimal_is_rounded_correctly(table: list[list[int]]) -> None:
    for number in (entropy([sum(row) for row in table]), information_gain(table), gini_index(table)):
        printed, expected = decimal_of(number), rounded(number)
        if not Fraction(expected) and number:
            assert 0 < abs(Fraction(printed)) < Fraction(1, 10**PLACES), "a number that is not 0 is not printed as 0"
        else:
            assert Fraction(printed) == Fraction(expected)
            assert printed in (expected, expected.rstrip("0").rstrip("."))


def test_what_is_hardly_more_than_nothing_shows() -> None:
    hardly = LogSum({2**40 + 1: Fraction(1)}, -40)  # log2(1 + 2^-40)
    assert decimal_of(hardly) == "0.00000000000131"
    assert decimal_of(-hardly) == "-0.00000000000131"
    assert decimal_of(log(9) - 2 * log(3)) == "0"


@given(counts())
def test_only_what_is_rounded_has_the_sign_for_it(weights: list[int]) -> None:
    for worked in (entropy(work(weights)), gini(work(weights))):
        first, *values = chain(worked, text, value_text)
        assert first.sign == "="
        for sign, right in values:
            assert (Fraction(right) == worked.value) == (sign == "=")
        assert [relation.right for relation in chain(worked, tex, value_tex)][-1] == [first, *values][-1].right


@given(st.lists(st.integers(1, 3), min_size=1, max_size=6))
def test_distances_stand_between_bars(weights: list[int]) -> None:
    numbers = [Fraction(place * place - 3, 2) for place in range(len(weights))]
    worked = absolute_deviation(work(weights), work(numbers))
    written, typeset = text(opened(worked)), tex(opened(worked))
    assert evaluated(written) == pytest.approx(float(worked.value), abs=FIGURES)
    assert evaluated_tex(typeset) == pytest.approx(float(worked.value), abs=FIGURES)
    assert "1·" not in written  # a distance that counts once
    assert written.count("|") == 2 * len(weights)
    assert "|" not in typeset  # which would end a cell of a table


def test_no_two_signs_stand_side_by_side() -> None:
    a, b = work([Fraction(-7, 3), Fraction(-1, 7)])
    assert tex(a - b) == r"-\frac{7}{3} - \left(-\frac{1}{7}\right)"
    assert tex(abs(a - b)) == r"\left\lvert -\frac{7}{3} - \left(-\frac{1}{7}\right) \right\rvert"
    assert text(abs(a - b)) == "|−7/3 − (−1/7)|"
