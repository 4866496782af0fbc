"""Counted values: one integer for each row of a table, from which a row of s_ij is summed up.

1. `counted` gives the class of each row, or its y as a multiple of the largest common unit.
2. `derivatives` puts the first and second derivative of each row into one integer.
3. `Counted.sums` counts some rows, in whole units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import Any, NamedTuple

from reference_tree.data.targets import Classes, Gradients, Moments, Target
from reference_tree.engine.integer_columns import Columns, multiples
from reference_tree.engine.whole_rows import Places
from reference_tree.exact.rationals import Rational, simplest


class Counted(NamedTuple):
    """The counted value of each row."""

    target: Target
    of: Any
    """For each row the column of the target that counts it; or y, as a multiple of `y_unit`; or g and h in one."""
    y_unit: Rational = 1
    """The unit that all y are multiples of."""

    width: int = 0
    """The number of columns that are counted."""
    units: Sequence[Rational] = ()
    """The unit of each column, for rows that weigh 1; empty if all units are 1."""
    shift: int = 0
    """For derivatives, g and h are one number, g·2^shift + h."""
    places: Places | None = None
    """The columns of the target that are counted, None for all. The other columns are 0 in every row."""

    def sums(self, cells: Sequence[int], weights: Sequence[int] | None) -> list[int]:
        """The row of s_ij of some rows of the data, in whole units.

        Args:
            cells: the counted value of each row.
            weights: the weight of each row; None if all weigh one unit.
        """
        if isinstance(self.target, Gradients):
            weight = len(cells) if weights is None else sum(weights)
            both = sum(cells) if weights is None else sum(map(mul, weights, cells))
            return [weight, both >> self.shift, both & (1 << self.shift) - 1]
        if isinstance(self.target, Moments):
            products = cells if weights is None else list(map(mul, weights, cells))
            weight = len(cells) if weights is None else sum(weights)
            return [weight, sum(products), sum(map(mul, products, cells))]
        width = self.width
        if weights is None and width <= 8:
            return list(map((cells if isinstance(cells, bytes) else bytes(cells)).count, range(width)))
        found = [0] * width
        if weights is None:
            for cell, count in Counter(cells).items():
                found[cell] = count
        else:
            for cell, weight in zip(cells, weights, strict=True):
                found[cell] += weight
        return found


def counted(columns: Columns, target: Target) -> Counted:
    """The counted value of each row of a table: its class, or its number."""
    codes = columns.codes[columns.schema.target.name]
    if isinstance(target, Classes):
        return Counted(target, codes, 1, len(target.columns))
    whole, y_unit = multiples(columns.schema.numbers[columns.schema.target.name])
    units = (1, y_unit, simplest(Fraction(y_unit * y_unit)))
    return Counted(target, [whole[code] for code in codes], y_unit, len(units), () if y_unit == 1 else units)


def derivatives(columns: Columns, target: Gradients, most: int) -> Counted:
    """Both derivatives of each row of a table as one number, so that a single sum adds up both.

    Args:
        columns: the columns of the table.
        target: the derivatives of each class; no second derivative is negative.
        most: the weight of all rows, in whole units, which bounds every sum of second derivatives.
    """
    domain = columns.domain(columns.schema.target.name)
    whole, unit = multiples([*(target.g[case] for case in domain), *(target.h[case] for case in domain)])
    g, h = whole[: len(domain)], whole[len(domain) :]
    shift = (max(h) * most).bit_length()
    both = [(one << shift) + other for one, other in zip(g, h, strict=True)]
    of = [both[code] for code in columns.codes[columns.schema.target.name]]
    return Counted(target, of, unit, len(target.columns), () if unit == 1 else (1, unit, unit), shift)
