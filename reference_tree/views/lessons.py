"""Lessons: for each score that a learner judges by, which formulas lead to it.

No formula is written here. The measures run on worked numbers and derive themselves; a lesson only says in what order
they go on the board, what they are called there, and what the letters mean.

1. `scored` runs a candidate's own scores on worked numbers.
2. `LESSONS` has a lesson for each score: the impurity of the whole and of a part, and the steps to the score. Two need
   more than a table, the numbers behind its columns or what mistakes cost, and are made with it.
3. `Lesson.equations` are the steps that a candidate needs: some are there only where answers are missing, or where a
   dialect charges for something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.sample import Counts, Partition
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.worked import Worked, work
from reference_tree.measures.absolute_error import absolute_deviation
from reference_tree.measures.conditional_entropy import by_class, conditional_entropy
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gini_index import gini, gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.misclassification import generalized_gini
from reference_tree.measures.variance import Moments, sample_variance, sse, variance, variance_reduction
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.missing_values import known_fraction
from reference_tree.views.blocks import Equation, Symbol

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


class Lesson(NamedTuple):
    """How a score is put on the board.

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
        """What the score is called on the board."""
        return self.steps[-1].symbol

    def equations(self, name: str, scored: Scored) -> Iterator[Equation]:
        """The steps to the score of a candidate.

        Args:
            name: of the candidate.
            scored: its table and its scores.
        """
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
    table = Partition(
        candidate.table.outcomes,
        tuple(tuple(work(row)) for row in candidate.table.rows),
        _worked(candidate.table.unknown),
    )
    charged: dict[str, Any] = {} if penalty is None else {"penalty": penalty}
    return Scored(table, replace(candidate, table=table, **charged).scores)


def _worked(counts: Counts) -> Any:
    return tuple(work(counts))


# Where a step finds its quantity.


def _of_rows(formula: Callable[..., Number]) -> Callable[[Scored], Any]:
    """A formula of the answers that are known."""
    return lambda scored: formula(scored.table.rows)


def _score(name: str) -> Callable[[Scored], Any]:
    """A score, as the learner computes it."""
    return lambda scored: scored.scores[name]


def _known(scored: Scored) -> Any:
    return known_fraction(scored.table.rows, scored.table.unknown)


def _entropy_of_known(scored: Scored) -> Any:
    return entropy([work(known.value) for known in by_class(scored.table.rows)])


# The same of moments.


def _of_moments(formula: Callable[[Moments], Number]) -> Impurity:
    return lambda row: formula(Moments(*row))


def _known_moments(scored: Scored) -> Any:
    """The share of the rows that answer: their weights are the first moments."""
    return known_fraction([row[:1] for row in scored.table.rows], scored.table.unknown[:1])


def _reduction_of_known(scored: Scored) -> Any:
    return variance_reduction([Moments(*row) for row in scored.table.rows])


def _reduction_with_missing(scored: Scored) -> Any:
    return _known_moments(scored) * _reduction_of_known(scored)


def _unfolded(formula: Impurity) -> Impurity:
    """A formula whose own steps are written into it, instead of what they come to."""

    def unfolded(row: Any) -> Any:
        quantity = formula(row)
        return Worked(quantity.value, "quantity", (_open(quantity.operands[0]),), quantity.name)

    return unfolded


def _open(expression: Worked) -> Worked:
    operands = [one.operands[0] if one.operation == "quantity" else one for one in expression.operands]
    return Worked(expression.value, expression.operation, operands, expression.name)


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
_SAD = Symbol("SAD(D)", r"\mathrm{SAD}(D)")

