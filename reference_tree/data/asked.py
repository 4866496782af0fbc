"""Asked rows: the rows to be predicted, read as the training rows were.

A row may come alone, among other rows, in a table or in a frame, and has to mean the same in each. The attributes of
the tree record how the training rows were read:

- A float is the decimal by which it is written, unless the training rows held floats for their exact values.
- A category is known by its name. A value that is no text is also known by its number, if exactly one category has it:
  1, 1.0 and True are equal in Python, and pandas turns a column of whole numbers with a missing value into floats.

1. `asked_rows` tells the forms apart, and refuses anything else.
2. `AskedRow` is a row whose cells are read only when a question needs them.
3. `unlabelled` turns columns into a table without a target, and `renamed` gives a table the tree's names.
"""

from __future__ import annotations

import math
import sys
import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain, pairwise
from operator import le, lt
from typing import Any, TypeAlias

from reference_tree.data.columns import Cells, Column, Origin, SortedNumbers, check_cell, encode, in_array, infer
from reference_tree.data.errors import InputError, InputWarning, listed, shown
from reference_tree.data.frames import (
    Frame,
    GivenRow,
    as_mapping,
    frame_columns,
    is_frame,
    is_missing,
    rewritten,
    written,
)
from reference_tree.data.schema import Attribute, Floats, Schema
from reference_tree.data.table import Table, check_shape, distinct
from reference_tree.exact.rationals import Rational

FORMS = "a row is a mapping of attribute to value; many are a sequence of such, a table or a frame"
"""The forms of the rows that a tree can predict, for messages."""


Rows: TypeAlias = Table | Frame | Iterable[GivenRow]
"""Many rows."""


class AskedRow(Mapping[str, Any]):
    """A row whose cells are read when a question asks for them.

    Args:
        row: the row as it is handed over.
        known: the attributes of the tree, by name.

    Example:
        >>> row = AskedRow({"size": 0.1, "code": 1.0}, {"size": Attribute("size"), "code": Attribute("code", ("1",))})
        >>> row["size"], row["code"]
        (Fraction(1, 10), '1')
    """

    __slots__ = ("_known", "_row")

    def __init__(self, row: GivenRow, known: Mapping[str, Attribute]) -> None:
        self._row, self._known = row, known

    def __getitem__(self, name: str) -> str | Rational | None:
        cell: Any = self._row[name]
        attribute = self._known.get(name)
        if is_missing(cell):
            return None
        if attribute is not None and attribute.values is not None:
            return attribute.category(check_cell(cell, name))
        read: str | Rational = check_cell(cell, name)
        return read if attribute is not None and attribute.floats == "exact" else rewritten(read)

    def __contains__(self, name: object) -> bool:
        return name in self._row

    def __iter__(self) -> Iterator[str]:
        return iter(self._row)

    def __len__(self) -> int:
        return len(self._row)


def asked_rows(
    rows: Any, attributes: Sequence[Attribute], target: Attribute, cuts: Cuts | None = None
) -> AskedRow | list[AskedRow] | Table:
    """One row, or many, in the form in which a tree with these attributes reads them.

    Args:
        rows: a row, or many in any form.
        attributes: the attributes of the tree.
        target: the attribute that the tree predicts.
        cuts: the thresholds of the tree, as for `unlabelled`; no other columns of a frame are read.

    Raises:
        InputError: `rows` has none of these forms; or as for `unlabelled`.

    Example:
        >>> asked_rows([1, 2], [], Attribute("y"))
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: row 1: 1 is no row; a row is a mapping of attribute to value; many are
        a sequence of such, a table or a frame
    """
    known = {attribute.name: attribute for attribute in (*attributes, target)}
    if isinstance(rows, Table):
        return renamed(rows, known)
    if is_frame(rows):
        columns = frame_columns(rows, numbers="exact", only=cuts)
        if not columns:  # no question is about any of its columns
            first = next(iter(rows.columns), None)
            return [AskedRow({}, known)] * (0 if first is None else len(rows[first].to_list()))
        return unlabelled(columns, attributes, target, cuts) if columns[0].cells else []
    if (row := as_mapping(rows)) is not None:
        return AskedRow(row, known)
    if isinstance(rows, str | bytes) or not hasattr(rows, "__iter__"):
        raise InputError(f"{shown(rows)} is no row; {FORMS}")
    found = []
    for number, each in enumerate(rows, start=1):
        if (row := as_mapping(each)) is None:
            raise InputError(f"row {number}: {shown(each)} is no row; {FORMS}")
        found.append(AskedRow(row, known))
    return found


Cuts: TypeAlias = Mapping[str, Sequence[Rational] | None]
"""For each attribute of a tree's questions, all thresholds that it is compared with; None if a question needs its value
in another way."""


