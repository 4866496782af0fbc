r"""Whole numbers: a numeric target in units that a database adds up without rounding.

If every y has at most d decimals, $\hat y = 10^d y - m$ is a whole number, and so are the sums of $\hat y$ and of
$\hat y^2$. The database adds them up as integers; the sums of y and y² follow exactly. The shift m keeps them small.

A double y stands for the shortest decimal that names it. With $\hat y$ the whole number nearest to the product
$10^d y$ in doubles, y has d decimals if the quotient $\hat y / 10^d$ in doubles is y again, and $|\hat y| < 2^{53}$,
$d \le 15$: then $10^d$ is a double, the quotient is the double nearest to that decimal, and of the decimals of at most
15 digits only one has this double.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from reference_tree.data.targets import Counts
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.stores.columns import StoredColumn, exact
from reference_tree.stores.engines import Asked, Database

MOST_PLACES = 9
"""The most decimals of doubles that are added up by the database."""


class WholeNumbers(NamedTuple):
    """A column y as whole numbers: y = (ŷ + shift) / scale."""

    sql: str
    """ŷ in a query."""
    shift: int
    scale: int
    most: int
    """The largest |ŷ|."""
    type: str = "BIGINT"
    """A type that holds the sums."""

    def moments(self, w: int, total: int, squares: int) -> Counts:
        """Σw, Σwy and Σwy², from Σw, Σwŷ and Σwŷ².

        Example:
            >>> WholeNumbers("y", 30, 10, 30).moments(2, -10, 58)  # y is 2.3 and 2.7
            (2, 5, Fraction(629, 50))
        """
        first = total + w * self.shift
        second = squares + 2 * self.shift * total + w * self.shift**2
        return w, _over(first, self.scale), _over(second, self.scale**2)


def _over(number: int, unit: int) -> Rational:
    return simplest(Fraction(number, unit))


def whole_numbers(
    column: StoredColumn, database: Database, source: str, where: str, weight: int
) -> WholeNumbers | None:
    """The numbers of a column as whole numbers; None if they have too many decimals, or are too large.

    Args:
        column: the column.
        database: its database.
        source: the source in a query.
        where: the condition of the rows that count.
        weight: a bound of their weight.
    """
    engine, y = database.engine, column.sql
    least, most = map(exact, column.ends)
    if column.places is not None:
        places = column.places
        scaled = y if not places else f"{y} * {10**places}"
    else:
        found = _places(column, database, source, where)
        if found is None:
            return None
        places = found
        scaled = f"ROUND(CAST({y} AS {engine.double}) * {10**places}.0)"
    scale = 10**places
    if max(abs(least), abs(most)) * scale >= 2**53:
        return None
    shift = math.floor((least + most) * scale / 2)
    reach = max(abs(math.ceil(most * scale) - shift), abs(math.floor(least * scale) - shift))
    bits = (max(reach, 1) ** 2 * weight).bit_length()
    if bits > engine.bits:
        return None
    kind = "BIGINT" if bits < 63 else engine.whole
    return WholeNumbers(f"(CAST({scaled} AS {kind}) - ({shift}))", shift, scale, reach, kind)


def _places(column: StoredColumn, database: Database, source: str, where: str) -> int | None:
    """The least number of decimals that all doubles of a column have; None if it is too large."""
    y = f"CAST({column.sql} AS {database.engine.double})"
    units = [f"{10**places}.0" for places in range(MOST_PLACES + 1)]
    off = ", ".join(f"COUNT(CASE WHEN ROUND({y} * {unit}) / {unit} <> {y} THEN 1 END)" for unit in units)
    (counts,) = database.asked(Asked(f"SELECT {off} FROM {source} WHERE {where}"))
    return next((places for places, count in enumerate(counts) if not count), None)


__all__ = ["WholeNumbers", "whole_numbers"]
