"""Subsets: the sets of values that are the best cuts of their order, found with integers.

The textbook names every cut of the order: for k values, k sets of up to k names each. Here the cuts are scored first,
and only the best of them are named. So a column of names takes as long as a column of numbers.

1. `promising_subsets` keeps the values that some row has, and sorts them by the share of a class or by the mean.
2. For three or more classes it takes the sets of `corners`, or every set where these are fewer.
3. `best_by_squares` compares the decrease of Gini or of the variance exactly, as quotients of integers.
4. `best_by_logarithms` encloses the information gain, and keeps what can be the best.
5. `best_by_deviations` has no order: it tries every set, each by two look-ups of a median.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import accumulate, compress, groupby
from math import lcm
from operator import add, itemgetter, mul
from typing import Any, TypeAlias

from reference_tree.data.sample import Counts, Partition
from reference_tree.engine.corners import best_sets, corners
from reference_tree.engine.enclosed_scores import are_integers, in_whole_units
from reference_tree.engine.integer_columns import multiples
from reference_tree.engine.terms import n_log_n
from reference_tree.engine.whole_rows import WholeRows
from reference_tree.exact.rationals import Rational
from reference_tree.splitting import ordered_subsets
from reference_tree.splitting.binary_subsets import LIMIT, Grouping, Side, groupings
from reference_tree.splitting.corner_subsets import corners_hold, lines_of
from reference_tree.splitting.ordered_subsets import VARIANCE
from reference_tree.twins import fast_form_of

SMALL = 1 << 12
"""Below this the common multiple of any weights is short."""

Pair: TypeAlias = tuple[int, int]
"""The weight of some rows, and the weight of one class among them or the sum of their numbers."""


@fast_form_of(ordered_subsets.promising_subsets)
def promising_subsets(
    attribute: str, table: Partition, measure: str, minimum: Rational = 1, numbers: Sequence[Rational] = ()
) -> Iterator[Grouping]:
    """Tests that include every winner of `all_subsets`."""
    whole, unit = in_whole_units(table)
    is_there = list(map(any, whole.rows))
    there = Partition(tuple(compress(table.outcomes, is_there)), tuple(compress(whole.rows, is_there)), whole.unknown)
    if numbers and 1 < len(there.rows) <= LIMIT and are_integers(there):
        places = table.rows.places if isinstance(table.rows, WholeRows) else None
        of_columns = [numbers[place] for place in places[0]] if places else numbers
        masks = best_by_deviations(there.rows, multiples(of_columns)[0], Fraction(minimum) / unit)
        return _in_units(_named(attribute, there, masks), table)
    if (several := _of_several_classes(there, measure, Fraction(minimum) / unit)) is not None:
        return _in_units(_named(attribute, there, several), table)
    pairs = _pairs(there.rows, measure) if are_integers(there) else []
    order = _levels(pairs)
    if len(order) < 2 or min(weight for weight, _ in pairs) * unit < minimum:
        textbook = ordered_subsets.promising_subsets.__wrapped__  # type: ignore[attr-defined]
        return _in_units(textbook(attribute, there, measure, Fraction(minimum) / unit), table)
    of_levels = [(sum(pairs[place][0] for place in level), sum(pairs[place][1] for place in level)) for level in order]
    *lefts, (weight, total) = accumulate(of_levels, lambda left, one: (left[0] + one[0], left[1] + one[1]))
    best = (best_by_logarithms if measure == "gain" else best_by_squares)(lefts, weight, total)
    last = len(there.rows) - 1
    sides = []
    for cut in best:
        below = {place for level in order[: cut + 1] for place in level}
        named = sorted(below if last not in below else {*range(last)} - below)
        sides.append(Side(sum(1 << place for place in named), _added([there.rows[place] for place in named])))
    return _in_units(groupings(attribute, there, sorted(sides)), table)


def _named(attribute: str, there: Partition, masks: Sequence[int]) -> Iterator[Grouping]:
    """The tests of the sets of these masks."""
    rows = {mask: [row for place, row in enumerate(there.rows) if mask >> place & 1] for mask in masks}
    return groupings(attribute, there, [Side(mask, _added(inside)) for mask, inside in rows.items()])


def _of_several_classes(there: Partition, measure: str, minimum: Fraction) -> list[int] | None:
    """The masks of the sets that can be the best for three or more classes; None where the textbook decides."""
    present = [place for place, column in enumerate(zip(*there.rows, strict=True)) if any(column)]
    if measure not in ("gain", "gini_decrease") or len(present) < 3 or not are_integers(there):
        return None
    rows = [tuple(int(row[place]) for place in present) for row in there.rows]
    lines = len(lines_of(rows))
    if lines < 2 or any(sum(row) < minimum for row in rows):
        return None
    # Every winner is surely a corner if the impurity is strictly concave and no value is too light for a branch
    # [BurshteinEtAl1992]; otherwise every set is scored, if that is feasible.
    if not corners_hold(there, measure, minimum):
        return best_sets(rows, range(1, 1 << len(rows) - 1), measure) if len(rows) <= LIMIT else None
    whole, last = (1 << len(rows)) - 1, 1 << len(rows) - 1
    # A set and its complement are one test; the one without the last value stands for both.
    masks = {mask ^ whole if mask & last else mask for mask in corners(rows)} - {0}
    return best_sets(rows, sorted(masks), measure)


def _pairs(rows: Sequence[Sequence[Any]], measure: str) -> list[Pair]:
    """The weight and the sum of each value; none if the values have no order, or the measure no form here."""
    if measure == VARIANCE:
        return [(row[0], row[1]) for row in rows]
    classes = [any(column) for column in zip(*rows, strict=True)]
    if measure not in ("gain", "gini_decrease") or sum(classes) > 2:
        return []
    one = max(compress(range(len(classes)), classes))
    return [(sum(row), row[one]) for row in rows]


def _levels(pairs: Sequence[Pair]) -> list[list[int]]:
    """The places of the values, sorted by their share or mean; those of equal numbers together."""
    weights = {weight for weight, _ in pairs}
    common = lcm(*weights) if max(weights, default=0) < SMALL else 0  # integers are faster to sort than fractions
    numbers = (total * (common // weight) if common else Fraction(total, weight) for weight, total in pairs)
    ranked = sorted(zip(numbers, range(len(pairs)), strict=True))
    return [[place for _, place in level] for _, level in groupby(ranked, key=itemgetter(0))]


def best_by_squares(lefts: Sequence[Pair], weight: int, total: int) -> list[int]:
    r"""The places of the best cuts by Gini or by the variance, which are compared exactly.

    Of W rows that sum up to S, let w on the left sum up to s. Both measures are $(Ws - Sw)^2 / w(W - w)$ times a number
    of the node.

    Example:
        >>> best_by_squares([(1, 0), (2, 0), (3, 1)], 4, 2), best_by_squares([(1, 0), (2, 1), (3, 2)], 4, 3)
        ([1], [0])
    """
    found, above, below = list[int](), -1, 1
    for place, (w, s) in enumerate(lefts):
        top, bottom = (weight * s - total * w) ** 2, w * (weight - w)
        if (ahead := top * below - above * bottom) > 0:
            found, above, below = [], top, bottom
        if ahead >= 0:
            found.append(place)
    return found


def best_by_logarithms(lefts: Sequence[Pair], weight: int, total: int) -> list[int]:
    """The places of the cuts that can be the best by the information gain of two classes.

    Example:
        >>> best_by_logarithms([(1, 0), (2, 0), (3, 1)], 4, 2)
        [1]
    """
    # With t(n) = n·log2 n, |D| times the gain is Σ t(cell) - Σ t(side) and a number of the node. Each term is short by
    # less than 2: the four cells together by less than 8, the two sides by less than 4.
    values = [
        sum(map(n_log_n, (s, w - s, total - s, weight - w - total + s))) - n_log_n(w) - n_log_n(weight - w)
        for w, s in lefts
    ]
    least = max(values) - 12
    return [place for place, value in enumerate(values) if value >= least]


def best_by_deviations(rows: Sequence[Sequence[Any]], numbers: Sequence[int], minimum: Fraction) -> list[int]:
    """The bit masks of the sets that leave the least sum of absolute deviations, ascending.

    Args:
        rows: for each value the whole weight of each number.
        numbers: the numbers, ascending.
        minimum: the least weight of a side.

    Example:
        >>> best_by_deviations([(1, 0, 1), (0, 2, 0), (1, 0, 0)], [1, 2, 6], Fraction(1))
        [2, 3]
    """
    # Of each set of some values: the weights up to each number, and the sums of the numbers up to it. A set is one of
    # the first values and one of the others, so few sets are added up, and a median is looked up in two of them.
    upward = [(list(accumulate(row)), list(accumulate(map(mul, row, numbers)))) for row in rows]
    nothing, half = ([0] * len(numbers), [0] * len(numbers)), len(rows) // 2
    first, second = [nothing], [nothing]
    for sets, some in ((first, upward[:half]), (second, upward[half:-1])):
        for one in some:
            sets += [_joined(other, one) for other in sets]
    (ups, sums), places = reduce(_joined, upward), range(len(numbers))
    found, least = list[int](), -1
    for high, (up_2, sum_2) in enumerate(second):
        for low, (up_1, sum_1) in enumerate(first):
            inside, outside = up_1[-1] + up_2[-1], ups[-1] - up_1[-1] - up_2[-1]
            if not inside or not outside or inside < minimum or outside < minimum:
                continue
            at = bisect_left(places, (inside + 1) // 2, key=lambda i: up_1[i] + up_2[i])
            over = bisect_left(places, (outside + 1) // 2, key=lambda i: ups[i] - up_1[i] - up_2[i])
            # The sum of |y - c| over rows that weigh w is S - 2·S(c) - c·(w - 2·w(c)), where S sums up their numbers,
            # and S(c) and w(c) are of the numbers up to c. The two sums S are together that of all rows.
            below = sum_1[at] + sum_2[at] + sums[over] - sum_1[over] - sum_2[over]
            rest = numbers[at] * (inside - 2 * (up_1[at] + up_2[at]))
            error = -2 * below - rest - numbers[over] * (outside - 2 * (ups[over] - up_1[over] - up_2[over]))
            if not found or error < least:
                found, least = [], error
            if error == least:
                found.append(low | high << half)
    return found


def _joined(one: tuple[list[int], list[int]], other: tuple[list[int], list[int]]) -> tuple[list[int], list[int]]:
    return list(map(add, one[0], other[0])), list(map(add, one[1], other[1]))


def _added(rows: Sequence[Counts]) -> Counts:
    return reduce(lambda one, other: tuple(a + b for a, b in zip(one, other, strict=True)), rows)


def _in_units(found: Iterator[Grouping], table: Partition) -> Iterator[Grouping]:
    """These tests, with their tables in the units of a table."""
    units = table.rows
    for test, (outcomes, rows, _) in found:
        own = WholeRows(rows, units.units, units.unknown, units.places) if isinstance(units, WholeRows) else rows
        yield Grouping(test, Partition(outcomes, own, table.unknown))
