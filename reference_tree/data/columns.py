"""Columns: from the texts of a file to exact values.

A reader hands over *raw* columns: texts (or Python values) with `None` for missing ones, and the attributes where a
format declares them. Here they get a type and are turned into exact values, with an error that names the line and the
column where that cannot be done.

1. `infer` finds the type of a column: continuous if every known cell is a number, otherwise categorical.
2. `encode` turns its cells into codes or exact numbers.
"""

from __future__ import annotations

import numbers
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from types import NoneType
from typing import Any

from reference_tree.data.errors import InputError, columns_option, decimal_commas, listed, wording
from reference_tree.data.held import FiniteFloats, WrittenFloats, are_finite, is_float
from reference_tree.data.schema import Attribute, Cells, SortedNumbers, WrittenNumbers, in_array, label
from reference_tree.data.spellings import Texts, is_date, is_gap, number_spelled
from reference_tree.exact.rationals import (
    Rational,
    decimals,
    exactly,
    is_not_a_number,
    is_number,
    over_common_denominator,
    rational,
    shortened,
)

_EXCHANGED = str.maketrans(",.", ".,")


@lru_cache(maxsize=64)
def _one(types: frozenset[type]) -> frozenset[type]:
    """One set, as one object for all columns: a table may have a million."""
    return types


