"""Doubts: columns whose inferred type is perhaps not what was meant.

A file without declarations has the types that its cells suggest. A single cell that is no number turns a column of
numbers into a column of categories. A column that names or numbers the rows looks like an attribute, and a tree that
splits on it has a leaf for every row. Both are read unchanged, with a warning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from reference_tree.data.columns import Column
from reference_tree.data.errors import columns_option, listed, wording
from reference_tree.data.schema import Schema
from reference_tree.exact.rationals import is_number, shortened

_MONEY = "[$€£¥]|EUR|USD|GBP|CHF|JPY|CNY"
_AMOUNT = re.compile(
    rf"(?:{_MONEY})?\s?[+−-]?\s?(?:{_MONEY})?(?=[.,]?\d)"
    rf"(?:\d{{1,3}}(?:[.,'’\s]\d{{3}})++|\d*+)(?:[.,]\d++)?\s?(?:%|{_MONEY})?"
)
"""A number as people write it: with a currency, a percent sign, a decimal comma, or signs between thousands."""

_CODE = re.compile(r"0\d+")
"""A number with a leading zero, as in post codes."""

_FEW = 10
"""Up to this number of rows, different values prove nothing."""

_MANY = 1000
"""The number of rows that are searched for a code that begins with 0."""


def doubts(columns: Sequence[Column], schema: Schema, stated: Collection[str]) -> Iterator[str]:
    """A line for each thing that is strange about the columns whose kind neither the file nor the caller states.

    Args:
        columns: the columns as they were read.
        schema: the schema that was inferred from them.
        stated: the columns whose kind the caller states; `*` means all.

    Example:
        >>> from reference_tree.data.table import Table
        >>> cells = {"age": ["31", "n/a", "27", "54"], "risk": ["low", "high", "low", "low"]}
        >>> columns = [Column(name, texts) for name, texts in cells.items()]
        >>> for doubt in doubts(columns, Table.from_columns(cells).schema, ()):
        ...     print(doubt)
        column age: 3 of 4 cells are numbers, but for 'n/a'; it is read as categories (name missing values by
        missing=[...])
    """
    if _begins_with_a_row(columns):
        option = wording("header=False", "--no-header")
        yield f"each name of a column could be a cell of it: if the first line is a row, there is no header ({option})"
    known = {attribute.name: attribute for attribute in schema.attributes}
    read = {*known, schema.target.name}
    for column in columns:
        if column.declared or column.name in stated or "*" in stated or column.name not in read:
            continue
        remarks = []
        if column.name not in known or known[column.name].values is not None:
            yield from (remarks := list(_nearly_numbers(column)))
        if column.name == schema.target.name and _names_rows(column, schema.target.values is not None):
            yield (
                f"column {column.name}: {len(column.texts)} classes in {len(column.cells)} rows look like names of the "
                f"rows, which no tree can learn (say {wording('target=...', '--target NAME')} if another is predicted)"
            )
        if column.name in known and known[column.name].values is None:
            yield from _nearly_codes(column)
        if column.name in known and not remarks:  # numbers that differ in every row are common
            yield from _nearly_keys(column, known[column.name].values is not None)


def _begins_with_a_row(columns: Sequence[Column]) -> bool:
    """Whether the names are numbers, half of them at most, and categories that their own columns hold."""
    numbers = sum(is_number(column.name) for column in columns)
    return 2 * numbers <= len(columns) and all(
        not column.declared and (is_number(column.name) or column.name in column.texts) for column in columns
    )


def _nearly_numbers(column: Column) -> Iterator[str]:
    pointed = dict(zip(column.cells, column.pointed.cells, strict=True))
    numbers = {text for text in column.texts if is_number(str(pointed[text])) and "/" not in text}
    others = sorted(column.texts - numbers)
    cells = [cell for cell in column.cells if cell is not None]
    count = sum(cell in numbers for cell in cells)
    if not others:
        return
    amounts = [text for text in others if _AMOUNT.fullmatch(text)]
    advice = f"name missing values by {wording('missing=[...]', '--na')}"
    if amounts == others:
        advice = "write numbers as -1234.5, without currencies, percent signs, and signs between thousands"
        if all(map(re.compile(r"[+-]?\d*,\d+").fullmatch, others)):
            option = wording("decimal=','", "--decimal ,")
            advice = f"{advice}; or say {option}, if they have decimal commas"
    if all(map(is_number, others)):  # a fraction may be a date
        advice = f"say {columns_option('continuous', column.name)} if they are fractions"
    if 2 * count > len(cells):
        strange = listed([shortened(text) for text in others])
        what = f"{count} of {len(cells)} cells are numbers, but for {strange}; it is read"
    elif amounts == others:
        what = f"its cells look like numbers, such as {shortened(amounts[0])}, and are read"
    else:
        return
    yield f"column {column.name}: {what} as categories ({advice})"


def _nearly_codes(column: Column) -> Iterator[str]:
    if any(_CODE.fullmatch(str(cell)) for cell in column.cells[:_MANY]):
        option = columns_option("categorical", column.name)
        yield f"column {column.name}: some numbers begin with 0, as codes do, and are read without it (say {option})"


def _nearly_keys(column: Column, is_categorical: bool) -> Iterator[str]:
    cells = [cell for cell in column.cells if cell is not None]
    if len(cells) <= _FEW:
        return
    if _names_rows(column, is_categorical):
        yield (
            f"column {column.name}: {len(column.texts)} values in {len(cells)} rows look like names of the rows; an "
            f"attribute that tells rows apart teaches nothing (say {columns_option('without', column.name)})"
        )
    elif not is_categorical and _counts_rows(cells):
        yield (
            f"column {column.name}: its cells number the rows; an attribute that tells rows apart teaches nothing "
            f"(say {columns_option('without', column.name)})"
        )


def _names_rows(column: Column, is_categorical: bool) -> bool:
    """Whether nearly every row has a category of its own."""
    known = len(column.cells) - column.cells.count(None)
    return is_categorical and known > _FEW and 10 * len(column.texts) > 9 * known


def _counts_rows(cells: Sequence[object]) -> bool:
    """Whether the cells are 0, 1, 2, ... or 1, 2, 3, ..."""
    return any(all(cell == str(place) for place, cell in enumerate(cells, start)) for start in (0, 1))
