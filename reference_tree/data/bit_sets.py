"""Bit sets: a sample in memory, as sets in the notation of the books.

A set of rows is a Python `int` with one bit a row. Then s_ij = |D ∩ A_i ∩ C_j| is `(D & A[i] & C[j]).bit_count()`, the
part of D that gives the answer i is `D & A[i]`, and all counting happens in a few machine instructions per sixty-four
rows.

Three things keep that fast and small:

1. Rows of one weight form a set of their own: a sample is a few pairs (weight, set).
2. A set of few rows in a wide `int` is mostly zeros. `Rows` repacks itself once it has become sparse, so that the width
   of its sets stays in proportion to what they hold.
3. An attribute with more values than a byte can number (an ID column) would need a set for each: it is counted row by
   row instead.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import compress
from operator import add
from typing import TypeAlias

from reference_tree.data.columns import Codes
from reference_tree.data.errors import InputError
from reference_tree.data.missing import REFUSED, Missing
from reference_tree.data.numbering import codes_of
from reference_tree.data.points import Points, coordinates_of, gathered
from reference_tree.data.questions import Linear, Multiway, SeenSubset, Test
from reference_tree.data.sample import Counts, Ordered, Partition
from reference_tree.data.schema import Schema
from reference_tree.data.targets import Branches, Classes, Target
from reference_tree.exact.long_numbers import is_deferred
from reference_tree.exact.rationals import Rational

Bits: TypeAlias = int
Ranks: TypeAlias = Sequence[int]
Domain: TypeAlias = Sequence[str | Rational]

_FEW = 255
"""The most values that an attribute asked by sets has: codes 0 to 254, and 255 at most for `missing`, fit in a byte."""
_SPARSE = 16
"""A set is repacked when fewer than one in so many of its bits is set: each row is then moved O(log n) times."""

_ONE_AT = [bytes(49 if byte == code else 48 for byte in range(256)) for code in range(256)]
# _ONE_AT[v] translates a byte string of codes to the binary digits "1" where the code is v and "0" elsewhere.


class Block:
    """Rows side by side: their codes, and the sets that these form. Row 0 is the highest bit.

    Args:
        size: how many rows.
        codes: attribute → the code of each row, its value's place in the domain; the code after the last one means that
            the value is missing.
        domains: attribute → its values.
    """

    def __init__(self, size: int, codes: Mapping[str, Ranks], domains: Mapping[str, Domain]) -> None:
        self.size, self.codes, self.domains = size, codes, domains
        self._sets: dict[str, tuple[Bits, ...]] = {}

    @property
    def everyone(self) -> Bits:
        """The set of all rows."""
        return (1 << self.size) - 1

    def is_narrow(self, attribute: str) -> bool:
        """Whether an attribute has so few values that there is a set for each."""
        return len(self.domains[attribute]) <= _FEW

    def sets(self, attribute: str) -> tuple[Bits, ...]:
        """A_1, ..., A_V of an attribute, and after them the set of rows whose value is missing."""
        if attribute not in self._sets:
            find = self._translated if self.is_narrow(attribute) else self._row_by_row
            self._sets[attribute] = tuple(find(self.codes[attribute], len(self.domains[attribute])))
        return self._sets[attribute]

    def _translated(self, codes: Ranks, missing: int) -> Iterable[Bits]:
        digits = (bytes(codes).translate(_ONE_AT[code]) for code in range(missing + 1))
        return (int(text or b"0", 2) for text in digits)

    def _row_by_row(self, codes: Ranks, missing: int) -> Iterable[Bits]:
        sets = [0] * (missing + 1)
        for place, code in enumerate(reversed(codes)):
            sets[code] |= 1 << place
        return sets

    def where(self, attribute: str, holds: Sequence[bool]) -> Bits:
        """The set of rows whose code has the flag `holds[code]`."""
        if self.is_narrow(attribute):
            return _union(compress(self.sets(attribute), holds))
        digit = [49 if flag else 48 for flag in holds]
        return int(bytes(digit[code] for code in self.codes[attribute]) or b"0", 2)

    def members(self, bits: Bits) -> list[bool]:
        """For each row, whether it is in the set."""
        return [digit == "1" for digit in format(bits, f"0{self.size}b")]

    def take(self, bits: Bits) -> Block:
        """The rows of a set as a block of their own."""
        members = self.members(bits)
        codes = {name: _pack(compress(column, members), self.domains[name]) for name, column in self.codes.items()}
        return Block(bits.bit_count(), codes, self.domains)


class Rows:
    """A sample in memory; see `reference_tree.data.sample.Sample` for what its methods mean.

    Args:
        schema: what the columns are.
        block: the rows.
        parts: pairs (weight, set of the rows that have it), weights ascending and different, no set empty.
        target: what is counted; none: the classes.
    """

    def __init__(
        self, schema: Schema, block: Block, parts: tuple[tuple[Rational, Bits], ...], target: Target | None = None
    ) -> None:
        self.schema, self._block, self._parts = schema, block, parts
        self.target: Target = target or Classes(schema.target.domain)
        """What is counted."""
        self._sum_of_all: Counts | None = None

    @classmethod
    def of(cls, schema: Schema, columns: Mapping[str, Codes], weights: Sequence[Rational] | None) -> Rows:
        """All rows of a table without numbers."""
        attributes = (*schema.attributes, schema.target)
        domains: dict[str, Domain] = {a.name: a.domain for a in attributes}
        codes = {a.name: _pack(codes_of(a, schema, columns[a.name]), domains[a.name]) for a in attributes}
        block = Block(len(columns[schema.target.name]), codes, domains)
        if weights is None:
            return cls(schema, block, ((1, block.everyone),))
        distinct = sorted(set(weights))
        rank = {weight: index for index, weight in enumerate(distinct)}
        by_weight = Block(block.size, {"": [rank[weight] for weight in weights]}, {"": distinct})
        return cls(schema, block, tuple(zip(distinct, by_weight.sets("")[:-1], strict=True)))

    @classmethod
    def coded(cls, schema: Schema, codes: Mapping[str, Ranks]) -> Rows:
        """Rows of weight 1 by the codes of their values, the target's among them."""
        domains: dict[str, Domain] = {a.name: a.domain for a in (*schema.attributes, schema.target)}
        block = Block(len(codes[schema.target.name]), {n: _pack(c, domains[n]) for n, c in codes.items()}, domains)
        return cls(schema, block, ((1, block.everyone),) if block.size else ())

    @cached_property
    def _columns(self) -> tuple[Bits, ...]:
        """The set of all rows that stand in each column of the target."""
        if isinstance(self.target, Branches):
            return self._answers(self.target.test)[:-1]
        return self._block.sets(self.schema.target.name)[:-1]

    def total(self) -> Counts:
        """|C_1|, ..., |C_K|."""
        if self._sum_of_all is None:
            counts: Counts = (0,) * len(self._columns)
            for weight, rows in self._parts:
                found = [weight * (rows & members).bit_count() for members in self._columns]
                counts = tuple(map(add, counts, found))
            self._sum_of_all = counts
        return self._sum_of_all

    @cached_property
    def _present(self) -> list[tuple[int, Bits]]:
        """The columns that are not empty: of many classes a small sample has few."""
        return [(place, self._columns[place]) for place, count in enumerate(self.total()) if count]

    def _weigh(self, selected: Bits) -> Counts:
        """The weight of each class among the selected rows: Σ over the weights w of w·|selected ∩ C_j|."""
        counts: list[Rational] = [0] * len(self._columns)
        for weight, rows in self._parts:
            if found := rows & selected:
                for place, members in self._present:
                    counts[place] += weight * (found & members).bit_count()
        return tuple(counts)

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a question."""
        if self._is_wide(test) and isinstance(self.target, Classes):
            return self._counted(test)
        *answers, unknown = self._answers(test)
        return Partition(test.outcomes, tuple(map(self._weigh, answers)), self._weigh(unknown))

    def joined(self, attributes: Sequence[str]) -> None:
        """None: no attribute of such a sample has an order."""

    def packed(self) -> None:
        """None: these rows are kept as sets."""

    def _is_multiway(self, test: Test) -> bool:
        """Whether the branches are the codes; in somebody else's tree they may stand in another order."""
        return isinstance(test, Multiway) and test.values == self._block.domains[test.attribute]

    def _is_wide(self, test: Test) -> bool:
        """Whether the branches are the codes, and too many for a set each."""
        return self._is_multiway(test) and not self._block.is_narrow(test.attribute)

    def _answers(self, test: Test) -> tuple[Bits, ...]:
        """The set of all rows that give each answer, and after them the set of those that give none."""
        if isinstance(test, Linear):
            return self._answers_by_sum(test)
        name = test.attribute
        if self._is_multiway(test):
            return self._block.sets(name)
        domain = self._block.domains[name]
        flags = [[*(outcome.holds(value) for value in domain), False] for outcome in test.outcomes]
        unknown = [False] * len(domain) + [True]
        if isinstance(test, SeenSubset):  # what it leaves open counts as missing
            unknown = [not any(holds) for holds in zip(*flags, strict=True)]
        return (*(self._block.where(name, holds) for holds in flags), self._block.where(name, unknown))

    def _counted(self, test: Test) -> Partition:
        """The sample partition of an attribute with very many values, counted row by row."""
        empty = [0] * len(self._columns)
        table: list[list[Rational]] = [list(empty) for _ in (*test.outcomes, None)]
        for weight, rows in self._parts:
            members = self._block.members(rows)
            codes = compress(self._block.codes[test.attribute], members)
            classes = compress(self._block.codes[self.schema.target.name], members)
            for code, label in zip(codes, classes, strict=True):
                table[code][label] += weight
        counts = [tuple(row) for row in table]
        return Partition(test.outcomes, tuple(counts[:-1]), counts[-1])

    def _answers_by_sum(self, test: Linear) -> tuple[Bits, ...]:
        """The same for a linear test, row by row."""
        columns = [[*self._block.domains[name], None] for name in test.attributes]
        found = [0] * (len(test.outcomes) + 1)
        codes = zip(*(self._block.codes[name] for name in test.attributes), strict=True)
        for row, cells in enumerate(codes):
            values = (column[code] for column, code in zip(columns, cells, strict=True))
            branch = test.branch(dict(zip(test.attributes, values, strict=True)))
            found[-1 if branch is None else branch] |= 1 << (self._block.size - 1 - row)
        return tuple(found)

    def ordered(self, attribute: str) -> Ordered:
        """No attribute of such a sample has an order.

        Raises:
            InputError: always.
        """
        raise InputError(f"the attribute {attribute} is categorical: its values have no order")

    def points(self, attributes: Sequence[str]) -> Points:
        """The sample as points."""
        coordinates = coordinates_of(self.schema, attributes)
        names = list(dict.fromkeys(coordinate.attribute for coordinate in coordinates))
        alike: dict[tuple[int, ...], Bits] = {}
        places = range(self._block.size)  # row 0 is the highest bit
        for bit, *codes in zip(reversed(places), *(self._block.codes[name] for name in names), strict=True):
            alike[tuple(codes)] = alike.get(tuple(codes), 0) | 1 << bit
        domains = [[*self._block.domains[name], None] for name in names]
        cells = ([domain[code] for domain, code in zip(domains, codes, strict=True)] for codes in alike)
        rows = map(self._weigh, alike.values())
        # The block may have rows that are not in the sample: points without weight are no points.
        pairs = ((dict(zip(names, of, strict=True)), row) for of, row in zip(cells, rows, strict=True) if any(row))
        return gathered(coordinates, pairs, self.target)

    def split(self, test: Test, missing: Missing = REFUSED) -> tuple[Rows, ...]:
        """The parts that give each answer, in branch order."""
        if self._is_wide(test) and not missing.surrogates and missing.to is None:
            return self._split_wide(test, missing.shares or [0] * len(test.outcomes))
        *answers, unknown = self._answers(test)
        others = missing.routes(unknown, len(answers), lambda other, rows: [rows & s for s in self._answers(other)])
        return tuple(self._part([(answer, 1), *more]) for answer, more in zip(answers, others, strict=True))

    def against(self, target: Target) -> Rows:
        """The same rows with other columns; those that do not answer are left out."""
        found = Rows(self.schema, self._block, self._parts, target)
        if isinstance(target, Branches):
            return found._part([(answered, 1) for answered in found._columns])
        return found

    def _split_wide(self, test: Test, shares: Sequence[Rational]) -> tuple[Rows, ...]:
        """The parts of an attribute with very many values: each packed at once, so that no wide set is ever built."""
        found: dict[int, list[tuple[Rational, int]]] = {}
        for weight, rows in self._parts:
            for row in compress(range(self._block.size), self._block.members(rows)):
                found.setdefault(self._block.codes[test.attribute][row], []).append((weight, row))
        unknown = found.get(len(test.outcomes), [])
        return tuple(
            self._gather(found.get(code, []) + [(weight * share, row) for weight, row in unknown if share])
            for code, share in enumerate(shares)
        )

    def _gather(self, rows: list[tuple[Rational, int]]) -> Rows:
        block = self._block
        codes = {
            name: _pack((column[row] for _, row in rows), block.domains[name]) for name, column in block.codes.items()
        }
        parts: dict[Rational, Bits] = {}
        for place, (weight, _) in enumerate(rows):
            parts[weight] = parts.get(weight, 0) | 1 << (len(rows) - 1 - place)
        return Rows(self.schema, Block(len(rows), codes, block.domains), tuple(sorted(parts.items())), self.target)

    def _part(self, groups: Iterable[tuple[Bits, Rational]]) -> Rows:
        """The part made up of some groups of rows, the weight of each multiplied by a factor."""
        by_weight: dict[Rational, Bits] = {}
        for group, factor in groups:
            for weight, rows in self._parts:
                if factor and (common := rows & group):
                    product = weight * factor
                    by_weight[product] = by_weight.get(product, 0) | common
        parts = tuple(sorted(by_weight.items(), key=_plain_first))
        everyone = parts[0][1] if len(parts) == 1 else _union(rows for _, rows in parts)
        found = Rows(self.schema, self._block, parts, self.target)
        # Of a pure sample hardly anything is asked: it is not worth moving.
        if everyone.bit_count() * _SPARSE >= self._block.size or self.target.is_pure(found.total()):
            return found
        return self._packed(everyone, parts)

    def _packed(self, everyone: Bits, parts: tuple[tuple[Rational, Bits], ...]) -> Rows:
        """The same sample in a block of its own."""
        packed = self._block.take(everyone)
        if len(parts) == 1:
            return Rows(self.schema, packed, ((parts[0][0], packed.everyone),), self.target)
        members = self._block.members(everyone)
        digits = ((weight, compress(format(rows, f"0{self._block.size}b"), members)) for weight, rows in parts)
        found = tuple((weight, int("".join(text), 2)) for weight, text in digits)
        return Rows(self.schema, packed, found, self.target)


def _union(sets: Iterable[Bits]) -> Bits:
    union = 0
    for bits in sets:
        union |= bits
    return union


def _pack(codes: Iterable[int], domain: Domain) -> Ranks:
    """Codes in a byte each where they fit."""
    return bytes(codes) if len(domain) <= _FEW else array("q", codes)


def _plain_first(part: tuple[Rational, Bits]) -> tuple[bool, Rational]:
    """Plain weights are added up fast, as long as none is among them that is not."""
    return is_deferred(part[0]), part[0]


__all__ = ["Block", "Rows"]
