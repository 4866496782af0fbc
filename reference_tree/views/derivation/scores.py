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
from functools import partial
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
    """A quantity, how it follows from what is known, and what its symbol means."""

    symbol: Symbol
    quantity: Callable[[Any], Any]
    """A formula of a candidate in worked numbers; for the whole sample, of its row."""
    meaning: str = ""
    needs: str = ""
    """The score without which there is nothing to show."""


class Formulas(NamedTuple):
    """How a score is derived.

    The impurity of the whole sample comes first, that of each part stands in the table, and below it come the
    formulas that lead to the score, which is the last of them.
    """

    called: str
    """The score in a sentence."""
    whole: tuple[Step, ...]
    part: tuple[Symbol, Impurity]
    steps: tuple[Step, ...]
    with_missing: tuple[Step, ...]
    """The steps for a candidate whose answer is missing in some rows."""
    unit: str = ""
    about: tuple[tuple[Symbol, str], ...] = ()
    """What the columns of the table mean."""

    @property
    def score(self) -> Symbol:
        """What the score is called."""
        return self.steps[-1].symbol

    @property
    def legend(self) -> Iterator[tuple[Symbol, str]]:
        """What the letters mean."""
        yield from (*_ROWS, *self.about)
        yield from ((step.symbol, step.meaning) for step in (*self.whole, *self.steps) if step.meaning)

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


def _reduction(rows: Any, *, unbiased: bool = False) -> Any:
    return variance_reduction([Moments(*row) for row in rows], unbiased=unbiased)


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


# Formulas.


def _named(name: str, of: str, tex: str = "") -> Symbol:
    """A symbol with an upright name, which TeX may write in another way."""
    return Symbol(name + of, (tex or rf"\mathrm{{{name}}}") + of)


def _of_part(step: Step) -> Symbol:
    """The same quantity of a part: D_i in the place of D."""
    return Symbol(*(name.replace("(D)", "(D_i)") for name in step.symbol))


def _tilde(step: Step, quantity: Callable[[Scored], Any] | None = None) -> Step:
    """The same quantity of the rows whose answer is known: D̃ in the place of D."""
    symbol = Symbol(step.symbol.text.replace("(D", "(D̃"), step.symbol.tex.replace("(D", r"(\tilde D"))
    return step._replace(symbol=symbol, quantity=quantity or step.quantity)


def _among_known(
    whole: Step, of_part: Impurity, last: Step, decrease: Callable[..., Any], *inner: Step, share: Step | None = None
) -> tuple[Step, ...]:
    """The steps where answers are missing: first those of the rows that answer, and what they come to for all."""
    first = (share or Step(_RHO[0], _known), _tilde(whole, _of_known(of_part)))
    return (*first, *map(_tilde, inner), _tilde(last, _of_rows(decrease)), last)


_ROWS = (
    (Symbol("D", "D"), "the rows that reach a node"),
    (Symbol("D_i", "D_i"), "those of them that give the i-th answer"),
)
_RHO = (Symbol("ρ", r"\rho"), "the share of the rows whose answer is known")
_MOMENTS = (
    (
        Symbol("n, Σy, Σy²", r"n, \Sigma y, \Sigma y^2"),
        "how many they are, the sum of their numbers, and of the squares",
    ),
)

MISSING = ((Symbol("D̃", r"\tilde D"), "those of the rows whose answer is known"), _RHO)
"""What is meant where answers are missing."""

PENALTY = (Symbol("c(D, A)", "c(D, A)"), "what is charged for having chosen the cut among many")
"""What is meant by the charge, where a dialect makes one."""

ROUNDED = (
    Symbol("≈", r"\approx"),
    "rounded to six decimals, for the reader: every decision is made on the exact value",
)
"""What is meant by the one sign that is not exact."""

_H = Step(Symbol("H(D)", "H(D)"), entropy, "the entropy of their classes")
_LEFT = Step(
    Symbol("H(D|A)", r"H(D \mid A)"),
    _of_rows(conditional_entropy),
    "what is left of it, on average, once the answer to A is known",
)
_GAIN = Step(Symbol("g(D, A)", "g(D, A)"), _score("gain"), "the information gain of A: what the answer takes away")
_NET = (
    Step(PENALTY[0], _score("penalty"), needs="penalty"),
    Step(Symbol("g(D, A) − c", "g(D, A) - c"), _score("net_gain"), needs="net_gain"),
)
_COST = Step(
    Symbol("H_A(D)", "H_{A}(D)"),
    _score("split_information"),
    "the split information: the entropy of the answers themselves",
)
_RATIO = Step(Symbol("g_R(D, A)", "g_R(D, A)"), _score("ratio"), "the gain ratio: the one divided by the other")
_GAIN_AMONG_KNOWN = _among_known(_H, entropy, _GAIN, information_gain, _LEFT)

