"""Formulas: for each score that a learner judges by, the steps that lead to it, each with its general form.

No figure is computed here: the measures are evaluated on worked numbers, which record their derivation (`scored`).

1. A `FormulaStep` is a quantity and its general formula. `Formulas` has the impurity of the whole sample and of a part,
   and the steps to the score; `formulas` adds the steps for missing answers.
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
from reference_tree.measures.conditional_entropy import by_class
from reference_tree.measures.measure import Measure, measures
from reference_tree.measures.misclassification import (
    generalized_gini,
    generalized_gini_decrease,
)
from reference_tree.measures.variance import SSE, Moments
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.missing_values import known_fraction
from reference_tree.views.derivation.blocks import Equation, Meaning, Symbol, symbol
from reference_tree.views.derivation.notation import opened

Impurity: TypeAlias = Callable[[Any], Any]
"""A formula for one row of a table."""


class Scored(NamedTuple):
    """A candidate in worked numbers: its table, and every score that the learner gave it."""

    table: Partition
    scores: Mapping[str, Any]


class FormulaStep(NamedTuple):
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
    def of(cls, definition: str, meaning: str, quantity: Callable[[Any], Any] | str, unit: str = "") -> FormulaStep:
        r"""A step by its definition.

        Args:
            definition: `symbol = formula`.
            meaning: the quantity in words.
            quantity: how it is computed; or the name of a score, which is taken from the learner if a candidate has it.
            unit: `bits`, or empty.

        Example:
            >>> print(FormulaStep.of("R(D) = 1 − max_k p_k", "the share of the mistakes", len).general.tex)
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

    def among_known(self, quantity: Callable[[Any], Any] | None = None) -> FormulaStep:
        """This quantity for the rows with a value: D̃ in place of D."""
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
    whole: tuple[FormulaStep, ...]
    """The last is the impurity; those before it become figures of each part in the table."""
    steps: tuple[FormulaStep, ...]
    with_missing: tuple[FormulaStep, ...]
    """The steps for a candidate whose answer is missing in some rows."""
    measure: Callable[..., Any] | None = None
    """The measure whose value for the rows of a table is the score, if the score needs more than the table."""

    @property
    def score(self) -> FormulaStep:
        """The score of tests."""
        return self.steps[-1]

    @property
    def legend(self) -> Iterator[Meaning]:
        """The general formulas."""
        definitions = [step.definition for step in (*self.whole, *self.steps) if step not in _NET]
        yield _ROWS
        if len(self.whole) < 2:  # for numbers, the mean or median comes first
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
        yield lessened, "where values are missing: times the share of the rows with a known value"

    @property
    def with_gain(self) -> FormulaStep:
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
    whole: tuple[FormulaStep, ...],
    steps: tuple[FormulaStep, ...],
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
    missing = (FormulaStep(_RHO, _RHO, "", share), *among, last.among_known(of_rows(decrease)), last)
    return Formulas(called, whole, steps, missing)


def _of_known(step: FormulaStep) -> FormulaStep:
    return step.among_known(lambda scored: step.quantity([work(c.value) for c in by_class(scored.table.rows)]))


_ROWS = (symbol("D, D_i, |D|"), "the rows at a node; those with outcome i of a test A; their number or weight")
_CLASS = (symbol("C_k, p_k = |C_k|/|D|"), "the rows of class k, and their share; a class without a row adds 0 to a sum")
_ANSWER = (symbol("r_i = |D_i|/|D|"), "the share of the i-th outcome")
_RHO = symbol("ρ")
RATE = symbol("r̃_i")
_MISSING = (
    (symbol("D̃, D̃_i"), "the rows of D with a known value; those with the i-th outcome"),
    (symbol("ρ = |D̃|/|D|"), "the share of the rows with a known value, by weight"),
    (
        symbol("p̃_k, r̃_i"),
        "the shares of class k and of the i-th outcome among D̃; a measure of D̃ is the same by these shares",
    ),
)


# The sheet of formulas.

AVERAGE = FormulaStep.of(
    "ḡ = Σ_A g(D, A) / m",
    "the average gain of the m attributes that can be tested; an attribute whose gain is below it may not win",
    lambda gains: sum(gains) / len(gains),
    "bits",
)
"""The bound that an attribute's gain must reach before it competes by its ratio."""

_NET = (
    FormulaStep.of("c(D, A) = log2(N) / |D|", "the penalty for the choice of the cut among N", "penalty", "bits"),
    FormulaStep.of(
        "g'(D, A) = g(D, A) − c(D, A)", "the gain less the penalty, in place of the gain", "net_gain", "bits"
    ),
)
CHARGED = tuple(step.definition for step in _NET)
"""The formulas of the penalty, for a dialect that has one."""

SPLIT_INFORMATION: Mapping[str, Meaning] = {
    "of-known": (symbol("H_A(D̃)"), "takes the place of H_A(D) in the ratio where values are missing"),
    "with-unknown": (symbol("H_A(D)"), "has one more part where values are missing: the rows without a known value"),
}
"""The divisor of the gain if answers are missing, by the rule for it."""


