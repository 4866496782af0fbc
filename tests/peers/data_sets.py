"""The rows that other programs were given: ARFF files in which every domain is declared, and the target comes last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from reference_tree.data.readers import read_raw
from reference_tree.data.schema import Attribute

RECORDED = Path(__file__).parents[1] / "recorded"
FOLDER = RECORDED / "data"

Cells: TypeAlias = tuple[str | None, ...]


@dataclass(frozen=True)
class DataSet:
    """Rows as they are written.

    Args:
        path: of the file.
        attributes: in the order of the file, without the target.
        target: what is predicted.
        rows: the cells of each row, the target last; `None` is missing.
    """

    path: Path
    attributes: tuple[Attribute, ...]
    target: Attribute
    rows: tuple[Cells, ...]

    @property
    def name(self) -> str:
        """That of the file."""
        return self.path.stem

    @property
    def has_missing(self) -> bool:
        """Whether any cell is missing."""
        return any(None in row for row in self.rows)

    @property
    def is_numeric(self) -> bool:
        """Whether every attribute is continuous."""
        return all(attribute.kind == "continuous" for attribute in self.attributes)

    def numbers(self) -> Iterator[list[float]]:
        """The rows as doubles: a number is the nearest one, a category its place in the domain, missing a NaN."""
        columns = (*self.attributes, self.target)
        places = [{value: float(place) for place, value in enumerate(column.values or ())} for column in columns]
        for row in self.rows:
            yield [
                float("nan") if cell is None else place[cell] if place else float(cell)
                for cell, place in zip(row, places, strict=True)
            ]


def read(path: Path) -> DataSet:
    """The rows of a file."""
    columns = read_raw(path).columns
    declared = [column.declared or Attribute(column.name) for column in columns]
    cells = zip(*(column.cells for column in columns), strict=True)
    rows = tuple(tuple(None if cell is None else str(cell) for cell in row) for row in cells)
    return DataSet(path, tuple(declared[:-1]), declared[-1], rows)


@cache
def data_set(name: str) -> DataSet:
    """The rows of this name."""
    return read(FOLDER / f"{name}.arff")
