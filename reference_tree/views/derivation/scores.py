"""Scores: how the derivation of a score is put together, from the whole sample to the figure that decides.

No figure is computed here. The measures run on worked numbers and derive themselves; what their steps are called, and
how the general formula of each reads, is said for each score in `formulas`.

1. `scored` runs a candidate's own scores on worked numbers.
2. A `Step` is a quantity with its general formula. `Formulas` has the impurity of the whole sample and of a part, and
   the steps to the score; `formulas` adds to them those where answers are missing.
3. `Formulas.legend` has the general formulas, `Formulas.equations` the steps that a candidate needs: some are there
   only where answers are missing, or where a dialect charges for something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.sample import Partition
from reference_tree.exact.log_sums import Number
from reference_tree.exact.worked import Worked, work
from reference_tree.measures.conditional_entropy import by_class
from reference_tree.splitting.candidate import Candidate
from reference_tree.splitting.missing_values import known_fraction
from reference_tree.views.derivation.blocks import Equation, Meaning, Symbol, symbol

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

    @classmethod
    def of(
        cls, definition: str, meaning: str, quantity: Callable[[Any], Any] | str, unit: str = "", tex: str = ""
    ) -> Step:
        r"""A step by its definition.

        Args:
            definition: `symbol = formula`.
            meaning: what it is, in words.
            quantity: how it is computed; or the name of a score, as the learner computes it, if a candidate has it.
            unit: `bits`, or nothing.
            tex: the definition in TeX, where that does not follow from the text.

        Example:
            >>> print(Step.of("R(D) = 1 − max_k p_k", "the share of the mistakes", len).general.tex)
            1 - \max_k p_k
        """
        name, _, formula = definition.partition(" = ")
        names = tex.partition(" = ") if tex else (symbol(name).tex, "", symbol(formula).tex)
        both = Symbol(name, names[0]), Symbol(formula, names[2])
        if not isinstance(quantity, str):
            return cls(*both, meaning, quantity, unit)
        score = quantity
        return cls(*both, meaning, lambda scored: scored.scores[score], unit, lambda scored: score in scored.scores)

    @property
    def definition(self) -> Meaning:
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
    charges: tuple[Step, ...] = ()
    """Those of the steps that are there only if a dialect charges for something: they have a legend of their own."""
    measure: Callable[..., Any] | None = None
    """The measure of the rows of a table that is the score, where it needs more than the table."""

    @property
    def score(self) -> Step:
        """What questions are judged by."""
        return self.steps[-1]

    @property
    def legend(self) -> Iterator[Meaning]:
        """The general formulas."""
        definitions = [step.definition for step in (*self.whole, *self.steps) if step not in self.charges]
        yield _ROWS
        if len(self.whole) == 1:  # of numbers, the mean or median comes first
            yield _CLASS
        if any("r_i" in symbol.text for symbol, _ in definitions):
            yield _ANSWER
        yield from definitions

    @property
    def legend_of_missing(self) -> Iterator[Meaning]:
        """What is different where answers are missing."""
        yield from _MISSING
        name, known = self.with_gain.symbol, among_known(self.with_gain.symbol)
        yield (
            Symbol(f"{name.text} = ρ·{known.text}", rf"{name.tex} = \rho \cdot {known.tex}"),
            "where answers are missing: to the extent of the rows that answer",
        )

    @property
    def with_gain(self) -> Step:
        """The step of which only the share ρ counts where answers are missing: the first that is still one of D."""
        return next(step for step in self.steps if step in self.with_missing)

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


def of_rows(formula: Callable[..., Number]) -> Callable[[Scored], Any]:
    """A formula of the answers that are known."""
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
    """How a score is derived; where answers are missing first for the rows that answer, and then for all.

    Args:
        called: the score in a sentence.
        whole: the impurity of the whole sample, after what it is made of.
        steps: from there to the score, which is what the impurity decreases by.
        decrease: the measure of that decrease, for the rows of a table.
        share: the share of the rows that answer.
        skipped: how many steps of the whole are not shown for the rows that answer.
    """
    *inner, last = steps
    among = (*map(_of_known, whole[skipped:]), *(step.among_known() for step in inner))
    missing = (Step(_RHO, _RHO, "", share), *among, last.among_known(of_rows(decrease)), last)
    return Formulas(called, whole, steps, missing)


def _of_known(step: Step) -> Step:
    return step.among_known(lambda scored: step.quantity([work(c.value) for c in by_class(scored.table.rows)]))


_ROWS = (symbol("D, D_i"), "the rows that reach a node; those that give the i-th answer to a question A")
_CLASS = (symbol("p_k = |C_k|/|D|"), "the share of class k in their weight")
_ANSWER = (symbol("r_i = |D_i|/|D|"), "the share of the i-th answer in their weight")
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
