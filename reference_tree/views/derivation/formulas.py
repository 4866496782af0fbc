"""Formulas: for each score that a learner judges by, the steps that lead to it, each with its general form.

No figure is computed here: the measures are evaluated on worked numbers, which record their derivation (`scored`).

1. A `Step` is a quantity with its general formula. `Formulas` has the impurity of the whole sample and of a part, and
   the steps to the score; `formulas` adds the steps for missing answers.
2. `Formulas.legend` has the general formulas, `Formulas.equations` the steps that a candidate needs: some occur only if
   answers are missing, or if a dialect subtracts a penalty.
3. `FORMULAS` has the scores that need nothing but a table. Two need more: the numbers behind its columns
   (`absolute_error_formulas`), or the misclassification costs (`costly_formulas`). For the optimal tree, the steps
   depend on the risk (`saving_formulas`).
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
from reference_tree.views.derivation.blocks import Equation, Meaning, Symbol, symbol

Impurity: TypeAlias = Callable[[Any], Any]
"""A formula for one row of a table."""


class Scored(NamedTuple):
    """A candidate in worked numbers: its table, and every score that the learner gave it."""

    table: Partition
    scores: Mapping[str, Any]


class Step(NamedTuple):
    """A quantity, its general form, and its value for a candidate."""

    symbol: Symbol
    general: Symbol
    meaning: str
    quantity: Callable[[Any], Any]
    """A formula of a candidate in worked numbers; for the whole sample, a formula of its row."""
    unit: str = ""
    needs: Callable[[Scored], bool] = lambda _: True
    """Whether the step applies to a candidate."""

    @classmethod
    def of(cls, definition: str, meaning: str, quantity: Callable[[Any], Any] | str, unit: str = "") -> Step:
        r"""A step by its definition.

        Args:
            definition: `symbol = formula`.
            meaning: the quantity in words.
            quantity: how it is computed; or the name of a score, which is taken from the learner if a candidate has it.
            unit: `bits`, or empty.

        Example:
            >>> print(Step.of("R(D) = 1 − max_k p_k", "the share of the mistakes", len).general.tex)
            1 - \max_k p_k
        """
        name, _, formula = definition.partition(" = ")
        both = symbol(name), symbol(formula)
        if not isinstance(quantity, str):
            return cls(*both, meaning, quantity, unit)
        score = quantity
        return cls(*both, meaning, lambda scored: scored.scores[score], unit, lambda scored: score in scored.scores)

    @property
    def definition(self) -> Meaning:
        """The general formula and its meaning."""
        name, general = self.symbol, self.general
        return Symbol(f"{name.text} = {general.text}", f"{name.tex} = {general.tex}"), self.meaning

    def among_known(self, quantity: Callable[[Any], Any] | None = None) -> Step:
        """The same quantity for the rows that answer: D̃ in place of D."""
        return self._replace(symbol=among_known(self.symbol), quantity=quantity or self.quantity)


def among_known(symbol: Symbol) -> Symbol:
    """A symbol with D̃, the rows that answer, in place of D."""
    return Symbol(symbol.text.replace("(D", "(D̃"), symbol.tex.replace("(D", r"(\tilde D"))


def of_part(symbol: Symbol) -> Symbol:
    """A symbol with D_i, the rows of a part, in place of D."""
    return Symbol(*(name.replace("(D)", "(D_i)") for name in symbol))


class Formulas(NamedTuple):
    """The derivation of a score.

    The impurity of the whole sample comes first; that of each part is in the table. The formulas that lead to the score
    follow, and the last of them is the score.
    """

    called: str
    """The name of the score in a sentence."""
    whole: tuple[Step, ...]
    """The last is the impurity; those before it become figures of each part in the table."""
    steps: tuple[Step, ...]
    with_missing: tuple[Step, ...]
    """The steps for a candidate whose answer is missing in some rows."""
    measure: Callable[..., Any] | None = None
    """The measure whose value for the rows of a table is the score, if the score needs more than the table."""

    @property
    def score(self) -> Step:
        """The score that questions are judged by."""
        return self.steps[-1]

    @property
    def legend(self) -> Iterator[Meaning]:
        """The general formulas."""
        definitions = [step.definition for step in (*self.whole, *self.steps) if step not in _NET]
        yield _ROWS
        if len(self.whole) == 1:  # for numbers, the mean or median comes first
            yield _CLASS
        if any("r_i" in symbol.text for symbol, _ in definitions):
            yield _ANSWER
        yield from definitions

    @property
    def legend_of_missing(self) -> Iterator[Meaning]:
        """The formulas that differ if answers are missing."""
        yield from _MISSING
        name, known = self.with_gain.symbol, among_known(self.with_gain.symbol)
        lessened = Symbol(f"{name.text} = ρ·{known.text}", rf"{name.tex} = \rho \cdot {known.tex}")
        yield lessened, "where answers are missing: to the extent of the rows that answer"

    @property
    def with_gain(self) -> Step:
        """The step that is multiplied by ρ if answers are missing: the first that is still a quantity of D."""
        return next(step for step in self.steps if step in self.with_missing)

    def equations(self, name: str, scored: Scored) -> Iterator[Equation]:
        """The steps to the score of a candidate, with the name of its attribute."""
        for step in self.with_missing if any(map(bool, scored.table.unknown)) else self.steps:
            if step.needs(scored):
                yield Equation(step.symbol.of(name), step.quantity(scored), step.unit)


def scored(candidate: Candidate, penalty: Worked | None = None) -> Scored:
    """A candidate's scores, and the penalty of a dialect, computed again with numbers that record their derivation."""
    rows = tuple(tuple(work(row)) for row in candidate.table.rows)
    table = Partition(candidate.table.outcomes, rows, tuple(work(candidate.table.unknown)))
    charged: dict[str, Any] = {} if penalty is None else {"penalty": penalty}
    return Scored(table, replace(candidate, table=table, **charged).scores)


