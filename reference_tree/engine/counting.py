r"""Counting: which categorical attributes can be the best, from one count of a node's rows.

Of the gain of a multiway split, only the conditional entropy depends on the attribute:

$$|D|\,H(D|A) = \sum_i t(s_{i\cdot}) - \sum_{i,j} t(s_{ij}), \qquad t(n) = n \log_2 n$$

All cells of all attributes are counted in one pass, and only those that are not empty take part: a thousand values or a
thousand classes cost no more than the rows that have them. The least sum has the largest gain.

Most nodes are small, and small nodes have the same tables again and again. Where the cells of a row are few, they are
*packed*: a row is one long integer with a byte for each cell, so that the partitions on all attributes are the sum of
the rows, and what a table leaves open is remembered by its bytes. That makes ID3 twice as fast.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.targets import Classes
from reference_tree.engine.columns import Cells
from reference_tree.engine.enclosed_scores import mixture
from reference_tree.engine.store import Store
from reference_tree.engine.terms import BITS, LIMIT, PLACES, estimated, term_table
from reference_tree.exact.rationals import Rational
from reference_tree.splitting import multiway
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


@fast_form_of(multiway.promising_attributes)
def promising_attributes(
    sample: Sample, attributes: Sequence[Attribute], measure: str, minimum: Rational = 0, ties: bool = True
) -> Sequence[Attribute]:
    """The categorical attributes among whose multiway splits the best must be."""
    if not isinstance(sample, Store) or measure != "gain" or not isinstance(sample.target, Classes):
        return attributes
    known = [attribute for attribute in attributes if attribute.values is not None]
    if len(known) < 2:
        return known
    cells = sample.columns.cells
    if (packed := sample.packed()) is not None and minimum <= sample.unit:
        return _of_packed(packed, cells, known, ties)
    counts: Mapping[int, int]
    if sample.weights is None:
        counts = Counter(chain.from_iterable(sample.take(cells.of_row)))
        total = len(sample.rows)
    else:
        counts = defaultdict(int)
        for row in sample.rows:
            weight = sample.weights[row]
            for cell in cells.of_row[row]:
                counts[cell] += weight
        total = sum(map(sample.weights.__getitem__, sample.rows))
    classes, attribute_of = cells.classes, cells.attribute_of
    term, slack = terms_up_to(total)
    branches: dict[int, int] = {}
    left_open = [0] * len(cells.places)
    for cell, count in counts.items():
        value = cell // classes
        branches[value] = branches.get(value, 0) + count
        if count != 1:
            left_open[attribute_of[value]] -= term(count)
    parted = [0] * len(cells.places)
    least = -(-minimum // sample.unit)
    for value, count in branches.items():
        place = attribute_of[value]
        left_open[place] += term(count)
        parted[place] += 1 if count >= least else -len(branches)
    places = cells.places
    found = [(left_open[places[a.name]], a) for a in known if parted[places[a.name]] > 1]
    limit = min([estimate for estimate, _ in found], default=0) + slack * (len(counts) + len(branches))
    return [attribute for estimate, attribute in found if estimate <= limit]


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


def terms_up_to(total: int) -> tuple[Callable[[int], int], int]:
    """A function that estimates a term of a weight that is part of some total, and how far each may be off."""
    if total < LIMIT:
        return term_table(total).__getitem__, 2
    return _long_term, (total << 7) + 2 << BITS - PLACES


def _long_term(n: int) -> int:
    return estimated(n) << BITS - PLACES
