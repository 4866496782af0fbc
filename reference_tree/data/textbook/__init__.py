"""The textbook data sets: small tables on which decision trees are taught, each with its provenance.

They are files beside this module: the tables as published, in their own language, and `catalogue.toml`, which states
the origin and use of each data set, and its rows and columns by file. A data set that is part of another
is made from the same file, never from a copy. Many files number their rows: a data set whose name ends in `-id` has
these numbers as an attribute, the others leave them out.

A table in Chinese has a twin in English, whose name ends in `-en`: the same rows with other words. They come from the
glossary of the table, and keep the order of its values, so that every decision and every number is the same.

1. `names` lists the data sets, without their twins.
2. `describe` gives the description of one.
3. `textbook` gives its table.
4. `is_textbook` says whether there is one of a name.

Source:
    [N4 figure: cats table], [N4 Decision trees model: features], [N4 figure: regression table]. N4 has images of the
    tables, which are not at hand: the rows of `cats` are those of its course.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from reference_tree.data.columns import Column, Origin
from reference_tree.data.errors import InputError, hint
from reference_tree.data.readers.csv_files import csv_table
from reference_tree.data.readers.text import decode
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table, assemble

IN_ENGLISH = "-en"
"""The ending of the name of a twin."""


class Change(NamedTuple):
    """A cell that differs from the file."""

    row: int
    """The row of the file, from 1."""
    column: str
    value: str


@dataclass(frozen=True)
class DataSet:
    """The description of a textbook data set.

    Args:
        name: the name in this package.
        title: the usual name.
        file: the file beside this module that holds its cells.
        target: the column to predict.
        provenance: who published it, and where.
        used_for: its lesson.
        sources: keys of the bibliography.
        notes: peculiarities of the data.
        glossary: words of the file → English.
        columns: its columns, in order; empty for all columns of the file.
        categorical: columns of numbers that are names.
        rows: its rows, from 1 in the order of the file; empty for all rows of the file.
        changes: cells that differ from the file.
    """

    name: str
    title: str
    file: str
    target: str
    provenance: str
    used_for: str
    sources: tuple[str, ...]
    notes: str = ""
    glossary: Mapping[str, str] = field(default_factory=dict, hash=False)
    columns: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    rows: tuple[int, ...] = ()
    changes: tuple[Change, ...] = ()


def names() -> tuple[str, ...]:
    """The names of the textbook data sets.

    Example:
        >>> names()[:3]
        ('play-tennis', 'play-tennis-id', 'golf')
    """
    return tuple(_catalogue())


def is_textbook(name: str) -> bool:
    """Whether there is a textbook data set of this name, or a twin.

    Example:
        >>> is_textbook("loan"), is_textbook("loan-en"), is_textbook("golf-en")
        (True, True, False)
    """
    return name in _catalogue() or bool(_original(name))


def describe(name: str) -> DataSet:
    """The description of a textbook data set, with its origin.

    Raises:
        InputError: there is none of this name.

    Example:
        >>> describe("loan").glossary["年龄"], describe("loan").sources
        ('age', ('LiHang2019',))
        >>> describe("loan-en").target
        'loan granted'
    """
    if original := _original(name):
        about = describe(original)
        columns = tuple(about.glossary.get(column, column) for column in about.columns)
        return replace(about, name=name, target=about.glossary[about.target], columns=columns)
    if name not in _catalogue():
        raise InputError(f"there is no textbook data set {name!r}{hint(name, names())}; there are {', '.join(names())}")
    return _catalogue()[name]


def textbook(name: str, categorical: Collection[str] = (), continuous: Collection[str] = ()) -> Table:
    """The table of a textbook data set.

    Args:
        name: the name of the data set.
        categorical: further columns of numbers to be read as categories; `*` means all.
        continuous: columns to be read as numbers.

    Raises:
        InputError: there is none of this name, or it has no such column.

    Example:
        >>> [attribute.name for attribute in textbook("play-tennis").schema.attributes]
        ['outlook', 'temperature', 'humidity', 'wind']
        >>> len(textbook("watermelon-2.0-train"))
        10
        >>> textbook("watermelon-2.0-en").schema.attribute("texture").values
        ('blurred', 'clear', 'slightly blurred')
    """
    if original := _original(name):
        glossary = describe(original).glossary
        chinese = {english: word for word, english in glossary.items()}
        kinds = ([chinese.get(column, column) for column in columns] for columns in (categorical, continuous))
        return _renamed(textbook(original, *kinds), glossary, name)
    data_set = describe(name)
    raw = csv_table(decode(_content(data_set.file), data_set.file), data_set.file)
    rows = [row - 1 for row in data_set.rows] or range(len(raw.columns[0].cells))
    by_name = {column.name: column for column in raw.columns}
    columns = [_column(by_name[name], rows, data_set.changes) for name in data_set.columns or by_name]
    lines = raw.origin.lines or ()
    origin = Origin(data_set.file, [lines[row] for row in rows])
    names_of_numbers = (*data_set.categorical, *categorical)
    return assemble(columns, data_set.target, None, names_of_numbers, continuous, name, origin)


def _original(name: str) -> str:
    """The data set whose twin a name means; empty if there is none."""
    original = str(name).removesuffix(IN_ENGLISH)
    return original if original != name and original in _catalogue() and _catalogue()[original].glossary else ""


def _renamed(table: Table, words: Mapping[str, str], name: str) -> Table:
    """The table with other words, in the order of the words that they replace."""

    def renamed(attribute: Attribute) -> Attribute:
        values = attribute.values and tuple(words.get(value, value) for value in attribute.values)
        return replace(attribute, name=words.get(attribute.name, attribute.name), values=values)

    schema = replace(
        table.schema,
        attributes=tuple(map(renamed, table.schema.attributes)),
        target=renamed(table.schema.target),
        numbers={words.get(column, column): numbers for column, numbers in table.schema.numbers.items()},
    )
    columns = {words.get(column, column): cells for column, cells in table.columns.items()}
    return replace(table, name=name, schema=schema, columns=columns)


def _column(column: Column, rows: Sequence[int], changes: tuple[Change, ...]) -> Column:
    """Some rows of a column, with the changes applied."""
    cells = list(column.cells)
    for change in changes:
        if change.column == column.name:
            cells[change.row - 1] = change.value
    return Column(column.name, [cells[row] for row in rows])


@cache
def _catalogue() -> dict[str, DataSet]:
    entries: dict[str, dict[str, Any]] = tomllib.loads(_content("catalogue.toml").decode("utf-8"))
    return {name: _data_set(name, _inherited(name, entries)) for name in entries}


def _inherited(name: str, entries: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """The keys of an entry, with those that it inherits by `like`."""
    own = entries[name]
    return {**_inherited(own["like"], entries), **own} if "like" in own else own


def _data_set(name: str, entry: Mapping[str, Any]) -> DataSet:
    fields: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in entry.items() if key != "like"}
    fields["changes"] = tuple(Change(**change) for change in entry.get("changes", ()))
    return DataSet(name=name, **fields)


def _content(file: str) -> bytes:
    """A file beside this module."""
    return (resources.files(__package__) / file).read_bytes()


__all__ = ["Change", "DataSet", "describe", "is_textbook", "names", "textbook"]
