"""Orders: a sample in memory, as its rows in the order of each continuous attribute.

Where a column holds numbers, a set for each value would be a set for each row. Instead the rows are numbered, and for
each continuous attribute their numbers stand in the order of its values. Sorting is done once, at the root: the order
of a part of the sample is the order of the whole with the other rows struck out.

1. `Orders` is a sample: the numbers of its rows, and their orders. `split` strikes out.
2. The orders of the attributes of which every row has a value are equally long. They are *joined*, one behind the
   other, so that most of what is done for each attribute of a node is done for all of them at once.
3. Once a sample has at most 256 rows, each gets a number that fits in a byte (`numbering`). Its orders are then byte
   strings, and to strike out or to look up is a single call of `bytes.translate`, at about a nanosecond a row.

A weight is kept as a whole multiple of a unit that all weights of the sample share, so that weights with long
denominators, as missing values make them, are added as integers.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import compress

from reference_tree.data.columns import Codes, Numbers
from reference_tree.data.missing import REFUSED, Missing
from reference_tree.data.numbering import (
    DIGIT_OF_MARK,
    MARKS,
    NARROW,
    ON_SIDE,
    Columns,
    Digits,
    Numbered,
    Numbering,
    Ranks,
)
from reference_tree.data.points import Points, coordinates_of, gathered
from reference_tree.data.questions import Test, Threshold
from reference_tree.data.sample import Counts, Joined, Ordered, Partition, gaps, in_units, multiples, sums
from reference_tree.data.schema import Schema
from reference_tree.data.targets import Branches, Moments, Target, Values
from reference_tree.exact.long_numbers import any_deferred, fine_multiples
from reference_tree.exact.rationals import Rational, simplest

_SHARED = "\0"
"""After the name of an attribute: the order of those rows alone whose value another row of the table has too."""
_FEW = 16
"""So few rows that share values are looked for one by one."""


class Orders:
    """A sample in memory; see `reference_tree.data.sample.Sample` for what its methods mean.

    Args:
        numbering: what the numbers of the rows mean.
        digits: what is counted of them.
        rows: the numbers of the rows of the sample, in any order.
        orders: for some continuous attributes the numbers of the rows that have a value, by ascending values. Others
            are sorted when they are asked for.
        weights: the weight of each row as a multiple of `unit`; none: all are one unit. There may be more rows in it.
        unit: what all weights are multiples of.
        joined: the orders of the attributes that the numbering says, one behind the other; none: they are sorted anew.
        labels: what is counted of each row in the joined orders; none: it is looked up when it is asked for.
    """

    def __init__(
        self,
        numbering: Numbering,
        digits: Digits,
        rows: Numbered,
        orders: dict[str, Numbered],
        weights: Mapping[int, int] | None,
        unit: Rational,
        joined: Numbered = (),
        labels: Numbered | None = None,
    ) -> None:
        self._numbering, self._digits, self._rows, self._orders = numbering, digits, rows, orders
        self._weights, self._unit, self._joined, self._labels = weights, unit, joined, labels
        self._sum_of_all: Counts | None = None

    @classmethod
    def of(cls, schema: Schema, cells: Mapping[str, Codes | Numbers], weights: Sequence[Rational] | None) -> Orders:
        """All rows of a table."""
        columns = Columns(schema, cells)
        whole, unit = (None, 1) if weights is None else multiples(weights)
        weighed = None if whole is None or set(whole) == {1} else dict(enumerate(whole))
        rows = list(range(columns.size))  # the same `int` objects stand in all orders
        orders: dict[str, Numbered] = {}
        joined: list[int] = []
        complete: list[str] = []
        for name in (attribute.name for attribute in schema.attributes if attribute.values is None):
            order = columns.order(name, rows)
            if columns.size > NARROW and name not in columns.distinct:
                orders[name + _SHARED] = columns.sharing(name, order)
            if len(order) == columns.size:
                complete.append(name)
                joined += order
            else:
                orders[name] = order
        places = {name: place for place, name in enumerate(complete)}
        root = cls(Numbering(columns, None, columns.distinct, {}, places), columns.digits, rows, {}, weighed, unit)
        return root._made(rows, orders, weighed, unit, joined)

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self._numbering.columns.schema

    @property
    def target(self) -> Target:
        """What is counted."""
        return self._digits.target

    # Counting.

    def total(self) -> Counts:
        """The row of the whole sample."""
        if self._sum_of_all is None:
            self._sum_of_all = self._count(self._rows)
        return self._sum_of_all

    def _count(self, rows: Numbered) -> Counts:
        """The row of some rows."""
        return self._sum(self._digits.among(rows), self._weights_of(rows))

    def _weights_of(self, rows: Numbered) -> list[int] | None:
        weights = self._weights
        return None if weights is None else [weights[row] for row in rows]

    def _sum(self, digits: Numbered, weights: list[int] | None) -> Counts:
        """The row of some rows of which these are the digits and the weights."""
        return in_units(self.target, sums(self.target, digits, weights), self._unit, self._digits.grain)

    # Asking.

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a question."""
        *answers, unknown = self._answers(test)
        rows = tuple(self._count(answer) if answer else self._nothing for answer in answers)
        return Partition(test.outcomes, rows, self._count(unknown) if unknown else self._nothing)

    @property
    def _nothing(self) -> Counts:
        return self._digits.nothing

    def _answers(self, test: Test) -> list[Numbered]:
        """The rows that give each answer, and after them those that give none."""
        if isinstance(test, Threshold):
            order = self._order(test.attribute)
            numbers, code = self.schema.numbers[test.attribute], partial(self._numbering.code, test.attribute)
            bisect = bisect_left if test.strict else bisect_right
            cut = bisect(order, test.threshold, key=lambda row: numbers[code(row)])
            return [order[:cut], order[cut:], self._without(order)]
        return self._answers_among(test, self._rows)

    def _without(self, known: Numbered) -> Numbered:
        """The rows that are not among these, which all belong to the sample."""
        if len(known) == len(self._rows):
            return known[:0]
        if isinstance(self._rows, bytes):
            return self._rows.translate(None, bytes(known))
        left_out = set(known)
        return [row for row in self._rows if row not in left_out]

    def _answers_among(self, test: Test, rows: Numbered) -> list[Numbered]:
        """The same for some rows of the sample."""
        parts: list[list[int]] = [[] for _ in (*test.outcomes, None)]
        for row, branch in zip(rows, self._numbering.branches(test, rows), strict=True):
            if branch is not None:
                parts[branch].append(row)
        return [bytes(part) for part in parts] if isinstance(rows, bytes) else list(parts)

    def joined(self, attributes: Sequence[str]) -> Joined | None:
        """The orders of some continuous attributes, one behind the other: of those that are kept so.

        None, if that is none of them, if rows differ in weight, or if classes do not fit in a byte.
        """
        places, n = self._numbering.joined, len(self._rows)
        names = [name for name in attributes if name in places] if self._joined and self._weights is None else []
        labels = self._labels_of_joined() if names else ()
        if not isinstance(labels, bytes):
            return None
        if names != list(places):
            labels = b"".join([labels[places[name] * n : (places[name] + 1) * n] for name in names])
        if self._numbering.distinct.issuperset(names):
            gaps_of_all = b"\1" * (len(labels) - 1)
        else:
            gaps_of_all = b"\1".join([self._gaps(name, self._order(name)) for name in names])
        return Joined(names, labels, gaps_of_all, self._unit)

    def _labels_of_joined(self) -> Numbered:
        if self._labels is None:
            self._labels = self._digits.among(self._joined)
        return self._labels

    def packed(self) -> None:
        """None: these rows are kept in orders."""

    def ordered(self, attribute: str) -> Ordered:
        """The sample in the order of a continuous attribute."""
        order, place = self._order(attribute), self._numbering.joined.get(attribute)
        if place is None or self._labels is None:
            digits = self._digits.among(order)
        else:
            digits = self._labels[place * len(order) : (place + 1) * len(order)]
        weights, unknown = self._weights_of(order), self._nothing
        if len(order) < len(self._rows):
            unknown = tuple(a - b for a, b in zip(self.total(), self._sum(digits, weights), strict=True))
        values = Ranks(self._numbering, attribute, order)
        return Ordered(values, digits, self._gaps(attribute, order), weights, self._unit, self._digits.grain, unknown)

    def _gaps(self, attribute: str, order: Numbered) -> bytes:
        """Where the value changes along the order."""
        if attribute in self._numbering.distinct:
            return b"\1" * (len(order) - 1)
        sharing = self._orders.get(attribute + _SHARED)
        if sharing is not None and len(sharing) <= _FEW:
            return self._numbering.gaps_of_nearly_all(attribute, order, sharing)
        ranks = self._numbering.ranks.get(attribute)
        if ranks is None or not isinstance(order, bytes):
            return gaps(self._numbering.codes(attribute, order))
        return gaps(order.translate(ranks))

    def _order(self, attribute: str) -> Numbered:
        """The rows that have a value of an attribute, by ascending values."""
        place = self._numbering.joined.get(attribute) if self._joined else None
        if place is not None:
            return self._joined[place * len(self._rows) : (place + 1) * len(self._rows)]
        if attribute not in self._orders:
            missing = self._numbering.columns.missing(attribute)
            code_of = dict(zip(self._rows, self._numbering.codes(attribute, self._rows), strict=True))
            order = [row for row, code in code_of.items() if code < missing]
            order.sort(key=code_of.__getitem__)
            self._orders[attribute] = bytes(order) if isinstance(self._rows, bytes) else order
        return self._orders[attribute]

    def points(self, attributes: Sequence[str]) -> Points:
        """The sample as points."""
        coordinates = coordinates_of(self.schema, attributes)
        names = list(dict.fromkeys(coordinate.attribute for coordinate in coordinates))
        alike: dict[tuple[int, ...], list[int]] = {}
        for row, *codes in zip(self._rows, *(self._numbering.codes(name, self._rows) for name in names), strict=True):
            alike.setdefault(tuple(codes), []).append(row)
        domains = [[*self._numbering.columns.domain(name), None] for name in names]
        cells = ([domain[code] for domain, code in zip(domains, codes, strict=True)] for codes in alike)
        rows = (bytes(group) if isinstance(self._rows, bytes) else group for group in alike.values())
        pairs = ((dict(zip(names, of, strict=True)), self._count(group)) for of, group in zip(cells, rows, strict=True))
        return gathered(coordinates, pairs, self.target)

    # Parting.

    def split(self, test: Test, missing: Missing = REFUSED) -> tuple[Orders, ...]:
        """The parts that give each answer, in branch order."""
        *answers, unknown = self._answers(test)
        if not unknown and len(answers) == 2:
            return self._halves(*answers)
        more = missing.routes(unknown, len(answers), self._answers_among)
        return tuple(self._part([(answer, 1), *others]) for answer, others in zip(answers, more, strict=True))

    def against(self, target: Target) -> Orders:
        """The same rows with other columns; those that have nothing to count there are left out."""
        if isinstance(target, Branches):
            branches = self._numbering.branches(target.test, self._rows)
            return self._counting(target, branches, len(target.test.outcomes))
        name = self.schema.target.name
        codes = self._numbering.codes(name, self._rows)
        if isinstance(target, Moments):
            whole, grain = multiples(self.schema.numbers[name])
            return self._with(Digits(target, {r: whole[c] for r, c in zip(self._rows, codes, strict=True)}, 0, grain))
        places: dict[object, int] = {
            value: place for place, value in enumerate(target.numbers if isinstance(target, Values) else target.columns)
        }
        domain = self._numbering.columns.domain(name)
        return self._counting(target, (places.get(domain[code]) for code in codes), len(places))

    def _counting(self, target: Target, columns: Iterable[int | None], width: int) -> Orders:
        """The same rows, each counted in a column; those for which there is none are left out."""
        of = {row: c for row, c in zip(self._rows, columns, strict=True) if c is not None and c < width}
        rows = bytes(of) if isinstance(self._rows, bytes) else list(of)
        part = self if len(rows) == len(self._rows) else self._part([(rows, 1)], renumber=False)
        table = bytes(of.get(row, 0) for row in range(NARROW)) if isinstance(rows, bytes) and width <= NARROW else None
        return part._with(Digits(target, of, width, 1, table))

    def _with(self, digits: Digits) -> Orders:
        return Orders(self._numbering, digits, self._rows, self._orders, self._weights, self._unit, self._joined)

    def _halves(self, first: Numbered, second: Numbered) -> tuple[Orders, Orders]:
        """The two parts that make up the sample. Whoever is not in the one is in the other: half the work."""
        if len(first) + len(second) < len(self._rows):
            return self._part([(first, 1)]), self._part([(second, 1)])
        if isinstance(first, bytes) and isinstance(second, bytes):
            return self._half(first, second), self._half(second, first)
        marks = self._digits.marks(second, self._numbering.columns.size)
        joined = bytes([marks[row] for row in self._joined])
        others = {name: bytes([marks[row] for row in order]) for name, order in self._orders.items()}
        return self._marked(first, 0, joined, others), self._marked(second, 1, joined, others)

    def _half(self, rows: bytes, others: bytes) -> Orders:
        """The part with these rows, and not the others."""
        orders: dict[str, Numbered] = {}
        joined = b""
        if not self._is_pure(rows):
            orders = {name: bytes(order).translate(None, others) for name, order in self._orders.items()}
            joined = bytes(self._joined).translate(None, others)
        return Orders(self._numbering, self._digits, rows, orders, self._weights, self._unit, joined)

    def _marked(self, rows: Numbered, side: int, joined: bytes, others: Mapping[str, bytes]) -> Orders:
        """The part with these rows, which are on one side by the marks in the joined orders and in the other ones."""
        if self._is_pure(rows):
            return self._made(rows, {}, self._weights, self._unit)
        inside = ON_SIDE[side]
        orders: dict[str, Numbered] = {
            name: list(compress(order, others[name].translate(inside))) for name, order in self._orders.items()
        }
        kept = list(compress(self._joined, joined.translate(inside)))
        labels = joined.translate(DIGIT_OF_MARK, MARKS[1 - side]) if self._digits.doubled else None
        return self._made(rows, orders, self._weights, self._unit, kept, labels)

    def _part(self, groups: Sequence[tuple[Numbered, Rational]], renumber: bool = True) -> Orders:
        """The part made up of some groups of rows, the weight of each multiplied by a factor."""
        groups = [(rows, factor) for rows, factor in groups if rows and factor]
        rows: Numbered = (
            b"".join(bytes(part) for part, _ in groups)
            if isinstance(self._rows, bytes)
            else [row for part, _ in groups for row in part]
        )
        weights, unit = self._weights, self._unit
        if any(factor != 1 for _, factor in groups):
            weights, unit = self._multiplied(groups)
        orders: dict[str, Numbered] = {}
        joined: Numbered = ()
        if not self._is_pure(rows):
            *others, joined = self._kept([*self._orders.values(), self._joined], rows)
            orders = dict(zip(self._orders, others, strict=True))
        if renumber:
            return self._made(rows, orders, weights, unit, joined)
        return Orders(self._numbering, self._digits, rows, orders, weights, unit, joined)

    def _is_pure(self, rows: Numbered) -> bool:
        """Whether all rows are counted alike: most likely nobody asks for their orders."""
        digits = self._digits.among(rows)
        return not digits or digits.count(digits[0]) == len(digits)

    def _kept(self, orders: Sequence[Numbered], rows: Numbered) -> list[Numbered]:
        """Some orders of the sample with all rows but these struck out."""
        if isinstance(self._rows, bytes):
            others = self._rows.translate(None, bytes(rows))
            return [bytes(order).translate(None, others) for order in orders]
        inside = [0] * self._numbering.columns.size
        for row in rows:
            inside[row] = 1
        return [[row for row in order if inside[row]] for order in orders]

    def _multiplied(self, groups: Sequence[tuple[Numbered, Rational]]) -> tuple[Mapping[int, int] | None, Rational]:
        """The weights of some groups of rows, each multiplied by a factor; and their unit."""
        weights = self._weights
        if any_deferred(factor for _, factor in groups) or (weights and any_deferred(weights.values())):
            weighed = {row: (weights[row] if weights else 1) * factor for rows, factor in groups for row in rows}
            return fine_multiples(weighed, self._unit)
        common = math.lcm(*(factor.denominator for _, factor in groups))
        found: dict[int, int] = {}
        for rows, factor in groups:
            times = factor.numerator * (common // factor.denominator)
            found.update((row, times if weights is None else weights[row] * times) for row in rows)
        divisor = math.gcd(*found.values())
        unit = simplest(Fraction(self._unit * divisor) / common)
        reduced = {row: weight // divisor for row, weight in found.items()}
        return (None if all(weight == 1 for weight in reduced.values()) else reduced), unit

    def _made(
        self,
        rows: Numbered,
        orders: dict[str, Numbered],
        weights: Mapping[int, int] | None,
        unit: Rational,
        joined: Numbered = (),
        labels: Numbered | None = None,
    ) -> Orders:
        """A sample of these rows; numbered anew if they fit in bytes, and did not before."""
        old = self._numbering
        if isinstance(rows, bytes) or len(rows) > NARROW:
            return Orders(old, self._digits, rows, orders, weights, unit, joined, labels)
        number = [0] * old.columns.size
        for place, row in enumerate(rows):
            number[row] = place
        narrow: dict[str, Numbered] = {
            name: bytes([number[row] for row in order]) for name, order in orders.items() if not name.endswith(_SHARED)
        }
        together, n = bytes([number[row] for row in joined]), len(rows)
        sections = {name: together[at * n : (at + 1) * n] for name, at in old.joined.items()} if joined else {}
        numbering, digits = old.narrowed(rows, {**narrow, **sections}), self._digits.renumbered(rows)
        weighed = None if weights is None else {place: weights[row] for place, row in enumerate(rows)}
        return Orders(numbering, digits, bytes(range(n)), narrow, weighed, unit, together)
