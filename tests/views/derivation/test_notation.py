"""Notation: what is written is what was computed, in text and in TeX."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.worked import Worked, work
from reference_tree.measures.absolute_error import absolute_deviation
from reference_tree.measures.conditional_entropy import conditional_entropy
from reference_tree.measures.entropy import entropy, self_information
from reference_tree.measures.gain_ratio import gain_ratio
from reference_tree.measures.gini_index import gini, gini_index
from reference_tree.measures.information_gain import information_gain, mutual_information
from reference_tree.measures.variance import Moments, variance
from reference_tree.views.derivation.notation import chain, opened, printed, summands, tex, tex_pieces, text
from tests.every import of_every
from tests.strategies import counts, fractional_counts, fractions, partitions
from tests.views.arithmetic import evaluated, evaluated_tex

FIGURES = 1e-5
"""What six decimals in a formula can shift its value by, at these sizes."""

MEASURES = [conditional_entropy, information_gain, mutual_information, gini_index]


@given(fractional_counts)
def test_the_text_of_an_entropy_is_worth_what_it_is(weights: list[Any]) -> None:
    worked = entropy(work(weights))
    assert evaluated(text(opened(worked))) == pytest.approx(float(worked.value), abs=FIGURES)
    assert evaluated_tex(tex(opened(worked))) == pytest.approx(float(worked.value), abs=FIGURES)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.__name__)
@given(table=partitions())
def test_the_text_of_a_measure_is_worth_what_it_is(measure: Any, table: list[list[int]]) -> None:
    worked = measure(work(table))
    assert evaluated(text(opened(worked))) == pytest.approx(float(worked.value), abs=FIGURES)
    assert evaluated_tex(tex(opened(worked))) == pytest.approx(float(worked.value), abs=FIGURES)


@given(fractional_counts)
def test_powers_and_brackets(weights: list[Any]) -> None:
    worked = gini(work(weights))
    assert evaluated(text(opened(worked))) == pytest.approx(float(worked.value), abs=FIGURES)
    assert evaluated_tex(tex(opened(worked))) == pytest.approx(float(worked.value), abs=FIGURES)


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
    assert text(opened(entropy(work([Fraction(1, 3), 1])))) == "1/4·log2(4) + 3/4·log2(4/3)"


@pytest.mark.slow
def test_a_sum_of_thousands_of_terms_does_not_recur() -> None:
    worked = opened(conditional_entropy(work([[1, 0]] * 5000 + [[0, 1]])))
    assert len(summands(worked)) == len(tex_pieces(printed(worked))) == 5001
    assert text(worked).count("+") == tex(worked).count("+") == 5000


@given(fractional_counts)
def test_a_printed_expression_is_worth_what_is_printed(weights: list[Any]) -> None:
    """Its value is what its own text comes to, to the last digit."""
    for measure in (entropy(work(weights)), gini(work(weights))):
        shown = printed(opened(measure))
        assert evaluated(text(shown)) == pytest.approx(float(shown.value), rel=1e-12, abs=1e-12)


@given(counts())
def test_only_what_is_rounded_has_the_sign_for_it(weights: list[int]) -> None:
    for worked in (entropy(work(weights)), gini(work(weights))):
        for sign, right in chain(worked).values:
            assert (Fraction(right) == worked.value) == (sign == "=")


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


# Sums of logarithms in full.


numbers = fractions(-50, 50, max_denominator=10**9)


@of_every(
    [
        ([(6, Fraction(1, 2)), (8, Fraction(3, 8))], "6/14·(1/2) + 8/14·(3/8)"),
        ([(6, Fraction(4, 9)), (8, Fraction(3, 8))], "6/14·(4/9) + 8/14·(3/8)"),
        ([(6, Fraction(4, 9)), (8, entropy([1, 2]))], "6/14·0.444444 + 8/14·0.918296"),
        ([(Fraction(1, 15), Fraction(1, 3)), (1, Fraction(1, 2))], "1/16·(1/3) + 15/16·(1/2)"),
        ([(Fraction(1, 1013), Fraction(1, 3)), (1, Fraction(1, 2))], "0.000986·0.333333 + 0.999014·0.5"),
        ([(6, Fraction(1, 2)), (8, Fraction(2000, 7001))], "6/14·0.5 + 8/14·0.285673"),
    ]
)
def test_the_figures_of_a_sum_have_one_notation(terms: list[tuple[Any, Any]], written: str) -> None:
    of = sum(weight for weight, _ in terms)
    worked = work(sum(work(weight) / work(of) * Worked(figure, "quantity", (), "f") for weight, figure in terms))
    assert text(worked) == written


def test_a_result_that_ends_is_a_fraction_first_where_its_sum_is() -> None:
    assert chain(gini(work([4, 1]))).values == (("=", "8/25"), ("=", "0.32"))
    assert chain(gini(work([9, 5]))).values == (("=", "45/98"), ("≈", "0.459184"))
