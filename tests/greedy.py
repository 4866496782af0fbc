"""How often a greedy search finds a smallest tree: ID3 against brute force on random Boolean functions.

    python -m tests.greedy

A function of k bits is drawn on n of the 2^k rows, a class for each by a fair draw. ID3 grows its tree, with ε = 0 and
the first of equals; the smallest number of leaves of any tree that fits the rows is found by trying every question.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from reference_tree.chance import Chance
from reference_tree.data.table import Table
from reference_tree.learners.id3 import ID3

Function: TypeAlias = frozenset[tuple[int, int]]
"""A Boolean function on some rows: the bits of each as a number, and its class."""


class Size(NamedTuple):
    """How large the functions are."""

    rows: int
    bits: int


SIZES = (Size(8, 3), Size(12, 4), Size(20, 5), Size(30, 6))


def functions(size: Size, number: int) -> Iterator[Function]:
    """So many random functions on distinct rows; always the same."""
    chance = Chance(0, f"functions of {size.bits} bits".encode())
    for _ in range(number):
        rows = chance.shuffled(range(2**size.bits))[: size.rows]
        yield frozenset((row, chance.below(2)) for row in rows)


def smallest(function: Function) -> int:
    """The leaves of a smallest tree that fits a function, by trying every question at every node."""

    @cache
    def leaves(rows: Function) -> int:
        if len({label for _, label in rows}) <= 1:
            return 1
        halves = ((frozenset(r for r in rows if r[0] >> bit & 1), bit) for bit in range(bits))
        return min(leaves(ones) + leaves(rows - ones) for ones, _ in halves if ones and ones != rows)

    bits = max(row for row, _ in function).bit_length()
    return leaves(function)


def table_of(function: Function, bits: int) -> Table:
    """A function as a table, in the order of its rows."""
    rows = sorted(function)
    columns = {f"x{bit}": [str(row >> bit & 1) for row, _ in rows] for bit in range(bits)}
    return Table.from_columns({**columns, "y": [str(label) for _, label in rows]}, "y", categorical="*")


def greedy(function: Function, bits: int) -> int:
    """The leaves of ID3's tree."""
    return len(ID3().grow(table_of(function, bits)).leaves())


def found(size: Size, number: int) -> int:
    """Of how many of so many functions ID3's tree is a smallest one."""
    return sum(greedy(function, size.bits) == smallest(function) for function in functions(size, number))


if __name__ == "__main__":
    for size in SIZES:
        print(f"{size.rows} rows of {size.bits} bits: {found(size, 200) / 2:.1f} % of 200")
