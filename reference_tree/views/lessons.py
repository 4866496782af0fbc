"""Lessons: for each score that a learner judges by, which formulas lead to it.

`LESSONS` has a lesson for each score: the impurity of the whole and of a part, and the steps to the score. Two need
more than a table, the numbers behind its columns or what mistakes cost, and are made with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import work
from reference_tree.measures.absolute_error import absolute_deviation, absolute_error_reduction, median
from reference_tree.measures.conditional_entropy import by_class, conditional_entropy
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gini_index import gini, gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.misclassification import generalized_gini, generalized_gini_decrease
from reference_tree.measures.variance import sample_variance, sse, variance
from reference_tree.views.blocks import Symbol
from reference_tree.views.lesson import (
    Lesson,
    Scored,
    Step,
    entropy_of_known,
    gini_of_known,
    known,
    known_moments,
    of_moments,
    of_rows,
    reduction_of_known,
    score,
    unfolded,
    variance_of_known,
)

# Symbols.

_D = Symbol("D", "D")
_PARTS = (Symbol("D_i", "D_i"), "those of them that give the i-th answer")
_ROWS = (_D, "the rows that reach a node")
_RHO = (Symbol("ρ", r"\rho"), "the share of the rows whose answer is known")
_H = Symbol("H(D)", "H(D)")
_H_PART = Symbol("H(D_i)", "H(D_i)")
_LEFT = Symbol("H(D|A)", r"H(D \mid A)")
_GAIN = Symbol("g(D, A)", "g(D, A)")
_COST = Symbol("H_A(D)", "H_{A}(D)")
_PENALTY = Symbol("c(D, A)", "c(D, A)")
_NET = Symbol("g(D, A) − c", "g(D, A) - c")
_RATIO = Symbol("g_R(D, A)", "g_R(D, A)")
_GINI = Symbol("Gini(D)", r"\mathrm{Gini}(D)")
_GINI_PART = Symbol("Gini(D_i)", r"\mathrm{Gini}(D_i)")
_GINI_INDEX = Symbol("Gini(D, A)", r"\mathrm{Gini}(D, A)")
_GINI_DECREASE = Symbol("ΔGini(D, A)", r"\Delta \mathrm{Gini}(D, A)")
_SSE = Symbol("SSE(D)", r"\mathrm{SSE}(D)")
_SSE_LEFT = Symbol("SSE(D, A)", r"\mathrm{SSE}(D, A)")
_VARIANCE = Symbol("σ²(D)", r"\sigma^2(D)")
_VARIANCE_PART = Symbol("σ²(D_i)", r"\sigma^2(D_i)")
_REDUCTION = Symbol("Δσ²(D, A)", r"\Delta \sigma^2(D, A)")
_SAMPLE_VARIANCE = Symbol("s²(D)", "s^2(D)")
_SAMPLE_VARIANCE_PART = Symbol("s²(D_i)", "s^2(D_i)")
_SAMPLE_REDUCTION = Symbol("Δs²(D, A)", r"\Delta s^2(D, A)")
_MEDIAN = Symbol("ỹ(D)", r"\tilde y(D)")
_SAD = Symbol("SAD(D)", r"\mathrm{SAD}(D)")
_SAD_PART = Symbol("SAD(D_i)", r"\mathrm{SAD}(D_i)")
_ERROR_REDUCTION = Symbol("ΔSAD(D, A)", r"\Delta \mathrm{SAD}(D, A)")

_GAIN_STEPS_KNOWN = (
    Step(_RHO[0], known),
    Step(Symbol("H(D̃)", r"H(\tilde D)"), entropy_of_known),
    Step(Symbol("H(D̃|A)", r"H(\tilde D \mid A)"), of_rows(conditional_entropy)),
    Step(Symbol("g(D̃, A)", r"g(\tilde D, A)"), of_rows(information_gain)),
    Step(_GAIN, score("gain")),
)
_NET_STEPS = (Step(_PENALTY, score("penalty"), "penalty"), Step(_NET, score("net_gain"), "net_gain"))
_ENTROPY_LEGEND = (
    (_H, "the entropy of their classes"),
    (_LEFT, "what is left of it, on average, once the answer to A is known"),
    (_GAIN, "the information gain of A: what the answer takes away"),
)
_MOMENTS_LEGEND = (
    (
        Symbol("n, Σy, Σy²", r"n, \Sigma y, \Sigma y^2"),
        "how many they are, the sum of their numbers, and of the squares",
    ),
)

LESSONS: Mapping[str, Lesson] = {
    "gain": Lesson(
        called="gain",
        whole=((_H, entropy),),
        part=(_H_PART, entropy),
        steps=(Step(_LEFT, of_rows(conditional_entropy)), Step(_GAIN, score("gain"))),
        with_missing=_GAIN_STEPS_KNOWN,
        unit="bits",
        legend=(_ROWS, _PARTS, *_ENTROPY_LEGEND),
    ),
    "ratio": Lesson(
        called="ratio",
        whole=((_H, entropy),),
        part=(_H_PART, entropy),
        steps=(
            Step(_LEFT, of_rows(conditional_entropy)),
            Step(_GAIN, score("gain")),
            *_NET_STEPS,
            Step(_COST, score("split_information")),
            Step(_RATIO, score("ratio")),
        ),
        with_missing=(
            *_GAIN_STEPS_KNOWN,
            *_NET_STEPS,
            Step(Symbol("H_A(D̃)", r"H_{A}(\tilde D)"), score("split_information")),
            Step(_RATIO, score("ratio")),
        ),
        unit="",
        legend=(
            _ROWS,
            _PARTS,
            *_ENTROPY_LEGEND,
            (_COST, "the split information: the entropy of the answers themselves"),
            (_RATIO, "the gain ratio: the one divided by the other"),
        ),
    ),
    "gini_decrease": Lesson(
        called="Gini decrease",
        whole=((_GINI, gini),),
        part=(_GINI_PART, gini),
        steps=(Step(_GINI_INDEX, score("gini_index"), "gini_index"), Step(_GINI_DECREASE, score("gini_decrease"))),
        with_missing=(
            Step(_RHO[0], known),
            Step(Symbol("Gini(D̃)", r"\mathrm{Gini}(\tilde D)"), gini_of_known),
            Step(Symbol("Gini(D̃, A)", r"\mathrm{Gini}(\tilde D, A)"), score("gini_index"), "gini_index"),
            Step(Symbol("ΔGini(D̃, A)", r"\Delta \mathrm{Gini}(\tilde D, A)"), of_rows(gini_decrease)),
            Step(_GINI_DECREASE, score("gini_decrease")),
        ),
        unit="",
        legend=(
            _ROWS,
            _PARTS,
            (_GINI, "how often two of them, drawn at random, have different classes"),
            (_GINI_INDEX, "the Gini index of A: what is left of it, on average, once the answer is known"),
            (_GINI_DECREASE, "what the answer takes away"),
        ),
    ),
    "variance_reduction": Lesson(
        called="variance reduction",
        whole=((_SSE, of_moments(sse)), (_VARIANCE, of_moments(variance))),
        part=(_VARIANCE_PART, unfolded(of_moments(variance))),
        steps=(Step(_SSE_LEFT, score("split_error")), Step(_REDUCTION, score("variance_reduction"))),
        with_missing=(
            Step(_RHO[0], known_moments),
            Step(Symbol("σ²(D̃)", r"\sigma^2(\tilde D)"), variance_of_known),
            Step(Symbol("SSE(D̃, A)", r"\mathrm{SSE}(\tilde D, A)"), score("split_error")),
            Step(Symbol("Δσ²(D̃, A)", r"\Delta \sigma^2(\tilde D, A)"), reduction_of_known),
            Step(_REDUCTION, score("variance_reduction")),
        ),
        unit="",
        legend=(
            _ROWS,
            _PARTS,
            *_MOMENTS_LEGEND,
            (_SSE, "the sum of their squared distances from their mean"),
            (_VARIANCE, "the same per row: their variance"),
            (_SSE_LEFT, "the sum that is left when each part has its own mean"),
            (_REDUCTION, "what the answer takes away of the variance"),
        ),
    ),
    "sample_variance_reduction": Lesson(
        called="variance reduction",
        whole=((_SSE, of_moments(sse)), (_SAMPLE_VARIANCE, of_moments(sample_variance))),
        part=(_SAMPLE_VARIANCE_PART, unfolded(of_moments(sample_variance))),
        steps=(Step(_SAMPLE_REDUCTION, score("sample_variance_reduction")),),
        with_missing=(),
        unit="",
        legend=(
            _ROWS,
            _PARTS,
            *_MOMENTS_LEGEND,
            (_SSE, "the sum of their squared distances from their mean"),
            (_SAMPLE_VARIANCE, "the same divided by n − 1; 0 for a single row"),
            (_SAMPLE_REDUCTION, "what the answer takes away of it, which can be less than nothing"),
        ),
    ),
}
"""For each score that needs nothing but a table, how it is derived."""


def absolute_error_lesson(numbers: Sequence[Rational]) -> Lesson:
    """The lesson of the absolute error.

    Args:
        numbers: for each column of a table the number that it counts.
    """
    shown = work(numbers)

    def deviation(row: Any) -> Any:
        return absolute_deviation(row, shown)

    def of_known(scored: Scored) -> Any:
        return deviation([work(known.value) for known in by_class(scored.table.rows)])

    def taken(rows: Any) -> Any:
        return absolute_error_reduction(rows, shown)

    steps = (Step(_ERROR_REDUCTION, score("absolute_error_reduction")),)
    return Lesson(
        called="error reduction",
        whole=((_MEDIAN, lambda row: median(row, shown)), (_SAD, deviation)),
        part=(_SAD_PART, deviation),
        steps=steps,
        with_missing=(
            Step(_RHO[0], known),
            Step(Symbol("SAD(D̃)", r"\mathrm{SAD}(\tilde D)"), of_known),
            Step(Symbol("ΔSAD(D̃, A)", r"\Delta \mathrm{SAD}(\tilde D, A)"), of_rows(taken)),
            *steps,
        ),
        unit="",
        legend=(
            _ROWS,
            _PARTS,
            (_MEDIAN, "the median of their numbers: at most half of them are smaller, and at most half larger"),
            (_SAD, "the sum of the distances of their numbers from it"),
            (_ERROR_REDUCTION, "what the answer takes away of that sum, over their weight"),
        ),
    )


def costly_lesson(loss: Sequence[Sequence[Rational]]) -> Lesson:
    """The lesson of the Gini value with costs.

    Args:
        loss: C(i|j), a row for each true class.
    """
    whole, part = Symbol("Gini_C(D)", r"\mathrm{Gini}_C(D)"), Symbol("Gini_C(D_i)", r"\mathrm{Gini}_C(D_i)")
    steps = (Step(Symbol("ΔGini_C(D, A)", r"\Delta \mathrm{Gini}_C(D, A)"), score("gini_decrease")),)

    def value(row: Any) -> Any:
        return generalized_gini(row, loss)

    def of_known(scored: Scored) -> Any:
        return value([work(known.value) for known in by_class(scored.table.rows)])

    def taken(rows: Any) -> Any:
        return generalized_gini_decrease(rows, loss)

    return Lesson(
        called="Gini decrease",
        whole=((whole, value),),
        part=(part, value),
        steps=steps,
        with_missing=(
            Step(_RHO[0], known),
            Step(Symbol("Gini_C(D̃)", r"\mathrm{Gini}_C(\tilde D)"), of_known),
            Step(Symbol("ΔGini_C(D̃, A)", r"\Delta \mathrm{Gini}_C(\tilde D, A)"), of_rows(taken)),
            *steps,
        ),
        unit="",
        legend=(
            _ROWS,
            _PARTS,
            (whole, "what it costs on average to let one of them, drawn at random, answer for another"),
            (steps[0].symbol, "what the answer takes away of it"),
        ),
    )


MISSING = ((Symbol("D̃", r"\tilde D"), "those of the rows whose answer is known"), _RHO)
"""What is meant where answers are missing."""

PENALTY = (_PENALTY, "what is charged for having chosen the cut among many")
"""What is meant by the charge, where a dialect makes one."""

ROUNDED = (
    Symbol("≈", r"\approx"),
    "rounded to six decimals, for the reader: every decision is made on the exact value",
)
"""What is meant by the one sign that is not exact."""
