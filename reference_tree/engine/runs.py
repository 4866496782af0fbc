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
