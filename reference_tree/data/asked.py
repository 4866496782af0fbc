"""Asked rows: the rows to be predicted, read as the training rows were.

A row may come alone, among other rows, in a table or in a frame, and has to mean the same in each. The attributes of
the tree record how the training rows were read:

- A number is converted to the form in which the tree holds numbers (`reference_tree.data.held`).
- A category is known by its name; or by its number, if exactly one category has it: 1, 1.0 and True are equal in
  Python, and pandas turns a column of whole numbers with a missing value into floats, and writes these as `1.0`.

1. `asked_rows` tells the forms apart, and refuses anything else; `listed_rows` has them one by one.
2. `AskedRow` is a row whose cells are read only when a test needs them.
3. `unlabelled` turns columns into a table without a target, and `as_known` gives a table the tree's names and numbers.
"""

from __future__ import annotations

import math
import sys
import warnings
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain, pairwise
from typing import Any, TypeAlias, overload

from reference_tree.data.assembling import check_shape
from reference_tree.data.columns import Column, Origin, check_cell, encode, infer
from reference_tree.data.errors import InputError, InputWarning, listed, shown
from reference_tree.data.frames import Frame, GivenRow, as_mapping, frame_columns, is_frame
from reference_tree.data.held import (
    BINARY,
    CODES,
    LARGEST_SINGLE,
    Form,
    are_finite,
    held,
    is_float,
    last_double,
    precision,
    written,
)
from reference_tree.data.outcomes import Row
from reference_tree.data.sample import Data
from reference_tree.data.schema import Attribute, Cells, Schema, SortedNumbers, in_array, is_missing
from reference_tree.data.spellings import Texts, number_spelled, since_1970
from reference_tree.data.table import Table, distinct
from reference_tree.data.treatment import Treatment, treated_cells
from reference_tree.exact.rationals import Rational, decimal_text, is_number, over_common_denominator, rational

FORMS = "a row is a mapping of attribute to value; many are a sequence of such, a table or a frame"
"""The forms of the rows that a tree can predict, for messages."""


Rows: TypeAlias = Data | Frame | Iterable[GivenRow]
"""Many rows."""


class AskedRow(Mapping[str, Any]):
    """A row whose cells are read when a test needs them.

    Args:
        row: the row as it is handed over.
        known: the attributes of the tree, by name.

    Example:
        >>> row = AskedRow({"size": 0.1, "code": 1.0}, {"size": Attribute("size"), "code": Attribute("code", ("1",))})
        >>> row["size"], row["code"]
        (Fraction(1, 10), '1')
    """

    __slots__ = ("_read", "given", "known")

    def __init__(self, row: GivenRow, known: Mapping[str, Attribute]) -> None:
        self.given, self.known = row, known
        self._read: dict[str, str | Rational | None] = {}

    def __getitem__(self, name: str) -> str | Rational | None:
        if name not in self._read:
            self._read[name] = self._reading(name)
        return self._read[name]

    def _reading(self, name: str) -> str | Rational | None:
        cell: Any = self.given[name]
        attribute = self.known.get(name)
        if attribute is not None and attribute.treatment is not None:
            return _treated(None if is_missing(cell) else check_cell(cell, name), attribute, attribute.treatment)
        if is_missing(cell):
            return None
        if attribute is not None and attribute.values is not None:
            return attribute.category(check_cell(cell, name))
        if isinstance(cell, str) and attribute is not None and attribute.texts:
            cell = number_spelled(cell, attribute.texts) or cell
        read: str | Rational = held(check_cell(cell, name), "written" if attribute is None else attribute.held)
        return read

    def __contains__(self, name: object) -> bool:
        return name in self.given

    def __iter__(self) -> Iterator[str]:
        return iter(self.given)

    def __len__(self) -> int:
        return len(self.given)


def _treated(cell: Any, attribute: Attribute, treatment: Treatment) -> str | Rational | None:
    """A cell as a model treats it, in the form in which it holds numbers."""
    if cell is not None and attribute.values is not None:
        cell = attribute.category(cell)
    elif isinstance(cell, str) and is_number(cell):
        cell = rational(cell)
    elif is_float(type(cell)):
        cell = held(cell, "exact" if attribute.held in BINARY else attribute.held)
    found: Any = treatment.treated(cell, attribute.name, attribute.held)
    if attribute.values is None and found is not None:
        found = held(found, attribute.held)
    read: str | Rational | None = found
    return read


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
    if hasattr(type(rows), "weighted") and not isinstance(rows, Table):
        rows = rows.rows()  # another store of rows, predicted row by row
    if isinstance(rows, Table):
        return as_known(rows, known)
    if is_frame(rows):
        columns = frame_columns(rows, numbers="exact", only=cuts)
        if not columns:  # no test is about any of its columns
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


