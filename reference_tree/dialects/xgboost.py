"""XGBoost: the differences between the program and the gradient tree of the paper.

The learner is that of the paper, and the profiles are lists of options.

| profile | program |
|:--|:--|
| `xgboost` | XGBoost's trees, `tree_method="exact"` |
| `xgboost-hist` | XGBoost's trees, `tree_method="hist"`, its default |

It asks `<` where the paper asks `≤`, and a split has to gain more than 10⁻⁶. Everything it computes in float32 is exact
here: values and thresholds, derivatives, sums and gains. Its draws cannot be reproduced: they depend on its generator.

A histogram asks only at the edges of bins, which are numbers of the column:

1. `edges` chooses them: all distinct numbers but the lowest, or of more than `max_bin` about as many quantiles.
2. `binned` replaces each number of a table by the lower edge of its bin. From this table the trees are grown.
3. The threshold of a question is an edge: the next one above the rows on the left.

A question that gains less than γ is not asked at all, where `exact` looks whether one below it gains more.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from reference_tree.data.schema import Cells, SortedNumbers, in_array
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.options import Profile

EPSILON = Fraction(1, 10**6)
"""What a split has to gain at least, and a little more."""

GradientTree.profiles |= {
    "xgboost": Profile(GradientTree, {"epsilon": EPSILON, "threshold": "below"}),
    "xgboost-hist": Profile(GradientTree, {"epsilon": EPSILON, "threshold": "next"}),
}

FINER = 8
"""A sketch has this many times as many numbers as there are bins."""


class Entry(NamedTuple):
    """A number of a sketch, with the weight of the rows below it and of those that are not above it."""

    value: Rational
    below: Rational
    up_to: Rational


def sketch(values: Sequence[Rational], weights: Sequence[Rational]) -> list[Entry]:
    """All distinct numbers of a column, ascending, with the weights of their rows, which are added up."""
    ends = list(accumulate(weights))
    return [Entry(*each) for each in zip(values, [0, *ends], ends, strict=False)]


def pruned(entries: Sequence[Entry], size: int) -> list[Entry]:
    """At most so many entries: the first, the last, and those nearest to equally spaced ranks between them.

    Args:
        entries: a sketch.
        size: the most entries that are kept, at least 3.

    Example:
        >>> [entry.value for entry in pruned(sketch(range(9), [1] * 9), 5)]
        [0, 2, 4, 6, 8]
    """
    if len(entries) <= size:
        return list(entries)
    last, parts = len(entries) - 1, size - 1
    begin, end = entries[0].up_to, entries[last].below
    kept, at = [0], 1
    for part in range(1, parts):
        rank = 2 * (part * (end - begin) + parts * begin)  # twice the rank, in parts
        while at < last and rank >= parts * (entries[at + 1].below + entries[at + 1].up_to):
            at += 1
        if at == last:
            break
        one, other = entries[at], entries[at + 1]
        nearest = at if rank < parts * (one.up_to + other.below) else at + 1
        if nearest != kept[-1]:
            kept.append(nearest)
    if kept[-1] != last:
        kept.append(last)
    return [entries[place] for place in kept]


def edges(values: Sequence[Rational], weights: Sequence[Rational], max_bin: int = 256) -> list[Rational]:
    """The edges between the bins of a column: with b bins, b - 1 of its numbers.

    Args:
        values: the distinct numbers, ascending.
        weights: for each the weight of its rows.
        max_bin: the most bins.

    Example:
        >>> edges([1, 2, 5], [1, 1, 1]), edges(range(9), [1] * 9, max_bin=4)
        ([2, 5], [2, 4, 6])
    """
    entries = pruned(pruned(sketch(values, weights), FINER * max_bin), max_bin + 1)
    return [entry.value for entry in entries[1:max_bin]]


def binned(table: Table, max_bin: int = 256) -> Table:
    """The table with each number replaced by the lower edge of its bin; the target stays."""
    columns, numbers = dict(table.columns), dict(table.schema.numbers)
    for name, values in table.schema.numbers.items():
        if name == table.schema.target.name or not values:
            continue
        weights: list[Rational] = [0] * (len(values) + 1)
        for code, weight in zip(table.codes(name), table.weighted(), strict=True):
            weights[code] += weight
        places = [0, *map(int, edges(range(len(values)), weights[:-1], max_bin))]
        lower = SortedNumbers.of(list(map(values.__getitem__, places)))
        bins = [*(bisect_right(places, place) - 1 for place in range(len(values))), len(lower)]
        columns[name] = Cells(lower, in_array(map(bins.__getitem__, table.codes(name)), len(lower)))
        numbers[name] = lower
    return replace(table, schema=replace(table.schema, numbers=numbers), columns=columns)