def unlabelled(
    columns: Sequence[Column], attributes: Sequence[Attribute], target: Attribute, cuts: Cuts | None = None
) -> Table:
    """A table of rows without a target, with the columns that a tree needs.

    Args:
        columns: the columns of the rows. Those that are no attribute of the tree are left out; the others keep their
            values, seen in training or not.
        attributes: the attributes of the tree.
        target: the attribute that the tree predicts.
        cuts: the thresholds of the tree. A float that is only compared with thresholds need not be read digit by digit:
            the table replaces it by another number that lies between the same thresholds.

    Raises:
        InputError: a cell is no number where the tree has numbers, or the columns have no rows.

    Warns:
        InputWarning: a column has several values, and none of them was seen in training.

    Example:
        >>> rows = unlabelled([Column("wind", ["weak", None])], [Attribute("wind", ("weak",))], Attribute("y", ("n",)))
        >>> list(rows.rows())
        [{'wind': 'weak', 'y': None}, {'wind': None, 'y': None}]
    """
    origin = Origin(asked=True)
    check_shape(columns, origin)
    known = {attribute.name: attribute for attribute in attributes}
    categorical = [name for name, attribute in known.items() if attribute.kind == "categorical"]
    continuous = [name for name, attribute in known.items() if attribute.kind == "continuous"]
    used = [_by_name(replace(column, declared=None), known[column.name]) for column in columns if column.name in known]
    found = {column.name: infer(column, origin, categorical, continuous) for column in used}
    for name, attribute in found.items():
        values, seen = attribute.values or (), known[name].values or ()
        if len(values) > 1 and not set(values) & set(seen):
            message = f"none of its values was seen in training: {listed(values)}; there were {listed(seen)}"
            warnings.warn(InputWarning(f"column {name}: {message}"), stacklevel=4)
    cells: dict[str, Any] = {}
    for column in used:
        thresholds = None if cuts is None else cuts.get(column.name, (0,))  # any threshold will do if none is asked
        placed = None if thresholds is None else between(column, thresholds, known[column.name].floats)
        cells[column.name] = (
            encode(_read(column, known[column.name]), found[column.name], origin) if placed is None else placed
        )
    numbers = {name: distinct(cells[name]) for name, attribute in found.items() if attribute.values is None}
    cells[target.name] = [None] * len(columns[0].cells)
    return Table("rows", Schema(tuple(found.values()), target, numbers), cells)


def between(column: Column, thresholds: Sequence[Rational], floats: Floats) -> Cells | None:
    """The floats of a column, replaced by numbers that compare with some thresholds in the same way.

    All floats that compare with the thresholds alike get the same number. Floats keep their order when they are read as
    exact numbers. So two floats for each threshold are enough to place all others: the largest below the threshold, and
    the largest that is not above it.

    Args:
        column: the column, of floats or of anything else.
        thresholds: the thresholds, ascending.
        floats: how a float is read.

    Returns:
        The cells; None if the column holds anything but finite floats of double precision.

    Example:
        >>> between(Column("size", [0.1, 0.2, 0.3, None]), [Fraction(1, 5)], "written")
        [Fraction(-4, 5), Fraction(1, 5), Fraction(6, 5), None]
    """
    if column.kinds != {float} or not thresholds or str(column.dtype).lower() == "float32":
        return None
    cells: Sequence[Any] = column.cells
    known = cells if None not in cells else [cell for cell in cells if cell is not None]
    if not all(map(math.isfinite, known)):
        return None
    value = Fraction if floats == "exact" else rewritten
    ends = [_largest(threshold, value, at_most) for threshold in thresholds for at_most in (False, True)]
    place = partial(bisect_left, ends)
    codes = map(place, cells) if known is cells else (len(ends) + 1 if cell is None else place(cell) for cell in cells)
    middles = [(one + other) / 2 for one, other in pairwise(map(Fraction, thresholds))]
    alike = [thresholds[0] - 1, *chain.from_iterable(zip(thresholds, [*middles, thresholds[-1] + 1], strict=True))]
    return Cells(SortedNumbers(alike), in_array(codes, len(alike)))


def _largest(threshold: Rational, value: Callable[[float], Rational], at_most: bool) -> float:
    """The largest float whose value is below a threshold, or at most the threshold."""
    below = le if at_most else lt
    try:
        found = float(threshold)
    except OverflowError:
        found = math.copysign(sys.float_info.max, threshold)
    while math.isfinite(found) and not below(value(found), threshold):
        found = math.nextafter(found, -math.inf)
    while (above := math.nextafter(found, math.inf)) < math.inf and below(value(above), threshold):
        found = above
    return found


def _read(column: Column, known: Attribute) -> Column:
    """The column with its floats as the tree reads them."""
    if known.values is not None or known.floats == "exact":
        return column
    return replace(column, cells=written(column.cells, column.dtype))


def _by_name(column: Column, known: Attribute) -> Column:
    """The column with its categories under the names that the tree has for them."""
    if known.values is None or (column.kinds <= {str} and not known.given):
        return column
    names: dict[tuple[type, object], str | None] = {(type(None), None): None}  # 1, 1.0 and True are equal keys
    cells = []
    for cell in column.cells:
        key = type(cell), cell
        if key not in names:
            names[key] = known.category(cell)
        cells.append(names[key])
    return replace(column, cells=cells)


def renamed(table: Table, known: Mapping[str, Attribute]) -> Table:
    """A table whose categories have the names that a tree has for them.

    Example:
        >>> table = Table.from_columns({"code": [1.0, 2.0], "y": ["n", "y"]}, categorical=["code"])
        >>> renamed(table, {"code": Attribute("code", ("1", "2"))}).schema.attributes[0].values
        ('1', '2')
    """
    schema = table.schema
    attributes = tuple(_renamed(found, known.get(found.name)) for found in schema.attributes)
    target = _renamed(schema.target, known.get(schema.target.name))
    if (target, attributes) == (schema.target, schema.attributes):
        return table
    return replace(table, schema=replace(schema, attributes=attributes, target=target))


def _renamed(found: Attribute, known: Attribute | None) -> Attribute:
    if known is None or known.values is None or found.values is None or not (found.given or known.given):
        return found
    names = tuple(known.category(found.returned(value)) for value in found.values)
    return found if len(set(names)) < len(names) else replace(found, values=names, given={})
