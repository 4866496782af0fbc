"""One kind of exercise, and what the kinds share: tables of branches and classes, and how figures are printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import Any

from reference_tree.chance import Chance
from reference_tree.exact.log_sums import Number
from reference_tree.exact.logarithms import Base
from reference_tree.exact.rounding import decimal
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gini_index import gini_decrease

Counts = list[int]
Rows = list[Counts]
Cells = Sequence[Sequence[object]]
Drawn = Any
"""What an exercise is about; each kind has its own."""


@dataclass(frozen=True)
class Exercise:
    """One kind of exercise."""

    draw: Callable[[Chance], Drawn]
    """Something that may be asked; what is too easy or cannot tell a mistake from the answer is drawn anew."""
    right: Callable[[Drawn], Number | str]
    """The answer: a number, or the name of one of the options."""
    wrong: Mapping[str, Callable[[Drawn], Number | str]]
    """Mistake → what it leads to."""
    given: Callable[[Drawn], Mapping[str, object]]
    """What stands in the words of the question and of the solution."""
    cells: Callable[[Drawn], Cells] = lambda _: ()
    """A table, its heads first; a text in braces is one of the words."""
    options: Callable[[Drawn], Sequence[str]] = field(default=lambda _: ())
    """What can be chosen; none: a number is typed."""


def average(numbers: Sequence[Number]) -> Number:
    """Their plain mean."""
    return sum(numbers) / Fraction(len(numbers))


def classes(rows: Rows) -> Counts:
    """The rows of each class, whatever they answer."""
    return [sum(column) for column in zip(*rows, strict=True)]


def signed(rows: Rows) -> Cells:
    """A table of branches and classes."""
    return [
        ["{branch}", "{yes}", "{no}"],
        *([name, *map(str, row)] for name, row in zip("abcdefgh", rows, strict=False)),
    ]


def figures(**numbers: Number) -> dict[str, object]:
    """Numbers as a solution prints them: a fraction as it is, another in six decimals."""
    return {name: str(n) if isinstance(n, int | Fraction) else decimal(n) for name, n in numbers.items()}


def counted(chance: Chance, *, branches: int, most: int = 6) -> Rows:
    """Rows of two classes in some branches of different sizes, which are not nearly alike."""
    while True:
        rows = [[chance.below(most), chance.below(most)] for _ in range(branches)]
        sizes = set(map(sum, rows))
        if min(sizes) > 1 and len(sizes) > 1 and gini_decrease(rows) >= Fraction(1, 25):
            return rows


def average_entropy(rows: Rows, base: Base = 2) -> Number:
    """The mean of the entropies of the branches, each with the same weight."""
    return average([entropy(row, base) for row in rows])


def product(rows: Rows, of: Callable[[Counts], Number]) -> str:
    """The sum of shares and impurities, written out."""
    n = sum(map(sum, rows))
    return " + ".join(f"{sum(row)}/{n} · {figures(x=of(row))['x']}" for row in rows)


def both(sides: Rows) -> Counts:
    """The numbers of all sides."""
    return list(chain.from_iterable(sides))


def two_sides(chance: Chance) -> Rows:
    """The numbers to be predicted on the left, and those on the right."""
    return [[chance.below(9) + 1 for _ in range(size)] for size in (2, 3)]
