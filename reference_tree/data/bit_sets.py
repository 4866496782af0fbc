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
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import compress
from typing import TypeAlias

from reference_tree.data.columns import Codes, Numbers
from reference_tree.data.missing import REFUSED, Missing
from reference_tree.data.questions import Multiway, Test
from reference_tree.data.sample import Counts, Ordered, Partition
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.targets import Classes, Target
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
    """

    def __init__(self, schema: Schema, block: Block, parts: tuple[tuple[Rational, Bits], ...]) -> None:
        self.schema, self._block, self._parts = schema, block, parts

    @classmethod
    def of(cls, schema: Schema, columns: Mapping[str, Codes | Numbers], weights: Sequence[Rational] | None) -> Rows:
        """All rows of a table."""
        attributes = (*schema.attributes, schema.target)
        domains: dict[str, Domain] = {
            a.name: schema.numbers[a.name] if a.values is None else a.values for a in attributes
        }
        codes = {a.name: _pack(_ranks(a, schema, columns[a.name]), domains[a.name]) for a in attributes}
        block = Block(len(columns[schema.target.name]), codes, domains)
        if weights is None:
            return cls(schema, block, ((1, block.everyone),))
        distinct = sorted(set(weights))
        rank = {weight: index for index, weight in enumerate(distinct)}
        by_weight = Block(block.size, {"": [rank[weight] for weight in weights]}, {"": distinct})
        return cls(schema, block, tuple(zip(distinct, by_weight.sets("")[:-1], strict=True)))

    @cached_property
    def _classes(self) -> tuple[Bits, ...]:
        return self._block.sets(self.schema.target.name)[:-1]

    @property
    def target(self) -> Target:
        """The classes."""
        return Classes(self.schema.target.domain)

    def total(self) -> Counts:
        """|C_1|, ..., |C_K|."""
        return self._total

    @cached_property
    def _total(self) -> Counts:
        return self._weigh(lambda rows: rows)

    def _weigh(self, select: Callable[[Bits], Bits]) -> Counts:
        """The weight of each class among the selected rows: Σ over the weights w of w·|selected ∩ C_j|."""
        counts: Counts = (0,) * len(self._classes)
        for weight, rows in self._parts:
            if found := select(rows):
                in_class = [(found & members).bit_count() for members in self._classes]
                counts = tuple(count + weight * n for count, n in zip(counts, in_class, strict=True))
        return counts

    def partition(self, test: Test) -> Partition:
        """The sample partition s_ij of a question."""
        if self._is_multiway(test) and not self._block.is_narrow(test.attribute):
            return self._counted(test)
        answers = self._answers(test)
        rows = tuple(self._weigh(answer.__and__) for answer in answers[:-1])
        return Partition(test.outcomes, rows, self._weigh(answers[-1].__and__))

    def _is_multiway(self, test: Test) -> bool:
        """Whether the branches are the codes; in somebody else's tree they may stand in another order."""
        return isinstance(test, Multiway) and test.values == self._block.domains[test.attribute]

    def _answers(self, test: Test) -> tuple[Bits, ...]:
        """The set of all rows that give each answer, and after them the set of those that give none."""
        name = test.attribute
        if self._is_multiway(test):
            return self._block.sets(name)
        domain = self._block.domains[name]
        flags = [[*(outcome.holds(value) for value in domain), False] for outcome in test.outcomes]
        return (
            *(self._block.where(name, holds) for holds in flags),
            self._block.where(name, [False] * len(domain) + [True]),
        )

    def _counted(self, test: Test) -> Partition:
        """The sample partition of an attribute with very many values, counted row by row."""
        empty = [0] * len(self._classes)
        table: list[list[Rational]] = [list(empty) for _ in (*test.outcomes, None)]
        for weight, rows in self._parts:
            members = self._block.members(rows)
            codes = compress(self._block.codes[test.attribute], members)
            classes = compress(self._block.codes[self.schema.target.name], members)
            for code, label in zip(codes, classes, strict=True):
                table[code][label] += weight
        counts = [tuple(row) for row in table]
        return Partition(test.outcomes, tuple(counts[:-1]), counts[-1])

    def ordered(self, attribute: str) -> Ordered:
        """The sample in the order of a continuous attribute."""
        block, missing = self._block, len(self._block.domains[attribute])
        triples = sorted(
            (rank, label, weight)
            for weight, rows in self._parts
            for members in [block.members(rows)]
            for rank, label in zip(
                compress(block.codes[attribute], members),
                compress(block.codes[self.schema.target.name], members),
                strict=True,
            )
        )
        known = [triple for triple in triples if triple[0] < missing]
        unknown = block.where(attribute, [False] * missing + [True])
        ranks, labels, weights = zip(*known, strict=True) if known else ((), (), ())
        return Ordered(ranks, labels, weights, self._weigh(unknown.__and__))

    def split(self, test: Test, missing: Missing = REFUSED) -> tuple[Rows, ...]:
        """The parts that give each answer, in branch order; rows without one go down all branches by their shares."""
        shares = missing.shares or [0] * len(test.outcomes)
        if self._is_multiway(test) and not self._block.is_narrow(test.attribute):
            return self._split_wide(test, shares)
        *answers, unknown = self._answers(test)
        return tuple(self._part(answer, unknown, share) for answer, share in zip(answers, shares, strict=True))

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
        return Rows(self.schema, Block(len(rows), codes, block.domains), tuple(sorted(parts.items())))

    def _part(self, answer: Bits, unknown: Bits, share: Rational) -> Rows:
        by_weight: dict[Rational, Bits] = {}
        for weight, rows in self._parts:
            for found, factor in ((rows & answer, 1), (rows & unknown, share)):
                if found and factor:
                    by_weight[weight * factor] = by_weight.get(weight * factor, 0) | found
        parts = tuple(sorted(by_weight.items()))
        everyone = _union(rows for _, rows in parts)
        if everyone.bit_count() * _SPARSE >= self._block.size:
            return Rows(self.schema, self._block, parts)
        return self._packed(everyone, parts)

    def _packed(self, everyone: Bits, parts: tuple[tuple[Rational, Bits], ...]) -> Rows:
        """The same sample in a block of its own."""
        packed = self._block.take(everyone)
        if len(parts) == 1:
            return Rows(self.schema, packed, ((parts[0][0], packed.everyone),))
        members = self._block.members(everyone)
        digits = ((weight, compress(format(rows, f"0{self._block.size}b"), members)) for weight, rows in parts)
        return Rows(self.schema, packed, tuple((weight, int("".join(text), 2)) for weight, text in digits))


def _union(sets: Iterable[Bits]) -> Bits:
    union = 0
    for bits in sets:
        union |= bits
    return union


def _pack(codes: Iterable[int], domain: Domain) -> Ranks:
    """Codes in a byte each where they fit."""
    return bytes(codes) if len(domain) <= _FEW else array("q", codes)


def _ranks(attribute: Attribute, schema: Schema, cells: Codes | Numbers) -> Iterable[int]:
    """The code or rank of each cell; the number of values for one that is missing."""
    if attribute.values is not None:
        return (len(attribute.values) if cell is None else int(cell) for cell in cells)
    numbers = schema.numbers[attribute.name]
    rank: dict[Rational | None, int] = {number: index for index, number in enumerate(numbers)}
    rank[None] = len(numbers)
    return map(rank.__getitem__, cells)


__all__ = ["Block", "Rows"]
