"""Scores: for each score that a learner judges by, which formulas lead to it.

No figure is computed here. The measures run on worked numbers and derive themselves; this module only says in what
order their steps are shown, what they are called there, and how the general formula reads.

1. `scored` runs a candidate's own scores on worked numbers.
2. `FORMULAS` has for each score the impurity of the whole sample and of a part, and the steps to the score. Two need
   more than a table: the numbers behind its columns (`absolute_error_formulas`), or what mistakes cost
   (`costly_formulas`). For the optimal tree it depends on the risk (`saving_formulas`).
3. `Formulas.legend` has the general formulas, `Formulas.equations` the steps that a candidate needs: some are there
   only where answers are missing, or where a dialect charges for something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.sample import Partition
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.worked import Worked, work
from reference_tree.learners.optimal import RISKS
from reference_tree.measures.absolute_error import absolute_deviation, absolute_error_reduction, median
from reference_tree.measures.conditional_entropy import by_class, conditional_entropy
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
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.missing_values import known_fraction
from reference_tree.views.derivation.blocks import Equation, Symbol

Impurity: TypeAlias = Callable[[Any], Any]
"""A formula of one row of a table."""


class Scored(NamedTuple):
    """A candidate in worked numbers: its table, and every score that the learner gave it."""

    table: Partition
    scores: Mapping[str, Any]


class Step(NamedTuple):
    """A quantity, how it reads in general, and how it follows from what is known."""

    symbol: Symbol
    general: Symbol
    meaning: str
    quantity: Callable[[Any], Any]
    """A formula of a candidate in worked numbers; for the whole sample, of its row."""
    unit: str = ""
    needs: Callable[[Scored], bool] = lambda _: True
    """Whether there is anything to show of a candidate."""

    @property
    def definition(self) -> tuple[Symbol, str]:
        """The general formula, and what it means."""
        name, general = self.symbol, self.general
        return Symbol(f"{name.text} = {general.text}", f"{name.tex} = {general.tex}"), self.meaning

    def among_known(self, quantity: Callable[[Any], Any] | None = None) -> Step:
        """The same quantity of the rows that answer: D̃ in the place of D."""
        return self._replace(symbol=among_known(self.symbol), quantity=quantity or self.quantity)


def among_known(symbol: Symbol) -> Symbol:
    """A symbol with D̃, the rows that answer, in the place of D."""
    return Symbol(symbol.text.replace("(D", "(D̃"), symbol.tex.replace("(D", r"(\tilde D"))


def of_part(symbol: Symbol) -> Symbol:
    """A symbol with D_i, the rows of a part, in the place of D."""
    return Symbol(*(name.replace("(D)", "(D_i)") for name in symbol))


class Formulas(NamedTuple):
    """How a score is derived.

    The impurity of the whole sample comes first, that of each part stands in the table, and below it come the
    formulas that lead to the score, which is the last of them.
    """

    called: str
    """The score in a sentence."""
    whole: tuple[Step, ...]
    """The last of them is the impurity; of each part, those before it are figures in the table."""
    steps: tuple[Step, ...]
    with_missing: tuple[Step, ...]
    """The steps for a candidate whose answer is missing in some rows."""

    @property
    def score(self) -> Step:
        """What questions are judged by."""
        return self.steps[-1]

    @property
    def legend(self) -> Iterator[tuple[Symbol, str]]:
        """The general formulas."""
        yield _ROWS
        if len(self.whole) == 1:  # of numbers, the mean or median comes first
            yield _CLASS
        yield _ANSWER
        yield from (step.definition for step in (*self.whole, *self.steps) if step not in _NET)

    @property
    def legend_of_missing(self) -> Iterator[tuple[Symbol, str]]:
        """What is different where answers are missing."""
        yield from _MISSING
        name, known = self.with_gain.symbol, among_known(self.with_gain.symbol)
        yield (
            Symbol(f"{name.text} = ρ·{known.text}", rf"{name.tex} = \rho \cdot {known.tex}"),
            "where answers are missing: to the extent of the rows that answer",
        )

    @property
    def with_gain(self) -> Step:
        """The step of which only the share ρ counts where answers are missing."""
        return next(step for step in self.steps if step in (_GAIN, self.score))

    def equations(self, name: str, scored: Scored) -> Iterator[Equation]:
        """The steps to the score of a candidate, by its name."""
        for step in self.with_missing if any(map(bool, scored.table.unknown)) else self.steps:
            if step.needs(scored):
                yield Equation(step.symbol.of(name), step.quantity(scored), step.unit)


def scored(candidate: Candidate, penalty: Worked | None = None) -> Scored:
    """A candidate's scores, computed again with numbers that record how.

    Args:
        candidate: the candidate.
        penalty: what a dialect charges for it, worked out; none: nothing.
    """
    rows = tuple(tuple(work(row)) for row in candidate.table.rows)
    table = Partition(candidate.table.outcomes, rows, tuple(work(candidate.table.unknown)))
    charged: dict[str, Any] = {} if penalty is None else {"penalty": penalty}
    return Scored(table, replace(candidate, table=table, **charged).scores)


# Where a step finds its quantity: in the table, in the scores, in the moments of a numeric target.


def _of_rows(formula: Callable[..., Number]) -> Callable[[Scored], Any]:
    """A formula of the answers that are known."""
    return lambda scored: formula(scored.table.rows)


def _score(name: str) -> Callable[[Scored], Any]:
    """A score, as the learner computes it."""
    return lambda scored: scored.scores[name]


def _has(name: str) -> Callable[[Scored], bool]:
    """Whether a candidate is given a score."""
    return lambda scored: name in scored.scores


def _known(scored: Scored) -> Any:
    """The share of the rows that answer."""
    return known_fraction(scored.table.rows, scored.table.unknown)


def _known_moments(scored: Scored) -> Any:
    """The same of moments: their weights are the first of them."""
    return known_fraction([row[:1] for row in scored.table.rows], scored.table.unknown[:1])


def _reduction(rows: Any, *, unbiased: bool = False) -> Any:
    return variance_reduction([Moments(*row) for row in rows], unbiased=unbiased)


def of_moments(formula: Callable[[Moments], Number]) -> Impurity:
    """A formula of moments."""
    return lambda row: formula(Moments(*row))


# Formulas.


def _named(name: str, of: str, tex: str = "") -> Symbol:
    """A symbol with an upright name, which TeX may write in another way."""
    return Symbol(name + of, (tex or rf"\mathrm{{{name}}}") + of)


def _given_missing(
    whole: Sequence[Step],
    last: Step,
    decrease: Callable[..., Any],
    *inner: Step,
    share: Callable[[Scored], Any] = _known,
) -> tuple[Step, ...]:
    """The steps where answers are missing: first those of the rows that answer, and what they come to for all."""

    def of_known(step: Step) -> Step:
        return step.among_known(lambda scored: step.quantity([work(c.value) for c in by_class(scored.table.rows)]))

    first = (Step(_RHO, _RHO, "", share), *map(of_known, whole))
    return (*first, *(step.among_known() for step in inner), last.among_known(_of_rows(decrease)), last)


_ROWS = (Symbol("D, D_i", "D, D_i"), "the rows that reach a node; those that give the i-th answer to a question A")
_CLASS = (
    Symbol("p_k = |C_k|/|D|", r"p_k = \lvert C_k \rvert / \lvert D \rvert"),
    "the share of class k in their weight",
)
_ANSWER = (
    Symbol("r_i = |D_i|/|D|", r"r_i = \lvert D_i \rvert / \lvert D \rvert"),
    "the share of the i-th answer in their weight",
)
_RHO = Symbol("ρ", r"\rho")
RATE = Symbol("r̃_i", r"\tilde r_i")
_MISSING = (
    (Symbol("D̃, D̃_i", r"\tilde D, \tilde D_i"), "those of the rows D that answer; those that give the i-th answer"),
    (
        Symbol("ρ = |D̃|/|D|", r"\rho = \lvert \tilde D \rvert / \lvert D \rvert"),
        "the share of the rows that answer, by weight",
    ),
    (
        Symbol("p̃_k, r̃_i", r"\tilde p_k, \tilde r_i"),
        "the shares of class k and of the i-th answer among D̃; a measure of D̃ is the same by these shares",
    ),
)

AVERAGE = Step(
    Symbol("ḡ", r"\bar g"),
    Symbol("Σ_A g(D, A) / m", r"\frac{1}{m} \sum_A g(D, A)"),
    "the average gain of the m attributes that can be asked; an attribute whose gain is below it may not win",
    lambda gains: sum(gains) / len(gains),
    "bits",
)
"""What attributes are held against before they compete by their ratios."""

_H = Step(
    Symbol("H(D)", "H(D)"),
    Symbol("Σ_k p_k·log2(1/p_k)", r"\sum_k p_k \log_2 \frac{1}{p_k}"),
    "the entropy of their classes",
    entropy,
    "bits",
)
_LEFT = Step(
    Symbol("H(D|A)", r"H(D \mid A)"),
    Symbol("Σ_i r_i·H(D_i)", r"\sum_i r_i \, H(D_i)"),
    "what is left of it, on average, once the answer to A is known",
    _of_rows(conditional_entropy),
    "bits",
)
_GAIN = Step(
    Symbol("g(D, A)", "g(D, A)"),
    Symbol("H(D) − H(D|A)", r"H(D) - H(D \mid A)"),
    "the information gain of A: what the answer takes away",
    _score("gain"),
    "bits",
)
_NET = (
    Step(
        Symbol("c(D, A)", "c(D, A)"),
        Symbol("log2(N) / |D|", r"\frac{\log_2 N}{\lvert D \rvert}"),
        "what is charged for having chosen the cut among N",
        _score("penalty"),
        "bits",
        _has("penalty"),
    ),
    Step(
        Symbol("g'(D, A)", "g'(D, A)"),
        Symbol("g(D, A) − c(D, A)", "g(D, A) - c(D, A)"),
        "what is left of the gain: it takes its place",
        _score("net_gain"),
        "bits",
        _has("net_gain"),
    ),
)
CHARGED = tuple(step.definition for step in _NET)
"""What is meant by the charge, where a dialect makes one."""

_COST = Step(
    Symbol("H_A(D)", "H_{A}(D)"),
    Symbol("Σ_i r_i·log2(1/r_i)", r"\sum_i r_i \log_2 \frac{1}{r_i}"),
    "the split information: the entropy of the answers themselves",
    _score("split_information"),
    "bits",
)
_RATIO = Step(
    Symbol("g_R(D, A)", "g_R(D, A)"),
    Symbol("g(D, A) / H_A(D)", r"\frac{g(D, A)}{H_{A}(D)}"),
    "the gain ratio",
    _score("ratio"),
)
_GAIN_AMONG_KNOWN = _given_missing([_H], _GAIN, information_gain, _LEFT)


def _over_all(scored: Scored) -> bool:
    """Whether "unknown" is one more answer when the split information is taken."""
    return bool(scored.scores["split_information"].name == "split_information_with_unknown")


_COSTS = (_COST._replace(needs=_over_all), _COST.among_known()._replace(needs=lambda scored: not _over_all(scored)))

_GINI = Step(
    _named("Gini", "(D)"),
    Symbol("1 − Σ_k p_k²", r"1 - \sum_k p_k^2"),
    "how often two of them, drawn at random with replacement, have different classes",
    gini,
)
_GINI_INDEX = Step(
    _named("Gini", "(D, A)"),
    Symbol("Σ_i r_i·Gini(D_i)", r"\sum_i r_i \, \mathrm{Gini}(D_i)"),
    "the Gini index of A: what is left of it, on average, once the answer is known",
    _score("gini_index"),
    needs=_has("gini_index"),
)
_GINI_DECREASE = Step(
    _named("ΔGini", "(D, A)", r"\Delta \mathrm{Gini}"),
    Symbol("Gini(D) − Gini(D, A)", r"\mathrm{Gini}(D) - \mathrm{Gini}(D, A)"),
    "what the answer takes away",
    _score("gini_decrease"),
)

_ERROR = Step(
    Symbol("R(D)", "R(D)"),
    Symbol("1 − max_k p_k", r"1 - \max_k p_k"),
    "the share of the mistakes that their majority makes",
    misclassification_error,
)
_ERROR_LEFT = Step(
    Symbol("R(D, A)", "R(D, A)"),
    Symbol("Σ_i r_i·R(D_i)", r"\sum_i r_i \, R(D_i)"),
    "the share that is left when each part has its own majority",
    _score("misclassification_rate"),
    needs=_has("misclassification_rate"),
)
_ERROR_DECREASE = Step(
    Symbol("ΔR(D, A)", r"\Delta R(D, A)"),
    Symbol("R(D) − R(D, A)", "R(D) - R(D, A)"),
    "what the answer takes away",
    _score("misclassification_decrease"),
)

_MEAN = Step(
    _named("ȳ", "(D)", r"\bar y"),
    Symbol("Σy / n", r"\frac{\Sigma y}{n}"),
    "the mean of the numbers of n rows",
    of_moments(mean),
)
_SSE = Step(
    _named("SSE", "(D)"),
    Symbol("Σ(y − ȳ)² = Σy² − (Σy)² / n", r"\Sigma (y - \bar y)^2 = \Sigma y^2 - \frac{(\Sigma y)^2}{n}"),
    "the sum of their squared distances from it",
    of_moments(sse),
)
_VARIANCE = Step(
    _named("σ²", "(D)", r"\sigma^2"),
    Symbol("SSE(D) / n", r"\frac{\mathrm{SSE}(D)}{n}"),
    "the same per row: their variance",
    of_moments(variance),
)
_SSE_LEFT = Step(
    _named("SSE", "(D, A)"),
    Symbol("Σ_i SSE(D_i)", r"\sum_i \mathrm{SSE}(D_i)"),
    "the sum that is left when each part has its own mean",
    _score("split_error"),
)
_REDUCTION = Step(
    _named("Δσ²", "(D, A)", r"\Delta \sigma^2"),
    Symbol("σ²(D) − Σ_i r_i·σ²(D_i)", r"\sigma^2(D) - \sum_i r_i \, \sigma^2(D_i)"),
    "what the answer takes away of the variance",
    _score("variance_reduction"),
)
_SAMPLE_VARIANCE = Step(
    _named("s²", "(D)", "s^2"),
    Symbol("SSE(D) / (n − 1)", r"\frac{\mathrm{SSE}(D)}{n - 1}"),
    "their variance with n − 1; 0 for a single row",
    of_moments(sample_variance),
)
_SAMPLE_REDUCTION = Step(
    _named("Δs²", "(D, A)", r"\Delta s^2"),
    Symbol("s²(D) − Σ_i r_i·s²(D_i)", r"s^2(D) - \sum_i r_i \, s^2(D_i)"),
    "what the answer takes away of it, which can be less than nothing",
    _score("sample_variance_reduction"),
)

FORMULAS: Mapping[str, Formulas] = {
    "gain": Formulas("gain", (_H,), (_LEFT, _GAIN), _GAIN_AMONG_KNOWN),
    "ratio": Formulas(
        "ratio",
        (_H,),
        (_LEFT, _GAIN, *_NET, _COST, _RATIO),
        (*_GAIN_AMONG_KNOWN, *_NET, *_COSTS, _RATIO),
    ),
    "gini_decrease": Formulas(
        "Gini decrease",
        (_GINI,),
        (_GINI_INDEX, _GINI_DECREASE),
        _given_missing([_GINI], _GINI_DECREASE, gini_decrease, _GINI_INDEX),
    ),
    "misclassification_decrease": Formulas(
        "error decrease",
        (_ERROR,),
        (_ERROR_LEFT, _ERROR_DECREASE),
        _given_missing([_ERROR], _ERROR_DECREASE, misclassification_decrease, _ERROR_LEFT),
    ),
    "variance_reduction": Formulas(
        "variance reduction",
        (_MEAN, _SSE, _VARIANCE),
        (_SSE_LEFT, _REDUCTION),
        _given_missing([_SSE, _VARIANCE], _REDUCTION, _reduction, _SSE_LEFT, share=_known_moments),
    ),
    "sample_variance_reduction": Formulas(
        "variance reduction",
        (_MEAN, _SSE, _SAMPLE_VARIANCE),
        (_SAMPLE_REDUCTION,),
        _given_missing(
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
        _named("ỹ", "(D)", r"\tilde y"),
        Symbol("median of y", r"\text{median of } y"),
        "at most half of their numbers are smaller, and at most half larger",
        lambda row: median(row, shown),
    )
    sad = Step(
        _named("SAD", "(D)"),
        Symbol("Σ|y − ỹ|", r"\Sigma \lvert y - \tilde y \rvert"),
        "the sum of the distances of their numbers from it",
        lambda row: absolute_deviation(row, shown),
    )
    last = Step(
        _named("ΔSAD", "(D, A)", r"\Delta \mathrm{SAD}"),
        Symbol("(SAD(D) − Σ_i SAD(D_i)) / |D|", r"\frac{\mathrm{SAD}(D) - \sum_i \mathrm{SAD}(D_i)}{\lvert D \rvert}"),
        "what the answer takes away of that sum, over their weight",
        _score("absolute_error_reduction"),
    )
    among = _given_missing([middle, sad], last, lambda rows: absolute_error_reduction(rows, shown))
    return Formulas("error reduction", (middle, sad), (last,), among)


def costly_formulas(loss: Sequence[Sequence[Rational]]) -> Formulas:
    """How the Gini value with costs is derived.

    Args:
        loss: C(i|j), a row for each true class.
    """
    whole = Step(
        _named("Gini_C", "(D)", r"\mathrm{Gini}_C"),
        Symbol("Σ_j Σ_k C(k|j)·p_j·p_k", r"\sum_j \sum_k C(k \mid j) \, p_j \, p_k"),
        "what it costs on average to let one of them, drawn at random, answer for another",
        lambda row: generalized_gini(row, loss),
    )
    last = Step(
        _named("ΔGini_C", "(D, A)", r"\Delta \mathrm{Gini}_C"),
        Symbol("Gini_C(D) − Σ_i r_i·Gini_C(D_i)", r"\mathrm{Gini}_C(D) - \sum_i r_i \, \mathrm{Gini}_C(D_i)"),
        "what the answer takes away of it",
        _score("gini_decrease"),
    )
    among = _given_missing([whole], last, lambda rows: generalized_gini_decrease(rows, loss))
    return Formulas("Gini decrease", (whole,), (last,), among)


_RISKS: Mapping[str, Symbol] = {
    "misclassification": Symbol("|D| − max_k |C_k|", r"\lvert D \rvert - \max_k \lvert C_k \rvert"),
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
    whole = Step(Symbol("R(D)", "R(D)"), _RISKS[risk], "what they get wrong as a leaf", RISKS[risk].of, unit)
    steps = (
        Step(
            Symbol("C(D, A)", "C(D, A)"),
            Symbol("Σ_i C(D_i)", r"\sum_i C(D_i)"),
            f"the least cost of a tree for them that asks A first: R of each leaf, and α = {price} for each leaf",
            lambda scored: work(scored.scores["cost"]),
            unit,
        ),
        Step(
            _named("leaves", "(D, A)"),
            Symbol("Σ_i leaves(D_i)", r"\sum_i \mathrm{leaves}(D_i)"),
            "how many leaves the smallest such tree has",
            lambda scored: work(scored.scores["leaves"]),
        ),
        Step(
            _named("saving", "(D, A)"),
            Symbol("R(D) + α − C(D, A)", r"R(D) + \alpha - C(D, A)"),
            "what that tree saves, measured against a leaf",
            _score("saving"),
            unit,
        ),
    )
    before = (_MEAN,) if risk == "squared_error" else ()
    return Formulas("saving", (*before, whole), steps, steps)