@dataclass(frozen=True)
class Column:
    """A raw column.

    Args:
        name: the name of the column.
        cells: texts or Python values; `None` is missing.
        declared: its attribute, if the format or the caller declares it.
        dtype: the type of its cells, if a frame or an array declares one.
        decimal: the decimal mark of its numbers: a point or a comma.
        has_codes: whether a code, such as `N/A` or a dash, is a missing value where the other cells are numbers.
    """

    name: str
    cells: Sequence[Any]
    declared: Attribute | None = None
    dtype: object = None
    decimal: str = "."
    has_codes: bool = False

    @property
    def pointed(self) -> Column:
        """The column in the spelling of numbers: with decimal points, and without codes for missing values.

        If decimals had commas, a text with a point does not become a number.
        """
        # The column itself is not kept in its own cache: it would outlive its table until the next full collection.
        is_pointed = self.decimal == "." and (not self.has_codes or self.exact is not None)
        return self if is_pointed or not self.texts else self._pointed

    @cached_property
    def _pointed(self) -> Column:
        texts: dict[object, object] = {None: None}
        for text in self.texts:
            texts[text] = text if self.decimal == "." else text.translate(_EXCHANGED)
        texts.update(dict.fromkeys(self.codes))
        return replace(self, cells=tuple(map(texts.__getitem__, self.cells)), decimal=".", has_codes=False)

    @property
    def codes(self) -> frozenset[str]:
        """The cells that are missing values if the others are numbers."""
        return self._codes if self.has_codes and self.exact is None else frozenset()  # a decimal is no code

    @cached_property
    def _codes(self) -> frozenset[str]:
        return frozenset(text for text in self.texts if is_gap(text, among_numbers=True))

    @cached_property
    def _types(self) -> frozenset[type]:
        if isinstance(self.cells, FiniteFloats | WrittenFloats):
            return _one(frozenset([float if isinstance(self.cells, FiniteFloats) else str]))
        return _one(frozenset(map(type, self.cells)))

    @property
    def kinds(self) -> frozenset[type]:
        """The types of the known cells."""
        return self._types - {NoneType}

    @property
    def has_gaps(self) -> bool:
        """Whether a cell is missing."""
        return NoneType in self._types

    @cached_property
    def texts(self) -> frozenset[str]:
        """The different cells if all known cells are texts, otherwise an empty set."""
        return frozenset(self.cells) - {None} if self.kinds == {str} else frozenset()

    @property
    def labels(self) -> Sequence[str | None]:
        """The cells as names of categories."""
        if self.kinds <= {str}:
            return self.cells
        return [None if cell is None else label(cell) for cell in self.cells]

    @cached_property
    def exact(self) -> Cells | None:
        """The cells as exact numbers, if all can be read at once: decimals, integers or floats."""
        cells = self.cells
        if isinstance(cells, WrittenFloats):
            return Cells.of(cells.floats, kind=WrittenNumbers)
        if self.kinds == {str}:
            return self._decimals()
        if self._are(numbers.Integral):
            return Cells.of([None if cell is None else int(cell) for cell in cells])
        if self._are(float) and are_finite([cell for cell in cells if cell is not None] if self.has_gaps else cells):
            return Cells.of(cells)
        return None

    def _are(self, kind: type) -> bool:
        return bool(self.kinds) and all(issubclass(found, kind) and found is not bool for found in self.kinds)

    def _decimals(self) -> Cells | None:
        cells = self.cells
        some = cells[:: len(cells) // 256 + 1]  # if no two of these are equal, few cells of the column may be
        if len(set(some)) == len(some) and None not in cells and 4 * len(self.texts) > 3 * len(cells):
            found = decimals(cells)
            return found and Cells.of(*found)
        # Each text is read once, and each number sorted once; texts of one number have one code.
        texts = list(self.texts)
        if (found := decimals(texts)) is None:
            return None
        ascending = sorted(set(found[0]))
        place = dict(zip(ascending, range(len(ascending)), strict=True))
        code: dict[object, int] = dict(zip(texts, map(place.__getitem__, found[0]), strict=True))
        code[None] = len(ascending)
        return Cells(SortedNumbers.of(ascending, found[1]), in_array(map(code.__getitem__, cells), len(ascending)))


@dataclass(frozen=True)
class Origin:
    """The source of the rows, for messages.

    Args:
        path: the file; None for data handed over in Python.
        lines: the line of each row, or its number if there is no file; None if rows are numbered from 1.
        asked: whether the rows are to be predicted by a tree, whose attributes give the types of the columns.
    """

    path: str | None = None
    lines: Sequence[int] | None = None
    asked: bool = False

    @property
    def missing(self) -> str:
        """The way a missing value is written in the source."""
        return "None" if self.path is None else "?"

    def error(self, message: str, row: int | None = None, column: str | int | None = None) -> InputError:
        """The error for a fault in this row (from 0) and column."""
        if row is None:
            return InputError(message, path=self.path, column=column)
        number = row + 1 if self.lines is None else self.lines[row]
        if self.path is None:
            return InputError(f"row {number}: {message}", column=column)
        return InputError(message, path=self.path, line=number, column=column)


def check_cell(cell: Any, name: str, row: int | None = None) -> Any:
    """The cell itself, if it is a text or a number.

    Args:
        cell: the value handed over in Python.
        name: the name of the column.
        row: the number of the row, from 0.

    Raises:
        InputError: the cell is neither: only its owner knows whether a date is a number or a category.

    Example:
        >>> check_cell([1], "size")
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: column size: '[1]' is a list; make it a number, or a text for a category
    """
    if isinstance(cell, str | numbers.Real | Decimal) or type(cell).__name__ in ("bool_", "bool"):  # numpy has its own
        return cell
    message = f"{shortened(str(cell))} is a {type(cell).__name__}; make it a number, or a text for a category"
    raise Origin().error(message, row, name)


def check_cells(cells: Sequence[Any], name: str) -> None:
    """Refuse cells that are neither texts nor numbers, by the first of them."""
    known = (str, numbers.Real, Decimal, type(None))
    strange = {kind for kind in set(map(type, cells)) if not issubclass(kind, known)}
    for row, cell in enumerate(cells if strange else ()):
        if type(cell) in strange:
            check_cell(cell, name, row)


def infer(column: Column, origin: Origin, categorical: Collection[str], continuous: Collection[str]) -> Attribute:
    """The attribute of a column: as the caller says, else as the format declares, else inferred from its cells.

    A column whose known cells are all numbers is continuous, any other categorical. The domain of an inferred
    categorical attribute is the set of its values, sorted by code point: it does not depend on the order of rows.

    Raises:
        InputError: the caller says both categorical and continuous; or a NaN or an infinity stands among numbers.
    """
    named_categorical = "*" in categorical or column.name in categorical
    if column.name in categorical and column.name in continuous:
        raise origin.error("is declared both categorical and continuous; choose one", column=column.name)
    numeric = Attribute(column.name, held="exact" if any(map(is_float, column.kinds)) else "written")
    if column.name in continuous:
        has_dates = column.exact is None and any(number_spelled(text, "") is not None for text in column.texts)
        return replace(numeric, texts="digits") if has_dates else numeric
    if column.declared is not None and not (named_categorical and column.declared.values is None):
        return _as_declared(column, column.declared, numeric)
    if not named_categorical and _is_numeric(column, origin):
        return numeric
    if column.texts:
        floats = column.texts if _is_of_floats(column) else ()
        named = Attribute(column.name, tuple(sorted(column.texts)))
        return replace(named, given={text: float(text) for text in floats}) if floats else named
    given = {label(cell): cell for cell in column.cells if cell is not None}
    return Attribute(column.name, tuple(sorted(given)), given)


def _as_declared(column: Column, declared: Attribute, numeric: Attribute) -> Attribute:
    """The attribute of a column that is declared; the cells are not treated yet, and may be invalid for a model."""
    if declared.values is None:
        return replace(declared, held=numeric.held, treatment=None)
    if declared.treatment is None:
        return declared
    others = sorted({str(each) for each in column.labels if each is not None} - {*declared.values})
    return replace(declared, values=(*declared.values, *others), treatment=None)


def encode(column: Column, attribute: Attribute, origin: Origin, advice: str | None = None) -> Cells:
    """The cells as codes of a categorical attribute, or as the exact numbers of a continuous one.

    Args:
        column: the cells.
        attribute: the attribute of the column.
        origin: the source of the rows.
        advice: the advice in the message about a cell that is no number; None for the usual advice.

    Raises:
        InputError: a value is outside the declared domain, or is no finite number.
    """
    if attribute.values is None:
        return _numbers(column, origin, advice, attribute.texts)
    missing = len(attribute.values)
    code: dict[object, int] = {value: index for index, value in enumerate(attribute.values)}
    code[None] = missing
    labels = column.labels
    try:
        return Cells(range(missing), in_array(map(code.__getitem__, labels), missing))
    except KeyError as error:
        found, row = shortened(error.args[0]), labels.index(error.args[0])
        declared = listed(attribute.values)
        raise origin.error(f"{found} is not among the declared values: {declared}", row, column.name) from None


def _is_numeric(column: Column, origin: Origin) -> bool:
    """Whether every known cell is a number; a NaN among numbers is an error rather than a category."""
    if column.decimal == "." and column.exact is not None:
        return True
    if column.codes and len(column.texts - column.codes) < 2:  # one number and a dash are two categories
        column = replace(column, has_codes=False)
    column = column.pointed
    if column.exact is not None:
        return True
    others = [] if column.texts else [cell for cell in column.cells if not isinstance(cell, str | None)]
    texts = column.texts or {cell for cell in column.cells if isinstance(cell, str)}
    # 1/3 may well be a date in a column that is not declared: only declared columns hold fractions.
    strange = {text for text in texts if "/" in text or not is_number(text)}
    if not all(map(is_not_a_number, strange)) or not all(map(_is_real, others)):
        return False
    if strange and (others or texts > strange or _is_of_floats(column)):
        row, cell = next((row, cell) for row, cell in enumerate(column.cells) if cell in strange)
        named = wording("missing=[...]", "--na TEXT")
        missing = origin.missing if origin.path is None else f"{origin.missing}, or what {named} names"
        raise origin.error(f"{cell} is not a finite number; a missing value is {missing}", row, column.name)
    return not strange and bool(others or texts)


def _is_of_floats(column: Column) -> bool:
    return str(column.dtype).lower().startswith("float")


def _is_real(cell: object) -> bool:
    return isinstance(cell, numbers.Real | Decimal) and not isinstance(cell, bool)


def _numbers(column: Column, origin: Origin, advice: str | None, texts: Texts = "") -> Cells:
    pointed = column.pointed
    if pointed.exact is not None:
        return pointed.exact
    known = ((row, cell) for row, cell in enumerate(pointed.cells))
    cells = [None if cell is None else _number(row, column, origin, advice, texts) for row, cell in known]
    return Cells.of(*over_common_denominator(cells))


def _number(row: int, column: Column, origin: Origin, advice: str | None, texts: Texts) -> Rational:
    cell = column.pointed.cells[row]
    try:
        return rational(number_spelled(cell, texts) or cell) if isinstance(cell, str) else exactly(cell)
    except (TypeError, ValueError) as error:
        ways = ["correct it", f"make it {origin.missing} where it is missing"]
        may_be_decimal = isinstance(cell, str) and "," in cell and is_number(cell.translate(_EXCHANGED))
        if origin.path and column.decimal == "." and may_be_decimal:
            ways.append(f"say {decimal_commas()} if decimals have commas")
        if not origin.asked:
            ways.append(f"say {columns_option('categorical', column.name)}")
        if isinstance(cell, str) and is_date(cell):
            ways[0] = (
                "give the number that the program had for it" if texts == "numbers" else "write dates as 2013-01-14"
            )
        advice = advice or f"{', '.join(ways[:-1])}, or {ways[-1]}"
        reason = error if column.decimal == "." else f"{shortened(str(column.cells[row]))} has no decimal comma"
        raise origin.error(f"{reason}; {advice}", row, column.name) from None
