"""Rows to be predicted: a file read under the schema of a tree.

Such a file need not have the target, nor the attributes that the tree does not use; and it may hold a value that did
not occur when the tree was grown, which only the tree can handle. So nothing is inferred here: each column that the
tree knows is read with the type that it has in the tree.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reference_tree.data.columns import Column, encode
from reference_tree.data.doubts import codes_read
from reference_tree.data.errors import InputWarning, listed
from reference_tree.data.questions import Row
from reference_tree.data.readers import read_raw
from reference_tree.data.readers.raw import PLAIN, Layout, Raw
from reference_tree.data.readers.text import Source, name_of
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational


def under(raw: Raw, known: Mapping[str, Attribute], *, asked: bool = False) -> tuple[Raw, list[str]]:
    r"""The columns a tree expects, and the remarks about them.

    A category that the tree does not know, but whose number it knows, is the one of this number.

    Args:
        raw: the columns.
        known: the attributes of the tree, by name.
        asked: whether the rows are to be predicted, so that any other category may occur.

    Example:
        >>> from reference_tree.data.columns import Origin
        >>> raw = Raw([Column("code", ["1.0", "7.0", None])], Origin())
        >>> raw, lines = under(raw, {"code": Attribute("code", ("1", "2"))}, asked=True)
        >>> print(raw.columns[0].cells, *lines, sep="\n")
        ['1', '7.0', None]
        column code: 1.0 is read as 1, the same number
        column code: 7.0 was not seen in training
    """
    lines, columns = list[str](), list[Column]()
    for column in raw.columns:
        attribute = known.get(column.name)
        if attribute is not None and attribute.values is None:
            lines += codes_read(column)
        elif attribute is not None:
            labels = column.labels
            new = sorted({label for label in labels if label is not None}.difference(attribute.values or ()))
            same = {label: name for label in new if (name := attribute.category(label)) != label}
            if same:
                verb, number = ("is", "number") if len(same) == 1 else ("are", "numbers")
                read = f"{listed(same)} {verb} read as {listed([*same.values()])}"
                why = f"the same {number}" if attribute.held == "written" else "the number that is left of it"
                lines.append(f"column {column.name}: {read}, {why}")
                column = replace(column, cells=[same.get(label or "", label) for label in labels])
            if asked and (new := [label for label in new if label not in same]):
                were = "was" if len(new) == 1 else "were"
                lines.append(f"column {column.name}: {listed(new)} {were} not seen in training")
        columns.append(column)
    return raw._replace(columns=columns), lines


def read_rows(source: Source, attributes: Sequence[Attribute], layout: Layout = PLAIN) -> Iterator[tuple[int, Row]]:
    """The rows of a file, each as its line and a mapping of attribute to value, for the attributes in the file.

    Args:
        source: a file that `read` can read.
        attributes: the attributes of the tree.
        layout: the layout of the file, as far as it is stated.

    Raises:
        InputError: the file cannot be read or has no rows, or a continuous attribute has a cell that is no number.
    """
    known = {attribute.name: attribute for attribute in attributes}
    raw, said = under(read_raw(source, layout), known, asked=True)
    origin, names = replace(raw.origin, asked=True), [column.name for column in raw.columns if column.name in known]
    for line in said:
        warnings.warn(InputWarning(f"{name_of(source)}: {line}"), stacklevel=2)
    columns: list[Sequence[str | Rational | None]] = []
    for column in raw.columns:
        if column.name in known and known[column.name].kind == "continuous":
            columns.append(encode(column, known[column.name], origin))
        elif column.name in known:
            columns.append(column.labels)
    size = len(raw.columns[0].cells) if raw.columns else 0
    if not size:
        raise raw.origin.error("there are no rows; at least one is needed")
    rows = zip(*columns, strict=True) if columns else [()] * size
    lines = raw.origin.lines or range(1, size + 1)
    return ((line, dict(zip(names, row, strict=True))) for line, row in zip(lines, rows, strict=True))