# The source of a step's quantity: the table, the scores, the moments of a numeric target.


def of_rows(formula: Callable[..., Number]) -> Callable[[Scored], Any]:
    """A formula for the rows with a known answer."""
    return lambda scored: formula(scored.table.rows)


def known_share(scored: Scored) -> Any:
    """The share of the rows that answer."""
    return known_fraction(scored.table.rows, scored.table.unknown)


def formulas(
    called: str,
    whole: tuple[Step, ...],
    steps: tuple[Step, ...],
    decrease: Callable[..., Any],
    share: Callable[[Scored], Any] = known_share,
    skipped: int = 0,
) -> Formulas:
    """How a score is derived; if answers are missing, first for the rows that answer, and then for all.

    Args:
        called: the name of the score in a sentence.
        whole: the steps to the impurity of the whole sample, which is the last.
        steps: the steps from there to the score, which is the decrease of the impurity.
        decrease: the measure of that decrease, for the rows of a table.
        share: the share of the rows that answer.
        skipped: the number of steps of the whole that are not shown for the rows that answer.
    """
    *inner, last = steps
    among = (*map(_of_known, whole[skipped:]), *(step.among_known() for step in inner))
    missing = (Step(_RHO, _RHO, "", share), *among, last.among_known(of_rows(decrease)), last)
    return Formulas(called, whole, steps, missing)


def _of_known(step: Step) -> Step:
    return step.among_known(lambda scored: step.quantity([work(c.value) for c in by_class(scored.table.rows)]))


_ROWS = (symbol("D, D_i, |D|"), "the rows at a node; those with answer i to a question A; their number or weight")
_CLASS = (symbol("C_k, p_k = |C_k|/|D|"), "the rows of class k, and their share; a class without a row adds 0 to a sum")
_ANSWER = (symbol("r_i = |D_i|/|D|"), "the share of the i-th answer")
_RHO = symbol("ρ")
RATE = symbol("r̃_i")
_MISSING = (
    (symbol("D̃, D̃_i"), "those of the rows D that answer; those that give the i-th answer"),
    (symbol("ρ = |D̃|/|D|"), "the share of the rows that answer, by weight"),
    (
        symbol("p̃_k, r̃_i"),
        "the shares of class k and of the i-th answer among D̃; a measure of D̃ is the same by these shares",
    ),
)


# The sheet of formulas.

AVERAGE = Step.of(
    "ḡ = Σ_A g(D, A) / m",
    "the average gain of the m attributes that can be asked; an attribute whose gain is below it may not win",
    lambda gains: sum(gains) / len(gains),
    "bits",
)
"""The bound that an attribute's gain must reach before it competes by its ratio."""

