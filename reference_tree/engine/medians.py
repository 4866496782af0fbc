"""Medians: the figures that the absolute error of a sample needs, found by sorting its numbers once.

1. `by_values` counts rows by their number, as `Store.against` does, from the codes of the table.
2. `deviations` gives the median and the sum of the deviations from it, computed in whole units.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import accumulate
from operator import mul
from typing import Any

from reference_tree.data.sample import Sample
from reference_tree.data.targets import Moments
from reference_tree.engine.integer_columns import Counted
from reference_tree.engine.store import Store
from reference_tree.engine.whole_rows import times
from reference_tree.exact.rationals import simplest
from reference_tree.learners import criteria
from reference_tree.node import Deviations
from reference_tree.twins import fast_form_of


@fast_form_of(criteria.by_values)
def by_values(sample: Sample) -> Sample:
    """The rows, counted by their number: a column of weights for each number of the table."""
    if not isinstance(sample, Store):
        return criteria.by_values.__wrapped__(sample)  # type: ignore[attr-defined,no-any-return]
    return counted_by_value(sample)


def counted_by_value(sample: Store) -> Store:
    """The rows of a store, counted by their number."""
    columns, places = sample.columns, None
    of: Any = columns.codes[sample.schema.target.name]
    codes, width = sample.take(of), len(columns.values.numbers)
    present = sorted(set(codes))
    if len(present) < width:  # a cell for each number of the table would take longer than counting the rows
        place = {code: place for place, code in enumerate(present)}
        of, places = dict(zip(sample.rows, map(place.__getitem__, codes), strict=True)), (present, width)
    return sample.counting(Counted(columns.values, of, 1, len(present), places=places), sample.rows)


@fast_form_of(criteria.deviations)
def deviations(sample: Sample) -> Deviations:
    """The weight, the median and the sum of absolute deviations of the numbers in a sample."""
    if not isinstance(sample, Store) or not isinstance(sample.target, Moments):
        return criteria.deviations.__wrapped__(sample)  # type: ignore[attr-defined,no-any-return]
    rows = sorted(sample.rows, key=sample.counted.of.__getitem__)
    numbers = [sample.counted.of[row] for row in rows]
    weights = sample.multiples(rows) or [1] * len(rows)
    up_to = list(accumulate(weights))
    whole = up_to[-1]
    lower, upper = bisect_left(up_to, (whole + 1) // 2), bisect_right(up_to, whole // 2)
    sums = list(accumulate(map(mul, numbers, weights)))
    # Every number from the lower to the upper median has the same error. For the lower, c, it is Σ w·(y - c) over the
    # numbers above c less the same sum over the numbers below.
    error = sums[-1] - 2 * sums[lower] - numbers[lower] * (whole - 2 * up_to[lower])
    unit, y_unit = sample.unit, sample.counted.y_unit
    middle = simplest(Fraction((numbers[lower] + numbers[upper]) * y_unit.numerator, 2 * y_unit.denominator))
    return Deviations(times(whole, unit), middle, times(times(error, unit), y_unit))
