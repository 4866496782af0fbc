"""Formulas: for each score that a learner judges by, the steps that lead to it, and how each reads in general.

`FORMULAS` has those scores that need nothing but a table. Two need more: the numbers behind its columns
(`absolute_error_formulas`), or what mistakes cost (`costly_formulas`). For the optimal tree it depends on the risk
(`saving_formulas`). How the steps are put together and shown is said in `scores`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.worked import work
from reference_tree.learners.optimal import RISKS
from reference_tree.measures.absolute_error import absolute_deviation, absolute_error_reduction, median
from reference_tree.measures.conditional_entropy import conditional_entropy
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gini_index import gini, gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.misclassification import (
    generalized_gini,
    generalized_gini_decrease,
    misclassification_decrease,
    misclassification_error,
)
from reference_tree.measures.variance import Moments, mean, sample_variance, sse, variance, variance_reduction
from reference_tree.splitting.missing_values import known_fraction
from reference_tree.views.derivation.blocks import Symbol, symbol
from reference_tree.views.derivation.scores import (
    Formulas,
    Impurity,
    Scored,
    Step,
    given_missing,
    has,
    of_rows,
    score_of,
)

AVERAGE = Step(
    symbol("ḡ"),
    Symbol("Σ_A g(D, A) / m", r"\frac{1}{m} \sum_A g(D, A)"),
    "the average gain of the m attributes that can be asked; an attribute whose gain is below it may not win",
    lambda gains: sum(gains) / len(gains),
    "bits",
)
"""What attributes are held against before they compete by their ratios."""

_H = Step(symbol("H(D)"), symbol("Σ_k p_k·log2(1/p_k)"), "the entropy of their classes", entropy, "bits")
_LEFT = Step(
    symbol("H(D|A)"),
    symbol("Σ_i r_i·H(D_i)"),
    "what is left of it, on average, once the answer to A is known",
    of_rows(conditional_entropy),
    "bits",
)
_GAIN = Step(
    symbol("g(D, A)"),
    symbol("H(D) − H(D|A)"),
    "the information gain of A: what the answer takes away",
    score_of("gain"),
    "bits",
)
_NET = (
    Step(
        symbol("c(D, A)"),
        Symbol("log2(N) / |D|", r"\frac{\log_2 N}{\lvert D \rvert}"),
        "what is charged for having chosen the cut among N",
        score_of("penalty"),
        "bits",
        has("penalty"),
    ),
    Step(
        symbol("g'(D, A)"),
        symbol("g(D, A) − c(D, A)"),
        "what is left of the gain: it takes its place",
        score_of("net_gain"),
        "bits",
        has("net_gain"),
    ),
)
CHARGED = tuple(step.definition for step in _NET)
"""What is meant by the charge, where a dialect makes one."""

_COST = Step(
    Symbol("H_A(D)", "H_{A}(D)"),
    symbol("Σ_i r_i·log2(1/r_i)"),
    "the split information: the entropy of the answers themselves",
    score_of("split_information"),
    "bits",
)
_RATIO = Step(
    symbol("g_R(D, A)"), Symbol("g(D, A) / H_A(D)", r"\frac{g(D, A)}{H_{A}(D)}"), "the gain ratio", score_of("ratio")
)
_GAIN_AMONG_KNOWN = given_missing([_H], _GAIN, information_gain, _LEFT)


def _over_all(scored: Scored) -> bool:
    """Whether "unknown" is one more answer when the split information is taken."""
    return bool(scored.scores["split_information"].name == "split_information_with_unknown")


_COSTS = (_COST._replace(needs=_over_all), _COST.among_known()._replace(needs=lambda scored: not _over_all(scored)))

_GINI = Step(
    symbol("Gini(D)"),
    symbol("1 − Σ_k p_k²"),
    "how often two of them, drawn at random with replacement, have different classes",
    gini,
)
_GINI_INDEX = Step(
    symbol("Gini(D, A)"),
    symbol("Σ_i r_i·Gini(D_i)"),
    "the Gini index of A: what is left of it, on average, once the answer is known",
    score_of("gini_index"),
    needs=has("gini_index"),
)
_GINI_DECREASE = Step(
    symbol("ΔGini(D, A)"), symbol("Gini(D) − Gini(D, A)"), "what the answer takes away", score_of("gini_decrease")
)

_ERROR = Step(
    symbol("R(D)"),
    symbol("1 − max_k p_k"),
    "the share of the mistakes that their majority makes",
    misclassification_error,
)
_ERROR_LEFT = Step(
    symbol("R(D, A)"),
    symbol("Σ_i r_i·R(D_i)"),
    "the share that is left when each part has its own majority",
    score_of("misclassification_rate"),
    needs=has("misclassification_rate"),
)
_ERROR_DECREASE = Step(
    symbol("ΔR(D, A)"), symbol("R(D) − R(D, A)"), "what the answer takes away", score_of("misclassification_decrease")
)


def of_moments(formula: Callable[[Moments], Number]) -> Impurity:
    """A formula of moments."""
    return lambda row: formula(Moments(*row))


def _known_moments(scored: Scored) -> Any:
    """The same of moments: their weights are the first of them."""
    return known_fraction([row[:1] for row in scored.table.rows], scored.table.unknown[:1])


def _reduction(rows: Any, *, unbiased: bool = False) -> Any:
    return variance_reduction([Moments(*row) for row in rows], unbiased=unbiased)


_MEAN = Step(
    symbol("ȳ(D)"), Symbol("Σy / n", r"\frac{\Sigma y}{n}"), "the mean of the numbers of n rows", of_moments(mean)
)
_SSE = Step(
    symbol("SSE(D)"),
    Symbol("Σ(y − ȳ)² = Σy² − (Σy)² / n", r"\Sigma (y - \bar y)^2 = \Sigma y^2 - \frac{(\Sigma y)^2}{n}"),
    "the sum of their squared distances from it",
    of_moments(sse),
)
_VARIANCE = Step(
    symbol("σ²(D)"),
    Symbol("SSE(D) / n", r"\frac{\mathrm{SSE}(D)}{n}"),
    "the same per row: their variance",
    of_moments(variance),
)
_SSE_LEFT = Step(
    symbol("SSE(D, A)"),
    symbol("Σ_i SSE(D_i)"),
    "the sum that is left when each part has its own mean",
    score_of("split_error"),
)
_REDUCTION = Step(
    symbol("Δσ²(D, A)"),
    symbol("σ²(D) − Σ_i r_i·σ²(D_i)"),
    "what the answer takes away of the variance",
    score_of("variance_reduction"),
)
_SAMPLE_VARIANCE = Step(
    symbol("s²(D)"),
    Symbol("SSE(D) / (n − 1)", r"\frac{\mathrm{SSE}(D)}{n - 1}"),
    "their variance with n − 1; 0 for a single row",
    of_moments(sample_variance),
)
_SAMPLE_REDUCTION = Step(
    symbol("Δs²(D, A)"),
    symbol("s²(D) − Σ_i r_i·s²(D_i)"),
    "what the answer takes away of it, which can be less than nothing",
    score_of("sample_variance_reduction"),
)

FORMULAS: Mapping[str, Formulas] = {
    "gain": Formulas("gain", (_H,), (_LEFT, _GAIN), _GAIN_AMONG_KNOWN),
    "ratio": Formulas(
        "ratio", (_H,), (_LEFT, _GAIN, *_NET, _COST, _RATIO), (*_GAIN_AMONG_KNOWN, *_NET, *_COSTS, _RATIO), _NET
    ),
    "gini_decrease": Formulas(
        "Gini decrease",
        (_GINI,),
        (_GINI_INDEX, _GINI_DECREASE),
        given_missing([_GINI], _GINI_DECREASE, gini_decrease, _GINI_INDEX),
    ),
    "misclassification_decrease": Formulas(
        "error decrease",
        (_ERROR,),
        (_ERROR_LEFT, _ERROR_DECREASE),
        given_missing([_ERROR], _ERROR_DECREASE, misclassification_decrease, _ERROR_LEFT),
    ),
    "variance_reduction": Formulas(
        "variance reduction",
        (_MEAN, _SSE, _VARIANCE),
        (_SSE_LEFT, _REDUCTION),
        given_missing([_SSE, _VARIANCE], _REDUCTION, _reduction, _SSE_LEFT, share=_known_moments),
    ),
    "sample_variance_reduction": Formulas(
        "variance reduction",
        (_MEAN, _SSE, _SAMPLE_VARIANCE),
        (_SAMPLE_REDUCTION,),
        given_missing(
            [_SSE, _SAMPLE_VARIANCE], _SAMPLE_REDUCTION, partial(_reduction, unbiased=True), share=_known_moments
        ),
    ),
}
"""For each score that needs nothing but a table, how it is derived."""


def absolute_error_formulas(numbers: Sequence[Rational]) -> Formulas:
    """How the absolute error is derived.

    Args:
        numbers: for each column of a table the number that it counts.
    """
    shown = work(numbers)
    middle = Step(
        symbol("ỹ(D)"),
        Symbol("median of y", r"\text{median of } y"),
        "at most half of their numbers are smaller, and at most half larger",
        lambda row: median(row, shown),
    )
    sad = Step(
        symbol("SAD(D)"),
        symbol("Σ|y − ỹ|"),
        "the sum of the distances of their numbers from it",
        lambda row: absolute_deviation(row, shown),
    )
    last = Step(
        symbol("ΔSAD(D, A)"),
        Symbol("(SAD(D) − Σ_i SAD(D_i)) / |D|", r"\frac{\mathrm{SAD}(D) - \sum_i \mathrm{SAD}(D_i)}{\lvert D \rvert}"),
        "what the answer takes away of that sum, over their weight",
        score_of("absolute_error_reduction"),
    )
    among = given_missing([middle, sad], last, lambda rows: absolute_error_reduction(rows, shown))
    return Formulas("error reduction", (middle, sad), (last,), among)


def costly_formulas(loss: Sequence[Sequence[Rational]]) -> Formulas:
    """How the Gini value with costs is derived.

    Args:
        loss: C(i|j), a row for each true class.
    """
    whole = Step(
        symbol("Gini_C(D)"),
        symbol("Σ_j Σ_k C(k|j)·p_j·p_k"),
        "what it costs on average to let one of them, drawn at random, answer for another",
        lambda row: generalized_gini(row, loss),
    )
    last = Step(
        symbol("ΔGini_C(D, A)"),
        symbol("Gini_C(D) − Σ_i r_i·Gini_C(D_i)"),
        "what the answer takes away of it",
        score_of("gini_decrease"),
    )
    among = given_missing([whole], last, lambda rows: generalized_gini_decrease(rows, loss))
    return Formulas("Gini decrease", (whole,), (last,), among)


_RISKS: Mapping[str, Symbol] = {
    "misclassification": symbol("|D| − max_k |C_k|"),
    "gini": Symbol("|D|·(1 − Σ_k p_k²)", r"\lvert D \rvert \Big( 1 - \sum_k p_k^2 \Big)"),
    "entropy": Symbol("|D|·Σ_k p_k·log2(1/p_k)", r"\lvert D \rvert \sum_k p_k \log_2 \frac{1}{p_k}"),
    "squared_error": _SSE.general,
}


def saving_formulas(risk: str, alpha: Rational) -> Formulas:
    """How it is derived what a question of the optimal tree saves.

    Args:
        risk: its name.
        alpha: α, the price of a leaf.
    """
    unit, price = "bits" if risk == "entropy" else "", decimal_text(alpha)
    whole = Step(symbol("R(D)"), _RISKS[risk], "what they get wrong as a leaf", RISKS[risk].of, unit)
    steps = (
        Step(
            symbol("C(D, A)"),
            symbol("Σ_i C(D_i)"),
            f"the least cost of a tree for them that asks A first: R of each leaf, and α = {price} for each leaf",
            lambda scored: work(scored.scores["cost"]),
            unit,
        ),
        Step(
            symbol("leaves(D, A)"),
            symbol("Σ_i leaves(D_i)"),
            "how many leaves the smallest such tree has",
            lambda scored: work(scored.scores["leaves"]),
        ),
        Step(
            symbol("saving(D, A)"),
            symbol("R(D) + α − C(D, A)"),
            "what that tree saves, measured against a leaf",
            score_of("saving"),
            unit,
        ),
    )
    before = (_MEAN,) if risk == "squared_error" else ()
    return Formulas("saving", (*before, whole), steps, steps)
