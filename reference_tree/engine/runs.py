"""A run: rows of a sample in the order of one continuous attribute after the other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import compress
from typing import NamedTuple


class Run(NamedTuple):
    """Rows of a sample by the ascending values of one continuous attribute after the other."""

    names: Sequence[str]
    """The attributes, all of which have a value for the same rows."""
    rows: list[int]
    """All of these in the order of the first attribute, then in that of the second, and so on."""
    ranks: list[int] | None
    """Of their values; none: no two rows of the table have the same."""

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.rows) // len(self.names)

    def of(self, name: str) -> Run:
        """That of one of the attributes."""
        at, n = self.names.index(name), self.size
        here = slice(at * n, (at + 1) * n)
        return Run((name,), self.rows[here], self.ranks and self.ranks[here])

    def within(self, some: Collection[int]) -> Run:
        """What is left of it if only some rows are."""
        if self.ranks is None:
            return Run(self.names, [row for row in self.rows if row in some], None)
        kept = [row in some for row in self.rows]
        return Run(self.names, list(compress(self.rows, kept)), list(compress(self.ranks, kept)))

    def parted(self, some: Collection[int]) -> tuple[Run, Run]:
        """What is left of it if only some rows are, and if only the others are."""
        mine: tuple[list[int], list[int]] = [], []
        others: tuple[list[int], list[int]] = [], []
        if self.ranks is None:
            (rows, _), (other_rows, _) = mine, others
            for row in self.rows:
                (rows if row in some else other_rows).append(row)
            return Run(self.names, rows, None), Run(self.names, other_rows, None)
        for row, rank in zip(self.rows, self.ranks, strict=True):
            side = mine if row in some else others
            side[0].append(row)
            side[1].append(rank)
        return Run(self.names, *mine), Run(self.names, *others)