_GINI = Step(_named("Gini", "(D)"), gini, "how often two of them, drawn at random, have different classes")
_GINI_INDEX = Step(
    _named("Gini", "(D, A)"),
    _score("gini_index"),
    "the Gini index of A: what is left of it, on average, once the answer is known",
    needs="gini_index",
)
_GINI_DECREASE = Step(
    _named("ΔGini", "(D, A)", r"\Delta \mathrm{Gini}"), _score("gini_decrease"), "what the answer takes away"
)

_SSE = Step(_named("SSE", "(D)"), of_moments(sse), "the sum of their squared distances from their mean")
_VARIANCE = Step(_named("σ²", "(D)", r"\sigma^2"), of_moments(variance), "the same per row: their variance")
_SSE_LEFT = Step(_named("SSE", "(D, A)"), _score("split_error"), "the sum that is left when each part has its own mean")
_REDUCTION = Step(
    _named("Δσ²", "(D, A)", r"\Delta \sigma^2"),
    _score("variance_reduction"),
    "what the answer takes away of the variance",
)
_SAMPLE_VARIANCE = Step(
    _named("s²", "(D)", "s^2"), of_moments(sample_variance), "the same divided by n − 1; 0 for a single row"
)
_SAMPLE_REDUCTION = Step(
    _named("Δs²", "(D, A)", r"\Delta s^2"),
    _score("sample_variance_reduction"),
    "what the answer takes away of it, which can be less than nothing",
)
_SHARE_OF_MOMENTS = Step(_RHO[0], _known_moments)

FORMULAS: Mapping[str, Formulas] = {
    "gain": Formulas("gain", (_H,), (_of_part(_H), entropy), (_LEFT, _GAIN), _GAIN_AMONG_KNOWN, "bits"),
    "ratio": Formulas(
        "ratio",
        (_H,),
        (_of_part(_H), entropy),
        (_LEFT, _GAIN, *_NET, _COST, _RATIO),
        (*_GAIN_AMONG_KNOWN, *_NET, _tilde(_COST), _RATIO),
    ),
    "gini_decrease": Formulas(
        "Gini decrease",
        (_GINI,),
        (_of_part(_GINI), gini),
        (_GINI_INDEX, _GINI_DECREASE),
        _among_known(_GINI, gini, _GINI_DECREASE, gini_decrease, _GINI_INDEX),
    ),
    "variance_reduction": Formulas(
        "variance reduction",
        (_SSE, _VARIANCE),
        (_of_part(_VARIANCE), unfolded(of_moments(variance))),
        (_SSE_LEFT, _REDUCTION),
        _among_known(
            _VARIANCE, unfolded(of_moments(variance)), _REDUCTION, _reduction, _SSE_LEFT, share=_SHARE_OF_MOMENTS
        ),
        about=_MOMENTS,
    ),
    "sample_variance_reduction": Formulas(
        "variance reduction",
        (_SSE, _SAMPLE_VARIANCE),
        (_of_part(_SAMPLE_VARIANCE), unfolded(of_moments(sample_variance))),
        (_SAMPLE_REDUCTION,),
        _among_known(
            _SAMPLE_VARIANCE,
            unfolded(of_moments(sample_variance)),
            _SAMPLE_REDUCTION,
            partial(_reduction, unbiased=True),
            share=_SHARE_OF_MOMENTS,
        ),
        about=_MOMENTS,
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

    middle = Step(
        _named("ỹ", "(D)", r"\tilde y"),
        lambda row: median(row, shown),
        "the median of their numbers: at most half of them are smaller, and at most half larger",
    )
    sad = Step(_named("SAD", "(D)"), deviation, "the sum of the distances of their numbers from it")
    last = Step(
        _named("ΔSAD", "(D, A)", r"\Delta \mathrm{SAD}"),
        _score("absolute_error_reduction"),
        "what the answer takes away of that sum, over their weight",
    )
    among_known = _among_known(sad, deviation, last, lambda rows: absolute_error_reduction(rows, shown))
    return Formulas("error reduction", (middle, sad), (_of_part(sad), deviation), (last,), among_known)


def costly_formulas(loss: Sequence[Sequence[Rational]]) -> Formulas:
    """How the Gini value with costs is derived.

    Args:
        loss: C(i|j), a row for each true class.
    """

    def value(row: Any) -> Any:
        return generalized_gini(row, loss)

    whole = Step(
        _named("Gini_C", "(D)", r"\mathrm{Gini}_C"),
        value,
        "what it costs on average to let one of them, drawn at random, answer for another",
    )
    last = Step(
        _named("ΔGini_C", "(D, A)", r"\Delta \mathrm{Gini}_C"),
        _score("gini_decrease"),
        "what the answer takes away of it",
    )
    among_known = _among_known(whole, value, last, lambda rows: generalized_gini_decrease(rows, loss))
    return Formulas("Gini decrease", (whole,), (_of_part(whole), value), (last,), among_known)
