"""Raw tables: the result of every reader, before columns have types.

A reader finds the names of the columns and cuts the text into rows of cells. A `RawRow` keeps the line of the file on
which it begins, which messages name. `raw_table` turns rows into columns.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from reference_tree.data.columns import Column, Origin
from reference_tree.data.errors import InputError, number_of
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import shortened


class RawRow(NamedTuple):
    """A row of the file."""

    line: int
    """The line where it begins, from 1."""
    cells: list[str | None]
    """The texts of its cells; `None` is missing."""


class Layout(NamedTuple):
    """The layout of a file, as far as the caller states it."""

    missing: Collection[str] | None = None
    """The cells that are missing values; None for those of the format."""
    separator: str | None = None
    """The sign between cells; None to infer it from the file's name or header."""
    header: bool = True
    """Whether the first line names the columns."""
    decimal: str | None = None
    """The decimal mark of numbers; None to infer it for each column."""
    encoding: str | None = None
    """The encoding of the text; None to find out."""
    largest: int | None = None
    """The most bytes that a packed file may unpack to; None for the usual bound."""
    table: str | None = None
    """The table, the view or the SELECT in a database."""


PLAIN = Layout()
"""The layout without statements."""


class Raw(NamedTuple):
    """A table without types."""

    columns: list[Column]
    origin: Origin
    classes: Sequence[str] = ()
    """The columns that the format itself declares as targets; one of them is predicted."""
    weights: str | None = None
    """The column of the weights that the format itself gives."""
    behind: str | None = None
    """A column that stands last in a row, but not in the first, which lacks it."""

    @property
    def target(self) -> str | None:
        """The column that is predicted unless another is chosen; None if the format declares none, or several."""
        return self.classes[0] if len(self.classes) == 1 else None


def raw_table(
    rows: Sequence[RawRow], names: Sequence[str], path: str, declared: Sequence[Attribute | None] | None = None
) -> Raw:
    """A raw table of rows, turned into columns.

    Args:
        rows: the rows of the file, in order.
        names: the names of the columns.
        path: the file, for messages.
        declared: the attribute that the format declares for each column, if it does.

    Raises:
        InputError: a row has more or fewer cells than there are columns.
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
    return f"the row has {number_of(found, 'value')} for {number_of(wanted, 'column')}; {advice}"


def marks(missing: Collection[str] | None, usual: Collection[str]) -> frozenset[str]:
    """The texts that mean a missing value: those that the caller names, otherwise the format's own.

    Example:
        >>> sorted(marks(None, ["?"])), sorted(marks("n/a", ["?"]))
        (['?'], ['n/a'])
    """
    if missing is None:
        return frozenset(usual)
    return frozenset([missing] if isinstance(missing, str) else missing)
