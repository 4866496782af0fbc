r"""Counting: what multiway splits gain, estimated from one count of a node's rows for each attribute.

Of the gain among the rows that answer, only the conditional entropy depends on the attribute:

$$|D|\,H(D|A) = \sum_i t(s_{i\cdot}) - \sum_{i,j} t(s_{ij}), \qquad t(n) = n \log_2 n$$

Only cells that are not empty take part: a thousand values or a thousand classes cost no more than the rows that have
them. The cells of a row whose value is missing are taken out again.

Most nodes are small, and small nodes have the same tables again and again. Where the cells of a row are few, they are
*packed*: a row is one long integer with a byte for each cell, so that the partitions on all attributes are the sum of
the rows, and what a table leaves open is remembered by its bytes. That makes ID3 twice as fast.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import NamedTuple

from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.targets import Classes
from reference_tree.engine.enclosed_scores import mixture
from reference_tree.engine.integer_columns import Cells
from reference_tree.engine.scans import summed, terms_up_to
from reference_tree.engine.store import Store
from reference_tree.engine.terms import estimated, term_table
from reference_tree.exact.rationals import Rational
from reference_tree.splitting import multiway
from reference_tree.splitting.candidate import Candidate
from reference_tree.twins import fast_form_of


class LeftOpen(dict[bytes, int]):
    """What a table of at most 255 rows leaves open: its bytes → |D|·H(D|A), in units of 2^-64.

    Example:
        >>> LeftOpen(2)[bytes([1, 1, 0, 5])] >> 64, LeftOpen(2)[bytes([0, 3, 7, 0])]    # one of each class; pure rows
        (2, 0)
    """

    def __init__(self, classes: int) -> None:
        super().__init__()
        self._classes = classes

    def __missing__(self, table: bytes) -> int:
        terms, k = term_table(256), self._classes
        rows = [table[start : start + k] for start in range(0, len(table), k)]
        found = sum([terms[sum(row)] for row in rows]) - sum(map(terms.__getitem__, table))
        if len(self) >= 1 << 16:
            self.clear()
        self[table] = found
        return found


left_open_by = lru_cache(maxsize=16)(LeftOpen)
"""The memory for tables of so many classes."""


@fast_form_of(multiway.best_multiway)
def best_multiway(
    sample: Sample, attributes: Sequence[Attribute], measured: tuple[str, ...], minimum: Rational, ties: bool = True
) -> Sequence[Candidate]:
    """The best multiway splits, sought among the promising attributes alone."""
    promising = promising_attributes(sample, attributes, measured[0], minimum, ties)
    return multiway.best_multiway.__wrapped__(sample, promising, measured, minimum, ties)  # type: ignore[attr-defined,no-any-return]


def promising_attributes(
    sample: Sample, attributes: Sequence[Attribute], measure: str, minimum: Rational = 0, ties: bool = True
) -> Sequence[Attribute]:
    """The categorical attributes among whose multiway splits the best must be."""
    if not isinstance(sample, Store) or measure != "gain" or not counts_classes(sample):
        return attributes
    known = [attribute for attribute in attributes if attribute.values is not None]
    if len(known) < 2:
        return known
    if (packed := sample.packed()) is not None and minimum <= sample.unit:
        return _of_packed(packed, sample.columns.cells, known, ties)
    found, slack = parted(sample, known, minimum)
    least = max([one.gain for one in found if one.is_sure], default=0) - 2 * slack
    near = [one.attribute for one in found if one.gain >= least or not one.is_sure]
    return near if ties or len(near) < 2 else _unlike(sample, near)


class Parted(NamedTuple):
    """An attribute with a multiway split that may be made."""

    attribute: Attribute
    gain: int
    """An estimate of |D|·gain, in units of 2^-32."""
    is_sure: bool
    """Whether its branches are sure to be large enough."""


def counts_classes(sample: Store) -> bool:
    """Whether it is the classes of the table that are counted in a sample."""
    return isinstance(sample.target, Classes) and sample.counted.of is sample.columns.cells.labels


def parted(sample: Store, attributes: Sequence[Attribute], minimum: Rational = 0) -> tuple[list[Parted], int]:
    """The categorical attributes that may be asked for, each with what it gains; and how far the gains may be off.

    Args:
        sample: the rows at the node.
        attributes: those in question.
        minimum: the least weight of a branch that is not empty.
    """
    cells, (of_row, shift) = sample.columns.cells, sample.short_weights
    labels, weights = sample.take(cells.labels), None if of_row is None else sample.take(of_row)
    rows, start = len(labels), _weighed(labels, weights)
    whole, cut = sum(start.values()), rows if shift else 0
    term, slack = terms_up_to(whole, cut)
    term = remembered if term is estimated else term
    least = 0 if minimum <= sample.unit else -(-minimum // sample.unit)
    found = []
    for attribute in attributes:
        missing, classes = len(attribute.domain), start
        counts = _weighed(sample.take(cells.of[attribute.name]), weights)
        branches = summed([cell // cells.classes for cell in counts], counts.values())
        if missing in branches:
            del branches[missing]
            counts = {cell: count for cell, count in counts.items() if cell < missing * cells.classes}
            classes = summed([cell % cells.classes for cell in counts], counts.values())
        if len(branches) > 1 and (smallest := min(branches.values())) + cut << shift >= least:
            gain = term(sum(classes.values())) + sum(map(term, counts.values()))
            gain -= sum(map(term, classes.values())) + sum(map(term, branches.values()))
            found.append(Parted(attribute, gain, smallest << shift >= least))
    return found, slack + 8 * rows + 2  # there are as many terms of each kind as rows at most


remembered = lru_cache(maxsize=1 << 14)(estimated)
"""Small nodes ask for the terms of the same few weights, attribute after attribute."""


def _weighed(keys: Sequence[int], weights: Sequence[int] | None) -> dict[int, int]:
    return Counter(keys) if weights is None else summed(keys, weights)


def _unlike(sample: Store, attributes: Sequence[Attribute]) -> list[Attribute]:
    """Of the attributes that part the rows alike the first."""
    first: dict[tuple[int, ...], Attribute] = {}
    for attribute in attributes:
        number = {len(attribute.domain): 0}  # of each value in the order in which they are met; 0 for none
        codes = sample.take(sample.columns.codes[attribute.name])
        first.setdefault(tuple([number.setdefault(code, len(number)) for code in codes]), attribute)
    return list(first.values())


def _of_packed(packed: bytes, cells: Cells, known: Sequence[Attribute], ties: bool) -> Sequence[Attribute]:
    """The same of the packed cells of a sample. An attribute with one branch is among them if nothing gains."""
    remembered, spans = left_open_by(cells.classes), cells.spans
    found = [remembered[packed[spans[attribute.name]]] for attribute in known]
    limit = min(found) + 4 * len(packed)
    near = [attribute for attribute, estimate in zip(known, found, strict=True) if estimate <= limit]
    if ties or len(near) < 2:
        return near
    first: dict[Hashable, Attribute] = {}
    for attribute in near:
        first.setdefault(_mixed(packed[spans[attribute.name]], cells.classes), attribute)
    return list(first.values())


@lru_cache(maxsize=1 << 14)
def _mixed(table: bytes, classes: int) -> Hashable:
    """What makes two tables of one sample gain the same, if both can split at all."""
    rows = [tuple(table[start : start + classes]) for start in range(0, len(table), classes)]
    return mixture(rows), sum(map(any, rows)) > 1
