"""A run: rows of a sample, sorted by one continuous attribute after the other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import compress
from typing import NamedTuple


class SortedRun(NamedTuple):
    """Rows of a sample, sorted by the ascending values of one continuous attribute after the other."""

    names: Sequence[str]
    """The attributes, all of them known for these rows."""
    rows: list[int]
    """These rows sorted by the first attribute, followed by the same rows sorted by the second, and so on."""
    ranks: list[int] | None
    """The rank of each of their values; None if no two rows of the table have the same value."""

    @property
    def size(self) -> int:
        """The number of rows of each attribute."""
        return len(self.rows) // len(self.names)

    def of(self, name: str) -> SortedRun:
        """The run of one of the attributes."""
        return self.at(self.names.index(name))

    def at(self, at: int) -> SortedRun:
        """The run of the attribute at a place."""
        if len(self.names) == 1:
            return self
        here = slice(at * self.size, (at + 1) * self.size)
        return SortedRun((self.names[at],), self.rows[here], self.ranks and self.ranks[here])

    def within(self, some: Collection[int]) -> SortedRun:
        """The run of some of its rows."""
        if self.ranks is None:
            return SortedRun(self.names, [row for row in self.rows if row in some], None)
        kept = [row in some for row in self.rows]
        return SortedRun(self.names, list(compress(self.rows, kept)), list(compress(self.ranks, kept)))

    def parted(self, some: Collection[int]) -> tuple[SortedRun, SortedRun]:
        """The run of some of its rows, and the run of its other rows."""
        mine: tuple[list[int], list[int]] = [], []
        others: tuple[list[int], list[int]] = [], []
        if self.ranks is None:
            (rows, _), (other_rows, _) = mine, others
            for row in self.rows:
                (rows if row in some else other_rows).append(row)
            return SortedRun(self.names, rows, None), SortedRun(self.names, other_rows, None)
        for row, rank in zip(self.rows, self.ranks, strict=True):
            side = mine if row in some else others
            side[0].append(row)
            side[1].append(rank)
        return SortedRun(self.names, *mine), SortedRun(self.names, *others)
