"""Rows to be predicted: a file read under the schema of a tree.

Such a file need not have the target, nor the attributes that the tree does not use; and it may hold a value that did
not occur when the tree was grown, which only the tree can handle. So nothing is inferred here: each column that the
tree knows is read with the type that it has in the tree.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reference_tree.data.columns import encode, label
from reference_tree.data.doubts import codes_read
from reference_tree.data.errors import InputWarning
from reference_tree.data.questions import Row
from reference_tree.data.readers import read_raw
from reference_tree.data.readers.raw import PLAIN, Layout
from reference_tree.data.readers.text import Source, name_of
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational


def read_rows(source: Source, attributes: Sequence[Attribute], layout: Layout = PLAIN) -> Iterator[tuple[int, Row]]:
    """The rows of a file, each as its line and a mapping of attribute to value, for the attributes in the file.

    Args:
        source: a file that `read` can read.
        attributes: the attributes of the tree.
        layout: the layout of the file, as far as it is stated.

    Raises:
        InputError: the file cannot be read or has no rows, or a continuous attribute has a cell that is no number.
    """
    raw = read_raw(source, layout)
    known, origin = {attribute.name: attribute for attribute in attributes}, replace(raw.origin, asked=True)
    names = [column.name for column in raw.columns if column.name in known]
    numeric = [one for one in raw.columns if one.name in known and known[one.name].kind == "continuous"]
    for line in codes_read(numeric):
        warnings.warn(InputWarning(f"{name_of(source)}: {line}"), stacklevel=2)
    columns: list[Sequence[str | Rational | None]] = []
    for column in raw.columns:
        if column.name in known and known[column.name].kind == "continuous":
            columns.append(encode(column, known[column.name], origin))
        elif column.name in known:
            columns.append([None if cell is None else label(cell) for cell in column.cells])
    size = len(raw.columns[0].cells) if raw.columns else 0
    if not size:
        raise raw.origin.error("there are no rows; at least one is needed")
    rows = zip(*columns, strict=True) if columns else [()] * size
    lines = raw.origin.lines or range(1, size + 1)
    return ((line, dict(zip(names, row, strict=True))) for line, row in zip(lines, rows, strict=True))
