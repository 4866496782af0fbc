"""The record of a measure: everything that is known about a score by which tests are compared.

A measure is one module of this folder: its formulas, and below them its record, a `Measure`. The learners, the goldens,
the derivations, the help and the pages are views of the records, so a new measure is one new file.

1. `Quantity` is a step of the derivation of a score: its definition, in words, and as a function.
2. `Measure` is the record: the table of the score, its names, its derivation, the laws that hold.
3. `measures` has all records of the folder, by the name of the score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from reference_tree.exact.rationals import Rational
from reference_tree.records import records

Counted: TypeAlias = Literal["classes", "moments", "numbers"]
"""The columns of the table of a measure: the weight of each class; w, wy and wy²; or the weight of each number."""


class Quantity(NamedTuple):
    """A step of the derivation of a score.

    Example:
        >>> Quantity("R(D) = 1 − max_k p_k", "the share of the mistakes", max).symbol
        'R(D)'
    """

    definition: str
    """`symbol = formula`, D being the rows at a node, D_i those with outcome i of a test A."""
    meaning: str
    """The quantity in words."""
    of: Any
    """A function of a row of the table, or of all rows; or the name of a score."""
    unit: str = ""
    """`bits`, or empty."""

    @property
    def symbol(self) -> str:
        """The left side of the definition."""
        return self.definition.partition(" = ")[0]


# `eq=False`: there is one record of a measure, and it is compared by identity.
@dataclass(frozen=True, eq=False, kw_only=True)
class Measure:
    """A score of a test, computed from its sample partition.

    Args:
        name: the name of the score in goldens and derivations.
        of: the formula: a function of the rows of the table, with `numbers` also of the numbers of its columns.
        counted: the columns of the table.
        decreases: whether it is a decrease of impurity, to be multiplied by ρ, the share of the rows with a value.
        rule: the id of the rule that compares tests by it; empty if none does.
        called: the score in a sentence.
        criterion: the name under which CART has it; empty if it has not.
        beside: the names of scores that are shown before it.
        least: the least weight of a branch for which it is defined.
        strictly_concave: whether its impurity is strictly concave, so that the best subset of the values of an
            attribute is a cut of their order (`reference_tree.splitting.ordered_subsets`).
        two_sides: whether it is defined for tests with two outcomes alone.
        whole: the steps to the impurity of the whole sample, which is the last; each is a function of a row. There are
            none if the measure compares the parts without an impurity.
        steps: the steps from there to the score, which is the last.
    """

    name: str
    of: Callable[..., Any]
    counted: Counted = "classes"
    decreases: bool = True
    rule: str = ""
    called: str = ""
    criterion: str = ""
    beside: tuple[str, ...] = ()
    least: Rational = 0
    strictly_concave: bool = False
    two_sides: bool = False
    whole: tuple[Quantity, ...] = ()
    steps: tuple[Quantity, ...] = ()

    @property
    def scores(self) -> tuple[str, ...]:
        """The names of the scores of a candidate that is judged by it; the last one decides."""
        return (*self.beside, self.name)


@cache
def measures() -> Mapping[str, Measure]:
    """All records of this folder, by the name of the score: measures of classes, then of numbers.

    Example:
        >>> measures()["gini_decrease"].criterion
        'gini'
    """
    # The sort is stable: measures of one kind of table stay in the order of their modules.
    order = get_args(Counted)
    return {record.name: record for record in sorted(records(Measure), key=lambda record: order.index(record.counted))}