_H = Step.of("H(D) = Σ_k p_k·log2(1/p_k)", "the entropy of their classes, in bits", entropy, "bits")
_LEFT = Step.of(
    "H(D|A) = Σ_i r_i·H(D_i)",
    "what is left of it, on average, once the answer to A is known",
    of_rows(conditional_entropy),
    "bits",
)
_GAIN = Step.of("g(D, A) = H(D) − H(D|A)", "the information gain of A: what the answer takes away", "gain", "bits")
_NET = (
    Step.of("c(D, A) = log2(N) / |D|", "what is charged for having chosen the cut among N", "penalty", "bits"),
    Step.of("g'(D, A) = g(D, A) − c(D, A)", "what is left of the gain: it takes its place", "net_gain", "bits"),
)
CHARGED = tuple(step.definition for step in _NET)
"""The formulas of the penalty, for a dialect that has one."""

_COST = Step.of(
    "H_A(D) = Σ_i r_i·log2(1/r_i)",
    "the split information: the entropy of the answers themselves",
    "split_information",
    "bits",
)
SPLIT_INFORMATION: Mapping[str, Meaning] = {
    "of-known": (symbol("H_A(D̃)"), "takes the place of H_A(D) in the ratio where answers are missing"),
    "with-unknown": (symbol("H_A(D)"), "has one more part where answers are missing: the rows that do not answer"),
}
"""The divisor of the gain if answers are missing, by the rule for it."""
_RATIO = Step.of("g_R(D, A) = g(D, A) / H_A(D)", "the gain ratio", "ratio")


def _over_all(scored: Scored) -> bool:
    """Whether "unknown" counts as one more answer in the split information."""
    return bool(scored.scores["split_information"].name == "split_information_with_unknown")


_COSTS = (_COST._replace(needs=_over_all), _COST.among_known()._replace(needs=lambda scored: not _over_all(scored)))

_GINI = Step.of(
    "Gini(D) = 1 − Σ_k p_k²", "how often two of them, drawn at random with replacement, have different classes", gini
)
_GINI_INDEX = Step.of(
    "Gini(D, A) = Σ_i r_i·Gini(D_i)",
    "the Gini index of A: what is left of it, on average, once the answer is known",
    "gini_index",
)
_GINI_DECREASE = Step.of(
    "ΔGini(D, A) = Gini(D) − Gini(D, A)", "the Gini decrease: what the answer takes away", "gini_decrease"
)

_ERROR = Step.of("R(D) = 1 − max_k p_k", "the share of them that are not of the majority", misclassification_error)
_ERROR_LEFT = Step.of(
    "R(D, A) = Σ_i r_i·R(D_i)", "the share that is left when each part has its own majority", "misclassification_rate"
)
_ERROR_DECREASE = Step.of(
    "ΔR(D, A) = R(D) − R(D, A)", "the error decrease: what the answer takes away", "misclassification_decrease"
)


def of_moments(formula: Callable[[Moments], Number]) -> Impurity:
    """A formula of moments, as a formula of their row."""
    return lambda row: formula(Moments(*row))


def _known_moments(scored: Scored) -> Any:
    """The share of the rows that answer, from moments: the first of each is the weight."""
    return known_fraction([row[:1] for row in scored.table.rows], scored.table.unknown[:1])


def _reduction(rows: Any, *, unbiased: bool = False) -> Any:
    return variance_reduction([Moments(*row) for row in rows], unbiased=unbiased)


_MEAN = Step.of("ȳ(D) = Σy / n", "the mean of the numbers y of n rows", of_moments(mean))
_SSE = Step.of("SSE(D) = Σ(y − ȳ)² = Σy² − (Σy)² / n", "the sum of their squared distances from it", of_moments(sse))
_VARIANCE = Step.of("σ²(D) = SSE(D) / n", "the same per row: their variance", of_moments(variance))
_SSE_LEFT = Step.of("SSE(D, A) = Σ_i SSE(D_i)", "the sum that is left when each part has its own mean", "split_error")
_REDUCTION = Step.of(
    "Δσ²(D, A) = σ²(D) − Σ_i r_i·σ²(D_i)", "the variance reduction: what the answer takes away", "variance_reduction"
)
_SAMPLE_VARIANCE = Step.of(
    "s²(D) = SSE(D) / (n − 1)", "their variance with n − 1; 0 for a single row", of_moments(sample_variance)
)
_SAMPLE_REDUCTION = Step.of(
    "Δs²(D, A) = s²(D) − Σ_i r_i·s²(D_i)",
    "the variance reduction: what the answer takes away, which can be below 0",
    "sample_variance_reduction",
)

