"""Generated tables: the same on every machine, for the benchmarks.

A linear congruential generator gives 53 bits at a time: x ← 6364136223846793005·x + 1442695040888963407 mod 2^64, of
which the upper 53 bits are used, over 2^53. (Knuth's MMIX; no great generator, but anybody can repeat it.)

The class of a row depends on three of its attributes, and is wrong for one row in ten: so a full tree has to take the
data apart down to the last row, as on real data with noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook

MULTIPLIER, INCREMENT, MODULUS = 6364136223846793005, 1442695040888963407, 1 << 64


class Case(NamedTuple):
    """A table in the two forms in which programs want it."""

    name: str
    rows: list[list[float]]
    """Numbers, or the codes of categories."""
    labels: list[str]
    categorical: bool

    def table(self, missing: float = 0, seed: int = 7) -> Table:
        """The table as this package has it, a share of its cells missing by chance."""
        draw = draws(seed)
        columns: dict[str, list[float | None]] = {
            f"a{index}": [None if missing and next(draw) < missing else cell for cell in column]
            for index, column in enumerate(zip(*self.rows, strict=True))
        }
        names = ["y", *columns] if self.categorical else ["y"]
        return Table.from_columns({**columns, "y": self.labels}, target="y", categorical=names)


def draws(seed: int) -> Iterator[float]:
    """Numbers between 0 and 1.

    Example:
        >>> from itertools import islice
        >>> [round(draw, 6) for draw in islice(draws(1), 3)]
        [0.423209, 0.509407, 0.648359]
    """
    state = seed
    while True:
        state = (MULTIPLIER * state + INCREMENT) % MODULUS
        yield (state >> 11) / (1 << 53)


def continuous(rows: int, attributes: int = 10, seed: int = 1) -> Case:
    """Numbers between 0 and 1; the class is whether a + b·c is above 0.7, for nine rows in ten."""
    draw = draws(seed)
    found = [[next(draw) for _ in range(attributes)] for _ in range(rows)]
    labels = ["yes" if (row[0] + row[1] * row[2 % len(row)] > 0.7) != (next(draw) < 0.1) else "no" for row in found]
    return Case(f"{rows} x {attributes} continuous", found, labels, categorical=False)


def categorical(rows: int, attributes: int = 10, values: int = 4, classes: int = 2, seed: int = 1) -> Case:
    """Categories; the class is a sum of three of them, modulo the number of classes, for nine rows in ten."""
    draw = draws(seed)
    found = [[float(int(values * next(draw))) for _ in range(attributes)] for _ in range(rows)]
    labels = []
    for row in found:
        wrong = int(classes * next(draw)) if next(draw) < 0.1 else 0
        labels.append(f"c{(int(3 * row[0] + 5 * row[1] + row[2]) + wrong) % classes:03}")
    name = f"{rows} x {attributes} categorical" + (f", {classes} classes" if classes > 2 else "")
    return Case(name, found, labels, categorical=True)


def iris() -> Case:
    """The iris data of the package."""
    table = textbook("iris")
    names = [attribute.name for attribute in table.schema.attributes]
    found = [[float(row[name]) for name in names] for row in table.rows()]  # type: ignore[arg-type]
    return Case("iris", found, [str(row[table.schema.target.name]) for row in table.rows()], categorical=False)
