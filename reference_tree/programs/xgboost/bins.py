"""XGBoost: the differences between the program and the gradient tree of the paper.

The learner is that of the paper, and the profiles are lists of options.

| profile | program |
|:--|:--|
| `xgboost` | XGBoost's trees, `tree_method="exact"` |
| `xgboost-hist` | XGBoost's trees, `tree_method="hist"`, its default |

It asks `<` where the paper asks `≤`, and a split has to gain more than 10⁻⁶. Everything it computes in float32 is exact
here: values and thresholds, derivatives, sums and gains. Its draws cannot be reproduced: they depend on its generator.

A histogram asks only at the edges of bins, which are numbers of the column:

1. `xgboost_sketch.edges` chooses them: all distinct numbers but the lowest, or of more than `max_bin` about as many
   quantiles.
2. `binned` replaces each number of a table by the lower edge of its bin. From this table the trees are grown.
3. The threshold of a question is an edge: the next one above the rows on the left.

A question that gains less than γ is not asked at all, where `exact` looks whether one below it gains more.

Releases differ. `RELEASES` has a record of each that is known here: how it chooses edges, whether it takes columns of
categories without being told, and what it does that is not done here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Cells, SortedNumbers, in_array
from reference_tree.data.table import Table
from reference_tree.exact.rounding import nearest_single
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.options import Profile
from reference_tree.programs.releases import numbers_of
from reference_tree.programs.xgboost.sketch import RANKED, SPACED, Rules, edges

EPSILON = Fraction(1, 10**6)
"""What a split has to gain at least, and a little more."""

GradientTree.profiles |= {
    "xgboost": Profile(GradientTree, {"epsilon": EPSILON, "threshold": "below"}),
    "xgboost-hist": Profile(GradientTree, {"epsilon": EPSILON, "threshold": "next"}),
}


class Release(NamedTuple):
    """The record of a release: the rules in which it differs from others."""

    name: str
    sketch: Rules
    """How `hist` chooses the edges of bins."""
    enables_categories: bool
    """Whether `enable_categorical` is set unless the user says otherwise."""
    unlike: Mapping[str, str]
    """Objectives that are not done here → what the release makes of them."""


MEDIANS = {
    "reg:absoluteerror": "each leaf is the median of the residuals of its rows",
    "reg:quantileerror": "each leaf is a quantile of the residuals of its rows",
}
"""The objectives whose leaves are no steps of Newton's method, up to release 3.3."""

SMOOTH = dict.fromkeys(MEDIANS, "the loss is smoothed at a scale that the residuals of each round set")
"""The same objectives since release 3.4: their leaves are steps of Newton's method."""

RELEASES: Mapping[str, Release] = {
    release.name: release
    for release in (
        Release("3.2", SPACED, enables_categories=False, unlike=MEDIANS),
        Release("3.3", RANKED, enables_categories=True, unlike=MEDIANS),
        Release("3.4", RANKED, enables_categories=True, unlike=SMOOTH),
    )
}
"""The releases that are known here, the oldest first."""

OLDEST, *_, NEWEST = RELEASES


def release_of(asked: str | None = None) -> Release:
    """The record of a release. One that is newer than all records has the newest.

    Args:
        asked: the release, as `3.2` or `3.2.0`; None for the newest.

    Raises:
        InputError: that is no release, or it is older than all records.

    Example:
        >>> release_of().name, release_of("3.2.0").name, release_of("3.10").name
        ('3.4', '3.2', '3.4')
        >>> release_of("2.1")
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: release='2.1' of XGBoost is older than 3.2, the oldest that is known here
    """
    if asked is None:
        return RELEASES[NEWEST]
    numbers = numbers_of(asked)
    if numbers is None or len(numbers) < 2:
        raise InputError(f"release={asked!r} is no release of XGBoost; say one such as {NEWEST}, or leave it out")
    known = [release for name, release in RELEASES.items() if (numbers_of(name) or ()) <= numbers]
    if not known:
        raise InputError(f"release={asked!r} of XGBoost is older than {OLDEST}, the oldest that is known here")
    return known[-1]


def binned(table: Table, max_bin: int = 256, rules: Rules = RANKED, left_out: Mapping[str, int] | None = None) -> Table:
    """The table with each number replaced by the lower edge of its bin; the target stays.

    Args:
        table: the rows, whose numbers are those of the program.
        max_bin: the most bins of a column.
        rules: the rules of a release for the edges.
        left_out: attribute → how many further rows have a number, and weigh nothing.

    Raises:
        InputError: the weights are too large for float32.
    """
    columns, numbers = dict(table.columns), dict(table.schema.numbers)
    for name, values in table.schema.numbers.items():
        if name == table.schema.target.name or not values:
            continue
        places = [0, *_edges(table, name, max_bin, rules, (left_out or {}).get(name, 0))]
        lower = SortedNumbers.of(list(map(values.__getitem__, places)))
        bins = [*(bisect_right(places, place) - 1 for place in range(len(values))), len(lower)]
        columns[name] = Cells(lower, in_array(map(bins.__getitem__, table.codes(name)), len(lower)))
        numbers[name] = lower
    return replace(table, schema=replace(table.schema, numbers=numbers), columns=columns)


def _edges(table: Table, name: str, max_bin: int, rules: Rules, left_out: int) -> list[int]:
    """The places of the edges of a column among its numbers."""
    codes, missing = table.codes(name), len(table.schema.numbers[name])
    try:
        weights = [nearest_single(float(weight)) for weight in table.weighted()]
        known = [(code, weight) for code, weight in zip(codes, weights, strict=True) if code != missing]
        return edges([code for code, _ in known], [weight for _, weight in known], max_bin, rules, left_out)
    except OverflowError:
        raise InputError("the weights of the rows are too large for float32; divide all of them by a number") from None
