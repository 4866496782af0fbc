"""The regret of greedy growth: how much larger ID3's tree is than a smallest one, on random Boolean functions.

    python -m tests.greedy

A function of k bits is drawn on n of the 2^k rows, a class for each by a fair draw. ID3 grows its tree, with ε = 0 and
the first of equals; `Optimal` knows how many leaves the smallest tree has that fits the rows. The regret is the
difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from reference_tree.chance import Chance
from reference_tree.data.table import Table
from reference_tree.learners.id3 import ID3
from reference_tree.learners.optimal import Optimal

Function: TypeAlias = frozenset[tuple[int, int]]
"""A Boolean function on some rows: the bits of each as a number, and its class."""


class Size(NamedTuple):
    """How large the functions are."""

    rows: int
    bits: int


SIZES = (Size(8, 3), Size(8, 6), Size(12, 4), Size(12, 6), Size(20, 5), Size(20, 6), Size(30, 6))
"""Rows and bits change apart: what makes smallest trees rare are the rows."""

NUMBER = 200
"""So many functions of each size are drawn."""


def functions(size: Size, number: int) -> Iterator[Function]:
    """So many random functions on distinct rows; always the same."""
    chance = Chance(0, f"functions of {size.bits} bits".encode())
    for _ in range(number):
        rows = chance.shuffled(range(2**size.bits))[: size.rows]
        yield frozenset((row, chance.below(2)) for row in rows)


def table_of(function: Function, bits: int) -> Table:
    """A function as a table, in the order of its rows."""
    rows = sorted(function)
    columns = {f"x{bit}": [str(row >> bit & 1) for row, _ in rows] for bit in range(bits)}
    return Table.from_columns({**columns, "y": [str(label) for _, label in rows]}, "y", categorical="*")


def greedy(function: Function, bits: int) -> int:
    """The leaves of ID3's tree."""
    return len(ID3().grow(table_of(function, bits)).leaves())


def optimal(function: Function, bits: int) -> int:
    """The leaves of a smallest tree."""
    chosen = Optimal().decide(table_of(function, bits).sample()).chosen
    return 1 if chosen is None else int(chosen.scores["leaves"])


@cache
def regrets(size: Size, number: int = NUMBER) -> tuple[int, ...]:
    """By how many leaves ID3's tree exceeds a smallest one, for each of so many functions."""
    drawn = functions(size, number)
    return tuple(greedy(function, size.bits) - optimal(function, size.bits) for function in drawn)


if __name__ == "__main__":
    for size in SIZES:
        found = regrets(size)
        smallest, mean = found.count(0) / len(found), sum(found) / len(found)
        print(
            f"{size.rows} rows of {size.bits} bits: {smallest:.1%} smallest, {mean:.2f} leaves too many on average, "
            f"{max(found)} at most"
        )
