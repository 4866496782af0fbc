"""Raised branches: the rows that a raised branch had before are not sent down it again.

1. `arriving` finds where rows come to if a branch is tried in the place of its node. It gets the rows of the other
   branches besides its own. Its own rows are counted in its leaves already, so only the others are sent down and added.
2. `errors_of` adds up the estimated errors of many parts: each binomial limit is met again and again, so its multiples
   are added up as integers, and the sum is enclosed by the enclosures that the parts have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from operator import add
from typing import Any

from reference_tree.data.sample import Counts, Sample
from reference_tree.exact.linear_sums import EnclosedSum
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rounding import START_BITS
from reference_tree.node import Node
from reference_tree.pruning import error_based
from reference_tree.pruning.cutting import postorder_below
from reference_tree.pruning.error_based import Arriving, EstimatedPart
from reference_tree.splitting.missing_rules import with_gaps
from reference_tree.twins import fast_form_of


@fast_form_of(error_based.arriving)
def arriving(nodes: Mapping[int, Node], samples: Mapping[int, Sample], place: int, branch: int) -> Arriving:
    """The leaves that all rows of a node reach if one of its branches takes its place.

    If some row has a missing value, the textbook function is used, as that row may then be divided differently.
    """
    if with_gaps(samples[place]):
        textbook = error_based.arriving.__wrapped__  # type: ignore[attr-defined]
        by_the_book: Arriving = textbook(nodes, samples, place, branch)
        return by_the_book
    more: dict[int, Counts] = {}
    coming = [(branch, samples[other]) for other in nodes[place].branches if other != branch]
    while coming:
        here, sample = coming.pop()
        node, counts = nodes[here], sample.total()
        if node.test is not None and any(counts):
            coming += zip(node.branches, sample.split(node.test), strict=True)
        elif any(counts):
            more[here] = tuple(map(add, more.get(here, node.counts), counts))
    below = (here for here in reversed(postorder_below(nodes, branch)) if nodes[here].test is None)
    return Arriving([counts for here in below if any(counts := more.get(here, nodes[here].counts))], [])


@fast_form_of(error_based.errors_of)
def errors_of(parts: Iterable[tuple[EstimatedPart, int]]) -> Number:
    """The estimated errors of some parts of a subtree: sums of binomial limits are added up as one."""
    estimates = [(part.estimate, times) for part, times in parts]
    kind = type(estimates[0][0]) if estimates else None
    if (
        kind is None
        or not issubclass(kind, EnclosedSum)
        or any(type(estimate) is not kind for estimate, _ in estimates)
    ):
        return sum((estimate * times for estimate, times in estimates), 0)
    terms: dict[Any, Any] = {}
    constant: Any = 0
    low = high = 0
    for estimate, times in estimates:
        constant += estimate.constant * times
        least, most, _ = estimate.enclosure(START_BITS)
        low, high = low + least * times, high + most * times
        for term, c in estimate.terms.items():
            # Nearly all coefficients are whole, and integers are added up faster.
            whole = c.numerator if c.denominator == 1 else c
            terms[term] = terms.get(term, 0) + whole * times
    found = kind({term: Fraction(c) for term, c in terms.items()}, constant)
    found._near = low, high
    return found