def _over_all(scored: Scored) -> bool:
    """Whether "unknown" counts as one more answer in the split information."""
    return bool(scored.scores["split_information"].name == "split_information_with_unknown")


def of_moments(formula: Callable[[Moments], Number]) -> Impurity:
    """A formula of moments, as a formula of their row."""
    return lambda row: formula(Moments(*row))


def _known_moments(scored: Scored) -> Any:
    """The share of the rows that answer, from moments: the first of each is the weight."""
    return known_fraction([row[:1] for row in scored.table.rows], scored.table.unknown[:1])


def formulas_of(measure: Measure) -> Formulas:
    """The derivation of a score, from its record.

    Args:
        measure: the record of a measure of classes or of moments.
    """
    in_moments = measure.counted == "moments"
    adapted = of_moments if in_moments else lambda formula: formula
    whole = tuple(FormulaStep.of(*one)._replace(quantity=adapted(one.of)) for one in measure.whole)
    steps = tuple(
        FormulaStep.of(*(one if isinstance(one.of, str) else one._replace(of=of_rows(one.of)))) for one in measure.steps
    )
    if measure.name == "ratio":
        return _with_charges(measure.called, *steps[-2:])
    share = _known_moments if in_moments else known_share
    decrease = (lambda rows: measure.of([Moments(*row) for row in rows])) if in_moments else measure.of
    return formulas(measure.called, whole, steps, decrease, share, skipped=1 if in_moments else 0)


def _with_charges(called: str, cost: FormulaStep, ratio: FormulaStep) -> Formulas:
    """The derivation of the ratio, with the penalty of a dialect behind the gain, and either form of the divisor."""
    of_gain = formulas_of(measures()["gain"])
    costs = (cost._replace(needs=_over_all), cost.among_known()._replace(needs=lambda scored: not _over_all(scored)))
    with_missing = (*of_gain.with_missing, *_NET, *costs, ratio)
    return Formulas(called, of_gain.whole, (*of_gain.steps, *_NET, cost, ratio), with_missing)


FORMULAS: Mapping[str, Formulas] = {
    name: formulas_of(measure)
    for name, measure in measures().items()
    if measure.called and measure.counted != "numbers"
}
"""The derivation of each score that needs nothing but a table."""


def absolute_error_formulas(numbers: Sequence[Rational]) -> Formulas:
    """The derivation of the absolute error."""
    record, shown = measures()["absolute_error_reduction"], work(numbers)
    middle, sad = (FormulaStep.of(*one)._replace(quantity=partial(one.of, numbers=shown)) for one in record.whole)
    middle = middle._replace(general=Symbol("median of y", r"\text{median of } y"))
    (last,) = (FormulaStep.of(*one) for one in record.steps)
    measure = partial(record.of, numbers=shown)
    return formulas(record.called, (middle, sad), (last,), measure)._replace(measure=measure)


def costly_formulas(loss: Sequence[Sequence[Rational]]) -> Formulas:
    """The derivation of the Gini value with costs."""
    whole = FormulaStep.of(
        "Gini_C(D) = Σ_j Σ_k C(k|j)·p_j·p_k",
        "the average cost of predicting for one of them the class of another one, drawn at random",
        lambda row: generalized_gini(row, loss),
    )
    last = FormulaStep.of(
        "ΔGini_C(D, A) = Gini_C(D) − Σ_i r_i·Gini_C(D_i)", "its decrease by the test", "gini_decrease"
    )
    measure = partial(generalized_gini_decrease, loss=loss)
    return formulas("Gini decrease", (whole,), (last,), measure)._replace(measure=measure)


_RISKS: Mapping[str, Symbol] = {
    "misclassification": symbol("|D| − max_k |C_k|"),
    "gini": symbol("|D|·(1 − Σ_k p_k²)"),
    "entropy": symbol("|D|·Σ_k p_k·log2(1/p_k)"),
    "squared_error": FormulaStep.of(*SSE).general,
}


def in_full(risk: Worked) -> Worked:
    """A risk |D|·H(D) with its impurity written out."""
    body = opened(risk)
    return body if body.operation != "*" else Worked(body.value, "*", tuple(map(opened, body.operands)))


def saving_formulas(risk: str, alpha: Rational) -> Formulas:
    """The derivation of the saving by a test of the optimal tree."""
    unit, price = "bits" if risk == "entropy" else "", decimal_text(alpha)
    whole = FormulaStep(
        symbol("R(D)"), _RISKS[risk], "their errors as a leaf", lambda row: in_full(RISKS[risk].of(row)), unit
    )
    steps = (
        FormulaStep.of(
            "C(D, A) = Σ_i C(D_i)",
            f"the least cost of a tree for them whose first test is A: R of each leaf, and α = {price} for each leaf",
            "cost",
            unit,
        ),
        FormulaStep.of(
            "leaves(D, A) = Σ_i leaves(D_i)",
            "the number of leaves of the smallest such tree",
            "leaves",
        ),
        FormulaStep.of("saving(D, A) = R(D) + α − C(D, A)", "the saving of that tree over a leaf", "saving", unit),
    )
    before = FORMULAS["variance_reduction"].whole[:1] if risk == "squared_error" else ()
    return Formulas("saving", (*before, whole), steps, steps)
