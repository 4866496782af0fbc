"""The table: typed columns with exact values, one of them to be predicted.

Rows keep the order of the file, because random draws number them; growing a tree does not depend on that order. A row
without a target value cannot be learned from: it is left out and counted.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import index
from typing import Any, TypeGuard

from reference_tree.data.assembling import (
    check_shape,
    check_text,
    has_two_values,
    weights_in,
    with_target,
    without_target,
)
from reference_tree.data.columns import Column, Origin, encode, infer
from reference_tree.data.doubts import doubts
from reference_tree.data.errors import InputError, listed, no_such, number_of, shown
from reference_tree.data.frames import Frame, by_name, columns_of, frame_columns, given_column, is_frame
from reference_tree.data.held import BINARY, Floats, Form, nearest, reread
from reference_tree.data.sample import Data, Sample, SizedData, whole_sample
from reference_tree.data.schema import Attribute, Cells, Codes, Numbers, Schema, SortedNumbers, codes_of
from reference_tree.exact.rationals import Rational, ascending, over_common_denominator
from reference_tree.records import late

_FEW = 20
"""The most whole numbers that may be classes."""


@dataclass(frozen=True, repr=False)
class Table:
    """Rows of exact values under a schema.

    Args:
        name: the name of the data set or the file.
        schema: the attributes and the target.
        columns: for each column its codes (categorical) or exact numbers (continuous); `None` is missing. The readers
            make `Cells`, of a few bytes each; a list is accepted as well.
        weights: the weight of each row; None if all weigh 1.
        left_out: how many rows of the source had no target value.
        remarks: on doubtful columns; see `reference_tree.data.doubts`.

    Source:
        [N1 §1.2 eq. (1)], [N1 §1.2 eq. (2)], [N1 §1.2 eq. (3)], [N2 §2.1 step 1]. N1 writes an instance as a set of
        values; it is a tuple, for its features have an order and may have equal values.
    """

    name: str
    schema: Schema
    columns: Mapping[str, Codes | Numbers]
    weights: Sequence[Rational] | None = None
    left_out: int = 0
    remarks: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def from_columns(
        cls,
        columns: Mapping[str, Iterable[object]],
        target: str | None = None,
        *,
        weights: str | None = None,
        categorical: Collection[str] = (),
        continuous: Collection[str] = (),
        numbers: Floats = "written",
        name: str = "table",
    ) -> Table:
        """A table from a mapping of columns.

        Args:
            columns: name → cells; `None` and NaN are missing, texts are categories, numbers are numbers.
            target: the column to predict; the last one if not given.
            weights: the column that holds the weight of each row, if there is one.
            categorical: columns to be read as categories even if they hold numbers; `*` means all.
            continuous: columns to be read as numbers.
            numbers: how a float is read: as the decimal by which it is `written`, or as its `exact` value.
            name: the name of the table in messages.

        Raises:
            InputError: no rows, columns of different length, an unknown column, or a cell that cannot be read.

        Example:
            >>> table = Table.from_columns({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
            >>> table.schema.target.name, len(table)
            ('play', 3)
        """
        if is_frame(columns):
            raise InputError("these columns are a frame; Table.from_frame reads it")
        if not isinstance(columns, Mapping):
            raise InputError(f"{shown(columns)} is no mapping of columns: name → cells")
        named = [categorical] if isinstance(categorical, str) else categorical
        raw = [  # a float that is a category stays one
            given_column(cells, column, "exact" if column in named or "*" in named else numbers)
            for column, cells in zip(map(str, columns), columns.values(), strict=True)
        ]
        return assemble(raw, target, weights, categorical, continuous, name, Origin())

    @classmethod
    def from_frame(
        cls,
        frame: Frame,
        target: str | None = None,
        *,
        weights: str | None = None,
        categorical: Collection[str] = (),
        continuous: Collection[str] = (),
        numbers: Floats = "written",
        name: str = "table",
    ) -> Table:
        """A table from a frame of pandas or Polars; see `reference_tree.data.frames` for the meaning of its cells.

        Args:
            frame: the frame; its index, if it has one, is no column.
            target: the column to predict, as for `from_columns`.
            weights: the column that holds the weight of each row.
            categorical: columns to be read as categories.
            continuous: columns to be read as numbers.
            numbers: how a float is read: as the decimal by which it is `written`, or as its `exact` value.
            name: the name of the table in messages.

        Raises:
            InputError: as for `from_columns`; or a cell is neither a text nor a number.
        """
        return assemble(frame_columns(frame, numbers), target, weights, categorical, continuous, name, Origin())

    @classmethod
    def of(
        cls,
        thing: Any,
        target: str | None = None,
        *,
        names: Sequence[str] | None = None,
        weights: str | None = None,
        categorical: Collection[str] = (),
        continuous: Collection[str] = (),
        numbers: Floats = "written",
        name: str = "table",
    ) -> Table:
        """A table from anything in memory that is one; see `reference_tree.data.frames` for the accepted kinds.

        Args:
            thing: a frame of pandas or Polars, a table of Arrow, a relation of DuckDB, a cursor of a database, an array
                of numpy, rows as dictionaries or lists, or a dictionary of columns.
            target: the column to predict, as for `from_columns`, as are all others.
            names: the names of the columns of an array, or of rows that are lists.
            weights: the column that holds the weight of each row.
            categorical: columns to be read as categories.
            continuous: columns to be read as numbers.
            numbers: how a float is read.
            name: the name of the table in messages.

        Raises:
            InputError: it is no table, or as for `from_columns`.

        Example:
            >>> Table.of([("weak", "yes"), ("strong", "no")], "play", names=["wind", "play"])
            <Table table: 2 rows; wind → play>
            >>> import sqlite3
            >>> rows = sqlite3.connect(":memory:").execute("SELECT 'weak' AS wind, 7.5 AS speed, 'yes' AS play")
            >>> next(Table.of(rows).rows())
            {'wind': 'weak', 'speed': Fraction(15, 2), 'play': 'yes'}
        """
        if isinstance(thing, Table):
            return thing if target is None else thing.predicting(target)
        columns, options = columns_of(thing, names), (weights, categorical, continuous)
        if isinstance(columns, Mapping):
            kinds: dict[str, Any] = {"categorical": categorical, "continuous": continuous}
            return cls.from_columns(columns, target, weights=weights, **kinds, numbers=numbers, name=name)
        return assemble(frame_columns(columns, numbers), target, *options, name, Origin())

    @classmethod
    def from_rows(cls, rows: Iterable[Mapping[str, object]], target: str | None = None, **options: Any) -> Table:
        """A table from a sequence of rows, each a mapping of column to value; a key that is absent is missing.

        Example:
            >>> len(Table.from_rows([{"wind": "weak", "play": "yes"}, {"wind": "strong", "play": "no"}]))
            2
        """
        return cls.from_columns(by_name(rows), target, **options)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.columns[self.schema.target.name])

    def __repr__(self) -> str:
        """The table as a line of text, however many rows it has."""
        attributes = listed([attribute.name for attribute in self.schema.attributes])
        return f"<Table {self.name}: {number_of(len(self), 'row')}; {attributes} → {self.schema.target.name}>"

    def __str__(self) -> str:
        """The first rows, as they are printed."""
        text: str = late("views.notebook.table_text")(self)
        return text

    def _repr_html_(self) -> str:
        """The first rows, as a notebook shows them."""
        html: str = late("views.notebook.table_html")(self)
        return html

    def __getitem__(self, key: str | int | slice) -> Any:
        """A column by its name, as a list; a row by its number, as a mapping; or the table of a slice of the rows.

        Raises:
            InputError, IndexError: there is no such column, or no such row.

        Example:
            >>> table = Table.from_columns({"x": [5, 7, 9], "y": ["no", "yes", "no"]})
            >>> table["y"], table[-1], len(table[:2])
            (['no', 'yes', 'no'], {'x': 9, 'y': 'no'}, 2)
        """
        if isinstance(key, str):
            if key not in self.columns:
                raise InputError(f"the table has no column {shown(key)}")
            return _spelled(self.schema.attribute(key), self.columns[key])
        numbers = range(len(self))[key]
        return self.take(numbers) if isinstance(numbers, range) else next(self.take([numbers]).rows())

    def head(self, rows: int = 5) -> Table:
        """The table of the first rows."""
        return self.take(range(len(self))[:rows])

    def rows(self) -> Iterator[dict[str, str | Rational | None]]:
        """Each row as a mapping of column to value: the form in which trees take rows.

        Example:
            >>> next(Table.from_columns({"wind": ["weak", None], "play": ["yes", "no"]}).rows())
            {'wind': 'weak', 'play': 'yes'}
        """
        attributes = (*self.schema.attributes, self.schema.target)
        names = [attribute.name for attribute in attributes]
        spelled = [_spelled(attribute, self.columns[attribute.name]) for attribute in attributes]
        return (dict(zip(names, row, strict=True)) for row in zip(*spelled, strict=True))

    def without(self, names: Collection[str]) -> Table:
        """The same rows without some attributes, or without one.

        Raises:
            InputError: there is no such attribute, or it is the target.

        Example:
            >>> table = Table.from_columns({"id": ["1", "2"], "wind": ["weak", "strong"], "play": ["yes", "no"]})
            >>> [attribute.name for attribute in table.without(["id"]).schema.attributes]
            ['wind']
        """
        dropped = {self.schema.attribute(name).name for name in ([names] if isinstance(names, str) else names)}
        if self.schema.target.name in dropped:
            raise InputError(f"{self.schema.target.name} is the target and cannot be left out; name another target")
        kept = tuple(attribute for attribute in self.schema.attributes if attribute.name not in dropped)
        columns = {name: cells for name, cells in self.columns.items() if name not in dropped}
        numbers = {name: found for name, found in self.schema.numbers.items() if name not in dropped}
        gone = tuple(f"column {name}:" for name in dropped)
        remarks = tuple(line for line in self.remarks if not line.startswith(gone))
        schema = replace(self.schema, attributes=kept, numbers=numbers)
        return replace(self, schema=schema, columns=columns, remarks=remarks)

    def predicting(self, target: str) -> Table:
        """The same rows with another column to predict; the former target becomes an attribute.

        Raises:
            InputError: there is no such column, or every row lacks it.

        Example:
            >>> table = Table.from_columns({"ear": ["oval", "pointy"], "weight": [7, 9], "cat": ["yes", "no"]})
            >>> other = table.predicting("weight")
            >>> other.schema.target.kind, [attribute.name for attribute in other.schema.attributes]
            ('continuous', ['ear', 'cat'])
        """
        self.schema.attribute(target)
        known = {attribute.name: attribute for attribute in (*self.schema.attributes, self.schema.target)}
        rows = [row for row, cell in enumerate(self.columns[target]) if cell is not None]
        if not rows:
            raise without_target(target, Origin())
        table = self if len(rows) == len(self) else self.take(rows)
        others = tuple(known[name] for name in self.columns if name != target)
        schema = replace(table.schema, attributes=others, target=known[target])
        return replace(table, schema=schema, left_out=self.left_out + len(self) - len(rows))

    def may_be_classes(self) -> bool:
        """Whether the target has few whole numbers, each of them twice on average, as classes that are numbers have."""
        found = self.schema.numbers.get(self.schema.target.name, ())
        return are_few(found, len(self))

    def classified(self) -> Table:
        """The same rows with the numbers of the target as classes.

        Example:
            >>> table = Table.from_columns({"x": [5, 7, 9], "y": [2, 1, 3]}).classified()
            >>> table.schema.target.values, next(table.rows())
            (('1', '2', '3'), {'x': 5, 'y': '2'})
        """
        target = self.schema.target
        if target.values is not None:
            return self
        numbers = {name: found for name, found in self.schema.numbers.items() if name != target.name}
        column = Column(target.name, list(self.columns[target.name]))
        classes = infer(column, Origin(), (target.name,), ())
        columns = {**self.columns, target.name: encode(column, classes, Origin())}
        return replace(self, schema=replace(self.schema, target=classes, numbers=numbers), columns=columns)

    def take(self, rows: Sequence[int]) -> Table:
        """The table of some rows, by their numbers, in this order; see `reference_tree.selection.holdout.take`.

        Raises:
            InputError: there is no row of such a number.

        Example:
            >>> table = Table.from_columns({"x": [5, 7, 9], "y": ["no", "yes", "no"]})
            >>> table.take([2, 0]).columns
            {'x': [9, 5], 'y': [0, 0]}
        """
        try:
            strange = [row for row in map(index, rows) if not 0 <= row < len(self)]
        except TypeError as error:
            raise InputError(f"rows are taken by their numbers: {error}") from None
        if strange:
            raise InputError(f"there is no row {strange[0]}; the rows are 0 to {len(self) - 1}")
        columns: dict[str, Codes | Numbers] = {
            name: cells.take(rows) if isinstance(cells, Cells) else [cells[row] for row in rows]
            for name, cells in self.columns.items()
        }
        numbers = {name: distinct(columns[name]) for name in self.schema.numbers}
        weights = None if self.weights is None else [self.weights[row] for row in rows]
        return replace(self, schema=replace(self.schema, numbers=numbers), columns=columns, weights=weights)

    def rounded(self, numbers: str) -> Table:
        """The same rows as a program holds them: each number is replaced by the exact value of the rounded one.

        Args:
            numbers: `double`: each becomes the nearest double. `float32`: each value of an attribute becomes the
                float32 nearest to that double, as in programs; a numeric target stays a double. `exact`: nothing
                changes.

        Raises:
            InputError: there is no such form, or a number is too large for it.

        Example:
            >>> table = Table.from_columns({"x": ["0.8", "2.5"], "y": ["no", "yes"]})
            >>> [list(map(float, table.rounded(form).columns["x"])) for form in ("double", "float32")]
            [[0.8, 2.5], [0.800000011920929, 2.5]]
            >>> table.rounded("float32").columns["x"][0]
            Fraction(13421773, 16777216)
        """
        if numbers not in ("exact", "double", "float32"):
            raise InputError(no_such("form of numbers", numbers, ("exact", "double", "float32")))
        if numbers == "exact":
            return self
        form: Form = "float32" if numbers == "float32" else "double"
        return self.holding({**dict.fromkeys(self.schema.numbers, form), self.schema.target.name: "double"})

    def holding(self, forms: Mapping[str, Form]) -> Table:
        """The same rows, with the numbers of some columns in another form; see `reference_tree.data.held`.

        Args:
            forms: column → the form of its numbers; categories stay as they are.

        Raises:
            InputError: a number is too large for its form.

        Example:
            >>> table = Table.from_columns({"x": [0.8, 2.5], "y": ["no", "yes"]})
            >>> table.columns["x"][0], float(table.holding({"x": "float32"}).columns["x"][0])
            (Fraction(4, 5), 0.800000011920929)
        """
        held = {name: self.schema.attribute(name).held for name in forms if name in self.schema.numbers}
        changing = {name: forms[name] for name, was in held.items() if forms[name] != was}
        if not changing:
            return self
        columns = dict(self.columns)
        for name, form in changing.items():
            try:
                columns[name] = _in_form(self.schema.numbers[name], self.codes(name), held[name], form)
            except InputError as error:
                raise InputError(error.message, column=name) from None
        attributes = [
            replace(one, held=changing.get(one.name, one.held)) for one in (*self.schema.attributes, self.schema.target)
        ]
        kept = {**self.schema.numbers, **{name: distinct(columns[name]) for name in changing}}
        schema = replace(self.schema, attributes=tuple(attributes[:-1]), target=attributes[-1], numbers=kept)
        return replace(self, schema=schema, columns=columns)

    def codes(self, name: str) -> Sequence[int]:
        """The code of each cell of a categorical column, or the rank of each cell of a continuous one.

        The code of a missing cell is the number of values.

        Example:
            >>> table = Table.from_columns({"x": [9, None, 5], "y": ["no", "yes", "no"]})
            >>> list(table.codes("x")), list(table.codes("y"))
            ([1, 2, 0], [0, 1, 0])
        """
        if name not in self._codes:
            domain = self.schema.attribute(name).values
            values = self.schema.numbers[name] if domain is None else range(len(domain))
            self._codes[name] = codes_of(values, self.columns[name])
        return self._codes[name]

    @cached_property
    def _codes(self) -> dict[str, Sequence[int]]:
        return {}

    def sample(self) -> Sample:
        """All rows as the sample that reaches the root."""
        return whole_sample(self)

    def weighted(self) -> Sequence[Rational]:
        """The weight of each row."""
        return [1] * len(self) if self.weights is None else self.weights


def assemble(
    raw: Sequence[Column],
    target: str | None,
    weights: str | None,
    categorical: Collection[str],
    continuous: Collection[str],
    name: str,
    origin: Origin,
) -> Table:
    """A table from raw columns: the single entry for files and for Python.

    Raises:
        InputError: see `Table.from_columns`.
    """
    check_shape(raw, origin)
    categorical = (categorical,) if isinstance(categorical, str) else categorical  # a single name, no list of letters
    continuous = (continuous,) if isinstance(continuous, str) else continuous
    given, named = raw, {column.name: column for column in raw}
    for wanted in (target, weights, *continuous, *(name for name in categorical if name != "*")):
        if wanted is not None and not (isinstance(wanted, str) and wanted in named):
            raise origin.error(no_such("column", str(wanted), named))
    chosen = target or next((name for name in reversed(named) if name != weights), weights)
    if chosen is None or chosen == weights:
        raise origin.error("cannot be the target and the weight at once", column=chosen)
    column = named[chosen]
    if column.codes and infer(column, origin, categorical, continuous).values is None:
        raw, column = [each.pointed if each is column else each for each in raw], column.pointed
    raw, origin, left_out = with_target(raw, column, origin)
    weight_column = next((column for column in raw if column.name == weights), None)
    raw = [column for column in raw if column.name != weights]
    attributes = {column.name: infer(column, origin, categorical, continuous) for column in raw}
    attributes |= {
        column.name: infer(column, origin, (chosen,), ())
        for column in raw
        if column.name == chosen and chosen not in continuous and has_two_values(column)
    }
    for attribute in attributes.values():
        check_text(attribute, origin)
    columns = {column.name: encode(column, attributes[column.name], origin) for column in raw}
    schema = Schema(
        attributes=tuple(attribute for attribute in attributes.values() if attribute.name != chosen),
        target=attributes[chosen],
        numbers={name: distinct(columns[name]) for name, attribute in attributes.items() if attribute.values is None},
    )
    remarks = tuple(doubts(given, schema, {*categorical, *continuous}, in_file=origin.path is not None))
    weighing = None if weight_column is None else weights_in(weight_column, origin)
    return Table(name, schema, columns, weighing, left_out, remarks)


def check_table(table: object) -> None:
    """Refuse anything but a table, and name the function that makes a table of it.

    Example:
        >>> check_table([1, 2])
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: [1, 2] is no table; read, textbook and Table.from_columns make one
    """
    if not isinstance(getattr(table, "schema", None), Schema) or not hasattr(table, "sample"):
        makes = "Table.from_frame makes" if is_frame(table) else "read, textbook and Table.from_columns make"
        found = f"a {type(table).__name__}" if is_frame(table) else shown(table)
        raise InputError(f"{found} is no table; {makes} one")


def in_memory(table: Data) -> Table:
    """The rows of any store as a table in memory; such a table as it is.

    Raises:
        InputError: the store does not hand over its rows one by one.

    Example:
        >>> table = Table.from_columns({"x": [1, 2], "y": ["no", "yes"]})
        >>> in_memory(table) is table
        True
    """
    if is_in_memory(table):
        return table
    if not hasattr(table, "in_memory"):
        raise InputError(f"{table.name}: its rows are needed one by one, and this store does not hand them over")
    found: Table = table.in_memory()
    return found


def is_in_memory(table: object) -> TypeGuard[Table]:
    """Whether rows are numbered and at hand one by one; those of a database, and those with derivatives, are not.

    Example:
        >>> is_in_memory(Table.from_columns({"x": [1, 2], "y": ["no", "yes"]}))
        True
    """
    return isinstance(table, Table)


def is_read_in_part(table: Data) -> bool:
    """Whether a store returns only some of the values of a column, as a database does of one with many."""
    return bool(getattr(table, "is_read_in_part", False))


def has_more_numbers(table: Data, name: str, most: int) -> bool:
    """Whether an attribute has more than `most` numbers; a store that need not read all of them is asked itself.

    Example:
        >>> has_more_numbers(Table.from_columns({"x": [1, 2, 2], "y": [*"aab"]}), "x", 1)
        True
    """
    asked = getattr(table, "has_more_numbers", None)
    return bool(asked(name, most)) if asked is not None else len(table.schema.numbers[name]) > most


def binned(table: SizedData, bins: Mapping[str, Sequence[tuple[float, float]]]) -> SizedData:
    """The rows with a number for each bin, for all numbers in it.

    Args:
        table: the rows, in any store.
        bins: attribute → for each of its bins the number at its end, which it holds, and the number for all numbers in
            it, ascending; of the last bin both are the latter, for it has no end.

    Example:
        >>> table = Table.from_columns({"x": [1, 2, None, 5, 9], "y": [*"aabba"]})
        >>> binned(table, {"x": [(2.0, 1.0), (4.0, 3.0), (5.0, 5.0)]}).columns["x"]
        [1, 1, None, 5, 5]
    """
    if not is_in_memory(table):
        store: Any = table
        found: SizedData = store.binned(bins)
        return found
    columns = dict(table.columns)
    for name, of in bins.items():
        ends, numbers = [end for end, _ in of[:-1]], [number for _, number in of]
        cells = [*(numbers[bisect_left(ends, value)] for value in table.schema.numbers[name]), None]
        columns[name] = Cells.of(list(map(cells.__getitem__, table.codes(name))))
    kept = {**table.schema.numbers, **{name: distinct(columns[name]) for name in bins}}
    return replace(table, schema=replace(table.schema, numbers=kept), columns=columns)


def are_few(numbers: Sequence[Rational], rows: int) -> bool:
    """Whether the distinct numbers of a column are few whole numbers, each of them in two rows on average.

    Example:
        >>> are_few([1, 2, 3], 6), are_few([1, 2, 3], 5), are_few([], 0)
        (True, False, False)
    """
    return 0 < 2 * len(numbers) <= rows and len(numbers) <= _FEW and all(isinstance(each, int) for each in numbers)


def distinct(numbers: Codes | Numbers) -> Sequence[Rational]:
    """The different numbers of a column, ascending."""
    if isinstance(numbers, Cells) and isinstance(numbers.values, SortedNumbers):
        return numbers.values
    return ascending(number for number in numbers if number is not None)


def _in_form(numbers: Sequence[Rational], codes: Sequence[int], was: Form, form: Form) -> Cells:
    """The cells of a column in another form; floats take the least memory."""
    if form in BINARY:
        return Cells.of(list(map([*(nearest(number, form) for number in numbers), None].__getitem__, codes)))
    reread_numbers = [*(reread(number, was, form) for number in numbers), None]
    return Cells.of(*over_common_denominator(list(map(reread_numbers.__getitem__, codes))))


def _spelled(attribute: Attribute, cells: Codes | Numbers) -> list[str | Rational | None]:
    domain = attribute.values
    return list(cells) if domain is None else [None if code is None else domain[int(code)] for code in cells]


__all__ = ["Table", "assemble"]
