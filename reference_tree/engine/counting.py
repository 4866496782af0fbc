r"""Counting: which categorical attributes can be the best, from one count of a node's rows.

Of the gain of a multiway split, only the conditional entropy depends on the attribute:

$$|D|\,H(D|A) = \sum_i t(s_{i\cdot}) - \sum_{i,j} t(s_{ij}), \qquad t(n) = n \log_2 n$$

All cells of all attributes are counted in one pass, and only those that are not empty take part: a thousand values or a
thousand classes cost no more than the rows that have them. The least sum has the largest gain.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from weakref import WeakKeyDictionary

from reference_tree.data.sample import Sample
from reference_tree.data.schema import Attribute
from reference_tree.data.targets import Classes
from reference_tree.engine.store import Columns, Store
from reference_tree.engine.terms import BITS, LIMIT, PLACES, estimated, term_table
from reference_tree.exact.rationals import Rational
from reference_tree.splitting import multiway
from reference_tree.twins import fast_form_of


class Cells:
    """The cells of the multiway partitions of a table: each pair of a value and a class is a number.

    Args:
        columns: of the table.
        attributes: the categorical ones.
        classes: how many there are.
    """

    def __init__(self, columns: Columns, attributes: Sequence[Attribute], classes: int) -> None:
        labels = columns.codes[columns.schema.target.name]
        self.attribute_of: list[int] = []
        """For each value of each attribute the number of the attribute."""
        cells = []
        for place, attribute in enumerate(attributes):
            first = len(self.attribute_of)
            self.attribute_of += [place] * (len(attribute.domain) + 1)
            codes = columns.codes[attribute.name]
            cells.append([(first + code) * classes + label for code, label in zip(codes, labels, strict=True)])
        self.of_row = list(zip(*cells, strict=True))
        """For each row the cells that it is in, one an attribute."""
        self.classes = classes
        self.places = {attribute.name: place for place, attribute in enumerate(attributes)}


_CELLS: WeakKeyDictionary[Columns, Cells] = WeakKeyDictionary()
# Those of each table that has samples.


def cells_of(columns: Columns) -> Cells:
    """The cells of the multiway partitions of a table."""
    if columns not in _CELLS:
        attributes = [attribute for attribute in columns.schema.attributes if attribute.values is not None]
        _CELLS[columns] = Cells(columns, attributes, len(columns.schema.target.domain))
    return _CELLS[columns]


@fast_form_of(multiway.promising_attributes)
def promising_attributes(
    sample: Sample, attributes: Sequence[Attribute], measure: str, minimum: Rational = 0
) -> Sequence[Attribute]:
    """The categorical attributes among whose multiway splits the best must be."""
    if not isinstance(sample, Store) or measure != "gain" or not isinstance(sample.target, Classes):
        return attributes
    known = [attribute for attribute in attributes if attribute.values is not None]
    if len(known) < 2:
        return known
    cells = cells_of(sample.columns)
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


def terms_up_to(total: int) -> tuple[Callable[[int], int], int]:
    """A function that estimates a term of a weight that is part of some total, and how far each may be off."""
    if total < LIMIT:
        return term_table(total).__getitem__, 2
    return _long_term, (total << 7) + 2 << BITS - PLACES


def _long_term(n: int) -> int:
    return estimated(n) << BITS - PLACES