_OF_GAIN = formulas("gain", (_H,), (_LEFT, _GAIN), information_gain)
_variance_formulas = partial(formulas, "variance reduction", share=_known_moments, skipped=1)

FORMULAS: Mapping[str, Formulas] = {
    "gain": _OF_GAIN,
    "ratio": Formulas(
        "ratio", (_H,), (_LEFT, _GAIN, *_NET, _COST, _RATIO), (*_OF_GAIN.with_missing, *_NET, *_COSTS, _RATIO)
    ),
    "gini_decrease": formulas("Gini decrease", (_GINI,), (_GINI_INDEX, _GINI_DECREASE), gini_decrease),
    "misclassification_decrease": formulas(
        "error decrease", (_ERROR,), (_ERROR_LEFT, _ERROR_DECREASE), misclassification_decrease
    ),
    "variance_reduction": _variance_formulas((_MEAN, _SSE, _VARIANCE), (_SSE_LEFT, _REDUCTION), _reduction),
    "sample_variance_reduction": _variance_formulas(
        (_MEAN, _SSE, _SAMPLE_VARIANCE), (_SAMPLE_REDUCTION,), partial(_reduction, unbiased=True)
    ),
}
"""The derivation of each score that needs nothing but a table."""


def absolute_error_formulas(numbers: Sequence[Rational]) -> Formulas:
    """The derivation of the absolute error."""
    shown = work(numbers)
    middle = Step.of(
        "ỹ(D) = median of y",
        "at most half of their numbers y are smaller, and at most half larger; between two, it is their mean",
        lambda row: median(row, shown),
    )._replace(general=Symbol("median of y", r"\text{median of } y"))
    sad = Step.of(
        "SAD(D) = Σ|y − ỹ|",
        "the sum of the distances of their numbers from it",
        lambda row: absolute_deviation(row, shown),
    )
    last = Step.of(
        "ΔSAD(D, A) = (SAD(D) − Σ_i SAD(D_i)) / |D|",
        "the error reduction: what the answer takes away of that sum, for each row",
        "absolute_error_reduction",
    )
    measure = partial(absolute_error_reduction, numbers=shown)
    return formulas("error reduction", (middle, sad), (last,), measure)._replace(measure=measure)


def costly_formulas(loss: Sequence[Sequence[Rational]]) -> Formulas:
    """The derivation of the Gini value with costs."""
    whole = Step.of(
        "Gini_C(D) = Σ_j Σ_k C(k|j)·p_j·p_k",
        "what it costs on average to let one of them, drawn at random, answer for another",
        lambda row: generalized_gini(row, loss),
    )
    last = Step.of(
        "ΔGini_C(D, A) = Gini_C(D) − Σ_i r_i·Gini_C(D_i)", "what the answer takes away of it", "gini_decrease"
    )
    measure = partial(generalized_gini_decrease, loss=loss)
    return formulas("Gini decrease", (whole,), (last,), measure)._replace(measure=measure)


_RISKS: Mapping[str, Symbol] = {
    "misclassification": symbol("|D| − max_k |C_k|"),
    "gini": symbol("|D|·(1 − Σ_k p_k²)"),
    "entropy": symbol("|D|·Σ_k p_k·log2(1/p_k)"),
    "squared_error": _SSE.general,
}


def saving_formulas(risk: str, alpha: Rational) -> Formulas:
    """How the saving by a question of the optimal tree is derived."""
    unit, price = "bits" if risk == "entropy" else "", decimal_text(alpha)
    whole = Step(symbol("R(D)"), _RISKS[risk], "what they get wrong as a leaf", RISKS[risk].of, unit)
    steps = (
        Step.of(
            "C(D, A) = Σ_i C(D_i)",
            f"the least cost of a tree for them that asks A first: R of each leaf, and α = {price} for each leaf",
            lambda scored: work(scored.scores["cost"]),
            unit,
        ),
        Step.of(
            "leaves(D, A) = Σ_i leaves(D_i)",
            "how many leaves the smallest such tree has",
            lambda scored: work(scored.scores["leaves"]),
        ),
        Step.of("saving(D, A) = R(D) + α − C(D, A)", "what that tree saves, measured against a leaf", "saving", unit),
    )
    before = (_MEAN,) if risk == "squared_error" else ()
    return Formulas("saving", (*before, whole), steps, steps)
