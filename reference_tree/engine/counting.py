r"""Counting: the gains of multiway splits, estimated from one count of a node's rows for each attribute.

In the gain among the rows that answer, only the conditional entropy depends on the attribute:

$$|D|\,H(D|A) = \sum_i t(s_{i\cdot}) - \sum_{i,j} t(s_{ij}), \qquad t(n) = n \log_2 n$$

1. `packed_of` counts all attributes at once: a row is one long integer with two bytes for each value, and the sum of
   the rows of a class holds its counts. It serves tables without missing values; rows of unequal weight only if few.
2. `parted` counts one attribute after the other. Only cells that are not empty are visited: a thousand values or a
   thousand classes cost no more than the rows that have them. The cells of rows with a missing value are removed
   afterwards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from functools import lru_cache, partial
from operator import mul, sub
from typing import NamedTuple, TypeVar

from reference_tree.data.sample import Counts, Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.targets import Classes
from reference_tree.engine.enclosed_scores import mixture
from reference_tree.engine.scans import slack_of_terms, summed
from reference_tree.engine.store import Store
from reference_tree.engine.terms import PLACES, estimated, short_terms
from reference_tree.engine.whole_rows import any_deferred
from reference_tree.exact.rationals import Rational
from reference_tree.splitting import multiway
from reference_tree.splitting.candidate import Candidate
from reference_tree.twins import fast_form_of


@fast_form_of(multiway.best_multiway)
def best_multiway(
    sample: Sample, attributes: Sequence[Attribute], measured: tuple[str, ...], minimum: Rational, ties: bool = True
) -> Sequence[Candidate]:
    """The best multiway splits, sought among the promising attributes only."""
    promising = promising_attributes(sample, attributes, measured[-1], minimum, ties)
    return multiway.best_multiway.__wrapped__(sample, promising, measured, minimum, ties)  # type: ignore[attr-defined,no-any-return]


def promising_attributes(
    sample: Sample, attributes: Sequence[Attribute], measure: str, minimum: Rational = 0, ties: bool = True
) -> Sequence[Attribute]:
    """The categorical attributes whose multiway splits include the best."""
    if not isinstance(sample, Store) or measure != "gain" or not counts_classes(sample):
        return attributes
    known = [attribute for attribute in attributes if attribute.values is not None]
    if len(known) < 2:
        return known
    if minimum <= sample.unit:
        # A pure partition has the largest gain there is: if ties do not count, the search may end at the first one.
        if not ties and len(sample.rows) < SMALL and (pure := next(filter(partial(_is_pure, sample), known), None)):
            return [pure]
        if packed := packed_of(sample):
            spans = [sample.columns.cells.spans[one.name] for one in known]
            known = [known[place] for place in _near(packed, spans, ties)]
            if len(known) < 2 or not packed.weighed:
                return known
    found, slack = parted(sample, known, minimum)
    # An estimate is off by at most the slack, and so is the one it is compared with: hence twice the slack.
    least = max([one.gain for one in found if one.is_sure], default=0) - 2 * slack
    near = [one for one in found if one.gain >= least or not one.is_sure]
    if not ties and len(near) > 1:
        near = _first_of_each(near, [_kind(sample, one) for one in near])
    return [one.attribute for one in near]


class Parted(NamedTuple):
    """An attribute with a multiway split that may be made."""

    attribute: Attribute
    gain: int
    """An estimate of |D|·gain, in units of 2^-32."""
    is_sure: bool
    """Whether its branches are sure to be large enough."""
    branches: Sequence[int]
    """The weights of the branches that are not empty."""


def counts_classes(sample: Store) -> bool:
    """Whether a sample counts the classes of the table."""
    return isinstance(sample.target, Classes) and sample.counted.of is sample.columns.cells.labels


def parted(sample: Store, attributes: Sequence[Attribute], minimum: Rational = 0) -> tuple[list[Parted], int]:
    """The categorical attributes that may be split on, each with an estimate of its gain; and the slack of the gains.

    Args:
        sample: the rows at the node.
        attributes: the categorical attributes to try.
        minimum: the least weight of a branch that is not empty.
    """
    cells, (of_row, shift) = sample.columns.cells, sample.short_weights
    labels, weights = sample.take(cells.labels), None if of_row is None else sample.take(of_row)
    rows, start = len(labels), _weighed(labels, weights)
    whole, cut = sum(start.values()), rows if shift else 0
    slack = slack_of_terms(whole, cut)
    least = 0 if minimum <= sample.unit else -(-minimum // sample.unit)
    all_known = estimated(whole) - sum(map(estimated, start.values()))
    found = []
    for attribute in attributes:
        missing, uncertain = len(attribute.domain), all_known
        counts = _weighed(sample.take(cells.of(attribute.name)), weights)
        branches = summed([cell // cells.classes for cell in counts], counts.values())
        if missing in branches:
            del branches[missing]
            counts = {cell: count for cell, count in counts.items() if cell < missing * cells.classes}
            classes = summed([cell % cells.classes for cell in counts], counts.values())
            uncertain = estimated(sum(classes.values())) - sum(map(estimated, classes.values()))
        if len(branches) > 1 and (smallest := min(branches.values())) + cut << shift >= least:
            gain = uncertain + sum(map(estimated, counts.values())) - sum(map(estimated, branches.values()))
            found.append(Parted(attribute, gain, smallest << shift >= least, [*branches.values()]))
    return found, slack + 8 * rows + 2  # of each kind there are at most as many terms as rows


def _weighed(keys: Sequence[int], weights: Sequence[int] | None) -> dict[int, int]:
    return Counter(keys) if weights is None else summed(keys, weights)


SMALL = 8
"""Samples of fewer rows often have an attribute whose branches are all pure: no attribute gains more."""


def _is_pure(sample: Store, attribute: Attribute) -> bool:
    """Whether an attribute is known of every row, and leaves one class in each branch."""
    codes = set(sample.take(sample.columns.codes[attribute.name]))
    cells = sample.take(sample.columns.cells.of(attribute.name))
    return len(attribute.domain) not in codes and 1 < len(codes) == len(set(cells))


def _kind(sample: Store, one: Parted) -> Hashable:
    """A key that partitions share if all are pure, or if they divide the rows alike."""
    number = {len(one.attribute.domain): 0}  # numbers the values in the order they are met; 0 for a missing value
    codes = sample.take(sample.columns.codes[one.attribute.name])
    is_pure = one.is_sure and _is_pure(sample, one.attribute)
    return is_pure or tuple([number.setdefault(code, len(number)) for code in codes])


Item = TypeVar("Item")


def _first_of_each(items: Sequence[Item], kinds: Sequence[Hashable]) -> list[Item]:
    """The first of the items of each kind."""
    first: dict[Hashable, Item] = {}
    for item, kind in zip(items, kinds, strict=True):
        first.setdefault(kind, item)
    return list(first.values())


# Rows that are packed.


class Packed(NamedTuple):
    """The multiway partitions on all attributes; the values of each attribute follow those of the one before."""

    whole: tuple[int, ...]
    """The weight of the rows with each value, or less if weights were rounded down."""
    classes: Sequence[tuple[int, ...]]
    """The counts of each class that occurs."""
    weighed: bool
    """Whether the rows have weights of their own."""
    slack: int
    """The most by which |D|·H(D|A) may exceed that of the rounded weights, in units of 2^-32."""


def packed_of(sample: Store) -> Packed | None:
    """The partitions of a sample whose rows are packed; None if they are not, or if the rows are too many."""
    cells, weights, slack = sample.columns.cells, sample.weights, 0
    if not cells.packed or len(sample.rows) >= (1 << 16 if weights is None else 1 << 8):
        return None
    rows = sample.take(cells.packed)
    if weights is not None:
        each = sample.take(weights)
        if any_deferred(each):
            return None
        if shift := max(0, sum(each).bit_length() - WEIGHED):
            each = [weight >> shift for weight in each]
            # Each unit of weight that a cell gains adds log2(side/cell) to |D|·H(D|A). All weights together are below
            # 2^16, including less than one more for each row, and no cell is below the least weight, of b bits: so
            # the logarithm is at most 17 - b; and where b is 0, the integral of log2(2^16/x) from 0 to c is below 18c.
            slack = len(each) * (WEIGHED + 3 - min(each).bit_length()) << PLACES
        rows = list(map(mul, rows, each))
    found: dict[int, int] = defaultdict(int)
    for label, row in zip(sample.take(cells.labels), rows, strict=True):
        found[label] += row
    whole, *classes = [cells.unpack(n.to_bytes(cells.size, "little")) for n in (sum(rows), *found.values())]
    return Packed(whole, classes, weights is not None, slack)


WEIGHED = 15
"""The most bits that the sum of the weights keeps, for estimates of fewer than 256 rows."""


def _near(packed: Packed, spans: Sequence[slice], ties: bool) -> list[int]:
    """The places of the attributes that may be the best; if nothing gains, also those with a single branch."""
    term = short_terms(max(packed.whole)).__getitem__
    terms = list(map(term, packed.whole))
    for of_class in packed.classes:
        terms = list(map(sub, terms, map(term, of_class)))
    left_open = [sum(terms[span]) for span in spans]
    # Each term is short by less than 2. Added weight never lowers |D|·H(D|A).
    limit = min(left_open) + 4 * len(terms) * (len(packed.classes) + 1) + packed.slack
    near = [place for place, estimate in enumerate(left_open) if estimate <= limit]
    if ties or len(near) < 2 or packed.weighed:
        return near
    tables = [tuple([of_class[spans[place]] for of_class in packed.classes]) for place in near]
    return _first_of_each(near, [_mixed(table) for table in tables])


@lru_cache(maxsize=1 << 14)
def _mixed(columns: Sequence[Counts]) -> Hashable:
    """A key that two partitions of one sample share only if they gain the same and both can split, or neither can."""
    rows = list(zip(*columns, strict=True))
    return mixture(rows), sum(map(any, rows)) > 1
