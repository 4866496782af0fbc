r"""Writers: a table as the text of a file that reads back as the same table.

1. `to_arff` is an ARFF file. It declares every column, so kinds, the order of values, values that no row has, and the
   weights of rows are kept.
2. `to_csv` is a CSV file, which any program reads. It declares nothing: its reader infers the type of each column.
3. `undeclared` lists the columns for which the CSV file does not state all that is needed to read the same table.

The target is the last column, and numbers are exact: a decimal where one terminates, otherwise p/q.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from reference_tree.data.columns import Column, Origin, infer
from reference_tree.data.errors import InputError
from reference_tree.data.readers.csv_files import MISSING, decimal_of
from reference_tree.data.schema import Attribute, Kind
from reference_tree.data.table import Table
from reference_tree.exact.rationals import decimal_text, shortened

ABSENT = "NA"
"""A missing cell of a CSV file, which R and pandas read as missing, too."""

WEIGHT = "weight"
"""The name of the column of a CSV file that holds the weights of rows."""

_PLAIN = re.compile(r"[^\s,{}'\"%\\?\0]+")
_ESCAPED = {"\\": r"\\", "'": r"\'", "\n": r"\n", "\r": r"\r", "\0": r"\u0000"}


class Undeclared(NamedTuple):
    """The facts about its columns that a CSV file does not state."""

    categorical: tuple[str, ...]
    """Columns of categories whose names are numbers."""
    continuous: tuple[str, ...]
    """Columns of numbers that do not look like numbers: p/q fractions, or no known value at all."""
    values: tuple[str, ...]
    """Columns of categories whose domain is not sorted by code point, or has a value that no row has."""


def csv_text(names: Sequence[str], rows: Sequence[Sequence[str]], separator: str = ",") -> str:
    """Rows as a CSV file: UTF-8, LF, a header; a cell is quoted only if it would be misread without quotes."""
    special = f'{separator}"\r\n\ufeff'

    def written(cell: str) -> str:
        plain = cell == cell.strip() and not any(character in cell for character in special)
        return cell if plain else '"' + cell.replace('"', '""') + '"'

    return "".join(separator.join(map(written, row)) + "\n" for row in [names, *rows])


def to_csv(table: Table, separator: str = ",") -> str:
    r"""A table as a CSV file.

    Args:
        table: the table.
        separator: the sign between cells.

    Raises:
        InputError: a value means "missing" in such a file, or a name or value holds a carriage return.

    Example:
        >>> table = Table.from_columns({"note": ["calm, dry", None], "x": [1.5, -2], "play": ["yes", "no"]})
        >>> print(to_csv(table), end="")
        note,x,play
        "calm, dry",1.5,yes
        NA,-2,no
    """
    names = [attribute.name for attribute in _columns(table)]
    for attribute in _columns(table):
        _check_cells(attribute)
    columns = list(_cells(table))
    if table.weights is not None:
        names.insert(0, weight_column(table))
        columns.insert(0, list(map(decimal_text, table.weights)))
    rows = zip(*([ABSENT if cell is None else cell for cell in column] for column in columns), strict=True)
    return csv_text(names, list(rows), separator)


def _check_cells(attribute: Attribute) -> None:
    for text in (attribute.name, *(attribute.values or ())):
        if "\r" in text or "\0" in text:
            raise InputError("holds a character that no CSV file keeps; write an .arff file", column=attribute.name)
    for text in attribute.values or ():
        if text in MISSING:
            message = f"the value {shortened(text)} means a missing one in a CSV file; write an .arff file"
            raise InputError(message, column=attribute.name)


def weight_column(table: Table) -> str:
    """The name of the column of weights: one that no other column has.

    Example:
        >>> weight_column(Table.from_columns({"weight": [7, 9], "cat": ["yes", "no"]}))
        'weight of the row'
    """
    name = WEIGHT
    while name in table.columns:
        name += " of the row"
    return name


def undeclared(table: Table, separator: str = ",") -> Undeclared:
    """The columns of a table whose type or values a CSV file does not state.

    Args:
        table: the table to write.
        separator: the sign between cells.

    Example:
        >>> table = Table.from_columns({"zip": ["10", "9"], "play": ["yes", "no"]}, categorical=["zip"])
        >>> undeclared(table)
        Undeclared(categorical=('zip',), continuous=(), values=())
    """
    categorical, continuous, values = list[str](), list[str](), list[str]()
    for attribute, cells in zip(_columns(table), _cells(table), strict=True):
        if _inferred(attribute.name, cells, separator) != attribute.kind:
            (continuous if attribute.values is None else categorical).append(attribute.name)
        if attribute.values not in (None, tuple(sorted({cell for cell in cells if cell is not None}))):
            values.append(attribute.name)
    return Undeclared(tuple(categorical), tuple(continuous), tuple(values))


def _inferred(name: str, cells: Sequence[str | None], separator: str) -> Kind:
    """The kind that a reader infers for a column; `continuous` if it refuses a NaN or an infinity among numbers."""
    column = Column(name, cells)
    try:
        return infer(replace(column, decimal=decimal_of(column, separator)), Origin(), (), ()).kind
    except InputError:
        return "continuous"


def to_arff(table: Table) -> str:
    r"""A table as an ARFF file.

    Raises:
        InputError: a column of categories has no value at all.

    Example:
        >>> table = Table.from_columns({"note": ["calm, dry", None], "x": [1.5, -2], "play": ["yes", "no"]})
        >>> print(to_arff(table), end="")
        @relation table
        @attribute note {'calm, dry'}
        @attribute x numeric
        @attribute play {no,yes}
        @data
        'calm, dry',1.5,yes
        ?,-2,no
    """
    lines = [f"@relation {_quoted(table.name)}", *map(_declared, _columns(table)), "@data"]
    columns = [
        ["?" if cell is None else _quoted(cell) if attribute.values is not None else cell for cell in cells]
        for attribute, cells in zip(_columns(table), _cells(table), strict=True)
    ]
    weights = ["" if table.weights is None else f",{{{decimal_text(weight)}}}" for weight in table.weighted()]
    rows = zip(zip(*columns, strict=True), weights, strict=True)
    return "".join(f"{line}\n" for line in lines + [",".join(row) + weight for row, weight in rows])


def _declared(attribute: Attribute) -> str:
    if attribute.values == ():
        raise InputError("has no value in any row, and so no domain; leave it out", column=attribute.name)
    domain = "numeric" if attribute.values is None else "{" + ",".join(map(_quoted, attribute.values)) + "}"
    return f"@attribute {_quoted(attribute.name)} {domain}"


def _quoted(text: str) -> str:
    """A name or value of an ARFF file."""
    if _PLAIN.fullmatch(text):
        return text
    return "'" + "".join(_ESCAPED.get(character, character) for character in text) + "'"


def _columns(table: Table) -> tuple[Attribute, ...]:
    return (*table.schema.attributes, table.schema.target)


def _cells(table: Table) -> Iterator[list[str | None]]:
    """The cells of each column as texts."""
    for attribute in _columns(table):
        cells = table.columns[attribute.name]
        if attribute.values is None:
            yield [None if cell is None else decimal_text(cell) for cell in cells]
        else:
            yield [None if code is None else attribute.values[int(code)] for code in cells]


SEPARATORS = {"csv": ",", "tsv": "\t"}
"""The sign between the cells of a table that declares nothing, by the suffix of the file."""

WRITERS: Mapping[str, Callable[[Table], str]] = {
    **{suffix: partial(to_csv, separator=sign) for suffix, sign in SEPARATORS.items()},
    "arff": to_arff,
}
"""The functions that write a table, by the suffix of the file."""
