"""Whole rows: the rows of a sample partition as integers, in multiples of a unit.

Scores are computed from the integers. Most tests lose, and their rows are never multiplied by the units.

1. `WholeRows` are such rows, which are multiplied by the units when a row is read.
2. `branch_shares` is the fast form of the textbook function of this name, computed from the integers. Deferred weights
   arise from shares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from reference_tree.data.targets import Counts
from reference_tree.engine.deferred import deferred, quotient
from reference_tree.engine.long_weights import is_deferred
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.reals import Number
from reference_tree.measures.conditional_entropy import Table, by_outcome
from reference_tree.measures.entropy import total
from reference_tree.splitting import missing_values
from reference_tree.twins import fast_form_of

Places: TypeAlias = tuple[Sequence[int], int]
"""The columns in which some cells stand, and how many columns there are."""


class WholeRows(Sequence[Counts]):
    """The rows of a sample partition in whole units; reading a row multiplies it by the units.

    Args:
        whole: the rows.
        units: the unit of each column.
        unknown: the counts of the rows that do not answer.
        places: the columns of the cells, and the number of all columns; None if there is a cell for every column.

    Example:
        >>> rows = WholeRows([(1, 2), (4, 0)], (Fraction(1, 2), Fraction(1, 2)))
        >>> rows[1], rows == ((Fraction(1, 2), 1), (2, 0))
        ((2, 0), True)
    """

    __slots__ = ("_rows", "places", "units", "unknown", "whole")

    def __init__(
        self, whole: Sequence[Counts], units: Sequence[Rational], unknown: Counts = (), places: Places | None = None
    ) -> None:
        self.whole, self.units, self.unknown, self.places = whole, units, unknown, places
        self._rows: tuple[Counts, ...] | None = None

    @property
    def rows(self) -> tuple[Counts, ...]:
        """The rows, multiplied by their units."""
        if self._rows is None:
            self._rows = tuple([spread(map(times, row, self.units), self.places) for row in self.whole])
        return self._rows

    def __getitem__(self, place: Any) -> Any:
        return self.rows[place]

    def __len__(self) -> int:
        return len(self.whole)

    def __iter__(self) -> Iterator[Counts]:
        return iter(self.rows)

    def __eq__(self, other: object) -> bool:
        return self.rows == tuple(other) if isinstance(other, tuple | WholeRows) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.rows)

    def __repr__(self) -> str:
        return repr(self.rows)


def spread(cells: Iterable[Rational], places: Places | None) -> Counts:
    """A full row with the given cells at their columns, and 0 elsewhere.

    Example:
        >>> spread([5, 7], ([1, 3], 4)), spread([5, 7], None)
        ((0, 5, 0, 7), (5, 7))
    """
    if places is None:
        return tuple(cells)
    row: list[Rational] = [0] * places[1]
    for place, cell in zip(places[0], cells, strict=True):
        row[place] = cell
    return tuple(row)


def times(whole: Rational, unit: Rational) -> Rational:
    """A multiple of a unit, as an integer where the product is one.

    Example:
        >>> times(4, Fraction(1, 2)), times(3, Fraction(1, 2))
        (2, Fraction(3, 2))
    """
    if type(unit) is int:
        return whole * unit
    if type(whole) is int:
        numerator, denominator = unit.as_integer_ratio()
        return simplest(Fraction(whole * numerator, denominator))
    return whole * unit if is_deferred(whole) else simplest(Fraction(whole) * unit)


@fast_form_of(missing_values.branch_shares)
def branch_shares(table: Table) -> list[Number]:
    """The share of each answer among the rows whose answer is known; a long share is deferred."""
    if isinstance(table, WholeRows):
        whole = list(map(sum, table.whole))
        return [deferred(Fraction(weight, sum(whole))) for weight in whole]
    known = by_outcome([[sum(row)] for row in table])  # summed as integers where possible: fractions would be slow
    n = total(known)
    return [quotient(weight, n) for weight in known]
