"""Discretization: a continuous attribute made categorical before a tree is grown.

An expert says where cold ends and hot begins, and from then on the attribute has only these values. The alternative, a
search for the best cut at each node, is `continuous_bisection`.

1. A `Bin` is an interval with a name. Its brackets say which of two neighbours owns the number between them: `[70, 75]`
   owns both its ends, `(75, inf)` does not own its one.
2. A `Discretization` is a row of bins without gaps and overlaps: each number between its ends has one bin.
3. `discretize` replaces the numbers of a table by the names of their bins.

Without an expert the cuts come from the rows (`discretizers`). `bins_between` makes bins of cuts, named by their
intervals.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from reference_tree.data.columns import Origin
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Row
from reference_tree.data.schema import Attribute, Codes
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational, decimal_text, exactly, rational, shortened

_INTERVAL = re.compile(r"([\[(])([^,]*),([^,]*)([\])])")


@dataclass(frozen=True)
class Bin:
    """An interval of numbers with a name.

    Args:
        name: the value that replaces its numbers.
        low: its lower end; None for minus infinity.
        high: its upper end; None for infinity.
        owns_low: whether the lower end belongs to it.
        owns_high: whether the upper end belongs to it.

    Raises:
        InputError: no number lies in it, or it owns an infinite end.

    Example:
        >>> mild = Bin("Mild", 70, 75, owns_low=True, owns_high=True)
        >>> mild.holds(70), mild.holds(75), mild.holds(76), str(mild)
        (True, True, False, 'Mild [70, 75]')
    """

    name: str
    low: Rational | None
    high: Rational | None
    owns_low: bool = False
    owns_high: bool = False

    def __post_init__(self) -> None:
        # An infinite end has no number that could belong to the bin. A bin of one number owns it from both sides.
        if (self.low is None and self.owns_low) or (self.high is None and self.owns_high):
            raise InputError(f"{self} owns an end that it has not; write ( before -inf and ) after inf")
        if self.low is None or self.high is None or self.low < self.high:
            return
        if self.low > self.high or not (self.owns_low and self.owns_high):
            raise InputError(f"no number lies in {self}")

    @classmethod
    def parse(cls, name: str, interval: str) -> Bin:
        """A bin from its interval as people write it: `(-inf, 70)`, `[70, 75]`, `(75, inf)`.

        Raises:
            InputError: it is no interval, or no number lies in it.

        Example:
            >>> Bin.parse("Hot", "(75, inf)")
            Bin(name='Hot', low=75, high=None, owns_low=False, owns_high=False)
        """
        match = _INTERVAL.fullmatch(interval.strip())
        if match is None:
            raise InputError(f"{shortened(interval)} is no interval; one looks like [70, 75] or (75, inf)")
        left, low, high, right = match.groups()
        return cls(name, _end(low, "-inf"), _end(high, "inf"), left == "[", right == "]")

    def holds(self, number: Rational) -> bool:
        """Whether a number belongs to it."""
        # Exact comparisons: a number that lies on an end belongs to the bin that owns it, and to no other.
        above = self.low is None or self.low < number or (self.owns_low and self.low == number)
        below = self.high is None or number < self.high or (self.owns_high and self.high == number)
        return above and below

    def __str__(self) -> str:
        low = "-inf" if self.low is None else decimal_text(self.low)
        high = "inf" if self.high is None else decimal_text(self.high)
        return f"{self.name} {'[' if self.owns_low else '('}{low}, {high}{']' if self.owns_high else ')'}"


@dataclass(frozen=True)
class Discretization:
    """The bins that replace the numbers of an attribute.

    Args:
        attribute: the name of the attribute.
        bins: from the lowest to the highest, each beginning where the one before it ends.

    Raises:
        InputError: there are no bins, two have one name, or a number between them has no bin or two.

    Example:
        >>> bins = Bin.parse("Cold", "(-inf, 70)"), Bin.parse("Mild", "[70, 75]"), Bin.parse("Hot", "(75, inf)")
        >>> temperature = Discretization("temperature", bins)
        >>> [temperature.value_of(number) for number in (69, 70, 75, 76)]
        ['Cold', 'Mild', 'Mild', 'Hot']
        >>> temperature.row({"temperature": 64, "wind": "weak"})
        {'temperature': 'Cold', 'wind': 'weak'}

    Source:
        [N3 Continuous Attributes: before growing]. N3's "below 70", "between 70 and 75" and "above 75" leave it to the
        middle interval to own both ends.
    """

    attribute: str
    bins: tuple[Bin, ...]

    def __post_init__(self) -> None:
        if not self.bins:
            raise InputError(f"there are no bins for {self.attribute}")
        if len(set(self.values)) < len(self.bins):
            raise InputError(f"two bins of {self.attribute} have the same name; give each one of its own")
        for lower, higher in pairwise(self.bins):
            _check_neighbours(self.attribute, lower, higher)

    @property
    def values(self) -> tuple[str, ...]:
        """The domain of the attribute afterwards: the names of the bins, in their order."""
        return tuple(one.name for one in self.bins)

    def value_of(self, number: Rational) -> str:
        """The name of the bin that a number belongs to.

        Raises:
            InputError: it lies outside all bins, or it is no number.
        """
        number = _number(number)
        for one in self.bins:
            if one.holds(number):
                return one.name
        listed = ", ".join(map(str, self.bins))
        raise InputError(f"{decimal_text(number)} is in no bin of {self.attribute}: {listed}")

    def row(self, row: Row) -> Row:
        """A row as a tree that was grown on the discretized table expects it.

        Raises:
            InputError: its number lies outside all bins, or it is no number.
        """
        cell = row.get(self.attribute)
        # A missing value stays one: no bin means that nobody knows.
        return row if cell is None else {**row, self.attribute: self.value_of(_number(cell))}


def discretize(table: Table, attribute: str, bins: Sequence[Bin]) -> Table:
    """The same table with a categorical attribute in the place of a continuous one.

    Args:
        table: the rows.
        attribute: the name of the continuous attribute; the target may be one.
        bins: from the lowest to the highest. Their names are the new domain, in this order.

    Returns:
        A new table; missing values stay missing.

    Raises:
        InputError: there is no such attribute, it is not continuous, the bins are no `Discretization`, or a number lies
            outside all of them.

    Example:
        >>> table = Table.from_columns({"temperature": [64, 70, 75, 85], "play": ["yes", "yes", "yes", "no"]})
        >>> bins = [Bin.parse("Cold", "(-inf, 70)"), Bin.parse("Mild", "[70, 75]"), Bin.parse("Hot", "(75, inf)")]
        >>> [row["temperature"] for row in discretize(table, "temperature", bins).rows()]
        ['Cold', 'Mild', 'Mild', 'Hot']

    Source:
        [N3 Continuous Attributes: before growing]
    """
    distinct_numbers(table, attribute)
    discretization = Discretization(attribute, tuple(bins))
    # Every bin is declared, also one without rows: a row to be predicted may fall into it.
    made = Attribute(attribute, discretization.values)
    schema = replace(
        table.schema,
        attributes=tuple(made if found.name == attribute else found for found in table.schema.attributes),
        target=made if table.schema.target.name == attribute else table.schema.target,
        numbers={name: numbers for name, numbers in table.schema.numbers.items() if name != attribute},
    )
    return replace(table, schema=schema, columns={**table.columns, attribute: _codes(table, discretization)})


def bins_between(cuts: Sequence[Rational]) -> tuple[Bin, ...]:
    """The bins between some cuts, each named by its interval; a cut belongs to the bin below it, as in `a ≤ t`.

    Raises:
        InputError: the cuts are not ascending.

    Example:
        >>> [one.name for one in bins_between([70, 75])]
        ['(-inf, 70]', '(70, 75]', '(75, inf)']
        >>> [one.name for one in bins_between([])]
        ['(-inf, inf)']
    """
    if any(low >= high for low, high in pairwise(cuts)):
        raise InputError(f"the cuts {', '.join(map(decimal_text, cuts))} are not ascending; sort them")
    # The outer bins are open, so that every number has a bin, whatever the training rows were.
    ends = pairwise([None, *cuts, None])
    unnamed = [Bin("", low, high, owns_high=high is not None) for low, high in ends]
    return tuple(replace(one, name=str(one).lstrip()) for one in unnamed)


def distinct_numbers(table: Table, attribute: str) -> Sequence[Rational]:
    """The numbers of a continuous attribute, ascending."""
    if table.schema.attribute(attribute).kind != "continuous":
        raise InputError(f"{attribute} is categorical, and only a continuous attribute can be discretized")
    return table.schema.numbers[attribute]


def _codes(table: Table, discretization: Discretization) -> Codes:
    """The bin of each row, as its place in the domain."""
    # The row is named in a refusal: with thousands of them, the number alone would not be found.
    place = {name: code for code, name in enumerate(discretization.values)}
    codes: list[int | None] = []
    for row, number in enumerate(table.columns[discretization.attribute]):
        try:
            codes.append(None if number is None else place[discretization.value_of(number)])
        except InputError as error:
            raise Origin().error(error.message, row) from None
    return codes


def _check_neighbours(attribute: str, lower: Bin, higher: Bin) -> None:
    # Neighbours touch in one number, which belongs to exactly one of them: then every number between the outer ends has
    # one bin.
    where = f"the bins {lower} and {higher} of {attribute}"
    if lower.high is None or higher.low is None or lower.high > higher.low:
        raise InputError(f"{where} overlap, or are not in ascending order")
    if lower.high < higher.low:
        raise InputError(f"{where} leave a gap; let one begin where the other ends")
    if lower.owns_high == higher.owns_low:
        whose = "both own" if lower.owns_high else "neither owns"
        raise InputError(f"{where}: {whose} {decimal_text(lower.high)}; let one of them have it")


def _number(cell: object) -> Rational:
    try:
        return rational(cell) if isinstance(cell, str) else exactly(cell)
    except (TypeError, ValueError) as error:
        raise InputError(f"{error}, and only a number has a bin") from None


def _end(text: str, infinite: str) -> Rational | None:
    try:
        return None if text.strip() == infinite else rational(text.strip())
    except ValueError as error:
        raise InputError(f"{error}; an end of an interval is one, or {infinite}") from None
