"""Bins of Spark: numbers of many values are cut only where its bins end.

1. Where Spark took its bins from all rows, they are found again, and the learner cuts only there (`between_bins`).
2. Where it took them from some rows, it is not known which; so the bins are those of the cuts that its trees ask, and
   the rows have one number for each bin (`with_bins`, `binned`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.data.sample import SizedData
from reference_tree.data.table import binned as numbered
from reference_tree.data.table import has_more_numbers
from reference_tree.exact.rationals import Rational
from reference_tree.programs.cart_options import ProgramCART
from reference_tree.programs.practice import Told
from reference_tree.programs.spark.profile import bin_ends
from reference_tree.tree import Tree

MOST_BINS = 32
"""The largest number of bins of Spark, unless something else is told."""


def with_bins(trees: Sequence[Tree], told: Told, seen: SizedData) -> tuple[SizedData, str]:
    """The rows as Spark divides them into bins, if it took these from some of the rows, and what is assumed.

    Which rows it drew is not known. The bins are taken to be those of the cuts that its trees ask.

    Args:
        trees: the trees of one model.
        told: what its document states of the training.
        seen: the rows, as the program holds their numbers.
    """
    most = told.get("max_bins", MOST_BINS)
    if not draws_for_bins(most, len(seen)):
        return seen, ""
    bins: dict[str, Sequence[Rational]] = {}
    for name in (one.name for one in seen.schema.attributes if one.values is None):
        if has_more_numbers(seen, name, most):
            tests = (node.test for tree in trees for node in tree.nodes)
            bins[name] = sorted(
                {one.threshold for one in tests if isinstance(one, Threshold) and one.attribute == name}
            )
    drawn = (
        "Spark MLlib took its bins from rows that it drew: they are taken to be those of the cuts that its trees ask"
    )
    return (binned(seen, bins), drawn) if bins else (seen, "")


def draws_for_bins(most: int, rows: int) -> bool:
    """Whether Spark takes its bins, of which there are at most so many, from some of the rows."""
    return rows > max(min(most, rows) ** 2, 10_000)


def between_bins(learner: ProgramCART, told: Told, seen: SizedData) -> ProgramCART:
    """The learner that cuts only between the bins of Spark, if it took them from all rows.

    Args:
        learner: the learner.
        told: what the document of its tree states of the training.
        seen: the rows, as the program holds their numbers; those of `with_bins`, if it drew rows for its bins.

    Raises:
        InputError: it asks for an order of categories.
    """
    most = min(told.get("max_bins", MOST_BINS), len(seen))
    target, cuts = seen.schema.target, dict[str, Any]()
    sample, is_drawn = seen.sample(), draws_for_bins(most, len(seen))
    for attribute in seen.schema.attributes:
        if attribute.values is None and not is_drawn and has_more_numbers(seen, attribute.name, most):
            ordered = sample.ordered(attribute.name)
            cuts[attribute.name] = bin_ends(ordered, sample.target.weight, most)
        if attribute.values is not None and len(target.values or ()) > 2 and 2 ** len(attribute.values) > most + 2:
            raise InputError(
                f"Spark does not try all sets of the {len(attribute.values)} values of {attribute.name} for more than "
                "two classes, which an audit cannot repeat"
            )
    return replace(learner, cuts=cuts) if cuts else learner


def binned(table: SizedData, bins: Mapping[str, Sequence[Rational]]) -> SizedData:
    """The rows with a number for each bin, for all numbers in it.

    Args:
        table: the rows.
        bins: attribute → the ends of its bins but for the last one, ascending doubles; a bin holds its end.

    Example:
        >>> from reference_tree.data.table import Table
        >>> table = Table.from_columns({"x": [1, 2, None, 5, 9], "y": [*"aabba"]})
        >>> binned(table, {"x": [2, 4]}).columns["x"]
        [1, 1, None, 5, 5]
    """
    pairs = {}
    for name, ends_of in bins.items():
        numbers = inside(ends_of)
        pairs[name] = list(zip([*map(float, ends_of), numbers[-1]], numbers, strict=True))
    return numbered(table, pairs)


def inside(ends_of: Sequence[Rational]) -> list[float]:
    """A double in each bin, ascending; not at the end of a bin, if there is another one.

    Example:
        >>> inside([2, 4]), inside([])
        ([1.0, 3.0, 5.0], [0.0])
    """
    if not ends_of:
        return [0.0]
    found = [float(end) for end in ends_of]
    middles = [max(math.nextafter(low, high), low / 2 + high / 2) for low, high in pairwise(found)]
    first, last = min(found[0] - 1, math.nextafter(found[0], -math.inf)), math.nextafter(found[-1], math.inf)
    return [first, *middles, max(found[-1] + 1, last)]
