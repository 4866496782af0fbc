"""Whole rows: the rows of a sample partition as integers, in multiples of a unit.

Scores are computed from the integers. Most tests lose, and their rows are never multiplied by the units. Most weights
are short, and ordinary fractions serve. Where rows with missing values have been divided again and again, some weights
are `Deferred`, and their numerators and denominators are costly; the functions of long weights do not need them.

1. `is_deferred` and `any_deferred` tell the two kinds of weight apart.
2. `floor_of` and `enclosure_of` give integers near a weight.
3. `fine_multiples` finds a unit for weights that have no short unit in common.
4. `WholeRows` are rows that are multiplied by the units when a row is read.
5. `branch_shares` is the fast form of the textbook function of this name, computed from the integers. Deferred weights
   arise from shares.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from reference_tree.data.targets import Counts
from reference_tree.engine.deferred import Deferred, enclosure_near, quotient, total_of
from reference_tree.exact.rationals import Rational, simplest
from reference_tree.exact.reals import Number
from reference_tree.measures.conditional_entropy import Table, by_outcome
from reference_tree.measures.entropy import total
from reference_tree.splitting import missing_values
from reference_tree.twins import fast_form_of

_FINE = 256
"""The binary places to which deferred numbers are cut."""

_LONG = 64
"""A deferred weight has more bits than this before the point, in the unit of its sample; estimates use its floor."""


def is_deferred(number: object) -> bool:
    """Whether a number is deferred: not multiplied out.

    Example:
        >>> from reference_tree.engine.deferred import deferred
        >>> is_deferred(Fraction(1, 3)), is_deferred(deferred(Fraction(1, 3**2000)))
        (False, True)
    """
    return type(number) is Deferred


def any_deferred(numbers: Iterable[object]) -> bool:
    """Whether at least one of the numbers is deferred. This is called at every node, so it has to be fast.

    Example:
        >>> any_deferred([Fraction(1, 3), 5])
        False
    """
    return Deferred in set(map(type, numbers))


def floor_of(number: Rational, places: int) -> int:
    """The floor of 2^places times a number.

    Example:
        >>> floor_of(Fraction(1, 3), 4), floor_of(3, 1)
        (5, 6)
    """
    if type(number) is Deferred:
        return number.floor_of(places)
    if places < 0:
        return number.numerator // (number.denominator << -places)
    return (number.numerator << places) // number.denominator


def enclosure_of(number: Rational, places: int) -> tuple[int, int]:
    """Integers low and high with low ≤ 2^places·x ≤ high.

    Example:
        >>> enclosure_of(Fraction(1, 3), 4)
        (5, 6)
    """
    if type(number) is Deferred:
        return number.bounds(places)
    top = number.numerator << places
    return top // number.denominator, -(-top // number.denominator)


def fine_multiples(weights: Mapping[int, Rational], unit: Rational) -> tuple[Any, Rational]:
    """Weights, some of them deferred, as multiples of a unit so small that their fractional parts hardly matter.

    A common unit of all could only be found by multiplying them out. Estimates need only their leading bits.

    Args:
        weights: row → its weight, in multiples of the unit; none of them 0.
        unit: the present unit.

    Returns:
        The weights in the new unit, integers where they are not deferred; and that unit.

    Example:
        >>> fine_multiples({0: 1 << 70, 1: Fraction(1 << 70, 3)}, 1)[0] == {0: 3 << 70, 1: 1 << 70}
        True
    """
    each = {id(weight): weight for weight in weights.values()}  # many rows share one weight
    factor = math.lcm(*(weight.denominator for weight in each.values() if not is_deferred(weight)))
    # An enclosure says how many binary places are missing, up to one; so a weight may be a little longer than needed.
    shortest = min([low.bit_length() - at for low, _, at in map(enclosure_near, each.values())])
    if (missing := _LONG + 1 - shortest) > 0:
        factor <<= -(-missing // (2 * _LONG)) * 2 * _LONG
    if factor > 1:
        each = {key: weight * factor for key, weight in each.items()}
    each = {key: weight if is_deferred(weight) else int(weight) for key, weight in each.items()}
    return {row: each[id(weight)] for row, weight in weights.items()}, unit / Fraction(factor)


def shortened(rows: Sequence[int], weights: Sequence[Rational]) -> tuple[dict[int, int], int]:
    """Weights of which some are deferred, divided by 2^shift and rounded down; and the shift, for estimates.

    Example:
        >>> shortened([3, 5], [1 << 70, 3 << 70])
        ({3: 134217728, 5: 402653184}, 43)
    """
    each = {id(weight): enclosure_near(weight) for weight in weights}
    floors = {key: low >> at if at >= 0 else low << -at for key, (low, _, at) in each.items()}
    whole = sum([floors[id(weight)] for weight in weights])
    shift = max(0, whole.bit_length() - max(30, len(rows).bit_length() + 18))
    short: dict[int, int] = {}
    for weight in weights:
        if id(weight) not in short:
            low, high, places = each[id(weight)]
            at = places + shift
            floor, above = (low >> at, high >> at) if at >= 0 else (low << -at, high << -at)
            short[id(weight)] = floor if floor == above else floor_of(weight, -shift)
    return {row: short[id(weight)] for row, weight in zip(rows, weights, strict=True)}, shift


class WeightSums:
    """Sums of weights, some of them deferred. Equal weights of equally many rows have one sum, which equals itself.

    The weights have to be kept as long as this, as they are told apart by their identity.

    Example:
        >>> from reference_tree.engine.deferred import deferred
        >>> sums, x = WeightSums(), deferred(Fraction(3**800, 7**488))
        >>> one, other = sums.of_cells([0, 1, 0], [x, 2, 5], 2), sums.of_cells([1, 1, 0], [x, 5, 2], 2)
        >>> one[1], one[0] is other[1], one[0] == x + 5
        (2, True, True)
    """

    def __init__(self) -> None:
        self._known: dict[frozenset[tuple[int, int]], Rational] = {}

    def of_cells(self, cells: Sequence[int], weights: Sequence[Rational], width: int) -> list[Any]:
        """The sum of the weights of each cell, for so many cells."""
        by_cell: list[list[Rational]] = [[] for _ in range(width)]
        for cell, weight in zip(cells, weights, strict=True):
            by_cell[cell].append(weight)
        return [self.of(weights) if weights else 0 for weights in by_cell]

    def of(self, weights: Sequence[Rational]) -> Rational:
        """The sum of some weights, at least one."""
        if len(weights) == 1:
            return weights[0]
        many = Counter(map(id, weights))
        key = frozenset(many.items())
        if key not in self._known:
            long = {id(weight): weight for weight in weights if type(weight) is Deferred}
            short = sum([weight for weight in weights if type(weight) is not Deferred])
            numbers, times = (*long.values(), short), (*map(many.__getitem__, long), 1)
            if not short:
                numbers, times = numbers[:-1], times[:-1]
            self._known[key] = (numbers[0] if times == (1,) else total_of(numbers, times)) if long else short
        return self._known[key]


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
        branches = list(map(sum, table.whole))
        whole = sum(branches)
        return [quotient(branch, whole) for branch in branches]
    known = by_outcome([[sum(row)] for row in table])  # summed as integers where possible: fractions would be slow
    n = total(known)
    return [quotient(weight, n) for weight in known]
