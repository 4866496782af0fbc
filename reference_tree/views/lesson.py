"""A lesson: how a score is put on the board.

No formula is written here. The measures run on worked numbers and derive themselves; a lesson only says in what order
they go on the board, what they are called there, and what the letters mean.

1. `scored` runs a candidate's own scores on worked numbers.
2. `Lesson.equations` are the steps that a candidate needs: some are there only where answers are missing, or where a
   dialect charges for something.
3. The rest is where a step can find its quantity: in the table, in the scores, in the moments of a numeric target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.sample import Counts, Partition
from reference_tree.exact.log_sums import Number
from reference_tree.exact.worked import Worked, work
from reference_tree.measures.conditional_entropy import by_class
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gini_index import gini
from reference_tree.measures.variance import Moments, variance, variance_reduction
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


def of_rows(formula: Callable[..., Number]) -> Callable[[Scored], Any]:
    """A formula of the answers that are known."""
    return lambda scored: formula(scored.table.rows)


def score(name: str) -> Callable[[Scored], Any]:
    """A score, as the learner computes it."""
    return lambda scored: scored.scores[name]


def known(scored: Scored) -> Any:
    """The share of the rows that answer."""
    return known_fraction(scored.table.rows, scored.table.unknown)


def entropy_of_known(scored: Scored) -> Any:
    """The entropy of the classes of those who answer."""
    return entropy([work(known.value) for known in by_class(scored.table.rows)])


def gini_of_known(scored: Scored) -> Any:
    """The Gini value of the classes of those who answer."""
    return gini([work(known.value) for known in by_class(scored.table.rows)])


# The same of moments.


def of_moments(formula: Callable[[Moments], Number]) -> Impurity:
    """A formula of moments."""
    return lambda row: formula(Moments(*row))


def known_moments(scored: Scored) -> Any:
    """The share of the rows that answer: their weights are the first moments."""
    return known_fraction([row[:1] for row in scored.table.rows], scored.table.unknown[:1])


def variance_of_known(scored: Scored) -> Any:
    """The variance of those who answer."""
    return unfolded(of_moments(variance))([work(known.value) for known in by_class(scored.table.rows)])


def reduction_of_known(scored: Scored) -> Any:
    """What a question takes from the variance of those who answer."""
    return variance_reduction([Moments(*row) for row in scored.table.rows])


def unfolded(formula: Impurity) -> Impurity:
    """A formula whose own steps are written into it, instead of what they come to."""

    def opened(row: Any) -> Any:
        quantity = formula(row)
        return Worked(quantity.value, "quantity", (_open(quantity.operands[0]),), quantity.name)

    return opened


def _open(expression: Worked) -> Worked:
    operands = [one.operands[0] if one.operation == "quantity" else one for one in expression.operands]
    return Worked(expression.value, expression.operation, operands, expression.name)
