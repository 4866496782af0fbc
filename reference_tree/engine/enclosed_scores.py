r"""Enclosed scores: measures with logarithms as numbers that are worked out only where needed.

1. `terms_of` encloses a sum of terms n·log2 n, the parts of entropies.
2. `gain`, `cost` and `ratio` enclose the measures: first |D| times the measure is bounded, then divided by |D|.
3. `mixture` is a key of the impure rows of a partition: partitions of one sample that share it gain the same.
4. `gini` and `variance` are rationals: one fraction, made of integers.
5. `decisive_score` is the fast form of the textbook function of this name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, islice
from typing import Any

from reference_tree.data.sample import Counts, Partition
from reference_tree.engine.deferred import enclosure_near
from reference_tree.engine.enclosures import Enclosed
from reference_tree.engine.terms import BITS, IntegerBounds, n_log_n, x_log_x
from reference_tree.engine.whole_rows import WholeRows, any_deferred, is_deferred
from reference_tree.exact.log_sums import LogSum, Number
from reference_tree.exact.logarithms import log2_floor_remembered
from reference_tree.exact.rationals import Rational, over_common_denominator
from reference_tree.splitting import candidate
from reference_tree.splitting.candidate import MEASURES, AbsoluteErrorReduction, TableScore
from reference_tree.twins import fast_form_of

TABLE = 1 << 13
"""The terms of weights below this are looked up; larger whole units would make the table long and sparsely used."""


def terms_of(weights: Iterable[Rational]) -> IntegerBounds:
    """Bounds of the sum of the terms of some weights."""
    low = high = 0
    for weight in weights:
        if not weight:  # its term is 0, exactly
            continue
        if type(weight) is int and weight < TABLE:
            term = n_log_n(weight)
            low, high = low + term, high + term + 2
        elif type(weight) is int:
            term = weight * log2_floor_remembered(weight, BITS)
            low, high = low + term, high + term + 2 * weight
        else:
            term_low, term_high = x_log_x(weight)
            low, high = low + term_low, high + term_high
    return IntegerBounds(low, high)


def in_whole_units(table: Partition) -> tuple[Partition, Rational]:
    """A table of class weights in whole units, if these are known; and the unit, on which no score depends."""
    if isinstance(table.rows, WholeRows):
        return Partition(table.outcomes, table.rows.whole, table.rows.unknown), table.rows.units[0]
    return table, 1


def gain(table: Partition) -> Enclosed:
    r"""The information gain of a test, rows without a value included.

    $$|D|\,\mathrm{Gain}(D, A) = |\tilde D| \left( H(\tilde D) - H(\tilde D|A) \right)
    = t(|\tilde D|) - \sum_j t(|\tilde C_j|) - \sum_i t(|A_i|) + \sum_{i,j} t(s_{ij}), \qquad t(x) = x \log_2 x$$

    Example:
        >>> low, high, bits = gain(Partition((), ((0, 4), (2, 3), (3, 2)), (0, 0))).enclosed
        >>> f"{low / 2**bits:.6f}", high - low < 8
        ('0.246750', True)

    Source:
        [N0 EN §2 eq. (3)], [N2 §4.2 Gain]
    """
    given, (table, unit) = table, in_whole_units(table)
    branches = [sum(row) for row in table.rows]
    known, unknown = sum(branches), sum(table.unknown)

    def enclose() -> tuple[int, int, int]:
        plus = terms_of([known, *(cell for row in table.rows for cell in row if cell)])
        minus = terms_of([*map(sum, zip(*table.rows, strict=True)), *branches])
        return *_over(plus.low - minus.high, plus.high - minus.low, known + unknown), BITS

    def decide() -> Number:
        if unknown or any(type(branch) is not int for branch in branches):
            return MEASURES["gain"](table)
        cells = [cell for row in table.rows for cell in row]
        return _sum_of_terms([known, *cells], [*map(sum, zip(*table.rows, strict=True)), *branches], known)

    return Enclosed(enclose, lambda: MEASURES["gain"](given), lambda: _signature(table, unit), 0, decide)


def cost(table: Partition) -> Enclosed:
    r"""The split information of the known answers.

    $$|\tilde D|\,H(\tilde r_1, \dots) = t(|\tilde D|) - \sum_i t(|A_i|)$$

    Example:
        >>> low, high, bits = cost(Partition((), ((0, 4), (2, 3), (3, 2)), (0, 0))).enclosed
        >>> f"{low / 2**bits:.6f}"
        '1.577406'

    Source:
        [N0 EN §2 eq. (4)]
    """
    return _cost(table, "split_information", counts_unknown=False)


def cost_with_unknown(table: Partition) -> Enclosed:
    r"""The split information in which "unknown" is one more outcome.

    $$|D|\,H(r_1, \dots) = t(|D|) - \sum_i t(|A_i|) - t(|D| - |\tilde D|)$$

    Source:
        [Quinlan1993 §3.1]
    """
    return _cost(table, "split_information_with_unknown", counts_unknown=True)


def _cost(table: Partition, name: str, counts_unknown: bool) -> Enclosed:
    given, (table, unit) = table, in_whole_units(table)
    weights = [*map(sum, table.rows), *([sum(table.unknown)] if counts_unknown else [])]

    def enclose() -> tuple[int, int, int]:
        whole = sum(weights)
        plus, minus = terms_of([whole]), terms_of(weights)
        return *_over(plus.low - minus.high, plus.high - minus.low, whole), BITS

    def signature() -> Hashable:
        return unit, *sorted([weight for weight in weights if weight])

    return Enclosed(enclose, lambda: MEASURES[name](given), signature, 0, lambda: MEASURES[name](table))


def _sum_of_terms(plus: Iterable[Rational], minus: Iterable[Rational], over: Rational) -> LogSum:
    """The terms n·log2 n of the weights `plus` less those of `minus`, over a weight: short, however many classes."""
    found: dict[Rational, Rational] = {}
    for n in plus:
        found[n] = found.get(n, 0) + n
    for n in minus:
        found[n] = found.get(n, 0) - n
    return LogSum({n: Fraction(c, over) for n, c in found.items() if n > 1 and c})


def ratio(table: Partition) -> Enclosed:
    """The gain ratio with the split information of the known answers."""
    return gain(table) / cost(table)


def _over(low: int, high: int, weight: Rational) -> IntegerBounds:
    """Bounds of a number divided by a weight, from bounds of the number."""
    if type(weight) is int:
        return IntegerBounds(low // weight, -(-high // weight))
    if is_deferred(weight):
        least, most, places = enclosure_near(weight)
        if places < 0:
            least, most, places = least << -places, most << -places, 0
        high = -((-high << places) // (least if high > 0 else most))
        return IntegerBounds((low << places) // (most if low > 0 else least), high)
    top, bottom = weight.denominator, weight.numerator
    return IntegerBounds(low * top // bottom, -(-high * top // bottom))


def _signature(table: Partition, unit: Rational) -> Hashable:
    """A key of the gain: tables of one sample with the same key gain the same. It takes no logarithms."""
    mixed = mixture(table.rows)
    if not any(table.unknown):  # the classes of the rows that answer are the classes of the sample
        return unit, mixed
    classes = tuple(sorted(filter(None, map(sum, zip(*table.rows, strict=True)))))
    return unit, mixed, classes, sum(table.unknown)


def mixture(rows: Sequence[Counts]) -> Hashable:
    r"""A key of the impure rows of a partition: partitions of one sample that share it gain the same.

    That holds for every measure that subtracts $\sum_i w_i\,\varphi(\text{row}_i)$ from a number of the whole sample,
    where φ depends only on the shares of the classes, in any order, and is 0 for a single class: entropy and Gini. So
    pure rows are left out; the other rows are reduced to lowest terms, and the divisors of equal rows are added up.

    Example:
        >>> mixture([(2, 4), (0, 3)]) == mixture([(2, 1), (1, 2), (3, 0)]) == frozenset({((1, 2), 2)})
        True
    """
    found: dict[tuple[Rational, ...], Rational] = {}
    for row in rows:
        cells = sorted([cell for cell in row if cell])
        if len(cells) < 2:
            continue
        if all(type(cell) is int for cell in cells):
            divisor: Rational = math.gcd(*cells)  # type: ignore[arg-type]
            kind: tuple[Rational, ...] = tuple([cell // divisor for cell in cells])
        elif any_deferred(cells):  # lowest terms would have to be multiplied out
            divisor, kind = 1, tuple(cells)
        else:
            common = math.lcm(*[cell.denominator for cell in cells])
            whole = [cell.numerator * (common // cell.denominator) for cell in cells]
            divisor = Fraction(math.gcd(*whole), common)
            kind = tuple([cell // math.gcd(*whole) for cell in whole])
        found[kind] = found.get(kind, 0) + divisor
    return frozenset(found.items())


ENCLOSED: Mapping[TableScore, Callable[[Partition], Enclosed]] = {
    MEASURES["gain"]: gain,
    MEASURES["split_information"]: cost,
    MEASURES["split_information_with_unknown"]: cost_with_unknown,
    MEASURES["ratio"]: ratio,
}
"""The enclosed form of each measure that has logarithms."""


def over(weight: Rational, quotients: Iterable[tuple[Any, Any]]) -> Fraction:
    """The sum of quotients of integers, divided by a weight: a single fraction is made, and reduced once.

    Example:
        >>> over(2, [(1, 3), (1, 6)])
        Fraction(1, 4)
    """
    top, bottom = 0, 1  # they stay integers, as all weights are integers
    for above, below in quotients:
        top, bottom = top * below + above * bottom, bottom * below
    return Fraction(top, bottom * weight)


def gini(table: Partition) -> Fraction:
    r"""The decrease of Gini of integers: $|D|$ times it is $\sum_i \sum_j s_{ij}^2 / s_{i\cdot} - \sum_j c_j^2 / n$.

    Example:
        >>> gini(Partition((), ((0, 4), (2, 3), (3, 2)), (0, 0)))
        Fraction(57, 490)
    """
    *rows, classes = [*filter(any, table.rows), [*map(sum, zip(*table.rows, strict=True))]]
    quotients = [(sum([c * c for c in row]), sum(row)) for row in rows]
    quotients.append((-sum([c * c for c in classes]), sum(classes)))
    return over(sum(classes) + sum(table.unknown), quotients)


def variance(table: Partition) -> Fraction:
    r"""The reduction of the variance of integers: $|D|$ times it is $\sum_i (wy)_i^2 / w_i - (wy)^2 / w$.

    Example:
        >>> variance(Partition((), ((2, 3, 5), (1, 6, 36)), (0, 0, 0)))       # of 1, 2 | 6
        Fraction(9, 2)
    """
    rows = [row for row in table.rows if row[0]]
    w, wy = sum([row[0] for row in rows]), sum([row[1] for row in rows])
    return over(w + table.unknown[0], [*((row[1] * row[1], row[0]) for row in rows), (-wy * wy, w)])


@fast_form_of(candidate.decisive_score)
def decisive_score(measure: TableScore, table: Partition) -> Number:
    """The score by which candidates are compared: enclosed, or made of whole units, where possible.

    Example:
        >>> rows = WholeRows([(2, 1, 1), (2, 1, 1)], (1, Fraction(1, 10), Fraction(1, 100)), (0, 0, 0))
        >>> decisive_score(MEASURES["sample_variance_reduction"], Partition((), rows, (0, 0, 0)))
        Fraction(-1, 600)
    """
    if measure in ENCLOSED:
        return ENCLOSED[measure](table)
    whole, unit = in_whole_units(table)
    units, places = (table.rows.units, table.rows.places) if isinstance(table.rows, WholeRows) else ((1, 1, 1), None)
    if isinstance(measure, AbsoluteErrorReduction):
        numbers = measure.numbers if places is None else [measure.numbers[place] for place in places[0]]
        return AbsoluteErrorReduction(numbers)(whole)
    if measure is MEASURES["sample_variance_reduction"] and unit == 1:  # no other score depends on the unit of weight
        return measure(whole) * units[2]
    integers = whole if measure not in OF_INTEGERS or are_integers(whole) else in_integers(whole)
    if measure not in OF_INTEGERS or not are_integers(integers):
        return measure(table)
    found = OF_INTEGERS[measure](integers)
    return found * units[2] / unit if measure is MEASURES["variance_reduction"] else found


def are_integers(table: Partition) -> bool:
    """Whether all cells of a table are integers, and some rows answer."""
    return {int}.issuperset(map(type, chain(table.unknown, *table.rows))) and any(map(any, table.rows))


def in_integers(table: Partition) -> Partition:
    """A table of fractions times their common denominator, on which its scores do not depend; as it is if that is long.

    Example:
        >>> in_integers(Partition((), ((0, Fraction(1, 2)), (2, Fraction(1, 3))), (0, 0))).rows
        ((0, 3), (12, 2))
    """
    cells: list[Any] = [*chain(table.unknown, *table.rows)]
    if any_deferred(cells):  # multiplied out, they would be long
        return table
    whole: Iterator[Any] = iter(over_common_denominator(cells)[0])
    unknown, *rows = (tuple(islice(whole, len(row))) for row in (table.unknown, *table.rows))
    return Partition(table.outcomes, tuple(rows), unknown)


OF_INTEGERS: Mapping[TableScore, Callable[[Partition], Fraction]] = {
    MEASURES["gini_decrease"]: gini,
    MEASURES["variance_reduction"]: variance,
}
"""The form for integers of each measure that is a sum of few quotients."""
