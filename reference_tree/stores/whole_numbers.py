r"""Whole numbers: a numeric target, and weights, in units that a database adds up without rounding.

If every y has at most d decimals, $\hat y = 10^d y - m$ is a whole number, and so are the sums of $\hat y$ and of
$\hat y^2$. The database adds them up as integers; the sums of y and y² follow exactly. The shift m keeps them small.

Weights are whole numbers in the same way, without a shift, and all sums are divided by their scale. Where an engine has
whole numbers of 38 digits, and writes a double as the shortest decimal that names it, weights of all digits are read
from these texts.

A double y stands for the shortest decimal that names it. With $\hat y$ the whole number nearest to the product
$10^d y$ in doubles, y has d decimals if the quotient $\hat y / 10^d$ in doubles is y again, and $|\hat y| < 2^{53}$,
$d \le 15$: then $10^d$ is a double, the quotient is the double nearest to that decimal, and of the decimals of at most
15 digits only one has this double.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
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

    def counts(self, sums: Sequence[Rational]) -> Counts:
        """Sums of numbers, from those of whole numbers without a shift.

        Example:
            >>> WholeNumbers("w", 0, 10, 30).counts((15, 20))
            (Fraction(3, 2), 2)
        """
        return tuple(sums) if self.scale == 1 else tuple(_over(one, self.scale) for one in sums)

    def moments(self, w: int, total: int, squares: int) -> tuple[Rational, ...]:
        """Σw, Σwy and Σwy², from Σw, Σwŷ and Σwŷ².

        Example:
            >>> WholeNumbers("y", 30, 10, 30).moments(2, -10, 58)  # y is 2.3 and 2.7
            (2, 5, Fraction(629, 50))
        """
        first = total + w * self.shift
        second = squares + 2 * self.shift * total + w * self.shift**2
        return w, _over(first, self.scale), _over(second, self.scale**2)


def _over(number: Rational, unit: int) -> Rational:
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
    found, (least, most) = _in_units(column, database, source, where), map(exact, column.ends)
    if found is None or max(abs(least), abs(most)) * found[1] >= 2**53:
        return None
    scaled, scale = found
    shift = math.floor((least + most) * scale / 2)
    reach = max(abs(math.ceil(most * scale) - shift), abs(math.floor(least * scale) - shift))
    bits = (max(reach, 1) ** 2 * weight).bit_length()
    if bits > database.engine.bits:
        return None
    kind = _type(database, bits)
    return WholeNumbers(f"(CAST({scaled} AS {kind}) - ({shift}))", shift, scale, reach, kind)


def whole_weights(
    column: StoredColumn | None, database: Database, source: str, where: str, rows: int
) -> WholeNumbers | None:
    """The weights of all rows as whole numbers, without a shift; None as for `whole_numbers`.

    Args:
        column: their column; None if each is 1.
        database: its database.
        source: the source in a query.
        where: the condition of the rows that count.
        rows: how many there are.
    """
    if column is None:
        return WholeNumbers("1", 0, 1, 1)
    found = _in_units(column, database, source, where) or _by_digits(column, database, source, where)
    if found is None:
        return None
    (scaled, scale), most = found, exact(column.ends[-1])
    bits = math.ceil(most * scale * rows).bit_length()
    if bits > database.engine.bits:
        return None
    kind = _type(database, bits)
    return WholeNumbers(f"CAST({scaled} AS {kind})", 0, scale, math.ceil(most * scale), kind)


def _type(database: Database, bits: int) -> str:
    return "BIGINT" if bits < 63 else database.engine.whole


def _in_units(column: StoredColumn, database: Database, source: str, where: str) -> tuple[str, int] | None:
    """A column times 10ᵈ in SQL, and 10ᵈ; None if its cells have no few decimals."""
    y, places = column.sql, column.places
    if places is not None:
        return (f"{y} * {10**places}" if places else y), 10**places
    found = _places(column, database, source, where)
    if found is None or max(abs(exact(end)) for end in column.ends) * 10**found >= 2**53:
        return None
    return f"ROUND(CAST({y} AS {database.engine.double}) * {10**found}.0)", 10**found


def _by_digits(column: StoredColumn, database: Database, source: str, where: str) -> tuple[str, int] | None:
    """The same for positive doubles of up to 17 digits, by their names, where the engine writes these without rounding.

    The numbers lie where no name has an exponent.
    """
    if not database.engine.digits or {*column.kinds} != {float}:
        return None
    least, most = column.ends
    if least < 1e-4 or most >= 1e15:
        return None
    places = 16 - Decimal(repr(least)).adjusted()  # 17 digits of the least number end here, of others before
    name = database.engine.digits.format(column.sql)
    query = f"SELECT COUNT(*) FROM {source} WHERE {where} AND CAST({name} AS {database.engine.double}) <> {column.sql}"
    if database.asked(Asked(query)) != [(0,)]:
        return None
    return f"CAST({name} || 'e{places}' AS {database.engine.whole})", 10**places


def _places(column: StoredColumn, database: Database, source: str, where: str) -> int | None:
    """The least number of decimals that all doubles of a column have; None if it is too large."""
    y = f"CAST({column.sql} AS {database.engine.double})"
    units = [f"{10**places}.0" for places in range(MOST_PLACES + 1)]
    off = ", ".join(f"COUNT(CASE WHEN ROUND({y} * {unit}) / {unit} <> {y} THEN 1 END)" for unit in units)
    (counts,) = database.asked(Asked(f"SELECT {off} FROM {source} WHERE {where}"))
    return next((places for places, count in enumerate(counts) if not count), None)


__all__ = ["WholeNumbers", "whole_numbers", "whole_weights"]
