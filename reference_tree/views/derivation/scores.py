"""Scores: for each score that a learner judges by, which formulas lead to it.

No formula is written here. The measures run on worked numbers and derive themselves; this module only says in what
order they are shown, what they are called there, and what the letters mean.

1. `scored` runs a candidate's own scores on worked numbers.
2. `FORMULAS` has for each score the impurity of the whole sample and of a part, and the steps to the score. Two need
   more than a table: the numbers behind its columns (`absolute_error_formulas`), or what mistakes cost
   (`costly_formulas`).
3. `Formulas.equations` are the steps that a candidate needs: some are there only where answers are missing, or where a
   dialect charges for something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.sample import Partition
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.exact.worked import Worked, work
from reference_tree.measures.absolute_error import absolute_deviation, absolute_error_reduction, median
from reference_tree.measures.conditional_entropy import by_class, conditional_entropy
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gini_index import gini, gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.misclassification import generalized_gini, generalized_gini_decrease
from reference_tree.measures.variance import Moments, sample_variance, sse, variance, variance_reduction
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
    """A quantity of a candidate, and how it follows from what is known of it."""

    symbol: Symbol
    quantity: Callable[[Scored], Any]
    needs: str = ""
    """The score without which there is nothing to show."""


class Formulas(NamedTuple):
    """How a score is derived.

    The impurity of the whole sample comes first, that of each part stands in the table, and below it come the
    formulas that lead to the score, which is the last of them.
    """

    called: str
    """The score in a sentence."""
    whole: tuple[tuple[Symbol, Impurity], ...]
    part: tuple[Symbol, Impurity]
    steps: tuple[Step, ...]
    with_missing: tuple[Step, ...]
    """The steps for a candidate whose answer is missing in some rows."""
    unit: str
    legend: tuple[tuple[Symbol, str], ...]
    """What the letters mean."""

    @property
    def score(self) -> Symbol:
        """What the score is called."""
        return self.steps[-1].symbol

    def equations(self, name: str, scored: Scored) -> Iterator[Equation]:
        """The steps to the score of a candidate, by its name."""
        steps = self.with_missing if any(map(bool, scored.table.unknown)) else self.steps
        needed = [step for step in steps if not step.needs or step.needs in scored.scores]
        for step in needed:
            yield Equation(step.symbol.of(name), step.quantity(scored), in_full=step is needed[-1])


def scored(candidate: Candidate, penalty: Worked | None = None) -> Scored:
    """A candidate's scores, computed again with numbers that record how.

    Args:
        candidate: the candidate.
        penalty: what a dialect charges for it, worked out; none: nothing.
    """
    rows = tuple(tuple(work(row)) for row in candidate.table.rows)
    table = Partition(candidate.table.outcomes, rows, _worked(candidate.table.unknown))
    charged: dict[str, Any] = {} if penalty is None else {"penalty": penalty}
    return Scored(table, replace(candidate, table=table, **charged).scores)


def _worked(counts: Sequence[Rational]) -> Any:
    return tuple(work(counts))


# Where a step finds its quantity: in the table, in the scores, in the moments of a numeric target.


def _of_rows(formula: Callable[..., Number]) -> Callable[[Scored], Any]:
    """A formula of the answers that are known."""
    return lambda scored: formula(scored.table.rows)


def _of_known(impurity: Impurity) -> Callable[[Scored], Any]:
    """The impurity of those who answer, all together."""
    return lambda scored: impurity([work(one.value) for one in by_class(scored.table.rows)])


def _score(name: str) -> Callable[[Scored], Any]:
    """A score, as the learner computes it."""
    return lambda scored: scored.scores[name]


def _known(scored: Scored) -> Any:
    """The share of the rows that answer."""
    return known_fraction(scored.table.rows, scored.table.unknown)


def _known_moments(scored: Scored) -> Any:
    """The same of moments: their weights are the first of them."""
    return known_fraction([row[:1] for row in scored.table.rows], scored.table.unknown[:1])


def _reduction(rows: Any) -> Any:
    return variance_reduction([Moments(*row) for row in rows])


def of_moments(formula: Callable[[Moments], Number]) -> Impurity:
    """A formula of moments."""
    return lambda row: formula(Moments(*row))


def unfolded(formula: Impurity) -> Impurity:
    """A formula whose own steps are written into it, instead of what they come to."""

    def opened(row: Any) -> Any:
        quantity = formula(row)
        inner = quantity.operands[0]
        operands = [one.operands[0] if one.operation == "quantity" else one for one in inner.operands]
        return Worked(
            quantity.value, "quantity", (Worked(inner.value, inner.operation, operands, inner.name),), quantity.name
        )

    return opened


# Symbols.


def _named(name: str, of: str = "(D, A)", tex: str = "") -> Symbol:
    """A symbol with an upright name, which TeX may write in another way."""
    return Symbol(name + of, (tex or rf"\mathrm{{{name}}}") + of)


def _tilde(symbol: Symbol) -> Symbol:
    """The same quantity of the rows whose answer is known: D̃ in the place of D."""
    return Symbol(symbol.text.replace("(D", "(D̃"), symbol.tex.replace("(D", r"(\tilde D"))


_RHO = (Symbol("ρ", r"\rho"), "the share of the rows whose answer is known")
_ROWS = (
    (Symbol("D", "D"), "the rows that reach a node"),
    (Symbol("D_i", "D_i"), "those of them that give the i-th answer"),
)
_H, _H_PART = Symbol("H(D)", "H(D)"), Symbol("H(D_i)", "H(D_i)")
_LEFT = Symbol("H(D|A)", r"H(D \mid A)")
_GAIN = Symbol("g(D, A)", "g(D, A)")
_COST = Symbol("H_A(D)", "H_{A}(D)")
_PENALTY = Symbol("c(D, A)", "c(D, A)")
_RATIO = Symbol("g_R(D, A)", "g_R(D, A)")
_GINI, _GINI_PART, _GINI_INDEX = (_named("Gini", of) for of in ("(D)", "(D_i)", "(D, A)"))
_GINI_DECREASE = _named("ΔGini", tex=r"\Delta \mathrm{Gini}")
_SSE, _SSE_LEFT = _named("SSE", "(D)"), _named("SSE")
_VARIANCE, _VARIANCE_PART = (_named("σ²", of, r"\sigma^2") for of in ("(D)", "(D_i)"))
_REDUCTION = _named("Δσ²", tex=r"\Delta \sigma^2")
_SAMPLE_VARIANCE, _SAMPLE_VARIANCE_PART = (_named("s²", of, "s^2") for of in ("(D)", "(D_i)"))
_SAMPLE_REDUCTION = _named("Δs²", tex=r"\Delta s^2")
_MEDIAN = _named("ỹ", "(D)", r"\tilde y")
_SAD, _SAD_PART = _named("SAD", "(D)"), _named("SAD", "(D_i)")
_ERROR_REDUCTION = _named("ΔSAD", tex=r"\Delta \mathrm{SAD}")
_COSTLY, _COSTLY_PART = (_named("Gini_C", of, r"\mathrm{Gini}_C") for of in ("(D)", "(D_i)"))
_COSTLY_DECREASE = _named("ΔGini_C", tex=r"\Delta \mathrm{Gini}_C")

_GAIN_STEPS = (Step(_LEFT, _of_rows(conditional_entropy)), Step(_GAIN, _score("gain")))
_GAIN_STEPS_KNOWN = (
    Step(_RHO[0], _known),
    Step(_tilde(_H), _of_known(entropy)),
    Step(_tilde(_LEFT), _of_rows(conditional_entropy)),
    Step(_tilde(_GAIN), _of_rows(information_gain)),
    Step(_GAIN, _score("gain")),
)
_NET_STEPS = (
    Step(_PENALTY, _score("penalty"), "penalty"),
    Step(Symbol("g(D, A) − c", "g(D, A) - c"), _score("net_gain"), "net_gain"),
)
_ENTROPY_LEGEND = (
    *_ROWS,
    (_H, "the entropy of their classes"),
    (_LEFT, "what is left of it, on average, once the answer to A is known"),
    (_GAIN, "the information gain of A: what the answer takes away"),
)
_MOMENTS = Symbol("n, Σy, Σy²", r"n, \Sigma y, \Sigma y^2")
_MOMENTS_LEGEND = (
    *_ROWS,
    (_MOMENTS, "how many they are, the sum of their numbers, and of the squares"),
    (_SSE, "the sum of their squared distances from their mean"),
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

FORMULAS: Mapping[str, Formulas] = {
    "gain": Formulas(
        called="gain",
        whole=((_H, entropy),),
        part=(_H_PART, entropy),
        steps=_GAIN_STEPS,
        with_missing=_GAIN_STEPS_KNOWN,
        unit="bits",
        legend=_ENTROPY_LEGEND,
    ),
    "ratio": Formulas(
        called="ratio",
        whole=((_H, entropy),),
        part=(_H_PART, entropy),
        steps=(
            *_GAIN_STEPS,
            *_NET_STEPS,
            Step(_COST, _score("split_information")),
            Step(_RATIO, _score("ratio")),
        ),
        with_missing=(
            *_GAIN_STEPS_KNOWN,
            *_NET_STEPS,
            Step(_tilde(_COST), _score("split_information")),
            Step(_RATIO, _score("ratio")),
        ),
        unit="",
        legend=(
            *_ENTROPY_LEGEND,
            (_COST, "the split information: the entropy of the answers themselves"),
            (_RATIO, "the gain ratio: the one divided by the other"),
        ),
    ),
    "gini_decrease": Formulas(
        called="Gini decrease",
        whole=((_GINI, gini),),
        part=(_GINI_PART, gini),
        steps=(Step(_GINI_INDEX, _score("gini_index"), "gini_index"), Step(_GINI_DECREASE, _score("gini_decrease"))),
        with_missing=(
            Step(_RHO[0], _known),
            Step(_tilde(_GINI), _of_known(gini)),
            Step(_tilde(_GINI_INDEX), _score("gini_index"), "gini_index"),
            Step(_tilde(_GINI_DECREASE), _of_rows(gini_decrease)),
            Step(_GINI_DECREASE, _score("gini_decrease")),
        ),
        unit="",
        legend=(
            *_ROWS,
            (_GINI, "how often two of them, drawn at random, have different classes"),
            (_GINI_INDEX, "the Gini index of A: what is left of it, on average, once the answer is known"),
            (_GINI_DECREASE, "what the answer takes away"),
        ),
    ),
    "variance_reduction": Formulas(
        called="variance reduction",
        whole=((_SSE, of_moments(sse)), (_VARIANCE, of_moments(variance))),
        part=(_VARIANCE_PART, unfolded(of_moments(variance))),
        steps=(Step(_SSE_LEFT, _score("split_error")), Step(_REDUCTION, _score("variance_reduction"))),
        with_missing=(
            Step(_RHO[0], _known_moments),
            Step(_tilde(_VARIANCE), _of_known(unfolded(of_moments(variance)))),
            Step(_tilde(_SSE_LEFT), _score("split_error")),
            Step(_tilde(_REDUCTION), _of_rows(_reduction)),
            Step(_REDUCTION, _score("variance_reduction")),
        ),
        unit="",
        legend=(
            *_MOMENTS_LEGEND,
            (_VARIANCE, "the same per row: their variance"),
            (_SSE_LEFT, "the sum that is left when each part has its own mean"),
            (_REDUCTION, "what the answer takes away of the variance"),
        ),
    ),
    "sample_variance_reduction": Formulas(
        called="variance reduction",
        whole=((_SSE, of_moments(sse)), (_SAMPLE_VARIANCE, of_moments(sample_variance))),
        part=(_SAMPLE_VARIANCE_PART, unfolded(of_moments(sample_variance))),
        steps=(Step(_SAMPLE_REDUCTION, _score("sample_variance_reduction")),),
        with_missing=(),
        unit="",
        legend=(
            *_MOMENTS_LEGEND,
            (_SAMPLE_VARIANCE, "the same divided by n − 1; 0 for a single row"),
            (_SAMPLE_REDUCTION, "what the answer takes away of it, which can be less than nothing"),
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

    def deviation(row: Any) -> Any:
        return absolute_deviation(row, shown)

    return Formulas(
        called="error reduction",
        whole=((_MEDIAN, lambda row: median(row, shown)), (_SAD, deviation)),
        part=(_SAD_PART, deviation),
        **_one_step(
            Step(_ERROR_REDUCTION, _score("absolute_error_reduction")),
            Step(_tilde(_SAD), _of_known(deviation)),
            lambda rows: absolute_error_reduction(rows, shown),
        ),
        unit="",
        legend=(
            *_ROWS,
            (_MEDIAN, "the median of their numbers: at most half of them are smaller, and at most half larger"),
            (_SAD, "the sum of the distances of their numbers from it"),
            (_ERROR_REDUCTION, "what the answer takes away of that sum, over their weight"),
        ),
    )


def costly_formulas(loss: Sequence[Sequence[Rational]]) -> Formulas:
    """How the Gini value with costs is derived.

    Args:
        loss: C(i|j), a row for each true class.
    """

    def value(row: Any) -> Any:
        return generalized_gini(row, loss)

    return Formulas(
        called="Gini decrease",
        whole=((_COSTLY, value),),
        part=(_COSTLY_PART, value),
        **_one_step(
            Step(_COSTLY_DECREASE, _score("gini_decrease")),
            Step(_tilde(_COSTLY), _of_known(value)),
            lambda rows: generalized_gini_decrease(rows, loss),
        ),
        unit="",
        legend=(
            *_ROWS,
            (_COSTLY, "what it costs on average to let one of them, drawn at random, answer for another"),
            (_COSTLY_DECREASE, "what the answer takes away of it"),
        ),
    )


def _one_step(last: Step, whole: Step, decrease: Callable[..., Any]) -> dict[str, Any]:
    """The steps where a decrease is found at once."""
    among_known = Step(_tilde(last.symbol), _of_rows(decrease))
    return {"steps": (last,), "with_missing": (Step(_RHO[0], _known), whole, among_known, last)}
