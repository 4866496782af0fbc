"""Generated tables: the same on every machine, for the benchmarks.

A linear congruential generator gives 53 bits at a time: x ← 6364136223846793005·x + 1442695040888963407 mod 2^64, of
which the upper 53 bits are used, over 2^53. (Knuth's MMIX; no great generator, but anybody can repeat it.)

The class of a row depends on three of its attributes, and is wrong for one row in ten: so a full tree has to take the
data apart down to the last row, as on real data with noise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import islice
from typing import NamedTuple

from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook

MULTIPLIER, INCREMENT, MODULUS = 6364136223846793005, 1442695040888963407, 1 << 64


class Case(NamedTuple):
    """A table in the two forms in which programs want it."""

    name: str
    rows: Sequence[Sequence[float | None]]
    """Numbers, or the codes of categories; none where a value is missing."""
    labels: Sequence[str] | Sequence[float]
    """Classes, or numbers."""
    categorical: bool
    weights: Sequence[float] | None = None

    def table(self) -> Table:
        """The table as this package has it."""
        columns: dict[str, Sequence[object]] = {
            f"a{index}": list(column) for index, column in enumerate(zip(*self.rows, strict=True))
        }
        names = list(columns) if self.categorical else []
        columns["y"] = [label if isinstance(label, str) else Decimal(str(label)) for label in self.labels]
        if self.weights is not None:
            columns["w"] = self.weights
        return Table.from_columns(columns, "y", weights="w" if self.weights else None, categorical=names)

    def lacking(self, share: float, seed: int = 7) -> Case:
        """The same with a share of its cells missing by chance."""
        draw = draws(seed)
        return self._replace(rows=[[None if next(draw) < share else cell for cell in row] for row in self.rows])

    def weighing(self, whole: bool, seed: int = 7) -> Case:
        """The same with rows of different weight: 1 to 5, or any number between 0.5 and 1.5."""
        drawn = islice(draws(seed), len(self.rows))
        return self._replace(weights=[1 + int(5 * draw) if whole else 0.5 + draw for draw in drawn])


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


def continuous(rows: int, attributes: int = 10, seed: int = 1, wrong: float = 0.1) -> Case:
    """Numbers between 0 and 1; the class is whether a + b·c is above 0.7, for nine rows in ten."""
    draw = draws(seed)
    found = [[next(draw) for _ in range(attributes)] for _ in range(rows)]
    labels = ["yes" if (row[0] + row[1] * row[2 % len(row)] > 0.7) != (next(draw) < wrong) else "no" for row in found]
    return Case(f"{rows} x {attributes} continuous", found, labels, categorical=False)


def numeric(rows: int, attributes: int = 10, seed: int = 1) -> Case:
    """Such numbers, with one to predict: a + b·c and up to a tenth of chance, to three decimals."""
    draw = draws(seed)
    found = [[next(draw) for _ in range(attributes)] for _ in range(rows)]
    labels = [round(row[0] + row[1] * row[2] + 0.1 * next(draw), 3) for row in found]
    return Case(f"{rows} x {attributes} continuous, a number", found, labels, categorical=False)


def layered(rows: int, classes: int, seed: int = 1) -> Case:
    """Such numbers in many classes: the same number to predict, cut into ranges of equal width."""
    case = numeric(rows, seed=seed)
    labels = [f"c{int(float(label) / 2.1 * classes):03}" for label in case.labels]
    return case._replace(name=f"{rows} x 10 continuous, {classes} classes", labels=labels)


def scattered(rows: int) -> Case:
    """Such numbers, where every row is of a class of its own."""
    return numeric(rows)._replace(name=f"{rows} x 10 continuous, {rows} classes", labels=[f"c{n}" for n in range(rows)])


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


def book(name: str) -> Case:
    """A table of the package, all of whose attributes are of one kind."""
    table = textbook(name)
    attributes, target = table.schema.attributes, table.schema.target
    rows = [
        [float(row[a.name] if a.values is None else a.values.index(str(row[a.name]))) for a in attributes]  # type: ignore[arg-type]
        for row in table.rows()
    ]
    return Case(name, rows, [str(row[target.name]) for row in table.rows()], attributes[0].values is not None)
