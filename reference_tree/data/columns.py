"""Columns: from what is written in a file to what it means.

A reader hands over *raw* columns: texts (or Python values) with `None` for what is missing, and where a format declares
them, the attributes. Here they are given a type and turned into exact values, with an error that names the line and the
column where that cannot be done.

1. `infer` finds what a column is: continuous if every known cell is a number, otherwise categorical.
2. `encode` turns its cells into codes or exact numbers.
"""

from __future__ import annotations

import numbers
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from reference_tree.data.errors import InputError, listed
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational, exactly, is_not_a_number, is_number, rational, shortened

Codes: TypeAlias = list[int | None]
Numbers: TypeAlias = list[Rational | None]


@dataclass(frozen=True)
class Column:
    """A raw column.

    Args:
        name: what it is called.
        cells: texts or Python values; `None` is missing.
        declared: its attribute, where the format or the caller says what it is.
    """

    name: str
    cells: Sequence[object]
    declared: Attribute | None = None


@dataclass(frozen=True)
class Origin:
    """Where the rows were read: for messages.

    Args:
        path: the file; none for data handed over in Python.
        lines: the line of each row, or its number where there is no file; none: rows are numbered from 1.
    """

    path: str | None = None
    lines: Sequence[int] | None = None

    def error(self, message: str, row: int | None = None, column: str | int | None = None) -> InputError:
        """The error for a fault in this row (from 0) and column."""
        if row is None:
            return InputError(message, path=self.path, column=column)
        number = row + 1 if self.lines is None else self.lines[row]
        if self.path is None:
            return InputError(f"row {number}: {message}", column=column)
        return InputError(message, path=self.path, line=number, column=column)


def infer(column: Column, origin: Origin, categorical: Collection[str], continuous: Collection[str]) -> Attribute:
    """What a column is: as the caller says, else as the format declares, else by its cells.

    A column whose known cells are all numbers is continuous, any other categorical. The domain of an inferred
    categorical attribute is the set of its values, sorted by code point: it does not depend on the order of rows.

    Raises:
        InputError: the caller says both; or a NaN or an infinity stands among numbers.
    """
    named_categorical = "*" in categorical or column.name in categorical
    if column.name in categorical and column.name in continuous:
        raise origin.error("is said to be both categorical and continuous; say one", column=column.name)
    if column.name in continuous:
        return Attribute(column.name)
    if column.declared is not None and not (named_categorical and column.declared.values is None):
        return column.declared
    if not named_categorical and _is_numeric(column, origin):
        return Attribute(column.name)
    return Attribute(column.name, tuple(sorted({label(cell) for cell in column.cells if cell is not None})))


def check_text(attribute: Attribute, origin: Origin) -> None:
    r"""Every name is one that a file can hold.

    Raises:
        InputError: half of a surrogate pair stands in the name of the column or of a category.

    Example:
        >>> check_text(Attribute("wind", ("weak", "\ud800")), Origin())
        Traceback (most recent call last):
        ...
        reference_tree.data.errors.InputError: column wind: '\ud800' is no text: it holds half of a surrogate pair
    """
    for text in (attribute.name, *(attribute.values or ())):
        try:
            text.encode()
        except UnicodeEncodeError:
            raise origin.error(
                f"{text!r} is no text: it holds half of a surrogate pair", column=attribute.name
            ) from None


def label(cell: object) -> str:
    """The name of a categorical value.

    Example:
        >>> label("sunny"), label(True), label(3)
        ('sunny', 'True', '3')
    """
    return cell if isinstance(cell, str) else str(cell)


def encode(column: Column, attribute: Attribute, origin: Origin) -> Codes | Numbers:
    """The cells as codes of a categorical attribute, or as the exact numbers of a continuous one.

    Raises:
        InputError: a value is outside the declared domain, or is no finite number.
    """
    if attribute.values is None:
        return _numbers(column, origin)
    code: dict[str | None, int | None] = {value: index for index, value in enumerate(attribute.values)}
    code[None] = None
    labels = [None if cell is None else label(cell) for cell in column.cells]
    try:
        return [code[name] for name in labels]
    except KeyError as error:
        found, row = shortened(error.args[0]), labels.index(error.args[0])
        declared = listed(attribute.values)
        raise origin.error(f"{found} is not among the declared values: {declared}", row, column.name) from None


def _is_numeric(column: Column, origin: Origin) -> bool:
    """Whether every known cell is a number; a NaN among numbers is an error rather than a category."""
    others = [cell for cell in column.cells if cell is not None and not isinstance(cell, str)]
    texts = {cell for cell in column.cells if isinstance(cell, str)}
    strange = {text for text in texts if not _is_plain_number(text)}
    if not all(map(is_not_a_number, strange)) or not all(map(_is_real, others)):
        return False
    if strange and (others or texts > strange):
        row, cell = next((row, cell) for row, cell in enumerate(column.cells) if cell in strange)
        raise origin.error(f"{cell} is not a finite number; mark a missing value with ?", row, column.name)
    return not strange and bool(others or texts)


def _is_plain_number(text: str) -> bool:
    # 1/3 in a column nobody declared is as likely a date: only declared columns hold fractions.
    return "/" not in text and is_number(text)


def _is_real(cell: object) -> bool:
    return isinstance(cell, numbers.Real | Decimal) and not isinstance(cell, bool)


def _numbers(column: Column, origin: Origin) -> Numbers:
    # A column has fewer numbers than cells. Each text and each float is read once, so that equal ones are one object.
    read: dict[object, Rational] = {}
    found: Numbers = []
    for row, cell in enumerate(column.cells):
        if not isinstance(cell, (str, float)):
            found.append(None if cell is None else _number(cell, row, column.name, origin))
            continue
        if cell not in read:
            read[cell] = _number(cell, row, column.name, origin)
        found.append(read[cell])
    return found


def _number(cell: object, row: int, name: str, origin: Origin) -> Rational:
    try:
        return rational(cell) if isinstance(cell, str) else exactly(cell)
    except (TypeError, ValueError) as error:
        advice = "correct it, mark it missing with ?, or say it is categorical"
        raise origin.error(f"{error}; {advice}", row, name) from None