_GAIN_STEPS_KNOWN = (
    Step(_RHO[0], _known),
    Step(Symbol("H(D̃)", r"H(\tilde D)"), _entropy_of_known),
    Step(Symbol("H(D̃|A)", r"H(\tilde D \mid A)"), _of_rows(conditional_entropy)),
    Step(Symbol("g(D̃, A)", r"g(\tilde D, A)"), _of_rows(information_gain)),
    Step(_GAIN, _score("gain")),
)
_NET_STEPS = (Step(_PENALTY, _score("penalty"), "penalty"), Step(_NET, _score("net_gain"), "net_gain"))
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
        steps=(Step(_LEFT, _of_rows(conditional_entropy)), Step(_GAIN, _score("gain"))),
        with_missing=_GAIN_STEPS_KNOWN,
        unit="bits",
        legend=(_ROWS, _PARTS, *_ENTROPY_LEGEND),
    ),
    "ratio": Lesson(
        called="ratio",
        whole=((_H, entropy),),
        part=(_H_PART, entropy),
        steps=(
            Step(_LEFT, _of_rows(conditional_entropy)),
            Step(_GAIN, _score("gain")),
            *_NET_STEPS,
            Step(_COST, _score("split_information")),
            Step(_RATIO, _score("ratio")),
        ),
        with_missing=(
            *_GAIN_STEPS_KNOWN,
            *_NET_STEPS,
            Step(Symbol("H_A(D̃)", r"H_{A}(\tilde D)"), _score("split_information")),
            Step(_RATIO, _score("ratio")),
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
        steps=(Step(_GINI_INDEX, _score("gini_index"), "gini_index"), Step(_GINI_DECREASE, _score("gini_decrease"))),
        with_missing=(
            Step(_RHO[0], _known),
            Step(Symbol("Gini(D̃, A)", r"\mathrm{Gini}(\tilde D, A)"), _score("gini_index"), "gini_index"),
            Step(Symbol("ΔGini(D̃, A)", r"\Delta \mathrm{Gini}(\tilde D, A)"), _of_rows(gini_decrease)),
            Step(_GINI_DECREASE, _score("gini_decrease")),
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
        whole=((_SSE, _of_moments(sse)), (_VARIANCE, _of_moments(variance))),
        part=(_VARIANCE_PART, _unfolded(_of_moments(variance))),
        steps=(Step(_SSE_LEFT, _score("split_error")), Step(_REDUCTION, _score("variance_reduction"))),
        with_missing=(
            Step(_RHO[0], _known_moments),
            Step(Symbol("SSE(D̃, A)", r"\mathrm{SSE}(\tilde D, A)"), _score("split_error")),
            Step(Symbol("Δσ²(D̃, A)", r"\Delta \sigma^2(\tilde D, A)"), _reduction_of_known),
            Step(_REDUCTION, _reduction_with_missing),
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
        whole=((_SSE, _of_moments(sse)), (_SAMPLE_VARIANCE, _of_moments(sample_variance))),
        part=(_SAMPLE_VARIANCE_PART, _unfolded(_of_moments(sample_variance))),
        steps=(Step(_SAMPLE_REDUCTION, _score("sample_variance_reduction")),),
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
    """The lesson of the absolute error. Medians are found by looking, so here the deviations are given as numbers.

    Args:
        numbers: for each column of a table the number that it counts.
    """

    def deviation(row: Any) -> Any:
        return work(simplest(Fraction(absolute_deviation([one.value for one in row], numbers))))

    def reduction(scored: Scored) -> Any:
        rows = [row for row in scored.table.rows if any(row)]
        whole = by_class(scored.table.rows)
        taken = (deviation(whole) - sum(map(deviation, rows))) / work(sum(known.value for known in whole))
        return _known(scored) * taken if any(map(bool, scored.table.unknown)) else taken

    steps = (Step(Symbol("ΔSAD(D, A)", r"\Delta \mathrm{SAD}(D, A)"), reduction),)
    return Lesson(
        called="error reduction",
        whole=((_SAD, deviation),),
        part=(Symbol("SAD(D_i)", r"\mathrm{SAD}(D_i)"), deviation),
        steps=steps,
        with_missing=(Step(_RHO[0], _known), *steps),
        unit="",
        legend=(
            _ROWS,
            _PARTS,
            (_SAD, "the sum of the distances of their numbers from the median"),
            (steps[0].symbol, "what the answer takes away of it, per row"),
        ),
    )


def costly_lesson(loss: Sequence[Sequence[Rational]]) -> Lesson:
    """The lesson of the Gini value with costs.

    Args:
        loss: C(i|j), a row for each true class.
    """
    whole, part = Symbol("Gini_C(D)", r"\mathrm{Gini}_C(D)"), Symbol("Gini_C(D_i)", r"\mathrm{Gini}_C(D_i)")
    steps = (Step(Symbol("ΔGini_C(D, A)", r"\Delta \mathrm{Gini}_C(D, A)"), _score("gini_decrease")),)

    def value(row: Any) -> Any:
        return generalized_gini(row, loss)

    return Lesson(
        called="Gini decrease",
        whole=((whole, value),),
        part=(part, value),
        steps=steps,
        with_missing=(Step(_RHO[0], _known), *steps),
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
