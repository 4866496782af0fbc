"""Rows to be predicted: a file read under the schema of a tree.

Such a file need not have the target, nor the attributes that the tree never asks for; and it may hold a value that was
not there when the tree was grown, which only the tree can judge. So nothing is inferred here: each column that the tree
knows is read as the tree has it.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence

from reference_tree.data.columns import encode, label
from reference_tree.data.questions import Row
from reference_tree.data.readers import read_raw
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational


def read_rows(
    path: str | os.PathLike[str], attributes: Sequence[Attribute], missing: Collection[str] | None = None
) -> Iterator[tuple[int, Row]]:
    """The rows of a file, each with its line and as a mapping of attribute to value, for the attributes that it has.

    Args:
        path: of a file that `read` can read.
        attributes: of the tree.
        missing: the cells that are missing values; none: the format's own.

    Raises:
        InputError: the file cannot be read or has no rows, or a continuous attribute has a cell that is no number.
    """
    raw = read_raw(path, missing)
    known = {attribute.name: attribute for attribute in attributes}
    names = [column.name for column in raw.columns if column.name in known]
    columns: list[Sequence[str | Rational | None]] = []
    for column in raw.columns:
        if column.name in known and known[column.name].kind == "continuous":
            columns.append(encode(column, known[column.name], raw.origin))
        elif column.name in known:
            columns.append([None if cell is None else label(cell) for cell in column.cells])
    size = len(raw.columns[0].cells) if raw.columns else 0
    if not size:
        raise raw.origin.error("there are no rows; at least one is needed")
    rows = zip(*columns, strict=True) if columns else [()] * size
    lines = raw.origin.lines or range(1, size + 1)
    return ((line, dict(zip(names, row, strict=True))) for line, row in zip(lines, rows, strict=True))
