"""Raw tables: what every reader hands over, before anything has a type.

A reader finds the names of the columns and cuts the text into rows of cells. A `Row` keeps the line of the file on
which it begins, because a person needs that to mend it. `raw_table` turns rows into columns.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from reference_tree.data.columns import Column, Origin
from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import shortened


class Row(NamedTuple):
    """A row of the file."""

    line: int
    """Where it begins, from 1."""
    cells: list[str | None]
    """Its texts; `None` is missing."""


class Layout(NamedTuple):
    """How a file is written, as far as the caller says it."""

    missing: Collection[str] | None = None
    """The cells that are missing values; none: as the format has them."""
    separator: str | None = None
    """What stands between cells; none: as the file's name or its header shows."""
    header: bool = True
    """Whether the first line names the columns."""
    decimal: str | None = None
    """What stands before the decimals of a number; none: as each column shows."""


PLAIN = Layout()
"""Nothing is stated."""


class Raw(NamedTuple):
    """A table without types."""

    columns: list[Column]
    origin: Origin
    target: str | None = None
    """The column that the format itself says is predicted."""
    weights: str | None = None
    """The column that holds the weights which the format itself gives."""


def raw_table(
    rows: Sequence[Row], names: Sequence[str], path: str, declared: Sequence[Attribute | None] | None = None
) -> Raw:
    """Rows as columns.

    Args:
        rows: of the file, in order.
        names: of the columns.
        path: the file, for messages.
        declared: what the format says of each column, if it does.

    Raises:
        InputError: a row has not as many cells as there are columns.
    """
    for row in rows:
        if len(row.cells) != len(names):
            raise InputError(_ragged(row.cells, names), path=path, line=row.line)
    columns = zip(*(row.cells for row in rows), strict=True) if rows else ([] for _ in names)
    attributes = declared or [None] * len(names)
    raw = [Column(*column) for column in zip(names, columns, attributes, strict=True)]
    return Raw(raw, Origin(path, [row.line for row in rows]))


def _ragged(cells: Sequence[str | None], names: Sequence[str]) -> str:
    found, wanted = len(cells), len(names)
    if str(*cells[:1]).startswith("#"):
        advice = "it looks like a comment; take it out"
    elif str(*names[:1]).startswith("#"):
        advice = f"the header, {shortened(names[0])}, looks like a comment; take it out"
    else:
        advice = "write ? for a missing value" if found < wanted else "put a value that holds a comma in quotes"
    return f"the row has {found} value{'s' * (found != 1)} for {wanted} column{'s' * (wanted != 1)}; {advice}"


def marks(missing: Collection[str] | None, usual: Collection[str]) -> frozenset[str]:
    """The texts that mean a missing value: those that the caller names, otherwise the format's own.

    Example:
        >>> sorted(marks(None, ["?"])), sorted(marks("n/a", ["?"]))
        (['?'], ['n/a'])
    """
    if missing is None:
        return frozenset(usual)
    return frozenset([missing] if isinstance(missing, str) else missing)