def listed_rows(rows: Any, attributes: Sequence[Attribute], target: Attribute) -> Sequence[Row]:
    """The rows of `asked_rows` one by one, in their order; a row that comes alone is a list of one.

    Args:
        rows: a row, or many in any form.
        attributes: the attributes of the tree.
        target: the attribute that the tree predicts.

    Raises:
        InputError: as for `asked_rows`.

    Example:
        >>> [dict(row) for row in listed_rows({"x": 1}, [Attribute("x")], Attribute("y"))]
        [{'x': 1}]
    """
    asked = asked_rows(rows, attributes, target)
    if isinstance(asked, Table):
        return list(asked.rows())
    return [asked] if isinstance(asked, AskedRow) else asked


Cuts: TypeAlias = Mapping[str, Sequence[Rational] | None]
"""For each attribute of a tree's tests, all thresholds that it is compared with; None if a test needs its value
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
    found = {
        column.name: replace(infer(column, origin, categorical, continuous), texts=known[column.name].texts)
        for column in used
    }
    for name, attribute in found.items():
        values, seen = attribute.values or (), known[name].values or ()
        if len(values) > 1 and not set(values) & set(seen):
            message = f"none of its values was seen in training: {listed(values)}; there were {listed(seen)}"
            warnings.warn(InputWarning(f"column {name}: {message}"), stacklevel=4)
    cells: dict[str, Any] = {}
    forms: dict[str, Form] = {}
    for column in used:
        thresholds = None if cuts is None else cuts.get(column.name, (0,))  # any threshold will do if no test has one
        if known[column.name].treatment is not None:
            thresholds = None  # it needs the numbers themselves
        form = known[column.name].held
        placed = None if thresholds is None else between(column, thresholds, form)
        cells[column.name] = encode(_read(column, form), found[column.name], origin) if placed is None else placed
        forms[column.name] = form if placed is not None or form == "written" else "exact"
    numbers = {name: distinct(cells[name]) for name, attribute in found.items() if attribute.values is None}
    cells[target.name] = [None] * len(columns[0].cells)
    read = tuple(replace(one, held=forms.get(name, one.held)) for name, one in found.items())
    return as_known(Table("rows", Schema(read, target, numbers), cells), known)


class Placed(Sequence[int]):
    """The places of floats between some ends, as the codes of a column. Each is worked out when it is asked for.

    A float can be compared without its code: code < n if and only if the float is at most `last(n)`.

    Args:
        cells: finite floats; infinity stands for a missing value.
        ends: floats, ascending.

    Example:
        >>> codes = Placed([0.1, 0.3, math.inf], [0.2])
        >>> list(codes), codes.last(1), [cell <= codes.last(1) for cell in codes.cells]
        ([0, 1, 2], 0.2, [True, False, False])
    """

    def __init__(self, cells: Sequence[float], ends: Sequence[float]) -> None:
        self.cells, self.ends = cells, [*ends, sys.float_info.max]

    def last(self, code: int) -> float:
        """The largest float with a smaller code; -inf if there is none."""
        return self.ends[code - 1] if code else -math.inf

    def __len__(self) -> int:
        return len(self.cells)

    @overload
    def __getitem__(self, row: int) -> int: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[int]: ...
    def __getitem__(self, row: int | slice) -> int | Sequence[int]:
        if isinstance(row, slice):
            return in_array(map(partial(bisect_left, self.ends), self.cells[row]), len(self.ends))
        return bisect_left(self.ends, self.cells[row])


WHOLE = 2**53
"""All whole numbers up to this one are doubles."""


def between(column: Column, thresholds: Sequence[Rational], form: Form) -> Cells | None:
    """The floats of a column, replaced by numbers that compare alike with some thresholds.

    All floats that compare with the thresholds alike get the same number. Floats keep their order in every form. So two
    floats for each threshold are enough to place all others: the largest below the threshold, and the largest that is
    not above it.

    Args:
        column: the column, of floats or of anything else.
        thresholds: the thresholds, ascending.
        form: how the tree holds the numbers that it compares with the thresholds.

    Returns:
        The cells; None if the column holds anything but finite floats that the form can hold, or integers that are
        doubles, or if floats are read as they are written, and are not of double precision.

    Example:
        >>> between(Column("size", [0.1, 0.2, 0.3, None]), [Fraction(1, 5)], "written")
        [Fraction(-4, 5), Fraction(1, 5), Fraction(6, 5), None]
    """
    is_plain = column.kinds == {float} or column.kinds == {int}
    if not (is_plain and thresholds) or (form == "written" and precision(column.dtype)):
        return None
    cells: Sequence[Any] = column.cells
    known = [cell for cell in cells if cell is not None] if column.has_gaps else cells
    most = WHOLE if column.kinds == {int} else LARGEST_SINGLE if form == "float32" else math.inf
    if not (are_finite(known) if most == math.inf else max(map(abs, known)) <= most):
        return None
    ends = [last_double(threshold, form, strict=strict) for threshold in thresholds for strict in (True, False)]
    middles = [(one + other) / 2 for one, other in pairwise(map(Fraction, thresholds))]
    alike = [thresholds[0] - 1, *chain.from_iterable(zip(thresholds, [*middles, thresholds[-1] + 1], strict=True))]
    placed = [math.inf if cell is None else cell for cell in cells] if column.has_gaps else cells
    return Cells(SortedNumbers(alike), Placed(placed, ends))


def _read(column: Column, form: Form) -> Column:
    """The column with its floats as they are written, if the tree reads them so."""
    has_floats = form == "written" and any(map(is_float, column.kinds))
    return replace(column, cells=written(column.cells, column.dtype)) if has_floats else column


def _by_name(column: Column, known: Attribute) -> Column:
    """The column with its categories under the names that the tree has for them."""
    if known.values is None or (column.kinds <= {str} and column.texts.issubset(known.values)):
        return column
    names: dict[tuple[type, object], str | None] = {(type(None), None): None}  # 1, 1.0 and True are equal keys
    cells = []
    for cell in column.cells:
        key = type(cell), cell
        if key not in names:
            names[key] = known.category(cell)
        cells.append(names[key])
    return replace(column, cells=cells)


def as_known(table: Table, known: Mapping[str, Attribute]) -> Table:
    """A table whose categories have the names, and whose numbers the form, that a tree has for them.

    Example:
        >>> table = Table.from_columns({"code": [1.0, 2.0], "y": ["n", "y"]}, categorical=["code"])
        >>> as_known(table, {"code": Attribute("code", ("1", "2"))}).schema.attributes[0].values
        ('1', '2')
        >>> table = Table.from_columns({"size": ["0.1"], "y": ["n"]})
        >>> float(as_known(table, {"size": Attribute("size", held="float32")}).columns["size"][0])
        0.10000000149011612
    """
    held_there = {one.name: known[one.name].held for one in table.schema.attributes if one.name in known}
    return treated(named(table, known), known).holding(held_there)


def treated(table: Table, known: Mapping[str, Attribute]) -> Table:
    """A table with the values that a model makes of its cells before it asks; a column is treated only once.

    Args:
        table: the table; its categories have the names that the model has for them.
        known: the attributes of the model, by name.

    Raises:
        InputError: a value is refused.

    Example:
        >>> table = Table.from_columns({"age": [None, "7"], "y": ["n", "y"]}, continuous=["age"])
        >>> list(treated(table, {"age": Attribute("age", treatment=Treatment(missing=30))}).columns["age"])
        [30, 7]
    """
    open_ones = {
        one.name: known[one.name] for one in table.schema.attributes
        if one.name in known and known[one.name].treatment not in (None, one.treatment)
    }  # fmt: skip
    if not open_ones:
        return table
    columns: dict[str, Any] = dict(table.columns)
    attributes, numbers = [], dict(table.schema.numbers)
    for one in table.schema.attributes:
        model = open_ones.get(one.name, one)
        if model is not one and model.treatment is not None:
            cells = treated_cells(_values_of(table, one), model.treatment, one.name, model.held)
            columns[one.name], one = _as_column(cells, replace(one, values=model.values, treatment=model.treatment))
            if one.values is None:
                numbers[one.name] = distinct(columns[one.name])
        attributes.append(one)
    schema = replace(table.schema, attributes=tuple(attributes), numbers=numbers)
    return replace(table, schema=schema, columns=columns)


def _as_column(cells: Sequence[Any], attribute: Attribute) -> tuple[Sequence[Any], Attribute]:
    """Cells as a column: numbers as they are, categories by their codes, with the attribute that has them all."""
    if attribute.values is None:
        return cells, attribute
    values = tuple(dict.fromkeys([*attribute.values, *(cell for cell in cells if cell is not None)]))
    code: dict[str | None, int | None] = {**{value: place for place, value in enumerate(values)}, None: None}
    return [code[cell] for cell in cells], replace(attribute, values=values)


def _values_of(table: Table, attribute: Attribute) -> Sequence[Any]:
    """The cells of a column: names of categories, or numbers; None for a missing one."""
    values = table.schema.numbers[attribute.name] if attribute.values is None else attribute.values
    return [values[code] if code < len(values) else None for code in table.codes(attribute.name)]


def named(table: Table, known: Mapping[str, Attribute]) -> Table:
    """A table whose categories have the names that a tree has for them; its numbers stay as given, but for dates."""
    table = _coded(_with_dates(table, known), known)
    schema = table.schema
    attributes = tuple(_renamed(found, known.get(found.name)) for found in schema.attributes)
    target = _renamed(schema.target, known.get(schema.target.name))
    if (target, attributes) == (schema.target, schema.attributes):
        return table
    return replace(table, schema=replace(schema, attributes=attributes, target=target))


def _with_dates(table: Table, known: Mapping[str, Attribute]) -> Table:
    """A table whose dates, which it holds by their digits, are the days or seconds that a tree compares."""
    dated = {
        one.name: known[one.name].texts
        for one in table.schema.attributes
        if one.texts == "digits" and one.name in known
    }
    dated = {name: texts for name, texts in dated.items() if texts in ("days", "seconds")}
    if not dated:
        return table
    columns, numbers = dict(table.columns), dict(table.schema.numbers)
    for name, texts in dated.items():
        cells = [None if cell is None else _counted(cell, texts, name) for cell in columns[name]]
        columns[name] = Cells.of(*over_common_denominator(cells))
        numbers[name] = distinct(columns[name])
    attributes = tuple(replace(one, texts=dated.get(one.name, one.texts)) for one in table.schema.attributes)
    return replace(table, schema=replace(table.schema, attributes=attributes, numbers=numbers), columns=columns)


def _counted(digits: Rational, texts: Texts, name: str) -> Rational:
    """A date, by its digits, as days or seconds.

    Raises:
        InputError: it is no date.
    """
    text = decimal_text(digits)
    date, _, time = text.partition(".")
    counted = since_1970(f"{date}.{time.ljust(6, '0')}", texts) if len(date) >= 8 else None
    if counted is None:
        raise InputError(f"column {name}: {text} is no date, as the others are; write all of them as 2013-01-14")
    return rational(counted)


def _renamed(found: Attribute, known: Attribute | None) -> Attribute:
    if known is None or known.values is None or found.values is None or found.values == known.values:
        return found
    names = tuple(known.category(found.returned(value)) for value in found.values)
    return found if len(set(names)) < len(names) else replace(found, values=names, given={})


def _coded(table: Table, known: Mapping[str, Attribute]) -> Table:
    """A table with the categories of the codes to which its numbers are cut off; several numbers may have one code."""
    found = {one.name: known[one.name] for one in table.schema.attributes if one.name in known}
    coded = {name: one for name, one in found.items() if one.held in CODES and one.values is not None}
    columns, attributes = dict(table.columns), {one.name: one for one in table.schema.attributes}
    for name, one in coded.items():
        numbers, was = table.schema.numbers.get(name), attributes[name]
        values = was.domain if numbers is None else [str(number) for number in numbers]
        names = [one.category(was.returned(value)) for value in values]
        if numbers is None and len(set(names)) == len(names):
            continue  # each category has a name of its own: `_renamed` gives it
        domain = tuple(dict.fromkeys(names))
        place = [*map(domain.index, names), None]
        columns[name] = [place[code] for code in table.codes(name)]
        attributes[name] = Attribute(name, domain)
    if attributes == {one.name: one for one in table.schema.attributes}:
        return table
    kept = {name: numbers for name, numbers in table.schema.numbers.items() if name not in coded}
    schema = replace(table.schema, attributes=tuple(attributes.values()), numbers=kept)
    return replace(table, schema=schema, columns=columns)
